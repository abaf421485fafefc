"""Equations of equilibria and their solution: `Unknowns`, `newton`.

Unknown are roll, pitch, in some flights sideslip, of what does not fly its z, the actuator
commands, and the states after those of the body, such as rotor speeds; their derivatives and those
of the velocities must vanish, in a steady turn about the vertical but for the turn of the velocity.
Newton's method, with the least change of the unknowns where there are more of them than equations;
all vehicles at once.
"""

from __future__ import annotations

from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.columns import command_columns
from pyrfly.frames import quaternion_of_euler
from pyrfly.sim.group import Group
from pyrfly.sim.model import Model
from pyrfly.sim.slopes import tilt
from pyrfly.sim.turns import carried_by

__all__ = ["ANGLES", "BODY_RATES", "COMMANDS", "DEPTH", "TOLERANCE", "Unknowns", "newton"]

Array = NDArray[np.float64]

BODY = ("pos", "vel", "att", "rate")
ANGLES = 3  # first unknowns: roll, pitch, yaw from the heading
DEPTH = 3  # the unknown after them: z from that of the vehicle
COMMANDS = 4  # unknowns before those of the actuators
BODY_RATES = 6  # residuals of the body, before those of the further states
ITERATIONS = 30
TOLERANCE = 1e-9  # remaining accelerations [m/s^2, rad/s^2, and those of other states]
MAXIMUM_CHANGE = 0.2  # of roll and pitch [rad] and of commands in an iteration
DIFFERENCE = 1e-7  # of the unknowns, over their scale


class Unknowns:
    """Roll, pitch, actuator commands and further states of a model, as columns of one array."""

    def __init__(
        self, group: Group, rows: NDArray[np.intp], model: Model, yaw: Array, yaw_rate: Array
    ) -> None:
        self.group, self.rows, self.model = group, rows, model
        self.yaw, self.yaw_rate = yaw, yaw_rate
        self.commands = command_columns(group.parameters.c_type)
        state = model.columns("state")
        self.pos = state["pos"]
        self.further = [name for name in state if name not in BODY]
        inputs = model.columns("input")
        self.widths = [inputs[name].shape[1] for name in self.commands]
        self.widths += [state[name].shape[1] for name in self.further]
        self.bounded = COMMANDS + sum(self.widths[: len(self.commands)])
        self.slope: Array | None = None  # of the ground that gives roll and pitch
        self.rests = np.zeros(model.count, bool)  # on brakes, whose further states do not count

    def parts(self, values: Array) -> dict[str, Array]:
        """Return the unknowns of commands and further states, by column, as views."""
        names = (*self.commands, *self.further)
        ends = accumulate(self.widths, initial=COMMANDS)
        return {name: values[:, a:b] for name, (a, b) in zip(names, pairwise(ends), strict=True)}

    def write(self, values: Array) -> None:
        """Give the copies of the vehicles the unknowns."""
        self.model.write({**self._body(values), **self.parts(values)})

    def _body(self, values: Array) -> dict[str, Array]:
        heading = np.stack([np.zeros_like(self.yaw), np.zeros_like(self.yaw), self.yaw], axis=1)
        euler = values[:, :ANGLES] + heading
        if self.slope is not None:
            euler[:, :2] = tilt(self.slope, euler[:, 2])
        pos = self.pos.copy()
        pos[:, 2] += values[:, DEPTH]
        return {"pos": pos, "att": quaternion_of_euler(euler), "rate": self._rate(euler)}

    def _rate(self, euler: Array) -> Array:
        """Return the angular velocities [rad/s, FRD] of a turn about the vertical."""
        (sr, cr), (sp, cp) = (exact.sincos(angle) for angle in euler.T[:2])
        axis: Array = np.stack([-sp, sr * cp, cr * cp], axis=1)
        axis *= self.yaw_rate[:, None]
        return axis

    def residual(self, values: Array, *, body: bool = True) -> Array:
        """Return the derivatives that must vanish, shape (k, equations).

        Without ``body`` position, attitude and angular velocity are those written before.
        """
        if body:
            self.write(values)
        else:
            self.model.write(self.parts(values))
        rates = self.model.derivative()
        if self.yaw_rate.any():
            over = self.model.read("vel") - carried_by(self.model, self.group, self.rows)
            rates["vel"][:, 0] += self.yaw_rate * over[:, 1]
            rates["vel"][:, 1] -= self.yaw_rate * over[:, 0]
        left = np.concatenate([rates[name] for name in ("vel", "rate", *self.further)], axis=1)
        left[self.rests, BODY_RATES:] = 0.0
        return left


def _jacobian(unknowns: Unknowns, x: Array, at: Array, scale: Array) -> Array:
    """Return the derivatives of the residual by the scaled unknowns, shape (k, equations, m)."""
    slopes = []
    for i in range(x.shape[1]):
        moved = x.copy()
        moved[:, i] += DIFFERENCE * scale[:, i]
        # the first after those of the body brings the body back
        slopes.append((unknowns.residual(moved, body=i <= COMMANDS) - at) / DIFFERENCE)
    return np.stack(slopes, axis=-1)


def _step(jacobian: Array, residual: Array) -> Array:
    """Return the least change of the unknowns that cancels the residual, to first order.

    What no unknown changes is left out.
    """
    weight = np.sqrt(exact.row_sums(np.square(jacobian)))
    idle = weight == 0.0
    weight = 1.0 / np.where(idle, 1.0, weight)
    rows = jacobian * weight[:, :, None]
    normal = exact.row_sums(rows[:, :, None] * rows[:, None])
    normal += idle[:, :, None] * np.eye(idle.shape[1])
    factors = exact.solve(normal, -residual * weight)
    change: Array = exact.row_sums(np.swapaxes(rows, 1, 2) * factors[:, None])
    return change


def _largest(values: Array) -> Array:
    """Return the largest magnitude of each row, and at least a tiny number, shape (k, 1)."""
    largest: Array = np.abs(values).max(axis=1, keepdims=True)
    return np.maximum(largest, 1e-300)


def newton(unknowns: Unknowns, x: Array, scale: Array) -> tuple[Array, Array]:
    """Return where Newton's method ends, and the residual there."""
    residual = unknowns.residual(x)
    for _ in range(ITERATIONS):
        goes_on = (np.abs(residual) > TOLERANCE).any(axis=1, keepdims=True)
        if not goes_on.any():
            break
        change = scale * _step(_jacobian(unknowns, x, residual, scale), residual)
        change *= np.minimum(1.0, MAXIMUM_CHANGE / _largest(change[:, : unknowns.bounded]))
        x = np.where(goes_on, x + change, x)  # a vehicle's own result, whatever the others do
        residual = unknowns.residual(x)
    return x, residual
