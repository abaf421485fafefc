"""docs/gazebo-blocks.md: its examples run, and it names the packaged sets."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import names
from pyrfly.vehicles.gazebo import elements
from pyrfly.vehicles.gazebo_blocks import parameters, rules

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


def test_it_says_what_the_tables_of_a_file_have() -> None:
    body, parts = parameters._defaults()
    rows = dict(re.findall(r"^\| `\[+(\w+)\]+` \| (.*) \|$", PAGE, re.MULTILINE))
    assert set(rows) == set(rules.CAPACITY)
    for kind, row in rows.items():
        required, others = (set(re.findall(r"`(\w+)`", cell)) for cell in row.split(" | "))
        assert others == set(parts[kind]), kind
        assert required == set(rules.KINDS[kind]) - others, kind
    assert set(rules.BODY) - set(body) == {"mass", "inertia"}


@pytest.mark.slow
def test_its_file_hovers(tmp_path: Path) -> None:
    path = tmp_path / "my_quad.toml"
    path.write_text(re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[0])
    sim = pyrfly.Sim(path)
    sim.arm()
    sim.command_position([3.0, -2.0, -5.0], 1.0)
    sim.sleep(15.0)
    assert np.abs(sim.pos[0] - [3.0, -2.0, -5.0]).max() < 0.05
    assert abs(sim.vel).max() < 0.02


def test_it_names_the_elements_that_are_known() -> None:
    listed = set(re.findall(r"`(\w+)`", PAGE))
    topics = elements.MOTOR & elements.SURFACE & elements.CHANNEL
    coefficients = re.compile(r"C(L|D|Y|ell|em|en)[0abpqr]|Cema_stall")
    for kind in ("MODEL", "LINK", "INERTIAL", "MOTOR", "SURFACE", "AERO", "CHANNEL"):
        known = {n for n in getattr(elements, kind) - topics if not coefficients.fullmatch(n)}
        assert known - listed <= {"include", "model"}, kind
