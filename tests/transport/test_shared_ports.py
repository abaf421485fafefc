"""Ports that several programs listen on."""

from __future__ import annotations

import socket

import pytest

from pyrfly.transport import GROUP, PortError, Senders, SharedPorts, group_sender

HERE = "127.0.0.1"


@pytest.fixture
def ports():
    opened = SharedPorts(HERE, Senders())
    yield opened
    opened.close()
    opened.close()


def drained(ports: SharedPorts) -> list[tuple[str, bytes]]:
    return [(kind, data) for kind, data, _ in ports.receive(lambda: False)]


def test_packets_come_with_their_kind_and_sender(ports, first_port):
    port = first_port()
    ports.listen("config", port)
    ports.listen("other", port + 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.bind((HERE, 0))
        out.sendto(b"one", (HERE, port))
        out.sendto(b"two", (HERE, port + 1))
        found = sorted(ports.receive(lambda: False))
        assert found == [
            ("config", b"one", out.getsockname()),
            ("other", b"two", out.getsockname()),
        ]


def test_kinds_are_received_in_turns_and_the_rest_later(ports, first_port):
    port = first_port()
    ports.listen("a", port)
    ports.listen("b", port + 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        for number in range(3):
            for offset in range(2):
                out.sendto(bytes([number]), (HERE, port + offset))
    taken = iter([False, False, True])
    first = [(kind, data) for kind, data, _ in ports.receive(lambda: next(taken))]
    assert sorted(data for _, data in first) == [b"\0", b"\0", b"\1"]
    assert len(drained(ports)) == 3


def test_a_group_is_received_once(ports, first_port):
    port = first_port()
    ports.listen("config", port)
    with group_sender(HERE) as out:
        try:
            out.sendto(b"all", (GROUP, port))
        except OSError:
            pytest.skip("no multicast on the loopback interface")
    assert drained(ports) == [("config", b"all")]


def test_a_port_for_the_group_alone_leaves_the_address_to_others(ports, first_port):
    port = first_port()
    ports.listen("start", port, unicast=False)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.sendto(b"one", (HERE, port))
    assert drained(ports) == []


def test_a_taken_port_is_named(ports, first_port):
    port = first_port()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind((HERE, port))
        with pytest.raises(PortError, match=f"port {port} of {HERE} is in use"):
            ports.listen("config", port)


@pytest.mark.parametrize("port", [0, -98, 65536])
def test_what_is_no_port_is_left_out(ports, port):
    ports.listen("config", port)
    assert drained(ports) == []


def test_long_packets_are_cut_to_a_length_that_no_message_has(ports, first_port):
    port = first_port()
    ports.listen("config", port)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.sendto(bytes(5000), (HERE, port))
    assert [len(data) for _, data in drained(ports)] == [2048]
