"""Vehicles under control."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from pyrfly.ctrl import PX4MavCtrler
from pyrfly.sim import Sim

Controlled = Callable[..., tuple[Sim, PX4MavCtrler]]


@pytest.fixture
def controlled() -> Controlled:
    """Make a world of one vehicle at rest, under control."""

    def make(vehicle: str = "x450", **reset: Any) -> tuple[Sim, PX4MavCtrler]:
        sim = Sim(vehicle)
        sim.reset(**reset)
        mav = PX4MavCtrler(1, sim=sim)
        mav.InitMavLoop()
        return sim, mav

    return make


@pytest.fixture
def offboard(controlled: Controlled) -> Controlled:
    """Make a world whose vehicle hovers above its take-off point, in offboard."""

    def make(height: float = 10.0, yaw: float = 0.0, **reset: Any) -> tuple[Sim, PX4MavCtrler]:
        sim, mav = controlled(**reset)
        mav.SendMavArm(True)
        mav.sendMavTakeOff(0, 0, -height, yaw)
        sim.sleep(math.ceil(height / 1.5) + 4)
        mav.initOffboard()
        return sim, mav

    return make
