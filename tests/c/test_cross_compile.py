"""The core compiles without warnings for other processors and compilers."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from .test_c import runner

CSRC = Path(__file__).resolve().parents[2] / "csrc"
build_units = runner.build_module("units")


# Command, processor, and whether the objects are linked to a program as well.
COMPILERS = [
    ("aarch64-linux-gnu-gcc", "aarch64", False),
    ("clang-14", "", False),
    ("clang", "", False),
    ("x86_64-w64-mingw32-gcc", "AMD64", True),
    ("clang-14 --target=x86_64-w64-windows-gnu", "AMD64", False),
]

PROGRAM = """
#include "batch/batch.h"
int main(void)
{
    rf_batch_def def = rf_batch_default();
    rf_batch *batch = NULL;
    return rf_batch_create(&def, &batch) == RF_OK && rf_batch_step(batch, 10) == RF_OK ? 0 : 1;
}
"""


def is_alike(unit: Any) -> bool:
    """Return whether a unit differs from one that is optimized in its columns or numbers alone.

    It is read all the same. Of the kernels of a family those of its first type are optimized, in
    double precision; in single precision what all types call.
    """
    macros = dict(unit.macros)
    if "RF_FAMILY" not in macros:
        return False
    first = build_units.types(macros["RF_FAMILY"])[0]
    return macros["LANE_PRECISION"] == "32" or f"RF_KERNELS_OF_{first}" not in macros


@pytest.mark.slow
@pytest.mark.parametrize(("compiler", "machine", "links"), COMPILERS)
def test_core_compiles_without_warnings(
    compiler: str, machine: str, links: bool, tmp_path: Path
) -> None:
    program = compiler.split()
    needed = [program[0], *(["x86_64-w64-mingw32-gcc"] if "windows" in compiler else [])]
    for name in needed:  # clang takes the headers and libraries of MinGW
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
    flags = [*(CSRC / "cflags").read_text().split(), "-O1", "-Werror", f"-I{CSRC}"]

    def compile_unit(unit) -> Path:
        macros = [f"-D{name}={value}" for name, value in unit.macros]
        if not links and is_alike(unit):
            macros.append("-fsyntax-only")
        target = tmp_path / f"{unit.name.replace('/', '_')}.o"
        command = [*program, *flags, *macros, "-c", CSRC / unit.source, "-o", target]
        subprocess.run(command, check=True)
        return target

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_unit, runner.core_units(machine)))
    if links:
        source = tmp_path / "main.c"
        source.write_text(PROGRAM)
        out = tmp_path / "main.exe"
        subprocess.run([*program, *flags, source, *objects, "-o", out], check=True)
