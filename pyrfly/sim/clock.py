"""Simulated time: steps the batches of a simulation together and calls listeners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from pyrfly import _core
from pyrfly._core import Batch
from pyrfly.columns import finite_array

__all__ = ["Clock", "Stepper"]

Update = Callable[[], object]


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
    """

    def __init__(self, batches: Sequence[Batch], dt: float) -> None:
        self.dt = dt
        self._batches = tuple(batches)
        self._listeners: tuple[tuple[Update, int], ...] = ()
        self._stepper: Stepper | None = None

    @property
    def tick(self) -> int:
        """Integrator steps since construction or the last restart."""
        return self._batches[0].tick

    def restart(self) -> None:
        """Set the tick to 0."""
        for batch in self._batches:
            batch.tick = 0

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
        seconds = float(finite_array("period", period, "s"))
        if seconds <= 0:
            raise ValueError(f"period: expected a time above 0 [s], got {seconds}")
        self._listeners += ((update, max(1, round(seconds / self.dt))),)

    def remove(self, update: Update) -> None:
        """See `Sim.remove_listener`."""
        self._listeners = tuple(pair for pair in self._listeners if pair[0] != update)

    def step(self, n: int) -> None:
        """See `Sim.step`."""
        if self._stepper is not None:
            self._stepper.require_may_step()
        if self._listeners:
            n = self._step_to_listeners(n)
        _core.step(self._batches, n)

    def _step_to_listeners(self, n: int) -> int:
        """Step and call listeners until no more are due; return the remaining steps."""
        while n > 0:
            tick = self.tick
            for update, period in self._listeners:
                if tick % period == 0:
                    update()
            until_due = min((p - tick % p for _, p in self._listeners), default=n)
            if until_due >= n:
                break
            _core.step(self._batches, until_due)
            n -= until_due
        return n
