"""Signals that end what takes long."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class Interrupted(Exception):
    """Raised by the handler of a signal."""


with_timers = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="no timers on this system"
)


@contextmanager
def interrupting_after(seconds: float) -> Iterator[None]:
    """Raise `Interrupted` in the block after a time."""

    def interrupt(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
