"""Trajectory of one vehicle along a mission: `Pilot`.

Every 20 ms of simulated time the pilot updates the position set-point of the vehicle, with velocity
and acceleration as feed-forward. The set-point follows the straight legs with a trapezoidal speed
profile. At a waypoint without hold time it rounds the corner within the acceptance radius, as fast
as its acceleration allows for the angle of the legs: in a line it passes at full speed. The speeds
in corners also let the set-point accelerate before them and brake behind them (`Way`). Waypoints at
one place are one. Where the vehicle is not within the
radius while the set-point is in the corner, the set-point waits for it at the waypoint.

For a ground vehicle heights and regions of interest are ignored, a take-off arms it, a landing
stops and disarms it. What dives comes up to land, and what cannot stop there is let go. Its set-
point waits while the vehicle is behind by more than 0.1 s of its speed, as when it turns on the
spot at a corner: otherwise it would have to exceed the speed of the mission to catch up. It does
not wait for one that has stopped there, as its controllers say. Where it changes between forward
and backward it stops at the waypoint before.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from pyrfly import exact
from pyrfly.errors import assert_never
from pyrfly.mission.base_pilot import TICK, TIME_ROUNDING, BasePilot, Track
from pyrfly.mission.checks import Array
from pyrfly.mission.fence import FenceAction
from pyrfly.mission.items import (
    ChangeSpeed,
    Command,
    Delay,
    FlownItem,
    Land,
    Loiter,
    MissionItem,
    ReturnToLaunch,
    Reverse,
    TakeOff,
    Waypoint,
)
from pyrfly.mission.leg import Corner, Leg, Motion
from pyrfly.mission.mission import Mission
from pyrfly.mission.vehicle import Vehicle
from pyrfly.mission.way import Way
from pyrfly.vehicles.constants import TOUCHDOWN_HEIGHT, TOUCHDOWN_TIME

__all__ = ["SLOW_HEIGHT", "Pilot"]

YAW_RATE = math.radians(60.0)  # rad/s
ARRIVAL_RADIUS = 0.5  # m, of items without a radius
SAME = 0.01  # m, between waypoints that are one: a leg of no length is no corner; estimated
SLOW_HEIGHT = 10.0
"""Height above ground below which a landing is slow: MPC_LAND_ALT1 [m]."""
MAX_DELAY = 0.1  # s that a ground vehicle may be behind its set-point
_PRESS = 0.5  # m below the ground, end of the landing set-point, so that the vehicle settles

_HEADING_ROUNDING = 1e-9  # rad


class Pilot(BasePilot):
    """Pilot of a vehicle that hovers or drives; see `BasePilot`."""

    def __init__(self, vehicle: Vehicle, mission: Mission, **options: Any) -> None:
        super().__init__(vehicle, mission, **options)
        self._target = vehicle.pos  # end of the last leg, or where it meets the next one
        self._legs: list[Leg | Corner] = []  # unfinished parts of the way of the set-point
        self._corner: Corner | None = None  # at the end of the last leg
        self._way = Way([self._target], [], [], vehicle.acceleration)  # to the next stop
        self._places: dict[int, int] = {}  # legs of the way, by the places of their items
        self._yaw = self._yaw_goal = vehicle.heading
        self.cruising = False

    def fly_at(self, speed: float) -> None:
        """See `BasePilot`."""
        super().fly_at(speed)
        self._places.clear()

    def divert(self, action: FenceAction) -> Iterator[None]:
        """End the mission at once: hold position, return and land, or land."""
        if not self._flying:
            return
        self.cruising = False
        self._interest = None
        if self._lands():
            action = "land"
        else:
            yield from self._stop()
        if action == "return":
            yield from self._return()
        elif action == "land":
            yield from self._touchdown()

    def turn(self) -> Iterator[None]:
        """Turn to the heading of the last item, from which the set-point may still differ."""
        while abs(math.remainder(self._heading_goal() - self._yaw, math.tau)) > _HEADING_ROUNDING:
            yield from self._tick()

    def _lands(self) -> bool:
        return not self._vehicle.on_surface and bool(self._target[2] >= self._vehicle.ground)

    @property
    def leg(self) -> Track | None:
        """The present leg; None in corners, holds, take-off and landing."""
        part = self._legs[0] if self.cruising and self._legs else None
        return part if isinstance(part, Leg) else None

    @property
    def goal(self) -> Array:
        """Present position of the set-point [m, NED]."""
        pos, _, _ = self._set_point()
        return pos

    # --- items

    def _go_to(self, place: int, item: FlownItem) -> Iterator[None]:
        match item:
            case TakeOff():
                pos = self._vehicle.reachable(item.pos)
                yield from self._climb(pos[2], item.yaw)
                yield from self._go(pos, item.yaw)
            case Waypoint():
                yield from self._waypoint(place, item)
            case Loiter():
                yield from self._loiter(item)
            case ReturnToLaunch():
                yield from self._return()
            case Land():
                yield from self._land(np.array(item.pos), item.yaw)
            case _:
                assert_never(item)

    def _execute(self, item: Command) -> None:
        turns = isinstance(item, Reverse) and item.backward != self._vehicle.backward
        super()._execute(item)
        if turns:  # from where it has stopped, or its trailer has
            self._legs, self._corner, self._target = [], None, self._vehicle.pos

    def _stay(self, item: MissionItem) -> Iterator[None]:
        if isinstance(item, Waypoint):
            yield from self._wait(item.hold)
        elif isinstance(item, (Loiter, Delay)):
            yield from self._wait(item.seconds)

    def _waypoint(self, place: int, item: Waypoint) -> Iterator[None]:
        pos = self._vehicle.reachable(item.pos)
        yield from self._climb_if_landed(pos)
        if self._corner is not None and self._is_here(pos):  # passed with the waypoint before it
            self._yaw_goal = self._yaw_goal if item.yaw is None else item.yaw
            return
        corner = self._corner_at(place, item, pos) if item.hold == 0.0 else None
        yield from self._go(pos, item.yaw, radius=item.radius, corner=corner)

    def _loiter(self, item: Loiter) -> Iterator[None]:
        pos = self._vehicle.reachable(item.pos)
        yield from self._climb_if_landed(pos)
        if item.climbs:
            yield from self._go(np.array((pos[0], pos[1], self._target[2])), None)
        yield from self._go(pos, item.yaw)

    def _return(self) -> Iterator[None]:
        """Return to the nearest of launch position and rally points, forward, and land there."""
        if self._vehicle.backward:
            self._execute(Reverse(backward=False))
        pos = self._landing_place(self._vehicle.pos)
        if self._flying:
            highest = min(self._target[2], self._launch[2] - self._vehicle.return_height)
            above = self._vehicle.reachable((self._target[0], self._target[1], highest))
            yield from self._go(above, self._yaw_goal)
        yield from self._land(pos, None)

    def _land(self, pos: Array, yaw: float | None) -> Iterator[None]:
        if self._flying:
            yield from self._go(np.array((pos[0], pos[1], self._target[2])), yaw)
            yield from self._touchdown()
        self.landing_error = self._miss(pos)

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
        if self._vehicle.on_surface:
            return
        if yaw is not None:
            self._yaw_goal = yaw
        top = np.array((self._target[0], self._target[1], down))
        leg = self._start(top, self._vehicle.take_off)
        yield from self._follow(leg, ARRIVAL_RADIUS)

    def _go(
        self,
        end: Array,
        yaw: float | None,
        *,
        radius: float = ARRIVAL_RADIUS,
        corner: Corner | None = None,
    ) -> Iterator[None]:
        """Fly a straight leg, with the heading ``yaw`` or its course, to a stop or a corner."""
        way = end - self._target
        leg = self._start(end, self._speed_along(way, self._speed), corner)
        if yaw is not None:
            self._yaw_goal = yaw
        elif exact.norm(way[:2]) > ARRIVAL_RADIUS:
            nose = -way if self._vehicle.backward else way
            self._yaw_goal = float(exact.arctan2(nose[1], nose[0]))
        self.cruising = True
        yield from self._follow(leg, self._vehicle.acceptance(radius))
        self.cruising = False

    def _touchdown(self) -> Iterator[None]:
        """Descend to ground contact, then disarm; ground vehicles stop, what dives comes up."""
        vehicle = self._vehicle
        if not vehicle.on_surface:
            yield from self._descend_quickly(vehicle.ground - SLOW_HEIGHT)
            bottom = np.array((self._target[0], self._target[1], vehicle.ground + _PRESS))
            self._start(bottom, vehicle.landing)
        elif vehicle.dives:
            north, east = self._target[:2]
            yield from self._go(vehicle.reachable((north, east, -math.inf)), None)
        if vehicle.drifts:
            self._end()
            return
        contact, last = vehicle.time, vehicle.time + vehicle.patience

        def rests() -> bool:
            nonlocal contact
            # on a surface it may rest on the last of its way, as to turn its wheels
            on_way = vehicle.on_surface and not vehicle.arrived and vehicle.time < last
            if on_way or not vehicle.landed:
                contact = vehicle.time
            return vehicle.time - contact >= TOUCHDOWN_TIME - TIME_ROUNDING

        yield from self._until(rests, lambda: max(vehicle.height, TOUCHDOWN_HEIGHT), "the ground")
        self._end()

    def _end(self) -> None:
        """Disarm where the vehicle is."""
        self._vehicle.arm(False)
        self._flying = False
        self._legs.clear()

    def _descend_quickly(self, down: float) -> Iterator[None]:
        """Descend to a height [m, NED], if it is below, and to the speed of a landing there.

        On a roof above that height it ends.
        """
        vehicle, start = self._vehicle, self._target
        if down - float(start[2]) <= SAME:
            return
        gate, bottom = (np.array((start[0], start[1], z)) for z in (down, vehicle.ground + _PRESS))
        speeds = vehicle.descent, min(vehicle.landing, vehicle.descent)
        radii = ARRIVAL_RADIUS, ARRIVAL_RADIUS
        way = Way([start, gate, bottom], radii, speeds, vehicle.acceleration)
        leg = self._start(gate, vehicle.descent, way.corner(0, 0.0, 0.0))
        yield from self._follow(leg, ARRIVAL_RADIUS, lands=True)

    def _stop(self) -> Iterator[None]:
        """Brake to a stop on the present course."""
        pos, vel, _ = self._set_point()
        leg = Leg.stopping(pos, vel, self._vehicle.acceleration, self._vehicle.time)
        self._legs, self._corner = [leg], None
        self._target = leg.end
        yield from self._follow(leg, ARRIVAL_RADIUS)

    def _wait(self, seconds: float) -> Iterator[None]:
        until = self._vehicle.time + seconds
        while self._vehicle.time < until - TIME_ROUNDING:
            yield from self._tick()

    def _start(self, end: Array, speed: float, corner: Corner | None = None) -> Leg:
        """Append a leg, and the corner at its end, to the way of the set-point.

        It begins at the end of the corner before it, or at rest where the set-point has left that.
        """
        start, first, begins = self._target, 0.0, self._vehicle.time
        before = self._begun_corner()
        if before is not None:
            start, first, begins = before.end, before.speed, before.ends
        acceleration, last = self._vehicle.acceleration, 0.0 if corner is None else corner.speed
        stop = end if corner is None else corner.start
        leg = Leg(start, stop, speed, acceleration, begins, first, last)
        self._legs.append(leg)
        if corner is not None:
            corner.begin(leg.ends)
            self._legs.append(corner)
        self._corner, self._target = corner, end
        return leg

    def _begun_corner(self) -> Corner | None:
        """Return the corner at the end of the last leg, None where the set-point has left it."""
        corner = self._corner
        return corner if corner is not None and self._vehicle.time < corner.ends + TICK else None

    def _follow(self, leg: Leg, radius: float, lands: bool = False) -> Iterator[None]:
        """Fly until the set-point has ended the leg, and the vehicle is near where that leads.

        With ``lands`` it may end before, where something carries the vehicle.
        """
        vehicle, end, stops = self._vehicle, self._target, self._corner is None
        passed = False

        def left() -> float:
            return float(exact.norm(vehicle.pos - end))

        def reached() -> bool:
            nonlocal passed
            if lands and vehicle.landed:
                return True
            passed = left() <= radius or (passed and vehicle.lies)
            if vehicle.time < leg.ends - TIME_ROUNDING:
                return False
            return passed or ((stops or vehicle.circles) and vehicle.arrived)

        yield from self._until(reached, left, "the end of the leg")

    def _corner_at(self, place: int, item: Waypoint, pos: Array) -> Corner | None:
        """Return the corner at a waypoint; None where the vehicle stops there."""
        if self._is_here(pos):
            return None
        if place not in self._places or not self._follows_on(self._places[place]):
            self._plan(place, item, pos)
        before = self._begun_corner()
        begun = (0.0, 0.0) if before is None else (before.speed, before.room)
        return self._way.corner(self._places[place], *begun)

    def _follows_on(self, leg: int) -> bool:
        """Return whether a leg of the way begins where the last one has ended."""
        return bool(np.array_equal(self._way.points[leg], self._target))

    def _is_here(self, pos: Array) -> bool:
        """Return whether a position is the end of the last leg."""
        return float(exact.norm(pos - self._target)) <= SAME

    def _plan(self, place: int, item: Waypoint, pos: Array) -> None:
        """Plan the way from a waypoint to the next stop, once for all its legs."""
        points, radii = [self._target], [math.inf]
        speeds: list[float] = []
        self._places = {}
        first = place, pos, item.radius, self._speed
        for here, goal, radius, speed in chain([first], self._way_after(place, pos)):
            leg = goal - points[-1]
            if float(exact.norm(leg)) <= SAME:
                radii[-1] = min(radii[-1], radius)
                continue
            self._places[here] = len(speeds)
            points.append(goal)
            radii.append(radius)
            speeds.append(self._speed_along(leg, speed))
        self._way = Way(points, radii[1:], speeds, self._vehicle.acceleration)

    def _way_after(self, place: int, pos: Array) -> Iterator[tuple[int, Array, float, float]]:
        """Yield the legs from a waypoint to the next stop: place, end, its radius, and speed."""
        order, items, speed = self._mission.order, self._mission.items, self._speed
        for here in range(place, len(order) - 1):
            if items[order[here]].pauses:
                return
            item = items[order[here + 1]]
            if isinstance(item, ChangeSpeed):
                speed = item.speed
            elif isinstance(item, Reverse) and item.backward != self._vehicle.backward:
                return
            elif isinstance(item, (Waypoint, Loiter)):
                goal = self._vehicle.reachable(item.pos)
                if isinstance(item, Loiter) and item.climbs:
                    goal[2] = pos[2]
                passed = isinstance(item, Waypoint) and item.hold == 0.0
                radius = item.radius if isinstance(item, Waypoint) else math.inf
                yield here + 1, goal, radius, speed
                if not passed:
                    return
                pos = goal
            elif self._takes_time(item):
                return

    def _speed_along(self, way: Array, speed: float) -> float:
        """Return a speed [m/s] within the horizontal and vertical limits of the vehicle."""
        length = float(exact.norm(way))
        horizontal, down = float(exact.norm(way[:2])), float(way[2])
        if horizontal > 0.0:
            speed = min(speed, self._vehicle.speed_limit * length / horizontal)
        if down != 0.0:
            limit = self._vehicle.climb if down < 0.0 else self._vehicle.descent
            speed = min(speed, limit * length / abs(down))
        return speed

    def _set_point(self) -> Motion:
        """Return the present motion of the set-point."""
        now = self._vehicle.time
        self._legs = [leg for leg in self._legs if leg.ends > now]
        if not self._legs:
            return self._target.copy(), np.zeros(3), np.zeros(3)
        return self._legs[0].motion(now)

    def _tick(self) -> Iterator[None]:
        """Command the present set-point, then advance by a tick."""
        pos, vel, acc = self._set_point()
        error = math.remainder(self._heading_goal() - self._yaw, math.tau)
        step = YAW_RATE * TICK
        self._yaw = math.remainder(self._yaw + min(max(error, -step), step), math.tau)
        waits = self._vehicle.on_surface and self._is_behind(pos, vel) and not self._vehicle.arrived
        self._vehicle.command(pos, vel, acc, self._yaw)
        if waits:
            for leg in self._legs:
                leg.delay(TICK)
        yield

    def _heading_goal(self) -> float:
        """Return the heading [rad] towards the region of interest, or that of the item."""
        if self._interest is None or self._vehicle.on_surface:
            return self._yaw_goal
        way = self._interest - self._vehicle.pos
        if exact.norm(way[:2]) <= ARRIVAL_RADIUS:  # above it
            return self._yaw
        return float(exact.arctan2(way[1], way[0]))

    def _is_behind(self, pos: Array, vel: Array) -> bool:
        """Return whether a set-point is too far ahead of the vehicle to be caught up with."""
        speed = float(exact.norm(vel))
        ahead = float(exact.dot(pos - self._vehicle.pos, vel))
        return ahead > (MAX_DELAY * speed + self._vehicle.slack) * speed
