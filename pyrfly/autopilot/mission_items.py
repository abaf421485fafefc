"""Checks of items that are uploaded, and missions of stored items: `item_result`, `mission_of`.

A command is accepted in the frames and with the results of PX4 [@px4 v1.16.1 mavlink_mission.cpp
parse_mavlink_mission_item]; what it means is read as in plan files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pyrfly.autopilot.fence_items import (
    FENCE_COMMANDS,
    RALLY_COMMANDS,
    check_area,
    check_point,
)
from pyrfly.autopilot.raw_items import ABOVE_HOME, ABOVE_SEA, NO_POSITION, RawItem, entry_of
from pyrfly.errors import MissionError
from pyrfly.mavlink.constants import MissionResult, MissionType
from pyrfly.mission import DEFAULT_SPEED, Fence, Mission
from pyrfly.mission.checks import Point
from pyrfly.mission.command_items import CommandReader
from pyrfly.mission.entry import CommandEntry, EntryError
from pyrfly.mission.items import DEFAULT_RADIUS
from pyrfly.mission.problems import Problems

__all__ = ["POSITIONED", "REVERSE", "UNPOSITIONED", "item_result", "mission_of"]

POSITIONED = frozenset((16, 17, 18, 19, 21, 22, 31, 80, 84, 85, 195, 201, 4501))
"""MAV_CMD of missions that have a position."""

UNPOSITIONED = frozenset(
    (
        *(20, 80, 93, 112, 114, 177, 178, 179, 187, 189, 196, 197, 200, 201, 203, 204, 205, 206),
        *(211, 214, 260, 530, 532, 534, 1000, 1001, 2000, 2001, 2003, 2500, 2501, 3000, 42600),
    )
)
"""MAV_CMD of missions that are in the frame without a position."""

REVERSE = 194
"""MAV_CMD_DO_SET_REVERSE, likewise, of vehicles that go backward: ArduPilot's."""


class _Kind(NamedTuple):
    """Items of a list: with a position, without one, and the check of one."""

    positioned: frozenset[int]
    unpositioned: frozenset[int]
    check: Callable[[CommandEntry], None]
    result: int
    """Of an item whose check fails for no parameter of its own."""


def item_result(kind: int, item: RawItem, backs: bool = False) -> int:
    """Return the MAV_MISSION_RESULT of one item that is uploaded.

    Parameters
    ----------
    kind : int
        `MissionType`: of a mission, a fence or rally points.
    item : RawItem
        The item.
    backs : bool
        Whether the vehicle goes backward, too.

    Notes
    -----
    What concerns home or other items, such as a target of a jump, is checked by `mission_of`,
    `fence_of` and `rally_of`, as PX4 checks it after an upload.

    Examples
    --------
    >>> waypoint = RawItem(3, 16, 1, (0.0, 0.0, 0.0, 0.0), 91.0, 116.0, 10.0)
    >>> item_result(MissionType.MISSION, waypoint) - MissionResult.INVALID  # of parameter 5
    5
    """
    if item.frame not in (ABOVE_SEA, ABOVE_HOME, NO_POSITION):
        return MissionResult.UNSUPPORTED_FRAME
    known = _KINDS[kind]
    commands = known.unpositioned if item.frame == NO_POSITION else known.positioned
    unknown = item.command not in commands
    if unknown and not (backs and kind == MissionType.MISSION and item.command == REVERSE):
        return MissionResult.UNSUPPORTED
    try:
        known.check(entry_of(1, item))
    except EntryError as error:
        return MissionResult.INVALID + error.parameter
    except MissionError:
        return known.result
    return MissionResult.ACCEPTED


def mission_of(
    items: Sequence[RawItem],
    home: Point,
    *,
    speed: float = DEFAULT_SPEED,
    radius: float = DEFAULT_RADIUS,
    fence: Fence | None = None,
    rally: Sequence[Point] = (),
) -> Mission:
    """Return the mission of stored items.

    Parameters
    ----------
    items : sequence of RawItem
        The items; ``number`` of an item of the mission is its index in the list plus 1.
    home : tuple of 3 floats
        Latitude [deg], longitude [deg], altitude [m above sea level] of the local origin.
    speed : float
        Cruise speed [m/s], such as MPC_XY_CRUISE.
    radius : float
        Acceptance radius of waypoints without one [m], such as NAV_ACC_RAD.
    fence : Fence, optional
        The geofence.
    rally : sequence of tuples of 3 floats
        Rally points [m, NED from home].

    Raises
    ------
    MissionError
        The mission cannot be flown: a line per error.

    Examples
    --------
    >>> take_off = RawItem(3, 22, 1, (0.0, 0.0, 0.0, 0.0), 40.0, 116.0, 10.0)
    >>> mission_of([take_off], home=(40.0, 116.0, 50.0)).items
    (TakeOff(number=1, pauses=False, pos=(0.0, 0.0, -10.0), yaw=0.0, pitch=None),)
    """
    problems = Problems()
    reader = CommandReader(home, speed, radius=radius)
    for number, item in enumerate(items, start=1):
        with problems.collect():
            reader.add(entry_of(number, item))
    read = reader.items(problems)
    problems.check()
    return Mission(
        read,
        home=home,
        cruise_speed=speed,
        fence=fence or Fence(),
        rally=tuple(rally),
        skipped=reader.skipped,
    )


def _check_command(entry: CommandEntry) -> None:
    """Read a command as if home were below its position, which may be anywhere."""
    home = (0.0, 0.0, 0.0)
    if entry.frame != NO_POSITION:
        latitude = entry.value(5, "latitude", -90.0, 90.0, "deg", unset=0.0)
        home = (latitude, entry.value(6, "longitude", -180.0, 180.0, "deg", unset=0.0), 0.0)
    CommandReader(home, DEFAULT_SPEED).add(entry)


_KINDS: dict[int, _Kind] = {
    MissionType.MISSION: _Kind(POSITIONED, UNPOSITIONED, _check_command, MissionResult.ACCEPTED),
    MissionType.FENCE: _Kind(FENCE_COMMANDS, frozenset(), check_area, MissionResult.ERROR),
    MissionType.RALLY: _Kind(RALLY_COMMANDS, frozenset(), check_point, MissionResult.ERROR),
}
