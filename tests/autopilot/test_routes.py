"""The height of a return, and flights of many vehicles at once."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

import pyrfly
from pyrfly.autopilot.clock import Clock
from pyrfly.autopilot.columns import column
from pyrfly.autopilot.flights import Flights
from pyrfly.autopilot.routes import ReturnSettings, go_to, return_height
from pyrfly.mission.vehicle import Vehicle
from pyrfly.sim.battery_state import battery
from pyrfly.sim.ends import ground_contact

SETTINGS = ReturnSettings(30.0, 20.0, math.radians(45), 2.0, 10.0, 0.0)


@pytest.mark.parametrize(
    ("distance", "height", "expected"),
    [
        (100.0, 5.0, 30.0),  # far away: RTL_RETURN_ALT
        (100.0, 50.0, 50.0),  # never a descent
        (20.1, 5.0, 30.0),
        (12.0, 5.0, 12.0),  # on the cone of 45 deg
        (12.0, 15.0, 15.0),
        (2.5, 1.0, 4.0),  # at least twice the acceptance radius
        (1.5, 1.0, 3.0),  # twice the distance
        (0.0, 1.0, 1.0),
    ],
)
def test_the_height_of_a_return(distance: float, height: float, expected: float) -> None:
    assert return_height(SETTINGS, distance, height) == pytest.approx(expected)


def test_the_cone_of_a_return_is_a_parameter() -> None:
    narrow = ReturnSettings(30.0, 20.0, math.radians(30), 2.0, 10.0, 0.0)
    assert return_height(narrow, 12.0, 0.0) == pytest.approx(12 * math.sqrt(3))
    assert return_height(SETTINGS, 12.0, 0.0) == pytest.approx(12)


@pytest.mark.parametrize(("height", "expected"), [(1.0, 30.0), (50.0, 50.0)])
def test_without_a_cone_a_return_has_its_altitude_anywhere(height: float, expected: float) -> None:
    """Planes, and RTL_CONE_ANG 0 [@px4 v1.16.1 rtl.cpp]."""
    without = ReturnSettings(30.0, 20.0, 0.0, 2.0, 10.0, 0.0)
    assert return_height(without, 1.0, height) == expected


# --- flights -----------------------------------------------------------------------------------


@pytest.fixture
def sim() -> pyrfly.Sim:
    sim = pyrfly.Sim({"x450": 2, "hex_x": 1}, dt=0.002)
    sim.reset(pos=[(0, 0), (0, 5), (0, 10)])
    sim.enable_synthesis()
    sim.arm()
    return sim


def run(sim: pyrfly.Sim, flights: Flights, seconds: float) -> dict[int, str]:
    """Follow for a while; return what has ended."""
    over: dict[int, str] = {}
    for _ in range(round(seconds / 0.02)):
        sim.step(10)
        over |= flights.follow()
    return over


def test_flights_end_at_rest_in_their_last_place(sim: pyrfly.Sim) -> None:
    flights = Flights(sim)
    goals = np.array([(6.0, 0, -4), (0, 9, -3), (4, 10, -2)])
    for row, goal in enumerate(goals):
        flights.begin(row, lambda vehicle, goal=goal: go_to(vehicle, goal, math.nan, 3.0))
    assert run(sim, flights, 12) == {0: "", 1: "", 2: ""}
    np.testing.assert_allclose(sim.pos, goals, atol=0.3)
    np.testing.assert_allclose(sim.pos[:2], goals[:2], atol=0.02)


def test_a_flight_that_fails_says_why_and_leaves_the_others_alone(sim: pyrfly.Sim) -> None:
    flights = Flights(sim)
    flights.begin(0, lambda vehicle: go_to(vehicle, np.array([1e6, 0, -4]), math.nan, 3.0))
    flights.begin(1, lambda vehicle: go_to(vehicle, np.array([0, 5.0, -4]), math.nan, 3.0))
    over = run(sim, flights, 6)
    assert "50" in over[0]
    assert over[1] == ""
    assert sim.pos[1, 2] == pytest.approx(-4, abs=0.05)


def test_a_flight_is_begun_again_and_ended(sim: pyrfly.Sim) -> None:
    begun = []

    def fly(vehicle: Vehicle) -> Iterator[None]:
        begun.append(vehicle.time)
        while True:
            vehicle.command(np.array([0.0, 0, -2]), np.zeros(3), np.zeros(3), 0.0)
            yield

    flights = Flights(sim)
    flights.again(0)  # which flies nothing
    flights.begin(0, fly)
    run(sim, flights, 0.1)
    flights.again(0)
    run(sim, flights, 0.1)
    assert begun == pytest.approx([0.02, 0.12])
    flights.end(0)
    flights.end(0)
    assert flights.follow() == {}


# --- columns and time --------------------------------------------------------------------------


def test_columns_of_parts_are_known_when_these_are_enabled(sim: pyrfly.Sim) -> None:
    np.testing.assert_array_equal(battery(sim.select()).charge, [1, 1, 1])
    sim.power.enable(ids=[1, 2])
    sim.groups[0].state_of_charge[:] = (0.5, 0.25)
    np.testing.assert_array_equal(battery(sim.select()).charge, [0.5, 0.25, 1])
    np.testing.assert_array_equal(column(sim, "no_such_column", 2, 7.0), np.full((3, 2), 7.0))
    np.testing.assert_array_equal(column(sim, "home", 2), sim.home[:, :2])


def test_the_height_above_the_ground_is_that_of_the_feet() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.reset(pos=[(0, 0), (0, 5)])
    sim.set_contact_points([[0.2, 0.0, 0.15], [-0.2, 0.2, 0.15], [-0.2, -0.2, 0.15]], ids=1)
    sim.step(1000)
    assert sim.pos[0, 2] == pytest.approx(-0.14, abs=0.02)
    np.testing.assert_allclose(ground_contact(sim.select()), [0, 0], atol=0.005)


def test_a_clock_goes_on_through_resets() -> None:
    sim = pyrfly.Sim("x450", dt=0.002)
    clock = Clock(sim)
    seen = [clock.now]
    for steps in (100, 50, 200):
        sim.step(steps)
        seen.append(clock.now)
        sim.reset()
        seen.append(clock.now)
    assert seen == pytest.approx([0, 0.2, 0.2, 0.3, 0.3, 0.7, 0.7])
    assert clock.resets == 3
