"""No bit of a vehicle's motion changes unintentionally.

Programs named flights.py, with digests.json beside them, record it: here for multirotors, and in
the tests of other families. After an intended change of behaviour, record anew and say why in the
changelog::

    PYRFLY_SIMD=strict python tests/golden/flights.py >tests/golden/digests.json
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = sorted(Path(__file__).parents[1].rglob("flights.py"))


@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="strict mode is the same on x86-64"
)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.parent.name)
def test_flights_have_the_recorded_bits(program: Path) -> None:
    recorded = json.loads(program.with_name("digests.json").read_text(encoding="utf-8"))
    run = subprocess.run(
        [sys.executable, str(program)],
        env={**os.environ, "PYRFLY_SIMD": "strict"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    flown = json.loads(run.stdout)
    assert flown.keys() == recorded.keys()
    assert [name for name in flown if flown[name] != recorded[name]] == []
