"""A vehicle of blocks as an aircraft, from its numbers: wings, joints, performance.

The laws of ``csrc/models/lift_drag.h``, ``lift_drag_advanced.h`` in steady flow, and the segments.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.vehicles.constants import AIR_DENSITY
from pyrfly.vehicles.gazebo_blocks.parts import rows, sum_of_parts
from pyrfly.vehicles.gazebo_blocks.segments import Segments

__all__ = ["Flow", "Wings"]

Array = NDArray[np.float64]

TRIM_STEPS = 5
"""Steps to the trim: one where moments are straight lines of the positions."""

ANGLES = np.linspace(-0.3, 0.9, 241)
"""Angles of attack at which lift is looked at [rad]."""


class Flow(NamedTuple):
    """Lift and drag in a flow, over the dynamic pressure [m^2]."""

    lift: Array
    drag: Array


class Wings:
    """The lifting surfaces and the coefficients of a vehicle, in a frame that flies forward.

    Arguments may have any number of leading axes, one value per flow.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns.
    turned : bool
        Whether forward is up in hover. The coefficients of a whole aircraft are then taken as in
        attached flow: what limits its airspeeds are the moments of its motors.
    """

    def __init__(self, columns: Mapping[str, Array], turned: bool) -> None:
        self._surfaces = _Surfaces(columns)
        stalls = not turned and not columns["aero_across"].any()
        self._whole = _Whole(columns, stalls) if columns["aero_count"][0] else None
        self._segments = Segments(columns) if columns["segment_count"][0] else None
        self._axes = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]] if turned else np.eye(3), float)
        self.joints = int(columns["joint_count"][0])
        self.travel = rows(columns, "joint", "limit")
        """Range of the positions of the joints [rad], shape (joints, 2)."""
        self._elevator = np.zeros(self.joints)
        self._lift = self.flow(ANGLES).lift

    def trimmed(self, elevator: Array) -> Wings:
        """Return these wings where joints hold the pitching moment, within their travel.

        Parameters
        ----------
        elevator : ndarray, shape (joints,)
            Positions [rad] per moment over the dynamic pressure [1/m^3].
        """
        found = copy(self)
        found._elevator = elevator
        found._lift = found.flow(ANGLES).lift
        return found

    def largest_lift(self, moment: float) -> float:
        """Return the largest lift over the dynamic pressure [m^2] that can be trimmed.

        Parameters
        ----------
        moment : float
            Pitching moment over the dynamic pressure [m^3] of either sign that holds it.
        """
        return float(self._lift[np.abs(self.pitching(ANGLES)) <= moment].max(initial=0.0))

    def pitching(self, alpha: ArrayLike) -> Array:
        """Return pitching moments over the dynamic pressure [m^3] at angles of attack [rad]."""
        return self.wrench(_ahead(alpha))[1][..., 1]

    @property
    def stall_angle(self) -> float:
        """The least angle of attack above 0 [rad] beyond which lift falls, or the largest one."""
        falls = (np.diff(self._lift) < 0.0) & (ANGLES[:-1] >= 0.0)
        return float(ANGLES[falls.argmax() if falls.any() else -1])

    def angle_of(self, lift: ArrayLike) -> Array:
        """Return the least angle of attack [rad] with a lift over the dynamic pressure [m^2]."""
        wanted = np.asarray(lift, np.float64)
        enough = self._lift >= wanted[..., None]
        above = np.where(enough.any(axis=-1), enough.argmax(axis=-1), len(ANGLES) - 1)
        below = np.maximum(above - 1, 0)
        low, high = self._lift[below], self._lift[above]
        rises = high > low
        share = (wanted - low) / np.where(rises, high - low, 1.0)
        share = np.where(rises, np.clip(share, 0.0, 1.0), 1.0)
        found: Array = ANGLES[below] + share * (ANGLES[above] - ANGLES[below])
        return found

    def flow(self, alpha: ArrayLike) -> Flow:
        """Return lift and drag at angles of attack [rad]."""
        velocity = _ahead(alpha)
        cosine, sine = velocity[..., 0], velocity[..., 2]
        force, _ = self.wrench(velocity, angles=self._positions(velocity))
        x, z = force[..., 0], force[..., 2]
        return Flow(x * sine - z * cosine, -x * cosine - z * sine)

    def slope(self) -> tuple[float, float]:
        """Return the slope of the lift by the angle of attack [m^2/rad], the lift at 0 [m^2]."""
        low, high = map(float, self.flow([0.0, 0.1]).lift)
        return (high - low) / 0.1, low

    def wrench(
        self, velocity: Array, rate: ArrayLike = 0.0, angles: ArrayLike = 0.0
    ) -> tuple[Array, Array]:
        """Return forces [m^2] and moments [m^3] over the dynamic pressure at 1 m/s.

        Parameters
        ----------
        velocity : ndarray, shape (..., 3)
            Velocities relative to the air [m/s], forward frame.
        rate : ndarray, shape (..., 3), optional
            Angular velocities [rad/s], forward frame.
        angles : ndarray, shape (..., joints), optional
            Positions of the joints [rad].
        """
        flow = self._turned(velocity, self._axes.T)
        turning = self._turned(np.broadcast_to(rate, flow.shape), self._axes.T)
        joints = np.broadcast_to(angles, (*flow.shape[:-1], self.joints))
        force, moment = self._surfaces.wrench(flow, turning, joints)
        if self._whole is not None:
            more, twist = self._whole.wrench(flow, turning, joints)
            force, moment = force + more, moment + twist
        if self._segments is not None:
            more, twist = self._segments.wrench(flow, turning, joints)
            force, moment = force + more, moment + twist
        return self._turned(force, self._axes), self._turned(moment, self._axes)

    def _positions(self, velocity: Array) -> Array:
        """Return positions of the joints [rad] in steady flight."""
        positions = np.zeros((*velocity.shape[:-1], self.joints))
        if not self._elevator.any():
            return positions
        for _ in range(TRIM_STEPS):
            _, moment = self.wrench(velocity, angles=positions)
            positions = positions - moment[..., 1, None] * self._elevator
            positions = np.clip(positions, *self.travel.T)
        return positions

    @staticmethod
    def _turned(vectors: Array, axes: Array) -> Array:
        return np.asarray(exact.row_sums(axes * vectors[..., None, :]))


def _ahead(alpha: ArrayLike) -> Array:
    """Return velocities of 1 m/s at angles of attack [rad], shape (..., 3)."""
    sine, cosine = exact.sincos(alpha)
    return np.stack([cosine, np.zeros_like(sine), sine], axis=-1)


def _dot(a: Array, b: Array) -> Array:
    """Return the products of vectors along the last axis."""
    return np.asarray(exact.row_sums(a * b))


class _Surfaces:
    """The surfaces of ``csrc/models/lift_drag.h``: each number of shape (surfaces,)."""

    def __init__(self, columns: Mapping[str, Array]) -> None:
        def of(name: str) -> Array:
            return rows(columns, "surface", name)

        self.forward, self.upward, self.position = of("forward"), of("upward"), of("position")
        self.across = np.cross(self.forward, self.upward)
        self.area = of("area")[:, 0] * of("density")[:, 0] / AIR_DENSITY
        self.zero_lift, self.stall = of("zero_lift")[:, 0], of("stall")[:, 0]
        self.lift, self.drag, self.moment = (of(k)[:, 0] for k in ("lift", "drag", "moment"))
        self.lift_stalled, self.drag_stalled = of("lift_stalled")[:, 0], of("drag_stalled")[:, 0]
        joint, count = of("joint")[:, 0], int(columns["joint_count"][0])
        self.moved = (joint >= 0) & (joint < count)
        self.joint = np.where(self.moved, joint, 0).astype(int)
        self.joint_lift, self.joint_moment = of("joint_lift")[:, 0], of("joint_moment")[:, 0]

    def wrench(self, flow: Array, rate: Array, joints: Array) -> tuple[Array, Array]:
        """Return the sums of forces and moments over the dynamic pressure at 1 m/s."""
        local = flow[..., None, :] + np.cross(rate[..., None, :], self.position)
        along, up = _dot(local, self.forward), _dot(local, self.upward)
        plane = np.sqrt(along * along + up * up)
        angle = self.moved * joints[..., self.joint] if joints.shape[-1] else np.zeros_like(along)
        lift, drag, twist = self._coefficients(self.zero_lift + exact.arctan2(-up, along), angle)
        k = np.where(along > 0.0, self.area * plane, 0.0)
        force = (k * (lift * along - drag * up))[..., None] * self.upward
        force -= (k * (lift * up + drag * along))[..., None] * self.forward
        moment = (k * plane * twist)[..., None] * self.across + np.cross(self.position, force)
        return sum_of_parts(force), sum_of_parts(moment)

    def _coefficients(self, alpha: Array, angle: Array) -> tuple[Array, Array, Array]:
        """Return lift, drag and moment at angles of attack and of the joints [rad]."""
        within = np.minimum(np.abs(alpha), self.stall)
        beyond = np.maximum(np.abs(alpha) - self.stall, 0.0)
        sign = np.where(alpha >= 0.0, 1.0, -1.0)
        stalled = np.maximum(self.lift * within + self.lift_stalled * beyond, 0.0)
        lift = sign * np.where(beyond > 0.0, stalled, self.lift * within)
        drag = np.abs(self.drag * within + self.drag_stalled * beyond)
        return (
            lift + self.joint_lift * angle,
            drag,
            (sign * self.moment * within + self.joint_moment * angle),
        )


class _Whole:
    """The coefficients of ``csrc/models/lift_drag_advanced.h``; without `stalls` attached flow."""

    def __init__(self, columns: Mapping[str, Array], stalls: bool) -> None:
        self._c = {name: columns[f"aero_{name}"] for name in _AERO}
        number = {name: float(self._c[name][0]) for name in _NUMBERS}
        self._chord, self._stall = number["chord"], number["stall"]
        self._span = sqrt(number["area"] * number["aspect_ratio"])
        self._induced = 1.0 / (np.pi * number["aspect_ratio"] * number["efficiency"])
        self._area = number["area"] * number["density"] / AIR_DENSITY
        self._stalls = stalls
        self._blend = number["blend"]
        k1, k2 = self._c["flat_plate"]
        ratio = max(number["aspect_ratio"], 1.0 / number["aspect_ratio"])
        self._plate = 2.0 / (1.0 + exact.exp(np.clip(k1 + k2 * ratio, -100.0, 100.0)))
        x, up = self._c["forward"], self._c["upward"]
        self._axes = (x, np.cross(-up, x), -up)

    def wrench(self, flow: Array, rate: Array, joints: Array) -> tuple[Array, Array]:
        """Return forces and moments over the dynamic pressure at 1 m/s."""
        c, (x, y, z) = self._c, self._axes
        flow = flow + np.cross(rate, c["position"])
        u, v, w = (_dot(flow, axis) for axis in self._axes)
        speed = np.sqrt(u * u + w * w)
        alpha = exact.arctan2(w, u)
        if not self._stalls:
            alpha = np.clip(alpha, -self._stall, self._stall)
        within = np.clip(alpha, -self._stall, self._stall)
        stalled, attached = self._stalled(alpha), 1.0 - self._stalled(alpha)
        sine, cosine = w / speed, u / speed
        beta = exact.arctan2(v, u)
        spans = (self._span, self._chord, self._span)
        turning = [
            0.5 * _dot(rate, axis) * length / speed
            for axis, length in zip(self._axes, spans, strict=True)
        ]
        by = c["joint"].reshape(6, -1)[:, : joints.shape[-1]]
        drag, side, lift, roll, pitch, yaw = (_dot(row, joints) for row in by)
        lift = lift + attached * _sum(c["lift"][:2], [1.0, alpha])
        lift = lift + stalled * 2.0 * sine * np.abs(sine) * cosine
        lift = lift + _sum(c["lift"][2:], [beta, *turning])
        drag = drag + attached * (c["drag"][0] + self._induced * lift * lift)
        drag = drag + stalled * self._plate * sine * sine + _sum(c["drag"][1:], turning)
        side = side + _sum(c["side"], [alpha, beta, *turning])
        roll = self._span * (roll + _sum(c["roll"], [alpha, beta, *turning]))
        pitch = pitch + _sum(c["pitch"], [1.0, within, beta, *turning, alpha - within])
        pitch = self._chord * pitch
        yaw = self._span * (yaw + _sum(c["yaw"], [alpha, beta, *turning]))
        k = self._area * speed
        force = _along((x, y, z), (lift * w - drag * u, side * speed, -(lift * u + drag * w)), k)
        moment = _along((x, y, z), (roll, pitch, yaw), k * speed)
        return force, moment + np.cross(c["position"], force)

    def _stalled(self, alpha: Array) -> Array:
        """Return 0 in attached flow to 1 well beyond the stall."""
        if not self._stalls:
            return np.zeros_like(alpha)
        above, below = (
            1.0 / (1.0 + exact.exp(np.clip(self._blend * (self._stall - side), -100.0, 100.0)))
            for side in (alpha, -alpha)
        )
        return np.asarray(above + below - above * below)


_NUMBERS = ("area", "aspect_ratio", "blend", "chord", "efficiency", "stall", "density")

_AERO = (
    *_NUMBERS,
    *"forward upward position lift drag flat_plate side roll pitch yaw joint".split(),
)


def _along(axes: tuple[Array, ...], components: tuple[Array, ...], scale: Array) -> Array:
    """Return vectors by their components along axes, times a scale."""
    each = (part[..., None] * axis for part, axis in zip(components, axes, strict=True))
    return np.asarray(scale[..., None] * sum(each))


def _sum(coefficients: Array, values: list[Any]) -> Any:
    return sum(c * value for c, value in zip(coefficients, values, strict=True))
