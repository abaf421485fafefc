"""What waits, in the simulated time of a `SteppedWorld`: `waits`."""

from __future__ import annotations

import queue
import select
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from pyrfly.rflysim.simulated_clocks import FUTURES, caller_module, is_ours
from pyrfly.rflysim.simulated_locks import Barrier, Condition, Lock, RLock
from pyrfly.rflysim.simulated_pools import SimpleQueue, loops
from pyrfly.rflysim.stepped_world import SteppedWorld

__all__ = ["waits"]

LINKS = ("pyrfly.server", "pyrfly.transport")
"""Packages whose threads wait for packets, and for real time."""

OURS = "pyrfly."
"""Our own modules: what they look at says nothing about the script."""

_LOOKS: dict[type, tuple[str, ...]] = {
    threading.Thread: ("is_alive",),
    threading.Event: ("is_set",),
    queue.Queue: ("empty", "full", "qsize"),
    Future: ("done", "running"),
}
"""What a script may call in a loop that waits, by type."""


def waits(world: SteppedWorld) -> list[tuple[Any, str, Any]]:
    """Return where something is replaced, its name, and by what."""
    return [
        (threading.Thread, "start", _start(world, threading.Thread.start)),
        (threading.Thread, "join", _join(world, threading.Thread.join)),
        (threading.Event, "wait", _event_wait(world, threading.Event.wait)),
        *(
            (owner, name, _look(world, getattr(owner, name)))
            for owner, names in _LOOKS.items()
            for name in names
        ),
        (threading.Semaphore, "acquire", _acquire(world, threading.Semaphore.acquire)),
        *(
            (threading, kind.__name__, _Maker(world, kind, getattr(threading, kind.__name__)))
            for kind in (Lock, RLock, Condition, Barrier)
        ),
        (queue, "SimpleQueue", _Maker(world, SimpleQueue, queue.SimpleQueue)),
        (queue.Queue, "get", _get(world, queue.Queue.get)),
        (queue.Queue, "put", _put(world, queue.Queue.put)),
        (queue.Queue, "join", _join_queue(world, queue.Queue.join)),
        (select, "select", _select(world, select.select)),
        *loops(world),
    ]


def _start(world: SteppedWorld, real: Callable[..., None]) -> Callable[..., None]:
    def start(thread: threading.Thread) -> None:
        if is_ours(world) and not caller_module(2).startswith(LINKS):
            world.start(thread, real)
        else:
            real(thread)

    return start


def _join(world: SteppedWorld, real: Callable[..., None]) -> Callable[..., None]:
    def join(thread: threading.Thread, timeout: float | None = None) -> None:
        if not (thread in world.threads and is_ours(world)):
            real(thread, timeout)
        elif world.wait_for(lambda: thread not in world.threads, timeout):
            real(thread)

    return join


def _look(world: SteppedWorld, real: Callable[..., Any]) -> Callable[..., Any]:
    def look(one: Any) -> Any:
        if is_ours(world) and not caller_module(2).startswith(OURS):
            world.look()
        return real(one)

    return look


def _event_wait(world: SteppedWorld, real: Callable[..., bool]) -> Callable[..., bool]:
    timer = threading.Timer.run.__code__

    def wait(event: threading.Event, timeout: float | None = None) -> bool:
        if world.is_alone and caller_module(2) == FUTURES:
            return real(event, timeout)  # of processes
        if is_ours(world) or (world.is_shared and sys._getframe(1).f_code is timer):
            return world.wait_for(event.is_set, timeout)
        return real(event, timeout)

    return wait


def _get(world: SteppedWorld, real: Callable[..., Any]) -> Callable[..., Any]:
    def get(items: queue.Queue[Any], block: bool = True, timeout: float | None = None) -> Any:
        if not (block and is_ours(world)):
            return real(items, block, timeout)
        world.wait_for(lambda: not items.empty(), timeout)
        return real(items, False)

    return get


def _put(world: SteppedWorld, real: Callable[..., Any]) -> Callable[..., None]:
    def put(
        items: queue.Queue[Any], item: Any, block: bool = True, timeout: float | None = None
    ) -> None:
        if not (block and is_ours(world)):
            real(items, item, block, timeout)
            return
        world.wait_for(lambda: not items.full(), timeout)
        real(items, item, False)

    return put


def _join_queue(world: SteppedWorld, real: Callable[..., None]) -> Callable[..., None]:
    def join(items: queue.Queue[Any]) -> None:
        if is_ours(world):
            world.wait_for(lambda: not items.unfinished_tasks, None)
        real(items)

    return join


def _acquire(world: SteppedWorld, real: Callable[..., bool]) -> Callable[..., bool]:
    def acquire(
        semaphore: threading.Semaphore, blocking: bool = True, timeout: float | None = None
    ) -> bool:
        if not (blocking and is_ours(world)):
            return real(semaphore, blocking, timeout)
        return world.wait_for(lambda: real(semaphore, False), timeout)

    return acquire


class _Maker:
    """What a script makes its own kind of lock or condition by, and all others the real one."""

    def __init__(self, world: SteppedWorld, ours: type, real: Any) -> None:
        self._world, self._ours, self._real = world, ours, real

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if is_ours(self._world) and not caller_module(2).startswith(OURS):
            return self._ours(self._world, *arguments, **named)
        return self._real(*arguments, **named)

    def __or__(self, other: Any) -> Any:
        return self._real | other

    def __ror__(self, other: Any) -> Any:
        return other | self._real

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type]:
        return (self._real,)

    def __instancecheck__(self, value: object) -> bool:
        kinds = (self._ours, self._real) if isinstance(self._real, type) else self._ours
        return isinstance(value, kinds)


def _select(world: SteppedWorld, real: Callable[..., Any]) -> Callable[..., Any]:
    def wait(reads: Any, writes: Any, errors: Any, timeout: float | None = None) -> Any:
        if timeout is None or reads or writes or errors or not is_ours(world):
            return real(reads, writes, errors, timeout)
        world.sleep(timeout)
        return [], [], []

    return wait
