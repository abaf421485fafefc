"""What generic code needs to know of vehicles that hover on one thrust."""

from __future__ import annotations

from pyrfly.vehicles.abilities import Collective, Limits

__all__ = ["LIMITS", "THRUST"]

LIMITS = Limits(climb="climb_limit", descent="descent_limit", tilt="tilt_limit", rate="rate_limit")

THRUST = Collective("thrust", maximum=("thrust_limit", 1))
