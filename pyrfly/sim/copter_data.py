"""Components of ``inCopterData``, column ``autopilot_inputs``: what models know of autopilots."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["CHANNELS", "PART", "RFLY_PX4", "CopterDatum", "SimulationMode"]

PART = "free_inputs"
"""The optional part that has the column."""


class CopterDatum(IntEnum):
    """Single components, from 0 [@rfly-framework 1.1.1.2]."""

    ARMED = 0
    CHANNEL_COUNT = 1
    MODE = 2
    FIXED_3D = 3
    VTOL_STATE = 4
    LANDED_STATE = 5


CHANNELS = range(8, 24)
"""Channels 1 to 16 of a remote control [us]."""

RFLY_PX4 = range(24, 32)
"""The topic rfly_px4 of a module of the user's in PX4."""


class SimulationMode(IntEnum):
    """Values of `CopterDatum.MODE`: where the autopilot of a vehicle is."""

    HITL = 0
    SITL = 1
    WITHOUT_PX4 = 2
