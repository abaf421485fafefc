"""Signatures: ours checked by pymavlink, those of pymavlink checked here."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly.mavlink import FrameParser, FrameWriter, blank
from pyrfly.mavlink.signing import timestamp_now

from .conftest import frame_of, peer, random_records

KEY = bytes(range(32))
OTHER = bytes(32)


def signer(timestamp: int | None = None, key: bytes = KEY, link_id: int = 3) -> common.MAVLink:
    """Return a sender of pymavlink that signs."""
    sender = peer(1, 1)
    sender.signing.secret_key = key
    sender.signing.link_id = link_id
    sender.signing.timestamp = timestamp_now() if timestamp is None else timestamp
    sender.signing.sign_outgoing = True
    return sender


def receiver(key: bytes = KEY) -> common.MAVLink:
    """Return a receiver of pymavlink that checks."""
    found = common.MAVLink(None)
    found.robust_parsing = True
    found.signing.secret_key = key
    return found


def ping(sender: common.MAVLink) -> bytes:
    return frame_of("PING", blank("PING")[0], sender)


def test_pymavlink_accepts_our_signatures() -> None:
    writer = FrameWriter([1, 2], key=KEY, link_id=200)
    rng = np.random.default_rng(1)
    for name in ("HEARTBEAT", "ODOMETRY", "COMMAND_LONG"):
        writer.add(name, random_records(name, 2, rng))
    stream = receiver()
    messages = [m for _, data in writer.take() for m in stream.parse_buffer(bytes(data))]
    assert [m.get_type() for m in messages] == ["HEARTBEAT", "ODOMETRY", "COMMAND_LONG"] * 2
    assert all(m.get_signed() and m.get_link_id() == 200 for m in messages)
    assert stream.signing.badsig_count == 0


def test_pymavlink_refuses_our_signatures_with_another_key() -> None:
    writer = FrameWriter([1], key=OTHER)
    writer.add("PING", blank("PING"))
    ((_, data),) = writer.take()
    (message,) = receiver().parse_buffer(bytes(data))
    assert message.get_type() == "BAD_DATA"


def test_frames_that_pymavlink_signed_are_accepted() -> None:
    parser, sender = FrameParser(KEY), signer()
    sent = [ping(sender) for _ in range(5)]
    assert [f.raw for f in parser.feed(b"".join(sent))] == sent
    assert parser.counts.bad_signatures == 0


def test_signed_frames_are_accepted_without_a_key() -> None:
    (frame,) = FrameParser().feed(ping(signer()))
    assert (frame.name, frame.message().get_type(), len(frame.payload)) == ("PING", "PING", 1)


@pytest.mark.parametrize("version", [1, 2])
def test_unsigned_frames_are_dropped(version: int) -> None:
    parser = FrameParser(KEY)
    message = common.MAVLink_heartbeat_message(2, 12, 0, 0, 0, 3)
    assert parser.feed(message.pack(peer(), force_mavlink1=version == 1)) == []
    assert (parser.counts.unsigned, parser.counts.frames) == (1, 0)


def test_a_wrong_key_is_noticed() -> None:
    parser = FrameParser(KEY)
    assert parser.feed(ping(signer(key=OTHER))) == []
    assert parser.counts.bad_signatures == 1


def test_every_byte_of_a_signature_matters() -> None:
    frame = ping(signer())
    for place in range(len(frame) - 13, len(frame)):
        changed = bytearray(frame)
        changed[place] ^= 1
        parser = FrameParser(KEY)
        assert parser.feed(changed) == []
        assert parser.counts.bad_signatures == 1


def test_a_recorded_frame_is_not_accepted_again() -> None:
    parser, sender = FrameParser(KEY), signer()
    first, second = ping(sender), ping(sender)
    assert len(parser.feed(first + second)) == 2
    assert parser.feed(first) == []
    assert parser.feed(second) == []
    assert len(parser.feed(ping(sender))) == 1
    assert parser.counts.bad_signatures == 2


def test_links_and_senders_have_times_of_their_own() -> None:
    parser, now = FrameParser(KEY), timestamp_now()
    for link_id in (1, 2):
        for system_id in (1, 2):
            sender = signer(now, link_id=link_id)
            sender.srcSystem = system_id
            assert len(parser.feed(ping(sender))) == 1


@pytest.mark.parametrize(("age", "accepted"), [(50, 1), (70, 0)])
def test_a_new_sender_may_be_a_minute_behind(age: int, accepted: int) -> None:
    parser = FrameParser(KEY)
    assert len(parser.feed(ping(signer(timestamp_now() - age * 100_000)))) == accepted


def test_a_new_sender_may_be_a_minute_behind_another() -> None:
    parser, later = FrameParser(KEY), timestamp_now() + 300 * 100_000
    assert len(parser.feed(ping(signer(later, link_id=1)))) == 1
    assert len(parser.feed(ping(signer(later - 50 * 100_000, link_id=2)))) == 1
    assert len(parser.feed(ping(signer(later - 70 * 100_000, link_id=3)))) == 0


def test_a_forged_frame_changes_no_time() -> None:
    parser, now = FrameParser(KEY), timestamp_now()
    assert parser.feed(ping(signer(now + 10**9, key=OTHER))) == []
    assert len(parser.feed(ping(signer(now)))) == 1


def test_times_of_our_frames_grow() -> None:
    writer = FrameWriter([1, 2], key=KEY)
    for _ in range(3):
        writer.add("PING", blank("PING"), rows=np.zeros(1000, int))
    frames = [data for _, data in writer.take()]
    stamps = [f.raw[-12:-6] for data in frames for f in FrameParser().feed(data)]
    numbers = [int.from_bytes(stamp, "little") for stamp in stamps]
    assert len(numbers) == 3000
    assert (np.diff(numbers) > 0).all()
    assert abs(numbers[0] - timestamp_now()) < 60 * 100_000


def test_hash_covers_key_and_frame() -> None:
    writer = FrameWriter([9], component_id=8, key=KEY, link_id=7)
    writer.add("PING", blank("PING"))
    ((_, data),) = writer.take()
    frame = bytes(data)
    assert frame[2] == 1
    assert frame[-13] == 7
    assert frame[-6:] == hashlib.sha256(KEY + frame[:-6]).digest()[:6]


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33), "x" * 32, 5])
def test_a_key_has_32_bytes(key: object) -> None:
    with pytest.raises(ValueError, match="key: expected 32 bytes, got"):
        FrameWriter([1], key=key)
    with pytest.raises(ValueError, match="key: expected 32 bytes, got"):
        FrameParser(key)
