"""Pictures of simulations and logs: `picture`, `source_of`."""

from __future__ import annotations

import os
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief
from pyrfly.log import Log
from pyrfly.sim import Sim
from pyrfly.view.camera import Camera
from pyrfly.view.fleet import LEAST
from pyrfly.view.live import SimSource
from pyrfly.view.logged import LogSource
from pyrfly.view.marks import TRAIL
from pyrfly.view.painter import Painter
from pyrfly.view.world import Frame, World

__all__ = ["Seen", "Source", "picture", "remember_before", "source_of"]

TRAIL_SAMPLES = 200


class Source(Protocol):
    """What is seen: a `SimSource`, a `LogSource`."""

    def world(self) -> World:
        """Return what does not change."""

    def frame(self) -> Frame:
        """Return where all vehicles are now, or at the end."""


Seen: TypeAlias = "Sim | Log | LogSource | SimSource | str | os.PathLike[str]"


def source_of(seen: Any) -> Any:
    """Return the source of a simulation, a log, or the file of one; a source itself.

    Raises
    ------
    TypeError
        It is none of these.
    OSError, ValueError
        The file cannot be read, see `pyrfly.log.Log.load`.
    """
    if isinstance(seen, (SimSource, LogSource)):
        return seen
    if isinstance(seen, Sim):
        return SimSource(seen)
    if isinstance(seen, (str, os.PathLike)):
        seen = Log.load(seen)
    if isinstance(seen, Log):
        return LogSource(seen)
    raise TypeError(f"source: expected a Sim, a Log or its file, got {brief(seen)}")


def picture(
    source: Seen,
    size: tuple[int, int] = (640, 480),
    camera: str | Camera = "overview",
    *,
    time: float | None = None,
    trail: float = TRAIL,
    labels: str | None = None,
    least: float = LEAST,
) -> NDArray[np.uint8]:
    """Return a picture of vehicles, drawn without browser, display or graphics card.

    Parameters
    ----------
    source : Sim, Log, str or path-like
        What is seen: a simulation as it is, a log or its file.
    size : (int, int)
        Width and height [pixels], 16 to 4096.
    camera : str or Camera
        ``overview``: all that there is; ``follow:ID``: one vehicle; ``nose:ID``: what it has ahead;
        or a `Camera`.
    time : float, optional
        Time of a log [s]; by default its end.
    trail : float
        How long the way behind vehicles is, of a log [s].
    labels : str, optional
        What is written beside vehicles: ``'ids'``, ``'names'`` or ``''``; by default CopterIDs of
        several vehicles, up to 30.
    least : float
        Radius that a vehicle has at least [pixels]: smaller ones are enlarged.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)
        Red, green and blue.

    Raises
    ------
    TypeError, ValueError
        An argument is none of these.

    Examples
    --------
    >>> sim = Sim("x450", 3)
    >>> picture(sim, (320, 240)).shape
    (240, 320, 3)
    """
    found = source_of(source)
    painter = Painter(found.world(), size, camera, trail=trail, labels=labels, least=least)
    if isinstance(found, SimSource):
        if time is not None:
            raise ValueError(f"time: expected none of a Sim, which is as it is, got {brief(time)}")
        return painter.draw(found.frame())
    now = found.frame(time)
    remember_before(painter, found, now.time, trail)
    return painter.draw(now)


def remember_before(painter: Painter, log: LogSource, time: float, trail: float) -> None:
    """Let a painter have the trails that a log has before a time [s], ``trail`` [s] long."""
    if trail <= 0:
        return
    for before in np.linspace(time - trail, time, TRAIL_SAMPLES, endpoint=False):
        if before >= log.span[0]:
            painter.remember(log.frame(before))
