"""The examples of training: what they compute, short runs of them, the results that they keep."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "rl"
RESULTS = EXAMPLES / "results"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that imports a module of the examples."""
    import importlib

    monkeypatch.syspath_prepend(EXAMPLES)

    def module(name: str) -> ModuleType:
        if name == "ppo":
            pytest.importorskip("torch")
        return importlib.import_module(name)

    return module


def observed(rng: np.random.Generator, n: int, yaw: float, evaluate: ModuleType) -> np.ndarray:
    """Return observations of n random states, all of them turned by a heading."""
    att = rng.normal(size=(n, 4))
    att /= np.linalg.norm(att, axis=1, keepdims=True)
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    rotation = turn @ evaluate.rotation_matrices(att)
    pos, vel, others = rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), rng.normal(size=(n, 7))
    heading = rng.uniform(-np.pi, np.pi, (n, 1)) + yaw
    directions = [pos @ turn.T, rotation.reshape(n, 9), vel @ turn.T, np.cos(heading)]
    return np.hstack([*directions, np.sin(heading), others])


def test_the_body_frame_knows_no_heading(load: Any) -> None:
    policy, evaluate = load("policy"), load("evaluate")
    straight, turned = (
        policy.in_body_frame(
            observed(np.random.default_rng(0), 20, yaw, evaluate), policy.Directions((0, 12), (15,))
        )
        for yaw in (0.0, 1.3)
    )
    assert straight.shape == (20, 9 + 3 + 7)
    np.testing.assert_allclose(turned, straight, atol=1e-12)


def test_evaluation_makes_the_observations_of_the_environment(load: Any) -> None:
    evaluate = load("evaluate")
    from pyrfly.rl import PyrflyVectorEnv

    envs = PyrflyVectorEnv(3, "hover")
    observations, _ = envs.reset(seed=0)
    sim = envs.sim
    rotation = evaluate.rotation_matrices(sim.att).reshape(3, 9)
    made = np.hstack([sim.pos - evaluate.GOAL, rotation, sim.vel, sim.rate])
    np.testing.assert_allclose(observations[:, :18], made, atol=1e-5)


def test_what_is_seen_in_the_body_frame_is_seen_whatever_the_heading(load: Any) -> None:
    policy = load("policy")
    seen = np.random.default_rng(0).normal(size=(5, 22))
    turned = seen.copy()
    turned[:, 3:9] = 0.0  # north and east in the rotation matrix
    of_body = policy.Directions((), body=True)
    inputs = policy.in_body_frame(seen, of_body)
    assert inputs.shape == (5, 16)
    np.testing.assert_array_equal(policy.in_body_frame(turned, of_body), inputs)


def test_a_policy_is_the_same_after_it_was_saved(load: Any, tmp_path: Path) -> None:
    policy = load("policy")
    rng = np.random.default_rng(1)
    sizes = ((8, 16), (5, 8), (4, 5))
    layers = [(rng.normal(size=size), rng.normal(size=size[0])) for size in sizes]
    network = policy.Network(
        policy.Directions((0, 12)), rng.normal(size=16), rng.uniform(1, 2, 16), layers
    )
    network.save(tmp_path / "policy.npz")
    seen = rng.normal(size=(6, 22))
    actions = policy.Network.load(tmp_path / "policy.npz")(seen)
    np.testing.assert_array_equal(actions, network(seen))
    assert actions.shape == (6, 4)
    assert (np.abs(actions) <= 1).all()


def settings_of(load: Any, **others: float) -> Any:
    return load("ppo").Settings(1, load("policy").Directions((0, 12)), **others)


def test_the_saved_policy_is_that_of_the_agent(load: Any) -> None:
    ppo = load("ppo")
    import torch

    torch.manual_seed(0)
    agent = ppo.Agent(torch.zeros(1, 22), 4, settings_of(load))
    seen = torch.randn(50, 22)
    agent.see(seen)
    with torch.inference_mode():
        expected = agent.actor(agent.inputs_of(seen)).clamp(-1, 1).numpy()
    np.testing.assert_allclose(agent.network()(seen.numpy()), expected, atol=1e-6)


def test_advantages_are_those_of_their_definition(load: Any) -> None:
    """A sum of discounted errors of the value up to the end of the episode [@gae 16]."""
    ppo = load("ppo")
    import torch

    settings = settings_of(load, discount=0.9, trace=0.8)
    rng = np.random.default_rng(2)
    rewards, values, after = rng.normal(size=(3, 5, 1)).astype(np.float32)
    over = np.array([0, 0, 1, 0, 0], np.float32)[:, None]
    tensors = {"rewards": rewards, "values": values, "next_values": after, "over": over}
    nothing = torch.zeros(5, 1)
    rollout = ppo.Rollout(
        inputs=nothing,
        actions=nothing,
        log_probabilities=nothing,
        **{name: torch.from_numpy(array) for name, array in tensors.items()},
    )
    errors = (rewards + 0.9 * after - values)[:, 0]
    follow = 0.9 * 0.8
    expected = [
        errors[0] + follow * errors[1] + follow**2 * errors[2],
        errors[1] + follow * errors[2],
        errors[2],
        errors[3] + follow * errors[4],
        errors[4],
    ]
    np.testing.assert_allclose(ppo.advantages(rollout, settings)[:, 0], expected, rtol=1e-5)


def test_a_future_follows_the_clock_and_no_terminal_state(load: Any) -> None:
    ppo = load("ppo")
    import torch
    from gymnasium.vector import AutoresetMode

    from pyrfly.rl import PyrflyVectorEnv

    def near_the_limit(sim: Any) -> None:
        sim.task_limit[0] = 1e-3

    envs = PyrflyVectorEnv(
        3,
        "hover",
        max_episode_steps=4,
        configure=near_the_limit,
        autoreset_mode=AutoresetMode.SAME_STEP,
        copy=False,
    )
    agent = ppo.Agent(torch.zeros(1, 22), 4, settings_of(load))
    agent.value = lambda inputs: inputs[..., -1]  # the last action, which a start forgets
    rollout = ppo.Rollout.empty(8, 3, agent)
    observations = torch.from_numpy(envs.reset(seed=0)[0])
    with torch.inference_mode():
        ppo.collect(envs, agent, observations, rollout)
    assert (rollout.over[:, 0] == 1).all()
    assert (rollout.next_values[:, 0] == 0).all()
    assert rollout.over[:, 1:].T.tolist() == [[0, 0, 0, 1, 0, 0, 0, 1]] * 2
    assert (rollout.values[4, 1:] == 0).all()
    last_actions = rollout.actions[:, 1:, -1].clamp(-1, 1)
    np.testing.assert_array_equal(rollout.next_values[:, 1:], last_actions)


@pytest.mark.parametrize(
    ("program", "module", "steps", "values"),
    [
        ("train_hover_ppo", "torch", 40_000, 4),
        ("train_hover", "stable_baselines3", 40_000, 4),
        ("train_race", "torch", 40_000, 4),
        ("train_landing", "torch", 40_000, 4),
        ("train_avoid", "torch", 50_000, 4),
        ("train_reach", "torch", 40_000, 2),
    ],
)
def test_a_short_training_leaves_curve_and_policy(
    program: str, module: str, steps: int, values: int, load: Any, tmp_path: Path
) -> None:
    pytest.importorskip(module)
    command = [sys.executable, EXAMPLES / f"{program}.py", "--steps", str(steps), "--tests", "1"]
    done = subprocess.run(
        [*command, "--out", tmp_path / "short"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (row,) = csv.DictReader((tmp_path / "short.csv").open())
    assert 0.7 * steps < int(row["steps"]) < 1.3 * steps
    assert (tmp_path / "short.png").stat().st_size > 1000
    network = load("policy").Network.load(tmp_path / "short.npz")
    assert network.layers[-1][0].shape[0] == values


def test_the_kept_policy_flies_through_sim_with_wind(load: Any) -> None:
    evaluate, policy = load("evaluate"), load("policy")
    network = policy.Network.load(RESULTS / "hover.npz")
    for wind, limit in ((0.0, 0.2), (4.0, 0.5)):
        sim = evaluate.started(wind, 50, "x500", seed=3)
        largest = evaluate.fly(sim, network)[-100:].max(axis=0)
        assert np.mean(largest < limit) >= 0.95, (wind, np.sort(largest)[-5:])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "least"),
    [("hover", 0.95), ("race", 0.9), ("landing", 0.9), ("avoid", 0.9)],
)
def test_the_kept_policies_do_what_counts_as_learned(task: str, least: float, load: Any) -> None:
    network = load("policy").Network.load(RESULTS / f"{task}.npz")
    assert load(task).success(network, starts=100) >= least


@pytest.mark.slow
@pytest.mark.parametrize("vehicle", ["bmw_320i", "otter", "bluerov2_heavy"])
def test_the_kept_policies_reach_poses(vehicle: str, load: Any) -> None:
    network = load("policy").Network.load(RESULTS / f"reach_{vehicle}.npz")
    assert load("reach").success(network, vehicle, starts=200) >= 0.9


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    ("name", "least", "seconds"),
    [
        ("hover_ppo", 0.95, 60),
        ("hover_sb3", 0.95, 900),
        ("race", 0.9, 900),
        ("landing", 0.9, 900),
    ],
)
def test_the_kept_results_are_within_their_time(
    name: str, least: float, seconds: float, seed: int
) -> None:
    rows = list(csv.DictReader((RESULTS / f"{name}_{seed}.csv").open()))
    learned = next(row for row in rows if float(row["success"]) >= least)
    assert float(learned["seconds"]) <= seconds
    assert float(rows[-1]["success"]) >= least
