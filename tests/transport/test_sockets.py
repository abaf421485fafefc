"""Sockets and addresses."""

from __future__ import annotations

import contextlib
import errno
import queue

import pytest

from pyrfly.transport import (
    Listener,
    OptionError,
    PortError,
    Ports,
    bound,
    is_loopback,
    local_address,
    resolved,
    sender,
)

LOOPBACK = "127.0.0.1"


@pytest.mark.parametrize(
    ("address", "inside"),
    [
        ("127.0.0.1", True),
        ("127.3.2.1", True),
        ("localhost", True),
        ("192.0.2.1", False),
        ("x", False),
    ],
)
def test_answers_from_inside_are_awaited_inside(address: str, inside: bool) -> None:
    assert is_loopback(address) is inside
    assert local_address(address) == (LOOPBACK if inside else "0.0.0.0")


def test_a_port_in_use_is_named() -> None:
    with contextlib.closing(bound(LOOPBACK, 0)) as first:
        port = first.getsockname()[1]
        with pytest.raises(PortError, match=rf"port {port} of {LOOPBACK} is in use") as caught:
            bound(LOOPBACK, port)
        assert caught.value.errno == errno.EADDRINUSE


@pytest.mark.parametrize(("host", "port"), [(LOOPBACK, 70000), ("192.0.2.1", 0)])
def test_a_port_that_cannot_be_is_named(host: str, port: int) -> None:
    with pytest.raises(PortError, match=rf"port {port} of {host} cannot be opened"):
        bound(host, port)


def test_a_shared_port_has_several_listeners() -> None:
    with contextlib.closing(bound(LOOPBACK, 0, shared=True)) as first:
        bound(LOOPBACK, first.getsockname()[1], shared=True).close()


def test_a_listener_hands_on_datagrams_and_counts_those_refused() -> None:
    taken: queue.Queue[bytes] = queue.Queue()

    def take(data: bytes, _: object) -> None:
        if not data:
            raise ValueError("empty")
        taken.put(data)

    listener = Listener(LOOPBACK, 0, take)
    with contextlib.closing(listener), contextlib.closing(sender()) as source:
        source.sendto(b"", (LOOPBACK, listener.port))
        source.sendto(b"news", (LOOPBACK, listener.port))
        assert taken.get(timeout=10) == b"news"
        assert listener.rejected == 1


def test_listeners_share_a_port_until_the_last_is_closed() -> None:
    with contextlib.closing(bound(LOOPBACK, 0)) as found:
        port = found.getsockname()[1]
    taken: list[queue.Queue[bytes]] = [queue.Queue(), queue.Queue()]
    listeners = [
        Listener(LOOPBACK, port, lambda data, _, into=into: into.put(data), together=True)
        for into in taken
    ]
    with contextlib.closing(sender()) as source:
        source.sendto(b"both", (LOOPBACK, port))
        assert [into.get(timeout=10) for into in taken] == [b"both"] * 2
        listeners[0].close()
        listeners[0].close()
        source.sendto(b"one", (LOOPBACK, port))
        assert taken[1].get(timeout=10) == b"one"
        assert taken[0].empty()
    with pytest.raises(PortError, match="in use"):
        Listener(LOOPBACK, port, lambda data, _: None)  # of its own
    listeners[1].close()
    bound(LOOPBACK, port).close()


@pytest.mark.parametrize(("copter_id", "port"), [(1, 20100), (3, 20104), (22718, 65534)])
def test_a_vehicle_has_two_ports_of_a_series(copter_id: int, port: int) -> None:
    assert Ports().of_control(copter_id) == port


@pytest.mark.parametrize("copter_id", [0, 22719])
def test_a_vehicle_beyond_the_last_port_is_refused(copter_id: int) -> None:
    with pytest.raises(ValueError, match="CopterID: expected 1 to 22718"):
        Ports().of_control(copter_id)


def test_a_name_is_resolved_or_named_in_the_error() -> None:
    assert resolved("address", "127.3.2.1") == "127.3.2.1"
    with pytest.raises(OptionError, match=r"address: .*got ''"):
        resolved("address", "")
    with pytest.raises(PortError, match="address: no address for 'aaa"):
        resolved("address", "a" * 300)
