"""What vehicles do in their modes, from one tick to the next: `ModeExecution`."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pyrfly.arrays import rows_where
from pyrfly.autopilot.admission import NOT_ARMABLE
from pyrfly.autopilot.columns import of_transition
from pyrfly.autopilot.failsafe_table import ACTION_MODES, Action
from pyrfly.autopilot.flight_modes import MANUAL_MODES, FlightMode
from pyrfly.autopilot.flight_requests import FlightRequests
from pyrfly.autopilot.flights import Flights
from pyrfly.autopilot.manual_control import ManualControl
from pyrfly.autopilot.mode_flights import ModeFlights
from pyrfly.autopilot.parameters import Parameters
from pyrfly.autopilot.sticks import Sticks
from pyrfly.autopilot.vehicles import Vehicles
from pyrfly.mavlink.constants import Result, Severity
from pyrfly.protocol import synthesis
from pyrfly.protocol.bits import VtolState
from pyrfly.protocol.synthesis import COMMAND, Command, Inputs
from pyrfly.sim import Sim

__all__ = ["ModeExecution"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]

# Plain numbers: NumPy compares with members of an IntEnum ten times as slowly.
_TERMINATION, _OFFBOARD = int(FlightMode.TERMINATION), int(FlightMode.OFFBOARD)
_ACRO, _MANUAL = int(FlightMode.ACRO), int(FlightMode.MANUAL)
_HOVERS = float(VtolState.MC)


class ModeExecution:
    """Lets vehicles fly the modes that were admitted.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns.
    vehicles : Vehicles
        Their state.
    parameters : Parameters
        Their PX4 parameters.
    target_timeout : float
        See `ModeFlights`.

    Attributes
    ----------
    mode : ndarray of int64, shape (n,)
        `FlightMode` of each vehicle.
    intended : ndarray of int64, shape (n,)
        The mode that its user wants, which a failsafe does not change.
    manual : ManualControl
        What its sticks command.
    flights : Flights
        What it flies by itself at present.
    mode_flights : ModeFlights
        What each mode flies.
    requests : FlightRequests
        What stations request of it in flight.
    """

    def __init__(
        self, sim: Sim, vehicles: Vehicles, parameters: Parameters, target_timeout: float
    ) -> None:
        n = sim.n
        self.mode = np.full(n, FlightMode.HOLD, np.int64)
        self.intended = self.mode.copy()
        self.manual = ManualControl(sim, parameters)
        homes = vehicles.homes
        self.mode_flights = ModeFlights(
            *(sim, parameters, homes.pos, homes.yaw, vehicles.hovers, self._sticks_of),
            target_timeout,
        )
        self.flights = Flights(sim, self.mode_flights.speeds, self.mode_flights.directions.get)
        self.requests = FlightRequests(sim, vehicles, self.flights, self.mode_flights)
        self._sim = sim
        self._vehicles = vehicles
        self._parameters = parameters
        self._after = np.full(n, FlightMode.HOLD, np.int64)  # mode after disarming
        self._descends = np.zeros(n, np.bool_)  # without a position
        self._next: dict[int, Callable[[], object]] = {}  # after flights that end in this tick
        self._set_points = synthesis.inputs(n)

    @property
    def holds_attitude(self) -> Bools:
        """Whether the attitude of each vehicle is controlled, shape (n,).

        It is not in ACRO, by angular velocities, in MANUAL of those that do not hover, and unless
        those that fly by wings, too, hover.
        """
        free = (self.mode == _ACRO) | ((self.mode == _MANUAL) & ~self._vehicles.hovers)
        if (self.mode == _OFFBOARD).any():
            free |= (self.mode == _OFFBOARD) & synthesis.holds_rates(self._set_points)
        state = of_transition(self._sim, lambda columns: columns.state)
        return np.asarray(~free & ((state == 0) | (state == _HOVERS)))

    def set_points(self, rows: Rows, inputs: Inputs) -> None:
        """Take set-points (k,), of distinct vehicles; they count in mode OFFBOARD alone.

        A command with them leaves the vehicle armed, or disarmed, as it is.
        """
        commands = (inputs.ints[:, COMMAND] != 0) & self._vehicles.armed[rows]
        inputs.ints[commands, COMMAND] |= int(Command.ARMED)
        self._set_points.ints[rows], self._set_points.floats[rows] = inputs.ints, inputs.floats
        flying = self.mode[rows] == FlightMode.OFFBOARD
        if flying.any():
            ids = rows[flying] + 1
            self._sim.command_sil(inputs.ints[flying], inputs.floats[flying], ids=ids)

    # --- changes

    def enter(self, row: int, mode: FlightMode) -> None:
        """Enter a mode, which the user wants, too."""
        self.intended[row] = mode
        self._execute(row, mode)

    def begin(self, row: int, armed: bool, before: FlightMode) -> None:
        """Command what the present mode does, which follows another one."""
        mode = FlightMode(self.mode[row])
        inputs = synthesis.inputs(1)
        if mode == FlightMode.OFFBOARD and self._vehicles.silences.has_set_points[row]:
            ints, floats = self._set_points
            inputs = Inputs(ints[[row]], floats[[row]])
        # without a task: the vehicle holds its position where there are no set-points
        inputs.ints[:, COMMAND] = synthesis.command_word([armed], Command.OFFBOARD_POSITION)
        self.manual.hold_height(row)
        self._write(row, inputs)
        if mode in (FlightMode.TAKEOFF, FlightMode.LAND):
            self.requests.transition(row, VtolState.MC)
        landed = bool(self._vehicles.record.landed[row])
        fly = self.mode_flights.of_mode(row, mode, landed, before)
        if armed and fly is not None and not self._descends[row]:
            self.flights.begin(row, fly)
        if armed and mode == FlightMode.TAKEOFF and not self._vehicles.on_surface[row]:
            self._tell_height(row)

    def act(self, row: int, action: Action) -> None:
        """Execute the action of a failsafe; below HOLD nothing, and the mode of the user goes on.

        One that was on an orbit holds then.
        """
        if action == Action.TERMINATE:
            self.terminate(row)
        elif action == Action.DISARM:
            self.disarm(row, "Disarmed by failsafe")
        elif self._vehicles.armed[row]:
            mode = ACTION_MODES.get(action, FlightMode(self.intended[row]))
            if mode == FlightMode.ORBIT:
                mode = FlightMode.HOLD
                self.intended[row] = mode
            before = FlightMode(self.mode[row]), bool(self._descends[row])
            if (mode, action == Action.DESCEND) != before:
                self._execute(row, mode, action == Action.DESCEND)

    def disarm(self, row: int, reason: str, severity: Severity = Severity.INFO) -> None:
        """Disarm a vehicle, and say why."""
        self.flights.end(row)
        self._sim.command_sil(command=int(synthesis.command_word([False])[0]), ids=row + 1)
        self._vehicles.say(row, severity, reason)

    def terminate(self, row: int) -> None:
        """End the flight: the motors stop, until the vehicle lies on the ground.

        A parachute that is ready is released.
        """
        self.disarm(row, "Flight termination", Severity.CRITICAL)
        self.mode[row] = FlightMode.TERMINATION
        if self._sim.parachute.ready(row + 1)[0]:
            self.release_parachute(row)

    def release_parachute(self, row: int) -> Result:
        """Release the parachute of a vehicle, which ends its flight."""
        parachute = self._sim.parachute
        if not parachute.ready(row + 1)[0]:
            return Result.DENIED
        parachute.release(row + 1)
        self._vehicles.say(row, Severity.CRITICAL, "Parachute released")
        if self.mode[row] != FlightMode.TERMINATION:
            self.terminate(row)
        return Result.ACCEPTED

    def restart(self, row: int) -> None:
        """Begin anew with a vehicle that was put back to its start."""
        self.flights.end(row)
        self.mode_flights.takeoffs.pop(row, None)
        self.mode_flights.regions.pop(row, None)
        self.mode_flights.directions.pop(row, None)
        self.mode[row] = self.intended[row] = self._after[row] = FlightMode.HOLD

    def leave(self, row: int) -> bool:
        """Note that a vehicle was disarmed; return whether it flew something by itself."""
        self._descends[row] = False
        if self.mode[row] != FlightMode.TERMINATION:
            self.mode[row] = self.intended[row] = self._after[row]
        return self.flights.end(row)

    def recover(self, landed: Bools) -> None:
        """Let terminated vehicles be armed again that lie on the ground."""
        over = landed & (self.mode == _TERMINATION)
        self.mode[over] = self.intended[over] = self._after[over]

    def return_next(self, row: int) -> None:
        """Enter mode RETURN at the end of a flight, which is in this tick, in place of HOLD."""
        self._next[row] = lambda: self.enter(row, FlightMode.RETURN)

    def circle_next(self, row: int, centre: Array, radius: float) -> None:
        """Enter mode HOLD at the end of a flight, likewise, on a circle [m, NED; m]."""

        def circle() -> None:
            self.enter(row, FlightMode.HOLD)
            self.flights.begin(row, self.mode_flights.circle_at(row, centre, radius))

        self._next[row] = circle

    # --- time

    def update(self, armed: Bools) -> None:
        """Command what sticks, descents and flights do in the next tick.

        ``armed`` is who was armed at its beginning.
        """
        vehicles = self._vehicles
        for row in rows_where(vehicles.silences.has_sticks):
            if vehicles.armed[row] and self.mode[row] in MANUAL_MODES:
                self._write(row, self.manual.inputs(row, FlightMode(self.mode[row])))
        for row in rows_where(self._descends & armed):
            self._write(row, self.manual.descent(row))
        for row, failure in self.flights.follow().items():
            if failure:
                vehicles.say(row, Severity.CRITICAL, failure)
            self._go_on(row)

    def _go_on(self, row: int) -> None:
        """Do what follows a flight that has ended."""
        begin_next = self._next.pop(row, None)
        if not self._vehicles.armed[row]:
            self._vehicles.say(row, Severity.INFO, "Disarmed by landing")
        elif begin_next is not None:
            begin_next()
        elif self._begins_mission(row):
            self.enter(row, FlightMode.MISSION)
        else:
            self._hold(row)

    def _begins_mission(self, row: int) -> bool:
        """Return whether a take-off that has ended leads to the mission."""
        wanted = self._parameters.get(row, "COM_TAKEOFF_ACT") == 1
        has_mission = self._vehicles.has_mission(row)
        return wanted and self.mode[row] == FlightMode.TAKEOFF and has_mission

    def _hold(self, row: int) -> None:
        """Hold after the end of a flight: a vehicle that hovers stays where that has led."""
        if not self._vehicles.hovers[row]:
            self.enter(row, FlightMode.HOLD)
            return
        self.mode[row] = FlightMode.HOLD
        if not self._vehicles.failsafe[row]:
            self.intended[row] = FlightMode.HOLD

    def _execute(self, row: int, mode: FlightMode, descends: bool = False) -> None:
        """Fly a mode; ``descends``: down without a position."""
        self.flights.end(row)
        self.mode_flights.requested_speed[row] = math.nan
        before, self.mode[row] = FlightMode(self.mode[row]), mode
        if before != mode:
            self.mode_flights.directions.pop(row, None)
        self._descends[row] = descends
        armed = bool(self._vehicles.armed[row])
        if not armed and mode not in (*NOT_ARMABLE, FlightMode.TAKEOFF):
            self._after[row] = mode
        self.begin(row, armed, before)

    def _tell_height(self, row: int) -> None:
        """Say what PX4 does of the altitude of a take-off [@px4 v1.16.1 takeoff.cpp]."""
        top = self.mode_flights.top(row).pos[2]
        if math.isnan(top):
            height = self._parameters.get(row, "MIS_TAKEOFF_ALT")
            text = f"Using default takeoff altitude: {height:.1f} m"
            self._vehicles.say(row, Severity.INFO, text)
        elif not self._vehicles.record.landed[row] and top > self._sim.known.pos[row, 2]:
            self._vehicles.say(row, Severity.CRITICAL, "Already higher than takeoff altitude")

    def _sticks_of(self, row: int) -> Sticks | None:
        return self.manual.sticks(row) if self._vehicles.silences.has_sticks[row] else None

    def _write(self, row: int, inputs: Inputs) -> None:
        self._sim.command_sil(inputs.ints, inputs.floats, ids=row + 1)
