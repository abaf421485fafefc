"""Variables of a start script in the language of the Windows command processor: `read_batch`.

The script is read from top to bottom, no line twice, and nothing of it is executed. Assignments in
blocks whose condition cannot be told, such as whether a file exists, leave a doubt.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

from pyrfly.server.scripts.variables import (
    LONGEST_TEXT,
    State,
    UnknownValueError,
    Variables,
    evaluate,
    inverse,
    starts_coptersim,
    within,
)

__all__ = ["read_batch"]

_BITS = 32
_DEEPEST = 20
"""Maximum depth of statements within a line."""

_REMARK = re.compile(r"(rem\b|:)", re.IGNORECASE)
_IF = re.compile(
    r"if\s+(?:/i\s+)?(?P<inverted>not\s+)?(?:"
    r"(?P<kind>defined|exist|errorlevel|cmdextversion)\s+(?P<name>\"[^\"]*\"|[^\s()]+)|"
    r"(?P<left>\"[^\"]*\"|[^\s=\"()]+)\s*(?P<operator>==|\b(?:equ|neq|lss|leq|gtr|geq)\b)"
    r"\s*(?P<right>\"[^\"]*\"|[^\s()]+))\s*(?P<rest>.*)",
    re.IGNORECASE,
)
_FOR = re.compile(r"for\s.*?\)\s*do\b\s*(?P<rest>.*)", re.IGNORECASE)
_ELSE = re.compile(r"else\b\s*", re.IGNORECASE)
_SET = re.compile(r"set\b(?:\s*/(?P<option>[ap])\b)?\s*(?P<rest>.*)", re.IGNORECASE)
_GOTO = re.compile(r"\bgoto\b\s*:?\s*(?P<label>[^\s&|()]+)", re.IGNORECASE)
_ARITHMETIC = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)\s*(?P<operator>[-+*/%]?)=(?P<text>.*)")
_EXPANSION = re.compile(
    r"%%|%(?P<name>[A-Za-z_][^%:]*)(?P<part>:[^%]*)?%|%(?P<argument>[~*0-9])|!(?P<late>[A-Za-z_][^!]*)!"
)
_COMPARISONS = {
    "==": (0,), "EQU": (0,), "NEQ": (-1, 1),
    "LSS": (-1,), "LEQ": (-1, 0), "GTR": (1,), "GEQ": (0, 1),
}  # fmt: skip


class _Block(NamedTuple):
    """Lines between parentheses: whether they run, and whether those after ``else`` do."""

    state: State
    otherwise: State


class _End(Exception):
    """The vehicles are started, or the script ends."""


class _Jump(Exception):
    """A goto."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


def read_batch(text: str, variables: Variables) -> None:
    """Set the variables as a script does up to the first start of CopterSim."""
    lines = _lines(text)
    labels: dict[str, list[int]] = {}
    for place, (_, line) in enumerate(lines):
        labels.setdefault(_label(line), []).append(place)
    repeats = _repeats(lines, labels)
    reader = _Reader(variables)
    index = 0
    while index < len(lines):
        try:
            reader.read(*lines[index], repeats[index])
        except _Jump as jump:
            places = labels.get(jump.label, [len(lines)])  # such as :EOF
            ahead = bisect_right(places, index)
            if ahead < len(places):
                index = places[ahead]
                reader.leave_blocks()
        except _End:
            break
        index += 1


def _lines(text: str) -> list[tuple[int, str]]:
    """Return number and text of lines that say something; continued lines are one."""
    found, begun, begin = [], "", 0
    for number, raw in enumerate(text.split("\n"), start=1):
        begin = begin or number
        line = begun + raw.rstrip("\r")
        if len(line) - len(line.rstrip("^")) & 1 and len(line) <= LONGEST_TEXT:
            begun = line[:-1]
            continue
        if line.strip(" \t@"):
            found.append((begin, line[:LONGEST_TEXT].strip().lstrip("@ \t")))
        begun, begin = "", 0
    return found


def _label(line: str) -> str:
    """Return the label that a line is, in lower case, or an empty text."""
    if not line.startswith(":") or line.startswith("::"):
        return ""
    words = line[1:].split()
    return words[0].lower() if words else ""


def _repeats(lines: list[tuple[int, str]], labels: dict[str, list[int]]) -> list[bool]:
    """Return which lines are between a label and a later goto to it."""
    changes = [0] * (len(lines) + 1)
    for place, (_, line) in enumerate(lines):
        for match in _GOTO.finditer(line):
            begin = labels.get(match["label"].lower(), [place])[0]
            if begin < place:
                changes[begin] += 1
                changes[place + 1] -= 1
    return [depth > 0 for depth in accumulate(changes)]


class _Reader:
    """Reads lines one after another."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables
        self._blocks: list[_Block] = []
        self._line = 0
        self._repeats = False

    def leave_blocks(self) -> None:
        """Continue outside of all blocks, as after a goto."""
        self._blocks.clear()

    def read(self, number: int, line: str, repeats: bool) -> None:
        """Read a line, which the script may execute several times."""
        self._line, self._repeats = number, repeats
        if _REMARK.match(line):
            return
        while line.startswith(")"):
            line = line[1:].lstrip()
            closed = self._blocks.pop() if self._blocks else _Block(State.RUNS, State.SKIPPED)
            if match := _ELSE.match(line):
                self._statement(line[match.end() :], closed.otherwise, 0)
                return
        state = self._blocks[-1].state if self._blocks else State.RUNS
        closes = bool(self._blocks) and line.endswith(")") and _closes_more(line)
        self._statement(line[:-1] if closes else line, state, 0)
        if closes:
            self._blocks.pop()

    def _statement(self, text: str, state: State, depth: int) -> None:
        """Read a command, or a block that may go on in the next lines."""
        text = text.strip().lstrip("@")
        if depth > _DEEPEST or _REMARK.match(text):
            return
        if text.startswith("("):
            self._block(text[1:].strip(), _Block(state, State.SKIPPED), depth)
        elif match := _IF.match(text):
            truth = self._truth(match)
            block = _Block(within(state, truth), within(state, inverse(truth)))
            if match["rest"].startswith("("):
                self._block(match["rest"][1:].strip(), block, depth)
            else:
                self._statement(match["rest"], block.state, depth + 1)
        elif match := _FOR.match(text):
            self._statement(match["rest"], within(state, None), depth + 1)
        else:
            for command, is_certain in _commands(text):
                self._command(command, state if is_certain else within(state, None))

    def _block(self, text: str, block: _Block, depth: int) -> None:
        """Read what follows an opening parenthesis."""
        end = _end_of_block(text)
        if end is None:
            self._blocks.append(block)
            if text:
                self._statement(text, block.state, depth + 1)
            return
        self._statement(text[:end], block.state, depth + 1)
        rest = text[end + 1 :].strip()
        if match := _ELSE.match(rest):
            self._statement(rest[match.end() :], block.otherwise, depth + 1)

    def _command(self, text: str, state: State) -> None:
        if state is State.SKIPPED:
            return
        if starts_coptersim(re.findall(r'"[^"]*"|[^\s"]+', text)):
            raise _End
        if match := _SET.match(text):
            setters = {None: self._set, "a": self._set_number, "p": self._ask}
            option = match["option"]
            setters[option.lower() if option else None](match["rest"], state)
        elif state is State.RUNS and (match := _GOTO.match(text)):
            raise _Jump(match["label"].lower())
        elif state is State.RUNS and re.match(r"exit\b", text, re.IGNORECASE):
            raise _End

    def _set(self, text: str, state: State) -> None:
        text = text.strip()
        if text.startswith('"'):
            text = text[1:].rpartition('"')[0] or text[1:]
        name, equals, value = text.partition("=")
        if equals and name.strip():
            self._assign(name.strip(), value.strip(), state)

    def _assign(self, name: str, value: str, state: State) -> None:
        if state is not State.RUNS:
            self._variables.doubt(name, self._line, "is set under a condition", keep=True)
            return
        try:
            self._variables.assign(name, self._expanded(value), self._line)
        except UnknownValueError as reason:
            self._variables.doubt(name, self._line, str(reason), keep=False)

    def _ask(self, text: str, state: State) -> None:
        name = text.strip().strip('"').partition("=")[0].strip()
        if name:
            self._variables.doubt(name, self._line, "is asked for", keep=True)

    def _set_number(self, text: str, state: State) -> None:
        for part in text.replace('"', "").split(","):
            if (match := _ARITHMETIC.match(part)) is None:
                continue
            name, operator, value = match["name"], match["operator"], match["text"].strip()
            if operator:
                value = f"{name}{operator}({value})"
            if self._repeats and re.search(rf"\b{name}\b", value, re.IGNORECASE):
                self._variables.doubt(name, self._line, "is counted in a loop", keep=False)
                continue
            if state is not State.RUNS:
                self._assign(name, value, state)
                continue
            try:
                self._variables.assign(name, self._computed(value), self._line)
            except UnknownValueError as reason:
                self._variables.doubt(name, self._line, str(reason), keep=False)

    def _computed(self, text: str) -> str:
        """Return the value of an expression, or the text itself where it is none."""
        text = self._expanded(text)
        try:
            return str(evaluate(text, self._variables.number, _BITS))
        except ValueError:
            return text

    def _expanded(self, text: str) -> str:
        """Return a text with the values of its variables, without escapes."""
        parts, end, length = [], 0, 0
        for match in _EXPANSION.finditer(text):
            parts.append(_unescaped(text[end : match.start()]))
            end = match.end()
            if match[0] == "%%":
                parts.append("%")
            elif match["argument"] or match["part"]:
                raise UnknownValueError(f"follows from {match[0][:40]}")
            else:
                parts.append(self._variables.text((match["name"] or match["late"]).strip()))
            length += len(parts[-1])
            if length > LONGEST_TEXT:
                raise UnknownValueError(f"has more than {LONGEST_TEXT} characters")
        return "".join([*parts, _unescaped(text[end:])])

    def _truth(self, match: re.Match[str]) -> bool | None:
        """Return whether a condition holds, None if nothing tells."""
        if match["kind"]:
            truth = self._defined(match["name"]) if match["kind"].lower() == "defined" else None
        else:
            try:
                left, right = self._expanded(match["left"]), self._expanded(match["right"])
            except UnknownValueError:
                return None
            truth = _order(left, right) in _COMPARISONS[match["operator"].upper()]
        return inverse(truth) if match["inverted"] else truth

    def _defined(self, name: str) -> bool | None:
        variable = self._variables.find(name.strip('"'))
        if variable is None:
            return False
        return None if variable.text is None else True


def _order(left: str, right: str) -> int:
    """Return -1, 0 or 1 as a text is less than, equal to or greater than another."""
    if re.fullmatch(r"-?[0-9]{1,18}", left) and re.fullmatch(r"-?[0-9]{1,18}", right):
        return (int(left) > int(right)) - (int(left) < int(right))
    return (left.lower() > right.lower()) - (left.lower() < right.lower())


def _unescaped(text: str) -> str:
    return re.sub(r"\^(.)", r"\1", text)


def _commands(text: str) -> list[tuple[str, bool]]:
    """Return the commands of a line, and whether each is executed whatever came before."""
    found, begin, is_certain = [], 0, True
    separators = re.finditer(r'"[^"]*"?|\^.|&&|\|\||[0-9]?>&[0-9]?|&|\|', text)
    for match in separators:
        if match[0][0] in '"^' or ">" in match[0]:
            continue
        found.append((text[begin : match.start()].strip(), is_certain))
        is_certain = is_certain and match[0] == "&"
        begin = match.end()
    return [*found, (text[begin:].strip(), is_certain)]


def _end_of_block(text: str) -> int | None:
    """Return the place of the parenthesis that closes a block, None if the line has none."""
    depth = 0
    for match in re.finditer(r'"[^"]*"?|\^.|[()]', text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth < 0:
            return match.start()
    return None


def _closes_more(line: str) -> bool:
    """Return whether a line closes a parenthesis that it has not opened."""
    return _end_of_block(line) is not None
