"""Registry of families, one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyrfly.errors import table_of
from pyrfly.vehicles.family import CommandsOf, Family

__all__ = ["DEFAULT_FAMILY", "FAMILIES", "Families", "add_family", "family_named"]


class Families:
    """Base of simulations: the commands of each family as an attribute."""

    from pyrfly.vehicles.car import COMMANDS as car
    from pyrfly.vehicles.gazebo_blocks import COMMANDS as gazebo_blocks
    from pyrfly.vehicles.helicopter import COMMANDS as helicopter
    from pyrfly.vehicles.marine import COMMANDS as marine
    from pyrfly.vehicles.multirotor import COMMANDS as multirotor
    from pyrfly.vehicles.plane import COMMANDS as plane
    from pyrfly.vehicles.rover import COMMANDS as rover
    from pyrfly.vehicles.truck import COMMANDS as truck

    def __dir__(self: Any) -> list[str]:
        """Return the names of all attributes but those of families without vehicles here."""
        present = {group.family for group in self.groups}
        absent = {name for name, family in FAMILIES.items() if family not in present}
        return [*{*object.__dir__(self)} - absent]


FAMILIES: Mapping[str, Family[Any]] = table_of(
    {
        name: commands.family
        for name, commands in vars(Families).items()
        if isinstance(commands, CommandsOf)
    }
)
"""All families by name."""

_ADDED: dict[str, Family[Any]] = {}
"""Families of models of one's own by name, which have no packaged sets."""


def add_family(family: Family[Any]) -> None:
    """Add a family of models of one's own, in place of one that was added under its name."""
    if family.name in FAMILIES:
        raise ValueError(f"family: {family.name!r} is one of pyrfly's own")
    _ADDED[family.name] = family


def family_named(name: str) -> Family[Any]:
    """Return a family, packaged or added."""
    return FAMILIES.get(name) or _ADDED[name]


DEFAULT_FAMILY = "multirotor"
"""Family of a parameter file without the entry ``family``."""
