"""docs/adding-a-vehicle.md: what a parameter set of a plane must contain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pyrfly import ParameterError
from pyrfly.columns import fields_of_type
from pyrfly.vehicles import load
from pyrfly.vehicles.families import FAMILIES

PAGE = (Path(__file__).parents[3] / "docs" / "adding-a-vehicle.md").read_text(encoding="utf-8")
PLANE = PAGE[PAGE.index("**A plane**") : PAGE.index("**A helicopter**")]
REQUIRED = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", PLANE, re.MULTILINE)))
ZERO = re.findall(r"`(\w+)`", PLANE[PLANE.index("0 will do for") : PLANE.index("Deflections are")])


def test_the_page_lists_the_entries_that_a_set_must_contain(tmp_path: Path) -> None:
    assert sorted(REQUIRED) == sorted(f.name for f in fields_of_type("plane") if f.role == "param")
    empty = tmp_path / "empty.toml"
    empty.write_text('family = "plane"\nname = "empty"\n')
    with pytest.raises(ParameterError, match=": missing") as caught:
        load(empty)
    assert sorted(re.findall(r"\w+(?=,|: missing)", str(caught.value))) == sorted(REQUIRED)


def test_where_it_says_so_0_will_do(tmp_path: Path) -> None:
    assert len(ZERO) == 6
    text = (FAMILIES["plane"].sets / "aerosonde.toml").read_text(encoding="utf-8")
    for name in ZERO:
        text, found = re.subn(rf"(\[{name}\]\nvalue = )[^\n]*", zeros, text)
        assert found == 1
    path = tmp_path / "zeros.toml"
    path.write_text(text, encoding="utf-8")
    columns = load(path).columns
    assert not any(columns[name].any() for name in ZERO)


def zeros(match: re.Match[str]) -> str:
    """Return an entry with as many zeros as it has numbers."""
    return match[1] + re.sub(r"-?\d[\d.e+-]*", "0.0", match[0].removeprefix(match[1]))
