"""When a vehicle does not get on: `Progress`."""

from __future__ import annotations

import math

__all__ = ["PATIENCE", "Progress"]

PATIENCE = 60.0
"""Time without progress after which a wait ends [s], of vehicles that turn fast."""

SHARE = 0.99
"""Of what was left: less is progress."""


class Progress:
    """Whether what is left of a way goes down.

    A wait for less than a number above 0 ends: what is left falls by a hundredth again and again,
    or it stalls.

    Parameters
    ----------
    now : float
        Simulated time [s].
    patience : float
        Time without progress after which it stalls [s].
    """

    def __init__(self, now: float, patience: float = PATIENCE) -> None:
        self._since, self._patience = now, patience
        self._least = math.inf

    def stalls(self, now: float, left: float) -> bool:
        """Return whether what is left has not gone down for too long.

        Examples
        --------
        >>> way = Progress(0.0, patience=10.0)
        >>> [way.stalls(now, left) for now, left in ((1.0, 50.0), (9.0, 40.0), (19.5, 39.9))]
        [False, False, True]
        """
        if left < SHARE * self._least:
            self._least, self._since = left, now
        return now - self._since > self._patience
