"""Periods of the control loops: `LoopPeriods`."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

__all__ = ["ANY_PERIODS", "DEFAULT_PERIODS", "LoopPeriods"]


class LoopPeriods(NamedTuple):
    """Periods [s] of the control loops, slowest first."""

    outer: float
    middle: float
    inner: float


DEFAULT_PERIODS = LoopPeriods(0.010, 0.004, 0.002)
"""Those of a `pyrfly.Sim`."""

ANY_PERIODS = LoopPeriods(inf, inf, inf)
"""No limit."""
