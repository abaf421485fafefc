"""Tables of docs/ whose rows are kinds of the code: each kind has one."""

from __future__ import annotations

import re

import pytest

from pyrfly.protocol.bits import Sensor
from pyrfly.protocol.timeouts import TIMEOUTS

from .conftest import page, rows


def kinds_of(name: str, head: str) -> list[str]:
    """Return the first words of the rows of the table that begins with a head."""
    text = page(name)
    table = text[text.index(head) :].split("\n\n")[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def test_every_sensor_has_a_row() -> None:
    expected = [str(sensor.name).lower() for sensor in Sensor]
    assert kinds_of("sensors.md", "| sensor | measured |") == expected


def test_every_task_has_a_row() -> None:
    pytest.importorskip("gymnasium")
    from pyrfly.rl import TASKS

    assert kinds_of("learning.md", "| name | in the namespace pyrfly |") == list(TASKS)


def test_time_outs_are_those_of_the_code() -> None:
    expected = [
        [f"`{name}`", row.missed, f"{row.seconds:g} s, {row.clock}", row.follows, row.parameter]
        for name, row in TIMEOUTS.items()
    ]
    assert rows(page("safety.md"), "timeouts") == expected
