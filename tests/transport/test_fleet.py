"""The sockets of a fleet."""

import os
import socket
import struct
import sys
import time

import numpy as np
import pytest

from pyrfly.server import PortError
from pyrfly.transport import Packet, UdpLink
from pyrfly.transport.fleet import ASKED, PORTION


def never(*_: object) -> bool:
    return False


def expired_after(asked: int):
    """Return a function that is true when it was asked more often."""
    answers = [False] * asked
    return lambda: not answers or answers.pop()


def received(link: UdpLink, expired=never, is_held=never) -> list[Packet]:
    return [packet for packets in link.receive(expired, is_held) for packet in packets]


MESSAGE = np.dtype([("number", "<i4"), ("text", "S4")])


@pytest.fixture
def link(first_port):
    link = UdpLink(3, first_port=first_port(3))
    yield link
    link.close()


@pytest.fixture
def sender():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        yield opened


def bound(port: int) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    opened.bind(("127.0.0.1", port))
    opened.settimeout(2.0)
    return opened


def test_ports_are_rflysims():
    link = UdpLink.__new__(UdpLink)
    link.first_port, link.first_id = 20100, 1
    assert [link.port("command", row) for row in range(3)] == [20100, 20102, 20104]
    assert [link.port("sil", row) for row in range(3)] == [30100, 30102, 30104]


def test_packets_come_with_vehicle_and_kind_of_port(link, sender):
    sender.sendto(b"one", ("127.0.0.1", link.first_port))
    sender.sendto(b"three", ("127.0.0.1", link.first_port + 4))
    sender.sendto(b"two", ("127.0.0.1", link.first_port + 10002))
    assert sorted(received(link)) == [
        (0, "command", b"one"),
        (1, "sil", b"two"),
        (2, "command", b"three"),
    ]
    assert received(link) == []


def test_packets_of_one_port_keep_their_order(link, sender):
    for number in range(15):
        sender.sendto(struct.pack("<i", number), ("127.0.0.1", link.first_port))
    numbers = [struct.unpack("<i", packet.data)[0] for packet in received(link)]
    assert numbers == list(range(15))


def test_an_empty_packet_is_a_packet(link, sender):
    sender.sendto(b"", ("127.0.0.1", link.first_port))
    assert received(link) == [(0, "command", b"")]


def test_a_flood_is_read_as_long_as_there_is_time(link, sender):
    for _ in range(150):
        sender.sendto(b"flood", ("127.0.0.1", link.first_port))
    sender.sendto(b"calm", ("127.0.0.1", link.first_port + 2))
    first = received(link, expired_after(1)) + received(link, lambda: True)
    assert len(first) == 3
    assert (1, "command", b"calm") in first
    assert len(first) + len(received(link)) == 151


@pytest.mark.parametrize("each_time", [1, 2, 7])
def test_ports_are_read_in_turns_also_over_several_calls(link, sender, each_time):
    """Whatever the time that a call has, no port is more than a packet ahead of another."""
    for row in range(3):
        for _ in range(30):
            sender.sendto(b"flood", ("127.0.0.1", link.first_port + 2 * row))
    counts = np.zeros(3, int)
    for call in range(1, 10):
        for packet in received(link, expired_after(each_time - 1)):
            counts[packet.row] += 1
        assert np.ptp(counts) <= 1
        assert counts.sum() == call * each_time


def test_many_packets_come_in_portions(link, sender):
    for number in range(PORTION + 9):
        sender.sendto(b"flood", ("127.0.0.1", link.first_port + 2 * (number % 3)))
    assert [len(packets) for packets in link.receive(never, never)] == [PORTION, 9]


def test_ports_of_a_held_row_are_not_read_and_keep_their_packets(link, sender):
    """A row may become held as its packets arrive."""
    for number in range(PORTION + 9):
        sender.sendto(b"flood", ("127.0.0.1", link.first_port + 2 * (number % 2)))
    sender.sendto(b"inputs", ("127.0.0.1", link.first_port + 10000))
    held = {1}
    portions = []
    for packets in link.receive(never, held.__contains__):
        portions.append(packets)
        held.add(0)
    assert {packet.row for packet in portions[0]} == {0}
    later = received(link)
    assert sum(map(len, portions)) + len(later) == PORTION + 10


@pytest.mark.skipif(sys.platform != "linux", reason="Linux counts them")
def test_packets_that_the_system_dropped_are_counted_once(link, sender):
    for _ in range(3000):
        sender.sendto(b"flood", ("127.0.0.1", link.first_port + 2))
    came = len(received(link))
    assert list(link.overflows()) == [(1, 3000 - came)]
    assert list(link.overflows()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="Linux counts them")
def test_lost_packets_of_many_ports_are_counted_in_turns(first_port, sender):
    n = ASKED + 2
    link = UdpLink(n, first_port=first_port(n))
    for row in range(n):
        for _ in range(1000):
            sender.sendto(b"flood", ("127.0.0.1", link.first_port + 2 * row))
    came = len(received(link))
    counts = [list(link.overflows()) for _ in range(3)]
    link.close()
    assert [len(found) for found in counts] == [ASKED, 2, 0]
    assert sum(count for found in counts for _, count in found) == 1000 * n - came


def test_every_vehicle_sends_to_the_port_above(link):
    messages = np.zeros(3, MESSAGE)
    messages["number"] = [1, 2, 3]
    for kind, series in (("state", 0), ("truth", 10000)):
        ears = [bound(link.first_port + series + 2 * row + 1) for row in range(3)]
        assert link.send(kind, messages).tolist() == [0, 0, 0]
        received = [ear.recvfrom(100) for ear in ears]
        assert [data for data, _ in received] == [row.tobytes() for row in messages]
        assert [address[1] for _, address in received] == [
            link.first_port + series + 2 * row for row in range(3)
        ]
        for ear in ears:
            ear.close()


def test_every_peer_is_sent_to(first_port):
    first = first_port(1)
    link = UdpLink(1, "127.0.0.1", ("127.0.0.1", "localhost"), first)
    with bound(first + 1) as ear:
        link.send("state", np.zeros(1, MESSAGE))
        assert [len(ear.recv(100)) for _ in range(2)] == [8, 8]
    link.close()


def test_a_sender_is_not_answered(link, sender):
    """Packets must be sent to the peers only: the address of a sender is easily forged."""
    sender.bind(("127.0.0.1", 0))
    sender.settimeout(0.05)
    sender.sendto(b"hello", ("127.0.0.1", link.first_port))
    received(link)
    link.send("state", np.zeros(3, MESSAGE))
    with pytest.raises(TimeoutError):
        sender.recv(100)


def test_nobody_listening_does_no_harm(link):
    for _ in range(3):
        assert link.send("state", np.zeros(3, MESSAGE)).sum() == 0
        time.sleep(0.001)
        assert received(link) == []


def test_what_cannot_be_sent_is_counted(link):
    huge = np.zeros(3, np.dtype([("x", "S70000")]))
    assert link.send("truth", huge).tolist() == [1, 1, 1]


def test_a_port_in_use_is_named_and_nothing_stays_open(first_port):
    first = first_port(3)
    with bound(first + 2), pytest.raises(PortError, match=f"port {first + 2} of 127.0.0.1 is in"):
        UdpLink(3, first_port=first)
    UdpLink(3, first_port=first).close()


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of this kind")
def test_too_few_files_are_an_error_that_says_so(first_port):
    import resource

    first = first_port(100)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    os.close(highest := os.dup(0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 50, limits[1]))
    try:
        with pytest.raises(PortError, match=r"Too many open files.*two per vehicle"):
            UdpLink(100, first_port=first)
        UdpLink(10, first_port=first).close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_closing_twice_does_no_harm(link):
    link.close()
    link.close()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"first_port": 0}, "first_port: expected 1 to 54633 for 3 vehicles, got 0"),
        ({"first_port": 55531}, "first_port: expected 1 to 54633"),
        ({"n": 5001}, "at most 5000 vehicles.*got 5001"),
        ({"peers": ()}, "peers: expected one or more"),
        ({"peers": "127.0.0.1"}, "peers: expected one or more"),
        ({"peers": ["192.0.2.1"]}, "peers: 192.0.2.1 cannot be reached from host 127.0.0.1"),
    ],
)
def test_what_cannot_be_is_an_error(options, words):
    with pytest.raises(ValueError, match=words):
        UdpLink(**{"n": 3, **options})


def test_an_address_of_nobody_is_an_error(first_port):
    """192.0.2.1 is for documentation [@rfc5737]: no machine has it."""
    with pytest.raises(PortError, match="cannot be opened"):
        UdpLink(1, "192.0.2.1", ["192.0.2.1"], first_port(1))
