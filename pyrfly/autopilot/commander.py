"""Modes and arming of vehicles that answer as PX4: `Commander`.

As PX4 v1.16.1 behaves [@px4 v1.16.1 Commander.cpp, UserModeIntention.cpp, mode_requirements.cpp],
with the controllers of the vehicles here in place of its own. What is left out: checks of hardware,
VTOL transitions, precision landing. A terminated vehicle can be armed again when it lies on the
ground, where PX4 needs a reboot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.autopilot import routes
from pyrfly.autopilot.clock import Clock
from pyrfly.autopilot.columns import ground_contact, in_winged_flight, of_transition
from pyrfly.autopilot.failsafe_findings import Say
from pyrfly.autopilot.failsafe_limits import BATTERY_LEVELS
from pyrfly.autopilot.failsafe_table import ACTION_MODES, Action
from pyrfly.autopilot.failsafes import Failsafes
from pyrfly.autopilot.flight_modes import MANUAL_MODES, MODES, FlightMode
from pyrfly.autopilot.flights import Flights, Fly
from pyrfly.autopilot.geofence import Geofence
from pyrfly.autopilot.manual_control import ManualControl
from pyrfly.autopilot.mode_flights import ModeFlights, TakeOffTop
from pyrfly.autopilot.parameters import Parameters
from pyrfly.autopilot.returning import MissionReturn
from pyrfly.autopilot.sticks import Sticks
from pyrfly.frames import LocalFrame, yaw_of_quaternion
from pyrfly.mavlink.constants import LandedState, Result, Severity, SystemState
from pyrfly.protocol import synthesis
from pyrfly.protocol.bits import VtolState
from pyrfly.protocol.synthesis import COMMAND, Command, Inputs
from pyrfly.sim import Sim

__all__ = ["Commander", "FlightTimes"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]
LANDED_TIME = 0.3
"""Time at rest on the ground after which a vehicle has landed [s]; estimated."""

_FOR_EVER = 1e300
"""Patience of a simulation without pacing."""

_NOT_ARMABLE = (
    *(FlightMode.RETURN, FlightMode.LAND, FlightMode.ORBIT, FlightMode.FOLLOW),
    FlightMode.TERMINATION,
)
_FLIES_ONLY = (FlightMode.ALTITUDE, FlightMode.ORBIT, FlightMode.FOLLOW)
_HOVER_MODES = (FlightMode.TAKEOFF, FlightMode.RETURN, FlightMode.LAND)
"""Modes that vehicles on the ground do not have."""
_CRITICAL_BATTERY = 2
_OVERRIDES_AUTO, _OVERRIDES_OFFBOARD = 1, 2  # bits of COM_RC_OVERRIDE
_ADJUSTED = (FlightMode.ORBIT, FlightMode.FOLLOW)  # by sticks [@px4 v1.16.1 control_mode.cpp]
_LIMITED = (FlightMode.MISSION, FlightMode.HOLD, FlightMode.FOLLOW, FlightMode.ORBIT)
"""Modes that much wind and the end of the flight time exclude [@px4 mode_requirements.cpp]."""

# Plain numbers: NumPy compares with members of an IntEnum ten times as slowly.
_TERMINATION, _OFFBOARD = int(FlightMode.TERMINATION), int(FlightMode.OFFBOARD)
_ACRO, _MANUAL = int(FlightMode.ACRO), int(FlightMode.MANUAL)
_HOVERS = float(VtolState.MC)
_IN_AIR, _ON_GROUND = int(LandedState.IN_AIR), int(LandedState.ON_GROUND)
_AIRBORNE = (
    (int(FlightMode.TAKEOFF), int(LandedState.TAKEOFF)),
    (int(FlightMode.LAND), int(LandedState.LANDING)),
)


class FlightTimes(NamedTuple):
    """The last flights of vehicles, each shape (n,).

    Attributes
    ----------
    armed, took_off, landed : ndarray of float
        How long ago that was [s]; NaN where it has not been.
    number : ndarray of int
        Number of flights before the present one, which disarming ends.
    """

    armed: Array
    took_off: Array
    landed: Array
    number: NDArray[np.int64]


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
        Factor of the times after which a link counts as lost: simulated seconds per real one, where
        that is above 1, as PX4_SIM_SPEED_FACTOR [@px4 rcS].

    Attributes
    ----------
    mode : ndarray of int64, shape (n,)
        `FlightMode` of each vehicle.
    intended : ndarray of int64, shape (n,)
        The mode that its user wants, which a failsafe does not change.
    landed, on_surface : ndarray of bool, shape (n,)
        Whether each vehicle is at rest on the ground, and whether it never leaves it; one that
        drives has landed when it is disarmed.
    hovers : ndarray of bool, shape (n,)
        Whether each vehicle can stay at a position; others circle.
    home : ndarray, shape (n, 3)
        Home [m, NED].
    home_yaw : ndarray, shape (n,)
        Heading at which home was set [rad].
    fence : Geofence
        Where they may fly.
    failsafes : Failsafes
        What they have lost.
    say : callable
        As given.
    """

    def __init__(
        self, sim: Sim, parameters: Parameters, say: Say, clock: Clock, patience: float = 1.0
    ) -> None:
        n = sim.n
        self.mode = np.full(n, FlightMode.HOLD, np.int64)
        self.intended = self.mode.copy()
        self.landed = np.ones(n, np.bool_)
        kinds = [(group.abilities.kind, group.n) for group in sim.groups]
        self.on_surface = np.concatenate([np.full(n, kind.on_surface) for kind, n in kinds])
        self.hovers = np.concatenate([np.full(n, not kind.circles) for kind, n in kinds])
        ends = np.cumsum([n for _, n in kinds]).tolist()
        self._kinds = [(kind, slice(e - n, e)) for (kind, n), e in zip(kinds, ends, strict=True)]
        self.home = np.array(sim.pos, np.float64)
        self._located: LocalFrame | None = None  # of `home_lla`, and the home that it was of
        self._located_home = self._home_lla = np.empty((0, 3))
        self.home_yaw = np.array(yaw_of_quaternion(sim.att.astype(np.float64)))
        self.fence = Geofence(self.home, parameters)
        self.failsafes = Failsafes(sim, self, parameters, self.fence, say, clock)
        self.say = say
        self._sim = sim
        self._parameters = parameters
        self._clock = clock
        self._patience = min(patience, _FOR_EVER)
        self._resets = clock.resets
        self._start = np.array(sim.home)  # where a reset has put each vehicle
        self._after = np.full(n, FlightMode.HOLD, np.int64)  # mode after disarming
        self._descends = np.zeros(n, np.bool_)  # without a position
        self._armed = np.array(sim.armed, np.bool_)  # at the last update
        self._armed_at = np.full(n, math.nan)
        self._took_off_at = np.full(n, math.nan)  # since it was armed
        self._flights_made = np.zeros(n, np.int64)
        self._flew = np.zeros(n, np.bool_)  # since it was armed
        self._rest_since = np.full(n, -math.inf)  # at rest on the ground
        self._next: dict[int, Callable[[], object]] = {}  # after flights that end in this tick
        self._manual = ManualControl(sim, parameters, self.on_surface, self.hovers)
        self._mode_flights = ModeFlights(
            sim, parameters, self.home, self.home_yaw, self.hovers, self._sticks_of
        )
        self._flights = Flights(sim, self._mode_flights.speeds)
        self._set_points = synthesis.inputs(n)
        self._set_point_at = np.full(n, math.inf)
        self._station_at = np.full(n, math.inf)  # of a ground station's last heartbeat

    # --- state

    @property
    def armed(self) -> Bools:
        """Whether each vehicle is armed, shape (n,)."""
        return np.asarray(self._sim.armed != 0)

    @property
    def offboard_silence(self) -> Array:
        """Time since the last set-point [s], below 0 before the first, shape (n,)."""
        return self._silence(self._set_point_at)

    @property
    def station_silence(self) -> Array:
        """Time since the last heartbeat of a ground station [s], likewise."""
        return self._silence(self._station_at)

    @property
    def stick_silence(self) -> Array:
        """Time since the last message of a remote control [s], likewise."""
        return self._silence(self._manual.moved_at)

    @property
    def failsafe(self) -> Bools:
        """Whether a failsafe has the mode of each vehicle, shape (n,)."""
        return self.failsafes.active

    @property
    def holds_attitude(self) -> Bools:
        """Whether the attitude of each vehicle is controlled, shape (n,).

        It is not in ACRO, by angular velocities, in MANUAL of those that do not hover, and unless
        those that fly by wings, too, hover.
        """
        free = (self.mode == _ACRO) | ((self.mode == _MANUAL) & ~self.hovers)
        if (self.mode == _OFFBOARD).any():
            free |= (self.mode == _OFFBOARD) & synthesis.holds_rates(self._set_points)
        state = of_transition(self._sim, lambda columns: columns.state)
        return np.asarray(~free & ((state == 0) | (state == _HOVERS)))

    @property
    def time_armed(self) -> Array:
        """Time since each vehicle was armed [s], NaN before, shape (n,)."""
        return np.asarray(self._clock.now - self._armed_at)

    @property
    def time_in_air(self) -> Array:
        """Time since its take-off [s], NaN before and on the ground, shape (n,)."""
        flown = self._clock.now - self._took_off_at
        return np.where(self.landed, math.nan, flown)

    @property
    def has_sticks(self) -> Bools:
        """Whether each vehicle has a remote control, shape (n,)."""
        silence = self.stick_silence
        return (silence >= 0) & (silence <= self._parameters.column("COM_RC_LOSS_T"))

    def stick_pulses(self) -> Array:
        """Return roll, pitch, throttle and yaw of the sticks as a radio has them [us], (n, 4)."""
        return self._manual.pulses()

    def flight_times(self) -> FlightTimes:
        """Return when the last flight of each vehicle was, and the number of those before."""
        now = self._clock.now
        landed = np.where(self._flew & self.landed, self._rest_since, math.nan)
        landed[~np.isfinite(landed)] = math.nan
        return FlightTimes(
            now - self._armed_at, now - self._took_off_at, now - landed, self._flights_made
        )

    def home_lla(self) -> Array:
        """Return latitude, longitude [deg] and height [m] of home, shape (n, 3)."""
        frame = self._sim.local_frame
        if self._located is not frame or not np.array_equal(self._located_home, self.home):
            self._located, self._located_home = frame, self.home.copy()
            self._home_lla = frame.to_lla(self.home)
        return self._home_lla

    def landed_state(self) -> NDArray[np.int8]:
        """Return the `LandedState` of each vehicle, shape (n,)."""
        states = np.full(len(self.mode), _IN_AIR, np.int8)
        for mode, state in _AIRBORNE:
            states[self.mode == mode] = state
        states[self.landed] = _ON_GROUND
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

    def requested_speed(self, row: int) -> float:
        """Return the speed that a station has requested since the mode began [m/s], or NaN."""
        return float(self._mode_flights.requested_speed[row])

    # --- what stations and SDKs request

    def arm(self, row: int, on: bool, force: bool = False) -> Result:
        """Arm or disarm a vehicle; ``force`` does so in the air and in any mode."""
        if on == bool(self.armed[row]):
            return Result.ACCEPTED
        if not on:
            if not (force or self.landed[row] or self.on_surface[row]):
                self.say(row, Severity.CRITICAL, "Disarming denied: not landed")
                return Result.TEMPORARILY_REJECTED
            self._disarm(row, "Disarmed by external command")
            return Result.ACCEPTED
        reason = "" if force else self._denial(row)
        if reason:
            self.say(row, Severity.CRITICAL, f"Arming denied: {reason}")
            return Result.TEMPORARILY_REJECTED
        self.say(row, Severity.INFO, "Armed by external command")
        self._begin(row, True, FlightMode(self.mode[row]))
        return Result.ACCEPTED

    def set_mode(self, row: int, mode: FlightMode) -> Result:
        """Switch the mode as a user does, which ends a failsafe."""
        return self._switch(row, mode, None)

    def _switch(self, row: int, mode: FlightMode, top: TakeOffTop | None) -> Result:
        if not self._is_available(row, mode):
            name = MODES[mode].name
            text = f"Switching to {name} is currently not available"
            self.say(row, Severity.CRITICAL, text)
            return Result.TEMPORARILY_REJECTED
        self.failsafes.release(row)
        self._mode_flights.takeoffs.pop(row, None)
        if top is not None:
            self._mode_flights.takeoffs[row] = top
        self._enter(row, mode)
        return Result.ACCEPTED

    def take_off(self, row: int, pos: Array, yaw: float) -> Result:
        """Take off to a position [m, NED]; NaN in it is the present place, in yaw the heading."""
        return self._switch(row, FlightMode.TAKEOFF, TakeOffTop(pos, yaw))

    def transition(self, row: int, state: float) -> Result:
        """Change to hover (MC) or to winged flight (FW), which needs a vehicle in the air."""
        chosen = self._sim.select(row + 1)
        columns = chosen.abilities[0].transition
        if columns is None:
            return Result.UNSUPPORTED
        if state not in (VtolState.MC, VtolState.FW):
            return Result.DENIED
        flies = self.armed[row] and not self.landed[row] and self.mode[row] not in _HOVER_MODES
        if state == VtolState.FW and not flies:
            self.say(row, Severity.CRITICAL, "Transition denied")
            return Result.TEMPORARILY_REJECTED
        chosen.write(columns.command, float(state))
        return Result.ACCEPTED

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
        result = self.set_mode(row, FlightMode.HOLD)
        flies = self.armed[row] and not self.landed[row]
        if result is not Result.ACCEPTED or not flies:
            return result
        here = self._sim.pos[row].astype(np.float64)
        if not self.fence.allows(row, np.where(np.isnan(pos), here, pos)):
            self.say(row, Severity.CRITICAL, f"{what} is outside geofence")
            return result
        if self.circles_there(row):
            self._mode_flights.requested_speed[row] = speed if speed > 0 else math.nan
            self._flights.begin(row, self._mode_flights.circle_at(row, pos, radius))
        elif not np.isnan([*pos, yaw]).all():
            self._mode_flights.requested_speed[row] = speed if speed > 0 else math.nan
            self._flights.begin(
                row,
                lambda vehicle: routes.go_to(
                    vehicle, pos, yaw, self._mode_flights.speed(row), self.region(row)
                ),
            )
        return result

    def circles(self) -> dict[int, routes.Orbit]:
        """Return the circles of the vehicles that fly one, by row."""
        circling = ~self.hovers | in_winged_flight(self._sim)
        flying = (self.mode == FlightMode.ORBIT) | (circling & (self.mode == FlightMode.HOLD))
        flying &= self.armed & ~self.landed
        return {row: circle for row, circle in self._mode_flights.circles.items() if flying[row]}

    def region(self, row: int) -> Array | None:
        """Return the region of interest that a station has set [m, NED], or None."""
        return self._mode_flights.regions.get(row)

    def look_at(self, row: int, pos: Array | None) -> None:
        """Set the region of interest of missions and of HOLD [m, NED]; None: there is none."""
        self._mode_flights.regions.pop(row, None)
        if pos is None:
            return
        self._mode_flights.regions[row] = pos
        flies = self.armed[row] and not self.landed[row]
        if flies and self.mode[row] == FlightMode.HOLD and not self.circles_there(row):
            here = np.full(3, math.nan)
            speed = self._mode_flights.speed(row)
            self._flights.begin(
                row, lambda vehicle: routes.go_to(vehicle, here, math.nan, speed, pos)
            )

    def orbit(self, row: int, circle: routes.Orbit, facing: routes.Facing) -> Result:
        """Fly a circle, with the nose as ``facing`` says."""
        if not self.armed[row] or self.landed[row]:
            self.say(row, Severity.CRITICAL, "Orbit command rejected")
            return Result.TEMPORARILY_REJECTED
        result = self.set_mode(row, FlightMode.ORBIT)
        if result is Result.ACCEPTED:
            self._mode_flights.circles[row] = circle
            self._flights.begin(row, lambda vehicle: routes.orbit(vehicle, circle, facing))
        return result

    def change_speed(self, row: int, speed: float) -> None:
        """Fly on at another speed [m/s], at most until the mode changes; NaN: MPC_XY_CRUISE."""
        self._mode_flights.requested_speed[row] = speed
        mode = self.mode[row]
        if mode == FlightMode.MISSION and not self.hovers[row]:
            return  # its pilot changes the speed within an item
        if mode not in (FlightMode.ORBIT, FlightMode.LAND, FlightMode.TAKEOFF):
            self._flights.again(row)

    def set_home(self, row: int, pos: Array | None = None, yaw: float = math.nan) -> None:
        """Set home to a position [m, NED] and a heading [rad]; None and NaN: the present ones."""
        self.home[row] = self._sim.pos[row] if pos is None else pos
        present = float(yaw_of_quaternion(self._sim.att[row].astype(np.float64)))
        self.home_yaw[row] = present if math.isnan(yaw) else yaw

    def terminate(self, row: int) -> None:
        """End the flight: the motors stop, until the vehicle lies on the ground.

        A parachute that is ready is released.
        """
        self._disarm(row, "Flight termination", Severity.CRITICAL)
        self.mode[row] = FlightMode.TERMINATION
        if self._sim.parachute.ready(row + 1)[0]:
            self.release_parachute(row)

    def release_parachute(self, row: int) -> Result:
        """Release the parachute of a vehicle, which ends its flight."""
        parachute = self._sim.parachute
        if not parachute.ready(row + 1)[0]:
            return Result.DENIED
        parachute.release(row + 1)
        self.say(row, Severity.CRITICAL, "Parachute released")
        if self.mode[row] != FlightMode.TERMINATION:
            self.terminate(row)
        return Result.ACCEPTED

    def restart(self, row: int) -> None:
        """Begin anew with a vehicle that was put back to its start."""
        self._flights.end(row)
        self._mode_flights.takeoffs.pop(row, None)
        self._mode_flights.regions.pop(row, None)
        self.mode[row] = self.intended[row] = self._after[row] = FlightMode.HOLD
        self.set_home(row)
        self._rest_since[row] = -math.inf

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
            self._enter(row, FlightMode.MISSION if fly is not None else FlightMode.HOLD)

    def set_rally(self, row: int, places: Sequence[ArrayLike]) -> None:
        """Set the rally points of a vehicle [m, NED], to which it returns if they are nearer."""
        self._mode_flights.rally[row] = tuple(np.array(place, np.float64) for place in places)

    def return_next(self, row: int) -> None:
        """Enter mode RETURN at the end of a flight, which is in this tick, in place of HOLD."""
        self._next[row] = lambda: self._enter(row, FlightMode.RETURN)

    def circle_next(self, row: int, centre: Array, radius: float) -> None:
        """Enter mode HOLD at the end of a flight, likewise, on a circle [m, NED; m]."""

        def circle() -> None:
            self._enter(row, FlightMode.HOLD)
            self._flights.begin(row, self._mode_flights.circle_at(row, centre, radius))

        self._next[row] = circle

    def has_mission(self, row: int) -> bool:
        """Return whether a vehicle has a mission that can be flown."""
        return row in self._mode_flights.missions

    # --- streams

    def set_points(self, rows: Rows, inputs: Inputs) -> None:
        """Take set-points (k,), of distinct vehicles; they count in mode OFFBOARD alone.

        A command with them leaves the vehicle armed, or disarmed, as it is.
        """
        commands = (inputs.ints[:, COMMAND] != 0) & self.armed[rows]
        inputs.ints[commands, COMMAND] |= int(Command.ARMED)
        self._set_points.ints[rows], self._set_points.floats[rows] = inputs.ints, inputs.floats
        self._set_point_at[rows] = self._clock.now
        flying = self.mode[rows] == FlightMode.OFFBOARD
        if flying.any():
            ids = rows[flying] + 1
            self._sim.command_sil(inputs.ints[flying], inputs.floats[flying], ids=ids)

    def move_sticks(self, row: int, sticks: Sticks) -> None:
        """Take the sticks of a remote control."""
        moves = self._manual.move(row, sticks, self._clock.now)
        if moves and self._yields_to_sticks(row):
            self.say(row, Severity.INFO, "Pilot took over using sticks")
            self.set_mode(row, FlightMode.POSITION)

    def see_target(self, row: int, pos: Array, vel: Array) -> None:
        """Take what a vehicle follows in mode FOLLOW: position and velocity [m, m/s, NED]."""
        self._mode_flights.see_target(row, pos, vel)

    def see_station(self, row: int) -> None:
        """Note the heartbeat of a ground station."""
        self._station_at[row] = self._clock.now

    # --- time

    def update(self) -> None:
        """Do what time brings, every `pyrfly.mission.base_pilot.TICK` of simulated time."""
        armed = self.armed
        self._note_changes(armed)
        self._detect_landing(armed)
        self._disarm_at_rest(armed)
        self.failsafes.update()
        for row in np.flatnonzero(self.has_sticks).tolist():
            if self.armed[row] and self.mode[row] in MANUAL_MODES:
                self._write(row, self._manual.inputs(row, FlightMode(self.mode[row])))
        for row in np.flatnonzero(self._descends & armed).tolist():
            self._write(row, self._manual.descent(row))
        for row, failure in self._flights.follow().items():
            if failure:
                self.say(row, Severity.CRITICAL, failure)
            begin_next = self._next.pop(row, None)
            if not self.armed[row]:
                self.say(row, Severity.INFO, "Disarmed by landing")
            elif begin_next is not None:
                begin_next()
            elif self._begins_mission(row):
                self._enter(row, FlightMode.MISSION)
            else:
                self._hold(row)

    def _begins_mission(self, row: int) -> bool:
        """Return whether a take-off that has ended leads to the mission."""
        wanted = self._parameters.get(row, "COM_TAKEOFF_ACT") == 1
        return wanted and self.mode[row] == FlightMode.TAKEOFF and self.has_mission(row)

    def _hold(self, row: int) -> None:
        """Hold after the end of a flight: a vehicle that hovers stays where that has led."""
        if not self.hovers[row]:
            self._enter(row, FlightMode.HOLD)
            return
        self.mode[row] = FlightMode.HOLD
        if not self.failsafe[row]:
            self.intended[row] = FlightMode.HOLD

    def _yields_to_sticks(self, row: int) -> bool:
        """Return whether sticks that move end the mode [@px4 v1.16.1 Commander.cpp]."""
        mode = self.mode[row]
        if mode in (*MANUAL_MODES, *_ADJUSTED) or not self.armed[row] or self.landed[row]:
            return False
        if self.circles_there(row) or self.on_surface[row]:
            return False
        bit = _OVERRIDES_OFFBOARD if mode == FlightMode.OFFBOARD else _OVERRIDES_AUTO
        allowed = int(self._parameters.get(row, "COM_RC_OVERRIDE")) & bit
        return bool(allowed) and self.failsafes.yields_to_sticks(row)

    def act(self, row: int, action: Action) -> None:
        """Execute the action of a failsafe; below HOLD nothing, and the mode of the user goes on.

        One that was on an orbit holds then.
        """
        if action == Action.TERMINATE:
            self.terminate(row)
        elif action == Action.DISARM:
            self._disarm(row, "Disarmed by failsafe")
        elif self.armed[row]:
            mode = ACTION_MODES.get(action, FlightMode(self.intended[row]))
            if mode == FlightMode.ORBIT:
                mode = FlightMode.HOLD
                self.intended[row] = mode
            before = FlightMode(self.mode[row]), bool(self._descends[row])
            if (mode, action == Action.DESCEND) != before:
                self._execute(row, mode, action == Action.DESCEND)

    def _note_changes(self, armed: Bools) -> None:
        """Note what others have armed, disarmed, or put back to a start."""
        start, time = self._sim.home, self._clock.now
        restarted = (start != self._start).any(axis=1)
        restarted |= self._clock.resets != self._resets
        self._resets = self._clock.resets
        for row in np.flatnonzero(restarted).tolist():
            self._start[row] = start[row]
            self.restart(row)
        for row in np.flatnonzero(armed != self._armed).tolist():
            if armed[row]:
                self._armed_at[row], self._flew[row] = time, False
                self._took_off_at[row] = math.nan
                self.set_home(row)
            else:
                self._flights_made[row] += 1
                flew = self._flights.end(row) and self._flew[row]
                if flew and math.isfinite(self._rest_since[row]):
                    self.say(row, Severity.INFO, "Disarmed by landing")  # by its navigator
                self._descends[row] = False
                if self.mode[row] != FlightMode.TERMINATION:
                    self.mode[row] = self.intended[row] = self._after[row]
        self._armed[:] = armed

    def _detect_landing(self, armed: Bools) -> None:
        sim, time = self._sim, self._clock.now
        height, vel = ground_contact(sim), sim.vel
        resting = np.concatenate([kind.landed(height[at], vel[at]) for kind, at in self._kinds])
        self._rest_since[~resting] = math.inf
        self._rest_since[resting & (self._rest_since == math.inf)] = time
        rested = resting & ((time - self._rest_since >= LANDED_TIME) | ~armed)
        before, self.landed = self.landed, np.where(self.on_surface, ~armed, rested)
        for row in np.flatnonzero(armed & ~self.on_surface & (before != self.landed)).tolist():
            what = "Landing" if self.landed[row] else "Takeoff"
            self.say(row, Severity.INFO, f"{what} detected")
        off = armed & ~resting
        self._took_off_at[off & ~self._flew] = time
        self._flew |= off
        over = self.landed & (self.mode == _TERMINATION)
        self.mode[over] = self.intended[over] = self._after[over]

    def _disarm_at_rest(self, armed: Bools) -> None:
        """Disarm vehicles that have landed, or do not take off."""
        waiting = armed & self.landed
        if not waiting.any():
            return
        get = self._parameters.column
        rests = self._clock.now - np.fmax(self._rest_since, self._armed_at)
        limit = np.where(self._flew, get("COM_DISARM_LAND"), get("COM_DISARM_PRFLT"))
        over = waiting & (limit > 0) & (rests >= limit)
        for row in np.flatnonzero(over).tolist():
            reason = "landing" if self._flew[row] else "auto preflight disarming"
            self._disarm(row, f"Disarmed by {reason}")

    # --- modes

    def _denial(self, row: int) -> str:
        """Return why a vehicle cannot be armed; empty if it can."""
        mode = FlightMode(self.mode[row])
        name = MODES[mode].name
        if mode in _NOT_ARMABLE:
            return f"mode {name} does not allow it"
        if self._sim.status[row]:
            return "the state of the vehicle is invalid"
        if self.failsafes.battery_level[row] >= _CRITICAL_BATTERY:
            return BATTERY_LEVELS[self.failsafes.battery_level[row]]
        if mode in MANUAL_MODES and not self.has_sticks[row]:
            return "no manual control"
        if self.failsafes.lost("station")[row]:
            return "No connection to the ground control station"
        if self.failsafes.lost("wind")[row]:
            return "Wind speed is above limit"
        if self._parameters.get(row, "COM_ARM_MIS_REQ") and not self.has_mission(row):
            return "no valid mission"
        return "" if self._is_available(row, mode) else f"mode {name} is not available"

    def _is_available(self, row: int, mode: FlightMode) -> bool:
        """Return whether a mode can be entered."""
        if self.mode[row] == FlightMode.TERMINATION:
            return False
        if mode in _LIMITED and self.failsafes.lost("wind", "flight_time")[row]:
            return False
        if self.on_surface[row] and mode in _FLIES_ONLY:
            return False
        if mode == FlightMode.OFFBOARD:
            return self._has_set_points(row)
        if mode == FlightMode.FOLLOW:
            return not self.circles_there(row)
        if mode == FlightMode.MISSION:
            return row in self._mode_flights.missions
        if mode in MANUAL_MODES and self.armed[row]:
            return bool(self.has_sticks[row])
        return True

    def _sticks_of(self, row: int) -> Sticks | None:
        return self._manual.sticks(row) if self.has_sticks[row] else None

    def _silence(self, times: Array) -> Array:
        return np.asarray((self._clock.now - times) / self._patience)

    def _has_set_points(self, row: int) -> bool:
        silence = self.offboard_silence[row]
        return bool(0 <= silence <= self._parameters.get(row, "COM_OF_LOSS_T"))

    def _enter(self, row: int, mode: FlightMode) -> None:
        """Enter a mode, which the user wants, too."""
        self.intended[row] = mode
        self._execute(row, mode)

    def _execute(self, row: int, mode: FlightMode, descends: bool = False) -> None:
        """Fly a mode; ``descends``: down without a position."""
        self._flights.end(row)
        self._mode_flights.requested_speed[row] = math.nan
        before, self.mode[row] = FlightMode(self.mode[row]), mode
        self._descends[row] = descends
        if not self.armed[row] and mode not in (*_NOT_ARMABLE, FlightMode.TAKEOFF):
            self._after[row] = mode
        self._begin(row, bool(self.armed[row]), before)

    def _begin(self, row: int, armed: bool, before: FlightMode) -> None:
        """Command what the present mode does, which follows another one."""
        mode = FlightMode(self.mode[row])
        inputs = synthesis.inputs(1)
        if mode == FlightMode.OFFBOARD and self._has_set_points(row):
            ints, floats = self._set_points
            inputs = Inputs(ints[[row]], floats[[row]])
        # without a task: the vehicle holds its position where there are no set-points
        inputs.ints[:, COMMAND] = synthesis.command_word([armed], Command.OFFBOARD_POSITION)
        self._manual.hold_height(row)
        self._write(row, inputs)
        if mode in (FlightMode.TAKEOFF, FlightMode.LAND):
            self.transition(row, VtolState.MC)
        fly = self._mode_flights.of_mode(row, mode, bool(self.landed[row]), before)
        if armed and fly is not None and not self._descends[row]:
            self._flights.begin(row, fly)
        if armed and mode == FlightMode.TAKEOFF and not self.on_surface[row]:
            self._tell_height(row)

    def _tell_height(self, row: int) -> None:
        """Say what PX4 does of the altitude of a take-off [@px4 v1.16.1 takeoff.cpp]."""
        top = self._mode_flights.top(row).pos[2]
        if math.isnan(top):
            height = self._parameters.get(row, "MIS_TAKEOFF_ALT")
            self.say(row, Severity.INFO, f"Using default takeoff altitude: {height:.1f} m")
        elif not self.landed[row] and top > self._sim.pos[row, 2]:
            self.say(row, Severity.CRITICAL, "Already higher than takeoff altitude")

    def _disarm(self, row: int, reason: str, severity: Severity = Severity.INFO) -> None:
        self._flights.end(row)
        self._sim.command_sil(command=int(synthesis.command_word([False])[0]), ids=row + 1)
        self.say(row, severity, reason)

    def _write(self, row: int, inputs: Inputs) -> None:
        self._sim.command_sil(inputs.ints, inputs.floats, ids=row + 1)
