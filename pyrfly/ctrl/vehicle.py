"""One vehicle of a `pyrfly.Sim`: a row of its columns."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pyrfly.sim import Group, Sim

__all__ = ["Vehicle", "quaternion_of_euler"]


def quaternion_of_euler(roll: float, pitch: float, yaw: float) -> tuple[float, float, float, float]:
    """Return the attitude, scalar first and FRD to NED, of Z-Y-X Euler angles [rad]."""
    cr, sr = math.cos(roll / 2), math.sin(roll / 2)
    cp, sp = math.cos(pitch / 2), math.sin(pitch / 2)
    cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )


class Vehicle:
    """A vehicle, read and commanded through its row of the columns.

    Parameters
    ----------
    sim : Sim
        The world it is in.
    copter_id : int
        Which vehicle, 1 to ``sim.n``.

    Attributes
    ----------
    sim, copter_id
        As given.
    group : Group
        The vehicles of its kind.
    row : int
        Its row in the columns of the group.
    """

    def __init__(self, sim: Sim, copter_id: int) -> None:
        self.sim = sim
        self.copter_id = copter_id
        self.group: Group = next(g for g in sim.groups if copter_id < g.first_id + g.n)
        self.row = copter_id - self.group.first_id

    def values(self, column: str) -> list[float]:
        """Return the vehicle's values of a column of width 2 or more."""
        values: list[float] = getattr(self.group, column)[self.row].tolist()
        return values

    def value(self, column: str) -> float:
        """Return the vehicle's value of a column of width 1."""
        return float(getattr(self.group, column)[self.row])

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.sim.time

    @property
    def armed(self) -> bool:
        """Whether the motors may turn."""
        return self.value("armed") != 0

    @property
    def height(self) -> float:
        """Height above the ground below [m]."""
        return self.value("terrain") - self.values("pos")[2]

    @property
    def down_cosine(self) -> float:
        """Cosine of the angle between the body's down axis and the vertical."""
        _, x, y, _ = self.values("att")
        return 1.0 - 2.0 * (x * x + y * y)

    @property
    def heading(self) -> float:
        """Yaw of the attitude [rad], -pi to pi."""
        w, x, y, z = self.values("att")
        return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))

    def arm(self, on: bool) -> None:
        """Allow the motors to turn, or stop them."""
        self.sim.arm(on, ids=self.copter_id)

    def command(self, mask: int, **columns: float | Sequence[float]) -> None:
        """Write set-point columns and which of them hold, as bits of `pyrfly.Setpoint`."""
        for name, value in columns.items():
            getattr(self.group, name)[self.row] = value
        self.group.setpoint_mask[self.row] = mask
