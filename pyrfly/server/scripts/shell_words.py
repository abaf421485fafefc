"""Commands of a shell script, without executing them: `commands_of`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Command", "commands_of", "end_of_quoted"]

_DEEPEST = 20
"""Maximum depth of quotes and substitutions."""

_SEPARATOR = re.compile(r";;|&&|\|\||[;&|\n]")
_HERE = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1")
_REDIRECTION = re.compile(r"[<>]+&?-?")
_PLAIN = re.compile(r"[^\s;&|<>()#'\"`$\\]+")


class Command(NamedTuple):
    """A simple command.

    Attributes
    ----------
    line : int
        Number of the line in which it begins.
    words : list of str
        Its words as they are written, with quotes.
    before : str
        The separator before it: a new line, ``;``, ``&``, ``&&``, ``||`` or ``|``.
    """

    line: int
    words: list[str]
    before: str


def commands_of(text: str) -> Iterator[Command]:
    """Yield the commands of a script; parentheses outside of words are commands of their own."""
    lexer = _Lexer(text)
    while not lexer.at_end:
        yield from lexer.next_line()


class _Lexer:
    """Splits a script into words and commands."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._documents: list[str] = []  # ends of here-documents that begin with the next line
        self._begin()
        self._before = "\n"

    @property
    def at_end(self) -> bool:
        return self._at >= len(self._text)

    def _begin(self) -> None:
        self._words: list[str] = []
        self._word = ""
        self._first = self._line

    def _take(self, end: int) -> None:
        """Add the text up to a place to the word."""
        self._word += self._text[self._at : end]
        self._go_to(end)

    def _go_to(self, end: int) -> None:
        self._line += self._text.count("\n", self._at, end)
        self._at = end

    def _end_word(self) -> None:
        if self._word:
            self._words.append(self._word)
            self._word = ""

    def _end_command(self, separator: str) -> Iterator[Command]:
        self._end_word()
        if self._words:
            yield Command(self._first, self._words, self._before)
            self._before = separator
        elif separator == "\n" and self._before not in ("&&", "||", "|"):
            self._before = separator
        self._begin()

    def next_line(self) -> Iterator[Command]:
        """Yield the commands up to the end of a line or of the script."""
        while not self.at_end:
            character = self._text[self._at]
            if separator := _SEPARATOR.match(self._text, self._at):
                yield from self._end_command(separator[0])
                self._go_to(separator.end())
                if separator[0] == "\n":
                    self._skip_documents()
                    self._first = self._line
                    return
            elif character in "()":
                yield from self._parenthesis(character)
            elif character == "#" and not self._word:
                end = self._text.find("\n", self._at)
                self._go_to(len(self._text) if end < 0 else end)
            else:
                self._part_of_word(character)
        yield from self._end_command("\n")

    def _part_of_word(self, character: str) -> None:
        """Read a space, or what belongs to a word."""
        if character in "<>":
            self._redirection()
        elif character.isspace():
            self._end_word()
            self._go_to(self._at + 1)
        elif character in "'\"`$":
            self._take(end_of_quoted(self._text, self._at))
        elif character == "\\":
            if self._text.startswith("\n", self._at + 1):
                self._go_to(self._at + 2)
            else:
                self._take(min(self._at + 2, len(self._text)))
        elif plain := _PLAIN.match(self._text, self._at):
            self._take(plain.end())
        else:
            self._take(self._at + 1)

    def _parenthesis(self, character: str) -> Iterator[Command]:
        if character == "(" and self._word.endswith("="):  # an array
            self._take(_end_of_list(self._text, self._at + 1, 0))
        elif self._text.startswith("()", self._at) and self._word:
            self._take(self._at + 2)
            self._end_word()
        else:
            yield from self._end_command("\n")
            yield Command(self._line, [character], "\n")
            self._go_to(self._at + 1)

    def _redirection(self) -> None:
        if here := _HERE.match(self._text, self._at):
            self._documents.append(here[2])
            self._go_to(here.end())
        elif redirection := _REDIRECTION.match(self._text, self._at):
            self._take(redirection.end())

    def _skip_documents(self) -> None:
        for end in self._documents:
            while not self.at_end:
                begin = self._at
                newline = self._text.find("\n", begin)
                self._go_to(len(self._text) if newline < 0 else newline + 1)
                if self._text[begin : self._at].strip() == end:
                    break
        self._documents.clear()


def end_of_quoted(text: str, at: int, depth: int = 0) -> int:
    """Return where a quoted text or a substitution ends that begins at a place of a text.

    That is a text in quotes, or what a ``$`` and its parentheses or braces hold; the end of the
    text where it is not closed.
    """
    if depth > _DEEPEST:
        return len(text)
    character = text[at]
    if character in "'`":
        end = text.find(character, at + 1)
        return len(text) if end < 0 else end + 1
    if character == '"':
        return _end_at(text, at + 1, '"', '"', depth)
    following = text[at + 1 : at + 2]
    if following == "(":
        return _end_of_list(text, at + 2, depth)
    if following == "{":
        return _end_at(text, at + 2, "}", "'\"", depth)
    return at + 1


def _end_at(text: str, at: int, closing: str, quotes: str, depth: int) -> int:
    """Return the place after a closing character, outside of what is nested."""
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 2
        elif character == closing:
            return at + 1
        elif character in "$`" or (character in quotes and character != closing):
            at = end_of_quoted(text, at, depth + 1)
        else:
            at += 1
    return len(text)


def _end_of_list(text: str, at: int, depth: int) -> int:
    """Return the place after the parenthesis that closes one before a place."""
    opened = 1
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 2
        elif character in "'\"`$":
            at = end_of_quoted(text, at, depth + 1)
        else:
            opened += {"(": 1, ")": -1}.get(character, 0)
            at += 1
            if opened == 0:
                return at
    return len(text)
