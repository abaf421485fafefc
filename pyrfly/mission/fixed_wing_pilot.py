"""Flight of a fixed wing along a mission: `FixedWingPilot`.

Legs are straight lines at an airspeed, up or down with a constant slope. A corner is rounded by an
arc that is tangent to both legs, as narrow as the vehicle can bank on its fastest course in the
wind. Where the legs are too short for the arc, or the turn is sharp, the corner is overflown and
the next leg is reached from beside it. Circles are begun and left along tangents.

A leg that is too steep is flown at the maximum slope; its end is then circled until the height is
reached. Take-offs, landings into the wind and touch-downs are those of the navigator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyrfly import exact
from pyrfly.errors import assert_never
from pyrfly.mission.base_pilot import TIME_ROUNDING, BasePilot
from pyrfly.mission.checks import Array
from pyrfly.mission.fence import FenceAction
from pyrfly.mission.fixed_wing import FixedWing
from pyrfly.mission.items import (
    Delay,
    FlownItem,
    Land,
    Loiter,
    MissionItem,
    ReturnToLaunch,
    TakeOff,
    Transition,
    Waypoint,
)
from pyrfly.mission.mission import Mission
from pyrfly.mission.progress import PATIENCE, Progress
from pyrfly.mission.turns import (
    Arc,
    Line,
    arc_between,
    entry_of_circle,
    exit_of_circle,
    phase_to,
    right_of,
)
from pyrfly.vehicles.constants import FLARE_RATE, FLARE_TIME

__all__ = ["FixedWingPilot"]

LEAST_CLIMB = 30.0
"""Height of a take-off without an item [m above the ground]."""

LONGEST_LEAD = 2.0
"""Lead of an arc over its radius; beyond, at 127 degrees, it would pass too far from the corner."""

HEIGHT_RADIUS = 10.0
"""Height error with which a waypoint is passed [m]: PX4's NAV_FW_ALT_RAD."""

REACHED_HEIGHT, REACHED_SIDE = 2.0, 3.0
"""Distances from a leg or a circle within which it counts as reached [m]."""

LEAST_RATE = 0.508
"""Rate of climb [m/s] below which a height is out of reach, the 100 ft/min that a service
ceiling is defined by; over `PATIENCE`."""

TANGENTS = 6
"""Steps towards the tangent of two circles; each reduces its error by their radii over the way."""

ALIGNED = 0.995
"""Cosine of the angle between course and bearing at which a leg begins."""


def _flare_height(descent: float) -> float:
    """Return the height [m] at which a flare from a descent rate [m/s] begins."""
    return 0.5 * FLARE_TIME * (descent + FLARE_RATE)


class FixedWingPilot(BasePilot):
    """Pilot of a fixed wing; see `BasePilot`.

    The initial speed is the airspeed of the mission, or its cruise speed; one that is too low for
    it, such as that of a plan for a multirotor, is replaced by its cruise airspeed.
    """

    def __init__(self, vehicle: FixedWing, mission: Mission, **options: Any) -> None:
        super().__init__(vehicle, mission, **options)
        self._wing = vehicle
        self._speed = vehicle.initial_airspeed(mission.airspeed or mission.cruise_speed)
        self._flying = self._flying or not vehicle.landed
        self._start = vehicle.pos  # of the next leg
        self._joined = False  # whether the vehicle is there, on its course or next to it
        self._line: Line | None = None
        self._circle: tuple[Array, float] | None = None  # centre [m, NED] and radius [m]
        self._cruising = False

    # --- what others see

    @property
    def leg(self) -> Line | None:
        """See `BasePilot`."""
        return self._line if self._cruising else None

    @property
    def goal(self) -> Array:
        """See `BasePilot`: the end of the line, or the centre of the circle."""
        if self._circle is not None:
            return self._circle[0]
        return self._start if self._line is None else self._line.end

    @property
    def circle(self) -> tuple[Array, float] | None:
        """See `BasePilot`."""
        return self._circle

    def fly_at(self, speed: float) -> None:
        """See `BasePilot`; one that flies does so at once."""
        super().fly_at(speed)
        if self._circle is not None:
            centre, radius = self._circle
            self._circle_at(centre, self._radius(radius))

    def fly(self) -> Iterator[None]:
        """See `BasePilot`; a vehicle that flies at the end circles on."""
        yield from super().fly()
        if self._flying and self._circle is None:
            self._circle_at(self._start)
            yield

    def divert(self, action: FenceAction) -> Iterator[None]:
        """See `BasePilot`: to hold is to circle."""
        if not self._flying:
            return
        here = self._wing.pos
        self._begin(here, joined=False)
        if action == "return":
            yield from self._return()
        elif action == "land":
            self._wing.land(here)
            yield from self._touch_down(here)
        else:
            radius = self._radius(None)
            self._circle_at(here + radius * np.append(right_of(self._course), 0.0), radius)
            yield

    # --- items

    def _go_to(self, place: int, item: FlownItem) -> Iterator[None]:
        match item:
            case TakeOff() if self._flying:
                yield from self._pass(place, np.array(item.pos), 0.0)
            case TakeOff():
                yield from self._climb_out(item.pos[2], item.pitch)
                if self._is_ahead(np.array(item.pos)):
                    yield from self._pass(place, np.array(item.pos), 0.0)
            case Waypoint() if item.hold == 0.0:
                yield from self._climb_if_landed(item.pos[2])
                yield from self._pass(place, np.array(item.pos), item.radius)
            case Waypoint() | Loiter():
                yield from self._climb_if_landed(item.pos[2])
                yield from self._loiter(item)
            case ReturnToLaunch():
                yield from self._return()
            case Land():
                yield from self._land(item)
            case _:
                assert_never(item)

    def _stay(self, item: MissionItem) -> Iterator[None]:
        if isinstance(item, Waypoint) and item.hold > 0.0:
            yield from self._hold(item.hold, 0.0)
        elif isinstance(item, Loiter):
            yield from self._hold(item.seconds, item.turns)
        elif isinstance(item, Delay):
            if self._flying and self._circle is None:
                self._circle_at(self._start)
            yield from self._hold(item.seconds, 0.0)

    def _loiter(self, item: Waypoint | Loiter) -> Iterator[None]:
        """Fly to a circle, then to its height."""
        centre = np.array(item.pos)
        wanted = item.radius if isinstance(item, Loiter) else None
        if isinstance(item, Loiter) and item.climbs:
            centre[2] = self._start[2]
        yield from self._enter(centre, wanted)
        yield from self._climb_in_circle(item.pos[2])

    def _land(self, item: Land) -> Iterator[None]:
        """Land straight from where the vehicle is, or into the wind."""
        if not self._flying:
            return
        pos = np.array(item.pos)
        if item.pattern:
            yield from self._approach(pos)
        else:
            above = np.array((pos[0], pos[1], self._start[2]))
            yield from self._face(above)
            line = self._line_to(above)
            near = 2.0 * abs(self._radius(None))
            yield from self._follow(line, lambda along: line.length - along <= near)
            self._wing.land(pos)
        yield from self._touch_down(pos)

    def _return(self) -> Iterator[None]:
        """Return to the nearest of launch position and rally points, and land there."""
        pos = self._landing_place(self._wing.pos)
        if self._flying:
            highest = min(self._start[2], self._launch[2] - self._wing.return_height)
            yield from self._enter(np.array((pos[0], pos[1], highest)), None)
            yield from self._climb_in_circle(highest)
            self._circle = None
            self._wing.land(pos)
            yield from self._touch_down(pos)

    # --- take-off and landing

    def _climb_if_landed(self, down: float) -> Iterator[None]:
        yield from self._climb_out(min(down, self._wing.ground - LEAST_CLIMB))

    def _climb_out(self, down: float, pitch: float | None = None) -> Iterator[None]:
        """Take off and climb to a height [m, NED]; one that flies goes on from where it is."""
        wing = self._wing
        if self._flying:
            return
        self._flying = True
        wing.climb_out(down, pitch)
        yield from self._until_at(down, lambda: bool(wing.pos[2] <= down))
        self._begin(np.array((wing.pos[0], wing.pos[1], down)), joined=False)

    def _approach(self, pos: Array) -> Iterator[None]:
        """Descend straight towards a landing position; from a circle at a height to do so.

        A vehicle that is faster than its cruise airspeed would float far beyond the position.
        """
        wing = self._wing
        self.fly_at(min(self._airspeed, wing.cruise_airspeed))
        if self._circle is not None:
            yield from self._climb_in_circle(self._height_to_descend(*self._circle, pos))
        yield from self._face(pos)
        way = (pos - self._start)[:2]
        course = way / max(float(exact.norm(way)), 1e-9)
        speed = wing.speed_on(course, self._airspeed)
        before = FLARE_TIME * speed
        seconds = max(float(exact.norm(way)) / speed - FLARE_TIME, FLARE_TIME)
        low = _flare_height(min((pos[2] - self._start[2]) / seconds, wing.descent))
        line = self._line_to(pos - np.array((*(before * course), low)))
        yield from self._follow(
            line, lambda along: along > line.length or wing.ground - wing.pos[2] < low
        )
        wing.land(pos, float(exact.arctan2(course[1], course[0])))

    def _height_to_descend(self, centre: Array, radius: float, pos: Array) -> float:
        """Return the height of a circle, or a lower one from which the way is not too steep."""
        start = exit_of_circle(centre, radius, pos)
        way = pos[:2] - (centre[:2] if start is None else start)
        distance = max(float(exact.norm(way)), 1.0)
        steepest = self._wing.descent / self._wing.speed_on(way / distance, self._airspeed)
        return max(
            float(centre[2]),
            float(pos[2]) - max(steepest * distance, _flare_height(self._wing.descent)),
        )

    def _touch_down(self, pos: Array) -> Iterator[None]:
        """Wait until the navigator has landed and disarmed the vehicle."""
        self._line = self._circle = None
        wing, touched = self._wing, False

        def landed() -> bool:
            nonlocal touched
            if wing.touches and not touched:
                touched = True
                self.landing_error = self._miss(pos)
            return wing.touches and not wing.armed

        yield from self._until(
            lambda: wing.on_final, lambda: wing.way_to_final, "the final approach", self._patience
        )
        yield from self._until(
            landed, lambda: float(exact.norm(wing.pos - pos)), "the landing", self._patience
        )
        self._flying = False
        self._begin(self._wing.pos, joined=False)

    # --- legs

    def _pass(self, place: int, goal: Array, radius: float) -> Iterator[None]:
        """Fly a leg to a position and round the corner to the next."""
        yield from self._face(goal)
        after = self._next_point(place, goal)
        line = self._line_to(goal)
        if abs(line.last[2] - goal[2]) > HEIGHT_RADIUS:
            yield from self._follow(line, self._near_end(line))
            self._circle_at(goal)
            yield from self._climb_in_circle(goal[2])
        elif after is None:
            yield from self._follow(line, self._near_end(line, radius))
            self._begin(line.last, joined=True)
        else:
            yield from self._round(line, after, radius)

    def _round(self, line: Line, after: Array, radius: float) -> Iterator[None]:
        """Fly to the corner at the end of a line, and along its arc, if there is room for it."""
        way = float(exact.norm((after - line.end)[:2]))

        def ends(along: float) -> bool:
            left = line.length - along
            if left > max(LONGEST_LEAD * abs(self._radius(None)) + self._ahead, radius):
                return False  # no arc is as wide: none is computed
            return left <= max(lead() + self._ahead, radius)

        def lead() -> float:
            arc = self._arc(line, after)
            room = min(line.length, way, LONGEST_LEAD * abs(arc.radius))
            return arc.lead if arc.lead <= room else 0.0

        yield from self._follow(line, ends)
        self._begin(line.last, joined=True)
        if lead() > 0.0:
            arc = self._arc(line, after)
            begin = float(line.point(line.length - arc.lead)[2])
            end = float(self._line_to(after).point(arc.lead)[2])
            yield from self._along_circle(arc, begin, end)
            self._begin(line.last, joined=True)

    def _arc(self, line: Line, after: Array) -> Arc:
        way = (after - line.end)[:2]
        course = way / max(float(exact.norm(way)), 1e-9)
        radius = self._wing.radius_between(line.direction, course, self._airspeed)
        return arc_between(line, after, radius)

    def _next_point(self, place: int, here: Array) -> Array | None:
        """Return the point to which the way leads on from a position, None if it ends there."""
        item = self._next_leg(place)
        match item:
            case None | Delay() | Transition():
                return None
            case ReturnToLaunch():
                centre, wanted = self._landing_place(here), None
            case Loiter():
                centre, wanted = np.array(item.pos), item.radius
            case TakeOff() | Waypoint() | Land():
                return np.array(item.pos)
            case _:
                assert_never(item)
        entry = entry_of_circle(here, centre, self._radius(wanted))
        return centre if entry is None else np.append(entry, centre[2])

    def _face(self, goal: Array) -> Iterator[None]:
        """Leave a circle, or turn, towards a goal."""
        if self._circle is not None:
            yield from self._leave(goal)
        if not self._joined:
            yield from self._turn_to(goal)

    def _turn_to(self, goal: Array) -> Iterator[None]:
        """Turn until a goal is ahead, or is beside the vehicle."""
        wing, height = self._wing, float(self._start[2])
        progress = Progress(wing.time, self._patience)
        while True:
            self._start = np.array((wing.pos[0], wing.pos[1], height))
            way = (goal - wing.pos)[:2]
            distance = float(exact.norm(way))
            aligned = exact.dot(way, self._course) > ALIGNED * distance
            if aligned or distance < abs(self._radius(None)):
                self._joined = True
                return
            if progress.stalls(wing.time, distance):
                self.failure = "the course to the next leg is out of reach"
            wing.follow(Line(self._start, goal, (0.0, 0.0)), self._airspeed)
            yield

    def _line_to(self, goal: Array) -> Line:
        wing, way = self._wing, (goal - self._start)[:2]
        distance = float(exact.norm(way))
        if distance == 0.0:
            return Line(self._start, goal, (0.0, 0.0))
        speed = wing.speed_on(way / distance, self._airspeed)
        return Line(self._start, goal, (wing.climb / speed, wing.descent / speed))

    def _near_end(self, line: Line, radius: float = 0.0) -> Callable[[float], bool]:
        return lambda along: line.length - along <= max(self._ahead, radius)

    def _follow(self, line: Line, ends: Callable[[float], bool]) -> Iterator[None]:
        """Fly along a line until a function of the distance from its start says that it ends."""
        wing = self._wing
        self._line, self._circle, self._cruising = line, None, False
        progress = Progress(wing.time, self._patience)
        while not ends(along := line.along(wing.pos)):
            if progress.stalls(wing.time, line.length - along):
                self.failure = "the end of the leg is out of reach"
            low = abs(wing.pos[2] - line.point(along)[2])
            near = low < REACHED_HEIGHT and abs(line.across(wing.pos)) < REACHED_SIDE
            if near and exact.dot(line.direction, self._course) > ALIGNED:
                self._cruising = True
            wing.follow(line, self._airspeed)
            yield
        self._cruising = False

    def _begin(self, start: Array, *, joined: bool) -> None:
        """Let the next leg begin at a position."""
        self._start, self._joined = start, joined
        self._line = self._circle = None

    # --- circles

    def _enter(self, centre: Array, wanted: float | None) -> Iterator[None]:
        """Fly to a circle, along a tangent from outside."""
        if self._circle is None:
            yield from self._face(centre)
        entry = self._entry(centre, self._radius(wanted))
        if entry is not None:
            goal = np.append(entry, centre[2])
            yield from self._face(goal)
            line = self._line_to(goal)
            yield from self._follow(line, self._near_end(line))
        radius = self._radius(wanted)
        self._circle_at(centre, radius)
        yield from self._until(
            lambda: self._wing.arrived,
            lambda: abs(math.hypot(*(self._wing.pos - centre)[:2]) - abs(radius)),
            "the circle",
            self._patience,
        )

    def _entry(self, centre: Array, radius: float) -> Array | None:
        """Return where a circle is met from the start of the leg, or from the present circle."""
        if self._circle is None:
            return entry_of_circle(self._start, centre, radius)
        entry = entry_of_circle(self._circle[0], centre, radius)
        for _ in range(TANGENTS):
            left = None if entry is None else exit_of_circle(*self._circle, entry)
            if left is None:
                break
            entry = entry_of_circle(left, centre, radius)
        return entry

    def _circle_at(self, centre: Array, radius: float | None = None) -> None:
        signed = self._radius(None) if radius is None else radius
        self._line, self._circle = None, (centre, signed)
        self._wing.circle(centre, signed, self._airspeed)

    def _climb_in_circle(self, down: float) -> Iterator[None]:
        """Circle until a height is reached [m, NED]."""
        assert self._circle is not None
        centre, radius = self._circle
        self._circle_at(np.array((centre[0], centre[1], down)), radius)
        yield from self._until_at(down, lambda: abs(self._wing.pos[2] - down) <= REACHED_HEIGHT)

    def _until_at(self, down: float, reached: Callable[[], bool]) -> Iterator[None]:
        """Wait until a height is reached [m, NED]; note where it is out of reach."""
        wing = self._wing
        since, before = wing.time, abs(wing.pos[2] - down)
        while not reached():
            yield
            if wing.time - since < PATIENCE:
                continue
            left = abs(wing.pos[2] - down)
            if before - left < PATIENCE * LEAST_RATE:
                self.failure = f"the height of {-down:.0f} m is out of reach"
            since, before = wing.time, left

    def _hold(self, seconds: float, turns: float) -> Iterator[None]:
        """Circle for a time and a number of turns; one on the ground waits."""
        wing, turned = self._wing, 0.0
        until = wing.time + seconds
        before = wing.pos
        while wing.time < until - TIME_ROUNDING or turned < math.tau * turns:
            yield
            if self._circle is not None:
                turned += phase_to(before, *self._circle, wing.pos)
            before = wing.pos

    def _leave(self, goal: Array) -> Iterator[None]:
        """Circle to where the tangent leads to a goal; leave at once where there is none."""
        assert self._circle is not None
        centre, radius = self._circle
        end = exit_of_circle(centre, radius, goal)
        if end is None:
            self._begin(np.array((*self._wing.pos[:2], centre[2])), joined=False)
            return
        height = float(centre[2])
        yield from self._along_circle(Arc(centre[:2], end, radius, 0.0), height, height)
        self._begin(np.array((*end, height)), joined=True)

    def _along_circle(self, arc: Arc, begin: float, end: float) -> Iterator[None]:
        """Fly along a circle to the end of an arc, from one height to another [m, NED].

        A circle has no climb rate; its height is ahead by the lag of the vehicle instead.
        """
        wing, first = self._wing, math.nan
        while True:
            left = phase_to(wing.pos, arc.centre, arc.radius, arc.end)
            if abs(left * arc.radius) <= self._ahead:
                return
            first = left if math.isnan(first) else first
            lag = wing.height_lag * float(exact.norm(wing.vel[:2])) / abs(arc.radius)
            share = min((left - lag) / first, 1.0) if first > 0.0 and begin != end else 0.0
            height = end + share * (begin - end)
            self._circle_at(np.array((*arc.centre, height)), arc.radius)
            yield

    # --- state

    @property
    def _airspeed(self) -> float:
        return self._wing.cruise(self._speed)

    @property
    def _ahead(self) -> float:
        """Distance in which the vehicle takes a bank angle [m]."""
        return float(exact.norm(self._wing.vel[:2])) * self._wing.response

    @property
    def _course(self) -> Array:
        """Direction of its motion over ground, shape (2,)."""
        vel = self._wing.vel[:2]
        return np.array(vel / max(float(exact.norm(vel)), 1e-9))

    @property
    def _patience(self) -> float:
        """Time without progress after which it does not get on [s]: it may circle twice first."""
        return PATIENCE + 2.0 * self._wing.turn_time(self._airspeed, self._radius(None))

    def _radius(self, wanted: float | None) -> float:
        return self._wing.circle_within(wanted, self._airspeed)

    def _is_ahead(self, pos: Array) -> bool:
        """Return whether a position lies ahead, farther than the vehicle can turn in."""
        way = (pos - self._wing.pos)[:2]
        return bool(exact.dot(way, self._course) > abs(self._radius(None)))
