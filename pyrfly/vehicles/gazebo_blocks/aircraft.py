"""A vehicle of blocks as an aircraft, from its numbers: motors, wings, joints, performance.

The laws of ``csrc/models/gazebo_motor.h``, ``lift_drag.h``, ``lift_drag_advanced.h`` and
``plate_segment.h`` in steady flow; of the last two the attached flow alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.gazebo_blocks.rules import CAPACITY

__all__ = ["DENSITY", "Flow", "Motors", "Wings", "rows"]

Array = NDArray[np.float64]

DENSITY = 1.225
"""Of the air at sea level, that dynamic pressures are computed with [kg/m^3] [@us76]."""

ANGLES = np.linspace(-0.3, 0.9, 241)
"""Angles of attack at which lift is looked at [rad]."""


def rows(columns: Mapping[str, Array], kind: str, name: str) -> Array:
    """Return a column of the parts that a vehicle has, shape (parts, width)."""
    count = int(columns[f"{kind}_count"][0])
    found: Array = columns[f"{kind}_{name}"].reshape(-1, CAPACITY[kind])[:, :count].T
    return found


class Motors:
    """The motors of a vehicle: places [m] and axes, shape (motors, 3), the rest (motors,).

    Attributes
    ----------
    position, axis : ndarray, shape (motors, 3)
    torque : ndarray, shape (motors,)
        Moment about the axis per thrust [m].
    ceiling : ndarray, shape (motors,)
        Thrust at the channel 1, at rest [N]; 0 of those whose thrust is not along the axis.
    loss : ndarray, shape (motors,)
        Share of the thrust lost per airspeed along the axis [s/m].
    """

    def __init__(self, columns: Mapping[str, Array]) -> None:
        def of(name: str) -> Array:
            return rows(columns, "motor", name)

        self.position, self.axis = of("position"), of("axis")
        self.torque = -of("direction")[:, 0] * of("moment")[:, 0]
        fastest = (1.0 + of("offset")[:, 0]) * of("scaling")[:, 0] + of("zero")[:, 0]
        fastest = np.minimum(fastest, of("limit")[:, 0])
        self.ceiling = of("thrust")[:, 0] * fastest * np.maximum(fastest, 0.0)
        self.ceiling[of("reversible")[:, 0] < 0.0] = 0.0
        self.loss = of("airspeed_loss")[:, 0]
        self.lag = float(of("lags").max(initial=0.0))


class Flow(NamedTuple):
    """Lift and drag in a flow, over the dynamic pressure [m^2]."""

    lift: float
    drag: float


class Wings:
    """The lifting surfaces and the coefficients of a vehicle, in a frame that flies forward.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns.
    turned : bool
        Whether forward is up in hover.
    """

    def __init__(self, columns: Mapping[str, Array], turned: bool) -> None:
        self._columns = columns
        self._axes = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]] if turned else np.eye(3), float)
        self.joints = int(columns["joint_count"][0])
        self.travel = rows(columns, "joint", "limit")
        """Range of the positions of the joints [rad], shape (joints, 2)."""

    @cached_property
    def _lift(self) -> list[float]:
        return [self.flow(angle).lift for angle in ANGLES]

    @cached_property
    def _segments(self) -> list[tuple[_Segment, Array]]:
        """Return the segments and their places."""
        names = (
            "area density chord aspect_ratio lift zero_lift stall flap joint joint_gain motor disk"
        ).split()
        numbers = [rows(self._columns, "segment", name)[:, 0].tolist() for name in names]
        axes = [rows(self._columns, "segment", name) for name in ("forward", "upward", "position")]
        return [
            (_Segment(forward, upward, *values), place)
            for forward, upward, place, *values in zip(*axes, *numbers, strict=True)
        ]

    def largest_lift(self, moment: float) -> float:
        """Return the largest lift over the dynamic pressure [m^2] that can be trimmed.

        Parameters
        ----------
        moment : float
            Pitching moment over the dynamic pressure [m^3] of either sign that holds it.
        """
        found = 0.0
        for angle, lift in zip(ANGLES, self._lift, strict=True):
            sine, cosine = (float(x) for x in exact.sincos(angle))
            pitching = self.wrench(np.array([cosine, 0.0, sine]))[1][1]
            if abs(float(pitching)) <= moment:
                found = max(found, lift)
        return found

    def angle_of(self, lift: float) -> float:
        """Return the least angle of attack [rad] with a lift over the dynamic pressure [m^2]."""
        above = next((i for i, value in enumerate(self._lift) if value >= lift), len(ANGLES) - 1)
        if above == 0:
            return float(ANGLES[0])
        low, high = self._lift[above - 1], self._lift[above]
        share = min(max((lift - low) / (high - low), 0.0), 1.0) if high > low else 1.0
        return float(ANGLES[above - 1] + share * (ANGLES[above] - ANGLES[above - 1]))

    def flow(self, alpha: float) -> Flow:
        """Return lift and drag at an angle of attack [rad]."""
        sine, cosine = (float(x) for x in exact.sincos(alpha))
        force, _ = self.wrench(np.array([cosine, 0.0, sine]))
        return Flow(
            float(force[0] * sine - force[2] * cosine), float(-force[0] * cosine - force[2] * sine)
        )

    def wrench(
        self,
        velocity: Array,
        rate: Array | None = None,
        angles: Array | None = None,
        thrusts: Array | None = None,
    ) -> tuple[Array, Array]:
        """Return force [m^2] and moment [m^3] over the dynamic pressure at 1 m/s.

        Parameters
        ----------
        velocity : ndarray, shape (3,)
            Velocity relative to the air [m/s], forward frame.
        rate : ndarray, shape (3,), optional
            Angular velocity [rad/s], forward frame.
        angles : ndarray, shape (joints,), optional
            Positions of the joints [rad].
        thrusts : ndarray, shape (motors,), optional
            Thrusts of the motors [N], whose slipstreams blow over segments.
        """
        flow = exact.row_sums(self._axes.T * velocity)
        turning = np.zeros(3) if rate is None else exact.row_sums(self._axes.T * rate)
        joints = np.zeros(self.joints) if angles is None else angles
        force, moment = self._surfaces(flow, turning, joints)
        if self._columns["aero_count"][0]:
            more, twist = self._whole(flow, turning, joints)
            force, moment = force + more, moment + twist
        for law, place in self._segments:
            angle = law.joint_gain * joints[int(law.joint)] if 0 <= law.joint < self.joints else 0.0
            blown = thrusts is not None and 0 <= law.motor < len(thrusts) and law.disk > 0.0
            thrust = float(thrusts[int(law.motor)]) if blown and thrusts is not None else 0.0
            push, twist = law.wrench(flow + np.cross(turning, place), angle, thrust)
            force, moment = force + push, moment + twist + np.cross(place, push)
        return exact.row_sums(self._axes * force), exact.row_sums(self._axes * moment)

    def _surfaces(self, flow: Array, rate: Array, joints: Array) -> tuple[Array, Array]:
        force, moment = np.zeros(3), np.zeros(3)
        names = (
            "forward upward area density zero_lift stall lift drag moment lift_stalled drag_stalled"
            " joint joint_lift joint_moment position"
        )
        parts = [rows(self._columns, "surface", name) for name in names.split()]
        for part in zip(*parts, strict=True):
            f, u, *numbers = part[:-1]
            law = _Surface(f, u, *(float(x[0]) for x in numbers))
            place = part[-1]
            angle = joints[int(law.joint)] if 0 <= law.joint < self.joints else 0.0
            push, twist = law.wrench(flow + np.cross(rate, place), angle)
            force, moment = force + push, moment + twist + np.cross(place, push)
        return force, moment

    def _whole(self, flow: Array, rate: Array, joints: Array) -> tuple[Array, Array]:
        """Return what the coefficients of the whole aircraft give, in attached flow."""
        c = {name: self._columns[f"aero_{name}"] for name in _AERO}
        x, up = c["forward"], c["upward"]
        y, z = np.cross(-up, x), -up
        flow = flow + np.cross(rate, c["position"])
        u, v, w = (exact.dot(flow, axis) for axis in (x, y, z))
        speed = sqrt(u * u + w * w)
        span = sqrt(float(c["area"][0] * c["aspect_ratio"][0]))
        chord = float(c["chord"][0])
        alpha, beta = float(exact.arctan2(w, u)), float(exact.arctan2(v, u))
        alpha = min(max(alpha, -float(c["stall"][0])), float(c["stall"][0]))
        p, q, r = (exact.dot(rate, axis) for axis in (x, y, z))
        turning = [0.5 * p * span / speed, 0.5 * q * chord / speed, 0.5 * r * span / speed]
        by = c["joint"].reshape(6, -1)[:, : self.joints]
        drag, side, lift, roll, pitch, yaw = (exact.dot(row, joints) for row in by)
        lift += _sum(c["lift"], [1.0, alpha, beta, *turning])
        induced = 1.0 / (np.pi * float(c["aspect_ratio"][0]) * float(c["efficiency"][0]))
        drag += _sum(c["drag"], [1.0, *turning]) + induced * lift * lift
        side += _sum(c["side"], [alpha, beta, *turning])
        roll += _sum(c["roll"], [alpha, beta, *turning])
        pitch += _sum(c["pitch"][:6], [1.0, alpha, beta, *turning])
        yaw += _sum(c["yaw"], [alpha, beta, *turning])
        area = float(c["area"][0] * c["density"][0]) / DENSITY * speed
        force = area * ((lift * w - drag * u) * x - (lift * u + drag * w) * z + side * speed * y)
        moment = area * speed * (roll * span * x + pitch * chord * y + yaw * span * z)
        return force, moment + np.cross(c["position"], force)


_AERO = (
    "forward upward position area aspect_ratio chord efficiency stall density lift drag side roll"
    " pitch yaw joint"
).split()


def _sum(coefficients: Array, values: list[float]) -> float:
    return exact.dot(coefficients, values)


class _Surface(NamedTuple):
    """A surface of ``csrc/models/lift_drag.h``."""

    forward: Array
    upward: Array
    area: float
    density: float
    zero_lift: float
    stall: float
    lift: float
    drag: float
    moment: float
    lift_stalled: float
    drag_stalled: float
    joint: float
    joint_lift: float
    joint_moment: float

    def wrench(self, flow: Array, angle: float) -> tuple[Array, Array]:
        """Return force and moment at its place over the dynamic pressure at 1 m/s."""
        along, up = exact.dot(flow, self.forward), exact.dot(flow, self.upward)
        if along <= 0.0:
            return np.zeros(3), np.zeros(3)
        plane = sqrt(along * along + up * up)
        alpha = self.zero_lift + float(exact.arctan2(-up, along))
        within, beyond = min(abs(alpha), self.stall), max(abs(alpha) - self.stall, 0.0)
        sign = 1.0 if alpha >= 0.0 else -1.0
        stalled = max(self.lift * within + self.lift_stalled * beyond, 0.0)
        lift = sign * (stalled if beyond else self.lift * within) + self.joint_lift * angle
        drag = abs(self.drag * within + self.drag_stalled * beyond)
        k = self.area * self.density / DENSITY * plane
        force = k * (
            (lift * along - drag * up) * self.upward - (lift * up + drag * along) * self.forward
        )
        twist = sign * self.moment * within + self.joint_moment * angle
        return force, k * plane * twist * np.cross(self.forward, self.upward)


class _Segment(NamedTuple):
    """A segment of ``csrc/models/plate_segment.h``."""

    forward: Array
    upward: Array
    area: float
    density: float
    chord: float
    aspect_ratio: float
    profile: float
    zero_lift: float
    stall: float
    flap: float
    joint: float
    joint_gain: float
    motor: float
    disk: float

    def wrench(self, flow: Array, angle: float, thrust: float) -> tuple[Array, Array]:
        """Return force and moment at its place over the dynamic pressure at 1 m/s."""
        along, down = exact.dot(flow, self.forward), -exact.dot(flow, self.upward)
        if thrust > 0.0:
            inflow = max(along, 0.0)
            jet2 = 2.0 * thrust / (self.density * pi * self.disk * self.disk)
            along += sqrt(inflow * inflow + jet2) - inflow
        speed = sqrt(along * along + down * down)
        alpha = float(exact.arctan2(down, along)) - self.zero_lift
        lift, drag, twist = self._attached(alpha, angle)
        k = self.area * self.density / DENSITY * speed
        force = k * (
            (lift * down - drag * along) * self.forward + (lift * along + drag * down) * self.upward
        )
        return force, k * speed * self.chord * twist * np.cross(self.forward, self.upward)

    def _attached(self, alpha: float, angle: float) -> tuple[float, float, float]:
        """Return C_L, C_D, C_m up to the stall angle, with a flap at an angle [rad]."""
        ratio, e = self.aspect_ratio, self.flap
        slope = self.profile / (1.0 + 2.0 * (ratio + 4.0) / (ratio * (ratio + 2.0)))
        if e >= 0.999:
            shift = angle
        else:
            hinge = pi / 2.0 - float(exact.arcsin(2.0 * e - 1.0))
            effect = slope * (1.0 - (hinge - 2.0 * sqrt(e * (1.0 - e))) / pi)
            size = abs(angle)
            size = effect * ((0.0535 * size - 0.2688) * size + 0.5817) * size
            shift = (sqrt(slope * slope + 4.0 * pi * size) - slope) / (2.0 * pi)
            shift = shift if angle >= 0.0 else -shift
        x = min(max(alpha + shift, -self.stall), self.stall)
        sine, cosine = (float(v) for v in exact.sincos(x))
        along = slope * cosine + pi * abs(sine)
        return (
            sine * cosine * along,
            0.04 + abs(sine * sine * along),
            -0.17 * pi * abs(sine) * sine,
        )
