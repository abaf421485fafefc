"""`pyrfly columns`: the page of all columns."""

from __future__ import annotations

import re

import pytest

from pyrfly import cli
from pyrfly.columns import column_names
from pyrfly.commands.columns import shape_text


def test_every_column_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["columns"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| `")]
    assert {re.findall(r"`(\w+)`", row)[0] for row in rows} >= column_names()
    (mass,) = (row for row in rows if row.startswith("| `mass` "))
    assert mass == "| `mass` | (n,) | kg |  | mass | all |"


@pytest.mark.parametrize(
    ("widths", "shape"),
    [
        ({"quad_x": 1, "rotors_16": 1}, "(n,)"),
        ({"rotors_3": 3, "rotors_6": 3}, "(n, 3)"),
        ({"rotors_3": 3, "rotors_6": 6}, "(n, N)"),
        ({"rotors_3": 12, "rotors_16": 64}, "(n, 4 N)"),
        ({"quad_x": 1, "rotors_3": 3}, "(n, 1 or 3)"),
        ({"rotors_4": 3, "rotors_6": 8, "rotors_8": 3}, "(n, 3 or 8)"),
    ],
)
def test_shapes_of_the_page_are_fixed_in_proportion_to_the_actuators_or_some(
    widths: dict[str, int], shape: str
) -> None:
    assert shape_text(widths) == shape
