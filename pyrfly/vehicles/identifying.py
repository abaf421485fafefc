"""How vehicles are identified from logs of their flights: the `Recipe` of a family.

What can be identified is a `Parameter`: a number that sets some elements of columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["Parameter", "Recipe", "begun", "entry", "proportional", "shifted"]

Array = NDArray[np.float64]
Document = Mapping[str, Any]


@dataclass(frozen=True)
class Parameter:
    """A number to identify.

    Attributes
    ----------
    name : str
        Name in results.
    unit : str
        Its unit.
    start : float
        Value of the parameter set from which the search begins.
    size : float
        Magnitude of a change that matters; above 0.
    low : float
        Least value that the vehicle can have.
    column : str
        Column that it sets; or a signal, ``force``, to which it is added: a bias.
    weights : ndarray
        Change of each element of the column, or of the three axes of the signal, per change of the
        value.
    nuisance : bool
        Whether it belongs to the flight, such as wind, and not to the vehicle.
    """

    name: str
    unit: str
    start: float
    size: float
    low: float
    column: str
    weights: tuple[float, ...]
    nuisance: bool = False

    def change(self, values: Array) -> Array:
        """Return what is added to the column for values (n,), shape (n, width)."""
        change: Array = (values - self.start)[:, None] * np.array(self.weights)
        return change


class Recipe(NamedTuple):
    """How a family is identified.

    Attributes
    ----------
    prepare : callable
        Returns the parameter set with which candidates are simulated, of the given one.
    parameters : callable
        Returns what can be identified of a set, for the names of the signals that the log has.
    usual : callable
        Returns which of their names are identified unless others are chosen.
    powered : tuple of str
        Commands that act in proportion to the voltage of the battery.
    actuators : tuple of str
        State columns of the actuators, which a log may have.
    free : tuple of str
        States of the body that are predicted from the start of a segment on, in output error; the
        others are as measured.
    segment : float
        Length of a segment [s].
    settling : callable
        Returns the time before a segment that the actuators of a set need to forget their start
        [s].
    document : callable
        Returns the document of an identified set without its name: of the document of the given
        set, the identified set, and the sources of what was identified by column.
    deflections : callable, optional
        Of vehicles that surfaces steer: returns the change of the actuator commands of a set, in
        their order, per deflection of aileron, elevator and rudder [rad], and per throttle, shape
        (4, actuators).
    """

    prepare: Callable[[VehicleParameters], VehicleParameters]
    parameters: Callable[[VehicleParameters, frozenset[str]], tuple[Parameter, ...]]
    usual: Callable[[tuple[str, ...], frozenset[str]], tuple[str, ...]]
    powered: tuple[str, ...]
    actuators: tuple[str, ...]
    free: tuple[str, ...]
    segment: float
    settling: Callable[[VehicleParameters], float]
    document: Callable[[Document, VehicleParameters, Mapping[str, str]], dict[str, Any]]
    deflections: Callable[[VehicleParameters], Array] | None = None


def proportional(
    columns: Mapping[str, Array],
    name: str,
    unit: str,
    column: str,
    chosen: Sequence[int],
    *,
    low: float = -np.inf,
    size: float = 0.0,
) -> Parameter:
    """Return the parameter that is the first of some elements of a column.

    The others change in proportion; where the first is 0 in the set all are equal.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Columns of the set.
    name, unit : str
        Of the parameter.
    column : str
        The column.
    chosen : sequence of int
        Indices of the elements.
    low : float
        Least value.
    size : float
        Magnitude of a change that matters, at least the value itself.
    """
    values = np.ravel(columns[column])
    first = float(values[chosen[0]])
    weights = np.zeros(len(values))
    weights[list(chosen)] = values[list(chosen)] / first if first else 1.0
    return Parameter(name, unit, first, max(abs(first), size), low, column, tuple(weights))


def shifted(
    name: str,
    unit: str,
    column: str,
    weights: Array,
    size: float,
    *,
    nuisance: bool = False,
) -> Parameter:
    """Return a parameter that is 0 in the set and moves a column by its value times weights."""
    return Parameter(name, unit, 0.0, size, -np.inf, column, tuple(weights.tolist()), nuisance)


DIGITS = 9
"""Of numbers in a file: more than any flight tells."""


def begun(document: Document, found: VehicleParameters) -> dict[str, Any]:
    """Return the document of an identified set that has the entries of the given one."""
    own = {k: v for k, v in document.items() if k not in ("name", "aliases")}
    return {**own, "title": f"{found.title}, from a flight"}


def entry(values: Array, unit: str, source: str) -> dict[str, Any]:
    """Return an entry of a parameter file."""
    numbers = [float(f"{value:.{DIGITS}g}") for value in np.ravel(values)]
    return {"value": numbers[0] if len(numbers) == 1 else numbers, "unit": unit, "source": source}
