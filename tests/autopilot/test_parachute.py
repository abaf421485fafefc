"""Parachutes of vehicles that answer as PX4: MAV_CMD_DO_PARACHUTE, flight termination."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
ACCEPTED, DENIED = 0, 2
TERMINATE, PARACHUTE = 185, 208
DISABLE, ENABLE, RELEASE = 0, 1, 2


@pytest.mark.parametrize("command", [(PARACHUTE, RELEASE), (TERMINATE, 1)])
def test_a_parachute_ends_the_flight(station: Make, command: tuple[int, int]) -> None:
    s = station().in_air(20.0)
    s.sim.parachute.fit(descent=3.0)
    assert s.command(*command) == ACCEPTED
    s.run(6)
    assert s.sim.armed[0] == 0
    assert "Parachute released" in s.texts()
    assert s.sim.parachute_opening[0] > 0.5
    assert s.sim.vel[0, 2] < 4


def test_a_disabled_parachute_is_not_released(station: Make) -> None:
    s = station().in_air(20.0)
    s.sim.parachute.fit()
    assert s.command(PARACHUTE, DISABLE) == ACCEPTED
    assert s.command(PARACHUTE, RELEASE) == DENIED
    assert s.sim.armed[0] == 1
    assert s.command(PARACHUTE, ENABLE) == ACCEPTED
    assert s.command(PARACHUTE, RELEASE) == ACCEPTED
    assert s.command(PARACHUTE, RELEASE) == DENIED


@pytest.mark.parametrize("action", [DISABLE, ENABLE, RELEASE, 3, -1, 1e30])
def test_vehicles_without_one_deny(station: Make, action: float) -> None:
    s = station()
    assert s.command(PARACHUTE, action) == DENIED
