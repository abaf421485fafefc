"""Control allocation: effectiveness of the rotors, and its pseudo-inverse, the mixer.

Effectiveness
    A 4 x N matrix. Column i holds the effects of one newton of thrust of rotor i: collective
    thrust (along -z of the body) [1], and the moments about x, y and z [m].
Mixer
    An N x 4 matrix, the pseudo-inverse of the effectiveness: thrust of each rotor [N] per newton
    of collective thrust and per newton metre of roll, pitch and yaw moment. Of all solutions it is
    the one with the minimum sum of squares.

For a rotor at r with thrust T along the unit vector a and rotation direction d (+1 clockwise seen
from above), in the forward-right-down frame::

    collective = -a_z T        M = (r x a + d Q' a) T

Q' is the reaction torque per thrust [m], the derivative at the operating point. For vertical
rotors, a = (0, 0, -1), this gives M = (-y, x, -d Q') T: the signs of [@px4 25ed6b67
ActuatorEffectivenessRotorsTest.cpp].

The core uses the mixer in ``csrc/control/allocation.h``, which also describes the priorities on
saturation.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact

__all__ = ["Controllable", "controllable", "effectiveness", "mixer", "mixer_column"]

Array = NDArray[np.float64]

_DEPENDENT = 1e-6  # residual of a row of length 1 below which it depends on the others
_MINIMUM_ROW = 1e-9  # length [1 or m] below which a row counts as zero: no vehicle is that small


class Controllable(NamedTuple):
    """Demands that a set of rotors can meet independently."""

    collective: bool
    roll: bool
    pitch: bool
    yaw: bool


def _rotor_rows(name: str, value: ArrayLike, width: int) -> Array:
    array = np.asarray(value, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != width:
        raise ValueError(f"{name}: expected shape (rotors, {width}), got {array.shape}")
    return array


def effectiveness(
    position: ArrayLike, axis: ArrayLike, direction: ArrayLike, torque_per_thrust: ArrayLike
) -> Array:
    """Return the effectiveness matrix of rotors.

    Parameters
    ----------
    position : array_like, shape (N, 3)
        Hubs [m] from the centre of mass, forward-right-down.
    axis : array_like, shape (N, 3)
        Unit vectors of the thrusts, forward-right-down; up is (0, 0, -1).
    direction : array_like, shape (N,)
        Rotation directions: +1 clockwise seen from above, -1 counter-clockwise.
    torque_per_thrust : array_like, shape (N,)
        Derivative of the reaction torque with respect to thrust [m], at least 0 for real rotors.

    Returns
    -------
    ndarray, shape (4, N), float64
        Rows: collective thrust [1], roll, pitch, yaw moment [m].

    Raises
    ------
    ValueError
        The shapes do not match.

    Examples
    --------
    A front right rotor that rotates counter-clockwise rolls left, pitches up, yaws right:

    >>> effectiveness([[1.0, 1.0, 0.0]], [[0.0, 0.0, -1.0]], [-1.0], [0.05])[:, 0].tolist()
    [1.0, -1.0, 1.0, 0.05]
    """
    r, a = _rotor_rows("position", position, 3), _rotor_rows("axis", axis, 3)
    spin = np.asarray(direction, dtype=np.float64) * np.asarray(torque_per_thrust, dtype=np.float64)
    if not len(r) == len(a) == spin.size or spin.ndim != 1:
        raise ValueError(
            "position, axis, direction, torque_per_thrust: expected one row for each rotor, "
            f"got {len(r)}, {len(a)}, {spin.shape}"
        )
    moment = np.cross(r, a) + spin[:, None] * a
    return np.vstack([-a[:, 2], moment.T])


def _unit_rows(rows: Array) -> tuple[list[list[float]], list[float]]:
    """Return rows of length 1 and their lengths; short rows become zero, of length infinity."""
    lengths = [length if length >= _MINIMUM_ROW else inf for length in map(float, exact.norm(rows))]
    units = [[x / length for x in row] for row, length in zip(rows.tolist(), lengths, strict=True)]
    return units, lengths


class _Basis:
    """Factorization R^T Q of independent rows, Q orthonormal: Gram-Schmidt, each row twice."""

    def __init__(self) -> None:
        self.rows: list[list[float]] = []  # of Q
        self.factors: list[list[float]] = []  # of R^T, the diagonal last

    def add(self, row: list[float]) -> bool:
        """Add a row of length 1 unless it depends on the others; return whether it was added."""
        rest, factors = row, [0.0] * len(self.rows)
        for _ in range(2):
            for i, unit in enumerate(self.rows):
                projection = exact.dot(rest, unit)
                factors[i] += projection
                rest = [x - projection * u for x, u in zip(rest, unit, strict=True)]
        length = sqrt(exact.dot(rest, rest))
        if length <= _DEPENDENT:
            return False
        self.rows.append([x / length for x in rest])
        self.factors.append([*factors, length])
        return True

    def pseudo_inverse(self) -> list[list[float]]:
        """Return the columns of the pseudo-inverse of the rows: Q^T R^-T."""
        columns: list[list[float]] = []
        for k in reversed(range(len(self.rows))):
            # column k of the inverse of R^T, from its row k downwards
            inverse = [0.0] * len(self.rows)
            for i in range(k, len(self.rows)):
                known = exact.dot(self.factors[i][k:i], inverse[k:i])
                inverse[i] = (float(i == k) - known) / self.factors[i][i]
            columns.insert(
                0, [exact.dot(inverse, entries) for entries in zip(*self.rows, strict=True)]
            )
        return columns


def controllable(matrix: ArrayLike) -> Controllable:
    """Return which demands can be met, in the priority collective, roll, pitch, yaw.

    Parameters
    ----------
    matrix : array_like, shape (4, N)
        An effectiveness matrix.

    Returns
    -------
    Controllable
        True for a demand that can be met without changing those of higher priority. Three rotors
        of equal rotation direction, for example, have no yaw authority: every yaw moment changes
        the collective thrust.
    """
    rows = _rotor_rows("matrix", np.transpose(np.asarray(matrix, dtype=np.float64)), 4).T
    basis = _Basis()
    return Controllable(*map(basis.add, _unit_rows(rows)[0]))


def mixer(matrix: ArrayLike) -> Array:
    """Return the mixer of an effectiveness matrix.

    Parameters
    ----------
    matrix : array_like, shape (4, N)
        An effectiveness matrix. The column of an absent rotor is zero.

    Returns
    -------
    ndarray, shape (N, 4), float64
        Thrust [N] per N of collective thrust and per N m of roll, pitch, yaw moment. The column of
        a demand that cannot be met (see `controllable`) and the row of an absent rotor are zero;
        the others are the pseudo-inverse of the remaining matrix.

    Raises
    ------
    ValueError
        The matrix does not have four rows.
    """
    rows = _rotor_rows("matrix", np.transpose(np.asarray(matrix, dtype=np.float64)), 4).T
    basis = _Basis()
    units, lengths = _unit_rows(rows)
    kept = [row for row in range(4) if basis.add(units[row])]
    result = np.zeros((rows.shape[1], 4))
    for row, column in zip(kept, basis.pseudo_inverse(), strict=True):
        result[:, row] = np.array(column) / lengths[row]
    # Rounding gives 1e-17 instead of the zeros of symmetry; they have to be exactly zero.
    result[np.abs(result) < 1e-12 * np.abs(result).max(axis=0)] = 0.0
    result[~rows.any(axis=0)] = 0.0
    return result


def mixer_column(mix: ArrayLike) -> Array:
    """Return a mixer in the order of the ``mixer`` column of the core.

    Parameters
    ----------
    mix : array_like, shape (N, 4)
        A mixer.

    Returns
    -------
    ndarray, shape (4 N,), float64
        The collective terms of all rotors, then the roll, pitch and yaw terms.

    Raises
    ------
    ValueError
        The shape is not (N, 4).
    """
    return np.ascontiguousarray(_rotor_rows("mix", mix, 4).T).ravel()
