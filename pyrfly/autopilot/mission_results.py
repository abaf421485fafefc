"""MAV_MISSION_RESULT: results of transfers of missions [@mavlink]."""

from __future__ import annotations

__all__ = [
    "ACCEPTED",
    "CANCELLED",
    "ERROR",
    "INVALID",
    "NO_SPACE",
    "UNSUPPORTED",
    "UNSUPPORTED_FRAME",
]

ACCEPTED = 0
ERROR = 1
UNSUPPORTED_FRAME = 2
UNSUPPORTED = 3
NO_SPACE = 4
INVALID = 5
"""An invalid item; plus 1 to 7, an invalid parameter 1 to 7."""
CANCELLED = 15
