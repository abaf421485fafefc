"""Where mode RETURN leads, by RTL_TYPE: the choices of PX4 v1.16.1 [@px4 v1.16.1 rtl.cpp]."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from pyrfly.autopilot.returning import MissionReturn, Refuge, ReturnType, refuge
from pyrfly.mission.items import (
    ChangeSpeed,
    Ignored,
    Land,
    Loiter,
    MissionItem,
    TakeOff,
    Transition,
    Waypoint,
)

HOME = Refuge(np.array([0.0, 0.0, 0.0]), 1.5)
LANDING, RALLY = np.array([300.0, 0.0, 0.0]), np.array([0.0, 400.0, -20.0])
NEAR_HOME, NEAR_LANDING = np.array([100.0, 0.0, -50.0]), np.array([290.0, 0.0, -50.0])
NEAR_RALLY = np.array([0.0, 390.0, -50.0])


@pytest.mark.parametrize(
    ("kind", "here", "goal"),
    [
        (0, NEAR_HOME, "home"),
        (0, NEAR_LANDING, "home"),
        (0, NEAR_RALLY, "rally"),
        (1, NEAR_HOME, "landing"),
        (1, NEAR_RALLY, "rally"),
        (3, NEAR_HOME, "home"),
        (3, NEAR_LANDING, "landing"),
        (3, NEAR_RALLY, "rally"),
        (2, NEAR_RALLY, "home"),
        (4, NEAR_RALLY, "home"),
    ],
)
def test_the_nearest_place_that_the_type_allows(kind: int, here: Any, goal: str) -> None:
    found = refuge(ReturnType(kind), here, HOME, LANDING, [RALLY])
    expected = {"home": HOME.pos, "landing": LANDING, "rally": RALLY}[goal]
    assert found.pos.tolist() == expected.tolist()
    assert found.lands == (goal == "landing")
    assert math.isnan(found.yaw) == (goal != "home")


def test_home_where_there_is_neither_a_landing_nor_a_rally_point() -> None:
    assert refuge(ReturnType(1), NEAR_RALLY, HOME, None, []) is HOME


def test_a_vtol_in_hover_comes_home_as_well() -> None:
    assert refuge(ReturnType(1), NEAR_HOME, HOME, LANDING, [], hovering_vtol=True) is HOME


@pytest.mark.parametrize(("east", "counts"), [(9.0, False), (11.0, True)])
def test_a_rally_point_at_home_does_not_count(east: float, counts: bool) -> None:
    rally = np.array([0.0, east, 0.0])
    found = refuge(ReturnType(0), np.array([0.0, 100.0, -50.0]), HOME, None, [rally])
    assert (found is not HOME) == counts


# --- along a mission


def numbered(items: Sequence[MissionItem]) -> tuple[MissionItem, ...]:
    for number, item in enumerate(items, start=1):
        object.__setattr__(item, "number", number)
    return tuple(items)


def at(north: float) -> tuple[float, float, float]:
    return north, 0.0, -50.0


def mission(current: int, landing: bool = True) -> MissionReturn:
    """Return a mission of eight items: 100, 200, 300 m, two commands, 400 m, the landing at 500."""
    items: list[MissionItem] = [
        TakeOff(at(100)),
        Waypoint(at(200), hold=9.0, pauses=True),
        ChangeSpeed(7.0),
        Loiter(at(300), 30.0),
        Ignored(189),
        Loiter(at(400), 0.0, climbs=True),
    ]
    end = [Land((500.0, 0.0, 0.0)), Waypoint(at(900))] if landing else []
    return MissionReturn(
        numbered([*items, *end]), lambda vehicle, flown: iter(flown), lambda: current
    )


def way(fly: Callable[..., Any]) -> list[float | str]:
    """Return the places of what is flown, north [m], and what else there is."""
    flown: list[Any] = list(fly(None))
    assert isinstance(flown[0], Transition)
    for item in flown:
        assert not item.pauses
        assert not getattr(item, "hold", 0.0)
        assert not isinstance(item, Loiter) or item.climbs
    return [item.pos[0] for item in flown[1:]]


def test_the_landing_is_flown_from_its_mark_on() -> None:
    assert mission(2).landing.tolist() == [500, 0, 0]
    assert way(mission(2).land(None)) == [400, 500]
    climb = Waypoint(at(50))
    assert next(iter(mission(2).land(climb)(None))) == climb


@pytest.mark.parametrize(
    ("kind", "current", "landing", "interrupts", "places"),
    [
        (2, 2, True, True, [200, 300, 400, 500]),
        (2, 4, True, True, [300, 400, 500]),
        (2, 2, True, False, [300, 400, 500]),  # the nearest
        (2, 8, True, True, [500]),
        (2, 4, False, True, [200, 100, 0]),
        (2, 1, False, True, [100, 0]),
        (2, 1, False, False, [300, 200, 100, 0]),
        (4, 2, True, True, [100, 0]),
        (4, 4, True, True, [300, 400, 500]),
    ],
)
def test_missions_are_flown_on_or_back(
    kind: int, current: int, landing: bool, interrupts: bool, places: list[float]
) -> None:
    found = mission(current, landing)
    here, home = np.array([310.0, 0.0, -50.0]), np.zeros(3)
    assert way(found.along(ReturnType(kind), here, home, interrupts)) == places
