"""What RflySim3D tells of vehicles in a scene: distances to walls, and who touches whom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.scene import Scene
from pyrfly.sim import Sim

__all__ = ["FAR", "Bodies", "Rays", "bodies_of", "rays_of", "touched"]

Array = NDArray[np.float64]

FAR = 100.0
"""Length of a ray that meets nothing [m]: as RflySim's model takes it at first."""

DEFAULT_SIZE = 0.3
"""Half size of a vehicle whose shape is not known [m], estimated."""

_WAYS = np.array([[1, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1.0]])


class Bodies(NamedTuple):
    """Vehicles in a view.

    Attributes
    ----------
    pos, vel : ndarray, shape (k, 3)
        Position [m, NED] and velocity [m/s, NED].
    half_size : ndarray, shape (k, 2)
        From the centre of mass to the farthest part, horizontally and upwards [m].
    mass : ndarray, shape (k,)
        Mass [kg]; NaN where it is not known.
    """

    pos: Array
    vel: Array
    half_size: Array
    mass: Array


class Rays(NamedTuple):
    """Distances of vehicles to a scene, north, south, west, east, up, down.

    Attributes
    ----------
    distance : ndarray, shape (k, 6)
        From the sides of the vehicle, below 0 in overlap; downwards from its centre [m].
    shape : ndarray of int, shape (k, 6)
        Number of the shape in the scene, or -1.
    """

    distance: Array
    shape: NDArray[np.int32]


def bodies_of(sim: Sim) -> Bodies:
    """Return the vehicles of a simulation, with the size of their shapes that collide."""
    half_size = np.empty((sim.n, 2))
    for group, _, indices in sim.select():
        low, high = group.family.hull(group.parameters).extent
        half_size[indices] = np.abs([low[:2], high[:2]]).max(), max(-low[2], 0.0)
    mass = sim.select().read("mass").astype(np.float64)
    return Bodies(sim.pos.astype(np.float64), sim.vel.astype(np.float64), half_size, mass)


def rays_of(scene: Scene, bodies: Bodies) -> Rays:
    """Return the distances of vehicles to a scene, `FAR` where there is nothing."""
    hits = scene.raycast(bodies.pos[:, None], _WAYS, reach=FAR + bodies.half_size.max(initial=0.0))
    distance = hits.distance.astype(np.float64)
    distance[:, :4] -= bodies.half_size[:, :1]
    distance[:, 4] -= bodies.half_size[:, 1]
    return Rays(np.minimum(distance, FAR), hits.shape)


def touched(bodies: Bodies) -> NDArray[np.intp]:
    """Return for each vehicle the one that it touches, the nearest, or -1, shape (k,).

    Vehicles are spheres here. They are compared along north, nearest first, as far as they may
    touch.
    """
    order = np.argsort(bodies.pos[:, 0], kind="stable")
    pos, radius = bodies.pos[order], bodies.half_size[order, 0]
    nearest, found = np.full(len(pos), np.inf), np.full(len(pos), -1)
    reach = 2 * radius.max(initial=0.0)
    for later in range(1, len(pos)):
        near = np.flatnonzero(pos[later:, 0] - pos[:-later, 0] <= reach)
        if not len(near):
            break
        gap = np.linalg.norm(pos[near + later] - pos[near], axis=1)
        meet = gap <= radius[near + later] + radius[near]
        for a, b in ((near[meet], near[meet] + later), (near[meet] + later, near[meet])):
            closer = gap[meet] < nearest[a]
            nearest[a[closer]], found[a[closer]] = gap[meet][closer], b[closer]
    touching = np.full(len(pos), -1)
    touching[order] = np.where(found < 0, -1, order[found])
    return touching
