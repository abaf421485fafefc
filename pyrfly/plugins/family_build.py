"""Compilation of families of vehicles outside of the tree: `compile_family`, `family_name`."""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from pyrfly.compilers import failed, require_compiler
from pyrfly.errors import Error, ParameterError, brief
from pyrfly.files import printable
from pyrfly.headers import get_include
from pyrfly.plugins.importing import import_file
from pyrfly.plugins.table import WORD

__all__ = ["TYPES", "compile_family", "family_name", "types_of"]

TYPES = "types.inc"
"""The file that makes a folder one of a family: its types."""

_FAMILY = re.compile(r"^#define TYPE_FAMILY +(\S+)", re.MULTILINE)


@cache
def _of_the_build(name: str) -> Any:
    """Return a module beside the headers, by which the core itself is built."""
    return import_file(f"_pyrfly_{name}", get_include() / f"{name}.py")


def family_name(folder: Path) -> str:
    """Return the name of the family of a folder, which its types name.

    Raises
    ------
    ParameterError
        There is no ``types.inc``, or it names none or several.
    """
    file = folder / TYPES
    try:
        named = set(_FAMILY.findall(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error.reason
        raise ParameterError(f"{printable(file)}: expected types of vehicles: {reason}") from None
    name = named.pop() if len(named) == 1 else ""
    if not WORD.fullmatch(name):
        raise ParameterError(
            f"{printable(file)}: expected one TYPE_FAMILY, a word of a-z, 0-9 and _, got "
            f"{brief(name) if name else ', '.join(sorted(named)) or 'none'}"
        )
    return name


def types_of(folder: Path) -> list[str]:
    """Return the types of vehicles of a family, by their names in its types."""
    found: list[str] = _of_the_build("units").types_in(folder / TYPES)
    return found


def compile_family(folder: Path, *, base_only: bool = False) -> Path:
    """Compile the kernels of a family where something has changed; return their library.

    Parameters
    ----------
    folder : Path
        The folder with ``types.inc``. Objects are kept in ``build`` of it.
    base_only : bool
        Only kernels of the base instruction set: a fifth of the time, slow to fly.

    Raises
    ------
    ParameterError
        As of `family_name`.
    Error
        There is no compiler, or it fails; the message has what it says first.
    """
    name = family_name(folder)
    build = folder.absolute() / "build"
    units, compiling = _of_the_build("units"), _of_the_build("compiling")
    sets = ["base"] if base_only else units.instruction_sets(platform.machine())
    compiler = require_compiler(windows=False)
    options = [*_options(units), f"-I{get_include()}", f"-I{_beside(folder, name, build)}"]
    jobs = []
    for unit in units.plugin_units(name, folder / TYPES, sets):
        macros = [f"-D{macro}={value}" for macro, value in unit.macros]
        source = str(get_include() / unit.source)
        command = (*compiler, *options, *macros, "-c", source)
        jobs.append(compiling.Job(build / f"{unit.name}.o", command))
    with _locked(build):
        try:
            objects = compiling.compile_objects(jobs, stderr=subprocess.PIPE)
            return _linked(compiler, objects, build / f"{name}.so")
        except subprocess.CalledProcessError as error:
            raise failed(compiler, error.stderr) from None
        except OSError as error:
            raise Error(f"{printable(build)}: {error.strerror}") from None


def _options(units: Any) -> list[str]:
    shared = (get_include() / "cflags").read_text(encoding="utf-8").split()
    return [*shared, *units.OPTIMIZATION, "-g0", "-fPIC"]


def _beside(folder: Path, name: str, build: Path) -> Path:
    """Return a folder in which the family is where its files expect it: vehicles/<name>."""
    link = build / "include" / "vehicles" / name
    try:
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.exists():
            target = os.path.relpath(folder.absolute(), link.parent)
            link.symlink_to(target, target_is_directory=True)
    except OSError as error:
        raise Error(f"{printable(link)}: cannot be made: {error.strerror}") from None
    return build / "include"


@contextmanager
def _locked(build: Path) -> Iterator[None]:
    """Keep other processes out of a folder of objects, unless none can write there."""
    import fcntl  # which Windows has not

    with ExitStack() as opened:
        with suppress(OSError):  # of a folder that is only read
            fcntl.flock(opened.enter_context((build / ".lock").open("w")), fcntl.LOCK_EX)
        yield


def _linked(compiler: list[str], objects: list[Path], library: Path) -> Path:
    """Link objects unless the library is of them and newer."""
    command = [*compiler, "-shared", "-o", str(library.with_suffix(".new")), *map(str, objects)]
    record, words = library.with_suffix(".command"), shlex.join(command)
    newest = max(path.stat().st_mtime_ns for path in objects)
    current = library.is_file() and library.stat().st_mtime_ns > newest
    if current and record.is_file() and record.read_text(encoding="utf-8") == words:
        return library
    subprocess.run(command, check=True, stderr=subprocess.PIPE)
    library.with_suffix(".new").replace(library)
    record.write_text(words, encoding="utf-8")
    return library
