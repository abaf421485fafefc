"""Which action of several is taken, when it begins and ends: tables of PX4's framework."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly.autopilot.failsafe_machine import FailsafeMachine, Situation
from pyrfly.autopilot.failsafe_table import LOSSES, Action
from pyrfly.autopilot.flight_modes import FlightMode

NAMES = [loss.name for loss in LOSSES]


class Vehicle:
    """One vehicle with losses by name, and their choices."""

    def __init__(self, delay: float = 0.0, mode: FlightMode = FlightMode.MISSION) -> None:
        self.machine = FailsafeMachine(1)
        self.delay, self.mode = delay, mode
        self.lost: dict[str, int] = {}
        self.navigates = self.holds = self.armed = True

    def run(self, seconds: float = 0.1) -> str:
        """Return the action afterwards."""
        for _ in range(round(seconds / 0.1)):
            failed = np.array([[name in self.lost for name in NAMES]])
            choice = np.array([[self.lost.get(name, 0) for name in NAMES]], np.int8)
            situation = Situation(
                *(np.array([self.armed]), np.array([int(self.mode)])),
                *(np.array([self.navigates]), np.array([self.holds])),
            )
            self.told = self.machine.update(0.1, failed, choice, np.array([self.delay]), situation)
        return Action(int(self.machine.selected[0])).name


def test_the_strongest_action_is_taken() -> None:
    """As the guide's list of actions in increasing severity [@px4-guide config/safety.md]."""
    v = Vehicle()
    for loss, choice, action in (
        ("low_battery", 0, "WARN"),
        ("station", 1, "HOLD"),
        ("sticks", 2, "RETURN"),
        ("emergency_battery", 3, "LAND"),
        ("attitude", Action.TERMINATE, "TERMINATE"),
    ):
        v.lost[loss] = choice
        assert v.run() == action
    v.lost["station"] = 6
    assert v.run() == "TERMINATE"


def test_both_links_lost_lead_to_the_stronger_action() -> None:
    """The example of the guide: manual control to Return, the station to Land."""
    v = Vehicle()
    v.lost = {"sticks": 2, "station": 3}
    assert v.run() == "LAND"


@pytest.mark.parametrize(
    ("loss", "choice", "after"),
    [
        ("flight_time", 0, "NONE"),
        ("accuracy", 3, "NONE"),
        ("mode", Action.HOLD, "NONE"),
        ("critical_battery", 3, "NONE"),
        ("sticks", 2, "RETURN"),
        ("geofence", 5, "LAND"),
        ("wind", 3, "RETURN"),
        ("quadchute", 0, "RETURN"),
    ],
)
def test_actions_end_with_what_caused_them_or_stay_until_the_mode_is_switched(
    loss: str, choice: int, after: str
) -> None:
    v = Vehicle()
    v.lost = {loss: choice}
    assert v.run() != "NONE"
    v.lost = {}
    assert v.run() == after
    v.machine.release(0)
    v.run()
    assert v.run() == "NONE"


def test_a_hold_comes_first_and_all_but_the_worst_wait_for_it() -> None:
    v = Vehicle(delay=1.0)
    v.lost = {"sticks": 2}
    assert v.run(0.9) == "HOLD"
    assert v.machine.delayed[0] == Action.RETURN
    assert v.run(0.3) == "RETURN"
    v = Vehicle(delay=1.0)
    v.lost = {"sticks": 6}
    assert v.run() == "DISARM"
    v = Vehicle(delay=1.0)
    v.lost = {"low_battery": 0}
    assert v.run() == "WARN"


def test_a_link_that_comes_and_goes_does_not_put_the_action_off_for_ever() -> None:
    """The delay shrinks with holds, and grows at a quarter of that between them."""
    v = Vehicle(delay=1.0, mode=FlightMode.OFFBOARD)
    for _ in range(2):
        v.lost = {"critical_battery": 3}
        assert v.run(0.4) == "HOLD"
        v.lost = {}
        v.run(0.8)  # without the rest of the hold
    v.lost = {"critical_battery": 3}
    assert v.run(0.9) == "RETURN"


def test_a_vehicle_that_does_not_know_its_position_lands_or_sinks() -> None:
    v = Vehicle(delay=1.0)
    v.lost, v.navigates = {"sticks": 2}, False
    assert v.run() == "LAND"  # a hold needs a position, too
    v.holds = False
    assert v.run() == "DESCEND"
    v.lost["sticks"] = 1
    assert v.run() == "DESCEND"
    v.holds = v.navigates = True
    assert v.run() == "HOLD"


@pytest.mark.parametrize(
    ("mode", "action"), [(FlightMode.RETURN, "WARN"), (FlightMode.LAND, "WARN")]
)
def test_a_return_does_not_end_a_return_or_a_landing_of_the_user(
    mode: FlightMode, action: str
) -> None:
    v = Vehicle(delay=1.0, mode=mode)
    v.lost = {"sticks": 2}
    assert v.run() == action
    v.lost["emergency_battery"] = 3
    assert v.run(1.3) == "LAND"


def test_a_user_who_took_over_is_left_alone_until_something_new_is_lost() -> None:
    v = Vehicle()
    v.lost = {"sticks": 2}
    v.run()
    v.machine.release(0)
    assert v.run(1.0) == "WARN"
    v.lost["station"] = 1
    assert v.run() == "RETURN"


def test_disarming_ends_all() -> None:
    v = Vehicle()
    v.lost = {"sticks": 2}
    assert v.run() == "RETURN"
    v.armed = False
    assert v.run() == "NONE"
    assert not v.told.any()
