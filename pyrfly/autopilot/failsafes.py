"""Failsafes of vehicles that answer as PX4: `Failsafes`.

Which loss leads to which action is that of PX4 v1.16.1 [@px4 v1.16.1 failsafe.cpp]. What is left
out: the delay before an action (COM_FAIL_ACT_T), and losses of hardware that vehicles here do not
have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.columns import of_transition
from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.autopilot.parameters import Parameters
from pyrfly.mavlink.constants import Severity
from pyrfly.mission.fence import Fence
from pyrfly.sim import Sim
from pyrfly.sim.battery_state import battery

__all__ = ["BATTERY_LEVELS", "Failsafes", "Say", "Vehicles", "stronger"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Say = Callable[[int, Severity, str], object]
"""Tells the stations of a vehicle something: row, severity, text."""

Action = FlightMode | None
"""Mode to switch to; None disarms."""

# Plain numbers: NumPy compares with members of an IntEnum ten times as slowly.
_OFFBOARD, _LAND = int(FlightMode.OFFBOARD), int(FlightMode.LAND)

_OFFBOARD_ACTIONS: Mapping[int, Action] = MappingProxyType(
    {
        0: FlightMode.POSITION,
        1: FlightMode.ALTITUDE,
        2: FlightMode.STABILIZED,
        3: FlightMode.RETURN,
        4: FlightMode.LAND,
        5: FlightMode.HOLD,
        6: FlightMode.TERMINATION,
        7: None,
    }
)
"""Of COM_OBL_RC_ACT."""

_LINK_ACTIONS: Mapping[int, Action] = MappingProxyType(
    {
        1: FlightMode.HOLD,
        2: FlightMode.RETURN,
        3: FlightMode.LAND,
        5: FlightMode.TERMINATION,
        6: None,
    }
)
"""Of NAV_DLL_ACT and NAV_RCL_ACT."""

_FENCE_ACTIONS: Mapping[int, Action] = MappingProxyType(
    {
        2: FlightMode.HOLD,
        3: FlightMode.RETURN,
        4: FlightMode.TERMINATION,
        5: FlightMode.LAND,
    }
)
"""Of GF_ACTION; all other numbers warn, 0 does not."""

_NO_FENCE = Fence()

_BATTERY_ACTIONS: Mapping[tuple[int, int], Action] = MappingProxyType(
    {
        (2, 1): FlightMode.RETURN,
        (2, 2): FlightMode.LAND,
        (2, 3): FlightMode.RETURN,
        (3, 1): FlightMode.RETURN,
        (3, 2): FlightMode.LAND,
        (3, 3): FlightMode.LAND,
    }
)
"""Of a level of `BATTERY_LEVELS` and COM_LOW_BAT_ACT; the others warn."""

_QUADCHUTES = {
    1: "transition timeout",
    3: "minimum altitude breached",
    4: "uncommanded descent detected",
    5: "loss of altitude during transition",
    6: "maximum pitch exceeded",
    7: "maximum roll exceeded",
}
"""Reasons of the column ``quadchute``, PX4's QuadchuteReason."""

_QUADCHUTE_ACTIONS: Mapping[int, Action] = MappingProxyType(
    {0: FlightMode.RETURN, 1: FlightMode.LAND, 2: FlightMode.HOLD}
)
"""Of COM_QC_ACT; -1 warns."""

BATTERY_LEVELS = ("", "Low battery", "Critical battery", "Emergency battery level")
"""Levels of the battery, from 0, which is enough."""

_THRESHOLDS = ("BAT_LOW_THR", "BAT_CRIT_THR", "BAT_EMERGEN_THR")

_EXCEPTIONS: Mapping[FlightMode, int] = MappingProxyType(
    {
        FlightMode.MISSION: 1,
        **dict.fromkeys(
            (
                *(FlightMode.HOLD, FlightMode.TAKEOFF, FlightMode.LAND, FlightMode.RETURN),
                FlightMode.ORBIT,
            ),
            2,
        ),
        FlightMode.OFFBOARD: 4,
    }
)
"""Bit of COM_RCL_EXCEPT with which a mode goes on without manual control."""

_STRENGTH: Mapping[Action, int] = MappingProxyType(
    {
        FlightMode.HOLD: 1,
        FlightMode.RETURN: 2,
        FlightMode.LAND: 3,
        FlightMode.TERMINATION: 4,
        None: 4,
    }
)


def stronger(action: Action, mode: FlightMode) -> bool:
    """Return whether an action ends a mode: a return and a landing are ended by stronger ones only.

    Examples
    --------
    >>> stronger(FlightMode.HOLD, FlightMode.RETURN), stronger(FlightMode.HOLD, FlightMode.OFFBOARD)
    (False, True)
    """
    at_least = _STRENGTH[mode] if mode in (FlightMode.RETURN, FlightMode.LAND) else -1
    return _STRENGTH.get(action, 0) > at_least


class Vehicles(Protocol):
    """What the failsafes need of the vehicles, `pyrfly.autopilot.commander.Commander`.

    The silences are times since the last message [s], below 0 before the first.
    """

    mode: NDArray[np.int64]
    home: Array

    @property
    def armed(self) -> Bools:
        """Whether each is armed."""

    @property
    def offboard_silence(self) -> Array:
        """Of set-points."""

    @property
    def station_silence(self) -> Array:
        """Of ground stations."""

    @property
    def stick_silence(self) -> Array:
        """Of remote controls."""

    def fail(self, row: int, action: FlightMode | None) -> None:
        """Execute the action of a failsafe."""


class Failsafes:
    """Notes what vehicles have lost and what they violate, and acts on it once.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    vehicles : Vehicles
        Their modes.
    parameters : Parameters
        Their PX4 parameters.
    say : callable
        Told what a vehicle has to say.

    Attributes
    ----------
    battery_level : ndarray of int, shape (n,)
        Index into `BATTERY_LEVELS`; it does not fall while the vehicle is armed.
    fences : dict
        Areas that a station has sent to a vehicle, by row.
    """

    def __init__(self, sim: Sim, vehicles: Vehicles, parameters: Parameters, say: Say) -> None:
        self.battery_level = np.zeros(sim.n, np.int64)
        self._sim = sim
        self._vehicles = vehicles
        self._parameters = parameters
        self._say = say
        self._no_station = np.zeros(sim.n, np.bool_)
        self._no_sticks = np.zeros(sim.n, np.bool_)
        self.fences: dict[int, Fence] = {}
        self._outside = np.zeros(sim.n, np.bool_)
        self._quadchute = np.zeros(sim.n)

    def update(self) -> None:
        """Act on streams that are lost."""
        vehicles, get = self._vehicles, self._parameters.column
        armed, mode = vehicles.armed, vehicles.mode
        offboard = armed & (mode == _OFFBOARD)
        if offboard.any():
            lost = vehicles.offboard_silence > get("COM_OF_LOSS_T")
            for row in np.flatnonzero(lost & offboard).tolist():
                action = int(self._parameters.get(row, "COM_OBL_RC_ACT"))
                self._lose(row, "Offboard control lost", _OFFBOARD_ACTIONS[action])
        silence = vehicles.station_silence
        if (silence >= 0).any():
            lost = silence > get("COM_DL_LOSS_T")
            new = lost & ~self._no_station & armed & (mode != _LAND)
            self._no_station = lost & (self._no_station | new)
            self._lose_link(new, "NAV_DLL_ACT", "Ground station lost")
        silence = vehicles.stick_silence
        if (silence >= 0).any():
            lost = silence > get("COM_RC_LOSS_T")
            new = lost & ~self._no_sticks & armed & ~self._is_excepted()
            self._no_sticks = lost & (self._no_sticks | new)
            self._lose_link(new, "NAV_RCL_ACT", "Manual control lost")

    def update_slowly(self) -> None:
        """Act on quadchutes, low batteries, and breaches of the geofence."""
        self._check_quadchutes()
        if self._sim.power.enabled:
            self._check_batteries()
        get = self._parameters.column
        fenced = (get("GF_MAX_HOR_DIST") > 0) | (get("GF_MAX_VER_DIST") > 0)
        fenced[list(self.fences)] = True
        fenced &= self._vehicles.armed & (get("GF_ACTION") > 0)
        self._outside &= fenced
        pos = np.asarray(self._sim.pos, np.float64)
        for row in np.flatnonzero(fenced).tolist():
            violation = self.violation(row, pos[row])
            if violation and not self._outside[row]:
                self._breach(row, violation)
            self._outside[row] = bool(violation)

    def allows(self, row: int, pos: Array) -> bool:
        """Return whether a place [m, NED] may be commanded: inside, if GF_ACTION acts.

        As geofence_allows_position of PX4 [@px4 v1.16.1 navigator_main.cpp].
        """
        acts = int(self._parameters.get(row, "GF_ACTION")) in _FENCE_ACTIONS
        return not (acts and self.violation(row, pos))

    def violation(self, row: int, pos: Array) -> str:
        """Return what a place [m, NED] violates of the geofence of a vehicle, empty if nothing."""
        get = self._parameters.get
        far, high = get(row, "GF_MAX_HOR_DIST"), get(row, "GF_MAX_VER_DIST")
        north, east, down = (pos - self._vehicles.home[row]).tolist()
        if far > 0 and math.hypot(north, east) > far:
            return f"more than {far:g} m from home"
        if high > 0 and -down > high:
            return f"above {high:g} m"
        return self.fences.get(row, _NO_FENCE).breach(pos)

    def _breach(self, row: int, reason: str) -> None:
        """Act on a breach of the geofence, by GF_ACTION."""
        self._say(row, Severity.CRITICAL, f"Geofence violation: {reason}")
        action = int(self._parameters.get(row, "GF_ACTION"))
        if action in _FENCE_ACTIONS:
            self._vehicles.fail(row, _FENCE_ACTIONS[action])

    def _check_quadchutes(self) -> None:
        reason, before = of_transition(self._sim, lambda t: t.abort), self._quadchute
        self._quadchute = reason
        for row in np.flatnonzero((reason != 0) & (before == 0)).tolist():
            self._say(
                row,
                Severity.CRITICAL,
                f"Quadchute: {_QUADCHUTES.get(int(reason[row]), 'unknown reason')}",
            )
            action = int(self._parameters.get(row, "COM_QC_ACT"))
            if action in _QUADCHUTE_ACTIONS:
                self._vehicles.fail(row, _QUADCHUTE_ACTIONS[action])

    def _check_batteries(self) -> None:
        armed, before = self._vehicles.armed, self.battery_level
        left = battery(self._sim.select()).charge
        level = sum((left < self._parameters.column(name)).astype(np.int64) for name in _THRESHOLDS)
        self.battery_level = np.where(armed, np.maximum(before, level), level)
        for row in np.flatnonzero(self.battery_level > before).tolist():
            found = int(self.battery_level[row])
            severity = Severity.EMERGENCY if found == 3 else Severity.CRITICAL
            self._say(row, severity, BATTERY_LEVELS[found])
            setting = int(self._parameters.get(row, "COM_LOW_BAT_ACT"))
            if armed[row] and (found, setting) in _BATTERY_ACTIONS:
                self._vehicles.fail(row, _BATTERY_ACTIONS[found, setting])

    def _is_excepted(self) -> Bools:
        """Return where the present mode goes on without manual control."""
        allowed = self._parameters.column("COM_RCL_EXCEPT").astype(np.int64)
        bits = np.zeros(len(allowed), np.int64)
        for mode, bit in _EXCEPTIONS.items():
            bits[self._vehicles.mode == mode] = bit
        return np.asarray(allowed & bits != 0)

    def _lose_link(self, where: Bools, name: str, reason: str) -> None:
        for row in np.flatnonzero(where).tolist():
            action = int(self._parameters.get(row, name))
            if action in _LINK_ACTIONS:
                self._lose(row, reason, _LINK_ACTIONS[action])

    def _lose(self, row: int, reason: str, action: Action) -> None:
        self._say(row, Severity.CRITICAL, f"Failsafe activated: {reason}")
        self._vehicles.fail(row, action)
