"""What links to a vehicle outside this process share: `RemoteLink`, `Repeater`, `address_of`."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pyrfly.ctrl.link.protocols import FIRST_SPEED_LIMIT
from pyrfly.ctrl.link.state import State
from pyrfly.frames import LocalFrame

__all__ = ["RemoteLink", "Repeater", "address_of"]


class Repeater:
    """Calls a function at regular times, first at once, until it is closed.

    Parameters
    ----------
    rate : float
        How often [1/s].
    action : callable
        The function. An OSError of it is what a network loses: the next call comes anyway.
    name : str
        Of the thread.
    """

    def __init__(self, rate: float, action: Callable[[], object], name: str) -> None:
        self._period = 1.0 / rate
        self._action = action
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; no call follows."""
        self._stop.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        due = time.monotonic()
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            due = max(due + self._period, time.monotonic())
            with contextlib.suppress(OSError):
                self._action()


def address_of(ip: str) -> str:
    """Return the numeric address of a machine; a ValueError names ``ip`` when there is none."""
    try:
        return socket.gethostbyname(ip)
    except OSError as error:
        reason = error.strerror or error
        raise ValueError(
            f"ip: expected an address or the name of a machine, got {ip!r}: {reason}"
        ) from None


class _Received(Protocol):
    """What has been received of a vehicle last."""

    crash_id: int
    origin: LocalFrame

    @property
    def estimate(self) -> State: ...

    @property
    def truth(self) -> State: ...

    @property
    def fixed(self) -> bool: ...


class RemoteLink:
    """One vehicle whose state is what was received last, and whose limits are those set here.

    Parameters
    ----------
    received : object
        Has the state.
    """

    k = 1

    def __init__(self, received: _Received) -> None:
        self._received = received
        self._speed_limit = FIRST_SPEED_LIMIT

    @property
    def speed_limit(self) -> NDArray[np.float64]:
        """See `SpeedLimit.speed_limit`: what was set here."""
        return np.array([self._speed_limit])

    @property
    def estimate(self) -> State:
        """See `Telemetry.estimate`; as received last."""
        return self._received.estimate

    @property
    def truth(self) -> State:
        """See `Telemetry.truth`; as received last."""
        return self._received.truth

    @property
    def origin(self) -> LocalFrame:
        """See `Telemetry.origin`: what this side takes it to be."""
        return self._received.origin

    def set_origin(self, lla: Sequence[float]) -> None:
        """See `Telemetry.set_origin`; nothing is sent."""
        self._received.origin = LocalFrame(*(float(value) for value in lla))

    @property
    def fixed(self) -> bool:
        """See `Telemetry.fixed`."""
        return self._received.fixed

    @property
    def crash_id(self) -> int:
        """See `Telemetry.crash_id`."""
        return self._received.crash_id

    @crash_id.setter
    def crash_id(self, copter_id: int) -> None:
        self._received.crash_id = copter_id
