"""Boundaries as tables, and their crossings in logs."""

from __future__ import annotations

from typing import Any

import pytest

from pyrfly import Sim
from pyrfly.log import Recorder
from pyrfly.log.flight_notes import texts_of
from pyrfly.sim.boundary_tables import enter_boundaries, enter_boundaries_of_runs, first_crossings

SPEED = {"boundary": "speed", "maximum": 3.0}
BOTH = [SPEED, {"boundary": "tilt", "maximum": 0.5, "action": "disarm"}]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ("speed", "boundaries: expected a list"),
        ([SPEED] * 20_001, "boundaries: expected at most 20000, got 20001"),
        ([3], "entry 1: expected a table"),
        ([SPEED, {"maximum": 3}], "entry 2: boundary: expected one"),
        ([SPEED, {**SPEED, "maximum": -1}], "entry 2: maximum: expected 0 to"),
        ([{**SPEED, "maxmum": 1}], "entry 1: .*maxmum"),
        ([{**SPEED, "ids": [9]}], "entry 1: ids"),
        ([{**SPEED, "ids": "all"}], "entry 1: ids: expected CopterIDs"),
        ([{**SPEED, "action": "parachute"}], "entry 1: action: .*parachute"),
    ],
)
def test_nonsense_is_named_by_its_entry_and_changes_nothing(entries: Any, message: str) -> None:
    sim = Sim("x450", 2)
    with pytest.raises((TypeError, ValueError), match=message):
        enter_boundaries(sim, entries)
    assert not sim.safety.enabled


@pytest.mark.parametrize(
    ("entries", "message"),
    [([{**SPEED, "ids": 1}], "ids: expected none"), ([SPEED, SPEED], "entry 2: expected one that")],
)
def test_runs_have_the_same_boundaries(entries: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        enter_boundaries_of_runs(Sim("x450", 2), entries)


def test_ids_count_from_the_first_vehicle() -> None:
    sim = Sim("x450", 3)
    enter_boundaries(sim, [{**SPEED, "ids": [12, 13]}], first_id=11)
    assert sim.boundary_action[:, 0].tolist() == [0, 1, 1]


def test_the_end_of_a_run_is_that_of_its_vehicle() -> None:
    sim = Sim("x450", 3)
    enter_boundaries_of_runs(sim, [{**SPEED, "action": "terminate"}])
    sim.reset(pos=[[0, 0, -50], [0, 9, -50], [0, 18, -50]])
    sim.vel = [[0, 0, 0], [5, 0, 0], [0, 0, 2.9]]
    assert sim.run(0.1) is None
    names, times = first_crossings(sim)
    assert names.tolist() == ["", "speed", "speed"]
    assert times[1] == 0 < times[2]
    assert sim.status.astype(bool).tolist() == [False, True, True]


def test_logs_have_crossings_as_texts() -> None:
    sim = Sim("x450", 2)
    enter_boundaries(sim, BOTH)
    recorder = Recorder(sim, ["pos"])
    sim.reset(pos=[[0, 0, -50], [0, 9, -50]])
    sim.vel = [[0, 4, 0], [0, 0, 0]]
    sim.run(0.1, record=recorder)
    log = recorder.log()
    assert texts_of(log, 1) == [(0.0, 4, "Boundary crossed: speed 4 m/s, above 3: report")]
    assert texts_of(log, 2) == []
