"""Translation units of the core: their sources and macros.

Kernels are compiled once per type of vehicles, instruction set and precision, those of its
controllers apart from those of its model; what all types share once per instruction set and
precision, rays once per instruction set. So units are small and compiled in parallel, a change
compiles few of them, and a new family or part needs no entry here. setup.py and tests/c/run.py
build the result of `units`.
"""

from __future__ import annotations

import hashlib
import platform
import re
from pathlib import Path
from typing import NamedTuple

CSRC = Path(__file__).parent

PER_TYPE = ("batch/kernels.c", "batch/control_kernels.c")
CALLED = (
    "control/desaturation.c",
    *sorted(
        path.relative_to(CSRC).as_posix()
        for pattern in ("parts/*/update.c", "vehicles/*/guide.c")
        for path in CSRC.glob(pattern)
    ),
)
"""What kernels of all types call."""

PER_SET = ("batch/env_kernels.c", "batch/peak.c", "parts/collision/watch.c", *CALLED)
PER_SET_SINGLE = ("scene/rays.c",)
PER_SET_DOUBLE = ("vehicles/own_model/blocks.c",)


PLUGIN = "batch/plugin.c"
"""What a family outside of the tree has besides its kernels, and the core has not."""

OPTIMIZATION = ("-O2", "-fpeel-loops", "-fno-tree-vectorize", "-Wno-ignored-optimization-argument")
"""Lanes are vectors already; of what -O3 adds, kernels are faster with unrolled loops alone."""


class Unit(NamedTuple):
    """One object file: its name, its source below this folder, the macros to define.

    The same name has the same source and macros in every build.
    """

    name: str
    source: str
    macros: tuple[tuple[str, str], ...] = ()


def families(of: str = "types.inc") -> list[str]:
    """Return the families of a list of csrc/vehicles, in its order."""
    lines = (CSRC / "vehicles" / of).read_text(encoding="utf-8")
    return re.findall(r'^#include "vehicles/(\w+)/types.inc"', lines, re.MULTILINE)


def types_in(file: Path) -> list[str]:
    """Return the types of a types.inc, in its order."""
    return re.findall(r"^#define TYPE +(\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)


def types(family: str) -> list[str]:
    """Return the types of a family of the tree."""
    return types_in(CSRC / "vehicles" / family / "types.inc")


def instruction_sets(machine: str) -> list[str]:
    """Return the instruction sets of kernels for a processor; base/sets.h describes them."""
    return ["base", "avx2", "avx512"] if machine.lower() in ("x86_64", "amd64") else ["base"]


def _of_set(
    set_name: str, bits: str, families_of: dict[str, list[str]], shared: tuple[str, ...]
) -> list[Unit]:
    """Return the units of kernels of types by family, the longest compilations first."""
    found = []
    chosen, ending = (("RF_SET", set_name), ("LANE_PRECISION", bits)), f"{set_name}_f{bits}"
    for family, type_names in families_of.items():
        for type_name in reversed(type_names):
            own = (("RF_FAMILY", family), (f"RF_KERNELS_OF_{type_name}", "1"))
            for source in PER_TYPE:
                stem = source.removesuffix(".c")
                found.append(Unit(f"{stem}_{type_name}_{ending}", source, (*own, *chosen)))
    return found + [Unit(f"{s.removesuffix('.c')}_{ending}", s, chosen) for s in shared]


def _kernels(sets: list[str]) -> list[Unit]:
    """Return the units of all kernels."""
    found = []
    for set_name in reversed(sets):
        listed = [*families(), *(families("added.inc") if set_name == "base" else [])]
        families_of = {family: types(family) for family in listed}
        for bits, own in (("64", PER_SET_DOUBLE), ("32", PER_SET_SINGLE)):
            found += _of_set(set_name, bits, families_of, (*PER_SET, *own))
    return found


def plugin_units(family: str, types_file: Path, sets: list[str]) -> list[Unit]:
    """Return the units of the library of a family outside of the tree, of all its kernels.

    All have the digest of the headers among their macros: those of another version of pyrfly may be
    older than an object, and are not what it was made of.
    """
    families_of = {family: types_in(types_file)}
    wide = (("RF_WIDE_SETS", "1"),) if len(sets) > 1 else ()
    found = [Unit(PLUGIN.removesuffix(".c"), PLUGIN, (("RF_FAMILY", family), *wide))]
    for set_name in reversed(sets):
        for bits in ("64", "32"):
            found += _of_set(set_name, bits, families_of, CALLED)
    headers = ("RF_HEADERS", f'"{digest()}"')
    return [unit._replace(macros=(*unit.macros, headers)) for unit in found]


def shipped() -> list[str]:
    """Return the files of this folder that an installed package has, by their paths below it.

    Those are the headers, what they declare of vehicles (`pyrfly export-model` makes sources of
    it), and what families outside of the tree are compiled of, and by.
    """
    compiled = {*PER_TYPE, *CALLED, PLUGIN, "cflags", "units.py", "compiling.py"}

    def is_shipped(name: str) -> bool:
        path = CSRC / name
        of_vehicles = name.startswith(("math/", "models/", "control/", "parts/", "vehicles/"))
        declared = path.suffix == ".c" and of_vehicles and path.with_suffix(".h").exists()
        return path.suffix in (".h", ".inc") or declared or name in compiled

    names = (path.relative_to(CSRC).as_posix() for path in CSRC.rglob("*"))
    return sorted(filter(is_shipped, names))


def digest() -> str:
    """Return a digest of all that a family outside of the tree is compiled of, and by."""
    whole = hashlib.sha256()
    for name in shipped():
        whole.update(name.encode() + b"\0" + (CSRC / name).read_bytes())
    return whole.hexdigest()


def units(python: bool, machine: str = "", base_only: bool = False) -> list[Unit]:
    """Return the translation units: those that check sizes and layouts first, then the kernels.

    Parameters
    ----------
    python : bool
        Include those of the extension module.
    machine : str
        Processor architecture, by default that of this machine.
    base_only : bool
        Only the base instruction set, for a quick build.
    """
    sets = ["base"] if base_only else instruction_sets(machine or platform.machine())
    found = []
    macros: tuple[tuple[str, str], ...]
    for path in sorted(CSRC.rglob("*.c")):
        source = path.relative_to(CSRC).as_posix()
        kernel = source in (*PER_TYPE, *PER_SET, *PER_SET_SINGLE, *PER_SET_DOUBLE, PLUGIN)
        if not kernel and (python or not source.startswith("python/")):
            name, macros = source.removesuffix(".c"), ()
            if base_only and source == "batch/simd.c":  # the table of those that there are
                name, macros = f"{name}_base_only", (("RF_BASE_ONLY", "1"),)
            if source == "python/plugin.c":
                macros = (("RF_HEADERS", f'"{digest()}"'),)
            found.append(Unit(name, source, macros))
    return found + _kernels(sets)
