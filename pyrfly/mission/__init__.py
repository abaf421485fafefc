"""Missions: plan files, and execution by vehicles of a simulation."""

from pyrfly.mission.fence import FENCE_ACTIONS, Breach, Circle, Fence, FenceAction, Polygon
from pyrfly.mission.flight import Sampler, fly_mission, fly_missions
from pyrfly.mission.items import (
    ChangeSpeed,
    Delay,
    Grip,
    Ignored,
    Jump,
    Land,
    Loiter,
    MissionItem,
    RegionOfInterest,
    ReturnToLaunch,
    Reverse,
    SetHome,
    TakeOff,
    Transition,
    Waypoint,
    is_leg,
)
from pyrfly.mission.low_battery import BATTERY_ACTIONS, BatteryAction, LowBattery
from pyrfly.mission.mission import DEFAULT_HOME, DEFAULT_SPEED, Mission, in_formation
from pyrfly.mission.reading import DEMO, read_mission
from pyrfly.mission.result import FlightResult, ItemResult, summary_table
from pyrfly.mission.vehicle import Simulator

__all__ = [
    "BATTERY_ACTIONS",
    "DEFAULT_HOME",
    "DEFAULT_SPEED",
    "DEMO",
    "FENCE_ACTIONS",
    "BatteryAction",
    "Breach",
    "ChangeSpeed",
    "Circle",
    "Delay",
    "Fence",
    "FenceAction",
    "FlightResult",
    "Grip",
    "Ignored",
    "ItemResult",
    "Jump",
    "Land",
    "Loiter",
    "LowBattery",
    "Mission",
    "MissionItem",
    "Polygon",
    "RegionOfInterest",
    "ReturnToLaunch",
    "Reverse",
    "Sampler",
    "SetHome",
    "Simulator",
    "TakeOff",
    "Transition",
    "Waypoint",
    "fly_mission",
    "fly_missions",
    "in_formation",
    "is_leg",
    "read_mission",
    "summary_table",
]
