"""The task reach: its goal, its size, and that all kinds of vehicles come to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from pyrfly import Sim, vehicles
from pyrfly.frames import quaternion_of_euler
from pyrfly.rl import TASKS, EndReason, PyrflyVectorEnv
from pyrfly.rl.scale import scale_of
from pyrfly.vehicles import FAMILIES

from ..able import SPINNING, abilities, is_ponderous

KINDS = ("x500", "cf2x_p250", "conventional_heli", "gz_standard_vtol", "turtlebot3_burger")
KINDS += ("f1tenth", "bmw_320i_slip", "bmw_320i_detailed", "truck_trailer", "wam_v", "bluerov2")
"""A vehicle of each kind and size."""

STAYING = [
    v
    for v in vehicles.names()
    if abilities(v).stays and v not in SPINNING and not is_ponderous(vehicles.load(v))
]
"""Those that can stop at a goal, within minutes."""


def made(vehicle: str, n: int = 1, task: str = "reach", **options: Any) -> PyrflyVectorEnv:
    options = {"autoreset_mode": "Disabled", "precision": "float64", **options}
    envs = PyrflyVectorEnv(n, task, vehicle, **options)
    envs.reset(seed=1)
    return envs


@pytest.mark.parametrize(
    ("off", "speed", "turned", "reached"),
    [
        ((0.0, 0.0, 0.0), 0.0, 0.0, True),
        ((0.9, 0.0, 0.0), 0.0, 0.0, True),
        ((0.0, 0.0, -0.9), 0.9, -0.9, True),
        ((0.7, 0.0, 0.8), 0.0, 0.0, False),
        ((0.0, 0.0, 0.0), 1.2, 0.0, False),
        ((0.0, 0.0, 0.0), 0.0, 1.1, False),
    ],
)
def test_a_goal_is_reached_near_it_slowly_and_with_its_heading(
    off: Any, speed: float, turned: float, reached: bool
) -> None:
    """All as shares of what is allowed."""
    envs = made("x500", settings={"touch_heading": 0.5, "touch": (0.0, 0.4, 0.8)})
    sim = envs.sim
    sim.pos[0] = sim.task_goal[0] + 0.4 * np.array(off)
    sim.vel[0] = (0.0, 0.8 * speed, 0.0)
    sim.att[0] = quaternion_of_euler([0.0, 0.0, sim.task_goal_yaw[0] + 0.5 * turned])
    sim.rate[0] = 0.0
    *_, terminated, truncated, infos = envs.step(np.zeros((1, 4), np.float32))
    assert terminated[0] == reached
    assert not truncated[0]
    assert infos.get("end_reason", [EndReason.NONE]) == [
        EndReason.REACHED if reached else EndReason.NONE
    ]
    assert infos.get("passed", [0]) == [reached]


def test_what_is_gained_adds_up_to_the_way_that_is_left_at_first() -> None:
    envs = made("x500", 40, action="position", max_episode_steps=10_000)
    sim, turn = envs.sim, envs.task.weights["turn"]

    def left() -> Any:
        error = sim.euler[:, 2] - sim.task_goal_yaw
        way = np.linalg.norm(sim.pos - sim.task_goal, axis=1)
        return way + turn * (1 - np.cos(error))

    first, gained = left(), np.zeros(40)
    action = to_goal(envs)
    for _ in range(100):
        envs.step(action)
        gained += sim.task_progress
    np.testing.assert_allclose(gained, first - left(), atol=1e-9)


def to_goal(envs: PyrflyVectorEnv) -> Any:
    """Return the actions of the level position that are the goals."""
    values, goals = envs._level.values, []
    for value in values:
        yaw = value.column == "yaw_sp"
        goal = envs.sim.task_goal_yaw if yaw else envs.sim.task_goal[:, value.component]
        goals.append((goal - value.offset) / value.scale)
    return np.stack(goals, axis=1).astype(np.float32)


@pytest.mark.parametrize("vehicle", KINDS)
def test_goals_fill_a_range_of_the_size_of_the_vehicle(vehicle: str) -> None:
    envs = made(vehicle, 600)
    sim, task = envs.sim, envs.task
    scale = scale_of(sim.groups[0])
    off = np.abs(sim.task_goal - sim.pos)
    kind = abilities(vehicle).kind
    down = 2 * scale.height if kind.dives or not kind.on_surface else 0.0
    bounds = np.array([4 * scale.length, 4 * scale.length, down])
    assert (off <= bounds + 1e-9).all()
    assert (off.max(axis=0) >= 0.95 * bounds).all()
    assert np.abs(sim.task_goal_yaw).max() == pytest.approx(np.pi, rel=0.02)
    turning = abilities(vehicle).limits.turning
    assert scale.length >= (sim.groups[0].view(turning)[0] if turning else 0.0)
    assert task.limit > np.linalg.norm(off, axis=1).max() + scale.length
    assert not sim.status.any()


@pytest.mark.parametrize("vehicle", ["bluerov2", "remus100"])
def test_goals_of_what_dives_are_under_water(vehicle: str) -> None:
    envs = made(vehicle, 300)
    sim = envs.sim
    for depth in (sim.pos[:, 2], sim.task_goal[:, 2]):
        assert depth.min() > 1.0
        assert depth.max() < 70.0
    assert np.ptp(sim.task_goal[:, 2]) > 1.0


def success(vehicle: str, n: int = 60, **options: Any) -> float:
    """Return the share of goals that the vehicle's own controllers reach."""
    envs = made(vehicle, n, action="position", control_rate=10.0, substeps=50, **options)
    over = np.zeros(n, int)
    action = to_goal(envs)
    for _ in range(envs.episode_steps):
        *_, infos = envs.step(action)
        over = np.where(over == 0, infos.get("end_reason", 0 * over), over)
        if over.all():
            break
    return float((over == EndReason.REACHED).mean())


@pytest.mark.slow
@pytest.mark.parametrize("vehicle", STAYING)
def test_controllers_reach_all_goals(vehicle: str) -> None:
    group, turning = made(vehicle).sim.groups[0], abilities(vehicle).limits.turning
    circles = turning and group.view(turning)[0] > 0
    parks = group.has("parking_radius") and group.view("parking_radius")[0] > 0
    settings = {"touch_heading": np.pi} if circles and not parks else {}
    assert success(vehicle, settings=settings) >= 0.9


def test_controllers_of_the_default_vehicle_reach_all_goals() -> None:
    assert success("x500") == 1.0


def test_a_heading_counts_only_where_vehicles_turn_to_it() -> None:
    assert made("bluerov2").task.touch_heading < 0.5
    glides = made("remus100").task
    assert glides.touch_heading == np.pi
    assert glides.touch[2] > 1e6
    assert glides.weights["turn"] == 0.0


def test_actions_are_velocities_in_the_air_and_those_of_actuators_below() -> None:
    assert made("x500")._level.name == "velocity"
    for vehicle in ("husky_a200", "f1tenth", "otter", "bluerov2", "remus100"):
        assert made(vehicle)._level.name == "motor"


@pytest.mark.parametrize("vehicle", ["bmw_320i", "bluerov2_heavy"])
def test_episodes_depend_on_their_seed_alone(vehicle: str) -> None:
    few, many = (
        PyrflyVectorEnv(
            n, "reach", vehicle, threads=threads, autoreset_mode="SameStep",
            max_episode_steps=60,
        )
        for n, threads in ((5, 1), (40, 2))
    )  # fmt: skip
    few.reset(seed=20)
    many.reset(seed=7)
    rng = np.random.default_rng(7)
    for _ in range(200):
        action = rng.uniform(-1, 1, many.action_space.shape).astype(np.float32)
        a, b = few.step(action[13:18]), many.step(action)
        for one, other in zip(a[:4], b[:4], strict=True):
            np.testing.assert_array_equal(one, other[13:18])
    assert many.sim.task_episode.max() > 1  # several episodes


def test_a_task_of_ones_own_has_its_own_size() -> None:
    envs = PyrflyVectorEnv(1, TASKS["reach"], "bmw_320i")
    assert envs.task.goal_range == (4.0, 4.0, 0.0)
    assert envs.task.limit == 12.0


@pytest.mark.parametrize("value", [-0.1, np.nan, "north", (1.0, 2.0)])
def test_a_heading_that_makes_no_sense_is_named(value: Any) -> None:
    with pytest.raises(ValueError, match="settings: touch_heading: expected finite numbers from 0"):
        PyrflyVectorEnv(1, "reach", settings={"touch_heading": value})


def test_the_registry_has_it() -> None:
    import gymnasium

    env = gymnasium.make("pyrfly/Reach-v0", vehicle="f1tenth")
    first, _ = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    np.testing.assert_array_equal(first, again)
    assert env.action_space.shape == (2,)


def test_lengths_and_times_are_those_of_size_speed_and_turns() -> None:
    sim = Sim("wam_v", 1)
    length, height, time = scale_of(sim.groups[0])
    low, high = FAMILIES["marine"].hull(vehicles.load("wam_v")).extent
    assert length == height == pytest.approx((high - low)[0])
    assert time == pytest.approx(2 * np.sqrt(length / sim.accel_limit[0]))
