"""Registry of families, one line each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pyrfly.errors import ParameterError, Table, brief
from pyrfly.vehicles.family import CommandsOf, Family

__all__ = [
    "DEFAULT_FAMILY",
    "FAMILIES",
    "Families",
    "absent",
    "add_family",
    "add_to_registry",
    "family_named",
]


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


_TABLE: Table[Family[Any]] = Table(
    {
        name: commands.family
        for name, commands in vars(Families).items()
        if isinstance(commands, CommandsOf)
    }
)

FAMILIES: Mapping[str, Family[Any]] = MappingProxyType(_TABLE)
"""All families by name: those here, then those outside of the tree."""


def add_to_registry(commands: CommandsOf[Any]) -> None:
    """Add a family with its sets and commands, as those here are; nothing may have its names."""
    setattr(Families, commands.family.name, commands)
    _TABLE[commands.family.name] = commands.family


_ADDED: dict[str, Family[Any]] = {}
"""Families of models of one's own by name, which have no packaged sets."""


def add_family(family: Family[Any]) -> None:
    """Add a family of models of one's own, in place of one that was added under its name."""
    if family.name in FAMILIES:
        raise ValueError(f"family: {family.name!r} is one of pyrfly's own")
    _ADDED[family.name] = family


def family_named(name: str) -> Family[Any]:
    """Return a family, packaged or added; raises a ParameterError if there is none."""
    found = FAMILIES.get(name) or _ADDED.get(name)
    if found is None:
        raise ParameterError(absent(name))
    return found


def absent(name: object) -> str:
    """Return what to say of a family that there is not."""
    return (
        f"family: expected one of {', '.join(FAMILIES)}, got {brief(name)}; one outside of the "
        "tree is loaded by pyrfly.plugins.load_family, or by PYRFLY_FAMILIES"
    )


DEFAULT_FAMILY = "multirotor"
"""Family of a parameter file without the entry ``family``."""
