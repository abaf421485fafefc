"""Results of flights: `FlightResult`, `summary_table`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyrfly.errors import require_kind
from pyrfly.mavlink.modes import NavState
from pyrfly.mission.commands import COMMAND_NAMES
from pyrfly.mission.fence import Breach
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
)
from pyrfly.mission.low_battery import LowBattery

__all__ = ["FlightResult", "ItemResult", "item_label", "summary_table"]


@dataclass(frozen=True)
class ItemResult:
    """Time at which an item of the mission was reached.

    Attributes
    ----------
    number : int
        Number in the mission file, 0 for an implicit item.
    name : str
        Description of the item.
    time : float or None
        Time since the start of the flight [s]; None if it was not reached.
    """

    number: int
    name: str
    time: float | None


@dataclass(frozen=True)
class FlightResult:
    """Result of a flight.

    Attributes
    ----------
    mission : str
        Name of the mission.
    completed : bool
        Whether all items were flown.
    reason : str
        Reason for the end of the flight.
    time : float
        Simulated time from arming to the end [s].
    distance : float
        Length of the flown path [m].
    cross_track_rms, cross_track_max : float or None
        Root mean square and maximum of the cross-track error [m], without corners, take-off and
        landing; of a fixed wing from where it has reached a leg. None if no leg was flown.
    landing_error : float or None
        Horizontal distance from the landing position at the last touchdown [m], None without one.
    wall_time : float
        Wall time [s].
    real_time_factor : float
        Simulated time over wall time.
    items : tuple of ItemResult
        In the order of the flight, with the jumps that are taken.
    breaches : tuple of Breach
        Times at which the vehicle left the geofence.
    low_battery : tuple of LowBattery
        Times at which its charge fell below thresholds.
    modes : tuple of (float, NavState)
        Flight modes that PX4 would have, and since when [s since the start of the flight].
    """

    mission: str
    completed: bool
    reason: str
    time: float
    distance: float
    cross_track_rms: float | None
    cross_track_max: float | None
    landing_error: float | None
    wall_time: float
    real_time_factor: float
    items: tuple[ItemResult, ...]
    breaches: tuple[Breach, ...] = ()
    low_battery: tuple[LowBattery, ...] = ()
    modes: tuple[tuple[float, NavState], ...] = ()


def summary_table(result: FlightResult) -> str:
    """Return the result of a flight as a table.

    Parameters
    ----------
    result : FlightResult
        Result of `fly_mission`.

    Returns
    -------
    str
        One line per figure, then one per item, without a final line break.
    """
    require_kind("result", result, FlightResult)
    rows = [
        ("mission", result.mission),
        ("completed", f"{'yes' if result.completed else 'no'}: {result.reason}"),
        ("flight time", f"{result.time:.2f} s"),
        ("distance", f"{result.distance:.1f} m"),
        ("cross-track error, rms", _metres(result.cross_track_rms)),
        ("cross-track error, max", _metres(result.cross_track_max)),
        ("landing error", _metres(result.landing_error)),
        ("wall time", f"{result.wall_time:.3f} s"),
        ("real-time factor", f"{result.real_time_factor:.0f}"),
    ]
    rows += [("geofence breach", f"{b.time:.2f} s: {b.what}") for b in result.breaches]
    rows += [
        ("low battery", f"{low.time:.2f} s: below {100 * low.charge:g} %, {low.action}")
        for low in result.low_battery
    ]
    for item in result.items:
        name = f"{item.number:>3} {item.name}" if item.number else f"    {item.name}"
        rows.append((name, "not reached" if item.time is None else f"{item.time:.2f} s"))
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def _metres(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f} m"


def item_label(item: MissionItem) -> str:
    """Return a description of an item."""
    match item:
        case TakeOff():
            return f"take off to {-item.pos[2]:.1f} m"
        case Waypoint():
            return f"waypoint, hold {item.hold:g} s" if item.hold else "waypoint"
        case Loiter():
            return _loiter_label(item)
        case Delay():
            return f"delay {item.seconds:g} s"
        case ChangeSpeed():
            return f"speed {item.speed:g} m/s"
        case Reverse():
            return "backward" if item.backward else "forward"
        case RegionOfInterest():
            return "no region of interest" if item.pos is None else "region of interest"
        case Jump():
            return f"jump to item {item.to}"
        case Transition():
            return f"transition to {'wings' if item.winged else 'hover'}"
        case Grip():
            return "take the payload" if item.takes else "drop the payload"
        case SetHome():
            return "set home"
        case Ignored():
            return f"{COMMAND_NAMES.get(item.command, item.command)}: no effect"
        case ReturnToLaunch():
            return "return to launch"
        case Land():
            return "land"


def _loiter_label(item: Loiter) -> str:
    if item.seconds == math.inf:
        return "loiter without end"
    if item.climbs:
        return f"loiter to {-item.pos[2]:.1f} m"
    if item.turns:
        return f"loiter {item.turns:g} turn{'s' * (item.turns != 1)}"
    return f"loiter {item.seconds:g} s"
