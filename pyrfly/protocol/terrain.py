"""RflySim's input ``TerrainIn15d``: the ground below a vehicle."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact

__all__ = ["FASTEST", "HIGHEST", "STEEPEST", "Ground", "ObjectYaws", "ground_of", "plausible"]

Array = NDArray[np.float64]

STEEPEST = np.pi / 3
"""Largest slope [rad]; steeper ones count as this."""

HIGHEST = 9300.0
"""Largest height [m] above or below the origin: on land, the earth has -430 m to 8849 m."""

FASTEST = 100.0
"""Largest speed [m/s] of a moving object."""

QUICKEST = np.pi
"""Largest yaw rate [rad/s] of a moving object; larger ones count as this."""

_PAUSE = 1.0  # s between two messages, after which the first says nothing of the yaw rate

_SLOPED, _PITCH, _YAW, _HAS_FRICTION, _FRICTION, _MOVES, _VELOCITY, _OBJECT_YAW = (
    *(1, 2, 3, 4, 5, 6),
    slice(7, 9),
    9,
)


class Ground(NamedTuple):
    """The ground below k vehicles, in the form of their columns.

    Attributes
    ----------
    terrain : ndarray, shape (k,)
        Height [m, NED z].
    terrain_gradient : ndarray, shape (k, 2)
        Change of z per metre north and east.
    friction_reduction : ndarray, shape (k,)
        1 less the friction factor.
    terrain_velocity : ndarray, shape (k, 3)
        Velocity [m/s, NED] of the object below, level; zero without one.
    object_yaw : ndarray, shape (k,)
        Its yaw [rad], 0 without one; see `ObjectYaws`.
    """

    terrain: Array
    terrain_gradient: Array
    friction_reduction: Array
    terrain_velocity: Array
    object_yaw: Array


def ground_of(numbers: ArrayLike) -> Ground:
    """Return the ground that the 15 numbers of the input describe.

    Parameters
    ----------
    numbers : array_like, shape (k, 15)
        1 height [m, NED z], 2 whether there is a slope, 3 its pitch and 4 its yaw [rad]: facing
        the yaw the ground rises by the pitch. 5 whether there is friction, 6 its factor. 7 whether
        it is a moving object, 8 its velocity north and 9 east [m/s], 10 its yaw [rad]. The others
        are not used. Without them: level, factor 1, at rest.

    Returns
    -------
    Ground
        Non-finite where a number in use is non-finite.
    """
    values = np.asarray(numbers, np.float64)
    sloped, rubs = values[:, _SLOPED] > 0.5, values[:, _HAS_FRICTION] > 0.5
    pitch = np.where(sloped, np.clip(values[:, _PITCH], -STEEPEST, STEEPEST), 0.0)
    (rise, run) = exact.sincos(pitch)
    (east, north) = exact.sincos(np.where(sloped, values[:, _YAW], 0.0))
    with np.errstate(invalid="ignore"):
        fall = 0.0 - rise / run
        gradient = np.stack([fall * north, fall * east], axis=-1)
    reduction = np.where(rubs, 1.0 - values[:, _FRICTION], 0.0)
    moves = values[:, _MOVES] > 0.5
    velocity = np.zeros((len(values), 3))
    velocity[:, :2] = np.where(moves[:, None], values[:, _VELOCITY], 0.0)
    object_yaw = np.where(moves, values[:, _OBJECT_YAW], 0.0)
    return Ground(values[:, 0], gradient, reduction, velocity, object_yaw)


def plausible(ground: Ground) -> NDArray[np.bool_]:
    """Return which grounds are finite, up to `HIGHEST` high and `FASTEST` fast, shape (k,)."""
    finite = np.isfinite(np.column_stack(ground)).all(axis=1)
    slow = (np.abs(ground.terrain_velocity) <= FASTEST).all(axis=1)
    return np.asarray(finite & slow & (np.abs(ground.terrain) <= HIGHEST))


class ObjectYaws:
    """Yaw rates of the objects below ``n`` vehicles, from the yaws of successive messages."""

    def __init__(self, n: int) -> None:
        self._yaw, self._time, self._rate = np.zeros(n), np.full(n, -np.inf), np.zeros(n)

    def rates(self, rows: NDArray[np.intp], yaw: Array, time: float) -> Array:
        """Return the yaw rates [rad/s] since the last messages, and note these.

        Parameters
        ----------
        rows : ndarray of int, shape (k,)
            The vehicles, each once.
        yaw : ndarray, shape (k,)
            The yaws of the objects [rad].
        time : float
            The time [s].

        Returns
        -------
        ndarray, shape (k,)
            Change of the yaw, the shorter way round, over time, at most `QUICKEST`. 0 after a
            first message or a pause of more than 1 s; at the same time as before, the rate then.
        """
        since = time - self._time[rows]
        turned = np.remainder(yaw - self._yaw[rows] + np.pi, 2 * np.pi) - np.pi
        known = (since > 0) & (since <= _PAUSE)
        rate = np.clip(turned / np.where(known, since, 1.0), -QUICKEST, QUICKEST)
        rate = np.where(known, rate, np.where(since == 0, self._rate[rows], 0.0))
        self._yaw[rows], self._time[rows], self._rate[rows] = yaw, time, rate
        return rate

    def forget(self, rows: NDArray[np.intp]) -> None:
        """Let the next messages of vehicles be their first ones."""
        self._time[rows], self._rate[rows] = -np.inf, 0.0
