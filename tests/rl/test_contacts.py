"""Learning environments whose vehicles collide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode

from pyrfly import Sim
from pyrfly.rl import EndReason, PyrflyVectorEnv
from pyrfly.scene import Box, Scene, gate

MODES = list(AutoresetMode)


def colliding(sim: Sim) -> None:
    sim.collisions.enable()


def made(n: int, task: str, mode: Any = AutoresetMode.SAME_STEP, **options: Any) -> PyrflyVectorEnv:
    """Return environments whose action 0 holds the vehicles."""
    options = {"configure": colliding, "hover_centred": True} | options
    envs = PyrflyVectorEnv(n, task, autoreset_mode=mode, action="motor", **options)
    envs.reset(seed=1)
    return envs


def step(envs: PyrflyVectorEnv) -> tuple[np.ndarray, list[int]]:
    """Take a step with actions 0; return rewards and the reasons of ends."""
    _, rewards, terminated, truncated, infos = envs.step(np.zeros(envs.action_space.shape))
    infos = infos.get("final_info", infos)
    reasons = infos.get("end_reason", np.zeros(envs.num_envs))
    np.testing.assert_array_equal(terminated, reasons > 0)
    assert not truncated.any()
    return rewards, reasons.tolist()


@pytest.mark.parametrize("mode", MODES)
def test_a_formation_ends_where_two_touch(mode: Any) -> None:
    envs = made(12, "formation", mode, settings={"separation": 0.0})
    envs.sim.pos[5] = envs.sim.pos[6] + [0.4, 0, 0]
    rewards, reasons = step(envs)
    contact, other = EndReason.CONTACT, EndReason.OTHER_VEHICLE
    assert reasons == [0] * 4 + [other, contact, contact, other] + [0] * 4
    assert (rewards[[5, 6]] < -10).all()
    assert (rewards[[4, 7]] > 0).all()  # they did not end it


def test_a_race_ends_at_the_frame_of_a_gate() -> None:
    def framed(sim: Sim) -> None:
        colliding(sim)
        sim.scene.set(gate((5, 0, -10), opening=1.5))

    envs = made(3, "race", configure=framed, settings={"floor": 1e3, "limit": 1e3})
    sim = envs.sim
    sim.pos[:] = [[4.5, 0, -10], [4.5, 0, -10.8], [4.5, 0, -13]]  # through, into and above
    sim.task_before[:] = sim.pos
    sim.task_goal[:] = [0, 0, -10]
    sim.att[:] = [1, 0, 0, 0]
    sim.vel[:] = [10, 0, 0]
    sim.rate[:] = 0
    ends = np.array([step(envs)[1] for _ in range(5)])
    assert ends[:, 1].max() == EndReason.CONTACT
    assert not ends[:, [0, 2]].any()


@pytest.mark.parametrize("mode", MODES)
def test_an_episode_begins_whole(mode: Any) -> None:
    """After a crash that broke all: rotors turn again, and nothing is left of the contact."""
    envs = made(2, "hover", mode, start={"speed": 0.0, "tilt": 0.0, "rate": 0.0})
    sim = envs.sim
    sim.pos[1], sim.vel[1] = [0, 0, -0.1], [0, 0, 20]
    sim.task_goal[1] = sim.pos[1]
    assert step(envs)[1] == [0, EndReason.CONTACT]
    if mode == AutoresetMode.DISABLED:
        assert sim.collisions.crashed().tolist() == [False, True]
        envs.reset(options={"reset_mask": np.array([False, True])})
    elif mode == AutoresetMode.NEXT_STEP:
        assert step(envs)[1] == [0, 0]
    assert not sim.collisions.crashed().any()
    assert sim.collisions.lost() == [[], []]
    assert sim.armed.tolist() == [1, 1]
    height = sim.pos[1, 2]
    for _ in range(50):
        assert step(envs)[1] == [0, 0]
    assert abs(sim.pos[1, 2] - height) < 0.1
    assert sim.collision_count.tolist() == [0, 0]


def test_agents_have_numbers_from_1_in_each_environment() -> None:
    sim = made(4, "formation", settings={"agents": 2}).sim
    assert sim.random_vehicle.tolist() == [1, 2, 1, 2]


def test_a_vehicle_that_crashed_before_ends_at_the_fault_first() -> None:
    envs = made(2, "hover")
    view = envs.sim.groups[0].batch.view
    view("collision_touches")[0] = 1
    envs.sim.status[1] = 1 << 6
    view("collision_count")[:] = 1
    assert step(envs)[1] == [EndReason.CONTACT, EndReason.FAULT]


def test_a_pile_that_takes_long_costs_no_time_of_an_episode() -> None:
    """Its updates pause after 20 ms of wall time."""
    envs = made(50, "hover")
    envs.sim.collision_group[:] = 0
    envs.sim.pos[:] = [0, 0, -10]
    before = envs.sim.time
    step(envs)
    assert envs.sim.time == pytest.approx(before + 0.01, abs=1e-9)


@pytest.mark.parametrize("agents", [1, 3])
def test_episodes_depend_on_their_seed_alone(agents: int) -> None:
    """Environments are at one place, and do not meet those of others."""

    def walled(sim: Sim) -> None:
        colliding(sim)
        sim.scene.set(Scene([Box((0.2, 4, 4), (1.6, 0, -10))]))

    options = {
        "settings": {"agents": agents, "spread": 1.2, "limit": 12.0, "separation": 0.0},
        "start": {"pos_range": (0.2, 0.2, 0.2)},
        "configure": walled,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }
    few = PyrflyVectorEnv(2 * agents, "formation", threads=1, **options)
    many = PyrflyVectorEnv(40 * agents, "formation", threads=2, **options)
    few.reset(seed=30)
    many.reset(seed=13)
    rng = np.random.default_rng(3)
    part = slice(17 * agents, 19 * agents)
    contacts = 0
    for _ in range(300):
        action = rng.uniform(-0.2, 1, (40 * agents, 4)).astype(np.float32)
        a, b = few.step(action[part]), many.step(action)
        for one, other in zip(a[:4], b[:4], strict=True):
            np.testing.assert_array_equal(one, other[part])
        reasons = b[4].get("final_info", {}).get("end_reason", np.zeros(0))
        contacts += np.count_nonzero(reasons == EndReason.CONTACT)
    assert few.sim.task_episode.max() > 1
    assert contacts > 0


def test_vehicles_that_touch_nothing_fly_as_without_collisions() -> None:
    flown = [made(64, "position", configure=which) for which in (None, colliding)]
    rng = np.random.default_rng(7)
    for _ in range(100):
        action = rng.uniform(-0.1, 0.1, (64, 4)).astype(np.float32)
        a, b = (envs.step(action) for envs in flown)
        for one, other in zip(a[:4], b[:4], strict=True):
            np.testing.assert_allclose(one, other, atol=1e-4)


class TestAvoid:
    @pytest.mark.parametrize("agents", [1, 2, 5, 6])
    def test_vehicles_start_opposite_to_their_goals(self, agents: int) -> None:
        envs = PyrflyVectorEnv(50 * agents, "avoid", settings={"agents": agents})
        envs.reset(seed=2)
        start, goal = (
            (values - np.array(envs.task.goal)).reshape(50, agents, 3)
            for values in (envs.sim.pos, envs.sim.task_goal)
        )
        radii = np.linalg.norm(goal[..., :2], axis=2)
        np.testing.assert_allclose(radii, envs.task.spread, rtol=1e-5)
        assert (np.abs(start + goal) < 0.3 + 1e-5).all()
        turns = np.arctan2(goal[..., 1], goal[..., 0])
        steps = np.diff(turns, axis=1) % (2 * np.pi)
        np.testing.assert_allclose(steps, 2 * np.pi / agents, rtol=1e-5)

    def test_who_flies_straight_on_meets_the_others(self) -> None:
        envs = PyrflyVectorEnv(60, "avoid", autoreset_mode=AutoresetMode.DISABLED)
        envs.reset(seed=4)
        reasons = np.zeros(60)
        for _ in range(200):
            way = envs.sim.task_goal - envs.sim.pos
            action = np.hstack([way / 5.0, np.zeros((60, 1))]).astype(np.float32)
            *_, infos = envs.step(action)
            reasons = np.where(reasons == 0, infos.get("end_reason", 0), reasons)
        assert (reasons == EndReason.CONTACT).reshape(10, 6).any(axis=1).all()
        assert set(reasons) <= {EndReason.CONTACT, EndReason.OTHER_VEHICLE}
