"""What a PLY file announces, before it is read: `check_ply`.

trimesh trusts the header of a text: it reads as many rows as there are, and of a polygon as many
corners as the line has. So lines and words of a text are counted here.
"""

from __future__ import annotations

import io
from itertools import islice
from typing import NamedTuple

from pyrfly.errors import SceneError, brief
from pyrfly.scene.shapes import MAXIMUM_TRIANGLES

__all__ = ["check_ply"]

_HEAD = 65536  # bytes, at most
_MOST_LINES = 6_000_000  # of a text, which trimesh keeps as an array each
_LONGEST_NUMBER = 12  # digits


class _Element(NamedTuple):
    """Rows of a header: their name, their number, and for each property whether it is a list."""

    name: str
    rows: int
    lists: list[bool]


def check_ply(data: bytes) -> None:
    """Raise a SceneError for too many faces, or a text that is not as its header says."""
    head, end, _ = data[:_HEAD].partition(b"end_header")
    if not end:
        raise SceneError(f"expected a header of at most {_HEAD} bytes")
    elements = _elements(head)
    faces = sum(element.rows for element in elements if element.name == "face")
    if faces > MAXIMUM_TRIANGLES:
        raise SceneError(f"expected at most {MAXIMUM_TRIANGLES} triangles, got {faces}")
    if b"ascii" in head:
        if (lines := data.count(b"\n")) > _MOST_LINES:
            raise SceneError(f"expected at most {_MOST_LINES} lines of text, got {lines}")
        _check_text(data, elements)


def _elements(head: bytes) -> list[_Element]:
    elements: list[_Element] = []
    for number, line in enumerate(head.splitlines(), start=1):
        words = line.split()
        if words[:1] == [b"element"]:
            if len(words) != 3:
                raise SceneError(f"line {number}: expected element, name and number")
            elements.append(_Element(words[1].decode("latin-1"), _count(number, words[2]), []))
        elif words[:1] == [b"property"] and elements:
            elements[-1].lists.append(words[1:2] == [b"list"])
    return elements


def _count(line: int, word: bytes) -> int:
    """Return the number of rows of an element."""
    if not word.isdigit() or len(word) > _LONGEST_NUMBER:
        raise SceneError(
            f"line {line}: expected a number of rows of up to {_LONGEST_NUMBER} digits, "
            f"got {brief(word.decode('latin-1'))}"
        )
    return int(word)


def _check_text(data: bytes, elements: list[_Element]) -> None:
    """Raise for a text without as many rows, or words in a row, as the header says."""
    lines = io.BytesIO(data)
    while b"end_header" not in next(lines):
        pass
    rows = (words for words in map(bytes.split, lines) if words)
    for element in elements:
        number = -1
        for number, words in enumerate(islice(rows, element.rows)):
            if _length(words, element.lists) != len(words):
                got = brief(b" ".join(words)[:60].decode("latin-1"))
                raise SceneError(
                    f"{brief(element.name)}: row {number}: expected as many words as its "
                    f"properties and lists have, got {got}"
                )
        if number + 1 != element.rows:
            raise SceneError(
                f"{brief(element.name)}: expected {element.rows} rows, got {number + 1}"
            )
    if next(rows, None) is not None:
        raise SceneError(f"expected {sum(e.rows for e in elements)} rows, got more")


def _length(words: list[bytes], lists: list[bool]) -> int:
    """Return the number of words that a row has by its properties; -1 of one that ends before."""
    length = 0
    for is_list in lists:
        if is_list:
            if length >= len(words) or not words[length].isdigit() or len(words[length]) > 9:
                return -1
            length += int(words[length])
        length += 1
    return length
