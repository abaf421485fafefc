"""Locks, conditions and barriers that a script makes, in the simulated time of a `SteppedWorld`.

Without a thread that takes part in simulated time they are those of the module `threading`, which
uses its own ones for threads, events and queues.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from pyrfly.rflysim.simulated_clocks import FUTURES, caller_module
from pyrfly.rflysim.stepped_world import TICK, SteppedWorld

__all__ = ["Barrier", "Condition", "Lock", "RLock"]

_new_lock = threading.Lock
_FOREVER = -1  # timeout of a lock


class Lock:
    """`threading.Lock` whose waits take simulated time."""

    def __init__(self, world: SteppedWorld) -> None:
        self._world = world
        self._real = _new_lock()

    def acquire(self, blocking: bool = True, timeout: float = _FOREVER) -> bool:
        """Lock, waiting for at most a simulated time [s]; return whether it is locked."""
        simulated = blocking and self._world.is_shared and (timeout >= 0 or timeout == _FOREVER)
        if simulated:
            longest = None if timeout == _FOREVER else timeout
            held = self._world.wait_for(lambda: self._real.acquire(False), longest)
            if held or self._world.is_shared:
                return held
        return self._real.acquire(blocking, timeout)

    def release(self) -> None:
        """Unlock."""
        self._real.release()

    def locked(self) -> bool:
        """Return whether it is locked."""
        if self._world.is_shared:
            self._world.look()
        return self._real.locked()

    def _at_fork_reinit(self) -> None:
        """Unlock in a forked child, as `logging` asks."""
        self.__init__(self._world)  # type: ignore[misc]

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()


class RLock(Lock):
    """`threading.RLock` whose waits take simulated time."""

    def __init__(self, world: SteppedWorld) -> None:
        super().__init__(world)
        self._owner: int | None = None
        self._depth = 0

    def acquire(self, blocking: bool = True, timeout: float = _FOREVER) -> bool:
        """Lock once more, or as `Lock.acquire`."""
        if not self._is_owned():
            if not super().acquire(blocking, timeout):
                return False
            self._owner = threading.get_ident()
        self._depth += 1
        return True

    def release(self) -> None:
        """Unlock once."""
        if not self._is_owned():
            raise RuntimeError("cannot release un-acquired lock")
        self._depth -= 1
        if self._depth == 0:
            self._owner = None
            super().release()

    # What `threading.Condition` asks of a lock that can be locked several times.

    def _is_owned(self) -> bool:
        return self._owner == threading.get_ident()

    def _release_save(self) -> int:
        depth, self._depth = self._depth, 1
        self.release()
        return depth

    def _acquire_restore(self, depth: int) -> None:
        self.acquire()
        self._depth = depth


class Condition(threading.Condition):
    """`threading.Condition` whose waits take simulated time."""

    # Of the base: the locks of those who wait, which `notify` unlocks, and what the lock offers.
    _waiters: list[Any]
    _is_owned: Callable[[], bool]
    _release_save: Callable[[], Any]
    _acquire_restore: Callable[[Any], None]

    def __init__(self, world: SteppedWorld, lock: Any = None) -> None:
        used: Any = RLock(world) if lock is None else lock
        super().__init__(used)
        self._world = world

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until notified, for at most a simulated time [s]; return whether it was."""
        of_processes = self._world.is_alone and caller_module(2) == FUTURES
        if of_processes or not self._world.is_shared:
            return super().wait(timeout)
        if not self._is_owned():
            raise RuntimeError("cannot wait on un-acquired lock")
        waiter, notified = _new_lock(), False
        waiter.acquire()
        self._waiters.append(waiter)
        saved = self._release_save()
        try:
            notified = self._world.wait_for(lambda: not waiter.locked(), timeout)
        finally:
            self._acquire_restore(saved)
            with contextlib.suppress(ValueError):
                self._waiters.remove(waiter)
        return notified

    def wait_for(self, predicate: Callable[[], Any], timeout: float | None = None) -> Any:
        """Wait until a condition holds, for at most a simulated time [s]; return its value."""
        if not self._world.is_shared:
            return super().wait_for(predicate, timeout)
        end = None if timeout is None else self._world.now + timeout
        while not (held := predicate()):
            left = None if end is None else end - self._world.now
            if left is not None and left < 0.5 * TICK:
                break
            self.wait(left)
        return held


class Barrier(threading.Barrier):
    """`threading.Barrier` whose waits take simulated time."""

    def __init__(self, world: SteppedWorld, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._cond = Condition(world, Lock(world))
