"""Snapshots: complete, portable between equal batches, refused by others."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyrfly
from pyrfly import _core

Flying = Callable[..., pyrfly.Sim]

PARTS = len(_core.parts())
# magic; layout, n, bytes, bytes of each part and of events; dt; format, precision, integrator,
# effects; periods; controllers; tick
HEADER = struct.Struct(f"<8s{4 + PARTS}Qd4I10IQQ")
FORMAT = 48 + 8 * PARTS  # offset
CONTROLLERS = 104 + 8 * PARTS  # offset from which on batches of a kind may differ


def batch_in_motion() -> _core.Batch:
    batch = _core.Batch("rotors_6", 3)
    for name, values in (("mass", 1), ("inertia", [1, 1, 1, 0, 0, 0]), ("att", [1, 0, 0, 0])):
        batch.fill(name, values)
    batch.fill("motor_tau", [1, 1])
    batch.fill("vel", [1, 2, 3])
    _core.step((batch,), 5)
    return batch


def test_snapshot_begins_with_what_it_is_of() -> None:
    batch = batch_in_motion()
    head = HEADER.unpack_from(batch.snapshot())
    magic, _, n, size, *parts, events = head[: 5 + PARTS]
    dt, *kind, controllers, tick = head[5 + PARTS :]
    assert (magic, n, dt, controllers, tick) == (b"pyrfly\0\0", 3, 1e-3, 0, 5)
    assert parts == [0] * PARTS
    assert events == 0
    assert kind[:4] == [6, 0, 0, 1]  # format, float64, rk4, full
    assert kind[4:] == [4, 2, 10, 1, 4, 10, 10, 4, 2, 10]  # periods
    assert size == batch.nbytes == len(batch.snapshot()) - HEADER.size


def test_restore_brings_back_every_column_and_the_clock() -> None:
    batch = batch_in_motion()
    saved = batch.snapshot()
    columns = [
        name
        for name, _, role, *_ in _core.vehicle_types()["rotors_6"]["columns"]
        if role != "output"
    ]
    before = {name: batch.view(name).copy() for name in columns}
    for name in columns:
        batch.fill(name, np.full(batch.view(name)[0].size, 7))
    batch.tick, batch.controllers = 99, True
    batch.restore(saved)
    for name in columns:
        np.testing.assert_array_equal(batch.view(name), before[name], err_msg=name)
    assert batch.tick == 5
    assert not batch.controllers
    assert batch.snapshot() == saved


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_state_outside_the_envelope_is_restored_and_the_next_step_flags_it(value: float) -> None:
    """A user can write it into a view, so that a snapshot, a pickle and a copy must keep it."""
    sim, other = (pyrfly.Sim("sdk", 2) for _ in range(2))
    sim.reset(pos=(0, 0, -5))
    sim.vel[1, 0] = value
    other.restore(sim.snapshot())
    np.testing.assert_array_equal(other.vel[1], [value, 0, 0])
    for each in (sim, other):
        each.step()
        assert each.check().invalid == (2,)
    assert sim.hash() == other.hash()


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_restore_takes_any_buffer(kind: Callable[[bytes], object]) -> None:
    batch = batch_in_motion()
    batch.restore(kind(batch.snapshot()))


@pytest.mark.parametrize("wrong", [None, 3, "text", [1, 2]])
def test_restore_refuses_what_is_not_a_buffer(wrong: object) -> None:
    with pytest.raises(TypeError):
        batch_in_motion().restore(wrong)


@pytest.mark.parametrize(
    "other",
    [
        _core.Batch("rotors_6", 4),
        _core.Batch("rotors_6", 3, precision="float32"),
        _core.Batch("rotors_8", 3),
        _core.Batch("quad_x", 3),
        _core.Batch("rotors_6", 3, dt=2e-3),
        _core.Batch("rotors_6", 3, integrator="euler"),
        _core.Batch("rotors_6", 3, effects="plain"),
        _core.Batch("rotors_6", 3, periods={"inner": 4}),
    ],
)
def test_restore_refuses_the_snapshot_of_another_kind(other: _core.Batch) -> None:
    batch = batch_in_motion()
    before = batch.snapshot()
    with pytest.raises(ValueError, match="snapshot: expected"):
        batch.restore(other.snapshot())
    assert batch.snapshot() == before


def test_a_snapshot_of_another_version_is_named() -> None:
    batch, other = batch_in_motion(), _core.Batch("rotors_8", 3)
    versions = rf"version {batch.layout_version} of type 'rotors_6', got .* {other.layout_version}$"
    with pytest.raises(ValueError, match=versions):
        batch.restore(other.snapshot())
    older = bytearray(batch.snapshot())
    older[FORMAT : FORMAT + 4] = (2).to_bytes(4, "little")
    with pytest.raises(ValueError, match=r"expected format 6 .* got format 2"):
        batch.restore(older)


def test_types_of_the_same_size_do_not_mix_up() -> None:
    """The layout hash tells them apart even if sizes agreed."""
    one, other = _core.Batch("rotors_6", 3), _core.Batch("rotors_8", 3)
    body = one.snapshot()[HEADER.size :]
    forged = other.snapshot()[: HEADER.size] + body
    with pytest.raises(ValueError, match="snapshot: expected"):
        one.restore(forged)


@pytest.mark.parametrize("position", range(HEADER.size))
def test_a_damaged_header_is_refused(position: int) -> None:
    batch = batch_in_motion()
    saved = bytearray(batch.snapshot())
    before = bytes(saved)
    saved[position] ^= 0x10
    if position >= CONTROLLERS:
        batch.restore(saved)
        return
    with pytest.raises(ValueError, match="snapshot: expected"):
        batch.restore(saved)
    assert batch.snapshot() == before


@pytest.mark.parametrize("length", [0, 1, 8, HEADER.size - 1, HEADER.size, -1])
def test_a_truncated_snapshot_is_refused(length: int) -> None:
    batch = batch_in_motion()
    with pytest.raises(ValueError, match="snapshot: expected"):
        batch.restore(batch.snapshot()[:length])


@given(st.data())
def test_damaged_contents_never_crash_a_step(data: st.DataObject) -> None:
    """Whatever the values are, stepping ends, with valid or flagged vehicles."""
    batch = batch_in_motion()
    saved = bytearray(batch.snapshot())
    for _ in range(data.draw(st.integers(1, 20))):
        offset = data.draw(st.integers(HEADER.size, len(saved) - 1))
        saved[offset] = data.draw(st.integers(0, 255))
    batch.restore(saved)
    batch.controllers = data.draw(st.booleans())
    _core.step((batch,), 3)
    well = batch.view("status") == 0
    assert np.isfinite(batch.view("pos")[well]).all()


def test_sim_restores_all_groups_or_none(flying: Flying) -> None:
    sim = flying({"sdk": 3, "octo_x": 2}, None)
    sim.step(50)
    saved, here = sim.snapshot(), sim.hash()
    sim.step(50)
    later = sim.hash()
    assert later != here
    with pytest.raises(ValueError, match="snapshot"):
        sim.restore(forged(saved, second_group(sim), b"Pyrfly"))
    assert sim.hash() == later
    sim.restore(saved)
    assert sim.hash() == here


def second_group(sim: pyrfly.Sim) -> int:
    """Return the offset of the snapshot of the second and last group."""
    return len(sim.snapshot()) - len(sim.groups[1].batch.snapshot())


def forged(snapshot: bytes, offset: int, new: bytes) -> bytes:
    """Return a snapshot of a `Sim` with other bytes at an offset, and a matching checksum."""
    data = snapshot[:offset] + new + snapshot[offset + len(new) :]
    start = body_of(data)
    return data[:4] + zlib.crc32(data[start:]).to_bytes(4, "little") + data[8:]


def body_of(snapshot: bytes) -> int:
    """Return the offset after magic, checksum, and the names of the vehicles with their length."""
    return 12 + int.from_bytes(snapshot[8:12], "little")


@pytest.mark.parametrize("offset", [0, 30, 60, 200, 5000, -1])
def test_sim_refuses_a_damaged_snapshot(offset: int) -> None:
    sim = pyrfly.Sim({"sdk": 3, "octo_x": 2})
    damaged = bytearray(sim.snapshot())
    damaged[offset] ^= 1
    with pytest.raises(ValueError, match="snapshot: expected"):
        sim.restore(damaged)


ORIGIN = 4 + 2 * 8 + 3 * 8  # in the body: number of groups, their sizes; seed, draws, events
TICK = HEADER.size - 8
NAVIGATOR_BYTES = 32


@pytest.mark.parametrize(
    ("group", "offset", "new"),
    [
        pytest.param(0, TICK, bytes([1]), id="another tick than the other group"),
        pytest.param(1, TICK, (2**62 + 1).to_bytes(8, "little"), id="tick above the limit"),
        pytest.param(1, NAVIGATOR_BYTES, bytes([8]), id="a navigator of another size"),
        pytest.param(None, ORIGIN, struct.pack("<d", math.nan), id="latitude NaN"),
        pytest.param(None, ORIGIN + 16, struct.pack("<d", 1e9), id="height out of range"),
    ],
)
def test_a_forged_snapshot_changes_nothing(group: int | None, offset: int, new: bytes) -> None:
    sim = pyrfly.Sim({"sdk": 3, "octo_x": 2})
    saved = sim.snapshot()
    sim.step(10)
    before = sim.snapshot()
    start = body_of(saved) if group is None else second_group(sim)
    if group == 0:
        start -= len(sim.groups[0].batch.snapshot())
    with pytest.raises(ValueError, match="expected") as refused:
        sim.restore(forged(saved, start + offset, new))
    assert "checksum" not in str(refused.value)
    assert sim.snapshot() == before
    assert not sim.synthesis
    sim.step()


def test_a_forged_size_of_a_part_does_not_enable_it() -> None:
    batch = batch_in_motion()
    saved = bytearray(batch.snapshot())
    saved[NAVIGATOR_BYTES] = 8
    with pytest.raises(ValueError, match="snapshot: expected"):
        batch.restore(saved + bytes(8))
    assert not batch.has("navigator")


def test_the_tick_of_a_snapshot_is_known_without_restoring_it() -> None:
    batch = batch_in_motion()
    saved = batch.snapshot()
    _core.step((batch,), 5)
    assert batch.check_snapshot(saved) == 5
    assert batch.tick == 10
    with pytest.raises(ValueError, match="snapshot: expected"):
        batch.check_snapshot(saved[:-1])


@pytest.mark.parametrize("tick", [2**62 + 1, 2**64 - 3])
def test_ticks_near_the_end_of_the_count_are_refused(tick: int) -> None:
    batch = batch_in_motion()
    with pytest.raises(ValueError, match=f"tick: expected 0 to 2\\^62, got {tick}"):
        batch.tick = tick
    batch.tick = 2**62
    _core.step((batch,), 10)
    assert batch.tick == 2**62 + 10


@pytest.mark.parametrize(
    "other", [{"sdk": 3}, {"octo_x": 2, "sdk": 3}, {"sdk": 3, "octo_x": 2, "x450": 1}]
)
def test_sim_refuses_the_snapshot_of_another_fleet(other: dict[str, int]) -> None:
    sim = pyrfly.Sim({"sdk": 3, "octo_x": 2})
    with pytest.raises(ValueError, match="snapshot: expected"):
        sim.restore(pyrfly.Sim(other).snapshot())


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ({"hex_x": 1}, {"hex_plus": 1}),
        ({"x450": 2}, {"sdk": 2}),
        ({"sdk": 1, "iris": 1}, {"sdk": 1, "x450": 1}),
    ],
)
def test_sim_refuses_vehicles_of_another_parameter_set_and_names_both(
    own: dict[str, int], other: dict[str, int]
) -> None:
    """Their columns have the same layout, so that sizes and versions agree."""
    sim = pyrfly.Sim(own)
    before = sim.snapshot()
    kinds = [", ".join(f"{n} {name}" for name, n in fleet.items()) for fleet in (own, other)]
    with pytest.raises(ValueError, match=f"expected .* of {kinds[0]}, got .* of {kinds[1]}$"):
        sim.restore(pyrfly.Sim(other).snapshot())
    assert sim.snapshot() == before


@given(st.binary(max_size=400))
def test_sim_refuses_random_bytes(junk: bytes) -> None:
    sim = pyrfly.Sim("sdk", 2)
    for data in (junk, sim.snapshot()[:12] + junk, sim.snapshot()[: len(junk)]):
        with pytest.raises(ValueError, match="snapshot: expected"):
            sim.restore(data)
