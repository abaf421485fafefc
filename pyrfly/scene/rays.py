"""Rays into a scene: `RayHits`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.arrays import numeric_array
from pyrfly.errors import brief

__all__ = ["RayHits", "cast"]

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


def cast(
    core: _core.Scene, origins: ArrayLike, directions: ArrayLike, reach: float, threads: int
) -> RayHits:
    """Cast rays into a scene of the core; see `Scene.raycast`."""
    vectors = [_vectors("origins", origins, "m, NED"), _vectors("directions", directions, "1")]
    reach, threads = _reach(reach), _threads(threads)
    try:
        shape = np.broadcast_shapes(*(v.shape for v in vectors))
    except ValueError:
        got = " and ".join(str(v.shape) for v in vectors)
        raise ValueError(
            f"origins, directions: expected shapes that broadcast, got {got}"
        ) from None
    each, starts, ways = _layout(vectors[0], vectors[1], shape)
    distances, shapes = core.raycast(starts, ways, each, reach, threads)
    distances = distances.reshape(shape[:-1])
    invalid = np.isnan(distances)
    if invalid.any():
        raise _error_of(np.broadcast_to(v, shape)[invalid][0] for v in vectors)
    return RayHits(distances, shapes.reshape(shape[:-1]))


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
