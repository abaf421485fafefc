"""Identification of packets by port, length and checksum; untrusted bytes."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly import wire

# Port, packet and its structure; packed with the published formats.
PACKETS = [
    ("command", struct.pack("<2i4f", 1234567890, 2, 1, 2, 3, 4), "inOffboardShortData"),
    ("command", struct.pack("<2i4I16f32x", 3, 80, 5, 1, 0, 1, *range(16)), "inHILCMDData"),
    ("command", struct.pack("<2i", 987654321, 5), "reboot"),
    ("sil", struct.pack("<10i20f", 1234567897, 1, *range(28)), "PX4SILIntFloat"),
    ("sil", struct.pack("<2i28d", 1234567897, 1, *range(28)), "DllInDoubCtrls"),
    *(
        ("sil", struct.pack("<10i20f", 1234567800 + late + n, 1, *range(28)), f"inCtrlExt{n}")
        for n in range(1, 6)
        for late in (0, 100)
    ),
    *(
        ("sil", struct.pack("<2i28d", 1234567800 + late + n, 1, *range(28)), f"inCtrlExtDoub{n}")
        for n in range(1, 6)
        for late in (0, 100)
    ),
    ("sil", struct.pack("<iI32d", 1234567891, 2**32 - 1, *range(32)), "PX4ModelInParams"),
    ("sil", struct.pack("<ii32d", 1234567892, 1, *range(32)), "InitInParams"),
    ("sil", struct.pack("<ii32d", 1234567899, 1, *range(32)), "UEToCopterDataD"),
    ("sil", struct.pack("<iiQ64d", 1234567893, 1, 2**64 - 1, *range(64)), "PX4DynModiParams"),
    ("sil", struct.pack("<ii13f", 1234567890, 1, *range(13)), "Ue4RayTraceDrone"),
    ("sil", struct.pack("<ii20f", 1234567880, 1, *range(20)), "Ue4Coll20d"),
    ("sil", struct.pack("<ii20f", 1234567881, 1, *range(20)), "TerrainIn15d"),
    (
        "sil",
        struct.pack("<4H4B6f", 12345, 1, 200, 31000, 127, 0, 0, 1, *[0] * 6),
        "imuReqCopterSim",
    ),
    ("sil", struct.pack("<2i2I16f", 1234567896, 1, 0, 0, *range(16)), "PX4UorbRflyCtrl"),
    ("sil", struct.pack("<2i", 123450, 91), "Ue4Req"),
    ("state", struct.pack("<2i2I14i12f", -1, 112, *range(28)), "outHILStateData"),
    ("state", struct.pack("<2i2I14i12f", 7, 112, *range(28)), "outHILStateData"),
    ("state", struct.pack("<4i9f", 1234567890, *range(12)), "outHILStateShort"),
    ("state", struct.pack("<4i9f", 1234567891, *range(12)), "outHILStateShort"),
    ("state", struct.pack("<4i9f", 1234567892, *range(12)), "outHILStateShort"),
    ("truth", struct.pack("<4i24f7d", 123456789, *range(34)), "SOut2Simulator"),
    ("truth", struct.pack("<6i14f4d", 1234567891, *range(23)), "SOut2SimulatorSimpleTime"),
    ("truth", struct.pack("<4id27f4x3d40x", -1, 152, *range(33)), "netDataShort"),
    ("truth", struct.pack("<ii32d", 1234567890, 1, *range(32)), "outCopterStruct"),
    ("truth", struct.pack("<ii3d", 1234567890, 1, 40.0, 116.0, 50.0), "Ue4CMDGPS"),
    ("truth", struct.pack("<3i", 1234567890, 1, 2), "CopterSimCrash"),
    ("px4ext", struct.pack("<iid8f", 1234567898, 1, 0.5, *range(8)), "PX4ExtMsg"),
    ("heartbeat", struct.pack("<2i3q", 123456789, 1, 10, 20, 30), "RflyTimeStmp"),
    ("start", struct.pack("<3i", 1234567890, 1, 1), "startSignal"),
    ("config", struct.pack("<2i4b4x4f2d", 1234567, 1, 1, 0, 0, -1, *range(6)), "reCopterSimMsg"),
    ("config", struct.pack("<4i48s", 1234567895, 1, 2, 3, b"Grasslands"), "CptSimCMD"),
    ("custom", struct.pack("<ii16d", 123456, 1, *range(16)), "CustomData"),
    ("imu", struct.pack("<2id6f", 1234567898, 1, 0.5, *range(6)), "imuDataCopter"),
    ("display", struct.pack("<i52s", 1234567890, b"RflyReqVehicleData 1"), "Ue4CMD"),
    ("display", struct.pack("<i252s", 1234567890, b"RflyReqVehicleData 1"), "Ue4CMDLong"),
    ("display", struct.pack("<2i17d", 1234567894, 1, *range(17)), "Ue4ExtMsg"),
    ("scene", struct.pack("<4id29f20s", 1234567897, *range(33), b"Wall"), "reqVeCrashData"),
    ("scene", struct.pack("<2i16fd", 1234567891, *range(18)), "CoptReqData"),
    ("scene", struct.pack("<2i12fd", 1234567891, *range(14)), "CoptReqDataOld"),
    ("scene", struct.pack("<2i16fd32s", 1234567891, *range(18), b"Tree"), "ObjReqData"),
    ("scene", struct.pack("<2i12fd32s", 1234567891, *range(14), b"Tree"), "ObjReqDataOld"),
    ("scene", struct.pack("<5i11fd", 1234567891, *range(16)), "CameraData"),
    ("scene", struct.pack("<5i7fd", 1234567891, *range(12)), "CameraDataOld"),
    ("cluster", struct.pack("<2i2H8Bi2Q32s", 12345678, *range(14), b"host"), "distSimNode"),
]

every_packet = pytest.mark.parametrize(
    ("port", "packet", "name"), PACKETS, ids=[f"{port}-{name}" for port, _, name in PACKETS]
)
PORTS = sorted({port for port, _, _ in PACKETS})


def outcome(port: str, packet: bytes) -> wire.Parsed | str:
    """Return the parsed structure, or the reason of the rejection."""
    try:
        return wire.parse(port, packet)
    except wire.Rejected as rejected:
        return rejected.reason


def is_whole(found: wire.Parsed | str, packet: bytes) -> bool:
    """Return whether a packet was rejected for a known reason, or kept byte for byte."""
    if isinstance(found, str):
        return found in ("length", "checksum")
    return found.record.tobytes() == packet


def test_every_structure_that_is_sent_can_be_parsed() -> None:
    sent = {name for name, layout in wire.LAYOUTS.items() if layout.port_kind != "model"}
    assert {name for _, _, name in PACKETS} == sent


@every_packet
def test_a_packet_is_recognised(port: str, packet: bytes, name: str) -> None:
    parsed = wire.parse(port, packet)
    assert parsed.name == name
    assert parsed.record.dtype == wire.dtype(name)
    assert parsed.record.tobytes() == packet
    assert wire.LAYOUTS[name].port_kind == port


@every_packet
def test_a_wrong_checksum_is_told(port: str, packet: bytes, name: str) -> None:
    assert outcome(port, bytes(8) + packet[8:]) == "checksum"
    assert outcome(port, b"\xff" * 8 + packet[8:]) == "checksum"


@every_packet
def test_a_byte_more_or_less_is_told(port: str, packet: bytes, name: str) -> None:
    assert outcome(port, packet[:-1]) == "length"
    assert outcome(port, packet + b"\0") == "length"


@pytest.mark.parametrize(
    ("name", "port"),
    [
        ("PX4SILIntFloat", "scene"),
        ("Ue4RayTraceDrone", "scene"),
        ("PX4UorbRflyCtrl", "topic"),
        ("reCopterSimMsg", "sil"),
        ("CptSimCMD", "sil"),
    ],
)
def test_some_structures_go_to_another_port_too(name: str, port: str) -> None:
    (packet,) = [packet for _, packet, known in PACKETS if known == name]
    assert wire.parse(port, packet).name == name


def test_equal_bytes_mean_what_their_port_says() -> None:
    packet = struct.pack("<ii32d", 1234567890, 1, *range(32))
    assert wire.parse("truth", packet).name == "outCopterStruct"
    assert outcome("sil", packet) == "checksum"
    assert outcome("command", packet) == "length"


def test_a_set_point_needs_its_whole_header() -> None:
    for header in ((3, 112), (2, 80), (-1, 80)):
        packet = struct.pack("<2i112x", *header)
        assert outcome("command", packet) == "checksum"


def test_fields_have_the_values_sent() -> None:
    packet = struct.pack("<2i4I16f32x", 3, 80, 1500, 7, 0b1111, 1, *range(16))
    record = wire.parse("command", packet).record
    assert int(record["time_boot_ms"]) == 1500
    assert (int(record["copterID"]), int(record["modes"]), int(record["flags"])) == (7, 15, 1)
    assert record["ctrls"].tolist() == list(range(16))


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_records_keep_nothing_of_the_buffer(kind: type) -> None:
    packet = struct.pack("<2i4f", 1234567890, 2, 1, 2, 3, 4)
    buffer = bytearray(packet)
    record = wire.parse("command", kind(buffer)).record
    buffer[:] = bytes(24)
    assert record["ctrls"].tolist() == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="read-only"):
        record["ctrls"][:] = 0


def test_a_part_of_a_larger_buffer_is_parsed() -> None:
    buffer = bytearray(2048)
    struct.pack_into("<2i4f", buffer, 0, 1234567890, 2, 1, 2, 3, 4)
    assert wire.parse("command", memoryview(buffer)[:24]).name == "inOffboardShortData"


@given(port=st.sampled_from(PORTS), packet=st.binary(max_size=600))
def test_any_bytes_are_parsed_or_rejected(port: str, packet: bytes) -> None:
    assert is_whole(outcome(port, packet), packet)


@given(
    port=st.sampled_from(PORTS),
    known=st.sampled_from([packet for _, packet, _ in PACKETS]),
    kept=st.sampled_from([0, 4, 8]),
    data=st.data(),
)
def test_any_bytes_of_a_known_length_are_parsed_or_rejected(
    port: str, known: bytes, kept: int, data: st.DataObject
) -> None:
    size = len(known) - kept
    packet = known[:kept] + data.draw(st.binary(min_size=size, max_size=size))
    assert is_whole(outcome(port, packet), packet)


def test_not_a_number_goes_through() -> None:
    packet = struct.pack("<2i4f", 1234567890, 0, np.nan, np.inf, -np.inf, 1e-45)
    assert np.isnan(wire.parse("command", packet).record["ctrls"][0])


@pytest.mark.parametrize("port", ["", "20100", "model", "Command"])
def test_an_unknown_port_is_named_in_the_error(port: str) -> None:
    with pytest.raises(ValueError, match=f"port: expected one of .*sil.*, got '{port}'"):
        wire.parse(port, bytes(24))
