"""The order in which requests are executed: `RequestQueue`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.server.orders import Action, Ids, joined, picked, stream_of

__all__ = ["MOST_WAITING", "RequestQueue"]

MOST_WAITING = 64
"""Number of commands of a vehicle that wait to be executed before no more are wanted."""

Numbers = NDArray[np.intp]
Requests = tuple[Action, Numbers]
"""An action, and the order of arrival of its rows among all."""


class _Rows(NamedTuple):
    """Requests, one per row: vehicle, order of arrival, stream, index of the action, row in it."""

    vehicle: Numbers
    arrival: Numbers
    stream: Numbers
    action: Numbers
    row: Numbers

    def chosen(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> _Rows:
        return _Rows(*(column[rows] for column in self))


class RequestQueue:
    """Requests that wait to be executed.

    They are executed in turns, each with at most one of every vehicle, in the order of their
    arrival: a vehicle with many does not delay the others. In a turn the vehicle comes first whose
    last one is the longest ago. Commands are neither lost nor reordered. Of a stream, such as
    set-points, only the newest is executed, at its place among the commands; and the one that has
    waited longest behind commands, as those behind it would otherwise be replaced for ever.

    Parameters
    ----------
    n : int
        Number of vehicles.
    """

    def __init__(self, n: int) -> None:
        self._requests: list[Requests] = []
        self._commands = np.zeros(n + 1, np.intp)  # that wait, by CopterID
        self._executed = np.zeros(n + 1, np.intp)  # number of the last execution, by CopterID
        self._executions = 0
        self._seen = -1  # the newest arrival that waited at the last execution

    def __len__(self) -> int:
        return sum(len(arrival) for _, arrival in self._requests)

    def is_full(self, copter_id: int) -> bool:
        """Return whether so many commands of a vehicle wait that no more are wanted."""
        return bool(self._commands[copter_id] >= MOST_WAITING)

    def add(self, action: Action, arrival: Numbers) -> None:
        """Add requests; ``arrival`` (k,) is their order among all."""
        self._requests.append((action, arrival))
        self._commands += self._commands_in(action)

    def _commands_in(self, action: Action) -> Numbers:
        ids = action.ids[stream_of(action) == 0]
        return np.bincount(ids, minlength=len(self._commands))

    def execute(self, act: Callable[[Action], None], expired: Callable[[], bool]) -> Ids:
        """Execute what waits, turn by turn until ``expired()``, at least one action.

        Parameters
        ----------
        act : callable
            Executes an action, in which a vehicle occurs at most once.
        expired : callable
            Whether the time for it is over; what has not been executed then waits on.

        Returns
        -------
        ndarray of int
            CopterIDs of requests that a newer one of their stream has replaced, one for each.
        """
        if not self._requests:
            return np.zeros(0, np.intp)
        if len(self._requests) == 1 and _are_distinct(self._requests[0][0].ids):
            action, _ = self._requests.pop()
            self._commands[:] = 0
            act(action)
            return action.ids[:0]
        requests = _merged(self._requests)
        rows = _rows_of(requests)
        outdated = _outdated(rows, self._seen)
        self._seen = max(self._seen, int(rows.arrival.max(initial=-1)))
        replaced, rows = rows.vehicle[outdated], rows.chosen(~outdated)
        waits = np.ones(len(rows.row), np.bool_)
        for group in _groups(rows, self._executed):
            if not waits.all() and expired():
                break
            act(picked(requests[rows.action[group[0]]][0], rows.row[group]))
            waits[group] = False
        self._executions += 1
        self._executed[rows.vehicle[~waits]] = self._executions
        self._keep(requests, rows.chosen(waits))
        return replaced

    def _keep(self, requests: list[Requests], rows: _Rows) -> None:
        """Keep the requests that are left."""
        self._requests = []
        self._commands[:] = 0
        for place in np.unique(rows.action).tolist():
            left = rows.row[rows.action == place]
            action, arrival = requests[place]
            self.add(picked(action, left), arrival[left])


def _merged(requests: list[Requests]) -> list[Requests]:
    """Return requests with one action of each kind."""
    kinds: dict[type[Action], list[Requests]] = {}
    for action, arrival in requests:
        kinds.setdefault(type(action), []).append((action, arrival))
    return [
        (joined([action for action, _ in some]), np.concatenate([times for _, times in some]))
        for some in kinds.values()
    ]


def _rows_of(requests: list[Requests]) -> _Rows:
    """Return requests by vehicle, and those of a vehicle by their arrival."""
    parts = [
        _Rows(action.ids, arrival, stream_of(action), np.full_like(arrival, place), rows)
        for place, (action, arrival) in enumerate(requests)
        for rows in [np.arange(len(arrival))]
    ]
    rows = _Rows(*map(np.concatenate, zip(*parts, strict=True)))
    return rows.chosen(np.lexsort((rows.arrival, rows.vehicle)))


def _groups(rows: _Rows, executed: Numbers) -> Iterator[Numbers]:
    """Yield requests that are executed together: those of a turn with one action.

    In a turn the vehicle whose last execution is the longest ago comes first.
    """
    turn = _turns(rows.vehicle)
    order = np.lexsort((rows.action, turn))
    keys = np.stack([turn, rows.action], axis=1)[order]
    begins = np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]).any(axis=1)])
    last = np.minimum.reduceat(executed[rows.vehicle[order]], begins)
    groups = np.split(order, begins[1:])
    for index in np.lexsort((last, keys[begins, 0])).tolist():
        yield groups[index]


def _are_distinct(vehicle: Numbers) -> bool:
    ascending = np.sort(vehicle)
    return not (ascending[1:] == ascending[:-1]).any()


def _outdated(rows: _Rows, seen: int) -> NDArray[np.bool_]:
    """Return which requests, sorted by vehicle and arrival, a newer one of their stream replaces.

    Of each stream the newest stays, and the oldest of those that arrived up to ``seen``, unless it
    is directly followed by a newer one.
    """
    key = rows.vehicle * (int(rows.stream.max(initial=0)) + 1) + rows.stream
    _, newest = np.unique(key[::-1], return_index=True)
    found = rows.stream > 0
    found[len(key) - 1 - newest] = False
    waited = np.flatnonzero(found & (rows.arrival <= seen))
    _, oldest = np.unique(key[waited], return_index=True)
    found[waited[oldest]] = False
    kept = np.flatnonzero(~found)
    followed = kept[:-1][(key[kept[:-1]] == key[kept[1:]]) & (rows.stream[kept[:-1]] > 0)]
    found[followed] = True
    return found


def _turns(vehicle: Numbers) -> Numbers:
    """Return how many earlier requests of the same vehicle there are; ``vehicle`` is sorted."""
    place = np.arange(len(vehicle))
    first = np.r_[True, vehicle[1:] != vehicle[:-1]]
    return place - np.maximum.accumulate(np.where(first, place, 0))
