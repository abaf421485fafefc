"""Many runs, described as data: `Campaign`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import inf, prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pyrfly.arrays import true_or_false
from pyrfly.campaign.backends import BACKENDS, Backend
from pyrfly.campaign.choices import AXES, Choice, chosen, described, function_of
from pyrfly.campaign.equipment import equipment_of
from pyrfly.campaign.flights import check_start, fly, judged, prototype, rows_of
from pyrfly.campaign.folder import CampaignFolder, folder_of
from pyrfly.campaign.plan import MAXIMUM_RUNS, Plan, Setting
from pyrfly.campaign.results import Results, read_results
from pyrfly.cases import Case
from pyrfly.errors import brief, import_extra
from pyrfly.log import Log
from pyrfly.mission import BATTERY_ACTIONS, BatteryAction, Mission
from pyrfly.mission.low_battery import checked_battery_actions
from pyrfly.sim import Sim
from pyrfly.sim.arguments import checked_seed, chosen_name, whole_number
from pyrfly.sim.boundary_tables import named_boundaries
from pyrfly.sim.ends import Until, checked_until
from pyrfly.sim.fault_tables import named_faults

__all__ = ["REPLAYED", "Campaign", "Replay"]

REPLAYED = ("pos", "vel", "att", "rate", "pos_sp", "setpoint_mask", "terrain")
"""Columns that a replay records by default: those of `pyrfly.log.plot_flight`."""

FLOWN = ("mission", "policy", "function")
"""What runs can be: one of these."""

_MISSION_SHARD = 8
"""Runs of a shard of missions: their pilots take most of the time, so more at once gain nothing."""
_SHARD = 1024


class Replay(NamedTuple):
    """A run that was flown again.

    Attributes
    ----------
    sim : Sim
        Its vehicle, at the end.
    log : Log
        Its columns over time.
    row : dict
        Its row of the results.
    """

    sim: Sim
    log: Log
    row: dict[str, Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class Campaign:
    """Runs of a mission, a policy or a function over parameters and seeds.

    Run k is sample ``k % samples`` of point ``k // samples`` of the grid of ``sweep``, the last
    entry of which changes first. A sample has the same random numbers at every point, so that
    points differ by what is swept alone. A run has the same values and results whatever else is
    flown with it, where and in which order, on one instruction set.

    Attributes
    ----------
    vehicle : str, path or VehicleParameters
        Parameter set.
    mission : Mission, str or path-like
        What to fly: a mission, from the ground at the origin;
    policy : callable or str
        or an episode of a task, by actions that are ``policy(observations)`` of float32 arrays of
        shapes (n, values) and (n, k); a row of actions depends on that row of observations alone.
        ``policy.reset(n)``, if there is one, begins n episodes. A text ``"module:name"`` is
        imported. In results and descriptions an object has its attribute ``name``, or else a
        digest of what pickle makes of it when the campaign is created;
    function : callable or str
        or what ``function(sim)`` does with vehicles on the ground. It returns measures: a mapping
        of names to arrays of shape (sim.n,) of bool, int, float or text, ``success`` (bool, or 0
        or 1) among them, or else a run without fault is one.
    samples : int
        Samples of each point; a campaign has at most 10 million runs.
    seed : int
        Of all random numbers, 0 to 2^64 - 1.
    randomize : mapping of str to sequence
        Columns that each sample draws: (law, first, second) with the laws of `pyrfly.sim.laws.LAWS`
        as in `pyrfly.rl.PyrflyVectorEnv`, or a law or a number for each component.
    sweep : mapping of str to sequence or array
        Different values of columns, or of ``vehicle``, ``mission``, ``policy``, ``function``,
        ``seed``.
    limits : mapping of str to float
        Largest values of measures of a successful run.
    sensors : str, optional
        A profile of `pyrfly.sim.PROFILES`: simulate all sensors with its noise. Of test cases
        'rflysim' by default.
    estimator : bool, optional
        Whether vehicles fly on what an estimator makes of the sensors instead of on the true state;
        by default those of test cases do.
    battery : float, optional
        Feed vehicles by batteries for so long in hover, or in cruise [min]; without, they have one
        that does not run down.
    battery_actions : mapping of float to {'warn', 'return', 'land'}, optional
        What low batteries do in missions, see `pyrfly.mission.fly_mission`.
    until : {'crashed', 'landed', 'disarmed', 'at_rest'} or sequence of these
        Ends at which the mission of a vehicle fails, see `pyrfly.mission.fly_mission`.
    configure : callable or str, optional
        Called with each `Sim` before its columns are written: turbulence, or other sensors.
    faults : sequence of mapping
        Faults of every run: arguments of `pyrfly.sim.faults.Faults.add` without ``ids``, and a
        ``name``, by default the kind. Numbers may have laws, as in ``randomize``; ``sweep`` has
        arguments by the name of the fault, such as ``"motor.effectiveness"``.
    events : sequence of mapping
        Changes of columns in every run, at times of its flight: arguments of `pyrfly.Sim.at`
        without ``ids``.
    boundaries : sequence of mapping
        Safety boundaries of every run: arguments of `pyrfly.sim.safety.Safety.add` without ``ids``,
        and a ``name``, by default that of the boundary. Limits, centres and radii may have laws,
        and arguments are swept, as those of faults: ``"tilt.maximum"``. The action ``terminate``
        ends the run of the vehicle. Results have ``boundary``, the first that was crossed, or "",
        and ``crossed_at`` [s].
    options : mapping
        Other arguments of `pyrfly.Sim`, or with a policy of `pyrfly.rl.PyrflyVectorEnv`, such as
        ``task`` and ``action``.

    Raises
    ------
    TypeError, ValueError
        The message names the argument. `ParameterError` and `MissionError` are those of files,
        `CampaignError` that of ``limits`` that name no measure of missions or policies.

    Notes
    -----
    Measures of missions: ``reason``, ``time`` [s], ``distance``, ``cross_track_rms``,
    ``cross_track_max``, ``landing_error`` [m], ``breaches`` and ``low_battery``, as in
    `pyrfly.mission.FlightResult`. Measures of policies: ``reason``, a name of
    `pyrfly.rl.EndReason` in lower case; ``reward``, the sum; ``steps``;
    ``distance_rms``, ``distance_max`` from the goal [m]; ``distance_end``, the largest in the last
    2 s of an episode; ``passed``, gates or good touchdowns of tasks that have them, which must be
    at least 1. A success of a mission is completed, that of a policy is not terminated, except by a
    good touchdown.

    Examples
    --------
    >>> from pyrfly.campaign import Campaign
    >>> campaign = Campaign(
    ...     mission="demo.plan",
    ...     samples=100,
    ...     randomize={"mass": ("scale", 0.8, 1.2), "wind": ("normal", 0, 3)},
    ...     sweep={"vehicle": ["x450", "x500"]},
    ...     limits={"cross_track_max": 1.0},
    ... )  # doctest: +SKIP
    >>> campaign.run("results").success_rate  # doctest: +SKIP
    """

    vehicle: Any = "x500"
    mission: Any = None
    policy: Any = None
    function: Any = None
    samples: int = 1
    seed: int = 0
    randomize: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    sweep: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    sensors: str | None = None
    estimator: bool | None = None
    battery: float | None = None
    battery_actions: Mapping[float, BatteryAction] | None = None
    until: Until = ()
    configure: Callable[[Sim], object] | str | None = None
    faults: Sequence[Mapping[str, Any]] = ()
    events: Sequence[Mapping[str, Any]] = ()
    boundaries: Sequence[Mapping[str, Any]] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check everything, with vehicles that are not flown."""
        checked_seed(self.seed)
        whole_number("samples", self.samples, 1, MAXIMUM_RUNS)
        for name in ("randomize", "sweep", "limits", "options"):
            if not isinstance(getattr(self, name), Mapping):
                raise TypeError(f"{name}: expected a mapping, got {brief(getattr(self, name))}")
        plain = {name: _plain(values) for name, values in self.sweep.items()}
        object.__setattr__(self, "sweep", plain)
        limits = {name: _plain(limit) for name, limit in self.limits.items()}
        object.__setattr__(self, "limits", limits)
        for name, values in self.sweep.items():
            if isinstance(values, str) or not isinstance(values, Sequence) or not values:
                raise ValueError(f"sweep: {name}: expected a list of values, got {brief(values)}")
            if name in self.randomize:
                raise ValueError(f"sweep: {name}: expected a column that randomize does not draw")
        runs = prod(map(len, self.sweep.values()), start=self.samples)
        if runs > MAXIMUM_RUNS:
            raise ValueError(f"sweep: expected at most {MAXIMUM_RUNS} runs in all, got {runs}")
        for name, limit in self.limits.items():
            if not _is_limit(limit):
                raise ValueError(f"limits: {name}: expected a number, got {brief(limit)}")
        _check_no_ids(self.events)
        given = [name for name in FLOWN if self._flies(name)]
        if len(given) != 1:
            raise ValueError(
                f"mission, policy, function: expected one of them, got {', '.join(given) or 'none'}"
            )
        if self._flies("policy"):
            for shard in self.plan.shards(np.unique([0, len(self) - 1]), 1):
                check_start(shard)
        self.description  # noqa: B018  (errors of the plan; policies before flights change them)

    @cached_property
    def plan(self) -> Plan:
        """The runs."""
        return Plan(
            axes=self._axes,
            columns={k: values for k, values in self.sweep.items() if k not in self._axes},
            prepared=("vehicle", *self._table_axes),
            swept=list(self.sweep),
            samples=self.samples,
            randomize=self.randomize,
            setting=self._setting,
            prototype=prototype,
        )

    @cached_property
    def _axes(self) -> dict[str, list[Choice]]:
        return {axis: self._choices(axis) for axis in (*AXES, *self._table_axes)}

    @cached_property
    def _table_axes(self) -> tuple[str, ...]:
        """Swept arguments of faults and boundaries."""
        return tuple(name for name in self.sweep if self._is_of_table(name))

    def _is_of_table(self, name: str) -> bool:
        table, point, argument = name.partition(".")
        return bool(point and argument) and any(table in named for named in self._tables.values())

    @cached_property
    def _tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Faults and boundaries by their names."""
        faults, boundaries = named_faults(self.faults), named_boundaries(self.boundaries)
        for name in faults.keys() & boundaries.keys():
            raise ValueError(f"boundaries: name: expected one that no fault has, got {brief(name)}")
        return {"faults": faults, "boundaries": boundaries}

    def _choices(self, axis: str) -> list[Choice]:
        """Return the values of an axis; of what is not given, none."""
        if axis not in self.sweep:
            value = getattr(self, axis)
            return [] if value is None and axis in FLOWN else [chosen(axis, axis, value)]
        choices = [chosen(f"sweep: {axis}", axis, value) for value in self.sweep[axis]]
        names = [choice.name for choice in choices]
        if len(set(names)) < len(names):
            raise ValueError(f"sweep: {axis}: expected different names, got {brief(names)}")
        return choices

    def _setting(self, values: Mapping[str, Any]) -> Setting:
        configure = self.configure
        return Setting(
            vehicle=values["vehicle"],
            mission=values.get("mission"),
            policy=values.get("policy"),
            function=values.get("function"),
            equipment=equipment_of(
                self.sensors,
                self.estimator,
                self.battery,
                of_case=isinstance(values.get("mission"), Case),
            ),
            battery_actions=self._battery_actions,
            until=self._until,
            configure=None if configure is None else function_of("configure", configure),
            faults=self._swept("faults", values),
            events=self.events,
            boundaries=self._swept("boundaries", values),
            options=self.options,
            limits=self.limits,
        )

    @cached_property
    def _battery_actions(self) -> dict[float, BatteryAction]:
        if self.battery_actions is None:
            return dict(BATTERY_ACTIONS)
        self._require_missions("battery_actions")
        return checked_battery_actions(self.battery_actions)

    @property
    def _until(self) -> tuple[str, ...]:
        if self.until:
            self._require_missions("until")
        return checked_until(self.until)

    def _require_missions(self, name: str) -> None:
        """Raise a ValueError for what concerns missions alone, where others are flown."""
        missions = [choice.value for choice in self._axes["mission"]]
        if not missions or not all(isinstance(mission, Mission) for mission in missions):
            raise ValueError(f"{name}: expected none but of missions")

    def _swept(self, kind: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return faults or boundaries with swept arguments."""
        found = {name: {"name": name, **table} for name, table in self._tables[kind].items()}
        for axis in self._table_axes:
            name, _, argument = axis.partition(".")
            if name in found:
                found[name][argument] = values[axis]
        return list(found.values())

    def __len__(self) -> int:
        """Return the number of runs."""
        return self.plan.size

    @cached_property
    def description(self) -> dict[str, Any]:
        """What results say of the campaign, for JSON; those of equal campaigns are equal."""
        own = {row.name: getattr(self, row.name) for row in fields(self)}
        own |= {axis: self._axes[axis] for axis in AXES}
        own["sweep"] = {
            name: own.pop(name) if name in AXES else v for name, v in self.sweep.items()
        }
        return {"runs": len(self), "swept": self.plan.swept_columns, **described(own)}

    def run(
        self,
        folder: str | os.PathLike[str],
        *,
        backend: str = "local",
        shard_size: int | None = None,
        progress: bool = True,
    ) -> Results:
        """Fly all runs that the folder does not have yet.

        Parameters
        ----------
        folder : str or path-like
            Gets a file of each shard that is done, so that a call after an interruption goes on;
            at the end they are one, ``runs.parquet``.
        backend : {'local', 'ray'}
            Fly in this process, or on the cluster of Ray that ``ray.init`` finds or starts, or has
            found before. What has to be imported is importable on all its machines. A shard whose
            worker is lost is flown again, three times at most.
        shard_size : int, optional
            Runs that are flown at a time, as vehicles of one `Sim`; by default 8 of missions, 1024
            of others.
        progress : bool
            Show a progress bar, if the standard error stream is a terminal.

        Returns
        -------
        Results
            Of all runs.

        Raises
        ------
        CampaignError
            The folder is that of another campaign or damaged, what a policy or function returns
            is not what it should, or ``limits`` names no measure of a function.
        TypeError, ValueError
            Another argument is invalid; the message names it.
        MissingExtraError
            The extra ``campaign``, or ``ray``, is not installed.
        """
        shows = true_or_false("progress", progress)
        flies = BACKENDS[chosen_name("backend", backend, BACKENDS)]
        usual = _MISSION_SHARD if self._flies("mission") else _SHARD
        size = usual if shard_size is None else whole_number("shard_size", shard_size, 1, 2**20)
        files = CampaignFolder(folder_of(folder))
        with files.held(self.description):
            self._fly_left(files, flies, size, shows)
        return read_results(folder)

    def _fly_left(self, files: CampaignFolder, flies: Backend, size: int, progress: bool) -> None:
        """Fly the runs that a folder does not have."""
        done = files.done()
        left = np.setdiff1d(np.arange(len(self)), done)
        tqdm = import_extra("tqdm", "campaign", "a campaign").tqdm
        off = None if progress else True  # None: off where there is no terminal
        with tqdm(total=len(self), initial=len(done), unit="run", disable=off) as bar:
            for rows in flies(rows_of, self.plan.shards(left, size)):
                files.add(rows)
                bar.update(len(rows["run"]))
        files.finish()

    def _flies(self, what: str) -> bool:
        return what in self.sweep or getattr(self, what) is not None

    def replay(
        self,
        run: int,
        columns: Sequence[str] = REPLAYED,
        folder: str | os.PathLike[str] | None = None,
    ) -> Replay:
        """Fly a run again, alone, and record it.

        Parameters
        ----------
        run : int
            Its number.
        columns : sequence of str
            What to record, every 20 ms; of a policy at every step.
        folder : str or path-like, optional
            New or empty folder that it is recorded in, as by `pyrfly.log.Recorder`: what ends the
            process costs at most a chunk. By default it is recorded in memory.

        Returns
        -------
        Replay
            With the same row as in the results, on the same instruction set.

        Raises
        ------
        TypeError, ValueError
            There is no such run or column.
        """
        number = whole_number("run", run, 0, len(self) - 1)
        if not _are_names(columns):
            raise TypeError(f"columns: expected names of columns, got {brief(columns)}")
        (shard,) = self.plan.shards(np.array([number]), 1)
        flown = fly(shard, columns, None if folder is None else Path(folder))
        assert flown.recorder is not None
        row = {name: values[0].item() for name, values in judged(shard, flown.measures).items()}
        log = flown.recorder.log()
        log.metadata["run"] = number
        return Replay(flown.sim, log, row)


def _check_no_ids(events: Any) -> None:
    """Raise a ValueError for an event of some vehicles: each run is one."""
    for number, event in enumerate(events if isinstance(events, Sequence) else (), start=1):
        if isinstance(event, Mapping) and "ids" in event:
            raise ValueError(f"events: entry {number}: ids: expected none: it is one of every run")


def _is_limit(value: Any) -> bool:
    """Return whether a value is a number that a float can have, and not NaN."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) <= sys.float_info.max or value in (inf, -inf)


def _are_names(values: Any) -> bool:
    """Return whether values are texts, at least one."""
    sequence = isinstance(values, Sequence) and not isinstance(values, str)
    return sequence and len(values) > 0 and all(isinstance(value, str) for value in values)


def _plain(value: Any) -> Any:
    """Return the Python numbers of an array; another value as it is."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
