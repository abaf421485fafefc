"""The serial protocol, and links of serial lines."""

from __future__ import annotations

import math
import os
import socket
import tty
from contextlib import suppress
from functools import partial

from target import (
    HERE,
    LinkTarget,
    Target,
    ample,
    check_counts,
    frames_of,
    of_px4,
    on_free_port,
    requests,
    with_checksums,
)

from pyrfly.protocol.serial_packets import Kind, SerialOptions, SerialParser, encode
from pyrfly.server.links.px4_hitl import Px4HitlLink
from pyrfly.server.links.serial_hil import SerialHilLink
from pyrfly.server.relay import Relay
from pyrfly.transport import Series
from pyrfly.transport.byte_streams import SerialStream


def serial_frames(options: SerialOptions) -> list[bytes]:
    return [encode(kind, [1, 2, 3, 4][: 4 if kind == 4 else 3], options) for kind in Kind]


def with_serial_check(data: bytes, options: SerialOptions) -> bytes:
    """Return bytes that begin with a frame, with the check that is right."""
    if len(data) < 6 or len(data) < data[3] + 6:
        return data
    end = data[3] + 4
    check = options.crc.of(data[2:end]).to_bytes(2, options.crc_order)
    return data[:end] + check + data[end + 2 :]


class SerialTarget(Target):
    """A stream of frames in several formats."""

    def __init__(self) -> None:
        super().__init__()
        self.options = [
            SerialOptions(),
            SerialOptions(header_order="little", number_order="big", numbers="int32"),
        ]
        self.parsers = [SerialParser(options) for options in self.options]
        self.corpus = [frame for options in self.options for frame in serial_frames(options)]

    def repaired(self, data: bytes) -> bytes:
        return with_serial_check(data, self.options[data[:1] == b"\x55"])

    def feed(self, data: bytes) -> None:
        for parser in self.parsers:
            for message in parser.feed(data):
                assert all(map(math.isfinite, message.values))


class SerialLinkTarget(LinkTarget):
    """A controller at a serial port."""

    link: SerialHilLink

    def __init__(self) -> None:
        super().__init__()
        self.peer, port = os.openpty()
        tty.setraw(self.peer)
        tty.setraw(port)
        os.set_blocking(self.peer, False)
        self.link = SerialHilLink(self.sim, SerialStream(os.ttyname(port)))
        os.close(port)
        self.corpus = serial_frames(SerialOptions())

    def repaired(self, data: bytes) -> bytes:
        return with_serial_check(data, SerialOptions())

    def feed(self, data: bytes) -> None:
        with suppress(BlockingIOError):
            os.write(self.peer, data[:2000])
        self.advance()
        with suppress(BlockingIOError):
            while os.read(self.peer, 65536):
                pass

    def close(self) -> None:
        super().close()
        os.close(self.peer)


class Px4HitlTarget(LinkTarget):
    """A PX4 at a serial port, and a client of it; the first byte chooses one."""

    first = 11
    link: Px4HitlLink

    def __init__(self) -> None:
        super().__init__()
        self.serial, port = os.openpty()
        tty.setraw(self.serial)
        tty.setraw(port)
        os.set_blocking(self.serial, False)
        self.relay = on_free_port(
            lambda first: Relay(self.sim, [Series("gcs", first, 1, first + 50, learn=True)])
        )
        open_port = partial(SerialStream, os.ttyname(port))
        self.link = Px4HitlLink(self.sim, [open_port], self.relay)
        os.close(port)
        self.peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.peer.connect((HERE, self.relay.port_uses()[0].port))
        self.peer.setblocking(False)
        self.corpus = [bytes([side]) + frame for side in (0, 1) for frame in of_px4()]
        self.corpus += [b"\1" + frame for frame in frames_of(requests())]

    def repaired(self, data: bytes) -> bytes:
        return data[:1] + with_checksums(data[1:])

    def feed(self, data: bytes) -> None:
        with suppress(OSError):
            if data[:1] == b"\1":
                self.peer.send(data[1:])
            else:
                os.write(self.serial, data[1:2000])
        self.relay.take(ample())
        self.advance()
        for receive in (self.peer.recv, partial(os.read, self.serial)):
            with suppress(OSError):
                while receive(65536):
                    pass

    def check(self) -> None:
        super().check()
        for stats in self.relay.sides.values():
            check_counts(stats)

    def close(self) -> None:
        super().close()
        self.relay.close()
        self.peer.close()
        os.close(self.serial)
