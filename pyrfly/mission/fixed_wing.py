"""A vehicle that flies a mission by wings: `FixedWing`.

It cannot stand in the air: it flies along lines and circles at an airspeed. Take-off and landing
are those of its navigator.
"""

from __future__ import annotations

import math

import numpy as np

from pyrfly import exact
from pyrfly.mission.checks import Array
from pyrfly.mission.turns import Line
from pyrfly.mission.vehicle import (
    Columns,
    Simulator,
    Speeds,
    Vehicle,
)
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import Mode
from pyrfly.vehicles.abilities import Limits, Wings
from pyrfly.vehicles.constants import TOUCHDOWN_HEIGHT, TOUCHDOWN_SPEED

__all__ = ["FixedWing", "way_to_circle"]

BANK_SHARE = 0.75
"""Bank angle of arcs and circles in the strongest tail wind, over the limit of the vehicle."""

RESPONSE = 1.0 / 15.0
"""Time in which a bank angle is taken, over the period of path following; measured."""

LONGEST_REST = 5.0
"""Time at rest on the ground after which it does not take off any more [s]."""

_PHASES = np.linspace(0.0, 1.0, 7)

_ANY = Speeds(math.inf, math.inf, math.inf, math.inf)


def way_to_circle(columns: Columns, pos: Array) -> float:
    """Return what is left to the circle of a vehicle [m]: the way to its centre, and its height.

    On the circle the height alone is left. ``pos`` is where the vehicle is, as it knows [m, NED].
    """
    error = columns.read("pos_sp")[0].astype(np.float64) - pos
    across = 0.0 if columns.read("arrived")[0] else float(exact.norm(error[:2]))
    return across + abs(float(error[2]))


class FixedWing(Vehicle):
    """State and commands of a vehicle that flies by wings; see `Vehicle`.

    Attributes
    ----------
    cruise_airspeed, slowest : float
        Its usual airspeed, and the lowest in its turns [m/s].
    circle_radius : float
        Radius of its circles [m], above 0 clockwise.
    response, height_lag : float
        Time in which it takes a bank angle, and by which it is behind a height that changes [s].
    """

    return_height = 60.0  # PX4's RTL_RETURN_ALT

    def __init__(self, sim: Simulator, copter_id: int) -> None:
        self._moved = sim.time  # when it was not at rest on the ground [s]
        super().__init__(sim, copter_id, _ANY)
        self._prepare()
        wings = self._wings
        bank = BANK_SHARE * self._number(self._limits.tilt or "")
        sine, cosine = exact.sincos(bank)
        self._written: tuple[float, float] | None = None  # airspeed [m/s] and radius [m]
        self._aloft = not self.touches  # or has taken off, and no landing has begun
        gravity = self._number(wings.gravity)
        self._turning = gravity * float(sine / cosine)  # m/s^2
        self.cruise_airspeed = self._number(wings.cruise_airspeed)
        self.slowest = self._number(wings.minimum_airspeed) / math.sqrt(float(cosine))
        self.circle_radius = self._number(wings.loiter_radius)
        self.response = RESPONSE * self._number(wings.path_period)
        self.height_lag = 1.0 / self._number(wings.height_gain)

    def _prepare(self) -> None:
        """Enable what takes off and lands it."""
        self._sim.enable_synthesis()

    @property
    def _wings(self) -> Wings:
        assert self._able.wings is not None  # see `pyrfly.mission.kinds.vehicle_of`
        return self._able.wings

    @property
    def _limits(self) -> Limits:
        return self._wings.limits

    # --- how it flies

    def cruise(self, speed: float, backward: bool = False) -> float:
        """Return the airspeed [m/s] for a speed of a mission: within its limits."""
        return min(max(speed, self.slowest), self.speed_limit)

    def initial_airspeed(self, speed: float) -> float:
        """Return the airspeed [m/s] for the initial one of a mission: that of cruise if too low."""
        return self.cruise_airspeed if speed < self.slowest else min(speed, self.speed_limit)

    def turn_time(self, speed: float, radius: float | None = None) -> float:
        """Return how long a turn takes in still air [s]."""
        return math.tau * max(abs(radius or 0.0), abs(self.circle_radius)) / speed

    def update(self) -> None:
        """See `Vehicle.update`."""
        super().update()
        if not self.touches or float(exact.norm(self.true_vel)) > TOUCHDOWN_SPEED:
            self._moved = self.time
        self._wind: tuple[float, float] | None = None

    @property
    def wind(self) -> tuple[float, float]:
        """Horizontal wind [m/s, north and east]: by its velocity, heading and airspeed."""
        if self._wind is None:
            north, east, down = self.vel.tolist()
            airspeed = self._number(self._wings.airspeed)
            level = math.sqrt(max(airspeed * airspeed - down * down, 0.0))
            sine, cosine = exact.sincos(self.heading)
            self._wind = north - level * float(cosine), east - level * float(sine)
        return self._wind

    def speed_on(self, direction: Array, airspeed: float) -> float:
        """Return the ground speed [m/s] on a course, at least a tenth of the airspeed."""
        north, east = direction.tolist()
        return self._speed_on(north, east, airspeed)

    def _speed_on(self, course_north: float, course_east: float, airspeed: float) -> float:
        north, east = self.wind
        along = north * course_north + east * course_east
        across = north * course_east - east * course_north
        through = math.sqrt(max(airspeed * airspeed - across * across, 0.0))
        return max(through + along, 0.1 * airspeed)

    def radius_between(self, before: Array, after: Array, airspeed: float) -> float:
        """Return the radius of an arc from a course to another one that it can fly [m]."""
        ways = list(zip(before.tolist(), after.tolist(), strict=True))
        fastest = 0.0
        for phase in _PHASES:
            north, east = ((1.0 - phase) * first + phase * last for first, last in ways)
            size = exact.hypot(north, east)
            if size > 1e-6:
                fastest = max(fastest, self._speed_on(north / size, east / size, airspeed))
        return fastest * fastest / self._turning

    def circle_within(self, radius: float | None, airspeed: float) -> float:
        """Return a radius [m], its own by default, made as large as it can fly in the wind."""
        wanted = self.circle_radius if radius is None else radius
        fastest = airspeed + float(exact.norm(self.wind))
        return math.copysign(max(abs(wanted), fastest * fastest / self._turning), wanted)

    # --- ground contact

    @property
    def armed(self) -> bool:
        """Whether it is armed; its navigator disarms it after a landing."""
        return bool(self._number("armed"))

    @property
    def touches(self) -> bool:
        """Whether it is in ground contact."""
        return self.height < TOUCHDOWN_HEIGHT

    @property
    def stranded(self) -> bool:
        """See `Vehicle.stranded`; or it is on the ground before a landing, disarmed or at rest."""
        rests = self.time - self._moved > LONGEST_REST
        return super().stranded or (self._aloft and self.landed and (rests or not self.armed))

    def troubles(self, goal: Array) -> list[str]:
        """See `Vehicle.troubles`."""
        disarmed = [] if self.armed else ["disarmed"]
        return [*disarmed, *super().troubles(goal)]

    # --- its navigator

    @property
    def on_final(self) -> bool:
        """Whether it is on the final approach of a landing, or has landed."""
        return self._number("navigator_mode") == Mode.DESCEND or not self.armed

    @property
    def way_to_final(self) -> float:
        """How far it is from the circle of its approach [m]; infinite before it flies to that."""
        if self._number("navigator_mode") != Mode.APPROACH:
            return math.inf
        return way_to_circle(self._own, self.pos)

    # --- commands

    def follow(self, line: Line, airspeed: float) -> None:
        """Fly along a line."""
        along = line.along(self.pos)
        north, east = line.direction
        direction = self.cruise_airspeed * np.array((north, east, -line.slope_at(along)))
        self._set(airspeed, self.circle_radius)
        self._set_point(line.point(along), vel=direction)

    def circle(self, centre: Array, radius: float, airspeed: float) -> None:
        """Circle around a position [m, NED]."""
        self._set(airspeed, radius)
        self._set_point(centre)

    def climb_out(self, down: float, pitch: float | None = None) -> None:
        """Arm, and climb to a height, z [m, NED]: from the ground on the present heading.

        ``pitch`` is the pitch angle of the climb [rad], by default the navigator's.
        """
        floor = float(min(self._home[2], self.ground))
        z = min(down, floor - 1.0) - self._home[2]  # the navigator takes 1 m and more for a height
        self._written, self._aloft = None, True
        command = synthesis.take_off(math.nan, math.nan, z, armed=True, pitch=pitch or 0.0)
        self._sim.command_sil(*command, ids=self._id)

    def land(self, pos: Array, course: float = math.nan) -> None:
        """Land at a position [m, NED] on a course [rad]; NaN: into the wind."""
        north, east = (pos - self._home)[:2]
        self._written, self._aloft = None, False
        self._sim.command_sil(*synthesis.land(north, east, yaw=course), ids=self._id)

    @property
    def _home(self) -> Array:
        return np.asarray(self._own.read("home")[0], np.float64)

    def _set(self, airspeed: float, radius: float) -> None:
        """Write the other set-points of a line or a circle, if they have changed."""
        if (airspeed, radius) == self._written:
            return
        self._own.write(self._wings.airspeed_setpoint, airspeed)
        self._own.write(self._wings.radius_setpoint, radius)
        self._written = airspeed, radius
