"""The runs of a campaign, and the shards that they are flown in: `Plan`, `Shard`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.campaign.choices import Choice
from pyrfly.campaign.equipment import Equipment
from pyrfly.errors import brief
from pyrfly.log import component_names
from pyrfly.mission import BatteryAction
from pyrfly.sim import Group, Sim
from pyrfly.sim.laws import Table, draws, settable_width
from pyrfly.sim.table_laws import TableLaws, randomized

__all__ = ["MAXIMUM_RUNS", "Plan", "Setting", "Shard"]

MAXIMUM_RUNS = 10_000_000
"""Most runs of a campaign: their results fit into the memory of one machine."""

_MAXIMUM_DRAWN = 100_000_000
"""Most numbers that are drawn before the first flight: 0.8 GB."""

_MAXIMUM_PREPARED = 10_000
"""Most combinations of vehicles and of swept arguments of faults and boundaries, each of which is
checked before the first flight: 1 ms and 75 KB each."""

Floats = NDArray[np.float64]
Runs = NDArray[np.int64]
Place = tuple[int, ...]


@dataclass(frozen=True)
class Setting:
    """What all vehicles of a shard have in common.

    Attributes
    ----------
    vehicle : VehicleParameters
        The parameter set.
    mission, policy, function : Mission or callable, optional
        What is flown: one of them.
    equipment : Equipment
        Sensors, estimator and batteries.
    battery_actions : mapping of float to str
        What low batteries do in missions, as of `pyrfly.mission.fly_mission`.
    until : tuple of str
        Ends at which the mission of a vehicle fails.
    configure : callable, optional
        Called with the `Sim`.
    faults : sequence of mapping
        Those of every vehicle, see `pyrfly.sim.fault_tables`.
    events : sequence of mapping
        Arguments of `pyrfly.Sim.at`.
    boundaries : sequence of mapping
        Those of every vehicle, see `pyrfly.sim.boundary_tables`.
    options : mapping
        Arguments of `pyrfly.Sim`, or of `pyrfly.rl.PyrflyVectorEnv` with a policy.
    limits : mapping of str to float
        Largest values of measures of a success.
    """

    vehicle: Any
    mission: Any
    policy: Any
    function: Any
    equipment: Equipment
    battery_actions: Mapping[float, BatteryAction]
    until: tuple[str, ...]
    configure: Callable[[Sim], object] | None
    faults: Sequence[Mapping[str, Any]]
    events: Sequence[Mapping[str, Any]]
    boundaries: Sequence[Mapping[str, Any]]
    options: Mapping[str, Any]
    limits: Mapping[str, float]


@dataclass(frozen=True)
class Shard:
    """Runs that are flown together, a vehicle each.

    Attributes
    ----------
    setting : Setting
        What they have in common.
    seeds : list of int
        Seed of turbulence and sensors of each run, 0 to 2^64 - 1.
    columns : dict of str to ndarray, shape (n, width)
        Values of columns.
    rows : dict of str to ndarray, shape (n,)
        What the results say of each run besides its measures: ``run``, ``sample``, ``seed``, and
        what is swept and drawn.
    """

    setting: Setting
    seeds: list[int]
    columns: dict[str, Floats]
    rows: dict[str, NDArray[Any]]


class Plan:
    """All runs of a campaign: every point of the grid of its axes, with all samples.

    Run k is sample ``k % samples`` of point ``k // samples``; the last axis changes first. A sample
    has the same random numbers at every point.

    Parameters
    ----------
    axes : mapping of str to sequence of Choice
        Values of everything that can be swept besides columns; of what is not, one or none.
    columns : mapping of str to sequence
        Values of swept columns.
    swept : sequence of str
        The axes and columns that are swept, in their order.
    samples : int
        Samples of each point.
    randomize : mapping of str to sequence
        Columns that every sample draws.
    setting : Callable
        Returns the `Setting` of choices by axis.
    prototype : Callable
        Returns a `Sim` of one vehicle of a setting, and the laws of its faults and boundaries.
    prepared : sequence of str
        Axes with values of which a `Sim` differs before a flight.
    """

    def __init__(
        self,
        axes: Mapping[str, Sequence[Choice]],
        columns: Mapping[str, Sequence[Any]],
        swept: Sequence[str],
        samples: int,
        randomize: Table,
        setting: Callable[[Mapping[str, Any]], Setting],
        prototype: Callable[[Setting], tuple[Sim, TableLaws]],
        prepared: Sequence[str] = ("vehicle",),
    ) -> None:
        self.samples = samples
        self._swept = swept
        self._axes = {name: axes[name] for name in axes if axes[name]}
        order = [*(name for name in self._axes if name not in swept), *swept]
        self._shape = tuple(len({**columns, **self._axes}[name]) for name in order)
        self._order = order
        self._setting = setting
        self.size = int(np.prod([samples, *self._shape], dtype=object))
        self._prepared = prepared
        shape = [len(self._axes[name]) for name in prepared]
        _check_prepared(shape)
        self._sims, self._laws = {}, {}
        for place in np.ndindex(*shape):
            self._sims[place], self._laws[place] = self._prototype(place, prototype)
        self._columns = {place: _swept_columns(sim, columns) for place, sim in self._sims.items()}
        tables = {place: randomized(randomize, self._laws[place]) for place in self._sims}
        _check_drawn(self._sims, tables, samples, len(axes["seed"]))
        self._draws = {
            (place, choice.value): draws(self._sims[place], table, choice.value, samples)
            for place, table in tables.items()
            for choice in axes["seed"]
        }
        self._check_draws()

    def _prototype(
        self, place: Place, prototype: Callable[[Setting], tuple[Sim, TableLaws]]
    ) -> tuple[Sim, TableLaws]:
        first = {name: choices[0].value for name, choices in self._axes.items()}
        for name, k in zip(self._prepared, place, strict=True):
            first[name] = self._axes[name][k].value
        return prototype(self._setting(first))

    def _check_draws(self) -> None:
        """Raise a ValueError that names the first sample with a value that its column takes not."""
        for (place, _), drawn in self._draws.items():
            group = self._sims[place].groups[0]
            for column, values in drawn.items():
                with suppress(ValueError):
                    group.check_values(column, values)
                    continue
                for sample, value in enumerate(values):
                    _check_sample(group, column, sample, value)

    def shards(self, runs: Runs, size: int) -> Iterator[Shard]:
        """Yield shards of at most ``size`` of some runs, one setting after the other."""
        indices = self._indices(runs)
        common = [indices[name] for name in self._axes if name != "seed"]
        shape = tuple(len(choices) for name, choices in self._axes.items() if name != "seed")
        settings = np.ravel_multi_index(common, shape)
        for setting in np.unique(settings):
            own = runs[settings == setting]
            for first in range(0, len(own), size):
                yield self._shard(own[first : first + size])

    @property
    def swept_columns(self) -> list[str]:
        """Names of what is swept, in the rows of the results."""
        first = next(iter(self._sims))
        names = (
            [_row_name(n)] if n in self._axes else self._components(first, n) for n in self._swept
        )
        return [name for group in names for name in group]

    def _components(self, place: Place, column: str) -> tuple[str, ...]:
        fields = {field.name: field for field in self._sims[place].fields()}
        return component_names(fields[column])

    def _place(self, indices: Mapping[str, NDArray[np.intp]]) -> Place:
        """Return the `Sim` of runs with one setting."""
        return tuple(int(indices[name][0]) for name in self._prepared)

    def _indices(self, runs: Runs) -> dict[str, NDArray[np.intp]]:
        """Return the index of each run on each axis."""
        places = np.unravel_index(runs // self.samples, self._shape)
        return dict(zip(self._order, places, strict=True))

    def _shard(self, runs: Runs) -> Shard:
        """Return a shard of runs with one setting."""
        indices, samples = self._indices(runs), runs % self.samples
        chosen = {name: choices[indices[name][0]].value for name, choices in self._axes.items()}
        campaign_seeds = [self._axes["seed"][k].value for k in indices["seed"]]
        drawn = list(zip(campaign_seeds, samples.tolist(), strict=True))
        seeds = [_noise_seed(seed, sample) for seed, sample in drawn]
        columns = self._values(indices, drawn)
        rows: dict[str, NDArray[Any]] = {
            "run": runs,
            "sample": samples,
            "seed": np.array(seeds, dtype=np.uint64),
        }
        for name in self._swept:
            if name in self._axes:
                rows[_row_name(name)] = np.array([self._axes[name][k].name for k in indices[name]])
        place = self._place(indices)
        laws = self._laws[place]
        for name, values in columns.items():
            if name not in laws.table:
                rows |= dict(zip(self._components(place, name), values.T, strict=True))
        for (column, component), name in laws.names.items():
            rows[name] = columns[column][:, component]
        return Shard(self._setting(chosen), seeds, columns, rows)

    def _values(
        self, indices: Mapping[str, NDArray[np.intp]], drawn: Sequence[tuple[int, int]]
    ) -> dict[str, Floats]:
        """Return swept and drawn columns of runs of a vehicle, the latter by (seed, sample)."""
        place = self._place(indices)
        values = {name: rows[indices[name]] for name, rows in self._columns[place].items()}
        tables = self._draws
        for name in tables[place, drawn[0][0]]:
            rows = [tables[place, seed][name][sample] for seed, sample in drawn]
            values[name] = np.array(rows)
        return values


def _check_prepared(shape: Sequence[int]) -> None:
    """Raise a ValueError for too many combinations that a `Sim` is needed of each."""
    count = math.prod(shape)
    if count > _MAXIMUM_PREPARED:
        raise ValueError(
            f"sweep: expected at most {_MAXIMUM_PREPARED} combinations of vehicles and arguments "
            f"of faults and boundaries, got {count}"
        )


def _check_drawn(
    sims: Mapping[Place, Sim], tables: Mapping[Place, Table], samples: int, seeds: int
) -> None:
    """Raise a ValueError for more samples than can be drawn before the first flight."""
    each = seeds * sum(
        settable_width(sims[place], column, "randomize")
        for place, table in tables.items()
        for column in table
    )
    if samples * each > _MAXIMUM_DRAWN:
        raise ValueError(
            f"samples: expected at most {_MAXIMUM_DRAWN // each}, each of which draws {each} "
            f"numbers, got {samples}"
        )


def _check_sample(group: Group, column: str, sample: int, value: Floats) -> None:
    try:
        group.check_values(column, value)
    except ValueError as error:
        raise ValueError(f"randomize: sample {sample}: {error}") from None


def _swept_columns(sim: Sim, table: Mapping[str, Sequence[Any]]) -> dict[str, Floats]:
    """Return the values of swept columns for a vehicle, shape (number, width)."""
    found = {}
    for column, values in table.items():
        width = settable_width(sim, column, "sweep")
        rows = []
        for value in values:
            try:
                sim.groups[0].check_rows(column, value)
            except (TypeError, ValueError) as error:
                raise ValueError(f"sweep: {error}") from None
            if np.shape(value) not in ((), (width,)):
                raise ValueError(
                    f"sweep: {column}: expected values of shape () or ({width},), "
                    f"got {np.shape(value)}"
                )
            rows.append(np.broadcast_to(np.asarray(value, dtype=np.float64), (width,)))
        found[column] = np.array(rows)
        if not np.isfinite(found[column]).all():
            raise ValueError(f"sweep: {column}: expected finite numbers, got {brief(values)}")
        if len(np.unique(found[column], axis=0)) < len(rows):
            raise ValueError(f"sweep: {column}: expected different values, got {brief(values)}")
    return found


def _row_name(axis: str) -> str:
    """Return the name of an axis in the results, where ``seed`` is that of a run."""
    return "campaign_seed" if axis == "seed" else axis


def _noise_seed(seed: int, sample: int) -> int:
    """Return the seed of turbulence and sensors of a sample."""
    return int(np.random.SeedSequence((seed, sample)).generate_state(1, np.uint64)[0])
