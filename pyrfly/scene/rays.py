"""Rays into a scene: `Rays` as the core takes them, `RayHits`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.arrays import numeric_array
from pyrfly.errors import brief

__all__ = ["MAXIMUM_RAYS", "RayHits", "Rays", "cast"]

MAXIMUM_RAYS = 1 << 28
"""Maximum number of rays of a call, whose results take 2.4 GB."""

_FARTHEST = 9e8  # m, of an origin


class RayHits(NamedTuple):
    """What rays meet, with the common shape of origins and directions.

    Attributes
    ----------
    distance : ndarray of float32
        To the first surface [m]; infinite where none is within reach.
    shape : ndarray of int32
        Number of its shape in `Scene.shapes`; -1 where there is none.
    """

    distance: NDArray[np.float32]
    shape: NDArray[np.int32]


class Rays:
    """Rays as the core takes them; arguments and errors as of `Scene.raycast`.

    Attributes
    ----------
    shape : tuple of int
        Of the rays: the common one of origins and directions, without their last axis.
    starts, ways : ndarray, shapes (n, 3) and (m, 3)
        Origins, and directions.
    each : int
        Rays of each origin: ray i begins at origin i // each and has direction i % m.
    reach : float
        Distance up to which surfaces are met [m].
    threads : int
        Maximum number of threads.
    """

    def __init__(
        self, origins: ArrayLike, directions: ArrayLike, reach: float, threads: int
    ) -> None:
        vectors = [_vectors("origins", origins, "m, NED"), _vectors("directions", directions, "1")]
        self.reach, self.threads = _reach(reach), _threads(threads)
        try:
            self._shape = np.broadcast_shapes(*(v.shape for v in vectors))
        except ValueError:
            got = " and ".join(str(v.shape) for v in vectors)
            raise ValueError(
                f"origins, directions: expected shapes that broadcast, got {got}"
            ) from None
        self._vectors = vectors
        self.shape = self._shape[:-1]
        if math.prod(self.shape) > MAXIMUM_RAYS:
            raise ValueError(
                f"origins, directions: expected up to {MAXIMUM_RAYS} rays, got {self.shape}"
            )
        self.each, self.starts, self.ways = _layout(vectors[0], vectors[1], self._shape)

    def per_origin(self, name: str, values: NDArray[Any]) -> NDArray[Any]:
        """Return a value for each of `starts`, of values that broadcast to the shape of origins."""
        origins = self._vectors[0].shape[:-1]
        try:
            spread = np.broadcast_to(np.broadcast_to(values, origins), self.shape)
        except ValueError:
            raise ValueError(
                f"{name}: expected a shape that broadcasts to {origins}, that of the origins, "
                f"got {values.shape}"
            ) from None
        return np.ascontiguousarray(spread.reshape(-1)[:: self.each])

    def checked(self, distances: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return distances in the shape of the rays; raise for a ray that is none, a NaN."""
        distances = distances.reshape(self.shape)
        invalid = np.isnan(distances)
        if invalid.any():
            raise _error_of(np.broadcast_to(v, self._shape)[invalid][0] for v in self._vectors)
        return distances


def cast(
    core: _core.Scene, origins: ArrayLike, directions: ArrayLike, reach: float, threads: int
) -> RayHits:
    """Cast rays into a scene of the core; see `Scene.raycast`."""
    rays = Rays(origins, directions, reach, threads)
    shapes, distances = core.raycast(rays.starts, rays.ways, rays.each, rays.reach, rays.threads)
    return RayHits(rays.checked(distances.view(np.float32)), shapes.reshape(rays.shape))


def _reach(value: Any) -> float:
    array = numeric_array("reach", value, "m", "iuf")
    if array.ndim:
        raise TypeError(f"reach: expected one number [m], got {brief(value)}")
    if not array > 0:
        raise ValueError(f"reach: expected more than 0 m, got {brief(value)}")
    return float(array)


def _threads(value: Any) -> int:
    most = _core.limits()["threads"]
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise TypeError(f"threads: expected a whole number of 1 to {most}, got {brief(value)}")
    if not 1 <= value <= most:
        raise ValueError(f"threads: expected 1 to {most}, got {brief(value)}")
    return int(value)


def _error_of(ray: Iterable[NDArray[np.float64]]) -> ValueError:
    """Return what is wrong with an origin and a direction."""
    origin, direction = ray
    if not np.abs(origin).max() <= _FARTHEST:
        what = f"finite places within {_FARTHEST:g} m [NED]"
        return ValueError(f"origins: expected {what}, got {origin.tolist()}")
    what = "finite directions with a length of 1e-9 to 1e9"
    return ValueError(f"directions: expected {what}, got {direction.tolist()}")


def _vectors(name: str, value: ArrayLike, unit: str) -> NDArray[np.float64]:
    array = numeric_array(name, value, unit, "iuf")
    if array.ndim < 1 or array.shape[-1] != 3:
        raise ValueError(f"{name}: expected the shape (..., 3) [{unit}], got {array.shape}")
    return array


def _layout(
    origins: NDArray[np.float64], directions: NDArray[np.float64], shape: tuple[int, ...]
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Return the number of rays of each origin, and origins and directions as rows.

    What is the same along the last axis of rays, or for all of them, is not copied.
    """
    last = shape[-2] if len(shape) > 1 else 1
    one_origin = last > 1 and (origins.ndim < 2 or origins.shape[-2] == 1)
    if one_origin:
        origins = np.broadcast_to(origins, shape)[..., :1, :]
    else:
        origins = np.broadcast_to(origins, shape)
    if not (one_origin and directions.size == 3 * last):
        directions = np.broadcast_to(directions, shape)
    starts, ways = (np.ascontiguousarray(v).reshape(-1, 3) for v in (origins, directions))
    return last if one_origin else 1, starts, ways
