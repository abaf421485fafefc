"""Missions: plan files, and execution by one vehicle of a simulation."""

from pyrfly.mission.flight import (
    FlightResult,
    ItemResult,
    Sampler,
    fly_mission,
    summary_table,
)
from pyrfly.mission.items import (
    DEFAULT_HOME,
    DEFAULT_SPEED,
    ChangeSpeed,
    Land,
    Loiter,
    Mission,
    MissionItem,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
)
from pyrfly.mission.pilot import Simulator
from pyrfly.mission.reading import DEMO, read_mission

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
