"""Tables of docs/ whose rows are kinds of the code: each kind has one."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from pyrfly.protocol.bits import Sensor
from pyrfly.rl.tasks import TASKS

from .conftest import page


@pytest.mark.parametrize(
    ("name", "head", "kinds"),
    [
        ("sensors.md", "| sensor | measured |", [str(sensor.name).lower() for sensor in Sensor]),
        ("learning.md", "| name | in the namespace pyrfly |", TASKS),
    ],
)
def test_every_kind_has_a_row(name: str, head: str, kinds: Iterable[str]) -> None:
    text = page(name)
    table = text[text.index(head) :].split("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(kinds)
