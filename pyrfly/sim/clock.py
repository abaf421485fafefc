"""Simulated time: steps the batches of a simulation together and calls listeners."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar, runtime_checkable

from pyrfly import _core
from pyrfly._core import Batch, Exclusive
from pyrfly.errors import brief
from pyrfly.sim.arguments import MAXIMUM_STEPS, steps_in, whole_number

__all__ = ["Clock", "Stepper", "change_whole"]

_LISTENER_RUNS = "a listener of this Sim is running: it may command, but not step"

_IN_USE = "another thread or a signal handler is using this Sim, or was at a fork"
_PAUSE = 1e-3  # s
_LONGEST_WAIT = 10.0  # s: one that was cut off by a fork has no end

Update = Callable[[], object]
Result = TypeVar("Result")


def change_whole(exclusive: Exclusive, write: Update) -> None:
    """Call a function that changes several columns or batches, under ``exclusive``, to its end.

    A signal handler may raise in the middle of it. Then it is called again, so that the batches
    agree, before the exception goes on; so a second call must write the same as the first.
    """
    with exclusive:
        _write_to_the_end(write)


def _write_to_the_end(write: Update) -> None:
    try:
        write()
    except BaseException:
        write()
        raise


@runtime_checkable
class Stepper(Protocol):
    """Owner of the stepping of a `Sim`, such as a server or a real-time background thread."""

    @property
    def closed(self) -> bool:
        """Whether it has finished stepping the `Sim`."""

    def require_may_step(self) -> None:
        """Raise a RuntimeError unless the calling thread may step the `Sim` now."""


class Clock:
    """Steps batches together, and calls listeners at multiples of their periods.

    Parameters
    ----------
    batches : sequence of Batch
        The batches, all at the same tick.
    dt : float
        Integrator step [s].

    Attributes
    ----------
    exclusive : context manager
        To be held by what changes several columns or batches; `read` waits for it. Raises a
        RuntimeError if it is held already, or if batches are stepped (not while listeners are
        called).
    """

    def __init__(self, batches: Sequence[Batch], dt: float) -> None:
        self.dt = dt
        self._stepping = Exclusive(_IN_USE)
        self.exclusive = Exclusive(_IN_USE, self._stepping)
        self._batches = tuple(batches)
        self._listeners: tuple[tuple[Update, int], ...] = ()
        self._stepper: Stepper | None = None
        self._calling = Exclusive(_LISTENER_RUNS)

    @property
    def tick(self) -> int:
        """Integrator steps since construction or the last restart."""
        return self._batches[0].tick

    def restart(self) -> None:
        """Set the tick to 0."""
        for batch in self._batches:
            batch.tick = 0

    def change(self, write: Update) -> None:
        """Call a function that changes several batches, as `change_whole` does."""
        change_whole(self.exclusive, write)

    def change_after(self, plan: Callable[[], Update]) -> None:
        """Change several batches, as `change` does, by what ``plan`` returns of their present."""
        with self.exclusive:
            _write_to_the_end(plan())

    def read(self, read: Callable[[], Result]) -> Result:
        """Return what a function reads of several columns or batches while nothing changes them.

        It is called again if another thread began to change them meanwhile. Steps do not count: the
        core reads in a pause of them. Raises a RuntimeError if this thread itself is changing them,
        or if there is no end of changes.
        """
        end = time.monotonic() + _LONGEST_WAIT
        while not self.exclusive.mine and time.monotonic() < end:
            before = self.exclusive.entries
            if self.exclusive.held:
                time.sleep(_PAUSE)
                continue
            try:
                found = read()
            except (ValueError, RuntimeError):  # of columns that were added meanwhile
                if self.exclusive.entries == before:
                    raise
            else:
                if self.exclusive.entries == before:
                    return found
        raise RuntimeError(_IN_USE)

    def hand_over(self, stepper: Stepper) -> None:
        """See `Sim.hand_over`."""
        if not isinstance(stepper, Stepper):
            raise TypeError(
                f"stepper: expected an object with closed and require_may_step, got {stepper!r:.80}"
            )
        other = self._stepper
        if other is not None and other is not stepper and not other.closed:
            raise RuntimeError(f"a {type(other).__name__} steps this Sim already; close it first")
        self._stepper = stepper

    def add(self, update: Update, period: float) -> None:
        """See `Sim.add_listener`."""
        if not callable(update):
            raise TypeError(f"update: expected a function, got {brief(update)}")
        steps = steps_in("period", period, self.dt)
        if period == 0:
            raise ValueError("period: expected a time above 0 [s], got 0")
        self._listeners += ((update, max(1, steps)),)

    def remove(self, update: Update) -> None:
        """See `Sim.remove_listener`."""
        self._listeners = tuple(pair for pair in self._listeners if pair[0] != update)

    def step(self, n: int) -> bool:
        """See `Sim.step`; return whether all steps were taken: the run has not ended before."""
        if type(n) is not int or not 0 <= n <= MAXIMUM_STEPS:
            n = whole_number("n", n, 0, MAXIMUM_STEPS)
        if self._stepper is not None:
            self._stepper.require_may_step()
        if self._calling.held:
            raise RuntimeError(_LISTENER_RUNS)
        until = self._step_to_listeners(n) if self._listeners else n
        return until is not None and self._advance(until)

    def _advance(self, n: int) -> bool:
        with self._stepping:
            return _core.step(self._batches, n) == 0

    def _call_listeners(self, tick: int) -> None:
        with self._calling:
            for update, period in self._listeners:
                if tick % period == 0:
                    update()

    def _step_to_listeners(self, n: int) -> int | None:
        """Step and call listeners until no more are due; return the remaining steps.

        None if the run has ended.
        """
        while n > 0:
            tick = self.tick
            self._call_listeners(tick)
            until_due = min((p - tick % p for _, p in self._listeners), default=n)
            if until_due >= n:
                break
            if not self._advance(until_due):
                return None
            n -= until_due
        return n
