"""Topics of a vehicle: `TOPICS`, a row for each."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.protocol.bits import Sensor
from pyrfly.sim import Sim
from pyrfly.sim.battery_state import battery
from pyrfly.sim.lidar import Lidar
from pyrfly_ros.fields import Fields, PerVehicle, diagonal
from pyrfly_ros.frames import flipped, orientation, swapped

__all__ = ["RANGE_AXES", "TOPICS", "Topic", "point_cloud", "pose"]

Array = NDArray[np.float64]
Ids = NDArray[np.intp]

RANGE_AXES = (0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5))
"""Orientation of a range finder's axes on the vehicle: their x points down, as its beam."""

_CELSIUS = 273.15  # K, of 0 deg C
_LIPO, _DISCHARGING, _INFRARED, _DIAGONAL_KNOWN = 3, 2, 1, 2  # constants of sensor_msgs
_NO_FIX, _FIX = -1, 0  # of NavSatStatus
_GPS = 1
_POINT = 12  # bytes of three float32


class Topic(NamedTuple):
    """What is published of each vehicle.

    Attributes
    ----------
    message : str
        Its type.
    rate : float
        How often by default [Hz of simulated time]; of a sensor at most so often.
    values : callable
        Returns the fields of vehicles.
    frame : str
        Of the header: ``'world'``, ``'body'``, another name of a frame on the vehicle, or none.
    sensor : Sensor or None
        What has to have measured a new value.
    """

    message: str
    rate: float
    values: Callable[[Sim, Ids], Fields]
    frame: str = ""
    sensor: Sensor | None = None


# --- the true state


def pose(sim: Sim, ids: Ids) -> Fields:
    """Return place and orientation: fields of geometry_msgs/Pose."""
    chosen = sim.select(ids)
    return {
        "position": swapped(chosen.read("pos").astype(np.float64)),
        "orientation": orientation(chosen.read("att").astype(np.float64)),
    }


def _pose_stamped(sim: Sim, ids: Ids) -> Fields:
    return {f"pose.{name}": value for name, value in pose(sim, ids).items()}


def odometry(sim: Sim, ids: Ids) -> Fields:
    """Return place, orientation and velocities in axes of the body."""
    chosen = sim.select(ids)
    return {
        **{f"pose.pose.{name}": value for name, value in pose(sim, ids).items()},
        "twist.twist.linear": flipped(chosen.read("vel_body").astype(np.float64)),
        "twist.twist.angular": flipped(chosen.read("rate").astype(np.float64)),
    }


def _armed(sim: Sim, ids: Ids) -> Fields:
    return {"data": sim.select(ids).read("armed") != 0}


def _out_copter_data(sim: Sim, ids: Ids) -> Fields:
    return {"data": wire.pack(sim, "outCopterStruct", ids)["outCopterData"].astype(np.float64)}


def _battery(sim: Sim, ids: Ids) -> Fields:
    found = battery(sim.select(ids))
    unknown = math.nan
    return {
        "voltage": found.volts,
        "current": -found.amperes,
        "percentage": found.charge,
        **dict.fromkeys(("temperature", "charge", "capacity", "design_capacity"), unknown),
        "power_supply_status": _DISCHARGING,
        "power_supply_technology": _LIPO,
        "present": True,
    }


# --- what sensors measure


def _white(sim: Sim, ids: Ids, sensor: str, column: str) -> Array:
    """Return the variances of samples with white noise of a density in a column."""
    chosen = sim.select(ids)
    periods = np.maximum(chosen.read(f"{sensor}_period"), 1) / sim.sensors.rate
    return np.asarray(chosen.read(column).astype(np.float64) ** 2 / periods[:, None])


def _imu(sim: Sim, ids: Ids) -> Fields:
    chosen = sim.select(ids)
    return {
        "orientation_covariance": [-1.0] + [0.0] * 8,  # none is measured
        "angular_velocity": flipped(chosen.read("imu_gyro").astype(np.float64)),
        "angular_velocity_covariance": diagonal(_white(sim, ids, "imu", "imu_gyro_noise")),
        "linear_acceleration": flipped(chosen.read("imu_accel").astype(np.float64)),
        "linear_acceleration_covariance": diagonal(_white(sim, ids, "imu", "imu_accel_noise")),
    }


def _magnetometer(sim: Sim, ids: Ids) -> Fields:
    field = sim.select(ids).read("magnetometer").astype(np.float64)
    noise = _white(sim, ids, "magnetometer", "magnetometer_noise")
    return {"magnetic_field": flipped(field), "magnetic_field_covariance": diagonal(noise)}


def _pressure(sim: Sim, ids: Ids) -> Fields:
    chosen = sim.select(ids)
    return {
        "fluid_pressure": chosen.read("barometer_pressure").astype(np.float64),
        "variance": chosen.read("barometer_noise").astype(np.float64) ** 2,
    }


def _temperature(sim: Sim, ids: Ids) -> Fields:
    chosen = sim.select(ids)
    return {
        "temperature": chosen.read("barometer_temperature").astype(np.float64) - _CELSIUS,
        "variance": chosen.read("temperature_noise").astype(np.float64) ** 2,
    }


def _fix(sim: Sim, ids: Ids) -> Fields:
    chosen = sim.select(ids)
    lla = sim.local_frame.to_lla(chosen.read("gps_pos"))
    eph, epv = chosen.read("gps_reported_accuracy").astype(np.float64).T
    return {
        "status.status": np.where(chosen.read("gps_fix") == 0, _NO_FIX, _FIX),
        "status.service": _GPS,
        "latitude": lla[:, 0],
        "longitude": lla[:, 1],
        "altitude": lla[:, 2],
        "position_covariance": diagonal(np.stack([eph, eph, epv], axis=-1) ** 2),
        "position_covariance_type": _DIAGONAL_KNOWN,
    }


def _gps_velocity(sim: Sim, ids: Ids) -> Fields:
    return {"twist.linear": swapped(sim.select(ids).read("gps_vel").astype(np.float64))}


def _range(sim: Sim, ids: Ids) -> Fields:
    chosen = sim.select(ids)
    near, far = chosen.read("range_limits").astype(np.float64).T
    distance = chosen.read("range_distance").astype(np.float64)
    beyond = np.where(distance <= near, -math.inf, math.inf)  # [@ros REP 117]
    return {
        "radiation_type": _INFRARED,
        "field_of_view": 0.0,
        "min_range": near,
        "max_range": far,
        "range": np.where(chosen.read("range_valid") != 0, distance, beyond),
    }


def point_cloud(lidar: Lidar, rate: float, field_of: Callable[[str, int], object]) -> Topic:
    """Return the topic of the scans of a lidar, in axes of the body.

    Parameters
    ----------
    lidar : Lidar
        The lidar.
    rate : float
        Scans per second of simulated time [Hz].
    field_of : callable
        Makes the sensor_msgs/PointField of a float32, of its name and place in a point [bytes].
    """
    height, width = lidar.shape
    layout = {
        "height": height,
        "width": width,
        "fields": [field_of(axis, 4 * i) for i, axis in enumerate("xyz")],
        "is_bigendian": sys.byteorder == "big",
        "point_step": _POINT,
        "row_step": _POINT * width,
        "is_dense": False,  # NaN where nothing is seen
    }

    def values(sim: Sim, ids: Ids) -> Fields:
        points = flipped(sim.scene.scan(lidar, ids).points("FRD")).astype(np.float32)
        return {**layout, "data": PerVehicle(array("B", p.tobytes()) for p in points)}

    return Topic("sensor_msgs/PointCloud2", rate, values, "body")


TOPICS: Mapping[str, Topic] = MappingProxyType(
    {
        "odometry": Topic("nav_msgs/Odometry", 50.0, odometry, "world"),
        "pose": Topic("geometry_msgs/PoseStamped", 50.0, _pose_stamped, "world"),
        "armed": Topic("std_msgs/Bool", 10.0, _armed),
        "battery": Topic("sensor_msgs/BatteryState", 1.0, _battery, "body"),
        "out_copter_data": Topic("std_msgs/Float64MultiArray", 10.0, _out_copter_data),
        "imu/data_raw": Topic("sensor_msgs/Imu", 250.0, _imu, "body", Sensor.IMU),
        "imu/mag": Topic(
            "sensor_msgs/MagneticField", 100.0, _magnetometer, "body", Sensor.MAGNETOMETER
        ),
        "pressure": Topic("sensor_msgs/FluidPressure", 50.0, _pressure, "body", Sensor.BAROMETER),
        "temperature": Topic(
            "sensor_msgs/Temperature", 1.0, _temperature, "body", Sensor.BAROMETER
        ),
        "gps/fix": Topic("sensor_msgs/NavSatFix", 10.0, _fix, "body", Sensor.GPS),
        "gps/velocity": Topic(
            "geometry_msgs/TwistStamped", 10.0, _gps_velocity, "world", Sensor.GPS
        ),
        "range": Topic("sensor_msgs/Range", 50.0, _range, "range", Sensor.RANGE),
    }
)
"""Topics by their names below the namespace of a vehicle."""
