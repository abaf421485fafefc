"""Begins and ends of faults, as entries of the metadata of a log: `FaultNotes`.

``faults`` : list of objects
    ``time`` [s], ``copter_id``, ``event``, ``begin`` or ``end``, ``kind``, ``items`` (actuators
    from 1, or names of sensors) and ``values`` of each, in the order in which they were noticed.

Times are those of onsets and ends, not of the samples between which they are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from math import inf
from operator import itemgetter
from sys import float_info
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief
from pyrfly.sim import Ids, Sim
from pyrfly.sim.present_faults import described_fault

__all__ = ["FAULTS", "FaultNotes", "fault_spans", "fault_text"]

FAULTS = "faults"

_MOST = 10_000
"""Events that are noted: who may inject faults cannot fill the memory with them."""

_OF_A_FAULT = (
    *("fault_kind", "fault_items", "fault_onset", "fault_duration", "fault_strength"),
    *("fault_start", "fault_rate", "faults_drawn"),
)
"""What a look reads."""

Array = NDArray[Any]
Place = tuple[int, int]


def fault_text(entry: Mapping[str, Any]) -> str:
    """Return an entry of ``faults`` as a text.

    Raises
    ------
    ValueError
        It is no such entry.
    """
    try:
        items = "".join(f" {item}" for item in entry["items"])
        values = "".join(f", {name} {_number(value)}" for name, value in entry["values"].items())
        return f"Fault {entry['event']}s: {entry['kind']}{items}{values}"
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ValueError(f"{FAULTS}: expected begins and ends, got {brief(entry)}") from None


def fault_spans(metadata: Mapping[str, Any]) -> list[tuple[int, float, float]]:
    """Return when faults acted, by their begins and ends in the metadata of a log.

    Parameters
    ----------
    metadata : mapping
        It may come from a file: what is no begin or end there is passed over.

    Returns
    -------
    list of (int, float, float)
        CopterID, begin and end of each [s]; the end is infinite where the log has none.
    """
    listed = metadata.get(FAULTS)
    entries = [entry for entry in (listed if isinstance(listed, list) else []) if _is_event(entry)]
    spans: list[tuple[int, float, float]] = []
    begun: dict[int, deque[float]] = {}
    for entry in sorted(entries, key=itemgetter("time")):
        of_vehicle = begun.setdefault(entry["copter_id"], deque())
        if entry["event"] == "begin":
            of_vehicle.append(entry["time"])
        elif of_vehicle:  # whichever of them it ends, together they cover the same time
            spans.append((entry["copter_id"], of_vehicle.popleft(), entry["time"]))
    return spans + [(number, begin, inf) for number, left in begun.items() for begin in left]


def _is_event(entry: Any) -> bool:
    return (
        isinstance(entry, dict)
        and type(entry.get("copter_id")) is int
        and type(entry.get("time")) in (int, float)
        and abs(entry["time"]) <= float_info.max  # JSON has longer integers, too
        and entry.get("event") in ("begin", "end")
    )


def _number(value: Any) -> str:
    return " ".join(f"{part:g}" for part in (value if isinstance(value, list) else [value]))


class _Look(NamedTuple):
    """Faults of vehicles at a time, as places of each.

    Attributes
    ----------
    time : float
        Simulated time [s].
    epoch : ndarray, shape (n, 1)
        Time from which the onsets of each vehicle count: that of its reset.
    begin, end : ndarray, shape (n, 16)
        Times at which the fault in each place begins and ends; infinite if not or unknown.
    what : ndarray, shape (n, 16, 2 + values)
        Its kind, items and values.
    """

    time: float
    epoch: Array
    begin: Array
    end: Array
    what: Array


def _seen(
    time: float, kind: Array, items: Array, onset: Array, lasts: Array, strength: Array,
    start: Array, rate: Array, drawn: Array, epoch: Array,
) -> _Look:  # fmt: skip
    """Return a look by what it reads; the onset is known of what is not left to chance."""
    is_drawn = drawn[:, None] >> np.arange(kind.shape[1]) & 1 > 0
    known = (kind > 0) & (is_drawn | (rate == 0))
    begin = np.where(known, epoch + onset + np.where(is_drawn, 0, start), np.inf)
    end = np.where(lasts > 0, begin + lasts, np.inf)
    values = strength.reshape(*kind.shape, -1)
    what = np.concatenate([kind[..., None], items[..., None], values], axis=-1)
    return _Look(time, epoch, begin, end, what)


class FaultNotes:
    """Notes begins and ends of the faults of vehicles.

    A fault that is removed ends at the first look that misses it, one that another replaced at the
    begin of that.

    Parameters
    ----------
    sim : Sim
        The simulation.
    ids : int or sequence of int, optional
        CopterIDs of the vehicles; all by default.

    Attributes
    ----------
    entries : list of dict
        What was noted.
    """

    def __init__(self, sim: Sim, ids: Ids = None) -> None:
        self._sim = sim
        self._selection = sim.select(ids)
        everyone = range(1, sim.n + 1) if ids is None else ids
        self._ids = np.atleast_1d(np.asarray(everyone)).tolist()
        self.entries: list[dict[str, Any]] = []
        self._read: list[Array] = []
        self._last: _Look | None = None
        self._next = -np.inf  # time at which something begins or ends, if nothing is changed [s]
        self._acting: dict[Place, dict[str, Any]] = {}  # what began and did not end
        self._over: NDArray[np.bool_] = np.zeros(0, np.bool_)

    def look(self) -> None:
        """Note what began or ended since the last look."""
        if not self._sim.faults.enabled:
            return
        read = [*map(self._selection.read, _OF_A_FAULT), self._epoch()]
        if self._sim.time < self._next and all(map(np.array_equal, read, self._read)):
            return
        self._read = read
        now, last = _seen(self._sim.time, *read), self._last
        if last is None:
            self._over = now.end <= now.time
        else:
            other = (now.begin != last.begin) | (now.end != last.end)
            other |= (now.what != last.what).any(axis=-1)
            self._end_others(last, now, other)
            self._over &= ~other
        self._go_on(now)
        times = np.concatenate([now.begin, now.end])
        self._next = float(times[times > now.time].min(initial=np.inf))
        self._last = now

    def _epoch(self) -> Array:
        """Return the time from which onsets of each vehicle count, shape (n, 1) [s]."""
        return self._sim.faults.epochs(self._selection)[:, None]

    def _end_others(self, last: _Look, now: _Look, other: NDArray[np.bool_]) -> None:
        """Note the ends of faults that a reset ended, or that were removed.

        Until a reset all went as the last look foresaw.
        """
        was_reset = now.epoch != last.epoch
        began = other & was_reset & (last.begin < now.epoch) & ~self._over
        for place in self._places(began):
            self._begin(place, last)
        replaced = np.where(now.begin >= last.begin, now.begin, np.inf)  # by others in their places
        until = np.where(was_reset, now.epoch, np.minimum(replaced, now.time))
        until = np.minimum(last.end, until)
        for place in [place for place in self._acting if other[place]]:
            self._end(place, float(until[place]))

    def _go_on(self, now: _Look) -> None:
        """Note what began or ended, up to the time of a look."""
        for place in self._places((now.begin <= now.time) & ~self._over):
            self._begin(place, now)
        over = now.end <= now.time
        for place in self._places(over & ~self._over):
            self._end(place, float(now.end[place]))
        self._over = over

    @staticmethod
    def _places(where: NDArray[np.bool_]) -> list[Place]:
        return [(row, place) for row, place in np.argwhere(where).tolist()]

    def _begin(self, place: Place, look: _Look) -> None:
        if place in self._acting:
            return
        kind, items, *strength = look.what[place].tolist()
        name, whose, values = described_fault(int(kind), int(items), strength)
        plain = {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}
        about = {"kind": name, "items": list(whose), "values": plain}
        self._acting[place] = {"copter_id": self._ids[place[0]], **about}
        self._note(place, "begin", float(look.begin[place]))

    def _end(self, place: Place, time: float) -> None:
        if place in self._acting:
            self._note(place, "end", time)
            del self._acting[place]

    def _note(self, place: Place, event: str, time: float) -> None:
        if len(self.entries) < _MOST:
            self.entries.append({"time": time, "event": event, **self._acting[place]})
