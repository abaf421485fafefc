"""A family is a folder in C, a folder in Python, and one line in the list of each.

Generic code names no column that not every family has.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from pyrfly import _core
from pyrfly.vehicles import DEFAULT_FAMILY, FAMILIES

ROOT = Path(__file__).resolve().parents[2]
Readers = dict[str, Callable[[Path], dict[int, str]]]
NAMES = {ROOT / "pyrfly" / name for name in ("mixers", "vehicles/rflysim_models.py")}
"""PX4's mixers and frames have names of vehicles."""

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


WORDS_OF_OTHERS = {"car", "plane"}
"""Families whose names are words of geometry or of all vehicles, too."""


@cache
def python_words(path: Path) -> dict[int, str]:
    """Return the names of a file, and its strings of one word, by line."""
    words: dict[int, str] = {}
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.NAME or token.string.strip("\"'").isidentifier():
                words[token.start[0]] = f"{words.get(token.start[0], '')} {token.string}"
    return words


@cache
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
        if path.suffix in read and not {path, *path.parents} & {own, *NAMES}
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
    expected = [f"from pyrfly.vehicles.{family} import COMMANDS as {family}"]
    if family == DEFAULT_FAMILY:
        expected.append(f'DEFAULT_FAMILY = "{family}"')
    assert lines_with(family, "pyrfly", {".py": python_words}) == expected


# --- columns

ROOMS = {"hovering", "winged", "driving", "gazebo"}
"""Folders of what families share; words of SDF are those of columns, too."""

WORDS_OF_LINKS = {
    "thrust",
    "throttle",
    "heading",
    "mixer",
    "track",
    "friction",
    "vtol_state",
    "quadchute",
}
"""Columns whose names are words of others, too: fields of MAVLink, arguments, a loss, a task."""


def columns_of_some() -> set[str]:
    """Return the columns that not every family with controllers has.

    But for those that bits of set-points name.
    """
    families: dict[str, list[set[str]]] = {}
    for row in (row for row in _core.vehicle_types().values() if row["guided"]):
        if row["family"] not in FAMILIES:
            continue  # a model of one's own, of another test
        families.setdefault(row["family"], []).append({name for name, *_ in row["columns"]})
    of_all = set.intersection(*(set.union(*types) for types in families.values()))
    of_any = set.union(*(set.union(*types) for types in families.values()))
    of_parts = {name for part in _core.parts().values() for name, *_ in part["columns"]}
    of_bits = {
        word for *_, doc in _core.tables()["setpoint"] for word in re.findall(r"\w+_sp", doc)
    }
    return of_any - of_all - of_parts - of_bits - WORDS_OF_LINKS


def names_in_python(path: Path) -> Iterator[tuple[int, str]]:
    """Yield strings, keyword arguments, and attributes of what is called sim or group."""
    code = re.sub(
        r"^__all__ = \[.*?\]", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Constant(value=str(value)):
                yield node.lineno, value
            case ast.keyword(arg=str(name)):
                yield node.value.lineno, name
            case ast.Attribute(value=ast.Name(id="sim" | "group") | ast.Attribute(attr="_sim")):
                yield node.lineno, node.attr


def names_in_c(path: Path) -> Iterator[tuple[int, str]]:
    """Yield strings."""
    for number, line in c_words(path).items():
        yield from ((number, name) for name in re.findall(r'"(\w+)"', line))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("top", "read"),
    [
        ("csrc", {".c": names_in_c, ".h": names_in_c, ".inc": names_in_c}),
        ("pyrfly", {".py": names_in_python}),
    ],
)
def test_generic_code_names_no_column_of_some_families(
    top: str, read: dict[str, Callable[[Path], Iterator[tuple[int, str]]]]
) -> None:
    columns = columns_of_some()
    if len(FAMILIES) < 4:
        pytest.skip("too few families to tell what all have")
    assert len(columns) > 200
    own = [ROOT / top / "vehicles" / name for name in {*FAMILIES, *ROOMS}]
    own.append(ROOT / top / "plugins")  # the families of models of one's own
    found = [
        f"{path.relative_to(ROOT)}:{number}: {name}"
        for path in sorted((ROOT / top).rglob("*"))
        if path.suffix in read and not set(own) & set(path.parents)
        for number, name in sorted(read[path.suffix](path))
        if name in columns
    ]
    assert not found, "\n".join(found)
