"""How a vehicle of blocks hovers: its mixer, of motors and of joints, and its gains.

As of the multirotors (``pyrfly/vehicles/multirotor/tuning.py``), without the moment of drag. Joints
give the moments that motors cannot give alone; their effect is that of the segments that they move
in the slipstreams of motors that carry the vehicle, and that of the motors that they tilt.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.vehicles.constants import AIR_DENSITY, IDLE_THRUST
from pyrfly.vehicles.gazebo_blocks.parts import Motors, filled, rows
from pyrfly.vehicles.gazebo_blocks.segments import Segments
from pyrfly.vehicles.hovering.allocation import controllable, effectiveness, mixer, mixer_column
from pyrfly.vehicles.hovering.tuning import Response, cascade, lift_limits
from pyrfly.vehicles.loops import LoopPeriods
from pyrfly.vehicles.parameters import scalar

__all__ = ["UP", "Hover", "authority", "hover_gains", "hover_of"]

Array = NDArray[np.float64]

LEAST_LIFT = 1.2
"""Thrust up of a vehicle that hovers over its weight."""

UP = 0.5
"""Part of a motor's thrust that is upward from which on it is one for hover."""

BLOWN = 0.4
"""Least thrust over the weight in hover where joints in slipstreams give moments."""

SLOWER_THAN_PUSH = 0.35
"""Bandwidth of the velocity loop over the zero of joints that push the vehicle."""


class Hover(NamedTuple):
    """What hovers: which motors, their mixer and that of joints, the thrust up [N].

    The mixer of the joints has their positions at the thrusts of hover, whose sum is `weight` [N].
    """

    motors: NDArray[np.bool_]
    mixer: Array
    joints: Array
    push: Array
    """Force of the joints along x and y per pitch and roll moment [1/m]."""
    weight: float
    lift: float


def hover_of(columns: Mapping[str, Array], motors: Motors) -> Hover | None:
    """Return what hovers, or None of a vehicle that does not."""
    lifts = (-motors.axis[:, 2] > UP) & (motors.ceiling > 0.0)
    weight = scalar(columns, "mass") * scalar(columns, "gravity")
    lift = float(exact.dot(motors.ceiling * lifts, -motors.axis[:, 2])) if lifts.any() else 0.0
    if not weight > 0.0 or lift < LEAST_LIFT * weight:
        return None
    ratio = np.abs(motors.torque)
    matrix = effectiveness(motors.position, motors.axis, np.sign(motors.torque), ratio) * lifts
    thrusts = mixer(matrix)[:, 0] * weight
    joints = np.zeros((6, int(columns["joint_count"][0])))
    if not all(controllable(matrix)):
        joints = _tilting(motors, thrusts, joints)
        if columns["segment_count"][0]:
            joints = joints + _in_slipstreams(columns, thrusts)
    matrix = np.hstack([matrix, [-joints[2], *joints[3:]]])
    if not all(controllable(matrix)):
        return None
    by_motors, by_joints = np.split(mixer(matrix), [len(thrusts)])
    push = np.array([exact.dot(joints[k], by_joints[:, 2 - k]) for k in range(2)])
    hover = Hover(lifts, by_motors, by_joints, push, float(exact.row_sums(thrusts)), lift)
    travel = rows(columns, "joint", "limit")
    held = (_authority_in_hover(hover, motors, travel, weight, axis) for axis in range(3))
    return hover if min(held) > 0.0 else None  # a motor at its limit in hover leaves no moment


def _tilting(motors: Motors, thrusts: Array, joints: Array) -> Array:
    """Return what `_in_slipstreams` does, of the motors that joints tilt: e x a turns the axis."""
    found = np.zeros_like(joints)
    force = thrusts[:, None] * np.cross(motors.tilt_axis, motors.axis)
    moment = np.cross(motors.position, force) + motors.torque[:, None] * force
    for motor, joint in enumerate(motors.joint):
        if 0 <= joint < joints.shape[1]:
            found[:, joint] += np.concatenate([force[motor], moment[motor]])
    return found


def _in_slipstreams(columns: Mapping[str, Array], thrusts: Array) -> Array:
    """Return forces [N/rad] and moments [N m/rad] per position of the joints in hover.

    Shape (6, joints); of the segments in the slipstreams of motors with these thrusts [N].
    """
    segments, joints = Segments(columns), int(columns["joint_count"][0])
    step, rest = 1e-3, np.zeros((2, joints, 3))
    angles = step * np.array([np.eye(joints), -np.eye(joints)])
    both = np.concatenate(segments.wrench(rest, rest, angles, thrusts), axis=-1)
    change: Array = 0.5 * AIR_DENSITY * (both[0] - both[1]).T / (2.0 * step)
    return change


def authority(
    hover: Hover, ceiling: Array, thrust: ArrayLike, axis: int, idle: float = IDLE_THRUST
) -> Array:
    """Return the moments [N m] of either sign that motors with a thrust can give.

    They are infinite where they take no motor.

    Parameters
    ----------
    hover : Hover
        What hovers.
    ceiling : ndarray, shape (..., motors)
        Maximum thrust of each motor [N].
    thrust : array_like, shape (...)
        Thrust of all along the axis of the body [N].
    axis : int
        That of the moment, of the body.
    idle : float, optional
        Minimum thrust of a motor over its maximum.
    """
    each = np.multiply.outer(np.asarray(thrust, np.float64), hover.mixer[:, 0])
    per = np.abs(hover.mixer[:, 1 + axis])
    margin = np.minimum(ceiling - each, each - idle * ceiling)[..., per > 0.0]
    moments: Array = (margin / per[per > 0.0]).min(axis=-1, initial=np.inf)
    return np.maximum(moments, 0.0)


def _authority_in_hover(
    hover: Hover, motors: Motors, travel: Array, weight: float, axis: int
) -> float:
    """Return the moment [N m] of either sign that motors and joints in hover can give."""
    per = np.abs(hover.joints[:, 1 + axis])
    still = weight * hover.joints[:, 0]  # where they are without a moment
    margin = np.minimum(still - travel[:, 0], travel[:, 1] - still)
    by_joints = float((margin[per > 0.0] / per[per > 0.0]).min(initial=np.inf))
    return min(float(authority(hover, motors.ceiling, weight, axis)), max(by_joints, 0.0))


def hover_gains(
    columns: Mapping[str, Array], motors: Motors, hover: Hover, turned: bool, periods: LoopPeriods
) -> dict[str, object]:
    """Return the gains of hover; `turned`: forward in flight is up in hover."""
    mass, gravity = scalar(columns, "mass"), scalar(columns, "gravity")
    weight, inertia = mass * gravity, columns["inertia"][:3]
    travel = rows(columns, "joint", "limit")
    acceleration = [
        _authority_in_hover(hover, motors, travel, weight, i) / float(inertia[i]) for i in range(3)
    ]
    drag = (columns["drag_linear"], np.zeros(3))
    slow = rows(columns, "joint", "lag")[hover.joints.any(axis=1), 0]
    lag = max(motors.lag, float(slow.max(initial=1e-3)))
    of = Response(inertia, columns["damping_linear"], acceleration, lag, 0.0, 0.0)
    limits = lift_limits(gravity, drag, weight, hover.lift)
    if hover.joints.any():
        limits["thrust_limit"][0] = BLOWN * weight
    by_motors = np.asarray(hover.mixer[:, 1:].any(axis=0))
    loops = _without_lag(cascade(of, periods), of, by_motors)
    return {
        "control_mass": mass,
        **_against_push(loops, of, weight, hover.push),
        **limits,
        "motor_mixer": mixer_column(filled(columns, "motor", hover.mixer)),
        "motor_ceiling": filled(columns, "motor", motors.ceiling * hover.motors),
        "joint_mixer": filled(
            columns, "joint", hover.weight * _of_forward_axes(hover.joints[:, 1:], turned)
        ).T,
    }


def _without_lag(
    loops: dict[str, list[float] | Array], of: Response, by_motors: NDArray[np.bool_]
) -> dict[str, list[float] | Array]:
    """Return gains that compensate no lag, but damping, about the axes that joints alone hold."""
    lead = np.where(by_motors, 0.0, np.asarray(loops["rate_d"]) / of.inertia)
    p, i = (np.asarray(loops[name]) / (1.0 + lead) for name in ("rate_p", "rate_i"))
    return {
        **loops,
        "rate_p": p + np.where(by_motors, 0.0, of.damping),
        "rate_i": i,
        "rate_d": np.asarray(loops["rate_d"]) * by_motors,
    }


def _against_push(
    loops: dict[str, list[float] | Array], of: Response, weight: float, push: Array
) -> dict[str, list[float] | Array]:
    """Return gains with velocity loops that are slow against the force of joints.

    Joints that tilt a vehicle push it the wrong way, with J a + d w over their lever for an angular
    acceleration a and an angular velocity w: a zero z > 0 with (J z + d) z = weight times lever.
    """
    slowest = np.inf
    for inertia, damping, each in zip(of.inertia[1::-1], of.damping[1::-1], push, strict=True):
        if each != 0.0:
            c = weight / abs(float(each))
            zero = 2.0 * c / (damping + sqrt(damping * damping + 4.0 * inertia * c))
            slowest = min(slowest, SLOWER_THAN_PUSH * float(zero))
    share = min(slowest / float(loops["velocity_p"][0]), 1.0)
    names = ("position_p", "velocity_p", "velocity_i")
    return {**loops, **{name: np.asarray(loops[name]) * [share, 1.0] for name in names}}


def _of_forward_axes(per_moment: Array, turned: bool) -> Array:
    """Return what belongs to moments about the axes that fly forward, shape (joints, 3)."""
    if not turned:
        return per_moment
    return np.stack([-per_moment[:, 2], per_moment[:, 1], per_moment[:, 0]], axis=1)
