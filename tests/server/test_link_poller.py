"""Waiting in which links are served."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from pyrfly.server.link import Link
from pyrfly.server.link_poller import LinkPoller


class Listener(Link):
    """Counts what arrives at a socket."""

    def __init__(self) -> None:
        self.here, self.there = socket.socketpair()
        self.served: list[bytes] = []

    def fileno(self) -> int | None:
        return self.here.fileno()

    def serve(self) -> None:
        self.served.append(self.here.recv(100))

    def close(self) -> None:
        self.here.close()
        self.there.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


def test_a_wait_lasts_its_time_with_and_without_links(listener: Listener) -> None:
    for links in ([], [Link()], [listener]):
        poller = LinkPoller(links, nullcontext())
        began = time.perf_counter()
        poller.wait(0.0213)
        assert 0.0213 <= time.perf_counter() - began < 0.5
        poller.close()


def test_links_are_served_while_it_waits_and_the_wait_goes_on(listener: Listener) -> None:
    lock = threading.Lock()
    poller = LinkPoller([Link(), listener], lock)
    listener.there.send(b"first")
    timer = threading.Timer(0.05, listener.there.send, [b"second"])
    timer.start()
    began = time.perf_counter()
    poller.wait(0.3)
    timer.join()
    assert time.perf_counter() - began >= 0.3
    assert listener.served == [b"first", b"second"]
    assert not lock.locked()
    poller.close()


def test_it_serves_at_once_what_is_there(listener: Listener) -> None:
    poller = LinkPoller([listener], nullcontext())
    poller.serve(0)
    assert listener.served == []
    listener.there.send(b"now")
    began = time.perf_counter()
    poller.serve(20)
    assert time.perf_counter() - began < 10
    assert listener.served == [b"now"]
    poller.close()
    poller.close()
