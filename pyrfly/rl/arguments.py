"""Arguments of learning environments, checked: numbers, tasks, spaces, loops, masks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import pi, sin
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.errors import ParameterError, brief, near_names
from pyrfly.rl.tasks import MOST_AGENTS, MOST_GATES, SETTINGS, Curve, Start, Task, task_of
from pyrfly.sim import Sim
from pyrfly.sim.arguments import whole_number

__all__ = [
    "agents_of",
    "changed_task",
    "episode_steps",
    "noise_of",
    "observation_bounds",
    "rate_of",
    "refuse_options_of_many",
    "require_callable",
    "require_mapping",
    "reset_mask",
    "sim_of",
    "vehicle_count",
]

Floats = NDArray[np.float32]


LARGEST = 1e9
"""Magnitude of numbers of tasks, starts and weights."""


def require_callable(argument: str, function: Any) -> None:
    """Raise a TypeError for what is neither None nor a callable."""
    if function is not None and not callable(function):
        raise TypeError(f"{argument}: expected a callable, got {brief(function)}")


def require_mapping(argument: str, given: Any) -> None:
    """Raise a TypeError for what maps no names."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{argument}: expected a mapping of names, got {brief(given)}")


def refuse_options_of_many(options: Mapping[str, Any]) -> None:
    """Raise a TypeError for an argument that one environment does not have."""
    for name in ("num_envs", "autoreset_mode", "copy"):
        if name in options:
            raise TypeError(f"{name}: expected none, of one environment; see PyrflyVectorEnv")


def agents_of(task: str | Task, settings: Any) -> int:
    """Return the number of agents of a task with other settings, which need not be checked yet."""
    if isinstance(settings, Mapping) and "agents" in settings:
        return whole_number("settings: agents", settings["agents"], 1, MOST_AGENTS)
    return whole_number("task: agents", task_of(task).agents, 1, MOST_AGENTS)


def vehicle_count(num_envs: int, agents: int) -> int:
    """Return the number of vehicles, a multiple of the agents of a task."""
    count = whole_number("num_envs", num_envs, 1, _core.limits()["vehicles"])
    if count % agents:
        raise ValueError(
            f"num_envs: expected a multiple of the {agents} agents of the task, got {num_envs}"
        )
    return count


def rate_of(task: Task, given: float | None) -> float:
    """Return the steps per second [Hz]: those given, or of the task."""
    if given is None:
        return task.control_rate
    if not (isinstance(given, Real) and 0.1 <= given <= 1e5):
        raise ValueError(f"control_rate: expected 0.1 to 1e5 Hz, got {brief(given)}")
    return given


def episode_steps(task: Task, control_rate: float, given: int | None) -> int:
    """Return the steps after which an episode is truncated: those given, or of the task."""
    if given is None:
        return max(1, round(task.seconds * control_rate))
    return whole_number("max_episode_steps", given, 1, 2**32 - 1)


def observation_bounds(task: Task, observed: int, period: float) -> Floats:
    """Return the largest magnitudes of an observation.

    Distances are those within the limit of the task, a step beyond it, or those of its starts and
    goals; the rest, and a task without a limit, has the envelope of the vehicles.
    """
    largest = _core.limits()
    goals = float(np.linalg.norm(task.region()[1]))
    start = np.linalg.norm(task.start.pos if task.gates else np.subtract(task.start.pos, task.goal))
    start += np.linalg.norm(task.start.pos_range)
    distance = 2 * (max(task.limit, float(start)) + 2 * goals + largest["speed"] * period)
    of_unit = {
        "m": min(distance, 2 * largest["distance"]),
        "m/s": 2 * largest["speed"],
        "rad/s": largest["angular_velocity"],
        "1": 1.01,  # rounding may exceed 1
    }
    bounds = [of_unit[unit] for _, width, unit, _, _ in task.observed for _ in range(width)]
    return np.array([*bounds, *[1.01] * (observed - len(bounds))], np.float32)


def noise_of(task: Task, noise: Mapping[str, float]) -> Floats:
    """Return a standard deviation for each value that a task observes."""
    names = [name for name, *_ in task.observed]
    _require_names("noise", noise, names)
    for name, value in noise.items():
        if not (isinstance(value, Real) and 0 <= value < 1e6):
            raise ValueError(f"noise: {name}: expected a number of at least 0, got {brief(value)}")
    deviations = [noise.get(name, 0.0) for name, width, *_ in task.observed for _ in range(width)]
    return np.array(deviations, dtype=np.float32)


def changed_task(
    task: Task, weights: Mapping[str, float], start: Mapping[str, Any], settings: Mapping[str, Any]
) -> Task:
    """Return a task with other weights, starts and settings, all checked."""
    known_tasks = _core.tasks()
    if task.name not in known_tasks:
        near = near_names(task.name, known_tasks)
        raise ValueError(f"task: expected a name such as {near}, got {brief(task.name)}")
    for name, part, kind in (("start", task.start, Start), ("curve", task.curve, Curve)):
        if not isinstance(part, kind):
            raise TypeError(f"task: {name}: expected a {kind.__name__}, got {brief(part)}")
    for argument, given, known in (
        ("weights", weights, task.weighed),
        ("task: weights", task.weights, task.weighed),
        ("start", start, Start.__dataclass_fields__),
        ("settings", settings, SETTINGS),
    ):
        _require_names(argument, given, known)
    settings = dict(settings)
    if not isinstance(settings.get("curve", task.curve), Curve):
        raise TypeError(f"settings: curve: expected a Curve, got {brief(settings['curve'])}")
    if "gates" in settings:
        settings["gates"] = _gates(settings["gates"])
    changed = replace(
        replace(task, **settings),
        agents=agents_of(task, settings),
        weights={**task.weights, **weights},
        start=replace(task.start, **start),
    )
    _check(changed)
    return changed


def _require_names(argument: str, given: Any, known: Iterable[str]) -> None:
    """Raise an error unless an argument maps known names."""
    require_mapping(argument, given)
    for name in given:
        if name not in known:
            near = near_names(name, known) if isinstance(name, str) else sorted(known)[0]
            raise ValueError(f"{argument}: expected names such as {near}, got {brief(name)}")


def _gates(given: Any) -> tuple[Any, ...]:
    try:
        gates = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        gates = np.zeros(1)
    if gates.size and (gates.ndim != 2 or gates.shape[1] != 4):
        raise ValueError(f"settings: gates: expected numbers of shape (k, 4), got {brief(given)}")
    return tuple(map(tuple, gates.tolist()))


def _check(task: Task) -> None:
    """Raise a ValueError if a task has numbers that make no sense."""
    require_callable("settings: configure", task.configure)
    require_mapping("settings: randomize", task.randomize)
    for name, (values, shape, least) in _numbers(task).items():
        try:
            array = np.asarray(values)
        except ValueError:  # of several lengths
            array = np.asarray("")
        fits = array.shape == shape and array.dtype.kind in "fiu"
        if not (fits and (np.abs(array) <= LARGEST).all() and (array >= least).all()):
            limit = f"up to {LARGEST:g}" if least == -np.inf else f"from {least:g} to {LARGEST:g}"
            raise ValueError(
                f"{name}: expected finite numbers {limit}, shape {shape}, got {brief(values)}"
            )
    if min(task.curve.period) == 0.0:
        raise ValueError("settings: curve.period: expected periods above 0 s, got 0")
    _check_room(task)


def _numbers(task: Task) -> dict[str, tuple[Any, tuple[int, ...], float]]:
    """Return the numbers of a task with their shapes and least values, by argument."""
    start, curve = task.start, task.curve
    weights = {f"weights: {name}": (value, (), -np.inf) for name, value in task.weights.items()}
    return weights | {
        "start: pos": (start.pos, (3,), -np.inf),
        "start: pos_range": (start.pos_range, (3,), 0.0),
        "start: speed": (start.speed, (), 0.0),
        "start: tilt": (start.tilt, (), 0.0),
        "start: yaw": (start.yaw, (), 0.0),
        "start: rate": (start.rate, (), 0.0),
        "settings: goal": (task.goal, (3,), -np.inf),
        "settings: goal_range": (task.goal_range, (3,), 0.0),
        "settings: goal_yaw": (task.goal_yaw, (), 0.0),
        "settings: limit": (task.limit, (), 0.0),
        "settings: floor": (task.floor, (), -np.inf),
        "settings: seconds": (task.seconds, (), 0.0),
        "settings: touch": (task.touch, (3,), 0.0),
        "settings: touch_heading": (task.touch_heading, (), 0.0),
        "settings: gate_radius": (task.gate_radius, (), 0.0),
        "settings: separation": (task.separation, (), 0.0),
        "settings: spread": (task.spread, (), 0.0),
        "settings: gates": (task.gates or np.zeros((0, 4)), (len(task.gates), 4), -np.inf),
        "settings: curve.shape": (curve.shape, (3, 3, 2), -np.inf),
        "settings: curve.range": (curve.range, (3,), 0.0),
        "settings: curve.period": (curve.period, (2,), 0.0),
        "settings: curve.look_ahead": (curve.look_ahead, (), 0.0),
    }


def _check_room(task: Task) -> None:
    """Raise a ValueError if an episode must end at once: agents too near, gates too far."""
    if task.spread > 0.0 and task.agents > 1:
        apart = 2 * task.spread * sin(pi / task.agents)
        room = apart - 2 * float(np.linalg.norm(task.start.pos_range))
        if room < task.separation:
            raise ValueError(
                f"settings: spread: expected more than {task.spread:g} m for {task.agents} agents, "
                f"whose places are {apart:.3g} m apart"
            )
    if not task.needs_gates:
        return
    if not 1 <= len(task.gates) <= MOST_GATES:
        raise ValueError(f"settings: gates: expected 1 to {MOST_GATES}, got {len(task.gates)}")
    middles = np.array(task.gates)[:, :3]
    longest = float(np.linalg.norm(np.roll(middles, -1, axis=0) - middles, axis=1).max())
    if longest + task.gate_radius > task.limit:
        raise ValueError(
            f"settings: limit: expected more than the {longest:.4g} m between gates, "
            f"got {task.limit:g}"
        )


def sim_of(vehicle: Any, n: int, control_rate: float, substeps: int, **options: Any) -> Sim:
    """Return a `Sim` whose loops have the same phase in all steps of environments.

    Control loops run at least as often as they do by default, the environment and the sensors at
    most; where a step of environments is shorter than a period, loops keep their own.
    """
    dt = 1.0 / (control_rate * substeps)
    divisors = [k for k in range(1, substeps + 1) if substeps % k == 0]

    def aligned(rate: float, often: bool) -> float:
        wanted = max(1, round(1.0 / (rate * dt)))
        if wanted > substeps:
            return 1.0 / (wanted * dt)
        within = [k for k in divisors if (k <= wanted if often else k >= wanted)]
        return 1.0 / ((max(within) if often else min(within)) * dt)

    held = aligned(250.0, often=False)
    try:
        return Sim(
            vehicle, n, dt=dt, environment_rate=held, sensor_rate=held,
            control_rates=tuple(aligned(rate, True) for rate in (100.0, 250.0, 500.0)), **options,
        )  # fmt: skip
    except ValueError as error:
        if not str(error).startswith("dt:"):
            raise
        raise ParameterError(
            f"control_rate, substeps: dt is 1 / (rate substeps); {error}"
        ) from None


def reset_mask(options: dict[str, Any] | None, n: int) -> NDArray[np.bool_] | None:
    """Return which environments the options of a reset choose; None for all."""
    if not isinstance(options, (dict, type(None))):
        raise TypeError(f"options: expected a dict, got {brief(options)}")
    unknown = set(options or {}) - {"reset_mask"}
    if unknown:
        raise ValueError(f"options: expected 'reset_mask', got {brief(sorted(unknown)[0])}")
    mask = (options or {}).get("reset_mask")
    if mask is None:
        return None
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(f"options['reset_mask']: expected a bool array, got {brief(mask)}")
    if mask.shape != (n,):
        raise ValueError(f"options['reset_mask']: expected shape ({n},), got {mask.shape}")
    if not mask.any():
        raise ValueError("options['reset_mask']: expected at least one True")
    return np.ascontiguousarray(mask)
