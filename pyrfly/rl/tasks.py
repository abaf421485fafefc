"""Tasks of learning environments: what an episode is, what it rewards and when it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import atan2, cos, pi, radians, sin
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.errors import brief, near_names
from pyrfly.sim import Sim
from pyrfly.vehicles.kinds import Kind

__all__ = [
    "SETTINGS",
    "TASKS",
    "Curve",
    "Start",
    "Task",
    "task_of",
    "track_of_gates",
]

MOST_AGENTS, MOST_GATES, MOST_WEIGHTS = 16, 256, 8

HOVER, SURFACE = Kind.HOVERS, Kind.DRIVES | Kind.FLOATS | Kind.DIVES


Vector = tuple[float, float, float]

Gate = tuple[float, float, float, float]
"""Position [m, NED] and heading [rad] of a gate."""


@dataclass(frozen=True)
class Start:
    """Where episodes start: uniformly within these bounds.

    Attributes
    ----------
    pos : tuple of float
        Middle of the positions [m, NED]; before a gate, from its middle [m]: forward, right, down.
    pos_range : tuple of float
        Largest distance from it along each axis [m].
    speed, tilt, yaw, rate : float
        Largest speed [m/s], tilt [rad], magnitude of the heading [rad], angular speed [rad/s].
    hovering : bool
        Vehicles begin in their hover at rest, those that fly by wings alone in their level cruise,
        and the rest is relative to it; else rotors stand still.
    """

    pos: Vector = (0.0, 0.0, -10.0)
    pos_range: Vector = (0.0, 0.0, 0.0)
    speed: float = 0.0
    tilt: float = 0.0
    yaw: float = 0.0
    rate: float = 0.0
    hovering: bool = True


@dataclass(frozen=True)
class Curve:
    """A closed curve of a goal about its middle: a sum of three harmonics (csrc/tasks/curve.h).

    It begins at a random phase.

    Attributes
    ----------
    shape : tuple
        Of north, east and down, of each harmonic: coefficients of its sine and cosine [m].
    range : tuple of float
        Largest random coefficient of the first harmonic along each axis [m], which every episode
        draws anew; of harmonic k over k^2.
    period : tuple of float
        Shortest and longest period [s].
    look_ahead : float
        Time between the later points of the curve that are observed [s].
    """

    shape: tuple[tuple[tuple[float, float], ...], ...] = (((0.0, 0.0),) * 3,) * 3
    range: Vector = (0.0, 0.0, 0.0)
    period: tuple[float, float] = (10.0, 10.0)
    look_ahead: float = 0.2

    @classmethod
    def figure_eight(cls, length: float, width: float, period: float) -> Curve:
        """Return a figure of eight, its length along north [m], with a period [s]."""
        still = (0.0, 0.0)
        north = ((length / 2, 0.0), still, still)
        east = (still, (width / 2, 0.0), still)
        return cls((north, east, (still,) * 3), period=(period, period))


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
    floor : float
        z below which an episode ends [m, NED].
    seconds : float
        Duration of an episode, after which it is truncated [s].
    weights : mapping of str to float
        Weights of the reward, by their names in `weighed`; 0 without.
    curve : Curve
        Along which the goal moves.
    touch : tuple of float
        Of a good touchdown: height above the pad [m], largest distance from its middle [m], largest
        speed relative to it [m/s]; the last two also of a goal that is reached.
    touch_heading : float
        Largest magnitude of the heading error at a goal that is reached [rad]; pi: any heading.
    gates : tuple of (float, float, float, float)
        Position [m, NED] and heading [rad] of each gate of a race.
    gate_radius : float
        Radius of the gates [m]; their frames reach to twice that.
    agents : int
        Vehicles of an environment.
    separation, spread : float
        Distance between vehicles at which their episode ends, of avoidance below which it costs;
        radius of the circle of their places [m].
    configure : callable, optional
        Called with the `pyrfly.Sim` before the first episode.
    randomize : mapping of str to (law, first, second)
        Columns that every start draws anew.
    kinds : Kind
        Kinds of vehicles that can do it; any by default.
    passing : bool
        Whether those that do not stay at a position can do it, too: they pass the goal.
    scaled : bool
        Whether it has the size of all vehicles, not just of those on a surface or below it
        (`pyrfly.rl.scale`).
    control_rate : float
        Steps per second [Hz], unless others are asked for.
    action : str
        Level of the actions, likewise.
    hover_centred : bool
        Whether an action of 0 holds a vehicle, likewise.
    """

    name: str
    start: Start
    goal: Vector = (0.0, 0.0, -10.0)
    goal_range: Vector = (0.0, 0.0, 0.0)
    goal_yaw: float = 0.0
    limit: float = 3.0
    floor: float = 1e9
    seconds: float = 10.0
    weights: Mapping[str, float] = field(default_factory=dict)
    curve: Curve = Curve()
    touch: Vector = (0.0, 1.0, 1.0)
    touch_heading: float = 1.0
    gates: tuple[Gate, ...] = ()
    gate_radius: float = 1.0
    agents: int = 1
    separation: float = 0.0
    spread: float = 0.0
    configure: Callable[[Sim], object] | None = None
    randomize: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    kinds: Kind = HOVER | SURFACE | Kind.WINGED
    passing: bool = False
    scaled: bool = False
    control_rate: float = 100.0
    action: str = "motor"
    hover_centred: bool = False

    @property
    def observed(self) -> tuple[tuple[str, int, str, str, str], ...]:
        """Name, width, unit, frame and description of what it observes."""
        return _core.tasks()[self.name][1]

    @property
    def weighed(self) -> tuple[str, ...]:
        """Names of the weights of its reward, in the order of the column ``task_weight``."""
        return _core.tasks()[self.name][2]

    @property
    def needs_gates(self) -> bool:
        """Whether it is about gates."""
        return _core.tasks()[self.name][3]

    @property
    def passes(self) -> bool:
        """Whether there is something to pass: gates, a pad, or a goal that ends the episode."""
        return _core.tasks()[self.name][4]

    def region(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the middle of all its goals and their largest distances from it along each axis.

        Returns
        -------
        tuple of ndarray, shape (3,)
            Both [m, NED].
        """
        if self.gates:
            gates = np.array(self.gates)[:, :3]
            middle = gates.mean(axis=0)
            return middle, np.abs(gates - middle).max(axis=0)
        curve = self.curve
        sizes = np.linalg.norm(np.array(curve.shape), axis=2).sum(axis=1)
        sizes += np.sqrt(2.0) * np.array(curve.range) * sum(1 / k**2 for k in (1, 2, 3))
        spread = np.array([self.spread, self.spread, 0.0])
        return np.array(self.goal), np.array(self.goal_range) + sizes + spread

    def columns(self, steps: int) -> dict[str, Any]:
        """Return the settings of the part ``task``, with an episode of so many steps."""
        start, curve = self.start, self.curve
        weights = [self.weights.get(name, 0.0) for name in self.weighed]
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
            "task_floor": self.floor,
            "task_weight": [*weights, *[0.0] * (MOST_WEIGHTS - len(weights))],
            "task_curve": np.ravel(curve.shape),
            "task_curve_range": curve.range,
            "task_curve_period": curve.period,
            "task_look_ahead": curve.look_ahead,
            "task_touch_height": self.touch[0],
            "task_touch_distance": self.touch[1],
            "task_touch_speed": self.touch[2],
            "task_touch_heading": self.touch_heading,
            "task_gate_radius": self.gate_radius,
            "task_separation": self.separation,
            "task_spread": self.spread,
            "task_length": steps,
        }


def track_of_gates(points: ArrayLike) -> tuple[Gate, ...]:
    """Return gates at points of a closed track, each with the heading of its neighbours.

    Parameters
    ----------
    points : array_like, shape (k, 3)
        Middles of the gates [m, NED], in the order in which they are flown; three or more.

    Raises
    ------
    ValueError
        There are fewer, or they are not finite.
    """
    middles = np.asarray(points, dtype=float)
    if middles.ndim != 2 or middles.shape[1] != 3 or len(middles) < 3:
        raise ValueError(f"points: expected shape (k, 3), k of at least 3, got {middles.shape}")
    if not np.isfinite(middles).all():
        raise ValueError(f"points: expected finite numbers, got {brief(points)}")
    along = np.roll(middles, -1, axis=0) - np.roll(middles, 1, axis=0)
    return tuple(
        (float(x), float(y), float(z), atan2(east, north))
        for (x, y, z), (east, north) in zip(middles, along[:, 1::-1], strict=True)
    )


def _oval(length: float, width: float, heights: Sequence[float]) -> tuple[Gate, ...]:
    """Return gates on an ellipse, seen from above, of these heights [m]."""
    turns = [2 * pi * k / len(heights) for k in range(len(heights))]
    return track_of_gates(
        [
            (length * cos(turn), width * sin(turn), -height)
            for turn, height in zip(turns, heights, strict=True)
        ]
    )


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

_RACE_WEIGHTS = {
    "gate": 5.0,
    "progress": 3.0,
    "rate": 0.01,
    "action": 0.0,
    "action_change": 0.02,
    "end": 10.0,
}
_LANDING_WEIGHTS = {
    "progress": 1.0,
    "time": 0.01,
    "rate": 0.01,
    "action_change": 0.02,
    "touchdown": 20.0,
    "end": 10.0,
}
"""Estimated, likewise; csrc/tasks/race.h and landing.h say what they weigh."""


_FLYING = Start(
    (-4.0, 0.0, 0.0), (2.0, 2.0, 0.7), speed=4.0, tilt=radians(30), yaw=radians(60), rate=1.0
)
"""Before a gate, in flight and off course: what a policy meets between gates, which it would else
find only after it has passed one."""


_AVOID_WEIGHTS = {
    "progress": 1.0,
    "distance": 0.0,
    "close": 0.2,
    "action_change": 0.01,
    "end": 4.0,
}
"""Estimated, likewise, for ten steps a second; csrc/tasks/avoid.h says what they weigh.
An end costs less than the way to the goal is worth."""

_REACH_WEIGHTS = {
    "progress": 1.0,
    "turn": 0.5,
    "time": 0.5,
    "rate": 0.0,
    "action_change": 0.02,
    "reached": 10.0,
    "end": 10.0,
}
"""Estimated, likewise; csrc/tasks/reach.h says what they weigh. All the time of an episode costs as
much as the goal is worth: who waits near it learns that it has not arrived."""


def _gusty(sim: Sim) -> None:
    sim.environment.set_turbulence("moderate")


def _colliding(sim: Sim) -> None:
    sim.collisions.enable()


_TRACK = Task(
    "track",
    replace(_RANDOM, pos_range=(0.5, 0.5, 0.5)),
    seconds=15.0,
    weights=_WEIGHTS,
    curve=Curve(range=(1.5, 1.5, 0.5), period=(8.0, 12.0)),
    passing=True,
)

TASKS = {
    "hover": Task("hover", _RANDOM, weights=_WEIGHTS, kinds=HOVER | SURFACE),
    "wind": Task(
        "hover",
        _RANDOM,
        weights=_WEIGHTS,
        configure=_gusty,
        randomize={"wind": ("normal", 0.0, 3.0)},
        kinds=HOVER,
    ),
    "position": Task(
        "position",
        _RANDOM,
        goal_range=(2.0, 2.0, 1.0),
        goal_yaw=pi,
        limit=8.0,
        weights={**_WEIGHTS, "distance": 0.4},
        passing=True,
    ),
    "track": _TRACK,
    "figure8": replace(
        _TRACK, curve=Curve.figure_eight(4.0, 2.0, 8.0), kinds=HOVER | SURFACE, passing=False
    ),
    "race": Task(
        "race",
        _FLYING,
        goal=(0.0, 0.0, -3.0),
        limit=15.0,
        floor=-0.3,
        seconds=20.0,
        weights=_RACE_WEIGHTS,
        gates=_oval(8.0, 5.0, (2.0, 3.0, 2.5, 3.5, 2.5, 3.0)),
        gate_radius=1.5,
        kinds=HOVER,
        control_rate=50.0,
        action="rate",
        hover_centred=True,
    ),
    "landing": Task(
        "landing",
        Start((0.0, 0.0, -3.0), (1.5, 1.5, 1.0), speed=1.0, tilt=radians(15), yaw=pi, rate=0.5),
        goal=(0.0, 0.0, 0.0),
        limit=8.0,
        seconds=15.0,
        weights=_LANDING_WEIGHTS,
        curve=Curve(range=(1.0, 1.0, 0.0), period=(10.0, 20.0)),
        touch=(0.05, 0.3, 0.5),
        kinds=HOVER,
    ),
    "recover": Task(
        "hover",
        Start((0, 0, -20), (1.0, 1.0, 1.0), speed=5.0, tilt=pi, yaw=pi, rate=5.0, hovering=False),
        goal=(0.0, 0.0, -20.0),
        limit=15.0,
        weights={**_WEIGHTS, "distance": 0.1},
        kinds=HOVER,
    ),
    "formation": Task(
        "formation",
        Start(pos_range=(0.2, 0.2, 0.2), yaw=pi),
        goal_range=(1.0, 1.0, 0.5),
        limit=10.0,
        weights={**_WEIGHTS, "distance": 0.3},
        agents=4,
        separation=0.5,
        spread=2.0,
        kinds=HOVER,
    ),
    "avoid": Task(
        "avoid",
        Start(pos_range=(0.3, 0.3, 0.1)),
        limit=20.0,
        seconds=10.0,
        weights=_AVOID_WEIGHTS,
        agents=6,
        separation=1.5,
        spread=4.0,
        configure=_colliding,
        kinds=HOVER,
        control_rate=50.0,
        action="velocity",
    ),
    "reach": Task(
        "reach",
        Start(yaw=pi),
        goal_range=(4.0, 4.0, 2.0),
        goal_yaw=pi,
        limit=12.0,
        seconds=20.0,
        weights=_REACH_WEIGHTS,
        touch=(0.0, 0.25, 0.3),
        touch_heading=radians(15),
        kinds=HOVER | SURFACE,
        passing=True,
        scaled=True,
        action="velocity",
    ),
}
"""Tasks by name."""

assert all(set(task.weights) == set(task.weighed) for task in TASKS.values())


def task_of(task: str | Task) -> Task:
    """Return the task of a name; raise a ValueError if there is none."""
    if isinstance(task, Task):
        return task
    if not isinstance(task, str) or task not in TASKS:
        near = near_names(task, TASKS) if isinstance(task, str) else ", ".join(TASKS)
        raise ValueError(f"task: expected a Task or a name, such as {near}, got {brief(task)}")
    return TASKS[task]


SETTINGS = frozenset(Task.__dataclass_fields__) - {
    "name", "start", "weights", "kinds", "passing", "scaled",
    "control_rate", "action", "hover_centred",
}  # fmt: skip
"""Attributes of a task that may have other values."""
