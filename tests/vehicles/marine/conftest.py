"""Marine craft for experiments: without controllers, in water of 100 m."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import pyrfly
from pyrfly.log import Recorder
from pyrfly.mission import Land, Mission, TakeOff, Waypoint, fly_mission
from pyrfly.vehicles import FAMILIES
from pyrfly.vehicles.entries import parse_toml

Array = NDArray[np.float64]

Document = dict[str, Any]

RESISTANCES = "drag_linear drag_quadratic damping_linear damping_quadratic".split()
OTHERS = "cross_flow_drag hull_lift wind_drag".split()


def document_of(name: str) -> Document:
    """Return the TOML document of a packaged set."""
    return parse_toml(name, (FAMILIES["marine"].sets / f"{name}.toml").read_bytes())


def under_way(
    name: str,
    n: int = 1,
    depth: float = 0.0,
    dt: float = 0.001,
    precision: str = "float64",
) -> pyrfly.Sim:
    """Return vehicles at rest at a depth, whose actuators are the user's."""
    sim = pyrfly.Sim(name, n, dt=dt, precision=precision)
    sim.controllers = False
    sim.reset(pos=np.tile([0.0, 0.0, depth], (n, 1)))
    return sim


def without_resistance(sim: pyrfly.Sim) -> pyrfly.Sim:
    """Return the vehicles in a fluid without friction."""
    for name in (*RESISTANCES, *OTHERS):
        getattr(sim, name)[:] = 0.0
    return sim


def through_water(sim: pyrfly.Sim) -> Array:
    """Return velocities of `flow_position` [m/s, FRD], shape (n, 3)."""
    return np.asarray(sim.vel_body + np.cross(sim.rate, sim.flow_position))


def sailed(sim: pyrfly.Sim, places: list[tuple[float, float, float]], every: int) -> Array:
    """Sail a mission to places; return the positions of the ship on the way, (k, 3)."""
    items = (TakeOff((0.0, 0.0, -2.0)), *map(Waypoint, places[:-1]), Land(places[-1]))
    recorder = Recorder(sim, ("pos",), every=every)
    result = fly_mission(sim, Mission(items), recorder=recorder)
    assert result.completed, result.reason
    return recorder.log()["pos"][:, 0]
