"""Missions that a station uploads item by item, and what is seen of their flights."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pyrfly.frames import LocalFrame

NAN = math.nan
ABOVE_HOME, ABOVE_SEA, NOWHERE = 6, 5, 2
WAYPOINT, UNLIMITED, TURNS, HOLD_TIME, RETURN, LAND, TAKE_OFF = 16, 17, 18, 19, 20, 21, 22
TO_ALTITUDE = 31
JUMP, SPEED, SET_HOME, LAND_START, REVERSE, ROI, NO_ROI = 177, 178, 179, 189, 194, 195, 197

Item = tuple[int, int, tuple[float, ...], tuple[float, float, float]]


def at(north: float, east: float, up: float, command: int = WAYPOINT, *params: float) -> Item:
    return ABOVE_HOME, command, params or (0, 0, 0, NAN), (north, east, up)


def do(command: int, *params: float) -> Item:
    return NOWHERE, command, params, (0, 0, 0)


def sent_items(plan: Path) -> list[Item]:
    """Return the items of a plan as QGroundControl uploads them."""
    mission = json.loads(plan.read_text(encoding="utf-8"))["mission"]
    frame = LocalFrame(*mission["plannedHomePosition"])
    items = []
    for entry in mission["items"]:
        *four, lat, lon, up = (NAN if value is None else value for value in entry["params"])
        if entry["frame"] == 2:
            items.append(do(entry["command"], *four))
        else:
            north, east, _ = frame.to_ned((lat, lon, frame.alt))
            items.append((ABOVE_HOME, entry["command"], tuple(four), (north, east, up)))
    return items


def upload(
    s: Any,
    items: list[Item],
    row: int = 0,
    kind: int = 0,
    pausing: Sequence[int] = (),
    wait: float = 0.04,
) -> None:
    """Send a mission as a station does: each item when it is requested.

    Those of ``pausing`` have no autocontinue.
    """
    s.collect()
    system = s.system(row)
    s.send("MISSION_COUNT", system, 1, len(items), kind, row=row)
    for seq, (frame, command, params, (north, east, up)) in enumerate(items):
        s.collect()
        requested = [*s.all("MISSION_REQUEST_INT", row), *s.all("MISSION_REQUEST", row)]
        assert seq in {m.seq for m in requested}
        four = [*params, 0, 0, 0, 0][:4]
        home_up = float(s.commander.homes.pos[row, 2])
        x, y, z = 0, 0, float(up)
        if frame != NOWHERE:
            x, y, above_sea = s.place_int(north, east, up - home_up)
            z = above_sea if frame == ABOVE_SEA else up
        flags = int(seq == 0), int(seq not in pausing)
        fields = (system, 1, seq, frame, command, *flags, *four, x, y, z, kind)
        s.send("MISSION_ITEM_INT", *fields, row=row)
    s.collect()
    assert s.all("MISSION_ACK", row)[-1].type == 0
    s.run(wait)


def start(s: Any, row: int = 0) -> None:
    assert s.command(176, 1, 4, 4, row=row) == 0
    assert s.command(400, 1, row=row) == 0


class Track:
    """Where a vehicle was."""

    def __init__(self, s: Any, row: int = 0) -> None:
        self.row = row
        self.pos: list[np.ndarray] = []
        self.times: list[float] = []
        s.each_tick.append(lambda: self.note(s))

    def note(self, s: Any) -> None:
        self.pos.append(s.sim.pos[self.row].copy())
        self.times.append(s.sim.time)

    def passes(self, place: Any, radius: float) -> int:
        """Return how often the track comes within a radius of a place."""
        near = np.linalg.norm(np.array(self.pos) - place, axis=1) < radius
        return int((near[1:] & ~near[:-1]).sum() + near[0])


def progress(s: Any, row: int = 0) -> tuple[list[int], list[int]]:
    """Return the changes of the current item and the items reached, as they were told."""
    current = [m.seq for m in s.all("MISSION_CURRENT", row)]
    reached = [m.seq for m in s.all("MISSION_ITEM_REACHED", row)]

    def changes(of: list[int]) -> list[int]:
        return [b for a, b in zip([None, *of], of, strict=False) if a != b]

    return changes(current), changes(reached)
