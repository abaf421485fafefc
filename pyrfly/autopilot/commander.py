"""Modes, arming and failsafes of vehicles that answer as PX4: `Commander`.

As PX4 v1.16.1 behaves [@px4 v1.16.1 commander], with the synthesis model of the vehicles in place
of its controllers. What is left out: a remote control by radio, checks of hardware, the delay
before a failsafe (COM_FAIL_ACT_T), VTOL transitions, precision landing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot import routes
from pyrfly.autopilot.flight_modes import MANUAL_MODES, MODES, FlightMode
from pyrfly.autopilot.parameters import Parameters
from pyrfly.autopilot.sticks import Limits, Sticks, stick_inputs
from pyrfly.errors import MissionError
from pyrfly.frames import yaw_of_quaternion
from pyrfly.mavlink.constants import LandedState, Result, Severity, SystemState
from pyrfly.mission.pilot import TICK
from pyrfly.mission.vehicle import TOUCHDOWN_HEIGHT, TOUCHDOWN_SPEED, Vehicle
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import BASE, COMMAND, POS, Command, Inputs, Mode, Offboard
from pyrfly.sim import Group, Sim

__all__ = ["Commander"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]
Say = Callable[[int, Severity, str], object]
"""Tells the stations of a vehicle something: row, severity, text."""

LANDED_TIME = 0.3
"""Time at rest on the ground after which a vehicle has landed [s]; estimated."""

_MAXIMUM_SPEED = 100.0
"""Of a command [m/s]; a higher one leaves the speed as it is."""

_FOR_EVER = 1e300
"""Patience of a simulation without pacing."""

_DISARMING_MODES = (FlightMode.RETURN, FlightMode.LAND)
"""Modes in which PX4 refuses to arm."""

_ACTIONS = {  # of COM_OBL_RC_ACT
    0: FlightMode.POSITION,
    1: FlightMode.ALTITUDE,
    2: FlightMode.STABILIZED,
    3: FlightMode.RETURN,
    4: FlightMode.LAND,
    5: FlightMode.HOLD,
}
_LINK_ACTIONS = {1: FlightMode.HOLD, 2: FlightMode.RETURN, 3: FlightMode.LAND}
"""Of NAV_DLL_ACT and NAV_RCL_ACT; 5 and 6 end the flight."""
_FENCE_ACTIONS = {2: FlightMode.HOLD, 3: FlightMode.RETURN, 5: FlightMode.LAND}
"""Of GF_ACTION; 1 warns, 4 ends the flight."""


class Commander:
    """Modes, arming and failsafes of the vehicles of a `Sim`.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns.
    parameters : Parameters
        Their PX4 parameters.
    say : callable
        Told what a vehicle has to say.
    patience : float
        Factor of the times after which a link counts as lost: simulated seconds per real one, where
        that is above 1, as PX4_SIM_SPEED_FACTOR [@px4 rcS].

    Attributes
    ----------
    mode : ndarray of int64, shape (n,)
        `FlightMode` of each vehicle.
    failsafe : ndarray of bool, shape (n,)
        Whether a failsafe has switched the mode.
    landed_state : ndarray of int8, shape (n,)
        `LandedState` of each.
    home : ndarray, shape (n, 3)
        Home [m, NED].
    home_count : int
        Number of times that a home was set.
    """

    def __init__(self, sim: Sim, parameters: Parameters, say: Say, patience: float = 1.0) -> None:
        n = sim.n
        self.mode = np.full(n, FlightMode.HOLD, np.int64)
        self.failsafe = np.zeros(n, np.bool_)
        self.landed_state = np.full(n, LandedState.ON_GROUND, np.int8)
        self.home = np.array(sim.pos, np.float64)
        self.home_count = 0
        self._sim = sim
        self._parameters = parameters
        self._say = say
        self._patience = min(patience, _FOR_EVER)
        self._after = np.full(n, FlightMode.HOLD, np.int64)  # mode after disarming
        self._armed = np.array(sim.armed, np.bool_)
        self._armed_at = np.zeros(n)
        self._flew = np.zeros(n, np.bool_)  # since it was armed
        self._rest_since = np.full(n, -math.inf)  # at rest on the ground
        self._landed = np.ones(n, np.bool_)
        self._missions: dict[int, Callable[[Vehicle], Iterator[None]]] = {}
        self._routes: dict[int, tuple[Vehicle, Iterator[None]]] = {}
        self._set_points = synthesis.inputs(n)
        self._set_point_at = np.full(n, -math.inf)
        self._sticks: dict[int, tuple[Sticks, float]] = {}
        self._held_down = np.zeros(n)
        self._station_at = np.full(n, math.inf)  # of a ground station's last heartbeat
        self._drives = np.concatenate([np.full(g.n, _drives(g)) for g in sim.groups])

    # --- state

    @property
    def armed(self) -> Bools:
        """Whether each vehicle is armed, shape (n,)."""
        return np.asarray(self._sim.armed != 0)

    @property
    def landed(self) -> Bools:
        """Whether each vehicle is at rest on the ground, shape (n,)."""
        return self._landed

    def system_state(self) -> NDArray[np.uint8]:
        """Return the `SystemState` of each vehicle, shape (n,)."""
        states = np.where(self.armed, SystemState.ACTIVE, SystemState.STANDBY)
        states[self.failsafe & self.armed] = SystemState.CRITICAL
        states[self._sim.status != 0] = SystemState.EMERGENCY
        return states.astype(np.uint8)

    def has_mission(self, row: int) -> bool:
        """Return whether a vehicle has a mission that can be flown."""
        return row in self._missions

    # --- what stations and SDKs request

    def arm(self, row: int, on: bool, force: bool = False) -> Result:
        """Arm or disarm a vehicle; ``force`` does so in the air and in any mode."""
        if on == bool(self.armed[row]):
            return Result.ACCEPTED
        if not on:
            if not (force or self._landed[row] or self.mode[row] in MANUAL_MODES):
                self._say(row, Severity.CRITICAL, "Disarming denied: not landed")
                return Result.TEMPORARILY_REJECTED
            self._disarm(row, "Disarmed by external command")
            return Result.ACCEPTED
        reason = "" if force else self._denial(row)
        if reason:
            self._say(row, Severity.CRITICAL, f"Arming denied: {reason}")
            return Result.TEMPORARILY_REJECTED
        self._begin(row, armed=True)
        self._say(row, Severity.INFO, "Armed by external command")
        return Result.ACCEPTED

    def set_mode(self, row: int, mode: FlightMode) -> Result:
        """Switch the mode as a user does, which ends a failsafe."""
        reason = self._refusal(row, mode)
        if reason:
            self._say(row, Severity.CRITICAL, reason)
            return Result.TEMPORARILY_REJECTED
        self.failsafe[row] = False
        self._enter(row, mode)
        return Result.ACCEPTED

    def take_off(self, row: int, pos: Array, yaw: float) -> Result:
        """Take off to a position [m, NED]; NaN in it is the present place, in yaw the heading."""
        self.failsafe[row] = False
        self._end_route(row)
        self.mode[row] = FlightMode.TAKEOFF
        x, y, z = pos - self._sim.home[row]
        self._write(row, synthesis.take_off([x], [y], [z], [yaw], armed=[self.armed[row]]))
        return Result.ACCEPTED

    def fly_to(self, row: int, pos: Array, yaw: float, speed: float) -> Result:
        """Hold at a position [m, NED], NaN: the present one; speed [m/s] only above 0."""
        if not self.armed[row] or self._landed[row]:
            return Result.DENIED
        self.set_mode(row, FlightMode.HOLD)
        if 0 < speed <= _MAXIMUM_SPEED:
            self._sim.select(row + 1).write("speed_limit", speed)
        if not np.isnan(pos).all():
            inputs = synthesis.inputs(1)
            inputs.ints[0, COMMAND] = BASE | Command.ARMED | Command.POSITION
            bits = Offboard.POSITION | (Offboard.YAW if np.isfinite(yaw) else Offboard(0))
            inputs.ints[0, synthesis.OFFBOARD] = bits
            inputs.floats[0, POS] = np.where(np.isnan(pos), self._sim.pos[row], pos)
            inputs.floats[0, synthesis.YAW] = np.nan_to_num(yaw)
            self._write(row, inputs)
        return Result.ACCEPTED

    def orbit(self, row: int, circle: routes.Orbit) -> Result:
        """Fly a circle."""
        if not self.armed[row] or self._landed[row] or self._drives[row]:
            return Result.DENIED
        self._end_route(row)
        self.failsafe[row] = False
        self.mode[row] = FlightMode.ORBIT
        self._start(row, lambda vehicle: routes.orbit(vehicle, circle))
        return Result.ACCEPTED

    def set_home(self, row: int, pos: Array | None) -> Result:
        """Set home to a position [m, NED], by default the present one."""
        self.home[row] = self._sim.pos[row] if pos is None else pos
        self.home_count += 1
        return Result.ACCEPTED

    def terminate(self, row: int) -> Result:
        """End the flight: the motors stop."""
        self._disarm(row, "Flight termination")
        self.failsafe[row] = True
        return Result.ACCEPTED

    def set_mission(self, row: int, fly: Callable[[Vehicle], Iterator[None]] | None) -> None:
        """Set what mode MISSION flies, from now on if that is the mode; None for nothing."""
        if fly is None:
            self._missions.pop(row, None)
        else:
            self._missions[row] = fly
        if self.mode[row] == FlightMode.MISSION:
            self._enter(row, FlightMode.MISSION if fly is not None else FlightMode.HOLD)

    # --- streams

    def set_points(self, rows: Rows, inputs: Inputs) -> None:
        """Take set-points (k,), of distinct vehicles; they count in mode OFFBOARD alone."""
        self._set_points.ints[rows], self._set_points.floats[rows] = inputs.ints, inputs.floats
        self._set_point_at[rows] = self._sim.time
        flying = self.mode[rows] == FlightMode.OFFBOARD
        if flying.any():
            ids = rows[flying] + 1
            self._sim.command_sil(inputs.ints[flying], inputs.floats[flying], ids=ids)

    def move_sticks(self, row: int, sticks: Sticks) -> None:
        """Take the sticks of a remote control."""
        self._sticks[row] = (sticks, self._sim.time)

    def see_station(self, row: int) -> None:
        """Note the heartbeat of a ground station."""
        self._station_at[row] = self._sim.time

    # --- time

    def update(self) -> None:
        """Do what time brings, every `pyrfly.mission.pilot.TICK` of simulated time."""
        self._note_resets()
        self._detect_landing()
        self._end_takeoffs()
        self._disarm_at_rest()
        self._check_links()
        for row, (sticks, at) in list(self._sticks.items()):
            self._obey(row, sticks, at)
        for row in list(self._routes):
            self._follow(row)

    def breach(self, row: int, reason: str) -> None:
        """Act on a breach of the geofence, by GF_ACTION."""
        action = int(self._parameters.get(row, "GF_ACTION"))
        if action == 0 or not self.armed[row]:
            return
        self._say(row, Severity.CRITICAL, f"Geofence violation: {reason}")
        if action == 4:
            self.terminate(row)
        elif action in _FENCE_ACTIONS:
            self._fail(row, _FENCE_ACTIONS[action])

    def warn_of_battery(self, row: int, action: int) -> None:
        """Act on a battery that is low, by COM_LOW_BAT_ACT."""
        self._say(row, Severity.CRITICAL, "Low battery level")
        if action and self.armed[row]:
            self._fail(row, FlightMode.LAND if action == 2 else FlightMode.RETURN)

    def _note_resets(self) -> None:
        """Begin anew with vehicles that were disarmed or armed by others than this."""
        armed = self.armed
        for row in np.flatnonzero(armed != self._armed).tolist():
            if armed[row]:
                self._armed_at[row] = self._sim.time
                self._flew[row] = False
                self.home[row] = self._sim.pos[row]
                self.home_count += 1
            else:
                self._end_route(row)
                self.failsafe[row] = False
                self.mode[row] = self._after[row]
        self._armed[:] = armed

    def _detect_landing(self) -> None:
        sim, time = self._sim, self._sim.time
        height = sim.terrain - sim.pos[:, 2]
        resting = (height < TOUCHDOWN_HEIGHT) & (np.abs(sim.vel[:, 2]) < TOUCHDOWN_SPEED)
        resting |= self._drives
        self._rest_since[~resting] = math.inf
        self._rest_since[resting & (self._rest_since == math.inf)] = time
        self._landed = resting & (time - self._rest_since >= LANDED_TIME) | ~self.armed & resting
        self._flew |= self.armed & ~self._landed & ~resting
        state = np.where(self._landed, LandedState.ON_GROUND, LandedState.IN_AIR)
        state[~self._landed & (self.mode == FlightMode.TAKEOFF)] = LandedState.TAKEOFF
        state[~self._landed & (self.mode == FlightMode.LAND)] = LandedState.LANDING
        self.landed_state = state.astype(np.int8)

    def _end_takeoffs(self) -> None:
        """Hold where a take-off has ended."""
        ended = (self.mode == FlightMode.TAKEOFF) & self.armed & (self._flew | self._drives)
        ended &= self._sim.navigator_mode != Mode.TAKEOFF
        self.mode[ended] = FlightMode.HOLD
        self._after[ended] = FlightMode.HOLD

    def _disarm_at_rest(self) -> None:
        """Disarm vehicles that have landed, or do not take off."""
        time, on_ground = self._sim.time, self.armed & self._landed & ~self._drives
        rests = time - np.maximum(self._rest_since, self._armed_at)
        for flew, name, reason in (
            (True, "COM_DISARM_LAND", "Disarmed by landing"),
            (False, "COM_DISARM_PRFLT", "Disarmed by auto preflight disarming"),
        ):
            for row in np.flatnonzero(on_ground & (self._flew == flew)).tolist():
                limit = self._parameters.get(row, name)
                if limit > 0 and rests[row] >= limit and row not in self._routes:
                    self._disarm(row, reason)

    def _check_links(self) -> None:
        """Act on set-points, sticks and stations that are lost."""
        time, armed = self._sim.time, self.armed
        silent = (time - self._set_point_at) / self._patience
        for row in np.flatnonzero(armed & (self.mode == FlightMode.OFFBOARD)).tolist():
            if silent[row] > self._parameters.get(row, "COM_OF_LOSS_T"):
                action = int(self._parameters.get(row, "COM_OBL_RC_ACT"))
                self._lose(row, "Offboard control lost", _ACTIONS.get(action))
        silent = (time - self._station_at) / self._patience
        for row in np.flatnonzero(armed & ~self.failsafe & (silent > 0)).tolist():
            action = int(self._parameters.get(row, "NAV_DLL_ACT"))
            if action and silent[row] > self._parameters.get(row, "COM_DL_LOSS_T"):
                self._station_at[row] = math.inf
                self._lose(row, "Connection to ground station lost", _LINK_ACTIONS.get(action))

    def _lose(self, row: int, reason: str, mode: FlightMode | None) -> None:
        self._say(row, Severity.CRITICAL, f"Failsafe activated: {reason}")
        if mode is None:
            self.terminate(row)
        else:
            self._fail(row, mode)

    def _fail(self, row: int, mode: FlightMode) -> None:
        """Switch to the mode of a failsafe, unless a stronger one is there."""
        if self.mode[row] != FlightMode.LAND:
            self._enter(row, mode)
        self.failsafe[row] = True

    # --- modes

    def _denial(self, row: int) -> str:
        """Return why a vehicle cannot be armed; empty if it can."""
        mode = FlightMode(self.mode[row])
        if mode in _DISARMING_MODES:
            return f"mode {MODES[mode].name} does not allow it"
        if self._sim.status[row]:
            return "the state of the vehicle is invalid"
        return self._refusal(row, mode)

    def _refusal(self, row: int, mode: FlightMode) -> str:
        """Return why a mode cannot be entered; empty if it can."""
        name = MODES[mode].name
        available = {
            FlightMode.OFFBOARD: self._offboard_is_alive(row),
            FlightMode.MISSION: row in self._missions,
        }
        if available.get(mode, True):
            return ""
        return f"Switching to {name} is currently not available"

    def _offboard_is_alive(self, row: int) -> bool:
        silent = (self._sim.time - self._set_point_at[row]) / self._patience
        return bool(silent <= self._parameters.get(row, "COM_OF_LOSS_T"))

    def _enter(self, row: int, mode: FlightMode) -> None:
        self._end_route(row)
        self.mode[row] = mode
        if not self.armed[row] and mode not in (*_DISARMING_MODES, FlightMode.TAKEOFF):
            self._after[row] = mode
        self._begin(row, armed=bool(self.armed[row]))

    def _begin(self, row: int, armed: bool) -> None:
        """Command what the present mode does."""
        mode = FlightMode(self.mode[row])
        inputs = synthesis.inputs(1)
        if mode == FlightMode.TAKEOFF:
            # one that waits for arming has its height already
            if self._sim.navigator_mode[row] == Mode.TAKEOFF:
                task = synthesis.command_word([armed])
                self._sim.command_sil(command=int(task[0]), ids=row + 1)
                return
            height = self._parameters.get(row, "MIS_TAKEOFF_ALT")
            inputs = synthesis.take_off(
                [math.nan], [math.nan], [self._down_of(row, height)], armed=[armed]
            )
        else:
            if mode == FlightMode.OFFBOARD and self._offboard_is_alive(row):
                ints, floats = self._set_points
                inputs = Inputs(ints[[row]], floats[[row]])
            # the one task that ends a take-off, too
            inputs.ints[:, COMMAND] = synthesis.command_word([armed], Command.OFFBOARD_POSITION)
        self._held_down[row] = self._sim.pos[row, 2] - self._sim.home[row, 2]
        self._write(row, inputs)
        if armed:
            self._start_route(row, mode)

    def _down_of(self, row: int, height: float) -> float:
        """Return the down coordinate of a height above the ground here, relative to home."""
        return float(self._sim.terrain[row] - height - self._sim.home[row, 2])

    def _start_route(self, row: int, mode: FlightMode) -> None:
        if mode == FlightMode.MISSION and row in self._missions:
            self._start(row, self._missions[row])
        elif mode == FlightMode.LAND and not self._landed[row]:
            self._start(row, lambda vehicle: routes.land(vehicle).fly())
        elif mode == FlightMode.RETURN and not self._landed[row]:
            home, settings = self.home[row].copy(), self._return_settings(row)
            self._start(row, lambda vehicle: routes.return_home(vehicle, home, settings).fly())

    def _return_settings(self, row: int) -> routes.ReturnSettings:
        get = self._parameters.get
        cone = math.radians(min(max(get(row, "RTL_CONE_ANG"), 1.0), 89.0))
        return routes.ReturnSettings(get(row, "RTL_RETURN_ALT"), get(row, "RTL_MIN_DIST"), cone)

    def _start(self, row: int, fly: Callable[[Vehicle], Iterator[None]]) -> None:
        vehicle = Vehicle(self._sim, row + 1)
        try:
            self._routes[row] = (vehicle, fly(vehicle))
        except MissionError as error:  # farther away than missions go
            self._say(row, Severity.CRITICAL, str(error).splitlines()[0])

    def _follow(self, row: int) -> None:
        """Command the next set-points of a route; hold at its end."""
        vehicle, moves = self._routes[row]
        vehicle.update()
        if next(moves, self) is not self:
            return
        self._end_route(row)
        if self.armed[row]:
            self._enter(row, FlightMode.HOLD)
        else:
            self._say(row, Severity.INFO, "Disarmed by landing")

    def _end_route(self, row: int) -> None:
        self._routes.pop(row, None)

    def _disarm(self, row: int, reason: str) -> None:
        self._end_route(row)
        self._sim.command_sil(command=int(synthesis.command_word([False])[0]), ids=row + 1)
        self._say(row, Severity.INFO, reason)

    def _write(self, row: int, inputs: Inputs) -> None:
        self._sim.command_sil(inputs.ints, inputs.floats, ids=row + 1)

    # --- sticks

    def _obey(self, row: int, sticks: Sticks, at: float) -> None:
        """Fly by the sticks in a manual mode; act on their loss."""
        if (self._sim.time - at) / self._patience > self._parameters.get(row, "COM_RC_LOSS_T"):
            del self._sticks[row]
            action = int(self._parameters.get(row, "NAV_RCL_ACT"))
            if self.armed[row] and self.mode[row] in MANUAL_MODES and not self.failsafe[row]:
                self._lose(row, "Manual control lost", _LINK_ACTIONS.get(action))
            return
        mode = FlightMode(self.mode[row])
        if mode not in MANUAL_MODES or not self.armed[row]:
            return
        limits = self._limits(row)
        climb = limits.climb if sticks.climb > 0 else limits.descent
        self._held_down[row] -= climb * sticks.climb * TICK * (abs(sticks.climb) > 0.1)
        heading = float(yaw_of_quaternion(self._sim.att[row].astype(np.float64)))
        held = float(self._held_down[row])
        inputs = stick_inputs(mode, sticks, limits, heading, held)
        self._write(row, inputs)

    def _limits(self, row: int) -> Limits:
        get = self._parameters.get
        hover = float(np.clip(get(row, "MPC_THR_HOVER"), 0.1, 0.8))
        return Limits(
            speed=get(row, "MPC_VEL_MANUAL"),
            climb=get(row, "MPC_Z_VEL_MAX_UP"),
            descent=get(row, "MPC_Z_VEL_MAX_DN"),
            yaw_rate=math.radians(get(row, "MPC_MAN_Y_MAX")),
            tilt=math.radians(get(row, "MPC_MAN_TILT_MAX")),
            hover=hover,
        )


def _drives(group: Group) -> bool:
    """Return whether vehicles stay on the ground."""
    return all(field.name != "climb_limit" for field in group.fields)
