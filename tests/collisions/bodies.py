"""Vehicles as bodies without air, rotors and controllers, for comparison with mechanics."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pyrfly
from pyrfly.vehicles import DEFAULT_FAMILY, Hull, HullShape, names

Array = NDArray[np.float64]

NEVER = 1e6
"""Strength [m/s] of what does not break."""

VEHICLE = names(DEFAULT_FAMILY)[0]


def hull(
    half_size: tuple[float, float, float] = (0.0, 0.0, 0.0),
    radius: float = 0.1,
    friction: float = 0.0,
    restitution: float = 1.0,
) -> Hull:
    """Return a hull of one shape that does not break."""
    shape = HullShape("body", (0.0, 0.0, 0.0), half_size, radius, strength=NEVER)
    return Hull((shape,), landing_speed=NEVER, friction=friction, restitution=restitution)


def bodies(
    n: int | tuple[int, ...], shape: Hull, gravity: float = 0.0, **options: Any
) -> pyrfly.Sim:
    """Return vehicles of 1 kg, high above the ground, on which gravity alone acts.

    Several numbers are those of groups of vehicles.
    """
    counts = (n,) if isinstance(n, int) else n
    sim = pyrfly.Sim(dict(zip(names(DEFAULT_FAMILY), counts, strict=False)), **options)
    sim.controllers = False
    for group in sim.groups:
        for field in group.fields:
            if field.role == "param" and ("drag" in field.name or "damping" in field.name):
                group.writable(field.name)[...] = 0
    everyone = sim.select()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other units: far from those of the set
        everyone.write("mass", 1)
        everyone.write("inertia", [0.004, 0.004, 0.004, 0, 0, 0])
    everyone.write("gravity", gravity)
    everyone.write("terrain", 1e4)
    sim.collisions.set_hull(shape)
    return sim


def rotated(att: Array, vectors: Array) -> Array:
    """Return FRD vectors (n, 3) in NED, by unit quaternions (n, 4)."""
    w, u = att[:, :1], att[:, 1:]
    return vectors + 2 * np.cross(u, np.cross(u, vectors) + w * vectors)


def momentum(sim: pyrfly.Sim) -> Array:
    """Return momentum and angular momentum about the origin [kg m/s, kg m^2/s], shape (6,)."""
    p = sim.mass[:, None] * sim.vel
    spin = rotated(sim.att, sim.inertia[:, :3] * sim.rate)
    return np.concatenate([p.sum(axis=0), (np.cross(sim.pos, p) + spin).sum(axis=0)])


def energy(sim: pyrfly.Sim) -> float:
    """Return the kinetic energy [J]."""
    turning = (sim.inertia[:, :3] * sim.rate**2).sum()
    return float(((sim.mass[:, None] * sim.vel**2).sum() + turning) / 2)
