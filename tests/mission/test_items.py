"""Missions constructed in Python."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import pytest

from pyrfly.errors import MissionError
from pyrfly.mission import (
    ChangeSpeed,
    Delay,
    Jump,
    Loiter,
    Mission,
    RegionOfInterest,
    ReturnToLaunch,
    SetHome,
    TakeOff,
    Waypoint,
)


def test_a_mission_takes_numpy_numbers_and_keeps_its_items() -> None:
    up = TakeOff((np.float32(0.0), np.float64(0.0), np.int64(-3)))  # type: ignore[arg-type]
    mission = Mission([up, ReturnToLaunch()])  # type: ignore[arg-type]
    assert mission.items == (up, ReturnToLaunch())


@pytest.mark.parametrize("kind", [list, np.array])
def test_positions_may_be_lists_and_arrays(kind: Any) -> None:
    pos = kind([10, 0, -5])
    mission = Mission([Waypoint(pos), SetHome(pos)], home=kind([1, 2, 3]), rally=[pos])  # type: ignore[arg-type]
    same = Mission((Waypoint((10, 0, -5)), SetHome((10, 0, -5))), (1, 2, 3), rally=((10, 0, -5),))
    assert mission == same


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ((), "expected at least one item to fly to"),
        (("up",), "item 1: expected a mission item, got 'up'"),
        ((Waypoint((0.0, math.nan, -1.0)),), "item 1: east: expected -50000..50000 m, got nan"),
        (
            (Waypoint(cast(Any, [0.0, 0.0])),),
            "item 1: position: expected (north, east, down)",
        ),
        ((Waypoint((0.0, 0.0, -1.0), hold=-1.0, number=9),), "item 9: hold: expected 0..86400"),
        ((Waypoint((0.0, 0.0, -1.0), yaw=math.inf),), "item 1: yaw: expected"),
        ((Waypoint((0.0, 0.0, -1.0), radius=0.0),), "item 1: radius: expected 0.01..1000 m"),
        ((Loiter((0.0, 0.0, -1.0), -1.0),), "item 1: seconds: expected"),
        (
            (TakeOff((0.0, 0.0, 1.0)),),
            "item 1: take-off height: expected more than 0 m above home, got -1 m",
        ),
        ((ReturnToLaunch(), Jump(7, 1)), "item 2: jump: expected the number of an item, got 7"),
        ((ReturnToLaunch(), Jump(1, -1)), "item 2: repeat: expected 0..10000 jumps, got -1"),
        (
            (
                ReturnToLaunch(),
                Jump(1, 9999),
                Jump(1, 9999),
                *[ChangeSpeed(1.0)] * 30,
                Jump(1, 9999),
            ),
            "jumps: expected at most 200000 items in all, got more",
        ),
        ((RegionOfInterest((1e5, 0.0, 0.0)),), "item 1: north: expected -50000..50000 m"),
        ((Delay(-1.0),), "item 1: seconds: expected 0..86400 s, got -1"),
        ((ReturnToLaunch(), ChangeSpeed(0.0)), "item 2: speed: expected 0.01..100 m/s"),
    ],
)
def test_a_mission_checks_its_items(items: Any, words: str) -> None:
    with pytest.raises(MissionError) as caught:
        Mission(items)
    assert str(caught.value).startswith(words)
