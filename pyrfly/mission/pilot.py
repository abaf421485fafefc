"""Flies one vehicle along a mission: `Pilot`.

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

A vehicle without a climb rate drives: heights do not count, a take-off is being armed, a landing is
standing still before it is disarmed.
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


class Readable(Protocol):
    """Vehicles whose columns can be read; `pyrfly.sim.Selection` is such."""

    def read(self, name: str) -> NDArray[Any]:
        """Return a column; one that a vehicle lacks raises an AttributeError."""


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

    def select(self, ids: Sequence[int]) -> Readable:
        """Return vehicles, whose limits are read, such as ``speed_limit`` and ``climb_limit``."""

    def arm(self, on: bool = True, ids: Sequence[int] | None = None) -> None:
        """Arm or disarm some vehicles."""

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

        Without ``acc`` for vehicles that have no ``acc_sp``.
        """

    def step(self, n: int = 1) -> None:
        """Go on by ``n`` steps."""


class Vehicle:
    """One vehicle of the simulator: what the pilot sees of it and does with it.

    Attributes
    ----------
    drives : bool
        Whether it stays on the ground. Its positions then have the height of the first one.
    """

    def __init__(self, sim: Simulator, copter_id: int) -> None:
        self._sim = sim
        self._ids = [copter_id]
        self._row = row = copter_id - 1
        self._level = float(sim.pos[row, 2])
        self.drives = not self._has("climb_limit")
        self._feeds_acceleration = self._has("acc_sp")
        self.speed_limit = self._limit("speed_limit", math.inf)
        self.acceleration = self._limit("accel_limit", ACCELERATION)
        self.descent = self.climb = math.inf
        if not self.drives:
            self.descent = self._limit("descent_limit", DESCENT_SPEED)
            self.climb = self._limit("climb_limit", CLIMB_SPEED)
        self.look()

    def _has(self, name: str) -> bool:
        try:
            self._sim.select(self._ids).read(name)
        except AttributeError:
            return False
        return True

    def _limit(self, name: str, most: float) -> float:
        return min(most, LIMIT_SHARE * float(self._sim.select(self._ids).read(name)[0]))

    def look(self) -> None:
        """Take the present state from the simulator."""
        row = self._row
        self.time = self._sim.time
        self.pos = self.place(self._sim.pos[row])
        self.vel = np.array(self._sim.vel[row], dtype=np.float64)

    def place(self, pos: ArrayLike) -> Array:
        """Return a position [m, NED] as one that the vehicle can be at."""
        place = np.array(pos, dtype=np.float64)
        if self.drives:
            place[2] = self._level
        return place

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

    @property
    def landed(self) -> bool:
        """Whether it is at rest on the ground: standing, for what drives."""
        if self.drives:
            return bool(exact.norm(self.vel) < TOUCHED_SPEED)
        return bool(self.ground - self.pos[2] < TOUCHED_HEIGHT and abs(self.vel[2]) < TOUCHED_SPEED)

    def arm(self, armed: bool) -> None:
        """Arm or disarm it."""
        self._sim.arm(armed, ids=self._ids)

    def command(self, pos: Array, vel: Array, acc: Array, yaw: float) -> None:
        """Set position [m], velocity [m/s] and acceleration [m/s^2, all NED], and heading [rad]."""
        gain = acc if self._feeds_acceleration else None
        self._sim.command_position(pos, yaw, vel=vel, acc=gain, ids=self._ids)


class Leg:
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


class Pilot:
    """Flies the items one after the other; each ``yield`` lets one tick of time pass."""

    def __init__(self, vehicle: Vehicle, mission: Mission) -> None:
        self._vehicle = vehicle
        self._mission = mission
        self._launch = vehicle.pos
        self._speed = mission.cruise_speed
        self._aim = vehicle.pos  # where the last leg ends
        self._legs: list[Leg] = []  # those the set-point has not finished yet
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
        """The leg being flown; None on corners, holds, take-off and landing."""
        return self._legs[0] if self.cruising and len(self._legs) == 1 else None

    # --- items

    def _take_off(self, index: int, item: TakeOff) -> Iterator[None]:
        pos = self._vehicle.place(item.pos)
        yield from self._climb(pos[2], item.yaw)
        yield from self._go(pos, item.yaw)
        self._reach(index)

    def _waypoint(self, index: int, item: Waypoint) -> Iterator[None]:
        pos = self._vehicle.place(item.pos)
        yield from self._climb_if_landed(pos)
        stop = item.hold > 0.0 or not self._goes_on(index)
        yield from self._go(pos, item.yaw, radius=item.radius, stop=stop)
        self._reach(index)
        yield from self._wait(item.hold)

    def _loiter(self, index: int, item: Loiter) -> Iterator[None]:
        pos = self._vehicle.place(item.pos)
        yield from self._climb_if_landed(pos)
        yield from self._go(pos, item.yaw)
        self._reach(index)
        yield from self._wait(item.seconds)

    def _return(self, index: int) -> Iterator[None]:
        if self._flying:
            highest = min(self._aim[2], self._launch[2] - RETURN_HEIGHT)
            above = self._vehicle.place((self._aim[0], self._aim[1], highest))
            yield from self._go(above, self._yaw_goal)
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
        """Rise straight up, from the ground if need be; what drives is armed and stays."""
        if not self._flying:
            self._flying = True
            self._aim = self._vehicle.pos
            self._vehicle.arm(True)
        if self._vehicle.drives:
            return
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
        """Descend until the ground has been met, then disarm; what drives stops there."""
        vehicle = self._vehicle
        if not vehicle.drives:
            bottom = np.array((self._aim[0], self._aim[1], vehicle.ground + _PRESS))
            self._start(bottom, min(LANDING_SPEED, vehicle.descent))
        touched = vehicle.time
        while vehicle.time - touched < TOUCHED_TIME - _EPS:
            yield from self._tick()
            if not vehicle.landed:
                touched = vehicle.time
        vehicle.arm(False)
        self._flying = False
        self._legs.clear()

    def _wait(self, seconds: float) -> Iterator[None]:
        until = self._vehicle.time + seconds
        while self._vehicle.time < until - _EPS:
            yield from self._tick()

    def _start(self, end: Array, speed: float) -> Leg:
        leg = Leg(self._aim, end, speed, self._vehicle.acceleration, self._vehicle.time)
        self._legs.append(leg)
        self._aim = end
        return leg

    def _follow(self, leg: Leg, radius: float, *, stop: bool) -> Iterator[None]:
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
