"""``import pyrfly`` where it cannot work says what to do."""

from __future__ import annotations

import ast
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pyrfly

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


@pytest.mark.slow
@pytest.mark.parametrize("module", ["pyrfly", "pyrfly.cli", "pyrfly_program"])
def test_the_command_line_runs_as_a_module(module: str, tmp_path: Path) -> None:
    (line,) = failed("-m", module, "vehicles", "x45O", status=2, cwd=tmp_path)
    assert line.startswith("pyrfly vehicles: error: ")


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


def test_subpackages_of_flights_need_no_import_of_their_own():
    code = "import pyrfly; print(pyrfly.mission.DEMO.name, pyrfly.log.Log.__name__, dir(pyrfly))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("demo.plan Log ")
    shown = ast.literal_eval(done.stdout.partition(" Log ")[2])
    assert {"Sim", "load", "mission", "log"} < set(shown)
    assert not {"sys", "numpy", "annotations", "Any", "pyrfly"} & set(shown)
    with pytest.raises(AttributeError, match="no attribute 'misson'"):
        _ = pyrfly.misson


def test_every_column_says_what_it_is_in_help_and_in_stubs():
    stub = ast.parse(Path(pyrfly.__file__).with_name("columns.pyi").read_text("utf-8"))
    (columns,) = (n for n in stub.body if isinstance(n, ast.ClassDef) and n.name == "Columns")
    texts = {}
    for node in columns.body:
        if not isinstance(node, ast.FunctionDef) or not isinstance(
            node.body[0].value, ast.Constant
        ):
            continue
        texts.setdefault(node.name, ast.get_docstring(node))
    assert texts["pos"] == pyrfly.Sim.pos.__doc__
    for field in pyrfly.Sim("x450").fields():
        column = inspect.getattr_static(pyrfly.Sim, field.name)
        assert isinstance(column, property)  # which editors and IPython show, not its value
        assert field.unit in column.__doc__
        assert "shape (n" in column.__doc__
        assert texts[field.name] == inspect.cleandoc(column.__doc__)


STUBS = sorted(Path(pyrfly.__file__).parent.rglob("*.pyi"))


def undocumented(node: ast.AST, name: str) -> list[str]:
    """Return the public modules, classes, functions and properties without a docstring in them."""
    found = [] if ast.get_docstring(node) else [name]
    for child in ast.walk(node) if isinstance(node, ast.Module) else node.body:
        public = getattr(child, "name", "_")[0] != "_"
        accessor = any(
            isinstance(mark, ast.Attribute) for mark in getattr(child, "decorator_list", ())
        )
        if isinstance(child, (ast.ClassDef, ast.FunctionDef)) and public and not accessor:
            nested = isinstance(child, ast.ClassDef)
            found += undocumented(child, child.name) if nested else []
            found += [] if nested or ast.get_docstring(child) else [f"{name}.{child.name}"]
    return found


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.name)
def test_all_public_names_of_stubs_have_docstrings(stub):
    """Editors read the stub alone."""
    assert undocumented(ast.parse(stub.read_text("utf-8")), stub.stem) == []


def test_objects_have_reprs_of_a_line():
    sim = pyrfly.Sim({"x450": 2, "iris": 1})
    point = sim.trim(1)
    assert repr(sim.groups[1]) == "<Group of 1 iris, CopterIDs 3 to 3>"
    assert repr(point).startswith("<OperatingPoint of 1 vehicles: pos, vel, att")
    assert repr(sim.linearize(1, point=point)).startswith("<LinearModel of ")
    for shown in (point, sim.linearize(1, point=point), sim.environment, sim.select(1)):
        assert "\n" not in repr(shown)
