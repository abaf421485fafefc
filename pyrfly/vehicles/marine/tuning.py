"""Gains of a marine craft from its numbers: what its thrusters, mass and drag allow."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.columns import constant_of
from pyrfly.vehicles.assumed import assumed
from pyrfly.vehicles.loops import DEFAULT_PERIODS, LoopPeriods
from pyrfly.vehicles.marine.allocation import Allocation
from pyrfly.vehicles.parameters import as_columns, scalar

__all__ = ["gains", "top_speed"]

Array = NDArray[np.float64]

SPEED_FRACTION = 0.9
"""Of the speed at full thrust: a margin for corrections."""

ACCEL_FRACTION = 0.4
"""Of the acceleration by full thrust, also to stop: what is left turns it."""

YAW_FRACTION = 0.9
"""Of the yaw rate by the largest yaw moment."""

BANDWIDTH = 0.25
"""Bandwidth of the speed and yaw loops over that of the thrusters, up to `FASTEST`."""

FASTEST = (1.5, 3.0)
"""Bandwidths [1/s] beyond which a hull in waves would only be shaken: of speed, of the yaw rate."""

APPROACH, HEADING = 0.3, 0.35
"""Bandwidth of the position and heading loop over that of the loop within."""

SLIDING = {
    "approach_p": 0.4,
    "heading_p": 2.0,
    "yaw_rate_limit": 1.5,
    "accel_limit": 0.5,
    "decel_limit": 0.5,
}
"""Limits of gains of what goes ahead alone, over the time constant of its sway: it slides."""

INTEGRAL = 0.25
"""Integral gain over the square of the bandwidth."""

MOST_ACCEL, MOST_YAW_RATE, MOST_YAW_ACCEL = 2.0, 1.5, 3.0
"""Limits [m/s^2, rad/s, rad/s^2] of what is small for its thrusters, such as an ROV."""

TILT = (2.0, 1.6)
"""Bandwidth [rad/s] and twice the damping ratio of roll and pitch."""

AGAINST_MUNK = 1.5
"""Stiffness of the pitch loop over what the moment of Munk at full speed leaves of the hull's."""

GLIDE = {"approach_p": 0.15, "pitch_i": 0.2, "pitch_limit": 0.5, "motion": (0.5, 0.6), "tilt": 1.2}
"""Gains of what glides, whose fins are slow: of depth, pitch, and its loops [1/s]."""

CRUISE = constant_of("marine", "glide_cruise")
"""Of its speed limit, with which what glides circles."""

CIRCLE = 2.0
"""Radius of its circles over that by its yaw rate: a margin for sideslip and currents."""

STEERED_ACCEL, STEERED_RADIUS, STEERED_ARRIVAL = 0.8, 2.0, 0.4
"""Of what has a rudder: share of the acceleration by full thrust, turning and arrival radius over
the length."""

CIRCLE_MARGIN = 1.3
"""Turning radius over that with one thruster at half of its thrust, of what does not go astern."""

STEERED_PACE = {"motion": 0.5, "turn": 2.75, "approach": 0.3, "heading": 0.65}
"""Its bandwidths over the speed per length: of speed, yaw rate, position and heading."""

ARRIVAL = 0.15
"""Arrival radius over the length of the hull, at least 0.1 m and at most 1 m."""


def top_speed(columns: Mapping[str, Array], of: Allocation) -> float:
    """Return the speed ahead at full thrust [m/s]."""
    return _speed(columns, of, 0, of.largest_ahead())


def _terminal(force: float, linear: float, quadratic: float) -> float:
    """Return the speed at which drag is a force."""
    if quadratic < 1e-12:
        return force / max(linear, 1e-9)
    return (math.sqrt(linear**2 + 4.0 * quadratic * force) - linear) / (2.0 * quadratic)


def _advance(columns: Mapping[str, Array]) -> float:
    """Return the speed of the water at a thruster over that ahead: of ships less by their wake."""
    return 1.0 - float(columns["ship_wake"][0])


def _speed(columns: Mapping[str, Array], of: Allocation, axis: int, force: float) -> float:
    """Return the speed along an axis at a force; ahead with the loss by advance."""
    linear = float(columns["drag_linear"][axis])
    quadratic = float(columns["drag_quadratic"][axis])
    if axis == 0:
        ahead = float(exact.row_sums(np.abs(columns["thruster_axis"].reshape(3, -1)[0])))
        advance = _advance(columns)
        loss = scalar(columns, "thruster_advance") * scalar(columns, "thruster_speed_max")
        linear += advance * loss * ahead
        quadratic += advance**2 * scalar(columns, "ship_propeller_drag") * ahead
    else:
        strips = columns["cross_flow_drag"][axis - 1] * scalar(columns, "cross_flow_length")
        quadratic += float(strips)
    return _terminal(force, linear, quadratic)


def _yaw_rate(columns: Mapping[str, Array], moment: float) -> float:
    """Return the yaw rate on the spot at a moment."""
    length = scalar(columns, "cross_flow_length")
    strips = float(columns["cross_flow_drag"][0]) * length**4 / 32.0
    linear, quadratic = (float(columns[f"damping_{name}"][2]) for name in ("linear", "quadratic"))
    return _terminal(moment, linear, quadratic + strips)


def _sway_time(columns: Mapping[str, Array]) -> float:
    """Return the time constant [s] of the sway at 0.5 m/s."""
    strips = float(columns["cross_flow_drag"][0]) * scalar(columns, "cross_flow_length")
    quadratic = float(columns["drag_quadratic"][1]) + strips
    drag = float(columns["drag_linear"][1]) + 0.5 * quadratic
    return (scalar(columns, "mass") + float(columns["added_mass"][1])) / max(drag, 1e-9)


def _righting_moment(columns: Mapping[str, Array]) -> float:
    """Return the righting moment [N m] of the whole hull under water, per sine of roll or pitch."""
    weight = scalar(columns, "mass") * scalar(columns, "gravity")
    return -weight * float(columns["buoyancy_position"][2])


def _tilt_bandwidth(columns: Mapping[str, Array], speed: float, fastest: float) -> float:
    """Return the bandwidth [rad/s] of roll and pitch of what thrusters tilt, at a speed at most."""
    water = columns["added_mass"]
    munk = scalar(columns, "munk_share") * float(water[2] - water[0]) * speed**2
    inertia = float(columns["inertia"][1] + columns["added_inertia"][1])
    lacks = max(AGAINST_MUNK * (munk - _righting_moment(columns)) / inertia, 0.0)
    return min(max(TILT[0], math.sqrt(lacks)), fastest)


def _limits(columns: Mapping[str, Array], of: Allocation) -> dict[str, float]:
    """Return the limits of what is commanded."""
    ahead, heave, yaw = of.largest_ahead(), of.largest(2), of.largest_yaw(columns)
    moved = scalar(columns, "mass") + columns["added_mass"]
    turned = float(columns["inertia"][2] + columns["added_inertia"][2])
    along = ahead if of.is_driven_ahead else of.largest(0)
    slowest = min([along, *([of.largest(1)] if 1 in of.axes else [])])
    side = moved[:2].max() if 1 in of.axes else moved[0]
    accel = min(ACCEL_FRACTION * slowest / float(side), MOST_ACCEL)
    vertical = SPEED_FRACTION * 0.7 * _speed(columns, of, 2, heave)
    return {
        "force_limit": ahead,
        "moment_limit": yaw,
        "speed_limit": SPEED_FRACTION * top_speed(columns, of),
        "climb_limit": vertical,
        "descent_limit": vertical,
        "accel_limit": accel,
        "decel_limit": accel,
        "yaw_rate_limit": min(YAW_FRACTION * _yaw_rate(columns, yaw), MOST_YAW_RATE),
        "yaw_accel_limit": min(ACCEL_FRACTION * yaw / turned, MOST_YAW_ACCEL),
    }


def _rudder_moment(columns: Mapping[str, Array], speed: float) -> float:
    """Return the largest moment [N m] of one fin at a speed."""
    reach = np.abs(columns["fin_position"].reshape(3, -1)[0]) * columns["fin_coef"]
    sine = float(exact.sincos(scalar(columns, "fin_travel"))[0])
    return float(reach.max()) * sine * speed**2


def _gliding(columns: Mapping[str, Array], limits: dict[str, float]) -> dict[str, object]:
    """Return what differs for a vehicle that glides on its fins, at half of its speed."""
    speed = 0.5 * limits["speed_limit"]
    moment = _rudder_moment(columns, speed)
    sink = speed * float(exact.sincos(float(GLIDE["pitch_limit"]))[0])  # type: ignore[arg-type]
    yaw_rate = 0.8 * _yaw_rate(columns, moment)
    return {
        "moment_limit": moment,
        "yaw_rate_limit": yaw_rate,
        "turning_radius": CIRCLE * CRUISE * limits["speed_limit"] / yaw_rate,
        "yaw_accel_limit": moment / float(columns["inertia"][2] + columns["added_inertia"][2]),
        "approach_p": GLIDE["approach_p"],
        "pitch_i": GLIDE["pitch_i"],
        "pitch_limit": GLIDE["pitch_limit"],
        "climb_limit": sink,
        "descent_limit": sink,
    }


def _steered(columns: Mapping[str, Array], limits: dict[str, float]) -> dict[str, object]:
    """Return what differs for a vehicle with a rudder, which turns by its speed."""
    length, speed = float(columns["hull_size"][0]), limits["speed_limit"]
    radius, moment = STEERED_RADIUS * length, _rudder_moment(columns, speed)
    accel = STEERED_ACCEL / ACCEL_FRACTION * limits["accel_limit"]
    turned = float(columns["inertia"][2] + columns["added_inertia"][2])
    pace = {name: share * (speed / length) for name, share in STEERED_PACE.items()}
    return {
        "accel_limit": accel,
        "decel_limit": accel,
        "moment_limit": moment,
        "yaw_rate_limit": speed / radius,
        "yaw_accel_limit": ACCEL_FRACTION * moment / turned,
        "approach_p": pace["approach"],
        "heading_p": pace["heading"],
        "motion_p": [pace["motion"], pace["turn"]],
        "motion_i": [INTEGRAL * pace["motion"] ** 2, INTEGRAL * pace["turn"] ** 2],
        "turning_radius": radius,
        "arrival_radius": STEERED_ARRIVAL * length,
    }


def _driven_ahead(
    columns: Mapping[str, Array], of: Allocation, limits: dict[str, float]
) -> dict[str, object]:
    """Return what differs for a boat without thrust astern, which goes ahead as it turns."""
    speed = _speed(columns, of, 0, 0.25 * limits["force_limit"])
    radius = CIRCLE_MARGIN * speed / _yaw_rate(columns, 0.5 * limits["moment_limit"])
    return {
        "turning_radius": radius,
        "arrival_radius": STEERED_ARRIVAL * float(columns["hull_size"][0]),
    }


def gains(
    columns: Mapping[str, Array], c_type: str, _periods: LoopPeriods = DEFAULT_PERIODS, /
) -> dict[str, Array]:
    """Return the gain columns of a marine craft.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns.
    c_type : str
        Its type in the core.
    _periods : LoopPeriods
        Periods of the control loops, which the gains do not depend on.
    """
    of = Allocation.of(columns)
    actuator = BANDWIDTH / scalar(columns, "thruster_tau")
    motion, turn = (min(actuator, fastest) for fastest in FASTEST)
    tilt, damping = TILT
    if of.is_gliding:
        motion, turn = GLIDE["motion"]  # type: ignore[misc]
        tilt = float(GLIDE["tilt"])  # type: ignore[arg-type]
    length = float(columns["hull_size"][0])
    limits = _limits(columns, of)
    if of.is_holonomic:
        tilt = _tilt_bandwidth(columns, limits["speed_limit"], actuator)
    found: dict[str, object] = {
        **assumed(columns, c_type),
        "force_allocation": of.thrusters[:, :3].T.ravel(),
        "moment_allocation": of.thrusters[:, 3:].T.ravel(),
        "fin_allocation": of.fins.T.ravel(),
        "advance_loss": _advance(columns)
        * scalar(columns, "thruster_advance")
        * scalar(columns, "thruster_rated"),
        "holonomic": float(of.is_holonomic),
        "approach_p": APPROACH * motion,
        "heading_p": HEADING * turn,
        "motion_p": [motion, turn],
        "motion_i": [INTEGRAL * motion**2, INTEGRAL * turn**2],
        "tilt_p": tilt**2,
        "tilt_d": damping * tilt,
        "pitch_i": 0.0,
        "pitch_limit": 0.0,
        "righting_moment": _righting_moment(columns) if of.is_diving else 0.0,
        "arrival_radius": min(max(ARRIVAL * length, 0.1), 1.0),
        "turning_radius": 0.0,
        **limits,
    }
    if not (of.is_gliding or of.is_holonomic or of.is_steered):
        sway = _sway_time(columns)
        found.update(
            {name: min(float(found[name]), most / sway) for name, most in SLIDING.items()}  # type: ignore[arg-type]
        )
    if of.is_gliding:
        found.update(_gliding(columns, limits))
    if of.is_steered:
        found.update(_steered(columns, limits))
    if of.is_driven_ahead:
        found.update(_driven_ahead(columns, of, limits))
    return as_columns(found)
