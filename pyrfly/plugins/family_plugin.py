"""Families of vehicles outside of the tree: `load_family`."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from pyrfly import _core, vehicles
from pyrfly.columns import fields_of_type, is_attribute, learn_types
from pyrfly.errors import Error, ParameterError
from pyrfly.files import printable
from pyrfly.plugins.family_build import compile_family, family_name
from pyrfly.plugins.importing import import_file
from pyrfly.plugins.library import Copy
from pyrfly.vehicles import FAMILIES, Family, add_to_registry
from pyrfly.vehicles.family import CommandsOf

__all__ = ["load_families", "load_family"]

_FUNCTIONS = ("rf_plugin_headers", "rf_plugin_entry")

_LOADED: dict[str, tuple[bytes, Copy]] = {}
"""By family, the digest of its library, and what keeps that in memory, as long as the process."""


def load_family(folder: str | os.PathLike[str], *, base_only: bool = False) -> Family[Any]:
    """Compile a family of vehicles where it has changed, and add it to those of pyrfly.

    Its parameter sets, commands and types are then as those of the packaged families: for
    `pyrfly.Sim`, `pyrfly.load`, and all that asks the registry. Native code and Python of the
    folder can do all that this process can: load what you trust.

    Parameters
    ----------
    folder : str or os.PathLike
        A folder with the C files and the Python package of a family, as docs/adding-a-vehicle.md
        describes both. Objects are kept in ``build`` of it.
    base_only : bool
        Only kernels of the base instruction set: a fifth of the time to compile, slow to fly.

    Returns
    -------
    Family
        The family; the same again where it has been loaded before.

    Raises
    ------
    ParameterError
        The folder has no family, or one whose name, types, sets or attribute there are already.
    Error
        It cannot be compiled, or has changed since this process loaded it.

    Examples
    --------
    >>> from pyrfly import plugins
    >>> plugins.load_family("no_such_folder")
    Traceback (most recent call last):
        ...
    pyrfly.errors.ParameterError: no_such_folder/types.inc: expected types of vehicles: No such
    file or directory
    """
    path = Path(folder)
    name = family_name(path)
    if name in FAMILIES and name not in _LOADED:
        raise ParameterError(f"{printable(path)}: there is a family {name} already")
    _add_types(name, path, compile_family(path, base_only=base_only))
    if name not in FAMILIES:
        commands = _commands(name, path)
        try:
            add_to_registry(commands)
        except ValueError as error:
            raise ParameterError(f"{printable(path)}: {error}") from None
    return FAMILIES[name]


def load_families(folders: str) -> None:
    """Load the families of some folders, separated as those of ``PATH`` are.

    An import of pyrfly does so with those of the environment variable ``PYRFLY_FAMILIES``: then
    programs have them, too, and processes that this one starts.

    Raises
    ------
    ParameterError, Error
        As of `load_family`.
    """
    for folder in filter(None, folders.split(os.pathsep)):
        load_family(folder)


def _add_types(name: str, path: Path, library: Path) -> None:
    """Add the types of a library to the core, once."""
    digest = hashlib.sha256(library.read_bytes()).digest()
    if name in _LOADED:
        if _LOADED[name][0] != digest:
            raise Error(
                f"{printable(path)}: the family has changed since this process loaded it; start "
                "another one"
            )
        return
    copy = Copy(library)
    try:
        types = _core.add_plugin(*map(copy.address, _FUNCTIONS))
    except ValueError as error:
        raise ParameterError(f"{printable(library)}: {error}") from None
    _LOADED[name] = digest, copy
    learn_types()
    for field in (field for c_type in types for field in fields_of_type(c_type)):
        if is_attribute(field.name):
            raise ParameterError(
                f"{printable(path)}: {field.name}: a Sim has this attribute; give the column "
                "another name"
            )


def _commands(name: str, path: Path) -> CommandsOf[Any]:
    """Import the Python package of a family, as one of pyrfly's; return its commands."""
    file = path.absolute() / "__init__.py"
    if not file.is_file():
        raise ParameterError(f"{printable(path)}: expected __init__.py with COMMANDS, got none")
    module = import_file(f"{vehicles.__name__}.{name}", file)
    commands = getattr(module, "COMMANDS", None)
    if not isinstance(commands, CommandsOf) or commands.family.name != name:
        raise ParameterError(
            f"{printable(file)}: expected COMMANDS, those of the family {name}, got {commands!r}"
        )
    setattr(vehicles, name, module)
    return commands
