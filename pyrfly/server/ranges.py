"""Which set-points have numbers that the navigator limits: `beyond`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.frames import LocalFrame
from pyrfly.protocol.bits import LATITUDE, LONGITUDE
from pyrfly.protocol.synthesis import OFFBOARD, POS, THRUST, Offboard

__all__ = ["beyond"]

FARTHEST = 1e6
"""Distance of a position along each axis that the navigator limits it to [m]."""

_INTEGER = int(Offboard.GLOBAL | Offboard.INTEGER_POSITION)


def beyond(
    ints: NDArray[np.int32], floats: NDArray[np.float32], frame: LocalFrame
) -> NDArray[np.bool_]:
    """Return which inputs (k, 8), (k, 20) have a thrust or a position beyond its range.

    A normalized thrust is from 0 to 1, a position within `FARTHEST` of the origin of its frame,
    ``frame`` if it is a global one.
    """
    bits, thrust = ints[:, OFFBOARD], floats[:, THRUST]
    found: NDArray[np.bool_] = (bits & Offboard.THRUST != 0) & ((thrust < 0) | (thrust > 1))
    placed = np.flatnonzero(bits & Offboard.POSITION)
    if len(placed):
        pos = floats[placed, POS].astype(np.float64)
        on_globe = bits[placed] & Offboard.GLOBAL != 0
        if on_globe.any():
            rows = placed[on_globe]
            pos[on_globe] = frame.to_ned(_degrees(ints[rows], pos[on_globe]))
        found[placed] |= (np.abs(pos) > FARTHEST).any(axis=1)
    return found


def _degrees(ints: NDArray[np.int32], pos: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return latitudes and longitudes [deg] and heights [m] of global positions (k, 3)."""
    integers = ints[:, OFFBOARD] & _INTEGER == _INTEGER
    lla = pos.copy()
    lla[integers, :2] = ints[integers][:, [LATITUDE, LONGITUDE]] * 1e-7
    return lla
