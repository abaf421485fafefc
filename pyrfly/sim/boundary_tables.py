"""Boundaries as tables, such as those of a file: `enter_boundaries`, `first_crossings`.

A table has the arguments of `Safety.add`:
``{"boundary": "speed", "maximum": 12.0, "action": "terminate"}``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief
from pyrfly.protocol.bits import SafetyAction
from pyrfly.sim.arguments import checked_entries, checked_table
from pyrfly.sim.boundaries import BOUNDARIES, Limits, checked
from pyrfly.sim.events import MOST_ENTRIES
from pyrfly.sim.selection import Selection, checked_ids
from pyrfly.sim.simulation import Sim

__all__ = ["enter_boundaries", "enter_boundaries_of_runs", "first_crossings"]


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


def enter_boundaries_of_runs(sim: Sim, entries: Any) -> None:
    """Give all vehicles, each of which is a run of its own, the boundaries of tables.

    The end of a run is that of the vehicle, which stays as it is.

    Raises
    ------
    TypeError, ValueError
        As `enter_boundaries`; or an entry has ``ids``, or is of a boundary that another is of.
    """
    tables = _tables(entries)
    names = [table.get("boundary") for table in tables]
    for number, table in enumerate(tables, start=1):
        if "ids" in table:
            raise ValueError(f"boundaries: entry {number}: ids: expected none: it is of every run")
        if names.index(table.get("boundary")) < number - 1:
            raise ValueError(
                f"boundaries: entry {number}: expected one that no other is of, "
                f"got {brief(table.get('boundary'))}"
            )
    found = [_checked(sim, number, table, 1) for number, table in enumerate(tables, start=1)]
    for limits, chosen in found:
        ends = limits.action == SafetyAction.TERMINATE
        own = limits._replace(action=SafetyAction.FREEZE) if ends else limits
        sim.safety.enter(own, chosen)


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
        return checked(chosen, **{"boundary": None, **table}), chosen
    except (TypeError, ValueError) as error:
        raise type(error)(f"boundaries: entry {number}: {error}") from None
