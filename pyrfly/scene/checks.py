"""Checks of the numbers of shapes; each returns the value in its one form, or raises a SceneError.

The messages say what was expected and what came; the shape adds its own name and the field's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.arrays import numeric_array
from pyrfly.errors import SceneError, brief
from pyrfly.frames import quaternion_of_euler

__all__ = [
    "BLOCK",
    "EXTENT",
    "FARTHEST",
    "IDENTITY",
    "SIZES",
    "Array",
    "Quaternion",
    "Vector",
    "attitude",
    "coefficient",
    "corner_numbers",
    "direction",
    "fraction",
    "immutable",
    "one_length",
    "place",
    "points",
    "scale",
    "text",
    "three_lengths",
    "transformed",
    "unit",
]

Array = NDArray[np.float64]
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

BLOCK = 1 << 14
"""Number of points or triangles that are computed at once, in a cache."""

EXTENT: float = 2 * _core.limits()["scene_reach"]
"""Maximum extent of a scene, and of a shape, north, east or down [m]."""

SIZES = (1e-3, EXTENT)
"""Minimum and maximum length, height or radius of a shape [m]."""

FARTHEST: float = _core.limits()["distance"]
"""Maximum north, east or down of a place [m]."""

IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)
"""The attitude of a shape whose local axes are north, east and down."""

_MOST_FRICTION = 10.0
_LONGEST_NAME = 100
_TURN = 2 * math.pi  # rad, beyond it an angle is one in degrees
_NEAR_UNIT = 1e-3  # of the square of a quaternion's length
_ROUNDED = 1e-15  # of the square of the length of what has been divided by its length
_SCALES = (1e-6, 1e6)


def _numbers(value: Any, shapes: tuple[tuple[int, ...], ...], what: str) -> list[float]:
    """Return finite numbers of one of the shapes."""
    try:
        array = numeric_array("", value, "", "iuf")
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    numbers: list[float] = array.ravel().tolist()
    if array.shape not in shapes or not all(map(math.isfinite, numbers)):
        raise SceneError(f"expected {what}, got {brief(value)}")
    return numbers


def _number(value: Any, minimum: float, maximum: float, unit: str) -> float:
    what = f"a number of {minimum:g} to {maximum:g} [{unit}]"
    (number,) = _numbers(value, ((),), what)
    if not minimum <= number <= maximum:
        raise SceneError(f"expected {what}, got {brief(value)}")
    return number


def one_length(value: Any) -> float:
    """Return a length within `SIZES` [m]."""
    return _number(value, *SIZES, "m")


def three_lengths(value: Any) -> Vector:
    """Return three lengths within `SIZES` [m]."""
    what = f"3 numbers of {SIZES[0]:g} to {SIZES[1]:g} [m]"
    x, y, z = _numbers(value, ((3,),), what)
    if not (SIZES[0] <= min(x, y, z) and max(x, y, z) <= SIZES[1]):
        raise SceneError(f"expected {what}, got {brief(value)}")
    return x, y, z


def place(value: Any) -> Vector:
    """Return a position within `FARTHEST` [m, NED]."""
    what = f"3 numbers within {FARTHEST / 1000:g} km [m, NED]"
    x, y, z = _numbers(value, ((3,),), what)
    if max(abs(x), abs(y), abs(z)) > FARTHEST:
        raise SceneError(f"expected {what}, got {brief(value)}")
    return x, y, z


def direction(value: Any) -> Vector:
    """Return a direction, which may have any length but 0, as a unit vector."""
    x, y, z = _numbers(value, ((3,),), "3 numbers, not all 0")
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0.0:
        raise SceneError(f"expected 3 numbers, not all 0, got {brief(value)}")
    if abs(x * x + y * y + z * z - 1.0) <= _ROUNDED:
        return x, y, z
    x, y, z = x / largest, y / largest, z / largest
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def attitude(value: Any) -> Quaternion:
    """Return an attitude as a unit quaternion, of a quaternion or of roll, pitch, yaw [rad]."""
    what = "roll, pitch, yaw [rad] within a turn or a unit quaternion, scalar first"
    numbers = _numbers(value, ((3,), (4,)), what)
    if len(numbers) == 3 and max(map(abs, numbers)) > _TURN:
        raise SceneError(f"expected {what}, got {brief(value)}")
    w, x, y, z = numbers if len(numbers) == 4 else quaternion_of_euler(numbers).tolist()
    if not abs(w * w + x * x + y * y + z * z - 1.0) <= _NEAR_UNIT:
        raise SceneError(f"expected {what}, got {brief(value)}")
    return unit((w, x, y, z))


def unit(quaternion: Quaternion) -> Quaternion:
    """Return a quaternion with the length 1; one that this returned, as it is."""
    w, x, y, z = quaternion
    square = w * w + x * x + y * y + z * z
    if abs(square - 1.0) <= _ROUNDED:
        return w, x, y, z
    length = math.sqrt(square)
    return w / length, x / length, y / length, z / length


def fraction(value: Any) -> float:
    """Return a number of 0 to 1."""
    return _number(value, 0.0, 1.0, "1")


def scale(value: Any) -> float:
    """Return the metres that 1 of a mesh's vertices is."""
    return _number(value, *_SCALES, "m")


def coefficient(value: Any) -> float:
    """Return a coefficient of friction."""
    return _number(value, 0.0, _MOST_FRICTION, "1")


def text(value: Any) -> str:
    """Return a name of printable characters."""
    if not isinstance(value, str) or len(value) > _LONGEST_NAME or not value.isprintable():
        raise SceneError(
            f"expected a text of up to {_LONGEST_NAME} printable characters, got {brief(value)}"
        )
    return value


def points(value: Any) -> Array:
    """Return vertices of a mesh, shape (k, 3), as an unchangeable copy."""
    vertices: Array = _rows(value, "iuf", np.float64, "finite numbers")
    return vertices


def corner_numbers(value: Any, count: int, most: int) -> NDArray[np.int32]:
    """Return triangles as numbers of vertices, shape (m, 3), as an unchangeable copy."""
    if isinstance(value, Sequence | np.ndarray) and len(value) > most:
        raise SceneError(f"expected at most {most} triangles, got {len(value)}")
    numbers = _rows(value, "iu", np.int64, "whole numbers")
    bad = (numbers < 0) | (numbers >= count)
    if bad.any():
        row = int(np.argmax(bad.any(axis=1)))
        raise SceneError(
            f"expected numbers of vertices, 0 to {count - 1}, got {numbers[row].tolist()} in row "
            f"{row}, and {int(bad.any(axis=1).sum())} such rows in all"
        )
    return immutable(numbers.astype(np.int32))


def colours(value: Any, count: int) -> NDArray[np.uint8]:
    """Return a colour for each of so many triangles, shape (m, 3), as an unchangeable copy."""
    rows = _rows(value, "iu", np.int64, "whole numbers")
    if len(rows) != count or not ((rows >= 0) & (rows <= 255)).all():
        raise SceneError(
            f"expected {count} rows of red, green and blue, 0 to 255, as many as triangles, got "
            f"{len(rows)} rows of {int(rows.min())} to {int(rows.max())}"
        )
    return immutable(rows.astype(np.uint8))


def _rows(value: Any, kinds: str, dtype: Any, what: str) -> Any:
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        array = np.empty(0, dtype=object)
    if array.ndim != 2 or array.shape[1] != 3 or not len(array) or array.dtype.kind not in kinds:
        raise SceneError(f"expected rows of 3 {what}, got {_shown(array, value)}")
    if array.dtype == np.uint64:
        array = np.minimum(array, np.uint64(np.iinfo(np.int64).max))
    finite = np.isfinite(array)
    if not finite.all():
        bad = ~finite.all(axis=1)
        row = int(np.argmax(bad))
        raise SceneError(
            f"expected rows of 3 {what}, got {array[row].tolist()} in row {row}, and "
            f"{int(bad.sum())} such rows in all"
        )
    return immutable(array.astype(dtype))


def _shown(array: NDArray[Any], value: Any) -> str:
    shaped = array.dtype.kind in "biuf" and array.ndim > 0
    return f"shape {array.shape} of {array.dtype}" if shaped else brief(value)


def immutable(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy that no flag makes writeable, in the order of C."""
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def transformed(points: Array, rotation: Array, shift: Any) -> Array:
    """Return points (..., 3) rotated, then shifted, with the same bits on every processor."""
    found, rows = np.empty(points.shape), points.reshape(-1, 3)
    out = found.reshape(-1, 3)
    for first in range(0, len(rows), BLOCK):
        x, y, z = rows[first : first + BLOCK].T
        for axis, (a, b, c) in enumerate(rotation.tolist()):
            out[first : first + BLOCK, axis] = a * x + b * y + c * z + shift[axis]
    return found
