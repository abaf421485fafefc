"""The examples of docs/adding-a-vehicle.md, applied unchanged to a copy of the sources."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pyrfly

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "adding-a-vehicle.md").read_text(encoding="utf-8")

NEW_FILE = re.compile(r"New file `([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
INSERTION = re.compile(r"In `([^`]+)`, (after|before) `([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
PROGRAM = re.compile(r"```python\n(import pyrfly\n.*?)```", re.DOTALL)

META = ("setup.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in")

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: cc")


def test_the_parameter_set_flies(tmp_path: Path) -> None:
    path = tmp_path / "my_hexa.toml"
    path.write_text(dict(NEW_FILE.findall(PAGE))["my_hexa.toml"])
    sim = pyrfly.Sim(path)
    sim.arm()
    sim.command_position([3, 0, -10], yaw=0)
    sim.step(10_000)
    assert np.abs(sim.pos[0] - [3, 0, -10]).max() < 1e-3


def test_the_page_lists_what_a_set_must_contain(tmp_path: Path) -> None:
    rows = PAGE[PAGE.index("| a set must contain |") : PAGE.index("`damping_quadratic` or")]
    path = tmp_path / "empty.toml"
    path.write_text('name = "empty"\nlayout = "quad_x"\n')
    with pytest.raises(pyrfly.ParameterError, match=r"missing$") as caught:
        pyrfly.load(path)
    for name in str(caught.value).split(": ")[1].split(", "):
        assert f"`{name}`" in rows


def test_the_estimate_of_the_inertia_is_the_median_of_the_quadrotors() -> None:
    found = []
    for name in ("sdk", "cs2019", "x150", "x200", "x450", "iris", "x500", "cf2x_l250", "cf21b_500"):
        columns = pyrfly.load(name).columns
        arm = columns["arm_length"][0] if "arm_length" in columns else None
        if arm is None:
            east, north = columns["rotor_position"].reshape(3, -1)[:2]
            arm = np.hypot(east, north).max()
        found.append(columns["inertia"][:3] / (columns["mass"] * arm**2))
    tilt, yaw = (float(c) for c in re.findall(r"= (0\.\d+) M L\^2", PAGE))
    assert np.median(found, axis=0) == pytest.approx([tilt, tilt, yaw], rel=0.08)


def with_the_ball(folder: Path, *parts: str) -> Path:
    """Copy parts of the source tree and apply the page to them."""
    ignored = shutil.ignore_patterns("*.so", "__pycache__")
    for part in parts:
        source = ROOT / part
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=ignored)
        else:
            shutil.copy(source, folder / part)
    sets = folder / "pyrfly" / "vehicles" / "multirotor" / "sets"
    for name, text in NEW_FILE.findall(PAGE):
        if sets.is_dir() and name.endswith(".toml") and "/" not in name:  # the user's, shipped
            (sets / name).write_text(text)
        if name.split("/")[0] in parts or name.startswith("tests/c/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    for name, where, anchor, text in INSERTION.findall(PAGE):
        if name.split("/")[0] in parts:
            source = (folder / name).read_text()
            assert source.count(anchor + "\n") == 1, f"{name}: {anchor!r} must stand there once"
            lines = f"{anchor}\n{text}" if where == "after" else f"{text}{anchor}\n"
            (folder / name).write_text(source.replace(f"{anchor}\n", lines))
    # Unoptimised, and the base instruction set alone: it is the shape of the code that is tested.
    flags = folder / "csrc" / "cflags"
    flags.write_text(flags.read_text().replace("-O3", "-O0"))
    return folder


@pytest.mark.slow
@needs_compiler
def test_the_family_compiles_and_its_c_test_passes(tmp_path: Path) -> None:
    c_tests = [f"tests/c/{name}" for name in ("run.py", "main.c", "test.h")]
    runner = with_the_ball(tmp_path, "csrc", *c_tests) / "tests" / "c" / "run.py"
    runner.write_text(runner.read_text().replace('"-O1"', '"-O0"'))
    done = subprocess.run(
        [sys.executable, runner, "none", "ball"],
        env={**os.environ, "RF_BASE_ONLY": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a source tree with the family, and the folder that it is installed in."""
    folder = tmp_path_factory.mktemp("ball")
    tree = with_the_ball(folder / "tree", "csrc", "docs", "pyrfly", "tests", "tools", *META)
    install = "-m pip install --quiet --no-deps --disable-pip-version-check --target".split()
    environment = {**os.environ, "RF_BASE_ONLY": "1"}
    command = [sys.executable, *install, str(folder / "installed"), str(tree)]
    subprocess.run(command, env=environment, check=True)
    return tree, folder / "installed"


def run(target: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python outside the source tree with the installed package."""
    return subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": str(target)},
        cwd=target.parent,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@needs_compiler
def test_the_family_flies_from_an_installed_package(installed: tuple[Path, Path]) -> None:
    _, target = installed
    program = f"{PROGRAM.findall(PAGE)[-1]}\nassert pyrfly.__file__.startswith({str(target)!r})"
    done = run(target, "-c", program)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@needs_compiler
def test_the_tests_of_every_family_pass_with_it(installed: tuple[Path, Path]) -> None:
    tree, target = installed
    settings = ["-q", "-n", "2", "-c", str(tree / "pyproject.toml"), "--no-header"]
    generic = sorted((tree / "tests" / "vehicles").glob("test_*.py"))
    tests = [*map(str, generic), str(tree / "tests" / "batch" / "test_determinism.py")]
    done = run(target, "-m", "pytest", *settings, *tests)
    assert done.returncode == 0, done.stdout[-4000:]
    assert re.search(r"\d{3,} passed", done.stdout)


@pytest.mark.slow
@needs_compiler
def test_the_sources_pass_the_linter_after_generation(installed: tuple[Path, Path]) -> None:
    tree, target = installed
    done = run(target, str(tree / "tools" / "generate.py"))
    assert done.returncode == 0, done.stderr
    assert "ball" in (tree / "pyrfly" / "vehicles" / "families.pyi").read_text()
    done = run(target, "-m", "ruff", "check", str(tree / "pyrfly"))
    assert done.returncode == 0, done.stdout
