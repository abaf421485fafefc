"""Which action the failsafes of many vehicles take: `FailsafeMachine`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.failsafe_table import LOSSES, Action, Clears, Takeover
from pyrfly.autopilot.flight_modes import FlightMode

__all__ = ["FailsafeMachine", "Situation"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Actions = NDArray[np.int8]

# Plain numbers: NumPy compares with members of an IntEnum ten times as slowly.
_NONE, _WARN, _POSITION, _ALTITUDE = map(int, tuple(Action)[:4])
_HOLD, _RETURN, _LAND, _DESCEND, _DISARM = map(int, tuple(Action)[5:10])
_ALWAYS, _BY_SWITCH, _DELAYED = map(int, tuple(Takeover)[:3])
_WITH_CONDITION, _ON_CHANGE = int(Clears.WITH_CONDITION), int(Clears.ON_MODE_CHANGE)

_COUNT = len(LOSSES)
_MODE = [loss.name for loss in LOSSES].index("mode")

SHORTEST_DELAY = 0.1
"""COM_FAIL_ACT_T up to which there is no hold before an action [s] [@px4 v1.16.1 framework.cpp]."""

_RECOVERY = 0.25
"""Share of the time without an action by which the delay of the next one grows again."""


def _table(field: int) -> Actions:
    """Return a field of the options of all losses, by loss and choice from -1 on."""
    table = np.zeros((_COUNT, len(Action) + 1), np.int8)
    for number, loss in enumerate(LOSSES):
        for choice, options in loss.options.items():
            table[number, choice + 1] = options[field]
    return table


_ACTIONS, _CLEARS, _TAKEOVERS = map(_table, range(3))
_NUMBERS = np.arange(_COUNT)


class Situation(NamedTuple):
    """What vehicles are in, arrays (n,).

    Attributes
    ----------
    armed : ndarray of bool
        Whether each is armed.
    intended : ndarray of int64
        The mode that its user wants.
    navigates : ndarray of bool
        Whether it knows its position well enough to fly by itself.
    holds : ndarray of bool
        Whether it knows a position at all.
    """

    armed: Bools
    intended: NDArray[np.int64]
    navigates: Bools
    holds: Bools


class FailsafeMachine:
    """Failsafe actions of n vehicles, as PX4 selects them [@px4 v1.16.1 framework.cpp].

    Parameters
    ----------
    n : int
        Number of vehicles.

    Attributes
    ----------
    selected : ndarray of int8, shape (n,)
        The `Action` of each.
    delayed : ndarray of int8, shape (n,)
        Action that follows the present hold, NONE without a hold.
    delay : ndarray, shape (n,)
        Time until it does [s].
    """

    def __init__(self, n: int) -> None:
        self.selected = np.zeros(n, np.int8)
        self.delayed = np.zeros(n, np.int8)
        self.delay = np.zeros(n)
        self._next_delay = np.full(n, np.inf)
        self._taken_over = np.zeros(n, np.bool_)
        self._valid = np.zeros((n, _COUNT), np.bool_)
        self._failing = np.zeros((n, _COUNT), np.bool_)
        self._action = np.zeros((n, _COUNT), np.int8)
        self._clears = np.zeros((n, _COUNT), np.int8)
        self._takeover = np.zeros((n, _COUNT), np.int8)

    def update(
        self, elapsed: float, failed: Bools, choice: Actions, longest: Array, now: Situation
    ) -> Bools:
        """Select the actions.

        Parameters
        ----------
        elapsed : float
            Time since the last update [s].
        failed : ndarray of bool, shape (n, losses)
            What each vehicle has lost, in the order of `LOSSES`.
        choice : ndarray of int8, shape (n, losses)
            Which of its options counts.
        longest : ndarray, shape (n,)
            COM_FAIL_ACT_T [s].
        now : Situation
            What the vehicles are in.

        Returns
        -------
        ndarray of bool, shape (n,)
            Which vehicles have to tell of an action.
        """
        self._end(~now.armed)
        failed = failed & now.armed[:, None]
        if not (failed.any() or self._valid.any()):
            if self.selected.any():
                self._end(np.ones(len(failed), np.bool_))
            self._recover(elapsed, longest)
            told: Bools = np.zeros(len(failed), np.bool_)
            return told
        self.delay = np.maximum(self.delay - elapsed, 0.0)
        warned = self._take(failed, choice, longest)
        self._remove(failed)
        self.delay[(self.selected > _HOLD) | ~now.navigates | self._taken_over] = 0.0
        before, self.selected = self.selected, self._select(now)
        self._recover(elapsed, longest)
        return np.asarray((self.selected > before) | ((self.selected != _NONE) & warned))

    def release(self, row: int) -> None:
        """Let the user of a vehicle take over, who has switched the mode."""
        kept = self._failing[row] | (self._clears[row] != _ON_CHANGE)
        self._valid[row] &= kept
        if self.selected[row] > _WARN:
            self._taken_over[row], self.selected[row] = True, _WARN
            self.delay[row], self.delayed[row] = 0.0, _NONE

    def yields_to_sticks(self, row: int) -> bool:
        """Return whether the action of a vehicle ends when its user moves the sticks."""
        strictest = np.where(self._valid[row], self._takeover[row], _ALWAYS).max()
        waits = self.delayed[row] != _NONE
        return bool(_HOLD <= self.selected[row] < _DISARM and strictest == _ALWAYS and not waits)

    def _end(self, rows: Bools) -> None:
        """End all of some vehicles."""
        if not rows.any():
            return
        self._valid[rows] = self._failing[rows] = self._taken_over[rows] = False
        self.selected[rows] = self.delayed[rows] = _NONE
        self.delay[rows] = 0.0

    def _take(self, failed: Bools, choice: Actions, longest: Array) -> Bools:
        """Take what is lost; return which vehicles have a new warning."""
        column = choice.astype(np.intp) + 1
        action = _ACTIONS[_NUMBERS, column]
        self._failing = failed & (action != _NONE)
        self._action = np.where(self._failing, action, self._action)
        new = self._failing & ~self._valid
        if not new.any():
            return np.zeros(len(failed), np.bool_)
        self._valid |= new
        self._clears = np.where(new, _CLEARS[_NUMBERS, column], self._clears)
        takeover = _TAKEOVERS[_NUMBERS, column]
        delayed, waits = new & (takeover == _DELAYED), longest > SHORTEST_DELAY
        begins = (delayed & (action != _WARN)).any(axis=1) & waits & (self.delay == 0.0)
        self.delay = np.where(begins, np.minimum(self._next_delay, longest), self.delay)
        afterwards = np.where(waits, _ALWAYS, _BY_SWITCH)[:, None]
        self._takeover = np.where(
            new, np.where(delayed, afterwards, takeover), self._takeover
        ).astype(np.int8)
        self._taken_over &= ~(new & (action >= _HOLD)).any(axis=1)
        return np.asarray((new & (action == _WARN)).any(axis=1))

    def _remove(self, failed: Bools) -> None:
        """Remove what is over."""
        ends = self._clears == _WITH_CONDITION
        ends |= (self._clears == _ON_CHANGE) & self._taken_over[:, None]
        self._valid &= self._failing | ~ends

    def _select(self, now: Situation) -> Actions:
        """Return the strongest action of each vehicle that it can execute."""
        acting = np.where(self._valid, self._action, _NONE)
        selected = acting.max(axis=1)
        yielding = np.where(self._valid, self._takeover, _ALWAYS).max(axis=1) <= _BY_SWITCH
        stops = selected >= _DISARM
        waits = (self.delay > 0.0) & ~self._taken_over & yielding
        waits &= (selected > _WARN) & (selected != _HOLD) & ~stops
        self.delayed = np.where(waits, selected, _NONE).astype(np.int8)
        selected[waits] = _HOLD
        # a user who takes over has the mode that he wants, or what replaces it
        self._taken_over &= yielding & (selected >= _HOLD) & ~stops
        selected = np.where(self._taken_over, np.maximum(acting[:, _MODE], _WARN), selected)
        selected = _possible(selected, now)
        returns = (selected == _RETURN) | (self.delayed == _RETURN)
        does_so = np.isin(now.intended, (int(FlightMode.LAND), int(FlightMode.RETURN)))
        idle = returns & does_so & now.navigates
        selected[idle], self.delayed[idle] = _WARN, _NONE
        return selected.astype(np.int8)

    def _recover(self, elapsed: float, longest: Array) -> None:
        """Let the delay of the next action shrink with holds, and grow slowly without one."""
        change = np.where(self.delayed != _NONE, -elapsed, _RECOVERY * elapsed)
        self._next_delay = np.clip(self._next_delay + change, 0.0, longest)


def _possible(selected: Actions, now: Situation) -> Actions:
    """Return the next stronger actions that vehicles can execute with what they know."""
    blind = (selected == _POSITION) & ~now.holds
    selected = np.where(blind, _ALTITUDE, selected)
    lost = ((selected == _HOLD) | (selected == _RETURN)) & ~now.navigates
    selected = np.where(lost, _LAND, selected)
    blind = (selected == _LAND) & ~now.holds
    return np.where(blind, _DESCEND, selected).astype(np.int8)
