"""RflySim's structures as they arrive."""

from __future__ import annotations

import struct
from contextlib import suppress

from target import Target, check_counts, check_state, on_free_port, packets_of, two_vehicles

from pyrfly import wire
from pyrfly.rflysim.display_packets import reply
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.transport import Packet
from pyrfly.wire.layouts import LAYOUTS


class RflySimTarget(Target):
    """Packets of both ports of two vehicles; the first byte chooses one of the four."""

    PORTS = ("command", "sil")
    first = 1

    def __init__(self) -> None:
        super().__init__()
        self.sim = two_vehicles()
        self.link = on_free_port(
            lambda port: RflySimLink(self.sim, "udp_full", 10, 0.5, True, first_port=port)
        )
        self.corpus = [
            bytes([place]) + packet
            for place, name in enumerate(self.PORTS)
            for packet in packets_of(name)
        ]
        for mode in range(14):
            packet = wire.blank("inOffboardShortData")
            packet["ctrlMode"], packet["ctrls"] = mode, (1, 2, -3, 0.5)
            self.corpus.append(b"\2" + packet.tobytes())
        self.count = 0

    def feed(self, data: bytes) -> None:
        place = data[0] % 4 if data else 0
        self.link.inbox.put([Packet(place // 2, self.PORTS[place % 2], data[1:])])
        self.count += 1
        if self.count % 5 == 0:
            self.link.inbox.execute(self.link.act, lambda: False)
            self.sim.step(10)
            self.link.give(10 * self.count)

    def check(self) -> None:
        check_counts(self.link.stats)
        check_state(self.sim)

    def close(self) -> None:
        self.link.close()


class StructuresTarget(Target):
    """All structures of all ports, and what RflySim3D sends."""

    def __init__(self) -> None:
        super().__init__()
        self.ports = sorted({layout.port_kind for layout in LAYOUTS.values()} - {"model"})
        self.corpus = [packet for port in self.ports for packet in packets_of(port)]
        self.corpus += [
            struct.pack("<i", checksum) + bytes(length - 4)
            for checksum, lengths in ((1234567891, (80, 64, 112, 96, 72, 56)), (1234567897, (160,)))
            for length in lengths
        ]

    def feed(self, data: bytes) -> None:
        for port in self.ports:
            with suppress(wire.Rejected):
                name, record = wire.parse(port, data)
                assert record.tobytes() == data
                assert name in LAYOUTS
        with suppress(ValueError):
            reply(data)
