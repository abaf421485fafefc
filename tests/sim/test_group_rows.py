"""Methods of `Group` that take rows tell what these, and their other arguments, should be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly import Sim
from pyrfly.sim import Group

ROWS: dict[str, Callable[[Group, Any], object]] = {
    "numbers": lambda group, rows: group.numbers(rows),
    "write_rows": lambda group, rows: group.write_rows(rows, {"pos": np.zeros((1, 3))}),
    "reset_part": lambda group, rows: group.reset_part("power", rows),
    "restart_events": lambda group, rows: group.restart_events(rows),
    "refresh": lambda group, rows: group.refresh(rows),
    "ground_at": lambda group, rows: group.ground_at(rows, np.zeros((1, 3))),
    "release_navigator": lambda group, rows: group.release_navigator(rows),
    "restart_offset": lambda group, rows: group.restart_offset(rows),
    "actuator_commands": lambda group, rows: group.actuator_commands(rows),
    "reset": lambda group, rows: group.reset(rows, np.zeros((1, 3)), np.zeros(1)),
    "standing": lambda group, rows: group.standing(rows, np.zeros(1)),
    "raise_to_ground": lambda group, rows: group.raise_to_ground(rows),
}
BAD_ROWS: tuple[Any, ...] = (
    *([2], [-3], "x", None, 1, 1.0, [0.5], [True], [[0, 1]], int, {}, np.zeros((2, 2), bool)),
)


@pytest.fixture(scope="module")
def group() -> Group:
    sim = pyrfly.Sim("x450", 2)
    sim.enable_synthesis()
    sim.power.enable()
    sim.environment.enable("density")
    sim.at(1.0, wind=[1, 0, 0])
    return sim.groups[0]


@pytest.mark.parametrize("method", ROWS)
@pytest.mark.parametrize("rows", BAD_ROWS, ids=repr)
def test_rows_of_other_vehicles_are_told(group: Group, method: str, rows: Any) -> None:
    expected = "rows: expected a slice, numbers from -2 to 1, or 2 booleans, got "
    with pytest.raises(IndexError, match=expected):
        ROWS[method](group, rows)


@pytest.mark.parametrize("method", ROWS)
@pytest.mark.parametrize("rows", [slice(1), [0], [-1], [False, True], np.array([1])], ids=repr)
def test_rows_are_what_numpy_indexes_with(group: Group, method: str, rows: Any) -> None:
    ROWS[method](group, rows)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: g.reset([0], np.zeros(3), [0]), r"pos: expected shape \(1, 3\) \[m\], got"),
        (lambda g: g.reset([0], "x", [0]), r"pos: expected numbers \[m\], got 'x'"),
        (lambda g: g.reset([0], np.zeros((1, 3)), [0, 1]), r"yaw: expected shape \(1,\) \[rad\]"),
        (lambda g: g.reset([0], np.zeros((1, 3)), [np.nan]), r"yaw: expected finite values"),
        (lambda g: g.ground_at([0, 1], np.zeros((1, 3))), r"pos: expected shape \(2, 3\) \[m\]"),
        (lambda g: g.standing([0], None), r"ground: expected numbers \[m\], got None"),
        (lambda g: g.standing([0], 0.0), r"ground: expected shape \(1,\) \[m\], got \(\)"),
        (lambda g: g.write_rows([0], {"pos": [1, 2]}), r"pos: expected shape \(1, 3\), got \(2,\)"),
        (lambda g: g.write_rows([0], {"accel": [1, 2, 3]}), "accel is computed from the state"),
        (lambda g: g.write_rows([0], {"no": [1]}), "have no column 'no'"),
    ],
)
def test_other_arguments_of_vehicles_are_told(
    group: Group, call: Callable[[Group], object], message: str
) -> None:
    with pytest.raises((AttributeError, TypeError, ValueError), match=message):
        call(group)


@pytest.mark.parametrize("att", [5, [2, 0, 0, 0], [0, 0, 0, 0], [[1, 0, 0, 0], [1, 1, 0, 0]]])
def test_an_attitude_has_length_1(att: list[float]) -> None:
    sim = Sim("x450", 2)
    with pytest.raises(ValueError, match="att: expected quaternions of length 1"):
        sim.att = att
    sim.att = [0.7071, 0, 0, 0.7071]
    assert sim.att.tolist() == [[0.7071, 0, 0, 0.7071]] * 2
