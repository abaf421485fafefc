"""Frames of the serial HIL link: bytes, round trips, streams with anything between the frames."""

from __future__ import annotations

import itertools
import math
import struct

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pyrfly.protocol.crc16 import Crc16
from pyrfly.protocol.serial_packets import Kind, SerialOptions, SerialParser, encode

OPTIONS = [
    SerialOptions(crc, header, number, check, numbers)
    for crc, header, number, check, numbers in itertools.product(
        Crc16, ("big", "little"), ("big", "little"), ("big", "little"), ("float32", "int32")
    )
]
COUNTS = {Kind.ATTITUDE: 3, Kind.POSITION: 3, Kind.RATES: 3, Kind.MOTOR_SPEEDS: 4}
COUNTERS = ("accepted", "bad_crc", "bad_length", "unknown_type", "not_finite", "skipped")

SINGLES = st.floats(width=32, allow_nan=False, allow_infinity=False)


@st.composite
def messages(draw: st.DrawFn) -> tuple[Kind, list[float]]:
    """Draw a type and numbers that a frame carries without loss."""
    kind = draw(st.sampled_from(list(Kind)))
    numbers = st.integers(0, 65535).map(float) if kind is Kind.MOTOR_SPEEDS else SINGLES
    return kind, draw(st.lists(numbers, min_size=COUNTS[kind], max_size=COUNTS[kind]))


def counts(parser: SerialParser) -> dict[str, int]:
    return {name: getattr(parser, name) for name in COUNTERS}


def fed(stream: bytes, sizes: list[int] | None = None) -> tuple[list, SerialParser]:
    """Feed a stream, at once or in pieces of these sizes."""
    parser, found, at = SerialParser(), [], 0
    for size in sizes or []:
        found += parser.feed(stream[at : at + size])
        at += size
    return found + parser.feed(stream[at:]), parser


class TestEncode:
    """Bytes of a frame."""

    @given(message=messages())
    def test_default_bytes_are_those_that_the_controller_reads(self, standin, message) -> None:
        kind, values = message
        layout = "<4H" if kind is Kind.MOTOR_SPEEDS else "<3f"
        parameters = struct.pack(layout, *map(int, values) if layout == "<4H" else values)
        frame = encode(kind, values)
        assert frame == standin("serial_controller").frame(kind, parameters)
        assert len(frame) == len(parameters) + 6

    def test_every_option_has_its_bytes(self) -> None:
        swapped = SerialOptions(Crc16.NORMAL_FFFF, "little", "big", "big", "int32")
        frame = encode(Kind.POSITION, [116.3912345, -39.9, 54.321], swapped)
        body = struct.pack(">BB3i", 2, 12, 1163912345, -399000000, 54321)
        assert frame == b"\x55\xaa" + body + struct.pack(">H", Crc16.NORMAL_FFFF.of(body))

    def test_integers_are_millionths_of_rad(self) -> None:
        for kind in (Kind.ATTITUDE, Kind.RATES):
            frame = encode(kind, [1e-6, -2e-6, math.pi], SerialOptions(numbers="int32"))
            assert struct.unpack_from("<3i", frame, 4) == (1, -2, 3141593)

    @pytest.mark.parametrize("kind", Kind)
    @pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e39, -1e300])
    @pytest.mark.parametrize("numbers", ["float32", "int32"])
    def test_what_does_not_fit_is_refused(self, kind: Kind, bad: float, numbers: str) -> None:
        values = [1.0] * (COUNTS[kind] - 1)
        with pytest.raises(ValueError, match="values: expected"):
            encode(kind, [*values, bad], SerialOptions(numbers=numbers))

    @pytest.mark.parametrize("speed", [-1, 65536, 65535.5, -0.51])
    def test_motor_speeds_have_16_bits(self, speed: float) -> None:
        with pytest.raises(ValueError, match="values: expected finite numbers that fit"):
            encode(Kind.MOTOR_SPEEDS, [0, 0, 0, speed])

    def test_whole_numbers_are_rounded_to_even(self) -> None:
        frame = encode(Kind.MOTOR_SPEEDS, [0.5, 1.5, 65535.4, -0.5])
        assert struct.unpack_from("<4H", frame, 4) == (0, 2, 65535, 0)

    def test_wrong_arguments_are_named(self) -> None:
        with pytest.raises(ValueError, match=r"values: .*got \[1, 2, 3\]"):
            encode(4, [1, 2, 3])
        with pytest.raises(ValueError, match="5 is not a valid Kind"):
            encode(5, [1, 2, 3])
        with pytest.raises(ValueError, match=r"crc_order: .*got 'x'"):
            SerialOptions(crc_order="x")
        with pytest.raises(ValueError, match=r"numbers: .*got 'f8'"):
            SerialOptions(numbers="f8")
        with pytest.raises(TypeError, match="crc: expected a Crc16, got 0"):
            SerialOptions(crc=0)


class TestRoundTrip:
    """What is sent is received, with every combination of options."""

    @pytest.mark.parametrize("options", OPTIONS, ids=str)
    def test_of_all_options(self, options: SerialOptions) -> None:
        rng = np.random.default_rng(7)
        parser = SerialParser(options)
        sent = {
            Kind.ATTITUDE: rng.uniform(-3, 3, 3),
            Kind.POSITION: rng.uniform([-180, -90, -100], [180, 90, 9000]),
            Kind.RATES: rng.uniform(-30, 30, 3),
            Kind.MOTOR_SPEEDS: rng.integers(0, 65536, 4),
        }
        frames = [encode(kind, values, options) for kind, values in sent.items()]
        received = parser.feed(b"".join(frames))
        assert [message.kind for message in received] == list(sent)
        for message in received:
            floats = options.numbers == "float32"
            tolerance = {"rtol": 6e-8, "atol": 0} if floats else {"rtol": 1e-15, "atol": 5.1e-4}
            np.testing.assert_allclose(message.values, sent[message.kind], **tolerance)
        assert counts(parser) == dict.fromkeys(COUNTERS, 0) | {"accepted": 4}

    def test_integers_keep_a_longitude_to_a_centimetre(self) -> None:
        options = SerialOptions(numbers="int32")
        lon, lat, height = 179.12345678, -89.98765432, 1234.5678
        (message,) = SerialParser(options).feed(encode(2, [lon, lat, height], options))
        assert message.values[:2] == pytest.approx((lon, lat), rel=0, abs=5.1e-8)
        assert message.values[2] == pytest.approx(height, rel=0, abs=5.1e-4)

    @given(sent=st.lists(messages(), max_size=5))
    def test_of_any_numbers(self, sent) -> None:
        found, _ = fed(b"".join(encode(kind, values) for kind, values in sent))
        assert [(message.kind, list(message.values)) for message in found] == sent

    def test_frames_of_the_controller_are_understood(self, standin) -> None:
        frame = standin("serial_controller").motor_frame([0, 5000, 9999, 65535])
        assert SerialParser().feed(frame) == [(Kind.MOTOR_SPEEDS, (0.0, 5000.0, 9999.0, 65535.0))]

    @given(messages(), messages())
    def test_the_controller_understands_frames(self, standin, one, other) -> None:
        stream = encode(*one) + b"\xaa\x00" + encode(*other)
        kinds = [kind for kind, _ in standin("serial_controller").frames_in(stream)]
        assert kinds == [one[0], other[0]]


PIECES = st.lists(
    st.one_of(
        messages().map(lambda message: encode(*message)),
        messages().flatmap(lambda m: st.integers(0, 17).map(lambda n: encode(*m)[:n])),
        st.binary(max_size=12),
        st.sampled_from([b"\xaa", b"\x55", b"\xaa\x55", b"\xaa\x55\x01", b"\xaa\x55\x04\x08"]),
        st.tuples(st.integers(0, 255), st.integers(0, 255)).map(lambda t: b"\xaa\x55" + bytes(t)),
    ),
    max_size=12,
)
"""Frames, beginnings of frames, garbage, headers."""


class TestStream:
    """Frames between anything, in pieces of any size."""

    @given(pieces=PIECES)
    def test_finds_the_frames_of_a_search_at_every_byte(self, standin, pieces) -> None:
        stream = b"".join(pieces)
        # enough of no header that nothing waits
        found, parser = fed(stream + bytes(20))
        expected = standin("serial_controller").frames_in(stream + bytes(20))
        layouts = {kind: "<4H" if kind == 4 else "<3f" for kind in COUNTS}
        numbers = [(kind, struct.unpack(layouts[kind], rest)) for kind, rest in expected]
        finite = [(kind, v) for kind, v in numbers if all(map(math.isfinite, v))]
        assert [(m.kind, m.values) for m in found] == finite
        assert parser.accepted == len(finite)
        assert parser.not_finite == len(numbers) - len(finite)
        taken = sum(len(rest) + 6 for _, rest in expected)
        assert parser.skipped == len(stream) + 20 - taken

    @given(pieces=PIECES, sizes=st.lists(st.integers(1, 25), max_size=30))
    def test_does_not_depend_on_the_pieces_that_are_read(self, pieces, sizes) -> None:
        stream = b"".join(pieces) + bytes(20)
        at_once, one = fed(stream)
        piecewise, other = fed(stream, sizes)
        assert piecewise == at_once
        # headers that wait for their frame are seen again, and counted when they are dropped
        assert counts(other) == counts(one)

    @given(garbage=st.binary(max_size=40), message=messages())
    def test_no_frame_is_lost_after_garbage(self, garbage: bytes, message) -> None:
        frame = encode(*message)
        assume(len(fed(garbage + frame)[0]) == len(fed(garbage)[0]) + 1)  # not a chance frame
        assert fed(garbage + frame)[0][-1] == (message[0], tuple(message[1]))

    def test_a_frame_after_a_broken_one_is_found(self) -> None:
        frame = encode(Kind.RATES, [0.1, 0.2, 0.3])
        for end in range(1, len(frame)):
            found, parser = fed(frame[:end] + frame)
            assert len(found) == 1, end
            assert parser.skipped == end

    @given(st.binary(max_size=2000))
    def test_any_bytes_leave_less_than_a_frame_waiting(self, data: bytes) -> None:
        parser = SerialParser()
        found = parser.feed(data)
        taken = sum(len(encode(*message)) for message in found)
        assert 0 <= len(data) - parser.skipped - taken <= 17 + 18 * parser.not_finite

    @pytest.mark.parametrize(
        ("frame", "count"),
        [
            (b"\xaa\x55\x05\x00" + bytes(14), "unknown_type"),
            (b"\xaa\x55\x01\x08" + bytes(14), "bad_length"),
            (b"\xaa\x55\x04\x0c" + bytes(14), "bad_length"),
            (encode(1, [1, 2, 3])[:-1] + b"\x00", "bad_crc"),
        ],
    )
    def test_counts_what_is_wrong(self, frame: bytes, count: str) -> None:
        found, parser = fed(frame)
        assert found == []
        expected = dict.fromkeys(COUNTERS, 0) | {count: 1, "skipped": len(frame)}
        assert counts(parser) == expected

    @pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
    def test_counts_numbers_that_are_not_finite(self, standin, bad: float) -> None:
        frame = standin("serial_controller").frame(1, struct.pack("<3f", 1, bad, 2))
        found, parser = fed(frame + encode(2, [1, 2, 3]))
        assert [message.kind for message in found] == [Kind.POSITION]
        assert counts(parser) == dict.fromkeys(COUNTERS, 0) | {"accepted": 1, "not_finite": 1}

    def test_single_bit_errors_are_detected(self) -> None:
        frame = bytearray(encode(Kind.ATTITUDE, [0.5, -1.25, 3.0]))
        for bit in range(8 * len(frame)):
            frame[bit // 8] ^= 1 << bit % 8
            assert fed(bytes(frame) + bytes(20))[0] == []
            frame[bit // 8] ^= 1 << bit % 8

    def test_other_options_accept_nothing(self) -> None:
        frame = encode(Kind.ATTITUDE, [0.5, -1.25, 3.0])
        for options in OPTIONS:
            same = (options.crc, options.header_order, options.crc_order)
            heard = same == (Crc16.REFLECTED_0000, "big", "little")
            assert len(SerialParser(options).feed(frame + bytes(20))) == heard, options
