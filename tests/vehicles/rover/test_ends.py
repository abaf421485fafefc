"""Runs of rovers that end where they stop."""

from __future__ import annotations

from pyrfly import Sim


def test_a_rover_has_landed_where_it_stops() -> None:
    sim = Sim("rover_differential")
    sim.arm()
    assert sim.run(1, until="landed") is None  # it has not driven yet
    sim.command_velocity([2, 0, 0])
    assert sim.run(3, until="landed") is None
    sim.command_velocity([0, 0, 0])
    assert sim.run(20, until="landed") is not None
