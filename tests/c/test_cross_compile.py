"""The core compiles without warnings for other processors and compilers than the one at hand."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(p for p in (ROOT / "csrc").rglob("*.c") if p.parent.name != "python")


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["aarch64-linux-gnu-gcc", "clang-14", "clang"])
def test_core_compiles_without_warnings(compiler, tmp_path):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    flags = (ROOT / "csrc" / "cflags").read_text().split()
    for source in SOURCES:
        subprocess.run(
            [
                compiler,
                *flags,
                "-Werror",
                f"-I{ROOT / 'csrc'}",
                "-c",
                source,
                "-o",
                tmp_path / "x.o",
            ],
            check=True,
        )
