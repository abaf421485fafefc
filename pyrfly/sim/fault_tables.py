"""Faults as tables, whose numbers may have laws: `enter_faults`, `named_faults`.

A table has the arguments of `Faults.add` without ``ids``, and may have a ``name``. A number is a
law (law, first, second) of `pyrfly.sim.laws` or a value, a vector has one of both for each
component:
``{"kind": "motor", "actuator": 1, "effectiveness": ("uniform", 0, 1), "at": 5}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from pyrfly.errors import ParameterError, brief
from pyrfly.protocol.bits import FaultKind
from pyrfly.sim.arguments import checked_entries, checked_table
from pyrfly.sim.fault_arguments import VALUES, Checked, checked
from pyrfly.sim.fault_kinds import kind_of
from pyrfly.sim.faults import FAULTS
from pyrfly.sim.laws import NORMAL_REACH, Table
from pyrfly.sim.selection import Selection
from pyrfly.sim.simulation import Sim

__all__ = ["FaultLaws", "enter_faults", "named_faults", "randomized"]

_TIMES = {
    "at": "fault_start",
    "rate": "fault_rate",
    "duration": "fault_duration",
    "ramp": "fault_ramp",
}


class FaultLaws(NamedTuple):
    """What the laws of faults are in columns.

    Attributes
    ----------
    table : mapping of str to sequence
        Laws or numbers of the components of columns, as of `pyrfly.sim.laws.random_rows`.
    names : dict of (str, int) to str
        Column and component of each law, and its name, such as ``motor.effectiveness``.
    """

    table: Table
    names: Mapping[tuple[str, int], str]


def named_faults(entries: Any) -> dict[str, dict[str, Any]]:
    """Return the tables of faults by their names, by default those of their kinds.

    Raises
    ------
    TypeError, ValueError
        It is no list of tables with a kind, or two have one name; the message has the number of the
        entry, from 1.
    """
    found: dict[str, dict[str, Any]] = {}
    given = checked_entries("faults", entries, FAULTS, " of a vehicle")
    for number, entry in enumerate(given, start=1):
        table = checked_table("faults", number, entry)
        if "kind" not in table:
            raise ValueError(f"faults: entry {number}: kind: expected one, got none")
        if "ids" in table:
            raise ValueError(
                f"faults: entry {number}: ids: expected none: it is one of every vehicle"
            )
        name = table.pop("name", table["kind"])
        if not isinstance(name, str) or not name or "." in name or name in found:
            raise ValueError(
                f"faults: entry {number}: name: expected one without a point that no other has, "
                f"got {brief(name)}"
            )
        found[name] = table
    return found


def enter_faults(sim: Sim, entries: Any) -> FaultLaws:
    """Give all vehicles of a `Sim` of one parameter set the faults of tables; return their laws.

    Those are entered with the middle of each law, and are to be drawn by the caller.

    Raises
    ------
    TypeError, ValueError
        An entry is none of `Faults.add`, also with the bounds of its laws; the message has its
        number, from 1. No vehicle has a fault then.
    """
    faults = named_faults(entries)
    if not faults:
        return FaultLaws({}, {})
    places = _places(sim, len(faults))
    chosen = sim.select()
    middles = [_middle(sim, chosen, k, table) for k, table in enumerate(faults.values(), start=1)]
    for new in middles:
        sim.faults.enter(new, chosen)
    laws = [law for place, (name, table) in zip(places, faults.items(), strict=True)
            for law in _laws(place, name, table)]  # fmt: skip
    return _collected(sim, laws)


def randomized(table: Any, laws: FaultLaws) -> Table:
    """Return a table of random columns and those of faults.

    Raises
    ------
    TypeError, ValueError
        It is no mapping, or has a column of which a fault has a law.
    """
    given = {} if table is None else table
    if not isinstance(given, Mapping):
        raise TypeError(f"randomize: expected a mapping, got {brief(table)}")
    for name in laws.table:
        if name in given:
            raise ValueError(f"randomize: {name}: expected a column of which no fault has a law")
    return {**given, **laws.table}


def _middle(sim: Sim, chosen: Selection, number: int, table: Mapping[str, Any]) -> Checked:
    """Return a fault with the middle of each law, after a check of their bounds."""
    try:
        for share in (0.0, 1.0):
            checked(chosen, now=sim.time, **_at_share(table, share))
        return checked(chosen, now=sim.time, **_at_share(table, 0.5))
    except (TypeError, ValueError) as error:
        raise type(error)(f"faults: entry {number}: {error}") from None


def _places(sim: Sim, count: int) -> list[int]:
    """Return the places that the next faults of all vehicles take."""
    if not sim.groups[0].has("fault_kind"):
        return list(range(count))
    free = sim.fault_kind == FaultKind.NONE
    if (free != free[0]).any() or np.count_nonzero(free[0]) < count:
        raise ParameterError(
            f"faults: expected the same faults of all vehicles before, and at most {FAULTS} in all"
        )
    return [int(place) for place in np.flatnonzero(free[0])[:count]]


# --- laws ---


def _at_share(table: Mapping[str, Any], share: float) -> dict[str, Any]:
    """Return the arguments of a table with laws replaced by a value: 0 the least, 1 the largest."""
    return {name: _value(value, share) for name, value in table.items()}


def _value(value: Any, share: float) -> Any:
    if _is_law(value):
        low, high = _bounds(value)
        return low + share * (high - low)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_value(part, share) for part in value]
    return value


def _is_law(value: Any) -> bool:
    """Return whether a value is a law, and not a name or several of sensors."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 3:
        return False
    law, *numbers = value
    return isinstance(law, str) and all(isinstance(number, Real) for number in numbers)


def _bounds(law: Sequence[Any]) -> tuple[float, float]:
    kind, first, second = law[0], float(law[1]), float(law[2])
    if kind == "scale":
        raise ValueError("a law of a fault: expected another than 'scale', of parameter sets")
    if kind == "normal":
        return first - NORMAL_REACH * second, first + NORMAL_REACH * second
    return first, second


def _laws(place: int, name: str, table: Mapping[str, Any]) -> Iterator[tuple[str, int, Any, str]]:
    """Yield column, component, law and name of the numbers of a fault that have laws."""
    for argument, column in _TIMES.items():
        if _is_law(table.get(argument)):
            yield column, place, table[argument], f"{name}.{argument}"
    first = VALUES * place
    for argument, value in kind_of(table["kind"]).values.items():
        given = table.get(argument)
        several = isinstance(given, Sequence) and not isinstance(given, str) and not _is_law(given)
        parts = list(given) if several and given is not None else [given] * value.width
        for k, part in enumerate(parts):
            if _is_law(part):
                end = f".{'xyz'[k]}" if len(parts) > 1 else ""
                yield "fault_strength", first + k, part, f"{name}.{argument}{end}"
        first += value.width


def _collected(sim: Sim, laws: Sequence[tuple[str, int, Any, str]]) -> FaultLaws:
    """Return laws as a table of columns, in which other components have their values."""
    group = sim.groups[0]
    columns = {column: group.view(column)[0].tolist() for column, *_ in laws}
    for column, component, law, _ in laws:
        columns[column][component] = tuple(law)
    return FaultLaws(columns, {(column, k): name for column, k, _, name in laws})
