"""A family is one line in C and one in Python: without them and its folders the rest works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pyrfly.vehicles import DEFAULT_FAMILY, FAMILIES

ROOT = Path(__file__).resolve().parents[2]
COPIED = (
    "csrc",
    "pyrfly",
    "tests",
    "examples",
    "tools",
    "pyrfly_program.py",
    "setup.py",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)
# Pages name all families; the C tests are run by their own runner; packaging is that of the source;
# effects and controllers of the others, what learns and what repeats flights are the same code
# without the family.
PHYSICS = set(
    "contact control environment estimator frames golden loads models motors power rotor_air"
    " sensors terrain".split()
)
# What carries bytes, and the server's links, know columns and not families.
CARRIERS = {"fuzz", "mavlink", "mixers", "protocol", "server", "transport"}
NOT_TESTED = {"docs", "c", "style", "rl", "campaign", "benchmarks"} | PHYSICS | CARRIERS


REMOVABLE = [name for name in FAMILIES if name != DEFAULT_FAMILY]


def copy_without(families: Sequence[str], folder: Path) -> Path:
    """Copy the source tree without some families."""
    folder.mkdir()
    ignored = shutil.ignore_patterns("*.so", "__pycache__", "build")
    for part in COPIED:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=ignored)
        else:
            shutil.copy(source, folder / part)
    for family in families:
        remove(family, folder)
    return folder


def remove(family: str, folder: Path) -> None:
    """Remove a family from a source tree: two lines and its folders."""
    for path, line in (
        ("csrc/vehicles/types.inc", f'#include "vehicles/{family}/types.inc"\n'),
        (
            "pyrfly/vehicles/families.py",
            f"    from pyrfly.vehicles.{family} import VERBS as {family}\n",
        ),
    ):
        text = (folder / path).read_text(encoding="utf-8")
        assert text.count(line) == 1, f"{path}: {line!r} must stand there once"
        (folder / path).write_text(text.replace(line, ""), encoding="utf-8")
    for place in ("csrc/vehicles", "pyrfly/vehicles", "tests/vehicles"):
        shutil.rmtree(folder / place / family)
    (folder / "tests" / "c" / f"test_{family}.c").unlink(missing_ok=True)


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=folder,
        env={**os.environ, "RF_BASE_ONLY": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


@pytest.mark.parametrize("family", REMOVABLE)
def test_a_family_is_named_in_its_own_tests_alone(family: str) -> None:
    """Its parameter sets, and the attribute of a `Sim` with its commands."""
    sets = [path.stem for path in FAMILIES[family].sets.glob("[!_]*.toml")]
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, sets))})\b|\bsim\.{family}\b")
    tests = ROOT / "tests"
    elsewhere = [
        path for path in tests.rglob("*.py") if tests / "vehicles" / family not in path.parents
    ]
    elsewhere = [path for path in elsewhere if path.relative_to(tests).parts[0] not in NOT_TESTED]
    assert [str(path) for path in elsewhere if named.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: cc")
def test_the_rest_builds_and_passes_its_tests_without_other_families(tmp_path: Path) -> None:
    tree = copy_without(REMOVABLE, tmp_path / "tree")
    run("tests/c/run.py", "none", folder=tree)
    target = tmp_path / "installed"
    install = "-m pip install --quiet --no-deps --disable-pip-version-check --target".split()
    run(*install, target, tree, folder=tmp_path)
    tests = [path for path in sorted((tree / "tests").iterdir()) if path.name not in NOT_TESTED]
    quick = ["-m", "pytest", "-q", "-n", "2", "-c", tree / "pyproject.toml", "--no-header"]
    printed = run(*quick, *tests, folder=tmp_path, PYTHONPATH=str(target))
    assert re.search(r"\d{3,} passed", printed)
