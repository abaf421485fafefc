"""Fly one vehicle of a `pyrfly.Sim` through a `pyrfly.mission.Mission`.

Every 20 ms of simulated time the pilot moves a set-point and hands it to the vehicle's position
loop, with its velocity and acceleration as feed-forward. On the way to a waypoint the set-point
runs along the straight leg with a trapezoid of speed. Where a waypoint has no hold, the next leg
begins once the vehicle is within the waypoint's radius and the set-point brakes; what is left of
the old motion and the new one add up, so that corners are rounded smoothly, and waypoints in a line
are passed at full speed if their radius leaves room to brake.

Speeds that a mission cannot name are PX4's defaults: take-off 1.5 m/s (MPC_TKO_SPEED), climb 3 m/s
(MPC_Z_V_AUTO_UP), descent 1.5 m/s (MPC_Z_V_AUTO_DN), landing 0.7 m/s (MPC_LAND_SPEED) and heading
60 deg/s (MPC_YAWRAUTO_MAX). All of them stay below the vehicle's own limits, so that it can catch
up with a set-point it has fallen behind.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.frames import yaw_of_quaternion
from pyrfly.mission.plan import (
    ChangeSpeed,
    Land,
    Loiter,
    Mission,
    MissionItem,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
)
from pyrfly.sim import STATUS_TEXT

__all__ = ["FlightResult", "ItemResult", "Sampler", "Simulator", "fly_mission", "summary_table"]

Array: TypeAlias = NDArray[np.float64]

TICK = 0.02  # s between set-points
ACCELERATION = 2.0  # m/s^2 along a leg: a tilt of 12 deg
TAKEOFF_SPEED = 1.5  # m/s
CLIMB_SPEED = 3.0  # m/s
DESCENT_SPEED = 1.5  # m/s
LANDING_SPEED = 0.7  # m/s
LIMIT_SHARE = 0.9  # of the vehicle's limits that a set-point uses
YAW_RATE = math.radians(60.0)  # rad/s
ARRIVAL_RADIUS = 0.5  # m, where an item has no radius of its own
RETURN_HEIGHT = 15.0  # m above the place of the take-off

# The ground is met when height and vertical speed stay below these for a while.
TOUCHED_HEIGHT = 0.1  # m
TOUCHED_SPEED = 0.1  # m/s
TOUCHED_TIME = 0.5  # s
_PRESS = 0.5  # m below the ground where the landing set-point ends, so that the vehicle settles

_EPS = 1e-9  # s: time is a sum of steps


class Simulator(Protocol):
    """What a flight needs of a simulator; `pyrfly.Sim` has it. Arrays hold a row per vehicle."""

    @property
    def n(self) -> int:
        """Number of vehicles."""

    @property
    def dt(self) -> float:
        """Step [s]."""

    @property
    def time(self) -> float:
        """Simulated time [s]."""

    @property
    def pos(self) -> NDArray[Any]:
        """Position [m, NED], shape (n, 3)."""

    @property
    def vel(self) -> NDArray[Any]:
        """Velocity [m/s, NED], shape (n, 3)."""

    @property
    def att(self) -> NDArray[Any]:
        """Attitude quaternion, scalar first, FRD to NED, shape (n, 4)."""

    @property
    def terrain(self) -> NDArray[Any]:
        """Down coordinate of the ground [m], shape (n,)."""

    @property
    def status(self) -> NDArray[Any]:
        """What froze the vehicles, 0 when well, shape (n,)."""

    @property
    def speed_limit(self) -> NDArray[Any]:
        """Largest horizontal speed [m/s], shape (n,)."""

    @property
    def descent_limit(self) -> NDArray[Any]:
        """Largest descent rate [m/s], shape (n,)."""

    @property
    def climb_limit(self) -> NDArray[Any]:
        """Largest climb rate [m/s], shape (n,)."""

    @property
    def accel_limit(self) -> NDArray[Any]:
        """Largest horizontal acceleration [m/s^2], shape (n,)."""

    def arm(self, on: bool = True, ids: Sequence[int] | None = None) -> None:
        """Start or stop the rotors of some vehicles."""

    def command_position(
        self,
        pos: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        vel: ArrayLike | None = None,
        acc: ArrayLike | None = None,
        ids: Sequence[int] | None = None,
    ) -> None:
        """Set a position [m, NED], heading [rad] and feed-forward [m/s and m/s^2, NED]."""

    def step(self, n: int = 1) -> None:
        """Go on by ``n`` steps."""


class Sampler(Protocol):
    """What a flight needs of a recorder; `pyrfly.log.Recorder` has it."""

    def sample(self) -> None:
        """Record the present moment."""


@dataclass(frozen=True)
class ItemResult:
    """When an item of the mission was reached.

    Attributes
    ----------
    number : int
        Number in the mission's file, 0 where the file does not spell the item out.
    name : str
        What the item was.
    time : float or None
        Since the start of the flight [s]; None if it was not reached.
    """

    number: int
    name: str
    time: float | None


@dataclass(frozen=True)
class FlightResult:
    """What became of a flight.

    Attributes
    ----------
    mission : str
        Name of the mission.
    completed : bool
        Whether every item was flown.
    reason : str
        Why the flight ended.
    time : float
        Simulated time from arming to the end [s].
    distance : float
        Length of the flown path [m].
    cross_track_rms, cross_track_max : float or None
        Distance to the side of the straight leg, root mean square and greatest [m]; corners,
        take-off and landing excluded. None when no leg was flown.
    landing_error : float or None
        Horizontal distance from the landing place at the last touch-down [m], None without one.
    wall_time : float
        Time it took [s].
    real_time_factor : float
        Simulated time over wall time.
    items : tuple of ItemResult
        In the order of the mission.
    """

    mission: str
    completed: bool
    reason: str
    time: float
    distance: float
    cross_track_rms: float | None
    cross_track_max: float | None
    landing_error: float | None
    wall_time: float
    real_time_factor: float
    items: tuple[ItemResult, ...]


def fly_mission(
    sim: Simulator,
    mission: Mission,
    *,
    copter_id: int = 1,
    recorder: Sampler | None = None,
) -> FlightResult:
    """Fly a vehicle through a mission.

    The mission's home is the origin of the simulator's frame. The vehicle starts where it stands;
    that place is also the one it returns to.

    Parameters
    ----------
    sim : Simulator
        Stepped as a whole, with all its vehicles.
    mission : Mission
        What to fly.
    copter_id : int
        Which vehicle, 1 to ``sim.n``.
    recorder : Sampler, optional
        Its ``sample`` is called at the start and every 20 ms of simulated time.

    Returns
    -------
    FlightResult
        Also of a flight that failed: one that takes longer than three times the length of the
        mission over its speeds plus a minute, or whose vehicle is frozen, is broken off.

    Raises
    ------
    ValueError
        There is no such vehicle, or the simulator's step does not divide 20 ms.

    Examples
    --------
    >>> sim = pyrfly.Sim("x450", 1)  # doctest: +SKIP
    >>> print(summary_table(fly_mission(sim, read_mission(DEMO))))  # doctest: +SKIP
    """
    if not isinstance(copter_id, (int, np.integer)) or not 1 <= copter_id <= sim.n:
        raise ValueError(f"copter_id: expected an integer 1..{sim.n}, got {copter_id!r}")
    steps = _steps_per_tick(sim.dt)
    vehicle = _Vehicle(sim, copter_id)
    pilot = _Pilot(vehicle, mission)
    meter = _Meter(pilot, vehicle)
    limit = 3.0 * _nominal_time(mission, vehicle) + 60.0
    start, wall_start = sim.time, time.perf_counter()
    reason = ""
    if recorder is not None:
        recorder.sample()
    for _ in pilot.fly():
        sim.step(steps)
        vehicle.look()
        if recorder is not None:
            recorder.sample()
        meter.look()
        reason = _trouble(vehicle, start + limit)
        if reason:
            break
    wall_time = time.perf_counter() - wall_start
    flown = sim.time - start
    return FlightResult(
        mission=mission.name,
        completed=not reason,
        reason=reason or "all items flown",
        time=flown,
        distance=meter.distance,
        cross_track_rms=meter.cross_track_rms,
        cross_track_max=meter.cross_track_max,
        landing_error=pilot.landing_error,
        wall_time=wall_time,
        real_time_factor=flown / wall_time,
        items=tuple(
            ItemResult(item.number, _label(item), None if at is None else at - start)
            for item, at in zip(mission.items, pilot.reached, strict=True)
        ),
    )


def summary_table(result: FlightResult) -> str:
    """Return the result of a flight as lines of aligned text.

    Parameters
    ----------
    result : FlightResult
        What `fly_mission` returned.

    Returns
    -------
    str
        One line per figure, then one per item; no line break at the end.
    """
    rows = [
        ("mission", result.mission),
        ("completed", f"{'yes' if result.completed else 'no'}: {result.reason}"),
        ("flight time", f"{result.time:.2f} s"),
        ("distance", f"{result.distance:.1f} m"),
        ("cross-track error, rms", _metres(result.cross_track_rms)),
        ("cross-track error, max", _metres(result.cross_track_max)),
        ("landing error", _metres(result.landing_error)),
        ("wall time", f"{result.wall_time:.3f} s"),
        ("real-time factor", f"{result.real_time_factor:.0f}"),
    ]
    for item in result.items:
        name = f"{item.number:>3} {item.name}" if item.number else f"    {item.name}"
        rows.append((name, "not reached" if item.time is None else f"{item.time:.2f} s"))
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def _metres(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f} m"


def _label(item: MissionItem) -> str:
    match item:
        case TakeOff():
            return f"take off to {-item.pos[2]:.1f} m"
        case Waypoint():
            return f"waypoint, hold {item.hold:g} s" if item.hold else "waypoint"
        case Loiter():
            return f"loiter {item.seconds:g} s"
        case ChangeSpeed():
            return f"speed {item.speed:g} m/s"
        case ReturnToLaunch():
            return "return to launch"
        case Land():
            return "land"


def _steps_per_tick(dt: float) -> int:
    steps = round(TICK / dt)
    if steps < 1 or not math.isclose(steps * dt, TICK, rel_tol=1e-6):
        raise ValueError(f"sim.dt: expected a step that divides {TICK} s, got {dt!r} s")
    return steps


def _trouble(vehicle: _Vehicle, deadline: float) -> str:
    """Return why the flight has to be broken off, empty while it need not."""
    if vehicle.frozen:
        return f"the vehicle is frozen: {vehicle.frozen}"
    if vehicle.time > deadline:
        return f"not finished after {deadline:.0f} s of simulated time"
    return ""


def _nominal_time(mission: Mission, vehicle: _Vehicle) -> float:
    """Return about how long a mission takes [s], rather too much than too little."""
    here, speed, total = vehicle.pos, mission.cruise_speed, 0.0
    for item in mission.items:
        if isinstance(item, ChangeSpeed):
            speed = item.speed
            continue
        there = vehicle.pos if isinstance(item, ReturnToLaunch) else np.array(item.pos)
        away = there - here
        climb = 2.0 * RETURN_HEIGHT if isinstance(item, ReturnToLaunch) else 0.0
        cruise = min(speed, vehicle.speed_limit)
        total += math.hypot(away[0], away[1]) / cruise + 2.0 * cruise / vehicle.acceleration
        total += (abs(away[2]) + climb) / min(vehicle.climb, vehicle.descent, LANDING_SPEED)
        if isinstance(item, Waypoint):
            total += item.hold
        elif isinstance(item, Loiter):
            total += item.seconds
        here = there
    return total


class _Vehicle:
    """One vehicle of the simulator: what the pilot sees of it and does with it."""

    def __init__(self, sim: Simulator, copter_id: int) -> None:
        self._sim = sim
        self._ids = [copter_id]
        self._row = row = copter_id - 1
        self.speed_limit = LIMIT_SHARE * float(sim.speed_limit[row])
        self.descent = min(DESCENT_SPEED, LIMIT_SHARE * float(sim.descent_limit[row]))
        self.climb = min(CLIMB_SPEED, LIMIT_SHARE * float(sim.climb_limit[row]))
        self.acceleration = min(ACCELERATION, LIMIT_SHARE * float(sim.accel_limit[row]))
        self.look()

    def look(self) -> None:
        """Take the present state from the simulator."""
        row = self._row
        self.time = self._sim.time
        self.pos = np.array(self._sim.pos[row], dtype=np.float64)
        self.vel = np.array(self._sim.vel[row], dtype=np.float64)

    @property
    def heading(self) -> float:
        """Yaw of the attitude [rad]."""
        return float(yaw_of_quaternion(self._sim.att[self._row].astype(np.float64)))

    @property
    def ground(self) -> float:
        """Down coordinate of the ground below [m]."""
        return float(self._sim.terrain[self._row])

    @property
    def frozen(self) -> str:
        """What froze the vehicle, empty when it is well."""
        status = int(self._sim.status[self._row])
        return ", ".join(text for bit, text in STATUS_TEXT.items() if status & bit)

    def arm(self, armed: bool) -> None:
        """Start or stop the rotors."""
        self._sim.arm(armed, ids=self._ids)

    def command(self, pos: Array, vel: Array, acc: Array, yaw: float) -> None:
        """Set position [m], velocity [m/s] and acceleration [m/s^2, all NED], and heading [rad]."""
        self._sim.command_position(pos, yaw, vel=vel, acc=acc, ids=self._ids)


class _Leg:
    """A straight way from one point to another with a trapezoid of speed, begun at some time."""

    def __init__(
        self, start: Array, end: Array, speed: float, acceleration: float, begins: float
    ) -> None:
        self.start, self.end = start, end
        way = end - start
        self.length = float(exact.norm(way))
        self.direction = way / self.length if self.length > 0.0 else np.zeros(3)
        self._acceleration = acceleration
        self._begins = begins
        # a leg too short for the speed has no cruise between speeding up and braking
        self._peak = min(speed, math.sqrt(self.length * acceleration))
        self._ramp = self._peak / acceleration
        cruise = (self.length - self._peak * self._ramp) / self._peak if self.length > 0.0 else 0.0
        self.brakes = begins + self._ramp + cruise
        self.ends = self.brakes + self._ramp

    def motion(self, now: float) -> tuple[float, float, float]:
        """Return the distance still to go [m], the speed [m/s] and its derivative [m/s^2]."""
        since, left = now - self._begins, self.ends - now
        acc = self._acceleration
        if left <= 0.0:
            return 0.0, 0.0, 0.0
        if left < self._ramp:
            return 0.5 * acc * left * left, acc * left, -acc
        if since < self._ramp:
            return self.length - 0.5 * acc * since * since, acc * since, acc
        return self.length - self._peak * (since - 0.5 * self._ramp), self._peak, 0.0

    def distance(self, point: Array) -> float:
        """Return how far a point is to the side of the leg's line [m]."""
        way = point - self.start
        return float(exact.norm(way - exact.dot(way, self.direction) * self.direction))


class _Pilot:
    """Flies the items one after the other; each ``yield`` lets one tick of time pass."""

    def __init__(self, vehicle: _Vehicle, mission: Mission) -> None:
        self._vehicle = vehicle
        self._mission = mission
        self._launch = vehicle.pos
        self._speed = mission.cruise_speed
        self._aim = vehicle.pos  # where the last leg ends
        self._legs: list[_Leg] = []  # those the set-point has not finished yet
        self._flying = False
        self._yaw = self._yaw_goal = vehicle.heading
        self.cruising = False
        self.landing_error: float | None = None
        self.reached: list[float | None] = [None] * len(mission.items)

    def fly(self) -> Iterator[None]:
        """Fly the whole mission."""
        for index, item in enumerate(self._mission.items):
            match item:
                case TakeOff():
                    yield from self._take_off(index, item)
                case Waypoint():
                    yield from self._waypoint(index, item)
                case Loiter():
                    yield from self._loiter(index, item)
                case ChangeSpeed():
                    self._speed = item.speed
                    self._reach(index)
                case ReturnToLaunch():
                    yield from self._return(index)
                case Land():
                    yield from self._land(index, np.array(item.pos), item.yaw)

    @property
    def leg(self) -> _Leg | None:
        """The leg being flown; None on corners, holds, take-off and landing."""
        return self._legs[0] if self.cruising and len(self._legs) == 1 else None

    # --- items

    def _take_off(self, index: int, item: TakeOff) -> Iterator[None]:
        pos = np.array(item.pos)
        yield from self._climb(pos[2], item.yaw)
        yield from self._go(pos, item.yaw)
        self._reach(index)

    def _waypoint(self, index: int, item: Waypoint) -> Iterator[None]:
        pos = np.array(item.pos)
        yield from self._climb_if_landed(pos)
        stop = item.hold > 0.0 or not self._goes_on(index)
        yield from self._go(pos, item.yaw, radius=item.radius, stop=stop)
        self._reach(index)
        yield from self._wait(item.hold)

    def _loiter(self, index: int, item: Loiter) -> Iterator[None]:
        pos = np.array(item.pos)
        yield from self._climb_if_landed(pos)
        yield from self._go(pos, item.yaw)
        self._reach(index)
        yield from self._wait(item.seconds)

    def _return(self, index: int) -> Iterator[None]:
        if self._flying:
            highest = min(self._aim[2], self._launch[2] - RETURN_HEIGHT)
            yield from self._go(np.array((self._aim[0], self._aim[1], highest)), self._yaw_goal)
        yield from self._land(index, self._launch, None)

    def _land(self, index: int, pos: Array, yaw: float | None) -> Iterator[None]:
        if self._flying:
            yield from self._go(np.array((pos[0], pos[1], self._aim[2])), yaw)
            yield from self._touch_down()
        self.landing_error = math.hypot(*(self._vehicle.pos - pos)[:2])
        self._reach(index)

    def _reach(self, index: int) -> None:
        self.reached[index] = self._vehicle.time

    def _goes_on(self, index: int) -> bool:
        """Tell whether the item after this one is flown to without a stop here."""
        rest = (i for i in self._mission.items[index + 1 :] if not isinstance(i, ChangeSpeed))
        return isinstance(next(rest, None), (Waypoint, Loiter))

    # --- manoeuvres

    def _climb_if_landed(self, pos: Array) -> Iterator[None]:
        if not self._flying:
            yield from self._climb(min(pos[2], self._vehicle.ground - ARRIVAL_RADIUS), None)

    def _climb(self, down: float, yaw: float | None) -> Iterator[None]:
        """Rise straight up, from the ground if need be."""
        if not self._flying:
            self._flying = True
            self._aim = self._vehicle.pos
            self._vehicle.arm(True)
        if yaw is not None:
            self._yaw_goal = yaw
        top = np.array((self._aim[0], self._aim[1], down))
        leg = self._start(top, min(TAKEOFF_SPEED, self._vehicle.climb))
        yield from self._follow(leg, ARRIVAL_RADIUS, stop=True)

    def _go(
        self,
        end: Array,
        yaw: float | None,
        *,
        radius: float = ARRIVAL_RADIUS,
        stop: bool = True,
    ) -> Iterator[None]:
        """Fly a straight leg, looking along it unless a heading is given."""
        leg = self._start(end, self._speed_towards(end))
        if yaw is not None:
            self._yaw_goal = yaw
        elif exact.norm(leg.direction[:2]) * leg.length > ARRIVAL_RADIUS:
            self._yaw_goal = float(exact.arctan2(leg.direction[1], leg.direction[0]))
        self.cruising = True
        yield from self._follow(leg, radius, stop=stop)
        self.cruising = False

    def _touch_down(self) -> Iterator[None]:
        """Descend until the ground has been met, then stop the rotors."""
        vehicle = self._vehicle
        bottom = np.array((self._aim[0], self._aim[1], vehicle.ground + _PRESS))
        self._start(bottom, min(LANDING_SPEED, vehicle.descent))
        touched = vehicle.time
        while vehicle.time - touched < TOUCHED_TIME - _EPS:
            yield from self._tick()
            height = vehicle.ground - vehicle.pos[2]
            if height >= TOUCHED_HEIGHT or abs(vehicle.vel[2]) >= TOUCHED_SPEED:
                touched = vehicle.time
        vehicle.arm(False)
        self._flying = False
        self._legs.clear()

    def _wait(self, seconds: float) -> Iterator[None]:
        until = self._vehicle.time + seconds
        while self._vehicle.time < until - _EPS:
            yield from self._tick()

    def _start(self, end: Array, speed: float) -> _Leg:
        leg = _Leg(self._aim, end, speed, self._vehicle.acceleration, self._vehicle.time)
        self._legs.append(leg)
        self._aim = end
        return leg

    def _follow(self, leg: _Leg, radius: float, *, stop: bool) -> Iterator[None]:
        """Fly until the vehicle is near the leg's end and the set-point there, or braking."""
        ready = leg.ends if stop else leg.brakes
        while not (self._vehicle.time >= ready - _EPS and self._is_within(radius, leg.end)):
            yield from self._tick()

    def _is_within(self, radius: float, point: Array) -> bool:
        return float(exact.norm(self._vehicle.pos - point)) <= radius

    def _speed_towards(self, end: Array) -> float:
        """Return the speed [m/s] that keeps both its parts within the vehicle's limits."""
        way = end - self._aim
        length = float(exact.norm(way))
        across, down = float(exact.norm(way[:2])), float(way[2])
        speed = self._speed
        if across > 0.0:
            speed = min(speed, self._vehicle.speed_limit * length / across)
        if down != 0.0:
            limit = self._vehicle.climb if down < 0.0 else self._vehicle.descent
            speed = min(speed, limit * length / abs(down))
        return speed

    def _tick(self) -> Iterator[None]:
        """Hand over the present set-point and let time pass."""
        now = self._vehicle.time
        self._legs = [leg for leg in self._legs if leg.ends > now]
        pos, vel, acc = self._aim.copy(), np.zeros(3), np.zeros(3)
        for leg in self._legs:
            to_go, speed, gain = leg.motion(now)
            pos -= to_go * leg.direction
            vel += speed * leg.direction
            acc += gain * leg.direction
        turn = math.remainder(self._yaw_goal - self._yaw, math.tau)
        step = YAW_RATE * TICK
        self._yaw = math.remainder(self._yaw + min(max(turn, -step), step), math.tau)
        self._vehicle.command(pos, vel, acc, self._yaw)
        yield


class _Meter:
    """Adds up the flown distance and the distance from the legs."""

    def __init__(self, pilot: _Pilot, vehicle: _Vehicle) -> None:
        self._pilot = pilot
        self._vehicle = vehicle
        self._last = vehicle.pos
        self._squares = 0.0
        self._count = 0
        self._greatest = 0.0
        self.distance = 0.0

    def look(self) -> None:
        """Take in the present state."""
        pos = self._vehicle.pos
        self.distance += float(exact.norm(pos - self._last))
        self._last = pos
        leg = self._pilot.leg
        if leg is not None:
            error = leg.distance(pos)
            self._squares += error**2
            self._count += 1
            self._greatest = max(self._greatest, error)

    @property
    def cross_track_rms(self) -> float | None:
        """Root mean square distance from the legs [m]."""
        return math.sqrt(self._squares / self._count) if self._count else None

    @property
    def cross_track_max(self) -> float | None:
        """Greatest distance from the legs [m]."""
        return self._greatest if self._count else None
