"""Tasks on a surface and below it make sense: who follows the goal earns more than who stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from pyrfly import vehicles
from pyrfly.rl import PyrflyVectorEnv
from pyrfly.rl.scale import scale_of

from ..able import abilities, is_ponderous

N, RATE = 12, 5.0


BELOW = [
    v
    for v in vehicles.names()
    if abilities(v).kind.on_surface and abilities(v).stays and not is_ponderous(vehicles.load(v))
]


def returns(vehicle: str, task: str, follows: bool) -> Any:
    """Return what episodes earn.

    Those that follow go to the goal by positions, and to one that moves by velocities.
    """
    envs = PyrflyVectorEnv(
        N, task, vehicle, autoreset_mode="Disabled", control_rate=RATE, substeps=100,
        action="velocity" if task in ("track", "figure8") else "position",
    )  # fmt: skip
    envs.reset(seed=1)
    sim = envs.sim
    group = sim.groups[0]
    pace = 2.0 / scale_of(group).time
    place, total = sim.pos.copy(), np.zeros(N)
    over = np.zeros(N, bool)
    for _ in range(envs.episode_steps):
        goal = sim.task_goal if follows else place
        vel = follows * (sim.task_goal_vel + pace * (sim.task_goal - sim.pos))
        turn = np.arctan2(vel[:, 1], vel[:, 0]) - sim.euler[:, 2]
        wanted = {
            "pos_sp": goal,
            "yaw_sp": sim.task_goal_yaw[:, None],
            "vel_sp": vel,
            "yaw_rate_sp": follows * pace * np.angle(np.exp(1j * turn))[:, None],
        }
        actions = []
        for column, component, offset, scale, limits in envs._level.values:
            most = min([scale, *(float(group.view(name)[0]) for name, _ in limits)])
            actions.append((wanted[column][:, component] - offset) / most)
        _, rewards, terminated, truncated, _ = envs.step(np.stack(actions, axis=1))
        total += np.where(over, 0.0, rewards)
        over |= terminated | truncated
    return total


def check(vehicle: str, task: str) -> None:
    earned, stayed = returns(vehicle, task, True), returns(vehicle, task, False)
    assert earned.mean() > stayed.mean()
    assert (earned > stayed).mean() >= 0.5


@pytest.mark.parametrize("vehicle", ["turtlebot3_burger", "bmw_320i", "bluerov2"])
def test_who_follows_a_goal_earns_more_than_who_stays(vehicle: str) -> None:
    check(vehicle, "track")


@pytest.mark.slow
@pytest.mark.parametrize("task", ["hover", "position", "track", "figure8", "reach"])
@pytest.mark.parametrize("vehicle", BELOW)
def test_who_does_a_task_earns_more_than_who_stays(vehicle: str, task: str) -> None:
    check(vehicle, task)
