"""Events in simulated time, from any program: `EventLink`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pyrfly.server.budget import Budget
from pyrfly.server.link import Link
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.notices import Notices
from pyrfly.server.starts import Starts
from pyrfly.sim import Sim
from pyrfly.sim.events import event_arguments, event_load, new_event, values_per_step
from pyrfly.sim.selection import Selection
from pyrfly.transport import Address, PortUse, Senders, bound
from pyrfly.transport.sockets import dropped_by

__all__ = ["LONGEST", "MOST_PER_SECOND", "MOST_VALUES", "EventLink"]

LONGEST = 16384
"""Maximum size of a message [bytes]."""

MOST_VALUES = 1_000_000
"""Maximum number of values of all events, one per component and vehicle: some 100 MB. Events that
are over count until they are cancelled."""

MOST_PER_SECOND = 100_000
"""Maximum number of values per simulated second that all ramps and repeats give; those that are
over count likewise."""

_COSTLY = 4096
"""Number of values of a message from which on it is the last one of a tick."""


class EventLink(Link):
    """A UDP port that takes changes of columns at simulated times, for all vehicles.

    A message is JSON, an object with the arguments of `Sim.at`: ``{"time": 20, "ids": [2], "wind":
    [8, 0, 0], "ramp": 1}``. Without ``time`` it acts before the next step. ``{"cancel": true}``
    removes all events, with ``ids`` those of some vehicles. ``{"pause": true}`` lets simulated time
    stand until ``{"pause": false}``, and ``{"restart": true}`` puts vehicles back to their start.
    What `Sim.at` does not take is dropped,
    and so is what comes from an address that may not command; all messages are counted for the
    first vehicle.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    port : int
        The port to listen on.
    host : str
        Address to listen on.
    peers : sequence of str
        Addresses of other computers.
    first_id : int
        CopterID of the first vehicle, by which ``ids`` name it.
    allow : sequence of str
        Who may command instead of the peers, see `pyrfly.transport.Senders`.
    starts : Starts, optional
        Where vehicles are put back to; without it there is no restart.

    Attributes
    ----------
    notices : Notices or None
        Where the first message that is dropped for a reason is reported; None, nowhere, at first.

    Raises
    ------
    PortError
        When the port is in use or cannot be opened.
    OptionError
        When an argument is not valid.
    """

    name = "events"

    def __init__(
        self,
        sim: Sim,
        port: int,
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_id: int = 1,
        allow: Sequence[str] = (),
        starts: Starts | None = None,
    ) -> None:
        self.stats = LinkStats(sim.n, first_id)
        self._starts = starts
        self.notices: Notices | None = None
        self._sim, self._port, self._first_id = sim, port, first_id
        self._senders = Senders(peers, allow, host)
        self._overflows = self._handled = 0
        self._socket = bound(host, port, option="event_port")
        self._socket.setblocking(False)

    def port_uses(self) -> list[PortUse]:
        """See `Link.port_uses`."""
        return [PortUse("events", self._port, listens=True)]

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        self._handled = 0
        while (received := self._received()) is not None:
            self.stats.add([Count.RECEIVED, *self._counts_of(*received)], 0)
            if self._handled >= _COSTLY or budget.reading_is_over():
                break
        before, self._overflows = self._overflows, dropped_by(self._socket)
        self.stats.add(Count.OVERFLOWED, 0, self._overflows - before)

    def _received(self) -> tuple[bytes, Address] | None:
        try:
            return self._socket.recvfrom(LONGEST + 1)
        except OSError:  # none is there, or a delayed error of the system
            return None

    def _counts_of(self, data: bytes, origin: Address) -> list[Count]:
        """Execute a message or drop it; return what became of it."""
        try:
            if not self._senders.may(origin[0]):
                raise _Dropped(Count.BAD_SENDER, f"from {origin[0]}")
            return self._executed(_object_of(data))
        except _Dropped as error:
            if self.notices is not None:
                self.notices.dropped("event", error.count, str(error))
            return [error.count]

    def _executed(self, entry: dict[str, Any]) -> list[Count]:
        try:
            if "pause" in entry:
                return self._pause(entry)
            if "restart" in entry:
                return self._restart(entry)
            arguments = self._arguments(entry)
            if "cancel" in entry:
                return self._cancel(entry, arguments.get("ids"))
            if self._is_too_much(arguments):
                return [Count.ACCEPTED, Count.REFUSED]
            self._sim.at(**arguments)
        except tuple(_COUNTS) as error:
            count = next(count for kind, count in _COUNTS.items() if isinstance(error, kind))
            raise _Dropped(count, str(error)) from None
        except MemoryError:
            return [Count.ACCEPTED, Count.REFUSED]
        return [Count.ACCEPTED]

    def _arguments(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of `Sim.at`, at least one vehicle among them."""
        try:
            found = event_arguments({"time": self._sim.time, **entry}, self._sim.n, self._first_id)
        except ValueError as error:
            raise _Dropped(Count.BAD_ID, str(error)) from None
        ids = found.get("ids")
        if ids is not None and not len(ids):
            raise _Dropped(Count.BAD_ID, "ids: expected at least one CopterID, got none")
        return found

    def _is_too_much(self, arguments: dict[str, Any]) -> bool:
        """Return whether there would be more values than the core is to have for messages."""
        sim = self._sim
        values = _values_of(sim.select(arguments.get("ids")), arguments)
        self._handled += values
        given = [arguments.get(name) for name in ("ramp_rate", "every", "times")]
        event = new_event(sim.dt, arguments.get("ramp", 0.0), *given)
        often = values * values_per_step(event)
        all_values, all_often = event_load(sim.groups)
        most_often = MOST_PER_SECOND * sim.dt
        return all_values + values > MOST_VALUES or (often > 0 and all_often + often > most_often)

    def _pause(self, entry: dict[str, Any]) -> list[Count]:
        if not isinstance(entry["pause"], bool) or len(entry) > 1:
            raise TypeError("pause: expected true or false, alone")
        self.pauses = entry["pause"]
        return [Count.ACCEPTED]

    def _restart(self, entry: dict[str, Any]) -> list[Count]:
        if self._starts is None:
            raise AttributeError("restart: expected a link that knows the starts")
        if entry["restart"] is not True or not entry.keys() <= {"restart", "ids"}:
            raise TypeError("restart: expected true, with ids alone")
        named = {name: value for name, value in entry.items() if name == "ids"}
        ids = self._arguments(named).get("ids")
        rows = np.arange(1, self._sim.n + 1) if ids is None else np.atleast_1d(ids)
        self._handled += _COSTLY
        self._starts.restart(rows)
        return [Count.ACCEPTED]

    def _cancel(self, entry: dict[str, Any], ids: Any) -> list[Count]:
        if entry["cancel"] is not True or not entry.keys() <= {"cancel", "ids"}:
            raise TypeError("cancel: expected true, with ids alone")
        self._handled += event_load(self._sim.groups)[0]
        self._sim.cancel_events(ids=ids)
        return [Count.ACCEPTED]

    def close(self) -> None:
        """See `Link.close`."""
        self._socket.close()


class _Dropped(Exception):
    """A message is dropped."""

    def __init__(self, count: Count, reason: str) -> None:
        super().__init__(reason)
        self.count = count


_COUNTS: dict[type[Exception], Count] = {
    AttributeError: Count.UNSUPPORTED,
    TypeError: Count.UNKNOWN,
    RecursionError: Count.UNKNOWN,
    ValueError: Count.NOT_FINITE,
    OverflowError: Count.NOT_FINITE,
}
"""What messages count as that `Sim.at` does not take, by its error."""


def _object_of(data: bytes) -> dict[str, Any]:
    """Return the object that a message is."""
    if len(data) > LONGEST:
        raise _Dropped(Count.BAD_LENGTH, f"expected at most {LONGEST} bytes")
    try:
        entry = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):  # also a number of thousands of digits
        entry = None
    if not isinstance(entry, dict):
        raise _Dropped(Count.UNKNOWN, "expected an object in JSON")
    return entry


def _values_of(chosen: Selection, columns: Iterable[str]) -> int:
    """Return the number of values of columns of vehicles; names of others are none."""
    values = 0
    for group, rows, _ in chosen:
        widths = {field.name: field.width for field in group.all_fields}
        width = sum(widths.get(name, 0) for name in columns)
        values += width * len(np.arange(group.n)[rows])
    return values
