"""GNU Octave, which runs pyrfly/matlab where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import pyrfly

FOLDER = Path(pyrfly.__file__).parent / "matlab"

Octave = Callable[..., str]


@pytest.fixture(scope="session")
def octave_command() -> list[str]:
    """Return the command of Octave with the folder on its path."""
    program = shutil.which("octave-cli") or shutil.which("octave")
    if program is None:
        pytest.skip("GNU Octave is not installed (Debian: octave octave-sockets)")
    return [program, "--norc", "--no-gui", "--path", str(FOLDER), "--eval"]


@pytest.fixture(scope="session")
def octave(octave_command: list[str]) -> Octave:
    """Return a function that runs a program and returns what it prints."""

    def run(program: str) -> str:
        done = subprocess.run(
            [*octave_command, program], capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def octave_sockets(octave_command: list[str]) -> list[str]:
    """Return the command of an Octave that has the package sockets."""
    done = subprocess.run(
        [*octave_command, "pkg load sockets"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("Octave has no package sockets (Debian: octave-sockets)")
    return octave_command
