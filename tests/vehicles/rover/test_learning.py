"""Learning environments of rovers: what needs no flight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from pyrfly import ParameterError
from pyrfly.rl import PyrflyVectorEnv


def made(n: int, task: str, **options: Any) -> PyrflyVectorEnv:
    envs = PyrflyVectorEnv(n, task, "rover", precision="float64", **options)
    envs.reset(seed=1)
    return envs


@pytest.mark.parametrize("task", ["hover", "position", "track", "figure8"])
@pytest.mark.parametrize("action", ["motor", "velocity", "position"])
def test_they_stay_on_the_ground(task: str, action: str) -> None:
    envs = made(8, task, action=action)
    start = envs.sim.pos.copy()
    assert (envs.sim.task_goal[:, 2] == start[:, 2]).all()
    assert (envs.sim.vel == 0).all()
    rng = np.random.default_rng(2)
    for _ in range(100):
        observations, *_ = envs.step(rng.uniform(-1, 1, envs.action_space.shape).astype("f4"))
    assert np.isfinite(observations).all()
    np.testing.assert_allclose(envs.sim.pos[:, 2], start[:, 2], atol=1e-3)


def test_full_throttle_drives_forward() -> None:
    envs = made(4, "position")
    start, att = envs.sim.pos.copy(), envs.sim.att.copy()
    for _ in range(100):
        envs.step(np.ones(envs.action_space.shape, np.float32))
    yaw = 2 * np.arctan2(att[:, 3], att[:, 0])
    moved = (envs.sim.pos - start)[:, :2]
    forward = np.stack([np.cos(yaw), np.sin(yaw)], axis=1)
    assert (np.sum(moved * forward, axis=1) > 0.3).all()


def test_position_set_points_reach_the_goal() -> None:
    envs = made(20, "position", action="position")
    goal = (envs.sim.task_goal - envs.task.goal) / 5
    action = np.concatenate([goal[:, :2], np.zeros((20, 1))], axis=1).astype(np.float32)
    first = np.linalg.norm(envs.sim.pos - envs.sim.task_goal, axis=1)
    for _ in range(900):
        envs.step(action)
    last = np.linalg.norm(envs.sim.pos - envs.sim.task_goal, axis=1)
    assert (last[first > 1] < 0.5).all()


@pytest.mark.parametrize("task", ["race", "landing", "recover", "wind"])
def test_other_tasks_need_a_vehicle_that_flies(task: str) -> None:
    with pytest.raises(ParameterError, match=r"task: .*does not leave the surface"):
        made(1, task)


@pytest.mark.parametrize("action", ["rate", "attitude"])
def test_they_take_no_attitudes(action: str) -> None:
    with pytest.raises(ParameterError, match=f"action: .* takes no actions '{action}'"):
        made(1, "position", action=action)
