"""Messages about the progress of a mission: `MissionProgress`."""

from __future__ import annotations

import math

from pyrfly.autopilot.mission_store import MissionStore
from pyrfly.autopilot.reply import Reply

__all__ = ["MissionProgress"]

_PERIOD = 1.0  # s
_REPEATS = 10  # of an item that was reached


class MissionProgress:
    """MISSION_CURRENT and MISSION_ITEM_REACHED of one vehicle over one link.

    Both are sent at once after a change; every second MISSION_CURRENT again, and up to ten times
    the item that was reached last [@px4 v1.16.1 mavlink_mission.cpp]. Each item that was reached is
    told, where PX4 tells the last one since it looked.

    Parameters
    ----------
    store : MissionStore
        The lists of the vehicle.
    """

    def __init__(self, store: MissionStore) -> None:
        self._store = store
        self._current = -1  # as sent last
        self._reached = store.reached  # of the flight, of which `_told` were sent
        self._told = 0
        self._left = 0  # messages about the item that was reached
        self._next = -math.inf

    def due(self, time: float) -> list[Reply]:
        """Return the messages that are due at a time that never decreases [s]."""
        store, replies = self._store, []
        is_second = time >= self._next
        if store.reached is not self._reached:
            self._reached, self._told, self._left = store.reached, 0, 0
        newly = self._reached[self._told :]
        if is_second or store.current != self._current:
            replies.append(store.mission_current())
        if newly:
            self._left = _REPEATS
            replies += [_reached(index) for index in newly]
        elif self._left and is_second:
            self._left -= 1
            replies.append(_reached(self._reached[-1]))
        if is_second:
            self._next = time + _PERIOD
        self._current, self._told = store.current, len(self._reached)
        return replies


def _reached(index: int) -> Reply:
    return Reply("MISSION_ITEM_REACHED", {"seq": index})
