"""No bit of a multirotor's flight changes unless somebody means it to.

After a change of behaviour that is meant, record anew and say why in the changelog::

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

HERE = Path(__file__).parent


@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="strict mode is the same on x86-64"
)
def test_flights_have_the_recorded_bits() -> None:
    recorded = json.loads((HERE / "digests.json").read_text(encoding="utf-8"))
    run = subprocess.run(
        [sys.executable, str(HERE / "flights.py")],
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
