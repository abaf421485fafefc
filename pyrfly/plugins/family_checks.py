"""What a family of vehicles outside of the tree may be called, its columns, and its row."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Any

from pyrfly import vehicles
from pyrfly.columns import (
    Field,
    column_names,
    is_attribute,
    other_meaning,
    part_with,
    vehicle_types,
)
from pyrfly.errors import ParameterError, brief
from pyrfly.files import printable
from pyrfly.headers import get_include
from pyrfly.plugins.table import types_of_families
from pyrfly.vehicles import FAMILIES, Abilities, Families, Family

__all__ = ["require_entries", "require_new_columns", "require_new_names"]


def require_new_names(name: str, types: Iterable[str], folder: Path) -> None:
    """Refuse a name of a family or of one of its types that stands for something else.

    Raises
    ------
    ParameterError
        The message names the folder and what has the name.
    """
    where = printable(folder)
    if iskeyword(name) or _is_of_a_sim(name):
        raise ParameterError(
            f"{where}: {name}: a Sim has something else of this name, or cannot have it; give the "
            "family another one"
        )
    module = f"{vehicles.__name__}.{name}"
    headers = (get_include() / "vehicles" / name).exists()
    if headers or hasattr(vehicles, name) or importlib.util.find_spec(module) is not None:
        raise ParameterError(
            f"{where}: {name}: pyrfly has a folder or module of this name; give the family another "
            "one"
        )
    for c_type in types:
        family = vehicle_types().get(c_type, {"family": name})["family"]
        if family != name:
            raise ParameterError(f"{where}: there is a type {c_type} already, of {family}")


def _is_of_a_sim(name: str) -> bool:
    classes = (Families, *Families.__subclasses__())
    return name in column_names() or any(hasattr(one, name) for one in classes)


_CALLED = ("build", "gains", "trim", "fastest_rate", "actuators", "commands")


def require_entries(family: Family[Any], where: str) -> None:
    """Refuse a row of the registry with an entry that fails where it is used first."""
    for entry in _CALLED:
        if not callable(value := getattr(family, entry)):
            raise ParameterError(
                f"{where}: {family}: {entry}: expected a function or class, got {brief(value)}"
            )
    if not isinstance(family.abilities, Abilities):
        raise ParameterError(
            f"{where}: {family}: abilities: expected Abilities, got {brief(family.abilities)}"
        )
    if not isinstance(family.sets, Path) or not family.sets.is_dir():
        raise ParameterError(
            f"{where}: {family}: sets: expected the Path of a folder, got {brief(family.sets)}"
        )


def require_new_columns(family: str, columns: Mapping[str, Iterable[Field]], folder: Path) -> None:
    """Refuse columns of types whose names stand for something else; docs/adding-a-vehicle.md."""
    known = types_of_families()
    for c_type, field in ((c_type, field) for c_type, own in columns.items() for field in own):
        where = f"{printable(folder)}: {c_type}: column {field.name}"
        if is_attribute(field.name) or field.name in (family, *FAMILIES):
            raise ParameterError(
                f"{where}: a Sim has something else of this name; give the column another one"
            )
        if part := part_with(field.name):
            raise ParameterError(f"{where}: {part} has a column of this name; give it another one")
        if other := other_meaning(field, known):
            raise ParameterError(
                f"{where}: expected {_meaning(other)}, as other vehicles have it, got "
                f"{_meaning(field)}; or give it another name"
            )


def _meaning(field: Field) -> str:
    frame = f", {field.frame}" if field.frame else ""
    return f"{field.role} [{field.unit}{frame}]"
