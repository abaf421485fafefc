"""Boundaries as tables, and their crossings in logs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import Recorder
from pyrfly.log.flight_notes import texts_of
from pyrfly.protocol.bits import Boundary
from pyrfly.sim.boundary_tables import enter_boundaries, enter_boundaries_of_runs, first_crossings
from pyrfly.sim.laws import draws

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
        ([{**SPEED, "maxmum": 1}], "entry 1: key: expected 'boundary', .*got 'maxmum'"),
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
    [
        ([{**SPEED, "ids": 1}], "ids: expected none"),
        ([SPEED, SPEED], "entry 2: name: expected one"),
        ([SPEED, {**SPEED, "name": "slow"}], "entry 2: expected one that no other is of"),
        ([{"maximum": 3}], "entry 1: boundary: expected one"),
        ([{**SPEED, "maxmum": 1}], "entry 1: key: expected 'boundary', .*got 'maxmum'"),
        ([{**SPEED, "maximum": ("uniform", -1, 3)}], "entry 1: maximum: expected 0 to"),
        ([{**SPEED, "maximum": ("normal", 3, 1)}], "entry 1: maximum: expected 0 to"),
        ([{**SPEED, "maximum": ("scale", 1, 2)}], "entry 1: a law: expected another"),
        (
            [{**SPEED, "minimum": ("uniform", 0, 2), "maximum": ("uniform", 1, 3)}],
            "entry 1: minimum: expected less than the maximum",
        ),
    ],
)
def test_runs_have_the_same_boundaries(entries: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        enter_boundaries_of_runs(Sim("x450", 2), entries)


def test_laws_become_those_of_columns_and_other_numbers_stay() -> None:
    sim = Sim("x450", 2)
    laws = enter_boundaries_of_runs(
        sim,
        [
            {**SPEED, "minimum": 0.5, "maximum": ("uniform", 2, 4), "name": "slow"},
            {"boundary": "area", "centre": [("uniform", -5, 5), 7], "radius": ("normal", 20, 1)},
        ],
    )
    assert set(laws.names.values()) == {"slow.maximum", "area.centre.x", "area.radius"}
    assert sim.boundary_maximum[:, [Boundary.SPEED, Boundary.AREA]].tolist() == [[3, 20]] * 2
    drawn = draws(sim, laws.table, seed=5, count=500)
    assert 2 <= drawn["boundary_maximum"][:, Boundary.SPEED].min() < 2.1
    assert abs(drawn["boundary_maximum"][:, Boundary.AREA].mean() - 20) < 5 / np.sqrt(500)
    assert (drawn["boundary_maximum"][:, Boundary.TILT] == sim.boundary_maximum[0, 2]).all()
    assert -5 <= drawn["area_north"][:, 0].min() < -4.5
    assert (sim.area_east[0, 0], sim.boundary_minimum[0, Boundary.SPEED]) == (7, 0.5)


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
