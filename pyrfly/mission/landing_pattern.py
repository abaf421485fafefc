"""Landing patterns, complex items of QGroundControl's plans [@qgc]: `landing_commands`.

The file has the coordinates alone; ground stations upload these commands for it.
"""

from __future__ import annotations

from typing import Any

from pyrfly.errors import MissionError
from pyrfly.mission.checks import MAX_DISTANCE, SPEEDS, checked_number, described
from pyrfly.mission.entry import CommandEntry, checked_list

__all__ = ["PATTERNS", "landing_commands"]

PATTERNS = {"fwLandingPattern": 21, "vtolLandingPattern": 85}
"""MAV_CMD of the landing, by kind of the complex item."""

_ABOVE_SEA, _ABOVE_HOME = 0, 3  # MAV_FRAME


def landing_commands(number: int, entry: dict[str, Any]) -> list[CommandEntry]:
    """Return the commands of a landing pattern: its beginning, the approach, the landing.

    Parameters
    ----------
    number : int
        Number of the item.
    entry : dict
        The item, of a kind in `PATTERNS`.

    Raises
    ------
    MissionError
        A value is missing or invalid.
    """
    what = f"item {number} ({entry['complexItemType']})"
    above_home = _flag(what, entry, "altitudesAreRelative", "loiterAltitudeRelative")
    frame = _ABOVE_HOME if above_home else _ABOVE_SEA
    key = "loiterCoordinate" if "loiterCoordinate" in entry else "landingApproachCoordinate"
    approach = checked_list(f"{what}: {key}", entry.get(key), 3)[:3]
    landing = checked_list(f"{what}: landCoordinate", entry.get("landCoordinate"), 3)[:3]
    commands = [CommandEntry(number, 189, 2, [0.0] * 7)]
    if entry.get("useDoChangeSpeed") is True:
        value = entry.get("finalApproachSpeed")
        speed = checked_number(f"{what}: finalApproachSpeed", value, *SPEEDS, "m/s")
        commands.append(CommandEntry(number, 178, 2, [0.0, speed, -1.0, 0.0, 0.0, 0.0, 0.0]))
    if entry.get("useLoiterToAlt", True) is True:
        radius = _radius(what, entry)
        commands.append(CommandEntry(number, 31, frame, [1.0, radius, 0.0, 1.0, *approach]))
    else:
        commands.append(CommandEntry(number, 16, frame, [0.0, 0.0, 0.0, None, *approach]))
    land = PATTERNS[entry["complexItemType"]]
    commands.append(CommandEntry(number, land, frame, [0.0, 0.0, 0.0, None, *landing]))
    return commands


def _radius(what: str, entry: dict[str, Any]) -> float:
    value = entry.get("loiterRadius")
    radius = checked_number(f"{what}: loiterRadius", value, 0.0, MAX_DISTANCE, "m")
    return radius if _flag(what, entry, "loiterClockwise") else -radius


def _flag(what: str, entry: dict[str, Any], *keys: str) -> bool:
    """Return a member that is true or false, with the first of its names that is there."""
    key = next((key for key in keys if key in entry), keys[0])
    value = entry.get(key)
    if not isinstance(value, bool):
        raise MissionError(f"{what}: {key}: expected true or false, got {described(value)}")
    return value
