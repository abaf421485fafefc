"""The targets in C run; `decoders.py` feeds them as many inputs as one likes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).with_name("decoders.py")
pytestmark = pytest.mark.slow


def test_some_inputs_of_each_target():
    command = [sys.executable, RUN, "--inputs", "20000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("seed ")
    targets = {path.stem for path in RUN.with_name("c").glob("*.c")} - {"main", "change"}
    assert set(re.findall(r"^(\w+): 20000 inputs", done.stdout, re.MULTILINE)) == targets
