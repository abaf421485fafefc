"""Tasks: curves, gates, pads, formations, and what vehicles on the ground do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode

from pyrfly.rl import (
    TASKS,
    Curve,
    EndReason,
    PyrflyEnv,
    PyrflyVectorEnv,
    Start,
    Task,
    track_of_gates,
)


def made(n: int, task: Any, **options: Any) -> PyrflyVectorEnv:
    options = {"autoreset_mode": AutoresetMode.DISABLED, "precision": "float64", **options}
    envs = PyrflyVectorEnv(n, task, **options)
    envs.reset(seed=1)
    return envs


def hold(envs: PyrflyVectorEnv) -> Any:
    """Actions of zeros: of the hover where that is in the middle."""
    return np.zeros(envs.action_space.shape or (), np.float32)


def largest_velocity(envs: PyrflyVectorEnv) -> np.ndarray:
    """Return what an action of 1 commands."""
    sim = envs.sim
    level, climb, descent = (
        min(5.0, float(column[0]))
        for column in (sim.speed_limit, sim.climb_limit, sim.descent_limit)
    )
    return np.array([level, level, min(climb, descent)])


class TestTrack:
    def test_a_figure_of_eight_crosses_its_middle(self) -> None:
        curve = Curve.figure_eight(4.0, 2.0, 8.0)
        envs = made(500, replace(TASKS["figure8"], curve=curve))
        goal = envs.sim.task_goal - envs.task.goal
        phase = envs.sim.task_phase[:, 0]
        np.testing.assert_allclose(goal[:, 0], 2 * np.sin(phase), atol=1e-9)
        np.testing.assert_allclose(goal[:, 1], np.sin(2 * phase), atol=1e-9)
        np.testing.assert_allclose(envs.sim.task_phase[:, 1], 2 * np.pi / 8)
        assert 0 <= phase.min() < 0.1
        assert 6.2 < phase.max() <= 2 * np.pi

    def test_the_goal_moves_along_it(self) -> None:
        envs = made(3, "figure8", hover_centred=True)
        for _ in range(25):
            envs.step(hold(envs))
        phase = envs.sim.task_phase[:, 0] + 2 * np.pi / 8 * 0.25
        goal = envs.sim.task_goal - envs.task.goal
        np.testing.assert_allclose(goal[:, 0], 2 * np.sin(phase), atol=1e-9)
        velocity = envs.sim.task_goal_vel[:, 0]
        np.testing.assert_allclose(velocity, 2 * np.pi / 4 * np.cos(phase), atol=1e-9)

    def test_random_curves_have_accelerations_of_their_range(self) -> None:
        envs = made(2000, "track")
        path = envs.sim.task_path.reshape(-1, 3, 3, 2)
        size = np.array([1.5, 1.5, 0.5])[:, None, None] / np.array([1, 4, 9])[:, None]
        share = np.abs(path) / size
        assert share.max() <= 1
        np.testing.assert_allclose(np.quantile(share, [0.25, 0.75], axis=0)[0], 0.25, atol=0.04)
        np.testing.assert_allclose(path.mean(axis=0), 0, atol=0.1)
        period = 2 * np.pi / envs.sim.task_phase[:, 1]
        assert 8 <= period.min() < 8.1
        assert 11.9 < period.max() <= 12


class TestRace:
    GATES = ((0.0, 0.0, -5.0, 0.0), (10.0, 0.0, -5.0, np.pi / 2))

    def fly(self, first: Any, velocity: Any) -> tuple[PyrflyVectorEnv, Any]:
        """Take a step of 0.1 s from a place relative to the first gate, with a velocity."""
        task = replace(TASKS["race"], gates=self.GATES, gate_radius=1.0)
        envs = made(1, task, control_rate=10.0, substeps=50, hover_centred=True)
        sim = envs.sim
        sim.task_gate[0] = 0
        sim.task_goal[0], sim.task_goal_yaw[0] = self.GATES[0][:3], 0
        sim.pos[0] = sim.task_before[0] = np.array(self.GATES[0][:3]) + first
        sim.vel[0], sim.att[0], sim.rate[0] = velocity, (1, 0, 0, 0), 0
        return envs, envs.step(hold(envs))

    @pytest.mark.parametrize(
        ("first", "velocity", "event"),
        [
            ((-0.5, 0.0, 0.0), (10, 0, 0), 1),
            ((-0.5, 0.9, 0.0), (10, 0, 0), 1),
            ((-0.5, 1.2, 0.0), (10, 0, 0), -1),  # the frame
            ((-0.5, 0.0, 1.9), (10, 0, 0), -1),
            ((-0.5, 2.5, 0.0), (10, 0, 0), 0),  # past the frame
            ((0.5, 0.0, 0.0), (-10, 0, 0), -1),  # backwards
            ((-0.5, 0.0, 0.0), (1, 0, 0), 0),  # not there yet
            ((-0.5, 1.4, 0.0), (10, -10, 0), 1),  # on a slant, 0.9 m from the middle
        ],
    )
    def test_a_gate_is_its_disc(self, first: Any, velocity: Any, event: int) -> None:
        envs, (_, _, terminated, _, infos) = self.fly(first, velocity)
        assert envs.sim.task_event[0] == event
        assert envs.sim.task_passed[0] == (event == 1)
        assert terminated[0] == (event == -1)
        assert ("passed" in infos) == (event == -1)
        assert infos.get("end_reason") == ([EndReason.GATE_MISSED] if event == -1 else None)
        goal = self.GATES[1] if event == 1 else self.GATES[0]
        assert envs.sim.task_goal[0].tolist() == list(goal[:3])

    def test_progress_is_the_distance_gained(self) -> None:
        envs, _ = self.fly((-3.0, 0.0, 0.0), (10, 0, 0))
        far = np.linalg.norm(envs.sim.pos[0] - self.GATES[0][:3])
        np.testing.assert_allclose(envs.sim.task_progress[0], 3 - far, atol=1e-12)

    def test_a_start_is_before_any_of_the_gates(self) -> None:
        envs = made(600, "race")
        sim, gates = envs.sim, np.array(envs.task.gates)
        counts = np.bincount(sim.task_gate, minlength=len(gates))
        assert counts.min() > 60
        off = sim.pos - gates[sim.task_gate, :3]
        yaw = gates[sim.task_gate, 3]
        forward = np.cos(yaw) * off[:, 0] + np.sin(yaw) * off[:, 1]
        right = np.cos(yaw) * off[:, 1] - np.sin(yaw) * off[:, 0]
        assert 1.5 < np.abs(forward + 4).max() <= 2
        assert 1.5 < np.abs(right).max() <= 2
        nose = np.arctan2(
            2 * (sim.att[:, 0] * sim.att[:, 3] + sim.att[:, 1] * sim.att[:, 2]),
            1 - 2 * (sim.att[:, 2] ** 2 + sim.att[:, 3] ** 2),
        )
        assert np.abs(np.angle(np.exp(1j * (nose - yaw)))).max() < np.radians(76)  # with the tilt

    def test_position_set_points_fly_through_all_gates(self) -> None:
        envs = made(6, "race", action="position", max_episode_steps=10_000)
        middle = np.array(envs.task.gates)[:, :3].mean(axis=0)
        reach = np.array([value.scale for value in envs._level.values[:3]])
        for _ in range(6000):
            sim = envs.sim
            along = np.stack([np.cos(sim.task_goal_yaw), np.sin(sim.task_goal_yaw)], axis=1)
            target = sim.task_goal.copy()
            target[:, :2] += 0.5 * along  # beyond the gate, so that it is flown through
            action = np.zeros((6, 4), np.float32)
            action[:, :3] = (target - middle) / reach
            _, _, terminated, _, _ = envs.step(action)
            assert not terminated.any()
            if sim.task_passed.min() > 6:
                break
        assert sim.task_passed.min() > 6  # more than a lap

    def test_by_default_it_is_what_learns(self) -> None:
        envs = PyrflyVectorEnv(1, "race")
        assert envs._level.name == "rate"
        assert envs._level.centred == "thrust_sp"
        assert PyrflyVectorEnv(1, "race", action="velocity")._level.centred is None
        assert PyrflyVectorEnv(1, "race", hover_centred=False)._level.centred is None

    def test_gates_head_along_their_track(self) -> None:
        gates = track_of_gates([(0, 0, -2), (10, 0, -2), (10, 10, -2), (0, 10, -2)])
        headings = np.degrees([gate[3] for gate in gates])
        np.testing.assert_allclose(headings, [-45, 45, 135, -135])


class TestLanding:
    def touch(self, off: Any, velocity: Any) -> tuple[PyrflyVectorEnv, Any]:
        still = replace(TASKS["landing"], curve=Curve())
        envs = made(1, still, hover_centred=True)
        sim = envs.sim
        sim.pos[0] = sim.task_before[0] = sim.task_goal[0] + np.array(off)
        sim.vel[0], sim.att[0], sim.rate[0] = velocity, (1, 0, 0, 0), 0
        return envs, envs.step(hold(envs))

    @pytest.mark.parametrize(
        ("off", "velocity", "event", "end"),
        [
            ((0, 0, -0.052), (0, 0, 0.3), 1, EndReason.TOUCHDOWN),
            ((0.2, 0.2, -0.052), (0, 0, 0.4), 1, EndReason.TOUCHDOWN),
            ((0.25, 0.2, -0.052), (0, 0, 0.3), -1, EndReason.BAD_TOUCHDOWN),
            ((0, 0, -0.052), (0.3, 0.3, 0.3), -1, EndReason.BAD_TOUCHDOWN),
            ((0, 0, -0.2), (0, 0, 0.3), 0, EndReason.NONE),
        ],
    )
    def test_a_touchdown_is_good_near_the_middle_and_slow(
        self, off: Any, velocity: Any, event: int, end: EndReason
    ) -> None:
        envs, (_, rewards, terminated, _, infos) = self.touch(off, velocity)
        assert envs.sim.task_event[0] == event
        assert terminated[0] == (end != EndReason.NONE)
        assert infos.get("end_reason", [EndReason.NONE]) == [end]
        assert infos.get("passed", np.zeros(1))[0] == (event == 1)
        if event == 1:
            assert rewards[0] > 20 / 3 - 0.1  # the least of a good one

    def test_the_pad_moves_with_its_velocity(self) -> None:
        envs = made(20, "landing", action="velocity")
        before = envs.sim.task_goal.copy()
        envs.step(hold(envs))
        moved = (envs.sim.task_goal - before) / 0.01
        np.testing.assert_allclose(moved, envs.sim.task_goal_vel, atol=0.01)
        assert np.abs(moved[:, 2]).max() == 0
        assert np.linalg.norm(moved, axis=1).max() > 0.3

    def test_a_descent_with_the_pad_lands(self) -> None:
        envs = made(50, "landing", action="velocity")
        scales = largest_velocity(envs)
        landed = np.zeros(50, bool)
        over = np.zeros(50, bool)
        for _ in range(1500):
            sim = envs.sim
            off = sim.task_goal - sim.pos
            velocity = sim.task_goal_vel + 1.0 * off
            near = np.linalg.norm(off[:, :2], axis=1) < 0.2
            velocity[:, 2] = np.where(near, 0.3, np.clip(off[:, 2] - 1.0, -0.5, 0.5))
            action = np.zeros((50, 4), np.float32)
            action[:, :3] = velocity / scales
            _, _, terminated, truncated, infos = envs.step(action)
            landed |= (infos.get("passed", np.zeros(50)) > 0) & ~over
            over |= terminated | truncated
        assert landed.mean() > 0.9


class TestFormation:
    def test_places_are_on_a_circle_and_starts_are_those_of_others(self) -> None:
        envs = made(4 * 200, "formation")
        goal = envs.sim.task_goal.reshape(-1, 4, 3)
        middle = envs.sim.task_middle.reshape(-1, 4, 3)
        assert (middle == middle[:, :1]).all()
        np.testing.assert_allclose(np.linalg.norm(goal - middle, axis=2), 2.0, atol=1e-9)
        np.testing.assert_allclose(
            np.linalg.norm(goal - np.roll(goal, 1, axis=1), axis=2), 2 * np.sqrt(2), atol=1e-9
        )
        pos = envs.sim.pos.reshape(-1, 4, 3)
        shift = [
            np.abs(pos - np.roll(goal, -k, axis=1)).max(axis=(1, 2)) <= 0.2 + 1e-9 for k in range(4)
        ]
        assert not np.any(shift[0])
        assert np.all(np.sum(shift, axis=0) == 1)
        assert np.min([s.mean() for s in shift[1:]]) > 0.2

    @pytest.mark.parametrize("mode", list(AutoresetMode))
    def test_an_episode_ends_for_all_agents_at_once(self, mode: Any) -> None:
        envs = made(12, "formation", autoreset_mode=mode, hover_centred=True)
        envs.sim.pos[5] = envs.sim.pos[6] + [0.2, 0, 0]
        _, rewards, terminated, truncated, infos = envs.step(hold(envs))
        assert terminated.tolist() == [False] * 4 + [True] * 4 + [False] * 4
        assert not truncated.any()
        assert (rewards[[5, 6]] < -10).all()
        assert (rewards[[4, 7]] > 0).all()  # they did not end it
        ended = infos["final_info"] if mode == AutoresetMode.SAME_STEP else infos
        close, other = EndReason.CLOSE, EndReason.OTHER_VEHICLE
        assert ended["end_reason"].tolist() == [0] * 4 + [other, close, close, other] + [0] * 4
        begun = envs.sim.task_episode.tolist()
        assert begun == [1] * 4 + [1 + (mode == AutoresetMode.SAME_STEP)] * 4 + [1] * 4
        if mode == AutoresetMode.SAME_STEP:
            final = infos["final_obs"][6, 18:21]  # the nearest other: number 5
            np.testing.assert_allclose(final[:2], [0.2, 0.0], atol=0.02)
        if mode == AutoresetMode.NEXT_STEP:
            envs.step(hold(envs))
            assert envs.sim.task_episode.tolist() == [1] * 4 + [2] * 4 + [1] * 4

    @pytest.mark.parametrize("agents", [2, 3, 7, 16])
    def test_episodes_depend_on_their_seed_alone(self, agents: int) -> None:
        options = {
            "settings": {"agents": agents, "spread": 4.0, "limit": 12.0},
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        few = PyrflyVectorEnv(2 * agents, "formation", threads=1, **options)
        many = PyrflyVectorEnv(40 * agents, "formation", threads=2, **options)
        few.reset(seed=30)
        many.reset(seed=13)
        rng = np.random.default_rng(3)
        part = slice(17 * agents, 19 * agents)
        for _ in range(200):
            action = rng.uniform(-1, 1, (40 * agents, 4)).astype(np.float32)
            a, b = few.step(action[part]), many.step(action)
            for one, other in zip(a[:4], b[:4], strict=True):
                np.testing.assert_array_equal(one, other[part])
        assert few.sim.task_episode.max() > 1

    def test_their_number_is_that_of_whole_environments(self) -> None:
        with pytest.raises(ValueError, match=r"num_envs: .*4 agents"):
            PyrflyVectorEnv(6, "formation")
        with pytest.raises(ValueError, match="several agents"):
            PyrflyEnv("formation")
        envs = made(8, "formation")
        mask = np.zeros(8, bool)
        mask[1] = True
        with pytest.raises(ValueError, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})


def test_wind_blows_over_the_windy_hover() -> None:
    envs = made(300, "wind", hover_centred=True)
    assert 2.5 < envs.sim.wind.std() < 3.5
    for _ in range(50):
        envs.step(hold(envs))
    assert envs.sim.wind_variation.any(axis=1).all()


class TestInfos:
    @pytest.mark.parametrize("mode", list(AutoresetMode))
    def test_drawn_values_are_those_of_episodes_that_begin(self, mode: Any) -> None:
        envs = PyrflyVectorEnv(
            3, randomize={"mass": ("scale", 0.8, 1.2)}, autoreset_mode=mode, max_episode_steps=2
        )
        _, infos = envs.reset(seed=1)
        first = envs.sim.mass.copy()
        np.testing.assert_array_equal(infos["mass"], first)
        assert infos["_mass"].all()
        action = hold(envs)
        seen = ["mass" in envs.step(action)[4] for _ in range(4)]
        expected = {
            AutoresetMode.SAME_STEP: [False, True, False, True],
            AutoresetMode.NEXT_STEP: [False, False, True, False],
            AutoresetMode.DISABLED: [False] * 4,
        }
        assert seen == expected[mode]

    def test_one_environment_has_numbers(self) -> None:
        env = PyrflyEnv(randomize={"mass": ("scale", 0.8, 1.2), "wind": ("uniform", 0, 1)})
        _, info = env.reset(seed=1)
        assert info["mass"] == float(env.sim.mass[0])
        assert info["wind"].shape == (3,)
        assert set(info) == {"mass", "wind"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"limmit": 1}, "settings: .*limit"),
        ({"limit": -1}, "settings: limit"),
        ({"limit": "far"}, "settings: limit"),
        ({"goal": (0, 0)}, "settings: goal"),
        ({"agents": 17}, "settings: agents"),
        ({"curve": Curve(period=(0, 1))}, "curve.period"),
        ({"curve": Curve(range=(0, np.nan, 0))}, "curve.range"),
        ({"gates": ((0, 0, 0),)}, "gates"),
        ({"gates": 3}, "gates"),
        ({"curve": None}, "settings: curve"),
    ],
)
def test_settings_are_named(settings: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        PyrflyVectorEnv(1, "hover", settings=settings)


def test_a_race_needs_gates_within_its_limit() -> None:
    with pytest.raises(ValueError, match="gates: expected 1 to"):
        PyrflyVectorEnv(1, "race", settings={"gates": ()})
    far = np.array(track_of_gates([(0, 0, -3), (20, 0, -3), (20, 20, -3)]))
    with pytest.raises(ValueError, match=r"limit: .*28.28 m between gates"):
        PyrflyVectorEnv(1, "race", settings={"gates": far})
    PyrflyVectorEnv(1, "race", settings={"gates": far, "limit": 40.0})


def test_a_formation_needs_room() -> None:
    with pytest.raises(ValueError, match=r"spread: .*16 agents"):
        PyrflyVectorEnv(16, "formation", settings={"agents": 16})


def test_a_track_of_gates_needs_three_points() -> None:
    for points in ([(0, 0, -2), (8, 0, -2)], [], [(0, np.nan, 0)] * 3):
        with pytest.raises(ValueError, match="points: "):
            track_of_gates(points)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": {"tilt": float("nan")}}, "start: tilt"),
        ({"start": {"speed": -1}}, "start: speed"),
        ({"start": 3}, "start: "),
        ({"weights": {"alive": float("inf")}}, "weights: alive"),
        ({"task": Task("hover", Start(), weights={"distanse": 1})}, "task: weights: .*distance"),
        ({"task": Task("hoover", Start())}, "task: .*hover"),
        ({"randomize": {"mass": ("normal", 2, 1)}}, "mass"),
        ({"randomize": {"mass": ("uniform", "1", "2")}}, "randomize: mass"),
    ],
)
def test_numbers_that_make_no_sense_are_named(options: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        PyrflyVectorEnv(1, **options)


def test_weights_go_by_their_names() -> None:
    envs = made(1, Task("hover", Start(pos=(1.0, 0.0, -10.0)), weights={"distance": 1.0}))
    _, rewards, *_ = envs.step(hold(envs))
    np.testing.assert_allclose(rewards, -1, atol=0.01)
