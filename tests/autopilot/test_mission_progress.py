"""Messages about the progress of a mission."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyrfly.autopilot.mission_progress import MissionProgress
from pyrfly.autopilot.mission_store import MissionStore
from pyrfly.autopilot.raw_items import RawItem
from pyrfly.mavlink.constants import MissionType

MISSION = MissionType.MISSION

Seen = list[tuple[float, str, int]]


@pytest.fixture
def store() -> MissionStore:
    store = MissionStore()
    item = RawItem(3, 16, 1, (0.0, 0.0, 0.0, 0.0), 40.0, 116.0, 10.0)
    store.replace(MISSION, [item] * 4)
    return store


@pytest.fixture
def seen(store: MissionStore, decoded: Callable[..., Any]) -> Callable[[float, float], Seen]:
    """Return a function that collects time, name and number of what is sent in a time."""
    progress = MissionProgress(store)

    def between(begin: float, end: float) -> Seen:
        times = [begin + 0.1 * tick for tick in range(round((end - begin) / 0.1))]
        out = [(time, decoded(reply)) for time in times for reply in progress.due(time)]
        return [(round(time, 1), message.get_type(), message.seq) for time, message in out]

    return between


def test_the_current_item_is_sent_every_second_and_after_a_change(
    store: MissionStore, seen: Callable[[float, float], Seen]
) -> None:
    assert seen(0.0, 2.5) == [(t, "MISSION_CURRENT", 0) for t in (0.0, 1.0, 2.0)]
    store.current = 2
    assert seen(2.5, 4.0) == [(t, "MISSION_CURRENT", 2) for t in (2.5, 3.0)]


def test_a_reached_item_is_sent_at_once_and_ten_times_again(
    store: MissionStore, seen: Callable[[float, float], Seen]
) -> None:
    seen(0.0, 0.5)
    store.reached += [1]
    found = [entry for entry in seen(0.5, 20.0) if entry[1] == "MISSION_ITEM_REACHED"]
    assert found[0] == (0.5, "MISSION_ITEM_REACHED", 1)
    assert [entry[0] for entry in found[1:]] == [float(n) for n in range(1, 11)]
    store.reached += [2]
    assert (20.0, "MISSION_ITEM_REACHED", 2) in seen(20.0, 20.1)


def test_items_that_are_reached_at_once_are_all_sent(
    store: MissionStore, seen: Callable[[float, float], Seen]
) -> None:
    """MAVSDK ends a mission with its last item, which is a command."""
    seen(0.0, 0.5)
    store.reached += [1, 2, 3]
    found = [entry for entry in seen(0.5, 0.6) if entry[1] == "MISSION_ITEM_REACHED"]
    assert [entry[2] for entry in found] == [1, 2, 3]


def test_a_new_mission_has_reached_nothing(
    store: MissionStore, seen: Callable[[float, float], Seen]
) -> None:
    store.reached += [1]
    seen(0.0, 0.5)
    store.replace(MISSION, ())
    assert (store.reached, store.current) == ([], 0)
    assert {entry[1] for entry in seen(0.5, 5.0)} == {"MISSION_CURRENT"}


def test_the_number_of_items_is_sent(store: MissionStore, decoded: Callable[..., Any]) -> None:
    assert decoded(store.mission_current()).total == 4
    store.replace(MISSION, ())
    assert decoded(store.mission_current()).total == 65535
