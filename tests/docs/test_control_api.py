"""docs/control-api.md: its programs fly where they should."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import page, programs

PROGRAMS = programs(page("control-api.md"))
# What each prints: where its vehicles are at the end [m], and how far off they may be.
ENDS: list[tuple[list[float], float]] = [
    ([10, 10, -5], 0.05),
    ([0, 0, -2, 0, 3, -3, 0, 6, -4], 0.05),
    ([0, 0, -5], 0.05),
    ([10, 0, -10], 1.0),  # 10 s at 1 m/s, from rest
]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(ENDS)))
def test_program_runs(number: int, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAMS[number])
    # In simulated time, so that none waits and none looks for a server.
    done = subprocess.run(
        [sys.executable, "-m", "pyrfly.rflysim.stepped", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    end, off = ENDS[number]
    printed = [float(text) for text in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", done.stdout)]
    assert printed == pytest.approx(end, abs=off)


def test_every_program_has_its_end() -> None:
    assert len(PROGRAMS) == len(ENDS)
