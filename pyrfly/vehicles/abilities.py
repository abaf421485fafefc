"""What generic code needs to know of vehicles: `Abilities`, and the names of the columns for it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.px4 import Px4Parameter

__all__ = [
    "Abilities",
    "AttitudeLoops",
    "Collective",
    "Limits",
    "Rotors",
    "Trailer",
    "Transition",
    "Wings",
]


class Limits(NamedTuple):
    """Columns with the limits of what is commanded, which missions and actions keep.

    Attributes
    ----------
    speed, acceleration : str
        Horizontal speed [m/s] or airspeed, and acceleration [m/s^2].
    climb, descent : str, optional
        Vertical speeds [m/s], of vehicles that leave the surface.
    tilt : str, optional
        Tilt or bank angle [rad], of vehicles with an attitude set-point.
    rate : str, optional
        Angular velocity [rad/s]: of roll and pitch, of yaw.
    yaw_rate : str, optional
        Yaw rate [rad/s], of vehicles that turn before they move.
    circle : str, optional
        Radius of the smallest circle [m], of vehicles that drive circles to turn, and cannot park.
    turning : str, optional
        Radius of the smallest circle [m], park or not; 0 of what turns on the spot, as without.
    backward : str, optional
        Maximum speed backward [m/s]; without, that is ``speed``.
    """

    speed: str = "speed_limit"
    acceleration: str = "accel_limit"
    climb: str | None = None
    descent: str | None = None
    tilt: str | None = None
    rate: str | None = None
    yaw_rate: str | None = None
    circle: str | None = None
    turning: str | None = None
    backward: str | None = None


class Collective(NamedTuple):
    """Columns of a command that carries or drives a vehicle as a whole, whatever its actuators.

    Its normalized thrust is the command over the maximum.

    Attributes
    ----------
    command : str
        The command of the controllers.
    maximum : (str, int), optional
        Column and component of its maximum [N]; by default 1.
    mass, gravity : str
        With a maximum: mass [kg] and gravitational acceleration [m/s^2] that controllers assume.
    """

    command: str
    maximum: tuple[str, int] | None = None
    mass: str = ""
    gravity: str = ""


class Rotors(NamedTuple):
    """Columns of rotors with a motor each, of one component per rotor.

    Attributes
    ----------
    command, speed : str
        Command of the motors, and speed of the rotors [rad/s].
    maximum : str
        Command above which the motors are not faster, one for all.
    lag : str
        Two time constants of a motor's speed [s].
    """

    command: str
    speed: str
    maximum: str
    lag: str


class AttitudeLoops(NamedTuple):
    """Columns of what the controllers command to the attitude and rate loops.

    Attributes
    ----------
    rates : str
        Angular velocity [rad/s, FRD].
    held : str, optional
        Attitude of a set-point, FRD to NED; 0 without one.
    thrust : str, optional
        Direction of the thrust [NED]; 0 without one.
    heading : str, optional
        Unit vector of the heading [NED], to which a reset turns it.
    yaws : bool
        Whether they have actuators that yaw the vehicle, such as a rudder.
    """

    rates: str
    held: str | None = None
    thrust: str | None = None
    heading: str | None = None
    yaws: bool = True


class Wings(NamedTuple):
    """Columns of winged flight, for missions, circles and what MAVLink shows of them.

    Attributes
    ----------
    limits : Limits
        Those of winged flight.
    airspeed : str
        Airspeed that the controllers have [m/s].
    airspeed_setpoint, radius_setpoint : str
        Airspeed [m/s], and radius of a circle [m], above 0 clockwise.
    cruise_airspeed, minimum_airspeed, loiter_radius : str
        Airspeed and radius without a set-point, and the least airspeed in level flight.
    path_period, height_gain : str
        Period of path following [s], and climb rate per height error [1/s].
    gravity : str
        Gravitational acceleration that controllers assume [m/s^2].
    bank, pitch : str
        Bank and pitch angle that are commanded to the attitude loop [rad].
    turned : str, optional
        Whether the body is pitched down by 90 degrees in winged flight: 1 of tailsitters.
    """

    limits: Limits
    airspeed: str
    airspeed_setpoint: str
    radius_setpoint: str
    cruise_airspeed: str
    minimum_airspeed: str
    loiter_radius: str
    path_period: str
    height_gain: str
    gravity: str
    bank: str
    pitch: str
    turned: str | None = None


class Transition(NamedTuple):
    """Columns of vehicles that change between hover and winged flight.

    Attributes
    ----------
    state, command : str
        MAV_VTOL_STATE, and the one that is commanded; 0 for none.
    abort : str
        Reason why winged flight was given up, a bit of PX4's quad-chute; 0 for none.
    """

    state: str
    command: str
    abort: str


class Trailer(NamedTuple):
    """Output columns of the pose of a trailer.

    Attributes
    ----------
    pos, att : str
        Position [m, NED] and attitude quaternion, scalar first, FRD to NED.
    """

    pos: str
    att: str


class Abilities(NamedTuple):
    """What vehicles can do, and by which columns generic code reads and commands it.

    Attributes
    ----------
    commands : frozenset of str
        Common commands that they execute, such as ``command_position`` of a `pyrfly.Sim`.
    kind : Kind
        How they move.
    limits : Limits
        Of their commands; those of hover, if they both hover and fly by wings.
    collective : tuple of Collective
        What their normalized thrust is, the largest of these; without any, that of their motors.
    attitude : AttitudeLoops, optional
        Of vehicles with these loops.
    rotors : Rotors, optional
        Of vehicles that rotors with a motor each carry.
    wings : Wings, optional
        Of vehicles that fly by wings.
    transition : Transition, optional
        Of vehicles that change between hover and winged flight.
    mav_type : int
        MAV_TYPE [@mavlink]; 0 for that of ``px4_airframe``.
    px4 : mapping of str to Px4Parameter
        Their PX4 parameters.
    px4_defaults : mapping of str to float
        Values of PX4's parameters that its start script sets, with those of ``px4_airframe``.
    offboard : int
        Bits of `pyrfly.protocol.bits.Offboard`: what they support of that which their type does.
    acceptance_radius : float
        Distance from a position at which it counts as reached [m]: PX4's NAV_ACC_RAD, by default
        the parameter's own.
    backs : bool
        Whether they go to positions backward, as ``backward`` of ``command_position`` says.
    trailer : Trailer, optional
        Of vehicles with a trailer: its pose. Where they go backward, its position is theirs.
    controlled : bool
        Whether RflySim's set-points reach a controller: ours, or one that the model has.
    """

    commands: frozenset[str] = frozenset()
    kind: Kind = Kind(0)
    limits: Limits = Limits()
    collective: tuple[Collective, ...] = ()
    attitude: AttitudeLoops | None = None
    rotors: Rotors | None = None
    wings: Wings | None = None
    transition: Transition | None = None
    mav_type: int = 0
    px4: Mapping[str, Px4Parameter] = MappingProxyType({})
    px4_defaults: Mapping[str, float] = MappingProxyType({})
    offboard: int = -1
    acceptance_radius: float = 10.0
    backs: bool = False
    trailer: Trailer | None = None
    controlled: bool = True

    @property
    def stays(self) -> bool:
        """Whether they stay at a position: they neither fly by wings nor glide under water."""
        glides = self.kind.dives and self.limits.circle is not None
        return not (glides or self.kind.circles)

    @property
    def cruise_speed(self) -> str:
        """Column of what RflySim's SendCruiseSpeed sets: FW_AIRSPD_TRIM, or the maximum speed."""
        return self.limits.speed if self.wings is None else self.wings.cruise_airspeed
