"""Modes and arming of vehicles that answer as PX4: `Commander`.

As PX4 v1.16.1 behaves [@px4 v1.16.1 Commander.cpp, UserModeIntention.cpp, mode_requirements.cpp],
with the controllers of the vehicles here in place of its own. What is left out: checks of hardware,
VTOL transitions, precision landing. A terminated vehicle can be armed again when it lies on the
ground, where PX4 needs a reboot.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.arrays import rows_where
from pyrfly.autopilot.admission import Admission
from pyrfly.autopilot.clock import Clock
from pyrfly.autopilot.columns import in_winged_flight
from pyrfly.autopilot.failsafe_findings import Say
from pyrfly.autopilot.failsafe_table import Action
from pyrfly.autopilot.failsafes import Failsafes
from pyrfly.autopilot.flight_modes import MODES, FlightMode
from pyrfly.autopilot.flight_record import FlightRecord
from pyrfly.autopilot.flight_requests import FlightRequests
from pyrfly.autopilot.flights import Fly
from pyrfly.autopilot.geofence import Geofence
from pyrfly.autopilot.homes import Homes
from pyrfly.autopilot.local_origins import LocalOrigins
from pyrfly.autopilot.mode_execution import ModeExecution
from pyrfly.autopilot.mode_flights import TakeOffTop
from pyrfly.autopilot.parameters import Parameters
from pyrfly.autopilot.returning import MissionReturn
from pyrfly.autopilot.silences import Silences
from pyrfly.autopilot.sticks import Sticks
from pyrfly.mavlink.constants import LandedState, Result, Severity, SystemState
from pyrfly.protocol.synthesis import Inputs
from pyrfly.sim import Sim

__all__ = ["Commander"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]

# Plain numbers: NumPy compares with members of an IntEnum ten times as slowly.
_IN_AIR, _ON_GROUND = int(LandedState.IN_AIR), int(LandedState.ON_GROUND)
_AIRBORNE = (
    (int(FlightMode.TAKEOFF), int(LandedState.TAKEOFF)),
    (int(FlightMode.LAND), int(LandedState.LANDING)),
)


class Commander:
    """Modes and arming of the vehicles of a `Sim`, and what each mode flies.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns.
    parameters : Parameters
        Their PX4 parameters.
    say : callable
        Told what a vehicle has to say.
    clock : Clock
        Time.
    patience : float
        Factor of the times after which a link counts as lost, see `Silences`.
    target_timeout : float
        See `ModeFlights`.

    Attributes
    ----------
    mode : ndarray of int64, shape (n,)
        `FlightMode` of each vehicle.
    intended : ndarray of int64, shape (n,)
        The mode that its user wants, which a failsafe does not change.
    on_surface : ndarray of bool, shape (n,)
        Whether each vehicle never leaves the ground.
    hovers : ndarray of bool, shape (n,)
        Whether each vehicle can stay at a position; others circle.
    guided : ndarray of bool, shape (n,)
        Whether controllers of the core fly each vehicle; others are neither armed here nor flown.
    homes : Homes
        Where they return to.
    origins : LocalOrigins
        Where their local frames begin.
    record : FlightRecord
        What they have flown, and whether they have landed.
    silences : Silences
        How long nothing was heard of those who control them.
    fence : Geofence
        Where they may fly.
    failsafes : Failsafes
        What they have lost.
    execution : ModeExecution
        What they do in their modes.
    requests : FlightRequests
        What stations request of them in flight.
    say : callable
        As given.
    """

    def __init__(
        self,
        sim: Sim,
        parameters: Parameters,
        say: Say,
        clock: Clock,
        patience: float,
        target_timeout: float,
    ) -> None:
        kinds = [(group.abilities.kind, group.n) for group in sim.groups]
        self.on_surface = np.concatenate([np.full(n, kind.on_surface) for kind, n in kinds])
        self.hovers = np.concatenate([np.full(n, not kind.circles) for kind, n in kinds])
        self.guided = np.concatenate([np.full(group.n, group.guided) for group in sim.groups])
        self.say = say
        self.homes = Homes(sim)
        self.origins = LocalOrigins(sim)
        self.record = FlightRecord(sim, parameters, clock, self.on_surface)
        self.silences = Silences(sim.n, parameters, clock, patience)
        self.fence = Geofence(self.homes.pos, parameters)
        self.execution = ModeExecution(sim, self, parameters, target_timeout)
        self.mode, self.intended = self.execution.mode, self.execution.intended
        self.requests: FlightRequests = self.execution.requests
        self.failsafes = Failsafes(sim, self, parameters, clock)
        self._admission = Admission(sim, self, parameters, self.failsafes)
        self._mode_flights = self.execution.mode_flights
        self._sim = sim
        self._clock = clock
        self._resets = clock.resets
        self._start = np.array(sim.home)  # where a reset has put each vehicle
        self._armed = self.armed  # at the last update

    # --- state

    @property
    def armed(self) -> Bools:
        """Whether each vehicle is armed, shape (n,); one that others control is not, here."""
        armed: Bools = np.asarray(self._sim.armed != 0) & self.guided
        return armed

    @property
    def failsafe(self) -> Bools:
        """Whether a failsafe has the mode of each vehicle, shape (n,)."""
        return self.failsafes.active

    @property
    def holds_attitude(self) -> Bools:
        """Whether the attitude of each vehicle is controlled, shape (n,)."""
        return self.execution.holds_attitude

    def stick_pulses(self) -> Array:
        """Return roll, pitch, throttle and yaw of the sticks as a radio has them [us], (n, 4)."""
        return self.execution.manual.pulses()

    def received_channels(self) -> Array:
        """Return the channels of each remote control [us], shape (n, 4); 0 where there is none."""
        return np.where(self.silences.has_sticks[:, None], self.stick_pulses(), 0.0)

    def landed_state(self) -> NDArray[np.int8]:
        """Return the `LandedState` of each vehicle, shape (n,)."""
        states = np.full(len(self.mode), _IN_AIR, np.int8)
        for mode, state in _AIRBORNE:
            states[self.mode == mode] = state
        states[self.record.landed] = _ON_GROUND
        return states

    def system_state(self) -> NDArray[np.uint8]:
        """Return the `SystemState` of each vehicle, shape (n,)."""
        states = np.where(self.armed, SystemState.ACTIVE, SystemState.STANDBY)
        states[self.failsafe & self.armed] = SystemState.CRITICAL
        states[self.mode == FlightMode.TERMINATION] = SystemState.FLIGHT_TERMINATION
        states[self._sim.status != 0] = SystemState.EMERGENCY
        return states.astype(np.uint8)

    def circles_there(self, row: int) -> bool:
        """Return whether a vehicle holds a position by circling: it flies by wings at present."""
        return not self.hovers[row] or bool(in_winged_flight(self._sim)[row])

    def flies(self, row: int) -> bool:
        """Return whether a vehicle is armed and off the ground."""
        return bool(self.armed[row]) and not self.record.landed[row]

    # --- what stations and SDKs request

    def arm(self, row: int, on: bool, force: bool = False) -> Result:
        """Arm or disarm a vehicle; ``force`` does so in the air and in any mode."""
        if on == bool(self.armed[row]):
            return Result.ACCEPTED
        if not on:
            if not (force or self.record.landed[row] or self.on_surface[row]):
                self.say(row, Severity.CRITICAL, "Disarming denied: not landed")
                return Result.TEMPORARILY_REJECTED
            self.execution.disarm(row, "Disarmed by external command")
            return Result.ACCEPTED
        reason = "" if force else self._admission.denial(row)
        if not self.guided[row]:
            reason = "its model has no controllers here"
        if reason:
            self.say(row, Severity.CRITICAL, f"Arming denied: {reason}")
            return Result.TEMPORARILY_REJECTED
        self.say(row, Severity.INFO, "Armed by external command")
        self.execution.begin(row, True, FlightMode(self.mode[row]))
        return Result.ACCEPTED

    def set_mode(self, row: int, mode: FlightMode) -> Result:
        """Switch the mode as a user does, which ends a failsafe."""
        return self._switch(row, mode, None)

    def _switch(self, row: int, mode: FlightMode, top: TakeOffTop | None) -> Result:
        if not self._admission.is_available(row, mode):
            name = MODES[mode].name
            text = f"Switching to {name} is currently not available"
            self.say(row, Severity.CRITICAL, text)
            return Result.TEMPORARILY_REJECTED
        self.failsafes.release(row)
        self._mode_flights.takeoffs.pop(row, None)
        if top is not None:
            self._mode_flights.takeoffs[row] = top
        self.execution.enter(row, mode)
        return Result.ACCEPTED

    def take_off(self, row: int, pos: Array, yaw: float) -> Result:
        """Take off to a position [m, NED]; NaN in it is the present place, in yaw the heading."""
        return self._switch(row, FlightMode.TAKEOFF, TakeOffTop(pos, yaw))

    def restart(self, row: int) -> None:
        """Begin anew with a vehicle that was put back to its start."""
        self.execution.restart(row)
        self.homes.set(row)
        self.origins.restart(row)
        self.record.restart(row)

    def set_mission(self, row: int, fly: Fly | None, returns: MissionReturn | None = None) -> None:
        """Set what mode MISSION flies, from now on if that is the mode; None for nothing.

        ``returns`` is what the mission offers a return.
        """
        flights = self._mode_flights
        flights.missions.pop(row, None)
        flights.returns.pop(row, None)
        if fly is not None:
            flights.missions[row] = fly
        if returns is not None:
            flights.returns[row] = returns
        if self.mode[row] == FlightMode.MISSION:
            self.execution.enter(row, FlightMode.MISSION if fly is not None else FlightMode.HOLD)

    def has_mission(self, row: int) -> bool:
        """Return whether a vehicle has a mission that can be flown."""
        return row in self._mode_flights.missions

    # --- streams

    def set_points(self, rows: Rows, inputs: Inputs) -> None:
        """Take set-points (k,), of distinct vehicles; they count in mode OFFBOARD alone.

        A command with them leaves the vehicle armed, or disarmed, as it is.
        """
        self.silences.hear_set_points(rows)
        self.execution.set_points(rows, inputs)

    def move_sticks(self, row: int, sticks: Sticks) -> None:
        """Take the sticks of a remote control."""
        self.silences.hear_sticks(row)
        moves = self.execution.manual.move(row, sticks, self._clock.now)
        if moves and self._admission.yields_to_sticks(row):
            self.say(row, Severity.INFO, "Pilot took over using sticks")
            self.set_mode(row, FlightMode.POSITION)

    # --- time

    def update(self) -> None:
        """Do what time brings, every `pyrfly.mission.base_pilot.TICK` of simulated time."""
        armed = self.armed
        self._note_changes(armed)
        self._note_landings(armed)
        self.failsafes.update()
        self.execution.update(armed)

    def act(self, row: int, action: Action) -> None:
        """Execute the action of a failsafe."""
        self.execution.act(row, action)

    def _note_changes(self, armed: Bools) -> None:
        """Note what others have armed, disarmed, or put back to a start."""
        start = self._sim.home
        restarted = (start != self._start).any(axis=1)
        restarted |= self._clock.resets != self._resets
        self._resets = self._clock.resets
        for row in rows_where(restarted):
            self._start[row] = start[row]
            self.restart(row)
        for row in rows_where(armed != self._armed):
            if armed[row]:
                self.record.begin(row)
                self.homes.set(row)
            else:
                self.record.end(row)
                if self.execution.leave(row) and self.record.has_landed(row):
                    self.say(row, Severity.INFO, "Disarmed by landing")  # by its navigator
        self._armed[:] = armed

    def _note_landings(self, armed: Bools) -> None:
        """Say who takes off and lands, and disarm those that rest on the ground."""
        landed = self.record.landed
        for row in self.record.update(armed):
            self.say(row, Severity.INFO, f"{'Landing' if landed[row] else 'Takeoff'} detected")
        self.execution.recover(landed)
        for row, reason in self.record.overdue(armed).items():
            self.execution.disarm(row, f"Disarmed by {reason}")
