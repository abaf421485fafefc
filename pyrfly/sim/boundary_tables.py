"""Boundaries as tables, such as those of a file: `enter_boundaries`, `first_crossings`.

A table has the arguments of `Safety.add`:
``{"boundary": "speed", "maximum": 12.0, "action": "terminate"}``.
Those of runs may have a ``name``, and laws as numbers:
``{"boundary": "tilt", "maximum": ("uniform", 0.5, 1.5)}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.bits import Boundary, SafetyAction
from pyrfly.sim.arguments import checked_entries, checked_table, chosen_name
from pyrfly.sim.boundaries import BOUNDARIES, Limits, checked
from pyrfly.sim.events import MOST_ENTRIES
from pyrfly.sim.selection import Selection, checked_ids
from pyrfly.sim.simulation import Sim
from pyrfly.sim.table_laws import Law, TableLaws, at_share, collected, is_law, named_tables

__all__ = ["enter_boundaries", "enter_boundaries_of_runs", "first_crossings", "named_boundaries"]

_LIMITS = {
    "minimum": "boundary_minimum",
    "maximum": "boundary_maximum",
    "radius": "boundary_maximum",
}
"""Columns of arguments, whose components are those of `Boundary`."""

_PLACES = ("area_north", "area_east")

_ARGUMENTS = tuple(signature(checked).parameters)[1:]  # of a table, beside ids


def enter_boundaries(sim: Sim, entries: Any, first_id: int = 1) -> None:
    """Give vehicles of a `Sim` the boundaries of tables.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    entries : sequence of mapping
        Arguments of `Safety.add`.
    first_id : int
        CopterID by which ``ids`` name the first vehicle.

    Raises
    ------
    TypeError, ValueError
        An entry is none that `Safety.add` takes; the message has its number, from 1. No vehicle has
        a boundary then.
    """
    found = [
        _checked(sim, number, table, first_id)
        for number, table in enumerate(_tables(entries), start=1)
    ]
    for limits, chosen in found:
        sim.safety.enter(limits, chosen)


def named_boundaries(entries: Any) -> dict[str, dict[str, Any]]:
    """Return the tables of boundaries of runs by their names, by default what they are of.

    Raises
    ------
    TypeError, ValueError
        It is no list of tables with a boundary, or two have one name; the message has the number of
        the entry, from 1.
    """
    return named_tables("boundaries", "boundary", entries, MOST_ENTRIES)


def enter_boundaries_of_runs(sim: Sim, entries: Any) -> TableLaws:
    """Give all vehicles, each of which is a run of its own, boundaries; return their laws.

    The end of a run is that of the vehicle, which stays as it is. Numbers with laws are entered
    with their middles, and are to be drawn by the caller.

    Raises
    ------
    TypeError, ValueError
        As `enter_boundaries`, also with the bounds of laws; or an entry has ``ids``, or is of a
        boundary that another is of.
    """
    tables = named_boundaries(entries)
    if not tables:
        return TableLaws({}, {})
    chosen = sim.select()
    found = [_middle(chosen, k, table) for k, table in enumerate(tables.values(), start=1)]
    kinds = [limits.number for limits in found]
    for number, kind in enumerate(kinds, start=1):
        if kinds.index(kind) < number - 1:
            raise ValueError(
                f"boundaries: entry {number}: expected one that no other is of, "
                f"got {kind.name.lower()!r}"
            )
    for limits in found:
        ends = limits.action == SafetyAction.TERMINATE
        own = limits._replace(action=SafetyAction.FREEZE) if ends else limits
        sim.safety.enter(own, chosen)
    laws = [law for kind, (name, table) in zip(kinds, tables.items(), strict=True)
            for law in _laws(kind, name, table)]  # fmt: skip
    return collected(sim, laws)


def _middle(chosen: Selection, number: int, table: Mapping[str, Any]) -> Limits:
    """Return a boundary with the middle of each law, after a check of their bounds.

    The largest minimum has to be below the least maximum, as both are drawn apart.
    """
    try:
        for share in (0.0, 1.0):
            _limits(chosen, _at_share(table, share, least=1.0 - share))
        return _limits(chosen, _at_share(table, 0.5, least=0.5))
    except (TypeError, ValueError) as error:
        raise type(error)(f"boundaries: entry {number}: {error}") from None


def _limits(chosen: Selection, table: Mapping[str, Any]) -> Limits:
    """Return a boundary by its arguments; a missing ``boundary`` is told as a wrong one."""
    for name in table:
        chosen_name("key", name, _ARGUMENTS)
    return checked(chosen, **{"boundary": None, **table})


def _at_share(table: Mapping[str, Any], share: float, least: float) -> dict[str, Any]:
    """Return arguments with values for laws: of minima those of another share."""
    return {k: at_share(value, least if k == "minimum" else share) for k, value in table.items()}


def _laws(kind: Boundary, name: str, table: Mapping[str, Any]) -> Iterator[Law]:
    """Yield the laws of the numbers of a boundary; a circle has its centre for its only corner."""
    for argument, column in _LIMITS.items():
        if is_law(table.get(argument)):
            yield Law(column, kind, table[argument], f"{name}.{argument}")
    centre = table.get("centre")
    for k, part in enumerate(() if centre is None else centre):
        if is_law(part):
            yield Law(_PLACES[k], 0, part, f"{name}.centre.{'xy'[k]}")


def first_crossings(sim: Sim) -> tuple[NDArray[np.str_], NDArray[np.float64]]:
    """Return the boundary that each vehicle crossed first and when [s]; "" and NaN: none."""
    names = np.full(sim.n, "", f"<U{max(map(len, BOUNDARIES))}")
    times = np.full(sim.n, np.nan)
    for crossing in reversed(sim.safety.crossings()):
        names[crossing.copter_id - 1] = crossing.boundary
        times[crossing.copter_id - 1] = crossing.time
    return names, times


def _tables(entries: Any) -> list[dict[str, Any]]:
    given = checked_entries("boundaries", entries, MOST_ENTRIES)
    return [checked_table("boundaries", number, entry) for number, entry in enumerate(given, 1)]


def _checked(
    sim: Sim, number: int, table: dict[str, Any], first_id: int
) -> tuple[Limits, Selection]:
    try:
        ids = table.pop("ids", None)
        chosen = sim.select(None if ids is None else checked_ids(ids, sim.n, first_id))
        chosen.require_distinct()
        return _limits(chosen, table), chosen
    except (TypeError, ValueError) as error:
        raise type(error)(f"boundaries: entry {number}: {error}") from None
