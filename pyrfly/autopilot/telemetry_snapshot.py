"""The state of vehicles that telemetry tells of: `TelemetrySnapshot`."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import mavlink, wire
from pyrfly.autopilot.airspeed import airspeed
from pyrfly.autopilot.columns import column
from pyrfly.autopilot.commander import Commander
from pyrfly.ctrl.link.state import LiveState
from pyrfly.protocol.bits import Sensor, Setpoint
from pyrfly.protocol.masks import PositionIgnore
from pyrfly.sim import Sim
from pyrfly.sim.battery_state import Battery, battery
from pyrfly.sim.thrust import normalized_thrust

__all__ = ["TelemetrySnapshot", "whole"]

Array = NDArray[np.float64]
Records = NDArray[Any]

_ACCURACY = (0.3, 0.4)  # m, where no receiver is modelled: as RflySim reports it


class TelemetrySnapshot:
    """The state of all vehicles now; what several messages need is computed once.

    Positions and velocities are those that the autopilot knows: the truth, or the estimate of
    vehicles that fly on it.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    commander : Commander
        Their modes.
    types : ndarray of uint8, shape (n,)
        MAV_TYPE of each.
    unix_time : float
        Time since 1970 [s].
    """

    def __init__(
        self, sim: Sim, commander: Commander, types: NDArray[np.uint8], unix_time: float
    ) -> None:
        self.sim = sim
        self.commander = commander
        self.types = types
        self.unix_time = unix_time
        self._state = LiveState(sim, sim.select(), nullcontext(), estimated=True)

    @cached_property
    def boot_ms(self) -> int:
        """Time since the start [ms], of 32 bits."""
        return round(self.sim.time * 1e3) % 2**32

    @cached_property
    def usec(self) -> int:
        """Time since the start [us]."""
        return round(self.sim.time * 1e6)

    @cached_property
    def pos(self) -> Array:
        """Position [m, NED], shape (n, 3)."""
        return self._state.pos

    @cached_property
    def local(self) -> Array:
        """Position from the local origin [m, NED]."""
        return self.pos - self.origin

    @cached_property
    def vel(self) -> Array:
        """Velocity [m/s, NED], shape (n, 3)."""
        return self._state.vel

    @cached_property
    def att(self) -> Array:
        """Attitude quaternion, shape (n, 4)."""
        return self._state.att

    @cached_property
    def euler(self) -> Array:
        """Roll, pitch, yaw [rad], shape (n, 3)."""
        return self._state.euler

    @cached_property
    def rate(self) -> Array:
        """Angular velocity [rad/s, FRD], shape (n, 3)."""
        return self._state.rate

    @cached_property
    def lla(self) -> Array:
        """Latitude, longitude [deg], height [m], shape (n, 3)."""
        return self.sim.local_frame.to_lla(self.pos)

    @cached_property
    def home_lla(self) -> Array:
        """The same of home."""
        return self.commander.homes.lla()

    @cached_property
    def airspeed(self) -> Array:
        """Calibrated airspeed [m/s], shape (n,)."""
        return airspeed(self.sim, self.vel).calibrated

    @cached_property
    def thrust(self) -> Array:
        """Normalized thrust, shape (n,); see `pyrfly.sim.thrust.normalized_thrust`."""
        thrust = np.zeros(self.sim.n)
        for group, rows, indices in self.sim.select():
            thrust[indices] = normalized_thrust(group, rows)
        return thrust

    @cached_property
    def sensors(self) -> Records:
        """What the sensors measure, as HIL_SENSOR; the truth where there are none."""
        if self.sim.sensors.enabled:
            return wire.pack(self.sim, "HIL_SENSOR")
        imu = np.full(self.sim.n, Sensor.IMU, np.uint32)
        measured = wire.pack(self.sim, "HIL_SENSOR", updated=imu)
        force, rate = self._state.specific_force, self.rate
        for axis, name in enumerate("xyz"):
            measured[f"{name}acc"], measured[f"{name}gyro"] = force[:, axis], rate[:, axis]
        return measured

    def has(self, sensor: Sensor) -> NDArray[np.bool_]:
        """Return whether vehicles have a model of a sensor, shape (n,)."""
        on = column(self.sim, "sensors_on")[:, 0].astype(np.int64)
        return np.asarray(on & int(sensor) != 0)

    @cached_property
    def has_receiver(self) -> NDArray[np.bool_]:
        """Whether vehicles have a model of a satellite receiver, shape (n,)."""
        return self.has(Sensor.GPS)

    @cached_property
    def has_own_imu(self) -> NDArray[np.bool_]:
        """Whether vehicles have a model of an IMU whose samples it makes, shape (n,)."""
        names = "sensors_on", "sensor_sources"
        on, sources = (column(self.sim, name)[:, 0].astype(np.int64) for name in names)
        return np.asarray(on & ~sources & int(Sensor.IMU) != 0)

    @cached_property
    def accuracy(self) -> Array:
        """Accuracy of the position [m], horizontal and vertical, as receivers report it."""
        reported = column(self.sim, "gps_reported_accuracy", 2)
        return np.where(self.has_receiver[:, None], reported, _ACCURACY)

    @cached_property
    def set_points(self) -> SetPoints:
        """The set-points of the controllers."""
        return SetPoints(self.sim)

    @cached_property
    def origin(self) -> Array:
        """Local origin [m, NED], shape (n, 3)."""
        return self.commander.origins.pos

    @cached_property
    def pulses(self) -> Array:
        """Commands to the first 16 actuators as pulses [us], shape (n, 16); 0 where there is none.

        They are 1000 to 2000, of actuators of two directions with 1500 in the middle.
        """
        pulses = np.zeros((self.sim.n, 16))
        for group, rows, indices in self.sim.select():
            values = group.actuator_commands(rows)
            centre = np.where([actuator.one_way for actuator in group.ranges], 1000.0, 1500.0)
            widths = centre + (2000.0 - centre) * np.clip(values, -1.0, 1.0)
            pulses[indices, : widths.shape[1]] = widths[:, :16]
        return pulses

    @cached_property
    def battery(self) -> Battery:
        """The batteries."""
        return battery(self.sim.select())

    def blank(self, name: str) -> Records:
        """Return messages with all fields 0 but the time."""
        records = mavlink.blank(name, self.sim.n)
        names = records.dtype.names or ()
        if "time_boot_ms" in names:
            records["time_boot_ms"] = self.boot_ms
        elif "time_usec" in names:
            records["time_usec"] = self.usec % 2 ** (8 * records.dtype["time_usec"].itemsize)
        return records


class SetPoints:
    """Set-points of the position class, NaN where they are not active.

    Attributes
    ----------
    pos, vel, acc : ndarray, shape (n, 3)
        [m, NED], [m/s, NED], [m/s^2, NED].
    yaw, yaw_rate : ndarray, shape (n,)
        [rad], [rad/s].
    mask : ndarray of uint16, shape (n,)
        POSITION_TARGET_TYPEMASK.
    """

    def __init__(self, sim: Sim) -> None:
        bits = sim.setpoint_mask.astype(np.int64)
        self.mask = np.zeros(sim.n, np.uint16)
        self.pos = self._part(sim, bits, "pos_sp", Setpoint.POSITION, PositionIgnore.POSITION)
        self.vel = self._part(sim, bits, "vel_sp", Setpoint.VELOCITY, PositionIgnore.VELOCITY)
        self.acc = self._part(
            sim, bits, "acc_sp", Setpoint.ACCELERATION, PositionIgnore.ACCELERATION
        )
        self.yaw = self._part(sim, bits, "yaw_sp", Setpoint.YAW, PositionIgnore.YAW)[:, 0]
        self.yaw_rate = self._part(
            sim, bits, "yaw_rate_sp", Setpoint.YAW_RATE, PositionIgnore.YAW_RATE
        )[:, 0]

    def _part(
        self,
        sim: Sim,
        bits: NDArray[np.int64],
        name: str,
        bit: Setpoint,
        ignore: PositionIgnore,
    ) -> Array:
        width = 1 if name.startswith("yaw") else 3
        off = bits & int(bit) == 0
        self.mask[off] |= int(ignore)
        values = column(sim, name, width)
        values[off] = np.nan
        return values


def whole(values: NDArray[Any], kind: type[np.integer[Any]]) -> NDArray[np.float64]:
    """Return numbers rounded and limited to the range of an integer; NaN as 0."""
    limits = np.iinfo(kind)
    return np.asarray(np.clip(np.rint(np.nan_to_num(values)), limits.min, limits.max))
