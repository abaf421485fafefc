"""Sequences, order and datagrams of many senders, against pymavlink's parser."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymavlink.dialects.v20 import common

from pyrfly import _core
from pyrfly.mavlink import DATAGRAM_LIMIT, MESSAGES, Datagrams, FrameWriter, blank

from .conftest import frame_of, peer, random_records


def parsed(data: bytes) -> list[common.MAVLink_message]:
    """Return the messages in whole frames; a bad one raises."""
    return common.MAVLink(None).parse_buffer(bytes(data)) or []


def by_row(datagrams: Datagrams) -> dict[int, bytes]:
    """Return the bytes of each sender."""
    found: dict[int, bytes] = defaultdict(bytes)
    for row, datagram in datagrams:
        found[row] += bytes(datagram)
    return found


def numbered(n: int, first: int = 0) -> np.ndarray:
    records = blank("PING", n)
    records["seq"] = np.arange(first, first + n)
    return records


def test_each_sender_counts_its_own_frames() -> None:
    writer = FrameWriter([3, 4, 5])
    writer.add("PING", numbered(3))
    writer.add("PING", numbered(2), rows=[2, 2])
    frames = {row: parsed(data) for row, data in by_row(writer.take()).items()}
    assert [[m.get_seq() for m in frames[row]] for row in range(3)] == [[0], [0], [0, 1, 2]]
    assert [m.get_srcSystem() for m in frames[2]] == [5, 5, 5]
    writer.add("PING", numbered(1), rows=[2])
    ((_, frame),) = writer.take()
    assert parsed(frame)[0].get_seq() == 3


def test_sequence_begins_anew_after_255() -> None:
    writer = FrameWriter([1])
    writer.add("PING", numbered(300), rows=np.zeros(300, int))
    messages = parsed(by_row(writer.take())[0])
    assert [m.get_seq() for m in messages] == [i % 256 for i in range(300)]
    assert [m.seq for m in messages] == list(range(300))


def test_frames_are_those_of_pymavlink_with_its_sequence() -> None:
    rng = np.random.default_rng(3)
    names = ("ATTITUDE", "HIL_SENSOR", "STATUSTEXT", "ODOMETRY")
    writer = FrameWriter([200], component_id=42)
    sender = peer(200, 42)
    expected = b""
    for name in names:
        (record,) = random_records(name, 1, rng)
        writer.add(name, record)
        expected += frame_of(name, record, sender)
        sender.seq += 1
    assert by_row(writer.take())[0] == expected


def test_one_record_serves_all_senders() -> None:
    writer = FrameWriter([1, 2, 3])
    for record in (numbered(1), numbered(1)[0]):
        writer.add("PING", record)
        assert len(writer.take()) == 3


def test_datagrams_are_short_and_have_whole_frames() -> None:
    writer = FrameWriter([1, 2])
    rng = np.random.default_rng(5)
    sent = []
    for _ in range(20):
        records = random_records("ODOMETRY", 2, rng)
        records["quality"] = 1
        writer.add("ODOMETRY", records)
        sent.append(records)
    taken = writer.take()
    assert (taken.lengths <= DATAGRAM_LIMIT).all()
    # 20 frames of 245 bytes: five fit
    assert taken.rows.tolist() == [0] * 4 + [1] * 4
    assert taken.lengths.tolist() == [5 * 245] * 8
    for row in (0, 1):
        messages = [m for r, data in taken if r == row for m in parsed(data)]
        times = [int(records["time_usec"][row]) for records in sent]
        assert [m.time_usec for m in messages] == times


def test_taken_frames_are_forgotten() -> None:
    writer = FrameWriter([1])
    assert (writer.waiting, len(writer.take())) == (0, 0)
    writer.add("PING", numbered(1))
    assert writer.waiting == 13  # all fields are zero: one byte is left
    assert len(writer.take()) == 1
    assert (writer.waiting, len(writer.take())) == (0, 0)


def test_datagrams_are_independent_of_what_is_added_later() -> None:
    writer = FrameWriter([1])
    rows = np.array([0], np.int32)
    writer.add("PING", numbered(1, 7), rows)
    rows[0] = 99  # the caller may use its array again
    taken = writer.take()
    before = taken.data.tobytes()
    writer.add("PING", numbered(1, 8))
    writer.take()
    assert taken.data.tobytes() == before
    assert taken.rows.tolist() == [0]


def test_a_thousand_senders_keep_the_order_of_their_frames() -> None:
    k = 1000
    writer = FrameWriter(np.arange(k) % 255 + 1)
    names = ["PING", "ATTITUDE", "PING", "HEARTBEAT"]
    for i, name in enumerate(names):
        writer.add(name, numbered(k, i * k) if name == "PING" else blank(name))
    frames = by_row(writer.take())
    assert sorted(frames) == list(range(k))
    for row in (0, 1, 254, 255, 999):
        messages = parsed(frames[row])
        assert [m.get_type() for m in messages] == names
        assert [m.get_seq() for m in messages] == [0, 1, 2, 3]
        assert (messages[0].seq, messages[2].seq) == (row, 2 * k + row)
        assert {m.get_srcSystem() for m in messages} == {row % 255 + 1}


@given(st.lists(st.lists(st.integers(0, 4), max_size=40), max_size=6))
def test_any_order_of_rows_is_sorted_by_sender(adds: list[list[int]]) -> None:
    writer = FrameWriter([11, 12, 13, 14, 15])
    expected: dict[int, list[int]] = defaultdict(list)
    number = 0
    for rows in adds:
        writer.add("PING", numbered(len(rows), number), rows)
        for row in rows:
            expected[row].append(number)
            number += 1
    taken = writer.take()
    assert taken.rows.tolist() == sorted(taken.rows.tolist())
    assert taken.data.size == taken.lengths.sum()
    frames = {row: [m.seq for m in parsed(data)] for row, data in by_row(taken).items()}
    assert frames == dict(expected)


def test_records_need_not_be_contiguous() -> None:
    records = numbered(10)
    writer = FrameWriter([1, 2, 3, 4, 5])
    writer.add("PING", records[::-2])
    assert [m.seq for data in by_row(writer.take()).values() for m in parsed(data)] == [
        9,
        7,
        5,
        3,
        1,
    ]


@pytest.mark.parametrize("rows", [[-1], [2], [0, 2**32], [0.0], [True], [[0]], ["a"]])
def test_wrong_rows_are_refused(rows: list[object]) -> None:
    writer = FrameWriter([1, 2])
    with pytest.raises(ValueError, match="rows: expected"):
        writer.add("PING", numbered(1), rows)
    assert writer.waiting == 0


@pytest.mark.parametrize("records", [blank("HEARTBEAT", 2), np.zeros(2), numbered(3), numbered(0)])
def test_wrong_records_are_refused(records: np.ndarray) -> None:
    writer = FrameWriter([1, 2])
    with pytest.raises(ValueError, match="records: expected"):
        writer.add("PING", records)
    assert writer.waiting == 0


@pytest.mark.parametrize("ids", [[0], [256], [-1], [1.5], [[1]], 3])
def test_wrong_identifiers_are_refused(ids: object) -> None:
    with pytest.raises(ValueError, match="system_ids: expected"):
        FrameWriter(ids)


@pytest.mark.parametrize("option", ["component_id", "link_id"])
@pytest.mark.parametrize("value", [-1, 256, 1.0])
def test_wrong_options_are_refused(option: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{option}: expected an integer from 0 to 255, got"):
        FrameWriter([1], **{option: value})


def test_values_out_of_range_are_told_by_numpy() -> None:
    records = blank("HEARTBEAT")
    with pytest.raises(OverflowError):
        records["type"] = 256


class TestCore:
    """Buffers that do not fit are refused before a byte is written."""

    def arguments(self) -> list[object]:
        size = MESSAGES["PING"].dtype.itemsize
        ids, sequences = np.array([1, 2], np.uint8), np.zeros(2, np.uint8)
        rows, lengths = np.array([0, 1], np.int32), np.zeros(2, np.int32)
        records, frames = np.zeros(2 * size, np.uint8), np.zeros(2 * (size + 25), np.uint8)
        return [(4, 237, size), ids, sequences, 1, None, records, rows, frames, lengths]

    def test_accepts_what_fits(self) -> None:
        assert _core.mavlink_pack(*self.arguments()) == 2 * 13

    @pytest.mark.parametrize("index", [1, 2, 5, 6, 7, 8])
    def test_refuses_a_buffer_that_is_shorter(self, index: int) -> None:
        arguments = self.arguments()
        arguments[index] = arguments[index][:-1]
        with pytest.raises(ValueError, match="expected"):
            _core.mavlink_pack(*arguments)

    def test_refuses_rows_out_of_range(self) -> None:
        for row in (-1, 2):
            arguments = self.arguments()
            arguments[6] = np.array([0, row], np.int32)
            with pytest.raises(ValueError, match="rows: expected indices from 0 to 1, got"):
                _core.mavlink_pack(*arguments)
            assert not arguments[2].any()

    @pytest.mark.parametrize(
        "change",
        [
            {"starts": [0, 9]},
            {"starts": [-1, 3]},
            {"lengths": [3, 9]},
            {"lengths": [-1, 2]},
            {"order": [0, 2]},
            {"order": [0, -1]},
            {"order": [0, 0]},
        ],
    )
    def test_refuses_frames_outside_of_the_bytes(self, change: dict[str, list[int]]) -> None:
        given = {"starts": [0, 3], "lengths": [3, 2], "order": [0, 1]} | change
        out = (np.empty(5, np.uint8), np.empty(2, np.int64), *np.empty((2, 2), np.int32))
        with pytest.raises(ValueError, match="frames: expected"):
            _core.mavlink_collect(
                np.zeros(5, np.uint8),
                np.array(given["starts"], np.int64),
                np.array(given["lengths"], np.int32),
                np.zeros(2, np.int32),
                np.array(given["order"], np.int64),
                9,
                out,
            )
