"""docs/adding-a-vehicle.md: what a parameter set of a helicopter must contain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pyrfly import ParameterError
from pyrfly.columns import fields_of_type
from pyrfly.vehicles import load

PAGE = (Path(__file__).parents[3] / "docs" / "adding-a-vehicle.md").read_text(encoding="utf-8")
HELICOPTER = PAGE[PAGE.index("**A helicopter**") :].split("\n**A ")[0]
ROWS = "".join(re.findall(r"^\| (`.*?) \|", HELICOPTER, re.MULTILINE))


def test_the_page_lists_the_entries_that_a_set_must_contain(tmp_path: Path) -> None:
    required = sorted(re.findall(r"`(\w+)`", ROWS))
    assert required == sorted(f.name for f in fields_of_type("helicopter") if f.role == "param")
    empty = tmp_path / "empty.toml"
    empty.write_text('family = "helicopter"\nname = "empty"\n')
    with pytest.raises(ParameterError, match=": missing") as caught:
        load(empty)
    assert sorted(re.findall(r"\w+(?=,|: missing)", str(caught.value))) == required
