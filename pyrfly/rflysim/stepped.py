"""Scripts written for real time, run in simulated time: as fast as possible, deterministically.

Within `simulated_time`, ``time.sleep`` steps the vehicles that ``PX4MavCtrler(ID)`` finds without a
server, and the clocks of the module ``time`` return their time. From the command line::

    python -m pyrfly.rflysim.stepped [--vehicles NAME[:COUNT],...] script.py [arguments]

runs a script so. The events of a controller can be waited for; what waits in other ways, such as a
``threading.Event`` of the script's own, still waits in real time, and nothing moves meanwhile.
"""

from __future__ import annotations

import argparse
import math
import runpy
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pyrfly.ctrl import background
from pyrfly.ctrl.background import World
from pyrfly.errors import Error
from pyrfly.server.command_line import vehicle_counts
from pyrfly.vehicles import load

__all__ = ["EPOCH", "SteppedWorld", "main", "simulated_time"]

EPOCH = 1_735_689_600.0
"""Value of ``time.time`` at the start [s]: the first second of 2025."""

LOOKS = 1000  # consecutive reads of the clock or a vehicle that take no time
TICK = 1e-3  # s that every further one takes, and by which time advances
WAITING = (
    "asyncio",
    "concurrent",
    "multiprocessing",
    "queue",
    "selectors",
    "subprocess",
    "threading",
)
"""Modules that wait in real time, and so have to read it."""

_ROUNDING = 1e-6  # of a tick, which sums of decimal fractions may be short


class _SteppedEvent(threading.Event):
    """An event that advances simulated time while it is waited for."""

    def __init__(self, world: SteppedWorld) -> None:
        super().__init__()
        self._world = world

    def wait(self, timeout: float | None = None) -> bool:
        """Advance simulated time until the event is set, or for ``timeout`` [s]."""
        until = math.inf if timeout is None else self._world.now + timeout
        while not self.is_set() and self._world.now < until - 0.5 * TICK:
            self._world.sleep(TICK)
        return self.is_set()


class SteppedWorld(World):
    """Sims that advance in `sleep` only.

    Parameters
    ----------
    vehicles : mapping of str to int, optional
        See `World`.

    Attributes
    ----------
    now : float
        Simulated time [s].
    """

    def __init__(self, vehicles: Mapping[str, int] | None = None) -> None:
        super().__init__(vehicles)
        self.now = 0.0
        self._looks = 0
        self._remainder = 0.0  # s that were slept and not advanced yet, less than a tick

    def sleep(self, seconds: float) -> None:
        """Advance simulated time [s], in place of ``time.sleep``."""
        if not 0 <= seconds < math.inf:
            raise ValueError(f"sleep length must be non-negative and finite, not {seconds}")
        self._looks = 0
        self._remainder += seconds
        ticks = math.floor(self._remainder / TICK + _ROUNDING)
        self._remainder -= ticks * TICK
        if ticks:
            self.advance(ticks * TICK)
            self.now += ticks * TICK

    def event(self) -> threading.Event:
        """Return an event whose ``wait`` advances time."""
        return _SteppedEvent(self)

    def look(self) -> float:
        """Return the time [s]; it advances in a loop that only waits for it."""
        self._looks += 1
        if self._looks > LOOKS:
            self.advance(TICK)
            self.now += TICK
        return self.now


@contextmanager
def simulated_time(vehicles: Mapping[str, int] | None = None) -> Iterator[SteppedWorld]:
    """Run this thread in simulated time.

    ``sleep``, ``time``, ``monotonic`` and ``perf_counter`` of the module ``time`` are replaced, and
    their ``..._ns`` variants. Other threads keep real time.

    Parameters
    ----------
    vehicles : mapping of str to int, optional
        Parameter sets and their numbers of vehicles, with CopterIDs from 1 in this order; all other
        vehicles have the set ``sdk``.

    Yields
    ------
    SteppedWorld
        The Sims that ``PX4MavCtrler(ID)`` finds its vehicle in.

    Examples
    --------
    >>> import time
    >>> from pyrfly.rflysim.PX4MavCtrlV4 import PX4MavCtrler
    >>> with simulated_time():
    ...     mav = PX4MavCtrler(7)
    ...     mav.InitMavLoop()
    ...     mav.initOffboard()
    ...     mav.SendPosNED(0, 0, -5, 0)
    ...     time.sleep(10)
    ...     round(-mav.uavPosNED[2], 2)
    5.0
    """
    world = SteppedWorld(vehicles)
    clocks = _clocks(world)
    real = {name: getattr(time, name) for name in clocks}
    before = background.use(world)
    vars(time).update(clocks)
    try:
        yield world
    finally:
        vars(time).update(real)
        background.use(before)


def _clocks(world: SteppedWorld) -> dict[str, Callable[..., Any]]:
    """Return functions of the module ``time`` that are about simulated time in this thread."""
    owner = threading.get_ident()

    def of_owner(ours: Callable[..., Any], real: Callable[..., Any]) -> Callable[..., Any]:
        def function(*arguments: Any) -> Any:
            caller = sys._getframe(1).f_globals.get("__name__", "").partition(".")[0]
            simulated = threading.get_ident() == owner and caller not in WAITING
            return (ours if simulated else real)(*arguments)

        return function

    ours: dict[str, Callable[..., Any]] = {"sleep": world.sleep}
    for name, start in (("time", EPOCH), ("monotonic", 0.0), ("perf_counter", 0.0)):
        ours[name] = lambda start=start: start + world.look()
        ours[f"{name}_ns"] = lambda start=start: round((start + world.look()) * 1e9)
    return {name: of_owner(function, getattr(time, name)) for name, function in ours.items()}


def _vehicles(text: str) -> dict[str, int]:
    """Return the checked value of the option ``--vehicles``."""
    try:
        counts = vehicle_counts(text)
        for name in counts:
            load(name)
    except Error as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return counts


def main(arguments: Sequence[str]) -> int:
    """Run a script in simulated time; ``arguments`` are options, its path and what it gets."""
    parser = argparse.ArgumentParser(prog="python -m pyrfly.rflysim.stepped")
    parser.add_argument(
        "--vehicles",
        type=_vehicles,
        metavar="NAME[:COUNT],...",
        help="parameter sets of CopterIDs from 1, as for pyrfly sim; all others are sdk",
    )
    parser.add_argument("script", help="path of the script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the script gets itself")
    given = parser.parse_args(arguments)
    if not Path(given.script).is_file():
        parser.error(f"script: expected a file, got {given.script!r}")
    folder = str(Path(given.script).resolve().parent)
    with (
        patch.object(sys, "argv", [given.script, *given.arguments]),
        patch.object(sys, "path", [folder, *sys.path]),
        simulated_time(given.vehicles),
    ):
        runpy.run_path(given.script, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
