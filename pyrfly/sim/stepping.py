"""The simulated time of a `Sim`: steps, what happens at given times, who may step: `Stepping`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from numpy.typing import ArrayLike

from pyrfly._core import Batch
from pyrfly.arrays import true_or_false
from pyrfly.sim.arguments import MAXIMUM_STEPS, steps_in
from pyrfly.sim.clock import Clock, Stepper, Update
from pyrfly.sim.ends import RunEnd, Until
from pyrfly.sim.events import (
    Events,
    event_list,
    event_rows,
    event_starts,
    events_with,
    new_event,
    require_not_past,
    without_events,
)
from pyrfly.sim.group import Group
from pyrfly.sim.own_models import OwnModels, hear
from pyrfly.sim.run import Sampler, run
from pyrfly.sim.selection import Selection
from pyrfly.vehicles.commands import Ids

__all__ = ["Stepping"]


class Stepping:
    """The part of a `Sim` that has its time: it steps, and keeps listeners and events."""

    select: Callable[..., Selection]
    groups: tuple[Group, ...]
    n: int
    dt: float
    _require_going_on: Callable[[], None]
    _clock: Clock
    _last_event: int
    _speaking: tuple[OwnModels, ...]

    @property
    def time(self) -> float:
        """Simulated time since construction or the last `reset` of all vehicles [s]."""
        return self._clock.tick * self.dt

    def step(self, n: int = 1) -> None:
        """Take ``n`` integrator steps of `dt`.

        Parameters
        ----------
        n : int
            Number of steps, 0 to 2147483647. Without controllers the inputs are constant during
            the call.

        Raises
        ------
        TypeError, ValueError
            ``n`` is not a whole number in this range; no step is taken.
        RuntimeError
            Another thread steps this `Sim`, it was handed over to another stepper, or a listener
            calls this.
        RunEnded
            A vehicle crossed a safety boundary that ends the run, in this call or before
            (`Sim.safety`). The `Sim` is at the tick of the crossing.
        KeyboardInterrupt
            Ctrl-C, or what another signal handler raises, ends the call within some 50 ms; the
            steps taken so far remain.
        """
        went_on = self._clock.step(n)
        hear(self._speaking)
        if not went_on:
            self._require_going_on()

    def sleep(self, seconds: float) -> None:
        """Advance simulated time, as ``time.sleep`` does for wall time.

        Parameters
        ----------
        seconds : float
            Duration [s]; rounded to whole steps of `dt`, and to at least one if above 0.
        """
        steps = steps_in("seconds", seconds, self.dt, MAXIMUM_STEPS)
        self.step(max(1, steps) if seconds else 0)

    def run(
        self,
        seconds: float,
        *,
        record: Sampler | None = None,
        progress: bool = False,
        until: Until = (),
    ) -> RunEnd | None:
        """Step for a duration, or until the vehicles have landed, or come to another end.

        Parameters
        ----------
        seconds : float
            Simulated time [s], rounded to whole steps.
        record : Sampler, optional
            Takes a sample at the start, every ``record.every`` steps, and at the end: a
            `pyrfly.log.Recorder` of this `Sim`, or an object with its ``sim``, ``every`` and
            ``sample()``. A recorder's log has the reason of an end as its metadata ``end``.
        progress : bool
            Show a progress bar (needs the extra ``log``).
        until : {'landed', 'crashed', 'disarmed', 'at_rest'} or sequence of these, optional
            The run also ends where each vehicle has come to one of these ends (docs/safety.md), or
            has a fault flag. The vehicles are looked at every 20 ms.

        Returns
        -------
        RunEnd or None
            Why the run has ended before its time, by ``until`` or by a crossing of a safety
            boundary (`Sim.safety`).

        Raises
        ------
        ValueError
            ``seconds`` is negative or non-finite, ``record`` belongs to another `Sim`, or there is
            no such end.
        MissingExtraError
            A progress bar is requested and tqdm is not installed.

        Examples
        --------
        >>> sim = Sim("x450", 2)
        >>> sim.reset(pos=[[0, 0, -3], [0, 9, -6]], hover=True)
        >>> sim.command_velocity([0, 0, 1])
        >>> end = sim.run(60, until="landed")
        >>> end.reason, end.time == sim.time < 10
        ('2 landed', True)
        """
        shows = true_or_false("progress", progress)
        return run(self, seconds, record=record, progress=shows, until=until)

    def add_listener(self, update: Callable[[], object], period: float) -> None:
        """Call a function periodically from `step`.

        Parameters
        ----------
        update : callable
            Called without arguments before each step that begins at a multiple of ``period``,
            independent of the calls of `step`. It may read and command vehicles, but not step. Its
            state is neither part of a `snapshot` nor reset.
        period : float
            Simulated time between calls [s], rounded to whole steps.
        """
        self._clock.add(update, period)

    def remove_listener(self, update: Callable[[], object]) -> None:
        """Stop calling a function of `add_listener`."""
        self._clock.remove(update)

    def hand_over(self, stepper: Stepper) -> None:
        """Hand over the stepping of this `Sim` to a server or a background thread.

        From now on `step` calls ``stepper.require_may_step()`` first, which raises a RuntimeError
        in threads that may not step.

        Parameters
        ----------
        stepper : Stepper
            The new owner.

        Raises
        ------
        TypeError
            ``stepper`` is no `Stepper`.
        RuntimeError
            This `Sim` was handed over before, to a stepper that is not ``closed``.
        """
        self._clock.hand_over(stepper)

    def at(
        self,
        time: ArrayLike,
        ids: Ids = None,
        *,
        ramp: float = 0.0,
        ramp_rate: float | None = None,
        every: float | None = None,
        times: int | None = None,
        **columns: ArrayLike,
    ) -> int:
        """Change columns at a simulated time: an event (docs/events.md).

        Events act before everything else of a step but listeners, at equal times in the order of
        entry. They are part of snapshots, pickles and copies; a reset lets them act anew.

        Parameters
        ----------
        time : array_like, shape (k,) or ()
            Simulated time [s], not before the present; rounded up to the next step. It counts from
            the reset of a vehicle, where one was reset alone after this call.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        ramp : float
            Duration [s] in which the value changes linearly from what the column has then.
        ramp_rate : float, optional
            Rate [Hz] of the values of a ramp; by default one at every step.
        every : float, optional
            Time between repeats [s], not less than ``ramp`` and `dt`; by default there are none.
        times : int, optional
            Number of times in all; for ever by default.
        **columns : array_like
            New values by column, one or more: what `Selection.write` takes, but finite.

        Returns
        -------
        int
            Number of the event, for `cancel_events`.

        Raises
        ------
        AttributeError
            A vehicle does not have a column, or it is an output or of a part that is disabled.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape or value; ``time`` is past; no column is given; a column
            of whole numbers has a ramp.
        RuntimeError
            Another thread steps or changes this `Sim`. After any of these there is no event.

        Examples
        --------
        >>> sim = Sim("x450", 2)
        >>> gust = sim.at(5.0, wind=[8, 0, 0], every=10)
        >>> lull = sim.at(7.0, wind=0, every=10)
        >>> loss = sim.at(6.0, 2, ramp=1.0, mass=1.5)
        >>> sim.sleep(5.5)
        >>> sim.wind[:, 0].tolist()
        [8.0, 8.0]
        >>> sim.sleep(2)
        >>> sim.wind[:, 0].tolist(), sim.mass[1].tolist()
        ([0.0, 0.0], 1.5)
        """
        chosen = self.select(ids)
        event = new_event(self.dt, ramp, ramp_rate, every, times)
        starts = event_starts(chosen, time, self.dt)
        rows = event_rows(chosen, self.groups, bool(event["ramp"][0]), starts, columns)

        def plan() -> Update:
            require_not_past(starts, time, self.dt, self._clock.tick)
            last = max(self._last_event, *(group.batch.last_event for group in self.groups))
            event["number"] = last + 1
            return partial(self._enter, last + 1, events_with(event, rows))

        self._clock.change_after(plan)
        for name in columns:
            for group, _, _ in chosen:
                group.warn_of_controllers(name)
        return int(event["number"][0])

    def _enter(self, number: int, added: Sequence[tuple[Batch, bytes]]) -> None:
        for batch, data in added:
            if batch.last_event < number:
                batch.add_events(data)
        self._last_event = number

    @property
    def events(self) -> Events:
        """The events of `at`, also those that are over, until they are cancelled."""
        return self._clock.read(lambda: event_list(self.groups, self.dt))

    def cancel_events(self, numbers: int | Sequence[int] | None = None, *, ids: Ids = None) -> None:
        """Remove events; what they have written stays, also amid a ramp.

        Parameters
        ----------
        numbers : int or sequence of int, optional
            Those that `at` returned; all events by default.
        ids : int or sequence of int, optional
            Only for these CopterIDs.

        Raises
        ------
        TypeError, ValueError
            There is no such event or vehicle.
        RuntimeError
            Another thread steps or changes this `Sim`. After any of these no event is removed.
        """
        chosen = self.select(ids)

        def plan() -> Update:
            return partial(_replace, without_events(chosen, self.groups, numbers))

        self._clock.change_after(plan)


def _replace(events: Sequence[tuple[Batch, bytes]]) -> None:
    for batch, own in events:
        batch.set_events(own)
