"""Motors that do nothing though they are commanded to: `MotorChecks`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.failsafe_context import CheckContext
from pyrfly.sim import Group
from pyrfly.sim.received import effective_commands

__all__ = ["MotorChecks"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]

MOTORS = 8
"""Motors of a vehicle that are looked at, at most."""

STANDSTILL = 0.1
"""Share of the fastest speed since arming below which a motor that turns one way stands still, and
of its command below which one has no effect, estimated: its current would be below a hundredth of
that at the fastest speed, and a tenth; PX4 compares with FD_ACT_MOT_C2T."""


class MotorChecks:
    """Looks at the motors of vehicles.

    Parameters
    ----------
    context : CheckContext
        What it looks at.
    """

    def __init__(self, context: CheckContext) -> None:
        sim = context.sim
        self._sim, _, self._parameters, self._findings, self._clock = context
        self._motors = np.concatenate([_motors(group) for group in sim.groups])
        self._one_way = np.concatenate([_one_way(group) for group in sim.groups])
        self._fastest = np.zeros(sim.n)  # speed of a motor since arming, as displayed
        self._fails_since = np.full((sim.n, MOTORS), math.inf)

    def look(self, armed: Bools) -> None:
        """Find motors that stand still, or have no effect, though they are commanded to turn."""
        get, now = self._parameters.column, self._clock.now
        watched = armed & (get("FD_ACT_EN") != 0)
        if not watched.any():
            self._findings.set("motor", False)
            self._fastest[:] = 0.0
            return
        speeds = np.abs(np.asarray(self._sim.displayed_actuators, np.float64)[:, :MOTORS])
        speeds = np.where(self._motors, speeds, 0.0)
        commands, effects = self._commands()
        self._fastest = np.where(watched, np.maximum(self._fastest, speeds.max(axis=1)), 0.0)
        stands = self._one_way & (speeds < STANDSTILL * self._fastest[:, None])
        fails = self._motors & (stands | (effects < STANDSTILL * commands))
        fails &= (commands > get("FD_ACT_MOT_THR")[:, None]) & watched[:, None]
        self._fails_since = np.where(fails, np.minimum(self._fails_since, now), math.inf)
        late = now - self._fails_since >= get("FD_ACT_MOT_TOUT")[:, None] / 1e3
        # as in PX4 a failure stays one, since the motor is commanded to stop then
        self._findings.set("motor", watched & (late.any(axis=1) | self._findings.of("motor")))

    def _commands(self) -> tuple[Array, Array]:
        """Return the sizes of the commands, and how much of each takes effect, (n, MOTORS)."""
        commands, effects = np.zeros((2, self._sim.n, MOTORS))
        for group, rows, indices in self._sim.select():
            found, left = group.actuator_commands(rows), effective_commands(group, rows)
            count = min(found.shape[1], MOTORS)
            commands[indices, :count] = np.abs(found[:, :count])
            effects[indices, :count] = np.abs(left[:, :count])
        return commands, effects


def _motors(group: Group) -> Bools:
    """Return which of the first displayed actuators of vehicles are motors, (n, MOTORS)."""
    first = [actuator.is_motor for actuator in group.ranges][:MOTORS]
    count = first.index(False) if False in first else len(first)
    return np.tile(np.arange(MOTORS) < count, (group.n, 1))


def _one_way(group: Group) -> Bools:
    """Return which of these motors turn one way: others stand where they reverse or brake."""
    first = [actuator.one_way for actuator in group.ranges][:MOTORS]
    return np.tile(first + [False] * (MOTORS - len(first)), (group.n, 1))
