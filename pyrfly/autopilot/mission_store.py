"""The mission, fence and rally points that a vehicle has stored: `MissionStore`."""

from __future__ import annotations

from collections.abc import Sequence

from pyrfly.autopilot.raw_items import RawItem, are_equal
from pyrfly.autopilot.reply import Reply
from pyrfly.mavlink.constants import MissionType

__all__ = ["LIMITS", "TIMEOUT", "MissionStore"]

LIMITS = {MissionType.MISSION: 10_000, MissionType.FENCE: 64, MissionType.RALLY: 32}
"""Maximum number of items of a list [@px4 v1.16.1 dataman.h, boards/px4/sitl/default.px4board]."""

TIMEOUT = 5.0
"""Time without a message that ends a transfer [s] [@px4 v1.16.1 mavlink_mission.h]."""

_UNKNOWN_TOTAL = 0xFFFF


class MissionStore:
    """Lists of items of one vehicle, which its links share.

    Parameters
    ----------
    backs : bool
        Whether the vehicle goes backward, too, and its missions may say so.

    Attributes
    ----------
    current : int
        Index of the item of the mission that is or will be flown. The owner writes it, too.
    reached : list of int
        Indices of the items that were reached in the present flight, or the last one. The owner
        appends to it, and replaces it when a flight begins.
    changed : set of int
        Lists that were replaced since the owner emptied this set.
    selected : int or None
        Item that a station selected, for the owner to fly to; the owner sets it to None.
    """

    def __init__(self, backs: bool = False) -> None:
        self.backs = backs
        self._items: dict[int, tuple[RawItem, ...]] = dict.fromkeys(LIMITS, ())
        self._owner: object = None
        self._until = 0.0
        self.current = 0
        self.reached: list[int] = []
        self.changed: set[int] = set()
        self.selected: int | None = None

    def items(self, kind: int) -> tuple[RawItem, ...]:
        """Return a list of items; an empty one for an unknown MAV_MISSION_TYPE."""
        return self._items.get(kind, ())

    def replace(self, kind: int, items: Sequence[RawItem], current: int = 0) -> None:
        """Replace a list of items; one with the same items stays as it is, as in PX4."""
        if items and are_equal(items, self._items[kind]):
            return
        self._items[kind] = tuple(items)
        self.changed.add(kind)
        if kind == MissionType.MISSION:
            self.current, self.reached, self.selected = current, [], None

    def select(self, index: int) -> bool:
        """Continue with another item of the mission; return whether there is one of this index."""
        if not 0 <= index < len(self._items[MissionType.MISSION]):
            return False
        self.current = self.selected = index
        return True

    def claim(self, owner: object, time: float) -> bool:
        """Reserve uploads for ``owner`` until `TIMEOUT` from now; False if another has them."""
        if self._owner not in (None, owner) and time <= self._until:
            return False
        self._owner, self._until = owner, time + TIMEOUT
        return True

    def release(self, owner: object) -> None:
        """End a reservation."""
        if self._owner is owner:
            self._owner = None

    def mission_current(self) -> Reply:
        """Return the MISSION_CURRENT of now."""
        fields: dict[str, object] = {
            "seq": self.current,
            "total": len(self._items[MissionType.MISSION]) or _UNKNOWN_TOTAL,
            "mission_state": 0,  # not known, as in PX4
            "mission_mode": 0,
        }
        return Reply("MISSION_CURRENT", fields)
