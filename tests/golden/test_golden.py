"""No bit of a vehicle's motion changes unintentionally.

Files named flights.py, with digests.json beside them, say what is flown: here for multirotors, and
in the tests of other families. After an intended change of behaviour, record anew and say why in
the body of the commit::

    cd tests/golden
    PYRFLY_SIMD=strict python record.py flights.py >digests.json

and likewise of each family that it changes, such as ``../vehicles/rover/flights.py`` and
``../vehicles/rover/digests.json``.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted((ROOT / "tests").rglob("flights.py"))
RECORD = Path(__file__).with_name("record.py")


on_x86_64 = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="strict mode is the same on x86-64"
)


def recorded_by(program: Path) -> dict[str, str]:
    digests: dict[str, str] = json.loads(
        program.with_name("digests.json").read_text(encoding="utf-8")
    )
    return digests


def flown_by(program: Path, *arguments: str) -> dict[str, str]:
    run = subprocess.run(
        [sys.executable, str(RECORD), str(program), *arguments],
        env={**os.environ, "PYRFLY_SIMD": "strict"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    digests: dict[str, str] = json.loads(run.stdout)
    return digests


@on_x86_64
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.parent.name)
def test_flights_have_the_recorded_bits(program: Path) -> None:
    recorded, flown = recorded_by(program), flown_by(program)
    changed = [name for name in {**recorded, **flown} if flown.get(name) != recorded.get(name)]
    path = program.relative_to(ROOT)
    record = RECORD.relative_to(ROOT)
    anew = f"PYRFLY_SIMD=strict python {record} {path} >{path.with_name('digests.json')}"
    assert changed == [], f"if that was intended, and the body of the commit says why: {anew}"


@on_x86_64
def test_neutral_parts_change_no_bit() -> None:
    program = Path(__file__).with_name("flights.py")
    parts = [f"--part={part}" for part in ("ground_plane", "loads", "strength")]
    recorded, flown = recorded_by(program), flown_by(program, *parts, "sdk", "octo_x")
    assert len(flown) == 8
    assert [name for name in flown if flown[name] != recorded[name]] == []
