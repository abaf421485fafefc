"""Gains of vehicles of blocks from their numbers: of hover, of winged flight, of transitions.

A vehicle hovers if its motors that push up can carry it, and command all moments with the joints in
their slipstreams; it flies by wings if these carry it at a moderate airspeed against which its
motors forward have thrust, and its joints command roll and pitch, or it is a tailsitter, whose
motors do. What it cannot do has gains of 0.

Hover: ``hover.py``. Winged flight: bandwidths and limits as of planes; airspeeds over the stall
airspeed are those of PX4's start scripts, rounded; a tailsitter's is one at which joints and motors
hold the pitching moment, and its turns are as steep as that allows. A transition ends at
`TRANSITION` times the stall airspeed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf, pi, sqrt
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.columns import fields_of_type
from pyrfly.vehicles.assumed import assumed
from pyrfly.vehicles.constants import AIR_DENSITY
from pyrfly.vehicles.gazebo_blocks.aircraft import Wings
from pyrfly.vehicles.gazebo_blocks.hover import Hover, authority, hover_gains, hover_of
from pyrfly.vehicles.gazebo_blocks.parts import Motors, filled
from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods
from pyrfly.vehicles.parameters import scalar
from pyrfly.vehicles.winged.tuning import (
    BANK,
    CATAPULT,
    CLIMB_SHARE,
    FASTEST_RATE_LOOP,
    PITCH,
    circle_radius,
    integral_gain,
    least_positions,
    line_of_squares,
    loop_gains,
    parabola,
)

__all__ = ["Kind", "gains", "kind_of", "why_grounded"]

Array = NDArray[np.float64]

_AHEAD = np.array([1.0, 0.0, 0.0])

FORWARD = 0.9
"""Part of a motor's thrust that is forward from which on it is one for winged flight."""

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

FASTEST_TRIM = 2.5
"""Airspeed up to which a tailsitter is looked for that can be trimmed, over that of cruise."""

HELD = 0.75
"""Share of a tailsitter's pitching moment by motors that level flight and turns may take, the rest
is for control: estimated."""

BANKS = np.linspace(BANK, 0.0, 46)
"""Limits of the bank angle that a tailsitter may have [rad]."""

LIFT_WEIGHT = 100.0
"""Square of an angle of attack over that of joints' positions that weighs as much."""

STEEPEST = 0.25
"""Climb and descent over the airspeed, at most."""

ACCELERATION = 0.6
"""Forward acceleration of a transition at rest [g]."""

BRAKING = 5.0
"""Maximum deceleration of a transition to hover [m/s^2]: PX4's VT_B_DEC_MSS is 2."""

STALLED, OUTRUN = 1.8, 0.6
"""Airspeed from which on wings brake beyond their stall, over that of the stall, at most; and the
rate at which their greatest lift turns the path there over that of the pitch angle, at most."""

QUADCHUTE_LOSS = (0.0, 20.0)
"""PX4's VT_QC_ALT_LOSS and VT_QC_T_ALT_LOSS [m]; its other limits of the quadchute are 0, too."""

TIMEOUT = 15.0
"""PX4's VT_TRANS_TIMEOUT [s]."""


class _Flight(NamedTuple):
    """Winged flight: what flies, its airspeeds [m/s], and its limit of the bank angle [rad].

    `stall`: the largest lift carries the weight; `minimum`, `cruise`; `trimmed`: it can be trimmed
    up to that one. `level` are the wings with the elevator of steady flight, whose lift and drag
    it changes; a tailsitter is trimmed by its motors, too.
    """

    wings: Wings
    level: Wings
    turned: bool
    thrust: Array
    body_drag: float
    """Drag of the body per airspeed [N s/m]."""
    gravity: float
    stall: float
    minimum: float
    cruise: float
    trimmed: float = inf
    bank: float = BANK


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


def _trimmed(wings: Wings, moments: Array, turned: bool) -> float:
    """Return the pitching moment over the dynamic pressure [m^3] that is used for trim."""
    travel = np.minimum(-wings.travel[:, 0], wings.travel[:, 1])
    elevator = (np.abs(moments[1]) > np.abs(moments[0])) | turned
    return TRIM * float(exact.dot(np.abs(moments[1]) * elevator, np.maximum(travel, 0.0)))


def _pushers(motors: Motors) -> NDArray[np.bool_]:
    """Return which motors push forward."""
    found: NDArray[np.bool_] = (motors.axis[:, 0] > FORWARD) & (motors.ceiling > 0.0)
    return found


def _flight(columns: Mapping[str, Array], motors: Motors, hover: Hover | None) -> _Flight | str:
    """Return the winged flight of a vehicle, or why it has none."""
    weight, ahead = scalar(columns, "mass") * scalar(columns, "gravity"), _pushers(motors)
    turned = hover is not None and not ahead.any()
    wings = Wings(columns, turned)
    moments, _ = _joint_effects(wings)
    trimmed = _trimmed(wings, moments, turned)
    largest = wings.largest_lift(np.inf if turned else trimmed)
    if not weight > 0.0 or not largest > 0.0:
        return "there is no lift at an angle of attack that its elevator holds"
    stall = sqrt(2.0 * weight / (AIR_DENSITY * largest))
    thrust = motors.ceiling * (hover.motors if turned and hover is not None else ahead)
    body_drag = float(columns["drag_linear"][2 if turned else 0])
    cruise = max(CRUISE * stall, SLOWEST_CRUISE[turned])
    gravity, slowest = scalar(columns, "gravity"), MINIMUM * stall
    level = wings if turned else wings.trimmed(_allocation(wings)[1])
    found = _Flight(wings, level, turned, thrust, body_drag, gravity, stall, slowest, cruise)
    if not STALLS[0] <= stall <= STALLS[1]:
        return (
            f"the lift that its elevator holds carries it from {stall:.1f} m/s on;"
            f" expected {STALLS[0]:g} to {STALLS[1]:g} m/s"
        )
    if not thrust.any():
        return "no motor pushes forward"
    if not turned and not moments[:2].any(axis=1).all():
        return "its joints give no roll moment, or no pitching moment"
    if turned and hover is not None:
        held = _by_motors(found, motors, hover, weight)
    else:
        held = _by_elevator(found, motors, weight, trimmed)
    if isinstance(held, str):
        return held
    if _climb(held, motors, weight, held.cruise) <= 0.0:
        return f"its motors do not push it to {held.cruise:.1f} m/s"
    return held


def _by_elevator(of: _Flight, motors: Motors, weight: float, trimmed: float) -> _Flight | str:
    """Return a flight at airspeeds that the elevator holds in level flight, or why there is none.

    It is as slow as its stall allows, but for what the elevator does not hold. ``trimmed`` is the
    pitching moment over the dynamic pressure [m^3] that may be used.
    """
    fast = np.linspace(of.minimum, FASTEST_TRIM * of.cruise, 301)
    angles = of.level.angle_of(weight / (0.5 * AIR_DENSITY * np.square(fast)))
    reached = _climb(of, motors, weight, fast) > 0.0
    flown = (np.abs(of.wings.pitching(angles)) <= trimmed) & reached
    if not reached.any():
        return "its motors do not push it to an airspeed that carries it"
    if not flown.any():
        return (
            f"its elevator holds level flight, at {TRIM:g} of its travel, at none of the airspeeds"
            f" {fast[0]:.1f} to {fast[reached].max():.1f} m/s"
        )
    first = int(flown.argmax())
    beyond = ~flown[first:]
    last = first + (int(beyond.argmax()) if beyond.any() else len(beyond)) - 1
    pitched = np.abs(of.wings.pitching(angles[last + 1 :])) > trimmed
    return of._replace(
        minimum=float(fast[first]),
        cruise=max(of.cruise, min(CRUISE / MINIMUM * float(fast[first]), float(fast[last]))),
        trimmed=float(fast[last]) if pitched[:1].any() else inf,
    )


def _held(
    of: _Flight, motors: Motors, hover: Hover, weight: float, airspeed: Array, bank: float = 0.0
) -> Array:
    """Return the share of the motors' pitching moment that a tailsitter needs at airspeeds [m/s].

    Level, or in a level turn: of the moment of the wings, and of the damping of the turn, what
    joints do not hold; motors give it at the thrust of that flight.
    """
    load = 1.0 / float(exact.sincos(bank)[1])
    pressure = 0.5 * AIR_DENSITY * np.square(airspeed)
    moments, _ = _joint_effects(of.wings)
    pitching = of.wings.pitching(of.wings.angle_of(load * weight / pressure)) * pressure
    damping = _air_damping(of.wings)[1] * of.gravity * (load - 1.0 / load)
    by_joints = _trimmed(of.wings, moments, of.turned) * pressure
    left = np.maximum(np.abs(pitching - damping) - by_joints, 0.0)
    ceiling = motors.ceiling * np.maximum(1.0 - np.multiply.outer(airspeed, motors.loss), 0.0)
    by_motors = np.zeros_like(left)
    if hover.mixer[:, 2].any():
        by_motors = authority(hover, ceiling, _drag(of, weight, airspeed, load), 1, idle=0.0)
    return np.where(left > 0.0, left / np.maximum(by_motors, 1e-9), 0.0)


def _by_motors(of: _Flight, motors: Motors, hover: Hover, weight: float) -> _Flight | str:
    """Return a tailsitter's flight with airspeeds and bank angles whose moments it can hold.

    It cruises at the least airspeed, from that of cruise on, at which level flight takes least of
    the motors' moment, which leaves most for turns and descents. Or why it cannot fly level.
    """
    fast = np.linspace(of.cruise, FASTEST_TRIM * of.cruise, 151)
    level = _held(of, motors, hover, weight, fast)
    if level.min() > HELD:
        return "its joints and motors hold the pitching moment of level flight at no airspeed"
    cruise = float(fast[level.argmin()])
    slow = np.linspace(of.minimum, cruise, 101)
    turning = (_held(of, motors, hover, weight, slow[-1:], float(bank))[0] for bank in BANKS)
    return of._replace(
        minimum=float(slow[(_held(of, motors, hover, weight, slow) <= HELD).argmax()]),
        cruise=cruise,
        trimmed=float(fast[level <= HELD].max()),
        bank=next(float(b) for b, share in zip(BANKS, turning, strict=True) if share <= HELD),
    )


def _drag(of: _Flight, weight: float, airspeed: ArrayLike, load: float = 1.0) -> Array:
    """Return the drag [N] of level flight at airspeeds [m/s] with a load factor."""
    pressure = 0.5 * AIR_DENSITY * np.square(airspeed)
    drag: Array = pressure * of.level.flow(of.level.angle_of(load * weight / pressure)).drag
    return drag + of.body_drag * np.asarray(airspeed, np.float64)


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


def _level_flight(
    of: _Flight, motors: Motors, weight: float, airspeeds: Sequence[float]
) -> dict[str, object]:
    """Return throttles, pitch angles and moments of level flight, by its airspeed.

    A tailsitter's moment is left to the integral, with which it pitches up to hover.
    """

    def throttle(airspeed: float) -> float:
        drag, most = float(_drag(of, weight, airspeed)), float(_thrust(of, motors, airspeed))
        return min(drag / max(most, drag), 1.0)

    def angle(airspeed: float) -> float:
        return float(of.level.angle_of(weight / (0.5 * AIR_DENSITY * airspeed * airspeed)))

    ends = (airspeeds[0], airspeeds[2])
    angles = [angle(v) for v in ends]
    moments = [float(of.wings.pitching(alpha)) for alpha in angles]
    moment = [0.0, 0.0] if of.turned else line_of_squares(ends, moments)
    return {
        "pitch_limit": [PITCH[0], max(PITCH[1], angles[0] + STEEPEST)],
        "level_throttle": parabola({v: throttle(v) for v in airspeeds}),
        "level_pitch": line_of_squares(ends, angles),
        "level_moment": [-0.5 * AIR_DENSITY * moment[1], -moment[0]],
    }


def _speeds(columns: Mapping[str, Array], of: _Flight, motors: Motors) -> dict[str, object]:
    """Return airspeeds, climb rates and the feed-forward of level flight."""
    weight, cruise = scalar(columns, "mass") * scalar(columns, "gravity"), of.cruise
    drag, load = float(_drag(of, weight, cruise)), 1.2
    sink = drag * cruise / weight
    more = float(_drag(of, weight, cruise, load)) - drag
    turning = more / (load * load - 1.0) * cruise / weight
    climb = CLIMB_SHARE * float(_climb(of, motors, weight, cruise))
    fastest = max(min(0.95 * _fastest(of, motors, weight), of.trimmed), cruise)
    return {
        "speed_limit": fastest,
        "minimum_airspeed": of.minimum,
        "cruise_airspeed": cruise,
        "climb_limit": min(max(climb, 0.3), STEEPEST * cruise),
        "gliding_sink": max(sink, 0.3),
        "turn_sink": max(turning, 0.0),
        "descent_limit": min(max(CLIMB_SHARE * sink, 0.3), STEEPEST * cruise),
        **_level_flight(of, motors, weight, (of.minimum, cruise, fastest)),
        "gliding_throttle": 0.0,  # motors of blocks follow their channels
        "angle_of_attack_limit": of.wings.stall_angle,
    }


def _air_damping(wings: Wings) -> Array:
    """Return damping moments per angular velocity and airspeed [N s^2], forward frame."""
    step = 1e-3
    rate = step * np.array([np.eye(3), -np.eye(3)])
    _, moment = wings.wrench(np.broadcast_to(_AHEAD, (2, 3, 3)), rate)
    change = np.diagonal(moment[0] - moment[1]) / (2.0 * step)
    return np.maximum(-0.5 * AIR_DENSITY * change, 0.0)


def _allocation(wings: Wings) -> Array:
    """Return positions of the joints per moment over dynamic pressure, shape (3, joints).

    Of those that give a moment the least ones, with a weight on the lift that they change, as an
    angle of attack. Axes without any authority get none.
    """
    moments, lift = _joint_effects(wings)
    slope, _ = wings.slope()
    change = lift / max(slope, 1e-6)
    scale = LIFT_WEIGHT / (1.0 + LIFT_WEIGHT * exact.dot(change, change))
    weighed = moments - scale * exact.row_sums(moments * change)[:, None] * change
    return least_positions(moments, weighed)


def _of_axes(values: Array, of: _Flight) -> Array:
    """Return what belongs to the three axes of the body about those that fly forward."""
    found: Array = values[[2, 1, 0] if of.turned else [0, 1, 2]]
    return found


def _wing_gains(columns: Mapping[str, Array], of: _Flight, motors: Motors) -> dict[str, object]:
    """Return the gains of winged flight, without their prefix."""
    inertia = _of_axes(columns["inertia"], of)
    allocation = _allocation(of.wings)
    held = inertia * (of.turned | (allocation != 0.0).any(axis=1))
    return {
        **loop_gains(of.gravity, FASTEST_RATE_LOOP, of.bank),
        **_speeds(columns, of, motors),
        "loiter_radius": circle_radius(of.cruise, of.gravity, of.bank),
        "rate_p": FASTEST_RATE_LOOP * held,
        "rate_i": integral_gain(FASTEST_RATE_LOOP)
        * held
        * [1.0, 1.0, 0.0],  # a bank angle turns it
        "air_damping": _air_damping(of.wings) + _of_axes(columns["damping_linear"], of) / of.cruise,
        "turned": float(of.turned),
        "density": AIR_DENSITY,
        "allocation": np.stack([filled(columns, "joint", row) for row in allocation]),
    }


@lru_cache(maxsize=16)
def _wing_gains_once(stored: _Stored) -> Mapping[str, object]:
    """Return them for its trim, its gains, and the next vehicles alike: they take 30 ms."""
    columns = _restored(stored)
    motors, _, flight = _found_once(stored)
    assert not isinstance(flight, str)  # for those that fly
    return MappingProxyType(_wing_gains(columns, flight, motors))


def _transition_gains(
    columns: Mapping[str, Array], of: _Flight, pitch_rate: float
) -> dict[str, object]:
    """Return the gains of transitions; `pitch_rate` is the maximum commanded one [rad/s]."""
    gravity = scalar(columns, "gravity")
    weight = scalar(columns, "mass") * gravity
    end = TRANSITION * of.stall
    slope, low = of.wings.slope()
    slope = max(slope, 1e-3)
    stall = sqrt(2.0 * weight / (AIR_DENSITY * of.wings.largest_lift(np.inf)))  # with any elevator
    return {
        "transition_airspeed": [BLENDING * end, end],
        "transition_throttle": min(ACCELERATION * weight / float(exact.row_sums(of.thrust)), 1.0),
        "transition_timeout": TIMEOUT,
        "transition_braking": BRAKING,
        "braking_airspeed": min(STALLED * stall, OUTRUN * pitch_rate * stall * stall / gravity),
        "quadchute_loss": QUADCHUTE_LOSS,
        "wing_lift": [slope, low / slope],
    }


class Kind(NamedTuple):
    """What a vehicle can do; `turned`: forward in winged flight is up in hover."""

    hovers: bool
    flies: bool
    turned: bool


_Found = tuple[Motors, Hover | None, _Flight | str]


def _found(columns: Mapping[str, Array]) -> _Found:
    """Return the motors of a vehicle, its hover and its winged flight, as far as it has them."""
    return _found_once(_stored(columns))


_Stored = tuple[tuple[str, bytes], ...]


def _stored(columns: Mapping[str, Array]) -> _Stored:
    """Return columns as what a cache takes, see `_restored`."""
    return tuple((name, values.tobytes()) for name, values in columns.items())


def _restored(stored: _Stored) -> dict[str, Array]:
    return {name: np.frombuffer(values) for name, values in stored}


@lru_cache(maxsize=16)
def _found_once(stored: _Stored) -> _Found:
    """Find them for what a vehicle can do, and for its gains: a tailsitter's take 0.1 s."""
    columns = _restored(stored)
    motors = Motors(columns)
    hover = hover_of(columns, motors)
    return motors, hover, _flight(columns, motors, hover)


def kind_of(columns: Mapping[str, Array]) -> Kind:
    """Return what a vehicle can do, by its parameter columns."""
    _, hover, flight = _found(columns)
    if isinstance(flight, str):
        return Kind(hover is not None, False, False)
    return Kind(hover is not None, True, flight.turned)


def why_grounded(columns: Mapping[str, Array]) -> str:
    """Return why a vehicle that does not hover does not fly by wings either; empty if it flies."""
    _, hover, flight = _found(columns)
    return flight if isinstance(flight, str) and hover is None else ""


def gains(
    columns: Mapping[str, Array], c_type: str, periods: LoopPeriods = DEFAULT_PERIODS, /
) -> dict[str, Array]:
    """Return the gains of one vehicle; the docstring of the module describes the method.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns, each of shape (width,).
    c_type : str
        Its type in the core.
    periods : LoopPeriods
        Periods of the control loops.
    """
    motors, hover, found_flight = _found(columns)
    flight = None if isinstance(found_flight, str) else found_flight
    found = {**assumed(columns, c_type), "control_mass": np.zeros(1)}
    if hover is not None:
        turned = flight is not None and flight.turned
        found |= hover_gains(columns, motors, hover, turned, periods)
    if flight is not None:
        winged = dict(_wing_gains_once(_stored(columns)))
        if hover is not None:
            winged["angle_of_attack_limit"] = ANY_ATTACK
        found |= {f"wing_{name}": value for name, value in winged.items()}
        found["forward_thrust"] = filled(columns, "motor", flight.thrust)
        found["launch_airspeed"] = winged["minimum_airspeed"]
        found["catapult_accel"] = CATAPULT
    if hover is not None and flight is not None:
        found |= _transition_gains(columns, flight, _number(found["rate_limit"]))
        found["speed_limit"] = min(_number(found["speed_limit"]), HOVER_SPEED * flight.stall)
    return {
        field.name: np.array(found.get(field.name, np.zeros(field.width)), np.float64).reshape(
            field.width
        )
        for field in fields_of_type(c_type)
        if field.role == "gain"
    }


def _number(value: object) -> float:
    return float(np.asarray(value, np.float64).reshape(-1)[0])
