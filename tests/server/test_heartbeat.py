"""Heartbeats: byte by byte, spread over their period."""

import socket
import struct
import time

import numpy as np
import pytest

from pyrfly.server.heartbeat import Heartbeats
from pyrfly.transport import GROUP, OptionError, group_listener


class Clock:
    """A clock that is set."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def heartbeats(first_port):
    """Return a function from a number of vehicles and options to their heartbeats, closed later."""
    made = []

    def make(n, **options):
        made.append(Heartbeats(n, first_port=first_port(n), **options))
        return made[-1]

    yield make
    for one in made:
        one.close()
        one.close()


def test_bytes_are_rflysims(heartbeats):
    beats = heartbeats(2)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as box:
        box.bind(("127.0.0.1", beats.port))
        box.settimeout(20)
        before = 1000 * time.time()
        for _ in range(2):
            assert beats.send(np.arange(2)).tolist() == [1, 1]
        packets = [box.recv(100) for _ in range(4)]
    assert [len(packet) for packet in packets] == [32] * 4
    numbers = [struct.unpack("<2i3q", packet) for packet in packets]
    assert [(checksum, copter_id) for checksum, copter_id, *_ in numbers] == [
        (123456789, 1), (123456789, 2), (123456789, 1), (123456789, 2),
    ]  # fmt: skip
    start, later = numbers[0][2:], numbers[2][2:]
    assert start[0] == pytest.approx(before, abs=20_000)
    assert later[0] == start[0]
    assert later[1] >= start[1] >= start[0]
    assert (start[2], later[2]) == (1, 2)


def test_the_port_is_20005_and_moves_with_the_first_port():
    for first, port in ((20100, 20005), (21100, 21005)):
        beats = Heartbeats(1, first_port=first)
        assert beats.port == port
        beats.close()


def test_they_go_to_the_group_of_the_interface(heartbeats):
    beats = heartbeats(1)
    listener = group_listener(beats.port, "127.0.0.1")
    if listener is None:
        pytest.skip(f"no multicast group {GROUP} on the loopback interface")
    with listener:
        listener.setblocking(True)
        listener.settimeout(20)
        beats.send(np.array([0]))
        assert struct.unpack_from("<2i", listener.recv(100)) == (123456789, 1)


def test_each_vehicle_has_one_in_a_period_at_a_time_of_its_own(heartbeats, clock):
    beats = heartbeats(10, period=1.25, clock=clock)
    assert beats.due().tolist() == list(range(10))
    found = []
    for _ in range(40):
        clock.now += 0.0625
        found.append(beats.due().tolist())
    assert max(map(len, found)) == 1
    assert np.concatenate(found).astype(int).tolist() == [*range(10), *range(10)]


def test_after_a_pause_none_is_sent_twice(heartbeats, clock):
    beats = heartbeats(3, clock=clock)
    beats.due()
    clock.now += 1000
    assert sorted(beats.due().tolist()) == [0, 1, 2]
    assert beats.due().tolist() == []


def test_addresses_are_those_of_the_server():
    with pytest.raises(OptionError, match="peers"):
        Heartbeats(1, ["192.0.2.1"])


def test_without_a_port_there_are_none():
    beats = Heartbeats(1, first_port=50)
    assert beats.port < 1
    assert beats.send(np.array([0])).tolist() == [0]
    beats.close()
