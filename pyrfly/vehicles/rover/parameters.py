"""Parameter files of rovers, which have every parameter column: `build`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyrfly.vehicles.build import build_from_columns
from pyrfly.vehicles.driving import UAV_TYPE
from pyrfly.vehicles.entries import NOT_NEGATIVE, POSITIVE, Range
from pyrfly.vehicles.family import Read
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.rover.hull import RULE

__all__ = ["RANGES", "TIMES", "build"]

TIMES = ("drive_tau", "slip_tau")

RANGES: dict[str, Range] = {
    **dict.fromkeys(("mass", "yaw_inertia", "gravity", "wheel_radius", "track"), POSITIVE),
    **dict.fromkeys(("wheel_speed_max", "wheel_torque", "suspension_tau", *TIMES), POSITIVE),
    "drive_dead_zone": (0.0, 0.5),
    "friction": NOT_NEGATIVE,
}


def build(origin: str, document: Mapping[str, Any], _read: Read | None = None) -> VehicleParameters:
    """Return the checked set of a TOML document."""
    return build_from_columns(
        origin,
        document,
        family="rover",
        c_type="rover",
        ranges=RANGES,
        uav_type=UAV_TYPE,
        layout="differential",
        hull=RULE,
    )
