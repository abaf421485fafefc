"""docs/adding-a-vehicle.md: what a parameter set of a rover must contain."""

from __future__ import annotations

import re
from pathlib import Path

from pyrfly.columns import fields_of_type

PAGE = (Path(__file__).parents[3] / "docs" / "adding-a-vehicle.md").read_text(encoding="utf-8")
ROVER = PAGE[PAGE.index("\n**A rover**") :].split("\n**A ")[1]


def test_the_page_lists_the_entries_that_a_set_must_contain() -> None:
    listed = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", ROVER, re.MULTILINE)))
    assert sorted(listed) == sorted(f.name for f in fields_of_type("rover") if f.role == "param")
