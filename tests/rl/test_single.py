"""One vehicle as an environment: Gymnasium's contract."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from pyrfly.rl import ACTION_LEVELS, TASK_IDS, EndReason, PyrflyEnv, PyrflyVectorEnv  # noqa: E402


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("action", ACTION_LEVELS)
@pytest.mark.parametrize("name", TASK_IDS)
def test_gymnasium_finds_no_fault(name: str, action: str) -> None:
    env = gymnasium.make(name, action=action)
    check_env(env.unwrapped, skip_render_check=True)


# Sockets that other tests in this process have left are no fault of it.
@pytest.mark.filterwarnings("error", "ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow
def test_gymnasium_finds_no_fault_in_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "Agg")
    check_env(gymnasium.make("pyrfly/Hover-v0", render_mode="rgb_array").unwrapped)


def test_it_is_a_vector_environment_of_one() -> None:
    one, many = PyrflyEnv("hover", max_episode_steps=30), PyrflyVectorEnv(1, "hover")
    first, _ = one.reset(seed=9)
    np.testing.assert_array_equal(first, many.reset(seed=9)[0][0])
    rng = np.random.default_rng(9)
    for step in range(30):
        action = rng.uniform(-0.2, 0.2, 4).astype(np.float32)
        observation, reward, terminated, truncated, info = one.step(action)
        observations, rewards, *_ = many.step(action[None])
        np.testing.assert_array_equal(observation, observations[0])
        assert reward == rewards[0]
        ended = {"end_reason": EndReason.TIME_LIMIT} if step == 29 else {}
        assert (terminated, truncated, info) == (False, step == 29, ended)


def test_options_of_many_are_refused() -> None:
    with pytest.raises(TypeError, match="num_envs"):
        PyrflyEnv(num_envs=2)
    with pytest.raises(ValueError, match="options"):
        PyrflyEnv().reset(options={"low": 1})


def test_an_action_of_another_shape_is_named() -> None:
    env = PyrflyEnv("hover")
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"action: expected shape \(4,\), got \(3,\)"):
        env.step(np.zeros(3))


def test_several_agents_are_refused() -> None:
    with pytest.raises(ValueError, match="task: 'hover' has several agents"):
        PyrflyEnv("hover", settings={"agents": 2})


def test_the_specification_has_the_steps_of_an_episode() -> None:
    """The default of a hover is 10 s."""
    assert gymnasium.make("pyrfly/Hover-v0").spec.max_episode_steps == 1000
    fewer = gymnasium.make("pyrfly/Hover-v0", control_rate=50)
    assert fewer.spec.max_episode_steps == fewer.unwrapped.spec.max_episode_steps == 500
    options = {"num_envs": 2, "vectorization_mode": "vector_entry_point"}
    assert (
        gymnasium.make_vec("pyrfly/Race-v0", **options).spec.max_episode_steps == 1000
    )  # 20 s at 50 Hz
    again = gymnasium.make(fewer.spec)
    assert again.spec.max_episode_steps == 500
    assert PyrflyEnv().spec is None


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_are_made_of_the_same_arguments(duplicate: Any) -> None:
    for env in (
        PyrflyEnv("race", action="rate"),
        PyrflyVectorEnv(3, "hover", control_rate=50),
        gymnasium.make("pyrfly/Position-v0", action="attitude"),
    ):
        other = duplicate(env)
        first, _ = env.reset(seed=6)
        np.testing.assert_array_equal(other.reset(seed=6)[0], first)
        assert other.action_space == env.action_space


def test_distances_are_bounded_by_the_limit() -> None:
    """A hover ends 3 m from its goal; only a step at 1000 m/s, the envelope, goes beyond it."""
    high = PyrflyEnv("hover").observation_space.high
    assert (high[:3] >= 3 + 10).all()
    assert (high[:3] < 30).all()
