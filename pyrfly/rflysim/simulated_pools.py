"""Thread pools and event loops, in the simulated time of a `SteppedWorld`."""

from __future__ import annotations

import queue
import selectors
import sys
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from pyrfly.rflysim.simulated_clocks import caller_module
from pyrfly.rflysim.stepped_world import TICK, SteppedWorld

__all__ = ["SimpleQueue", "end_pools", "loops"]

_SELECTORS = "SelectSelector", "PollSelector", "EpollSelector", "DevpollSelector", "KqueueSelector"


class SimpleQueue(queue.SimpleQueue[Any]):
    """`queue.SimpleQueue` whose waits take simulated time."""

    def __new__(cls, world: SteppedWorld) -> SimpleQueue:
        """Return an empty queue."""
        return super().__new__(cls)

    def __init__(self, world: SteppedWorld) -> None:
        super().__init__()
        self._world = world

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        """Take an item, waiting for at most a simulated time [s]."""
        if block and self._world.is_shared:
            empty = super().empty
            self._world.wait_for(lambda: not empty(), timeout)
            block = not self._world.is_shared  # closed meanwhile
        return super().get(block, timeout)


def loops(world: SteppedWorld) -> list[tuple[Any, str, Any]]:
    """Return where an event loop of `asyncio` waits, its name, and by what it is replaced."""
    kinds = [getattr(selectors, name) for name in _SELECTORS if hasattr(selectors, name)]
    return [(kind, "select", _select(world, kind.select)) for kind in kinds]


def _select(world: SteppedWorld, real: Callable[..., Any]) -> Callable[..., Any]:
    def select(selector: Any, timeout: float | None = None) -> Any:
        outside = timeout is None and world.is_alone
        if outside or not (world.is_shared and caller_module(2).startswith("asyncio.")):
            return real(selector, timeout)
        events: list[Any] = []

        def is_ready() -> bool:
            events[:] = real(selector, 0)
            return bool(events)

        longest = max(timeout, TICK) if timeout else timeout  # rounded up, as the real ones do
        world.wait_for(is_ready, longest)
        return events

    return select


def end_pools(world: SteppedWorld) -> None:
    """Let the threads of pools end when their work is done, as Python does at its end."""
    pools: Any = sys.modules.get("concurrent.futures.thread")
    if pools is None:
        return
    with patch.object(pools, "_shutdown", True):
        waiting = [one for one in pools._threads_queues.items() if one[0] in world.threads]
        for _, items in waiting:
            items.put(None)
        world.wait_for(lambda: not any(thread in world.threads for thread, _ in waiting), None)
