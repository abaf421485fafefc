"""Vehicles that are read and commanded together."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.errors import MissionError
from pyrfly.mission import Land, Mission, TakeOff, Waypoint, fly_mission, fly_missions
from pyrfly.mission.kinds import vehicle_of
from pyrfly.mission.together import Together
from pyrfly.vehicles import FAMILIES, names
from pyrfly.vehicles.kinds import Kind

ON_GROUND = [names(name)[0] for name, f in FAMILIES.items() if f.abilities.kind is Kind.DRIVES]


def test_set_points_are_commanded_at_once() -> None:
    sim = Sim("x450", 3)
    sim.arm()
    together = Together(sim)
    together.command_position((1.0, 2.0, -3.0), 0.5, ids=2)
    together.command_position((4.0, 5.0, 0.0), vel=(1.0, 0.0, 0.0), ids=3)
    assert not sim.select(2).read("pos_sp").any()
    together.write()
    assert sim.select([2, 3]).read("pos_sp").tolist() == [[1.0, 2.0, -3.0], [4.0, 5.0, 0.0]]
    assert sim.select(2).read("yaw_sp").tolist() == [0.5]
    assert not sim.select(1).read("setpoint_mask").any()


def test_the_state_is_that_of_the_last_read() -> None:
    sim = Sim("x450")
    together = Together(sim)
    sim.reset(pos=[1.0, 2.0, -3.0])
    assert together.pos[0, 0] == 0.0
    together.read()
    assert together.pos.tolist() == sim.pos.tolist()


def test_what_a_navigator_is_told_replaces_a_set_point() -> None:
    sim = Sim("x450")
    sim.enable_synthesis()
    together = Together(sim)
    together.command_position((1.0, 2.0, -3.0), ids=1)
    together.command_sil(np.zeros(8, np.int32), np.zeros(20), ids=1)
    together.write()
    assert not sim.pos_sp.any()


def test_set_points_are_finite() -> None:
    with pytest.raises(MissionError, match="finite"):
        Together(Sim("x450")).command_position((math.nan, 0.0, 0.0), ids=1)


@pytest.mark.parametrize("name", ["x450", *ON_GROUND[:1]])
def test_a_vehicle_flies_alike_alone_and_among_others(name: str) -> None:
    far = Mission((TakeOff((0.0, 0.0, -2.0)), Waypoint((6.0, 1.0, -2.0)), Land((6.0, 1.0, 0.0))))
    near = Mission((TakeOff((0.0, 0.0, -2.0)), Land((1.0, 0.0, 0.0))))
    alone, others = Sim(name, 3), Sim(name, 3)
    one = fly_mission(alone, far, copter_id=2)
    results = fly_missions(others, {1: near, 2: far, 3: near})
    timeless = {"wall_time": 0.0, "real_time_factor": 0.0}
    assert replace(results[2], **timeless) == replace(one, **timeless)


def test_a_vehicle_has_not_arrived_at_what_it_was_just_told() -> None:
    sim = Sim("x450")
    sim.reset(pos=[0.0, 0.0, -3.0], hover=True)
    sim.arm()
    together = Together(sim)
    vehicle = vehicle_of(together, 1)

    def go(north: float) -> None:
        goal = np.array((north, 0.0, -3.0))
        vehicle.command(goal, np.zeros(3), np.zeros(3), 0.0)
        assert not vehicle.arrived
        together.write()
        sim.step(100)
        together.read()
        vehicle.update()

    go(0.0)
    assert vehicle.arrived
    go(5.0)
    assert not vehicle.arrived
