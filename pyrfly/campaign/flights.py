"""Flights of the vehicles of a shard, and their measures: `fly`."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.campaign.equipment import equip
from pyrfly.campaign.plan import Setting, Shard
from pyrfly.cases import MEASURES, Case, CaseResult, fly_cases, notes_of_cases
from pyrfly.errors import CampaignError, ParameterWarning, ShapeError, brief, near_names
from pyrfly.log import Recorder
from pyrfly.log.flight_notes import notes_of_flights
from pyrfly.mission import FlightResult, fly_missions
from pyrfly.protocol.bits import EndReason
from pyrfly.sim import Sim
from pyrfly.sim.arguments import seed_words
from pyrfly.sim.boundary_tables import enter_boundaries_of_runs, first_crossings
from pyrfly.sim.events import enter_events
from pyrfly.sim.fault_tables import enter_faults
from pyrfly.sim.table_laws import TableLaws, merged

__all__ = ["Flown", "check_start", "fly", "judged", "prototype", "rows_of"]

Measures = dict[str, NDArray[Any]]

END_SECONDS = 2.0
"""Duration before the end of an episode in which ``distance_end`` is measured [s]."""

SAMPLE_PERIOD = 0.02
"""Time between samples of the log of a function [s]."""


class Flown(NamedTuple):
    """A shard that was flown.

    Attributes
    ----------
    sim : Sim
        Its vehicles, at the end.
    measures : dict of str to ndarray, shape (n,)
        What was measured; ``success`` among them.
    recorder : Recorder or None
        The recorder, if columns were recorded.
    """

    sim: Sim
    measures: Measures
    recorder: Recorder | None


def fly(shard: Shard, recorded: Sequence[str] = (), folder: Path | None = None) -> Flown:
    """Fly a shard; record columns, if some are given, in memory or a folder."""
    flown = _flown(shard, recorded, folder)
    if not shard.setting.boundaries:
        return flown
    crossed, times = first_crossings(flown.sim)
    return flown._replace(measures={**flown.measures, "boundary": crossed, "crossed_at": times})


def _flown(shard: Shard, recorded: Sequence[str], folder: Path | None) -> Flown:
    if shard.setting.policy is not None:
        return _fly_policy(shard, recorded, folder)
    sim, _ = _prepared(shard.setting, shard.seeds, shard.columns)
    recorder = Recorder(sim, recorded, folder=folder, faults=True) if recorded else None
    if isinstance(shard.setting.mission, Case):
        flown = fly_cases(
            sim, dict.fromkeys(range(1, sim.n + 1), shard.setting.mission), recorder=recorder
        )
        if recorder is not None:
            recorder.notes |= notes_of_cases(flown)
        return Flown(sim, _of_cases(list(flown.values())), recorder)
    if shard.setting.mission is not None:
        missions = dict.fromkeys(range(1, sim.n + 1), shard.setting.mission)
        results = fly_missions(
            sim,
            missions,
            recorder=recorder,
            battery_actions=shard.setting.battery_actions,
            until=shard.setting.until,
        )
        if recorder is not None:
            recorder.notes |= notes_of_flights(results, begin=0.0)
        return Flown(sim, _of_flights(list(results.values())), recorder)
    if recorder is not None:
        sim.add_listener(recorder.sample, SAMPLE_PERIOD)
    return Flown(sim, _of_function(sim, shard.setting.function(sim)), recorder)


def rows_of(shard: Shard) -> dict[str, NDArray[Any]]:
    """Fly a shard; return its rows of the results; see `judged`."""
    return judged(shard, fly(shard).measures)


def judged(shard: Shard, measures: Measures) -> dict[str, NDArray[Any]]:
    """Return the rows of the results of a shard, shape (n,).

    A run is a success if its flight was and no measure is above its limit.

    Raises
    ------
    CampaignError
        There is no measure with the name of a limit, or it is no number; or a measure has the name
        of a column of the results.
    """
    for name in measures:
        if not isinstance(name, str) or name in shard.rows:
            raise CampaignError(
                f"function: expected measures with names other than {', '.join(shard.rows)}, "
                f"got {brief(name)}"
            )
    success = measures["success"].copy()
    _check_limits(shard.setting, [k for k, v in measures.items() if v.dtype.kind in "iuf"])
    for name, limit in shard.setting.limits.items():
        success &= measures[name] <= limit  # not where it is NaN
    return {**shard.rows, **measures, "success": success}


def _check_limits(setting: Setting, numbers: Sequence[str]) -> None:
    for name in setting.limits:
        if name not in numbers:
            raise CampaignError(
                f"limits: expected measures, of {', '.join(numbers) or 'none'}, got {brief(name)}"
            )


def prototype(setting: Setting) -> tuple[Sim, TableLaws]:
    """Return a `Sim` of one vehicle as a shard has them, to check options, columns and limits.

    And the laws of its faults and boundaries.
    """
    if setting.policy is None:
        _check_options(setting, Sim, {"vehicles", "n"})
        if setting.mission is not None:
            of_case = isinstance(setting.mission, Case)
            _check_limits(setting, _CASE_NUMBERS if of_case else _MISSION_MEASURES)
        return _prepared(setting, [0], {})
    from pyrfly.rl import PyrflyVectorEnv

    own = {"num_envs", "vehicle", "configure", "faults", "randomize", "autoreset_mode"}
    _check_options(setting, PyrflyVectorEnv, own)
    _check_agents(setting.options)
    laws: list[TableLaws] = []
    envs = _environments(setting, 1, {}, laws.append)
    _check_limits(setting, list(_Episodes(envs.sim, envs.task.passes).numbers()))
    return envs.sim, laws[0]


def _check_options(setting: Setting, target: type, own: set[str]) -> None:
    """Raise a ValueError for an option that is no argument of a class, or one of the campaign."""
    known = [name for name in inspect.signature(target).parameters if name not in own]
    for name in setting.options:
        if name not in known:
            near = near_names(str(name), known)
            raise ValueError(
                f"options: expected arguments of {target.__name__}, such as {near}, "
                f"got {brief(name)}"
            )


def _check_agents(options: Mapping[str, Any]) -> None:
    """Raise a ValueError for a task of several agents."""
    from pyrfly.rl.arguments import agents_of

    agents = agents_of(options.get("task", "hover"), options.get("settings"))
    if agents > 1:
        raise ValueError(f"options: task: expected one of one agent, got one of {agents} agents")


def _prepared(
    setting: Setting, seeds: Sequence[int], columns: Mapping[str, NDArray[Any]]
) -> tuple[Sim, TableLaws]:
    sim = Sim(setting.vehicle, len(seeds), **setting.options)
    laws = _prepare(sim, setting, columns)
    sim.random_seed[:] = [seed_words(seed) for seed in seeds]
    sim.random_vehicle[:] = 0
    # after the seeds, of the gusts at first, and columns such as the terrain, on which they stand
    sim.reset()
    _write(sim, columns)  # also those that a reset sets, such as the charge of a battery
    return sim, laws


def _prepare(sim: Sim, setting: Setting, columns: Mapping[str, NDArray[Any]]) -> TableLaws:
    """Return the laws of faults and boundaries, whose values are among the columns."""
    equip(sim, setting.equipment)
    if setting.configure is not None:
        setting.configure(sim)
    of_faults = enter_faults(sim, setting.faults)
    of_boundaries = enter_boundaries_of_runs(sim, setting.boundaries)
    _write(sim, columns)
    enter_events(sim.at, sim.n, setting.events)
    return merged(of_faults, of_boundaries)


def _write(sim: Sim, columns: Mapping[str, NDArray[Any]]) -> None:
    """Write columns; what seems to be of another unit was told when they were planned."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ParameterWarning)
        for column, values in columns.items():
            sim.select().write(column, values[:, 0] if values.shape[1] == 1 else values)


# --- missions ---


_MISSION_NUMBERS = ("time", "distance", "cross_track_rms", "cross_track_max", "landing_error")
_MISSION_COUNTS = ("breaches", "low_battery")
"""Fields of a `FlightResult` that are measures as they are, and those of which the number is."""

_MISSION_MEASURES = (*_MISSION_NUMBERS, *_MISSION_COUNTS)
_CASE_NUMBERS = ("time", "injected", *MEASURES)
"""Measures of cases that are numbers."""


def _of_cases(results: Sequence[CaseResult]) -> Measures:
    numbers = {name: [result.measures[name] for result in results] for name in MEASURES}
    return {
        "success": np.array([result.passed for result in results]),
        "reason": np.array([result.reason for result in results]),
        "motion": np.array([result.motion for result in results]),
        "time": np.array([result.time for result in results]),
        "injected": np.array([result.injected for result in results]),
        **{name: np.array(values) for name, values in numbers.items()},
    }


def _of_flights(results: Sequence[FlightResult]) -> Measures:
    def number(name: str) -> NDArray[np.float64]:
        values = [getattr(result, name) for result in results]
        return np.array([math.nan if value is None else value for value in values])

    return {
        "success": np.array([result.completed for result in results]),
        "reason": np.array([result.reason for result in results]),
        **{name: number(name) for name in _MISSION_NUMBERS},
        **{k: np.array([len(getattr(result, k)) for result in results]) for k in _MISSION_COUNTS},
    }


# --- functions ---


def _of_function(sim: Sim, found: Any) -> Measures:
    """Return the measures of a function; without ``success`` that there is no fault."""
    if not isinstance(found, Mapping):
        raise CampaignError(f"function: expected a mapping of measures, got {brief(found)}")
    measures: Measures = {"success": sim.status == 0}
    for name, values in found.items():
        measures[name] = _measure(name, values, sim.n)
    success = measures["success"]
    if success.dtype.kind == "U" or not np.isin(success, (0, 1)).all():
        raise CampaignError(f"function: success: expected bool, or 0 or 1, got {brief(success)}")
    measures["success"] = success.astype(np.bool_)
    return measures


def _measure(name: Any, values: Any, n: int) -> NDArray[Any]:
    """Return values of a measure of n runs as an array that a Parquet file can have."""
    try:
        array = np.array(values)
    except ValueError:  # of rows of different lengths
        raise ShapeError(f"function: {name}: expected shape ({n},), got {brief(values)}") from None
    if array.shape != (n,):
        raise ShapeError(f"function: {name}: expected shape ({n},), got {array.shape}")
    kind = array.dtype.kind
    if kind in "biuU":
        return array
    if kind == "f":
        return array if array.dtype in (np.float32, np.float64) else array.astype(np.float64)
    if not all(isinstance(value, str) for value in array.tolist()):
        raise CampaignError(
            f"function: {name}: expected bool, int, float or text, got {brief(values)}"
        )
    return array.astype(np.str_)


# --- policies ---


def _environments(
    setting: Setting,
    n: int,
    columns: Mapping[str, NDArray[Any]],
    with_laws: Callable[[TableLaws], object] = lambda _: None,
) -> Any:
    from pyrfly.rl import PyrflyVectorEnv

    return PyrflyVectorEnv(
        n,
        vehicle=setting.vehicle,
        configure=lambda sim: with_laws(_prepare(sim, setting, columns)),
        autoreset_mode="Disabled",
        **setting.options,
    )


def _fly_policy(shard: Shard, recorded: Sequence[str], folder: Path | None) -> Flown:
    """Fly an episode of each run with actions of a policy."""
    setting, n = shard.setting, len(shard.seeds)
    envs = _environments(setting, n, shard.columns)
    sim: Sim = envs.sim
    observations, _ = envs.reset(seed=shard.seeds)
    _require_kept(sim, shard.columns)
    _write(sim, shard.columns)  # those that a start sets, such as the charge of a battery
    recorder = Recorder(sim, recorded, folder=folder, faults=True) if recorded else None
    if callable(begin := getattr(setting.policy, "reset", None)):
        begin(n)
    episodes = _Episodes(sim, envs.task.passes)
    while episodes.active.any():
        if recorder is not None:
            recorder.sample()
        actions = setting.policy(observations)
        try:
            observations, rewards, _, _, infos = envs.step(actions)
        except (TypeError, ValueError) as error:
            raise CampaignError(f"policy: {error}") from None
        episodes.update(rewards, infos)
    if recorder is not None:
        recorder.sample()
    return Flown(sim, episodes.measures(), recorder)


def check_start(shard: Shard) -> None:
    """Raise a CampaignError for a column of the task that a start of a policy sets."""
    if any(column.startswith("task_") for column in shard.columns):
        envs = _environments(shard.setting, len(shard.seeds), shard.columns)
        envs.reset(seed=shard.seeds)
        _require_kept(envs.sim, shard.columns)


def _require_kept(sim: Sim, columns: Mapping[str, NDArray[Any]]) -> None:
    """Raise a CampaignError for a column of the task that its start has set: it was observed."""
    for column, values in columns.items():
        kept = sim.select().read(column).reshape(values.shape) == values.astype(sim.pos.dtype)
        if column.startswith("task_") and not kept.all():
            raise CampaignError(
                f"{column}: expected a column that a start of the task does not set"
            )


class _Episodes:
    """Measures of one episode of each vehicle; ``passes``: of a task with gates or a touchdown."""

    def __init__(self, sim: Sim, passes: bool) -> None:
        n = sim.n
        self._sim = sim
        self._passes = passes
        self._passed = np.zeros(n, dtype=np.int64)
        self._begin = sim.time
        self._length = int(sim.task_length[0])
        self._taken = 0
        self.active = np.ones(n, dtype=np.bool_)
        self._steps = np.zeros(n, dtype=np.int64)
        self._reward, self._squares = np.zeros(n), np.zeros(n)
        self._largest = np.zeros(n)
        self._at_end = np.full(n, math.nan)
        self._ends = np.full(n, EndReason.NONE)

    def update(self, rewards: NDArray[Any], infos: Mapping[str, NDArray[Any]]) -> None:
        """Count a step of those whose episode is not over."""
        active, sim = self.active, self._sim
        away = sim.pos.astype(np.float64) - sim.task_goal
        distance = np.sqrt(np.square(away[:, 0]) + np.square(away[:, 1]) + np.square(away[:, 2]))
        self._taken += 1
        self._steps[active] += 1
        self._reward[active] += rewards[active]
        self._squares[active] += np.square(distance[active])
        self._largest[active] = np.fmax(self._largest, distance)[active]
        step = (sim.time - self._begin) / self._taken
        if self._taken > self._length - round(END_SECONDS / step):
            self._at_end[active] = np.fmax(self._at_end, distance)[active]
        self._passed[active] = sim.task_passed[active]
        self._ends[active] = infos.get("end_reason", self._ends)[active]
        self.active = self._ends == EndReason.NONE

    def measures(self) -> Measures:
        """Return the measures."""
        lasted = np.isin(self._ends, (EndReason.TIME_LIMIT, EndReason.TOUCHDOWN))
        return {
            "success": lasted & (self._passed > 0 if self._passes else True),
            "reason": np.array([EndReason(end).name.lower() for end in self._ends]),
            **self.numbers(),
        }

    def numbers(self) -> Measures:
        """Return those that are numbers; of a terminated episode there is no ``distance_end``."""
        return {
            "reward": self._reward,
            "steps": self._steps,
            "distance_rms": np.sqrt(self._squares / np.maximum(self._steps, 1)),
            "distance_max": self._largest,
            "distance_end": np.where(self._ends == EndReason.TIME_LIMIT, self._at_end, math.nan),
            **({"passed": self._passed} if self._passes else {}),
        }
