"""MAVLink as it arrives."""

from __future__ import annotations

import socket
import struct
from contextlib import suppress

from pymavlink.dialects.v20 import common
from target import (
    HERE,
    LinkTarget,
    Target,
    check_state,
    frames_of,
    on_free_port,
    requests,
    two_vehicles,
    with_checksums,
)

from pyrfly.autopilot import RATES, Autopilots
from pyrfly.mavlink import MESSAGES, FrameParser
from pyrfly.server.links.mavlink import MavlinkLink


def all_messages() -> list[bytes]:
    """Return a frame of every message that pymavlink knows, with small numbers."""
    found = []
    for kind in common.mavlink_map.values():
        payload = b"\1" * kind.unpacker.size
        head = struct.pack("<BBBBBBB", 0xFD, len(payload), 0, 0, 0, 255, 190)
        frame = head + kind.id.to_bytes(3, "little") + payload + b"\0\0"
        found.append(with_checksums(frame))
    return found


class FramesTarget(Target):
    """A stream of frames."""

    first = 10

    def __init__(self) -> None:
        super().__init__()
        self.corpus = all_messages()
        self.parser = FrameParser()
        self.fed = self.framed = 0

    def repaired(self, data: bytes) -> bytes:
        return with_checksums(data)

    def feed(self, data: bytes) -> None:
        self.fed += len(data)
        for frame in self.parser.feed(data):
            self.framed += len(frame.raw)
            assert frame.name
            if frame.known and frame.name in MESSAGES:
                assert frame.record().dtype == MESSAGES[frame.name].dtype
            frame.message()
        assert 0 <= self.fed - self.framed - self.parser.counts.skipped_bytes <= 280


class MavlinkTarget(Target):
    """Frames to two vehicles that answer as PX4; the first byte chooses vehicle and channel."""

    KINDS = ("ground_station", "onboard")
    first = 11  # after the header of a frame

    def __init__(self) -> None:
        super().__init__()
        self.sim = two_vehicles()
        self.autopilots = Autopilots(self.sim)
        self.channels = [self.autopilots.open(RATES[kind]) for kind in self.KINDS]
        self.parsers = [FrameParser(datagrams=True) for _ in self.KINDS]
        self.corpus = [b"\0" + frame for frame in (*all_messages(), *frames_of(requests()))]
        self.count = 0

    def repaired(self, data: bytes) -> bytes:
        return data[:1] + with_checksums(data[1:])

    def feed(self, data: bytes) -> None:
        place = data[0] % 4 if data else 0
        row, number = place // 2, place % 2
        for frame in self.parsers[number].feed(data[1:]):
            self.channels[number].take(row, frame)
        self.count += 1
        if self.count % 5 == 0:
            self.autopilots.use_set_points()
            self.sim.step(20)
            self.autopilots.update()
            for channel in self.channels:
                channel.packed(self.autopilots.moment())

    def check(self) -> None:
        check_state(self.sim)


class UdpMavlinkTarget(LinkTarget):
    """Datagrams to the ports of a ground station's link."""

    first = 10
    link: MavlinkLink

    def __init__(self) -> None:
        super().__init__()
        self.link = on_free_port(
            lambda port: MavlinkLink(self.sim, ("ground_station", "onboard"), first_port=port)
        )
        use = next(use for use in self.link.port_uses() if use.listens)
        self.peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.peer.connect((HERE, use.port))
        self.corpus = [*all_messages(), *frames_of(requests())]

    def repaired(self, data: bytes) -> bytes:
        return with_checksums(data)

    def feed(self, data: bytes) -> None:
        with suppress(ConnectionError):
            self.peer.send(data)
        self.advance()
        self.peer.setblocking(False)
        with suppress(OSError):
            while self.peer.recv(65536):
                pass

    def close(self) -> None:
        super().close()
        self.peer.close()
