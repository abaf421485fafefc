"""A family is a folder in C, a folder in Python, and one line in the list of each."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Callable
from pathlib import Path

import pytest

from pyrfly.vehicles import DEFAULT_FAMILY, FAMILIES

ROOT = Path(__file__).resolve().parents[2]
Readers = dict[str, Callable[[Path], dict[int, str]]]
MIXERS = ROOT / "pyrfly" / "mixers"
"""PX4's mixers have names of vehicles."""

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


WORDS_OF_OTHERS = {"plane"}
"""Families whose names are words of geometry, too."""


def python_words(path: Path) -> dict[int, str]:
    """Return the names of a file, and its strings of one word, by line."""
    words: dict[int, str] = {}
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.NAME or token.string.strip("\"'").isidentifier():
                words[token.start[0]] = f"{words.get(token.start[0], '')} {token.string}"
    return words


def c_words(path: Path) -> dict[int, str]:
    """Return the lines of a file without comments."""
    code = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), path.read_text("utf-8"))
    return dict(enumerate(code.splitlines(), start=1))


def lines_with(family: str, top: str, read: Readers) -> list[str]:
    """Return the lines of code outside its folder that name a family.

    Where its name is a word of others, too: its folder, what begins with it, and it as a string.
    """
    word = re.compile(rf"(?<![A-Za-z])(?i:{family})s?(?![a-z])")
    if family in WORDS_OF_OTHERS:
        word = re.compile(
            rf"\bvehicles\W{family}\b|(?<![A-Za-z_]){family}_[a-z]|[\"']{family}[\"']"
        )
    own = ROOT / top / "vehicles" / family
    return [
        path.read_text("utf-8").splitlines()[number - 1].strip()
        for path in sorted((ROOT / top).rglob("*"))
        if path.suffix in read and own not in path.parents and MIXERS not in path.parents
        for number, words in read[path.suffix](path).items()
        if word.search(words)
    ]


@pytest.mark.parametrize("family", FAMILIES)
def test_one_line_of_c_names_it(family: str) -> None:
    readers = {".c": c_words, ".h": c_words, ".inc": c_words, ".py": python_words}
    assert lines_with(family, "csrc", readers) == [f'#include "vehicles/{family}/types.inc"']


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_one_line_of_python_names_it(family: str) -> None:
    expected = [f"from pyrfly.vehicles.{family} import VERBS as {family}"]
    if family == DEFAULT_FAMILY:
        expected.append(f'DEFAULT_FAMILY = "{family}"')
    assert lines_with(family, "pyrfly", {".py": python_words}) == expected
