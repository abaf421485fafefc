"""The order in which requests are executed: `Waiting`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.server.orders import Action, Ids, picked, stream_of

__all__ = ["MOST_WAITING", "Left", "Waiting"]

MOST_WAITING = 64
"""Maximum number of commands of a vehicle that wait to be executed."""

Numbers = NDArray[np.intp]


class Left(NamedTuple):
    """CopterIDs of requests that are not executed, one for each.

    Attributes
    ----------
    replaced : ndarray of int
        A newer one of the same stream waits.
    crowded_out : ndarray of int
        More than `MOST_WAITING` of this vehicle wait.
    """

    replaced: Ids
    crowded_out: Ids


class _Rows(NamedTuple):
    """Requests, one per row: vehicle, order of arrival, stream, index of the action, row in it."""

    vehicle: Numbers
    arrival: Numbers
    stream: Numbers
    action: Numbers
    row: Numbers

    def chosen(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> _Rows:
        return _Rows(*(column[rows] for column in self))


_NONE = _Rows(*(np.zeros(0, np.intp) for _ in _Rows._fields))


class Waiting:
    """Requests that wait to be executed.

    They are executed in turns, each with at most one of every vehicle, in the order of their
    arrival: a vehicle with many does not delay the others. Commands are neither lost nor reordered,
    up to `MOST_WAITING` of a vehicle. Of a stream, such as set-points, only the newest is executed,
    at its place among the commands; and the one that has waited longest behind commands, as those
    behind it would otherwise be replaced for ever.
    """

    def __init__(self) -> None:
        self._actions: list[Action] = []
        self._rows = _NONE
        self._new: list[_Rows] = []
        self._seen = -1  # the newest arrival that waited at the last execution

    def __len__(self) -> int:
        return sum(len(rows.row) for rows in (self._rows, *self._new))

    def add(self, action: Action, arrival: Numbers) -> None:
        """Add requests; ``arrival`` (k,) is their order among all."""
        k = len(action.ids)
        place = np.full(k, len(self._actions))
        self._actions.append(action)
        self._new.append(_Rows(action.ids, arrival, stream_of(action), place, np.arange(k)))

    def execute(self, act: Callable[[Action], None], expired: Callable[[], bool]) -> Left:
        """Execute what waits, turn by turn until ``expired()``, at least one turn.

        Parameters
        ----------
        act : callable
            Executes an action, in which a vehicle occurs at most once.
        expired : callable
            Whether the time for it is over; what has not been executed then waits on.
        """
        if len(self._rows.row) == 0 and len(self._new) == 1 and _are_distinct(self._new[0].vehicle):
            self._new = []
            act(self._actions.pop())
            return Left(_NONE.vehicle, _NONE.vehicle)
        rows = _Rows(
            *(np.concatenate(columns) for columns in zip(self._rows, *self._new, strict=True))
        )
        self._new = []
        rows = rows.chosen(np.lexsort((rows.arrival, rows.vehicle)))
        outdated = _outdated(rows, self._seen)
        self._seen = max(self._seen, int(rows.arrival.max(initial=-1)))
        left, rows = rows.vehicle[outdated], rows.chosen(~outdated)
        turn = _counts(rows.vehicle, np.ones(len(rows.row), np.bool_))
        is_command = rows.stream == 0
        crowd = is_command & (_counts(rows.vehicle, is_command) >= MOST_WAITING)
        done, last = 0, int(turn.max(initial=-1))
        while done <= last and (done == 0 or not expired()):
            self._execute_turn(rows.chosen(turn == done), act)
            done += 1
        self._keep(rows.chosen((turn >= done) & ~crowd))
        return Left(left, rows.vehicle[crowd & (turn >= done)])

    def _execute_turn(self, rows: _Rows, act: Callable[[Action], None]) -> None:
        for place in np.unique(rows.action).tolist():
            act(picked(self._actions[place], rows.row[rows.action == place]))

    def _keep(self, rows: _Rows) -> None:
        """Keep the requests that are left, and the actions they are of."""
        used, places = np.unique(rows.action, return_inverse=True)
        self._actions = [self._actions[place] for place in used.tolist()]
        self._rows = rows._replace(action=places)


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


def _counts(vehicle: Numbers, counted: NDArray[np.bool_]) -> Numbers:
    """Return how many earlier requests of the same vehicle are counted; ``vehicle`` is sorted."""
    before: Numbers = np.cumsum(counted) - counted
    first = np.r_[True, vehicle[1:] != vehicle[:-1]][: len(vehicle)]
    return before - np.maximum.accumulate(np.where(first, before, 0))
