"""Reference frames: the local NED frame on the WGS84 ellipsoid, and attitude conversions."""

from pyrfly.frames.geodesy import (
    DEFAULT_ORIGIN,
    FLATTENING,
    SEMI_MAJOR,
    SEMI_MINOR,
    LocalFrame,
    ecef_to_lla,
    lla_to_ecef,
)
from pyrfly.frames.rotations import euler_of_quaternion, quaternion_of_euler, yaw_of_quaternion

__all__ = [
    "DEFAULT_ORIGIN",
    "FLATTENING",
    "SEMI_MAJOR",
    "SEMI_MINOR",
    "LocalFrame",
    "ecef_to_lla",
    "euler_of_quaternion",
    "lla_to_ecef",
    "quaternion_of_euler",
    "yaw_of_quaternion",
]
