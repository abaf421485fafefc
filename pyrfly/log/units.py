"""Values of other programs in the units and frames of the simulation: `in_unit`, `in_frame`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief
from pyrfly.frames.rotations import quaternion_product

__all__ = ["frames_of", "in_frame", "in_unit"]

Array = NDArray[np.float64]

_DEGREES = np.pi / 180.0
_G = 9.80665  # m/s^2, standard gravity
_FOOT, _KNOT = 0.3048, 1852 / 3600  # m, m/s

_UNITS: Mapping[str, Mapping[str, float]] = {
    "s": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0},
    "m": {"m": 1.0, "cm": 0.01, "mm": 1e-3, "km": 1e3, "ft": _FOOT},
    "m/s": {
        "m/s": 1.0,
        "cm/s": 0.01,
        "mm/s": 1e-3,
        "km/h": 1 / 3.6,
        "kn": _KNOT,
        "ft/s": _FOOT,
    },
    "m/s^2": {"m/s^2": 1.0, "g": _G, "mg": _G / 1e3},
    "rad": {"rad": 1.0, "deg": _DEGREES, "cdeg": _DEGREES / 100.0, "degE7": _DEGREES / 1e7},
    "rad/s": {"rad/s": 1.0, "deg/s": _DEGREES, "1/min": np.pi / 30.0},
    "deg": {"deg": 1.0, "cdeg": 0.01, "degE7": 1e-7, "rad": 1.0 / _DEGREES},
    "T": {"T": 1.0, "gauss": 1e-4, "mgauss": 1e-7, "uT": 1e-6, "nT": 1e-9},
    "Pa": {"Pa": 1.0, "hPa": 100.0, "mbar": 100.0, "kPa": 1e3},
    "V": {"V": 1.0, "mV": 1e-3, "cV": 0.01},
    "A": {"A": 1.0, "mA": 1e-3, "cA": 0.01},
    "1": {"1": 1.0, "%": 0.01},
}
"""What a number of another unit is multiplied by, by the unit of the simulation."""

_AXES: Mapping[str, Mapping[str, tuple[tuple[int, ...], tuple[float, ...]]]] = {
    "NED": {
        "NED": ((0, 1, 2), (1.0, 1.0, 1.0)),
        "ENU": ((1, 0, 2), (1.0, 1.0, -1.0)),
        "NEU": ((0, 1, 2), (1.0, 1.0, -1.0)),
        "NWU": ((0, 1, 2), (1.0, -1.0, -1.0)),
    },
    "FRD": {
        "FRD": ((0, 1, 2), (1.0, 1.0, 1.0)),
        "FLU": ((0, 1, 2), (1.0, -1.0, -1.0)),
        "RFU": ((1, 0, 2), (1.0, 1.0, -1.0)),
    },
}
"""Which components of another frame those of a frame of the simulation are, and their signs."""

_ATTITUDE = "FRD to NED"
_QUATERNIONS = (_ATTITUDE, "FLU to ENU")
_HALF = np.sqrt(0.5)
_ENU_TO_NED = np.array([0.0, _HALF, _HALF, 0.0])
_FRD_TO_FLU = np.array([0.0, 1.0, 0.0, 0.0])


def in_unit(values: Array, given: str, unit: str) -> Array:
    """Return numbers of another unit in one of the simulation.

    Raises
    ------
    ValueError
        They measure something else.
    """
    known = _UNITS.get(unit, {unit: 1.0})
    if given not in known:
        raise ValueError(f"unit: expected {', '.join(known) or 'none'}, got {brief(given)}")
    return values if known[given] == 1.0 else values * known[given]


def frames_of(frame: str, width: int) -> Sequence[str]:
    """Return the frames that vectors or attitudes of a frame of the simulation are made of."""
    if frame == _ATTITUDE and width == 4:
        return _QUATERNIONS
    return tuple(_AXES[frame]) if frame in _AXES and width == 3 else (frame,)


def in_frame(values: Array, given: str, frame: str) -> Array:
    """Return vectors (T, 3) or attitudes (T, 4) of another frame in one of the simulation.

    Raises
    ------
    ValueError
        There is no such frame.
    """
    known = frames_of(frame, values.shape[1])
    if given not in known:
        raise ValueError(f"frame: expected {', '.join(known) or 'none'}, got {brief(given)}")
    if given == frame:
        return values
    if frame == _ATTITUDE:
        return quaternion_product(
            np.broadcast_to(_ENU_TO_NED, values.shape),
            quaternion_product(values, np.broadcast_to(_FRD_TO_FLU, values.shape)),
        )
    order, signs = _AXES[frame][given]
    return np.asarray(values[:, order] * np.array(signs))
