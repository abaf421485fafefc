"""The sockets of a fleet."""

import contextlib
import itertools
import select
import socket
import struct
import sys
import time
from collections.abc import Iterator

import numpy as np
import pytest

from pyrfly.transport import (
    RFLYSIM_PORTS,
    FleetSockets,
    Further,
    OptionError,
    Packet,
    PortError,
    Series,
    datagrams,
    destinations,
    fleet,
    rflysim_series,
)
from pyrfly.transport.datagrams import address_number
from pyrfly.transport.fleet import ASKED, PORTION


def never(*_: object) -> bool:
    return False


def always(*_: object) -> bool:
    return True


def received(link: FleetSockets, expired=never, is_held=never) -> list[Packet]:
    return [packet for packets in link.receive(expired, is_held) for packet in packets]


MESSAGE = np.dtype([("number", "<i4"), ("text", "S4")])


def command_port(link: FleetSockets, row: int = 0) -> tuple[str, int]:
    return "127.0.0.1", link.port("command", row)


@pytest.fixture(params=["batched", "plain"])
def way(request, monkeypatch) -> str:
    """Send and receive in C, or as where the core does not have it."""
    if request.param == "plain":
        monkeypatch.setattr(datagrams, "_send", None)
        monkeypatch.setattr(datagrams, "_receive", None)
    elif datagrams._send is None:
        pytest.skip("the core has no sockets here")
    return request.param


@pytest.fixture
def opened(first_port) -> Iterator:
    """Return a function that opens the ports of RflySim for some vehicles."""
    with contextlib.ExitStack() as stack:

        def open_ports(n: int = 3, **options) -> FleetSockets:
            made = FleetSockets(n, rflysim_series(n, first_port(n)), **options)
            return stack.enter_context(made)

        yield open_ports


@pytest.fixture
def link(way, opened) -> FleetSockets:
    return opened()


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
    command, sil = rflysim_series(3)
    assert command[:5] == ("command", 20100, 2, 20101, 2)
    assert sil[:5] == ("sil", 30100, 2, 30101, 2)
    assert [series.port for series in rflysim_series(3, 21100, 7)] == [21112, 31112]


def test_every_vehicle_has_a_port_of_each_series(link):
    first = link.port("command", 0)
    assert [link.port("command", row) - first for row in range(3)] == [0, 2, 4]
    assert [link.port("sil", row) - first for row in range(3)] == [10000, 10002, 10004]


def test_packets_come_with_vehicle_and_kind_of_port(link, sender):
    sender.sendto(b"one", command_port(link))
    sender.sendto(b"three", command_port(link, 2))
    sender.sendto(b"two", ("127.0.0.1", link.port("sil", 1)))
    packets = received(link)
    origin = address_number(("127.0.0.1", sender.getsockname()[1]))
    assert {packet.origin for packet in packets} == {origin}
    assert sorted(packet[:3] for packet in packets) == [
        (0, "command", b"one"),
        (1, "sil", b"two"),
        (2, "command", b"three"),
    ]
    assert received(link) == []


@pytest.mark.skipif(sys.platform == "win32", reason="has no such file")
def test_a_packet_can_be_waited_for(link, sender):
    file = link.fileno()
    assert select.select([file], [], [], 0)[0] == []
    sender.sendto(b"news", command_port(link, 2))
    assert select.select([file], [], [], 2)[0] == [file]
    received(link)
    assert select.select([file], [], [], 0)[0] == []


def test_packets_of_one_port_keep_their_order(link, sender):
    for number in range(15):
        sender.sendto(struct.pack("<i", number), command_port(link))
    numbers = [struct.unpack("<i", packet.data)[0] for packet in received(link)]
    assert numbers == list(range(15))


def test_an_empty_packet_is_a_packet(link, sender):
    sender.sendto(b"", command_port(link))
    assert [packet[:3] for packet in received(link)] == [(0, "command", b"")]


def test_a_flood_is_read_as_long_as_there_is_time(link, sender):
    flood = PORTION // 2 + 50
    for _ in range(flood):
        sender.sendto(b"flood", command_port(link))
    sender.sendto(b"calm", command_port(link, 1))
    portions = list(link.receive(always, never))
    assert len(portions) == 1
    assert len(portions[0]) == PORTION // 2 + 1
    assert (1, "command", b"calm") in [packet[:3] for packet in portions[0]]
    assert len(portions[0]) + len(received(link)) == flood + 1


@pytest.mark.parametrize("portion", [1, 2, 7])
def test_ports_are_read_in_turns_also_over_several_calls(link, sender, portion, monkeypatch):
    """Whatever the time that a call has, no port is more than a packet ahead of another."""
    monkeypatch.setattr(fleet, "PORTION", portion)
    for row in range(3):
        for _ in range(30):
            sender.sendto(b"flood", command_port(link, row))
    counts = np.zeros(3, int)
    for call in range(1, 10):
        for packet in received(link, always):
            counts[packet.row] += 1
        assert np.ptp(counts) <= 1
        assert counts.sum() == call * min(portion, 6)


def test_the_port_that_waited_longest_is_read_first(opened, sender, monkeypatch):
    """Also where more ports have packets than a portion has: a flood of many starves none."""
    monkeypatch.setattr(fleet, "PORTION", 4)
    link = opened(10)
    for _ in range(3):
        for row in range(9):
            sender.sendto(b"flood", command_port(link, row))
    assert {packet.row for packet in received(link, always)} < set(range(9))
    sender.sendto(b"calm", command_port(link, 9))
    rows = [packet.row for _ in range(2) for packet in received(link, always)]
    assert len(rows) == 8
    assert 9 in rows


def test_many_packets_come_in_portions_of_which_ports_have_equal_shares(link, sender):
    for number in range(PORTION + 9):
        sender.sendto(b"flood", command_port(link, number % 3))
    portions = list(link.receive(never, never))
    assert max(map(len, portions)) <= PORTION
    assert sum(map(len, portions)) == PORTION + 9
    rows = [packet.row for packet in portions[0]]
    assert [rows.count(row) for row in range(3)] == [PORTION // 3] * 3


def test_ports_of_a_held_row_are_not_read_and_keep_their_packets(link, sender):
    """A row may become held as its packets arrive."""
    for number in range(PORTION + 9):
        sender.sendto(b"flood", command_port(link, number % 2))
    sender.sendto(b"inputs", ("127.0.0.1", link.port("sil", 0)))
    held = {1}
    portions = []
    for packets in link.receive(never, held.__contains__):
        portions.append(packets)
        held.add(0)
    assert {packet.row for packet in portions[0]} == {0}
    assert len(portions) == 1
    later = received(link)
    assert sum(map(len, portions)) + len(later) == PORTION + 10


@pytest.mark.skipif(sys.platform != "linux", reason="Linux counts them")
def test_packets_that_the_system_dropped_are_counted_once(link, sender):
    for _ in range(3000):
        sender.sendto(b"flood", command_port(link, 1))
    came = len(received(link))
    assert list(link.overflows()) == [(1, 3000 - came)]
    assert list(link.overflows()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="Linux counts them")
def test_lost_packets_of_many_ports_are_counted_in_turns(opened, sender):
    n = ASKED + 2
    link = opened(n)
    for row in range(n):
        for _ in range(1000):
            sender.sendto(b"flood", command_port(link, row))
    came = len(received(link))
    counts = [list(link.overflows()) for _ in range(3)]
    assert [len(found) for found in counts] == [ASKED, 2, 0]
    assert sum(count for found in counts for _, count in found) == 1000 * n - came


def texts(*sockets: socket.socket) -> list[bytes]:
    """Return what the next packet of each has."""
    return [ear.recv(100) for ear in sockets]


def test_every_vehicle_sends_to_the_port_above(link):
    messages = np.zeros(3, MESSAGE)
    messages["number"] = [1, 2, 3]
    for series in ("command", "sil"):
        ears = [bound(link.port(series, row) + 1) for row in range(3)]
        sent = link.send(series, messages)
        assert sent.packets.tolist() == [1, 1, 1]
        assert sent.failures.tolist() == [0, 0, 0]
        packets = [ear.recvfrom(100) for ear in ears]
        assert [data for data, _ in packets] == [row.tobytes() for row in messages]
        assert [address[1] for _, address in packets] == [
            link.port(series, row) for row in range(3)
        ]
        for ear in ears:
            ear.close()


def test_some_vehicles_send_to_ports_that_are_named(link):
    """As measurements: from port 30100 + 2 (n - 1) to 31000 + n - 1."""
    messages = np.zeros(2, MESSAGE)
    messages["number"] = [3, 1]
    with bound(0) as one, bound(0) as other:
        ports = [ear.getsockname()[1] for ear in (one, other)]
        assert link.send("sil", messages, [2, 0], ports).packets.tolist() == [1, 1]
        for ear, message, row in ((one, messages[0], 2), (other, messages[1], 0)):
            data, address = ear.recvfrom(100)
            assert data == message.tobytes()
            assert address[1] == link.port("sil", row)


def test_datagrams_of_any_length_keep_the_order_of_their_vehicle(link):
    """As MAVLink's frames: the rows in any order, several of one vehicle, some of none."""
    ears = [bound(link.port("command", row) + 1) for row in range(3)]
    data = b"".join(bytes([number]) * number for number in range(9))
    starts = np.cumsum(range(9)) - range(9)
    rows = [2, 0, 2, 2, 0, 0, 2, 0, 2]
    sent = link.send_datagrams("command", data, starts, range(9), rows)
    assert sent.packets.tolist() == [1] * 9
    for row, ear in enumerate(ears):
        expected = [bytes([number]) * number for number in range(9) if rows[number] == row]
        assert [ear.recv(100) for _ in expected] == expected
        ear.setblocking(False)
        with pytest.raises(BlockingIOError):
            ear.recv(100)
        ear.close()


def test_a_series_may_be_sent_by_one_socket(way, first_port):
    first = first_port(3)
    series = Series("state", first, 2, first + 1, 2, shared=True)
    ears = [bound(first + 1 + 2 * row) for row in range(3)]
    with FleetSockets(3, [series]) as link:
        link.send("state", np.arange(3, dtype="<i4"))
        packets = [ear.recvfrom(100) for ear in ears]
    assert [data for data, _ in packets] == [struct.pack("<i", row) for row in range(3)]
    assert {address[1] for _, address in packets} == {first}
    for ear in ears:
        ear.close()


def test_every_peer_is_sent_to(way, opened):
    link = opened(1, peers=("127.0.0.1", "localhost"))
    with bound(link.port("command", 0) + 1) as ear:
        assert link.send("command", np.zeros(1, MESSAGE)).packets.tolist() == [2]
        assert [len(ear.recv(100)) for _ in range(2)] == [8, 8]


def test_a_sender_is_not_answered(link, sender):
    """Packets must be sent to the peers only: the address of a sender is easily forged."""
    sender.bind(("127.0.0.1", 0))
    sender.settimeout(0.05)
    sender.sendto(b"hello", command_port(link))
    received(link)
    assert link.send("command", np.zeros(3, MESSAGE)).packets.tolist() == [1, 1, 1]
    with pytest.raises(TimeoutError):
        sender.recv(100)


@pytest.fixture
def learning(way, first_port) -> Iterator[FleetSockets]:
    """Two vehicles with a series that learns, and sends nothing else, and one that does not."""
    first = first_port(4)
    series = [Series("gcs", first, 1, None, learn=True), Series("state", first + 4, 1, first + 6)]
    with FleetSockets(2, series) as link:
        yield link


def test_a_series_that_learns_answers_the_last_sender(learning):
    with bound(0) as one, bound(0) as other, bound(0) as third:
        messages = np.arange(2, dtype="<i4")
        assert learning.send("gcs", messages).packets.tolist() == [0, 0]
        for ear, row in ((one, 0), (other, 1)):
            ear.sendto(b"hello", ("127.0.0.1", learning.port("gcs", row)))
        received(learning)
        assert learning.send("gcs", messages).packets.tolist() == [1, 1]
        assert texts(one, other) == [struct.pack("<i", row) for row in range(2)]
        third.sendto(b"hello", ("127.0.0.1", learning.port("gcs", 0)))
        received(learning)
        learning.send("gcs", messages)
        assert texts(third, other) == [struct.pack("<i", row) for row in range(2)]
        one.setblocking(False)
        with pytest.raises(BlockingIOError):
            one.recv(100)


def test_vehicles_share_the_last_port_of_the_peers(way, first_port):
    first = first_port(8)
    series = Series("sdk", first, 1, first + 5, 1, to_last=first + 6)
    with bound(first + 5) as one, bound(first + 6) as other, FleetSockets(4, [series]) as link:
        assert [len(use.ports) for use in link.uses()] == [4, 2]
        link.send("sdk", np.arange(4, dtype="<i4"))
        assert one.recv(100) == struct.pack("<i", 0)
        packets = [other.recvfrom(100) for _ in range(3)]
        assert [struct.unpack("<i", data)[0] for data, _ in packets] == [1, 2, 3]
        assert [origin[1] for _, origin in packets] == [first + 1, first + 2, first + 3]


def test_further_vehicles_have_a_port_per_group(first_port):
    first = first_port(9)
    series = Series("sdk", first, 1, first + 5, 1, first + 6, Further(3, first + 7, 1))
    with FleetSockets(5, [series]) as link, bound(first + 7) as further:
        assert [list(use.ports) for use in link.uses()[1:]] == [[first + 5, first + 6], [first + 7]]
        link.send("sdk", np.arange(5, dtype="<i4"))
        assert [further.recv(100) for _ in range(2)] == [struct.pack("<i", k) for k in (3, 4)]


def test_a_peer_is_not_learnt_twice_nor_a_port_of_ones_own(way, first_port):
    first = first_port(2)
    series = [Series("gcs", first, 1, first + 2, learn=True)]
    with bound(first + 2) as peer, FleetSockets(2, series) as link:
        peer.sendto(b"hello", ("127.0.0.1", first))
        link.send("gcs", np.zeros(2, "<i4"), ports=[first, first])  # to a port of its own
        received(link)
        assert link.send("gcs", np.zeros(2, "<i4")).packets.tolist() == [1, 1]


@pytest.mark.parametrize(("ip", "is_learnt"), [("127.0.0.1", True), ("127.0.0.2", False)])
@pytest.mark.skipif(sys.platform != "linux", reason="needs further addresses of loopback")
def test_on_other_interfaces_only_a_peer_is_learnt(way, first_port, ip, is_learnt):
    """A forged sender address must not make a server send to a third party."""
    first = first_port(1)
    series = [Series("gcs", first, 1, None, learn=True)]
    with (
        FleetSockets(1, series, host="0.0.0.0", peers=["127.0.0.1"]) as link,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
    ):
        sender.bind((ip, 0))
        sender.sendto(b"hello", ("127.0.0.1", first))
        received(link)
        assert link.send("gcs", np.zeros(1, "<i4")).packets.tolist() == [is_learnt]


@pytest.fixture
def clock(monkeypatch) -> Iterator:
    """Return a list with the time that destinations see [s]."""
    now = [100.0]
    monkeypatch.setattr(destinations, "monotonic", lambda: now[0])
    return now


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells where nobody listens")
@pytest.mark.parametrize("shared", [False, True])
def test_packets_to_where_nobody_listens_may_be_left_out(first_port, clock, shared):
    first = first_port(3)
    series = Series("state", first, 2, first + 1, 2, shared=shared, skip_refused=True)
    messages = np.zeros(3, MESSAGE)
    with FleetSockets(3, [series]) as link, bound(first + 3) as ear:
        assert link.send("state", messages).packets.tolist() == [1, 1, 1]
        for _ in range(5):
            sent = link.send("state", messages)
            assert sent.packets.tolist() == [0, 1, 0]
            assert sent.failures.tolist() == [0, 0, 0]
        assert len([ear.recv(100) for _ in range(6)]) == 6
        with bound(first + 1):
            clock[0] += 2 * destinations.PROBE
            assert link.send("state", messages).packets.tolist() == [1, 1, 1]
            assert link.send("state", messages).packets.tolist() == [1, 1, 0]
        clock[0] += 2 * destinations.PROBE
        link.send("state", messages)
        assert link.send("state", messages).packets.tolist() == [0, 1, 0]
        assert received(link) == []


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells where nobody listens")
def test_a_vehicle_that_is_sent_for_now_and_then_finds_out_as_well(first_port, clock):
    """Other vehicles' messages do not use up the times at which a listener would be found."""
    first = first_port(2)
    series = Series("state", first, 2, first + 1, 2, skip_refused=True)
    with FleetSockets(2, [series]) as link:
        link.send("state", np.zeros(2, MESSAGE))
        with bound(first + 3) as ear:
            for _ in range(3):
                clock[0] += 2 * destinations.PROBE
                link.send("state", np.zeros(1, MESSAGE), [0])
            assert link.send("state", np.zeros(1, MESSAGE), [1]).packets.tolist() == [1]
            assert len(ear.recv(100)) == MESSAGE.itemsize


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells where nobody listens")
def test_probes_of_many_vehicles_come_one_after_another(first_port, clock):
    """All within a period, and no tick of 10 ms has more than its share of them."""
    n, first = 100, first_port(100)
    series = Series("state", first, 2, first + 1, 2, skip_refused=True)
    with FleetSockets(n, [series]) as link:
        counts = []
        for _ in range(60):
            counts.append(int(link.send("state", np.zeros(n, MESSAGE)).packets.sum()))
            clock[0] += 0.01
    ticks = round(destinations.PROBE / 0.01)
    assert counts[0] == n
    assert sum(counts[1 : ticks + 2]) >= n
    assert max(counts[1:]) <= 2 * n / ticks


def test_nobody_listening_does_no_harm(link):
    for _ in range(3):
        assert link.send("command", np.zeros(3, MESSAGE)).failures.sum() == 0
        time.sleep(0.001)
        assert received(link) == []


def test_what_cannot_be_sent_is_counted(link):
    huge = np.zeros(3, np.dtype([("x", "S70000")]))
    assert link.send("sil", huge).failures.tolist() == [1, 1, 1]
    assert link.send("sil", huge).packets.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rows": [3]},
        {"rows": [-1]},
        {"starts": [-1]},
        {"starts": [1]},
        {"lengths": [5]},
        {"lengths": [2**62]},
    ],
)
def test_datagrams_that_are_not_there_are_an_error(opened, wrong):
    values = {"starts": [0], "lengths": [4], "rows": [0], **wrong}
    with pytest.raises((ValueError, IndexError)):
        opened().send_datagrams("command", b"four", **values)


def test_a_message_for_every_vehicle_is_needed(link):
    with pytest.raises(ValueError, match="messages: expected 3, got 2"):
        link.send("command", np.zeros(2, MESSAGE))


def test_a_port_in_use_is_named_and_nothing_stays_open(first_port):
    first = first_port(3)
    series = rflysim_series(3, first)
    words = rf"port {first + 2} of 127.0.0.1 is in use.*; first_port \(--first-port\) changes it"
    with bound(first + 2), pytest.raises(PortError, match=words):
        FleetSockets(3, series)
    FleetSockets(3, series).close()


def test_closing_twice_does_no_harm(link):
    link.close()
    link.close()


def test_it_tells_what_its_ports_are_for(link):
    first = link.port("command", 0)
    assert [use for use in link.uses() if use.listens] == [
        ("command", first, 2, 3, True, 1),
        ("sil", first + 10000, 2, 3, True, 1),
    ]
    assert [use[1:] for use in link.uses() if not use.listens] == [
        (first + 1, 2, 3, False, 1),
        (first + 10001, 2, 3, False, 1),
    ]
    assert link.peers_here


@pytest.mark.parametrize(
    ("n", "numbers", "words"),
    [
        (3, [0], r"first_port: .*got 0"),
        (3, [55531], "first_port: expected 1 to 54633"),
        (3, [True], r"first_port: .*got True"),
        (3, [20100, 4999], r"first_id: .*got 4999"),
        (3, [54630, 5], r"first_port: .*got 54630"),
        (5001, [20100], "at most 5000 vehicles.*got 5001"),
    ],
)
def test_series_that_cannot_be_are_an_error(n, numbers, words):
    with pytest.raises(OptionError, match=words):
        rflysim_series(n, *numbers)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"peers": ()}, "peers: expected one or more"),
        ({"peers": "127.0.0.1"}, "peers: expected one or more"),
        ({"peers": ["192.0.2.1"]}, "peers: 192.0.2.1 cannot be reached from host 127.0.0.1"),
        ({"series": [Series("a", 65534, 1, None)]}, r"a: .*got 65536"),
        ({"series": [Series("a", 2000, 1, 65530, 3)]}, "from a: expected ports of 1 to 65535"),
        ({"series": [Series("a", 2000, 0, None)]}, "a port of its own for each of 3 vehicles"),
        (
            {"series": [Series("a", 2000, 2, None), Series("b", 2004, 1, None)]},
            r"port 2004 \(a, vehicle 3\) would be the same as port 2004 \(b, vehicle 1\)",
        ),
    ],
)
def test_what_cannot_be_is_an_error(options, words):
    with pytest.raises(OptionError, match=words):
        FleetSockets(**{"n": 3, "series": rflysim_series(3), **options})


def test_an_address_of_nobody_is_an_error(first_port):
    """192.0.2.1 is for documentation [@rfc5737]: no machine has it."""
    with pytest.raises(PortError, match="cannot be opened"):
        FleetSockets(1, rflysim_series(1, first_port(1)), "192.0.2.1", ["192.0.2.1"])


def test_the_ports_of_a_few_hundred_vehicles_differ_from_those_of_the_imu():
    """The 451st has that of the first vehicle's IMU."""
    sil = rflysim_series(451)[1]
    imu = range(RFLYSIM_PORTS.imu, RFLYSIM_PORTS.imu + 451)
    ports = itertools.count(sil.port, sil.step)
    assert next(number for number, port in enumerate(ports, 1) if port in imu) == 451
