"""States of vehicles that hover and fly by wings, by MAVLink's numbers: `VtolState`."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["VtolState"]


class VtolState(IntEnum):
    """MAV_VTOL_STATE [@mavlink], and the column ``vtol_state``; ``vtol_command`` has MC and FW."""

    UNDEFINED = 0
    TRANSITION_TO_FW = 1
    TRANSITION_TO_MC = 2
    MC = 3
    FW = 4
