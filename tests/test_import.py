"""``import pyrfly`` where it cannot work says what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "pyrfly"


def failed(*arguments: str, **options: object) -> list[str]:
    """Run Python and return the lines on standard error of its failure."""
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 1
    return done.stderr.strip().splitlines()


@pytest.mark.parametrize(
    "arguments", [("-c", "import pyrfly"), ("-m", "pyrfly.rflysim.stepped", "script.py")]
)
def test_in_sources_without_a_core_three_lines_say_what_to_do(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "pyrfly", ignore=ignored)
    lines = failed(*arguments, cwd=tmp_path, env={**os.environ, "PYTHONPATH": ""})
    assert lines[-3].endswith(
        "holds the sources of pyrfly, without the compiled core for this Python."
    )
    assert "in another folder" in lines[-2]
    assert "pip install -e ." in lines[-1]


@pytest.mark.parametrize(("name", "value"), [("PYRFLY_THREADS", "two"), ("PYRFLY_SIMD", "mmx")])
def test_a_bad_environment_is_one_clear_line(name: str, value: str) -> None:
    lines = failed("-c", "import pyrfly", env={**os.environ, name: value})
    assert lines[-1].startswith(f"ImportError: {name}: expected ")
    assert lines[-1].endswith(f"got '{value}'")
    assert sum("File" in line for line in lines) == 2  # the caller and pyrfly itself
