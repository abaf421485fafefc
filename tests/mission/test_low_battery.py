"""Missions of vehicles whose batteries run low."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly.mavlink.modes import NavState
from pyrfly.mission import (
    BATTERY_ACTIONS,
    Fence,
    Land,
    Mission,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
    fly_mission,
    summary_table,
)

UP, OUT, BACK = TakeOff((0.0, 0.0, -5.0)), Waypoint((30.0, 0.0, -5.0)), ReturnToLaunch()


class Drain:
    """Sets the charge of the battery over the time [s], as the recorder of a flight."""

    def __init__(self, sim: pyrfly.Sim, charge: Callable[[float], float]) -> None:
        self._sim, self._charge = sim, charge

    def sample(self) -> None:
        self._sim.groups[0].state_of_charge[:] = self._charge(self._sim.time)


def flown(charge: Callable[[float], float], *items: Any, **options: Any) -> Any:
    sim = pyrfly.Sim("x450")
    sim.power.enable()
    fence = options.pop("fence", Fence())
    mission = Mission(items or (UP, OUT, BACK), fence=fence)
    result = fly_mission(sim, mission, recorder=Drain(sim, charge), **options)
    return result, sim


def test_a_charged_battery_changes_nothing() -> None:
    result, _ = flown(lambda time: 0.16)
    assert result.completed
    assert result.low_battery == ()


def test_a_low_battery_is_reported() -> None:
    result, _ = flown(lambda time: 0.16 if time < 5 else 0.10)
    assert result.completed
    (low,) = result.low_battery
    assert (low.charge, low.action) == (0.15, "warn")
    assert low.time == pytest.approx(5.5, abs=0.6)
    assert "low battery" in summary_table(result)


def test_a_critical_battery_ends_the_mission_with_a_return() -> None:
    result, sim = flown(lambda time: 0.5 if time < 6 else 0.06)
    assert (result.completed, result.reason) == (False, "battery below 7 %; action: return")
    assert [low.charge for low in result.low_battery] == [0.15, 0.07]
    assert result.items[1].time is None
    np.testing.assert_allclose(sim.pos[0, :2], 0, atol=0.3)
    assert not sim.armed[0]
    assert [mode for _, mode in result.modes] == [
        *(NavState.AUTO_MISSION, NavState.AUTO_RTL, NavState.AUTO_LOITER)
    ]


def test_an_emergency_lands_where_the_vehicle_is() -> None:
    result, sim = flown(lambda time: 0.5 if time < 6 else 0.06 if time < 9 else 0.04)
    returned, landed = "battery below 7 %; action: return", "battery below 5 %; action: land"
    assert result.reason == f"{returned}; {landed}"
    assert not sim.armed[0]
    assert sim.pos[0, 0] > 3
    assert [mode for _, mode in result.modes][1:3] == [NavState.AUTO_RTL, NavState.AUTO_LAND]


@pytest.mark.parametrize("last", [ReturnToLaunch(), Land((30.0, 0.0, 0.0))])
def test_a_mission_that_lands_anyhow_goes_on(last: Any) -> None:
    result, _ = flown(lambda time: 0.5 if time < 14 else 0.06, UP, OUT, last)
    assert result.completed
    assert len(result.low_battery) == 2


def test_a_fence_that_holds_does_not_end_a_return() -> None:
    """A return climbs, out of the fence."""
    low = Fence(max_height=8.0)
    result, sim = flown(lambda time: 0.5 if time < 6 else 0.06, fence=low)
    assert len(result.breaches) == 1
    assert result.reason == "battery below 7 %; action: return"
    np.testing.assert_allclose(sim.pos[0, :2], 0, atol=0.3)


def test_thresholds_are_an_argument() -> None:
    result, _ = flown(lambda time: 0.06, battery_actions={})
    assert result.completed
    result, _ = flown(lambda time: 0.5, battery_actions={0.6: "land", 0.8: "warn"})
    assert [low.charge for low in result.low_battery] == [0.8, 0.6]
    assert result.reason == "battery below 60 %; action: land"


def test_what_the_gauge_tells_counts() -> None:
    sim = pyrfly.Sim("x450")
    sim.power.enable()
    sim.faults.add("battery_gauge", ratio=0.06, at=6.0)
    result = fly_mission(sim, Mission((UP, OUT, BACK)))
    assert result.reason == "battery below 7 %; action: return"


def test_the_default_is_that_of_px4() -> None:
    """Defaults of BAT_LOW_THR, BAT_CRIT_THR, BAT_EMERGEN_THR; COM_LOW_BAT_ACT 3 of simulations."""
    assert dict(BATTERY_ACTIONS) == {0.15: "warn", 0.07: "return", 0.05: "land"}


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        (7, TypeError, "battery_actions: expected a mapping of charges to actions, got 7"),
        ({1.5: "land"}, ValueError, "battery_actions: charge: expected 0..1"),
        ({0.1: "hold"}, ValueError, "battery_actions: expected some of warn, return, land"),
        ({"low": "land"}, ValueError, "battery_actions: charge: expected"),
    ],
)
def test_bad_thresholds(actions: Any, error: type[Exception], words: str) -> None:
    sim = pyrfly.Sim("x450")
    with pytest.raises(error, match=words.replace(".", r"\.")):
        fly_mission(sim, Mission((UP, BACK)), battery_actions=actions)
    assert sim.time == 0
