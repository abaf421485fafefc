"""Equilibria of vehicles: `trim`.

Unknown are roll, pitch, the actuator commands, and the states after those of the body, such as
rotor speeds; their derivatives and those of the velocities must vanish. Newton's method, with the
least change of the unknowns where there are more of them than equations; all vehicles at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.columns import command_columns
from pyrfly.frames import quaternion_of_euler
from pyrfly.sim.group import Group
from pyrfly.sim.model import Model, OperatingPoint, leave_ground, not_found

__all__ = ["trim"]

Array = NDArray[np.float64]

BODY = ("pos", "vel", "att", "rate")
ITERATIONS = 30
TOLERANCE = 1e-9  # remaining accelerations [m/s^2, rad/s^2, and those of other states]
MAXIMUM_CHANGE = 0.2  # of roll and pitch [rad] and of commands in an iteration
DIFFERENCE = 1e-7  # of the unknowns, over their scale


class _Unknowns:
    """Roll, pitch, actuator commands and further states of a model, as columns of one array."""

    def __init__(self, model: Model, group: Group, yaw: Array) -> None:
        self.model, self.yaw = model, yaw
        self.commands = command_columns(group.parameters.c_type)
        state = model.columns("state")
        self.rest = [name for name in state if name not in BODY]
        inputs = model.columns("input")
        self.widths = [inputs[name].shape[1] for name in self.commands]
        self.widths += [state[name].shape[1] for name in self.rest]

    def write(self, values: Array) -> None:
        euler = np.concatenate([values[:, :2], self.yaw[:, None]], axis=1)
        parts = np.split(values[:, 2:], np.cumsum(self.widths)[:-1], axis=1)
        columns = dict(zip([*self.commands, *self.rest], parts, strict=True))
        self.model.write({"att": quaternion_of_euler(euler), **columns})

    def residual(self, values: Array) -> Array:
        self.write(values)
        rates = self.model.derivative()
        return np.concatenate([rates[name] for name in ("vel", "rate", *self.rest)], axis=1)


def _jacobian(unknowns: _Unknowns, x: Array, at: Array, scale: Array) -> Array:
    """Return the derivatives of the residual by the scaled unknowns, shape (k, equations, m)."""
    slopes = []
    for i in range(x.shape[1]):
        moved = x.copy()
        moved[:, i] += DIFFERENCE * scale[:, i]
        slopes.append((unknowns.residual(moved) - at) / DIFFERENCE)
    return np.stack(slopes, axis=-1)


def _step(jacobian: Array, residual: Array) -> Array:
    """Return the least change of the unknowns that cancels the residual, to first order."""
    weight = np.sqrt(exact.row_sums(np.square(jacobian)))
    weight = 1.0 / np.where(weight > 0.0, weight, 1.0)
    rows = jacobian * weight[:, :, None]
    normal = exact.row_sums(rows[:, :, None] * rows[:, None])
    factors = exact.solve(normal, -residual * weight)
    change: Array = exact.row_sums(np.swapaxes(rows, 1, 2) * factors[:, None])
    return change


def _largest(values: Array) -> Array:
    """Return the largest magnitude of each row, and at least a tiny number, shape (k, 1)."""
    largest: Array = np.abs(values).max(axis=1, keepdims=True)
    return np.maximum(largest, 1e-300)


def _guess(unknowns: _Unknowns, group: Group) -> tuple[Array, Array]:
    """Return a start, level with equal actuators, and the scales of the unknowns."""
    command = group.family.trim(group.parameters)
    count, rest = sum(unknowns.widths[: len(unknowns.commands)]), len(unknowns.rest)
    x = np.zeros((unknowns.model.count, 2 + sum(unknowns.widths)))
    x[:, 2 : 2 + count] = command
    scale = np.ones_like(x)
    if rest:  # rotors at the speed to which they tend: their lag is linear in speed
        still = unknowns.residual(x)[:, 6:]
        x[:, 2 + count :] = 1.0
        slope = unknowns.residual(x)[:, 6:] - still
        x[:, 2 + count :] = np.where(slope == 0.0, 0.0, -still / np.where(slope == 0.0, 1.0, slope))
        scale[:, 2 + count :] = np.maximum(1.0, np.abs(x[:, 2 + count :]))
    return x, scale


def trim(
    group: Group,
    rows: NDArray[np.intp],
    vel: Array,
    yaw: Array,
    wind: Array | None,
    *,
    after_reset: bool = False,
) -> OperatingPoint:
    """Return the equilibrium of vehicles of a group.

    Parameters
    ----------
    group : Group
        The group.
    rows : ndarray of int, shape (k,)
        Rows of the vehicles.
    vel : ndarray, shape (k, 3)
        Ground velocities [m/s, NED].
    yaw : ndarray, shape (k,)
        Headings [rad].
    wind : ndarray, shape (k, 3), optional
        Wind velocities [m/s, NED]; by default the present ones.
    after_reset : bool
        With the voltage and the ground effect after a reset instead of the present ones.

    Raises
    ------
    ParameterError
        A vehicle has no such equilibrium, or none that is found.
    """
    model = Model(group, rows)
    if after_reset:
        model.forget_held()
    leave_ground(model, group)
    model.write({"vel": vel, "rate": np.zeros(3), **({} if wind is None else {"wind": wind})})
    unknowns = _Unknowns(model, group, yaw)
    x, scale = _guess(unknowns, group)
    bounded = 2 + sum(unknowns.widths[: len(unknowns.commands)])
    residual = unknowns.residual(x)
    for _ in range(ITERATIONS):
        if not (np.abs(residual) > TOLERANCE).any():
            break
        change = scale * _step(_jacobian(unknowns, x, residual, scale), residual)
        x = x + change * np.minimum(1.0, MAXIMUM_CHANGE / _largest(change[:, :bounded]))
        residual = unknowns.residual(x)
    worst = np.abs(residual[:, :6]).max(axis=1)
    if not (worst <= 1e3 * TOLERANCE).all():
        row = int(np.argmin(worst <= 1e3 * TOLERANCE))
        left = ", ".join(f"{value:.3g}" for value in residual[row, :6])
        raise not_found(
            group, int(rows[row]), f"accelerations of {left} [m/s^2, NED; rad/s^2, FRD] remain"
        )
    return model.point()
