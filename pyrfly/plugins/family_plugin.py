"""Families of vehicles outside of the tree: `load_family`."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from traceback import extract_tb
from typing import Any, NamedTuple

from pyrfly import _core, vehicles
from pyrfly.columns import Field, learn_types
from pyrfly.errors import Error, ParameterError, brief
from pyrfly.files import path_of, printable
from pyrfly.plugins.family_build import compile_family, family_name, types_of
from pyrfly.plugins.family_checks import require_entries, require_new_columns, require_new_names
from pyrfly.plugins.importing import forget, import_file
from pyrfly.plugins.library import Copy
from pyrfly.vehicles import FAMILIES, Family, add_to_registry
from pyrfly.vehicles.family import CommandsOf
from pyrfly.vehicles.sets import require_new_sets

__all__ = ["load_families", "load_family"]

_FUNCTIONS = ("rf_plugin_headers", "rf_plugin_entry")


class _Loaded(NamedTuple):
    """What a family was loaded of, and what keeps its library in memory."""

    folder: Path
    digest: bytes
    copy: Copy


_LOADED: dict[str, _Loaded] = {}
"""By family, as long as the process."""


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
    path = path_of("folder", folder)
    name = family_name(path)
    if name in FAMILIES and name not in _LOADED:
        raise ParameterError(f"{printable(path)}: there is a family {name} already")
    if name in FAMILIES:
        _add_types(name, path, compile_family(path, base_only=base_only))
        return FAMILIES[name]
    types = types_of(path)
    require_new_names(name, types, path)
    require_new_sets(name, sorted(path.glob("sets/[!_]*.toml")))
    commands = _commands(name, path, types)
    try:
        _add_types(name, path, compile_family(path, base_only=base_only))
        commands = commands or _commands(name, path, ())
        assert commands is not None
        require_new_sets(name, commands.family.set_files())
    except BaseException:
        forget(_module(name))
        raise
    setattr(vehicles, name, sys.modules[_module(name)])
    add_to_registry(commands)
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
        load_family(Path(folder).expanduser())


def _add_types(name: str, path: Path, library: Path) -> None:
    """Add the types of a library to the core, once."""
    digest = hashlib.sha256(library.read_bytes()).digest()
    if name in _LOADED:
        if _LOADED[name].digest != digest:
            raise Error(
                f"{printable(path)}: the family {name} has changed since this process loaded it of "
                f"{printable(_LOADED[name].folder)}; start another one"
            )
        return
    try:
        copy = Copy(library)
    except ParameterError as error:
        raise ParameterError(
            f"{error}; if it is of another system, remove the folder build"
        ) from None
    functions = [copy.address(function) for function in _FUNCTIONS]
    try:
        columns = _core.plugin_columns(*functions)
    except ValueError as error:
        raise ParameterError(f"{printable(library)}: {error}") from None
    fields = {c_type: [Field(*row) for row in rows] for c_type, rows in columns.items()}
    require_new_columns(name, fields, path)
    try:
        _core.add_plugin(*functions)
    except ValueError as error:
        raise ParameterError(f"{printable(library)}: {error}") from None
    _LOADED[name] = _Loaded(path, digest, copy)
    learn_types()


def _module(name: str) -> str:
    """Return the name of the Python package of a family: as of one of pyrfly's."""
    return f"{vehicles.__name__}.{name}"


def _commands(name: str, path: Path, unknown: Iterable[str]) -> CommandsOf[Any] | None:
    """Import the Python package of a family; return its commands.

    It is imported before minutes of compilation. A package that asks for one of its types at once,
    all of which are unknown then, gives none: it is imported again.
    """
    file = path.absolute() / "__init__.py"
    if not file.is_file():
        raise ParameterError(f"{printable(path)}: expected __init__.py with COMMANDS, got none")
    try:
        module = import_file(_module(name), file)
    except Exception as error:
        if isinstance(error, KeyError) and error.args and error.args[0] in unknown:
            return None
        raise ParameterError(
            f"{printable(path)}: the family {name} cannot be imported: {_place(error, path)}"
            f"{type(error).__name__}: {error}"
        ) from error
    commands = getattr(module, "COMMANDS", None)
    if not isinstance(commands, CommandsOf) or commands.family.name != name:
        forget(_module(name))
        got = f"those of {commands.family}" if isinstance(commands, CommandsOf) else brief(commands)
        raise ParameterError(
            f"{printable(file)}: expected COMMANDS, those of <Family {name}>, got {got}"
        )
    try:
        require_entries(commands.family, printable(file))
    except ParameterError:
        forget(_module(name))
        raise
    return commands


def _place(error: Exception, path: Path) -> str:
    """Return the line of a package where an error was raised."""
    frames = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        frames.append((str(error.filename), error.lineno))
    inside = [place for place in frames if Path(place[0]).is_relative_to(path.absolute())]
    return "".join(f"{Path(file).name}:{line}: " for file, line in inside[-1:])
