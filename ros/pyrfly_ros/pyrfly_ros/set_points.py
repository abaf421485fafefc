"""From messages to inputs of vehicles: `SET_POINTS`, a row for each topic; `in_sil`, `fleet`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.frames import euler_of_quaternion
from pyrfly.protocol import synthesis
from pyrfly.protocol.masks import MavFrame
from pyrfly.protocol.synthesis import FLOATS, INTS, OFFBOARD, Inputs, Offboard
from pyrfly.server import Count
from pyrfly.server.input_packets import sil_doubles
from pyrfly.server.orders import Action
from pyrfly_ros.frames import attitude, flipped, heading, swapped

__all__ = ["SET_POINTS", "Refused", "SetPoint", "Vehicle", "fleet", "in_sil"]

Array = NDArray[np.float64]

_LENGTH = 0.01  # by which the length of a quaternion may differ from 1


class Refused(ValueError):
    """A message is dropped; ``count`` is as what."""

    def __init__(self, count: Count, reason: str) -> None:
        super().__init__(reason)
        self.count = count


class Vehicle(NamedTuple):
    """What set-points of a vehicle depend on.

    Attributes
    ----------
    world, body : str
        Names of its frames.
    thrust : float or None
        The last normalized thrust for attitudes.
    """

    world: str
    body: str
    thrust: float | None = None


class SetPoint(NamedTuple):
    """A topic of set-points.

    Attributes
    ----------
    message : str
        Its type.
    inputs : callable
        Returns inputs of a vehicle, of one row; raises `Refused`.
    """

    message: str
    inputs: Callable[[Any, Vehicle], Inputs]


def _numbers(name: str, part: Any, axes: str = "xyz") -> Array:
    """Return components of a part of a message, (1, k); all have to be finite."""
    values = np.array([[getattr(part, axis) for axis in axes]], np.float64)
    if not np.isfinite(values).all():
        raise Refused(Count.NOT_FINITE, f"{name}: expected finite numbers, got {values[0]}")
    return values


def _orientation(name: str, part: Any) -> Array:
    """Return a quaternion of ROS (1, 4)."""
    values = _numbers(name, part, "xyzw")
    length = float(np.linalg.norm(values))
    if abs(length - 1) > _LENGTH:
        raise Refused(
            Count.NOT_FINITE, f"{name}: expected a unit quaternion, got one of length {length:g}"
        )
    return values / length


def _in_body(message: Any, vehicle: Vehicle) -> bool:
    """Return whether vectors of a message are in axes of the body, not of the world."""
    frame = message.header.frame_id
    if frame in ("", vehicle.world):
        return False
    if frame == vehicle.body:
        return True
    raise Refused(
        Count.UNKNOWN,
        f"header.frame_id: expected {vehicle.world!r} or {vehicle.body!r}, got {frame!r}",
    )


def _require_world(message: Any, vehicle: Vehicle) -> None:
    if _in_body(message, vehicle):
        raise Refused(
            Count.UNKNOWN, f"header.frame_id: expected {vehicle.world!r}, got {vehicle.body!r}"
        )


def _from_origin(inputs: Inputs) -> Inputs:
    """Return set-points whose position counts from the origin of the map, not from home."""
    bits = inputs.ints[:, OFFBOARD]
    inputs.ints[:, OFFBOARD] = (bits & ~int(Offboard.LOCAL)) | int(Offboard.NED)
    return inputs


def _pose(message: Any, vehicle: Vehicle) -> Inputs:
    _require_world(message, vehicle)
    place = _numbers("pose.position", message.pose.position)
    yaw = heading(_orientation("pose.orientation", message.pose.orientation))
    return _from_origin(synthesis.set_points(MavFrame.LOCAL_NED, pos=swapped(place), yaw=yaw))


def _velocity(message: Any, vehicle: Vehicle) -> Inputs:
    return _twist(message.twist, _in_body(message, vehicle))


def _twist(twist: Any, in_body: bool) -> Inputs:
    linear = _numbers("twist.linear", twist.linear)
    turn = -_numbers("twist.angular", twist.angular)[:, 2]
    if in_body:
        return synthesis.set_points(MavFrame.BODY_NED, vel=flipped(linear), yaw_rate=turn)
    return synthesis.set_points(MavFrame.LOCAL_NED, vel=swapped(linear), yaw_rate=turn)


def _acceleration(message: Any, vehicle: Vehicle) -> Inputs:
    _require_world(message, vehicle)
    linear = _numbers("accel.linear", message.accel.linear)
    return synthesis.set_points(MavFrame.LOCAL_NED, acc=swapped(linear))


def _attitude(message: Any, vehicle: Vehicle) -> Inputs:
    _require_world(message, vehicle)
    turned = attitude(_orientation("quaternion", message.quaternion))
    return synthesis.attitude_target(euler_of_quaternion(turned), vehicle.thrust)


SET_POINTS: Mapping[str, SetPoint] = MappingProxyType(
    {
        "cmd_vel": SetPoint("geometry_msgs/Twist", lambda message, _: _twist(message, True)),
        "set_point/pose": SetPoint("geometry_msgs/PoseStamped", _pose),
        "set_point/velocity": SetPoint("geometry_msgs/TwistStamped", _velocity),
        "set_point/acceleration": SetPoint("geometry_msgs/AccelStamped", _acceleration),
        "set_point/attitude": SetPoint("geometry_msgs/QuaternionStamped", _attitude),
    }
)
"""Topics of set-points by their names below the namespace of a vehicle."""


def in_sil(message: Any, vehicle: int) -> list[Action]:
    """Return what inputs of RflySim's synthesis model request, as those of its UDP port.

    Parameters
    ----------
    message : std_msgs/Float64MultiArray
        inSILInts and inSILFloats: 8 integers and 20 numbers.
    vehicle : int
        The vehicle, from 1.

    Raises
    ------
    Refused
        There are not 28 numbers, or one of them does not fit or has to be finite.
    """
    numbers = np.asarray(message.data, np.float64)
    if numbers.shape != (INTS + FLOATS,):
        raise Refused(
            Count.BAD_LENGTH,
            f"data: expected {INTS} integers and {FLOATS} floats, got {numbers.size} numbers",
        )
    record = wire.blank("DllInDoubCtrls")
    record["inDoubsCtrls"] = numbers
    found = sil_doubles(record, np.array([vehicle], np.intp))
    if (count := Count(int(found.verdicts[0]))) != Count.ACCEPTED:
        raise Refused(count, f"data: expected {INTS} integers of 32 bits, and finite numbers")
    return found.actions


def fleet(message: Any, n: int) -> tuple[NDArray[np.intp], Inputs]:
    """Return set-points of many vehicles.

    Parameters
    ----------
    message : std_msgs/Float64MultiArray
        Four numbers of each vehicle: east, north, up [m], and the angle from east to north [rad],
        NaN if that is not controlled. Vehicles with NaN in a coordinate get no set-point.
    n : int
        Number of vehicles.

    Returns
    -------
    ndarray of int, shape (k,)
        Rows of vehicles.
    Inputs
        Their set-points.

    Raises
    ------
    Refused
        There are not 4 n numbers, or one of them is infinite.
    """
    numbers = np.asarray(message.data, np.float64)
    if numbers.shape != (4 * n,):
        raise Refused(
            Count.BAD_LENGTH, f"data: expected 4 numbers of {n} vehicles, got {numbers.size}"
        )
    if np.isinf(numbers).any():
        raise Refused(Count.NOT_FINITE, "data: expected finite numbers or NaN, got infinity")
    table = numbers.reshape(n, 4)
    rows = np.flatnonzero(~np.isnan(table[:, :3]).any(axis=1))
    place, yaw = swapped(table[rows, :3]), np.pi / 2 - table[rows, 3]
    if not len(rows):
        return rows, synthesis.inputs(0)
    return rows, _from_origin(synthesis.set_points(MavFrame.LOCAL_NED, pos=place, yaw=yaw))
