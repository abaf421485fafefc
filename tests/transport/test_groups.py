"""Multicast groups on one interface."""

from __future__ import annotations

import socket

import pytest

from pyrfly.transport import GROUP, group_listener, group_sender
from pyrfly.transport.ports import PortError

HERE = "127.0.0.1"


@pytest.fixture
def port(first_port) -> int:
    return first_port()


@pytest.fixture
def listeners(port):
    """Return two sockets that listen to the group on the loopback interface, with its port."""
    opened = [group_listener(port, HERE) for _ in range(2)]
    if None in opened:
        pytest.skip("no multicast on the loopback interface")
    for one in opened:
        one.setblocking(True)
        one.settimeout(20)
    yield opened
    for one in opened:
        one.close()


def test_every_listener_gets_what_is_sent_to_the_group(port, listeners):
    with group_sender(HERE) as out:
        out.sendto(b"all", (GROUP, port))
    assert [one.recv(10) for one in listeners] == [b"all", b"all"]


def test_what_is_sent_to_the_address_is_left_to_others(port, listeners):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other, group_sender(HERE) as out:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind((HERE, port))
        other.settimeout(20)
        out.sendto(b"one", (HERE, port))
        assert other.recv(10) == b"one"
        out.sendto(b"all", (GROUP, port))
        assert listeners[0].recv(10) == b"all"


def test_packets_that_leave_by_another_interface_are_not_received(port, listeners):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.sendto(b"far", (GROUP, port))
        except OSError:
            pytest.skip("no other interface has a route for multicast")
    with group_sender(HERE) as near:
        near.sendto(b"near", (GROUP, port))
    assert listeners[0].recv(10) == b"near"


def test_without_multicast_there_is_no_listener(port, monkeypatch):
    class Deaf(socket.socket):
        def setsockopt(self, level, option, value):
            if option == socket.IP_ADD_MEMBERSHIP and level == socket.IPPROTO_IP:
                raise OSError(19, "No such device")
            super().setsockopt(level, option, value)

    monkeypatch.setattr(socket, "socket", Deaf)
    assert group_listener(port, HERE) is None


def test_a_port_that_another_program_has_for_itself_has_no_listener(port, monkeypatch):
    def taken(*_args, **_options):
        raise PortError("taken")

    monkeypatch.setattr("pyrfly.transport.groups.bound", taken)
    assert group_listener(port, HERE) is None


@pytest.mark.parametrize("host", ["", "0.0.0.0", "no address"])
def test_other_hosts_leave_the_interface_to_the_system(host):
    group_sender(host).close()
