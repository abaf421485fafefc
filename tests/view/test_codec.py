"""Bytes of worlds and frames: what was written is read, and nothing else."""

from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from pyrfly.view.codec import (
    decode_frame,
    decode_world,
    encode_flight,
    encode_frame,
    encode_world,
    kind,
)

from .worlds import frame_at, full_world, small_world


def assert_equal(a: object, b: object) -> None:
    """Compare what dataclasses, tuples and arrays hold."""
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    elif is_dataclass(a):
        for field in fields(a):
            assert_equal(getattr(a, field.name), getattr(b, field.name))
    elif isinstance(a, tuple) and not hasattr(a, "_fields"):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            assert_equal(one, other)
    else:
        assert a == b


@pytest.mark.parametrize("world", [full_world(), small_world()], ids=["full", "plain"])
def test_world_is_read_as_it_was_written(world):
    assert_equal(decode_world(encode_world(world)), world)


@pytest.mark.parametrize("left_out", [(), ("pos_sp", "wind", "contacts")])
def test_frame_is_read_as_it_was_written(left_out):
    frame = replace(frame_at(2.5), **dict.fromkeys(left_out))
    assert_equal(decode_frame(encode_frame(frame)), frame)


def test_messages_say_what_they_are():
    written = [encode_world(small_world()), encode_frame(frame_at(0)), encode_flight([frame_at(0)])]
    assert [kind(message) for message in written] == ["world", "frame", "flight"]
    with pytest.raises(ValueError, match=r"world: expected a world, got 'frame'"):
        decode_world(written[1])


@pytest.mark.parametrize(
    ("decode", "data"),
    [(decode_world, encode_world(full_world())), (decode_frame, encode_frame(frame_at(1)))],
    ids=["world", "frame"],
)
def test_what_is_cut_off_is_refused(decode, data):
    for end in [*range(40), *range(40, len(data) - 8, 997), len(data) - 8]:
        with pytest.raises(ValueError, match="expected"):
            decode(data[:end])


def test_shapes_that_do_not_fit_are_refused():
    frame = frame_at(1)
    with pytest.raises(ValueError, match=r"expected f4 of shape \(5, 4\), got"):
        decode_frame(encode_frame(replace(frame, att=frame.att[:3])))


def test_flight_is_small():
    """20 s of five vehicles at 30 Hz are 3,000 poses; each takes less than 12 bytes."""
    import gzip

    message = encode_flight(frame_at(k / 30) for k in range(600))
    assert len(gzip.compress(message)) < 36_000
    with pytest.raises(ValueError, match="frames: expected one or more, got none"):
        encode_flight([])
