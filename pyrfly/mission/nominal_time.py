"""How long a mission takes: `nominal_time`."""

from __future__ import annotations

import math

from pyrfly.errors import assert_never
from pyrfly.mission.items import (
    ChangeSpeed,
    Delay,
    Grip,
    Ignored,
    Jump,
    Land,
    Loiter,
    RegionOfInterest,
    ReturnToLaunch,
    Reverse,
    SetHome,
    TakeOff,
    Transition,
    Waypoint,
    is_leg,
)
from pyrfly.mission.mission import Mission
from pyrfly.mission.vehicle import Vehicle

__all__ = ["nominal_time"]

TRANSITION_TIME = 30.0
"""Of a VTOL, with what it takes to fly back to where it should be [s]."""


def nominal_time(mission: Mission, vehicle: Vehicle) -> float:
    """Return a conservative estimate of the duration of a mission [s]."""
    home = pos = vehicle.pos
    speed, total, backward = mission.cruise_speed, 0.0, vehicle.backward
    for index in mission.order:
        item = mission.items[index]
        cruise = vehicle.cruise(speed, backward)
        match item:
            case ChangeSpeed():
                speed = item.speed
            case Reverse():
                backward = item.backward
            case SetHome():
                home = pos if item.pos is None else vehicle.reachable(item.pos)
            case Waypoint():
                total += item.hold
            case Delay():
                total += item.seconds
            case Transition():
                total += TRANSITION_TIME
            case Loiter():
                total += item.seconds if item.seconds < math.inf else 0.0
                total += item.turns * vehicle.turn_time(cruise, item.radius)
            case TakeOff() | Land() | ReturnToLaunch():
                pass  # they take no time besides that of their legs
            case RegionOfInterest() | Jump() | Grip() | Ignored():
                pass  # nor do these
            case _:
                assert_never(item)
        if is_leg(item):
            target = home if isinstance(item, ReturnToLaunch) else vehicle.reachable(item.pos)
            rises = isinstance(item, ReturnToLaunch) and not vehicle.on_surface
            way = target - pos
            total += math.hypot(way[0], way[1]) / cruise + 2.0 * cruise / vehicle.acceleration
            total += 2.0 * vehicle.turn_time(cruise)
            climb = abs(way[2]) + (2.0 * vehicle.return_height if rises else 0.0)
            total += climb / min(vehicle.climb, vehicle.landing)
            pos = target
    return total
