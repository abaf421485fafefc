"""Limits of the flights of vehicles: batteries, geofences, wind and the like: `LimitChecks`."""

from __future__ import annotations

import math
from contextlib import nullcontext

import numpy as np
from numpy.typing import NDArray

from pyrfly.arrays import rows_where
from pyrfly.autopilot.columns import of_transition
from pyrfly.autopilot.failsafe_context import CheckContext
from pyrfly.autopilot.failsafe_table import Action
from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.ctrl.link.state import LiveState
from pyrfly.mavlink.constants import Severity
from pyrfly.sim.battery_state import battery

__all__ = ["LimitChecks"]

Bools = NDArray[np.bool_]

_THRESHOLDS = ("BAT_LOW_THR", "BAT_CRIT_THR", "BAT_EMERGEN_THR")

_LAND = int(FlightMode.LAND)  # a plain number: NumPy compares with it faster
_NEVER_TERMINATES = 121212  # CBRK_FLIGHTTERM
_WARNING_PERIOD = 60.0  # s between two warnings of the wind [@px4 v1.16.1 windCheck.cpp]
_LAST_PART = 0.1  # of the flight time, in which its end is told [@px4 v1.16.1 flightTimeCheck.cpp]
_MINUTE = 60

_QUADCHUTES = {
    1: "transition timeout",
    3: "minimum altitude breached",
    4: "uncommanded descent detected",
    5: "loss of altitude during transition",
    6: "maximum pitch exceeded",
    7: "maximum roll exceeded",
}
"""Reasons of the column ``quadchute``, PX4's QuadchuteReason."""

_QUADCHUTE_MODES = tuple(map(int, (FlightMode.MISSION, FlightMode.HOLD, FlightMode.TAKEOFF)))


class LimitChecks:
    """Looks at what vehicles violate.

    Parameters
    ----------
    context : CheckContext
        What it looks at.

    Attributes
    ----------
    battery_level : ndarray of int, shape (n,)
        Of the battery, from 0, enough, to 3, an emergency; it does not fall while the vehicle is
        armed.
    """

    def __init__(self, context: CheckContext) -> None:
        sim = context.sim
        self._sim, self._vehicles, self._parameters, self._findings, self._clock = context
        n = sim.n
        self.battery_level = np.zeros(n, np.int64)
        self._state = LiveState(sim, sim.select(), nullcontext(), estimated=True)
        self._armed = np.zeros(n, np.bool_)
        self._level_at_arming = np.zeros(n, np.int64)
        self._tilted_at = np.full((n, 2), math.inf)  # beyond FD_FAIL_R and FD_FAIL_P since
        self._warned_of_wind = np.full(n, -math.inf)
        self._told_remaining = np.full(n, -1)

    def look(self, armed: Bools) -> None:
        """Look at what changes fast: attitudes."""
        changed = armed != self._armed
        if changed.any():
            self._level_at_arming[changed] = self.battery_level[changed]
            self._armed = armed.copy()
        self._look_at_attitudes(armed)

    def look_slowly(self, armed: Bools) -> None:
        """Look at all else."""
        self._look_at_quadchutes()
        if self._sim.power.enabled or self._sim.faults.enabled:  # of gauges, too
            self._look_at_batteries(armed)
        self._look_at_fences(armed)
        self._look_at_wind(armed)
        self._look_at_flight_times(armed)

    def _look_at_attitudes(self, armed: Bools) -> None:
        """Find who is turned over [@px4 v1.16.1 FailureDetector.cpp]."""
        get, now = self._parameters.column, self._clock.now
        watched = armed & self._vehicles.holds_attitude
        if not watched.any():
            self._findings.set("attitude", False)
            return
        angles = np.abs(np.degrees(self._state.euler[:, :2]))
        most = self._parameters.columns("FD_FAIL_R", "FD_FAIL_P")
        tilted = (angles > most) & (most > 0) & watched[:, None]
        if not tilted.any():
            self._tilted_at[:] = math.inf
            self._findings.set("attitude", False)
            return
        self._tilted_at = np.where(tilted, np.minimum(self._tilted_at, now), math.inf)
        patience = self._parameters.columns("FD_FAIL_R_TTRI", "FD_FAIL_P_TTRI")
        fails = (now - self._tilted_at >= patience).any(axis=1)
        early = self._vehicles.record.time_armed < get("COM_LKDOWN_TKO") + get("COM_SPOOLUP_TIME")
        late = np.where(
            get("CBRK_FLIGHTTERM") == _NEVER_TERMINATES, int(Action.WARN), int(Action.TERMINATE)
        )
        self._findings.set("attitude", fails, np.where(early, int(Action.DISARM), late))

    def _look_at_quadchutes(self) -> None:
        reason = of_transition(self._sim, lambda t: t.abort)
        failed = (reason != 0) & np.isin(self._vehicles.intended, _QUADCHUTE_MODES)
        new = failed & ~self._findings.of("quadchute")
        for row in rows_where(new):
            why = _QUADCHUTES.get(int(reason[row]), "unknown reason")
            self._vehicles.say(row, Severity.CRITICAL, f"Quadchute: {why}")
        self._findings.set("quadchute", failed)

    def _look_at_batteries(self, armed: Bools) -> None:
        before, get = self.battery_level, self._parameters.column
        left = battery(self._sim.select()).charge
        level = sum((left < get(name)).astype(np.int64) for name in _THRESHOLDS)
        self.battery_level = np.where(armed, np.maximum(before, level), level)
        worse = self.battery_level > self._level_at_arming
        choice = np.where(worse & armed, get("COM_LOW_BAT_ACT"), 0)
        for found, name in enumerate(("low", "critical", "emergency"), start=1):
            self._findings.set(
                f"{name}_battery", self.battery_level == found, 0 if found == 1 else choice
            )

    def _look_at_fences(self, armed: Bools) -> None:
        fenced, before = self._vehicles.fence.checked() & armed, self._findings.of("geofence")
        if not (fenced.any() or before.any()):
            return
        outside = np.zeros(len(fenced), np.bool_)
        pos = self._state.pos  # what PX4 knows, spoofed or not
        for row in rows_where(fenced):
            violation = self._vehicles.fence.violation(row, pos[row])
            if violation and not before[row]:
                self._vehicles.say(row, Severity.CRITICAL, f"Geofence: {violation}")
            outside[row] = bool(violation)
        self._findings.set("geofence", outside)

    def _look_at_wind(self, armed: Bools) -> None:
        get, now = self._parameters.column, self._clock.now
        warns, most = get("COM_WIND_WARN"), get("COM_WIND_MAX")
        if not ((warns > 0) | (most > 0)).any():
            self._findings.set("wind", False)
            return
        speed = np.hypot(*np.asarray(self._sim.environment.wind, np.float64)[:, :2].T)
        above = (most > 0) & (speed > most)
        acts = get("COM_WIND_MAX_ACT")
        self._findings.set("wind", above & (acts > 1))
        back = np.isin(self._vehicles.mode, (int(FlightMode.RETURN), _LAND))
        due = armed & ~back & (now - self._warned_of_wind >= _WARNING_PERIOD)
        limit = above & (acts == 1)
        high = (warns > 0) & (speed > warns) & ~(above & (acts > 1))
        for row in rows_where(due & (limit | high)):
            what = "Wind speed above limit" if limit[row] else "High wind speed detected"
            text = f"{what} ({speed[row]:.1f}m/s), landing advised"
            self._vehicles.say(row, Severity.WARNING, text)
            self._warned_of_wind[row] = now

    def _look_at_flight_times(self, armed: Bools) -> None:
        most = self._parameters.column("COM_FLT_TIME_MAX")
        flown = np.nan_to_num(self._vehicles.record.time_in_air, nan=-1.0)
        over = (most > 0) & armed & (flown > most)
        self._findings.set("flight_time", over, 0)
        ending = (most > 0) & armed & ~over & (flown > (1.0 - _LAST_PART) * most)
        rest = np.where(ending, np.floor(most - flown), -1).astype(np.int64)
        for row in rows_where(ending & (rest != self._told_remaining)):
            seconds, first = int(rest[row]), self._told_remaining[row] < 0
            if (first and seconds <= _MINUTE) or (seconds >= _MINUTE and seconds % _MINUTE == 0):
                left = f"{seconds} seconds" if seconds <= _MINUTE else f"{seconds // 60} minutes"
                text = f"Approaching max flight time (system will RTL in {left})"
                self._vehicles.say(row, Severity.WARNING, text)
        self._told_remaining = rest
