"""The C tests, run from pytest; under the sanitizers they run from .ci/run."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

# Objects of the core with writable variables, each with its reason.
# All other data is in objects that the caller owns, so that batches are independent.
MAY_HOLD_VARIABLES = {
    "csrc/batch/pool": "the threads belong to the process, not to a batch",
    "csrc/batch/memory": "allocations are numbered, so that none is taken for another one",
    "csrc/batch/added": "types that a program adds are those of the process, with their kernels",
    "csrc/vehicles/registry": "likewise",
    "csrc/batch/access": "forks are those of the process, and all waits share one condition",
}


def load_runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("c_runner", Path(__file__).with_name("run.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


runner = load_runner()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not runner.compiler(), reason="no C compiler (cc, or CC)"),
]


@pytest.fixture(scope="module")
def build() -> tuple[Path, dict[str, Path]]:
    """Return the test program and its objects by name."""
    program, objects = runner.build("none", base_only=False)
    return program, objects


@pytest.fixture(scope="module")
def program(build: tuple[Path, dict[str, Path]]) -> Path:
    return build[0]


def run(program: Path, *filters: str, failing: bool = False) -> subprocess.CompletedProcess[str]:
    environment = {"PYRFLY_TEST_FAILING": "1"} if failing else {}
    return subprocess.run(
        [program, *filters], capture_output=True, text=True, check=False, env=environment
    )


def test_all_c_tests_pass(program: Path) -> None:
    result = run(program)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fails_on_a_false_condition", "1 + 1 == 3"),
        ("fails_on_a_nan", "NAN is nan, expected 0 within 1"),
    ],
)
def test_harness_reports_a_failure(program: Path, name: str, message: str) -> None:
    result = run(program, name, failing=True)
    assert result.returncode == 1
    assert f"harness/{name}: {message}" in result.stdout


def test_harness_refuses_an_unknown_test_name(program: Path) -> None:
    nothing = run(program, "no such test")
    assert nothing.returncode == 2
    assert {"batch", "wire"} <= set(nothing.stdout.partition("suites:")[2].split())


def writable_variables(listing: str) -> set[str]:
    """Return the variables of an `nm --format=sysv` listing that lie in writable memory."""
    writable = re.compile(r"\.(data(?!\.rel\.ro)|t?bss|tdata)|\*COM\*")
    rows = [line.split("|") for line in listing.splitlines() if line.count("|") == 6]
    found = {
        name.strip()
        for name, _, _, kind, *_, section in rows
        if kind.strip() in {"OBJECT", "TLS"} and writable.match(section)
    }
    return {re.sub(r"\.\d+$", "", name) for name in found}  # a static in a function has a number


@pytest.mark.skipif(sys.platform != "linux", reason="reads the sections of ELF objects")
@pytest.mark.skipif(not shutil.which("nm"), reason="no nm (binutils)")
def test_core_has_no_writable_globals(build: tuple[Path, dict[str, Path]]) -> None:
    found = {}
    for name, path in build[1].items():
        if name.startswith("csrc/") and name not in MAY_HOLD_VARIABLES:
            command = ["nm", "--format=sysv", path]
            listing = subprocess.run(command, capture_output=True, text=True, check=True)
            found[name] = writable_variables(listing.stdout)
    assert len(found) > 5
    assert not {name: variables for name, variables in found.items() if variables}
