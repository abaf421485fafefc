"""Planes that begin in flight, and what a circle has to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import pyrfly
from pyrfly.ctrl import PX4MavCtrler

NAME = "aerosonde"
CRUISE = 25.0  # m/s


def fly(sim: pyrfly.Sim, height: float = 100.0) -> None:
    """Put all planes of a simulation in flight to the north, above where they stand."""
    sim.pos[:, 2] = -height
    sim.vel[:, 0] = CRUISE


def offboard(height: float = 100.0, **options: Any) -> tuple[pyrfly.Sim, PX4MavCtrler]:
    """Return a plane that flies to the north, armed and in offboard."""
    sim = pyrfly.Sim(NAME, dt=0.002, **options)
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    fly(sim, height)
    mav.SendMavArm(1)
    mav.initOffboard()
    return sim, mav


def airspeed(sim: pyrfly.Sim, row: int = 0) -> float:
    return float(np.linalg.norm(sim.vel[row] - sim.environment.wind[row]))


def course(sim: pyrfly.Sim, row: int = 0) -> float:
    return float(np.arctan2(sim.vel[row, 1], sim.vel[row, 0]))


def is_circled(
    sim: pyrfly.Sim, centre: Sequence[float], radius: float, speed: float = CRUISE, row: int = 0
) -> None:
    """Check a quarter of a circle: 3 m of the radius, 2 m of the height, 1 m/s of the airspeed.

    A radius below 0 is counter-clockwise.
    """
    for _ in range(5):
        way = sim.pos[row] - np.asarray(centre, np.float64)
        assert abs(np.hypot(way[0], way[1]) - abs(radius)) < 3.0
        assert abs(way[2]) < 2.0
        assert abs(airspeed(sim, row) - speed) < 1.0
        turn = way[0] * sim.vel[row, 1] - way[1] * sim.vel[row, 0]
        assert turn * radius > 0
        sim.sleep(abs(radius) / speed * 0.3)
