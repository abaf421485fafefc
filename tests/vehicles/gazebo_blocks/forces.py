"""Forces that act on vehicles of blocks, from the accelerations of a sim."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import pyrfly

Array = NDArray[np.float64]


def wrench_of(sim: pyrfly.Sim) -> tuple[Array, Array]:
    """Return the forces without gravity and their moments, of a sim that shows its outputs, FRD."""
    mass = sim.mass[:, None]
    force = mass * sim.specific_force
    xx, yy, zz, xy, xz, yz = sim.inertia.T
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    spin = np.einsum("nij,nj->ni", tensor, sim.rate)
    moment = np.einsum("nij,nj->ni", tensor, sim.angular_accel) + np.cross(sim.rate, spin)
    return force, moment
