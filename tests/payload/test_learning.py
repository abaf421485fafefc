"""Payloads of learning environments: drawn anew, and hung up again, with each episode."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from pyrfly.rl import PyrflyVectorEnv


def test_each_episode_has_its_payload() -> None:
    envs = PyrflyVectorEnv(
        16,
        configure=lambda sim: sim.payload.attach(0.1, cable=0.5),
        randomize={"payload_mass": ["uniform", 0.05, 0.2]},
        max_episode_steps=50,
    )
    envs.reset(seed=3)
    assert envs.sim.payload_pos == pytest.approx(envs.sim.pos + np.array([0, 0, 0.5]), abs=1e-6)
    first = envs.sim.payload_mass.copy()
    assert ((first >= 0.05) & (first <= 0.2)).all()
    action = np.zeros_like(envs.action_space.sample())
    for _ in range(130):
        observations, *_ = envs.step(action)
        away = np.linalg.norm(envs.sim.payload_pos - envs.sim.pos, axis=1)
        assert (away < 0.51).all()
    assert np.isfinite(observations).all()
    assert (envs.sim.payload_mass != first).any()
    envs.close()
