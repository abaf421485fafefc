"""Simulated time that the threads of a script share: `SteppedWorld`."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter  # the real one, before it is replaced

from pyrfly.ctrl.background import Start, World
from pyrfly.rflysim.busy_loops import idle_loop, script_line

__all__ = ["LOOKS", "TICK", "SteppedWorld"]

LOOKS = 1000
"""Consecutive reads of the clock or a vehicle that take no time."""

TICK = 1e-3
"""Simulated time that every further one takes, and by which time advances [s]."""

_ROUNDING = 1e-6  # of a tick, which sums of decimal fractions may be short
_PATIENCE = 0.1  # s of real time between two looks at a thread that the others wait for
_BUSY = 0.1  # share of it that a thread which computes uses of a processor
_SPIN = 0.5  # s of real time in a loop that only waits, until others may go on
_SPIN_TICKS = 10  # of a step meanwhile
_LONG = 5.0  # s of real time with the turn, of which a line tells

_SPINS = (
    "waits for a variable in a loop without a sleep: simulated time passes as real time until "
    "it goes on; a time.sleep in the loop lets it pass as fast as possible"
)
_RUNS = f"has run for {_LONG:g} s without a sleep: simulated time stands still meanwhile"


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
    spins : bool
        Whether it waits for a variable in a loop, and time passes as real time until it goes on.
    """

    def __init__(self, wake: int | None, since: int) -> None:
        self.wake = wake
        self.since = since
        self.absent = self.spins = False
        self.looks = 0
        self.remainder = 0.0  # s that were slept and not advanced yet, less than a tick
        self.ident = self.native_id = 0
        self.used = 0.0  # s of processor time when it was looked at last
        self.began = self.loop_began = perf_counter()  # s, of its turn, of the loop it is in
        self.loop: tuple[int, int] | None = None


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
        self._told: set[str] = set()
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

    @property
    def is_alone(self) -> bool:
        """Whether no thread but the first takes part: nobody else acts in simulated time."""
        return not self.threads

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
        member.remainder += seconds
        ticks = math.floor(member.remainder / TICK + _ROUNDING)
        member.remainder -= ticks * TICK
        if ticks:
            member.looks = 0
        self._wait(member, self._ticks + (ticks or self._look(member)))

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
            ticks = self._look(member)
            if ticks or member.absent:
                self._wait(member, self._ticks + ticks)
        return self.now

    @staticmethod
    def _look(member: _Member) -> int:
        """Count a look or a sleep of nothing; return how many ticks it takes."""
        member.looks += 1
        return int(member.looks > LOOKS)

    def _wait(self, member: _Member, wake: int) -> None:
        with self._turn:
            member.wake, member.since = wake, self._next()
            member.absent = member.spins = False
            self._turn.notify_all()
            try:
                while not self._closed:
                    if not self._is_turn_of(member):
                        if not self._turn.wait(_PATIENCE):
                            self._look_at_those_who_run()
                    elif wake > self._ticks:
                        self._advance_towards(wake)
                    else:
                        break
            finally:
                member.wake, member.began = None, perf_counter()

    def _advance_towards(self, wake: int) -> None:
        """Advance to a tick; where a thread waits for a variable, in steps and no faster than real.

        So the thread that waits sees the variable at about the time when it changes.
        """
        spins = any(member.spins for member in self._members)
        ticks = min(wake - self._ticks, _SPIN_TICKS if spins else wake)
        self.advance(ticks * TICK)
        self._ticks += ticks
        if spins:
            self._turn.wait(ticks * TICK)

    def _is_turn_of(self, member: _Member) -> bool:
        waiting = [m for m in self._members if m.wake is not None]
        running = any(m.wake is None and not m.absent for m in self._members)
        return not running and member is min(waiting, key=lambda m: (m.wake, m.since))

    def _look_at_those_who_run(self) -> None:
        """Leave out who waits for something outside or for a variable; tell who runs long."""
        frames, now = sys._current_frames(), perf_counter()
        for member in self._members:
            if member.wake is None and not member.absent:
                frame = frames.get(member.ident)
                loop = idle_loop(frame)
                if loop is None or loop != member.loop:
                    member.loop, member.loop_began = loop, now
                elif now - member.loop_began > _SPIN:
                    member.absent = member.spins = True
                    self._tell(script_line(frame), _SPINS)
                    continue
                if now - member.began > _LONG:
                    self._tell(script_line(frame), _RUNS)
                used = _processor_time(member.ident)
                idle = used - member.used < _BUSY * _PATIENCE
                member.absent = idle and not _waits_for_a_processor(member.native_id)
                member.used = used

    def _tell(self, line: str, message: str) -> None:
        """Write a line on stderr, once for each line of the script."""
        if line not in self._told:
            self._told.add(line)
            print(f"pyrfly: {line} {message}", file=sys.stderr, flush=True)


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
