"""The environment of PettingZoo: its tests, and agents that are rows of a vector environment."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

pettingzoo = pytest.importorskip("pettingzoo")

from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: E402

import pyrfly.rl  # noqa: E402
from pyrfly.rl import EndReason, PyrflyVectorEnv  # noqa: E402
from pyrfly.rl.parallel import PyrflyParallelEnv  # noqa: E402


def test_the_tests_of_pettingzoo_pass() -> None:
    parallel_api_test(PyrflyParallelEnv(), num_cycles=1000)
    parallel_seed_test(PyrflyParallelEnv, num_cycles=50)


@pytest.mark.parametrize("name", ["pyrfly/Formation-v0", "pyrfly/Avoid-v0"])
def test_it_is_in_the_registry(name: str) -> None:
    env: Any = pettingzoo.make("parallel", name, agents=3, max_cycles=5)
    env.reset(seed=1)
    for _ in range(5):
        actions = {agent: np.zeros(4, np.float32) for agent in env.agents}
        *_, truncated, infos = env.step(actions)
    assert all(truncated.values())
    assert {info["end_reason"] for info in infos.values()} == {EndReason.TIME_LIMIT}
    assert env.agents == []
    assert len(env.possible_agents) == 3


def test_agents_are_the_rows_of_a_vector_environment() -> None:
    env = PyrflyParallelEnv("formation", agents=5)
    envs = PyrflyVectorEnv(5, "formation", settings={"agents": 5})
    observations, _ = env.reset(seed=3)
    rows, _ = envs.reset(seed=3)
    rng = np.random.default_rng(3)
    for _ in range(20):
        for k, agent in enumerate(env.possible_agents):
            np.testing.assert_array_equal(observations[agent], rows[k])
        np.testing.assert_array_equal(env.state(), rows.ravel())
        given = rng.uniform(-0.2, 0.2, (5, 4)).astype(np.float32)
        observations, rewards, *_ = env.step(dict(zip(env.agents, given, strict=True)))
        rows, row_rewards, *_ = envs.step(given)
        assert list(rewards.values()) == row_rewards.tolist()


def test_errors_name_the_argument() -> None:
    env = PyrflyParallelEnv()
    with pytest.raises(RuntimeError, match="reset"):
        env.step({})
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"actions: .*vehicle_1"):
        env.step({"vehicle_0": np.zeros(4, np.float32)})
    with pytest.raises(KeyError, match="agent: "):
        env.observation_space("vehicle_9")
    with pytest.raises(TypeError, match="num_envs"):
        PyrflyParallelEnv(num_envs=3)
    with pytest.raises(ValueError, match="agents"):
        PyrflyParallelEnv(agents=40)
    assert pyrfly.rl.TASKS["formation"].agents == 4


def test_copies_are_made_of_the_same_arguments() -> None:
    """As SuperSuit's vectors of environments, the usual way to Stable-Baselines3, need it."""
    env = PyrflyParallelEnv("formation", agents=3, action="rate")
    other = pickle.loads(pickle.dumps(env))
    assert other.possible_agents == env.possible_agents
    first, again = env.reset(seed=2)[0], other.reset(seed=2)[0]
    np.testing.assert_array_equal(list(first.values()), list(again.values()))
