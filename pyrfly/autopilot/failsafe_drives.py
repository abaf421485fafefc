"""Motors, and flight time that a return needs: `DriveChecks`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.failsafe_context import CheckContext
from pyrfly.autopilot.failsafe_motors import MotorChecks
from pyrfly.sim.battery_state import battery

__all__ = ["DriveChecks"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]

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
        self._motors = MotorChecks(context)
        self._current = np.full(sim.n, math.nan)  # filtered [A]
        self._looked_at = self._clock.now

    def look(self, armed: Bools) -> None:
        """Look at all of them."""
        now = self._clock.now
        elapsed, self._looked_at = now - self._looked_at, now
        self._motors.look(armed)
        if self._sim.power.enabled:
            self._look_at_remaining_times(armed, elapsed)

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
