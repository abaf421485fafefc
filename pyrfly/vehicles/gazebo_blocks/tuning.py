"""Gains of vehicles of blocks from their numbers: of hover, of winged flight, of transitions.

A vehicle hovers if its motors that push up can carry it and command all moments; it flies by wings
if these carry it at a moderate airspeed against which its motors forward have thrust, and its
joints command roll and pitch. What it cannot do has gains of 0.

Hover: as of the multirotors (``pyrfly/vehicles/multirotor/tuning.py``), without the moment of drag.
Winged flight: bandwidths and limits as of planes; airspeeds over the stall airspeed are those of
PX4's start scripts, rounded. A transition ends at `TRANSITION` times the stall airspeed.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.columns import fields_of_type
from pyrfly.vehicles.constants import IDLE_THRUST
from pyrfly.vehicles.gazebo_blocks.aircraft import DENSITY, Motors, Wings
from pyrfly.vehicles.gazebo_blocks.rules import C_TYPE, CAPACITY
from pyrfly.vehicles.hovering.allocation import controllable, effectiveness, mixer, mixer_column
from pyrfly.vehicles.hovering.tuning import Response, cascade, lift_limits
from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods

__all__ = ["gains"]

Array = NDArray[np.float64]

_AHEAD = np.array([1.0, 0.0, 0.0])

UP = 0.5
"""Part of a motor's thrust that is upward from which on it is one for hover."""

FORWARD = 0.9
"""Part of a motor's thrust that is forward from which on it is one for winged flight."""

LEAST_LIFT = 1.2
"""Thrust up of a vehicle that hovers over its weight."""

STALLS = (2.0, 25.0)
"""Stall airspeeds [m/s] of vehicles that are taken as winged."""

MINIMUM, TRANSITION, CRUISE = 1.1, 1.1, 1.3
"""Minimum airspeed, that at the end of a transition, and that of cruise over the stall airspeed."""

ANY_ATTACK = pi / 2
"""Limit of the angle of attack of vehicles that hover [rad]: none; a transition ends near it."""

SLOWEST_CRUISE = (10.0, 8.5)
"""Airspeed of cruise [m/s] at least, so that wind does not carry aircraft of little weight away; of
tailsitters, which climb by their speed when they rise to hover: 4 m from this."""

BLENDING = 0.6
"""Airspeed from which lift is left to the wings over that at which they have it."""

HOVER_SPEED = 0.8
"""Speed of a hovering vehicle with wings over its stall airspeed: they would lift it."""

LEAST_MOMENT = 1e-3
"""Moment of a joint about an axis over the largest about any from which on it counts."""

TRIM = 0.9
"""Share of the elevator's travel that trim may take, at the stall airspeed."""

LIFT_WEIGHT = 100.0
"""Square of an angle of attack over that of joints' positions that weighs as much."""

RATE_LOOP = 10.0
"""Bandwidth of the rate loop [1/s]."""

ATTITUDE, INTEGRAL = 1.0 / 3.0, 0.3
"""Bandwidths of the attitude loop, and of the integral, over it."""

PERIOD, PATH_DAMPING = 25.0, 0.75
"""Period of path following times the bandwidth of the attitude loop, its damping ratio."""

BANK, PITCH = pi / 4, (-pi / 9, pi / 7.2)
"""Maximum bank angle, range of pitch angles [rad]."""

RATES = (70.0 * pi / 180.0, 50.0 * pi / 180.0)
"""PX4's FW_R_RMAX, FW_Y_RMAX."""

CATAPULT = 30.0
"""Acceleration of a launch by hand or catapult [m/s^2], estimated, as of planes."""

ENERGY = {"height_p": 0.2, "airspeed_p": 0.3, "energy_i": 0.3, "energy_damping": 0.5}

CLIMB_SHARE, STEEPEST = 0.8, 0.25
"""Climb and descent over those of full and no power, and at most over the airspeed."""

CIRCLE_TANGENT = 0.36
"""Tangent of the bank angle in a circle without a radius set-point: 20 deg."""

ACCELERATION = 0.6
"""Forward acceleration of a transition at rest [g]."""

BRAKING = 4.0
"""Maximum deceleration of a transition to hover [m/s^2]: PX4's VT_B_DEC_MSS is 2."""

TIMEOUT = 15.0
"""PX4's VT_TRANS_TIMEOUT [s]."""

_WIDTHS = {field.name: field.width for field in fields_of_type(C_TYPE) if field.role == "gain"}


class _Hover(NamedTuple):
    """What hovers: which motors, their mixer, and the thrust up [N]."""

    motors: NDArray[np.bool_]
    mixer: Array
    lift: float


def _scalar(columns: Mapping[str, Array], name: str) -> float:
    return float(columns[name][0])


def _hover(columns: Mapping[str, Array], motors: Motors) -> _Hover | None:
    """Return what hovers, or None of a vehicle that does not."""
    lifts = (-motors.axis[:, 2] > UP) & (motors.ceiling > 0.0)
    weight = _scalar(columns, "mass") * _scalar(columns, "gravity")
    lift = float(exact.dot(motors.ceiling * lifts, -motors.axis[:, 2])) if lifts.any() else 0.0
    if not weight > 0.0 or lift < LEAST_LIFT * weight:
        return None
    ratio = np.abs(motors.torque)
    matrix = effectiveness(motors.position, motors.axis, np.sign(motors.torque), ratio) * lifts
    if not all(controllable(matrix)):
        return None
    hover = _Hover(lifts, mixer(matrix), lift)
    held = all(_authority(hover, motors, weight, axis) > 0.0 for axis in range(3))
    return hover if held else None  # a motor at its limit in hover leaves no moment


def _authority(hover: _Hover, motors: Motors, weight: float, axis: int) -> float:
    """Return the moment [N m] of either sign that motors in hover can give."""
    each = hover.mixer[:, 0] * weight
    per = np.abs(hover.mixer[:, 1 + axis])
    margin = np.minimum(motors.ceiling - each, each - IDLE_THRUST * motors.ceiling)
    return max(float((margin[per > 0.0] / per[per > 0.0]).min()), 0.0)


def _filled(values: Array) -> Array:
    """Return values of the motors or joints, followed by zeros for those it has not."""
    shape = (CAPACITY["motor"] - len(values), *values.shape[1:])
    return np.concatenate([values, np.zeros(shape)])


def _hover_gains(
    columns: Mapping[str, Array], motors: Motors, hover: _Hover, periods: LoopPeriods
) -> dict[str, object]:
    mass, gravity = _scalar(columns, "mass"), _scalar(columns, "gravity")
    weight, inertia = mass * gravity, columns["inertia"][:3]
    acceleration = [_authority(hover, motors, weight, i) / float(inertia[i]) for i in range(3)]
    drag = (columns["drag_linear"], np.zeros(3))
    lag = max(motors.lag, 1e-3)
    of = Response(inertia, columns["damping_linear"], acceleration, lag, 0.0, 0.0)
    return {
        "control_mass": mass,
        **cascade(of, periods),
        **lift_limits(gravity, drag, weight, hover.lift),
        "motor_mixer": mixer_column(_filled(hover.mixer)),
        "motor_ceiling": _filled(motors.ceiling * hover.motors),
    }


class _Flight(NamedTuple):
    """Winged flight: what flies, and the airspeeds [m/s] of stall and cruise."""

    wings: Wings
    turned: bool
    thrust: Array
    stall: float
    cruise: float


def _joint_effects(wings: Wings) -> tuple[Array, Array]:
    """Return moments [m^3] and lift [m^2] over the dynamic pressure per position of the joints.

    Shapes (3, joints) and (joints,); in flow along the forward axis.
    """
    step = 1e-3
    angles = step * np.array([np.eye(wings.joints), -np.eye(wings.joints)])
    force, moment = wings.wrench(np.broadcast_to(_AHEAD, (2, wings.joints, 3)), angles=angles)
    moments = (moment[0] - moment[1]).T / (2.0 * step)
    lift = -(force[0] - force[1])[:, 2] / (2.0 * step)
    largest = float(np.abs(moments).max(initial=0.0))
    moments[np.abs(moments).max(axis=1, initial=0.0) < LEAST_MOMENT * largest] = 0.0
    return moments, lift


def _trimmed(wings: Wings, moments: Array) -> float:
    """Return the pitching moment over the dynamic pressure [m^3] that is used for trim."""
    travel = np.minimum(-wings.travel[:, 0], wings.travel[:, 1])
    elevator = np.abs(moments[1]) > np.abs(moments[0])
    return TRIM * float(exact.dot(np.abs(moments[1]) * elevator, np.maximum(travel, 0.0)))


def _flight(columns: Mapping[str, Array], motors: Motors, hover: _Hover | None) -> _Flight | None:
    """Return the winged flight of a vehicle, or None of one that cannot."""
    weight = _scalar(columns, "mass") * _scalar(columns, "gravity")
    ahead = (motors.axis[:, 0] > FORWARD) & (motors.ceiling > 0.0)
    turned = hover is not None and not ahead.any()
    wings = Wings(columns, turned)
    moments, _ = _joint_effects(wings)
    trimmed = np.inf if turned else _trimmed(wings, moments)
    largest = wings.largest_lift(trimmed)
    if not weight > 0.0 or not largest > 0.0:
        return None
    stall = sqrt(2.0 * weight / (DENSITY * largest))
    thrust = motors.ceiling * (hover.motors if turned and hover is not None else ahead)
    found = _Flight(wings, turned, thrust, stall, max(CRUISE * stall, SLOWEST_CRUISE[turned]))
    if not STALLS[0] <= stall <= STALLS[1] or not thrust.any():
        return None
    if _climb(found, motors, weight, found.cruise) <= 0.0:
        return None
    return found if bool(moments[:2].any(axis=1).all()) else None


def _drag(of: _Flight, weight: float, airspeed: ArrayLike, load: float = 1.0) -> Array:
    """Return the drag [N] of level flight at airspeeds [m/s] with a load factor."""
    pressure = 0.5 * DENSITY * np.square(airspeed)
    drag: Array = pressure * of.wings.flow(of.wings.angle_of(load * weight / pressure)).drag
    return drag


def _thrust(of: _Flight, motors: Motors, airspeed: ArrayLike) -> Array:
    """Return the largest thrust [N] at airspeeds [m/s]."""
    lost = np.multiply.outer(airspeed, motors.loss)
    return np.asarray(exact.row_sums(of.thrust * np.maximum(1.0 - lost, 0.0)))


def _climb(of: _Flight, motors: Motors, weight: float, airspeed: ArrayLike) -> Array:
    """Return the climb rates [m/s] with all power at airspeeds [m/s]."""
    excess = _thrust(of, motors, airspeed) - _drag(of, weight, airspeed)
    return excess * np.asarray(airspeed, np.float64) / weight


def _fastest(of: _Flight, motors: Motors, weight: float) -> float:
    """Return the largest airspeed [m/s] of level flight, up to twice that of cruise."""
    speeds = np.linspace(of.cruise, 2.0 * of.cruise, 51)
    return float(speeds[_climb(of, motors, weight, speeds) >= 0.0].max())


def _speeds(columns: Mapping[str, Array], of: _Flight, motors: Motors) -> dict[str, object]:
    """Return airspeeds, climb rates and the feed-forward of level flight."""
    weight, cruise = _scalar(columns, "mass") * _scalar(columns, "gravity"), of.cruise
    drag, load = float(_drag(of, weight, cruise)), 1.2
    sink = drag * cruise / weight
    more = float(_drag(of, weight, cruise, load)) - drag
    turning = more / (load * load - 1.0) * cruise / weight
    climb = CLIMB_SHARE * float(_climb(of, motors, weight, cruise))
    pressure = 0.5 * DENSITY * cruise * cruise
    return {
        "speed_limit": max(0.95 * _fastest(of, motors, weight), cruise),
        "minimum_airspeed": MINIMUM * of.stall,
        "cruise_airspeed": cruise,
        "climb_limit": min(max(climb, 0.3), STEEPEST * cruise),
        "gliding_sink": max(sink, 0.3),
        "turn_sink": max(turning, 0.0),
        "descent_limit": min(max(CLIMB_SHARE * sink, 0.3), STEEPEST * cruise),
        "cruise_throttle": min(drag / float(_thrust(of, motors, cruise)), 1.0),
        "cruise_pitch": of.wings.angle_of(weight / pressure),
        "attack_limit": of.wings.stall_angle,
    }


def _air_damping(wings: Wings) -> Array:
    """Return damping moments per angular velocity and airspeed [N s^2], forward frame."""
    step = 1e-3
    rate = step * np.array([np.eye(3), -np.eye(3)])
    _, moment = wings.wrench(np.broadcast_to(_AHEAD, (2, 3, 3)), rate)
    change = np.diagonal(moment[0] - moment[1]) / (2.0 * step)
    return np.maximum(-0.5 * DENSITY * change, 0.0)


def _allocation(of: _Flight) -> Array:
    """Return positions of the joints per moment over dynamic pressure, shape (3, joints).

    Of those that give a moment the least ones, with a weight on the lift that they change, as an
    angle of attack. Axes without any authority get none.
    """
    moments, lift = _joint_effects(of.wings)
    slope, _ = of.wings.slope()
    change = lift / max(slope, 1e-6)
    scale = LIFT_WEIGHT / (1.0 + LIFT_WEIGHT * exact.dot(change, change))
    weighed = moments - scale * exact.row_sums(moments * change)[:, None] * change
    normal = exact.row_sums(moments[:, None, :] * weighed[None])
    inverse = exact.solve(np.broadcast_to(normal, (3, 3, 3)), np.eye(3))
    found: Array = exact.row_sums(inverse[:, None, :] * np.swapaxes(weighed, 0, 1)[None])
    return found


def _wing_gains(columns: Mapping[str, Array], of: _Flight, motors: Motors) -> dict[str, object]:
    """Return the gains of winged flight, without their prefix."""
    inertia = columns["inertia"][[2, 1, 0] if of.turned else [0, 1, 2]]
    gravity = _scalar(columns, "gravity")
    sine, cosine = exact.sincos(BANK)
    allocation = _allocation(of)
    held = inertia * (of.turned | (allocation != 0.0).any(axis=1))
    return {
        **_speeds(columns, of, motors),
        **ENERGY,
        "accel_limit": gravity * float(sine / cosine),
        "pitch_limit": PITCH,
        "tilt_limit": BANK,
        "path_period": PERIOD / (ATTITUDE * RATE_LOOP),
        "path_damping": PATH_DAMPING,
        "loiter_radius": max(of.cruise * of.cruise / (gravity * CIRCLE_TANGENT), 15.0),
        "attitude_p": [ATTITUDE * RATE_LOOP, 1.0],
        "rate_limit": RATES,
        "rate_p": RATE_LOOP * held,
        "rate_i": INTEGRAL
        * RATE_LOOP
        * RATE_LOOP
        * held
        * [1.0, 1.0, 0.0],  # a bank angle turns it
        "air_damping": _air_damping(of.wings),
        "turned": float(of.turned),
        "density": DENSITY,
        "allocation": np.stack([_filled(row) for row in allocation]),
    }


def _transition_gains(
    columns: Mapping[str, Array], of: _Flight, hover: _Hover
) -> dict[str, object]:
    weight = _scalar(columns, "mass") * _scalar(columns, "gravity")
    end = TRANSITION * of.stall
    slope, low = of.wings.slope()
    slope = max(slope, 1e-3)
    return {
        "transition_airspeed": [BLENDING * end, end],
        "transition_throttle": min(ACCELERATION * weight / float(of.thrust.sum()), 1.0),
        "transition_timeout": TIMEOUT,
        "transition_braking": BRAKING,
        "wing_lift": [slope, low / slope],
    }


def gains(
    columns: Mapping[str, Array], _c_type: str, periods: LoopPeriods = DEFAULT_PERIODS, /
) -> dict[str, Array]:
    """Return the gains of one vehicle; the docstring of the module describes the method.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns, each of shape (width,).
    _c_type : str
        Its type in the core, of which there is one.
    periods : LoopPeriods
        Periods of the control loops.
    """
    motors = Motors(columns)
    hover = _hover(columns, motors)
    flight = _flight(columns, motors, hover)
    found: dict[str, object] = {}
    if hover is not None:
        found |= _hover_gains(columns, motors, hover, periods)
    if flight is not None:
        winged = _wing_gains(columns, flight, motors)
        if hover is not None:
            winged["attack_limit"] = ANY_ATTACK
        found |= {f"wing_{name}": value for name, value in winged.items()}
        found["forward_thrust"] = _filled(flight.thrust)
        found["launch_airspeed"] = winged["minimum_airspeed"]
        found["catapult_accel"] = CATAPULT
    if hover is not None and flight is not None:
        found |= _transition_gains(columns, flight, hover)
        found["speed_limit"] = min(_number(found["speed_limit"]), HOVER_SPEED * flight.stall)
    return {
        name: np.array(found.get(name, np.zeros(width)), np.float64).reshape(width)
        for name, width in _WIDTHS.items()
    }


def _number(value: object) -> float:
    return float(np.asarray(value, np.float64).reshape(-1)[0])
