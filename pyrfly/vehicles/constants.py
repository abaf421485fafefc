"""Limits of the core, and constants, used by parameters and gains."""

from __future__ import annotations

from pyrfly import _core

__all__ = [
    "AIR_DENSITY",
    "FLARE_RATE",
    "FLARE_TIME",
    "IDLE_THRUST",
    "LEAST_THRUST_LEFT",
    "LIFT_FRACTION",
    "MAXIMUM_AIRFRAMES",
    "MINIMUM_LIFT",
    "TOUCHDOWN_HEIGHT",
    "TOUCHDOWN_SPEED",
    "TOUCHDOWN_TIME",
]

_LIMITS = _core.limits()

AIR_DENSITY = 1.225
"""Of the standard atmosphere at sea level [kg/m^3] [@us76]."""

MAXIMUM_AIRFRAMES: int = _LIMITS["airframes"]
"""Maximum number of airframes of a mixed model."""

IDLE_THRUST: float = _LIMITS["idle_thrust"]
"""Minimum normalized thrust of a rotor while armed."""

LIFT_FRACTION: float = _LIMITS["lift_fraction"]
"""Fraction of the maximum thrust that may be lift."""

MINIMUM_LIFT: float = _LIMITS["minimum_lift"]
"""Minimum lift in a descent [g]."""

LEAST_THRUST_LEFT: float = _LIMITS["thrust_left"]
"""Least share of a tailsitter's thrust that its controllers take as left by airspeed."""

TOUCHDOWN_HEIGHT: float = _LIMITS["touch_height"]
"""Height above where a vehicle stands, below which it is in ground contact [m]."""

TOUCHDOWN_SPEED: float = _LIMITS["touch_speed"]
"""Vertical speed below which it is at rest there [m/s]."""

TOUCHDOWN_TIME: float = _LIMITS["touch_time"]
"""Time after which it has landed [s]."""

FLARE_RATE: float = _LIMITS["flare_rate"]
"""Descent rate of a plane at the end of its flare [m/s]."""

FLARE_TIME: float = _LIMITS["flare_time"]
"""Time from the beginning of the flare to the landing position, at the ground speed there [s]."""
