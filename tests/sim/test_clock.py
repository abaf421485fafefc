"""Stepping: its owner (`Sim.hand_over`), signals, and other threads."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim, _core
from pyrfly.log import Recorder

from ..interrupts import Interrupted, interrupting_after, with_timers


class Stepper:
    """Steps, or lets others."""

    def __init__(self) -> None:
        self.closed = False
        self.alone = True

    def require_may_step(self) -> None:
        if self.alone:
            raise RuntimeError("only the stepper steps")


def test_the_stepper_decides_who_may_step() -> None:
    sim, stepper = Sim("sdk"), Stepper()
    sim.hand_over(stepper)
    with pytest.raises(RuntimeError, match="only the stepper steps"):
        sim.step()
    with pytest.raises(RuntimeError, match="only the stepper steps"):
        sim.run(0.1)
    assert sim.time == 0.0
    stepper.alone = False
    sim.step()
    assert sim.time == sim.dt


def test_a_sim_is_handed_over_again_when_the_other_has_closed() -> None:
    sim, first, second = Sim("sdk"), Stepper(), Stepper()
    sim.hand_over(first)
    sim.hand_over(first)
    with pytest.raises(RuntimeError, match="a Stepper steps this Sim already"):
        sim.hand_over(second)
    first.closed, second.alone = True, False
    sim.hand_over(second)
    sim.step()


@pytest.mark.parametrize("wrong", [3, None, "server", lambda: None])
def test_only_a_stepper_takes_over(wrong: Any) -> None:
    sim = Sim("sdk")
    with pytest.raises(TypeError, match="stepper: expected"):
        sim.hand_over(wrong)
    sim.step()


@with_timers
def test_a_signal_handler_ends_a_long_step_between_two_steps() -> None:
    sim = Sim({"x450": 1, "hex_x": 1})
    with pytest.raises(Interrupted), interrupting_after(0.2):
        sim.step(20_000_000)
    ticks = {group.batch.tick for group in sim.groups}
    assert len(ticks) == 1
    taken = ticks.pop()
    assert 0 < taken < 20_000_000
    uninterrupted = Sim({"x450": 1, "hex_x": 1})
    for _ in range(0, taken, 1000):
        uninterrupted.step(min(1000, taken - round(uninterrupted.time / sim.dt)))
    assert uninterrupted.hash() == sim.hash()
    sim.step()


def step(sim: Sim) -> None:
    sim.step(20_000_000)


def sleep(sim: Sim) -> None:
    sim.sleep(20_000.0)


def run(sim: Sim) -> None:
    sim.run(20_000.0)


def record(sim: Sim) -> None:
    sim.run(20_000.0, record=Recorder(sim, ("pos",), every=1, ids=1))


def listen(sim: Sim) -> None:
    sim.add_listener(int, sim.dt)
    try:
        sim.step(20_000_000)
    finally:
        sim.remove_listener(int)


@with_timers
@pytest.mark.parametrize("call", [step, sleep, run, record, listen])
def test_a_signal_handler_ends_a_call_within_half_a_second(call: Callable[[Sim], None]) -> None:
    sim = Sim({"x450": 20_000, "hex_x": 1})
    begin = time.monotonic()
    with pytest.raises(Interrupted), interrupting_after(0.2):
        call(sim)
    assert time.monotonic() - begin < 0.2 + 3.0  # 0.1 s where the machine has nothing else to do
    assert len({group.batch.tick for group in sim.groups}) == 1


@pytest.mark.slow
@with_timers
@pytest.mark.parametrize("call", [run, record, listen])
def test_a_signal_handler_leaves_a_usable_sim_wherever_it_comes(
    call: Callable[[Sim], None],
) -> None:
    """Also between the functions of Python that call the core."""
    sim = Sim("sdk")
    for attempt in range(400):
        with pytest.raises(Interrupted), interrupting_after(1e-3 + 1e-6 * attempt):
            call(sim)
        ticks = sim.groups[0].batch.tick
        sim.step()
        assert sim.groups[0].batch.tick == ticks + 1


def another_world() -> Sim:
    """Return a Sim of two groups, with parts, away from its start."""
    sim = Sim({"x450": 1, "hex_x": 1})
    sim.enable_synthesis()
    sim.environment.enable("magnetic")
    sim.randomize("wind", -1, 1)
    sim.step(10)
    return sim


def future(sim: Sim) -> bytes:
    """Step a Sim and return where that leads; its magnetic field shows the origin of each batch."""
    sim.environment.origin_changed()
    sim.step(8)
    return sim.snapshot()


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda sim, _: sim.reset(pos=(5, 5, -5), yaw=1, seed=3), id="reset"),
        pytest.param(lambda sim, saved: sim.restore(saved), id="restore"),
        pytest.param(lambda sim, _: setattr(sim, "origin", (1, 2, 3)), id="origin"),
        pytest.param(lambda sim, _: setattr(sim, "controllers", False), id="controllers"),
        pytest.param(lambda sim, _: sim.randomize("mass", 1, 2), id="randomize"),
    ],
)
def test_an_exception_of_a_signal_handler_leaves_a_change_done_or_not_begun(
    change: Callable[[Sim, bytes], object],
) -> None:
    """Wherever it comes: at each call of a function in turn."""
    sim = another_world()
    sim.origin = (4, 5, 6)
    saved = sim.snapshot()
    sim.step(10)
    sim.origin = (7, 8, 9)
    before = sim.snapshot()
    old = future(sim)
    sim.restore(before)
    change(sim, saved)
    new = future(sim)
    sim.restore(before)
    outcomes = []
    for interrupted in interrupted_at_each_call(lambda: change(sim, saved)):
        if interrupted:
            now = future(sim)
            assert now in (old, new), f"interrupted at call {len(outcomes)}"
            outcomes.append("not begun" if now == old else "done")
        sim.restore(before)
    assert set(outcomes) == {"not begun", "done"}


def interrupted_at_each_call(change: Callable[[], object]) -> Iterator[bool]:
    """Call ``change`` with a signal at its first, second, ... call of a function, and at last none.

    Yield after each whether it was interrupted.
    """
    interrupted = True
    for calls in itertools.count():
        if not interrupted:
            break
        left = iter(range(calls))

        def interrupt(_: object, event: str, called: Any, left: Iterator[int] = left) -> None:
            with_ends = getattr(called, "__name__", "") == "__exit__"  # no handler runs before it
            if event.endswith("call") and not with_ends and next(left, None) is None:
                sys.setprofile(None)
                raise Interrupted

        try:
            sys.setprofile(interrupt)
            change()
            sys.setprofile(None)
            interrupted = False
        except Interrupted:
            pass
        yield interrupted


@pytest.mark.slow
@pytest.mark.parametrize("part", ["navigator", "environment"])
def test_an_exception_of_a_signal_handler_leaves_a_part_enabled_or_not(part: str) -> None:
    def made() -> Sim:
        sim = Sim({"x450": 1, "hex_x": 1})
        sim.reset(seed=5)
        return sim

    enabled = made()
    enabled.enable_part(part)
    sims = [made()]
    states = set()
    for interrupted in interrupted_at_each_call(lambda: sims[-1].enable_part(part)):
        sim = sims[-1]
        on = [group.batch.has(part) for group in sim.groups]
        assert on == [on[0]] * 2
        states.add((interrupted, on[0]))
        sim.enable_part(part)
        assert sim.fields() == enabled.fields()
        assert sim.snapshot() == enabled.snapshot()
        sims.append(made())
    assert states == {(True, False), (True, True), (False, True)}


@with_timers
@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.05, 0.5, 1.0])
def test_a_signal_handler_ends_the_construction_of_a_million_vehicles(seconds: float) -> None:
    """The signal of a timer; what is built by then is freed."""
    begin = time.monotonic()
    with contextlib.suppress(Interrupted), interrupting_after(seconds):
        Sim("x450", 1_000_000)
        pytest.skip("this machine is faster")
    assert time.monotonic() - begin < seconds + 3.0  # 0.1 s on a machine with nothing else to do


def resident() -> int:
    """Return the memory of this process that is in use [bytes]."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="not known on this system")
def test_no_call_of_the_core_makes_all_pages_of_a_batch() -> None:
    """That takes seconds for many vehicles, and no signal handler runs meanwhile."""
    before = resident()
    batch = _core.Batch("quad_x", 300_000)
    assert batch.nbytes > 3e8
    assert resident() - before < 0.1 * batch.nbytes
    batch.enable("environment")
    assert resident() - before < 0.3 * batch.nbytes


@contextmanager
def stepping_in_another_thread(sim: Sim) -> Iterator[None]:
    """Have another thread in a step of a `Sim` at the start of the block, and end it after it."""
    entered, left = threading.Event(), threading.Event()

    def wait(_: object, __: object) -> None:
        entered.set()
        left.wait(60)

    thread = threading.Thread(target=sim.step)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pyrfly._core.step", wait)
        thread.start()
        entered.wait(60)
        yield
        left.set()
        thread.join(60)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda sim, _: sim.step(), id="step"),
        pytest.param(lambda sim, _: sim.reset(pos=(5, 5, -5), seed=3), id="reset"),
        pytest.param(lambda sim, saved: sim.restore(saved), id="restore", marks=pytest.mark.slow),
        pytest.param(lambda sim, _: sim.command_position([1, 2, -3], yaw=1), id="set-point"),
        pytest.param(lambda sim, _: sim.command_sil([1] * 8, [2.0] * 20), id="inputs"),
        pytest.param(lambda sim, _: setattr(sim, "origin", (1, 2, 3)), id="origin"),
        pytest.param(lambda sim, _: sim.command_sil(command=1), id="command word"),
        pytest.param(lambda sim, _: sim.randomize("mass", 1, 2), id="randomize"),
        pytest.param(lambda sim, _: sim.enable_part("environment"), id="part"),
        pytest.param(lambda sim, _: setattr(sim, "controllers", False), id="controllers"),
    ],
)
def test_while_another_thread_steps_a_call_is_refused_and_changes_nothing(
    call: Callable[[Sim, bytes], object],
) -> None:
    sim = Sim({"x450": 1, "hex_x": 1})
    sim.enable_synthesis()
    sim.arm()
    saved = sim.snapshot()
    sim.step(10)
    before = sim.snapshot()
    with stepping_in_another_thread(sim):
        with pytest.raises(
            RuntimeError, match="another thread or a signal handler is using this Sim"
        ):
            call(sim, saved)
        assert sim.snapshot() == before
    sim.randomize("wind", -1, 1)
    np.testing.assert_array_equal(sim.wind, _drawn_with_seed_0())


def _drawn_with_seed_0() -> np.ndarray:
    sim = Sim({"x450": 1, "hex_x": 1})
    sim.randomize("wind", -1, 1)
    return sim.wind


def test_an_exclusive_context_is_entered_once_and_left_by_exceptions() -> None:
    exclusive = _core.Exclusive("busy")
    with contextlib.suppress(KeyError), exclusive:
        assert exclusive.held
        with pytest.raises(RuntimeError, match="busy"), exclusive:
            pass
        assert exclusive.held
        raise KeyError
    assert not exclusive.held


def test_a_context_within_another_enters_both_or_none() -> None:
    outer = _core.Exclusive("busy")
    inner = _core.Exclusive("taken", outer)
    with inner:
        assert outer.held
        assert outer.mine
        assert inner.mine
    with outer, pytest.raises(RuntimeError, match="taken"), inner:
        pass
    assert not outer.held
    assert (inner.entries, outer.entries) == (1, 1)


@contextmanager
def changing_in_another_thread(sim: Sim, write: Callable[[], object]) -> Iterator[threading.Event]:
    """Begin a change that writes, and ends when the event is set or with the block."""
    written, go_on = threading.Event(), threading.Event()

    def change() -> None:
        write()
        written.set()
        go_on.wait(20)

    thread = threading.Thread(target=sim._clock.change, args=(change,))
    thread.start()
    written.wait(20)
    yield go_on
    go_on.set()
    thread.join()


def test_a_snapshot_waits_for_the_end_of_a_change() -> None:
    sim = Sim({"x450": 2, "hex_x": 1})
    first, second = sim.groups

    def half() -> None:
        first.pos[:] = 5

    with changing_in_another_thread(sim, half) as go_on:
        threading.Timer(0.2, lambda: (second.pos.fill(5), go_on.set())).start()
        saved = sim.snapshot()
    sim.reset()
    sim.restore(saved)
    assert (sim.pos == 5).all()


def test_what_is_read_amid_changes_is_read_again() -> None:
    sim = Sim("x450")
    times = iter((True, True, False))

    def read() -> float:
        found = float(sim.pos[0, 0])
        if next(times):
            sim.reset(pos=[found + 1, 0, 0])
        return found

    assert sim._clock.read(read) == 2


def test_a_snapshot_amid_a_change_of_the_same_thread_is_refused() -> None:
    sim = Sim("x450")
    with sim._clock.exclusive, pytest.raises(RuntimeError, match="using this Sim"):
        sim.snapshot()
    assert sim.snapshot()
