"""The programs and descriptions of docs/compare.md."""

import re

import pytest

from pyrfly.files import toml_document
from pyrfly.log.table_map import table_map
from pyrfly.log.units import _UNITS

from .conftest import page, programs

PAGE = page("compare.md")
DESCRIPTIONS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_example_compares_two_falls(capsys):
    (program,) = programs(PAGE)
    exec(program, {})
    assert "pos_north" in capsys.readouterr().out


@pytest.mark.parametrize("text", DESCRIPTIONS)
def test_a_description_is_one(text):
    assert table_map(toml_document(text.encode())).entries


def test_the_units_are_those_that_are_known():
    row = next(line for line in PAGE.splitlines() if line.startswith("| `unit` |"))
    named = set(re.findall(r"[\w/^%]+", row.split("one for each column:")[1].split("; that of")[0]))
    known = {unit for units in _UNITS.values() for unit in units}
    assert named == known - {"s", "ms", "us", "ns", "min"}
