"""RflySim's `EarthModel`: WGS84 conversions with scalar arguments, on `pyrfly.frames.geodesy`.

Latitudes and longitudes are in degrees, heights above the ellipsoid and all lengths in metres.
`pyrfly.frames.geodesy` does the same for arrays.

RflySim rounds the polar radius to 6356752.3142 m. Here it is that of the defining flattening,
6356752.314245 m, which moves a pole by 0.05 mm. Its closed form of `EarthModel.ecef2lla` divides by
zero on the axis of the earth; this one does not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.frames import FLATTENING, SEMI_MAJOR, SEMI_MINOR, LocalFrame, ecef_to_lla, lla_to_ecef
from pyrfly.protocol.masks import MavFrame

__all__ = ["Coordinate", "EarthModel"]


class Coordinate:
    """Frames of set-points, numbered as in MAVLink's ``MAV_FRAME``."""

    LOCAL_NED = int(MavFrame.LOCAL_NED)
    GLOBAL_INT = int(MavFrame.GLOBAL_INT)
    NED_BODY = int(MavFrame.BODY_NED)


def _three(values: ArrayLike) -> tuple[float, float, float]:
    """Return three numbers as Python floats."""
    x, y, z = np.asarray(values, dtype=np.float64).tolist()
    return x, y, z


def _first_three(name: str, values: Sequence[float]) -> tuple[float, float, float]:
    """Return the first three numbers of a sequence, such as the nine of ``uavPosGPS``."""
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 1 or len(numbers) < 3:
        raise ValueError(f"{name}: expected a sequence of at least 3 numbers, got {values!r:.80}")
    return _three(numbers[:3])


class EarthModel:
    """Conversions between geodetic, earth-centred, east-north-up and north-east-down coordinates.

    Attributes
    ----------
    wgs84_a, wgs84_b : float
        Equatorial and polar radius [m].
    wgs84_f : float
        Flattening.
    pow_e_2 : float
        First eccentricity squared.

    Notes
    -----
    Every method raises ValueError, naming what was expected, for a latitude outside -90..90, a
    longitude outside -180..180 or a non-finite height of the origin of a local frame.

    Examples
    --------
    >>> earth = EarthModel()
    >>> [round(v, 3) for v in earth.lla2ned([0.0, 0.0, 10.0], [0.0, 0.0, 0.0])]
    [0.0, 0.0, -10.0]
    """

    def __init__(self) -> None:
        self.wgs84_a = SEMI_MAJOR
        self.wgs84_b = SEMI_MINOR
        self.wgs84_f = FLATTENING
        self.pow_e_2 = FLATTENING * (2.0 - FLATTENING)

    def lla2ecef(self, lat: float, lon: float, h: float) -> tuple[float, float, float]:
        """Return earth-centred x, y, z [m] of a geodetic position [deg, deg, m]."""
        return _three(lla_to_ecef((lat, lon, h)))

    def ecef2lla(self, x: float, y: float, z: float) -> tuple[float, float, float]:
        """Return latitude, longitude [deg] and height [m] of an earth-centred position [m]."""
        return _three(ecef_to_lla((x, y, z)))

    def ecef2enu(
        self, x: float, y: float, z: float, lat0: float, lon0: float, h0: float
    ) -> tuple[float, float, float]:
        """Return east, north, up [m] from the origin of an earth-centred position [m].

        Parameters
        ----------
        x, y, z : float
            Earth-centred position [m].
        lat0, lon0, h0 : float
            Origin [deg, deg, m].
        """
        north, east, down = _three(LocalFrame(lat0, lon0, h0).ecef_to_ned((x, y, z)))
        return east, north, -down

    def enu2ecef(
        self, xEast: float, yNorth: float, zUp: float, lat0: float, lon0: float, h0: float
    ) -> tuple[float, float, float]:
        """Return the earth-centred position [m] of east, north, up [m] from an origin.

        Parameters
        ----------
        xEast, yNorth, zUp : float
            Position from the origin [m].
        lat0, lon0, h0 : float
            Origin [deg, deg, m].
        """
        return _three(LocalFrame(lat0, lon0, h0).ned_to_ecef((yNorth, xEast, -zUp)))

    def lla2enu(
        self, lat: float, lon: float, h: float, lat_ref: float, lon_ref: float, h_ref: float
    ) -> tuple[float, float, float]:
        """Return east, north, up [m] of a geodetic position [deg, deg, m] from an origin.

        Parameters
        ----------
        lat, lon, h : float
            Position [deg, deg, m].
        lat_ref, lon_ref, h_ref : float
            Origin [deg, deg, m].
        """
        return self.ecef2enu(*self.lla2ecef(lat, lon, h), lat_ref, lon_ref, h_ref)

    def enu2lla(
        self, xEast: float, yNorth: float, zUp: float, lat_ref: float, lon_ref: float, h_ref: float
    ) -> tuple[float, float, float]:
        """Return the geodetic position [deg, deg, m] of east, north, up [m] from an origin.

        Parameters
        ----------
        xEast, yNorth, zUp : float
            Position from the origin [m].
        lat_ref, lon_ref, h_ref : float
            Origin [deg, deg, m].
        """
        return self.ecef2lla(*self.enu2ecef(xEast, yNorth, zUp, lat_ref, lon_ref, h_ref))

    def lla2ned(self, lla: Sequence[float], lla0: Sequence[float]) -> list[float]:
        """Return north, east, down [m] of a geodetic position from an origin, as a list.

        Parameters
        ----------
        lla, lla0 : sequence of at least 3 floats
            Position and origin: latitude [deg], longitude [deg], height [m]; more is ignored.
        """
        frame = LocalFrame(*_first_three("lla0", lla0))
        return list(_three(frame.to_ned(_first_three("lla", lla))))

    def ned2lla(self, ned: Sequence[float], lla0: Sequence[float]) -> tuple[float, float, float]:
        """Return the geodetic position [deg, deg, m] of north, east, down [m] from an origin.

        Parameters
        ----------
        ned : sequence of at least 3 floats
            North, east, down from the origin [m]; more is ignored.
        lla0 : sequence of at least 3 floats
            Origin: latitude [deg], longitude [deg], height [m]; more is ignored.
        """
        frame = LocalFrame(*_first_three("lla0", lla0))
        return _three(frame.to_lla(_first_three("ned", ned)))
