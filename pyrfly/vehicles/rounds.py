"""What vehicles do in a demo, again and again: `Round`, and the moves that families share.

All are in one world, whose coast runs north: about east 10 m is the shore, in the west is land with
a hill at (95, -175), in the east are the sea and an island at (-65, 145). It reaches from -130 to
135 m north and from -225 to 225 m east.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Moves", "Round", "Sim", "drive", "fly", "near", "until", "wait"]

Sim = Any
"""The `pyrfly.Sim` of the demo."""

Moves = Iterator[None]
"""Commands a vehicle, and yields until the next tick."""


class Round(NamedTuple):
    """What a vehicle does in a demo.

    Attributes
    ----------
    vehicle : str
        Its parameter set.
    start : tuple of float
        Where it begins, on the ground: north, east [m], and its heading [deg].
    moves : callable
        Moves it without an end, for a simulation and its CopterID; the docstring says what it does.
    """

    vehicle: str
    start: tuple[float, float, float]
    moves: Callable[[Sim, int], Moves]


def until(done: Callable[[], object]) -> Moves:
    """Wait until something is true, at least for a tick."""
    yield
    while not done():
        yield


def wait(sim: Sim, seconds: float) -> Moves:
    """Wait for a time."""
    end = sim.time + seconds
    yield from until(lambda: sim.time >= end)


def near(sim: Sim, me: int, point: ArrayLike, within: float = 2.0) -> Moves:
    """Wait until a vehicle is near a point, north, east, and down if it does not drive [m]."""
    axes = np.size(point)
    yield from until(lambda: np.linalg.norm(sim.pos[me - 1, :axes] - point) < within)


def fly(sim: Sim, me: int, *points: ArrayLike) -> Moves:
    """Pass points, north, east, down [m]; also on the water."""
    for point in points:
        sim.command_position(point, ids=me)
        yield from near(sim, me, point)


def drive(sim: Sim, me: int, *points: tuple[float, float], yaw: float | None = None) -> Moves:
    """Drive to points, north, east [m], and arrive there, with a heading [rad]."""
    for point in points:
        sim.command_position([*point, 0.0], yaw, ids=me)
        yield from until(lambda: sim.arrived[me - 1])
