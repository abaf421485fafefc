"""setup.py without what it needs says what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

pytest.importorskip("setuptools", minversion="77", reason="setuptools builds the package")


def test_without_a_compiler_three_lines_say_how_to_get_one(tmp_path: Path) -> None:
    folders = [f"--build-lib={tmp_path / 'lib'}", f"--build-temp={tmp_path / 'temp'}"]
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", *folders],
        cwd=ROOT,
        env={**os.environ, "CC": "/nonexistent/cc"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 3
    assert lines[0].endswith("there is no C compiler: /nonexistent/cc")
    assert "apt install gcc" in lines[1]
    assert "CC=" in lines[2]
