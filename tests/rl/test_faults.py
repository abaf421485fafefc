"""Faults in learning environments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from pyrfly.rl import PyrflyVectorEnv

FAULTS = [
    {"kind": "motor", "actuator": 2, "effectiveness": ("uniform", 0, 1), "rate": 20.0},
]


def environments(n: int = 4, **options: Any) -> PyrflyVectorEnv:
    return PyrflyVectorEnv(n, "hover", faults=FAULTS, **options)


def test_infos_have_how_much_of_each_fault_acts() -> None:
    envs = environments()
    _, infos = envs.reset(seed=3)
    assert not infos["fault_share"].any()
    assert infos["fault_strength"].shape == (4, 64)
    still = np.zeros((4, 4), np.float32)
    for _ in range(20):
        *_, infos = envs.step(still)
        onset = envs.sim.fault_onset[:, 0]
        begun = onset < envs.sim.time - 0.0021
        assert (infos["fault_share"][begun, 0] == 1).all()
        assert not infos["fault_share"][onset > envs.sim.time].any()
        assert infos["_fault_share"].all()
    np.testing.assert_allclose(envs.sim.command_factor[begun, 1], envs.sim.fault_strength[begun, 0])
    assert begun.any()


def test_every_episode_draws_strength_and_onset_anew() -> None:
    envs = environments()
    envs.reset(seed=3)
    still = np.zeros((4, 4), np.float32)
    envs.step(still)
    strength, onset = envs.sim.fault_strength[:, 0].copy(), envs.sim.fault_onset[:, 0].copy()
    assert len(set(strength.tolist()) | set(onset.tolist())) == 8
    envs.reset(options={"reset_mask": np.array([True, False, True, False])})
    envs.step(still)
    for before, column in ((strength, "fault_strength"), (onset, "fault_onset")):
        same = getattr(envs.sim, column)[:, 0] == before
        assert same.tolist() == [False, True, False, True]


def test_an_environment_does_not_depend_on_its_neighbours() -> None:
    def path(n: int) -> list[float]:
        envs = environments(n)
        envs.reset(seed=3)
        for _ in range(15):
            observations, *_ = envs.step(np.zeros((n, 4), np.float32))
        return observations[0].tolist()

    assert path(1) == path(70)
