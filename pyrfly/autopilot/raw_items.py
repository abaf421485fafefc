"""Items of missions, fences and rally points as MAVLink has them: `RawItem`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pyrfly.autopilot.reply import Message
from pyrfly.mission.entry import CommandEntry

__all__ = ["ABOVE_HOME", "ABOVE_SEA", "NO_POSITION", "RawItem", "are_equal", "entry_of", "raw_item"]

ABOVE_SEA = 0
"""MAV_FRAME_GLOBAL: altitude above sea level."""

ABOVE_HOME = 3
"""MAV_FRAME_GLOBAL_RELATIVE_ALT: altitude above home."""

NO_POSITION = 2
"""MAV_FRAME_MISSION: parameters 5 to 7 are no position."""

_INTEGER_FRAMES = {5: ABOVE_SEA, 6: ABOVE_HOME}  # the same with integer coordinates
_SENT_FRAMES = {frame: integer for integer, frame in _INTEGER_FRAMES.items()}
_DEGREE = 1e7  # integer coordinates per degree
_UNSET = 2**31 - 1  # of an integer coordinate, as MAVLink has it
# Also what a NaN becomes in programs that convert it to an integer on x86.
_NOT_SET = (_UNSET, -(2**31))
_INT32 = (-(2**31), 2**31 - 1)
_DO_JUMP, _DO_SET_HOME = 177, 179  # MAV_CMD


class RawItem(NamedTuple):
    """An item that is stored as it was received.

    Attributes
    ----------
    frame : int
        MAV_FRAME; of the frames that differ in the type of the coordinates alone, that of floats.
    command : int
        MAV_CMD.
    autocontinue : int
        Whether the vehicle goes on with the next item, 0 or 1.
    params : tuple of 4 floats
        Parameters 1 to 4; NaN is not set.
    x, y : float
        Latitude and longitude [deg], or parameters 5 and 6 in the frame `NO_POSITION`.
    z : float
        Altitude [m], or parameter 7.
    """

    frame: int
    command: int
    autocontinue: int
    params: tuple[float, float, float, float]
    x: float
    y: float
    z: float

    def fields(self, *, integer: bool) -> dict[str, object]:
        """Return its fields of a MISSION_ITEM_INT, or of a MISSION_ITEM if not ``integer``."""
        frame, x, y = self.frame, self.x, self.y
        if integer:
            scale = _DEGREE if frame in _SENT_FRAMES else 1.0
            frame, x, y = _SENT_FRAMES.get(frame, frame), _whole(x * scale), _whole(y * scale)
        return {
            "frame": frame,
            "command": self.command,
            "autocontinue": self.autocontinue,
            **{f"param{number}": value for number, value in enumerate(self.params, start=1)},
            "x": x,
            "y": y,
            "z": self.z,
        }


def raw_item(message: Message) -> RawItem:
    """Return the item of a MISSION_ITEM or MISSION_ITEM_INT."""
    frame, x, y = message.frame, message.x, message.y
    if message.get_type() == "MISSION_ITEM_INT":
        frame = _INTEGER_FRAMES.get(frame, frame)
        if frame in _SENT_FRAMES:
            x, y = _degrees(x), _degrees(y)
    return RawItem(
        frame,
        message.command,
        int(message.autocontinue != 0),
        (message.param1, message.param2, message.param3, message.param4),
        x,
        y,
        message.z,
    )


def are_equal(some: Sequence[RawItem], others: Sequence[RawItem]) -> bool:
    """Return whether two lists have the same items; NaN equals NaN."""
    if len(some) != len(others):
        return False
    return np.array_equal(_numbers(some), _numbers(others), equal_nan=True)


def entry_of(number: int, item: RawItem) -> CommandEntry:
    """Return an item as plans have it: ``number`` counts from 1, and so do targets of jumps."""
    first, *params = item.params
    frame = item.frame
    if item.command == _DO_JUMP:
        first += 1.0
    if item.command == _DO_SET_HOME:  # its altitude is above sea level [@mavlink]
        frame = ABOVE_SEA
    values = [first, *params, item.x, item.y, item.z]
    return CommandEntry(number, item.command, frame, values, pauses=not item.autocontinue)


def _numbers(items: Sequence[RawItem]) -> list[tuple[float, ...]]:
    return [(*item[:3], *item.params, item.x, item.y, item.z) for item in items]


def _degrees(coordinate: int) -> float:
    return math.nan if coordinate in _NOT_SET else coordinate / _DEGREE


def _whole(value: float) -> int:
    if math.isnan(value):
        return _UNSET
    return round(min(max(value, _INT32[0]), _INT32[1]))
