"""Events in learning environments: they count from the beginning of an episode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode

from pyrfly.rl import PyrflyVectorEnv


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("task", ["hover", "formation"])
def test_an_event_acts_in_every_episode_of_each_vehicle(task: str, mode: Any) -> None:
    """Also where the vehicles of an environment, three of a formation, are not 128 a piece."""

    def gusty(sim: Any) -> None:
        sim.at(0, wind=0)
        sim.at(0.07, wind=[3, 0, 0])

    envs = PyrflyVectorEnv(60, task, configure=gusty, autoreset_mode=mode, max_episode_steps=11)
    envs.reset(seed=1)
    sim, actions = envs.sim, np.full(envs.action_space.shape, -0.2, np.float32)
    begun, waits = np.zeros(sim.n), np.zeros(sim.n, np.bool_)
    acted = 0
    for _ in range(60):
        _, _, terminated, truncated, _ = envs.step(actions)
        ended = np.repeat(terminated | truncated, sim.n // 60)
        begun[ended if mode is AutoresetMode.SAME_STEP else waits] = sim.time
        waits = ended
        since = sim.time - begun
        blows, flies = sim.wind[:, 0] == 3, since > 0
        np.testing.assert_array_equal(blows[flies], since[flies] > 0.07 + 1e-9)
        acted += int(np.count_nonzero(blows))
    assert acted > 60
    assert begun.max() > 0.5
