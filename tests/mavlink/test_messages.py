"""Definitions and frames of every message, byte for byte, against pymavlink and `struct`."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly.mavlink import MESSAGES, FrameWriter, blank, message_of, unpack
from pyrfly.mavlink.messages import MESSAGES_BY_ID

from .conftest import CLASSES, SHARED, ended, frame_of, more_fields, peer, random_records

# id, CRC_EXTRA, length without and with extensions of what pymavlink lacks [@mavlink-c common.h],
# and the format of the payload.
OTHERS = {
    "LINK_NODE_STATUS": (8, 117, 36, 36, "<Q5I3HBB"),
    "ESC_INFO": (290, 251, 46, 46, "<Q4IH4H4hBBBB"),
    "ESC_STATUS": (291, 10, 57, 57, "<Q4i4f4fB"),
    "PROTOCOL_VERSION": (300, 217, 22, 22, "<3H8B8B"),
    "COMPONENT_INFORMATION": (395, 0, 212, 212, "<3I100s100s"),
    "COMPONENT_METADATA": (397, 182, 108, 108, "<2I100s"),
    "EVENT": (410, 160, 53, 53, "<2IH3B40B"),
    "CURRENT_EVENT_SEQUENCE": (411, 106, 3, 3, "<HB"),
    "REQUEST_EVENT": (412, 33, 6, 6, "<HHBB"),
    "RESPONSE_EVENT_ERROR": (413, 77, 7, 7, "<HH3B"),
    "AVAILABLE_MODES": (435, 134, 46, 47, "<2I3B35sB"),
    "CURRENT_MODE": (436, 193, 9, 9, "<2IB"),
    "AVAILABLE_MODES_MONITOR": (437, 30, 1, 1, "<B"),
}

# Extensions that pymavlink lacks, as the C library has them [@mavlink-c].
EXTENSIONS = {
    "MISSION_ACK": (8, "<I"),
    "MISSION_COUNT": (9, "<I"),
    "MISSION_CURRENT": (18, "<III"),
    "SET_ATTITUDE_TARGET": (51, "<fff"),
    "TIMESYNC": (18, "<BB"),
}


def frames_by_us(name: str, records: np.ndarray) -> list[bytes]:
    """Return the frame of each record as if it were the first of its sender."""
    found = []
    for record in records:
        writer = FrameWriter([7], component_id=9)
        writer.add(name, record)
        ((_, frame),) = writer.take()
        found.append(bytes(frame))
    return found


def frames_by_pymavlink(name: str, records: np.ndarray) -> list[bytes]:
    return [frame_of(name, record, peer(7, 9)) for record in records]


def without(records: np.ndarray, fields: list[str]) -> np.ndarray:
    for field in fields:
        records[field] = 0
    return records


def test_the_table_is_complete() -> None:
    assert set(MESSAGES) == set(SHARED) | set(OTHERS)
    assert len(MESSAGES_BY_ID) == len(MESSAGES) > 80
    assert {name for name in SHARED if more_fields(name)} == set(EXTENSIONS)


@pytest.mark.parametrize("name", SHARED)
def test_definition_is_that_of_pymavlink(name: str) -> None:
    ours, theirs = MESSAGES[name], CLASSES[name]
    assert (ours.id, ours.crc_extra) == (theirs.id, theirs.crc_extra)
    more = more_fields(name)
    assert [field for field in ours.fields if field not in more] == list(theirs.fieldnames)
    ordered = [field for field in ours.dtype.names if field not in more]
    assert ordered == list(theirs.ordered_fieldnames)
    size = sum(ours.dtype[field].itemsize for field in ordered)
    assert size == theirs.unpacker.size
    assert ours.dtype.itemsize == EXTENSIONS.get(name, (size,))[0]


@pytest.mark.parametrize("name", OTHERS)
def test_definition_is_that_of_the_c_library(name: str) -> None:
    message = MESSAGES[name]
    id, crc_extra, minimum, size, layout = OTHERS[name]
    assert (message.id, message.crc_extra) == (id, crc_extra)
    assert (message.minimum_length, message.dtype.itemsize) == (minimum, size)
    assert struct.calcsize(layout) == size


@pytest.mark.parametrize("name", ["HIL_SENSOR", "ATTITUDE_QUATERNION", "HEARTBEAT"])
def test_minimum_length_has_no_extensions(name: str) -> None:
    # [@mavlink-c common.h]
    lengths = {"HIL_SENSOR": 64, "ATTITUDE_QUATERNION": 32, "HEARTBEAT": 9}
    assert MESSAGES[name].minimum_length == lengths[name]


@pytest.mark.parametrize("name", SHARED)
def test_frame_of_zeros_is_that_of_pymavlink(name: str) -> None:
    records = blank(name)
    assert frames_by_us(name, records) == frames_by_pymavlink(name, records)
    assert len(frames_by_us(name, records)[0]) == 13  # one byte of payload


@pytest.mark.parametrize("name", SHARED)
def test_frames_of_random_values_are_those_of_pymavlink(name: str) -> None:
    seed = MESSAGES[name].id
    print(f"seed {seed}")
    rng = np.random.default_rng(seed)
    records = without(random_records(name, 20, rng), more_fields(name))
    assert frames_by_us(name, records) == frames_by_pymavlink(name, records)


@pytest.mark.parametrize("name", SHARED)
def test_frames_with_zeros_at_the_end_are_those_of_pymavlink(name: str) -> None:
    seed = MESSAGES[name].id
    print(f"seed {seed}")
    rng = np.random.default_rng(seed)
    records = ended(without(random_records(name, 20, rng), more_fields(name)), rng)
    assert frames_by_us(name, records) == frames_by_pymavlink(name, records)


@pytest.mark.parametrize("extreme", ["lowest", "highest", "nan", "infinite"])
@pytest.mark.parametrize("name", SHARED)
def test_frames_of_extreme_values_are_those_of_pymavlink(name: str, extreme: str) -> None:
    records = blank(name)
    for field in MESSAGES[name].dtype.names:
        kind = records[field].dtype
        if kind.kind in "iu":
            limits = np.iinfo(kind)
            records[field] = limits.min if extreme == "lowest" else limits.max
        elif kind.kind == "f":
            limits = np.finfo(kind)
            records[field] = {
                "lowest": limits.min,
                "highest": limits.max,
                "nan": np.nan,
                "infinite": -np.inf,
            }[extreme]
        else:
            records[field] = b"" if extreme == "lowest" else b"\xff" * kind.itemsize
    records = without(records, more_fields(name))
    assert frames_by_us(name, records) == frames_by_pymavlink(name, records)


@pytest.mark.parametrize("name", OTHERS)
def test_frames_of_other_messages_are_those_of_struct(name: str) -> None:
    id, crc_extra, _, _, layout = OTHERS[name]
    print(f"seed {id}")
    for record in random_records(name, 10, np.random.default_rng(id)):
        values = []
        for field in record.dtype.names:
            value = record[field]
            values += value.tolist() if isinstance(value, np.ndarray) else [value]
        payload = struct.pack(layout, *values).rstrip(b"\0") or b"\0"
        head = struct.pack("<BBBBBBHB", len(payload), 0, 0, 0, 7, 9, id & 0xFFFF, id >> 16)
        crc = common.x25crc(head + payload + bytes([crc_extra])).crc
        expected = b"\xfd" + head + payload + struct.pack("<H", crc)
        assert frames_by_us(name, np.array([record])) == [expected]


@pytest.mark.parametrize("name", EXTENSIONS)
def test_further_extensions_are_at_the_end(name: str) -> None:
    size, layout = EXTENSIONS[name]
    fields = more_fields(name)
    record = blank(name)
    for i, field in enumerate(fields):
        record[field] = np.arange(1, 1 + record[field].size) + i
    numbers = np.concatenate([np.ravel(record[field][0]) for field in fields]).tolist()
    assert record.tobytes()[-struct.calcsize(layout) :] == struct.pack(layout, *numbers)
    assert len(record.tobytes()) == size


def test_every_payload_fits_a_frame() -> None:
    assert all(0 < m.dtype.itemsize <= 255 for m in MESSAGES.values())


def test_records_are_blank() -> None:
    assert blank("ODOMETRY", 3).shape == (3,)
    assert not any(blank("ODOMETRY", 3).tobytes())


def test_an_unknown_name_is_told_its_neighbours() -> None:
    with pytest.raises(ValueError, match=r"such as .*HEARTBEAT.*got 'HEARTBEET'"):
        message_of("HEARTBEET")


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_unpacking_reverses_packing(name: str) -> None:
    seed = MESSAGES[name].id
    print(f"seed {seed}")
    rng = np.random.default_rng(seed)
    records = ended(random_records(name, 10, rng), rng)
    payloads = [record.tobytes().rstrip(b"\0") for record in records]
    assert unpack(name, payloads).tobytes() == records.tobytes()
    assert MESSAGES[name].record(payloads[0]).tobytes() == records[0].tobytes()


def test_unpacking_cuts_what_is_longer_than_the_definition() -> None:
    payload = bytes(range(1, 200))
    assert unpack("PING", [payload]).tobytes() == payload[:14]


def test_unpacking_of_nothing_is_empty() -> None:
    assert unpack("PING", []).shape == (0,)
    assert unpack("PING", [b""]).tobytes() == bytes(14)
