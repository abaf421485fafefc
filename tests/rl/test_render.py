"""Pictures of environments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from pyrfly.rl import PyrflyEnv, PyrflyVectorEnv


def coloured(picture: Any) -> int:
    """Pixels of the first vehicle's colour, #0072B2."""
    near = np.abs(picture.astype(int) - [0x00, 0x72, 0xB2]).max(axis=2) < 40
    return int(near.sum())


@pytest.mark.parametrize("task", ["hover", "race", "landing"])
@pytest.mark.slow
def test_a_picture_shows_the_vehicle(task: str) -> None:
    env = PyrflyEnv(task, render_mode="rgb_array")
    env.reset(seed=1)
    first: Any = env.render()
    for _ in range(30):
        env.step(np.full(4, 0.5, np.float32))
    last: Any = env.render()
    for picture in (first, last):
        assert picture.dtype == np.uint8
        assert picture.shape == (400, 400, 3)
        assert coloured(picture) > 15
    assert (first != last).any()
    env.close()


@pytest.mark.slow
def test_a_picture_shows_the_heading_of_a_goal_that_has_one() -> None:
    drawn = {}
    for task in ("hover", "reach"):
        env = PyrflyEnv(task, render_mode="rgb_array")
        env.reset(seed=1)
        env.render()
        drawn[task] = [line.get_data_3d() for line in env._envs._pictures[0]._axes.lines]
    east, north, _ = drawn["reach"][-1]
    assert len(drawn["reach"]) == len(drawn["hover"]) + 1
    yaw = float(env.sim.task_goal_yaw[0])
    assert np.arctan2(np.diff(east), np.diff(north)) == pytest.approx(yaw, abs=1e-5)


@pytest.mark.slow
def test_every_environment_has_a_picture_of_its_own() -> None:
    envs = PyrflyVectorEnv(8, "formation", render_mode="rgb_array")
    envs.reset(seed=1)
    pictures: Any = envs.render()
    assert len(pictures) == 2
    assert (pictures[0] != pictures[1]).any()


def test_a_window_is_drawn_with_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "Agg")  # no window
    env = PyrflyEnv(render_mode="human")
    drawn = []
    picture = env._envs._pictures[0]
    monkeypatch.setattr(picture, "draw", lambda: drawn.append(1))
    env.reset(seed=1)
    env.step(np.zeros(4, np.float32))
    assert env.render() is None
    assert len(drawn) == 3
    env.close()


def test_errors_name_the_mode() -> None:
    with pytest.raises(ValueError, match=r"render_mode: .*'rgb'"):
        PyrflyEnv(render_mode="rgb")
    with pytest.raises(ValueError, match=r"render_mode: .*16 environments"):
        PyrflyVectorEnv(17, render_mode="rgb_array")
    env = PyrflyEnv()
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match="render_mode"):
        env.render()
