"""PX4's parameters that vehicles of this simulator have, by PX4's names and in PX4's units.

RflySim's methods that set parameters of PX4 act on the columns of the vehicle itself; each family
lists those that it has (``px4`` of `pyrfly.vehicles.Family`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from pyrfly.errors import UnsupportedError, near_names
from pyrfly.vehicles import FAMILIES, Abilities, Family
from pyrfly.vehicles.px4 import Px4Parameter

__all__ = ["SPEED_LIMIT", "STORED", "Vehicles", "of_name"]

STORED = ("NAV_LOITER_RAD", "NAV_RCL_ACT", "NAV_DLL_ACT", "COM_RCL_EXCEPT")
"""Parameters that vehicles without them keep, without effect: those that do not circle, and all,
for which there is no failsafe for a lost remote control or data link."""

_SHOWN_IDS = 3  # of a message

SPEED_LIMIT = ("speed_limit", None)
"""Column and component that every link can set, RflySim's cruise speed."""


class Vehicles(NamedTuple):
    """Vehicles of one parameter set.

    Attributes
    ----------
    name : str
        Name of the set.
    family : Family
        Their family.
    abilities : Abilities
        What they can do.
    ids : sequence of int
        Their CopterIDs.
    """

    name: str
    family: Family[Any]
    abilities: Abilities
    ids: Sequence[int]

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.ids[:_SHOWN_IDS]))
        more = ", ..." if len(self.ids) > _SHOWN_IDS else ""
        return f"{self.name!r} (CopterID {shown}{more})"


def of_name(caller: str, name: str, vehicles: Collection[Vehicles] = ()) -> Px4Parameter | None:
    """Return where a parameter is; None for one that is only `STORED`.

    Parameters
    ----------
    caller : str
        Name of the method or argument that requests it, for errors.
    name : str
        PX4's name.
    vehicles : collection of Vehicles
        Empty where they are not known: then one of all families must have it.

    Raises
    ------
    UnsupportedError
        When a vehicle has no such parameter.
    """
    if name in STORED:
        return None
    lacking = [some for some in vehicles if name not in some.abilities.px4]
    of_any = {n: known for one in FAMILIES.values() for n, known in one.abilities.px4.items()}
    if name not in of_any or lacking:
        tables = [some.abilities.px4 for some in lacking] or [of_any]
        known = dict.fromkeys([*(n for table in tables for n in table), *STORED])
        who = ", ".join(map(str, lacking)) or "any vehicle"
        raise UnsupportedError(
            f"{caller}: expected a PX4 parameter of {who}, such as {near_names(name, known)}, "
            f"got {name!r}"
        )
    return of_any[name]
