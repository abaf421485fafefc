"""Translation units of the core: their sources and macros.

Kernels are compiled once per type of vehicles, instruction set and precision, those of its
controllers apart from those of its model; what all types share once per instruction set and
precision, rays once per instruction set. So units are small and compiled in parallel, a change
compiles few of them, and a new family or part needs no entry here. setup.py and tests/c/run.py
build the result of `units`.
"""

from __future__ import annotations

import platform
import re
from pathlib import Path
from typing import NamedTuple

CSRC = Path(__file__).parent

PER_TYPE = ("batch/kernels.c", "batch/control_kernels.c")
PER_SET = (
    "batch/env_kernels.c",
    "batch/peak.c",
    "control/desaturation.c",
    "parts/collision/watch.c",
    *sorted(
        path.relative_to(CSRC).as_posix()
        for pattern in ("parts/*/update.c", "vehicles/*/guide.c")
        for path in CSRC.glob(pattern)
    ),
)
PER_SET_SINGLE = ("scene/rays.c",)
PER_SET_DOUBLE = ("vehicles/own_model/blocks.c",)


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


def types(family: str) -> list[str]:
    """Return the types of a family, in the order of its types.inc."""
    lines = (CSRC / "vehicles" / family / "types.inc").read_text(encoding="utf-8")
    return re.findall(r"^#define TYPE +(\w+)", lines, re.MULTILINE)


def instruction_sets(machine: str) -> list[str]:
    """Return the instruction sets of kernels for a processor; base/sets.h describes them."""
    return ["base", "avx2", "avx512"] if machine.lower() in ("x86_64", "amd64") else ["base"]


def _kernels(sets: list[str]) -> list[Unit]:
    """Return the units of kernels; within an instruction set the longest compilations first."""
    found = []
    for set_name in reversed(sets):
        for bits in ("64", "32"):
            chosen = (("RF_SET", set_name), ("LANE_PRECISION", bits))
            ending = f"{set_name}_f{bits}"
            added = families("added.inc") if set_name == "base" else []
            for family in (*families(), *added):
                for type_name in reversed(types(family)):
                    own = (("RF_FAMILY", family), (f"RF_KERNELS_OF_{type_name}", "1"))
                    for source in PER_TYPE:
                        stem = source.removesuffix(".c")
                        found.append(Unit(f"{stem}_{type_name}_{ending}", source, (*own, *chosen)))
            shared = (*PER_SET, *(PER_SET_DOUBLE if bits == "64" else PER_SET_SINGLE))
            found += [Unit(f"{s.removesuffix('.c')}_{ending}", s, chosen) for s in shared]
    return found


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
        kernel = source in (*PER_TYPE, *PER_SET, *PER_SET_SINGLE, *PER_SET_DOUBLE)
        if not kernel and (python or not source.startswith("python/")):
            name, macros = source.removesuffix(".c"), ()
            if base_only and source == "batch/simd.c":  # the table of those that there are
                name, macros = f"{name}_base_only", (("RF_BASE_ONLY", "1"),)
            found.append(Unit(name, source, macros))
    return found + _kernels(sets)
