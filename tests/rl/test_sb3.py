"""The adapter for Stable-Baselines3: its contract, its wrappers, its PPO."""

from __future__ import annotations

import pickle
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode

from pyrfly import MissingExtraError
from pyrfly.rl import Curve, EndReason, PyrflyVectorEnv

N = 5
SHORT = {"max_episode_steps": 7, "threads": 1}


def test_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stable_baselines3", None)
    monkeypatch.delitem(sys.modules, "pyrfly.rl.sb3", raising=False)
    with pytest.raises(MissingExtraError, match=r"pip install 'pyrfly\[sb3\]'"):
        import pyrfly.rl.sb3  # noqa: F401


@pytest.fixture
def make() -> Any:
    pytest.importorskip("stable_baselines3")
    from pyrfly.rl.sb3 import PyrflyVecEnv

    return PyrflyVecEnv


def actions(rng: np.random.Generator, n: int = N) -> np.ndarray:
    return rng.uniform(-1, 1, (n, 4)).astype(np.float32)


def short_lived(sim: Any) -> None:
    """Make two of the environments end early, by a limit that their starts are near to."""
    sim.task_limit[[1, 3]] = 1.0


def test_rows_are_those_of_the_vector_environment(make: Any) -> None:
    adapted = make(N, configure=short_lived, **SHORT)
    plain = PyrflyVectorEnv(
        N, configure=short_lived, autoreset_mode=AutoresetMode.SAME_STEP, **SHORT
    )
    adapted.seed(3)
    np.testing.assert_array_equal(adapted.reset(), plain.reset(seed=3)[0])
    rng = np.random.default_rng(3)
    ends = {"terminated": 0, "truncated": 0}
    for _ in range(60):
        action = actions(rng)
        observations, rewards, dones, infos = adapted.step(action)
        expected, paid, terminated, truncated, last = plain.step(action)
        np.testing.assert_array_equal(observations, expected)
        np.testing.assert_array_equal(rewards, paid.astype(np.float32))
        np.testing.assert_array_equal(dones, terminated | truncated)
        for i in range(N):
            if not dones[i]:
                assert infos[i] == {}
                continue
            np.testing.assert_array_equal(infos[i]["terminal_observation"], last["final_obs"][i])
            assert infos[i]["TimeLimit.truncated"] is bool(truncated[i])
            ends["truncated" if truncated[i] else "terminated"] += 1
    assert min(ends.values()) > 3, ends


def test_what_is_returned_is_never_written_again(make: Any) -> None:
    envs = make(N, **SHORT)
    rng = np.random.default_rng(0)
    kept: list[Any] = [envs.reset()]
    for _ in range(20):
        *arrays, infos = envs.step(actions(rng))
        kept += arrays
        kept += [info["terminal_observation"] for info in infos if info]
    before = [array.copy() for array in kept]
    for _ in range(20):
        envs.step(actions(rng))
    for array, copy in zip(kept, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_an_info_is_one_environments(make: Any) -> None:
    envs = make(N)
    envs.reset()
    infos = envs.step(actions(np.random.default_rng(0)))[3]
    infos[0]["mine"] = 1
    assert infos[1:] == [{}] * (N - 1)


def test_infos_have_what_was_drawn_for_episodes_that_begin(make: Any) -> None:
    envs = make(N, randomize={"mass": ("scale", 0.8, 1.2), "wind": ("normal", 0, 1)}, **SHORT)
    envs.reset()
    sim = envs.envs.sim
    assert [info["mass"] for info in envs.reset_infos] == sim.mass.tolist()
    rng = np.random.default_rng(5)
    for step in range(1, 15):
        infos = envs.step(actions(rng))[3]
        over = [i for i in range(N) if "mass" in infos[i]]
        assert over == (list(range(N)) if step % 7 == 0 else [])
        for i in over:
            assert infos[i]["mass"] == sim.mass[i]
            np.testing.assert_array_equal(infos[i]["wind"], sim.wind[i])


def test_a_copy_is_made_of_the_same_arguments(make: Any) -> None:
    envs = make(N, "hover", action="rate", **SHORT)
    other = pickle.loads(pickle.dumps(envs))
    for each in (envs, other):
        each.seed(4)
    np.testing.assert_array_equal(other.reset(), envs.reset())


def test_a_seed_is_for_one_reset(make: Any) -> None:
    envs = make(N)
    assert envs.seed(11) == [11, 12, 13, 14, 15]
    first = envs.reset()
    second = envs.reset()
    envs.seed(11)
    np.testing.assert_array_equal(envs.reset(), first)
    np.testing.assert_array_equal(envs.reset(), second)
    assert not np.array_equal(first, second)


def test_attributes_and_methods_are_those_of_all(make: Any) -> None:
    envs = make(N)
    assert envs.get_attr("task", [0, 2]) == [envs.envs.task] * 2
    assert envs.get_attr("task", 0) == [envs.envs.task]
    assert not envs.has_attr("nothing_of_this_name")
    envs.set_attr("note", 5)
    assert envs.envs.note == 5
    assert envs.env_is_wrapped(object) == [False] * N
    envs.reset()
    assert len(envs.env_method("reset", seed=1)) == N
    with pytest.raises(ValueError, match="indices: expected all 5"):
        envs.set_attr("note", 6, indices=[0])
    with pytest.raises(ValueError, match="indices: expected all 5"):
        envs.env_method("reset", indices=[0])


def test_pictures_are_tiled(make: Any) -> None:
    envs = make(2, render_mode="rgb_array")
    envs.reset()
    one, other = envs.get_images()
    assert envs.render().shape == (2 * one.shape[0], *one.shape[1:])
    assert other.shape == one.shape


def test_agents_of_an_environment_share_its_seed(make: Any) -> None:
    envs, plain = make(8, "formation"), PyrflyVectorEnv(8, "formation")
    envs.seed(6)
    np.testing.assert_array_equal(envs.reset(), plain.reset(seed=6)[0])


def test_bad_arguments_are_named(make: Any) -> None:
    with pytest.raises(TypeError, match="copy: expected none"):
        make(N, copy=True)
    with pytest.raises(ValueError, match="task: expected"):
        make(N, "hovr")
    envs = make(N)
    envs.set_options({"reset_mask": None})
    with pytest.raises(ValueError, match="options: expected none"):
        envs.reset()


def test_monitor_counts_episodes(make: Any) -> None:
    envs = make(N, **SHORT)
    from stable_baselines3.common.vec_env import VecMonitor

    monitored = VecMonitor(envs)
    monitored.seed(2)
    monitored.reset()
    rng = np.random.default_rng(2)
    total = np.zeros(N)
    for step in range(1, 22):
        _, rewards, dones, infos = monitored.step(actions(rng))
        total += rewards
        assert dones.all() == (step % 7 == 0)
        for i in np.flatnonzero(dones):
            assert infos[i]["episode"]["l"] == 7
            assert infos[i]["episode"]["r"] == pytest.approx(total[i], rel=1e-5)
            assert infos[i]["TimeLimit.truncated"] is True
        total[dones] = 0
    assert monitored.episode_count == 3 * N


def test_normalization_normalizes_last_observations(make: Any) -> None:
    from stable_baselines3.common.vec_env import VecNormalize

    normalized, plain = VecNormalize(make(N, **SHORT)), make(N, **SHORT)
    for envs in (normalized, plain):
        envs.seed(4)
        envs.reset()
    rng = np.random.default_rng(4)
    for _ in range(7):
        action = actions(rng)
        _, _, dones, infos = normalized.step(action)
        _, _, _, expected = plain.step(action)
    assert dones.all()
    for got, raw in zip(infos, expected, strict=True):
        of_raw = normalized.normalize_obs(raw["terminal_observation"])
        np.testing.assert_array_equal(got["terminal_observation"], of_raw)


def learner(make: Any, **options: Any) -> Any:
    from stable_baselines3 import PPO

    return PPO("MlpPolicy", make(8, **options), n_steps=16, batch_size=64, seed=0, device="cpu")


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_stock_ppo_learns_some_steps(make: Any) -> None:
    model = learner(make, **SHORT)
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(300)
    assert model.num_timesteps >= 300
    assert any(
        not np.array_equal(a, b.detach())
        for a, b in zip(before, model.policy.parameters(), strict=True)
    )


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_stock_ppo_bootstraps_truncated_episodes_alone(make: Any) -> None:
    """With rewards of 0, what its buffer holds is the value of the last observation, or nothing."""
    weights = dict.fromkeys(
        ("alive", "distance", "attitude", "speed", "rate", "action", "action_change", "end"), 0.0
    )

    def limits(sim: Any) -> None:
        sim.task_limit[:4] = 1e-3

    model = learner(make, weights=weights, configure=limits, **SHORT)
    model.learn(8 * 16)
    rewards = model.rollout_buffer.rewards
    assert (rewards[:, :4] == 0).all()
    steps = np.flatnonzero((rewards[:, 4:] != 0).any(axis=1))
    assert steps.tolist() == [6, 13]


def test_what_was_passed_is_in_the_infos(make: Any) -> None:
    """Of a landing: 1 of a good touchdown."""
    envs = make(4, "landing", action="velocity", settings={"curve": Curve()})
    envs.reset()
    sim = envs.envs.sim
    sim.pos[:2], sim.vel[:2] = sim.task_goal[:2] - [0, 0, 0.051], [0, 0, 0.2]
    sim.pos[1, 0] += 1.0
    _, _, dones, infos = envs.step(np.zeros((4, 4), np.float32))
    assert dones.tolist() == [True, True, False, False]
    assert [info.get("passed") for info in infos] == [1, 0, None, None]
    good, bad = EndReason.TOUCHDOWN, EndReason.BAD_TOUCHDOWN
    assert [info.get("end_reason") for info in infos] == [good, bad, None, None]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_program_of_the_page_learns_to_hover(make: Any) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "learning.md").read_text()
    (program,) = re.findall(r"```python\n([^`]*PyrflyVecEnv\([^`]*)```", page)
    names: dict[str, Any] = {}
    exec(program, names)
    envs = PyrflyVectorEnv(
        256, "hover", action="attitude", control_rate=50, autoreset_mode=AutoresetMode.DISABLED
    )
    observations, _ = envs.reset(seed=1_000_000)
    for _ in range(499):
        chosen, _ = names["model"].predict(observations, deterministic=True)
        observations, _, terminated, _, _ = envs.step(chosen)
        assert not terminated.any()
    assert np.median(np.linalg.norm(observations[:, :3], axis=1)) < 0.3
