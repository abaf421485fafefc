"""Runs that end where the vehicles have landed, crashed, been disarmed or come to rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import Recorder
from pyrfly.sim.ends import CRASH_HEIGHT, CRASH_SPEED, LOOK, RUN_ENDS

GRAVITY = 9.81


def descending(heights: Any = (3.0, 6.0), **options: Any) -> Sim:
    """Return vehicles that descend with 1 m/s from heights [m]."""
    sim = Sim("x450", len(heights), **options)
    places = [[0, 9 * k, -height] for k, height in enumerate(heights)]
    sim.reset(pos=places, hover=True)
    sim.command_velocity([0, 0, 1])
    return sim


def falling(heights: Any) -> Sim:
    """Return vehicles whose motors stand still above the ground [m]."""
    sim = Sim("x450", len(heights))
    sim.controllers = False
    sim.reset(pos=[[0, 9 * k, -height] for k, height in enumerate(heights)])
    return sim


def test_a_run_ends_where_the_last_has_landed() -> None:
    sim = descending()
    end = sim.run(60, until="landed")
    assert end is not None
    assert end == ("2 landed", sim.time, ("landed", "landed"), None)
    assert 6 < end.time < 8  # 6 m, with 1 m/s
    assert np.abs(sim.pos[:, 2]).max() < 0.1


def test_who_has_not_taken_off_has_not_landed() -> None:
    sim = Sim("x450")
    assert sim.run(2, until="landed") is None
    sim.arm()
    sim.command_position([0, 0, -2])
    assert sim.run(5, until="landed") is None
    sim.command_velocity([0, 0, 1])
    assert sim.run(20, until="landed") is not None


def test_a_run_ends_where_all_are_disarmed_that_were_armed() -> None:
    sim = Sim("x450", 2)
    assert sim.run(1, until="disarmed") is None
    sim.arm()
    sim.at([1.5, 1.75], [1, 2], armed=0)
    end = sim.run(3, until="disarmed")
    assert end is not None
    assert end.reason == "2 disarmed"
    np.testing.assert_allclose(end.time, 1.75, atol=LOOK + 1e-9)


@pytest.mark.parametrize(
    ("height", "crashes"),
    # of free fall v^2 = 2 g h, where it touches the ground
    [(0.9 * CRASH_SPEED**2 / (2 * GRAVITY), False), (20.0, True)],
)
def test_who_hits_the_ground_fast_has_crashed(height: float, crashes: bool) -> None:
    end = falling([height]).run(5, until="crashed")
    assert (end is not None) == crashes
    if end is not None:
        in_vacuum = np.sqrt(2 * (height - CRASH_HEIGHT) / GRAVITY)
        assert in_vacuum < end.time < in_vacuum + 0.3  # drag makes it later


def test_who_has_crashed_stays_so() -> None:
    sim = falling([10.0, 30.0])
    end = sim.run(20, until="crashed")
    assert end is not None
    assert end.reason == "2 crashed"
    assert end.time > 2.2  # the time of the second fall


def test_a_run_ends_where_all_have_come_to_rest() -> None:
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -10], hover=True)
    assert sim.run(3, until="at_rest") is None  # it was at rest before
    sim.command_position([5, 0, -10])
    end = sim.run(60, until="at_rest")
    assert end is not None
    assert end.reason == "1 at rest"
    assert np.linalg.norm(sim.vel) < 0.1
    assert abs(sim.pos[0, 0] - 5) < 0.2


def test_each_vehicle_may_come_to_another_end() -> None:
    sim = descending((3.0, 20.0, 4.0))
    sim.arm(False, ids=2)
    end = sim.run(60, until=["landed", "crashed"])
    assert end is not None
    assert end.vehicles == ("landed", "crashed", "landed")
    assert end.reason == "2 landed, 1 crashed"


def test_who_has_a_fault_flag_comes_to_nothing_else() -> None:
    sim = descending()
    sim.safety.add("height", ids=2, minimum=4.0, action="freeze")
    end = sim.run(60, until="landed")
    assert end is not None
    assert end.vehicles == ("landed", "with a fault flag")


def test_a_boundary_that_ends_the_run_is_told_first() -> None:
    sim = descending()
    sim.safety.add("height", ids=2, minimum=4.0, action="terminate")
    end = sim.run(60, until="landed")
    assert end is not None
    assert end.crossing == sim.safety.ended
    assert end.vehicles == ()


@pytest.mark.parametrize("every", [1, 7, 50])
def test_the_end_depends_on_no_samples(every: int) -> None:
    sim = descending()
    recorder = Recorder(sim, ("pos",), every=every)
    end = sim.run(60, until="landed", record=recorder)
    assert end == descending().run(60, until="landed")
    log = recorder.log()
    assert log.metadata["end"] == "2 landed"
    time = log.time
    np.testing.assert_allclose(np.diff(time[:-1]), every * sim.dt)
    assert time[-1] == sim.time


@pytest.mark.parametrize(
    ("until", "message"),
    [
        ("land", "until: expected ends of runs, such as landed, got 'land'"),
        (5.0, f"until: expected ends of runs, such as {', '.join(RUN_ENDS)}, got 5.0"),
        (["landed", 3], f"until: expected ends of runs, such as {', '.join(RUN_ENDS)}, got 3"),
    ],
)
def test_unknown_ends_are_named(until: Any, message: str) -> None:
    sim = descending()
    with pytest.raises(ValueError, match=message):
        sim.run(1, until=until)
    assert sim.time == 0
