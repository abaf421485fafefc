"""Compilation of families of vehicles outside of the tree: `compile_family`, `family_name`."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

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
    except (OSError, ValueError) as error:  # with a null character, or not of UTF-8
        reason = error.strerror if isinstance(error, OSError) else error
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

    Where nothing has, no compiler is needed. A compilation is told on stderr.

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
    name, build = family_name(folder), folder.resolve() / "build"
    try:
        build.mkdir(exist_ok=True)
        with _locked(build):
            include = _beside(folder.resolve(), name, build)
            return folder / "build" / _compiled(folder, name, include, base_only).name
    except subprocess.CalledProcessError as error:
        copies = os.fsencode(build / "include" / "vehicles" / name)
        said = error.stderr.replace(copies, os.fsencode(folder))
        raise failed([error.cmd[0]], said) from None
    except OSError as error:
        raise Error(
            f"{printable(build)}: the family {name} has changed or is new, and cannot be compiled "
            f"here: {error.strerror}"
        ) from None


class _Made(NamedTuple):
    """What a library was made for, by and of: a line each in a file beside it."""

    platform: str
    compiler: str
    objects: str
    digest: str

    @classmethod
    def read(cls, library: Path) -> _Made:
        """Return that of a library, empty lines where there is none."""
        try:
            lines = library.with_suffix(".made").read_text(encoding="utf-8").split("\n")
            return cls(*lines)
        except (OSError, UnicodeDecodeError, TypeError):
            return cls("", "", "", "")

    @classmethod
    def of(cls, library: Path, compiler: Sequence[str], objects: Sequence[Path]) -> _Made:
        """Return that of a library as it is now, made here of objects."""
        digest = hashlib.sha256(library.read_bytes()).hexdigest() if library.is_file() else "none"
        names = shlex.join(map(str, objects))
        return cls(sysconfig.get_platform(), shlex.join(compiler), names, digest)


def _compiled(folder: Path, name: str, include: Path, base_only: bool) -> Path:
    """Return the library, compiled unless it is what the present sources and compiler make."""
    library, compiling = include.parent / f"{name}.so", _of_the_build("compiling")
    made = _Made.read(library)

    def is_current() -> bool:
        expected = _Made.of(library, compiler, [job.target for job in jobs])
        return made == expected and all(map(compiling.is_current, jobs))

    try:
        compiler, lacking = require_compiler(windows=False), None
    except Error as error:
        compiler, lacking = shlex.split(made.compiler), error
    jobs = _jobs(folder, name, include, compiler, base_only)
    if is_current():
        return library
    if lacking is not None:
        raise lacking
    where = printable(folder)
    print(f"pyrfly: compiling the family {name} of {where}, a minute or less", file=sys.stderr)
    record = library.with_suffix(".made")
    record.unlink(missing_ok=True)
    if made.platform != sysconfig.get_platform():
        for job in jobs:
            job.record.unlink(missing_ok=True)
    objects = compiling.compile_objects(jobs, stderr=subprocess.PIPE)
    _link(compiler, objects, library)
    record.write_text("\n".join(_Made.of(library, compiler, objects)), encoding="utf-8")
    return library


def _jobs(
    folder: Path, name: str, include: Path, compiler: Sequence[str], base_only: bool
) -> list[Any]:
    """Return the objects of a family, and how each is compiled."""
    units, compiling = _of_the_build("units"), _of_the_build("compiling")
    sets = ["base"] if base_only else units.instruction_sets(platform.machine())
    options = [*_options(units), f"-I{get_include()}", f"-I{include}"]
    jobs = []
    for unit in units.plugin_units(name, folder / TYPES, sets):
        macros = [f"-D{macro}={value}" for macro, value in unit.macros]
        source = str(get_include() / unit.source)
        command = (*compiler, *options, *macros, "-c", source)
        jobs.append(compiling.Job(include.parent / f"{unit.name}.o", command))
    return jobs


def _options(units: Any) -> list[str]:
    shared = (get_include() / "cflags").read_text(encoding="utf-8").split()
    # Without the last one a misspelt function is told by what the compiler makes of its result.
    return [*shared, *units.OPTIMIZATION, "-g0", "-fPIC", "-Werror=implicit-function-declaration"]


_NOT_C = ("build", "sets", "__pycache__")


def _beside(folder: Path, name: str, build: Path) -> Path:
    """Return a folder in which the family is where its files expect it: vehicles/<name>.

    It has links to what is in the folder, and not to the folder itself, which has it within.
    """
    links = build / "include" / "vehicles" / name
    if links.is_symlink():
        links.unlink()
    links.mkdir(parents=True, exist_ok=True)
    own = {path.name: Path(os.path.relpath(path, links)) for path in folder.iterdir()}
    own = {word: path for word, path in own.items() if word not in _NOT_C and word[0] != "."}
    for link in links.iterdir():
        if link.is_dir() and not link.is_symlink():
            shutil.rmtree(link)  # as a copy of a folder has it, whose links were followed
        elif not link.is_symlink() or link.readlink() != own.get(link.name):
            link.unlink()
    for word, path in own.items():
        if not (links / word).is_symlink():
            (links / word).symlink_to(path)
    return build / "include"


@contextmanager
def _locked(build: Path) -> Iterator[None]:
    """Keep other processes out of a folder of objects, unless none can write there."""
    import fcntl  # which Windows has not

    with ExitStack() as opened:
        with suppress(OSError):  # of a folder that is only read
            fcntl.flock(opened.enter_context((build / ".lock").open("w")), fcntl.LOCK_EX)
        yield


def _link(compiler: Sequence[str], objects: Sequence[Path], library: Path) -> None:
    fresh = library.with_suffix(".new")
    command = [*compiler, "-shared", "-o", str(fresh), *map(str, objects)]
    try:
        subprocess.run(command, check=True, stderr=subprocess.PIPE)
    except subprocess.CalledProcessError as error:
        error.stderr += b" (error of the linker: if objects are damaged, remove the folder build)"
        raise
    fresh.replace(library)
