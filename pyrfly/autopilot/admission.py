"""Whether vehicles can be armed, and which modes they can enter and leave: `Admission`."""

from __future__ import annotations

from pyrfly.autopilot.failsafes import Failsafes
from pyrfly.autopilot.flight_modes import MANUAL_MODES, MODES, FlightMode
from pyrfly.autopilot.parameters import Parameters
from pyrfly.autopilot.vehicles import Vehicles
from pyrfly.sim import Sim

__all__ = ["NOT_ARMABLE", "Admission"]

NOT_ARMABLE = (
    *(FlightMode.RETURN, FlightMode.LAND, FlightMode.ORBIT, FlightMode.FOLLOW),
    FlightMode.TERMINATION,
)
"""Modes in which a vehicle is not armed."""

_FLIES_ONLY = (FlightMode.ALTITUDE, FlightMode.ORBIT, FlightMode.FOLLOW)
"""Modes that vehicles on the ground do not have."""

_ADJUSTED = (FlightMode.ORBIT, FlightMode.FOLLOW)
"""Modes that sticks adjust [@px4 v1.16.1 control_mode.cpp]."""

_OVERRIDES_AUTO, _OVERRIDES_OFFBOARD = 1, 2  # bits of COM_RC_OVERRIDE


class Admission:
    """Admits vehicles to arming and to modes.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    vehicles : Vehicles
        Their modes.
    parameters : Parameters
        Their PX4 parameters.
    failsafes : Failsafes
        What they have lost.
    """

    def __init__(
        self, sim: Sim, vehicles: Vehicles, parameters: Parameters, failsafes: Failsafes
    ) -> None:
        self._sim = sim
        self._vehicles = vehicles
        self._parameters = parameters
        self._failsafes = failsafes

    def denial(self, row: int) -> str:
        """Return why a vehicle cannot be armed; empty if it can."""
        mode = FlightMode(self._vehicles.mode[row])
        name = MODES[mode].name
        if mode in NOT_ARMABLE:
            return f"mode {name} does not allow it"
        if self._sim.status[row]:
            return "the state of the vehicle is invalid"
        if reason := self._failsafes.denial(row):
            return reason
        if mode in MANUAL_MODES and not self._vehicles.silences.has_sticks[row]:
            return "no manual control"
        if self._parameters.get(row, "COM_ARM_MIS_REQ") and not self._vehicles.has_mission(row):
            return "no valid mission"
        return "" if self.is_available(row, mode) else f"mode {name} is not available"

    def is_available(self, row: int, mode: FlightMode) -> bool:
        """Return whether a mode can be entered."""
        vehicles = self._vehicles
        if vehicles.mode[row] == FlightMode.TERMINATION:
            return False
        if self._failsafes.excludes(row, mode) or not vehicles.guided[row]:
            return False
        if vehicles.on_surface[row] and mode in _FLIES_ONLY:
            return False
        if mode == FlightMode.OFFBOARD:
            return bool(vehicles.silences.has_set_points[row])
        if mode == FlightMode.FOLLOW:
            return not vehicles.circles_there(row)
        if mode == FlightMode.MISSION:
            return vehicles.has_mission(row)
        if mode in MANUAL_MODES and vehicles.armed[row]:
            return bool(vehicles.silences.has_sticks[row])
        return True

    def yields_to_sticks(self, row: int) -> bool:
        """Return whether sticks that move end the mode [@px4 v1.16.1 Commander.cpp]."""
        vehicles, mode = self._vehicles, self._vehicles.mode[row]
        if mode in (*MANUAL_MODES, *_ADJUSTED) or not vehicles.flies(row):
            return False
        if vehicles.circles_there(row) or vehicles.on_surface[row]:
            return False
        bit = _OVERRIDES_OFFBOARD if mode == FlightMode.OFFBOARD else _OVERRIDES_AUTO
        allowed = int(self._parameters.get(row, "COM_RC_OVERRIDE")) & bit
        return bool(allowed) and self._failsafes.yields_to_sticks(row)
