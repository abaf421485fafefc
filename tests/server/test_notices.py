"""What is reported at once of the packets that are dropped."""

import io
import socket
import struct

import pytest

from pyrfly import Sim
from pyrfly.server import Server
from pyrfly.server.notices import Notices, is_mavlink

HEARTBEAT_2 = bytes([0xFD, 9, 0, 0, 0, 255, 190, 0, 0, 0]) + bytes(11)
HEARTBEAT_1 = bytes([0xFE, 9, 0, 255, 190, 0]) + bytes(11)
PARAMETERS = struct.pack("<iI32d", 1234567891, 1, *[0.0] * 32)
CAMERA = struct.pack("<4H4B6f", 12345, 7, 30, 9998, 127, 0, 0, 1, *[0.0] * 6)
WRONG_MODE = struct.pack("<2i4f", 1234567890, 5, 0, 0, 0, 0)
GOOD = struct.pack("<2i4f", 1234567890, 0, 0, 0, 0, 0)


@pytest.fixture
def reported(first_port):
    """Return a function from packets, with the kind of port, to the lines that are reported."""

    def run(*packets, rounds: int = 3) -> list[str]:
        first, out = first_port(2), io.StringIO()
        server = Server(Sim("sdk", 2), rate="max", first_port=first)
        server.rflysim.inbox.notices = Notices(out, range(1, 3))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for _ in range(rounds):
                for kind, data in packets:
                    sender.sendto(data, ("127.0.0.1", first + 2 + (10000 if kind == "sil" else 0)))
                server.run(0.05)
        server.close()
        return out.getvalue().splitlines()

    return run


@pytest.mark.parametrize("frame", [HEARTBEAT_1, HEARTBEAT_2, HEARTBEAT_2 * 2])
def test_the_first_mavlink_frame_is_reported(reported, frame):
    (line,) = reported(("command", frame), ("command", GOOD))
    assert line.startswith("pyrfly sim: vehicle 2: a MAVLink frame was dropped")
    assert "InitMavLoop(0)" in line


def test_the_first_malformed_packet_is_reported(reported):
    (line,) = reported(("command", b"\1\2\3"), ("sil", b"x" * 120))
    assert line.startswith("pyrfly sim: vehicle 2: a packet of 3 bytes was dropped, wrong length")
    assert line.endswith("01 02 03")


def test_the_first_refused_packet_of_a_name_is_reported(reported):
    lines = reported(("sil", CAMERA), ("command", WRONG_MODE), ("command", GOOD))
    assert sorted(lines) == [
        "pyrfly sim: vehicle 2: imuReqCopterSim: dropped: known, but without effect here",
        "pyrfly sim: vehicle 2: inOffboardShortData: dropped: unknown message, mode or frame",
    ]


@pytest.mark.parametrize(
    ("copter_id", "told"),
    [(1, "CopterID 1, on a port of CopterID 2"), (7, "CopterID 7; served: CopterIDs 1 to 2")],
)
def test_a_packet_for_another_vehicle_is_told_with_both(reported, copter_id, told):
    (line,) = reported(("sil", struct.pack("<2i8i20f", 1234567897, copter_id, *[0] * 28)))
    expected = "pyrfly sim: vehicle 2: PX4SILIntFloat: dropped: for another vehicle, "
    assert line == expected + told


def test_messages_of_another_port_are_named(reported):
    settings = struct.pack("<2i4b4B4f2d", 1234567, 2, *[0] * 8, *[0.0] * 6)
    lines = reported(("command", settings), ("sil", GOOD), ("command", PARAMETERS))
    assert sorted(lines) == sorted(
        f"pyrfly sim: vehicle 2: {name}: dropped: not taken on this port"
        for name in ("reCopterSimMsg", "inOffboardShortData", "PX4ModelInParams")
    )


def test_every_kind_is_reported_once_and_a_frame_after_others_too(reported):
    lines = reported(
        ("command", b""), ("command", b"abc"), ("command", HEARTBEAT_2), ("sil", CAMERA)
    )
    assert len(lines) == 3
    assert ["MAVLink" in line for line in lines].count(True) == 1


def test_accepted_packets_are_not(reported):
    assert reported(("command", GOOD)) == []


@pytest.mark.parametrize(
    "data", [b"", b"\xfd", b"\xfd\x09", HEARTBEAT_2[:-1], HEARTBEAT_1[:-1], b"\x00" * 40]
)
def test_what_is_no_whole_frame_is_none(data):
    assert not is_mavlink(data)
