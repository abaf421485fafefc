"""Safety boundaries in learning environments."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from pyrfly import Sim
from pyrfly.rl import PyrflyVectorEnv


@pytest.mark.parametrize("action", ["freeze", "terminate"])
def test_a_vehicle_that_stays_ends_its_episode_alone(action: str) -> None:
    def bound(sim: Sim) -> None:
        sim.safety.add("angular_velocity", maximum=[0.5, 900.0], action=action)

    envs = PyrflyVectorEnv(2, "hover", configure=bound)
    envs.reset(seed=3)
    turning = np.tile([0.3, -0.3, 0.3, -0.3], (2, 1)).astype(np.float32)
    for _ in range(100):
        _, _, terminated, _, _ = envs.step(turning)
        if terminated.any():
            break
    assert terminated.tolist() == [True, False]
    assert [one.copter_id for one in envs.sim.safety.crossings()] == [1]
    for _ in range(2):
        _, _, terminated, _, _ = envs.step(np.zeros((2, 4), np.float32))
    assert not terminated.any()
    assert envs.sim.safety.crossings() == ()
