"""The vehicle that flies a mission, and the interface of its simulation.

Speeds that are not part of a mission, `Speeds`, are PX4's defaults; so is the yaw rate, 60 deg/s
(MPC_YAWRAUTO_MAX). All are at most 0.9 of the limits of the vehicle, so that it can reduce a
tracking error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.errors import MissionError
from pyrfly.frames import yaw_of_quaternion
from pyrfly.mission.checks import Array
from pyrfly.mission.progress import PATIENCE
from pyrfly.sim import STATUS_TEXT
from pyrfly.vehicles.abilities import Abilities, Limits
from pyrfly.vehicles.kinds import Kind

__all__ = ["Columns", "Motion", "Payload", "Simulator", "Speeds", "Vector", "Vehicle"]

Vector: TypeAlias = NDArray[Any] | Sequence[float]
"""Three numbers, such as a position."""

ACCELERATION = 2.0  # m/s^2 along a leg: a tilt of 12 deg
LIMIT_FRACTION = 0.9  # of the limits of the vehicle, for the set-points
AFLOAT_SLACK = 0.01  # m; estimated


_ALL = 0xFFFFFFFF
"""``actuators_lost`` of a vehicle whose body has broken."""


class Speeds(NamedTuple):
    """Vertical speeds of a vehicle that flies a mission.

    Attributes
    ----------
    climb, descent, take_off, landing : float
        MPC_Z_V_AUTO_UP, MPC_Z_V_AUTO_DN, MPC_TKO_SPEED, MPC_LAND_SPEED [m/s].
    """

    climb: float = 3.0
    descent: float = 1.5
    take_off: float = 1.5
    landing: float = 0.7


class Columns(Protocol):
    """Columns of vehicles, such as of a `pyrfly.sim.Selection`."""

    @property
    def abilities(self) -> Sequence[Abilities]:
        """What the vehicles can do; that of one vehicle first."""

    def read(self, name: str) -> NDArray[Any]:
        """Return a column; raise an AttributeError if a vehicle does not have it."""

    def write(self, name: str, values: ArrayLike) -> None:
        """Write a column."""


_DEFAULTS = Speeds()


class Motion(Protocol):
    """Motion of vehicles, such as a `pyrfly.sim.known_state.KnownState`."""

    @property
    def pos(self) -> NDArray[Any]:
        """Position [m, NED], shape (n, 3)."""

    @property
    def vel(self) -> NDArray[Any]:
        """Ground velocity [m/s, NED], shape (n, 3)."""

    @property
    def att(self) -> NDArray[Any]:
        """Attitude quaternion, scalar first, FRD to NED, shape (n, 4)."""


class Payload(Protocol):
    """Payloads of vehicles, such as a `pyrfly.sim.payload.Payload`."""

    def loaded(self, ids: int) -> NDArray[np.bool_]:
        """Return whether the vehicle has one, dropped or not, shape (1,)."""

    def grip(self, takes: bool, ids: int) -> None:
        """Take or drop it."""


class Simulator(Motion, Protocol):
    """Interface of a simulation, such as a `pyrfly.Sim`. Arrays have one row per vehicle.

    Its motion is the true one. Vehicles that know another one, by an estimator, have that in an
    attribute ``known``, a `Motion`; pilots fly by it. Vehicles with payloads have them in an
    attribute ``payload``, a `Payload`.
    """

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
    def origin(self) -> tuple[float, float, float]:
        """Latitude [deg], longitude [deg], height [m] of the origin of the local frame."""

    @origin.setter
    def origin(self, lla: tuple[float, float, float]) -> None: ...

    @property
    def terrain(self) -> NDArray[Any]:
        """Terrain below each vehicle, z [m, NED], shape (n,)."""

    @property
    def status(self) -> NDArray[Any]:
        """Fault flags, 0: none, shape (n,)."""

    def select(self, ids: int) -> Columns:
        """Return vehicles, to read their limits and to write set-points of a fixed wing."""

    def arm(self, on: bool = True, ids: int | None = None) -> None:
        """Arm or disarm vehicles."""

    def command_position(
        self,
        pos: Vector,
        yaw: float | None = None,
        *,
        yaw_rate: float | None = None,
        vel: Vector | None = None,
        acc: Vector | None = None,
        backward: bool = False,
        ids: int | None = None,
    ) -> None:
        """Set a position [m, NED], heading [rad] and feed-forward [rad/s, m/s and m/s^2, NED].

        ``acc`` is None for vehicles without ``acc_sp``, ``backward`` False for those that do not
        go backward.
        """

    def enable_synthesis(self) -> None:
        """Enable the navigators, which a fixed wing uses."""

    def command_sil(self, ints: ArrayLike, floats: ArrayLike, *, ids: int | None = None) -> None:
        """Command navigators by RflySim's inputs."""

    def step(self, n: int = 1) -> None:
        """Take ``n`` steps."""


class Vehicle:
    """State and commands of one vehicle of a simulation.

    Parameters
    ----------
    sim : Simulator
        Its simulation.
    copter_id : int
        Its CopterID.
    speeds : Speeds
        How fast it shall climb and descend.

    Attributes
    ----------
    pos, vel : ndarray, shape (3,)
        Position [m, NED] and ground velocity [m/s, NED] that it knows: what it flies by.
    true_pos, true_vel : ndarray, shape (3,)
        Those that it has: what contact with the ground, and results, are judged by.
    on_surface : bool
        Whether it is a ground vehicle. Its positions then all have the initial height, but of what
        dives, whose depths count from the surface of the water.
    dives : bool
        Whether it has depths; what does comes up to land.
    return_height : float
        Height of its returns above the launch position, at least [m].
    backward : bool
        Whether it goes backward; one with a trailer is where the axle of that is then.
    told_direction : bool or None
        Whether it was told to begin its flight backward, None where its flight says that.
    speed_limit, acceleration : float
        Highest horizontal speed [m/s] in that direction, and acceleration along a leg [m/s^2].
    climb, descent, take_off, landing : float
        Its speeds [m/s], within its limits; a ground vehicle has no limits.
    """

    return_height = 15.0

    def __init__(self, sim: Simulator, copter_id: int, speeds: Speeds = _DEFAULTS) -> None:
        self._sim = sim
        self._id = copter_id  # one number is selected faster than a list of one
        self._row = row = copter_id - 1
        self._own = sim.select(copter_id)
        self._ground_z = float(sim.pos[row, 2])
        self._able = self._own.abilities[0]
        self.backward = False
        self.told_direction: bool | None = None
        if self._able.kind.dives:
            surface = self._value("water_surface")
            self._ground_z = 0.0 if surface is None else float(surface)
        limits = self._limits
        self.on_surface, self.dives = self._able.kind.on_surface, self._able.kind.dives
        self._feeds_acceleration = self._has("acc_sp")
        self._has_feet = self._has("contact_height")
        self._collides = self._has("actuators_lost")
        self.speed_limit = self._highest_speed(backward=False)
        self.acceleration = self._limit(limits.acceleration, ACCELERATION)
        if self.speed_limit == 0.0:
            raise MissionError(
                f"CopterID {copter_id}: expected a vehicle that flies missions, got one that can "
                "neither hover nor fly by wings, by its numbers: its speed_limit is 0"
            )
        self.descent = self.climb = math.inf
        if limits.descent is not None and limits.climb is not None:
            self.descent = self._limit(limits.descent, speeds.descent)
            self.climb = self._limit(limits.climb, speeds.climb)
        self.take_off = min(speeds.take_off, self.climb)
        self.landing = min(speeds.landing, self.descent)
        self.update()

    @property
    def _limits(self) -> Limits:
        return self._able.limits

    @property
    def _known(self) -> Motion:
        known: Motion = getattr(self._sim, "known", self._sim)
        return known

    def _has(self, name: str) -> bool:
        return self._value(name) is not None

    def _value(self, name: str) -> Array | None:
        """Return a column of the vehicle, None if it does not have it."""
        try:
            return np.asarray(self._own.read(name)[0], dtype=np.float64)
        except AttributeError:
            return None

    def _number(self, name: str) -> float:
        return float(self._own.read(name)[0])

    def _limit(self, name: str, maximum: float) -> float:
        return min(maximum, LIMIT_FRACTION * self._number(name))

    @property
    def backs(self) -> bool:
        """Whether it can go backward."""
        return self._able.backs

    def turn_round(self, backward: bool) -> None:
        """Go backward, or forward again; a MissionError if it cannot."""
        if backward and not self.backs:
            raise MissionError(f"CopterID {self._id}: expected a vehicle that goes backward")
        self.backward, self.speed_limit = backward, self._highest_speed(backward)
        self.update()

    def _highest_speed(self, backward: bool) -> float:
        """Return the highest horizontal speed in a direction [m/s]."""
        highest = self._limit(self._limits.speed, math.inf)
        name = self._limits.backward
        return self._limit(name, highest) if backward and name is not None else highest

    def update(self) -> None:
        """Read the present state from the simulation."""
        self.time, self._told = self._sim.time, False
        known, truth = self._known, self._read(self._sim)
        self.true_pos, self.true_vel = truth
        self.pos, self.vel = truth if known is self._sim else self._read(known)

    def _read(self, motion: Motion) -> tuple[Array, Array]:
        """Return its position, that can be reached, and its velocity of a motion."""
        vel = np.array(motion.vel[self._row], dtype=np.float64)
        pos = np.array(motion.pos[self._row], dtype=np.float64)
        if self.backward and self._able.trailer is not None:
            trailer = self._own.read(self._able.trailer.pos)[0]
            pos += np.asarray(trailer, dtype=np.float64) - self._sim.pos[self._row]
        return self.reachable(pos), vel

    def reachable(self, pos: ArrayLike) -> Array:
        """Return a position [m, NED]; that of a ground vehicle gets the initial height.

        What dives has depths, down from there.
        """
        reachable = np.array(pos, dtype=np.float64)
        if self.dives:
            reachable[2] = max(float(reachable[2]), self._ground_z)
        elif self.on_surface:
            reachable[2] = self._ground_z
        return reachable

    def cruise(self, speed: float, backward: bool = False) -> float:
        """Return the horizontal speed [m/s] for a speed of a mission: within its limits."""
        same = backward == self.backward
        return min(speed, self.speed_limit if same else self._highest_speed(backward))

    def turn_time(self, speed: float, radius: float | None = None) -> float:
        """Return how long a turn takes [s]: what hovers or turns on the spot flies none.

        One that neither does nor reverses to positions drives a circle, for a minute at most.
        """
        turning = self._limits.yaw_rate
        if not self.circles or turning is None:
            return 0.0
        return min(math.tau / max(self._number(turning), 1e-9), PATIENCE)

    def acceptance(self, radius: float) -> float:
        """Return how near a position counts as reached [m] for a radius of a mission.

        What drives circles to turn cannot come nearer to all of them than its own.
        """
        return max(radius, self._able.acceptance_radius) if self.circles else radius

    @property
    def circles(self) -> bool:
        """Whether it drives circles to turn, so that it may pass a position beside it."""
        circle = self._limits.circle
        return circle is not None and self._number(circle) > 0.0

    @property
    def slack(self) -> float:
        """How far it may be behind a slow set-point [m].

        What is afloat hangs beside its own; a ship lies until that is away.
        """
        if self.lies:
            return self._able.acceptance_radius
        return 0.0 if Kind.DRIVES in self._able.kind else AFLOAT_SLACK

    @property
    def lies(self) -> bool:
        """Whether it lies near its set-point, and passes it on circles: a ship."""
        return self.circles and Kind.FLOATS in self._able.kind

    @property
    def drifts(self) -> bool:
        """Whether it cannot stay where it stops: one afloat that steers under way alone."""
        return self.circles and Kind.DRIVES not in self._able.kind

    @property
    def heading(self) -> float:
        """Yaw of the attitude [rad]."""
        return float(yaw_of_quaternion(self._known.att[self._row].astype(np.float64)))

    @property
    def ground(self) -> float:
        """Terrain below the vehicle, z [m, NED], where it knows it: the height above is sensed."""
        return float(self._sim.terrain[self._row] + (self.pos[2] - self.true_pos[2]))

    @property
    def height(self) -> float:
        """Height above the ground of what touches it first [m]; 0 where contacts carry it."""
        if self._collides and self._number("collision_supports"):
            return 0.0
        standing = self._number("contact_height") if self._has_feet else 0.0
        return float(self._sim.terrain[self._row]) - float(self.true_pos[2]) - standing

    @property
    def fault(self) -> str:
        """Text of its fault flags, or of a collision that destroyed it; empty without."""
        status = int(self._sim.status[self._row])
        if self._collides and int(self._number("actuators_lost")) == _ALL:
            return "destroyed in a collision"
        return (
            ", ".join(text for bit, text in STATUS_TEXT.items() if status & bit) if status else ""
        )

    @property
    def landed(self) -> bool:
        """Whether it has landed, as its kind does; armed or not."""
        return bool(self._able.kind.landed(np.array([self.height]), self.true_vel[np.newaxis])[0])

    @property
    def charge(self) -> float:
        """Charge that is told of its battery, 0 to 1; 1 without one."""
        most = self._value("charge_told_maximum")
        return self._charge if most is None else min(self._charge, float(most))

    @property
    def _charge(self) -> float:
        on, charge = self._value("battery_on"), self._value("state_of_charge")
        return 1.0 if on is None or charge is None or not on else float(charge)

    @property
    def empty(self) -> bool:
        """Whether it has a battery, and that is empty."""
        return self._charge <= 0.0

    @property
    def stranded(self) -> bool:
        """Whether it cannot go on: on the ground with an empty battery."""
        return self.empty and self.landed

    def troubles(self, goal: Array) -> list[str]:
        """Return what is known of why it does not get on to a place [m, NED]."""
        found = ["battery empty"] if self.empty else []
        if self._strains():
            found.append("a motor at its limit")
        if self.landed and not self.on_surface:
            found.append("on the ground")
        way = goal - self.pos
        distance = float(exact.norm(way))
        place = f"{distance:.1f} m from its set-point"
        away = -float(exact.dot(way, self.vel)) / max(distance, 1e-9)
        return [*found, f"{place}, moving away at {away:.1f} m/s" if away > 0.1 else place]

    def _strains(self) -> bool:
        """Return whether a rotor has its maximum command."""
        rotors = self._able.rotors
        if rotors is None:
            return False
        command, maximum = self._value(rotors.command), self._value(rotors.maximum)
        assert command is not None
        assert maximum is not None
        return bool((command >= 0.99 * maximum).any())

    @property
    def arrived(self) -> bool:
        """Whether its controllers say that it is where its position set-point leads.

        They do not yet know one that it was told since the last tick.
        """
        return not self._told and bool(self._number("arrived"))

    @property
    def patience(self) -> float:
        """Time without progress after which it does not get on [s]: it may turn first.

        What drives circles may drive one, at half the speed or less, and then a part of another.
        """
        turning = self._limits.yaw_rate
        if turning is None:
            return PATIENCE
        turns = 3.0 if self.circles else 1.0
        return PATIENCE + turns * math.tau / max(self._number(turning), 1e-9)

    def arm(self, armed: bool) -> None:
        """Arm or disarm it."""
        self._sim.arm(armed, ids=self._id)

    def grip(self, takes: bool) -> None:
        """Drop its payload, or take it again, if it has one."""
        payload: Payload | None = getattr(self._sim, "payload", None)
        if payload is not None and payload.loaded(self._id)[0]:
            payload.grip(takes, self._id)

    def command(
        self, pos: Array, vel: Array, acc: Array, yaw: float, yaw_rate: float | None = None
    ) -> None:
        """Set position [m], velocity [m/s] and acceleration [m/s^2, all NED], and heading [rad].

        A heading that turns steadily has a rate [rad/s] as feed-forward.
        """
        feed_forward = acc if self._feeds_acceleration else None
        self._set_point(
            pos, yaw, yaw_rate=yaw_rate, vel=vel, acc=feed_forward, backward=self.backward
        )

    def _set_point(self, pos: Array, yaw: float | None = None, **others: Any) -> None:
        self._told = True
        self._sim.command_position(pos, yaw, **others, ids=self._id)
