"""Flights that are commanded together, and how they end."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from pyrfly import Sim
from pyrfly.autopilot.flights import Flights
from pyrfly.mission.vehicle import Vehicle


@pytest.mark.parametrize("vel", [(math.nan, 0.0, 0.0), None])
def test_a_set_point_that_is_not_finite_ends_its_flight_only(vel: object) -> None:
    sim = Sim("x450", 2)
    sim.arm()
    flights = Flights(sim)

    def nowhere(vehicle: Vehicle) -> Iterator[None]:
        pos = (0.0, 0.0, -5.0 if vel else math.inf)
        flights.command_position(pos, 0.0, vel=vel, ids=1)  # type: ignore[arg-type]
        yield

    def rest(vehicle: Vehicle) -> Iterator[None]:
        while True:
            flights.command_position((0.0, 0.0, -5.0), 0.0, ids=2)
            yield

    flights.begin(0, nowhere)
    flights.begin(1, rest)
    assert flights.follow() == {0: "set-point: expected finite numbers"}
    assert flights.follow() == {}
