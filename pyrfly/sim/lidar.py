"""Lidars and depth cameras of vehicles: `Lidar`, and what they measure, `Scan`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core, exact
from pyrfly.arrays import finite_array, numeric_array
from pyrfly.errors import brief
from pyrfly.frames import quaternion_of_euler

__all__ = ["Lidar", "Scan"]

Array = NDArray[np.float64]

MAXIMUM_RAYS = 1 << 22
"""Maximum number of rays of a lidar."""

_LARGEST = 1e6  # m, of distances
_DRAWS = 4  # uniform numbers whose sum is a number of the noise
_SPREAD = float(np.sqrt(12 / _DRAWS))  # 1 over the standard deviation of that sum
_STREAM = 0x6C696461  # of its random numbers: "lida"


@dataclass(frozen=True, eq=False)
class Lidar:
    """A sensor of distances that is fixed to a vehicle: rays in a pattern.

    It measures where each ray meets the scene, the ground or another vehicle first, at one time for
    all rays. Leaves out: the width of beams, the strength of echoes, the motion during a turn.

    Parameters
    ----------
    directions : array_like, shape (..., 3)
        Directions of the rays in its axes, forward, right, down, of any length but 0. `spinning`,
        `ring` and `camera` make them.
    maximum : float
        Largest distance that it measures [m].
    minimum : float
        Smallest one; nearer surfaces count as there.
    noise : float
        Standard deviation of the noise of distances [m]; the noise is the sum of four uniform
        numbers, within 3.5 of it.
    position : (float, float, float)
        Where it is on the vehicle [m, FRD], from the centre of mass.
    attitude : sequence of 3 or 4 floats
        How its axes are turned from those of the vehicle: roll, pitch, yaw [rad], or a unit
        quaternion, scalar first.

    Raises
    ------
    ValueError, TypeError
        A parameter is not as described.

    Examples
    --------
    >>> lidar = Lidar.spinning(channels=16, columns=360)
    >>> lidar.directions.shape
    (16, 360, 3)
    """

    directions: Array
    maximum: float = 100.0
    minimum: float = 0.0
    noise: float = 0.0
    position: Array = field(default_factory=lambda: np.zeros(3))
    attitude: Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))

    def __post_init__(self) -> None:
        """Check the parameters; directions get the length 1, the attitude becomes a quaternion."""
        values: dict[str, Any] = {
            "directions": _directions(self.directions),
            "maximum": _number("maximum", self.maximum),
            "minimum": _number("minimum", self.minimum),
            "noise": _number("noise", self.noise),
            "position": _vector("position", self.position, (3,)),
            "attitude": _quaternion(self.attitude),
        }
        if not values["minimum"] < values["maximum"]:
            raise ValueError(
                f"minimum: expected less than the maximum, {values['maximum']:g} m, "
                f"got {brief(self.minimum)}"
            )
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)

    @classmethod
    def spinning(
        cls,
        channels: int = 16,
        columns: int = 360,
        elevation: tuple[float, float] = (np.radians(-15.0), np.radians(15.0)),
        azimuth: tuple[float, float] = (-np.pi, np.pi),
        **settings: Any,
    ) -> Lidar:
        """Return a lidar that turns about its down axis; its scans have shape (channels, columns).

        Parameters
        ----------
        channels, columns : int
            Numbers of elevations, both ends among them, and of azimuths; of a whole turn the end is
            left out, which is the begin.
        elevation, azimuth : (float, float)
            First and last one [rad]: elevations up, azimuths to the right from forward.
        **settings
            The other parameters of a `Lidar`.
        """
        _require_few(channels=channels, columns=columns)
        low, high = _vector("elevation", elevation, (2,))
        begin, end = _vector("azimuth", azimuth, (2,))
        turn = bool(abs(end - begin) > 2 * np.pi - 1e-9)
        up = np.linspace(low, high, channels)
        right = np.linspace(begin, end, columns, endpoint=not turn)
        (sin_up, cos_up), (sin_right, cos_right) = exact.sincos(up), exact.sincos(right)
        ways = np.stack(
            [
                np.multiply.outer(cos_up, cos_right),
                np.multiply.outer(cos_up, sin_right),
                np.broadcast_to(-sin_up[:, None], (len(up), len(right))),
            ],
            axis=-1,
        )
        return cls(ways, **settings)

    @classmethod
    def ring(cls, sectors: int = 72, **settings: Any) -> Lidar:
        """Return rays all around, the first forward, then to the right; scans of (sectors,)."""
        _require_few(sectors=sectors)
        one = cls.spinning(1, sectors, (0.0, 0.0), (0.0, 2 * np.pi))
        return cls(one.directions[0], **settings)

    @classmethod
    def camera(
        cls, width: int = 64, height: int = 48, fov: float = np.pi / 2, **settings: Any
    ) -> Lidar:
        """Return the rays of the pixels of a depth camera; its scans have shape (height, width).

        Parameters
        ----------
        width, height : int
            Numbers of pixels, of squares.
        fov : float
            Horizontal field of view [rad], below pi.
        **settings
            The other parameters of a `Lidar`. `Scan.depth` is what such cameras give.
        """
        _require_few(width=width, height=height)
        angle = _number("fov", fov)
        if not 0 < angle < np.pi - 1e-3:
            raise ValueError(f"fov: expected above 0 and below pi [rad], got {brief(fov)}")
        sine, cosine = exact.sincos(angle / 2)
        pixel = 2 * sine / cosine / width
        right = (np.arange(width) + 0.5 - width / 2) * pixel
        down = (np.arange(height) + 0.5 - height / 2) * pixel
        ways = np.ones((height, width, 3))
        ways[..., 1], ways[..., 2] = right, down[:, None]
        return cls(ways, **settings)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a scan of one vehicle."""
        return self.directions.shape[:-1]

    def measured(
        self, distances: NDArray[np.float32], tick: int, seeds: Sequence[tuple[int, int]]
    ) -> NDArray[np.float32]:
        """Return distances (k, ...) with noise and limits, of vehicles (seed, number) at a time."""
        if self.noise:
            noise = np.empty(distances.shape, np.float32)
            for row, (seed, vehicle) in enumerate(seeds):
                width = _DRAWS * int(np.prod(self.shape))
                draws = _core.uniform(seed, _STREAM, tick, vehicle, 1, width)
                total = draws.reshape(*self.shape, _DRAWS).sum(axis=-1) - _DRAWS / 2
                noise[row] = total * (_SPREAD * self.noise)
            distances = distances + noise
        distances = np.where(distances > self.maximum, np.float32(np.inf), distances)
        return np.asarray(np.maximum(distances, np.float32(self.minimum)), np.float32)


@dataclass(frozen=True, eq=False)
class Scan:
    """What the lidars of k vehicles measure at one time.

    Attributes
    ----------
    lidar : Lidar
        What measured it.
    time : float
        Simulated time [s].
    distance : ndarray of float32, shape (k,) + lidar.shape
        Measured distances [m]; infinite where there is nothing within the maximum.
    kind, number : ndarray, of that shape
        What is there: a `Seen`; the number of a shape of the scene or a CopterID, else -1.
    positions, attitudes : ndarray, shapes (k, 3) and (k, 4)
        Where the axes of the vehicles begin [m, NED]: at their ``pos``, of marine craft
        ``rest_height`` above it; and their attitudes, FRD to NED.
    """

    lidar: Lidar
    time: float
    distance: NDArray[np.float32]
    kind: NDArray[np.uint8]
    number: NDArray[np.int32]
    positions: Array
    attitudes: Array

    @property
    def depth(self) -> NDArray[np.float32]:
        """Distances along the sensor's forward axis [m], as depth cameras give them."""
        return np.asarray(self.distance * self.lidar.directions[..., 0], np.float32)

    def points(self, frame: str = "NED") -> Array:
        """Return the places that are measured, of the shape of ``distance`` and 3 [m].

        Parameters
        ----------
        frame : {'NED', 'FRD', 'sensor'}
            In the local frame, from the vehicle's centre of mass in its axes, or from the sensor in
            the sensor's; NaN where there is nothing.
        """
        if frame not in ("NED", "FRD", "sensor"):
            raise ValueError(f"frame: expected 'NED', 'FRD' or 'sensor', got {brief(frame)}")
        distance = np.where(np.isfinite(self.distance), self.distance, np.nan)
        places = distance[..., None].astype(np.float64) * self.lidar.directions
        if frame == "sensor":
            return np.asarray(places)
        places = turned(self.lidar.attitude, places) + self.lidar.position
        if frame == "FRD":
            return np.asarray(places)
        inner = (len(self.positions), *[1] * len(self.lidar.shape))
        attitudes = self.attitudes.reshape(*inner, 4)
        return np.asarray(turned(attitudes, places) + self.positions.reshape(*inner, 3))


def turned(attitude: Array, vectors: Array) -> Array:
    """Return vectors (..., 3) turned by unit quaternions (..., 4), alike on all processors."""
    w = attitude[..., :1]
    x, y, z = (attitude[..., k] for k in (1, 2, 3))

    def crossed(v: Array) -> Array:
        return np.stack(
            [
                y * v[..., 2] - z * v[..., 1],
                z * v[..., 0] - x * v[..., 2],
                x * v[..., 1] - y * v[..., 0],
            ],
            axis=-1,
        )

    twice = 2.0 * crossed(vectors)
    return np.asarray(vectors + w * twice + crossed(twice))


def _directions(value: ArrayLike) -> Array:
    given = value if isinstance(value, np.ndarray) else numeric_array("directions", value, "1")
    if given.ndim < 2 or given.shape[-1] != 3 or not 1 <= given.size // 3 <= MAXIMUM_RAYS:
        raise ValueError(
            f"directions: expected the shape (..., 3) of 1 to {MAXIMUM_RAYS} rays, got "
            f"{given.shape}"
        )
    ways = finite_array("directions", given, "1", 1e9)
    lengths = exact.norm(ways)
    if not (lengths > 1e-9).all():
        raise ValueError("directions: expected lengths from 1e-9 to 1e9, got one of 0")
    return np.asarray(ways / lengths[..., None])


def _number(name: str, value: Any) -> float:
    array = finite_array(name, value, "SI", _LARGEST)
    if array.ndim or array < 0:
        raise ValueError(f"{name}: expected one number from 0, got {brief(value)}")
    return float(array)


def _vector(name: str, value: Any, lengths: tuple[int, ...]) -> Array:
    array = finite_array(name, value, "SI", _LARGEST)
    if array.ndim != 1 or len(array) not in lengths:
        counts = " or ".join(map(str, lengths))
        raise ValueError(f"{name}: expected {counts} numbers, got {brief(value)}")
    return array


def _quaternion(value: Any) -> Array:
    array = _vector("attitude", value, (3, 4))
    if len(array) == 3:
        return np.asarray(quaternion_of_euler(array))
    length = float(exact.norm(array))
    if not abs(length - 1) < 1e-3:
        raise ValueError(f"attitude: expected a unit quaternion, got {brief(value)}")
    return np.asarray(array / length)


def _require_few(**counts: Any) -> None:
    """Raise an error unless these are whole numbers from 1 of so many rays together."""
    for name, value in counts.items():
        if not isinstance(value, int | np.integer) or isinstance(value, bool):
            raise TypeError(f"{name}: expected a whole number, got {brief(value)}")
        if not 1 <= value <= MAXIMUM_RAYS:
            raise ValueError(f"{name}: expected 1 to {MAXIMUM_RAYS}, got {brief(value)}")
    rays = math.prod(map(int, counts.values()))
    if rays > MAXIMUM_RAYS:
        raise ValueError(f"{', '.join(counts)}: expected up to {MAXIMUM_RAYS} rays, got {rays}")
