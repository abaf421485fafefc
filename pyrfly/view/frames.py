"""Frames of a log, or of a simulation that is stepped, at regular times: `frames_of`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyrfly.arrays import one_number
from pyrfly.errors import brief
from pyrfly.view.live import SimSource
from pyrfly.view.logged import LogSource
from pyrfly.view.world import Frame

__all__ = ["MAXIMUM_FRAMES", "frames_of"]

MAXIMUM_FRAMES = 100_000
"""Of a flight: two hours at 15 frames per second."""


def frames_of(
    source: Any,
    step: float,
    start: float | None,
    stop: float | None,
    told: Callable[[float], object] | None,
) -> Iterator[Frame]:
    """Yield a frame each ``step`` of time.

    Parameters
    ----------
    source : SimSource or LogSource
        What is seen; a simulation is stepped.
    step : float
        Time between two frames [s].
    start, stop : float, optional
        Times of the first and the last one [s]; by default those of the log. A simulation begins
        where it is, and needs ``stop``.
    told : callable, optional
        Called with the share that is done, 0 to 1, after every frame.

    Raises
    ------
    ValueError
        The times are out of range.
    """
    begin, end = _span(source, start, stop)
    count = int((end - begin) / step + 1e-6) + 1
    if count > MAXIMUM_FRAMES:
        raise ValueError(
            f"start, stop: expected times for at most {MAXIMUM_FRAMES} frames, got {begin:.3f} to "
            f"{end:.3f} s, which are {count:.2e} every {step:.3g} s"
        )
    for k in range(count):
        now = begin + k * step
        if isinstance(source, LogSource):
            yield source.frame(now)
        else:
            sim = source.sim
            sim.step(max(0, round((now - sim.time) / sim.dt)))
            yield source.frame()
        if told is not None:
            told((k + 1) / count)


def _span(
    source: LogSource | SimSource, start: float | None, stop: float | None
) -> tuple[float, float]:
    """Return the times of the first and the last picture."""
    if isinstance(source, LogSource):
        first, last = source.span
    else:
        first, last = source.sim.time, np.inf
        if stop is None:
            raise ValueError("stop: expected the time of the last picture of a Sim [s], got None")
        if start is not None:
            raise ValueError(
                f"start: expected none of a Sim, which begins where it is, got {brief(start)}"
            )
    begin = first if start is None else one_number("start", start, "s")
    end = last if stop is None else one_number("stop", stop, "s")
    if not (first <= begin <= end and begin < last):
        raise ValueError(
            f"start, stop: expected times from {first:.3f} to {last:.3f} s, got {begin} to {end}"
        )
    return begin, min(end, last)
