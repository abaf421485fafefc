"""The time-out of commands in process: the boundary ``silence``, and what navigators do then."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.errors import CommandWarning
from pyrfly.protocol.synthesis import Mode

PATIENCE = 0.5
PERIOD = 0.004  # s between two checks


def commanded(action: str, name: str = "x450", n: int = 1, height: float = 20.0) -> Sim:
    """Return vehicles that are told a velocity, and may hear nothing for 0.5 s."""
    sim = Sim(name, n)
    sim.reset(pos=[[0, 9 * row, -height] for row in range(n)], hover=True)
    sim.safety.add("silence", maximum=PATIENCE, action=action)
    sim.command_velocity([3, 0, 0])
    return sim


def test_a_silence_is_crossed_at_the_first_check_after_its_time() -> None:
    sim = commanded("report")
    for _ in range(20):
        sim.sleep(0.4)
        sim.command_velocity([3, 0, 0])
    assert sim.safety.crossings() == ()
    sim.sleep(1)
    (crossing,) = sim.safety.crossings()
    assert crossing.time == pytest.approx(8.0 + PATIENCE + PERIOD)
    assert (crossing.value, crossing.limit) == (pytest.approx(PATIENCE + PERIOD), PATIENCE)


@pytest.mark.parametrize(
    ("other", "limits"),
    [("height", {"minimum": 1, "action": "terminate"}), ("separation", {"minimum": 1})],
)
def test_its_time_is_the_same_where_all_vehicles_are_looked_at(
    other: str, limits: dict[str, Any]
) -> None:
    sim = commanded("report", n=2)
    sim.safety.add(other, **limits)
    sim.sleep(1)
    for crossing in sim.safety.crossings():
        assert crossing.time == pytest.approx(PATIENCE + PERIOD)
        assert crossing.value == pytest.approx(PATIENCE + PERIOD)
    assert [crossing.times for crossing in sim.safety.crossings()] == [1, 1]


def test_a_vehicle_holds_where_it_comes_to_rest() -> None:
    sim = commanded("hold")
    sim.sleep(PATIENCE)
    there = sim.pos[0, 0]
    sim.sleep(8)
    assert np.abs(sim.vel).max() < 0.01
    assert there < sim.pos[0, 0] < there + 3
    assert sim.navigator_mode.tolist() == [Mode.POSITION]


@pytest.mark.parametrize("name", ["rover", "gz_standard_vtol", "x450"])
def test_a_vehicle_returns_home(name: str) -> None:
    sim = Sim(name)
    sim.reset()
    sim.arm()
    sim.safety.add("silence", maximum=PATIENCE, action="return")
    for _ in range(20):
        sim.command_velocity([3, 0, -3])
        sim.sleep(0.1)
    assert sim.pos[0, 0] > 2
    sim.sleep(12)
    np.testing.assert_allclose(sim.pos[0, :2], 0, atol=0.3)
    assert sim.navigator_mode.tolist() == [Mode.RETURN]


def test_a_vehicle_lands() -> None:
    sim = commanded("land", height=2.0)
    sim.sleep(8)
    assert sim.armed.tolist() == [0]
    assert -sim.pos[0, 2] < 0.3


def test_a_new_command_ends_it_and_the_next_silence_counts() -> None:
    sim = commanded("hold")
    sim.sleep(4)
    sim.command_velocity([0, 2, 0])
    sim.sleep(0.4)
    assert sim.navigator_mode.tolist() == [Mode.NONE]
    assert sim.vel[0, 1] > 0.2
    sim.sleep(4)
    (crossing,) = sim.safety.crossings()
    assert crossing.times == 2
    assert sim.navigator_mode.tolist() == [Mode.POSITION]


def test_inputs_of_rflysim_count_and_tasks_do_not_fall_silent() -> None:
    sim = Sim("x450", 2)
    sim.enable_synthesis()
    sim.safety.add("silence", maximum=PATIENCE)
    sim.command_sil(command=0b100000111, ids=1)  # take off
    ints = np.zeros((1, 8), np.int64)
    ints[0, :2] = 1 << 9 | 0b111, 1 << 1  # a velocity
    sim.command_sil(ints, np.full((1, 20), -1.0), ids=2)
    sim.sleep(2)
    assert [one.copter_id for one in sim.safety.crossings()] == [2]
    sim.command_sil(ints, np.full((1, 20), -1.0), ids=2)
    sim.sleep(0.4)
    assert sim.boundary_value[1, 8] < PATIENCE


def test_vehicles_without_set_points_are_not_silent() -> None:
    sim = Sim("x450", 3)
    sim.safety.add("silence", maximum=PATIENCE, action="terminate")
    with pytest.warns(CommandWarning, match="not armed"):
        sim.command_velocity([0, 0, -1], ids=1)
    sim.arm(ids=2)  # not commanded
    assert sim.run(2) is None


def test_it_counts_from_the_boundary_on_and_not_over_a_reset() -> None:
    sim = commanded("report")
    sim.safety.clear()
    sim.sleep(3)
    sim.safety.add("silence", maximum=PATIENCE)
    sim.sleep(PATIENCE)
    assert sim.safety.crossings() == ()
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.sleep(2)
    assert sim.safety.crossings() == ()


def test_copies_and_steps_of_any_length_are_the_same() -> None:
    def end(sim: Sim, steps: int) -> tuple[object, list[float]]:
        while sim.time < 3:
            sim.step(steps)
        return sim.safety.crossings(), sim.pos.tolist()

    sim = commanded("return", n=9)
    copied = pickle.loads(pickle.dumps(sim))
    results = [end(commanded("return", n=9), steps) for steps in (1, 8, 3000)]
    assert results[0] == results[1] == results[2] == end(copied, 1000)


@pytest.mark.parametrize("action", ["hold", "return", "land"])
def test_other_boundaries_have_these_actions_too(action: str) -> None:
    sim = Sim("x450", 2)
    sim.reset(pos=[[0, 0, -9], [0, 9, -9]], hover=True)
    sim.safety.add("area", centre=[0, 0], radius=20.0, action=action)
    sim.command_velocity([4, 0, 0], ids=1)
    sim.sleep(20)
    modes = {"hold": Mode.POSITION, "return": Mode.RETURN, "land": Mode.STANDBY}
    assert sim.navigator_mode.tolist() == [modes[action], Mode.NONE]
    assert sim.pos[0, 0] < 25


def test_a_silence_has_a_maximum_alone() -> None:
    sim = Sim("x450")
    with pytest.raises(TypeError, match="minimum: 'silence' has maximum, got 1"):
        sim.safety.add("silence", minimum=1)
    with pytest.raises(ValueError, match=r"maximum: expected 0 to 10000 \[s\]"):
        sim.safety.add("silence", maximum=-1)
    assert not sim.safety.enabled
