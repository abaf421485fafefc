"""Thrusts and fin angles for forces and moments: `Allocation`, `full_thrusts`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.parameters import scalar

__all__ = ["AXES", "Allocation", "full_thrusts"]

Array = NDArray[np.float64]

AXES = ("surge", "sway", "heave", "roll", "pitch", "yaw")
"""Axes of forces and moments, in the order of columns."""

_ORDER = (0, 5, 2, 1, 4, 3)
"""Order in which axes are given to thrusters that have not enough for all."""

_INDEPENDENT = 0.2
"""Sine of the angle between an axis and those before it, below which it is not its own."""


class Allocation(NamedTuple):
    """What the thrusters and fins of a vehicle do, and which of them do what.

    Attributes
    ----------
    thrusters : ndarray, shape (n, 6)
        Thrust of each thruster per force and moment of each axis; 0 of axes that they do not
        control.
    fins : ndarray, shape (m, 3)
        Angle of each fin per moment about each axis, times the square of the speed.
    axes : tuple of int
        Axes that the thrusters control.
    ahead, astern : float
        Largest thrusts [N].
    """

    thrusters: Array
    fins: Array
    axes: tuple[int, ...]
    ahead: float
    astern: float

    @classmethod
    def of(cls, columns: Mapping[str, Array]) -> Allocation:
        """Return that of parameter columns."""
        effects = _thruster_effects(columns)
        axes = _controlled(effects)
        thrusters = np.zeros((effects.shape[1], len(AXES)))
        thrusters[:, axes] = exact.pseudo_inverse(effects[list(axes)])
        return cls(thrusters, _fins(columns), tuple(sorted(axes)), *full_thrusts(columns))

    @property
    def is_holonomic(self) -> bool:
        """Whether thrusters push a vehicle ahead, to the side and down, and turn it."""
        return {0, 1, 2, 5} <= {*self.axes}

    @property
    def is_gliding(self) -> bool:
        """Whether a vehicle has fins that pitch it, and no thrusters that push it down."""
        return bool(self.fins[:, 1].any()) and 2 not in self.axes

    @property
    def is_diving(self) -> bool:
        """Whether a vehicle holds depths, by thrusters or by its pitch."""
        return self.is_holonomic or self.is_gliding

    @property
    def is_steered(self) -> bool:
        """Whether a vehicle goes ahead by its thrusters and turns by its rudder alone."""
        return bool(self.fins[:, 2].any()) and not self.is_gliding and 5 not in self.axes

    @property
    def is_driven_ahead(self) -> bool:
        """Whether a boat goes ahead and turns by thrusters that do not push astern."""
        return self.astern <= 0.0 and 5 in self.axes and not self.is_diving

    def largest(self, axis: int) -> float:
        """Return the largest force [N] or moment [N m] of an axis to both sides."""
        share = self.thrusters[:, axis]
        if not share.any():
            return 0.0
        one = min(_limit(share, self.ahead, self.astern), _limit(-share, self.ahead, self.astern))
        return float(one)

    def largest_yaw(self, columns: Mapping[str, Array]) -> float:
        """Return the largest yaw moment [N m] of thrusters, whose force ahead is then not 0."""
        effects = np.abs(_thruster_effects(columns)[5]) * (self.thrusters[:, 5] != 0)
        return float(exact.row_sums(effects)) * 0.5 * (self.ahead + self.astern)

    def ahead_in_water(self, columns: Mapping[str, Array], surface: float) -> Array:
        """Return forces and moments at the largest force ahead, shape (6,).

        They are those of the thrusters that are deeper than ``surface`` [m, FRD].
        """
        wet = _columns_of(columns, "thruster_position")[2] > surface
        thrusts = np.where(wet, self.thrusters[:, 0] * self.largest_ahead(), 0.0)
        return np.asarray((_thruster_effects(columns) * thrusts).sum(axis=1))

    def largest_ahead(self) -> float:
        """Return the largest force ahead [N]."""
        return _limit(self.thrusters[:, 0], self.ahead, self.astern)


def full_thrusts(columns: Mapping[str, Array]) -> tuple[float, float]:
    """Return the thrusts at full command at rest [N]: ahead, astern."""
    names = ("thruster_ahead", "thruster_astern")
    shares = columns["thruster_speed_max"] / scalar(columns, "thruster_rated")
    ahead, astern = (
        float(np.polynomial.Polynomial([0.0, *columns[name]])(share))
        for name, share in zip(names, shares.tolist(), strict=True)
    )
    return ahead, astern


def _limit(share: Array, ahead: float, astern: float) -> float:
    """Return how much of an axis is within the largest thrusts."""
    room = np.where(share > 0, ahead, astern) / np.maximum(np.abs(share), 1e-12)
    return float(room[share != 0].min(initial=np.inf)) if share.any() else 0.0


def _columns_of(columns: Mapping[str, Array], name: str) -> Array:
    """Return a column of vectors, shape (3, count)."""
    return columns[name].reshape(3, -1)


def _thruster_effects(columns: Mapping[str, Array]) -> Array:
    """Return force and moment per thrust of each thruster, shape (6, n)."""
    axes = _columns_of(columns, "thruster_axis")
    arms = _columns_of(columns, "thruster_position")
    moments = np.cross(arms, axes, axis=0)
    return np.vstack([axes, moments])


def _controlled(effects: Array) -> list[int]:
    """Return the axes that thrusters control, each enough apart from those before it."""
    lengths = np.linalg.norm(effects[3:], axis=0)
    arm = max(float(lengths.max()), 1e-9)
    scaled = effects / np.array([1.0, 1.0, 1.0, arm, arm, arm])[:, None]
    chosen: list[int] = []
    for axis in _ORDER:
        row = scaled[axis]
        size = float(np.linalg.norm(row))
        if size < 0.05:
            continue
        if chosen:
            basis = np.linalg.qr(scaled[chosen].T)[0]
            row = row - basis @ (basis.T @ row)
        if float(np.linalg.norm(row)) > _INDEPENDENT * size:
            chosen.append(axis)
    return chosen


def _fins(columns: Mapping[str, Array]) -> Array:
    """Return the angle of each fin per moment at a speed of 1 m/s, shape (m, 3)."""
    normals = _columns_of(columns, "fin_normal")
    forces = normals * columns["fin_coef"]
    moments = np.cross(_columns_of(columns, "fin_position"), forces, axis=0)
    used = [axis for axis in range(3) if np.abs(moments[axis]).max() > 1e-9]
    angles = np.zeros((normals.shape[1], 3))
    strong = [a for a in used if np.abs(moments[a]).max() > 0.2 * np.abs(moments).max()]
    if strong:
        angles[:, strong] = exact.pseudo_inverse(moments[strong])
    return angles
