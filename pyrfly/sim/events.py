"""Changes of columns at given simulated times: `Event`, and what `Sim.at` gives to the core.

``csrc/batch/events.h`` has the events, as bytes: two numbers, events, and a row of each component
of a column of each vehicle.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly._core import Batch
from pyrfly.columns import finite_array
from pyrfly.errors import brief
from pyrfly.sim.arguments import array_of, checked_rate, whole_number
from pyrfly.sim.constants import WORD_ROLES
from pyrfly.sim.group import Group
from pyrfly.sim.selection import Selection

__all__ = [
    "Event",
    "Events",
    "enter_events",
    "event_arguments",
    "event_bytes",
    "event_list",
    "event_starts",
    "event_values",
    "new_event",
    "without_events",
]

_HEAD = "=2Q"  # numbers of events and rows
_EVENT, _ROW = (np.dtype(members) for members in _core.event_format())
_NEVER = np.iinfo(np.uint64).max
_MOST_STEPS = 2.0**53  # RF_EVENT_STEPS
_TOLERANCE = 1e-6  # steps, TICK_TOLERANCE


class Event(NamedTuple):
    """An event of the vehicles of one group.

    Attributes
    ----------
    number : int
        What `Sim.at` returned; the events of several groups of one call have the same.
    time : float or ndarray, shape (k,)
        Simulated time at which it acts first [s], since the reset of a vehicle if it was reset
        alone; one number if it is the same for all vehicles.
    ids : ndarray of int, shape (k,)
        CopterIDs.
    columns : dict of str to float or ndarray, shape (width,) or (k, width)
        Values by column, without an axis of vehicles if all have the same.
    ramp : float
        Duration of the change [s], 0: at once.
    every : float or None
        Time between repeats [s].
    times : int or None
        Number of times in all; None: for ever.
    next : float or None
        Simulated time at which it acts next on one of the vehicles [s]; None: it is over.
    """

    number: int
    time: float | NDArray[np.float64]
    ids: NDArray[np.intp]
    columns: dict[str, float | NDArray[np.float64]]
    ramp: float
    every: float | None
    times: int | None
    next: float | None

    @property
    def over(self) -> bool:
        """Whether it will not act again, without a reset."""
        return self.next is None

    def described(self) -> dict[str, Any]:
        """Return the event as numbers, texts and lists, as JSON has them, without `next`."""
        own = self._asdict() | {"columns": {k: _plain(v) for k, v in self.columns.items()}}
        del own["next"]
        return {name: _plain(value) for name, value in own.items()}

    def __repr__(self) -> str:
        columns = ", ".join(f"{name} = {_text(value)}" for name, value in self.columns.items())
        ramp = f" within {self.ramp:g} s" if self.ramp else ""
        often = "" if self.times is None else f", {self.times} times"
        every = "" if self.every is None else f", every {self.every:g} s{often}"
        state = "over" if self.next is None else f"next at {self.next:g} s"
        return (
            f"{self.number}: at {_text(self.time)} s, CopterID {_ids_text(self.ids)}: "
            f"{columns}{ramp}{every}; {state}"
        )


class Events(tuple[Event, ...]):
    """The events of a `Sim`, in the order of entry; printed one per line."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(repr, self)) or "no events"


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _text(value: float | NDArray[np.float64]) -> str:
    array = np.asarray(value)
    return f"{value:g}" if array.ndim == 0 else brief(array.tolist())


def _ids_text(ids: NDArray[np.intp]) -> str:
    if len(ids) > 1 and (np.diff(ids) == 1).all():
        return f"{ids[0]} to {ids[-1]}"
    return ", ".join(map(str, ids[:8])) + (", ..." if len(ids) > 8 else "")


# --- entry ---


def new_event(
    number: int,
    dt: float,
    ramp: float,
    ramp_rate: float | None,
    every: float | None,
    times: int | None,
) -> NDArray[Any]:
    """Return the member values of an event, shape (1,); see `Sim.at` for arguments and errors."""
    event = np.zeros(1, _EVENT)
    event["number"] = number
    event["ramp"] = math.ceil(_steps("ramp", ramp, dt) - _TOLERANCE)
    event["interval"] = 1 if ramp_rate is None else max(1, round(1 / (_rate(ramp_rate, ramp) * dt)))
    event["period"], event["times"] = _repeats(every, times, int(event["ramp"][0]), dt)
    return event


def event_starts(chosen: Selection, time: ArrayLike, dt: float, tick: int) -> NDArray[np.float64]:
    """Return the times of vehicles in steps, shape (k,); raise an error if one is past."""
    starts = chosen.per_vehicle("time", time, "s") / dt
    if not (starts >= tick - _TOLERANCE).all():
        raise ValueError(
            f"time: expected at least {tick * dt:.9g} s, the present, got {brief(time)}"
        )
    if not (starts <= _MOST_STEPS).all():
        raise ValueError(f"time: expected at most {_MOST_STEPS * dt:.7g} s, got {brief(time)}")
    return starts


def event_bytes(
    chosen: Selection,
    event: NDArray[Any],
    starts: NDArray[np.float64],
    columns: Mapping[str, ArrayLike],
) -> list[tuple[Batch, bytes]]:
    """Return an event for each batch that has some of the vehicles; see `Sim.at`."""
    if not columns:
        raise TypeError("columns: expected at least one, such as wind=[5, 0, 0], got none")
    rows: list[list[NDArray[Any]]] = [[] for _ in chosen]
    for name, values in columns.items():
        writes = chosen.rows_to_write(name, values)
        for (group, which, indices), (_, _, new), own in zip(chosen, writes, rows, strict=True):
            own.append(_rows_of(group, name, which, starts[indices], new, bool(event["ramp"][0])))
    return [
        (group.batch, _bytes_of(event, np.concatenate(own)))
        for (group, _, _), own in zip(chosen, rows, strict=True)
    ]


def _steps(name: str, seconds: Any, dt: float) -> float:
    """Return a duration in steps; raise an error if it is none."""
    given = finite_array(name, seconds, "s")
    if given.ndim:
        raise ValueError(f"{name}: expected one number [s], got {brief(seconds)}")
    steps = float(given) / dt
    if not 0 <= steps <= _MOST_STEPS:
        raise ValueError(f"{name}: expected 0 to {_MOST_STEPS * dt:.7g} [s], got {brief(seconds)}")
    return steps


def _rate(ramp_rate: float, ramp: float) -> float:
    if not ramp:
        raise ValueError("ramp_rate: expected None without a ramp")
    return checked_rate("ramp_rate", ramp_rate)


def _repeats(every: float | None, times: int | None, ramp: int, dt: float) -> tuple[float, int]:
    """Return the steps between repeats, 0 without, and their number, 0 for ever."""
    if every is None:
        if times is not None:
            raise ValueError("times: expected None without every, the time between repeats")
        return 0.0, 1
    period = _steps("every", every, dt)
    least = max(1, ramp)
    if period < least:
        if period < least - _TOLERANCE:
            what = "the ramp" if ramp > 1 else "a step"
            raise ValueError(
                f"every: expected at least {least * dt:g} s, {what}, got {brief(every)}"
            )
        period = float(least)
    return period, 0 if times is None else whole_number("times", times, 1, 2**63 - 1)


def _rows_of(
    group: Group,
    name: str,
    which: Any,
    starts: NDArray[np.float64],
    values: NDArray[Any],
    ramp: bool,
) -> NDArray[Any]:
    """Return rows that write a column of vehicles of a group, (k,) or (k, width) values."""
    fields = group.all_fields
    column = next(k for k, field in enumerate(fields) if field.name == name)
    field = fields[column]
    if ramp and field.role in WORD_ROLES:
        raise ValueError(f"ramp: expected 0 for {name}, which takes whole numbers, got one")
    finite_array(name, values, field.unit, group.largest)
    rows = np.zeros((len(starts), field.width), _ROW)
    rows["vehicle"] = np.arange(group.n)[which][:, None]
    rows["column"] = column
    rows["component"] = np.arange(field.width)
    rows["start"] = starts[:, None]
    rows["value"] = values.reshape(rows.shape)
    return rows.reshape(-1)


def enter_events(at: Callable[..., int], entries: Any, first_id: int = 1) -> None:
    """Enter events that are given as tables, such as those of a file.

    Parameters
    ----------
    at : callable
        `Sim.at`.
    entries : sequence of mapping
        Arguments of `Sim.at`: ``time``, columns and the others.
    first_id : int
        CopterID by which ``ids`` name the first vehicle.

    Raises
    ------
    TypeError, ValueError
        An entry is none that `Sim.at` takes; the message has its number, from 1.
    """
    if isinstance(entries, (str, bytes)) or not isinstance(entries, Sequence):
        raise TypeError(f"events: expected a list of tables, got {brief(entries)}")
    for number, entry in enumerate(entries, start=1):
        _enter(at, number, entry, first_id)


def _enter(at: Callable[..., int], number: int, entry: Any, first_id: int) -> None:
    try:
        at(**event_arguments(entry, first_id))
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"events: entry {number}: {error}") from None


def event_arguments(entry: Any, first_id: int = 1) -> dict[str, Any]:
    """Return the arguments of `Sim.at` that a table has; a TypeError if it is none of an event."""
    is_table = isinstance(entry, Mapping) and all(isinstance(name, str) for name in entry)
    if not is_table or "time" not in entry:
        raise TypeError(f"expected a table with a time and columns, got {brief(entry)}")
    arguments = dict(entry)
    if arguments.get("ids") is not None:
        ids = array_of("ids", arguments["ids"], "CopterIDs as integers")
        arguments["ids"] = ids - (first_id - 1) if ids.dtype.kind in "iu" else arguments["ids"]
    return arguments


# --- the bytes of the core ---


def _bytes_of(events: NDArray[Any], rows: NDArray[Any]) -> bytes:
    return struct.pack(_HEAD, len(events), len(rows)) + events.tobytes() + rows.tobytes()


def _parsed(batch: Batch) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the events of a batch and their rows."""
    data = batch.events()
    if not data:
        return np.empty(0, _EVENT), np.empty(0, _ROW)
    count, rows = struct.unpack_from(_HEAD, data)
    begin = struct.calcsize(_HEAD)
    events = np.frombuffer(data, _EVENT, count, begin)
    return events, np.frombuffer(data, _ROW, rows, begin + events.nbytes)


# --- listing ---


def event_list(groups: Sequence[Group], dt: float) -> Events:
    """Return all events of the vehicles of some groups."""
    found = [event for group in groups for event in _events_of(group, dt)]
    return Events(sorted(found, key=lambda event: event.number))


def _events_of(group: Group, dt: float) -> list[Event]:
    events, rows = _parsed(group.batch)
    rows = rows[np.lexsort([rows[name] for name in ("component", "vehicle", "column", "event")])]
    ends = np.searchsorted(rows["event"], np.arange(len(events) + 1))
    pairs = zip(events, ends[:-1], ends[1:], strict=True)
    return [_event_of(group, event, rows[begin:end], dt) for event, begin, end in pairs]


def _event_of(group: Group, event: Any, rows: NDArray[Any], dt: float) -> Event:
    vehicles, first = np.unique(rows["vehicle"], return_index=True)
    due = rows["due"].min()
    fields = group.all_fields
    columns = {}
    for column in np.unique(rows["column"]):
        own = rows["value"][rows["column"] == column].reshape(len(vehicles), -1)
        columns[fields[column].name] = _common(own[:, 0] if own.shape[1] == 1 else own)
    period, times = float(event["period"]), int(event["times"])
    return Event(
        number=int(event["number"]),
        time=_common(rows["start"][first] * dt),
        ids=vehicles.astype(np.intp) + group.first_id,
        columns=columns,
        ramp=int(event["ramp"]) * dt,
        every=period * dt if period else None,
        times=times or None,
        next=None if due == _NEVER else int(due) * dt,
    )


def _common(values: NDArray[np.float64]) -> float | NDArray[np.float64]:
    """Return what all vehicles have, or the values of each."""
    if (values != values[0]).any():
        return values
    return float(values[0]) if values.ndim == 1 else values[0]


def event_values(groups: Sequence[Group]) -> int:
    """Return the number of values of all events, one per component and vehicle."""
    return sum(len(_parsed(group.batch)[1]) for group in groups)


# --- removal ---


def without_events(
    chosen: Selection, groups: Sequence[Group], numbers: int | Sequence[int] | None
) -> list[tuple[Batch, Callable[[], bytes]]]:
    """Return functions that give the events of batches without some; see `Sim.cancel_events`."""
    known = {int(number) for group in groups for number in _parsed(group.batch)[0]["number"]}
    removed = known if numbers is None else set(_whole_numbers(numbers))
    if not removed <= known:
        raise ValueError(f"numbers: expected those of events, got {brief(min(removed - known))}")
    return [(group.batch, partial(_left, group, which, removed)) for group, which, _ in chosen]


def _whole_numbers(numbers: Any) -> list[int]:
    array = np.atleast_1d(array_of("numbers", numbers, "numbers of events"))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise TypeError(f"numbers: expected those of events, got {brief(numbers)}")
    return [int(number) for number in array]


def _left(group: Group, which: Any, removed: set[int]) -> bytes:
    events, rows = _parsed(group.batch)
    of_vehicle = np.zeros(group.n, np.bool_)
    of_vehicle[which] = True
    of_event = np.isin(events["number"], list(removed))
    rows = rows[~(of_event[rows["event"]] & of_vehicle[rows["vehicle"]])]
    stays = np.zeros(len(events), np.bool_)
    stays[rows["event"]] = True
    rows["event"] = (np.cumsum(stays) - 1)[rows["event"]]
    return _bytes_of(events[stays], rows)
