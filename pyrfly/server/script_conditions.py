"""Conditions of start scripts: whether what depends on one runs."""

from __future__ import annotations

from enum import Enum

__all__ = ["State", "inverse", "within"]


class State(Enum):
    """Whether a part of a script runs."""

    RUNS = 0
    DOUBTFUL = 1
    """Nothing tells whether it runs, or how often."""
    SKIPPED = 2


def inverse(truth: bool | None) -> bool | None:
    """Return the inverse of a condition, None where nothing tells what it is."""
    return None if truth is None else not truth


def within(state: State, truth: bool | None) -> State:
    """Return the state of what depends on a condition."""
    if state is State.SKIPPED or truth is False:
        return State.SKIPPED
    return state if truth else State.DOUBTFUL
