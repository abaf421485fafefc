"""Tasks of learning environments: what an episode is, what it rewards and when it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import pi, radians
from typing import Any

from pyrfly import _core
from pyrfly.errors import near_names, shown

__all__ = ["TASKS", "Start", "Task", "task_of"]


@dataclass(frozen=True)
class Start:
    """Where episodes start: uniformly within these bounds.

    Attributes
    ----------
    pos : tuple of float
        Middle of the positions [m, NED].
    pos_range : tuple of float
        Largest distance from it along each axis [m].
    speed, tilt, yaw, rate : float
        Largest speed [m/s], tilt [rad], magnitude of the heading [rad], angular speed [rad/s].
    hovering : bool
        Rotors begin with the speeds of a hover at rest; else they stand still.
    """

    pos: tuple[float, float, float] = (0.0, 0.0, -10.0)
    pos_range: tuple[float, float, float] = (0.0, 0.0, 0.0)
    speed: float = 0.0
    tilt: float = 0.0
    yaw: float = 0.0
    rate: float = 0.0
    hovering: bool = True


@dataclass(frozen=True)
class Task:
    """A task: an entry of `TASKS`, or one with other numbers by `dataclasses.replace`.

    Attributes
    ----------
    name : str
        Name of the task in the core, which computes observation, reward and end:
        ``csrc/tasks/<name>.h``.
    start : Start
        Where episodes start.
    goal : tuple of float
        Middle of the goals [m, NED].
    goal_range : tuple of float
        Largest distance of a goal from it along each axis [m].
    goal_yaw : float
        Largest magnitude of the heading of a goal [rad].
    limit : float
        Distance from the goal [m] at which an episode ends.
    seconds : float
        Duration of an episode, after which it is truncated [s].
    weights : mapping of str to float
        Weights of the reward, by their names, in the order of the core.
    """

    name: str
    start: Start
    goal: tuple[float, float, float] = (0.0, 0.0, -10.0)
    goal_range: tuple[float, float, float] = (0.0, 0.0, 0.0)
    goal_yaw: float = 0.0
    limit: float = 3.0
    seconds: float = 10.0
    weights: Mapping[str, float] = field(default_factory=dict)

    def columns(self, steps: int) -> dict[str, Any]:
        """Return the settings of the part ``task``, with an episode of so many steps."""
        start = self.start
        return {
            "task_start": start.pos,
            "task_start_range": start.pos_range,
            "task_start_speed": start.speed,
            "task_start_tilt": start.tilt,
            "task_start_yaw": start.yaw,
            "task_start_rate": start.rate,
            "task_goal_middle": self.goal,
            "task_goal_range": self.goal_range,
            "task_goal_yaw_range": self.goal_yaw,
            "task_limit": self.limit,
            "task_weight": [*self.weights.values(), *[0.0] * (8 - len(self.weights))],
            "task_length": steps,
        }


_WEIGHTS = {
    "alive": 2.0,
    "distance": 1.0,
    "attitude": 0.5,
    "speed": 0.1,
    "rate": 0.05,
    "action": 0.02,
    "action_change": 0.02,
    "end": 20.0,
}
"""Estimated: the terms of Learning to Fly in Seconds [@eschmann], a constant less costs, so
weighted that staying is worth more than an early end everywhere within the limit."""

_RANDOM = Start(pos_range=(1.0, 1.0, 1.0), speed=1.0, tilt=radians(30), yaw=pi, rate=1.0)

TASKS = {
    "hover": Task("hover", _RANDOM, weights=_WEIGHTS),
    "position": Task(
        "position",
        _RANDOM,
        goal_range=(2.0, 2.0, 1.0),
        goal_yaw=pi,
        limit=8.0,
        weights={**_WEIGHTS, "distance": 0.4},
    ),
    "recover": Task(
        "hover",
        Start((0, 0, -20), (1.0, 1.0, 1.0), speed=5.0, tilt=pi, yaw=pi, rate=5.0, hovering=False),
        goal=(0.0, 0.0, -20.0),
        limit=15.0,
        weights={**_WEIGHTS, "distance": 0.1},
    ),
}
"""Tasks by name."""

assert {task.name for task in TASKS.values()} <= _core.tasks().keys()


def task_of(task: str | Task) -> Task:
    """Return the task of a name; raise a ValueError if there is none."""
    if isinstance(task, Task):
        return task
    if not isinstance(task, str) or task not in TASKS:
        near = near_names(task, TASKS) if isinstance(task, str) else ", ".join(TASKS)
        raise ValueError(f"task: expected a Task or a name, such as {near}, got {shown(task)}")
    return TASKS[task]
