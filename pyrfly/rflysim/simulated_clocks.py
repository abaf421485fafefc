"""What reads a clock, in the simulated time of a `SteppedWorld`: `clocks`."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
from typing import Any

from pyrfly.rflysim.stepped_world import SteppedWorld

__all__ = ["EPOCH", "FUTURES", "caller_module", "clocks", "is_ours"]

EPOCH = 1_735_689_600.0
"""Value of ``time.time`` at the start [s]: the first second of 2025."""

WAITING = (
    "asyncio.unix_events",
    "concurrent.futures.process",
    "multiprocessing",
    "queue",
    "selectors",
    "subprocess",
    "threading",
)
"""Modules that wait in real time, and so have to read it."""

THREAD_POOLS = "multiprocessing.dummy"
"""What starts the threads of a pool of `multiprocessing`."""

FUTURES = "concurrent.futures._base"
"""Module of what waits for the work of pools of threads, and of processes."""

_FORMATS = {"localtime": 0, "gmtime": 0, "ctime": 0, "strftime": 1, "asctime": 0}
"""Functions of the module time that show the present time without their last argument, and the
number of arguments before it."""


def caller_module(depth: int) -> str:
    """Return the name of the module of a caller: 1 is that of the calling function, and so on."""
    name: str = sys._getframe(depth).f_globals.get("__name__", "")
    return name


def is_ours(world: SteppedWorld) -> bool:
    """Return whether the caller of the calling function waits in simulated time."""
    return world.is_shared and not _waits_outside(caller_module(3))


@functools.cache
def _waits_outside(module: str) -> bool:
    ours = f"{module}.".startswith(f"{THREAD_POOLS}.")
    return not ours and f"{module}.".startswith(tuple(f"{name}." for name in WAITING))


def clocks(world: SteppedWorld) -> list[tuple[Any, str, Any]]:
    """Return where something is replaced, its name, and by what."""
    ours: dict[str, Callable[..., Any]] = {"sleep": world.sleep}
    for name, start in (("time", EPOCH), ("monotonic", 0.0), ("perf_counter", 0.0)):
        ours[name] = lambda start=start: start + world.look()
        ours[f"{name}_ns"] = lambda start=start: round((start + world.look()) * 1e9)
    for name, before in _FORMATS.items():
        ours[name] = _format(world, name, before)
    return [(time, name, _Choice(world, ours[name], getattr(time, name))) for name in ours]


class _Choice:
    """A function in simulated time for those who take part, the real one for others.

    No function of Python's, which a class that has it as attribute would take for a method.
    """

    def __init__(
        self, world: SteppedWorld, ours: Callable[..., Any], real: Callable[..., Any]
    ) -> None:
        self._world, self._ours, self._real = world, ours, real

    def __call__(self, *arguments: Any) -> Any:
        return (self._ours if is_ours(self._world) else self._real)(*arguments)


def _format(world: SteppedWorld, name: str, before: int) -> Callable[..., Any]:
    """Return a function of `_FORMATS` that shows simulated time."""
    real, local = getattr(time, name), time.localtime

    def shown(*arguments: Any) -> Any:
        if len(arguments) == before or (before == 0 and arguments == (None,)):
            now = EPOCH + world.look()
            present = local(now) if name in ("strftime", "asctime") else now
            arguments = (*arguments[:before], present)
        return real(*arguments)

    return shown
