"""The flat-plate segments of a vehicle of blocks in attached flow.

The law of ``csrc/models/plate_segment.h``, whose coefficients are kept beyond the stall angle.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core, exact
from pyrfly.vehicles.constants import AIR_DENSITY
from pyrfly.vehicles.gazebo_blocks.parts import rows, sum_of_parts

__all__ = ["Segments"]

Array = NDArray[np.float64]

_VORTEX = pi
_PLATE = _core.limits()
_DRAG, _MOMENT, _WHOLE = (_PLATE[f"plate_{name}"] for name in ("drag", "moment", "whole"))
_FLAP = _PLATE["plate_flap"]


class Segments:
    """The segments of a vehicle: each number of shape (segments,).

    Parameters
    ----------
    columns : mapping of str to ndarray
        Its parameter columns.
    """

    def __init__(self, columns: Mapping[str, Array]) -> None:
        def of(name: str) -> Array:
            return rows(columns, "segment", name)

        self.forward, self.upward, self.position = of("forward"), of("upward"), of("position")
        self.across = np.cross(self.forward, self.upward)
        self.density, self.area = of("density")[:, 0], of("area")[:, 0]
        self.chord, self.stall, self.zero_lift = (
            of(name)[:, 0] for name in ("chord", "stall", "zero_lift")
        )
        ratio, flap = of("aspect_ratio")[:, 0], of("flap")[:, 0]
        self.slope = of("lift")[:, 0] / (1.0 + 2.0 * (ratio + 4.0) / (ratio * (ratio + 2.0)))
        self.whole = flap >= _WHOLE
        hinge = pi / 2.0 - exact.arcsin(2.0 * flap - 1.0)
        self.flap_slope = self.slope * (1.0 - (hinge - 2.0 * np.sqrt(flap * (1.0 - flap))) / pi)
        joint, joints = of("joint")[:, 0], int(columns["joint_count"][0])
        self.moved = (joint >= 0) & (joint < joints)
        self.joint = np.where(self.moved, joint, 0).astype(int)
        self.joint_gain = of("joint_gain")[:, 0] * self.moved
        motor, motors = of("motor")[:, 0], int(columns["motor_count"][0])
        disk = of("disk")[:, 0]
        self.blown = (motor >= 0) & (motor < motors) & (disk > 0.0)
        self.motor = np.where(self.blown, motor, 0).astype(int)
        disk_area = np.where(self.blown, pi * disk * disk, 1.0)
        self.jet = 2.0 * self.blown / (self.density * disk_area)

    def wrench(
        self, flow: Array, rate: Array, joints: Array, thrusts: Array | None = None
    ) -> tuple[Array, Array]:
        """Return the sums of forces [m^2] and moments [m^3] over the dynamic pressure at 1 m/s.

        Parameters
        ----------
        flow, rate : ndarray, shape (..., 3)
            Velocities relative to the air [m/s], angular velocities [rad/s], of the body.
        joints : ndarray, shape (..., joints)
            Positions of the joints [rad].
        thrusts : ndarray, shape (motors,), optional
            Thrusts of the motors that act [N], which blow over segments.
        """
        local = flow[..., None, :] + np.cross(rate[..., None, :], self.position)
        along = np.asarray(exact.row_sums(local * self.forward))
        down = -np.asarray(exact.row_sums(local * self.upward))
        if thrusts is not None and len(thrusts):
            inflow = np.maximum(along, 0.0)
            along = along + np.sqrt(inflow * inflow + self.jet * thrusts[self.motor]) - inflow
        angle = joints[..., self.joint] if joints.shape[-1] else np.zeros_like(along)
        alpha = exact.arctan2(down, along) - self.zero_lift
        lift, drag, twist = self._coefficients(alpha, self.joint_gain * angle)
        speed = np.sqrt(along * along + down * down)
        k = self.area * self.density / AIR_DENSITY * speed
        force = (k * (lift * down - drag * along))[..., None] * self.forward
        force = force + (k * (lift * along + drag * down))[..., None] * self.upward
        moment = (k * speed * self.chord * twist)[..., None] * self.across
        moment = moment + np.cross(self.position, force)
        return sum_of_parts(force), sum_of_parts(moment)

    def _coefficients(self, alpha: Array, angle: Array) -> tuple[Array, Array, Array]:
        """Return lift, drag and moment at angles of attack and of the flaps [rad]."""
        size = np.abs(angle)
        a, b, c = _FLAP
        more = self.flap_slope * ((a * size - b) * size + c) * size
        zero = (np.sqrt(self.slope * self.slope + 4.0 * _VORTEX * more) - self.slope) / (
            2.0 * _VORTEX
        )
        shift = np.where(self.whole, angle, np.where(angle < 0.0, -zero, zero))
        sine, cosine = exact.sincos(np.clip(alpha + shift, -self.stall, self.stall))
        along = self.slope * cosine + _VORTEX * np.abs(sine)
        drag = _DRAG + np.abs(sine * sine * along)
        return sine * cosine * along, drag, -_MOMENT * _VORTEX * np.abs(sine) * sine
