"""Simulated time that the threads of a script share: `SteppedWorld`."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from pyrfly.ctrl.background import Start, World

__all__ = ["LOOKS", "TICK", "SteppedWorld"]

LOOKS = 1000  # consecutive reads of the clock or a vehicle that take no time
TICK = 1e-3  # s that every further one takes, and by which time advances

_ROUNDING = 1e-6  # of a tick, which sums of decimal fractions may be short
_PATIENCE = 0.1  # s of real time between two looks at a thread that the others wait for
_BUSY = 0.1  # share of it that a thread which computes uses of a processor


class _Member:
    """A thread that takes part in simulated time.

    Attributes
    ----------
    wake : int or None
        The tick it waits for; None while it runs.
    since : int
        Number of its present wait, in the order of all waits.
    absent : bool
        Whether it is waiting for something outside, so that time passes without it.
    """

    def __init__(self, wake: int | None, since: int) -> None:
        self.wake = wake
        self.since = since
        self.absent = False
        self.looks = 0
        self.remainder = 0.0  # s that were slept and not advanced yet, less than a tick
        self.ident = self.native_id = 0
        self.used = 0.0  # s of processor time when it was looked at last


class SteppedWorld(World):
    """Sims that advance while all threads of a script wait.

    One thread runs at a time, until it waits; then it is the turn of the one that wakes first, so
    that every run is alike. A thread that waits for something outside, such as a packet, is left
    out until it waits for simulated time again.

    Parameters
    ----------
    fleet : mapping of int to Start, optional
        See `World`.

    Attributes
    ----------
    threads : list of threading.Thread
        Threads that take part, besides the first.
    """

    def __init__(self, fleet: Mapping[int, Start] | None = None) -> None:
        super().__init__(fleet)
        self._ticks = 0
        self._waits = 0
        self._turn = threading.Condition()
        self._members: list[_Member] = []
        self._closed = False
        self.threads: list[threading.Thread] = []
        self._mine = threading.local()
        self._take_part(self._joining(None))

    @property
    def now(self) -> float:
        """Simulated time [s]."""
        return self._ticks * TICK

    # --- threads

    @property
    def is_shared(self) -> bool:
        """Whether this thread takes part in simulated time; none does after `close`."""
        return getattr(self._mine, "member", None) is not None and not self._closed

    def _joining(self, wake: int | None) -> _Member:
        with self._turn:
            member = _Member(wake, self._next())
            self._members.append(member)
            return member

    def _next(self) -> int:
        self._waits += 1
        return self._waits

    def _take_part(self, member: _Member) -> None:
        member.ident, member.native_id = threading.get_ident(), threading.get_native_id()
        self._mine.member = member

    def start(self, thread: threading.Thread, start: Callable[[threading.Thread], None]) -> None:
        """Start a thread by ``start``, and let it take part from its first turn on."""
        member, run = self._joining(self._ticks), thread.run

        def run_in_turns() -> None:
            self._take_part(member)
            self._wait(member, self._ticks)
            try:
                run()
            finally:
                self._leave(member, thread)

        thread.run = run_in_turns  # type: ignore[method-assign]
        self.threads.append(thread)
        try:
            start(thread)
        except BaseException:
            self._leave(member, thread)
            raise

    def _leave(self, member: _Member, thread: threading.Thread) -> None:
        with self._turn:
            self._members.remove(member)
            self.threads.remove(thread)
            self._turn.notify_all()

    def join_threads(self) -> None:
        """Wait, in simulated time, for all threads that are no daemons."""
        self.wait_for(lambda: all(thread.daemon for thread in self.threads), None)

    def close(self) -> None:
        """Let all threads go on in real time."""
        with self._turn:
            self._closed = True
            self._turn.notify_all()

    # --- time

    def sleep(self, seconds: float) -> None:
        """Wait in simulated time [s], in place of ``time.sleep``."""
        if not 0 <= seconds < math.inf:
            raise ValueError(f"sleep length must be non-negative and finite, not {seconds}")
        member: _Member = self._mine.member
        member.looks = 0
        member.remainder += seconds
        ticks = math.floor(member.remainder / TICK + _ROUNDING)
        member.remainder -= ticks * TICK
        self._wait(member, self._ticks + ticks)

    def wait_for(self, holds: Callable[[], bool], seconds: float | None) -> bool:
        """Wait until a condition holds, or for a simulated time [s]; return whether it holds."""
        until = math.inf if seconds is None else self.now + seconds
        while not (held := holds()) and self.now < until - 0.5 * TICK and not self._closed:
            self.sleep(TICK)
        return held

    def look(self) -> float:
        """Return the time [s]; it advances in a loop that only waits for it."""
        member: _Member | None = getattr(self._mine, "member", None)
        if member is not None:
            member.looks += 1
            if member.looks > LOOKS:
                self._wait(member, self._ticks + 1)
        return self.now

    def _wait(self, member: _Member, wake: int) -> None:
        with self._turn:
            member.wake, member.since, member.absent = wake, self._next(), False
            self._turn.notify_all()
            try:
                while not (self._closed or self._is_turn_of(member)):
                    if not self._turn.wait(_PATIENCE):
                        self._leave_out_those_who_wait_outside()
                if wake > self._ticks and not self._closed:
                    self.advance((wake - self._ticks) * TICK)
                    self._ticks = wake
            finally:
                member.wake = None

    def _is_turn_of(self, member: _Member) -> bool:
        waiting = [m for m in self._members if m.wake is not None]
        running = any(m.wake is None and not m.absent for m in self._members)
        return not running and member is min(waiting, key=lambda m: (m.wake, m.since))

    def _leave_out_those_who_wait_outside(self) -> None:
        for member in self._members:
            if member.wake is None and not member.absent:
                used = _processor_time(member.ident)
                idle = used - member.used < _BUSY * _PATIENCE
                member.absent = idle and not _waits_for_a_processor(member.native_id)
                member.used = used


def _processor_time(ident: int) -> float:
    """Return the processor time of a thread [s], 0 where the system does not tell."""
    try:
        return time.clock_gettime(time.pthread_getcpuclockid(ident))
    except (AttributeError, OSError):
        return 0.0


def _waits_for_a_processor(native_id: int) -> bool:
    """Return whether a thread could run, False where the system does not tell."""
    try:
        state = Path(f"/proc/self/task/{native_id}/stat").read_bytes()
        return state.rpartition(b") ")[2].startswith(b"R")
    except OSError:
        return False
