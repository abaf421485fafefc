"""State of vehicles: read from the simulation, or as received over a network."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pyrfly.frames import euler_of_quaternion
from pyrfly.sim import Selection, Sim
from pyrfly.sim.battery_state import battery
from pyrfly.sim.known_state import KnownState
from pyrfly.sim.thrust import normalized_thrust
from pyrfly.sim.vibration import vibration

__all__ = ["LiveInstruments", "LiveState", "Lock", "ReceivedState", "State"]

Array = NDArray[np.float64]
Lock = AbstractContextManager[Any]

ROTORS = 8  # of RflySim's MotorRPMS
_STANDBY, _ACTIVE = 3, 4  # MAV_STATE
_GAUSS = 1e4  # in a tesla


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
        """Ground velocity [m/s, NED], shape (k, 3)."""

    @property
    def att(self) -> Array:
        """Attitude quaternion, shape (k, 4)."""

    @property
    def euler(self) -> Array:
        """Roll, pitch, yaw [rad], shape (k, 3)."""

    @property
    def rate(self) -> Array:
        """Angular velocity [rad/s, FRD], shape (k, 3)."""

    @property
    def accel(self) -> Array:
        """Acceleration relative to the ground [m/s^2, FRD], shape (k, 3)."""

    @property
    def specific_force(self) -> Array:
        """Specific force [m/s^2, FRD], shape (k, 3)."""

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
    def vehicle_type(self) -> NDArray[np.int64]:
        """RflySim's ``uavType``, shape (k,)."""

    @property
    def armed(self) -> NDArray[np.bool_]:
        """Whether the motors may turn, shape (k,)."""

    @property
    def thrust(self) -> Array:
        """Normalized collective thrust command, of planes the throttle, shape (k,).

        0 when disarmed, and of vehicles without.
        """

    @property
    def gps(self) -> Array:
        """Position, time and velocity in nine values, shape (k, 9).

        Latitude [deg], longitude [deg], height [m], time [s], height above the take-off point [m],
        velocity [m/s, NED] (3 values) and heading [rad, -pi to pi].
        """

    @property
    def gyro(self) -> Array:
        """Angular velocity, as a gyroscope measures it [rad/s, FRD], shape (k, 3)."""

    @property
    def mav_state(self) -> NDArray[np.int64]:
        """MAVLink's MAV_STATE, shape (k,)."""


class _Derived:
    """What follows from the other quantities of a `State`."""

    @property
    def gps(self: State) -> Array:
        """See `State.gps`."""
        columns = (self.time, -self.local[:, 2], *self.vel.T, self.euler[:, 2])
        return np.concatenate([self.lla, np.stack(columns, axis=-1)], axis=-1)

    @property
    def gyro(self: State) -> Array:
        """See `State.gyro`."""
        return self.rate

    @property
    def mav_state(self: State) -> NDArray[np.int64]:
        """See `State.mav_state`: on standby or active."""
        return np.where(self.armed, _ACTIVE, _STANDBY).astype(np.int64)


class LiveState(_Derived):
    """The `State` of vehicles of a `pyrfly.Sim`, read when needed.

    Parameters
    ----------
    sim : Sim
        The simulation.
    vehicles : Selection
        Of its vehicles, in the order of the rows.
    lock : context manager
        Held while columns are read.
    estimated : bool
        Whether to read the estimate of vehicles that fly on it.
    """

    def __init__(
        self, sim: Sim, vehicles: Selection, lock: Lock, *, estimated: bool = False
    ) -> None:
        self._sim = sim
        self._vehicles = vehicles
        self._lock = lock
        self._estimated = estimated
        self._motion = KnownState(self._read, sim.groups).read if estimated else self._read

    def _read(self, column: str) -> Array:
        with self._lock:
            return self._vehicles.read(column).astype(np.float64, copy=False)

    @property
    def time(self) -> Array:
        """See `State.time`."""
        return np.full(len(self._vehicles), self._sim.time)

    @property
    def local(self) -> Array:
        """See `State.local`."""
        return self.pos - self.home

    @property
    def pos(self) -> Array:
        """See `State.pos`."""
        return self._motion("pos")

    @property
    def home(self) -> Array:
        """See `State.home`."""
        return self._read("home")

    @property
    def vel(self) -> Array:
        """See `State.vel`."""
        return self._motion("vel")

    @property
    def att(self) -> Array:
        """See `State.att`."""
        return self._motion("att")

    @property
    def euler(self) -> Array:
        """See `State.euler`."""
        if self._estimated and self._sim.estimator.enabled:
            return euler_of_quaternion(self.att)
        return self._read("euler")

    @property
    def rate(self) -> Array:
        """See `State.rate`."""
        return self._motion("rate")

    @property
    def accel(self) -> Array:
        """See `State.accel`."""
        return self._read("accel")

    @property
    def specific_force(self) -> Array:
        """See `State.specific_force`."""
        return self._read("specific_force")

    @property
    def rpm(self) -> Array:
        """See `State.rpm`."""
        return self._read("displayed_actuators")

    @property
    def lla(self) -> Array:
        """See `State.lla`."""
        return self._sim.local_frame.to_lla(self.pos)

    @property
    def home_lla(self) -> Array:
        """See `State.home_lla`."""
        return self._sim.local_frame.to_lla(self.home)

    @property
    def vehicle_type(self) -> NDArray[np.int64]:
        """See `State.vehicle_type`."""
        types = np.zeros(len(self._vehicles), np.int64)
        for group, _, indices in self._vehicles:
            types[indices] = group.uav_type
        return types

    @property
    def armed(self) -> NDArray[np.bool_]:
        """See `State.armed`."""
        armed: NDArray[np.bool_] = self._read("armed") != 0
        return armed

    @property
    def thrust(self) -> Array:
        """See `State.thrust`."""
        normalized = np.zeros(len(self._vehicles))
        with self._lock:
            for group, rows, indices in self._vehicles:
                normalized[indices] = normalized_thrust(group, rows)
        return normalized


class LiveInstruments:
    """What an autopilot measures besides the `State`, of vehicles of a `pyrfly.Sim`.

    Parameters
    ----------
    vehicles : Selection
        The vehicles, in the order of the rows.
    lock : context manager
        Held while columns are read.
    """

    def __init__(self, vehicles: Selection, lock: Lock) -> None:
        self._vehicles = vehicles
        self._lock = lock

    @property
    def vibration(self) -> Array:
        """See `pyrfly.sim.vibration.vibration`, shape (k, 3)."""
        with self._lock:
            return vibration(self._vehicles)

    @property
    def battery(self) -> Array:
        """Remaining charge [%] and voltage [mV], shape (k, 2)."""
        with self._lock:
            supplied = battery(self._vehicles)
        return np.stack([supplied.charge * 100.0, np.rint(supplied.volts * 1e3)], axis=-1)

    @property
    def magnetic(self) -> Array:
        """Magnetic field [gauss, FRD], shape (k, 3); 0 where the environment has none."""
        field = np.zeros((len(self._vehicles), 3))
        with self._lock:
            att = self._vehicles.read("att").astype(np.float64)
            for group, rows, indices in self._vehicles:
                if any(known.name == "magnetic_field" for known in group.fields):
                    field[indices] = group.view("magnetic_field")[rows]
        return _in_body(field, att) * _GAUSS


def _in_body(vectors: Array, att: Array) -> Array:
    """Return vectors (k, 3), NED to FRD, by v - 2 w (u x v) + 2 u x (u x v) of (w, u)."""
    axis, scalar = att[:, 1:], att[:, :1]
    twice = 2.0 * np.cross(axis, vectors)
    return np.asarray(vectors - scalar * twice + np.cross(axis, twice))


class ReceivedState(_Derived):
    """The `State` of one vehicle as received last; zeros until then.

    Attributes
    ----------
    time, local, pos, home, vel, att, euler, rate, accel, specific_force, rpm, lla, home_lla, thrust
        As in `State`, float64.
    armed : ndarray of bool, shape (1,)
    vehicle_type : ndarray of int64, shape (1,)
        As in `State`.
    """

    def __init__(self) -> None:
        self.time, self.thrust = np.zeros(1), np.zeros(1)
        self.local, self.pos, self.home = np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((1, 3))
        self.vel, self.euler, self.rate = np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((1, 3))
        self.accel, self.specific_force = np.zeros((1, 3)), np.zeros((1, 3))
        self.lla, self.home_lla = np.zeros((1, 3)), np.zeros((1, 3))
        self.att, self.rpm = np.zeros((1, 4)), np.zeros((1, ROTORS))
        self.armed = np.zeros(1, dtype=np.bool_)
        self.vehicle_type = np.zeros(1, dtype=np.int64)
