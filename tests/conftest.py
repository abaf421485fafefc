"""Fixtures and settings of all tests."""

import fcntl
import gc
import importlib.util
import os
import random
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
RFLYSIM_PORTS = [*range(20000, 20120), *range(30100, 30120)]

# The duration of an example depends on the load of the machine. Many more are those of tests/fuzz.
settings.register_profile("pyrfly", deadline=None, print_blob=True, max_examples=40)
settings.load_profile("pyrfly")


# A shell that starts the tests in the background has SIGINT ignored, and nohup SIGHUP, which
# programs inherit: those under test are ended by them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_configure(config: pytest.Config) -> None:
    """Tell in a line what to do where there is no core, as by ``python -m pytest`` in the tree.

    That puts the tree before what is installed.
    """
    spec = importlib.util.find_spec("pyrfly")
    if spec is None or spec.origin is None:
        pytest.exit("pyrfly is not installed: pip install -e '.[dev]' (CONTRIBUTING.md)", 4)
    folder = Path(spec.origin).parent
    if not any((folder / f"_core{suffix}").exists() for suffix in EXTENSION_SUFFIXES):
        pytest.exit(
            f"{folder} has no core: run pytest, not python -m pytest, to test what is installed, "
            "or build it there: python setup.py build_ext --inplace",
            4,
        )


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run one worker more than there are processors: a third of the time quick tests wait.

    Not where slow ones are among them, which start programs of their own, or measure real time.
    """
    quick = config.option.markexpr == "not slow and not realtime"
    return (os.cpu_count() or 1) + int(quick)


WORDS = {"realtime": "realtime", "slow": "slow", "slow and not realtime": "slow"}
"""What the files have in them of which the tests of an option ``-m`` are: a third, or fewer."""


@cache
def _helpers(folder: Path) -> str:
    """Return the text of what tests of a folder share, such as cases that are slow."""
    shared = (path for path in folder.glob("*.py") if not path.match("test_*.py"))
    return "".join(path.read_text("utf-8") for path in shared if folder != TESTS)


def _may_have(path: Path, word: str) -> bool:
    return word in path.read_text("utf-8") or word in _helpers(path.parent)


def _may_run(path: Path, config: pytest.Config) -> bool:
    """Return whether a file has a test that runs."""
    return _may_have(path, WORDS.get(config.option.markexpr, ""))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse tests that `_may_run` would not find: a run of all others tells of them."""
    marked = {
        (item.path, word) for item in items for word in WORDS if item.get_closest_marker(word)
    }
    if lost := [f"{path}: {word}" for path, word in marked if not _may_have(path, WORDS[word])]:
        raise RuntimeError(f"expected the word in the file or beside it: {', '.join(lost)}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files in which nothing runs: to import all takes 20 s in each process."""
    is_test = collection_path.match("test_*.py")
    return True if is_test and not _may_run(collection_path, config) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let the workers rewrite the assertions for each other: each would take 20 s for all.

    Before all tests are collected each imports its part of them, which leaves the rewritten
    bytecode, also where Python is told to leave none.
    """
    sys.dont_write_bytecode = False
    worker = getattr(session.config, "workerinput", None)
    if worker is None or TESTS not in map(Path.absolute, map(Path, session.config.args)):
        return
    paths = [path for path in sorted(TESTS.rglob("test_*.py")) if _may_run(path, session.config)]
    before = set(sys.modules)
    for path in paths[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        with suppress(Exception, pytest.skip.Exception):  # of which the collection tells
            _ = pytest.Module.from_parent(session, path=path).obj
    for name in set(sys.modules) - before:
        if name.startswith(f"{TESTS.name}."):
            del sys.modules[name]


def pytest_collection_finish() -> None:
    """Leave the thousands of collected tests out of each garbage collection: it takes 4 %."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _outside_the_source_tree(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Leave the source tree: a Python process in it would import the sources there.

    They have no compiled core, unless it was built in place.
    """
    os.chdir(tmp_path_factory.mktemp("elsewhere"))


def _free(port: int, claims: BinaryIO) -> bool:
    """Return whether nobody listens on a port or has claimed it, and claim it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("127.0.0.1", port))
            fcntl.lockf(claims, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
        except OSError:
            return False
        return True


@pytest.fixture
def first_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., int]]:
    """Return a function from a number of vehicles to a first port whose series are free.

    With ``mavlink`` those of MAVLink's links, too.

    The system does not assign ports below 30000 itself; RflySim's own belong to scripts that name
    none. Another worker may look for ports before the test opens those it was given: they are
    claimed till it ends, each by a locked byte.
    """

    def find(n: int = 1, mavlink: bool = False) -> int:
        low, high = (8500, 11000) if mavlink else (2500, 9000)
        for _ in range(100):
            first = 2 * random.randrange(low, high)
            series = (0, 10000) if mavlink else (0, 10000, 20000)
            ports = [p + more for p in range(first, first + 2 * n) for more in series]
            ports += range(first - 98, first - 87)  # 20002 to 20012
            if mavlink:
                # those of stations and SDKs, which move with the first port
                stations = (first - 20100 + port for port in (14540, 14550, 14580, 18570))
                ports += [port + row for port in stations for row in range(n)]
            if len({*ports, *RFLYSIM_PORTS}) < len(ports) + len(RFLYSIM_PORTS):
                continue
            if all(_free(port, claims) for port in ports):
                return first
        raise RuntimeError("no free ports")

    # each worker has a folder of its own in that of the run
    with (tmp_path_factory.getbasetemp().parent / "claimed_ports").open("wb") as claims:
        yield find


@pytest.fixture
def other_computer(monkeypatch):
    """Return an address of the loopback interface that is taken for one of another computer."""
    monkeypatch.setattr("pyrfly.transport.senders.is_here", lambda ip: ip != "127.0.0.9")
    return "127.0.0.9"


@pytest.fixture(scope="session")
def standin():
    """Return a function from a name to a module of tests/server/standins.

    These are the other ends of links, written without pyrfly.
    """

    def load(name: str) -> ModuleType:
        path = TESTS / "server" / "standins" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(f"standin_{name}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load
