"""The fuzz targets run; `run.py` runs them for as long as one likes."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).with_name("run.py")


def targets() -> list[str]:
    """Return the names of the targets, without importing what they need."""
    tree = ast.parse(RUN.with_name("targets.py").read_text(encoding="utf-8"))
    (table,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "TARGETS"
    )
    assert isinstance(table, ast.Dict)
    return [ast.literal_eval(key) for key in table.keys if key is not None]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, RUN, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.slow
def test_a_moment_of_all_targets(tmp_path):
    """One process imports for all of them what takes longer; `.ci/run` lets each run on."""
    done = run(0.2, "--out", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    seed, *lines = done.stdout.splitlines()
    assert seed.startswith("seed ")
    assert [line.split(":")[0] for line in lines] == targets()
    assert all(line.endswith("inputs") for line in lines)


@pytest.mark.slow
def test_inputs_can_be_fed_again(tmp_path):
    path = tmp_path / "inputs.json"
    path.write_text(json.dumps([b"\0\1\2".hex(), ""]))
    done = run("--replay", "rflysim", path)
    assert done.returncode == 0, done.stderr
