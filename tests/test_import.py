"""``import pyrfly`` where it cannot work says what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "pyrfly"
PROGRAM = ("-m", "pyrfly_program", "vehicles")


def failed(*arguments: str, status: int = 1, **options: object) -> list[str]:
    """Run Python and return the lines on standard error of its failure."""
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == status
    return done.stderr.strip().splitlines()


@pytest.mark.parametrize(
    "arguments", [("-c", "import pyrfly"), ("-m", "pyrfly.rflysim.stepped", "script.py")]
)
def test_in_sources_without_a_core_three_lines_say_what_to_do(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "pyrfly", ignore=ignored)
    lines = failed(*arguments, cwd=tmp_path, env={**os.environ, "PYTHONPATH": ""})
    assert lines[-3].endswith(
        "holds the sources of pyrfly, without the compiled core for this Python."
    )
    assert "in another folder" in lines[-2]
    assert "pip install -e ." in lines[-1]


def test_a_bad_environment_is_one_clear_line() -> None:
    lines = failed("-c", "import pyrfly", env={**os.environ, "PYRFLY_THREADS": "two"})
    assert lines[-1].startswith("ImportError: PYRFLY_THREADS: expected ")
    assert lines[-1].endswith("got 'two'")
    assert sum("File" in line for line in lines) == 2  # the caller and pyrfly itself


@pytest.mark.parametrize(
    "program", [PROGRAM, ("-mpyrfly",), ("-m", "pyrfly.rflysim.run", "a.py")], ids=" ".join
)
def test_a_bad_environment_is_one_line_of_a_program(
    program: tuple[str, ...], tmp_path: Path
) -> None:
    environment = {**os.environ, "PYRFLY_SIMD": "mmx"}
    (line,) = failed(*program, status=2, env=environment, cwd=tmp_path)
    assert line.startswith("pyrfly: error: PYRFLY_SIMD: expected ")
    assert line.endswith("got 'mmx'")


def test_the_installed_program_is_that_module() -> None:
    project = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert 'pyrfly = "pyrfly_program:main"' in project
    assert 'py-modules = ["pyrfly_program"]' in project


@pytest.mark.parametrize("module", ["pyrfly", "numpy._core.multiarray", "pyrfly.cli"])
def test_an_interruption_of_its_imports_is_one_line_of_the_program(
    module: str, tmp_path: Path
) -> None:
    """A SIGINT that comes as a certain module is imported."""
    (tmp_path / "sitecustomize.py").write_text(
        "import signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    lines = failed(*PROGRAM, status=130, env=environment, cwd=tmp_path)
    assert lines == ["pyrfly: interrupted"]


@pytest.mark.slow
def test_tests_of_a_tree_without_core_say_in_a_line_what_to_do(tmp_path):
    (tmp_path / "pyrfly").mkdir()
    (tmp_path / "pyrfly" / "__init__.py").write_text("raise ImportError('no core')")
    (tmp_path / "conftest.py").write_bytes(Path(__file__).with_name("conftest.py").read_bytes())
    (tmp_path / "test_it.py").write_text("import pyrfly\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 4, done.stdout
    (line,) = (done.stdout + done.stderr).strip().splitlines()
    assert "run pytest, not python -m pytest" in line
    assert "build_ext --inplace" in line
