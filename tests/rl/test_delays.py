"""Delays of actions and observations, noise, and actions about the hover."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode

from pyrfly import Sim
from pyrfly.rl import ACTION_LEVELS, PyrflyVectorEnv

OBSERVED = 18  # values without the last action
STILL = {"pos_range": (0, 0, 0), "speed": 0, "tilt": 0, "yaw": 0, "rate": 0}


def made(n: int = 5, **options: Any) -> PyrflyVectorEnv:
    return PyrflyVectorEnv(n, "hover", **options)


def actions_of(steps: int, n: int = 5) -> Any:
    return np.random.default_rng(4).uniform(-0.5, 0.5, (steps, n, 4)).astype(np.float32)


@pytest.mark.parametrize("action", ["motor", "attitude"])
def test_a_delayed_action_is_that_of_before(action: str) -> None:
    late, now = made(action=action, action_delay=3), made(action=action)
    late.reset(seed=1)
    now.reset(seed=1)
    given = actions_of(20)
    held = {name: now.sim.groups[0].view(name).copy() for name in ("throttle", "att_sp")}
    for step in range(20):
        late.step(given[step])
        if step < 3:  # the commands of the start
            now.sim.step(5)
            for name, value in held.items():
                if action == "motor" or name == "att_sp":
                    np.testing.assert_array_equal(late.sim.groups[0].view(name), value)
        else:
            now.step(given[step - 3])
        if action == "motor":
            np.testing.assert_allclose(late.sim.pos, now.sim.pos, atol=1e-5)  # rounded by age
    np.testing.assert_array_equal(late.sim.att_sp, now.sim.att_sp)


@pytest.mark.parametrize("action", ACTION_LEVELS)
def test_a_seed_repeats_with_delays(action: str) -> None:
    """Also the commands before the first action arrives, and the phases of the controllers."""
    envs = made(2, action=action, action_delay=3, autoreset_mode=AutoresetMode.DISABLED)
    given = actions_of(10, 2)
    mask = np.array([False, True])
    seen = []
    for before in (0, 7):
        envs.reset(seed=5)
        for k in range(before):
            envs.step(given[k])
        envs.reset(seed=[None, 9], options={"reset_mask": mask})
        seen.append(np.stack([envs.step(k)[0][1] for k in given]))
    np.testing.assert_array_equal(*seen)


@pytest.mark.parametrize("action", ["motor", "rate", "attitude"])
def test_a_vehicle_hovers_until_the_first_action_arrives(action: str) -> None:
    envs = made(1, action=action, action_delay=30, start=STILL)
    envs.reset(seed=1)
    for _ in range(30):
        observations, *_ = envs.step(np.full((1, 4), -1, np.float32))
    assert np.abs(observations[0, :3]).max() < 0.01


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_delayed_observation_is_that_of_before(mode: Any) -> None:
    """At the start of an episode the first one is seen until the next one arrives."""
    options = {"autoreset_mode": mode, "max_episode_steps": 7}
    late, now = made(observation_delay=2, **options), made(**options)
    seen = [late.reset(seed=1)[0]]
    true = [now.reset(seed=1)[0]]
    begin = [0]
    for step, given in enumerate(actions_of(20), start=1):
        observations, _, _, truncated, infos = late.step(given)
        seen.append(observations)
        now_observations, _, _, _, now_infos = now.step(given)
        true.append(now_observations)
        begun = now.sim.task_steps[0] == 0 and mode != AutoresetMode.DISABLED
        begin.append(step if begun else begin[-1])
        if "final_obs" in infos:
            expected = true[step - 2][:, :OBSERVED]
            np.testing.assert_array_equal(infos["final_obs"][:, :OBSERVED], expected)
            last = now_infos["final_obs"][:, OBSERVED:]
            np.testing.assert_array_equal(infos["final_obs"][:, OBSERVED:], last)
        if mode == AutoresetMode.DISABLED and truncated.all():
            seen[-1] = late.reset(options={"reset_mask": np.ones(5, bool)})[0]
            true[-1] = now.reset(options={"reset_mask": np.ones(5, bool)})[0]
            begin[-1] = step
    for step in range(21):
        before = max(step - 2, begin[step])
        expected = true[before][:, :OBSERVED]
        np.testing.assert_array_equal(seen[step][:, :OBSERVED], expected)
        np.testing.assert_array_equal(seen[step][:, OBSERVED:], true[step][:, OBSERVED:])


def test_a_reset_of_some_leaves_what_the_others_see() -> None:
    envs = made(observation_delay=3, noise={"velocity": 0.1}, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=1)
    for given in actions_of(6):
        before, *_ = envs.step(given)
    mask = np.array([False, True, False, False, True])
    after, _ = envs.reset(options={"reset_mask": mask})
    np.testing.assert_array_equal((before == after).all(axis=1), ~mask)


class TestNoise:
    NOISE = {"position_error": 0.1, "angular_velocity": 0.5}  # noqa: RUF012

    def test_spaces_have_room_for_it(self) -> None:
        envs = made(500, noise={"attitude": 0.3})
        assert envs.reset(seed=1)[0] in envs.observation_space

    def test_it_is_normal_of_its_deviation(self) -> None:
        noisy, clear = made(2000, noise=self.NOISE), made(2000)
        seen = noisy.reset(seed=1)[0] - clear.reset(seed=1)[0]
        later = noisy.step(np.zeros((2000, 4), "f4"))[0] - clear.step(np.zeros((2000, 4), "f4"))[0]
        for columns, deviation in ((slice(0, 3), 0.1), (slice(15, 18), 0.5)):
            sample = seen[:, columns] / deviation
            np.testing.assert_allclose(sample.std(axis=0), 1, atol=0.06)
            np.testing.assert_allclose(sample.mean(axis=0), 0, atol=0.1)
            assert abs(np.corrcoef(sample[:, 0], sample[:, 1])[0, 1]) < 0.08
            again = later[:, columns] / deviation
            assert abs(np.corrcoef(sample[:, 0], again[:, 0])[0, 1]) < 0.08
        assert not seen[:, 3:15].any()
        np.testing.assert_array_equal(noisy.sim.pos, clear.sim.pos)

    def test_it_repeats_with_the_seed_and_differs_between_episodes(self) -> None:
        envs = made(3, noise=self.NOISE, start={"pos_range": (0, 0, 0)})
        first = envs.reset(seed=1)[0][:, :3]
        second = envs.reset()[0][:, :3]
        np.testing.assert_array_equal(envs.reset(seed=1)[0][:, :3], first)
        assert (first != second).all()


def test_an_action_of_zero_hovers_where_it_is_the_middle() -> None:
    for action in ("motor", "rate", "attitude"):
        envs = made(1, vehicle="x450", action=action, start=STILL, hover_centred=True)
        envs.reset(seed=1)
        for _ in range(100):
            observations, *_ = envs.step(np.zeros((1, 4), np.float32))
        assert np.abs(observations[0, :3]).max() < 0.02, action


@pytest.mark.parametrize(("action", "tolerance"), [("motor", 1e-9), ("rate", 2e-3)])
@pytest.mark.parametrize(
    ("vehicle", "effects"),
    [("sdk", "plain"), *((name, "full") for name in ("x450", "cf2x_l250", "hex_coax", "octo_x"))],
)
def test_an_action_of_zero_is_the_trim_of_randomized_vehicles(
    vehicle: str, effects: str, action: str, tolerance: float
) -> None:
    columns = {field.name for field in Sim(vehicle).groups[0].fields}
    table = {"mass": ("scale", 0.8, 1.2), "thrust_coef": ("scale", 0.95, 1.2)}
    envs = made(
        20, vehicle=vehicle, action=action, effects=effects, start=STILL, hover_centred=True,
        precision="float64", randomize={name: table[name] for name in columns & set(table)},
    )  # fmt: skip
    envs.reset(seed=1)
    for _ in range(3):
        envs.step(np.zeros(envs.action_space.shape, np.float32))
    trim = envs.sim.trim(range(1, 21)).inputs["throttle"]
    assert np.ptp(trim[:, 0]) > 0.05
    np.testing.assert_allclose(envs.sim.throttle, trim, rtol=tolerance)


@pytest.mark.parametrize("action", ["motor", "rate", "attitude"])
def test_an_action_of_zero_holds_vehicles_that_were_configured(action: str) -> None:
    masses = np.array([0.8, 0.9, 1.0, 1.1, 1.2])

    def configure(sim: Sim) -> None:
        sim.select().write("mass", sim.mass * masses)

    envs = made(action=action, start=STILL, hover_centred=True, configure=configure)
    envs.reset(seed=1)
    for _ in range(60):
        envs.step(np.zeros((5, 4), np.float32))
    np.testing.assert_allclose(
        envs.sim.throttle, envs.sim.trim(range(1, 6)).inputs["throttle"], 1e-3
    )


def test_an_action_of_zero_is_the_hover_after_a_throw() -> None:
    envs = PyrflyVectorEnv(2, "recover", hover_centred=True)
    envs.reset(seed=1)
    envs.step(np.zeros((2, 4), np.float32))
    np.testing.assert_allclose(
        envs.sim.throttle, [Sim("x500").trim().inputs["throttle"][0]] * 2, 1e-5
    )


@pytest.mark.parametrize(
    ("action", "column", "command"),
    [("rate", "rate_limit", "rate_sp"), ("velocity", "speed_limit", "vel_sp")],
)
def test_actions_are_in_proportion_to_the_limits_of_each_vehicle(
    action: str, column: str, command: str
) -> None:
    envs = made(action=action, start=STILL, randomize={column: ("scale", 0.2, 0.4)})
    envs.reset(seed=1)
    envs.step(np.full((5, 4), 0.5, np.float32))
    sim = envs.sim
    drawn = getattr(sim, column).reshape(5, -1)[:, 0]
    assert np.ptp(drawn) > 0
    np.testing.assert_allclose(getattr(sim, command)[:, 0], 0.5 * drawn, 1e-6)


def test_the_whole_range_is_reached_from_the_hover() -> None:
    envs = made(1, hover_centred=True)
    envs.reset(seed=1)
    trim = Sim("x500").trim().inputs["throttle"][0]
    reach = max(trim[0], 1 - trim[0])
    for value in (-1, 1):
        envs.step(np.full((1, 4), value, np.float32))
        np.testing.assert_allclose(envs.sim.throttle[0], trim + reach * value, atol=1e-6)
    assert trim[0] - reach <= 1e-6
    assert trim[0] + reach >= 1 - 1e-6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"action_delay": -1}, "action_delay"),
        ({"action_delay": 65}, "action_delay"),
        ({"observation_delay": 1.5}, "observation_delay"),
        ({"noise": {"velocty": 1}}, "noise: .*velocity"),
        ({"noise": {"velocity": -1}}, "noise: velocity"),
        ({"noise": {"velocity": float("nan")}}, "noise: velocity"),
    ],
)
def test_arguments_are_named(options: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        made(**options)
