"""The core compiles without warnings for other processors and compilers than the one at hand."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .test_c import runner

CSRC = Path(__file__).resolve().parents[2] / "csrc"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("compiler", "machine"),
    [("aarch64-linux-gnu-gcc", "aarch64"), ("clang-14", ""), ("clang", "")],
)
def test_core_compiles_without_warnings(compiler: str, machine: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    flags = [*(CSRC / "cflags").read_text().split(), "-O1", "-Werror", f"-I{CSRC}"]

    def compile_unit(unit) -> None:
        macros = [f"-D{name}={value}" for name, value in unit.macros]
        target = tmp_path / f"{unit.name.replace('/', '_')}.o"
        command = [compiler, *flags, *macros, "-c", CSRC / unit.source, "-o", target]
        subprocess.run(command, check=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_unit, runner.core_units(machine)))
