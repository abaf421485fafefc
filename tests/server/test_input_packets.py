"""Packets of the 30100 series: what they request."""

from __future__ import annotations

import math
import struct

import pytest

from pyrfly.server.orders import (
    CollisionInputs,
    Extension,
    HeartbeatRequest,
    MeasurementRequest,
    OriginRequest,
    SceneInputs,
    TerrainInput,
    TopicInputs,
)

from .packets import sil

INF, NAN = math.inf, math.nan

# Bits of inSILInts[0] and [1].
HAS_CMD, SIL, ARMED, TAKEOFF, LAND, RETURN = 1, 2, 4, 1 << 8, 1 << 10, 1 << 11
HAS_POS, HAS_VEL, HAS_YAW, HAS_ATT = 1, 2, 8, 1 << 8
LOCAL, GLOBAL, INTEGER = 1 << 13, 1 << 17, 1 << 24


def doubles(*values: float, copter_id=1, checksum=1234567897) -> bytes:
    return struct.pack("<2i28d", checksum, copter_id, *values, *[0.0] * (28 - len(values)))


@pytest.mark.parametrize("copter_id", [7, 0, -1])
def test_inputs_are_passed_as_they_are(received, copter_id):
    ints = (HAS_CMD | SIL | ARMED, HAS_POS | HAS_VEL, 1, -5, 2**31 - 1, -(2**31), 401540302, 7)
    floats = [0.5 * i for i in range(20)]
    found = received("PX4SILIntFloat", sil(*ints, floats=floats, copter_id=copter_id), ids=[7])
    action = found.only
    assert action.ids.tolist() == [7]
    assert action.ints[0].tolist() == list(ints)
    assert action.floats[0].tolist() == floats
    assert found.orders.unknown_bits.tolist() == [False]


@pytest.mark.parametrize("copter_id", [1, 8, -2, 2**31 - 1])
@pytest.mark.parametrize("kind", ["PX4SILIntFloat", "DllInDoubCtrls", "TerrainIn15d", "inCtrlExt2"])
def test_inputs_for_another_vehicle_are_dropped(received, kind, copter_id):
    packet = {
        "PX4SILIntFloat": sil(copter_id=copter_id),
        "DllInDoubCtrls": doubles(copter_id=copter_id),
        "TerrainIn15d": struct.pack("<2i20f", 1234567881, copter_id, *[0.0] * 20),
        "inCtrlExt2": sil(copter_id=copter_id, checksum=1234567802),
    }[kind]
    assert received(kind, packet, ids=[7]).is_dropped("bad_id")


def test_packets_with_unknown_bits_are_accepted_and_counted(received):
    packets = [
        sil(HAS_CMD | 1 << 30, copter_id=0),
        sil(0, 1 << 30, copter_id=0),
        sil(HAS_CMD | SIL | ARMED | LAND, HAS_POS | LOCAL, copter_id=0),
    ]
    found = received("PX4SILIntFloat", *packets)
    assert found.verdicts == ["accepted"] * 3
    assert found.orders.unknown_bits.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("command", "bits", "first", "verdict"),
    [
        (0, HAS_POS, NAN, "not_finite"),
        (0, HAS_VEL, NAN, "accepted"),  # not in use; more in tests/protocol/test_finite.py
        (HAS_CMD | SIL | ARMED | LAND, HAS_POS | LOCAL, NAN, "accepted"),
        (HAS_CMD | SIL | ARMED | TAKEOFF, HAS_POS | LOCAL, NAN, "accepted"),
        (HAS_CMD | SIL | ARMED | RETURN, HAS_POS | LOCAL, NAN, "accepted"),
        (0, HAS_ATT | HAS_POS | LOCAL, NAN, "accepted"),
        (0, HAS_POS | GLOBAL | INTEGER, NAN, "accepted"),
        (0, HAS_VEL, INF, "not_finite"),  # an infinity is dropped in use or not
        (0, 0, -INF, "not_finite"),
    ],
)
def test_non_finite_floats_in_use_are_dropped(received, command, bits, first, verdict):
    packet = sil(command, bits, floats=[first, first, -3.0])
    assert received("PX4SILIntFloat", packet).verdicts == [verdict]


@pytest.mark.parametrize("task", [LAND, TAKEOFF, RETURN])
def test_the_height_of_a_task_must_be_finite(received, task):
    packet = sil(HAS_CMD | SIL | ARMED | task, LOCAL, floats=[0.0, 0.0, NAN])
    assert received("PX4SILIntFloat", packet).is_dropped("not_finite")


def test_28_doubles_are_8_integers_and_20_floats(received):
    values = (7.0, HAS_POS, 1, -1, 2.0**32 - 1, 0, 401540302, 1162593683, 1.5, -2.5, -3.5)
    action = received("DllInDoubCtrls", doubles(*values)).only
    assert action.ints[0].tolist() == [7, HAS_POS, 1, -1, -1, 0, 401540302, 1162593683]
    assert action.floats[0, :3].tolist() == [1.5, -2.5, -3.5]


@pytest.mark.parametrize("values", [(NAN,), (INF,), (2.0**32,), (-1e300,), (0,) * 8 + (1e39,)])
def test_doubles_that_do_not_fit_are_dropped(received, values):
    assert received("DllInDoubCtrls", doubles(*values)).is_dropped("not_finite")


@pytest.mark.parametrize("later", [0, 100])
def test_further_inputs_are_28_numbers(received, later):
    ints, floats = tuple(range(1, 9)), [0.5 * i for i in range(20)]
    packet = sil(*ints, floats=floats, checksum=1234567803 + later)
    action = received("inCtrlExt3", packet).only
    assert isinstance(action, Extension)
    assert action.numbers.tolist() == [3]
    assert action.applied.tolist() == [later == 0]
    assert action.values[0].tolist() == [*ints, *floats]
    packet = doubles(*range(28), checksum=1234567805 + later)
    action = received("inCtrlExtDoub5", packet).only
    assert action.numbers.tolist() == [5]
    assert action.values[0].tolist() == list(range(28))


def test_terrain_is_the_first_of_its_floats(received):
    packet = struct.pack("<2i20f", 1234567881, 1, -2.5, *[NAN] * 19)
    action = received("TerrainIn15d", packet).only
    assert isinstance(action, TerrainInput)
    assert action.terrain.tolist() == [-2.5]
    assert action.terrain_gradient.tolist() == [[0, 0]]


@pytest.mark.parametrize("height", [NAN, math.inf, -9301.0, 9301.0, 3e38])
def test_terrain_higher_than_the_earth_is_dropped(received, height):
    packet = struct.pack("<2i20f", 1234567881, 1, height, *[0.0] * 19)
    assert received("TerrainIn15d", packet).is_dropped("not_finite")


def scene(*values: float, copter_id=1) -> bytes:
    return struct.pack("<2i32d", 1234567899, copter_id, *values, *[0.0] * (32 - len(values)))


def test_numbers_of_the_3d_view_are_passed_as_they_are(received):
    packets = scene(*range(32)), scene(1.5, copter_id=0), scene(2.5, copter_id=9)
    found = received("UEToCopterDataD", *packets)
    action = found.only
    assert isinstance(action, SceneInputs)
    assert action.ids.tolist() == [1, 2]
    assert action.values.tolist() == [[*map(float, range(32))], [1.5, *[0.0] * 31]]
    assert found.verdicts == ["accepted", "accepted", "bad_id"]


@pytest.mark.parametrize("value", [NAN, INF, -INF, 3.5e38])
def test_numbers_of_the_3d_view_that_no_float32_holds_are_dropped(received, value):
    assert received("UEToCopterDataD", scene(0, value)).is_dropped("not_finite")


def imu_request(rate: int, kind: int = 0, port: int = 31000) -> bytes:
    return struct.pack("<4H4B6f", 12345, kind, rate, port, 10, 0, 0, 7, *[NAN] * 6)


def test_a_request_for_the_imu_is_a_rate(received):
    found = received("imuReqCopterSim", imu_request(200), imu_request(0), imu_request(65535))
    action = found.only
    assert isinstance(action, MeasurementRequest)
    assert action.ids.tolist() == [1, 2, 3]
    assert action.rates.tolist() == [200, 0, 65535]


def test_other_sensors_cannot_be_requested(received):
    assert received("imuReqCopterSim", imu_request(200, kind=1)).is_dropped("unsupported")


def rays(*values: float, copter_id: int = 0) -> bytes:
    return struct.pack("<2i13f", 1234567890, copter_id, *values, *[0.0] * (13 - len(values)))


def test_distances_are_the_collision_input(received):
    """In the order of inFloatsCollision: 12345, hit, size, position, velocity, distances."""
    numbers = range(1, 14)  # size, velocity, distances, position
    found = received("Ue4RayTraceDrone", rays(*numbers), rays(2, copter_id=9))
    action = found.only
    assert isinstance(action, CollisionInputs)
    assert action.ids.tolist() == [1, 2]
    expected = [12345, 0, 1, 11, 12, 13, 2, 3, 4, *range(5, 11), *[0] * 5]
    assert action.values[0].tolist() == expected
    assert action.values[1, :3].tolist() == [12345, 9, 2]
    assert found.verdicts == ["accepted", "accepted"]


@pytest.mark.parametrize(("copter_id", "hit"), [(0, 0), (-1, 0), (1, 0), (2, 2), (999999, 999999)])
def test_what_was_hit_is_never_the_vehicle_itself(received, copter_id, hit):
    action = received("Ue4RayTraceDrone", rays(copter_id=copter_id)).only
    assert action.values[0, 1] == hit


@pytest.mark.parametrize("copter_id", [-2, 1_000_001, 2**31 - 1, -(2**31)])
def test_a_hit_by_what_has_no_number_is_dropped(received, copter_id):
    assert received("Ue4RayTraceDrone", rays(copter_id=copter_id)).is_dropped("bad_id")


@pytest.mark.parametrize("value", [NAN, INF, -INF, 1.1e6, -2e6])
def test_distances_that_no_scene_has_are_dropped(received, value):
    assert received("Ue4RayTraceDrone", rays(0, 0, value)).is_dropped("not_finite")
    numbers = struct.pack("<2i20f", 1234567880, 1, *[0.0] * 19, value)
    assert received("Ue4Coll20d", numbers).is_dropped("not_finite")


def test_20_numbers_are_the_collision_input_as_they_are(received):
    packets = [struct.pack("<2i20f", 1234567880, k, *range(20)) for k in (1, 0, 9)]
    found = received("Ue4Coll20d", *packets)
    assert found.only.values[0].tolist() == list(range(20))
    assert found.verdicts == ["accepted", "accepted", "bad_id"]


def rfly_ctrl(mode: int, *values: float, copter_id=1) -> bytes:
    values += (0.0,) * (16 - len(values))
    return struct.pack("<2i2I16f", 1234567896, copter_id, mode, 1, *values)


def test_a_topic_for_px4_is_16_numbers(received):
    packets = [rfly_ctrl(mode, mode, copter_id=i) for i, mode in enumerate((1, 101, 201), 1)]
    action = received("PX4UorbRflyCtrl", *packets).only
    assert isinstance(action, TopicInputs)
    assert action.topics.tolist() == [0, 1, 2]
    assert action.values[:, 0].tolist() == [1, 101, 201]
    assert action.values.shape == (3, 16)


def test_other_topics_and_numbers_are_dropped(received):
    assert received("PX4UorbRflyCtrl", rfly_ctrl(2)).is_dropped("unknown")
    assert received("PX4UorbRflyCtrl", rfly_ctrl(1, INF)).is_dropped("not_finite")
    assert received("PX4UorbRflyCtrl", rfly_ctrl(1, copter_id=3)).is_dropped("bad_id")


def test_the_heartbeat_and_the_origin_can_be_requested(received):
    packets = [struct.pack("<2i", 123450, what) for what in (90, 91, 92)]
    found = received("Ue4Req", *packets)
    beat, origin = found.orders.actions
    assert isinstance(beat, HeartbeatRequest)
    assert isinstance(origin, OriginRequest)
    assert (beat.ids.tolist(), origin.ids.tolist()) == ([1], [2])
    assert found.verdicts == ["accepted", "accepted", "unknown"]
