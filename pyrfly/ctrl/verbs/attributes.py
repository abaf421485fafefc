"""Attributes of RflySim's class that change in flight: state, flags, limits.

``uav...`` is what the autopilot estimates, ``true...`` what the simulator computes. In process
there is no estimator: they are the same. Values of one vehicle are lists and floats as RflySim has
them, of several vehicles arrays with a row for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.arguments import vectors
from pyrfly.ctrl.verbs.controller import Controller

__all__ = ["Attributes"]

Vector = TypeVar("Vector")
Scalar = TypeVar("Scalar")
Flag = TypeVar("Flag")

Array = NDArray[np.float64]

_STANDBY, _ACTIVE = 3, 4  # MAV_STATE


class Attributes(Controller, Generic[Vector, Scalar, Flag]):
    """RflySim's attributes that change in flight.

    ``Vector``, ``Scalar`` and ``Flag`` are the types of a vector, a number and a truth value.
    """

    def _shown(self, values: Array) -> Vector:
        """Return vectors (k, width) as the user gets them."""
        raise NotImplementedError

    def _shown_scalar(self, values: Any) -> Scalar:
        """Return numbers (k,) as the user gets them."""
        raise NotImplementedError

    def _shown_flag(self, values: NDArray[np.bool_]) -> Flag:
        """Return truth values (k,) as the user gets them."""
        raise NotImplementedError

    # --- flags

    @property
    def connected(self) -> bool:
        """Whether ``InitMavLoop`` was called, and ``endMavLoop`` was not."""
        return self._connected

    @property
    def isInOffboard(self) -> bool:
        """Whether set-points are tracked: between ``initOffboard`` and ``endOffboard``."""
        return self._offboard

    @property
    def isArmed(self) -> Flag:
        """Whether the motors may turn."""
        return self._shown_flag(self._link.estimate.armed)

    @property
    def system_status(self) -> Any:
        """MAVLink's MAV_STATE: 3 on standby, 4 when armed; 0 when not `connected`."""
        armed = self._link.estimate.armed
        states = np.where(armed, _ACTIVE, _STANDBY) if self._connected else np.zeros(len(armed))
        return self._shown_scalar(states.astype(np.int64))

    @property
    def MaxSpeed(self) -> Scalar:
        """Maximum horizontal speed that is commanded [m/s]; can be set."""
        return self._shown_scalar(self._link.speed_limit)

    @MaxSpeed.setter
    def MaxSpeed(self, speed: ArrayLike) -> None:
        self._link.limit_speed(self._positive("MaxSpeed", speed, "m/s"))

    @property
    def trueGpsUeCenter(self) -> list[float]:
        """Latitude [deg], longitude [deg] and height [m] of the map centre; can be set.

        In process it is the origin of the `pyrfly.Sim`, and so of all its vehicles.
        """
        frame = self._link.origin
        return [frame.lat, frame.lon, frame.alt]

    @trueGpsUeCenter.setter
    def trueGpsUeCenter(self, lla: Sequence[float]) -> None:
        self._link.set_origin(_lla("trueGpsUeCenter", lla))

    def setGPSOriLLA(self, LonLatAlt: Sequence[float]) -> None:
        """Move the map centre.

        Parameters
        ----------
        LonLatAlt : sequence of float
            Latitude [deg], longitude [deg] and height [m], in this order in spite of the name, as
            in RflySim.
        """
        self._link.set_origin(_lla("LonLatAlt", LonLatAlt))

    # --- estimate

    @property
    def uavTimeStmp(self) -> Scalar:
        """Simulated time [s]."""
        return self._shown_scalar(self._link.estimate.time)

    @property
    def uavAngEular(self) -> Vector:
        """Roll, pitch and yaw [rad]."""
        return self._shown(self._link.estimate.euler)

    @property
    def uavAngRate(self) -> Vector:
        """Angular velocity [rad/s, FRD]."""
        return self._shown(self._link.estimate.rate)

    @property
    def uavAngQuatern(self) -> Vector:
        """Attitude quaternion, scalar first, FRD to NED."""
        return self._shown(self._link.estimate.att)

    @property
    def uavPosNED(self) -> Vector:
        """Position relative to the take-off point [m, NED]."""
        return self._shown(self._link.estimate.local)

    @property
    def uavVelNED(self) -> Vector:
        """Ground velocity [m/s, NED]."""
        return self._shown(self._link.estimate.vel)

    @property
    def uavGlobalPos(self) -> Vector:
        """Position relative to the map centre [m, NED]."""
        return self._shown(self._link.estimate.pos)

    @property
    def GpsOriOffset(self) -> Vector:
        """Take-off point relative to the map centre [m, NED]."""
        return self._shown(self._link.estimate.home)

    @property
    def uavPosGPS(self) -> Vector:
        """Position, time and velocity in nine values.

        Latitude [deg], longitude [deg], height [m], time [s], height above the take-off point [m],
        velocity [m/s, NED] (3 values) and heading [rad, -pi to pi].
        """
        state = self._link.estimate
        columns = (state.time, -state.local[:, 2], *state.vel.T, state.euler[:, 2])
        rest = np.stack(columns, axis=-1)
        return self._shown(np.concatenate([state.lla, rest], axis=-1))

    @property
    def uavPosGPSHome(self) -> Vector:
        """Latitude [deg], longitude [deg] and height [m] of the take-off point."""
        return self._shown(self._link.estimate.home_lla)

    @property
    def uavMotorRPMS(self) -> Vector:
        """Speeds of the first eight rotors [1/min]; 0 where there is none."""
        return self._shown(self._link.estimate.rpm)

    @property
    def uavAccB(self) -> Vector:
        """Specific force [m/s^2, FRD]."""
        return self._shown(self._link.estimate.specific_force)

    @property
    def uavGyro(self) -> Vector:
        """Angular velocity, as a gyroscope measures it [rad/s, FRD]."""
        return self._shown(self._link.estimate.rate)

    @property
    def uavThrust(self) -> Scalar:
        """Normalized collective thrust command, 0 to 1; 0 when disarmed."""
        return self._shown_scalar(self._link.estimate.thrust)

    # --- truth

    @property
    def trueTimeStmp(self) -> Scalar:
        """Simulated time [s]."""
        return self._shown_scalar(self._link.truth.time)

    @property
    def trueAngEular(self) -> Vector:
        """Roll, pitch and yaw [rad]."""
        return self._shown(self._link.truth.euler)

    @property
    def trueAngRate(self) -> Vector:
        """Angular velocity [rad/s, FRD]."""
        return self._shown(self._link.truth.rate)

    @property
    def trueAngQuatern(self) -> Vector:
        """Attitude quaternion, scalar first, FRD to NED."""
        return self._shown(self._link.truth.att)

    @property
    def truePosNED(self) -> Vector:
        """Position relative to the map centre [m, NED]."""
        return self._shown(self._link.truth.pos)

    @property
    def trueVelNED(self) -> Vector:
        """Ground velocity [m/s, NED]."""
        return self._shown(self._link.truth.vel)

    @property
    def truePosGPS(self) -> Vector:
        """Latitude [deg], longitude [deg] and height [m]."""
        return self._shown(self._link.truth.lla)

    @property
    def trueMotorRPMS(self) -> Vector:
        """Speeds of the first eight rotors [1/min]; 0 where there is none."""
        return self._shown(self._link.truth.rpm)

    @property
    def trueAccB(self) -> Vector:
        """Acceleration relative to the ground [m/s^2, FRD]."""
        return self._shown(self._link.truth.accel)


def _lla(name: str, lla: Sequence[float]) -> list[float]:
    """Return latitude [deg], longitude [deg] and height [m] as three finite numbers."""
    position: list[float] = vectors(name, lla, "deg, deg, m", None, (3,))[0].tolist()
    return position
