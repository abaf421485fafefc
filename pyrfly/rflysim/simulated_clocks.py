"""What reads a clock or waits, in the simulated time of a `SteppedWorld`: `replacements`."""

from __future__ import annotations

import datetime
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from pyrfly.rflysim.stepped_world import SteppedWorld

__all__ = ["EPOCH", "replacements"]

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

LINKS = ("pyrfly.server", "pyrfly.transport")
"""Packages whose threads wait for packets, and for real time."""

_Datetime = datetime.datetime


def _is_ours(world: SteppedWorld) -> bool:
    """Return whether the caller of the calling function waits in simulated time."""
    caller = sys._getframe(2).f_globals.get("__name__", "").partition(".")[0]
    return world.is_shared and caller not in WAITING


def replacements(world: SteppedWorld) -> list[tuple[Any, str, Any]]:
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
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if _is_ours(world) and not caller.startswith(LINKS):
            world.start(thread, real)
        else:
            real(thread)

    return start


def _join(world: SteppedWorld, real: Callable[..., None]) -> Callable[..., None]:
    def join(thread: threading.Thread, timeout: float | None = None) -> None:
        if not (thread in world.threads and _is_ours(world)):
            real(thread, timeout)
        elif world.wait_for(lambda: thread not in world.threads, timeout):
            real(thread)

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
