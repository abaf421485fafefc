"""The translation units of the core: which source is compiled how often, and with which macros.

A kernel is compiled once per family of vehicles, instruction set and precision: the units are small
and built side by side, and a new family adds its own without a list to extend. setup.py and
tests/c/run.py build what `units` returns.
"""

from __future__ import annotations

import platform
import re
from pathlib import Path
from typing import NamedTuple

CSRC = Path(__file__).parent

PER_FAMILY = "batch/kernels.c"
PER_SET = "batch/peak.c"


class Unit(NamedTuple):
    """One object file: its name, the source below this folder, the macros to define."""

    name: str
    source: str
    macros: tuple[tuple[str, str], ...] = ()


def families() -> list[str]:
    """Return the families of vehicles/types.inc, in its order."""
    lines = (CSRC / "vehicles" / "types.inc").read_text(encoding="utf-8")
    return re.findall(r'^#include "vehicles/(\w+)/types.inc"', lines, re.MULTILINE)


def instruction_sets(machine: str) -> list[str]:
    """Return the sets that a processor of this kind may have; batch/sets.h describes them."""
    return ["base", "avx2", "avx512"] if machine.lower() in ("x86_64", "amd64") else ["base"]


def units(python: bool, machine: str = "", base_only: bool = False) -> list[Unit]:
    """Return what to compile, the longest first.

    Parameters
    ----------
    python : bool
        Whether the extension module is part of it.
    machine : str
        Kind of processor, by default this one's.
    base_only : bool
        Leave out all instruction sets but the base one: a quick build.
    """
    macros = (("RF_BASE_ONLY", "1"),) if base_only else ()
    sets = ["base"] if base_only else instruction_sets(machine or platform.machine())
    found = []
    for family in [*families(), ""]:
        for set_name in reversed(sets):
            for bits in ("64", "32"):
                chosen = (("RF_SET", set_name), ("LANE_PRECISION", bits))
                source, stem = (PER_FAMILY, f"kernels_{family}") if family else (PER_SET, "peak")
                own = (("RF_FAMILY", family),) if family else ()
                found.append(Unit(f"{stem}_{set_name}_f{bits}", source, (*own, *chosen, *macros)))
    for path in sorted(CSRC.rglob("*.c")):
        source = path.relative_to(CSRC).as_posix()
        if source not in (PER_FAMILY, PER_SET) and (python or not source.startswith("python/")):
            found.append(Unit(source.removesuffix(".c"), source, macros))
    return found
