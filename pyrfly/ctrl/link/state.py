"""What is known of vehicles: straight from the simulation, or as heard from a link."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pyrfly.ctrl.link.vehicles import MOTORS, Vehicles

__all__ = ["HeardState", "LiveState", "State"]

Array = NDArray[np.float64]


class State(Protocol):
    """State of k vehicles; arrays have k rows. Quaternions are scalar first, FRD to NED."""

    @property
    def time(self) -> Array:
        """Simulated time [s], shape (k,)."""

    @property
    def local(self) -> Array:
        """Position relative to the take-off point [m, NED], shape (k, 3)."""

    @property
    def pos(self) -> Array:
        """Position relative to the map centre [m, NED], shape (k, 3)."""

    @property
    def home(self) -> Array:
        """Take-off point relative to the map centre [m, NED], shape (k, 3)."""

    @property
    def vel(self) -> Array:
        """Velocity over ground [m/s, NED], shape (k, 3)."""

    @property
    def att(self) -> Array:
        """Attitude quaternion, shape (k, 4)."""

    @property
    def euler(self) -> Array:
        """Roll, pitch, yaw [rad], shape (k, 3)."""

    @property
    def rate(self) -> Array:
        """Body rates [rad/s, FRD], shape (k, 3)."""

    @property
    def accel(self) -> Array:
        """Acceleration over ground [m/s^2, FRD], shape (k, 3)."""

    @property
    def specific_force(self) -> Array:
        """Acceleration less gravity [m/s^2, FRD], shape (k, 3)."""

    @property
    def rpm(self) -> Array:
        """Speeds of eight rotors or wheels [1/min], shape (k, 8)."""

    @property
    def lla(self) -> Array:
        """Latitude [deg], longitude [deg], height [m], shape (k, 3)."""

    @property
    def home_lla(self) -> Array:
        """The same of the take-off point, shape (k, 3)."""

    @property
    def armed(self) -> NDArray[np.bool_]:
        """Whether the motors may turn, shape (k,)."""

    @property
    def thrust(self) -> Array:
        """Collective thrust asked for as a share of the largest, shape (k,).

        0 when disarmed, and of vehicles without.
        """


class LiveState:
    """The `State` of vehicles of a `pyrfly.Sim`, read when asked for."""

    def __init__(self, vehicles: Vehicles) -> None:
        self._vehicles = vehicles

    @property
    def time(self) -> Array:
        """See `State.time`."""
        return np.full(self._vehicles.k, self._vehicles.sim.time)

    @property
    def local(self) -> Array:
        """See `State.local`."""
        return self.pos - self.home

    @property
    def pos(self) -> Array:
        """See `State.pos`."""
        return self._vehicles.read("pos")

    @property
    def home(self) -> Array:
        """See `State.home`."""
        return self._vehicles.read("home")

    @property
    def vel(self) -> Array:
        """See `State.vel`."""
        return self._vehicles.read("vel")

    @property
    def att(self) -> Array:
        """See `State.att`."""
        return self._vehicles.read("att")

    @property
    def euler(self) -> Array:
        """See `State.euler`."""
        return self._vehicles.read("euler")

    @property
    def rate(self) -> Array:
        """See `State.rate`."""
        return self._vehicles.read("rate")

    @property
    def accel(self) -> Array:
        """See `State.accel`."""
        return self._vehicles.read("accel")

    @property
    def specific_force(self) -> Array:
        """See `State.specific_force`."""
        return self._vehicles.read("specific_force")

    @property
    def rpm(self) -> Array:
        """See `State.rpm`."""
        return self._vehicles.rpm()

    @property
    def lla(self) -> Array:
        """See `State.lla`."""
        return self._vehicles.sim.local_frame.to_lla(self.pos)

    @property
    def home_lla(self) -> Array:
        """See `State.home_lla`."""
        return self._vehicles.sim.local_frame.to_lla(self.home)

    @property
    def armed(self) -> NDArray[np.bool_]:
        """See `State.armed`."""
        armed: NDArray[np.bool_] = self._vehicles.read("armed") != 0
        return armed

    @property
    def thrust(self) -> Array:
        """See `State.thrust`."""
        return np.where(self.armed, self._vehicles.thrust(), 0.0)


class HeardState:
    """The `State` of one vehicle as last heard; zeros until then.

    Attributes
    ----------
    time, local, pos, home, vel, att, euler, rate, accel, specific_force, rpm, lla, home_lla, thrust
        As in `State`, float64.
    armed : ndarray of bool, shape (1,)
        As in `State`.
    """

    def __init__(self) -> None:
        self.time, self.thrust = np.zeros(1), np.zeros(1)
        self.local, self.pos, self.home = np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((1, 3))
        self.vel, self.euler, self.rate = np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((1, 3))
        self.accel, self.specific_force = np.zeros((1, 3)), np.zeros((1, 3))
        self.lla, self.home_lla = np.zeros((1, 3)), np.zeros((1, 3))
        self.att, self.rpm = np.zeros((1, 4)), np.zeros((1, MOTORS))
        self.armed = np.zeros(1, dtype=np.bool_)
