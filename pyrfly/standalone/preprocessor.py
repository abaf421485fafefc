"""Sources of the core with their includes and conditionals resolved, macros left as they are.

A compiler's preprocessor would also remove comments and replace every macro; what people are to
read keeps both. Replaced are only the macros that make names and lists of columns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from pyrfly.errors import Error
from pyrfly.files import printable

__all__ = ["MEMBER", "Item", "Macro", "Preprocessor", "meaning"]

_WORD = re.compile(r"[A-Za-z_]\w*")
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|\s+|##|.', re.DOTALL)
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(.*)", re.DOTALL)
_DEFINE = re.compile(r"(\w+)(\([^)]*\))?\s*(.*)", re.DOTALL)

_KEPT = re.compile(r"__x86_64__|__aarch64__|_WIN32")
"""Conditionals that the compiler of the result decides."""

_EXPANDED = frozenset(
    "TYPED TYPE TYPE_LIST RF_JOIN RF_JOIN_TOKENS RF_SET_NAME NAVIGATOR_RUN PART_NAME PART_LIST "
    "VEHICLE".split()
)
"""Macros that make names, which are replaced; those that are applied to one are, too."""


_MEMBER = re.compile(r'MEMBER_DOC\(("[^"]*"), ("[^"]*"), ((?:"[^"]*"\s*)+)\)')
"""What is known of a member of a struct; its macro is `MEMBER`."""


def _member(match: re.Match[str]) -> str:
    unit, frame, doc = (re.sub(r'"\s*"|"', "", match[k]).strip() for k in (1, 2, 3))
    return f"/* {meaning(unit, frame, doc)} */"


def meaning(unit: str, frame: str, doc: str) -> str:
    """Return what is known of a column, in words."""
    known = ", ".join(word for word in (unit, frame) if word and word != "1")
    return f"{known}: {doc}" if known else doc


class Macro(NamedTuple):
    """A macro: its parameters, None of one without, and what it stands for."""

    parameters: tuple[str, ...] | None
    body: str


MEMBER = Macro(
    ("type", "name", "unit", "frame", "doc"), "\n    type name; MEMBER_DOC(unit, frame, doc)"
)
"""A member of a struct of columns, with its unit, frame and meaning as a comment."""


class Item(NamedTuple):
    """A piece of the result: lines of code, a macro, or a conditional as it was.

    Attributes
    ----------
    kind : {'code', 'macro', 'raw'}
    file : str
        The file that it is of.
    text : str
    name : str
        Name of a macro.
    """

    kind: str
    file: str
    text: str
    name: str = ""


class Preprocessor:
    """Reads a file of the core with all that it includes.

    Parameters
    ----------
    folder : Path
        The sources of the core.
    given : mapping of str to str
        Macros that are defined, and stay as they are.
    type_name : str
        The type of vehicles whose files are read.
    """

    def __init__(self, folder: Path, given: dict[str, Macro], type_name: str) -> None:
        self._folder = folder
        self._given = given
        self._type = type_name
        self.macros = dict(given)
        self.system: dict[str, None] = {}
        self.items: list[Item] = []
        self._made = set(_EXPANDED)
        self._read_type = False

    def read(self, name: str) -> list[Item]:
        """Return the items of a file, by its name below the folder."""
        self._file(name)
        return self.items

    def _file(self, name: str) -> None:
        try:
            text = (self._folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise Error(
                f"{name}: expected the sources of pyrfly's core in {printable(self._folder)}, "
                "which this installation lacks: export from a source tree, pip install -e ."
            ) from None
        text = re.sub(r"(TYPE_LIST\(\w+\))\n\s*(\(\w+\))", r"\1\2", text)  # one call, two lines
        taken = [True]  # of each conditional around a line: whether it is read
        done = [True]  # and whether one of its branches was
        lines = iter(text.split("\n"))
        in_comment = False
        for line in lines:
            was_in_comment = in_comment
            in_comment = (line.rfind("/*") > line.rfind("*/")) or (in_comment and "*/" not in line)
            if was_in_comment:
                if all(taken):
                    self.items.append(Item("code", name, line))
                continue
            while line.endswith("\\"):
                line += "\n" + next(lines)
            match = _DIRECTIVE.fullmatch(line)
            if match is None:
                if all(taken):
                    self._line(name, line)
                continue
            word, rest = match[1], _without_comments(match[2]).strip()
            if word in ("if", "ifdef", "ifndef"):
                if all(taken) and _KEPT.search(rest):
                    self._keep(name, line, lines)
                    continue
                taken.append(all(taken) and self._holds(word, rest))
                done.append(taken[-1])
            elif word in ("elif", "else"):
                outer = all(taken[:-1])
                taken[-1] = outer and not done[-1] and (word == "else" or self._holds("if", rest))
                done[-1] = done[-1] or taken[-1]
            elif word == "endif":
                taken.pop()
                done.pop()
            elif all(taken):
                self._directive(name, word, match[2])

    def _keep(self, name: str, line: str, lines: Iterable[str]) -> None:
        """Take over a conditional to its end."""
        kept, depth = [line], 1
        for line in lines:
            kept.append(line)
            depth += (
                1 if re.match(r"\s*#\s*if", line) else -1 if re.match(r"\s*#\s*endif", line) else 0
            )
            if depth == 0:
                break
        self.items.append(Item("raw", name, "\n".join(kept)))

    def _line(self, name: str, line: str) -> None:
        if line.strip() in ("LANE_UNROLL", "SET_BEGIN", "SET_END"):
            return
        line = self.expanded(line)
        self.items.append(Item("code", name, line))

    def _directive(self, name: str, word: str, rest: str) -> None:
        if word == "include":
            self._include(rest.strip())
        elif word == "define":
            self._define(name, rest)
        elif word == "undef":
            self._undefine(name, rest.strip())
        elif word == "error":
            raise ValueError(f"{name}: {rest}")

    def _undefine(self, name: str, macro: str) -> None:
        if macro in self._given:
            return
        self.macros.pop(macro, None)
        if name.endswith("types.inc") and not self._read_type:  # of a type before the one asked for
            self.items = [item for item in self.items if item.name != macro]

    def _include(self, what: str) -> None:
        if what.startswith("<"):
            self.system.setdefault(what)
            return
        each = what in ("RF_EACH_TYPE", "RF_EACH_PART")
        if what == "RF_EACH_TYPE" and self.macros["TYPE"].body != self._type:
            return
        self._read_type = self._read_type or what == "RF_EACH_TYPE"
        while not what.startswith('"'):
            what = self.macros[what].body
        if each:
            self.items.append(Item("code", what.strip('"'), ""))
        self._file(what.strip('"'))

    def _define(self, name: str, rest: str) -> None:
        match = _DEFINE.fullmatch(rest)
        assert match is not None, rest
        macro, parameters, body = match[1], match[2], match[3]
        if macro in self._given:
            return
        names = None
        if parameters is not None:
            names = tuple(p.strip() for p in parameters[1:-1].split(",") if p.strip())
        plain = re.sub(r"[ \t]*\\\n", "\n", _without_comments(body)).strip()
        self.macros[macro] = Macro(names, plain)
        if names is None and re.fullmatch(r"TYPED\(\w+\)", plain):
            self._made.add(macro)  # another name
        text = self.expanded(body, but=names or ())
        shown = f"#define {macro}{parameters or ''}{' ' + text if text else ''}"
        self.items.append(Item("macro", name, shown.rstrip(), macro))

    # --- macros ---

    def expanded(self, text: str, but: Collection[str] = ()) -> str:
        """Return a text with the macros replaced that make names, and lists that are applied.

        A name that is a parameter of the macro around it stays.
        """
        words = set(_WORD.findall(text))
        if words.isdisjoint(self._made) and not self._applies(text):
            called = re.findall(r"(\w+)\((\w+)[,)]", text)
            if not any(self._takes_arguments(a) and self._takes_arguments(b) for a, b in called):
                return text
        made = self._expand(text, frozenset(), everything=False, names=frozenset(but))
        if self._applies(text):  # a function that a macro defines
            made = re.sub(r"^    ", "", made, flags=re.MULTILINE)
        if made != text and "/*" not in made:  # a list of statements
            indent = text[: len(text) - len(text.lstrip())]
            made = re.sub(r"; (?=[A-Za-z])(?![^(]*\))", f";\n{indent}", made)
        return _MEMBER.sub(_member, made)

    def _applies(self, text: str) -> bool:
        """Return whether a macro is called that is a template of code, or applied to another."""
        match = re.match(r"([A-Z_]\w*)\((\w+)(?:, \w+)*\)$", text.strip())
        return match is not None and match[1] in self.macros

    def _expand(
        self,
        text: str,
        but: frozenset[str],
        everything: bool,
        names: frozenset[str] = frozenset(),
    ) -> str:
        """Return a text with macros replaced, but those; names are parameters of one around it."""
        out: list[str] = []
        at = 0
        while at < len(text):
            token = _TOKEN.match(text, at)
            assert token is not None
            word, at = token[0], token.end()
            if text.startswith("/*", at - 1) and word == "/":
                end = text.find("*/", at) + 2
                end = len(text) if end == 1 else end
                out.append(text[at - 1 : end])
                at = end
                continue
            macro = self.macros.get(word) if _WORD.fullmatch(word) else None
            if macro is None or word in but:
                out.append(word)
                continue
            if macro.parameters is None:
                if not everything and word not in self._made:
                    out.append(word)
                    continue
                result = self._expand(macro.body, but | {word}, everything, names)
                if self._takes_arguments(result) and text.startswith("(", at):
                    text, at = result + text[at:], 0
                    continue
                out.append(result)
                continue
            arguments, end = _arguments(text, at)
            if arguments is None or not self._is_made(word, arguments, text, everything, names):
                out.append(word)
                continue
            deeper = everything or word not in self._made
            values = [self._expand(a, but, everything, names) for a in arguments]
            body = _substituted(macro, arguments, values)
            result = self._expand(body, but | {word}, deeper)
            call = re.match(r"\((\w+)\)", text[end:])
            if self._takes_arguments(result) and call is not None:  # a list that is applied
                result = self._expand(result + call[0], but, True)
                end += call.end()
            out.append(result)
            at = end
        return "".join(out)

    def _takes_arguments(self, word: str) -> bool:
        return word in self.macros and self.macros[word].parameters is not None

    def _is_made(
        self, word: str, arguments: list[str], text: str, everything: bool, names: frozenset[str]
    ) -> bool:
        """Return whether a call of a macro is replaced."""
        if any(a.strip() in names for a in arguments):
            return False
        if any("##" in a for a in arguments):
            return False
        if everything or word in self._made:
            return True
        applied = [a.strip() for a in arguments if a.strip() in self.macros]
        if any(self.macros[a].parameters is not None for a in applied):
            return True
        return text.strip() == f"{word}({', '.join(a.strip() for a in arguments)})"

    # --- conditionals ---

    def _holds(self, word: str, rest: str) -> bool:
        if word == "ifdef":
            return rest in self.macros
        if word == "ifndef":
            return rest not in self.macros
        return bool(self._value(rest))

    def _value(self, expression: str) -> int:
        text = re.sub(
            r"defined\s*\(?\s*(\w+)\s*\)?", lambda m: str(int(m[1] in self.macros)), expression
        )
        text = self._expand(text, frozenset(), True)
        text = _WORD.sub("0", re.sub(r"\b(\d+)[uUlL]+\b", r"\1", text))
        text = text.replace("&&", " and ").replace("||", " or ")
        text = re.sub(r"!(?!=)", " not ", text)
        if not re.fullmatch(r"[\s\d()+*/<>=!-]*(?:(?:and|or|not)[\s\d()+*/<>=!-]*)*", text):
            raise ValueError(f"#if {expression}: expected numbers, got {text}")
        return int(eval(text, {"__builtins__": {}}))  # nothing but numbers and operators


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def _arguments(text: str, at: int) -> tuple[list[str] | None, int]:
    """Return the arguments of a call that begins there, and its end."""
    if at >= len(text) or text[at] != "(":
        return None, at
    depth, start, found = 0, at + 1, []
    for i in range(at, len(text)):
        if text[i] == "(":
            depth += 1
        elif text[i] == ")":
            depth -= 1
            if depth == 0:
                found.append(text[start:i])
                return found, i + 1
        elif text[i] == "," and depth == 1 and text[:i].count('"', at) % 2 == 0:
            found.append(text[start:i])
            start = i + 1
    return None, at


def _substituted(macro: Macro, raw: list[str], values: list[str]) -> str:
    """Return the body of a macro with its arguments in place, pasted ones as they are."""
    assert macro.parameters is not None
    body = re.sub(r"\s*##\s*", "##", macro.body)
    tokens = _TOKEN.findall(body)
    out: list[str] = []
    for k, token in enumerate(tokens):
        if token == "##" or (token == "#" and tokens[k + 1] in macro.parameters):
            continue
        if token in macro.parameters:
            i = macro.parameters.index(token)
            pasted = "##" in (
                tokens[k - 1] if k else "",
                tokens[k + 1] if k + 1 < len(tokens) else "",
            )
            text = raw[i].strip() if pasted else values[i].strip()
            out.append(f'"{raw[i].strip()}"' if k and tokens[k - 1] == "#" else text)
        else:
            out.append(token)
    return "".join(out)
