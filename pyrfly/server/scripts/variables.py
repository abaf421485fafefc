"""Variables and conditions of start scripts: `Variables`, `evaluate`, `State`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple

__all__ = [
    "LONGEST_TEXT",
    "State",
    "UnknownValueError",
    "Variable",
    "Variables",
    "evaluate",
    "inverse",
    "starts_coptersim",
    "within",
    "wrapped",
]

LONGEST_TEXT = 8191
"""Maximum length of a value, that of a line of the Windows command processor."""

_LONGEST_EXPRESSION = 500

_DEEPEST = 50
"""Maximum depth of parentheses."""

_TOKEN = re.compile(r"\s*(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}|[A-Za-z_][A-Za-z_0-9]*|[-+*/%()])")


class UnknownValueError(Exception):
    """A text or number follows from something that only a run of the script would tell."""


class Variable(NamedTuple):
    """A variable of a script.

    Attributes
    ----------
    text : str or None
        Its value, the last that is known; None if there is none.
    line : int
        Number of the line that sets it, 0 for a variable that was given.
    doubt : str
        Why it may have another value when the script runs; empty if it has this one.
    """

    text: str | None
    line: int
    doubt: str = ""


class Variables:
    """Variables of a script while it is read.

    Parameters
    ----------
    given : mapping of str to str
        Values that the script does not change.
    fold : bool
        Whether names in upper and lower case are the same.
    """

    def __init__(self, given: Mapping[str, str], fold: bool = False) -> None:
        self._fold = fold
        self._given = {self._key(name): Variable(text, 0) for name, text in given.items()}
        self._found: dict[str, Variable] = {}
        self._named: set[str] = set()

    def _key(self, name: str) -> str:
        return name.upper() if self._fold else name

    def find(self, name: str) -> Variable | None:
        """Return a variable, or None if nothing has set it."""
        key = self._key(name)
        self._named.add(key)
        return self._given.get(key, self._found.get(key))

    def names(self, name: str) -> bool:
        """Return whether the script has set or read a variable of this name."""
        return self._key(name) in self._named

    def assign(self, name: str, text: str, line: int) -> None:
        """Set a variable; an empty text removes it."""
        key = self._key(name)
        self._named.add(key)
        if not text:
            self._found.pop(key, None)
        elif len(text) > LONGEST_TEXT:
            self._found[key] = Variable(None, line, f"has more than {LONGEST_TEXT} characters")
        else:
            self._found[key] = Variable(text, line)

    def doubt(self, name: str, line: int, why: str, keep: bool) -> None:
        """Note that the value of a variable is unknown; ``keep`` the former as the last known."""
        key = self._key(name)
        self._named.add(key)
        former = self._found.get(key) if keep else None
        self._found[key] = Variable(former.text if former else None, line, why)

    def text(self, name: str) -> str:
        """Return the value of a variable.

        Raises
        ------
        UnknownValueError
            Nothing has set it, or there is doubt.
        """
        variable = self.find(name)
        if variable is None:
            raise UnknownValueError(f"follows from {name[:40]}, which the script does not set")
        if variable.doubt.startswith("follows"):  # the first of a chain says most
            raise UnknownValueError(variable.doubt)
        if variable.text is None or variable.doubt:
            raise UnknownValueError(f"follows from {name[:40]}, which {variable.doubt}")
        return variable.text

    def number(self, name: str) -> int:
        """Return the value of a variable as a whole number; that of other texts is 0.

        Raises
        ------
        UnknownValueError
            As `text`.
        """
        text = self.text(name).strip().strip('"')
        match = re.fullmatch(r"([-+]?)(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})", text)
        return _integer(match[2]) * (-1 if match[1] == "-" else 1) if match else 0


def wrapped(number: int, bits: int) -> int:
    """Return a whole number as a signed one of so many bits holds it."""
    half = 1 << (bits - 1)
    return (number + half) % (2 * half) - half


def evaluate(text: str, value_of: Callable[[str], int], bits: int) -> int:
    """Return the value of an expression of whole numbers, as command processors compute it.

    Numbers, also hexadecimal (``0x``) and octal (``0``), names, parentheses and ``+ - * / %``;
    quotients are rounded towards zero.

    Parameters
    ----------
    text : str
        The expression.
    value_of : callable
        Returns the value of a name; what it raises is passed on.
    bits : int
        Width of a number.

    Raises
    ------
    ValueError
        The text is no such expression, or divides by zero.

    Examples
    --------
    >>> evaluate("((i - 1) / 3) * 2 + 10", {"i": 8}.__getitem__, 32)
    14
    """
    text = text.rstrip()
    tokens, end = [], 0
    while end < len(text):
        match = _TOKEN.match(text, end) if len(text) <= _LONGEST_EXPRESSION else None
        if match is None:
            raise ValueError("no expression of whole numbers")
        tokens.append(match[1])
        end = match.end()
    parser = _Parser(tokens, value_of, bits)
    value = parser.sum(0)
    if parser.has_more:
        raise ValueError("no expression of whole numbers")
    return value


class _Parser:
    """Recursive descent through the tokens of an expression."""

    def __init__(self, tokens: list[str], value_of: Callable[[str], int], bits: int) -> None:
        self._tokens = tokens[::-1]
        self._value_of = value_of
        self._bits = bits

    @property
    def has_more(self) -> bool:
        return bool(self._tokens)

    def _next_of(self, operators: str) -> str | None:
        """Take the next token if it is one of these."""
        if self._tokens and self._tokens[-1] in operators:
            return self._tokens.pop()
        return None

    def sum(self, depth: int) -> int:
        value = self._product(depth)
        while operator := self._next_of("+-"):
            term = self._product(depth)
            value = wrapped(value + term if operator == "+" else value - term, self._bits)
        return value

    def _product(self, depth: int) -> int:
        value = self._factor(depth)
        while operator := self._next_of("*/%"):
            value = wrapped(_combined(operator, value, self._factor(depth)), self._bits)
        return value

    def _factor(self, depth: int) -> int:
        sign = 1
        while operator := self._next_of("+-"):
            sign = -sign if operator == "-" else sign
        token = self._tokens.pop() if self._tokens else ""
        if token == "(" and depth < _DEEPEST:
            value = self.sum(depth + 1)
            if self._next_of(")") is None:
                raise ValueError("no expression of whole numbers")
        elif token[:1].isdigit():
            value = _integer(token)
        elif token and (token[0].isalpha() or token[0] == "_"):
            value = self._value_of(token)
        else:
            raise ValueError("no expression of whole numbers")
        return wrapped(sign * value, self._bits)


def _combined(operator: str, left: int, right: int) -> int:
    if operator == "*":
        return left * right
    if right == 0:
        raise ValueError("a division by zero")
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return quotient if operator == "/" else left - quotient * right


def _integer(token: str) -> int:
    """Return the value of a number; a leading 0 is octal. ValueError for 08 and its like."""
    octal = len(token) > 1 and token[0] == "0" and token.isdigit()
    return int(token, 8) if octal else int(token, 0)


def starts_coptersim(words: list[str]) -> bool:
    """Return whether the words of a command start CopterSim, with arguments."""
    if words and words[0].lower() in ("start", "call", "nohup"):
        words = words[1:]
    elif words:
        words = words[:2]
    names = [re.split(r"[\\/]", word.strip("\"'"))[-1].lower() for word in words]
    return any(name.startswith("coptersim") for name in names[:-1])


class State(Enum):
    """Whether a part of a script runs."""

    RUNS = 0
    DOUBTFUL = 1
    """Nothing tells whether it runs, or how often."""
    SKIPPED = 2


def inverse(truth: bool | None) -> bool | None:
    """Return the inverse of a condition, None where nothing tells what it is."""
    return None if truth is None else not truth


def within(state: State, truth: bool | None) -> State:
    """Return the state of what depends on a condition."""
    if state is State.SKIPPED or truth is False:
        return State.SKIPPED
    return state if truth else State.DOUBTFUL
