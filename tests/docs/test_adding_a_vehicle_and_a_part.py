"""The examples of docs/adding-a-vehicle.md and adding-a-part.md, applied to a copy of the sources.

The copy has no other families but the default one: what is left neither needs those nor minds a new
one, nor a new part.
"""

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

from ..vehicles.removal import NOT_TESTED, REMOVABLE, remove

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "adding-a-vehicle.md").read_text(encoding="utf-8")
PART = (ROOT / "docs" / "adding-a-part.md").read_text(encoding="utf-8")

NEW_FILE = re.compile(r"New file `([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
INSERTION = re.compile(r"In `([^`]+)`, (after|before) `([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
PROGRAM = re.compile(r"```python\n(import pyrfly\n.*?)```", re.DOTALL)

COPIED = (
    *("csrc", "docs", "examples", "pyrfly", "tests", "tools"),
    *("pyrfly_program.py", "setup.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"),
)


def test_the_parameter_set_flies(tmp_path: Path) -> None:
    path = tmp_path / "my_hexa.toml"
    path.write_text(dict(NEW_FILE.findall(PAGE))["my_hexa.toml"])
    sim = pyrfly.Sim(path)
    sim.arm()
    sim.command_position([3, 0, -10], yaw=0)
    sim.step(10_000)
    assert np.abs(sim.pos[0] - [3, 0, -10]).max() < 1e-3


def test_the_page_lists_what_a_set_must_contain(tmp_path: Path) -> None:
    rows = PAGE[PAGE.index("| a multirotor must contain |") : PAGE.index("`damping_quadratic` or")]
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


def apply_page(page: str, tree: Path) -> None:
    """Do in a source tree what a page says."""
    for name, text in NEW_FILE.findall(page):
        shipped = tree / "pyrfly" / "vehicles" / "multirotor" / "sets" / name
        path = shipped if "/" not in name else tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name, where, anchor, text in INSERTION.findall(page):
        source = (tree / name).read_text()
        assert source.count(anchor + "\n") == 1, f"{name}: {anchor!r} must stand there once"
        lines = f"{anchor}\n{text}" if where == "after" else f"{text}{anchor}\n"
        (tree / name).write_text(source.replace(f"{anchor}\n", lines))


def tree_with_both(tree: Path) -> Path:
    """Copy the sources with the default family and those of the pages."""
    tree.mkdir()
    ignored = shutil.ignore_patterns("*.so", "__pycache__", "build")
    for part in COPIED:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, tree / part, ignore=ignored)
        else:
            shutil.copy(source, tree / part)
    apply_page(PAGE, tree)
    apply_page(PART, tree)
    for family in REMOVABLE:
        remove(family, tree)
    optimize_less(tree)
    return tree


def optimize_less(tree: Path) -> None:
    """Let a source tree be compiled in two thirds of the time, to the same bits without FMA."""
    path = tree / "csrc" / "units.py"
    text = path.read_text(encoding="utf-8")
    assert text.count('"-O2"') == 1
    path.write_text(text.replace('"-O2"', '"-O1"'), encoding="utf-8")


def that_ask_for_families(tests: Path) -> list[str | Path]:
    """Return the tests that may miss a family, or mind a new one: those that ask which there are.

    That others name none is tested in tests/vehicles/test_removal.py.
    """
    asks = re.compile(r"pyrfly\.vehicles|import vehicles|vehicles\.\w|vehicle_types|\bable import")
    files = {path: path.relative_to(tests).parts[0] for path in sorted(tests.rglob("test_*.py"))}
    others = [path for path, top in files.items() if top not in NOT_TESTED | {"vehicles"}]
    return [tests / "vehicles", *(path for path in others if asks.search(path.read_text()))]


def run(*command: str | Path, folder: Path, installed: str = "") -> str:
    """Run Python in a folder, with the package that is installed in another one."""
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        env={**os.environ, "RF_BASE_ONLY": "1", "PYTHONPATH": installed},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


def family_alone(folder: Path) -> Path:
    """Make a folder of the files of the page's family, in C and Python."""
    for name, text in NEW_FILE.findall(PAGE):
        of_family = re.fullmatch(r"(?:csrc|pyrfly)/vehicles/(ball/.*)", name)
        if of_family:
            path = folder / of_family[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return folder / "ball"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: cc")
def test_the_family_works_outside_of_the_tree(tmp_path: Path) -> None:
    family, installed = family_alone(tmp_path), str(Path(pyrfly.__file__).parents[1])
    load = 'from pyrfly import plugins\nplugins.load_family("ball", base_only=True)\n'
    shown = "\nexcept pyrfly.Error as error:\n    print(error)\n"
    more = f"print(sim.ball)\ntry:\n    pyrfly.Sim('baseball').trim(){shown}"
    program = load + PROGRAM.findall(PAGE)[-1] + more
    printed = run("-c", program, folder=tmp_path, installed=installed)
    assert "BallCommands: push" in printed
    assert "no equilibrium found" in printed  # of a family without ground
    (family / "model.h").write_text("no C\n")
    wrong = load.replace("plugins.load", "try:\n    plugins.load").rstrip()
    printed = run("-c", f"import pyrfly\n{wrong}{shown}", folder=tmp_path, installed=installed)
    assert "model.h" in printed


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: cc")
def test_they_work_and_so_does_the_rest_without_other_families(tmp_path: Path) -> None:
    tree = tree_with_both(tmp_path / "tree")
    target = str(tmp_path / "installed")
    install = "-m pip install --quiet --no-deps --disable-pip-version-check --target".split()
    run(*install, target, tree, folder=tmp_path)
    assert "0 failures" in run("tests/c/run.py", "none", folder=tree)
    program = f"{PROGRAM.findall(PAGE)[-1]}\nassert pyrfly.__file__.startswith({target!r})"
    run("-c", program, folder=tmp_path, installed=target)
    on_both = PROGRAM.findall(PART)[0].replace('"rover"', '"baseball"')
    run("-c", on_both, folder=tmp_path, installed=target)

    settings: list[str | Path] = ["-q", "-n", "2", "-c", tree / "pyproject.toml", "--no-header"]
    tests = that_ask_for_families(tree / "tests")
    golden = tree / "tests" / "golden" / "test_golden.py"  # what is not enabled changes no bit
    tests.append(f"{golden}::test_neutral_parts_change_no_bit")
    printed = run("-m", "pytest", *settings, *tests, folder=tmp_path, installed=target)
    assert re.search(r"\d{3,} passed", printed)

    run(tree / "tools" / "generate.py", folder=tmp_path, installed=target)
    assert "ball" in (tree / "pyrfly" / "vehicles" / "families.pyi").read_text()
    run("-m", "ruff", "check", tree / "pyrfly", folder=tmp_path)
    assert "def breeze" in Path(target, "pyrfly", "columns.pyi").read_text()
    columns = run("-m", "pyrfly", "columns", folder=tmp_path, installed=target)
    assert "## Part `breeze`: wind that grows" in columns
