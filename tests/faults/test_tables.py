"""Faults as tables with laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.sim.fault_tables import enter_faults, named_faults
from pyrfly.sim.laws import draws
from pyrfly.sim.table_laws import randomized

MOTOR = {"kind": "motor", "actuator": 1}


def test_laws_become_those_of_columns_and_other_numbers_stay() -> None:
    sim = Sim("x450", 2)
    laws = enter_faults(
        sim,
        [
            {"kind": "wind", "wind": [("normal", 1, 2), 3, ("uniform", 4, 5)], "name": "breeze"},
            {**MOTOR, "effectiveness": 0.5, "at": ("uniform", 1, 3), "ramp": 0.5},
        ],
    )
    assert dict(laws.names) == {
        ("fault_strength", 0): "breeze.wind.x",
        ("fault_strength", 2): "breeze.wind.z",
        ("fault_start", 1): "motor.at",
    }
    drawn = draws(sim, laws.table, seed=5, count=2000)
    assert (drawn["fault_strength"][:, [1, 4]] == [3, 0.5]).all()
    assert abs(drawn["fault_strength"][:, 0].mean() - 1) < 5 * 2 / np.sqrt(2000)
    starts = drawn["fault_start"]
    assert (starts[:, 0] == 0).all()
    assert 1 <= starts[:, 1].min() < 1.1
    assert 2.9 < starts[:, 1].max() < 3
    assert [fault.kind for fault in sim.faults.list(1)] == ["wind", "motor"]


def test_faults_of_before_keep_their_places() -> None:
    sim = Sim("x450")
    sim.faults.add("wind", wind=[1, 0, 0])
    laws = enter_faults(sim, [{**MOTOR, "at": ("uniform", 1, 3)}])
    assert dict(laws.names) == {("fault_start", 1): "motor.at"}


@pytest.mark.parametrize(
    ("entries", "error", "message"),
    [
        (3, TypeError, "faults: expected a list"),
        ([MOTOR, 3], TypeError, "entry 2: expected a table"),
        ([{"actuator": 1}], ValueError, "entry 1: kind"),
        ([{**MOTOR, "ids": 1}], ValueError, "entry 1: ids"),
        ([MOTOR, MOTOR], ValueError, "entry 2: name"),
        ([{**MOTOR, "name": "a.b"}], ValueError, "entry 1: name"),
        ([{**MOTOR, "kind": "moter"}], ValueError, "entry 1: kind: .*motor"),
        ([{**MOTOR, "actuator": 9}], ValueError, "entry 1: actuator"),
        ([{**MOTOR, "effectiveness": ("uniform", -1, 1)}], ValueError, "entry 1: effectiveness"),
        ([{**MOTOR, "effectiveness": ("scale", 1, 2)}], ValueError, "entry 1: .*law"),
        ([{**MOTOR, "effectiveness": ("unifrm", 0, 1)}], ValueError, "law"),
        ([{**MOTOR, "name": str(k)} for k in range(17)], ValueError, "at most 16"),
    ],
)
def test_nonsense_is_refused_by_its_number_and_changes_nothing(
    entries: Any, error: type[Exception], message: str
) -> None:
    sim = Sim("x450")
    with pytest.raises(error, match=message):
        draws(sim, enter_faults(sim, entries).table, seed=1, count=1)
    if "unifrm" not in str(entries):
        assert sim.faults.list() == ()


def test_a_column_is_drawn_by_a_fault_or_by_a_table() -> None:
    sim = Sim("x450")
    laws = enter_faults(sim, [{**MOTOR, "at": ("uniform", 1, 3)}])
    assert set(randomized({"mass": ("scale", 0.9, 1.1)}, laws)) == {"mass", "fault_start"}
    with pytest.raises(ValueError, match="fault_start"):
        randomized({"fault_start": ("uniform", 0, 1)}, laws)
    with pytest.raises(TypeError, match="randomize: expected a mapping"):
        randomized([1], laws)


def test_names_are_those_of_the_kinds_by_default() -> None:
    assert list(named_faults([MOTOR, {**MOTOR, "name": "second"}])) == ["motor", "second"]
