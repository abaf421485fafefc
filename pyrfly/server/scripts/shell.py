"""Variables of a start script in the language of POSIX shells and Bash: `read_shell`.

The script is read from top to bottom, and nothing of it is executed. Bodies of functions are left
out; assignments in loops, and under conditions that cannot be told, leave a doubt.
"""

from __future__ import annotations

import re

from pyrfly.server.scripts.shell_words import Command, commands_of, end_of_quoted
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

__all__ = ["read_shell"]

_BITS = 64
_DEEPEST = 10
"""Maximum depth of defaults in an expansion."""

_NAME = r"[A-Za-z_][A-Za-z_0-9]*"
_ASSIGNMENT = re.compile(rf"(?P<name>{_NAME})(?P<adds>\+?)=(?P<value>.*)", re.DOTALL)
_BRACES = re.compile(
    rf"(?P<name>{_NAME}|[1-9][0-9]{{0,2}}(?=:?[-+]))(?:(?P<operator>:?[-=+])(?P<word>.*))?",
    re.DOTALL,
)
_DECLARING = {"export", "readonly", "declare", "typeset"}
_UNTOLD = {"while": "done", "until": "done", "for": "done", "select": "done", "case": "esac"}
"""Words that begin a block of which nothing tells how often it runs, and the word that ends it."""

_PLAIN = re.compile(r"[^'\"`$\\]*")
_PLAIN_IN_QUOTES = re.compile(r"[^`$\\]*")
_PARAMETER = re.compile(rf"\$(?:{_NAME}|[0-9@*#?!$-])")
_COMPARISONS = {
    "-eq": (0,), "-ne": (-1, 1), "-lt": (-1,), "-le": (-1, 0), "-gt": (1,), "-ge": (0, 1),
}  # fmt: skip


class _Block:
    """An ``if``, a loop, or commands in braces: the state of its present part."""

    def __init__(self, end: str, state: State, outer: State) -> None:
        self.end, self.state, self.outer = end, state, outer
        self.truth: bool | None = None  # of the last condition
        self.conditions = 0  # commands of the present condition
        self.is_condition = False


def read_shell(text: str, variables: Variables) -> None:
    """Set the variables as a script does up to the first start of CopterSim."""
    reader = _Reader(variables)
    for command in commands_of(text):
        if not reader.read(command):
            break


class _Reader:
    """Reads commands one after another."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables
        self._blocks: list[_Block] = []
        self._truth: bool | None = None  # of the last command
        self._names_function = False

    def read(self, command: Command) -> bool:
        """Read a command; return whether the script goes on."""
        words = command.words
        while words and (count := self._keyword(words)):
            words = words[count:]
        if not words:
            return True
        block = self._blocks[-1] if self._blocks else None
        if block is not None and block.is_condition:
            block.conditions += 1
            block.truth = self._test(words) if block.conditions == 1 else None
        state = self._state_after(command.before, block.state if block else State.RUNS)
        self._truth = self._test(words) if state is State.RUNS else None
        return state is State.SKIPPED or self._simple(words, state, command.line)

    def _state_after(self, separator: str, state: State) -> State:
        """Return the state of a command after another one and a separator."""
        if separator not in ("&&", "||", "|"):
            return state
        truth = None if separator == "|" else self._truth
        return within(state, inverse(truth) if separator == "||" else truth)

    def _keyword(self, words: list[str]) -> int:
        """Read a word that begins or ends a block; return the number of words that it takes."""
        word = words[0]
        state = self._blocks[-1].state if self._blocks else State.RUNS
        if word.endswith("()") or word == "function":
            self._names_function = True
            return min(len(words), 1 if word != "function" else 2)
        if word in ("{", "("):
            inside = state if word == "{" else within(state, None)
            inside = State.SKIPPED if self._names_function else inside
            self._blocks.append(_Block("}" if word == "{" else ")", inside, state))
            self._names_function = False
        elif word == "if":
            self._blocks.append(_Block("fi", state, state))
            self._blocks[-1].is_condition = True
        elif word in _UNTOLD:
            self._blocks.append(_Block(_UNTOLD[word], within(state, None), state))
            return len(words) if word in ("for", "select", "case") else 1
        elif word in ("fi", "done", "esac", "}", ")"):
            if self._blocks and self._blocks[-1].end == word:
                self._blocks.pop()
        elif word in ("then", "elif", "else") and self._blocks:
            self._branch(word, self._blocks[-1])
        elif word not in ("do", "then", "elif", "else"):
            return 0
        return 1

    def _branch(self, word: str, block: _Block) -> None:
        """Begin the next part of an ``if``."""
        if word == "then":
            block.is_condition = False
            block.state = within(block.outer, block.truth)
            return
        block.outer = within(block.outer, inverse(block.truth))
        block.state = block.outer
        block.is_condition, block.conditions, block.truth = word == "elif", 0, None

    def _simple(self, words: list[str], state: State, line: int) -> bool:
        """Read a simple command; return whether the script goes on."""
        if starts_coptersim(words):
            return False
        if words[0] in _DECLARING:
            words = [word for word in words[1:] if not word.startswith("-")] or ["true"]
        assignments = [_ASSIGNMENT.fullmatch(word) for word in words]
        if all(assignments):
            for match in assignments:
                assert match is not None
                self._assign(match, state, line)
        elif words[0] == "read":
            if re.fullmatch(_NAME, words[-1]) and len(words) > 1:
                self._variables.doubt(words[-1], line, "is asked for", keep=True)
        elif words[0] == ":":
            self._assign_defaults(words[1:], state, line)
        elif words[0] == "unset" and state is State.RUNS:
            for name in words[1:]:
                self._variables.assign(name, "", line)
        elif words[0] == "exit" and state is State.RUNS:
            return False
        return True

    def _assign(self, match: re.Match[str], state: State, line: int) -> None:
        name = match["name"]
        if state is not State.RUNS:
            self._variables.doubt(name, line, "is set under a condition or in a loop", keep=True)
            return
        try:
            former = self._variables.text(name) if match["adds"] else ""
            self._variables.assign(name, former + self._expanded(match["value"]), line)
        except UnknownValueError as reason:
            self._variables.doubt(name, line, str(reason), keep=False)

    def _assign_defaults(self, words: list[str], state: State, line: int) -> None:
        """Read ``: ${NAME:=default}``."""
        for word in words:
            braces = _BRACES.fullmatch(word.strip('"')[2:-1])
            if braces and (braces["operator"] or "").endswith("="):
                text = f"{braces['name']}={word}"
                match = _ASSIGNMENT.fullmatch(text)
                assert match is not None
                self._assign(match, state, line)

    # --- conditions ---

    def _test(self, words: list[str]) -> bool | None:
        """Return whether a test succeeds, None if nothing tells."""
        inverted = False
        while len(words) > 1 and words[0] == "!":
            words, inverted = words[1:], not inverted
        closing = {"[": "]", "[[": "]]", "test": ""}.get(words[0])
        if closing is None or (closing and words[-1] != closing):
            return None
        words = words[1:-1] if closing else words[1:]
        while words and words[0] == "!":
            words, inverted = words[1:], not inverted
        try:
            truth = self._truth_of(words)
        except UnknownValueError:
            return None
        return inverse(truth) if inverted else truth

    def _truth_of(self, words: list[str]) -> bool | None:
        if len(words) == 2 and words[0] in ("-n", "-z"):
            return (self._expanded(words[1], unset="") != "") == (words[0] == "-n")
        if len(words) != 3:
            return None
        left, right = (self._expanded(word, unset="") for word in (words[0], words[2]))
        if words[1] in ("=", "==", "!="):
            return (left == right) != (words[1] == "!=")
        if words[1] not in _COMPARISONS or not all(
            re.fullmatch(r"-?[0-9]{1,18}", text) for text in (left, right)
        ):
            return None
        order = (int(left) > int(right)) - (int(left) < int(right))
        return order in _COMPARISONS[words[1]]

    # --- expansions ---

    def _expanded(
        self, word: str, unset: str | None = None, depth: int = 0, quoted: bool = False
    ) -> str:
        """Return a word with the values of its variables, without quotes.

        The value of a variable that nothing has set is ``unset``; None raises.
        """
        if depth > _DEEPEST:
            raise UnknownValueError("has too many expansions")
        parts, at, length = [], 0, 0
        while at < len(word):
            end = max(at + 1, _end_of_part(word, at, quoted))
            parts.append(self._part(word[at:end], unset, depth, quoted))
            at, length = end, length + len(parts[-1])
            if length > LONGEST_TEXT:
                raise UnknownValueError(f"has more than {LONGEST_TEXT} characters")
        return "".join(parts)

    def _part(self, part: str, unset: str | None, depth: int, quoted: bool) -> str:
        """Return the value of a text in quotes, an expansion, an escape or a plain text."""
        if not quoted and part[0] == "'":
            return part[1:-1]
        if not quoted and part[0] == '"':
            return self._expanded(part[1:-1], unset, depth + 1, quoted=True)
        if part[0] == "\\":
            return part[1:]
        if part[0] not in "$`" or part == "$":
            return part
        if part.startswith("$((") and part.endswith("))"):
            return self._computed(part[3:-2], unset, depth)
        if part.startswith("${"):
            return self._braces(part[2:-1], unset, depth)
        if re.fullmatch(_NAME, part[1:]):
            return self._value(part[1:], unset)
        raise UnknownValueError(f"follows from {part[:40]}")

    def _value(self, name: str, unset: str | None) -> str:
        if unset is not None and self._variables.find(name) is None:
            return unset
        return self._variables.text(name)

    def _braces(self, text: str, unset: str | None, depth: int) -> str:
        """Return the value of ``${...}``."""
        match = _BRACES.fullmatch(text)
        if match is None:
            raise UnknownValueError(f"follows from ${{{text[:40]}}}")
        name, operator = match["name"], match["operator"]
        if not operator:
            return self._value(name, unset)
        is_set = self._variables.find(name) is not None  # what is empty is not set
        if operator.endswith("+"):
            return self._expanded(match["word"], unset, depth + 1) if is_set else ""
        if is_set:
            return self._variables.text(name)
        return self._expanded(match["word"], unset, depth + 1)

    def _computed(self, text: str, unset: str | None, depth: int) -> str:
        """Return the value of an expression, or the text itself where it is none."""
        text = self._expanded(text, unset, depth + 1)
        try:
            return str(evaluate(text, self._variables.number, _BITS))
        except ValueError:
            return text


def _end_of_part(word: str, at: int, quoted: bool) -> int:
    """Return where a quoted text, an expansion, an escape or plain text ends."""
    if parameter := _PARAMETER.match(word, at):
        return parameter.end()
    if word[at] == "\\":
        return min(at + 2, len(word))
    if word[at] in "`$" or (not quoted and word[at] in "'\""):
        return end_of_quoted(word, at)
    plain = (_PLAIN_IN_QUOTES if quoted else _PLAIN).match(word, at)
    return plain.end() if plain else at + 1
