"""Arithmetic with the same bits on every processor.

The sine of NumPy and of the C library, and the dot product of a BLAS, differ in the last bit
between processors. Values of columns are computed with these functions instead: sums in a fixed
order or rounded once, square roots and divisions of IEEE 754, and the sine, cosine and arc
functions of the core (``csrc/math/trig.h``: within 2.5 units in the last place).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core

__all__ = [
    "arcsin",
    "arctan2",
    "cube_root",
    "dot",
    "exp",
    "hypot",
    "norm",
    "pseudo_inverse",
    "row_sums",
    "sincos",
    "solve",
    "tan",
]

Array = NDArray[np.float64]

_DOUBLE = np.dtype(np.float64)
_FEW = 100  # sums, of which the calls of NumPy take longer than the additions


def sincos(angle: ArrayLike) -> tuple[Any, Any]:
    """Return sine and cosine of angles [rad], both of the shape of ``angle``."""
    return _core.sincos(angle)


def arctan2(y: ArrayLike, x: ArrayLike) -> Any:
    """Return the angles -pi to pi [rad] of vectors (x, y); the arguments are broadcast."""
    if isinstance(y, float) and isinstance(x, float):  # to broadcast takes longer than all else
        return _core.arctan2(y, x)
    return _core.arctan2(*np.broadcast_arrays(y, x))


def arcsin(x: ArrayLike) -> Any:
    """Return the arc sine [rad] of values clamped to [-1, 1]."""
    value = np.clip(x, -1.0, 1.0)
    return arctan2(value, np.sqrt((1.0 - value) * (1.0 + value)))


def dot(a: Iterable[float], b: Iterable[float]) -> float:
    """Return the dot product of two sequences of the same length, rounded once."""
    a, b = _numbers(a), _numbers(b)
    return math.fsum([x * y for x, y in zip(a, b, strict=True)])


def _numbers(values: Iterable[float]) -> Iterable[float]:
    """Return values of an array as numbers of Python, with which it computes much faster."""
    return values.tolist() if isinstance(values, np.ndarray) and values.dtype == _DOUBLE else values


def exp(x: ArrayLike) -> Any:
    """Return e^x of numbers of -100 to 100, within 1e-12 of it."""
    number = np.asarray(x, np.float64)
    term = total = np.ones_like(number)
    for k in range(1, 12):
        term = term * (number / (1024.0 * k))
        total = total + term
    for _ in range(10):
        total = total * total
    return total


def norm(vectors: ArrayLike) -> Any:
    """Return the lengths of vectors along the last axis, summed in the order of the components."""
    array = np.asarray(vectors, np.float64)
    if array.ndim == 1:  # the same sum, without arrays of one number
        total = 0.0
        for x in array.tolist():  # sum() of later versions of Python compensates
            total += x * x
        return math.sqrt(total)
    squares = np.square(array)
    return np.sqrt(sum(squares[..., i] for i in range(squares.shape[-1])))


def hypot(x: float, y: float) -> float:
    """Return the length of the vector (x, y), without its care for overflow."""
    return math.sqrt(x * x + y * y)


def tan(angle: float) -> float:
    """Return the tangent of an angle [rad]."""
    sine, cosine = sincos(angle)
    return float(sine / cosine)


def pseudo_inverse(rows: Array) -> Array:
    """Return the pseudo-inverse A^T (A A^T)^-1 of a matrix of independent rows, shape (r, n).

    Its shape is (n, r).
    """
    count = len(rows)
    gram = np.array([[row_sums(a * b) for b in rows] for a in rows])
    inverse = solve(np.broadcast_to(gram, (count, count, count)).copy(), np.eye(count))
    return np.stack([row_sums(rows.T * column) for column in inverse], axis=1)


def row_sums(values: ArrayLike) -> Any:
    """Return the sums along the last axis, added in the order of the elements."""
    array = np.asarray(values, np.float64)
    if (
        0 < array.size <= _FEW * array.shape[-1]
    ):  # in one call, with the sign of a 0 that a sum from 0 has
        return np.add.accumulate(array, axis=-1)[..., -1] + 0.0
    return sum((array[..., i] for i in range(array.shape[-1])), np.zeros(array.shape[:-1]))


def solve(matrices: Array, right: Array) -> Array:
    """Return the solutions x of symmetric positive semi-definite systems A x = b.

    Cholesky's factorization, with 1e-12 of the diagonal added: a direction without an effect gets a
    component of about 0.

    Parameters
    ----------
    matrices : ndarray, shape (k, m, m)
        A.
    right : ndarray, shape (k, m)
        b.

    Returns
    -------
    ndarray, shape (k, m)
        x.
    """
    m = right.shape[1]
    diagonal = np.stack([matrices[:, i, i] for i in range(m)], axis=-1)
    scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    lower = matrices * scale[:, :, None] * scale[:, None, :]
    x = right * scale
    for i in range(m):
        pivot = lower[:, i, i] + 1e-12 - row_sums(np.square(lower[:, i, :i]))
        lower[:, i, i] = np.sqrt(np.maximum(pivot, 1e-12))
        for j in range(i + 1, m):
            known = row_sums(lower[:, i, :i] * lower[:, j, :i])
            lower[:, j, i] = (lower[:, j, i] - known) / lower[:, i, i]
        x[:, i] = (x[:, i] - row_sums(lower[:, i, :i] * x[:, :i])) / lower[:, i, i]
    for i in reversed(range(m)):
        x[:, i] = (x[:, i] - row_sums(lower[:, i + 1 :, i] * x[:, i + 1 :])) / lower[:, i, i]
    return x * scale


def cube_root(x: float) -> float:
    """Return the cube root of a finite number of at least 0.

    Newton's iteration from above decreases until rounding stops it, within one unit in the last
    place.
    """
    if x == 0.0:
        return 0.0
    root = math.ldexp(1.0, -(-math.frexp(x)[1] // 3))
    while (better := root - (root - x / (root * root)) / 3.0) < root:
        root = better
    return root
