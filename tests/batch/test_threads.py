"""Threads and processes: one batch, several batches at once, and after a fork."""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest

import pyrfly
from pyrfly import _core, wire

Flying = Callable[..., pyrfly.Sim]
RunPython = Callable[..., str]

LONG = 400  # steps of 4096 vehicles: about 0.2 s


class Stepping:
    """Steps a batch in another thread for as long as the block lasts."""

    def __init__(self, batch: _core.Batch) -> None:
        self.batch, self.stop = batch, False
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        while not self.stop:
            with suppress(RuntimeError):
                _core.step((self.batch,), 100)

    def __enter__(self) -> Stepping:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop = True
        self.thread.join()


def is_refused(call: Callable[[], object]) -> bool:
    try:
        call()
    except RuntimeError as error:
        return "another thread is using this batch" in str(error)
    return False


def is_refused_soon(call: Callable[[], object]) -> bool:
    """Return whether a repeated call is refused while the batch is busy."""
    end = time.perf_counter() + 20
    while time.perf_counter() < end:
        if is_refused(call):
            return True
    return False


@pytest.mark.parametrize("threads", [1, 2])
def test_a_second_thread_on_a_batch_is_refused_and_harms_nothing(threads: int) -> None:
    sim = pyrfly.Sim("sdk", 4096, threads=threads)
    batch = sim.groups[0].batch
    saved = batch.snapshot()
    with Stepping(batch):
        assert is_refused_soon(lambda: _core.step((batch,), 1))
        assert is_refused_soon(lambda: batch.restore(saved))
    sim.step(10)
    assert sim.check().ok


READS: dict[str, Callable[[pyrfly.Sim], object]] = {
    "output": lambda sim: sim.groups[0].accel,
    "snapshot": pyrfly.Sim.snapshot,
    "check": pyrfly.Sim.check,
    "packets": lambda sim: wire.pack(sim, "SOut2Simulator"),
    "pickle": pickle.dumps,
}


@pytest.mark.parametrize("name", READS)
def test_a_reader_in_another_thread_never_makes_a_step_fail(name: str) -> None:
    """Nor the other way round: the reader waits for a pause, and has its turn."""
    sim = pyrfly.Sim({"sdk": 1500, "hex_x": 10}, threads=1)
    reads, failures, stop = [0], [], threading.Event()

    def read() -> None:
        try:
            while not stop.is_set():
                READS[name](sim)
                reads[0] += 1
        except Exception as error:
            failures.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        end = time.perf_counter() + 30
        while (sim.time < 0.2 or reads[0] < 20) and not failures and time.perf_counter() < end:
            sim.step(5)
    finally:
        stop.set()
        reader.join(60)
    assert not failures
    assert reads[0] >= 20


def test_a_reader_has_turns_during_one_long_step() -> None:
    sim = pyrfly.Sim("sdk", 1000, threads=1)
    batch = sim.groups[0].batch
    stepping = threading.Thread(target=sim.step, args=(3000,))  # 0.4 s
    stepping.start()
    ticks = set()
    while stepping.is_alive():
        assert np.isfinite(sim.accel).all()
        ticks.add(batch.check_snapshot(batch.snapshot()))
    stepping.join()
    assert batch.tick == 3000
    assert len(ticks) > 3


def test_stepping_lets_other_threads_run() -> None:
    sim = pyrfly.Sim("sdk", 4096, threads=1)
    worker = threading.Thread(target=sim.step, args=(LONG,))
    worker.start()
    moments = 0
    while worker.is_alive():
        time.sleep(1e-4)
        moments += 1
    worker.join()
    assert moments > 50


def test_threads_come_and_go_with_their_batches(flying: Flying) -> None:
    for threads in (2, 5, 1, 3, 256):
        sim = flying("sdk", 600, threads=threads)
        sim.step(4)
        assert sim.time == pytest.approx(0.004)


FORK = """
import os, sys, threading
import numpy as np, pyrfly

def fly(sim):
    sim.arm()
    sim.command_position([0, 0, -3])
    sim.step(200)
    return sim.hash()

expected = fly(pyrfly.Sim("sdk", 600, threads=1))
{before}
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        sim = pyrfly.Sim("sdk", 600, threads=3)
        same = fly(sim) == expected and {inside}
        os._exit(0 if same else 1)
    children.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(*children, fly(pyrfly.Sim("sdk", 600, threads=3)) == expected)
{after}
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.parametrize(
    ("before", "inside", "after"),
    [
        pytest.param("", "True", "", id="before any thread has run"),
        pytest.param(
            'old = pyrfly.Sim("sdk", 600, threads=3); fly(old)',
            "fly(old) is not None",
            "",
            id="after threads have run",
        ),
        pytest.param(
            'old = pyrfly.Sim("sdk", 4096, threads=2)\n'
            "stop = threading.Event()\n"
            "def run():\n"
            "    while not stop.is_set(): old.step(50)\n"
            "worker = threading.Thread(target=run); worker.start()\n"
            "while old.time == 0: pass",
            "True",
            "stop.set(); worker.join(); print(old.check().ok)",
            id="while another thread steps",
        ),
    ],
)
@pytest.mark.slow
def test_a_forked_child_steps_with_threads_of_its_own(
    run_python: RunPython, before: str, inside: str, after: str
) -> None:
    printed = run_python(FORK.format(before=before, inside=inside, after=after)).split()
    assert printed[:4] == ["0", "0", "0", "True"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_batch_that_was_half_stepped_at_the_fork_says_so_in_the_child(
    run_python: RunPython,
) -> None:
    program = """
import os, threading
from pyrfly import Sim, _core

sim = Sim("sdk", 4096, threads=1)
batch = sim.groups[0].batch
threading.Thread(target=sim.step, args=(10**8,), daemon=True).start()

def refused(call):
    try:
        call()
    except RuntimeError as error:
        return str(error)

while not refused(lambda: _core.step((batch,), 0)):
    pass
child = os.fork()
if child == 0:
    expected = "fork"
    same = all(expected in str(refused(call)) for call in (sim.step, sim.reset))
    same = same and expected in (refused(batch.snapshot) or expected)  # None between two turns
    os._exit(0 if same else 1)
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status), flush=True)
os._exit(0)
"""
    assert run_python(program).strip() == "0"


@pytest.mark.slow
def test_children_of_children_step_too(run_python: RunPython) -> None:
    program = """
import os, pyrfly
def generation(depth):
    sim = pyrfly.Sim("sdk", 600, threads=2)
    sim.step(20)
    if depth == 0:
        return 0
    child = os.fork()
    if child == 0:
        os._exit(generation(depth - 1))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(generation(4))
"""
    assert run_python(program).strip() == "0"


@pytest.mark.parametrize("count", ["1", "256"])
def test_environment_sets_the_number_of_threads(run_python: RunPython, count: str) -> None:
    program = (
        "from pyrfly import _core, Sim;"
        "print(_core.threads, Sim('sdk', 4).groups[0].batch.threads,"
        " Sim('sdk', 4, threads=2).groups[0].batch.threads)"
    )
    assert run_python(program, PYRFLY_THREADS=count).split() == [count, count, "2"]


def test_empty_environment_means_the_processors_of_this_process(run_python: RunPython) -> None:
    program = (
        "from pyrfly import _core; import os; print(_core.threads, len(os.sched_getaffinity(0)))"
    )
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("this system has no processor affinity")
    threads, processors = run_python(program, PYRFLY_THREADS="", PYRFLY_SIMD="").split()
    assert int(threads) == min(int(processors), 256)


BAD_ENVIRONMENT = {
    "PYRFLY_THREADS": ["0", "-2", "257", "two", "2x", "99999999999999999999"],
    "PYRFLY_SIMD": ["mmx"],
}


def test_a_bad_environment_is_an_import_error_that_names_it(run_python: RunPython) -> None:
    program = f"""
import os
for variable, values in {BAD_ENVIRONMENT}.items():
    for value in values:
        os.environ[variable] = value
        try:
            import pyrfly
        except ImportError as error:
            print(error)
    del os.environ[variable]
"""
    lines = run_python(program).splitlines()
    wrong = [(name, value) for name, values in BAD_ENVIRONMENT.items() for value in values]
    for line, (name, value) in zip(lines, wrong, strict=True):
        assert line.startswith(f"{name}: expected ")
        assert line.endswith(f"got '{value}'")


@pytest.mark.slow
def test_every_instruction_set_of_this_machine_can_be_chosen(run_python: RunPython) -> None:
    program = "import pyrfly; info = pyrfly.simd_info(); print(info['simd'], info['float64_lanes'])"
    for simd in pyrfly.simd_info()["available"]:
        name, lanes = run_python(program, PYRFLY_SIMD=simd).split()
        assert name == simd
        assert int(lanes) in (2, 4, 8)


def test_stepping_does_not_change_the_denormal_mode_of_the_process() -> None:
    """Kernels flush denormal numbers to zero; numpy must not."""
    sim = pyrfly.Sim("sdk", 600, threads=3)
    sim.step(10)
    sim.accel  # noqa: B018
    tiny = np.array([1e-310])
    assert (tiny * 0.5)[0] > 0
