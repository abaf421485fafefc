"""Tasks and levels of actions of all kinds of vehicles: a sensible start, or a reason why not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from pyrfly import ParameterError, vehicles
from pyrfly.rl import ACTION_LEVELS, TASKS, PyrflyVectorEnv
from pyrfly.vehicles import FAMILIES

from ..able import SPINNING, abilities

PLANES = ("aerosonde", "gz_plane", "skywalker_x8")


def made(task: str, vehicle: str, n: int = 1, **options: Any) -> PyrflyVectorEnv:
    envs = PyrflyVectorEnv(
        n, task, vehicle, threads=1, autoreset_mode="Disabled", precision="float64", **options
    )
    envs.reset(seed=1)
    return envs


def motion(envs: PyrflyVectorEnv) -> np.ndarray:
    sim = envs.sim
    return np.concatenate([sim.pos, sim.vel, sim.att, sim.rate], axis=1)


def dead_values(task: str, vehicle: str, action: str) -> list[int]:
    """Return the values of an action of which neither -1 nor 1 changes a flight."""
    values = made(task, vehicle, action=action).single_action_space.shape[0]
    envs = made(task, vehicle, 2 * values + 1, action=action, settings={"limit": 1e6})
    envs.reset(seed=[3] * envs.num_envs)
    one = np.eye(values, dtype=np.float32)
    actions = np.concatenate([0 * one[:1], one, -one])
    for _ in range(150):
        envs.step(actions)
    change = np.abs(motion(envs) - motion(envs)[0]).max(axis=1)[1:].reshape(2, values).max(axis=0)
    return np.flatnonzero(change == 0).tolist()


# Of the two that spin, mirrored, one: each is looked for an equilibrium in vain for all tasks.
@pytest.mark.slow
@pytest.mark.parametrize("vehicle", [v for v in vehicles.names() if v != SPINNING[1]])
def test_every_task_and_level_works_or_says_why_not(vehicle: str) -> None:
    worked = 0
    for task in TASKS:
        for action in ACTION_LEVELS:
            try:
                envs = made(task, vehicle, 4 * TASKS[task].agents, action=action)
            except ParameterError as error:
                if "equilibrium" in str(error):
                    break  # which all levels of the task begin at
                continue
            worked += 1
            zeros = np.zeros(envs.action_space.shape, np.float32)
            for _ in range(5):
                observations, rewards, terminated, _, _ = envs.step(zeros)
                assert np.isfinite(rewards).all()
                assert not terminated.any()
                assert envs.observation_space.contains(observations)
            assert not envs.sim.status.any()
            assert (envs.sim.pos[:, 2] < -1e-3).all() == envs.sim.groups[0].flies
    assert worked >= (len(ACTION_LEVELS) if abilities(vehicle).stays else 3)


def without_effect(vehicle: str, action: str) -> set[int]:
    """Return which values may have none: of what is on a surface, in so short a time."""
    if not abilities(vehicle).kind.on_surface:
        return set()
    family = FAMILIES[vehicles.load(vehicle).family]
    actuators = family.actuators(vehicles.load(vehicle))
    steering = {k for k, actuator in enumerate(actuators) if not actuator.is_motor}
    if action in ("velocity", "position") and steering:  # its wheels turn first
        return {0, 1, 2}
    if action == "position":  # it arrives first, then turns to its heading
        return {2}
    return steering if action == "motor" else set()  # it stands


@pytest.mark.slow
@pytest.mark.parametrize("vehicle", vehicles.names())
def test_every_value_of_an_action_has_an_effect(vehicle: str) -> None:
    task = "recover" if vehicle in SPINNING else "position"
    for action in ACTION_LEVELS:
        try:
            dead = dead_values(task, vehicle, action)
        except ParameterError:
            continue
        assert set(dead) <= without_effect(vehicle, action), action


@pytest.mark.parametrize("vehicle", PLANES)
@pytest.mark.parametrize("task", ["position", "track"])
def test_planes_start_in_cruise(vehicle: str, task: str) -> None:
    envs = made(task, vehicle, 100)
    sim, wings = envs.sim, envs.sim.groups[0].abilities.wings
    cruise = sim.groups[0].view(wings.cruise_airspeed)[0]
    speed = np.linalg.norm(sim.vel, axis=1)
    assert np.abs(speed / cruise - 1).max() <= 0.05 + 1e-9
    assert speed.min() > sim.groups[0].view(wings.minimum_airspeed)[0]
    w, x, y, z = sim.att.T
    nose = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)
    along = (nose * sim.vel).sum(axis=1) / speed
    assert np.degrees(np.arccos(along.min())) < 35  # a tilt of 20 degrees, and the angle of attack
    course = np.arctan2(sim.vel[:, 1], sim.vel[:, 0])
    assert np.abs(np.mean(np.exp(1j * course))) < 0.2  # all ways


@pytest.mark.parametrize("vehicle", PLANES)
def test_a_plane_that_circles_at_its_goal_earns_more_than_one_that_flies_on(vehicle: str) -> None:
    envs = made("position", vehicle, 2, action="position", control_rate=20.0, substeps=20)
    envs.reset(seed=[5, 5])
    middle, _ = envs.task.region()
    reach = np.array([value.scale for value in envs._level.values])
    goal = (envs.sim.task_goal - middle) / reach
    total, over = np.zeros(2), False
    while not over:
        action = np.stack([goal[0], [1.0, 0.0, goal[1, 2]]]).astype(np.float32)
        _, rewards, terminated, truncated, _ = envs.step(action)
        assert not terminated[0]
        total += rewards
        over = bool(truncated[0] or terminated[1])
    assert total[0] > total[1]


def test_the_goal_of_a_track_of_planes_moves_with_their_cruise() -> None:
    envs = made("track", "gz_plane", 20)
    cruise = envs.sim.wing_cruise_airspeed[0]
    np.testing.assert_allclose(np.linalg.norm(envs.sim.task_goal_vel, axis=1), cruise, rtol=1e-9)


@pytest.mark.parametrize(
    ("vehicle", "task", "message"),
    [
        ("gz_plane", "hover", "expected one of position, track for 'gz_plane'.*got 'hover'"),
        ("aerosonde", "race", "flies by wings and does not stay"),
        ("gz_plane", "reach", "expected one of position, track for 'gz_plane'"),
        ("bluerov2", "landing", "expected one of hover, .*reach for 'bluerov2'.* that dives"),
        ("remus100", "hover", "expected one of position, track, reach for .*glides under water"),
        ("wam_v", "wind", "does not leave the surface"),
        ("husky_a200", "recover", "expected one of hover, position, track, figure8, reach for"),
    ],
)
def test_a_task_that_a_vehicle_cannot_do_is_refused(vehicle: str, task: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        made(task, vehicle)


@pytest.mark.parametrize(
    ("vehicle", "task"),
    [("gz_standard_vtol", "hover"), ("conventional_heli", "hover"), ("aerosonde", "position")],
)
def test_a_hover_that_is_not_known_is_no_middle_of_actions(vehicle: str, task: str) -> None:
    with pytest.raises(ParameterError, match=f"hover_centred: expected False for '{vehicle}'"):
        made(task, vehicle, hover_centred=True)


@pytest.mark.parametrize(
    ("vehicle", "action", "columns"),
    [
        ("husky_a200", "velocity", "vel_sp vel_sp yaw_rate_sp"),
        ("bluerov2", "velocity", "vel_sp vel_sp vel_sp yaw_rate_sp"),
        ("bluerov2", "position", "pos_sp pos_sp pos_sp yaw_sp"),
        ("husky_a200", "position", "pos_sp pos_sp yaw_sp"),
        ("aerosonde", "velocity", "vel_sp vel_sp vel_sp"),
        ("aerosonde", "rate", "thrust_sp rate_sp rate_sp rate_sp"),
        ("skywalker_x8", "rate", "thrust_sp rate_sp rate_sp"),  # no rudder
    ],
)
def test_actions_have_what_a_vehicle_can_do(vehicle: str, action: str, columns: str) -> None:
    envs = made("position", vehicle, action=action)
    assert [value.column for value in envs._level.values] == columns.split()


def test_engines_turn_where_others_start_at_rest() -> None:
    turning, at_rest = made("recover", "conventional_heli"), made("recover", "x500")
    assert turning.sim.main_rotor_speed.min() > 100
    assert at_rest.sim.rotor_speed.max() == 0
