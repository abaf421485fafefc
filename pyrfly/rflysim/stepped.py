"""Scripts written for real time, run in simulated time: as fast as possible, deterministically.

Within `simulated_time`, ``time.sleep`` steps the vehicles that ``PX4MavCtrler(ID)`` finds without a
server, and the clocks of the modules ``time`` and ``datetime`` show their time. Waits for a thread,
a ``threading.Event``, a ``threading.Timer`` or a ``queue.Queue`` are in simulated time too. From
the command line::

    python -m pyrfly.rflysim.stepped [--vehicles NAME[:COUNT],...] script.py [arguments]

runs a script so; its ``import PX4MavCtrlV4`` and so on find pyrfly's modules. Waits of other kinds,
such as for a packet or of ``asyncio``, are in real time.
"""

from __future__ import annotations

import datetime
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from pyrfly.ctrl import background
from pyrfly.rflysim.script import options, run_script
from pyrfly.rflysim.stepped_world import LOOKS, TICK, SteppedWorld

__all__ = ["EPOCH", "LOOKS", "TICK", "SteppedWorld", "main", "simulated_time"]

EPOCH = 1_735_689_600.0
"""Value of ``time.time`` at the start [s]: the first second of 2025."""

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

_Datetime = datetime.datetime


@contextmanager
def simulated_time(vehicles: Mapping[str, int] | None = None) -> Iterator[SteppedWorld]:
    """Run this thread, and the threads that it starts, in simulated time.

    ``sleep``, ``time``, ``monotonic`` and ``perf_counter`` of the module ``time`` are replaced, and
    their ``..._ns`` variants; ``datetime.datetime``; ``start`` and ``join`` of
    ``threading.Thread``, ``wait`` of ``threading.Event``; ``get`` and ``put`` of ``queue.Queue``.
    Threads that others start, such as those of ``concurrent.futures``, keep real time.

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
    before = background.use(world)
    with ExitStack() as replaced:
        for owner, name, function in _replacements(world):
            replaced.enter_context(patch.object(owner, name, function))
        try:
            yield world
        finally:
            background.use(before)
            world.close()


def _is_ours(world: SteppedWorld) -> bool:
    """Return whether the caller of the calling function waits in simulated time."""
    caller = sys._getframe(2).f_globals.get("__name__", "").partition(".")[0]
    return world.is_shared and caller not in WAITING


def _replacements(world: SteppedWorld) -> list[tuple[Any, str, Any]]:
    """Return where something is replaced, its name, and by what."""
    return [
        *((time, name, function) for name, function in _clocks(world).items()),
        (datetime, "datetime", _datetime(world)),
        (threading.Thread, "start", _start(world, threading.Thread.start)),
        (threading.Thread, "join", _join(world, threading.Thread.join)),
        (threading.Event, "wait", _event_wait(world, threading.Event.wait)),
        (queue.Queue, "get", _get(world, queue.Queue.get)),
        (queue.Queue, "put", _put(world, queue.Queue.put)),
    ]


def _clocks(world: SteppedWorld) -> dict[str, Callable[..., Any]]:
    def choosing(ours: Callable[..., Any], real: Callable[..., Any]) -> Callable[..., Any]:
        def function(*arguments: Any) -> Any:
            return (ours if _is_ours(world) else real)(*arguments)

        return function

    ours: dict[str, Callable[..., Any]] = {"sleep": world.sleep}
    for name, start in (("time", EPOCH), ("monotonic", 0.0), ("perf_counter", 0.0)):
        ours[name] = lambda start=start: start + world.look()
        ours[f"{name}_ns"] = lambda start=start: round((start + world.look()) * 1e9)
    return {name: choosing(function, getattr(time, name)) for name, function in ours.items()}


def _datetime(world: SteppedWorld) -> type[datetime.datetime]:
    class Kind(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, _Datetime)

    class Simulated(_Datetime, metaclass=Kind):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Any:
            return (
                cls.fromtimestamp(EPOCH + world.look(), tz)
                if _is_ours(world)
                else _Datetime.now(tz)
            )

        @classmethod
        def utcnow(cls) -> Any:
            return cls.now(datetime.timezone.utc).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

    Simulated.__name__ = Simulated.__qualname__ = _Datetime.__name__
    Simulated.__module__ = _Datetime.__module__
    return Simulated


def _start(world: SteppedWorld, real: Callable[..., None]) -> Callable[..., None]:
    def start(thread: threading.Thread) -> None:
        caller = sys._getframe(1).f_globals.get("__name__", "").partition(".")[0]
        if caller != "pyrfly" and _is_ours(world):
            world.start(thread, real)
        else:
            real(thread)

    return start


def _join(world: SteppedWorld, real: Callable[..., None]) -> Callable[..., None]:
    def join(thread: threading.Thread, timeout: float | None = None) -> None:
        if thread in world.threads and _is_ours(world):
            if world.wait_for(lambda: not thread.is_alive(), timeout):
                real(thread)
        else:
            real(thread, timeout)

    return join


def _event_wait(world: SteppedWorld, real: Callable[..., bool]) -> Callable[..., bool]:
    timer = threading.Timer.run.__code__

    def wait(event: threading.Event, timeout: float | None = None) -> bool:
        if _is_ours(world) or (world.is_shared and sys._getframe(1).f_code is timer):
            return world.wait_for(event.is_set, timeout)
        return real(event, timeout)

    return wait


def _get(world: SteppedWorld, real: Callable[..., Any]) -> Callable[..., Any]:
    def get(items: queue.Queue[Any], block: bool = True, timeout: float | None = None) -> Any:
        if not (block and _is_ours(world)):
            return real(items, block, timeout)
        world.wait_for(lambda: not items.empty(), timeout)
        return real(items, False)

    return get


def _put(world: SteppedWorld, real: Callable[..., Any]) -> Callable[..., None]:
    def put(
        items: queue.Queue[Any], item: Any, block: bool = True, timeout: float | None = None
    ) -> None:
        if not (block and _is_ours(world)):
            real(items, item, block, timeout)
            return
        world.wait_for(lambda: not items.full(), timeout)
        real(items, item, False)

    return put


def main(arguments: Sequence[str]) -> int:
    """Run a script in simulated time; ``arguments`` are options, its path and what it gets."""
    given = options("python -m pyrfly.rflysim.stepped", arguments)
    with simulated_time(given.vehicles) as world:
        try:
            run_script(given)
        finally:
            if sys.exc_info()[0] in (None, SystemExit):
                world.join_threads()  # as Python does at the end of a program
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
