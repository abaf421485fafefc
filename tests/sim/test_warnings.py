"""Commands without an effect warn once, at the line of the caller."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest

from pyrfly import CommandWarning, Sim

COMMANDS: dict[str, Callable[[Sim], None]] = {
    "position": lambda sim: sim.command_position([0, 0, -3]),
    "velocity": lambda sim: sim.command_velocity([1, 0, 0], ids=[2, 3]),
    "attitude": lambda sim: sim.multirotor.command_attitude([1, 0, 0, 0], 0.5, ids=2),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_to_unarmed_vehicles_warns_once(name: str) -> None:
    sim = Sim("x450", 3)
    sim.arm(ids=1)
    with pytest.warns(CommandWarning, match=r"not armed: CopterID 2 \(x450\)") as caught:
        COMMANDS[name](sim)
    assert [warning.filename for warning in caught].count(__file__) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        COMMANDS[name](sim)


def test_a_goal_below_the_ground_warns_once() -> None:
    sim = Sim("x450", 3)
    sim.arm()
    sim.terrain = [0, 0, -5]
    with pytest.warns(CommandWarning, match=r"below the ground .*: CopterID 2 \(x450\) and 1 more"):
        sim.command_position([[0, 0, -3], [0, 0, 3], [0, 0, -3]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.command_position([0, 0, 10])


def test_a_throttle_that_the_controllers_overwrite_warns_once() -> None:
    sim = Sim({"x450": 1, "hex_x": 1})
    group = sim.groups[0]
    with pytest.warns(CommandWarning, match="throttle: the controllers overwrite it.*controllers"):
        group.throttle = 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        group.throttle = 0.4
    sim = Sim("x450")
    with pytest.warns(CommandWarning, match="controllers = False"):
        sim.throttle = 0.5
    sim = Sim("x450")
    sim.controllers = False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.throttle = 0.5
    sim.step(500)
    assert sim.vel[0, 2] < -1  # it climbs, unarmed


def test_a_trajectory_may_end_in_the_ground() -> None:
    sim = Sim("x450")
    sim.arm()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.command_position([0, 0, 0.5], vel=[0, 0, 0.3])


def test_commands_that_have_an_effect_do_not_warn() -> None:
    sim = Sim("x450", 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.arm()
        sim.command_position([0, 0, -3], yaw=0)
        sim.command_position([0, 0, 0])
        sim.command_velocity([0, 0, 1])
        sim.multirotor.command_rate([0, 0, 0], 0.3)
