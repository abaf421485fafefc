"""What generic code needs to know of vehicles that drive on a plane: `LIMITS`."""

from __future__ import annotations

from pyrfly.vehicles.abilities import Limits

__all__ = ["LIMITS"]

LIMITS = Limits(yaw_rate="yaw_rate_limit")
