"""Speeds relative to the air: `airspeed`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.autopilot.columns import column
from pyrfly.sim import Sim
from pyrfly.vehicles.constants import AIR_DENSITY

__all__ = ["Airspeed", "airspeed"]

Array = NDArray[np.float64]


class Airspeed(NamedTuple):
    """Speeds relative to the air.

    Attributes
    ----------
    true, calibrated : ndarray, shape (n,)
        True airspeed, and calibrated airspeed, which has the same dynamic pressure in the air at
        sea level [m/s].
    """

    true: Array
    calibrated: Array


def airspeed(sim: Sim, vel: ArrayLike) -> Airspeed:
    """Return the airspeeds of all vehicles: steady wind, shear, gusts and turbulence count.

    The calibrated airspeed is the true one times the root of the ratio of densities, for flow that
    is slow compared to sound, as in PX4 [@px4].

    Parameters
    ----------
    sim : Sim
        The vehicles.
    vel : array_like, shape (n, 3)
        Their velocities [m/s, NED], such as ``sim.vel``.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> sim.wind[:] = (3, 0, 0)
    >>> airspeed(sim, [[0, 4, 0]]).true.tolist()
    [5.0]
    """
    air = np.asarray(vel, np.float64) - sim.environment.wind
    true = np.sqrt((air**2).sum(axis=1))
    density = column(sim, "air_density", default=AIR_DENSITY)[:, 0]
    return Airspeed(true, true * np.sqrt(density / AIR_DENSITY))
