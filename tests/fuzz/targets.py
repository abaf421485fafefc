"""What is fed with inputs, and what has to hold: `TARGETS`."""

from __future__ import annotations

import io
import json
import math
import os
import random
import socket
import struct
import tempfile
import tty
import warnings
from collections.abc import Callable, Iterable
from contextlib import ExitStack, redirect_stdout, suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
from mutation import NUMBERS, TEXTS
from pymavlink.dialects.v20 import common

from pyrfly import ParameterWarning, Sim, wire
from pyrfly.autopilot import RATES, Autopilots
from pyrfly.errors import MissionError, MixerError
from pyrfly.log import Log, Recorder, export_log
from pyrfly.mavlink import MESSAGES, FrameParser
from pyrfly.mission.plan import read_plan
from pyrfly.mission.waypoint_list import read_waypoint_list
from pyrfly.mixers import Mixer, parse
from pyrfly.protocol.serial_packets import Kind, SerialOptions, SerialParser, encode
from pyrfly.rflysim.display_packets import reply
from pyrfly.server import Link, LinkStats
from pyrfly.server.budget import Budget
from pyrfly.server.input_link import InputLink
from pyrfly.server.links.ardupilot import ArduPilotLink
from pyrfly.server.links.configuration import ConfigurationLink
from pyrfly.server.links.display import DisplayLink
from pyrfly.server.links.events import EventLink
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.px4_hitl import Px4HitlLink
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.server.links.serial_hil import SerialHilLink
from pyrfly.server.links.topics import TopicLink
from pyrfly.server.relay import Relay
from pyrfly.server.scripts.reader import read_start_script
from pyrfly.transport import OptionError, Packet, PortError, Series
from pyrfly.transport.byte_streams import SerialStream
from pyrfly.wire.layouts import LAYOUTS

ROOT = Path(__file__).resolve().parents[2]
VERDICTS = (
    *("accepted", "bad_length", "bad_checksum", "bad_id", "not_finite", "unknown", "unsupported"),
    *("fault", "unsigned", "bad_sender"),
)
HERE = "127.0.0.1"


class Target:
    """Something that reads bytes.

    Attributes
    ----------
    corpus : list of bytes
        Valid inputs.
    words : sequence of bytes
        What is written into them.
    first : int
        Where their numbers begin.
    """

    words = NUMBERS
    first = 0

    def __init__(self) -> None:
        self.corpus: list[bytes] = []

    def feed(self, data: bytes) -> None:
        """Read an input."""

    def repaired(self, data: bytes) -> bytes:
        """Return an input with what a first look at it checks made right."""
        return data

    def check(self) -> None:
        """Check what has to hold after any inputs."""

    def close(self) -> None:
        """End."""

    def __enter__(self) -> Target:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def check_counts(stats: LinkStats) -> None:
    """Check that every packet has counted once as what became of it."""
    for copter_id in (1, 2):
        counts = stats.vehicle(copter_id)
        total = sum(counts[name] for name in VERDICTS if name in counts)
        assert counts["received"] == total, counts


def check_state(sim: Sim) -> None:
    """Check that all columns of the state are finite."""
    for name in ("pos", "vel", "att", "rate", "rotor_speed"):
        assert np.isfinite(getattr(sim, name)).all(), name


def two_vehicles() -> Sim:
    sim = Sim("x450", 2, threads=1)
    sim.enable_synthesis()
    sim.reset(pos=[[0, 0, 0], [0, 9, 0]])
    return sim


# --- RflySim's structures


def packets_of(port: str) -> list[bytes]:
    """Return packets of all structures of a port, with small numbers in them."""
    found = []
    for name, layout in LAYOUTS.items():
        if layout.port_kind == port:
            packet = wire.blank(name)
            found.append(packet.tobytes())
            for field in packet.dtype.names:
                if field not in ("checksum", "tg", "len"):
                    packet[field] = 1
            found.append(packet.tobytes())
    return found


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


def on_free_port(made: Callable[[int], Any]) -> Any:
    """Return what can be made at a random first port, with the ports that go with it above 1024."""
    for _ in range(100):
        with suppress(PortError):
            return made(2 * random.randrange(3500, 9000))
    raise RuntimeError("no free ports")


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


# --- MAVLink


def with_checksums(data: bytes) -> bytes:
    """Return bytes that begin with frames of MAVLink 2, with the checksums that are right."""
    out = bytearray(data)
    at = 0
    while at + 12 <= len(out) and out[at] == 0xFD:
        end = at + 10 + out[at + 1]
        message = common.mavlink_map.get(int.from_bytes(out[at + 7 : at + 10], "little"))
        if message is None or end + 2 > len(out):
            break
        crc = common.x25crc(bytes(out[at + 1 : end]) + bytes([message.crc_extra]))
        out[end : end + 2] = struct.pack("<H", crc.crc)
        at = end + 2 + (13 if out[at + 2] & 1 else 0)
    return bytes(out)


def frames_of(messages: Iterable[common.MAVLink_message]) -> list[bytes]:
    mav = common.MAVLink(None, srcSystem=255, srcComponent=190)
    return [message.pack(mav) for message in messages]


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


def requests() -> list[common.MAVLink_message]:
    """Return what ground stations and SDKs send, for vehicle 1."""
    texts = (b"MPC_XY_VEL_MAX", b"COM_RC_LOSS_T", b"_HASH_CHECK", b"NOTHING")
    return [
        *(
            common.MAVLink_command_long_message(1, 1, command, 0, *numbers)
            for command in (16, 20, 21, 22, 176, 179, 192, 246, 300, 400, 410, 511, 512, 519, 520)
            for numbers in ((0,) * 7, (1,) * 7, (1, 6, 0, 0, 0, 0, 10))
        ),
        common.MAVLink_command_int_message(1, 1, 6, 192, 0, 0, -1, 1, 0, 0, 473977420, 85455940, 9),
        *(common.MAVLink_param_set_message(1, 1, text, 1.0, 9) for text in texts),
        *(common.MAVLink_param_request_read_message(1, 1, text, -1) for text in texts),
        common.MAVLink_param_request_list_message(1, 1),
        *(common.MAVLink_mission_count_message(1, 1, 3, kind) for kind in (0, 1, 2)),
        *(
            common.MAVLink_mission_item_int_message(
                *(1, 1, number, frame, command, 0, 1, 0, 0, 0, 0, 473977420, 85455940, 9, kind)
            )
            for number in range(3)
            for frame, command, kind in ((6, 16, 0), (6, 22, 0), (3, 5001, 1), (3, 5100, 2))
        ),
        *(common.MAVLink_mission_request_list_message(1, 1, kind) for kind in (0, 1, 2)),
        *(common.MAVLink_mission_request_int_message(1, 1, number, 0) for number in range(3)),
        common.MAVLink_mission_clear_all_message(1, 1, 255),
        common.MAVLink_mission_set_current_message(1, 1, 1),
        common.MAVLink_set_mode_message(1, 1, 6 << 16),
        common.MAVLink_manual_control_message(1, 500, 0, 500, 0, 0),
        *(
            common.MAVLink_set_position_target_local_ned_message(
                *(0, 1, 1, frame, mask, 1, 2, -3, 0, 0, 0, 0, 0, 0, 0, 0)
            )
            for frame in (1, 8)
            for mask in (0xDF8, 0xDC7, 0xC3F)
        ),
        common.MAVLink_set_attitude_target_message(0, 1, 1, 7, [1, 0, 0, 0], 0, 0, 0, 0.5),
        common.MAVLink_heartbeat_message(6, 8, 0, 0, 4, 3),
        common.MAVLink_timesync_message(0, 1),
        common.MAVLink_ping_message(0, 1, 0, 0),
    ]


# --- links with sockets


def ample() -> Budget:
    """Return time for all that has arrived."""
    budget = Budget(100.0)
    budget.begin(0.0)
    return budget


class LinkTarget(Target):
    """A link that is served as a server does."""

    link: Link

    def __init__(self) -> None:
        super().__init__()
        self.sim = two_vehicles()
        self.step = 0

    def advance(self, most: int = 10) -> None:
        """Take what has arrived and step, unless the link waits for somebody."""
        self.link.take(ample())
        if self.link.is_ready():
            self.link.prepare()
            step = min(self.step + most, max(self.step + 1, self.link.due(self.step)))
            self.sim.step(step - self.step)
            self.step = step
            self.link.give(step)
            self.link.flush()

    def check(self) -> None:
        check_counts(self.link.stats)
        check_state(self.sim)

    def close(self) -> None:
        self.link.close()


def of_px4() -> list[bytes]:
    """Return what a PX4 sends a simulator."""
    return frames_of(
        [
            *(
                common.MAVLink_hil_actuator_controls_message(moment, [0.5] * 16, mode, flags)
                for moment in (0, 4000, 2**63)
                for mode in (1, 129)
                for flags in (0, 1)
            ),
            common.MAVLink_heartbeat_message(2, 12, 32, 0, 0, 3),
            common.MAVLink_command_long_message(0, 0, 511, 0, 115, 5000, 0, 0, 0, 0, 0),
        ]
    )


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
            for made in (ConfigurationLink, DisplayLink, TopicLink):
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


# --- the serial protocol


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


# --- files


class ScriptTarget(Target):
    """Start scripts; the first byte chooses the language."""

    words = (
        *TEXTS,
        *(b"SET /a ", b"set ", b"IF ", b"ELSE", b"FOR /l %%i in (1,1,", b"goto :", b"call ", b")"),
        *(b"%VehicleNum%", b"!VehicleNum!", b"START_INDEX=", b"$((", b"))", b"${", b"`", b"$("),
        *(b"for i in ", b"do\n", b"done\n", b"fi\n", b"then\n", b"; ", b"&&", b"|", b"<<EOF\n"),
        *(b"1/0", b"2**99", b"1<<99", b"%%", b"=", b"+=", b"\n"),
    )

    def __init__(self) -> None:
        super().__init__()
        scripts = ROOT / "tests" / "server" / "data"
        self.corpus = [
            bytes([path.suffix == ".sh"]) + path.read_bytes() for path in sorted(scripts.iterdir())
        ]
        self.folder = tempfile.TemporaryDirectory()
        self.paths = [Path(self.folder.name, name) for name in ("fuzz.bat", "fuzz.sh")]

    def feed(self, data: bytes) -> None:
        path = self.paths[data[0] % 2 if data else 0]
        path.write_bytes(data[1:])
        with suppress(OptionError):
            read_start_script(path)

    def close(self) -> None:
        self.folder.cleanup()


class PlanTarget(Target):
    """Plan files of QGroundControl."""

    words = (
        *TEXTS,
        *(b'"Plan"', b"-1e308", b"1e308", b"90", b"-180", b'"command": 22', b'"params": []'),
        *(b'"type": "ComplexItem"', b'"frame": 3', b"[null, 0, 0]", b'"complexItemType": "survey"'),
    )

    def __init__(self) -> None:
        super().__init__()
        plans = [*ROOT.glob("pyrfly/mission/plans/*.plan"), *ROOT.glob("tests/**/*.plan")]
        self.corpus = [path.read_bytes() for path in sorted(plans)]

    def feed(self, data: bytes) -> None:
        with suppress(MissionError):
            read_plan(data.decode("utf-8", "replace"))


class WaypointTarget(Target):
    """Text missions of ground stations."""

    words = (*TEXTS, b"QGC WPL 110\n", b"QGC WPL 120\n", b"\t", b"1e308", b"nan", b"-1", b"177")

    def __init__(self) -> None:
        super().__init__()
        items = ["0 0 0 16 0 0 0 0 47 8 400 1", "1 0 3 22 0 0 0 nan 0 0 10 1"]
        items += ["2 0 3 16 0 0 0 0 47.001 8 20 1", "3 0 2 177 1 2 0 0 0 0 0 1"]
        lines = [line.replace(" ", "\t") for line in items]
        self.corpus = ["\n".join([f"QGC WPL {version}", *lines]).encode() for version in (110, 120)]

    def feed(self, data: bytes) -> None:
        with suppress(MissionError):
            read_waypoint_list(data.decode("utf-8", "replace"))


class LogTarget(Target):
    """Files of logs; the first byte chooses the format."""

    suffixes = ("npz", "csv", "parquet", "ulg")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        sim = Sim("sdk")
        recorder = Recorder(sim, ("pos", "vel", "att", "armed"))
        for _ in range(3):
            recorder.sample()
            sim.step(10)
        log = recorder.log()
        for suffix in self.suffixes[:3]:
            log.save(self._path(suffix))
        export_log(log, self._path("ulg"))
        self.corpus = [
            bytes([i]) + self._path(suffix).read_bytes() for i, suffix in enumerate(self.suffixes)
        ]
        self.corpus += [b"\2" + table for table in self._tables()]
        self.corpus += [b"\3" + self._nested(times) for times in (2, 9, 65535)]
        numbers = ",".join(f"throttle_{i}" for i in range(1, 200))
        self.corpus.append(f"\1time,copter_id,{numbers}\n0,1{',1e300' * 199}\n".encode())

    def _tables(self) -> Iterable[bytes]:
        """Return Parquet tables with a header that does not fit, and with what is no number."""
        axes = {"time": [0.0, 1.0], "copter_id": [1, 2**62]}
        header = {"format": 1, "fields": [["pos", 10**12, *"abcd"]], "metadata": {}}
        about = {b"pyrfly": json.dumps(header)}
        for values in ([1.0, 2.0], ["x" * 9999] * 2, [[1], []], [1.0, None]):
            table = pyarrow.table({**axes, "pos": values})
            for known in (table, table.replace_schema_metadata(about)):
                stream = io.BytesIO()
                pyarrow.parquet.write_table(known, stream, compression="zstd")
                yield stream.getvalue()

    def _nested(self, times: int) -> bytes:
        """Return a ULog file of types in one another."""
        topic = b"vehicle_local_position"
        types = [b"t0:uint64_t timestamp;float x"]
        types += [b"t%d:t%d[%d] a" % (i, i - 1, times) for i in range(1, 12)]
        types.append(topic + b":uint64_t timestamp;t11 x")
        messages = [(b"F", kind) for kind in types]
        messages += [(b"A", bytes(3) + topic), (b"D", bytes(60))]
        head = self._path("ulg").read_bytes()[:16]
        return head + b"".join(
            struct.pack("<Hc", len(data), kind) + data for kind, data in messages
        )

    def _path(self, suffix: str) -> Path:
        return Path(self.folder.name, f"fuzz.{suffix}")

    def feed(self, data: bytes) -> None:
        path = self._path(self.suffixes[data[0] % len(self.suffixes) if data else 0])
        path.write_bytes(data[1:])
        said = io.StringIO()
        with suppress(OSError, KeyError, ValueError), redirect_stdout(said):
            log = Log.load(path)
            for suffix in ("csv", "ulg"):
                export_log(log, self._path(f"out.{suffix}"), origin=(47, 8, 0))
        assert not said.getvalue()

    def close(self) -> None:
        self.folder.cleanup()


class MixerTarget(Target):
    """Mixer files."""

    words = (
        *(b"M: 1\n", b"O: ", b"S: 0 0 ", b"R: 4x\n", b"H: 3\n", b"T: ", b"P: ", b"Z:\n", b"A:"),
        *(b"10000 ", b"-10000 ", b"0 ", b"99999999999", b"\r\n", b"\0", b"\xff"),
    )

    def __init__(self) -> None:
        super().__init__()
        curves = b"T: 0 1 2 3 4\nP: 0 1 2 3 4\n" + b"S: 0 10000 10000 0 -8000 8000\n" * 3
        total = b"M: 1\nO: 1 2 3 -4 5 6\nS: 0 3 10000 10000 0 -10000 10000\n"
        self.corpus = [b"Z:\nR: 4x\n", total, b"H: 3\n" + curves]

    def feed(self, data: bytes) -> None:
        with suppress(MixerError), warnings.catch_warnings():
            warnings.simplefilter("ignore", ParameterWarning)
            assert np.isfinite(Mixer(parse(data))(thrust=0.5, roll=1.0)).all()


TARGETS: dict[str, Callable[[], Target]] = {
    "rflysim": RflySimTarget,
    "structures": StructuresTarget,
    "frames": FramesTarget,
    "mavlink": MavlinkTarget,
    "mavlink_link": UdpMavlinkTarget,
    "px4": Px4Target,
    "ardupilot": ArduPilotTarget,
    "configuration": ConfigurationTarget,
    "events": EventTarget,
    "serial": SerialTarget,
    "serial_link": SerialLinkTarget,
    "px4_hitl": Px4HitlTarget,
    "scripts": ScriptTarget,
    "plans": PlanTarget,
    "waypoints": WaypointTarget,
    "logs": LogTarget,
    "mixers": MixerTarget,
}
"""Targets by name."""
