"""Nothing leaks: memory, references, threads."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

import numpy as np
import pytest

import pyrfly
from pyrfly import _core

RunPython = Callable[..., str]

LOOP = """
import gc, sys
import numpy as np, pyrfly
from pyrfly import _core

def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096

kinds = {pyrfly.load("sdk"): 400, pyrfly.load("octo_x"): 100}

def cycle():
    sim = pyrfly.Sim(kinds, threads=2)
    pos = sim.groups[0].pos
    sim.arm()
    sim.command_position([1, 2, -3], yaw=0.5)
    sim.step(8)
    sim.accel, sim.euler, sim.fields(), sim.check(), pyrfly.simd_info(), _core.vehicle_types()
    saved = sim.snapshot()
    sim.restore(saved)
    for wrong in (lambda: sim.restore(b"x"), lambda: sim.groups[0].batch.view("x"),
                  lambda: sim.groups[0].batch.fill("pos", [1]), lambda: sim.step(-1),
                  lambda: sim.groups[0].batch.fill("pos", "x"), lambda: _core.Batch("x", 1)):
        try:
            wrong()
        except (ValueError, KeyError):
            pass
        else:
            raise SystemExit("not refused")
    del sim
    pos[:] = 1

for _ in range(100):
    cycle()
gc.collect()
start = resident()
for _ in range(1000):
    cycle()
gc.collect()
print(resident() - start)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_thousand_sims_leave_no_memory_behind(run_python: RunPython) -> None:
    """Each holds more than half a megabyte, so 3 MB is less than six of them, or 3 kB a cycle."""
    assert int(run_python(LOOP)) < 3_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_threads_are_shared_by_all_batches(run_python: RunPython) -> None:
    program = """
import os, pyrfly
for threads in (3, 2, 3, 1):
    sims = [pyrfly.Sim("sdk", 600, threads=threads) for _ in range(5)]
    for sim in sims:
        sim.step(10)
print(len(os.listdir("/proc/self/task")))
"""
    single = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    assert int(run_python(program, **single)) <= 3


def test_a_view_holds_one_reference_to_its_batch() -> None:
    batch = _core.Batch("quad_x", 3)
    before = sys.getrefcount(batch)
    views = [batch.view("pos") for _ in range(10)]
    assert sys.getrefcount(batch) == before + 10
    assert views[0].base is batch
    del views
    assert sys.getrefcount(batch) == before


def test_an_output_holds_no_reference_to_its_batch() -> None:
    batch = _core.Batch("quad_x", 3)
    before = sys.getrefcount(batch)
    output, once = batch.view("accel"), [object()][0]
    assert sys.getrefcount(batch) == before
    assert sys.getrefcount(output) == sys.getrefcount(once)


def test_calls_that_fail_keep_no_references() -> None:
    batch = _core.Batch("quad_x", 3)
    name, values, buffer = "no such column" + str(id(batch)), [1.0, object()], bytearray(10)
    counts = [sys.getrefcount(x) for x in (batch, name, values, buffer)]
    for _ in range(50):
        for call in (
            lambda: batch.view(name),
            lambda: batch.fill(name, values),
            lambda: batch.fill("pos", values),
            lambda: batch.restore(buffer),
            lambda: _core.step((batch,), -1),
        ):
            with pytest.raises((KeyError, TypeError, ValueError)):
                call()
    gc.collect()
    assert [sys.getrefcount(x) for x in (batch, name, values, buffer)] == counts
    buffer.append(1)  # its memory is no longer exported


def test_the_module_keeps_no_references_to_what_it_returns() -> None:
    returned = [pyrfly.simd_info(), _core.parts(), _core.uniform(1, 2, 3, 0, 5, 2)]
    names, row, numbers = returned[0]["available"], returned[1]["navigator"], returned[2]
    name, doc = names.pop(), row["columns"][0][5]
    del returned
    once = [object()][0]  # held by its variable alone, as the others should be
    counts = [sys.getrefcount(x) for x in (once, names, row, numbers, name)]
    assert counts == [counts[0]] * 5
    assert sys.getrefcount(doc) <= sys.getrefcount(once) + 1  # its row holds it, too
    before = sys.getrefcount(_core.Batch)
    for _ in range(20):
        _core.Batch("quad_x", 1)
    after = sys.getrefcount(_core.Batch)
    assert after == before


def test_a_sim_is_freed_without_the_garbage_collector() -> None:
    """No reference cycles: a large batch goes when its last name goes."""
    sim = pyrfly.Sim("sdk", 10)
    batch = sim.groups[0].batch
    gc.collect()
    gc.disable()
    try:
        del sim
        once = [object()][0]
        assert sys.getrefcount(batch) == sys.getrefcount(once)
    finally:
        gc.enable()


def test_reloading_columns_after_the_batch_is_gone_is_safe() -> None:
    arrays = [pyrfly.Sim("sdk", 100).pos for _ in range(20)]
    for array in arrays:
        array += 1.0
    assert all((array == 1).all() for array in arrays)
    assert np.shares_memory(arrays[0], arrays[0][10:])
