"""Trajectory of one vehicle along a mission: `Pilot`.

Every 20 ms of simulated time the pilot updates the position set-point of the vehicle, with velocity
and acceleration as feed-forward. The set-point follows the straight legs with a trapezoidal speed
profile. At a waypoint without hold time the next leg begins when the vehicle is within the
acceptance radius and the set-point decelerates; the motions of both legs are added, so that corners
are rounded and collinear waypoints are passed at full speed if the radius exceeds the braking
distance.

Speeds that are not part of a mission are PX4's defaults: take-off 1.5 m/s (MPC_TKO_SPEED), climb
3 m/s (MPC_Z_V_AUTO_UP), descent 1.5 m/s (MPC_Z_V_AUTO_DN), landing 0.7 m/s (MPC_LAND_SPEED) and yaw
rate 60 deg/s (MPC_YAWRAUTO_MAX). All are below the limits of the vehicle, so that it can reduce a
tracking error.

A vehicle without ``climb_limit`` is a ground vehicle: heights are ignored, a take-off arms it, a
landing stops and disarms it. Its set-point waits while the vehicle is behind by more than 0.1 s of
its speed, as when it turns on the spot at a corner: otherwise it would have to exceed the speed of
the mission to catch up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.frames import yaw_of_quaternion
from pyrfly.mission.items import (
    ChangeSpeed,
    Land,
    Loiter,
    Mission,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
)
from pyrfly.sim import STATUS_TEXT

__all__ = [
    "LANDING_SPEED",
    "RETURN_HEIGHT",
    "TICK",
    "Leg",
    "Pilot",
    "Readable",
    "Simulator",
    "Vehicle",
]

Array: TypeAlias = NDArray[np.float64]

TICK = 0.02  # s between set-points
ACCELERATION = 2.0  # m/s^2 along a leg: a tilt of 12 deg
TAKEOFF_SPEED = 1.5  # m/s
CLIMB_SPEED = 3.0  # m/s
DESCENT_SPEED = 1.5  # m/s
LANDING_SPEED = 0.7  # m/s
LIMIT_FRACTION = 0.9  # of the limits of the vehicle, for the set-points
YAW_RATE = math.radians(60.0)  # rad/s
ARRIVAL_RADIUS = 0.5  # m, of items without a radius
RETURN_HEIGHT = 15.0  # m above the launch position

# Ground contact is detected when height and vertical speed are below these for a time.
TOUCHDOWN_HEIGHT = 0.1  # m
TOUCHDOWN_SPEED = 0.1  # m/s
TOUCHDOWN_TIME = 0.5  # s
MAX_DELAY = 0.1  # s that a ground vehicle may be behind its set-point
_PRESS = 0.5  # m below the ground, end of the landing set-point, so that the vehicle settles

_EPS = 1e-9  # s: rounding of the time, a sum of steps


class Readable(Protocol):
    """Vehicles whose columns can be read, such as a `pyrfly.sim.Selection`."""

    def read(self, name: str) -> NDArray[Any]:
        """Return a column; raise an AttributeError if a vehicle does not have it."""


class Simulator(Protocol):
    """Interface of a simulation, such as a `pyrfly.Sim`. Arrays have one row per vehicle."""

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
        """Ground velocity [m/s, NED], shape (n, 3)."""

    @property
    def att(self) -> NDArray[Any]:
        """Attitude quaternion, scalar first, FRD to NED, shape (n, 4)."""

    @property
    def terrain(self) -> NDArray[Any]:
        """Terrain below each vehicle, z [m, NED], shape (n,)."""

    @property
    def status(self) -> NDArray[Any]:
        """Fault flags, 0: none, shape (n,)."""

    def select(self, ids: Sequence[int]) -> Readable:
        """Return vehicles, to read their limits.

        ``speed_limit``, ``accel_limit`` and, of those that fly, ``climb_limit``, ``descent_limit``.
        """

    def arm(self, on: bool = True, ids: Sequence[int] | None = None) -> None:
        """Arm or disarm vehicles."""

    def command_position(
        self,
        pos: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        vel: ArrayLike | None = None,
        acc: ArrayLike | None = None,
        ids: Sequence[int] | None = None,
    ) -> None:
        """Set a position [m, NED], heading [rad] and feed-forward [m/s and m/s^2, NED].

        ``acc`` is None for vehicles without ``acc_sp``.
        """

    def step(self, n: int = 1) -> None:
        """Take ``n`` steps."""


class Vehicle:
    """State and commands of one vehicle of a simulation.

    Attributes
    ----------
    drives : bool
        Whether it is a ground vehicle. Its positions then all have the initial height.
    """

    def __init__(self, sim: Simulator, copter_id: int) -> None:
        self._sim = sim
        self._ids = [copter_id]
        self._row = row = copter_id - 1
        self._ground_z = float(sim.pos[row, 2])
        self.drives = not self._has("climb_limit")
        self._feeds_acceleration = self._has("acc_sp")
        self.speed_limit = self._limit("speed_limit", math.inf)
        self.acceleration = self._limit("accel_limit", ACCELERATION)
        self.descent = self.climb = math.inf
        if not self.drives:
            self.descent = self._limit("descent_limit", DESCENT_SPEED)
            self.climb = self._limit("climb_limit", CLIMB_SPEED)
        self.update()

    def _has(self, name: str) -> bool:
        try:
            self._sim.select(self._ids).read(name)
        except AttributeError:
            return False
        return True

    def _limit(self, name: str, maximum: float) -> float:
        return min(maximum, LIMIT_FRACTION * float(self._sim.select(self._ids).read(name)[0]))

    def update(self) -> None:
        """Read the present state from the simulation."""
        row = self._row
        self.time = self._sim.time
        self.pos = self.reachable(self._sim.pos[row])
        self.vel = np.array(self._sim.vel[row], dtype=np.float64)

    def reachable(self, pos: ArrayLike) -> Array:
        """Return a position [m, NED]; that of a ground vehicle gets the initial height."""
        reachable = np.array(pos, dtype=np.float64)
        if self.drives:
            reachable[2] = self._ground_z
        return reachable

    @property
    def heading(self) -> float:
        """Yaw of the attitude [rad]."""
        return float(yaw_of_quaternion(self._sim.att[self._row].astype(np.float64)))

    @property
    def ground(self) -> float:
        """Terrain below the vehicle, z [m, NED]."""
        return float(self._sim.terrain[self._row])

    @property
    def fault(self) -> str:
        """Text of its fault flags, empty if there are none."""
        status = int(self._sim.status[self._row])
        return ", ".join(text for bit, text in STATUS_TEXT.items() if status & bit)

    @property
    def landed(self) -> bool:
        """Whether it is in ground contact and at rest."""
        if self.drives:
            return bool(exact.norm(self.vel) < TOUCHDOWN_SPEED)
        return bool(
            self.ground - self.pos[2] < TOUCHDOWN_HEIGHT and abs(self.vel[2]) < TOUCHDOWN_SPEED
        )

    def arm(self, armed: bool) -> None:
        """Arm or disarm it."""
        self._sim.arm(armed, ids=self._ids)

    def command(self, pos: Array, vel: Array, acc: Array, yaw: float) -> None:
        """Set position [m], velocity [m/s] and acceleration [m/s^2, all NED], and heading [rad]."""
        feed_forward = acc if self._feeds_acceleration else None
        self._sim.command_position(pos, yaw, vel=vel, acc=feed_forward, ids=self._ids)


class Leg:
    """Trajectory on a straight leg, with a trapezoidal speed profile from a start time."""

    def __init__(
        self, start: Array, end: Array, speed: float, acceleration: float, begins: float
    ) -> None:
        self.start, self.end = start, end
        way = end - start
        self.length = float(exact.norm(way))
        self.direction = way / self.length if self.length > 0.0 else np.zeros(3)
        self._acceleration = acceleration
        self._begins = begins
        # a leg too short for the speed has a triangular profile
        self._peak = min(speed, math.sqrt(self.length * acceleration))
        self._ramp = self._peak / acceleration
        cruise = (self.length - self._peak * self._ramp) / self._peak if self.length > 0.0 else 0.0
        self.brakes = begins + self._ramp + cruise
        self.ends = self.brakes + self._ramp

    def delay(self, seconds: float) -> None:
        """Move the rest of the leg to later times."""
        self._begins += seconds
        self.brakes += seconds
        self.ends += seconds

    def motion(self, now: float) -> tuple[float, float, float]:
        """Return the remaining distance [m], the speed [m/s] and its derivative [m/s^2]."""
        since, left = now - self._begins, self.ends - now
        acc = self._acceleration
        if left <= 0.0:
            return 0.0, 0.0, 0.0
        if left < self._ramp:
            return 0.5 * acc * left * left, acc * left, -acc
        if since < self._ramp:
            return self.length - 0.5 * acc * since * since, acc * since, acc
        return self.length - self._peak * (since - 0.5 * self._ramp), self._peak, 0.0

    def cross_track_error(self, point: Array) -> float:
        """Return the distance of a point from the line of the leg [m]."""
        way = point - self.start
        return float(exact.norm(way - exact.dot(way, self.direction) * self.direction))


class Pilot:
    """Executes the items of a mission sequentially; each ``yield`` advances time by a tick."""

    def __init__(self, vehicle: Vehicle, mission: Mission) -> None:
        self._vehicle = vehicle
        self._mission = mission
        self._launch = vehicle.pos
        self._speed = mission.cruise_speed
        self._target = vehicle.pos  # end of the last leg
        self._legs: list[Leg] = []  # unfinished legs of the set-point
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
    def leg(self) -> Leg | None:
        """The present leg; None in corners, holds, take-off and landing."""
        return self._legs[0] if self.cruising and len(self._legs) == 1 else None

    # --- items

    def _take_off(self, index: int, item: TakeOff) -> Iterator[None]:
        pos = self._vehicle.reachable(item.pos)
        yield from self._climb(pos[2], item.yaw)
        yield from self._go(pos, item.yaw)
        self._reach(index)

    def _waypoint(self, index: int, item: Waypoint) -> Iterator[None]:
        pos = self._vehicle.reachable(item.pos)
        yield from self._climb_if_landed(pos)
        stop = item.hold > 0.0 or not self._continues(index)
        yield from self._go(pos, item.yaw, radius=item.radius, stop=stop)
        self._reach(index)
        yield from self._wait(item.hold)

    def _loiter(self, index: int, item: Loiter) -> Iterator[None]:
        pos = self._vehicle.reachable(item.pos)
        yield from self._climb_if_landed(pos)
        yield from self._go(pos, item.yaw)
        self._reach(index)
        yield from self._wait(item.seconds)

    def _return(self, index: int) -> Iterator[None]:
        if self._flying:
            highest = min(self._target[2], self._launch[2] - RETURN_HEIGHT)
            above = self._vehicle.reachable((self._target[0], self._target[1], highest))
            yield from self._go(above, self._yaw_goal)
        yield from self._land(index, self._launch, None)

    def _land(self, index: int, pos: Array, yaw: float | None) -> Iterator[None]:
        if self._flying:
            yield from self._go(np.array((pos[0], pos[1], self._target[2])), yaw)
            yield from self._touchdown()
        self.landing_error = math.hypot(*(self._vehicle.pos - pos)[:2])
        self._reach(index)

    def _reach(self, index: int) -> None:
        self.reached[index] = self._vehicle.time

    def _continues(self, index: int) -> bool:
        """Return whether the next item needs no stop at this one."""
        rest = (i for i in self._mission.items[index + 1 :] if not isinstance(i, ChangeSpeed))
        return isinstance(next(rest, None), (Waypoint, Loiter))

    # --- manoeuvres

    def _climb_if_landed(self, pos: Array) -> Iterator[None]:
        if not self._flying:
            yield from self._climb(min(pos[2], self._vehicle.ground - ARRIVAL_RADIUS), None)

    def _climb(self, down: float, yaw: float | None) -> Iterator[None]:
        """Arm a vehicle on the ground and climb vertically; ground vehicles only arm."""
        if not self._flying:
            self._flying = True
            self._target = self._vehicle.pos
            self._vehicle.arm(True)
        if self._vehicle.drives:
            return
        if yaw is not None:
            self._yaw_goal = yaw
        top = np.array((self._target[0], self._target[1], down))
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
        """Fly a straight leg, with the heading ``yaw`` or the course of the leg."""
        leg = self._start(end, self._speed_towards(end))
        if yaw is not None:
            self._yaw_goal = yaw
        elif exact.norm(leg.direction[:2]) * leg.length > ARRIVAL_RADIUS:
            self._yaw_goal = float(exact.arctan2(leg.direction[1], leg.direction[0]))
        self.cruising = True
        yield from self._follow(leg, radius, stop=stop)
        self.cruising = False

    def _touchdown(self) -> Iterator[None]:
        """Descend to ground contact, then disarm; ground vehicles stop and disarm."""
        vehicle = self._vehicle
        if not vehicle.drives:
            bottom = np.array((self._target[0], self._target[1], vehicle.ground + _PRESS))
            self._start(bottom, min(LANDING_SPEED, vehicle.descent))
        contact = vehicle.time
        while vehicle.time - contact < TOUCHDOWN_TIME - _EPS:
            yield from self._tick()
            if not vehicle.landed:
                contact = vehicle.time
        vehicle.arm(False)
        self._flying = False
        self._legs.clear()

    def _wait(self, seconds: float) -> Iterator[None]:
        until = self._vehicle.time + seconds
        while self._vehicle.time < until - _EPS:
            yield from self._tick()

    def _start(self, end: Array, speed: float) -> Leg:
        leg = Leg(self._target, end, speed, self._vehicle.acceleration, self._vehicle.time)
        self._legs.append(leg)
        self._target = end
        return leg

    def _follow(self, leg: Leg, radius: float, *, stop: bool) -> Iterator[None]:
        """Fly until the vehicle is near the end of the leg and the set-point stops or brakes."""
        while self._vehicle.time < (leg.ends if stop else leg.brakes) - _EPS or not (
            self._is_within(radius, leg.end)
        ):
            yield from self._tick()

    def _is_within(self, radius: float, point: Array) -> bool:
        return float(exact.norm(self._vehicle.pos - point)) <= radius

    def _speed_towards(self, end: Array) -> float:
        """Return the speed [m/s] within the horizontal and vertical limits of the vehicle."""
        way = end - self._target
        length = float(exact.norm(way))
        horizontal, down = float(exact.norm(way[:2])), float(way[2])
        speed = self._speed
        if horizontal > 0.0:
            speed = min(speed, self._vehicle.speed_limit * length / horizontal)
        if down != 0.0:
            limit = self._vehicle.climb if down < 0.0 else self._vehicle.descent
            speed = min(speed, limit * length / abs(down))
        return speed

    def _tick(self) -> Iterator[None]:
        """Command the present set-point, then advance by a tick."""
        now = self._vehicle.time
        self._legs = [leg for leg in self._legs if leg.ends > now]
        pos, vel, acc = self._target.copy(), np.zeros(3), np.zeros(3)
        for leg in self._legs:
            remaining, speed, speed_rate = leg.motion(now)
            pos -= remaining * leg.direction
            vel += speed * leg.direction
            acc += speed_rate * leg.direction
        error = math.remainder(self._yaw_goal - self._yaw, math.tau)
        step = YAW_RATE * TICK
        self._yaw = math.remainder(self._yaw + min(max(error, -step), step), math.tau)
        self._vehicle.command(pos, vel, acc, self._yaw)
        if self._vehicle.drives and self._is_behind(pos, vel):
            for leg in self._legs:
                leg.delay(TICK)
        yield

    def _is_behind(self, pos: Array, vel: Array) -> bool:
        """Return whether a set-point is too far ahead of the vehicle to be caught up with."""
        ahead = float(exact.dot(pos - self._vehicle.pos, vel))
        return ahead > MAX_DELAY * float(exact.dot(vel, vel))
