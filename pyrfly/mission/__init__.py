"""Missions: reading them from plan files, and flying them."""

from pyrfly.mission.flight import (
    FlightResult,
    ItemResult,
    Sampler,
    Simulator,
    fly_mission,
    summary_table,
)
from pyrfly.mission.plan import (
    DEFAULT_HOME,
    DEFAULT_SPEED,
    DEMO,
    ChangeSpeed,
    Land,
    Loiter,
    Mission,
    MissionItem,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
    read_mission,
)

__all__ = [
    "DEFAULT_HOME",
    "DEFAULT_SPEED",
    "DEMO",
    "ChangeSpeed",
    "FlightResult",
    "ItemResult",
    "Land",
    "Loiter",
    "Mission",
    "MissionItem",
    "ReturnToLaunch",
    "Sampler",
    "Simulator",
    "TakeOff",
    "Waypoint",
    "fly_mission",
    "read_mission",
    "summary_table",
]
