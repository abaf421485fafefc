"""Control allocation: what rotors do to a vehicle, and which rotors to ask for it.

Effectiveness
    A 4 x N matrix. Its column i is what one newton of thrust of rotor i gives: collective
    (force upwards, along -z of the body) [1], and the moments about x, y and z [m].
Mixer
    An N x 4 matrix, the pseudo-inverse of the effectiveness: thrust of each rotor [N] per newton
    of collective and per newton metre of roll, pitch and yaw moment. Of all thrusts that do what
    is asked it gives the ones with the least sum of squares.

For a rotor at r with thrust T along the unit vector a, turning in direction d (+1 clockwise seen
from above), in the forward-right-down frame::

    collective = -a_z T        M = (r x a + d Q' a) T

Q' is the reaction torque per thrust [m], as a derivative at the working point. For rotors that
point up, a = (0, 0, -1), this gives M = (-y, x, -d Q') T: the signs of [@px4 25ed6b67
ActuatorEffectivenessRotorsTest.cpp].

The core uses the mixer in ``csrc/control/allocation.h``, which also says what is given up when
rotors saturate.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact

__all__ = ["Controllable", "controllable", "effectiveness", "mixer", "mixer_column"]

Array = NDArray[np.float64]

_DEPENDENT = 1e-6  # what is left of a row of length 1 that depends on the others
_LEAST_ROW = 1e-9  # length [1 or m] below which a row counts as zero: no vehicle is that small


class Controllable(NamedTuple):
    """Which demands a set of rotors can meet independently of the others."""

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
    """Return what each rotor's thrust does.

    Parameters
    ----------
    position : array_like, shape (N, 3)
        Hubs [m] from the centre of mass, forward-right-down.
    axis : array_like, shape (N, 3)
        Unit vectors of the thrusts, forward-right-down; up is (0, 0, -1).
    direction : array_like, shape (N,)
        +1 clockwise seen from above, -1 counter-clockwise.
    torque_per_thrust : array_like, shape (N,)
        Change of the reaction torque with thrust [m], never negative for real rotors.

    Returns
    -------
    ndarray, shape (4, N), float64
        Rows: collective [1], roll, pitch, yaw moment [m].

    Raises
    ------
    ValueError
        If shapes do not belong together.

    Examples
    --------
    A rotor in front on the right that turns counter-clockwise rolls left, pitches up, yaws right:

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
    lengths = [length if length >= _LEAST_ROW else inf for length in map(float, exact.norm(rows))]
    units = [[x / length for x in row] for row, length in zip(rows.tolist(), lengths, strict=True)]
    return units, lengths


class _Basis:
    """Independent rows as R^T Q with orthonormal Q, by Gram and Schmidt, each row twice."""

    def __init__(self) -> None:
        self.rows: list[list[float]] = []  # of Q
        self.factors: list[list[float]] = []  # of R^T, the diagonal last

    def add(self, row: list[float]) -> bool:
        """Take a row of length 1 unless it depends on those before it; tell whether it does not."""
        rest, factors = row, [0.0] * len(self.rows)
        for _ in range(2):
            for i, unit in enumerate(self.rows):
                along = exact.dot(rest, unit)
                factors[i] += along
                rest = [x - along * u for x, u in zip(rest, unit, strict=True)]
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
    """Tell which demands can be met, giving up yaw first, then pitch, then roll.

    Parameters
    ----------
    matrix : array_like, shape (4, N)
        An effectiveness.

    Returns
    -------
    Controllable
        True where a demand can be met without disturbing those before it. Three rotors that all
        turn the same way, for example, cannot yaw: every yaw moment would cost collective.
    """
    rows = _rotor_rows("matrix", np.transpose(np.asarray(matrix, dtype=np.float64)), 4).T
    basis = _Basis()
    return Controllable(*map(basis.add, _unit_rows(rows)[0]))


def mixer(matrix: ArrayLike) -> Array:
    """Return the rotor thrusts that meet demands.

    Parameters
    ----------
    matrix : array_like, shape (4, N)
        An effectiveness. A rotor that is absent has a column of zeros.

    Returns
    -------
    ndarray, shape (N, 4), float64
        Thrust [N] per N of collective and per N m of roll, pitch, yaw. The column of a demand that
        cannot be met (see `controllable`) is zero, and so is the row of an absent rotor; the
        others are the pseudo-inverse of what is left.

    Raises
    ------
    ValueError
        If the matrix does not have four rows.
    """
    rows = _rotor_rows("matrix", np.transpose(np.asarray(matrix, dtype=np.float64)), 4).T
    basis = _Basis()
    units, lengths = _unit_rows(rows)
    kept = [row for row in range(4) if basis.add(units[row])]
    result = np.zeros((rows.shape[1], 4))
    for row, column in zip(kept, basis.pseudo_inverse(), strict=True):
        result[:, row] = np.array(column) / lengths[row]
    # Rounding leaves 1e-17 where symmetry makes a zero; a rotor of no share has to be an exact one.
    result[np.abs(result) < 1e-12 * np.abs(result).max(axis=0)] = 0.0
    result[~rows.any(axis=0)] = 0.0
    return result


def mixer_column(mix: ArrayLike) -> Array:
    """Return a mixer in the order of the ``mixer`` column of the core.

    Parameters
    ----------
    mix : array_like, shape (N, 4)
        As `mixer` returns it.

    Returns
    -------
    ndarray, shape (4 N,), float64
        The collective terms of all rotors, then the roll, pitch and yaw terms.

    Raises
    ------
    ValueError
        If the shape is not (N, 4).
    """
    return np.ascontiguousarray(_rotor_rows("mix", mix, 4).T).ravel()
