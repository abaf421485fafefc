"""docs/protocol.md agrees with the packaged vehicles, and with the tables of other protocols."""

from __future__ import annotations

import re
import struct

import numpy as np
import pytest

import pyrfly
from pyrfly.protocol.ardupilot import parse_servos
from pyrfly.protocol.ardupilot_frames import FRAMES
from pyrfly.protocol.serial_packets import Kind, SerialOptions, SerialParser, encode
from pyrfly.server.decode import DECODERS
from pyrfly.vehicles import load
from pyrfly.wire import LAYOUTS, flightgear

from .conftest import page, rows

PAGE = page("protocol.md")


def test_vehicle_types_of_the_page_are_those_of_the_packaged_sets() -> None:
    table = PAGE.split("**`vehicleType`**")[1].split("## ")[0]
    rows = re.findall(r"^\| ([\d, ]+) \|", table, re.MULTILINE)
    numbers = {int(number) for row in rows for number in row.split(",")}
    found = {pyrfly.Sim(load(name), threads=1).groups[0].uav_type for name in pyrfly.names()}
    assert numbers - {12} == found - {12}


def table(name: str) -> list[list[str]]:
    """Return the rows of a marked table, without its head."""
    return [[cell.strip("`") for cell in row] for row in rows(PAGE, name)]


def test_flightgears_fields_are_those_of_its_layout() -> None:
    fields = flightgear.DTYPE.fields
    expected = [
        [
            str(offset),
            fields[name][0].base.name + (f"[{fields[name][0].shape[0]}]" if kind.shape else ""),
            name,
        ]
        for name, (kind, offset) in fields.items()
    ]
    assert [row[:3] for row in table("flightgear")] == expected


def test_fields_that_flightgear_gets_as_zero_are_zero() -> None:
    sim = pyrfly.Sim("sdk")
    sim.arm()
    sim.command_position([30, 20, -50], yaw=1)
    sim.step(3000)
    (packet,) = flightgear.pack(sim)
    zero = {row[2] for row in table("flightgear") if row[3].split(":")[0] == "0"}
    assert len(zero) > 20
    in_flight = {"wow"}
    found = {name for name in packet.dtype.names if not np.any(packet[name])}
    assert found - in_flight == zero


def test_bytes_of_a_servo_packet_are_where_the_table_says() -> None:
    sizes = {"uint16": 2, "uint32": 4, "uint16[16]": 32}
    rows = table("servos")
    assert [int(row[0]) for row in rows] == [0, *np.cumsum([sizes[r[1]] for r in rows])[:-1]]
    assert [row[2] for row in rows] == ["magic", "frame_rate", "frame_count", "pwm"]
    for magic, count in zip(re.findall(r"\d{5}", rows[0][3]), (16, 32), strict=True):
        packet = struct.pack(f"<HHI{count}H", int(magic), 400, 3, *range(count))
        assert parse_servos(packet).pwm.tolist() == list(range(count))


def test_outputs_of_frames_are_those_of_the_code() -> None:
    expected = [
        [
            name,
            f"{f.frame_class}, {'others' if f.frame_type is None else f.frame_type}",
            f.layout,
            " ".join(str(output + 1) for output in f.outputs),
        ]
        for name, f in FRAMES.items()
    ]
    assert table("frames") == expected


@pytest.mark.parametrize("numbers", ["float32", "int32"])
def test_lengths_of_serial_frames_are_those_of_the_code(numbers: str) -> None:
    options = SerialOptions(numbers=numbers)
    rows = {Kind(int(row[0])): row for row in table("kinds")}
    assert list(rows) == list(Kind)
    for kind, row in rows.items():
        frame = encode(kind, [1] * (4 if kind is Kind.MOTOR_SPEEDS else 3), options)
        assert [row[1], int(row[2])] == [kind.name, frame[3]]
        assert len(frame) == frame[3] + 6


def test_resolution_of_integers_is_that_of_the_page() -> None:
    options = SerialOptions(numbers="int32")
    for row in table("kinds")[:3]:
        units = [float(unit) for unit in re.findall(r"1e-\d", row[4])]
        units = [units[0]] * (4 - len(units)) + units[1:]
        (message,) = SerialParser(options).feed(encode(int(row[0]), units, options))
        assert message.values == pytest.approx(units)


def test_every_structure_is_in_the_table_of_what_becomes_of_it() -> None:
    rows = table("structures")
    names = [name.strip(" `") for row in rows for name in row[0].split(",")]
    assert sorted(names) == sorted(LAYOUTS)


def test_structures_without_an_effect_are_unsupported_and_others_not() -> None:
    """By the table: of those that come to a server."""
    for row in table("structures"):
        for name in [name.strip(" `") for name in row[0].split(",")]:
            if row[1].startswith("to the server"):
                assert (name in DECODERS) != row[2].startswith("not supported"), name
            elif row[1] == "from the server":
                assert name not in DECODERS
