"""Places, circles, speeds and targets that stations set for flights: `FlightRequests`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.autopilot import routes
from pyrfly.autopilot.columns import in_winged_flight
from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.autopilot.flights import Flights
from pyrfly.autopilot.mode_flights import ModeFlights
from pyrfly.autopilot.vehicles import Vehicles
from pyrfly.mavlink.constants import Result, Severity
from pyrfly.protocol.bits import VtolState
from pyrfly.sim import Sim

__all__ = ["FlightRequests"]

Array = NDArray[np.float64]

_HOVER_MODES = (FlightMode.TAKEOFF, FlightMode.RETURN, FlightMode.LAND)


class FlightRequests:
    """What stations request of vehicles in flight, besides modes.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    vehicles : Vehicles
        Their modes.
    flights : Flights
        What they fly at present.
    mode_flights : ModeFlights
        What their modes fly.
    """

    def __init__(
        self, sim: Sim, vehicles: Vehicles, flights: Flights, mode_flights: ModeFlights
    ) -> None:
        self._sim = sim
        self._vehicles = vehicles
        self._flights = flights
        self._mode_flights = mode_flights

    def fly_to(
        self,
        row: int,
        pos: Array,
        yaw: float = math.nan,
        speed: float = -1.0,
        radius: float = math.nan,
        what: str = "Reposition",
    ) -> Result:
        """Hold at a position [m, NED] with a heading [rad]; NaN in them: where it can stop, any.

        The speed [m/s] counts if it is above 0. A vehicle that is disarmed, or on the ground, stays
        there. One that flies by wings circles with a radius [m], below 0 counter-clockwise, NaN
        or 0 for its own. A position outside the geofence is refused in the name of ``what``, and
        the vehicle holds where it is.
        """
        vehicles, modes = self._vehicles, self._mode_flights
        result = vehicles.set_mode(row, FlightMode.HOLD)
        if result is not Result.ACCEPTED or not vehicles.flies(row):
            return result
        here = self._sim.known.pos[row].astype(np.float64)
        if not vehicles.fence.allows(row, np.where(np.isnan(pos), here, pos)):
            vehicles.say(row, Severity.CRITICAL, f"{what} is outside geofence")
            return result
        if vehicles.circles_there(row):
            modes.requested_speed[row] = speed if speed > 0 else math.nan
            self._flights.begin(row, modes.circle_at(row, pos, radius))
        elif not np.isnan([*pos, yaw]).all():
            modes.requested_speed[row] = speed if speed > 0 else math.nan
            self._flights.begin(
                row,
                lambda vehicle: routes.go_to(
                    vehicle, pos, yaw, modes.speed(row), modes.regions.get(row)
                ),
            )
        return result

    def look_at(self, row: int, pos: Array | None) -> None:
        """Set the region of interest of missions and of HOLD [m, NED]; None: there is none."""
        vehicles, modes = self._vehicles, self._mode_flights
        modes.regions.pop(row, None)
        if pos is None:
            return
        modes.regions[row] = pos
        holds = vehicles.flies(row) and vehicles.mode[row] == FlightMode.HOLD
        if holds and not vehicles.circles_there(row):
            here, speed = np.full(3, math.nan), modes.speed(row)
            self._flights.begin(
                row, lambda vehicle: routes.go_to(vehicle, here, math.nan, speed, pos)
            )

    def orbit(self, row: int, circle: routes.Orbit, facing: routes.Facing) -> Result:
        """Fly a circle, with the nose as ``facing`` says."""
        if not self._vehicles.flies(row):
            self._vehicles.say(row, Severity.CRITICAL, "Orbit command rejected")
            return Result.TEMPORARILY_REJECTED
        result = self._vehicles.set_mode(row, FlightMode.ORBIT)
        if result is Result.ACCEPTED:
            self._mode_flights.circles[row] = circle
            self._flights.begin(row, lambda vehicle: routes.orbit(vehicle, circle, facing))
        return result

    def change_speed(self, row: int, speed: float) -> None:
        """Fly on at another speed [m/s], at most until the mode changes; NaN: MPC_XY_CRUISE."""
        self._mode_flights.requested_speed[row] = speed
        mode = self._vehicles.mode[row]
        if mode == FlightMode.MISSION and not self._vehicles.hovers[row]:
            return  # its pilot changes the speed within an item
        if mode not in (FlightMode.ORBIT, FlightMode.LAND, FlightMode.TAKEOFF):
            self._flights.again(row)

    def turn_round(self, row: int, backward: bool) -> None:
        """Go on backward, or forward, until an item of a mission or another mode says otherwise."""
        self._mode_flights.directions[row] = backward
        self._flights.again(row, backward)

    def transition(self, row: int, state: float) -> Result:
        """Change to hover (MC) or to winged flight (FW), which needs a vehicle in the air."""
        chosen = self._sim.select(row + 1)
        columns = chosen.abilities[0].transition
        if columns is None:
            return Result.UNSUPPORTED
        if state not in (VtolState.MC, VtolState.FW):
            return Result.DENIED
        flies = self._vehicles.flies(row) and self._vehicles.mode[row] not in _HOVER_MODES
        if state == VtolState.FW and not flies:
            self._vehicles.say(row, Severity.CRITICAL, "Transition denied")
            return Result.TEMPORARILY_REJECTED
        chosen.write(columns.command, float(state))
        return Result.ACCEPTED

    def set_rally(self, row: int, places: Sequence[ArrayLike]) -> None:
        """Set the rally points of a vehicle [m, NED], to which it returns if they are nearer."""
        self._mode_flights.rally[row] = tuple(np.array(place, np.float64) for place in places)

    def rally(self, row: int) -> tuple[Array, ...]:
        """Return the rally points of a vehicle [m, NED]."""
        return self._mode_flights.rally.get(row, ())

    def see_target(self, row: int, pos: Array, vel: Array) -> None:
        """Take what a vehicle follows in mode FOLLOW: position and velocity [m, m/s, NED]."""
        self._mode_flights.see_target(row, pos, vel)

    def circles(self) -> dict[int, routes.Orbit]:
        """Return the circles of the vehicles that fly one, by row."""
        vehicles, mode = self._vehicles, self._vehicles.mode
        circling = ~vehicles.hovers | in_winged_flight(self._sim)
        flying = (mode == FlightMode.ORBIT) | (circling & (mode == FlightMode.HOLD))
        flying &= vehicles.armed & ~vehicles.record.landed
        return {row: circle for row, circle in self._mode_flights.circles.items() if flying[row]}

    def region(self, row: int) -> Array | None:
        """Return the region of interest that a station has set [m, NED], or None."""
        return self._mode_flights.regions.get(row)

    def speed(self, row: int) -> float:
        """Return the speed that a station has requested since the mode began [m/s], or NaN."""
        return float(self._mode_flights.requested_speed[row])
