"""Frames in streams and datagrams of any bytes; pymavlink makes the frames and reads the fields."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymavlink.dialects.v20 import common

from pyrfly.mavlink import MESSAGES, Frame, FrameParser, FrameWriter, blank
from pyrfly.mavlink.parser import Counts

from .conftest import CLASSES, SHARED, frame_of, more_fields, peer, random_records, values_of

NAMES = ["HEARTBEAT", "HIL_ACTUATOR_CONTROLS", "COMMAND_LONG", "PARAM_SET", "STATUSTEXT", "PING"]


def frames(n: int, seed: int = 0, version: int = 2) -> list[bytes]:
    """Return frames of one sender."""
    rng = np.random.default_rng(seed)
    sender = peer(5, 6)
    found = []
    for i in range(n):
        name = NAMES[rng.integers(len(NAMES))]
        (record,) = random_records(name, 1, rng)
        sender.seq = i % 256
        message = CLASSES[name](*values_of(name, record))
        found.append(bytes(message.pack(sender, force_mavlink1=version == 1)))
    return found


def raws(received: list[Frame]) -> list[bytes]:
    return [frame.raw for frame in received]


def unknown_frame(payload: bytes = b"\x01\x02") -> bytes:
    """Return a frame of a message that nobody knows."""
    head = bytes([0xFD, len(payload), 0, 0, 0, 5, 6]) + (77777).to_bytes(3, "little")
    return head + payload + b"\xaa\xbb"


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("step", [1, 2, 7, 64, 300, 10_000])
def test_stream_is_split_anywhere(version: int, step: int) -> None:
    sent = frames(60, version=version)
    stream = b"".join(sent)
    parser = FrameParser()
    received = []
    for begin in range(0, len(stream), step):
        received += parser.feed(stream[begin : begin + step])
    assert raws(received) == sent
    assert parser.counts == Counts(frames=60)


def test_header_is_that_of_the_sender() -> None:
    received = FrameParser().feed(b"".join(frames(3)) + frames(1, version=1)[0])
    assert {(f.system_id, f.component_id, f.known) for f in received} == {(5, 6, True)}
    assert [f.sequence for f in received] == [0, 1, 2, 0]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("name", SHARED)
def test_fields_are_those_of_pymavlink(name: str, version: int) -> None:
    seed = MESSAGES[name].id
    if version == 1 and seed > 255:
        pytest.skip("MAVLink 1 has 256 messages")
    print(f"seed {seed}")
    (record,) = random_records(name, 1, np.random.default_rng(seed))
    for field in more_fields(name):
        record[field] = 0
    raw = CLASSES[name](*values_of(name, record)).pack(peer(), force_mavlink1=version == 1)
    (frame,) = FrameParser().feed(raw)
    assert (frame.name, frame.message_id) == (name, seed)
    assert frame.record().tobytes() == record.tobytes()
    message = frame.message()
    assert message.get_type() == name
    for field in message.fieldnames:
        expected = record[field]
        if isinstance(expected, bytes):
            expected = expected.split(b"\0")[0].decode("ascii", errors="replace")
            assert getattr(message, field).rstrip("\0") == expected
        else:
            np.testing.assert_array_equal(getattr(message, field), expected)


def test_a_message_of_pymavlink_alone_is_decoded() -> None:
    raw = common.MAVLink_raw_pressure_message(1, 2, 3, 4, 5).pack(peer())
    (frame,) = FrameParser().feed(raw)
    assert (frame.name, frame.known, frame.message().temperature) == ("RAW_PRESSURE", True, 5)
    with pytest.raises(ValueError, match="expected a message"):
        frame.record()


def test_a_message_of_the_table_alone_is_read() -> None:
    writer = FrameWriter([1])
    record = blank("CURRENT_MODE")
    record["custom_mode"] = 0x4030000
    writer.add("CURRENT_MODE", record)
    ((_, raw),) = writer.take()
    (frame,) = FrameParser().feed(raw)
    assert (frame.name, frame.known) == ("CURRENT_MODE", True)
    assert int(frame.record()["custom_mode"]) == 0x4030000
    assert frame.message().get_type() == "UNKNOWN_436"


def test_an_unknown_message_is_passed_on() -> None:
    sent = [unknown_frame(), *frames(2), unknown_frame(b"")]
    parser = FrameParser(datagrams=True)
    received = parser.feed(b"".join(sent))
    assert raws(received) == sent
    assert [f.known for f in received] == [False, True, True, False]
    assert received[0].name == "UNKNOWN_77777"
    assert received[0].message().get_type() == "UNKNOWN_77777"
    assert parser.counts.unknown == 2


def test_an_unknown_message_of_a_stream_waits_for_the_next_byte() -> None:
    parser = FrameParser()
    assert parser.feed(unknown_frame()) == []
    assert raws(parser.feed(b"\xfd")) == [unknown_frame()]


def test_an_unknown_frame_amid_other_bytes_is_none() -> None:
    parser = FrameParser()
    assert parser.feed(unknown_frame() + b"xyz") == []
    assert parser.counts.skipped_bytes == len(unknown_frame()) + 3


@pytest.mark.parametrize("datagrams", [False, True])
def test_frames_among_other_bytes_are_found(datagrams: bool) -> None:
    sent = frames(40)
    noise = [b"", b"\xfd", b"\xfe\xff", b"\xfd\xff\x02", bytes(range(200)), b"\xfd" * 30]
    parser = FrameParser(datagrams=datagrams)
    stream = b"".join(noise[i % len(noise)] + frame for i, frame in enumerate(sent))
    received = parser.feed(stream + bytes(300))
    assert raws(received) == sent
    assert parser.counts.skipped_bytes == len(stream) + 300 - sum(map(len, sent))


def test_a_wrong_byte_costs_its_own_frame_only() -> None:
    sent = frames(30)
    stream = bytearray(b"".join(sent))
    begin = len(b"".join(sent[:10]))
    stream[begin + 11] ^= 0x40
    parser = FrameParser()
    assert raws(parser.feed(stream)) == sent[:10] + sent[11:]
    assert parser.counts.lost == 1
    assert parser.lost == {(5, 6): 1}
    assert parser.counts.bad_checksums >= 1
    assert parser.counts.skipped_bytes == len(sent[10])


def test_a_frame_that_never_ends_is_given_up() -> None:
    parser = FrameParser()
    assert parser.feed(b"\xfd\xff\x00\x00\x00\x01\x01\x00\x00\x00") == []
    received = []
    for frame in frames(30):
        received += parser.feed(frame)
    assert raws(received) == frames(30)


def test_incomplete_frame_of_a_datagram_does_not_wait() -> None:
    first, second = frames(2)
    parser = FrameParser(datagrams=True)
    assert parser.feed(first[:-1]) == []
    assert raws(parser.feed(second)) == [second]
    assert parser.counts.skipped_bytes == len(first) - 1


def test_flags_that_are_not_understood_are_refused() -> None:
    (frame,) = frames(1)
    changed = frame[:2] + b"\x02" + frame[3:]
    parser = FrameParser()
    assert parser.feed(changed) == []


@pytest.mark.parametrize(
    ("sequences", "lost"),
    [
        ([0, 1, 2], 0),
        ([250, 255, 0], 4),
        ([254, 255, 0, 1], 0),
        ([10, 13], 2),
        ([10, 10], 0),  # twice
        ([10, 9], 0),  # late
        ([200, 0], 55),
        ([100, 0, 1], 0),  # a sender that started anew
    ],
)
def test_missing_frames_are_counted(sequences: list[int], lost: int) -> None:
    parser = FrameParser()
    other = peer(9, 1, 77)
    for sequence in sequences:
        parser.feed(frame_of("PING", blank("PING")[0], peer(1, 1, sequence)))
        parser.feed(frame_of("PING", blank("PING")[0], other))
        other.seq += 1
    assert parser.counts.lost == lost
    assert parser.lost[(1, 1)] == lost
    assert parser.lost[(9, 1)] == 0


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_kind_of_bytes_is_accepted(kind: type) -> None:
    (frame,) = frames(1)
    parser = FrameParser()
    assert parser.feed(kind(frame[:5])) == []
    data = bytearray(frame[5:])
    received = parser.feed(kind(data))
    data[:] = bytes(len(data))  # the caller may use its buffer again
    assert raws(received) == [frame]


SOME = b"".join(frames(6)) + frames(1, version=1)[0] + unknown_frame()
PIECES = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([b"\xfd", b"\xfe", b"\xfd\xff\x00", *frames(6), unknown_frame()]),
    st.integers(0, len(SOME)).flatmap(lambda i: st.integers(i, len(SOME)).map(lambda j: SOME[i:j])),
)


@given(st.lists(PIECES, max_size=12), st.booleans(), st.booleans())
def test_no_bytes_are_an_error(pieces: list[bytes], datagrams: bool, signed: bool) -> None:
    parser = FrameParser(bytes(32) if signed else None, datagrams=datagrams)
    total = 0
    for piece in pieces:
        for frame in parser.feed(piece):
            total += len(frame.raw)
            assert frame.raw in b"".join(pieces)
            assert frame.message() is not None
            assert len(frame.payload) == frame.raw[1]
            if frame.name in MESSAGES:
                frame.record()
    rest = sum(map(len, pieces)) - total - parser.counts.skipped_bytes
    dropped = parser.counts.unsigned + parser.counts.bad_signatures
    assert 0 <= rest < 280 * (1 + dropped)
    if datagrams and not signed:
        assert rest == 0


@given(st.lists(PIECES, max_size=12), st.integers(1, 50))
def test_a_stream_gives_the_same_frames_however_it_is_cut(pieces: list[bytes], step: int) -> None:
    stream = b"".join(pieces)
    whole, cut = FrameParser(), FrameParser()
    at_once = whole.feed(stream)
    received = []
    for begin in range(0, len(stream), step):
        received += cut.feed(stream[begin : begin + step])
    assert received == at_once
    assert cut.counts == whole.counts


@given(st.integers(0, 0xFFFFFF), st.binary(max_size=255))
def test_a_right_checksum_of_any_payload_is_decoded(number: int, payload: bytes) -> None:
    """A sender may know a longer or a shorter message of that number."""
    ids = sorted(common.mavlink_map)
    message_id = ids[number % len(ids)]
    head = bytes([len(payload), 0, 0, 0, 1, 1]) + message_id.to_bytes(3, "little")
    extra = bytes([common.mavlink_map[message_id].crc_extra])
    crc = common.x25crc(head + payload + extra).crc.to_bytes(2, "little")
    (frame,) = FrameParser().feed(b"\xfd" + head + payload + crc)
    assert frame.known
    assert frame.message().get_msgId() == message_id
