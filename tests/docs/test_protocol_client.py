"""A client that knows docs/protocol.md alone flies a vehicle: its tables are enough.

It reads ports, layouts, checksums, bits and modes from the page, packs with `struct`, and knows
nothing of pyrfly. It compares what it hears with the server's own state at the end.
"""

from __future__ import annotations

import math
import re
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.server import Server

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text("utf-8")
CODES = {
    "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I",
    "int64": "q", "uint64": "Q", "float32": "f", "float64": "d", "bytes": "s",
}  # fmt: skip


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of the rows of a table, without its head."""
    rows = re.findall(r"^\| (.*) \|$", text, re.MULTILINE)
    return [[cell.strip().strip("`") for cell in row.split(" | ")] for row in rows[2:]]


def marked(name: str) -> list[list[str]]:
    return rows_of(PAGE.split(f"<!-- {name} -->")[1].split("<!-- end -->")[0])


class Field(NamedTuple):
    offset: int
    form: str
    count: int


class Layout(NamedTuple):
    size: int
    port: str
    signature: dict[str, int]
    fields: dict[str, Field]

    def pack(self, **values: Any) -> bytes:
        packet = bytearray(self.size)
        for name, value in {**self.signature, **values}.items():
            field = self.fields[name]
            numbers = value if isinstance(value, (list, tuple)) else [value]
            numbers = [*numbers, *[0] * (field.count - len(numbers))]
            struct.pack_into(f"<{field.count}{field.form}", packet, field.offset, *numbers)
        return bytes(packet)

    def unpack(self, packet: bytes) -> dict[str, tuple[Any, ...]]:
        assert len(packet) == self.size
        return {
            name: struct.unpack_from(f"<{field.count}{field.form}", packet, field.offset)
            for name, field in self.fields.items()
        }


def read_layouts() -> dict[str, Layout]:
    found = {}
    for section in PAGE.split("<!-- layouts -->")[1].split("<!-- end -->")[0].split("### ")[1:]:
        name = section.splitlines()[0].strip("`")
        head = re.search(r"^(\d+) bytes, (.*?); (.*)\.$", section, re.MULTILINE)
        assert head is not None, name
        fields = {}
        for offset, kind, field, _ in rows_of(section):
            base, _, count = kind.rstrip("]").partition("[")
            fields[field] = Field(int(offset), CODES[base], int(count or 1))
        signature = {key: int(value) for key, value in re.findall(r"(\w+) = (-?\d+)", head[3])}
        found[name] = Layout(int(head[1]), head[2], signature, fields)
    return found


LAYOUTS = read_layouts()
COMMAND = {name: 1 << int(bit) for bit, name, *_ in marked("bits: command")}
OFFBOARD = {name: 1 << int(bit) for bit, name, *_ in marked("bits: offboard")}
MASK = {name: 1 << int(bit) for bit, name in marked("mask")}


def port_of(name: str, n: int) -> int:
    """Return the port of a packet for or from vehicle n."""
    first, step = re.findall(r"(\d{5}) \+ (\d) \(n - 1\)", LAYOUTS[name].port)[0]
    return int(first) + int(step) * (n - 1)


def mode_of(words: str) -> int:
    """Return the ctrlMode whose row says something."""
    section = PAGE.split("**`inOffboardShortData`**")[1].split("**`vehicleType`**")[0]
    (row,) = (row for row in rows_of(section) if words in row[1])
    return int(row[0])


class Client:
    """One vehicle, and where its ports are moved to in this test."""

    def __init__(self, n: int, shift: int) -> None:
        self.n, self.shift = n, shift
        self.out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.newest: dict[str, bytes] = {}
        self.ears: dict[str, socket.socket] = {}
        for name in ("outHILStateData", "SOut2Simulator"):
            ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            ear.bind(("127.0.0.1", port_of(name, n) + shift))
            ear.setblocking(False)
            self.ears[name] = ear

    def send(self, name: str, **values: Any) -> None:
        address = ("127.0.0.1", port_of(name, self.n) + self.shift)
        self.out.sendto(LAYOUTS[name].pack(**values), address)

    def listen(self) -> None:
        """Take what has come."""
        for name, ear in self.ears.items():
            try:
                while True:
                    packet = ear.recv(2000)
                    if len(packet) == LAYOUTS[name].size:
                        self.newest[name] = packet
            except BlockingIOError:  # noqa: PERF203
                pass

    def heard(self, name: str) -> dict[str, tuple[Any, ...]]:
        """Return the newest packet of a name."""
        return LAYOUTS[name].unpack(self.newest[name])

    def close(self) -> None:
        for opened in (self.out, *self.ears.values()):
            opened.close()


@pytest.fixture
def flight(first_port) -> Iterator[tuple[Sim, Server, Client]]:
    sim = Sim("sdk", 2, threads=1)
    sim.enable_synthesis()
    sim.reset(pos=[[0, 0, 0], [0, 2, 0]])
    first = first_port(2)
    server = Server(sim, rate="max", first_port=first)
    client = Client(2, first - port_of("inOffboardShortData", 1))
    yield sim, server, client
    server.close()
    client.close()


@pytest.mark.slow
def test_it_flies_a_vehicle_with_what_the_page_says(flight: tuple[Sim, Server, Client]) -> None:
    sim, server, client = flight

    def run(seconds: int) -> None:
        for _ in range(seconds):
            server.run(1)
            client.listen()

    client.send("inOffboardShortData", ctrlMode=mode_of("arm"), ctrls=[1])
    client.send("inOffboardShortData", ctrlMode=mode_of("take-off to x, y, z"), ctrls=[0, 0, -5, 0])
    run(8)
    state = client.heard("outHILStateData")
    assert state["copterID"] == (2,)
    assert state["ekf_3d_fixed"][0] > 0.5
    assert state["localPos"] == pytest.approx((0, 0, -5), abs=0.1)

    position = MASK["X"] | MASK["Y"] | MASK["Z"] | MASK["YAW"]
    ignored = sum(MASK.values()) - position
    target = [3, -1, -6, *[0] * 6, 1.0, 0]
    client.send("inHILCMDData", copterID=2, modes=ignored, flags=1, ctrls=target)
    run(8)
    truth = client.heard("SOut2Simulator")
    assert truth["PosE"] == pytest.approx((3, 1, -6), abs=0.05)  # from the map centre
    assert truth["AngEuler"][2] == pytest.approx(1.0, abs=0.02)

    words = [COMMAND["ENABLE"] | COMMAND["SIL"] | COMMAND["ARMED"]]
    words += [OFFBOARD["VELOCITY"] | OFFBOARD["YAW_RATE"]]
    floats = [*[0] * 3, 1.0, 0, 0, *[0] * 8, 0.5]
    client.send("PX4SILIntFloat", CopterID=2, inSILInts=words, inSILFLoats=floats)
    run(4)
    truth = client.heard("SOut2Simulator")
    assert truth["VelE"] == pytest.approx((1, 0, 0), abs=0.05)
    assert truth["RateB"][2] == pytest.approx(0.5, abs=0.05)
    np.testing.assert_allclose(truth["PosE"], sim.pos[1], atol=1e-9)
    np.testing.assert_allclose(truth["AngEuler"], sim.euler[1], atol=1e-6)
    lat, lon, height = truth["PosGPS"]
    np.testing.assert_allclose(sim.local_frame.to_ned((lat, lon, height)), sim.pos[1], atol=0.01)
    motors = truth["MotorRPMS"][:4]
    np.testing.assert_allclose(motors, sim.rotor_speed[1] * 30 / math.pi, rtol=1e-6)

    words = [COMMAND["ENABLE"] | COMMAND["SIL"] | COMMAND["ARMED"] | COMMAND["LAND"]]
    client.send("PX4SILIntFloat", CopterID=2, inSILInts=words)
    run(20)
    assert client.heard("SOut2Simulator")["PosE"][2] == pytest.approx(0, abs=0.1)
    assert not sim.armed.any()
    assert server.stats["accepted"] == server.stats["received"] == 5


def test_a_fault_of_the_page_acts_or_is_refused(flight: tuple[Sim, Server, Client]) -> None:
    sim, server, client = flight
    for number, *_ in marked("faults"):
        client.send("PX4SILIntFloat", CopterID=2, inSILInts=[int(number)])
    server.run(0.1)
    assert len(marked("faults")) == 20
    act = {123450, 123451, 123453, 123454, *range(123456, 123460), 123543}
    no_wind = {123540, 123541, 123542}  # beside constant wind
    assert server.stats["refused"] == 20 - len(act) - len(no_wind)
    assert set(sim.fault_source[1].tolist()) == {0, *act}


def test_every_layout_is_on_the_page_and_fills_its_packet() -> None:
    for layout in LAYOUTS.values():
        ends = [f.offset + struct.calcsize(f"<{f.count}{f.form}") for f in layout.fields.values()]
        starts = [field.offset for field in layout.fields.values()]
        assert starts == [0, *ends[:-1]]
        assert ends[-1] == layout.size
