"""Lost links and positions, and modes that cannot go on without: `LinkChecks`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.columns import column
from pyrfly.autopilot.failsafe_context import CheckContext
from pyrfly.autopilot.failsafe_table import Action
from pyrfly.autopilot.flight_modes import FlightMode

__all__ = ["LinkChecks"]

Bools = NDArray[np.bool_]

# Plain numbers: NumPy compares with members of an IntEnum ten times as slowly.
_OFFBOARD, _LAND = int(FlightMode.OFFBOARD), int(FlightMode.LAND)
_NO_STICKS = 4  # COM_RC_IN_MODE: there is no manual control
_PROBATION = 1.0  # s after which a position counts again [@px4 v1.16.1 estimatorCheck.cpp]
_KEPT = 2.5  # factor of the error up to which a position stays valid, likewise
_US = 1e6
_AIDS = (0, 1, 9, 10, 12, 13)
"""Of ``innovation_ages``: level positions and velocities, by satellites and in water."""


_EXCEPTIONS: Mapping[FlightMode, int] = MappingProxyType(
    {
        FlightMode.MISSION: 1,
        **dict.fromkeys((FlightMode.HOLD, FlightMode.TAKEOFF), 2),
        FlightMode.OFFBOARD: 4,
    }
)
"""Bit of COM_RCL_EXCEPT and COM_DLL_EXCEPT with which a mode goes on without the link."""

_OFFBOARD_ACTIONS = (
    *(Action.POSITION, Action.ALTITUDE, Action.STABILIZED, Action.RETURN),
    *(Action.LAND, Action.HOLD, Action.TERMINATE, Action.DISARM),
)
"""Of COM_OBL_RC_ACT."""

_NAVIGATING = tuple(
    map(
        int,
        (
            *(FlightMode.HOLD, FlightMode.MISSION, FlightMode.RETURN, FlightMode.TAKEOFF),
            *(FlightMode.FOLLOW, FlightMode.ORBIT),
        ),
    )
)
"""Modes that need the position [@px4 v1.16.1 mode_requirements.cpp]."""

_POSITIONED = (int(FlightMode.POSITION), _LAND)
"""Modes that need any position."""


class LinkChecks:
    """Looks at the links and positions of vehicles.

    Parameters
    ----------
    context : CheckContext
        What it looks at.

    Attributes
    ----------
    navigates, holds : ndarray of bool, shape (n,)
        Whether each knows its position well enough to fly by itself, and at all.
    """

    def __init__(self, context: CheckContext) -> None:
        sim = context.sim
        self._sim, self._vehicles, self._parameters, self._findings, self._clock = context
        self.navigates = np.ones(sim.n, np.bool_)
        self.holds = np.ones(sim.n, np.bool_)
        self._optional_sticks = np.ones(sim.n, np.bool_)  # lost at arming, until they are back
        self._lost_position_at = np.full(sim.n, -math.inf)

    def look(self, armed: Bools) -> None:
        """Look at all of them."""
        self._look_at_links(armed)
        self._look_at_positions(armed)
        self._look_at_modes(armed)

    def _look_at_links(self, armed: Bools) -> None:
        get, intended = self._parameters.column, self._vehicles.intended
        silence = self._vehicles.silences.sticks
        lost = ~((silence >= 0) & (silence <= get("COM_RC_LOSS_T")))
        self._optional_sticks = lost & (self._optional_sticks | ~armed)
        watched = lost & ~self._optional_sticks & (get("COM_RC_IN_MODE") != _NO_STICKS)
        self._findings.set("sticks", watched & ~self._goes_on("COM_RCL_EXCEPT"))
        lost = self._vehicles.silences.station > get("COM_DL_LOSS_T")
        lost &= (get("NAV_DLL_ACT") > 0) & (intended != _LAND)
        self._findings.set("station", lost & ~self._goes_on("COM_DLL_EXCEPT"))

    def _goes_on(self, name: str) -> Bools:
        """Return where the mode of the user goes on without a link."""
        allowed = self._parameters.column(name).astype(np.int64)
        bits = np.zeros(len(allowed), np.int64)
        if allowed.any():
            for mode, bit in _EXCEPTIONS.items():
                bits[self._vehicles.intended == int(mode)] = bit
        return np.asarray(allowed & bits != 0)

    # --- what modes need

    def _look_at_modes(self, armed: Bools) -> None:
        """Find what replaces modes that cannot go on [@px4 v1.16.1 failsafe.cpp]."""
        mode = self._vehicles.intended
        action = np.zeros(len(mode), np.int8)
        get = self._parameters.column
        offboard = armed & (mode == _OFFBOARD)
        if offboard.any():
            silent = offboard & ~(self._vehicles.silences.set_points <= get("COM_OF_LOSS_T"))
            chosen = get("COM_OBL_RC_ACT")[silent].astype(np.int64)
            action[silent] = np.array(_OFFBOARD_ACTIONS)[chosen]
        if not self.navigates.all():
            astray = ~self.navigates & np.isin(mode, _NAVIGATING)
            action[astray] = np.maximum(action[astray], Action.RETURN)
            blind = ~self.holds & np.isin(mode, _POSITIONED)
            land = blind & (get("COM_POSCTL_NAVL") == 1) & (mode != _LAND)
            action[blind] = Action.ALTITUDE
            action[land | (blind & (mode == _LAND))] = Action.DESCEND
        self._findings.set("mode", action != Action.NONE, action)

    def _look_at_positions(self, armed: Bools) -> None:
        """Find who knows its position: all that do not fly on an estimate do."""
        if not self._sim.estimator.enabled:
            return
        get, now = self._parameters.column, self._clock.now
        flies = column(self._sim, "flies_on_estimate")[:, 0] != 0
        variance = self._sim.estimator.standard_deviation("position")[:, :2] ** 2
        error = np.sqrt(variance.sum(axis=1))
        age = column(self._sim, "innovation_ages", _AIDS[-1] + 1)[:, _AIDS].min(axis=1)
        self.holds = ~flies | (age <= get("EKF2_NOAID_TOUT") / _US)
        most = np.where(get("COM_POS_FS_EPH") < 0, math.inf, get("COM_POS_FS_EPH"))
        good = self.holds & (~flies | (error < np.where(self.navigates, _KEPT, 1.0) * most))
        self._lost_position_at[~good] = now
        self.navigates = good & (now - self._lost_position_at >= _PROBATION)
        low = (get("COM_POS_LOW_EPH") > 0) & (error > get("COM_POS_LOW_EPH"))
        modes = self._vehicles.intended
        low &= flies & ((modes == FlightMode.MISSION) | (modes == FlightMode.HOLD))
        self._findings.set("accuracy", low & self.navigates & armed)
