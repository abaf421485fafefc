"""Attributes of RflySim's class that change in flight: state, flags, limits.

``uav...`` is what the autopilot estimates, ``true...`` what the simulator computes. In process
they are the same, unless a vehicle flies on an estimate (`Sim.estimator`). Values of one vehicle
are lists and floats as RflySim has them, of several vehicles arrays with a row for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.arguments import vectors
from pyrfly.ctrl.methods.controller import Controller

__all__ = ["Attributes"]

Vector = TypeVar("Vector", covariant=True)
Scalar = TypeVar("Scalar", covariant=True)
Flag = TypeVar("Flag", covariant=True)
Value = TypeVar("Value")

Array = NDArray[np.float64]


class _Attribute:
    """Base of attributes with a function that reads the values of all vehicles."""

    def __init__(self, read: Callable[[Any], NDArray[Any]]) -> None:
        self.read = read
        self.__doc__ = read.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __set__(self, obj: Attributes[Any, Any, Any], value: object) -> None:
        obj._write(self.name, value)

    def _value(
        self, obj: Attributes[Any, Any, Any], shown: Callable[[NDArray[Any]], Value]
    ) -> Value:
        """Return what the user wrote, or else what is read as the user gets it."""
        if self.name in obj._written:
            written: Value = obj._written[self.name]
            return written
        return shown(self.read(obj))


class vector(_Attribute):
    """Attribute that is a vector of each vehicle."""

    @overload
    def __get__(self, obj: None, owner: type) -> vector: ...
    @overload
    def __get__(self, obj: Attributes[Vector, Any, Any], owner: type) -> Vector: ...
    def __get__(self, obj: Attributes[Vector, Any, Any] | None, owner: type) -> vector | Vector:
        return self if obj is None else self._value(obj, partial(obj._shown, self.name))


class scalar(_Attribute):
    """Attribute that is a number of each vehicle."""

    @overload
    def __get__(self, obj: None, owner: type) -> scalar: ...
    @overload
    def __get__(self, obj: Attributes[Any, Scalar, Any], owner: type) -> Scalar: ...
    def __get__(self, obj: Attributes[Any, Scalar, Any] | None, owner: type) -> scalar | Scalar:
        return self if obj is None else self._value(obj, obj._shown_scalar)


class flag(_Attribute):
    """Attribute that is a truth value of each vehicle."""

    @overload
    def __get__(self, obj: None, owner: type) -> flag: ...
    @overload
    def __get__(self, obj: Attributes[Any, Any, Flag], owner: type) -> Flag: ...
    def __get__(self, obj: Attributes[Any, Any, Flag] | None, owner: type) -> flag | Flag:
        return self if obj is None else self._value(obj, obj._shown_flag)


class Attributes(Controller, Generic[Vector, Scalar, Flag]):
    """RflySim's attributes that change in flight.

    ``Vector``, ``Scalar`` and ``Flag`` are the types of a vector, a number and a truth value.
    """

    def __init__(self) -> None:
        super().__init__()
        self._written: dict[str, Any] = {}  # by the user, until the next state arrives

    def _write(self, name: str, value: object) -> None:
        """Set an attribute for the user."""
        raise AttributeError(f"{name}: this attribute cannot be set")

    def _shown(self, name: str, values: Array) -> Vector:
        """Return vectors (k, width), those of an attribute, as the user gets them."""
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
        """Whether set-points are tracked: between ``initOffboard`` and ``endOffboard``.

        Can be set: False ends tracking, so that the vehicle holds its position.
        """
        return self._offboard

    @isInOffboard.setter
    def isInOffboard(self, on: bool) -> None:
        if self._offboard and not on:
            self._link.track(False)
        self._offboard = bool(on)

    @flag
    def isArmed(self) -> NDArray[np.bool_]:
        """Whether the motors may turn."""
        return self._link.estimate.armed

    @scalar
    def system_status(self) -> NDArray[np.int64]:
        """MAVLink's MAV_STATE: 3 on standby, 4 when armed; 0 when not `connected`.

        In MAVLink modes that of the vehicle's HEARTBEAT, for example 5 in a failsafe.
        """
        states = self._link.estimate.mav_state
        return states if self._connected else np.zeros_like(states)

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

    @scalar
    def uavTimeStmp(self) -> Array:
        """Simulated time [s]."""
        return self._link.estimate.time

    @vector
    def uavAngEular(self) -> Array:
        """Roll, pitch and yaw [rad]."""
        return self._link.estimate.euler

    @vector
    def uavAngRate(self) -> Array:
        """Angular velocity [rad/s, FRD]."""
        return self._link.estimate.rate

    @vector
    def uavAngQuatern(self) -> Array:
        """Attitude quaternion, scalar first, FRD to NED."""
        return self._link.estimate.att

    @vector
    def uavPosNED(self) -> Array:
        """Position relative to the take-off point [m, NED]."""
        return self._link.estimate.local

    @vector
    def uavVelNED(self) -> Array:
        """Ground velocity [m/s, NED]."""
        return self._link.estimate.vel

    @vector
    def uavGlobalPos(self) -> Array:
        """Position relative to the map centre [m, NED]."""
        return self._link.estimate.pos

    @vector
    def GpsOriOffset(self) -> Array:
        """Take-off point relative to the map centre [m, NED]."""
        return self._link.estimate.home

    @vector
    def uavPosGPS(self) -> Array:
        """Position, time and velocity in nine values.

        Latitude [deg], longitude [deg], height [m], time [s], height above the take-off point [m],
        velocity [m/s, NED] (3 values) and heading [rad, -pi to pi].
        """
        return self._link.estimate.gps

    @vector
    def uavPosGPSHome(self) -> Array:
        """Latitude [deg], longitude [deg] and height [m] of the take-off point."""
        return self._link.estimate.home_lla

    @vector
    def uavMotorRPMS(self) -> Array:
        """Speeds of the first eight rotors [1/min]; 0 where there is none."""
        return self._link.estimate.rpm

    @vector
    def uavAccB(self) -> Array:
        """Specific force [m/s^2, FRD]."""
        return self._link.estimate.specific_force

    @vector
    def uavGyro(self) -> Array:
        """Angular velocity, as a gyroscope measures it [rad/s, FRD]."""
        return self._link.estimate.gyro

    @scalar
    def uavThrust(self) -> Array:
        """Normalized collective thrust command, 0 to 1; 0 when disarmed."""
        return self._link.estimate.thrust

    # --- truth

    @scalar
    def trueTimeStmp(self) -> Array:
        """Simulated time [s]."""
        return self._link.truth.time

    @vector
    def trueAngEular(self) -> Array:
        """Roll, pitch and yaw [rad]."""
        return self._link.truth.euler

    @vector
    def trueAngRate(self) -> Array:
        """Angular velocity [rad/s, FRD]."""
        return self._link.truth.rate

    @vector
    def trueAngQuatern(self) -> Array:
        """Attitude quaternion, scalar first, FRD to NED."""
        return self._link.truth.att

    @vector
    def truePosNED(self) -> Array:
        """Position relative to the map centre [m, NED]."""
        return self._link.truth.pos

    @vector
    def trueVelNED(self) -> Array:
        """Ground velocity [m/s, NED]."""
        return self._link.truth.vel

    @vector
    def truePosGPS(self) -> Array:
        """Latitude [deg], longitude [deg] and height [m]."""
        return self._link.truth.lla

    @vector
    def trueMotorRPMS(self) -> Array:
        """Speeds of the first eight rotors [1/min]; 0 where there is none."""
        return self._link.truth.rpm

    @vector
    def trueAccB(self) -> Array:
        """Acceleration relative to the ground [m/s^2, FRD]."""
        return self._link.truth.accel


def _lla(name: str, lla: Sequence[float]) -> list[float]:
    """Return latitude [deg], longitude [deg] and height [m] as three finite numbers."""
    position: list[float] = vectors(name, lla, "deg, deg, m", None, (3,))[0].tolist()
    return position
