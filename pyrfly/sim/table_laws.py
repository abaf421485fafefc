"""Laws in tables of faults and boundaries: `TableLaws`, `at_share`, `named_tables`.

A number of such a table is a value or a law (law, first, second) of `pyrfly.sim.laws`, a vector has
one of both for each component.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple, TypeGuard

from pyrfly.errors import brief
from pyrfly.sim.arguments import checked_entries, checked_table
from pyrfly.sim.laws import NORMAL_REACH, Table
from pyrfly.sim.simulation import Sim

__all__ = [
    "Law",
    "TableLaws",
    "at_share",
    "collected",
    "is_law",
    "merged",
    "named_tables",
    "randomized",
]


class Law(NamedTuple):
    """A law of a number of a table.

    Attributes
    ----------
    column : str
        The column that the number is in,
    component : int
        and which component of it.
    law : sequence
        The law, as of `pyrfly.sim.laws`.
    name : str
        What results call it, such as ``motor.effectiveness``.
    """

    column: str
    component: int
    law: Sequence[Any]
    name: str


class TableLaws(NamedTuple):
    """What the laws of tables are in columns.

    Attributes
    ----------
    table : mapping of str to sequence
        Laws or numbers of the components of columns, as of `pyrfly.sim.laws.random_rows`.
    names : dict of (str, int) to str
        Column and component of each law, and its name.
    """

    table: Table
    names: Mapping[tuple[str, int], str]


def named_tables(
    argument: str, kind: str, entries: Any, most: int, of: str = ""
) -> dict[str, dict[str, Any]]:
    """Return tables by their names, by default those of their kinds.

    Parameters
    ----------
    argument : str
        The argument that the tables are, for messages.
    kind : str
        Its key that every table has.
    entries : sequence of mapping
        The tables.
    most : int
        How many there may be,
    of : str
        and of what, for messages.

    Raises
    ------
    TypeError, ValueError
        It is no list of tables of a kind, or two have one name; the message has the number of the
        entry, from 1.
    """
    found: dict[str, dict[str, Any]] = {}
    for number, entry in enumerate(checked_entries(argument, entries, most, of), start=1):
        table = checked_table(argument, number, entry)
        where = f"{argument}: entry {number}"
        if kind not in table:
            raise ValueError(f"{where}: {kind}: expected one, got none")
        if "ids" in table:
            raise ValueError(f"{where}: ids: expected none: it is one of every vehicle")
        name = table.pop("name", table[kind])
        if not isinstance(name, str) or not name or "." in name or name in found:
            raise ValueError(
                f"{where}: name: expected one without a point that no other has, got {brief(name)}"
            )
        found[name] = table
    return found


def merged(one: TableLaws, other: TableLaws) -> TableLaws:
    """Return the laws of both, which are of different columns."""
    return TableLaws({**one.table, **other.table}, {**one.names, **other.names})


def randomized(table: Any, laws: TableLaws) -> Table:
    """Return a table of random columns and those of laws.

    Raises
    ------
    TypeError, ValueError
        It is no mapping, or has a column of which there is a law.
    """
    given = {} if table is None else table
    if not isinstance(given, Mapping):
        raise TypeError(f"randomize: expected a mapping, got {brief(table)}")
    for name in laws.table:
        if name in given:
            raise ValueError(
                f"randomize: {name}: expected a column of which no fault or boundary has a law"
            )
    return {**given, **laws.table}


def is_law(value: Any) -> TypeGuard[Sequence[Any]]:
    """Return whether a value is a law, and not a name or several of them."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 3:
        return False
    law, *numbers = value
    return isinstance(law, str) and all(isinstance(number, Real) for number in numbers)


def at_share(value: Any, share: float) -> Any:
    """Return an argument with its laws replaced by a value: 0 the least, 1 the largest."""
    if is_law(value):
        low, high = _bounds(value)
        return low + share * (high - low)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [at_share(part, share) for part in value]
    return value


def _bounds(law: Sequence[Any]) -> tuple[float, float]:
    kind, first, second = law[0], float(law[1]), float(law[2])
    if kind == "scale":
        raise ValueError("a law: expected another than 'scale', which is of parameter sets")
    if kind == "normal":
        return first - NORMAL_REACH * second, first + NORMAL_REACH * second
    return first, second


def collected(sim: Sim, laws: Sequence[Law]) -> TableLaws:
    """Return laws as a table of columns, in which other components have their values."""
    group = sim.groups[0]
    columns = {law.column: group.view(law.column)[0].tolist() for law in laws}
    for law in laws:
        columns[law.column][law.component] = tuple(law.law)
    return TableLaws(columns, {(law.column, law.component): law.name for law in laws})
