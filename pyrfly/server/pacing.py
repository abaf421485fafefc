"""Simulated time at a multiple of real time: `Pacer`."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf

from pyrfly.errors import brief
from pyrfly.transport import OptionError

__all__ = ["Pacer", "rate_of"]

SLOWEST = 1e-6
"""Minimum rate: a tick of 10 ms then takes three hours."""

MAX_LATE = 0.1
"""Maximum delay that is made up for [s]."""

LONGEST_SLEEP = 0.05
"""Maximum time between two checks whether to stop [s]."""


def rate_of(rate: float | str) -> float:
    """Return simulated seconds per real second from ``'real'``, ``'max'`` or a number.

    Raises
    ------
    OptionError
        When it is none of these, or below `SLOWEST`.
    """
    if rate == "real":
        return 1.0
    if rate == "max":
        return inf
    try:
        number = float(rate)
    except (TypeError, ValueError):
        number = 0.0
    if not number >= SLOWEST:
        raise OptionError(
            f"rate: expected 'real', 'max' or a number of at least {SLOWEST:g}, got {brief(rate)}"
        )
    return number


class Pacer:
    """Holds simulated time to a rate.

    Times are due by the clock since `begin`, so that delays do not accumulate. A delay of more than
    0.1 s is not made up for: the clock restarts there.

    Parameters
    ----------
    rate : float
        Simulated seconds per real second; infinity: no waiting.
    clock, sleep : callable
        As ``time.perf_counter`` and ``time.sleep``.

    Attributes
    ----------
    late : int
        Number of delays of more than 0.1 s.
    sleep : callable
        As given; can be set.
    """

    def __init__(
        self,
        rate: float,
        *,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.rate = rate
        self.late = 0
        self._clock = clock
        self.sleep = sleep
        self.begin(0.0)

    def begin(self, simulated: float) -> None:
        """Start the clock at the simulated time ``simulated`` [s]."""
        self._origin = self._clock() - simulated / self.rate

    def behind(self, simulated: float) -> float:
        """Return how long ago the simulated time ``simulated`` [s] was due [s]; 0 if it was not."""
        if self.rate == inf:
            return 0.0
        return max(0.0, self._clock() - self._origin - simulated / self.rate)

    def wait(self, simulated: float, stopped: Callable[[], bool]) -> None:
        """Sleep until the simulated time ``simulated`` [s] is due, or ``stopped()``."""
        if self.rate == inf:
            return
        due = self._origin + simulated / self.rate
        while (left := due - self._clock()) > 0 and not stopped():
            self.sleep(min(left, LONGEST_SLEEP))
        if left < -MAX_LATE:
            self.late += 1
            self.begin(simulated)
