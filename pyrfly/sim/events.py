"""Changes of columns at given simulated times: `Event`, and what `Sim.at` gives to the core.

``csrc/batch/events.h`` has the events, as bytes: two numbers, events, and a row of each component
of a column of each vehicle.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly._core import Batch
from pyrfly.arrays import finite_array, one_number
from pyrfly.columns import Field
from pyrfly.errors import brief
from pyrfly.sim.arguments import array_of, checked_entries, checked_rate, whole_number
from pyrfly.sim.constants import WORD_ROLES
from pyrfly.sim.group import Group, all_fields
from pyrfly.sim.selection import Selection, checked_ids

__all__ = [
    "MOST_ENTRIES",
    "Event",
    "Events",
    "enter_events",
    "event_arguments",
    "event_list",
    "event_load",
    "event_rows",
    "event_starts",
    "events_with",
    "new_event",
    "require_not_past",
    "values_per_step",
    "without_events",
]

_HEAD = "=2Q"  # numbers of events and rows
_EVENT, _ROW = (np.dtype(members) for members in _core.event_format())
_NEVER = np.iinfo(np.uint64).max
_MOST_STEPS = 2.0**53  # RF_EVENT_STEPS
_FLOAT32_MAX = float(np.finfo(np.float32).max)
_LIMITS = _core.limits()
_ENVELOPE: Mapping[tuple[str, bool], float] = {
    ("m", True): _LIMITS["distance"],
    ("m/s", True): _LIMITS["speed"],
    ("rad/s", True): _LIMITS["angular_velocity"],
    ("rad/s", False): _LIMITS["rotation"],
}  # by unit, and whether in a frame: of rotors and wheels, which have none, too
_TOLERANCE = 1e-6  # steps, TICK_TOLERANCE

MOST_ENTRIES = 20_000
"""Maximum number of events of a file."""


class Event(NamedTuple):
    """An event.

    Attributes
    ----------
    number : int
        What `Sim.at` returned.
    time : float or ndarray, shape (k,)
        Simulated time at which it acts first [s], since the reset of a vehicle if it was reset
        alone; one number if it is the same for all vehicles.
    ids : ndarray of int, shape (k,)
        CopterIDs.
    columns : dict of str to float or ndarray, shape (width,) or (k, width)
        Values by column, without an axis of vehicles if all have the same; where parameter sets
        differ in the width, of one component, as all have the same.
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
    dt: float,
    ramp: float,
    ramp_rate: float | None,
    every: float | None,
    times: int | None,
) -> NDArray[Any]:
    """Return an event but its number, shape (1,); see `Sim.at` for arguments and errors."""
    event = np.zeros(1, _EVENT)
    event["ramp"] = math.ceil(_steps("ramp", ramp, dt) - _TOLERANCE)
    event["interval"] = 1 if ramp_rate is None else max(1, round(1 / (_rate(ramp_rate, ramp) * dt)))
    event["period"], event["times"] = _repeats(every, times, int(event["ramp"][0]), dt)
    return event


def values_per_step(event: NDArray[Any]) -> float:
    """Return how many values a ramp or repeats of an event give per step, at most, as the core."""
    of_ramp = 1 / int(event["interval"][0]) if event["ramp"][0] else 0.0
    return max(of_ramp, 1 / float(event["period"][0]) if event["period"][0] else 0.0)


def event_starts(chosen: Selection, time: ArrayLike, dt: float) -> NDArray[np.float64]:
    """Return the times of vehicles in steps, shape (k,); raise an error if one is too late."""
    starts = chosen.per_vehicle("time", time, "s") / dt
    if not (starts <= _MOST_STEPS).all():
        raise ValueError(f"time: expected at most {_MOST_STEPS * dt:.7g} s, got {brief(time)}")
    return starts


def require_not_past(starts: NDArray[np.float64], time: ArrayLike, dt: float, tick: int) -> None:
    """Raise a ValueError if a time, in steps in ``starts``, is before the present."""
    if not (starts >= tick - _TOLERANCE).all():
        raise ValueError(
            f"time: expected at least {tick * dt:.9g} s, the present, got {brief(time)}"
        )


def event_rows(
    chosen: Selection,
    groups: Sequence[Group],
    ramp: bool,
    starts: NDArray[np.float64],
    columns: Mapping[str, ArrayLike],
) -> list[tuple[Batch, NDArray[Any]]]:
    """Return the rows of an event for each batch that has some of the vehicles; see `Sim.at`.

    Those of a vehicle are in the order of the columns of the core.
    """
    if not columns:
        raise TypeError("columns: expected at least one, such as wind=[5, 0, 0], got none")
    if not len(chosen):
        _check_for_none(groups, columns)
    rows: list[list[NDArray[Any]]] = [[] for _ in chosen]
    for name, values in columns.items():
        writes = chosen.rows_to_write(name, values)
        for (group, which, indices), (_, _, new), own in zip(chosen, writes, rows, strict=True):
            own.append(_rows_of(group, name, which, starts[indices], new, ramp))
    return [
        (group.batch, np.concatenate(sorted(own, key=_column_of)))
        for (group, _, _), own in zip(chosen, rows, strict=True)
    ]


def _check_for_none(groups: Sequence[Group], columns: Mapping[str, ArrayLike]) -> None:
    """Check columns for no vehicles: one of the groups could take them."""
    for name, values in columns.items():
        group = next((g for g in groups if name in _columns_of(g)), groups[0])
        group.writable(name)
        field = _columns_of(group)[name][1]
        finite_array(name, values, field.unit, _largest(field, group))


def _column_of(rows: NDArray[Any]) -> int:
    return int(rows["column"][0])


def events_with(
    event: NDArray[Any], rows: Sequence[tuple[Batch, NDArray[Any]]]
) -> list[tuple[Batch, bytes]]:
    """Return an event and its rows for each batch as the core takes them."""
    return [(batch, _bytes_of(event, own)) for batch, own in rows]


def _steps(name: str, seconds: Any, dt: float) -> float:
    """Return a duration in steps; raise an error if it is none."""
    steps = one_number(name, seconds, "s") / dt
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
    column, field = _columns_of(group)[name]
    if ramp and field.role in WORD_ROLES:
        raise ValueError(f"ramp: expected 0 for {name}, which takes whole numbers, got one")
    finite_array(name, values, field.unit, _largest(field, group))
    rows = np.zeros((len(starts), field.width), _ROW)
    rows["vehicle"] = np.arange(group.n)[which][:, None]
    rows["column"] = column
    rows["component"] = np.arange(field.width)
    rows["start"] = starts[:, None]
    rows["value"] = values.reshape(rows.shape)
    return rows.reshape(-1)


def _largest(field: Field, group: Group) -> float:
    """Return the largest magnitude of a column: that of packets, of the state the envelope."""
    in_packets = min(group.largest, _FLOAT32_MAX)
    if field.role != "state":
        return in_packets
    return _ENVELOPE.get((field.unit, bool(field.frame)), in_packets)


def _columns_of(group: Group) -> Mapping[str, tuple[int, Field]]:
    """Return the numbers of columns in the core, and the columns, by name."""
    return _numbered(group.parameters.c_type)


@cache
def _numbered(c_type: str) -> Mapping[str, tuple[int, Field]]:
    return {field.name: (k, field) for k, field in enumerate(all_fields(c_type))}


def enter_events(at: Callable[..., int], n: int, entries: Any, first_id: int = 1) -> None:
    """Enter events that are given as tables, such as those of a file.

    Parameters
    ----------
    at : callable
        `Sim.at`.
    n : int
        Number of vehicles.
    entries : sequence of mapping
        Arguments of `Sim.at`: ``time``, columns and the others; at most `MOST_ENTRIES`.
    first_id : int
        CopterID by which ``ids`` name the first vehicle.

    Raises
    ------
    TypeError, ValueError
        An entry is none that `Sim.at` takes; the message has its number, from 1.
    """
    for number, entry in enumerate(checked_entries("events", entries, MOST_ENTRIES), start=1):
        _enter(at, n, number, entry, first_id)


def _enter(at: Callable[..., int], n: int, number: int, entry: Any, first_id: int) -> None:
    try:
        at(**event_arguments(entry, n, first_id))
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"events: entry {number}: {error}") from None


def event_arguments(entry: Any, n: int, first_id: int = 1) -> dict[str, Any]:
    """Return the arguments of `Sim.at` of n vehicles that a table has.

    Raises a TypeError if it is none of an event, and a ValueError if there are no such ``ids``.
    """
    is_table = isinstance(entry, Mapping) and all(isinstance(name, str) for name in entry)
    if not is_table or "time" not in entry:
        raise TypeError(f"expected a table with a time and columns, got {brief(entry)}")
    arguments = dict(entry)
    if arguments.get("ids") is not None:
        arguments["ids"] = checked_ids(arguments["ids"], n, first_id)
        if not arguments["ids"].size:
            raise ValueError("ids: expected at least one CopterID, got none")
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


class _Share(NamedTuple):
    """What an event is for the vehicles of one group."""

    event: Any
    ids: NDArray[np.intp]
    starts: NDArray[np.float64]
    due: int
    columns: dict[str, NDArray[np.float64]]  # (k, width)


def event_list(groups: Sequence[Group], dt: float) -> Events:
    """Return all events of the vehicles of some groups."""
    shares: dict[int, list[_Share]] = {}
    for group in groups:
        for share in _shares_of(group):
            shares.setdefault(int(share.event["number"]), []).append(share)
    return Events(_event_of(shares[number], dt) for number in sorted(shares))


def _shares_of(group: Group) -> Iterator[_Share]:
    events, rows = _parsed(group.batch)
    names = ("component", "vehicle", "column", "event")
    rows = rows[np.lexsort([rows[name] for name in names])]
    ids, starts, values = rows["vehicle"] + np.intp(group.first_id), rows["start"], rows["value"]
    changes = np.flatnonzero(np.diff(rows["event"]) | np.diff(rows["column"])) + 1
    begins = np.append(0, changes)[: len(rows)]
    ends = np.append(changes, len(rows))[: len(rows)]
    pieces = np.stack([rows["event"][begins], rows["column"][begins], begins, ends], axis=-1)
    fields = group.all_fields
    for event, own in groupby(pieces.tolist(), key=itemgetter(0)):
        spans = [(fields[column], slice(begin, end)) for _, column, begin, end in own]
        (_, first), (field, last) = spans[0], spans[-1]
        vehicles = slice(last.start, last.stop, field.width)
        yield _Share(
            event=events[event],
            ids=ids[vehicles],
            starts=starts[vehicles],
            due=int(rows["due"][first.start : last.stop].min()),
            columns={f.name: values[span].reshape(-1, f.width) for f, span in spans},
        )


def _event_of(shares: Sequence[_Share], dt: float) -> Event:
    event, due = shares[0].event, min(share.due for share in shares)
    period, times = float(event["period"]), int(event["times"])
    return Event(
        number=int(event["number"]),
        time=_common(np.concatenate([share.starts for share in shares]) * dt),
        ids=np.concatenate([share.ids for share in shares]),
        columns={name: _common(_joined(name, shares)) for name in shares[0].columns},
        ramp=int(event["ramp"]) * dt,
        every=period * dt if period else None,
        times=times or None,
        next=None if due == _NEVER else due * dt,
    )


def _joined(name: str, shares: Sequence[_Share]) -> NDArray[np.float64]:
    """Return the values of all vehicles, (k,) of one component or (k, width)."""
    values = [share.columns[name] for share in shares if name in share.columns]
    one = len({own.shape[1] for own in values}) > 1 or values[0].shape[1] == 1
    return np.concatenate([own[:, 0] if one else own for own in values])


def _common(values: NDArray[np.float64]) -> float | NDArray[np.float64]:
    """Return what all vehicles have, or the values of each."""
    if (values != values[0]).any():
        return values
    return float(values[0]) if values.ndim == 1 else values[0]


def event_load(groups: Sequence[Group]) -> tuple[int, float]:
    """Return the number of values of all events, one per component and vehicle, over or not.

    The second number is that of the values per step that ramps and repeats give.
    """
    loads = [group.batch.event_load() for group in groups]
    return sum(values for values, _ in loads), sum(often for _, often in loads)


# --- removal ---


def without_events(
    chosen: Selection, groups: Sequence[Group], numbers: int | Sequence[int] | None
) -> list[tuple[Batch, bytes]]:
    """Return what is left in batches that lose some events; see `Sim.cancel_events`."""
    removed = None if numbers is None else set(_whole_numbers(numbers))
    if removed is not None:
        known = {int(number) for group in groups for number in _parsed(group.batch)[0]["number"]}
        if not removed <= known:
            raise ValueError(
                f"numbers: expected those of events, got {brief(min(removed - known))}"
            )
    left = ((group.batch, _left(group, which, removed)) for group, which, _ in chosen)
    return [(batch, events) for batch, events in left if events is not None]


def _whole_numbers(numbers: Any) -> list[int]:
    array = np.atleast_1d(array_of("numbers", numbers, "numbers of events"))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise TypeError(f"numbers: expected those of events, got {brief(numbers)}")
    return [int(number) for number in array]


def _left(group: Group, which: Any, removed: set[int] | None) -> bytes | None:
    """Return what some vehicles leave of the events of a group; None if they leave all."""
    events, rows = _parsed(group.batch)
    of_vehicle = np.zeros(group.n, np.bool_)
    of_vehicle[which] = True
    of_event = np.full(len(events), True)
    if removed is not None:
        of_event = np.isin(events["number"], list(removed))
    goes = of_event[rows["event"]] & of_vehicle[rows["vehicle"]]
    if not goes.any():
        return None
    rows = rows[~goes]
    stays = np.zeros(len(events), np.bool_)
    stays[rows["event"]] = True
    rows["event"] = (np.cumsum(stays) - 1)[rows["event"]]
    return _bytes_of(events[stays], rows)
