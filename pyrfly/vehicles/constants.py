"""Limits of the core that parameters and gains follow."""

from __future__ import annotations

from pyrfly import _core

__all__ = ["IDLE_SHARE", "LEAST_LIFT", "LIFT_SHARE", "MOST_AIRFRAMES"]

_LIMITS = _core.limits()

MOST_AIRFRAMES: int = _LIMITS["airframes"]
"""Maximum number of airframes of a mixed model."""

IDLE_SHARE: float = _LIMITS["idle_thrust"]
"""Minimum thrust of a rotor as a share of its maximum."""

LIFT_SHARE: float = _LIMITS["lift_fraction"]
"""Share of the maximum thrust that may go into lift."""

LEAST_LIFT: float = _LIMITS["minimum_lift"]
"""Minimum lift in a descent as a share of the weight."""
