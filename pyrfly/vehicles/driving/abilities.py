"""What generic code needs to know of vehicles that drive on a plane."""

from __future__ import annotations

from pyrfly.vehicles.abilities import Limits

__all__ = ["ACCEPTANCE_RADIUS", "LIMITS", "UAV_TYPE"]

ACCEPTANCE_RADIUS = 0.5
"""NAV_ACC_RAD of rovers [m] [@px4 v1.16.1 ROMFS/px4fmu_common/init.d/rc.*_defaults]."""

UAV_TYPE = 50
"""RflySim's ``uavType`` of a car with differential drive, by which RflySim3D shows a car."""

LIMITS = Limits(yaw_rate="yaw_rate_limit", turning="turning_radius")
"""Columns of the limits of what drives."""
