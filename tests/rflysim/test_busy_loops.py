"""Threads of simulated time that wait in loops without a sleep."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pyrfly.rflysim.busy_loops import idle_loop
from pyrfly.rflysim.stepped import main, simulated_time


class Flag:
    is_set = False


def set_later(flag: Flag, seconds: float) -> threading.Thread:
    def run() -> None:
        time.sleep(seconds)
        flag.is_set = True
        time.sleep(5)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize("nap", [0, 1e-9])
def test_sleeps_of_nothing_let_others_go_on(nap: float) -> None:
    with simulated_time():
        flag = Flag()
        thread = set_later(flag, 3)
        while not flag.is_set:
            time.sleep(nap)
        assert time.monotonic() == pytest.approx(3, abs=0.01)
        thread.join()


@pytest.mark.parametrize("kind", ["thread", "event"])
def test_looks_at_others_let_them_go_on(kind: str) -> None:
    with simulated_time():
        event = threading.Event()
        thread = threading.Thread(target=lambda: (time.sleep(3), event.set()))
        thread.start()
        goes_on = thread.is_alive if kind == "thread" else lambda: not event.is_set()
        while goes_on():
            pass
        assert time.monotonic() == pytest.approx(3, abs=0.01)
        thread.join()


SCRIPT = """
import threading, time
flag = []
def run():
    time.sleep(0.5)
    flag.append(1)
    time.sleep(5)
threading.Thread(target=run).start()
while not flag:
    pass
print(time.monotonic())
"""


@pytest.mark.slow
def test_time_passes_as_real_time_while_a_variable_is_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "fly.py"
    script.write_text(SCRIPT)
    main([str(script)])
    printed, told = capsys.readouterr()
    assert float(printed) == pytest.approx(0.5, abs=0.3)  # not 5.5: it is seen at once
    assert re.match("pyrfly: fly.py:(9|10) waits for a variable in a loop", told)
    assert told.count("\n") == 1


def only_waits(loop: Callable[[list[bool]], None]) -> bool:
    """Return whether a thread that goes on in a loop is seen to wait only."""
    stop = [False]
    thread = threading.Thread(target=loop, args=(stop,), daemon=True)
    thread.start()
    time.sleep(0.02)
    found = idle_loop(sys._current_frames()[thread.ident or 0])
    stop[0] = True
    thread.join()
    return found is not None


def _spins(stop: list[bool]) -> None:
    while not stop[0]:
        pass


def _counts(stop: list[bool]) -> None:
    i = 0
    while not stop[0]:
        i += 1


def _goes_through(stop: list[bool]) -> None:
    for _ in iter(lambda: stop[0], True):
        pass


@pytest.mark.parametrize(
    ("loop", "idle"), [(_spins, True), (_counts, False), (_goes_through, False)]
)
def test_loops_that_store_something_do_not_only_wait(
    loop: Callable[[list[bool]], None], idle: bool
) -> None:
    assert only_waits(loop) == idle
