"""What is fed with inputs, and what has to hold then: `Target`, `LinkTarget`."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import numpy as np
from mutation import NUMBERS
from pymavlink.dialects.v20 import common

from pyrfly import Sim, wire
from pyrfly.server import Link, LinkStats
from pyrfly.server.budget import Budget
from pyrfly.transport import PortError
from pyrfly.wire.layouts import LAYOUTS

VERDICTS = (
    *("accepted", "bad_length", "bad_checksum", "bad_id", "not_finite", "unknown", "unsupported"),
    *("unsigned", "bad_sender"),
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


def on_free_port(made: Callable[[int], Any]) -> Any:
    """Return what can be made at a random first port, with the ports that go with it above 1024."""
    for _ in range(100):
        with suppress(PortError):
            return made(2 * random.randrange(3500, 9000))
    raise RuntimeError("no free ports")


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
