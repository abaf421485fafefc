"""Translation units of the core: their sources and macros.

The kernels are compiled once per family of vehicles, instruction set and precision, what all
families share once per instruction set and precision: the units are small and compiled in
parallel, and a new family or part needs no entry here. setup.py and tests/c/run.py
build the result of `units`.
"""

from __future__ import annotations

import platform
import re
from pathlib import Path
from typing import NamedTuple

CSRC = Path(__file__).parent

PER_FAMILY = "batch/kernels.c"
PER_SET = (
    "batch/env_kernels.c",
    "batch/peak.c",
    *sorted(path.relative_to(CSRC).as_posix() for path in CSRC.glob("parts/*/update.c")),
)


class Unit(NamedTuple):
    """One object file: its name, its source below this folder, the macros to define."""

    name: str
    source: str
    macros: tuple[tuple[str, str], ...] = ()


def families() -> list[str]:
    """Return the families of vehicles/types.inc, in its order."""
    lines = (CSRC / "vehicles" / "types.inc").read_text(encoding="utf-8")
    return re.findall(r'^#include "vehicles/(\w+)/types.inc"', lines, re.MULTILINE)


def instruction_sets(machine: str) -> list[str]:
    """Return the instruction sets of kernels for a processor; base/sets.h describes them."""
    return ["base", "avx2", "avx512"] if machine.lower() in ("x86_64", "amd64") else ["base"]


def units(python: bool, machine: str = "", base_only: bool = False) -> list[Unit]:
    """Return the translation units, those with the longest compilation first.

    Parameters
    ----------
    python : bool
        Include those of the extension module.
    machine : str
        Processor architecture, by default that of this machine.
    base_only : bool
        Only the base instruction set, for a quick build.
    """
    macros = (("RF_BASE_ONLY", "1"),) if base_only else ()
    sets = ["base"] if base_only else instruction_sets(machine or platform.machine())
    found = []
    for family in [*families(), ""]:
        for set_name in reversed(sets):
            for bits in ("64", "32"):
                chosen = (("RF_SET", set_name), ("LANE_PRECISION", bits))
                own = (("RF_FAMILY", family),) if family else ()
                for source in (PER_FAMILY,) if family else PER_SET:
                    stem = "_".join(filter(None, (source.removesuffix(".c"), family)))
                    name = f"{stem}_{set_name}_f{bits}"
                    found.append(Unit(name, source, (*own, *chosen, *macros)))
    for path in sorted(CSRC.rglob("*.c")):
        source = path.relative_to(CSRC).as_posix()
        if source not in (PER_FAMILY, *PER_SET) and (python or not source.startswith("python/")):
            found.append(Unit(source.removesuffix(".c"), source, macros))
    return found
