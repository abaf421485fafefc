"""A family is one line in C and one in Python, and tested in its own folder.

tests/docs/test_adding_a_vehicle_and_a_part.py builds and tests a tree without the other families.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from pyrfly.vehicles import FAMILIES

from .removal import NOT_TESTED, REMOVABLE


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("family", REMOVABLE)
def test_a_family_is_named_in_its_own_tests_alone(family: str) -> None:
    """Its parameter sets, and the attribute of a `Sim` with its commands."""
    sets = [path.stem for path in FAMILIES[family].sets.glob("[!_]*.toml")]
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, sets))})\b|\bsim\.{family}\b")
    tests = Path(__file__).resolve().parents[1]
    elsewhere = [
        path for path in tests.rglob("*.py") if tests / "vehicles" / family not in path.parents
    ]
    elsewhere = [path for path in elsewhere if path.relative_to(tests).parts[0] not in NOT_TESTED]
    assert [str(path) for path in elsewhere if named.search(text_of(path))] == []
