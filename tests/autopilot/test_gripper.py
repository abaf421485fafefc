"""Payloads of vehicles that answer as PX4: MAV_CMD_DO_GRIPPER."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
ACCEPTED, DENIED = 0, 2
GRIPPER = 211
RELEASE, GRAB = 0, 1


def test_a_gripper_drops_and_takes_the_payload(station: Make) -> None:
    s = station().in_air(20.0)
    s.sim.payload.attach(0.1, ids=1)
    assert s.command(GRIPPER, 1, RELEASE) == ACCEPTED
    assert not s.sim.payload.carried(1)[0]
    assert s.command(GRIPPER, 1, GRAB) == ACCEPTED
    assert s.sim.payload.carried(1)[0]


@pytest.mark.parametrize("action", [RELEASE, GRAB, 2, -1, 1e30])
def test_vehicles_without_a_payload_deny(station: Make, action: float) -> None:
    assert station().command(GRIPPER, 1, action) == DENIED


@pytest.mark.parametrize("action", [2, -1, 0.5, float("nan")])
def test_unknown_actions_are_denied(station: Make, action: float) -> None:
    s = station()
    s.sim.payload.attach(0.1)
    assert s.command(GRIPPER, 1, action) == DENIED
    assert s.sim.payload.carried().all()
