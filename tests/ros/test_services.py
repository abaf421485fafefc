"""Services that command vehicles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pyrfly_ros.services import SERVICES, executed

from pyrfly import Sim
from pyrfly.server.execution import Executor
from pyrfly.server.link_stats import LinkStats

from .conftest import message

BOTH = np.array([1, 2])


@pytest.fixture
def fleet():
    sim = Sim("x450", 2)
    sim.enable_synthesis()
    sim.reset(pos=[[0, 0, 0], [0, 5, 0]])
    executor = Executor(sim, LinkStats(2), math.inf, setpoints_arm=False)

    def call(name: str, ids=BOTH, **request) -> str:
        return executed(sim, executor.act, SERVICES[name], ids, message(**request))

    return sim, call


def test_vehicles_arm_take_off_return_land_and_are_reset(fleet) -> None:
    sim, call = fleet
    assert call("arm", data=True) == ""
    assert sim.armed.all()
    assert call("take_off", ids=BOTH[1:]) == ""
    sim.step(8000)
    assert sim.pos[1, 2] == pytest.approx(-sim.takeoff_height[1], abs=0.3)
    assert sim.pos[0, 2] > -0.5
    assert call("return_home", ids=BOTH[1:]) == ""
    sim.step(2000)
    assert call("land") == ""
    sim.step(20000)
    assert not sim.armed.any()
    sim.pos[0, 0] = 3
    assert call("reset") == ""
    assert sim.pos[:, :2].tolist() == [[0, 0], [0, 5]]


@pytest.mark.parametrize("name", ["take_off", "land", "return_home"])
def test_vehicles_that_are_not_armed_do_not_fly(fleet, name) -> None:
    sim, call = fleet
    call("arm", ids=BOTH[:1], data=True)
    before = sim.navigator_mode.tolist()
    assert call(name) == "not armed: vehicles 2"
    assert sim.navigator_mode.tolist() == before


def test_vehicles_are_disarmed(fleet) -> None:
    sim, call = fleet
    call("arm", data=True)
    assert call("arm", data=False) == ""
    assert not sim.armed.any()
