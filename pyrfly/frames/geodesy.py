"""WGS84 coordinates: geodetic, earth-centred and local north-east-down.

Positions are arrays of shape ``(..., 3)`` of one of three kinds:

- *lla*: geodetic latitude [deg], longitude [deg], height above the ellipsoid [m];
- *ecef*: earth-centred, earth-fixed x (to latitude 0, longitude 0), y (to 90 deg east),
  z (to the north pole) [m];
- *ned*: north, east, down [m] in the plane tangent to the ellipsoid at an origin.

The ellipsoid is that of WGS84 [@wgs84 table 3.1]: a = 6378137 m, 1/f = 298.257223563. Heights are
above the ellipsoid; the geoid is not modelled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.errors import brief
from pyrfly.frames.arrays import given

__all__ = [
    "DEFAULT_ORIGIN",
    "FLATTENING",
    "SEMI_MAJOR",
    "SEMI_MINOR",
    "LocalFrame",
    "ecef_to_lla",
    "lla_to_ecef",
]

Array = NDArray[np.float64]

DEFAULT_ORIGIN = (40.1540302, 116.2593683, 50.0)
"""RflySim's default origin of the map: latitude [deg], longitude [deg], height [m]."""

SEMI_MAJOR = 6378137.0
"""Equatorial radius of WGS84 [m]."""

FLATTENING = 1.0 / 298.257223563
"""Flattening of WGS84."""

SEMI_MINOR = SEMI_MAJOR * (1.0 - FLATTENING)
"""Polar radius of WGS84 [m]."""

_E2 = FLATTENING * (2.0 - FLATTENING)  # first eccentricity squared
_EP2 = _E2 / (1.0 - _E2)  # second eccentricity squared

# Bowring's step multiplies the latitude error, initially below 0.004 rad, by less than 0.004 at any
# height above -1000 km: after five steps only rounding remains.
_BOWRING_STEPS = 5


def lla_to_ecef(lla: ArrayLike) -> Array:
    """Convert geodetic positions to earth-centred ones.

    Parameters
    ----------
    lla : array_like, shape (..., 3)
        Latitude [deg], longitude [deg], height above the ellipsoid [m].

    Returns
    -------
    ndarray, shape (..., 3), float64
        x, y, z [m], earth-centred and earth-fixed. NaN stays NaN.

    Raises
    ------
    ShapeError, TypeError
        The last axis is not of length 3, or these are no numbers.

    Notes
    -----
    [@wgs84 equation 4-14].

    Examples
    --------
    >>> [round(float(v), 3) for v in lla_to_ecef([0.0, 90.0, 100.0])]
    [0.0, 6378237.0, 0.0]
    """
    lat_deg, lon_deg, height = np.moveaxis(given("lla", lla, "deg, deg, m", 3), -1, 0)
    lat, lon = np.radians(lat_deg), np.radians(lon_deg)
    (sin_lat, cos_lat), (sin_lon, cos_lon) = exact.sincos(lat), exact.sincos(lon)
    normal = SEMI_MAJOR / np.sqrt(1.0 - _E2 * sin_lat**2)
    from_axis = (normal + height) * cos_lat
    return np.stack(
        (
            from_axis * cos_lon,
            from_axis * sin_lon,
            (normal * (1.0 - _E2) + height) * sin_lat,
        ),
        axis=-1,
    )


def ecef_to_lla(ecef: ArrayLike) -> Array:
    """Convert earth-centred positions to geodetic ones.

    Parameters
    ----------
    ecef : array_like, shape (..., 3)
        x, y, z [m], earth-centred and earth-fixed, at most 1000 km below the surface.

    Returns
    -------
    ndarray, shape (..., 3), float64
        Latitude -90..90 [deg], longitude -180..180 [deg] (0 on the axis), height above the
        ellipsoid [m]. NaN stays NaN.

    Raises
    ------
    ShapeError, TypeError
        The last axis is not of length 3, or these are no numbers.

    Notes
    -----
    Latitude by the fixed-point form of [@bowring], iterated to rounding. Height as the projection
    on the normal, which has no singular latitude.

    Examples
    --------
    >>> [float(v) for v in ecef_to_lla([6378147.0, 0.0, 0.0])]
    [0.0, 0.0, 10.0]
    """
    x, y, z = np.moveaxis(given("ecef", ecef, "m", 3), -1, 0)
    from_axis = np.sqrt(x * x + y * y)
    reduced = exact.arctan2(z, (1.0 - FLATTENING) * from_axis)
    for _ in range(_BOWRING_STEPS):
        sine, cosine = exact.sincos(reduced)
        rise = z + _EP2 * SEMI_MINOR * (sine * sine * sine)
        run = from_axis - _E2 * SEMI_MAJOR * (cosine * cosine * cosine)
        # reduced latitude of the improved latitude: tan(reduced) = (1 - f) tan(lat)
        reduced = exact.arctan2((1.0 - FLATTENING) * rise, run)
    lat = exact.arctan2(rise, run)
    sin_lat, cos_lat = exact.sincos(lat)
    height = from_axis * cos_lat + z * sin_lat - SEMI_MAJOR * np.sqrt(1.0 - _E2 * sin_lat**2)
    return np.stack((np.degrees(lat), np.degrees(exact.arctan2(y, x)), height), axis=-1)


class LocalFrame:
    """Local north-east-down frame, tangent to the ellipsoid at its origin.

    Distances in the frame are straight-line distances. A point of the ellipsoid at a distance
    ``d`` along the surface is about ``d**2 / (2 R)`` below the tangent plane (8 cm at 1 km).

    Parameters
    ----------
    lat, lon : float
        Geodetic latitude -90..90 and longitude -180..180 of the origin [deg].
    alt : float
        Height of the origin above the ellipsoid [m].

    Raises
    ------
    ValueError
        An argument is out of range or not finite.

    Notes
    -----
    The axes are the columns of the rotation from local to earth-centred axes of
    [@wgs84 4]: north is the meridian's tangent, east the parallel's, down the inward normal.

    Examples
    --------
    >>> frame = LocalFrame(40.1540302, 116.2593683, 50.0)
    >>> [round(float(v), 3) for v in frame.to_lla([0.0, 0.0, -10.0])]
    [40.154, 116.259, 60.0]
    """

    __slots__ = ("_origin", "_to_ecef", "alt", "lat", "lon")

    def __init__(self, lat: float, lon: float, alt: float = 0.0) -> None:
        self.lat = _in_range("lat", lat, 90.0)
        self.lon = _in_range("lon", lon, 180.0)
        self.alt = _in_range("alt", alt, np.inf)
        self._origin = lla_to_ecef((self.lat, self.lon, self.alt))
        self._to_ecef = _axes(self.lat, self.lon)

    def __repr__(self) -> str:
        """Return the call that constructs this frame."""
        return f"LocalFrame(lat={self.lat!r}, lon={self.lon!r}, alt={self.alt!r})"

    def to_ned(self, lla: ArrayLike) -> Array:
        """Convert geodetic positions (deg, deg, m; shape (..., 3)) to north, east, down [m]."""
        return self.ecef_to_ned(lla_to_ecef(lla))

    def to_lla(self, ned: ArrayLike) -> Array:
        """Convert north, east, down [m], shape (..., 3), to geodetic positions (deg, deg, m)."""
        return ecef_to_lla(self.ned_to_ecef(ned))

    def ecef_to_ned(self, ecef: ArrayLike) -> Array:
        """Convert earth-centred positions [m], shape (..., 3), to north, east, down [m]."""
        return _rotated(given("ecef", ecef, "m", 3) - self._origin, self._to_ecef.T)

    def ned_to_ecef(self, ned: ArrayLike) -> Array:
        """Convert north, east, down [m], shape (..., 3), to earth-centred positions [m]."""
        return _rotated(given("ned", ned, "m", 3), self._to_ecef) + self._origin


def _in_range(name: str, value: Any, limit: float) -> float:
    """Return ``value`` as a finite float within plus and minus ``limit``."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name}: expected a number, got {brief(value)}") from None
    if not np.isfinite(number) or abs(number) > limit:
        expected = "a finite number" if np.isinf(limit) else f"-{limit:g}..{limit:g} deg"
        raise ValueError(f"{name}: expected {expected}, got {number}")
    return number


def _rotated(vectors: Array, matrix: Array) -> Array:
    """Return ``matrix`` times each vector (..., 3), without BLAS, whose bits depend on the CPU."""
    x, y, z = np.moveaxis(vectors, -1, 0)[..., None]
    rotated: Array = x * matrix[:, 0] + y * matrix[:, 1] + z * matrix[:, 2]
    return rotated


def _axes(lat_deg: float, lon_deg: float) -> Array:
    """Return the matrix whose columns are north, east and down in earth-centred axes."""
    lat, lon = np.radians(lat_deg), np.radians(lon_deg)
    (sin_lat, cos_lat), (sin_lon, cos_lon) = exact.sincos(lat), exact.sincos(lon)
    return np.array(
        [
            [-sin_lat * cos_lon, -sin_lon, -cos_lat * cos_lon],
            [-sin_lat * sin_lon, cos_lon, -cos_lat * sin_lon],
            [cos_lat, 0.0, -sin_lat],
        ]
    )
