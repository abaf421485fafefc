"""The vector environment: observations, rewards, ends, starts, and Gymnasium's contract."""

from __future__ import annotations

import gc
import subprocess
import sys
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy import stats

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.error import ClosedEnvironmentError, ResetNeeded  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.wrappers import vector as wrappers  # noqa: E402

from pyrfly import MissingExtraError, ShapeError, Sim  # noqa: E402
from pyrfly.rl import LAWS, TASK_IDS, TASKS, EndReason, PyrflyVectorEnv, Task  # noqa: E402
from pyrfly.rl.base import import_gymnasium  # noqa: E402
from pyrfly.sim.laws import draws  # noqa: E402

MODES = list(AutoresetMode)


def rotation_matrices(att: Any) -> Any:
    w, x, y, z = np.asarray(att, dtype=float).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def heading_error(sim: Sim) -> Any:
    r = rotation_matrices(sim.att)
    return np.arctan2(r[:, 1, 0], r[:, 0, 0]) - sim.task_goal_yaw


def curve_of(sim: Sim, seconds: Any) -> Any:
    """Position of the goal at times since the start, by the columns of the episode."""
    phase = sim.task_phase[:, 0] + sim.task_phase[:, 1] * seconds
    k = np.arange(1, 4)
    terms = np.stack([np.sin(k * phase[:, None]), np.cos(k * phase[:, None])], axis=2)
    return sim.task_middle + np.einsum(
        "nakc,nkc->na", sim.task_path.reshape(-1, 3, 3, 2).astype(float), terms
    )


def own_observations(envs: PyrflyVectorEnv) -> list[Any]:
    """What a task observes besides what all do."""
    sim, task = envs.sim, envs.task
    if task.name in ("position", "reach"):
        error = heading_error(sim)
        return [np.stack([np.cos(error), np.sin(error)], axis=1)]
    if task.name == "track":
        now = sim.task_steps * 0.01
        velocity = (curve_of(sim, now + 1e-5) - curve_of(sim, now - 1e-5)) / 2e-5
        ahead = [curve_of(sim, now + 0.2 * (k + 1)) - sim.pos for k in range(4)]
        return [velocity, *ahead]
    if task.name == "race":
        gates = np.array(task.gates)
        goal, after = gates[sim.task_gate], gates[(sim.task_gate + 1) % len(gates)]
        np.testing.assert_allclose(sim.task_goal, goal[:, :3])
        return [
            np.stack([np.cos(goal[:, 3]), np.sin(goal[:, 3])], axis=1),
            after[:, :3] - sim.pos,
            np.stack([np.cos(after[:, 3]), np.sin(after[:, 3])], axis=1),
        ]
    if task.name == "landing":
        return [sim.task_goal_vel]
    if task.name in ("formation", "avoid"):
        return [neighbours(sim.pos, task.agents), neighbours(sim.vel, task.agents, sim.pos)]
    return []


def neighbours(values: Any, agents: int, pos: Any = None) -> Any:
    """Values of the four nearest others less the own ones, 0 where there are fewer."""
    pos = values if pos is None else pos
    rows = []
    for i in range(len(pos)):
        first = i - i % agents
        others = [j for j in range(first, first + agents) if j != i]
        others.sort(key=lambda j: float(np.linalg.norm(pos[j] - pos[i])))
        near = [values[j] - values[i] for j in others[:4]]
        rows.append(np.concatenate([*near, np.zeros(3 * (4 - len(near)))]))
    return np.array(rows)


def expected_observations(envs: PyrflyVectorEnv, action: Any) -> Any:
    sim = envs.sim
    offset, vel, rotation = sim.pos - sim.task_goal, sim.vel, rotation_matrices(sim.att)
    if envs.task.name == "reach":  # in the frame of the vehicle
        offset, vel = (np.einsum("nji,nj->ni", rotation, v) for v in (-offset, vel))
    parts = [offset, rotation.reshape(-1, 9), vel, sim.rate]
    parts += own_observations(envs)
    return np.concatenate([*parts, np.clip(action, -1, 1)], axis=1)


def expected_rewards(envs: PyrflyVectorEnv, action: Any, before: Any) -> Any:
    sim, w = envs.sim, envs.task.weights
    clipped = np.clip(action, -1, 1)
    effort = np.square(clipped).mean(axis=1)
    change = np.square(clipped - before).mean(axis=1)
    rate = np.linalg.norm(sim.rate, axis=1)
    lost = (np.linalg.norm(sim.pos - sim.task_goal, axis=1) > envs.task.limit) | (
        sim.pos[:, 2] > envs.task.floor
    )
    if envs.task.name == "race":
        return (
            w["gate"] * (sim.task_event > 0)
            + w["progress"] * sim.task_progress
            - w["rate"] * rate
            - w["action_change"] * change
            - w["end"] * (lost | (sim.task_event < 0))
        )
    if envs.task.name == "landing":
        off = np.linalg.norm((sim.pos - sim.task_goal)[:, :2], axis=1) / 0.3
        speed = np.linalg.norm(sim.vel - sim.task_goal_vel, axis=1) / 0.5
        touched = sim.pos[:, 2] >= -0.05
        end = np.where(touched, w["touchdown"] / (1 + off**2 + speed**2), -w["end"])
        return (
            w["progress"] * sim.task_progress
            - w["time"]
            - w["rate"] * rate
            - w["action_change"] * change
            + np.where(touched | lost, end, 0)
        )
    if envs.task.name == "avoid":
        return (
            w["progress"] * sim.task_progress
            - w["distance"] * np.linalg.norm(sim.pos - sim.task_goal, axis=1)
            - w["close"] * np.maximum(0, 1 - sim.task_nearest / envs.task.separation)
            - w["action_change"] * change
            - w["end"] * lost
        )
    if envs.task.name == "reach":
        there = sim.task_event > 0
        return (
            w["progress"] * sim.task_progress
            - w["time"] / envs.metadata["render_fps"]
            - w["rate"] * rate
            - w["action_change"] * change
            + np.where(there, w["reached"], np.where(lost, -w["end"], 0))
        )
    tilt = 1 - rotation_matrices(sim.att)[:, 2, 2]
    if envs.task.name == "position":
        tilt += 1 - np.cos(heading_error(sim))
    if envs.task.name == "formation":
        lost |= sim.task_nearest < envs.task.separation
    costs = (
        w["distance"] * np.linalg.norm(sim.pos - sim.task_goal, axis=1)
        + w["attitude"] * tilt
        + w["speed"] * np.linalg.norm(sim.vel - sim.task_goal_vel, axis=1)
        + w["rate"] * rate
        + w["action"] * effort
        + w["action_change"] * change
    )
    return w["alive"] - costs - w["end"] * lost


def random_actions(envs: PyrflyVectorEnv, rng: np.random.Generator, scale: float = 1.0) -> Any:
    return rng.uniform(-scale, scale, envs.action_space.shape).astype(np.float32)


@pytest.mark.parametrize("task", TASKS)
def test_observations_and_rewards_are_those_of_the_columns(task: str) -> None:
    envs = PyrflyVectorEnv(36, task, autoreset_mode=AutoresetMode.DISABLED, precision="float64")
    observations, _ = envs.reset(seed=5)
    last = np.zeros(envs.action_space.shape)
    np.testing.assert_allclose(observations, expected_observations(envs, last), atol=2e-6)
    rng = np.random.default_rng(5)
    for _ in range(20):
        action = random_actions(envs, rng, 1.2)
        observations, rewards, _, _, _ = envs.step(action)
        np.testing.assert_allclose(observations, expected_observations(envs, action), atol=2e-5)
        np.testing.assert_allclose(rewards, expected_rewards(envs, action, last), atol=2e-5)
        last = np.clip(action, -1, 1)


def test_a_step_is_that_of_a_sim_with_the_same_throttle() -> None:
    envs = PyrflyVectorEnv(5, "hover", "x450", precision="float64")
    envs.reset(seed=2)
    sim = Sim("x450", 5, dt=2e-3)
    sim.controllers = False
    sim.arm()
    for column in ("pos", "vel", "att", "rate", "rotor_speed"):
        getattr(sim, column)[:] = getattr(envs.sim, column)
    rng = np.random.default_rng(2)
    for _ in range(50):
        action = random_actions(envs, rng, 0.2)
        envs.step(action)
        sim.throttle[:] = 0.5 + 0.5 * action.astype(np.float64)
        sim.step(5)
    np.testing.assert_array_equal(envs.sim.pos, sim.pos)
    np.testing.assert_array_equal(envs.sim.att, sim.att)


@pytest.mark.parametrize(
    ("level", "columns"),
    [
        ("motor", {"throttle": lambda a, sim: 0.5 + 0.5 * a}),
        (
            "rate",
            {
                "thrust_sp": lambda a, sim: 0.5 + 0.5 * a[:, 0],
                "rate_sp": lambda a, sim: a[:, 1:] * sim.rate_limit[:, [0, 0, 1]],
            },
        ),
        ("velocity", {"yaw_rate_sp": lambda a, sim: np.pi / 2 * a[:, 3]}),
        ("position", {"pos_sp": lambda a, sim: sim.task_start + 5 * a[:, :3]}),
    ],
)
def test_actions_are_commands(level: str, columns: dict[str, Any]) -> None:
    envs = PyrflyVectorEnv(9, "hover", action=level, precision="float64")
    envs.reset(seed=1)
    action = random_actions(envs, np.random.default_rng(1))
    envs.step(action)
    for name, command in columns.items():
        np.testing.assert_allclose(getattr(envs.sim, name), command(action, envs.sim), atol=1e-12)
    assert envs.sim.controllers == (level != "motor")


def test_actions_of_attitude_are_roll_pitch_and_yaw() -> None:
    envs = PyrflyVectorEnv(1, "hover", action="attitude", precision="float64")
    envs.reset(seed=1)
    envs.step(np.array([[0.0, 0.5, -0.5, 0.25]], np.float32))
    tilt = min(np.pi / 4, float(envs.sim.tilt_limit[0]))
    roll, pitch, yaw = 0.5 * tilt, -0.5 * tilt, 0.25 * np.pi
    r = rotation_matrices(envs.sim.att_sp)[0]
    np.testing.assert_allclose(
        [np.arctan2(r[2, 1], r[2, 2]), -np.arcsin(r[2, 0]), np.arctan2(r[1, 0], r[0, 0])],
        [roll, pitch, yaw],
        atol=1e-6,
    )


def test_a_position_of_zero_holds_the_start() -> None:
    envs = PyrflyVectorEnv(20, "hover", action="position")
    envs.reset(seed=3)
    for _ in range(800):
        observations, *_ = envs.step(np.zeros((20, 4), np.float32))
    assert np.abs(observations[:, :3]).max() < 0.05


def test_starts_are_within_their_bounds_and_fill_them() -> None:
    envs = PyrflyVectorEnv(4000, "position")
    envs.reset(seed=11)
    sim, start = envs.sim, envs.task.start
    offset = np.abs(sim.pos - np.array(start.pos, np.float32)) / start.pos_range
    tilt = np.arccos(np.clip(rotation_matrices(sim.att)[:, 2, 2], -1, 1))
    for share in (
        *offset.T,
        np.linalg.norm(sim.vel, axis=1) / start.speed,
        np.linalg.norm(sim.rate, axis=1) / start.rate,
        tilt / start.tilt,
        np.abs(sim.task_goal_yaw) / envs.task.goal_yaw,
    ):
        assert share.max() <= 1 + 1e-5
        np.testing.assert_allclose(
            np.quantile(share, [0.25, 0.5, 0.75]), [0.25, 0.5, 0.75], atol=0.04
        )
    assert np.abs(sim.vel.mean(axis=0)).max() < 0.05


def test_a_start_at_rest_in_the_hover_stays_there() -> None:
    still = {"pos_range": (0, 0, 0), "speed": 0, "tilt": 0, "yaw": 0, "rate": 0}
    envs = PyrflyVectorEnv(1, "hover", "x450", start=still, precision="float64")
    observations, _ = envs.reset(seed=1)
    command = 2 * Sim("x450").trim().inputs["throttle"].reshape(1, -1) - 1
    for _ in range(100):
        observations, *_ = envs.step(command)
    assert np.abs(observations[0, :3]).max() < 1e-3


def test_episodes_depend_on_their_seed_alone() -> None:
    few = PyrflyVectorEnv(5, "recover", autoreset_mode=AutoresetMode.SAME_STEP, threads=1)
    many = PyrflyVectorEnv(150, "recover", autoreset_mode=AutoresetMode.SAME_STEP, threads=2)
    few.reset(seed=20)
    many.reset(seed=7)
    rng = np.random.default_rng(7)
    for _ in range(300):
        action = random_actions(many, rng)
        a, b = few.step(action[13:18]), many.step(action)
        for one, other in zip(a[:4], b[:4], strict=True):
            np.testing.assert_array_equal(one, other[13:18])
    assert few.sim.task_episode.max() > 1  # several episodes


def test_a_seed_repeats_and_other_episodes_differ() -> None:
    envs = PyrflyVectorEnv(3, "hover")
    first, _ = envs.reset(seed=4)
    second, _ = envs.reset()
    again, _ = envs.reset(seed=[4, 5, 6])
    np.testing.assert_array_equal(first, again)
    assert (first != second).any(axis=1).all()


def test_environments_without_a_seed_differ() -> None:
    for seed in (None, [None] * 3):
        observations, _ = PyrflyVectorEnv(3, "hover").reset(seed=seed)
        assert len({row.tobytes() for row in observations}) == 3


class TestEnds:
    SHORT: ClassVar = {"max_episode_steps": 4}

    def test_time_truncates(self) -> None:
        envs = PyrflyVectorEnv(3, "hover", action="position", **self.SHORT)
        envs.reset(seed=1)
        for step in range(1, 5):
            _, _, terminated, truncated, _ = envs.step(np.zeros((3, 4), np.float32))
            assert not terminated.any()
            assert truncated.all() == (step == 4)

    def test_next_step_begins_at_the_next_step(self) -> None:
        envs = PyrflyVectorEnv(2, "hover", **self.SHORT)
        envs.reset(seed=1)
        for _ in range(4):
            observations, _, _, truncated, infos = envs.step(np.full((2, 4), 0.3, np.float32))
        assert truncated.all()
        assert infos["end_reason"].tolist() == [EndReason.TIME_LIMIT] * 2
        assert envs.sim.task_steps.tolist() == [4, 4]
        observations, rewards, terminated, truncated, infos = envs.step(np.ones((2, 4), np.float32))
        assert rewards.tolist() == [0, 0]
        assert not (terminated | truncated).any()
        assert infos == {}
        assert envs.sim.task_steps.tolist() == [0, 0]
        last = np.zeros((2, 4))  # the action counts not
        np.testing.assert_allclose(observations, expected_observations(envs, last), atol=1e-5)

    def test_same_step_gives_the_last_observation_beside_the_first(self) -> None:
        same = PyrflyVectorEnv(2, "hover", autoreset_mode=AutoresetMode.SAME_STEP, **self.SHORT)
        none = PyrflyVectorEnv(2, "hover", autoreset_mode=AutoresetMode.DISABLED, **self.SHORT)
        same.reset(seed=1)
        none.reset(seed=1)
        action = np.full((2, 4), 0.3, np.float32)
        for _ in range(4):
            first, _, _, truncated, infos = same.step(action)
            last, *_ = none.step(action)
        assert truncated.all()
        np.testing.assert_array_equal(infos["final_obs"], last)
        assert infos["_final_obs"].all()
        np.testing.assert_allclose(first, expected_observations(same, np.zeros((2, 4))), atol=1e-5)
        assert same.sim.task_steps.tolist() == [0, 0]

    def test_disabled_waits_for_a_mask(self) -> None:
        envs = PyrflyVectorEnv(3, "hover", autoreset_mode=AutoresetMode.DISABLED, **self.SHORT)
        envs.reset(seed=1)
        action = np.zeros((3, 4), np.float32)
        for _ in range(5):
            before, _, _, truncated, _ = envs.step(action)
        assert truncated.all()
        mask = np.array([False, True, False])
        after, _ = envs.reset(options={"reset_mask": mask})
        assert (before == after).all(axis=1).tolist() == (~mask).tolist()
        assert envs.sim.task_steps.tolist() == [5, 0, 5]

    def test_a_fault_terminates(self) -> None:
        envs = PyrflyVectorEnv(2, "hover", autoreset_mode=AutoresetMode.SAME_STEP)
        envs.reset(seed=1)
        envs.sim.rate[0] = 2000
        observations, _, terminated, _, infos = envs.step(np.zeros((2, 4), np.float32))
        assert terminated.tolist() == [True, False]
        assert not envs.sim.status.any()
        assert np.isfinite(observations).all()
        assert infos["_final_obs"].tolist() == [True, False]


class TestRandomization:
    def test_columns_are_drawn_at_every_start(self) -> None:
        nominal = Sim("x500").mass[0]
        table = {
            "mass": ("scale", 0.8, 1.2),
            "motor_tau": ("log-uniform", 0.01, 0.1),
            "wind": ("normal", 1.0, 2.0),
            "gravity": ("uniform", 9.7, 9.9),
        }
        envs = PyrflyVectorEnv(4000, "hover", randomize=table, precision="float64")
        envs.reset(seed=8)
        sim = envs.sim
        quantiles = [0.1, 0.5, 0.9]
        mass = sim.mass / nominal
        np.testing.assert_allclose(np.quantile(mass, quantiles), [0.84, 1.0, 1.16], atol=0.01)
        assert 0.8 <= mass.min() < mass.max() <= 1.2
        tau = np.log10(sim.motor_tau[:, 1])
        np.testing.assert_allclose(np.quantile(tau, quantiles), [-1.9, -1.5, -1.1], atol=0.03)
        np.testing.assert_allclose(sim.wind[:, :2].mean(axis=0), 1, atol=0.15)
        np.testing.assert_allclose(sim.wind[:, :2].std(axis=0), 2, atol=0.1)
        assert (sim.wind[:, 2] == 0.0).all()  # one law is that of the horizontal components
        assert abs(np.corrcoef(sim.wind[:, 0], sim.wind[:, 1])[0, 1]) < 0.06
        assert abs(np.corrcoef(mass, sim.gravity)[0, 1]) < 0.06
        np.testing.assert_array_equal(sim.motor_tau[:, 0], sim.motor_tau[:, 1])  # tied
        before = sim.mass.copy()
        envs.reset()
        assert (sim.mass != before).mean() > 0.99
        assert (sim.mass / nominal).min() >= 0.8  # of the nominal mass, not of the last one

    @pytest.mark.parametrize("law", LAWS)
    def test_every_law_is_that_of_campaigns(self, law: str) -> None:
        """As `draws` has it, whose laws are tested against closed forms."""
        table = {"mass": (law, 1.0, 0.1 if law == "normal" else 1.3)}
        envs = PyrflyVectorEnv(2000, "hover", "x450", randomize=table, precision="float64")
        envs.reset(seed=5)
        expected = draws(Sim("x450"), table, 5, 2000)["mass"][:, 0]
        assert stats.ks_2samp(envs.sim.mass, expected).pvalue > 1e-3

    def test_rotors_stay_alike_and_inertia_symmetric(self) -> None:
        table = {
            "wind": ("normal", 0, 1),
            "rotor_thrust_coef": ("scale", 0.5, 1.5),
            "inertia": ("scale", 0.5, 1.5),
        }
        envs = PyrflyVectorEnv(500, "hover", randomize=table, precision="float64")
        envs.reset(seed=3)
        thrust, inertia = envs.sim.rotor_thrust_coef[:, 4:], envs.sim.inertia
        assert (thrust == thrust[:, :1]).all()
        assert (inertia[:, 0] == inertia[:, 1]).all()
        drawn = np.stack([*envs.sim.wind[:, :2].T, thrust[:, 0], inertia[:, 0]])
        assert (np.abs(np.corrcoef(drawn) - np.eye(4)) < 0.2).all()  # independent of each other

    def test_a_heavier_vehicle_sinks_with_the_same_actions(self) -> None:
        still = {"pos_range": (0, 0, 0), "speed": 0, "tilt": 0, "yaw": 0, "rate": 0}
        envs = PyrflyVectorEnv(
            2, "hover", "x450", start=still, randomize={"mass": ("scale", 1.2, 1.2)}
        )
        envs.reset(seed=1)
        command = 2 * Sim("x450").trim().inputs["throttle"].reshape(1, -1) - 1
        for _ in range(50):
            observations, *_ = envs.step(np.repeat(command, 2, axis=0))
        assert (observations[:, 2] > 0.1).all()


def test_the_air_of_other_parts_moves_them() -> None:
    def gusty(sim: Sim) -> None:
        sim.environment.set_turbulence("severe")

    last = []
    for configure in (None, gusty):
        envs = PyrflyVectorEnv(4, "hover", action="position", configure=configure)
        envs.reset(seed=1)
        for _ in range(300):
            observations, *_ = envs.step(np.zeros((4, 4), np.float32))
        last.append(observations)
    assert envs.sim.wind_variation.any(axis=1).all()
    assert (np.abs(last[1] - last[0])[:, 12:15] > 1e-4).any(axis=1).all()


def test_a_start_gives_set_points_where_controllers_are_on() -> None:
    envs = PyrflyVectorEnv(3, "hover", action="motor")
    envs.reset(seed=0)
    made = envs.sim.vel_sp.copy()
    envs.sim.vel_sp = made + 1
    envs.reset()
    np.testing.assert_array_equal(envs.sim.vel_sp, made + 1)  # which nothing reads
    envs.sim.controllers = True
    envs.reset()
    np.testing.assert_array_equal(envs.sim.vel_sp, made)


def test_a_start_gives_each_vehicle_the_state_that_was_configured() -> None:
    charges = np.array([0.2, 0.5, 0.9], np.float32)

    def configure(sim: Any) -> None:
        sim.power.enable()
        sim.select().write("state_of_charge", charges)

    envs = PyrflyVectorEnv(3, "hover", configure=configure)
    envs.reset(seed=1)
    for _ in range(5):
        envs.step(np.zeros((3, 4), np.float32))
    assert (envs.sim.state_of_charge < charges).all()
    envs.reset(seed=2)
    np.testing.assert_array_equal(envs.sim.state_of_charge, charges)


@pytest.mark.parametrize("copy", [True, False])
def test_returned_arrays_are_fresh_unless_asked(copy: bool) -> None:
    envs = PyrflyVectorEnv(2, "hover", copy=copy)
    envs.reset(seed=1)
    action = np.zeros((2, 4), np.float32)
    first, second = envs.step(action), envs.step(action)
    for one, other in zip(first[:4], second[:4], strict=True):
        assert np.shares_memory(one, other) != copy
    assert first[1].dtype == (np.float64 if copy else np.float32)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", TASK_IDS)
def test_they_are_made_by_their_names(name: str, mode: Any) -> None:
    envs = gymnasium.make_vec(
        name, num_envs=3, vectorization_mode="vector_entry_point", autoreset_mode=mode
    )
    assert envs.metadata["autoreset_mode"] is mode
    assert PyrflyVectorEnv.metadata.get("autoreset_mode") is not mode or mode == "x"
    observations, _ = envs.reset(seed=1)
    assert observations in envs.observation_space
    result = envs.step(envs.action_space.sample())
    assert result[0] in envs.observation_space
    envs.close()


@pytest.mark.parametrize("mode", MODES)
def test_the_usual_wrappers_work(mode: Any) -> None:
    envs: Any = PyrflyVectorEnv(4, "hover", autoreset_mode=mode, max_episode_steps=20)
    envs = wrappers.RecordEpisodeStatistics(envs)
    envs = wrappers.ClipAction(envs)
    if mode == AutoresetMode.NEXT_STEP:  # the others are refused by the wrapper
        envs = wrappers.NormalizeObservation(envs)
    envs = wrappers.NormalizeReward(envs)
    envs.reset(seed=1)
    rng = np.random.default_rng(1)
    seen = False
    for _ in range(45):
        action = rng.uniform(-0.1, 0.1, (4, 4)).astype(np.float32)
        _, rewards, terminated, truncated, infos = envs.step(action)
        assert np.isfinite(rewards).all()
        if "episode" in infos:
            seen = True
            over = infos["_episode"]
            assert (infos["episode"]["l"][over] <= 20).all()
        if mode == AutoresetMode.DISABLED and (terminated | truncated).any():
            envs.reset(options={"reset_mask": terminated | truncated})
    assert seen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("print(gymnasium.make('pyrfly.rl:pyrfly/Hover-v0').reset(seed=1)[0].shape)", "(22,)"),
        ("sys.modules['gymnasium'] = None; import pyrfly.rl", "pyrfly[rl]"),
    ],
)
def test_they_need_their_module_and_its_extra(code: str, printed: str) -> None:
    command = [sys.executable, "-c", f"import sys, gymnasium; {code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert printed in done.stdout + done.stderr


class TestErrors:
    def test_an_older_gymnasium_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gymnasium, "__version__", "0.29.1")
        with pytest.raises(MissingExtraError, match=r"gymnasium 1\.2 or later, got 0\.29\.1"):
            import_gymnasium()

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"task": "hoover"}, "task: .*hover.*'hoover'"),
            ({"action": "motors"}, "action: .*motor.*'motors'"),
            ({"weights": {"distanse": 1}}, "weights: .*distance"),
            ({"start": {"velocity": 1}}, "start: "),
            ({"randomize": {"masss": ("scale", 1, 1)}}, "randomize: .*mass"),
            ({"randomize": {"mass": ("gauss", 1, 1)}}, "randomize: mass: .*'gauss'"),
            ({"randomize": {"mass": ("uniform", 2, 1)}}, "randomize: mass"),
            ({"randomize": {"mass": ("uniform", -1, 1)}}, "mass"),
            ({"randomize": {"mass": ("log-uniform", 0, 1)}}, "randomize: mass"),
            ({"randomize": {"mass": 3}}, "randomize: mass: .*law"),
            ({"configure": lambda sim: sim.environment.enable("downwash")}, "downwash"),
            ({"num_envs": 0}, "num_envs"),
            ({"substeps": 0}, "substeps"),
            ({"control_rate": 0}, "control_rate"),
            ({"control_rate": 5}, "control_rate, substeps: dt is .* at most 0.018"),
            ({"noise": [1]}, "noise: expected a mapping"),
            ({"noise": {1: 1}}, "noise: expected names such as .* got 1"),
            ({"randomize": [1]}, "randomize: expected a mapping"),
            ({"randomize": {"mass": (["a"], 1, 1)}}, "randomize: mass: expected a law"),
            ({"task": "race", "settings": {"gates": "abc"}}, "settings: gates: .*'abc'"),
            ({"task": "race", "settings": {"gates": [[1, 2], [3]]}}, "settings: gates: expected"),
            ({"settings": {"configure": 5}}, "settings: configure: expected a callable, got 5"),
            ({"settings": {"randomize": 5}}, "settings: randomize: expected a mapping"),
            ({"settings": {"goal": (1e30, 0, 0)}}, "settings: goal: .* up to 1e"),
            ({"start": {"speed": 1e300}}, "start: speed: .* to 1e"),
            ({"configure": 5}, "configure: expected a callable, got 5"),
            ({"task": Task("hover", None)}, "task: start: expected a Start, got None"),  # type: ignore[arg-type]
            ({"hover_centred": "no"}, "hover_centred: expected true or false"),
            ({"copy": "no"}, "copy: expected true or false"),
            ({"autoreset_mode": "SAME"}, "autoreset_mode: .*SAME_STEP.* got 'SAME'"),
            ({"max_episode_steps": 0}, "max_episode_steps"),
            ({"render_mode": "film"}, "render_mode"),
        ],
    )
    def test_arguments_are_named(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises((TypeError, ValueError), match=message):
            PyrflyVectorEnv(**options)

    def test_what_could_not_be_made_is_closed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        failures: list[Any] = []
        monkeypatch.setattr("sys.unraisablehook", failures.append)
        for options in ({"task": "hove"}, {"num_envs": 0}, {"render_mode": "film"}):
            with pytest.raises(ValueError, match="expected"):
                PyrflyVectorEnv(**options)
        gc.collect()
        assert not failures

    @pytest.mark.parametrize(
        ("actions", "error"),
        [
            (np.zeros((3, 4)), ShapeError),
            (np.zeros(8), ShapeError),
            ([[0, 0, 0, 0], [0]], ShapeError),
            (np.full((2, 4), np.nan), ValueError),
            (np.full((2, 4), "a"), TypeError),
            (np.zeros((2, 4), complex), TypeError),
        ],
    )
    def test_actions_are_checked(self, actions: Any, error: type[Exception]) -> None:
        envs = PyrflyVectorEnv(2)
        envs.reset(seed=1)
        with pytest.raises(error, match="actions: "):
            envs.step(actions)

    def test_the_check_of_numbers_may_be_switched_off(self) -> None:
        envs = PyrflyVectorEnv(2, check_actions=False)
        envs.reset(seed=1)
        observations, *_ = envs.step(np.full((2, 4), np.nan, np.float32))
        assert np.isfinite(observations).all()

    def test_a_step_needs_a_reset_and_an_open_environment(self) -> None:
        envs = PyrflyVectorEnv(2)
        with pytest.raises(ResetNeeded):
            envs.step(np.zeros((2, 4), np.float32))
        envs.reset(seed=1)
        envs.close()
        with pytest.raises(ClosedEnvironmentError):
            envs.step(np.zeros((2, 4), np.float32))
        with pytest.raises(ClosedEnvironmentError):
            envs.reset()

    @pytest.mark.parametrize(
        ("options", "error"),
        [
            ({"reset_mask": [True, False]}, TypeError),
            ({"reset_mask": np.zeros(2, bool)}, ValueError),
            ({"reset_mask": np.ones(3, bool)}, ValueError),
            ({"mask": np.ones(2, bool)}, ValueError),
        ],
    )
    def test_options_of_a_reset_are_checked(self, options: Any, error: type[Exception]) -> None:
        with pytest.raises(error, match="options"):
            PyrflyVectorEnv(2).reset(options=options)


@pytest.mark.filterwarnings("error")
def test_an_action_beyond_float32_is_clipped():
    huge, one = (PyrflyVectorEnv(2) for _ in range(2))
    for envs in (huge, one):
        envs.reset(seed=1)
    shape = one.action_space.shape
    found = huge.step(np.full(shape, 1e300))
    np.testing.assert_array_equal(found[0], one.step(np.ones(shape))[0])
