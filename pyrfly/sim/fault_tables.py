"""Faults as tables, whose numbers may have laws: `enter_faults`, `named_faults`.

A table has the arguments of `Faults.add` without ``ids``, and may have a ``name``:
``{"kind": "motor", "actuator": 1, "effectiveness": ("uniform", 0, 1), "at": 5}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pyrfly.errors import ParameterError
from pyrfly.protocol.bits import FaultKind
from pyrfly.sim.fault_arguments import VALUES, Checked, checked
from pyrfly.sim.fault_kinds import kind_of
from pyrfly.sim.faults import FAULTS
from pyrfly.sim.selection import Selection
from pyrfly.sim.simulation import Sim
from pyrfly.sim.table_laws import Law, TableLaws, at_share, collected, is_law, named_tables

__all__ = ["enter_faults", "named_faults"]

_TIMES = {
    "at": "fault_start",
    "rate": "fault_rate",
    "duration": "fault_duration",
    "ramp": "fault_ramp",
}


def named_faults(entries: Any) -> dict[str, dict[str, Any]]:
    """Return the tables of faults by their names, by default those of their kinds.

    Raises
    ------
    TypeError, ValueError
        It is no list of tables with a kind, or two have one name; the message has the number of the
        entry, from 1.
    """
    return named_tables("faults", "kind", entries, FAULTS, " of a vehicle")


def enter_faults(sim: Sim, entries: Any) -> TableLaws:
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
        return TableLaws({}, {})
    places = _places(sim, len(faults))
    chosen = sim.select()
    middles = [_middle(sim, chosen, k, table) for k, table in enumerate(faults.values(), start=1)]
    for new in middles:
        sim.faults.enter(new, chosen)
    laws = [law for place, (name, table) in zip(places, faults.items(), strict=True)
            for law in _laws(place, name, table)]  # fmt: skip
    return collected(sim, laws)


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


def _at_share(table: Mapping[str, Any], share: float) -> dict[str, Any]:
    return {name: at_share(value, share) for name, value in table.items()}


def _laws(place: int, name: str, table: Mapping[str, Any]) -> Iterator[Law]:
    """Yield the laws of the numbers of a fault."""
    for argument, column in _TIMES.items():
        if is_law(table.get(argument)):
            yield Law(column, place, table[argument], f"{name}.{argument}")
    first = VALUES * place
    for argument, value in kind_of(table["kind"]).values.items():
        given = table.get(argument)
        several = isinstance(given, Sequence) and not isinstance(given, str) and not is_law(given)
        parts = list(given) if several and given is not None else [given] * value.width
        for k, part in enumerate(parts):
            if is_law(part):
                end = f".{'xyz'[k]}" if len(parts) > 1 else ""
                yield Law("fault_strength", first + k, part, f"{name}.{argument}{end}")
        first += value.width
