"""Connections that carry bytes: whole, in order, without waiting, to their end."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator

import pytest

from pyrfly.transport import PortError
from pyrfly.transport.byte_streams import (
    MAXIMUM_PENDING,
    ByteStream,
    SerialStream,
    TcpStream,
    UdpStream,
    listening,
)

from ..waiting import until


class Pipe:
    """A stream, and how its other end reads, writes and ends."""

    def __init__(self, stream: ByteStream, read, write, end) -> None:
        self.stream, self.read, self.write, self.end = stream, read, write, end


def tcp() -> Iterator[Pipe]:
    with listening("127.0.0.1", 0, "test") as door:
        other = socket.create_connection(door.getsockname())
        until(lambda: door_is_open(door))
        stream = TcpStream(connections.pop())
        other.setblocking(False)
        yield Pipe(stream, lambda: _socket_read(other), other.send, other.close)
        stream.close()
        other.close()


connections: list[socket.socket] = []


def door_is_open(door: socket.socket) -> bool:
    try:
        connections.append(door.accept()[0])
    except BlockingIOError:
        return False
    return True


def _socket_read(other: socket.socket) -> bytes:
    try:
        return other.recv(65536)
    except BlockingIOError:
        return b""


def serial() -> Iterator[Pipe]:
    if not hasattr(os, "openpty"):
        pytest.skip("no pseudo-terminals here")
    near, far = os.openpty()
    stream = SerialStream(os.ttyname(far), 115200)
    os.close(far)
    os.set_blocking(near, False)

    def read() -> bytes:
        try:
            return os.read(near, 65536)
        except BlockingIOError:
            return b""

    ended: list[int] = []
    yield Pipe(
        stream,
        read,
        lambda data: os.write(near, data),
        lambda: ended.append(near) or os.close(near),
    )
    stream.close()
    if not ended:
        os.close(near)


@pytest.fixture(params=[tcp, serial], ids=["tcp", "serial"])
def pipe(request) -> Iterator[Pipe]:
    yield from request.param()


def test_bytes_come_in_their_order_both_ways(pipe: Pipe) -> None:
    data = bytes(range(256))
    assert pipe.stream.read() == b""
    pipe.write(data)
    got = bytearray()
    until(lambda: got.extend(pipe.stream.read() or b"") or len(got) == 256)
    assert bytes(got) == data
    assert pipe.stream.write(memoryview(data))
    back = bytearray()
    until(lambda: back.extend(pipe.read()) or len(back) == 256)
    assert bytes(back) == data


def test_what_the_other_end_does_not_read_waits_and_arrives_whole(pipe: Pipe) -> None:
    sent = bytearray()
    for number in range(100_000):
        portion = bytes([number % 251]) * 50
        assert pipe.stream.write(portion)
        sent += portion
        if pipe.stream.pending > 20_000:
            break
    assert pipe.stream.pending > 20_000
    got = bytearray()
    until(lambda: got.extend(pipe.read()) or (pipe.stream.write(b"") and len(got) == len(sent)))
    assert got == sent
    assert pipe.stream.pending == 0


def test_an_end_that_reads_nothing_at_all_counts_as_gone(pipe: Pipe) -> None:
    portion = bytes(65536)
    assert not all(pipe.stream.write(portion) for _ in range(2000))
    assert pipe.stream.pending > MAXIMUM_PENDING


def test_an_end_is_seen_when_reading_and_closing_twice_does_no_harm(pipe: Pipe) -> None:
    pipe.end()
    until(lambda: pipe.stream.read() is None)
    pipe.stream.close()
    pipe.stream.close()


def test_a_serial_port_that_is_not_there_is_named() -> None:
    with pytest.raises(PortError, match="serial port /dev/no-such-port cannot be opened"):
        SerialStream("/dev/no-such-port")


@pytest.fixture
def peer() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        opened.bind(("127.0.0.1", 0))
        opened.settimeout(5)
        yield opened


@pytest.fixture
def udp(peer: socket.socket) -> Iterator[Callable[..., UdpStream]]:
    made: list[UdpStream] = []

    def make(**options) -> UdpStream:
        made.append(UdpStream("127.0.0.1", **options))
        return made[-1]

    yield make
    for stream in made:
        stream.close()


def test_datagrams_are_read_together_and_each_write_is_one(udp, peer: socket.socket) -> None:
    stream = udp(peer_port=peer.getsockname()[1])
    assert stream.has_receiver
    assert stream.write(b"one")
    assert stream.write(b"two")
    data, origin = peer.recvfrom(100)
    assert (data, peer.recv(100)) == (b"one", b"two")
    assert origin == ("127.0.0.1", stream.port)
    for number in range(5):
        peer.sendto(bytes([number]), origin)
    until(lambda: (data := stream.read()) == bytes(range(5)) or not data)
    assert stream.pending == 0


def test_without_a_port_it_answers_the_last_sender(udp, peer: socket.socket) -> None:
    stream = udp()
    assert stream.write(b"lost")
    assert not stream.has_receiver
    peer.sendto(b"hello", ("127.0.0.1", stream.port))
    until(lambda: stream.read() == b"hello")
    assert stream.has_receiver
    stream.write(b"answer")
    assert peer.recv(100) == b"answer"


def test_what_comes_from_another_port_is_dropped(udp, peer: socket.socket) -> None:
    stream = udp(peer_port=peer.getsockname()[1])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.sendto(b"forged", ("127.0.0.1", stream.port))
        until(lambda: stream.read() == b"" and stream.foreign == 1)
    stream.write(b"answer")
    assert peer.recv(100) == b"answer"


def test_what_comes_from_another_address_is_dropped(peer: socket.socket) -> None:
    stream = UdpStream("192.0.2.1")
    peer.sendto(b"forged", ("127.0.0.1", stream.port))
    until(lambda: stream.read() == b"" and stream.foreign == 1)
    stream.close()


def test_an_end_that_is_not_there_is_no_end_of_the_stream(udp, peer: socket.socket) -> None:
    stream = udp(peer_port=peer.getsockname()[1])
    address = peer.getsockname()
    peer.close()
    for _ in range(5):
        assert stream.write(b"nobody listens")
        assert stream.read() == b""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as back:
        back.bind(address)
        back.settimeout(5)
        stream.write(b"again")
        assert back.recv(100) == b"again"


def test_a_datagram_that_is_too_long_counts_as_dropped(udp, peer: socket.socket) -> None:
    stream = udp(peer_port=peer.getsockname()[1])
    assert stream.write(bytes(100_000))
    assert stream.dropped == 1


def test_a_udp_port_in_use_and_a_peer_without_an_address_are_named(peer: socket.socket) -> None:
    with pytest.raises(PortError, match=f"port {peer.getsockname()[1]} of 127.0.0.1 is in use"):
        UdpStream("127.0.0.1", port=peer.getsockname()[1])
    with pytest.raises(PortError, match=r"peer: no address for 'no such\.name'"):
        UdpStream("no such.name")
