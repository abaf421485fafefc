"""Models in libraries, compiled from the sources of the folder `models`."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pyrfly import get_include

SOURCES = Path(__file__).parent / "models"

Build = Callable[[str], Path]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Return a function that compiles a source of `models` and returns the library."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if os.name == "nt" or not shutil.which(compiler[0]):
        pytest.skip("there is no C compiler for models")
    folder = tmp_path_factory.mktemp("a folder with spaces")

    def library(name: str) -> Path:
        made = folder / f"{name}.so"
        if not made.exists():
            source = SOURCES / f"{name}.c"
            flags = ["-shared", "-fPIC", "-O1", f"-I{get_include()}"]
            flags += ["-o", os.fspath(made), os.fspath(source), "-lm"]
            subprocess.run([*compiler, *flags], check=True)
        return made

    return library
