"""Payloads of vehicles that answer as PX4: MAV_CMD_DO_GRIPPER and DO_WINCH."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .uploads import at, do, start, upload

Make = Callable[..., Any]
ACCEPTED, DENIED = 0, 2
GRIPPER, WINCH = 211, 42600
LENGTH, RATE, LOCK = 1, 2, 3
RELEASE, GRAB = 0, 1


def test_a_gripper_drops_and_takes_the_payload(station: Make) -> None:
    s = station().in_air(20.0)
    s.sim.payload.attach(0.1, ids=1)
    assert s.command(GRIPPER, 1, RELEASE) == ACCEPTED
    assert not s.sim.payload.carried(1)[0]
    assert s.command(GRIPPER, 1, GRAB) == ACCEPTED
    assert s.sim.payload.carried(1)[0]


def test_a_mission_drops_the_payload_on_its_way(station: Make) -> None:
    s = station().in_air(4.0)
    s.sim.payload.attach(0.1, ids=1)
    upload(s, [at(3, 0, 4), do(GRIPPER, 1, RELEASE), at(6, 0, 4)])
    start(s)
    s.until(lambda: not s.sim.payload.carried(1)[0], 30)
    assert 2.0 < s.sim.pos[0, 0] < 4.0


@pytest.mark.parametrize("action", [RELEASE, GRAB, 2, -1, 1e30])
def test_vehicles_without_a_payload_deny(station: Make, action: float) -> None:
    assert station().command(GRIPPER, 1, action) == DENIED


@pytest.mark.parametrize("action", [2, -1, 0.5, float("nan")])
def test_unknown_actions_are_denied(station: Make, action: float) -> None:
    s = station()
    s.sim.payload.attach(0.1)
    assert s.command(GRIPPER, 1, action) == DENIED
    assert s.sim.payload.carried().all()


def test_a_winch_reels_by_a_length_and_at_a_rate(station: Make) -> None:
    s = station().in_air(20.0)
    s.sim.payload.attach(0.1, cable=5.0, ids=1)
    assert s.command(WINCH, 1, LENGTH, -2.0, 1.0) == ACCEPTED
    s.run(3)
    assert s.sim.payload_length[0] == pytest.approx(3.0)
    assert s.command(WINCH, 1, RATE, 0.0, 0.5) == ACCEPTED
    s.run(1)
    assert s.command(WINCH, 1, LOCK) == ACCEPTED
    s.run(2)
    assert s.sim.payload_length[0] == pytest.approx(3.5, abs=0.1)
    assert s.command(WINCH, 1, RATE, 0.0, 9.0) == ACCEPTED
    s.run(2)
    assert s.sim.payload_length[0] == pytest.approx(5.0)


@pytest.mark.parametrize(
    "parameters", [(0,), (4,), (LENGTH, float("nan")), (LENGTH, 1e30), (RATE, 0, float("inf"))]
)
def test_odd_winches_are_denied(station: Make, parameters: tuple[float, ...]) -> None:
    s = station()
    assert s.command(WINCH, 1, LENGTH, 1.0) == DENIED
    s.sim.payload.attach(0.1, ids=1)
    assert s.command(WINCH, 1, LENGTH, 1.0) == DENIED
    s.sim.payload.attach(0.1, cable=5.0, ids=1)
    assert s.command(WINCH, 1, *parameters) == DENIED
