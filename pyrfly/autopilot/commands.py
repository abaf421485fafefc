"""Commands of stations and SDKs, COMMAND_LONG and COMMAND_INT: `Commands`.

What PX4 v1.16.1 answers [@px4 v1.16.1 Commander.cpp handle_command, mavlink_receiver.cpp], and
DO_SET_REVERSE of ArduPilot's rovers [@ardupilot Rover/GCS_MAVLink_Rover.cpp]. Commands that have
nothing to act on here, of cameras, gimbals and other hardware, are answered as unsupported.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.commander import Commander
from pyrfly.autopilot.flight_modes import MODES, FlightMode, flight_mode, mode_of_flags
from pyrfly.autopilot.mission_items import REVERSE
from pyrfly.autopilot.mission_store import MissionStore
from pyrfly.autopilot.reply import Message
from pyrfly.autopilot.routes import Facing, Orbit
from pyrfly.errors import ParameterError
from pyrfly.mavlink.constants import MissionType, ModeFlag, Result, Severity
from pyrfly.mission.checks import SPEEDS
from pyrfly.sim import Sim

__all__ = ["COMMANDS", "INJECT_FAILURE", "Command", "Commands", "command_of"]

Array = NDArray[np.float64]

TUNING_INTERVAL = 1.0
"""Simulated time [s] from one DO_AUTOTUNE_ENABLE of a vehicle to the next."""

INJECT_FAILURE = 420
"""MAV_CMD_INJECT_FAILURE."""

_ROI_LOCATION, _ROI_NEXT, _ROI_NONE = 195, 196, 197
_ROI_MODES = {0.0: _ROI_NONE, 1.0: _ROI_NEXT, 3.0: _ROI_LOCATION}

FORCE = 21196
"""Parameter 2 of ARM_DISARM: in the air and in any mode, too."""

ORBIT_RADIUS, ORBIT_SPEED = 10.0, 2.0
"""Of an orbit without a radius [m] or speed [m/s]; estimated."""

ORBIT_RADII, ORBIT_SPEED_LIMIT, ORBIT_ACCELERATION = (1.0, 1000.0), 10.0, 2.0
"""Limits of an orbit [m, m/s, m/s^2] [@px4 v1.16.1 FlightTaskOrbit.hpp]."""

_FARTHEST = (90.0, 180.0, 1e5)
"""Largest magnitudes of latitude, longitude [deg] and altitude [m] of a place."""

_UNSET = 2**31 - 1  # of an integer coordinate
_RELATIVE_FRAMES = (3, 6, 10, 11)  # MAV_FRAME: the altitude is above home
_LOCAL_FRAMES = (1, 2)
_SEA_FRAMES = (0, 5)
_VERTICAL_SPEEDS = (2, 3)  # SPEED_TYPE
_UNCHANGED = 5  # ORBIT_YAW_BEHAVIOUR
_WINCH_LENGTH, _WINCH_RATE, _WINCH_LOCK = 1, 2, 3  # WINCH_ACTIONS
_WINCH_LIMIT = 1e3  # m, m/s
_WINCH_SPEED = 0.5  # m/s where none is given; estimated
_GRAB = 1  # GRIPPER_ACTION; 0 releases
_RELEASE_PARACHUTE = 2  # PARACHUTE_ACTION; 0 disables, 1 enables


class Command(NamedTuple):
    """A command.

    Attributes
    ----------
    number : int
        MAV_CMD.
    params : tuple of 7 floats
        Its parameters; 5 and 6 are degrees where they are a place.
    above_home : bool
        Whether its frame says that parameter 7 is a height above home. It is above the sea all the
        same, as PX4 does not read the frame [@px4 v1.16.1 mavlink_receiver.cpp
        handle_message_command_int], and MAVSDK counts on that [@mavsdk do_orbit_async].
    """

    number: int
    params: tuple[float, ...]
    above_home: bool = False


def command_of(message: Message) -> Command:
    """Return the command of a COMMAND_LONG or COMMAND_INT."""
    first = tuple(getattr(message, f"param{number}") for number in range(1, 5))
    if message.get_type() == "COMMAND_LONG":
        return Command(message.command, (*first, message.param5, message.param6, message.param7))
    scale = 1.0 if message.frame in _LOCAL_FRAMES else 1e-7
    place = (math.nan if v == _UNSET else v * scale for v in (message.x, message.y))
    relative = message.frame in _RELATIVE_FRAMES
    return Command(message.command, (*first, *place, message.z), relative)


class Commands:
    """Executes commands.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    commander : Commander
        Their modes.
    store : callable
        Returns the mission that the vehicle of a row has stored.
    restart : callable
        Puts the vehicle of a row back to its start.
    tune : callable
        Tunes the controllers of the vehicle of a row; a ParameterError if it cannot.
    inject : callable
        Lets something of the vehicle of a row fail: row, unit, type, instance.
    """

    def __init__(
        self,
        sim: Sim,
        commander: Commander,
        store: Callable[[int], MissionStore],
        restart: Callable[[int], object],
        tune: Callable[[int], object],
        inject: Callable[[int, float, float, float], Result],
    ) -> None:
        self._sim = sim
        self._commander = commander
        self._store = store
        self._restart = restart
        self._tune = tune
        self._inject = inject
        self._tuned = np.full(sim.n, -math.inf)  # simulated time of the last autotune

    def execute(self, row: int, command: Command) -> Result:
        """Execute a command of the vehicle in a row."""
        known = COMMANDS.get(command.number)
        if known is None:
            return Result.UNSUPPORTED
        result = known.execute(self, row, command)
        if result is Result.ACCEPTED:
            for text in known.remarks(command):
                self._commander.say(row, Severity.NOTICE, f"{known.name}: {text}")
        return result

    # --- arming and modes

    def _arm(self, row: int, command: Command) -> Result:
        on, force = command.params[0], command.params[1] == FORCE
        if on not in (0.0, 1.0):
            return Result.UNSUPPORTED
        return self._commander.arm(row, on == 1.0, force)

    def _set_mode(self, row: int, command: Command) -> Result:
        base, main, sub, *_ = command.params
        if not 0 <= base < 256:
            return Result.TEMPORARILY_REJECTED
        if int(base) & ModeFlag.CUSTOM_MODE_ENABLED:
            return self._enter(row, flight_mode(main, sub))
        return self._enter(row, mode_of_flags(int(base)))

    def _set_standard_mode(self, row: int, command: Command) -> Result:
        known = (mode for mode, row in MODES.items() if row.standard == command.params[0] != 0)
        return self._enter(row, next(known, None))

    def _enter(self, row: int, mode: FlightMode | None) -> Result:
        if mode is None or not MODES[mode].selectable:
            return Result.TEMPORARILY_REJECTED
        return self._commander.set_mode(row, mode)

    # --- flight

    def _take_off(self, row: int, command: Command) -> Result:
        *_, yaw, lat, lon, alt = command.params
        limits = zip((lat, lon, alt), _FARTHEST, strict=True)
        if any(abs(value) > most for value, most in limits):  # NaN is not given
            return Result.DENIED
        pos = self._place(row, lat, lon, alt)
        return self._commander.take_off(row, pos, _angle(math.radians(yaw)))

    def _reposition(self, row: int, command: Command) -> Result:
        speed, flags, radius, yaw, lat, lon, alt = command.params
        if flags != 1:
            return Result.UNSUPPORTED
        pos = self._place(row, lat, lon, alt)
        return self._commander.requests.fly_to(
            row, pos, _angle(yaw), min(speed, SPEEDS[1]), _radius(radius)
        )

    def _look_at(self, row: int, command: Command) -> Result:
        """Turn to a place, or to none where the command has no place."""
        if not self._commander.hovers[row] or self._commander.on_surface[row]:
            return Result.UNSUPPORTED
        pos = None
        if command.number == _ROI_LOCATION:
            *_, lat, lon, alt = command.params
            pos = self._place(row, lat, lon, alt)
            if not np.isfinite(pos).all():
                return Result.DENIED
        self._commander.requests.look_at(row, pos)
        return Result.ACCEPTED

    def _look_by_mode(self, row: int, command: Command) -> Result:
        """Do as the commands of the modes of MAV_ROI: none, next waypoint, a location."""
        number = _ROI_MODES.get(command.params[0])
        if number is None:
            return Result.UNSUPPORTED
        return self._look_at(row, command._replace(number=number))

    def _change_altitude(self, row: int, command: Command) -> Result:
        """Hold at an altitude above the sea; one above something else is refused."""
        if command.params[1] not in _SEA_FRAMES and not math.isnan(command.params[1]):
            return Result.UNSUPPORTED
        pos = self._place(row, math.nan, math.nan, command.params[0])
        return self._commander.requests.fly_to(row, pos, what="Altitude change")

    def _change_speed(self, row: int, command: Command) -> Result:
        kind, speed = command.params[:2]
        if kind in _VERTICAL_SPEEDS:
            return Result.UNSUPPORTED
        if speed > 0 and not SPEEDS[0] <= speed <= SPEEDS[1]:
            return Result.DENIED
        self._commander.requests.change_speed(row, speed if speed > 0 else math.nan)
        return Result.ACCEPTED

    def _reverse(self, row: int, command: Command) -> Result:
        if not self._sim.select(row + 1).abilities[0].backs:
            return Result.UNSUPPORTED
        if command.params[0] not in (0.0, 1.0):
            return Result.DENIED
        self._commander.requests.turn_round(row, command.params[0] == 1.0)
        return Result.ACCEPTED

    def _orbit(self, row: int, command: Command) -> Result:
        """Fly a circle, within PX4's limits.

        One that flies by wings circles there in HOLD, at the speed of its cruise, as in PX4.
        """
        radius, speed, facing, _, lat, lon, alt = command.params
        centre = self._place(row, lat, lon, alt)
        if self._commander.circles_there(row):
            return self._commander.requests.fly_to(
                row, centre, radius=_radius(radius), what="Orbit"
            )
        if math.isnan(facing) or facing == _UNCHANGED:
            facing = float(Facing.CENTRE)
        if facing not in set(Facing):
            return Result.UNSUPPORTED
        here = self._sim.known.pos[row].astype(np.float64)
        centre = np.where(np.isnan(centre), here, centre)
        radius = ORBIT_RADIUS if not math.isfinite(radius) or radius == 0 else radius
        if not ORBIT_RADII[0] <= abs(radius) <= ORBIT_RADII[1]:
            self._commander.say(row, Severity.CRITICAL, "Orbit radius limit exceeded")
            return Result.DENIED
        speed = ORBIT_SPEED if not math.isfinite(speed) or speed == 0 else speed
        limit = min(ORBIT_SPEED_LIMIT, math.sqrt(ORBIT_ACCELERATION * abs(radius)))
        # below 0 is the other way round
        turned = math.copysign(radius, radius * speed)
        circle = Orbit(centre, turned, min(abs(speed), limit))
        return self._commander.requests.orbit(row, circle, Facing(int(facing)))

    def _transition(self, row: int, command: Command) -> Result:
        return self._commander.requests.transition(row, command.params[0])

    def _return(self, row: int, command: Command) -> Result:
        return self._commander.set_mode(row, FlightMode.RETURN)

    def _land(self, row: int, command: Command) -> Result:
        return self._commander.set_mode(row, FlightMode.LAND)

    def _start_mission(self, row: int, command: Command) -> Result:
        first, store = command.params[0], self._store(row)
        if not self._commander.has_mission(row):
            self._commander.say(row, Severity.CRITICAL, "Mission start denied! No valid mission")
            return Result.DENIED
        if not -1 <= first < len(store.items(MissionType.MISSION)):
            return Result.DENIED
        if first >= 0:
            store.select(int(first))
        result = self._commander.set_mode(row, FlightMode.MISSION)
        return self._commander.arm(row, True) if result is Result.ACCEPTED else result

    def _terminate(self, row: int, command: Command) -> Result:
        if not command.params[0] > 0.5 or not self._commander.armed[row]:
            return Result.DENIED
        self._commander.execution.terminate(row)
        return Result.ACCEPTED

    def _parachute(self, row: int, command: Command) -> Result:
        if command.params[0] == _RELEASE_PARACHUTE:
            return self._commander.execution.release_parachute(row)
        if command.params[0] not in (0, 1):
            return Result.DENIED
        try:
            self._sim.parachute.enable(command.params[0] == 1, row + 1)
        except ParameterError:
            return Result.DENIED
        return Result.ACCEPTED

    def _grip(self, row: int, command: Command) -> Result:
        action = command.params[1]
        if action not in (0, 1) or not self._sim.payload.loaded(row + 1)[0]:
            return Result.DENIED
        self._sim.payload.grip(action == _GRAB, row + 1)
        return Result.ACCEPTED

    def _winch(self, row: int, command: Command) -> Result:
        _, action, way, rate = command.params[:4]
        if not (abs(rate) <= _WINCH_LIMIT and abs(way) <= _WINCH_LIMIT):  # NaN, too
            return Result.DENIED
        if action == _WINCH_RATE:
            way = math.copysign(math.inf, rate)
        elif action == _WINCH_LOCK:
            way = 0.0
        elif action != _WINCH_LENGTH:
            return Result.DENIED
        moved = self._sim.payload.winch(way, abs(rate) or _WINCH_SPEED, row + 1)
        return Result.ACCEPTED if moved else Result.DENIED

    # --- set-up

    def _set_home(self, row: int, command: Command) -> Result:
        if command.params[0] > 0.5:
            self._commander.homes.set(row)
            return Result.ACCEPTED
        *_, yaw, lat, lon, alt = command.params
        pos = self._place(row, lat, lon, alt)
        if not np.isfinite(pos).all():
            return Result.DENIED
        self._commander.homes.set(row, pos, _angle(math.radians(yaw)))
        return Result.ACCEPTED

    def _autotune(self, row: int, command: Command) -> Result:
        """Tune for the vehicle as it is, at once: PX4 finds it out in flight.

        It takes up to 0.3 s of real time, in which no vehicle is served.
        """
        if command.params[0] != 1.0:
            return Result.UNSUPPORTED
        if abs(self._sim.time - self._tuned[row]) < TUNING_INTERVAL:
            return Result.TEMPORARILY_REJECTED
        self._tuned[row] = self._sim.time
        try:
            self._tune(row)
        except ParameterError as error:
            self._commander.say(row, Severity.CRITICAL, f"Autotune failed: {error}")
            return Result.FAILED
        self._commander.say(row, Severity.INFO, "Autotune finished")
        return Result.ACCEPTED

    def _fail(self, row: int, command: Command) -> Result:
        return self._inject(row, *command.params[:3])

    def _reboot(self, row: int, command: Command) -> Result:
        if command.params[0] == 0:
            return Result.ACCEPTED
        if command.params[0] != 1 or self._commander.armed[row]:
            return Result.DENIED
        self._restart(row)
        self._commander.restart(row)
        return Result.ACCEPTED

    def _store_parameters(self, row: int, command: Command) -> Result:
        """Accept to load and to save the parameters, which are not stored anywhere else."""
        if self._commander.armed[row]:
            return Result.TEMPORARILY_REJECTED
        return Result.ACCEPTED if command.params[0] in (0.0, 1.0) else Result.UNSUPPORTED

    def _mark(self, row: int, command: Command) -> Result:
        if set(command.params) != {_MARK}:
            return Result.UNSUPPORTED
        self._commander.say(row, Severity.NOTICE, "Fault injection marked by MAV_CMD 183")
        return Result.ACCEPTED

    def _check(self, row: int, command: Command) -> Result:
        return Result.ACCEPTED

    def _place(self, row: int, lat: float, lon: float, alt: float) -> Array:
        """Return a position [m, NED]; NaN where it is not given."""
        frame = self._sim.local_frame
        here = frame.to_lla(np.asarray(self._sim.known.pos[row], np.float64))
        given = np.array([lat, lon, alt], np.float64)
        valid = np.isfinite(given) & (np.abs(given) <= _FARTHEST)
        valid[:2] &= valid[0] and valid[1] and not (lat == lon == 0)
        pos = np.array(frame.to_ned(np.where(valid, given, here)), np.float64)
        pos[~valid] = math.nan
        return pos


def _radius(radius: float) -> float:
    """Return a radius within PX4's limits [m]; NaN where it is not given."""
    if not math.isfinite(radius) or radius == 0:
        return math.nan
    return math.copysign(min(max(abs(radius), ORBIT_RADII[0]), ORBIT_RADII[1]), radius)


def _angle(angle: float) -> float:
    """Return an angle [rad] as -pi to pi; NaN where it is not given."""
    return math.remainder(angle, math.tau) if math.isfinite(angle) else math.nan


_MARK = 999.0
"""Each parameter of RflySim's mark of a fault [@rfly-safe include/AutoMavCmd.py]."""


class _Known(NamedTuple):
    """A command that is executed.

    Attributes
    ----------
    name : str
        MAV_CMD.
    execute : callable
        Executes it.
    used : tuple of int
        Numbers of the parameters that count.
    """

    name: str
    execute: Callable[[Commands, int, Command], Result]
    used: tuple[int, ...] = ()

    def remarks(self, command: Command) -> list[str]:
        """Return what a station may have meant that has no effect; 0 and -1 are not set."""
        numbered = enumerate(command.params, start=1)
        given = [n for n, value in numbered if not (math.isnan(value) or value in (0.0, -1.0))]
        ignored = [str(number) for number in given if number not in self.used]
        found = [f"no effect of p{' and '.join(ignored)}"] if ignored else []
        if command.above_home and 7 in given and 7 in self.used:
            found.append("altitude above the sea, whatever the frame")
        return found


_PLACE = (5, 6, 7)

COMMANDS: Mapping[int, _Known] = MappingProxyType(
    {
        20: _Known("NAV_RETURN_TO_LAUNCH", Commands._return),
        21: _Known("NAV_LAND", Commands._land),
        22: _Known("NAV_TAKEOFF", Commands._take_off, (4, *_PLACE)),
        34: _Known("DO_ORBIT", Commands._orbit, (1, 2, 3, *_PLACE)),
        176: _Known("DO_SET_MODE", Commands._set_mode, (1, 2, 3)),
        178: _Known("DO_CHANGE_SPEED", Commands._change_speed, (1, 2)),
        179: _Known("DO_SET_HOME", Commands._set_home, (1, 4, *_PLACE)),
        183: _Known("DO_SET_SERVO", Commands._mark, (1, 2, 3, 4, *_PLACE)),
        185: _Known("DO_FLIGHTTERMINATION", Commands._terminate, (1,)),
        186: _Known("DO_CHANGE_ALTITUDE", Commands._change_altitude, (1, 2)),
        192: _Known("DO_REPOSITION", Commands._reposition, (1, 2, 3, 4, *_PLACE)),
        REVERSE: _Known("DO_SET_REVERSE", Commands._reverse, (1,)),
        195: _Known("DO_SET_ROI_LOCATION", Commands._look_at, _PLACE),
        196: _Known("DO_SET_ROI_WPNEXT_OFFSET", Commands._look_at, ()),
        197: _Known("DO_SET_ROI_NONE", Commands._look_at, ()),
        201: _Known("DO_SET_ROI", Commands._look_by_mode, (1, *_PLACE)),
        208: _Known("DO_PARACHUTE", Commands._parachute, (1,)),
        211: _Known("DO_GRIPPER", Commands._grip, (1, 2)),
        212: _Known("DO_AUTOTUNE_ENABLE", Commands._autotune, (1,)),
        245: _Known("PREFLIGHT_STORAGE", Commands._store_parameters, (1,)),
        246: _Known("PREFLIGHT_REBOOT_SHUTDOWN", Commands._reboot, (1,)),
        262: _Known("DO_SET_STANDARD_MODE", Commands._set_standard_mode, (1,)),
        300: _Known("MISSION_START", Commands._start_mission, (1,)),
        400: _Known("COMPONENT_ARM_DISARM", Commands._arm, (1, 2)),
        401: _Known("RUN_PREARM_CHECKS", Commands._check),
        INJECT_FAILURE: _Known("INJECT_FAILURE", Commands._fail, (1, 2, 3)),
        3000: _Known("DO_VTOL_TRANSITION", Commands._transition, (1,)),
        42600: _Known("DO_WINCH", Commands._winch, (1, 2, 3, 4)),
    }
)
"""What is executed, by MAV_CMD."""
