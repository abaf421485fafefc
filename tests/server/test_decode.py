"""What holds for packets of every kind."""

from __future__ import annotations

import struct

import pytest

from pyrfly.server.orders import stream_of


@pytest.mark.parametrize(
    ("name", "layout", "checksum"),
    [
        ("CoptReqData", "<2i16fd", 1234567891),
        ("ObjReqData", "<2i16fd32s", 1234567891),
    ],
)
def test_what_has_no_effect_is_counted_as_unsupported(received, name, layout, checksum):
    packet = struct.pack("<i", checksum) + bytes(struct.calcsize(layout) - 4)
    assert received(name, packet).is_dropped("unsupported")


SENT = {
    "inOffboardShortData": 24,
    "inHILCMDData": 120,
    "PX4SILIntFloat": 120,
    "DllInDoubCtrls": 232,
    "TerrainIn15d": 88,
    "inCtrlExt1": 120,
    "inCtrlExtDoub1": 232,
    "reboot": 8,
    "Ue4RayTraceDrone": 60,
    "PX4UorbRflyCtrl": 80,
    "Ue4Req": 8,
}


@pytest.mark.parametrize(
    ("name", "head", "is_stream"),
    [
        ("inHILCMDData", (3, 80, 0, 1, 0xFF8, 1), True),
        ("inOffboardShortData", (1234567890, 0), True),
        ("inOffboardShortData", (1234567890, 13), True),
        ("inOffboardShortData", (1234567890, 9), False),
        ("inOffboardShortData", (1234567890, 12), False),
        ("PX4SILIntFloat", (1234567897, 1, 0, 1), True),
        ("PX4SILIntFloat", (1234567897, 1, 7, 1), False),
        ("TerrainIn15d", (1234567881, 1), True),
        ("Ue4RayTraceDrone", (1234567890, 2), True),
        ("inCtrlExt1", (1234567801, 1), True),
        ("reboot", (987654321, 0), False),
    ],
)
def test_set_points_and_levels_are_streams_and_commands_are_not(received, name, head, is_stream):
    packet = struct.pack(f"<{len(head)}i", *head).ljust(SENT[name], b"\0")
    assert (stream_of(received(name, packet).only) > 0).tolist() == [is_stream]


def test_no_two_additional_inputs_are_one_stream(received):
    packets = [struct.pack("<2i", 1234567800 + n, 1).ljust(120, b"\0") for n in (1, 2)]
    ground = received("TerrainIn15d", struct.pack("<2i", 1234567881, 1).ljust(88, b"\0")).only
    first, second = (received(f"inCtrlExt{n}", data).only for n, data in enumerate(packets, 1))
    assert len({int(stream_of(action)[0]) for action in (ground, first, second)}) == 3
