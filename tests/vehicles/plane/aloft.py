"""Planes that begin in flight, and what a circle has to be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import pyrfly
from pyrfly.ctrl import PX4MavCtrler

NAME = "aerosonde"
CRUISE = 25.0  # m/s


def fly(sim: pyrfly.Sim, height: float = 100.0) -> None:
    """Put all planes of a simulation in flight to the north, above where they stand."""
    sim.pos[:, 2] = -height
    sim.vel[:, 0] = CRUISE


def controlled(n: int = 1, **options: Any) -> tuple[pyrfly.Sim, list[PX4MavCtrler]]:
    """Return armed planes on the ground, with a controller for each."""
    sim = pyrfly.Sim(NAME, n, dt=0.002, **options)
    controllers = [PX4MavCtrler(i + 1, sim=sim) for i in range(n)]
    for mav in controllers:
        mav.InitMavLoop()
        mav.SendMavArm(1)
    return sim, controllers


def offboard(height: float = 100.0, n: int = 1) -> tuple[pyrfly.Sim, Any]:
    """Return planes that fly to the north, armed and in offboard, with the controller of each."""
    sim, controllers = controlled(n)
    fly(sim, height)
    for mav in controllers:
        mav.initOffboard()
    return sim, controllers if n > 1 else controllers[0]


def airspeeds(sim: pyrfly.Sim) -> NDArray[np.float64]:
    """Return the airspeeds [m/s]."""
    found: NDArray[np.float64] = np.linalg.norm(sim.vel - sim.environment.wind, axis=1)
    return found


def airspeed(sim: pyrfly.Sim, row: int = 0) -> float:
    return float(airspeeds(sim)[row])


def course(sim: pyrfly.Sim, row: int = 0) -> float:
    return float(np.arctan2(sim.vel[row, 1], sim.vel[row, 0]))


def is_circled(
    sim: pyrfly.Sim,
    centre: ArrayLike,
    radius: ArrayLike,
    speed: ArrayLike = CRUISE,
    row: int | slice = 0,
) -> None:
    """Check a quarter of a circle: 3 m of the radius, 2 m of the height, 1 m/s of the airspeed.

    A radius below 0 is counter-clockwise. Of a slice of planes each has its own circle.
    """
    radius = np.asarray(radius, np.float64)
    for _ in range(5):
        north, east, down = np.moveaxis(sim.pos[row] - np.asarray(centre, np.float64), -1, 0)
        np.testing.assert_allclose(np.hypot(north, east), np.abs(radius), rtol=0, atol=3.0)
        np.testing.assert_allclose(down, 0.0, atol=2.0)
        np.testing.assert_allclose(airspeeds(sim)[row], speed, rtol=0, atol=1.0)
        turn = north * sim.vel[row][..., 1] - east * sim.vel[row][..., 0]
        assert np.all(turn * radius > 0)
        sim.sleep(float(np.max(np.abs(radius) / speed)) * 0.3)
