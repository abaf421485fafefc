"""Tables of docs/ whose rows are kinds of the code: each kind has one."""

from __future__ import annotations

import re

import pytest

from pyrfly.autopilot.failsafe_table import LOSSES
from pyrfly.cases.steps import COMMANDS
from pyrfly.protocol.bits import FaultId, FaultyLink, Sensor
from pyrfly.protocol.timeouts import TIMEOUTS
from pyrfly.sim.boundaries import ACTIONS, BOUNDARIES, CORNERS
from pyrfly.sim.fault_kinds import KINDS

from .conftest import page, rows


def table(name: str, head: str) -> list[list[str]]:
    """Return the cells of the rows of the table that begins with a head."""
    text = page(name)
    return rows(text[text.index(head) :].split("\n\n")[0])


def named(cell: str) -> list[str]:
    """Return what is written as code in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def kinds_of(name: str, head: str) -> list[str]:
    """Return what the first cells of a table are about."""
    return [kind for row in table(name, head) for kind in named(row[0])]


def test_every_sensor_has_a_row() -> None:
    expected = [str(sensor.name).lower() for sensor in Sensor]
    assert kinds_of("sensors.md", "| sensor | measured |") == expected


def test_every_task_has_a_row() -> None:
    pytest.importorskip("gymnasium")
    from pyrfly.rl import TASKS

    assert kinds_of("learning.md", "| name | in the namespace pyrfly |") == list(TASKS)


# --- what goes wrong


def test_every_kind_of_fault_has_a_row_with_its_values() -> None:
    rows_of = {
        kind: {*named(values)}
        for kinds, values, _ in table("fault-reference.md", "| kind | values |")
        for kind in named(kinds)
    }
    assert rows_of == {name: {*kind.values} for name, kind in KINDS.items()}
    by_what_fails = [
        kind for _, kinds in table("faults.md", "| what fails |") for kind in named(kinds)
    ]
    assert sorted(by_what_fails) == sorted(KINDS)


def test_every_link_has_a_row() -> None:
    expected = [str(link.name).lower() for link in FaultyLink]
    assert kinds_of("faults.md", "| link | what it is |") == expected


def test_every_number_of_a_fault_has_a_row() -> None:
    cells = [row[0] for row in table("fault-reference.md", "| number | parameters | fault |")]
    assert [int(number) for cell in cells for number in cell.split(", ")] == sorted(FaultId)


def test_every_command_of_a_case_has_a_row() -> None:
    cells = [row[0] for row in table("test-cases.md", "| command | parameters |")]
    assert [code for cell in cells for code in cell.split("; ")] == [
        f"{kind},{number}" for kind, number in sorted(COMMANDS)
    ]


def test_every_boundary_has_a_row_with_its_limits() -> None:
    found = {named(row[0])[0]: row[1] for row in table("safety.md", "| boundary | limits |")}
    limits = {name: kind.limits for name, kind in BOUNDARIES.items()}
    limits["area"] = ("corners", "centre", "radius")
    assert {name: tuple(named(cell)) for name, cell in found.items()} == limits
    for name, kind in BOUNDARIES.items():
        assert f"[{kind.unit}]" in found[name]
    assert f"3 to {CORNERS} corners" in page("safety.md")


def test_every_action_of_a_boundary_has_a_row() -> None:
    assert kinds_of("safety.md", "| action | what a crossing does |") == list(ACTIONS)


def test_what_vehicles_can_lose_is_in_the_table_of_failsafes() -> None:
    found = table("safety.md", "| loss | when | action | what is said |")
    said = [text for row in found for text in named(row[3])]
    assert not {loss.text for loss in LOSSES if loss.text} - {*said}
    chosen = {word for row in found for word in re.findall(r"[A-Z0-9]+(?:_[A-Z0-9]+)+", row[2])}
    assert not {loss.parameter for loss in LOSSES if loss.parameter} - chosen


def test_time_outs_are_those_of_the_code() -> None:
    expected = [
        [f"`{name}`", row.missed, f"{row.seconds:g} s, {row.clock}", row.follows, row.parameter]
        for name, row in TIMEOUTS.items()
    ]
    assert rows(page("safety.md"), "timeouts") == expected
