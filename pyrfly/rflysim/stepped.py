"""Scripts written for real time, run in simulated time: as fast as possible, deterministically.

Within `simulated_time`, ``time.sleep`` steps the vehicles that ``PX4MavCtrler(ID)`` finds without a
server, and the clocks of the modules ``time`` and ``datetime`` show their time. Waits of the module
``threading`` and for a ``queue.Queue`` are in simulated time too. From the command line::

    python -m pyrfly.rflysim.stepped [options] script.py [arguments]

runs a script so; its ``import PX4MavCtrlV4`` and so on find pyrfly's modules. Pools of threads and
loops of ``asyncio`` are in simulated time too. Waits of other kinds, such as for a packet, are in
real time.
"""

from __future__ import annotations

import atexit
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from pyrfly.ctrl import background, ending
from pyrfly.rflysim.script import options, run_script, show_error
from pyrfly.rflysim.simulated_clocks import EPOCH, clocks
from pyrfly.rflysim.simulated_dates import dates
from pyrfly.rflysim.simulated_pools import end_pools
from pyrfly.rflysim.simulated_waits import waits
from pyrfly.rflysim.stepped_world import LOOKS, TICK, SteppedWorld

__all__ = ["EPOCH", "LOOKS", "TICK", "SteppedWorld", "main", "simulated_time"]


LONGEST_FLIGHT = 600.0
"""Simulated time [s] after the end of a script in which its flights come to their end."""


@contextmanager
def simulated_time(vehicles: Mapping[str, int] | None = None) -> Iterator[SteppedWorld]:
    """Run this thread, and the threads that it starts, in simulated time.

    ``sleep``, ``time``, ``monotonic`` and ``perf_counter`` of the module ``time`` are replaced,
    their ``..._ns`` variants, and ``localtime`` and its like without a time; ``now``, ``utcnow``
    and ``today`` of ``datetime.datetime`` and ``date``; ``start`` and ``join`` of
    ``threading.Thread``, ``wait`` of ``threading.Event``, ``acquire`` of ``threading.Semaphore``;
    the locks, conditions and barriers that the script makes; ``get``, ``put`` and ``join`` of
    ``queue.Queue``; the ``queue.SimpleQueue`` that the script makes; ``select.select`` of nothing,
    and what loops of ``asyncio`` wait by; ``is_alive``, ``is_set`` and their like, which count as
    looks at the clock. Waits for sockets and processes keep real time. No type but
    ``SimpleQueue`` is replaced, so that extensions can be imported.

    Parameters
    ----------
    vehicles : mapping of str to int, optional
        Parameter sets and their numbers of vehicles, with CopterIDs from 1 in this order, on
        RflySim's square grid; all other vehicles have the set ``sdk``.

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
    with _sharing(SteppedWorld(background.in_grid(vehicles))) as world:
        yield world


@contextmanager
def _sharing(world: SteppedWorld) -> Iterator[SteppedWorld]:
    """Run this thread, and the threads that it starts, in the time of a world."""
    before = background.use(world)
    with ExitStack() as replaced:
        for owner, name, function in (*clocks(world), *waits(world)):
            replaced.enter_context(patch.object(owner, name, function))
        replaced.enter_context(dates(world))
        try:
            yield world
        finally:
            background.use(before)
            world.close()


def main(arguments: Sequence[str]) -> int:
    """Run a script in simulated time; ``arguments`` are options, its path and what it gets."""
    with ExitStack() as simulated:
        _run(arguments, simulated)
    return 0


def _run(arguments: Sequence[str], simulated: ExitStack) -> None:
    """Run a script, and leave its simulated time to be ended with a stack."""
    given = options("python -m pyrfly.rflysim.stepped", arguments)
    world = simulated.enter_context(_sharing(SteppedWorld(given.fleet)))
    world.flies_on = True
    try:
        run_script(given)
    finally:
        if sys.exc_info()[0] in (None, SystemExit):
            end_pools(world)
            world.join_threads()  # as Python does at the end of a program
            ending.wait_for_flights(LONGEST_FLIGHT)
        ending.forget_all()


if __name__ == "__main__":
    sys.excepthook = show_error
    until_exit = ExitStack()
    atexit.register(until_exit.close)  # the first one: called after those of the script
    _run(sys.argv[1:], until_exit)
