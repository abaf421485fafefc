"""Sockets for the tests of the vendor-named modules."""

from __future__ import annotations

import itertools
import random
import socket
import time
from collections.abc import Callable, Iterator

import pytest

from pyrfly.transport import Ports

from ..plugins.conftest import build

__all__ = ["build"]


class Inbox:
    """A bound socket on the loopback interface."""

    def __init__(self, port: int = 0) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", port))
        self._socket.settimeout(20)
        self.port: int = self._socket.getsockname()[1]

    def get(self, size: int | None = None) -> bytes:
        """Return the next datagram, or the next of a size."""
        while True:
            data = self._socket.recv(65535)
            if size is None or len(data) == size:
                return data

    def send(self, data: bytes, port: int) -> None:
        self._socket.sendto(data, ("127.0.0.1", port))

    def close(self) -> None:
        self._socket.close()


# Below the ports that systems give to sockets that name none, so that no inbox takes one meanwhile;
# from a random one on, so that processes which run tests at the same time do not meet.
LOWEST, HIGHEST = 10_000, 32_000
_next_port = itertools.count(random.SystemRandom().randrange(LOWEST, HIGHEST, 2), 2)


def free_pair() -> int:
    """Return a port that is free now, as is the next one."""
    while True:
        port = LOWEST + (next(_next_port) - LOWEST) % (HIGHEST - LOWEST)
        with (
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as first,
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as second,
        ):
            try:
                first.bind(("127.0.0.1", port))
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


@pytest.fixture
def inbox() -> Iterator[Callable[[int], Inbox]]:
    """Give a function that opens an inbox, on any port by default; all are closed at the end."""
    opened: list[Inbox] = []

    def open_one(port: int = 0) -> Inbox:
        opened.append(Inbox(port))
        return opened[-1]

    yield open_one
    for box in opened:
        box.close()


@pytest.fixture
def ports() -> Ports:
    """Give series of free ports, for one vehicle each."""
    return Ports(*(free_pair() for _ in Ports._fields))


@pytest.fixture
def eventually() -> Callable[[Callable[[], object]], None]:
    """Give a function that waits until a condition holds, at most 20 s."""

    def wait(condition: Callable[[], object]) -> None:
        end = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < end, "did not happen within 20 s"
            time.sleep(0.01)

    return wait
