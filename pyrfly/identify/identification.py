"""Parameters of a vehicle from a log of its flight: `identify`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import command_columns, fields_of_type
from pyrfly.errors import ParameterError, brief, near_names
from pyrfly.files import path_of, replacing
from pyrfly.identify.flight import Flight, flight_of
from pyrfly.identify.own_rates import at_imu_times
from pyrfly.identify.parameters import require_name, with_values
from pyrfly.identify.prediction import segments_of
from pyrfly.identify.search import (
    AT_BOUND,
    IDENTIFIED,
    NORMAL_95,
    Estimate,
    estimates_table,
    search,
)
from pyrfly.identify.toml_text import toml_text
from pyrfly.log import FlightData, Log, read_flight_data
from pyrfly.log.readers import READERS, suffix_of
from pyrfly.vehicles import FAMILIES, VehicleParameters, family_named, load
from pyrfly.vehicles.identifying import Parameter, Recipe
from pyrfly.vehicles.sets import read

__all__ = ["METHODS", "Identification", "identify"]

Array = NDArray[np.float64]

METHODS = ("output", "equation")
"""Ways to identify: by the error of simulated outputs, or by that of the equations of motion."""


@dataclass(frozen=True, eq=False)
class Identification:
    """Result of `identify`.

    Attributes
    ----------
    estimates : dict of str to Estimate
        By name, in the order of the table of the family.
    correlation : dict of (str, str) to float
        Correlation of the errors of two estimates, of pairs beyond 0.9.
    condition : float
        Condition number of the least squares problem, scaled by the changes that matter.
    converged : bool
        Whether the search has ended where no step improves it.
    residuals : dict of str to ndarray, shape (S, L, width)
        Measured less predicted values by signal, in the segments of ``times``.
    times : ndarray, shape (S, L)
        Time from the first sample of the log's part [s].
    base : VehicleParameters
        The set that the search began from.
    parameters : VehicleParameters
        The identified set.
    method : str
        ``output`` or ``equation`` error.
    flight : Flight
        The signals.
    """

    estimates: dict[str, Estimate]
    correlation: dict[tuple[str, str], float]
    condition: float
    converged: bool
    residuals: dict[str, Array]
    times: Array
    base: VehicleParameters
    parameters: VehicleParameters
    method: str
    flight: Flight
    _document: dict[str, object] = field(repr=False, default_factory=dict)

    def __getitem__(self, name: str) -> Estimate:
        """Return an estimate; the KeyError for an unknown name lists similar ones."""
        try:
            return self.estimates[name]
        except KeyError:
            known = near_names(name, self.estimates)
            raise KeyError(f"there is no parameter {name!r}; try {known}") from None

    def __str__(self) -> str:
        """Return a table of all estimates."""
        ended = "" if self.converged else "; the search has not converged"
        head = f"{self.base.name} by {self.method} error, {self.flight}{ended}"
        return f"{head}\n{estimates_table(self.estimates.values())}"

    def measured(self, name: str) -> Array | None:
        """Return a measured signal in the segments, shape (S, L, width); None of an attitude."""
        if name == "att":
            return None
        rows = np.rint(self.times / self.flight.interval).astype(np.intp)
        signals = {n: getattr(self.flight, n) for n in ("force", "rate", "vel")}
        values: Array = (signals | self.flight.actuators)[name][rows]
        return values

    def document(self, name: str | None = None) -> dict[str, object]:
        """Return the identified set as a document of a parameter file, with its sources.

        Parameters
        ----------
        name : str, optional
            Its name; by default that of the first set with ``_identified``.
        """
        found = dict(self._document)
        return {"name": name or f"{self.base.name}_identified", **found}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the identified set as a TOML file, which `pyrfly.load` and a `pyrfly.Sim` take.

        Parameters
        ----------
        path : str or path-like
            The file; it is replaced. Its stem is the name of the set.

        Raises
        ------
        ParameterError
            The suffix is not ``.toml``.
        OSError
            The file cannot be written.
        """
        file = path_of("path", path)
        if file.suffix != ".toml":
            raise ParameterError(
                f"path: expected a name that ends in .toml, got {brief(file.name)}"
            )
        text = toml_text(self.document(file.stem))
        with replacing(file) as temporary:
            temporary.write_text(text, encoding="utf-8")


def identify(
    log: Log | FlightData | str | os.PathLike[str],
    vehicle: str | os.PathLike[str] = "sdk",
    *,
    method: str = "output",
    free: Iterable[str] | None = None,
    known: Mapping[str, float] | None = None,
    segment: float | None = None,
    copter_id: int | None = None,
    begin: float | None = None,
    end: float | None = None,
    told: Callable[[str], object] = lambda text: None,
) -> Identification:
    """Identify the parameters of a vehicle from a log of its flight.

    Parameters
    ----------
    log : Log, FlightData, str or path-like
        The flight: see docs/identification.md for the columns that are needed. Files of autopilots,
        ``.ulg`` and ``.bin``, are read at the rates of their topics.
    vehicle : str or path-like
        Parameter set from which the search begins, a name or a TOML file. Its layout, mass and the
        terms of its laws are taken as known.
    method : {'output', 'equation'}
        Output error: what is measured against what the model predicts along segments of the
        flight. Equation error: against what it predicts from the measured state, which is linear in
        most parameters, fast, and biased by noise of the state.
    free : iterable of str, optional
        Names of the parameters to identify; by default those that a flight can tell.
    known : mapping of str to float, optional
        Values of parameters that replace those of the set and are held, such as
        ``{"mass": 1.52}``.
    segment : float, optional
        Length of a segment [s], by default that of the family: what a model lacks adds up along
        it.
    copter_id : int, optional
        The vehicle of the log; the first by default.
    begin, end : float, optional
        Part of the log to use [s].
    told : callable, optional
        Called with texts that say how far it is.

    Returns
    -------
    Identification
        Estimates with their standard errors, and the identified set.

    Raises
    ------
    ParameterError
        The set is of a family that cannot be identified, a name is unknown, the log lacks a signal
        or is too short, or nothing is excited.
    OSError, ValueError
        The log cannot be read.
    """
    _require_choices(method, segment)
    _, document = read(vehicle)
    given = load(vehicle)
    told("reads the log")
    recipe = _recipe_of(given)
    base = recipe.prepare(given)
    commands = command_columns(base.c_type)
    flight = flight_of(
        _log_of(log, commands),
        commands,
        recipe.actuators,
        powered=recipe.powered,
        copter_id=copter_id,
        begin=begin,
        end=end,
    )
    flight = _fitting(flight, base)
    signals = frozenset([*flight.actuators, *flight.sources])
    table = recipe.parameters(base, signals)
    for name in known or {}:
        require_name("known", name, [parameter.name for parameter in table])
    base = with_values(base, table, known or {})
    table = recipe.parameters(base, signals)
    chosen = _chosen(table, recipe, signals, free, known or {})
    segments = segments_of(flight, segment or recipe.segment, recipe.settling(base))
    free_states = recipe.free if method == "output" else ()
    found = search(base, flight, segments, chosen, free_states, told)
    estimates = {one.name: one for one in map(found.estimate, table)}
    fitted = [one for one in estimates.values() if one.status in (IDENTIFIED, AT_BOUND)]
    values = {one.name: one.value for one in fitted}
    parameters = with_values(base, table, values)
    return Identification(
        estimates,
        found.correlations(),
        found.fit.condition,
        found.fit.converged,
        found.residuals(),
        np.asarray(segments.rows * flight.interval, np.float64),
        given,
        parameters,
        method,
        flight,
        recipe.document(document, parameters, _sources(table, estimates, known or {})),
    )


def _require_choices(method: str, segment: float | None) -> None:
    if method not in METHODS:
        raise ValueError(f"method: expected {' or '.join(METHODS)}, got {brief(method)}")
    if segment is not None and not 0 < segment < np.inf:
        raise ParameterError(f"segment: expected more than 0 s, got {brief(segment)}")


def _recipe_of(given: VehicleParameters) -> Recipe:
    recipe = family_named(given.family).recipe
    if recipe is None or given.airframes:
        known = [family.name for family in FAMILIES.values() if family.recipe is not None]
        raise ParameterError(
            f"vehicle: expected a set of a {' or '.join(known)}, got {given.name}, of a "
            f"{given.family}"
        )
    return recipe()


def _log_of(log: Log | FlightData | str | os.PathLike[str], commands: tuple[str, ...]) -> Log:
    if isinstance(log, Log):
        return log
    if isinstance(log, FlightData):
        return at_imu_times(log, commands)
    reader = READERS.get(suffix_of(path_of("log", log)))
    if reader is None or reader.series is None:
        return Log.load(log)
    return at_imu_times(read_flight_data(log), commands)


def _fitting(flight: Flight, base: VehicleParameters) -> Flight:
    """Return a flight with commands as wide as the columns of the vehicle; refuse fewer motors."""
    widths = {field.name: field.width for field in fields_of_type(base.c_type)}
    inputs = {}
    for name, values in flight.inputs.items():
        lacking = widths[name] - values.shape[2]
        if lacking and values.shape[2] < min(base.actuator_count, widths[name]):
            raise ParameterError(
                f"log: {name}: expected {base.actuator_count} commands, those of {base.name}, got "
                f"{values.shape[2]}"
            )
        inputs[name] = np.pad(values, ((0, 0), (0, 0), (0, max(lacking, 0))))[..., : widths[name]]
    return replace(flight, inputs=inputs)


def _chosen(
    table: Sequence[Parameter],
    recipe: Recipe,
    signals: frozenset[str],
    free: Iterable[str] | None,
    known: Mapping[str, float],
) -> list[Parameter]:
    """Return the parameters to identify: those named, or the usual ones that are not known."""
    names = tuple(parameter.name for parameter in table)
    if free is None:
        wanted = set(recipe.usual(names, signals)) - set(known)
    else:
        wanted = {free} if isinstance(free, str) else set(free)
        for name in wanted:
            require_name("free", name, names)
        wanted |= {parameter.name for parameter in table if parameter.nuisance}
    return [parameter for parameter in table if parameter.name in wanted]


def _sources(
    table: Sequence[Parameter], estimates: Mapping[str, Estimate], known: Mapping[str, float]
) -> dict[str, str]:
    """Return the source of each column that is not that of the set."""
    notes: dict[str, list[str]] = {}
    for parameter in table:
        one = estimates[parameter.name]
        own = notes.setdefault(parameter.column, [])
        if one.identified:
            own.append(f"{one.name} = {one.value:.6g} +- {NORMAL_95 * one.deviation:.2g} (95 %)")
        elif one.status == AT_BOUND:
            own.append(f"{one.name} = {one.value:.6g}, at its bound")
        elif one.name in known:
            own.append(f"{one.name} = {one.value:.6g}, given")
    return {column: f"identified: {'; '.join(own)}" for column, own in notes.items() if own}
