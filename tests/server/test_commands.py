"""What packets ask for; their bytes are made with the formats of RflySim's structures."""

import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly import wire
from pyrfly.server.commands import (
    CommandBits,
    Extension,
    Orders,
    Reset,
    Sil,
    SpeedLimit,
    Terrain,
    decode,
)
from pyrfly.server.link_stats import Count

INF, NAN = math.inf, math.nan

# Bits of inSILInts[0] and [1].
HAS_CMD, SIL, ARMED, TAKEOFF, LAND = 1, 2, 4, 1 << 8, 1 << 10
HAS_POS, HAS_VEL, HAS_ACC, HAS_YAW, HAS_YAW_RATE = 1, 2, 4, 8, 16
HAS_ATT, HAS_THRUST, FRD, LOCAL, GLOBAL = 1 << 8, 1 << 11, 1 << 12, 1 << 13, 1 << 17


def orders(name: str, *packets: bytes, ids=None, armed=True) -> Orders:
    """Decode packets of one kind; by default the first is for vehicle 1, and so on."""
    records = np.frombuffer(b"".join(packets), dtype=wire.dtype(name))
    assert len(records) == len(packets)
    copter_ids = np.arange(1, len(packets) + 1) if ids is None else np.array(ids)
    return decode(name, records, copter_ids, np.full(len(packets), armed))


def short(mode: int, *controls: float) -> bytes:
    return struct.pack("<2i4f", 1234567890, mode, *controls)


def target(mask: int, *controls: float, copter_id=1, frame=1) -> bytes:
    controls = controls + (0.0,) * (16 - len(controls))
    return struct.pack("<2i4I16f32x", 3, 80, 12345, copter_id, mask, frame, *controls)


def sil(*ints: int, floats=(), copter_id=1, checksum=1234567897) -> bytes:
    ints, floats = ints + (0,) * (8 - len(ints)), tuple(floats) + (0.0,) * (20 - len(floats))
    return struct.pack("<10i20f", checksum, copter_id, *ints, *floats)


def doubles(*values: float, copter_id=1, checksum=1234567897) -> bytes:
    return struct.pack("<2i28d", checksum, copter_id, *values, *[0.0] * (28 - len(values)))


def verdicts(found: Orders) -> list[str]:
    return [Count(verdict).name.lower() for verdict in found.verdicts]


def only(found: Orders):
    """Return the one action."""
    (action,) = found.actions
    return action


def refused(found: Orders, reason: str) -> bool:
    return found.actions == [] and set(verdicts(found)) == {reason}


# --- the 24-byte message


@pytest.mark.parametrize(
    ("mode", "bits", "first", "fourth"),
    [
        (0, HAS_VEL | HAS_YAW_RATE, 3, 14),
        (1, HAS_VEL | HAS_YAW_RATE | FRD, 3, 14),
        (2, HAS_POS | HAS_YAW, 0, 11),
        (3, HAS_POS | HAS_YAW | FRD, 0, 11),
        (4, HAS_ATT | HAS_THRUST, 9, 15),
        (7, HAS_ACC | HAS_YAW_RATE, 6, 14),
        (8, HAS_ACC | HAS_YAW, 6, 11),
    ],
)
def test_setpoint_modes_are_streams(mode, bits, first, fourth):
    action = only(orders("inOffboardShortData", short(mode, 1.5, -2.5, -3.5, 0.5)))
    assert isinstance(action, Sil)
    assert action.ids.tolist() == [1]
    assert action.ints[0, 0] == 0  # no command
    assert action.ints[0, 1] & ~LOCAL == bits
    assert action.floats[0, first : first + 3].tolist() == [1.5, -2.5, -3.5]
    assert action.floats[0, fourth] == 0.5


def test_packets_of_several_modes_are_sorted_by_what_they_ask_for():
    found = orders(
        "inOffboardShortData",
        short(2, 1, 2, -3, 0),
        short(9, 1, 0, 0, 0),
        short(2, 4, 5, -6, 0),
        short(9, 0, 0, 0, 0),
        short(-1, 0, 0, 0, 0),
    )
    assert verdicts(found) == ["accepted"] * 5
    positions, arms, disarms = found.actions
    assert positions.ids.tolist() == [1, 3]
    assert positions.floats[:, :3].tolist() == [[1, 2, -3], [4, 5, -6]]
    assert arms == CommandBits(arms.ids, HAS_CMD | SIL | ARMED)
    assert arms.ids.tolist() == [2]
    assert disarms == CommandBits(disarms.ids, HAS_CMD | SIL)
    assert disarms.ids.tolist() == [4]


@pytest.mark.parametrize("armed", [True, False])
def test_a_take_off_does_not_arm(armed):
    action = only(orders("inOffboardShortData", short(11, 1, 2, -8, 0), armed=armed))
    assert action.ints[0, 0] == HAS_CMD | SIL | TAKEOFF | (ARMED if armed else 0)
    assert action.ints[0, 1] & HAS_POS
    assert action.ints[0, 1] & LOCAL
    assert action.floats[0, :3].tolist() == [1, 2, -8]


def test_a_gps_take_off_has_a_global_position():
    action = only(orders("inOffboardShortData", short(12, 40.125, 116.25, 80, 0)))
    assert action.ints[0, 0] == HAS_CMD | SIL | TAKEOFF | ARMED
    assert action.ints[0, 1] == HAS_POS | GLOBAL
    assert action.floats[0, :3].tolist() == [40.125, 116.25, 80]


def test_a_cruise_speed_is_a_limit_and_a_radius_alone_is_not():
    found = orders(
        "inOffboardShortData",
        short(10, 7.5, 0, 0, 0),
        short(10, 0, 50, 0, 0),
        short(10, 1e30, *[0] * 3),
    )
    assert verdicts(found) == ["accepted"] * 3
    action = only(found)
    assert isinstance(action, SpeedLimit)
    assert action.ids.tolist() == [1, 3]
    assert action.speed.tolist() == [7.5, 100.0]


@pytest.mark.parametrize("mode", [5, 13, 14, 2**31 - 1])
def test_modes_that_are_not_known_are_counted(mode):
    assert refused(orders("inOffboardShortData", short(mode, 1, 1, 1, 1)), "unknown")


@pytest.mark.parametrize("mode", [-1, -(2**31)])
def test_a_mode_below_0_asks_for_nothing(mode):
    assert refused(orders("inOffboardShortData", short(mode, 1, 1, 1, 1)), "accepted")


@pytest.mark.parametrize("mode", [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12])
@pytest.mark.parametrize("value", [NAN, INF, -INF])
@pytest.mark.parametrize("place", range(4))
def test_numbers_that_are_not_finite_are_refused_but_for_a_yaw(mode, value, place):
    controls = [0.0] * 4
    controls[place] = value
    found = orders("inOffboardShortData", short(mode, *controls))
    if place == 3 and mode in (2, 3, 8, 11, 12) and math.isnan(value):
        assert verdicts(found) == ["accepted"]
    else:
        assert refused(found, "not_finite")


# --- the 120-byte set-point

ONLY_POSITION = 0b110111111000 | 1 << 10
POSITION_AND_YAW = 0b100111111000
ONLY_VELOCITY = 0b110111000111


def test_a_position_target_is_a_stream():
    action = only(orders("inHILCMDData", target(POSITION_AND_YAW, 1, 2, -3, *[9] * 6, 0.5, 9)))
    assert action.ints[0, 0] == 0
    assert action.ints[0, 1] == HAS_POS | HAS_YAW | LOCAL
    assert action.floats[0, :3].tolist() == [1, 2, -3]
    assert action.floats[0, 11] == 0.5


def test_a_body_velocity_target_is_in_frd():
    action = only(orders("inHILCMDData", target(ONLY_VELOCITY, 9, 9, 9, 1, 2, 3, frame=8)))
    assert action.ints[0, 1] == HAS_VEL | FRD
    assert action.floats[0, 3:6].tolist() == [1, 2, 3]


def test_targets_of_many_vehicles_are_decoded_together():
    packets = [target(ONLY_POSITION, n, -n, -10, copter_id=n) for n in range(1, 101)]
    action = only(orders("inHILCMDData", *packets))
    assert action.ids.tolist() == list(range(1, 101))
    np.testing.assert_array_equal(action.floats[:, 1], -np.arange(1, 101))


@pytest.mark.parametrize("copter_id", [0, 2, 2**32 - 1])
def test_a_target_for_another_vehicle_is_refused(copter_id):
    found = orders("inHILCMDData", target(ONLY_POSITION, 1, 1, 1, copter_id=copter_id))
    assert refused(found, "bad_id")


@pytest.mark.parametrize("frame", [2, 4, 13, 2**32 - 1])
def test_a_target_in_a_frame_that_is_not_known_is_refused(frame):
    assert refused(orders("inHILCMDData", target(ONLY_POSITION, frame=frame)), "unknown")


def test_bits_for_fixed_wings_are_ignored_and_counted():
    found = orders("inHILCMDData", target(ONLY_POSITION | 0x3000, 1, 2, 3))
    assert verdicts(found) == ["accepted"]
    assert found.odd.tolist() == [True]
    assert only(found).ints[0, 1] == HAS_POS | LOCAL


def test_nan_in_a_target_says_that_a_component_is_not_controlled():
    action = only(orders("inHILCMDData", target(POSITION_AND_YAW, 1, NAN, NAN, *[NAN] * 8)))
    assert action.floats[0, 0] == 1
    assert np.isnan(action.floats[0, [1, 2, 11]]).all()


@pytest.mark.parametrize("place", range(11))
def test_infinity_in_a_target_is_refused(place):
    controls = [0.0] * 11
    controls[place] = -INF
    assert refused(orders("inHILCMDData", target(ONLY_POSITION, *controls)), "not_finite")


# --- the ports of the model


@pytest.mark.parametrize("copter_id", [7, 0, -1])
def test_sil_words_are_passed_as_they_are(copter_id):
    ints = (HAS_CMD | SIL | ARMED, HAS_POS | HAS_VEL, 1, -5, 2**31 - 1, -(2**31), 401540302, 7)
    floats = [0.5 * i for i in range(20)]
    found = orders("PX4SILIntFloat", sil(*ints, floats=floats, copter_id=copter_id), ids=[7])
    action = only(found)
    assert action.ids.tolist() == [7]
    assert action.ints[0].tolist() == list(ints)
    assert action.floats[0].tolist() == floats
    assert found.odd.tolist() == [False]


@pytest.mark.parametrize("copter_id", [1, 8, -2, 2**31 - 1])
@pytest.mark.parametrize("kind", ["PX4SILIntFloat", "DllInDoubCtrls", "TerrainIn15d", "inCtrlExt2"])
def test_inputs_for_another_vehicle_are_refused(kind, copter_id):
    packet = {
        "PX4SILIntFloat": sil(copter_id=copter_id),
        "DllInDoubCtrls": doubles(copter_id=copter_id),
        "TerrainIn15d": struct.pack("<2i20f", 1234567881, copter_id, *[0.0] * 20),
        "inCtrlExt2": sil(copter_id=copter_id, checksum=1234567802),
    }[kind]
    assert refused(orders(kind, packet, ids=[7]), "bad_id")


def test_unknown_bits_pass_and_are_counted():
    packets = [sil(HAS_CMD | 1 << 30), sil(0, 1 << 31 - 1), sil(123450), sil(HAS_CMD, HAS_POS)]
    found = orders("PX4SILIntFloat", *packets, ids=[1, 2, 3, 4])
    assert verdicts(found)[0] == "accepted"


def test_only_packets_with_unknown_bits_are_odd():
    packets = [
        sil(HAS_CMD | 1 << 30, copter_id=0),
        sil(0, 1 << 30, copter_id=0),
        sil(HAS_CMD | SIL | ARMED | LAND, HAS_POS | LOCAL, copter_id=0),
    ]
    found = orders("PX4SILIntFloat", *packets)
    assert verdicts(found) == ["accepted"] * 3
    assert found.odd.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("bits", "used"),
    [
        (HAS_POS, {0, 1, 2}),
        (HAS_VEL, {3, 4, 5}),
        (HAS_ACC, {6, 7, 8}),
        (HAS_ATT, {9, 10, 11}),
        (1 << 9, {12}),
        (1 << 10, {13}),
        (HAS_YAW_RATE, {14}),
        (HAS_THRUST, {15}),
        (HAS_YAW, set()),
        (0, set()),
    ],
)
def test_nan_in_use_is_refused_and_elsewhere_passes(bits, used):
    for place in range(20):
        floats = [0.0] * 20
        floats[place] = NAN
        found = orders("PX4SILIntFloat", sil(0, bits, floats=floats))
        assert verdicts(found) == ["not_finite" if place in used else "accepted"]


@pytest.mark.parametrize(
    "ints",
    [
        (HAS_CMD | SIL | ARMED | LAND, HAS_POS | LOCAL),
        (HAS_CMD | SIL | ARMED | TAKEOFF, HAS_POS | LOCAL),
        (0, HAS_ATT | HAS_POS | LOCAL),
        (0, HAS_POS | GLOBAL | 1 << 24),
    ],
)
def test_a_place_that_need_not_be_given_may_be_nan(ints):
    assert verdicts(orders("PX4SILIntFloat", sil(*ints, floats=[NAN, NAN, -3]))) == ["accepted"]
    assert refused(orders("PX4SILIntFloat", sil(*ints, floats=[0, 0, NAN])), "not_finite")


@pytest.mark.parametrize("place", [0, 11, 16, 19])
def test_infinity_in_an_input_is_refused_in_use_or_not(place):
    floats = [0.0] * 20
    floats[place] = INF
    assert refused(orders("PX4SILIntFloat", sil(0, 0, floats=floats)), "not_finite")


def test_28_doubles_are_8_integers_and_20_floats():
    values = (7.0, HAS_POS, 1, -1, 2.0**32 - 1, 0, 401540302, 1162593683, 1.5, -2.5, -3.5)
    action = only(orders("DllInDoubCtrls", doubles(*values)))
    assert action.ints[0].tolist() == [7, HAS_POS, 1, -1, -1, 0, 401540302, 1162593683]
    assert action.floats[0, :3].tolist() == [1.5, -2.5, -3.5]


@pytest.mark.parametrize("values", [(NAN,), (INF,), (2.0**32,), (-1e300,), (0,) * 8 + (1e39,)])
def test_doubles_that_do_not_fit_are_refused(values):
    assert refused(orders("DllInDoubCtrls", doubles(*values)), "not_finite")


@pytest.mark.parametrize("later", [0, 100])
def test_further_inputs_are_28_numbers(later):
    ints, floats = tuple(range(1, 9)), [0.5 * i for i in range(20)]
    packet = sil(*ints, floats=floats, checksum=1234567803 + later)
    action = only(orders("inCtrlExt3", packet))
    assert isinstance(action, Extension)
    assert action.number == 3
    assert action.values[0].tolist() == [*ints, *floats]
    packet = doubles(*range(28), checksum=1234567805 + later)
    action = only(orders("inCtrlExtDoub5", packet))
    assert action.number == 5
    assert action.values[0].tolist() == list(range(28))


def test_terrain_is_the_first_of_its_floats():
    packet = struct.pack("<2i20f", 1234567881, 1, -2.5, *[NAN] * 19)
    action = only(orders("TerrainIn15d", packet))
    assert isinstance(action, Terrain)
    assert action.ground.terrain.tolist() == [-2.5]
    assert action.ground.terrain_gradient.tolist() == [[0, 0]]
    packet = struct.pack("<2i20f", 1234567881, 1, NAN, *[0.0] * 19)
    assert refused(orders("TerrainIn15d", packet), "not_finite")


def test_a_restart_is_for_the_vehicle_of_the_port():
    action = only(orders("reboot", struct.pack("<2i", 987654321, -1), ids=[4]))
    assert isinstance(action, Reset)
    assert action.ids.tolist() == [4]


@pytest.mark.parametrize(
    ("name", "layout", "checksum"),
    [
        ("PX4ModelInParams", "<iI32d", 1234567891),
        ("InitInParams", "<2i32d", 1234567892),
        ("PX4DynModiParams", "<2iQ64d", 1234567893),
        ("Ue4RayTraceDrone", "<2i13f", 1234567890),
        ("Ue4Coll20d", "<2i20f", 1234567880),
        ("UEToCopterDataD", "<2i32d", 1234567899),
    ],
)
def test_what_has_no_effect_is_counted_as_unsupported(name, layout, checksum):
    packet = struct.pack("<i", checksum) + bytes(struct.calcsize(layout) - 4)
    assert refused(orders(name, packet), "unsupported")


SENT = {
    "inOffboardShortData": 24,
    "inHILCMDData": 120,
    "PX4SILIntFloat": 120,
    "DllInDoubCtrls": 232,
    "TerrainIn15d": 88,
    "inCtrlExt1": 120,
    "inCtrlExtDoub1": 232,
    "reboot": 8,
}


@given(st.sampled_from(sorted(SENT)), st.data())
def test_whatever_the_bytes_every_packet_gets_one_verdict(name, data):
    """And an order holds no infinity, and a vehicle at most once."""
    size = SENT[name]
    packets = data.draw(st.lists(st.binary(min_size=size, max_size=size), min_size=1, max_size=4))
    found = orders(name, *packets)
    assert len(found.verdicts) == len(found.odd) == len(packets)
    ids = [i for action in found.actions for i in action.ids.tolist()]
    assert len(set(ids)) == len(ids)
    assert set(ids) <= set((np.flatnonzero(found.verdicts == Count.ACCEPTED) + 1).tolist())
    for action in found.actions:
        if isinstance(action, Sil):
            assert not np.isinf(action.floats).any()
