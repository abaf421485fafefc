"""Pictures of environments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from pyrfly.rl import PyrflyEnv, PyrflyVectorEnv
from pyrfly.rl.tasks import TASKS
from pyrfly.view.marks import COLOURS


def coloured(picture: Any) -> int:
    """Pixels of the first vehicle's colour, of its trail and its goal."""
    near = np.abs(picture.astype(int) - COLOURS[0]).max(axis=2) < 40
    return int(near.sum())


@pytest.mark.parametrize("task", [*TASKS])
@pytest.mark.slow
def test_a_picture_shows_vehicles_and_goals(task: str) -> None:
    agents = TASKS[task].agents
    envs = PyrflyVectorEnv(agents, task, render_mode="rgb_array")
    envs.reset(seed=1)
    (first,) = envs.render()  # type: ignore[misc]
    for _ in range(30):
        envs.step(np.full(envs.action_space.shape, 0.1, np.float32))
    shot = envs._pictures[0].shoot()
    (last,) = envs.render()  # type: ignore[misc]
    assert {*range(1, agents + 1)} <= {*shot.ids.ravel().tolist()}
    x, y, _ = shot.view.project(envs.sim.task_goal[:agents], (400, 400)).T
    assert ((x > 0) & (x < 400) & (y > 0) & (y < 400)).all()
    for picture in (first, last):
        assert picture.dtype == np.uint8
        assert picture.shape == (400, 400, 3)
        assert coloured(picture) > 15
    assert (first != last).any()
    envs.close()


@pytest.mark.slow
def test_gates_and_headings_of_goals_are_drawn() -> None:
    dark = {}
    for task in ("hover", "reach", "race"):
        env = PyrflyEnv(task, render_mode="rgb_array")
        env.reset(seed=1)
        picture: Any = env._envs._pictures[0].shoot().colours
        away = env._envs._pictures[0].shoot().ids == -1
        near = np.abs(picture.astype(int) - (93, 101, 98)).max(axis=2) < 15
        dark[task] = np.count_nonzero(near & away)
    assert dark["hover"] < 10
    assert dark["reach"] > 20
    assert dark["race"] > 200


def test_an_episode_begins_with_a_trail_of_its_own() -> None:
    env = PyrflyEnv(render_mode="rgb_array")
    drawn: list[Any] = []
    for _ in range(2):
        env.reset(seed=1)
        drawn.append(env.render())
        for _ in range(5):
            env.step(np.full(4, 0.9, np.float32))
            drawn.append(env.render())
    assert (drawn[0] == drawn[6]).all()
    assert (drawn[5] != drawn[0]).any()
    env.close()


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
