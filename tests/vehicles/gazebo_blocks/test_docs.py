"""docs/gazebo-blocks.md: its examples run, and it names the packaged sets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pyrfly.columns import fields_of_type
from pyrfly.vehicles import load, names
from pyrfly.vehicles.gazebo_blocks import sdf_elements

PAGE = (Path(__file__).parents[3] / "docs" / "gazebo-blocks.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_examples_run(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(EXAMPLES[number], f"example {number}", "exec"), {})


def test_it_lists_the_sets() -> None:
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == sorted(
        names("gazebo_blocks"), key=lambda name: PAGE.index(f"| `{name}` |")
    )


def test_it_says_how_many_parameters_and_gains_a_vehicle_has() -> None:
    numbers = sum(column.size for column in load("gz_plane").columns.values())
    gains = sum(field.width for field in fields_of_type("blocks") if field.role == "gain")
    assert f"A vehicle has {numbers} parameters and {gains} gains" in PAGE


def test_it_names_the_elements_that_are_known() -> None:
    listed = set(re.findall(r"`(\w+)`", PAGE))
    topics = sdf_elements.MOTOR & sdf_elements.SURFACE & sdf_elements.CHANNEL
    coefficients = re.compile(r"C(L|D|Y|ell|em|en)[0abpqr]|Cema_stall")
    for kind in ("MODEL", "LINK", "INERTIAL", "MOTOR", "SURFACE", "AERO", "CHANNEL"):
        known = {n for n in getattr(sdf_elements, kind) - topics if not coefficients.fullmatch(n)}
        assert known - listed <= {"include", "model"}, kind
