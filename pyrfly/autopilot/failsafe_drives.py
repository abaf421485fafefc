"""Motors that stand still, and flight time that a return needs: `DriveChecks`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.failsafe_context import CheckContext
from pyrfly.sim import Group
from pyrfly.sim.battery_state import battery

__all__ = ["DriveChecks"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]

MOTORS = 8
"""Motors of a vehicle that are looked at, at most."""

STANDSTILL = 0.1
"""Share of the fastest speed since arming below which a motor stands still, estimated: its current
would be below a hundredth of that at the fastest speed; PX4 compares with FD_ACT_MOT_C2T."""

_FILTER = 50.0  # s, of the current [@px4 v1.16.1 battery.cpp]
_HYSTERESIS = 1.1  # of the time that is needed [@px4 v1.16.1 batteryCheck.cpp]
_COULOMBS = 3.6  # in a mA h


class DriveChecks:
    """Looks at the motors of vehicles, and at how long their batteries last.

    Parameters
    ----------
    context : CheckContext
        What it looks at.
    """

    def __init__(self, context: CheckContext) -> None:
        sim = context.sim
        self._sim, self._vehicles, self._parameters, self._findings, self._clock = context
        self._motors = np.concatenate([_motors(group) for group in sim.groups])
        self._fastest = np.zeros(sim.n)  # speed of a motor since arming, as displayed
        self._stands_since = np.full((sim.n, MOTORS), math.inf)
        self._current = np.full(sim.n, math.nan)  # filtered [A]
        self._looked_at = self._clock.now

    def look(self, armed: Bools) -> None:
        """Look at all of them."""
        now = self._clock.now
        elapsed, self._looked_at = now - self._looked_at, now
        self._look_at_motors(armed, now)
        if self._sim.power.enabled:
            self._look_at_remaining_times(armed, elapsed)

    def _look_at_motors(self, armed: Bools, now: float) -> None:
        """Find motors that stand still though they are commanded to turn."""
        get = self._parameters.column
        watched = armed & (get("FD_ACT_EN") != 0)
        if not watched.any():
            self._findings.set("motor", False)
            self._fastest[:] = 0.0
            return
        speeds = np.abs(np.asarray(self._sim.displayed_actuators, np.float64)[:, :MOTORS])
        speeds = np.where(self._motors, speeds, 0.0)
        self._fastest = np.where(watched, np.maximum(self._fastest, speeds.max(axis=1)), 0.0)
        commands = np.zeros_like(speeds)
        for group, rows, indices in self._sim.select():
            found = np.abs(group.actuator_commands(rows)[:, :MOTORS])
            commands[indices, : found.shape[1]] = found
        stands = self._motors & (speeds < STANDSTILL * self._fastest[:, None])
        stands &= (commands > get("FD_ACT_MOT_THR")[:, None]) & watched[:, None]
        self._stands_since = np.where(stands, np.minimum(self._stands_since, now), math.inf)
        late = now - self._stands_since >= get("FD_ACT_MOT_TOUT")[:, None] / 1e3
        # as in PX4 a failure stays one, since the motor is commanded to stop then
        self._findings.set("motor", watched & (late.any(axis=1) | self._findings.of("motor")))

    def _look_at_remaining_times(self, armed: Bools, elapsed: float) -> None:
        """Compare the time that batteries last with that of a return [@px4 v1.16.1 rtl.cpp]."""
        get = self._parameters.column
        capacity = get("BAT1_CAPACITY") * _COULOMBS
        if not (capacity > 0).any():
            self._findings.set("remaining_time", False)
            return
        supply = battery(self._sim.select())
        self._current = np.where(np.isnan(self._current), get("BAT_AVRG_CURRENT"), self._current)
        drawn = armed & np.isfinite(supply.amperes)
        change = np.maximum(supply.amperes, 0.0) - self._current
        self._current = self._current + np.where(drawn, change, 0.0) * elapsed / (elapsed + _FILTER)
        lasts = supply.charge * capacity / np.maximum(self._current, 1e-6)
        needed = get("RTL_TIME_FACTOR") * self._return_times() + get("RTL_TIME_MARGIN")
        needed *= np.where(self._findings.of("remaining_time"), _HYSTERESIS, 1.0)
        self._findings.set("remaining_time", armed & (capacity > 0) & (needed >= lasts))

    def _return_times(self) -> Array:
        """Return how long a direct return home takes [s], without wind, of each vehicle."""
        get = self._parameters.column
        way = np.asarray(self._sim.known.pos, np.float64) - self._vehicles.homes.pos
        height = -way[:, 2]
        top = np.maximum(height, get("RTL_RETURN_ALT"))
        cruise = np.where(self._vehicles.hovers, get("MPC_XY_CRUISE"), get("FW_AIRSPD_TRIM"))
        times: Array = np.hypot(way[:, 0], way[:, 1]) / cruise
        times = times + (top - height) / get("MPC_Z_V_AUTO_UP") + top / get("MPC_Z_V_AUTO_DN")
        return times + np.maximum(get("RTL_LAND_DELAY"), 0.0)


def _motors(group: Group) -> Bools:
    """Return which of the first displayed actuators of vehicles are motors, (n, MOTORS)."""
    first = [actuator.is_motor for actuator in group.ranges][:MOTORS]
    count = first.index(False) if False in first else len(first)
    return np.tile(np.arange(MOTORS) < count, (group.n, 1))
