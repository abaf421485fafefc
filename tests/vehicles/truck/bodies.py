"""A tractor with a trailer derived anew: Lagrange's equations in global coordinates.

The coordinates are q = (x, y, heading of the tractor, heading of the trailer), x and y of the
tractor's centre of mass. A point at the distance d behind the hitch has the position and the
Jacobian

    P = (x, y) - c e(psi) - d e(theta),      J = [I, -c n(psi), -d n(theta)],

with e = (cos, sin) and n = (-sin, cos), so that the kinetic energy has the matrix M = sum J^T m J
and M q'' = sum J^T (F - m J' q'). It shares no equation with the model, which has the force of the
hitch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def direction(angle: float) -> Array:
    return np.array([np.cos(angle), np.sin(angle)])


def normal(angle: float) -> Array:
    return np.array([-np.sin(angle), np.cos(angle)])


@dataclass(frozen=True)
class Bodies:
    """The numbers of both bodies, of the columns of a set."""

    columns: Mapping[str, Array]

    def number(self, name: str) -> float:
        return float(self.columns[name][0])

    @property
    def masses(self) -> tuple[float, float]:
        trailer = self.number("trailer_mass")
        return self.number("mass") - trailer, trailer

    @property
    def hitch(self) -> float:
        return self.number("rear_axle") + self.number("hitch_offset")

    def loads(self) -> Array:
        """Static loads of the axles [N]: moments about the trailer's axle, then the front one."""
        gravity, (tractor, trailer) = self.number("gravity"), self.masses
        length, centre = self.number("trailer_wheelbase"), self.number("trailer_centre")
        at_hitch = trailer * gravity * (length - centre) / length
        front, rear = self.number("front_axle"), self.number("rear_axle")
        at_rear = (tractor * gravity * front + at_hitch * (front + self.hitch)) / (front + rear)
        at_trailer = trailer * gravity - at_hitch
        return np.array([(tractor + trailer) * gravity - at_rear - at_trailer, at_rear, at_trailer])

    def jacobian(self, psi: float, theta: float, ahead: float, behind: float | None) -> Array:
        """Of a point ahead of the tractor's centre of mass, or behind the hitch."""
        found = np.zeros((2, 4))
        found[:, :2] = np.eye(2)
        found[:, 2] = (ahead if behind is None else -self.hitch) * normal(psi)
        if behind is not None:
            found[:, 3] = -behind * normal(theta)
        return found

    def accelerations(self, q: Array, rates: Array, steering: float) -> Array:
        """q'' by linear tyres without forces along the wheels."""
        psi, theta = q[2], q[3]
        centre, length = self.number("trailer_centre"), self.number("trailer_wheelbase")
        tractor = self.jacobian(psi, theta, 0.0, None)
        trailer = self.jacobian(psi, theta, 0.0, centre)
        masses = self.masses
        inertia = np.diag([0, 0, self.number("yaw_inertia"), self.number("trailer_inertia")])
        mass = masses[0] * tractor.T @ tractor + masses[1] * trailer.T @ trailer + inertia
        bend = (
            self.hitch * direction(psi) * rates[2] ** 2 + centre * direction(theta) * rates[3] ** 2
        )
        force = -masses[1] * trailer.T @ bend
        stiffness = self.columns["cornering_coef"] * self.loads()
        axles = (
            (self.jacobian(psi, theta, self.number("front_axle"), None), psi + steering),
            (self.jacobian(psi, theta, -self.number("rear_axle"), None), psi),
            (self.jacobian(psi, theta, 0.0, length), theta),
        )
        for (at, heading), slope in zip(axles, stiffness, strict=True):
            velocity = at @ rates
            slip = (velocity @ normal(heading)) / abs(velocity @ direction(heading))
            force = force + at.T @ (-slope * slip * normal(heading))
        return np.linalg.solve(mass, force)

    def lateral_matrix(self, speed: float) -> Array:
        """The state matrix of (w, r, h, h') straight ahead at a speed, by central differences.

        w is the velocity across the tractor, so w' = y'' - u r, and h = theta - psi.
        """

        def slope(x: Array) -> Array:
            w, r, h, rate = x
            q, rates = np.array([0, 0, 0, h]), np.array([speed, w, r, r + rate])
            found = self.accelerations(q, rates, 0.0)
            return np.array([found[1] - speed * r, found[2], rate, found[3] - found[2]])

        step = 1e-6
        return np.stack([(slope(step * e) - slope(-step * e)) / (2 * step) for e in np.eye(4)], 1)

    def energy(self, q: Array, rates: Array) -> float:
        """Kinetic energy [J]."""
        return float(0.5 * rates @ self._mass(q) @ rates)

    def momentum(self, q: Array, rates: Array) -> Array:
        """Momentum [N s, north and east] and angular momentum about the origin [N m s]."""
        linear = (self._mass(q) @ rates)[:2]
        turning = 0.0
        for mass, inertia, at, place, spin in self._parts(q, rates):
            velocity = at @ rates
            turning += mass * (place[0] * velocity[1] - place[1] * velocity[0]) + inertia * spin
        return np.array([*linear, turning])

    def _parts(self, q: Array, rates: Array) -> list[tuple[float, float, Array, Array, float]]:
        centre = self.number("trailer_centre")
        tractor = self.jacobian(q[2], q[3], 0.0, None)
        trailer = self.jacobian(q[2], q[3], 0.0, centre)
        behind = q[:2] - self.hitch * direction(q[2]) - centre * direction(q[3])
        return [
            (self.masses[0], self.number("yaw_inertia"), tractor, q[:2], rates[2]),
            (self.masses[1], self.number("trailer_inertia"), trailer, behind, rates[3]),
        ]

    def _mass(self, q: Array) -> Array:
        found = np.diag([0, 0, self.number("yaw_inertia"), self.number("trailer_inertia")])
        for mass, _, at, _, _ in self._parts(q, np.zeros(4)):
            found = found + mass * at.T @ at
        return found
