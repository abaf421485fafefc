"""RLlib trains the vector environment."""

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray.rllib")
pytest.importorskip("torch")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "rl" / "rllib_hover.py"


@pytest.mark.slow
def test_the_example_trains(tmp_path: Path) -> None:
    command = [sys.executable, EXAMPLE, "--minutes", "0.1", "--out", tmp_path]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    assert re.fullmatch(r"mean return -?\d+ at first, .* of at most 2000; \d+ steps in .*", last)
    with (tmp_path / "rllib_hover.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert int(rows[0]["steps"]) >= 2 * 64 * 128
    assert (tmp_path / "rllib_hover").is_dir()
