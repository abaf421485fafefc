"""The example of docs/adding-a-part.md, applied unchanged to a copy of the sources."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "adding-a-part.md").read_text(encoding="utf-8")

NEW_FILE = re.compile(r"New file `([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
INSERTION = re.compile(r"In `([^`]+)`, after `([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
PROGRAM = re.compile(r"```python\n(import pyrfly\n.*?)```", re.DOTALL)
COPIED = ("csrc", "pyrfly", "tools", "tests", "docs")
FILES = ("setup.py", "pyproject.toml", "README.md", "LICENSE")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: cc")
def test_the_part_works_from_its_folder_and_one_line(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    ignored = shutil.ignore_patterns("*.so", "__pycache__", "build")
    for name in COPIED:
        shutil.copytree(ROOT / name, tree / name, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, tree / name)
    for name, text in NEW_FILE.findall(PAGE):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    for name, anchor, text in INSERTION.findall(PAGE):
        source = (tree / name).read_text()
        assert source.count(anchor + "\n") == 1, f"{name}: {anchor!r} must stand there once"
        (tree / name).write_text(source.replace(anchor + "\n", anchor + "\n" + text))
    target = tmp_path / "installed"
    environment = {**os.environ, "RF_BASE_ONLY": "1", "PYTHONPATH": str(target)}
    install = "-m pip install --quiet --no-deps --disable-pip-version-check --target".split()
    pytest_here = ["-m", "pytest", "-q", "-n", "2", "-c", tree / "pyproject.toml"]
    tests = ["batch/test_snapshot.py", "batch/test_columns.py", "golden"]
    for command in (
        [*install, target, tree],
        ["-c", PROGRAM.findall(PAGE)[0]],
        [*pytest_here, *(tree / "tests" / name for name in tests)],
    ):
        subprocess.run([sys.executable, *command], cwd=tmp_path, env=environment, check=True)
    page = subprocess.run(
        [sys.executable, "-m", "pyrfly", "columns"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    assert b"## Part `breeze`: wind that grows" in page.stdout
    assert "def breeze" in (target / "pyrfly" / "columns.pyi").read_text()
