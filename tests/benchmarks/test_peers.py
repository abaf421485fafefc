"""benchmarks/peers.py: its table, its interpreters and its programs, not their figures."""

import importlib.util
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def peers():
    """Return the module, which finds its own beside it, as when it is run."""
    sys.path.insert(0, str(FOLDER))
    try:
        spec = importlib.util.spec_from_file_location("peers", FOLDER / "peers.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
    return module


@pytest.fixture(scope="module")
def row(peers):
    return peers.Row(
        "motors, RK4", "pyrfly", "1", "full model", "cf2x_l250", "rk4", 0.01, 1, "float32", 8, 22,
        "reward", 6e6,
    )  # fmt: skip


def test_every_peer_has_a_program(peers):
    assert {path.stem for path in FOLDER.glob("run_*.py")} == {
        f"run_{name}" for name in peers.PEERS
    }


def test_the_best_number_of_vehicles_counts(peers, row):
    rows = [row, replace(row, n=64, rate=8e6), replace(row, n=512, rate=7e6)]
    assert [r.n for r in peers.best(rows)] == [64]


def test_rows_are_by_work_and_pyrfly_is_first(peers, row):
    rows = [
        replace(row, peer="L2F", rate=2e6),
        replace(row, work="physics, RK4", peer="L2F", rate=4e6),
        row,
        replace(row, work="physics, RK4", rate=80e6),
    ]
    sorted_rows = peers.best(rows)
    assert [(r.work, r.peer) for r in sorted_rows] == [
        ("physics, RK4", "pyrfly"), ("physics, RK4", "L2F"),
        ("motors, RK4", "pyrfly"), ("motors, RK4", "L2F"),
    ]  # fmt: skip
    assert peers.ratios(sorted_rows) == [1, 20, 1, 3]


def test_the_table_says_what_a_row_includes(peers, row):
    lines = peers.table([row, replace(row, peer="L2F", rate=2e6)]).splitlines()
    assert lines[1] == f"**motors, RK4**: {peers.WORKS['motors, RK4']}"
    assert lines[-1] == (
        "| L2F | full model | cf2x_l250 | 1 x rk4, 10 ms | float32 | 22 | reward "
        "| 8 | 2,000,000 | 3 |"
    )


def test_each_peer_may_have_its_own_interpreter(peers):
    found = peers.interpreters(["l2f=/envs/l2f/bin/python"])
    assert found["l2f"] == "/envs/l2f/bin/python"
    assert found["crazyflow"] == sys.executable


@pytest.mark.parametrize("option", ["flightmare=/bin/python", "l2f", "=x"])
def test_an_unknown_interpreter_is_refused(peers, option, capsys):
    with pytest.raises(SystemExit):
        peers.main(["--python", option])
    assert "NAME of pyrfly, l2f" in capsys.readouterr().err


def test_who_is_not_there_is_named(peers, capsys):
    where = "/nowhere/bin/python"
    assert peers.main(["--only", "l2f", "--python", f"l2f={where}", "--turns", "1"]) == 0
    assert "not measured: l2f" in capsys.readouterr().err


def test_a_peer_that_is_not_installed_has_a_reason(peers, tmp_path):
    bare = [sys.executable, "-I", "-S"]  # without installed packages
    done = subprocess.run([*bare, "-c", "import l2f"], capture_output=True, check=False)
    assert done.returncode
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    python.chmod(0o755)
    assert "ModuleNotFoundError" in peers.run("l2f", str(python), 0.001, None)


@pytest.mark.slow
def test_pyrfly_is_measured_on_all_work(peers, capsys):
    pytest.importorskip("gymnasium")
    options = ["--only", "pyrfly", "--turns", "1", "--seconds", "0.001", "--json"]
    assert peers.main(options) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["work"] for row in rows} == set(peers.WORKS)
    assert all(row["rate"] > 0 for row in rows)


def test_vehicles_that_do_not_fly_are_no_measurement(peers, row):
    module = sys.modules[peers.Row.__module__]
    case = module.Case(row, lambda: None, lambda: None, height=lambda: 0.0, calls=1)
    with pytest.raises(RuntimeError, match="above their starts"):
        module.rate(case, 0.001)
