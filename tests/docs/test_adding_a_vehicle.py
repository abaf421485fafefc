"""The examples of docs/adding-a-vehicle.md, applied to a copy of the sources, run as they stand."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pyrfly

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "adding-a-vehicle.md").read_text()

NEW_FILE = re.compile(r"New file `([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
INSERTION = re.compile(r"In `([^`]+)`, after `([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)


def test_the_parameter_set_flies(tmp_path):
    path = tmp_path / "my_hexa.toml"
    path.write_text(dict(NEW_FILE.findall(PAGE))["my_hexa.toml"])
    sim = pyrfly.Sim(path)
    sim.arm()
    sim.command_position([3, 0, -10], yaw=0)
    sim.step(10_000)
    assert np.abs(sim.pos[0] - [3, 0, -10]).max() < 1e-3


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: cc")
def test_the_new_type_compiles_and_falls(tmp_path):
    shutil.copytree(ROOT / "csrc", tmp_path / "csrc")
    (tmp_path / "tests" / "c").mkdir(parents=True)
    for name in ("run.py", "main.c", "test.h"):
        shutil.copy(ROOT / "tests" / "c" / name, tmp_path / "tests" / "c")
    for name, text in NEW_FILE.findall(PAGE):
        if not name.endswith(".toml"):
            (tmp_path / name).write_text(text)
    for name, anchor, text in INSERTION.findall(PAGE):
        source = (tmp_path / name).read_text()
        assert source.count(anchor + "\n") == 1, f"{name}: {anchor!r} must stand there once"
        (tmp_path / name).write_text(source.replace(anchor + "\n", anchor + "\n" + text))
    # Unoptimised, and the base instruction set alone: it is the shape of the code that is tested.
    flags = tmp_path / "csrc" / "cflags"
    flags.write_text(flags.read_text().replace("-O3", "-O0") + "-DRF_BASE_ONLY\n")
    runner = tmp_path / "tests" / "c" / "run.py"
    runner.write_text(runner.read_text().replace('"-O1"', '"-O0"'))
    done = subprocess.run(
        [sys.executable, runner, "none", "ball"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
