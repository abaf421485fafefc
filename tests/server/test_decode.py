"""What holds for packets of every kind."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly.server.orders import SetInputs, stream_of


@pytest.mark.parametrize(
    ("name", "layout", "checksum"),
    [
        ("PX4ModelInParams", "<iI32d", 1234567891),
        ("InitInParams", "<2i32d", 1234567892),
        ("PX4DynModiParams", "<2iQ64d", 1234567893),
        ("CoptReqData", "<2i16fd", 1234567891),
        ("Ue4Coll20d", "<2i20f", 1234567880),
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


@given(st.sampled_from(sorted(SENT)), st.data())
def test_whatever_the_bytes_every_packet_gets_one_verdict(received, name, data):
    """And an action holds no infinity, and a vehicle at most once."""
    size = SENT[name]
    packets = data.draw(st.lists(st.binary(min_size=size, max_size=size), min_size=1, max_size=4))
    found = received(name, *packets)
    assert len(found.verdicts) == len(found.orders.unknown_bits) == len(packets)
    ids = [i for action in found.orders.actions for i in action.ids.tolist()]
    assert len(set(ids)) == len(ids)
    assert {i - 1 for i in ids} <= {i for i, v in enumerate(found.verdicts) if v == "accepted"}
    for action in found.orders.actions:
        if isinstance(action, SetInputs):
            assert not np.isinf(action.floats).any()


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
