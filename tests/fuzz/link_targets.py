"""Links with sockets: PX4, ArduPilot, configuration, events, verbs over TCP."""

from __future__ import annotations

import socket
import struct
from contextlib import ExitStack, suppress
from functools import partial

from pymavlink.dialects.v20 import common
from target import (
    HERE,
    LinkTarget,
    Target,
    ample,
    check_counts,
    check_state,
    frames_of,
    of_px4,
    on_free_port,
    packets_of,
    two_vehicles,
    with_checksums,
)

from pyrfly.scene import Plane, Scene
from pyrfly.server.input_link import InputLink
from pyrfly.server.links.ardupilot import ArduPilotLink
from pyrfly.server.links.configuration import ConfigurationLink
from pyrfly.server.links.display import DisplayLink
from pyrfly.server.links.events import EventLink
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.tcp import TcpLink
from pyrfly.server.links.topics import TopicLink
from pyrfly.server.links.view import ViewLink
from pyrfly.server.links.websocket import WebSocketLink
from pyrfly.wire.layouts import LAYOUTS


class Px4Target(LinkTarget):
    """The stream of a PX4, which connects again when it was closed."""

    first = 10
    link: Px4Link

    def __init__(self) -> None:
        super().__init__()
        self.link = Px4Link(self.sim, first_port=0)
        self.peer: socket.socket | None = None
        self.corpus = of_px4()

    def repaired(self, data: bytes) -> bytes:
        return with_checksums(data)

    def feed(self, data: bytes) -> None:
        if self.peer is None or data[-1:] == b"\x07":
            self.connect()
        assert self.peer is not None
        with suppress(OSError):
            self.peer.sendall(data)
        self.advance()
        with suppress(BlockingIOError):
            while self.peer.recv(65536):
                pass

    def connect(self) -> None:
        if self.peer is not None:
            self.peer.close()
        self.peer = socket.create_connection((HERE, self.link.ports[0]))
        self.peer.setblocking(False)

    def close(self) -> None:
        super().close()
        if self.peer is not None:
            self.peer.close()


class ArduPilotTarget(LinkTarget):
    """Packets of an ArduPilot."""

    link: ArduPilotLink

    def __init__(self) -> None:
        super().__init__()
        self.link = ArduPilotLink(self.sim, first_port=0)
        self.peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.peer.connect((HERE, self.link.ports[0]))
        self.corpus = [
            struct.pack(f"<HHI{outputs}H", magic, rate, count, *[1500] * outputs)
            for outputs, magic in ((16, 18458), (32, 29569))
            for rate in (1, 400, 65535)
            for count in (0, 7, 2**32 - 1)
        ]

    def feed(self, data: bytes) -> None:
        self.peer.send(data)
        for _ in range(3):
            self.advance(2500)
        self.peer.setblocking(False)
        with suppress(OSError):
            while answer := self.peer.recv(65536):
                assert answer.endswith(b"\n")
                assert b"nan" not in answer

    def close(self) -> None:
        super().close()
        self.peer.close()


class ConfigurationTarget(Target):
    """Datagrams to the ports of discovery, 3D view and topics; the first byte chooses one."""

    first = 1

    def __init__(self) -> None:
        super().__init__()
        self.sim = two_vehicles()
        self.sim.enable_part("free_outputs")
        self.links = on_free_port(self._opened)
        uses = [use for link in self.links for use in link.port_uses() if use.listens]
        self.ports = [port for use in uses for port in use.ports]
        self.peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        kinds = sorted({layout.port_kind for layout in LAYOUTS.values()} - {"model"})
        datas = [packet for kind in kinds for packet in packets_of(kind)]
        datas += frames_of([common.MAVLink_actuator_control_target_message(0, 0, [0.5] * 8)])
        self.corpus = [bytes([place]) + data for place in range(len(self.ports)) for data in datas]
        self.step = 0

    def repaired(self, data: bytes) -> bytes:
        return data[:1] + with_checksums(data[1:])

    def _opened(self, port: int) -> list[InputLink]:
        with ExitStack() as opened:
            links: list[InputLink] = []
            view = partial(ViewLink, scene=Scene([Plane()]))
            for made in (ConfigurationLink, DisplayLink, TopicLink, view):
                links.append(made(self.sim, first_port=port))
                opened.callback(links[-1].close)
            opened.pop_all()
        return links

    def feed(self, data: bytes) -> None:
        place = data[0] % len(self.ports) if data else 0
        self.peer.sendto(data[1:], (HERE, self.ports[place]))
        for link in self.links:
            link.take(ample())
        self.step += 10
        self.sim.step(10)
        for link in self.links:
            link.give(self.step)
            link.flush()

    def check(self) -> None:
        for link in self.links:
            check_counts(link.stats)
        check_state(self.sim)

    def close(self) -> None:
        self.peer.close()
        for link in self.links:
            link.close()


class EventTarget(LinkTarget):
    """Datagrams to the port of events."""

    link: EventLink

    def __init__(self) -> None:
        super().__init__()
        self.link = on_free_port(lambda port: EventLink(self.sim, port))
        self.peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.peer.connect((HERE, self.link.port_uses()[0].port))
        self.corpus = [
            b'{"time": 0.5, "ids": [1, 2], "wind": [[1, 2, 3], [4, 5, 6]], "ramp": 0.1}',
            b'{"mass": 2, "every": 0.2, "times": 3}',
            b'{"cancel": true, "ids": 2}',
        ]

    def repaired(self, data: bytes) -> bytes:
        return data

    def feed(self, data: bytes) -> None:
        with suppress(OSError):
            self.peer.send(data)
        self.advance()

    def close(self) -> None:
        super().close()
        self.peer.close()


class TcpTarget(LinkTarget):
    """Lines of a program with RflySim's verbs."""

    link: TcpLink

    def __init__(self) -> None:
        super().__init__()
        self.link = TcpLink(self.sim, 0)
        self.peer = self._connected()
        self.corpus = [
            b'{"SendPosNED": [1, 2, -3, null], "id": 2, "seq": 5}\n',
            b'{"SendAttPX4": [[1, 2, 3], 0.5, 0]}\n{"initOffboard": []}\n',
            b'{"sendSILIntFloat": [[123450, 1], [0.5, 1e3]]}\n',
            b'{"state": 50}\n{"state": 0, "id": 1}\n',
        ]

    def _connected(self) -> socket.socket:
        peer = socket.create_connection((HERE, self.link.port))
        peer.setblocking(False)
        return peer

    def repaired(self, data: bytes) -> bytes:
        return data + b"\n"

    def feed(self, data: bytes) -> None:
        try:
            self.peer.send(data)
            self.advance()
            ended = self.peer.recv(65536) == b""
        except BlockingIOError:
            ended = False
        except OSError:
            ended = True
        if ended:
            self.peer.close()
            self.peer = self._connected()

    def close(self) -> None:
        super().close()
        self.peer.close()


class WebSocketTarget(TcpTarget):
    """A request of HTTP, and what a program sends over WebSocket afterwards."""

    def __init__(self) -> None:
        LinkTarget.__init__(self)
        self.link = WebSocketLink(self.sim, 0)
        self.connections = 0
        self.request = (
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self.peer = self._connected()
        texts = (b'{"SendPosNED": [1, 2, -3, null], "id": 2}', b'{"state": 50}', b'{"initOffb')
        frames = [bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text for text in texts]
        self.corpus = [
            *frames,
            b"\x01" + frames[2][1:] + b'\x80\x89\0\0\0\0oard": []}',
            b"\x89\x81\0\0\0\0?",
            b"\x88\x82\0\0\0\0\x03\xe8",
            self.request,
        ]

    def _connected(self) -> socket.socket:
        peer = super()._connected()
        self.connections += 1
        if self.connections % 4:
            peer.send(self.request)
        return peer

    def repaired(self, data: bytes) -> bytes:
        return data
