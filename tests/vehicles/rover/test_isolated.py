"""The family is a folder in C, a folder in Python, and one line in the list of each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GENERATED = {"columns.pyi", "families.pyi"}


@pytest.mark.parametrize(
    ("top", "suffixes", "line"),
    [
        ("csrc", ".c .h .inc .py", '#include "vehicles/rover/types.inc"'),
        ("pyrfly", ".py .pyi .toml", "from pyrfly.vehicles.rover import VERBS as rover"),
    ],
)
def test_one_line_outside_its_folder_names_it(top: str, suffixes: str, line: str) -> None:
    own = ROOT / top / "vehicles" / "rover"
    found = [
        text.strip()
        for path in sorted((ROOT / top).rglob("*"))
        if path.suffix in suffixes.split() and own not in path.parents
        if path.name not in GENERATED
        for text in path.read_text(encoding="utf-8").splitlines()
        if re.search("rover", text, re.IGNORECASE)
    ]
    assert found == [line]
