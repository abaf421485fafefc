"""Pieces of C sources - functions, types, macros -, and which of them are needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pyrfly.standalone.preprocessor import Item

__all__ = ["Chunk", "chunks_of", "needed", "words_of"]

_HEAD = re.compile(r"([A-Za-z_]\w*)\s*\(")
_LAST_NAME = re.compile(r"(\w+)\s*(?:\[[^\]]*\]|__attribute__.*)*;$", re.DOTALL)
_NOT_NAMES = {"__attribute__", "_Static_assert", "sizeof", "noinline", "always_inline"}


@dataclass
class Chunk:
    """A piece of a source: a function, a type, a macro, with the comment before it.

    Attributes
    ----------
    kind : {'function', 'prototype', 'macro', 'type', 'object', 'raw', 'check'}
    file : str
        The file that it is of.
    names : frozenset of str
        What it defines.
    comment, text : str
    """

    kind: str
    file: str
    names: frozenset[str]
    comment: str
    text: str
    words: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.words = words_of(self.text)


def _bare(text: str) -> str:
    """Return a text with comments and strings removed."""
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.DOTALL)


def words_of(text: str) -> frozenset[str]:
    """Return the words of a source, without those of comments and strings."""
    return frozenset(re.findall(r"[A-Za-z_]\w*", _bare(text)))


def chunks_of(items: Iterable[Item]) -> tuple[list[Chunk], dict[str, str]]:
    """Return the chunks of items in their order, and the comment at the head of each file."""
    found: list[Chunk] = []
    heads: dict[str, str] = {}
    comment: list[str] = []  # lines of a comment that may belong to what follows
    code: list[str] = []  # lines of code that is not complete
    in_comment, file = False, ""
    for item in items:
        if item.kind == "macro":
            own = "" if code else "\n".join(comment)
            found.append(Chunk("macro", item.file, frozenset({item.name}), own, item.text))
            comment = comment if code else []
            continue
        if item.kind == "raw":
            defined = r"\b(\w+)\(|(\w+);$|#\s*define (\w+)"
            names = {n for m in re.findall(defined, item.text, re.MULTILINE) for n in m if n}
            names -= _NOT_NAMES
            found.append(Chunk("raw", item.file, frozenset(names), "\n".join(comment), item.text))
            comment = []
            continue
        for line in item.text.split("\n"):
            if not code and (in_comment or line.startswith("/*")):
                comment.append(line)
                in_comment = "*/" not in line
                if not in_comment and "SPDX" in line:
                    comment = []
                continue
            if code and item.file != file and (in_comment or re.match(r"\s*(?:/\*|$)", line)):
                in_comment = "*/" not in line and bool(line.strip())
                continue  # of an include within a table
            if not code and not line.strip():
                if comment:  # of the file
                    heads.setdefault(item.file, "\n".join(comment))
                    comment = []
                continue
            file = file if code else item.file
            code.append(line)
            text = "\n".join(code)
            if _is_complete(text):
                found.append(_chunk(item.file, "\n".join(comment), text))
                comment, code = [], []
    if code:
        raise ValueError(f"no end of {code[0]}")
    return found, heads


def _is_complete(text: str) -> bool:
    bare = _bare(text).rstrip()
    if any(bare.count(a) != bare.count(b) for a, b in ("{}", "()", "[]")) or "/*" in bare:
        return False
    if bare.endswith(";"):
        return True
    if bare.endswith("}"):
        return True
    return re.fullmatch(r"[A-Z_]\w*(\([^()]*\))*", bare.strip()) is not None


def _chunk(file: str, comment: str, text: str) -> Chunk:
    bare = _bare(text)
    if bare.startswith("_Static_assert"):
        return Chunk("check", file, frozenset(), comment, text)
    if re.match(r"typedef\b", bare):
        names = set(re.findall(r"\b(?:struct|enum) (\w+)", bare.split("{")[0]))
        names |= set(re.findall(r"\(\*(\w+)\)", bare))
        names |= set(_LAST_NAME.findall(bare.strip()))
        return Chunk("type", file, frozenset(names), comment, text)
    if re.match(r"enum\b", bare):
        names = set(re.findall(r"(?:^|[{,])\s*([A-Za-z_]\w*)", bare[bare.index("{") :]))
        names |= set(re.findall(r"enum (\w+)", bare)[:1])
        return Chunk("type", file, frozenset(names), comment, text)
    if re.match(r"struct \w+\s*(?:\{|;)", bare):
        return Chunk("type", file, frozenset(re.findall(r"struct (\w+)", bare)[:1]), comment, text)
    head = bare.split("{")[0]
    if "=" in head or not _HEAD.search(head):
        outside = re.sub(r"\{.*\}", "", bare, flags=re.DOTALL)
        found = re.findall(r"(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=|;)", outside)[:1]
        return Chunk("object", file, frozenset(found), comment, text)
    found = [n for n in _HEAD.findall(head) if n not in _NOT_NAMES][:1]
    kind = "function" if "\n{\n" in text else "prototype"
    return Chunk(kind, file, frozenset(found), comment, text)


def needed(chunks: list[Chunk], roots: Iterable[str]) -> Iterator[Chunk]:
    """Yield the chunks that names need, directly or not, in their order."""
    by_name: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        for name in chunk.names:
            by_name.setdefault(name, []).append(chunk)
    names = set(roots)
    waiting = list(names)
    reached: set[int] = set()
    while waiting:
        for chunk in by_name.get(waiting.pop(), ()):
            if id(chunk) not in reached:
                reached.add(id(chunk))
                new = chunk.words - names
                names |= new
                waiting += new
    for chunk in chunks:
        checks = chunk.kind == "check" and chunk.words & by_name.keys() <= names
        if id(chunk) in reached or checks:
            yield chunk
