"""Packets of the 20100 series: what they request."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from pyrfly.server.orders import (
    CircleRadius,
    CommandWord,
    PositionKinds,
    Reset,
    SetPoints,
    SpeedLimit,
    TakeOff,
)

from .packets import short, target

INF, NAN = math.inf, math.nan

# Bits of inSILInts[0] and [1].
HAS_CMD, SIL, ARMED, TAKEOFF = 1, 2, 4, 1 << 8
HAS_POS, HAS_VEL, HAS_YAW, FRD, LOCAL, GLOBAL = 1, 2, 8, 1 << 12, 1 << 13, 1 << 17


# --- the 24-byte message; its modes are tested with pyrfly.protocol.short_message


def test_a_set_point_is_a_stream(received):
    action = received("inOffboardShortData", short(2, 1.5, -2.5, -3.5, 0.5)).only
    assert isinstance(action, SetPoints)
    assert action.ids.tolist() == [1]
    assert action.ints[0, :2].tolist() == [0, HAS_POS | HAS_YAW | LOCAL]  # no command
    assert action.floats[0, [0, 1, 2, 11]].tolist() == [1.5, -2.5, -3.5, 0.5]


def test_speed_height_and_heading_of_a_fixed_wing_are_a_set_point(received):
    action = received("inOffboardShortData", short(13, 8.0, -50.0, 0.0, 0.0)).only
    assert action.ints[0, :2].tolist() == [0, HAS_POS | HAS_VEL | HAS_YAW | LOCAL]
    assert action.floats[0, [2, 3, 4, 5, 11]].tolist() == [-50, 8, 0, 0, 0]
    assert np.isnan(action.floats[0, :2]).all()


def test_packets_of_several_modes_are_sorted_by_what_they_request(received):
    found = received(
        "inOffboardShortData",
        short(2, 1, 2, -3, 0),
        short(9, 1, 0, 0, 0),
        short(2, 4, 5, -6, 0),
        short(9, 0, 0, 0, 0),
        short(-1, 0, 0, 0, 0),
    )
    assert found.verdicts == ["accepted"] * 5
    positions, arming = found.orders.actions
    assert positions.ids.tolist() == [1, 3]
    assert positions.floats[:, :3].tolist() == [[1, 2, -3], [4, 5, -6]]
    assert isinstance(arming, CommandWord)
    assert arming.ids.tolist() == [2, 4]
    assert arming.words.tolist() == [HAS_CMD | SIL | ARMED, HAS_CMD | SIL]


def test_a_take_off_does_not_arm(received):
    action = received("inOffboardShortData", short(11, 1, 2, -8, 0)).only
    assert isinstance(action, TakeOff)  # which leaves an armed vehicle armed
    assert action.ints[0, 0] == HAS_CMD | SIL | TAKEOFF
    assert action.ints[0, 1] & HAS_POS
    assert action.ints[0, 1] & LOCAL
    assert action.floats[0, :3].tolist() == [1, 2, -8]


def test_a_gps_take_off_has_a_global_position(received):
    action = received("inOffboardShortData", short(12, 40.125, 116.25, 80, 0)).only
    assert action.ints[0, 0] == HAS_CMD | SIL | TAKEOFF
    assert action.ints[0, 1] == HAS_POS | GLOBAL
    assert action.floats[0, :3].tolist() == [40.125, 116.25, 80]


def test_a_cruise_speed_is_a_limit_and_a_radius_is_one_of_circles(received):
    found = received(
        "inOffboardShortData",
        short(10, 7.5, 0, 0, 0),
        short(10, 0, 50, 0, 0),
        short(10, 1e30, *[0] * 3),
    )
    assert found.verdicts == ["accepted"] * 3
    speed, radius = found.orders.actions
    assert isinstance(speed, SpeedLimit)
    assert speed.ids.tolist() == [1, 3]
    assert speed.speed.tolist() == [7.5, 100.0]
    assert isinstance(radius, CircleRadius)
    assert (radius.ids.tolist(), radius.radius.tolist()) == ([2], [50.0])


@pytest.mark.parametrize("speed", [1e-45, 0.009])
def test_a_cruise_speed_that_stops_a_vehicle_is_dropped(received, speed):
    assert received("inOffboardShortData", short(10, speed, 0, 0, 0)).is_dropped("not_finite")


@pytest.mark.parametrize("mode", [5, 14, 2**31 - 1])
def test_unknown_modes_are_counted(received, mode):
    assert received("inOffboardShortData", short(mode, 1, 1, 1, 1)).is_dropped("unknown")


@pytest.mark.parametrize("mode", [-1, -(2**31)])
def test_a_mode_below_0_requests_nothing(received, mode):
    assert received("inOffboardShortData", short(mode, 1, 1, 1, 1)).is_dropped("accepted")


@pytest.mark.parametrize(
    ("controls", "verdict"),
    [
        ((0, 0, -INF, 0), "not_finite"),
        ((0, 0, 0, INF), "not_finite"),
        ((NAN, 0, 0, NAN), "accepted"),  # not controlled
    ],
)
def test_infinite_numbers_are_dropped(received, controls, verdict):
    assert received("inOffboardShortData", short(2, *controls)).verdicts == [verdict]


# --- the 120-byte set-point

ONLY_POSITION = 0b110111111000 | 1 << 10
POSITION_AND_YAW = 0b100111111000
ONLY_VELOCITY = 0b110111000111


def test_a_position_target_is_a_stream(received):
    action = received("inHILCMDData", target(POSITION_AND_YAW, 1, 2, -3, *[9] * 6, 0.5, 9)).only
    assert action.ints[0, 0] == 0
    assert action.ints[0, 1] == HAS_POS | HAS_YAW | LOCAL
    assert action.floats[0, :3].tolist() == [1, 2, -3]
    assert action.floats[0, 11] == 0.5


def test_a_body_velocity_target_is_in_frd(received):
    action = received("inHILCMDData", target(ONLY_VELOCITY, 9, 9, 9, 1, 2, 3, frame=8)).only
    assert action.ints[0, 1] == HAS_VEL | FRD
    assert action.floats[0, 3:6].tolist() == [1, 2, 3]


def test_targets_of_many_vehicles_are_decoded_together(received):
    packets = [target(ONLY_POSITION, n, -n, -10, copter_id=n) for n in range(1, 101)]
    action = received("inHILCMDData", *packets).only
    assert action.ids.tolist() == list(range(1, 101))
    np.testing.assert_array_equal(action.floats[:, 1], -np.arange(1, 101))


@pytest.mark.parametrize("copter_id", [0, 2, 2**32 - 1])
def test_a_target_for_another_vehicle_is_dropped(received, copter_id):
    found = received("inHILCMDData", target(ONLY_POSITION, 1, 1, 1, copter_id=copter_id))
    assert found.is_dropped("bad_id")


@pytest.mark.parametrize("frame", [0, 2, 3, 4, 11, 13, 2**32 - 1])
def test_a_target_in_an_unknown_frame_is_dropped(received, frame):
    assert received("inHILCMDData", target(ONLY_POSITION, frame=frame)).is_dropped("unknown")


@pytest.mark.parametrize(
    ("mask", "kind"),
    [(ONLY_POSITION | 0x3000, 12288), (292, 292), (4096, 4096), (8192, 8192), (16384, 16384)],
)
def test_kinds_of_positions_are_those_of_their_masks(received, mask, kind):
    found = received("inHILCMDData", target(mask, 1, 2, 3))
    assert found.verdicts == ["accepted"]
    assert found.orders.unknown_bits.tolist() == [False]
    assert isinstance(found.only, PositionKinds)
    assert found.only.kinds.tolist() == [kind]
    assert found.only.ints[0, 1] & (HAS_POS | LOCAL) == HAS_POS | LOCAL


@pytest.mark.parametrize("bits", [0x5000, 0x8000])
def test_other_bits_of_a_mask_are_ignored_and_counted(received, bits):
    found = received("inHILCMDData", target(ONLY_POSITION | bits, 1, 2, 3))
    assert found.verdicts == ["accepted"]
    assert found.orders.unknown_bits.tolist() == [True]
    assert found.only.ints[0, 1] == HAS_POS | LOCAL


def test_nan_in_a_target_says_that_a_component_is_not_controlled(received):
    action = received("inHILCMDData", target(POSITION_AND_YAW, 1, NAN, NAN, *[NAN] * 8)).only
    assert action.floats[0, 0] == 1
    assert np.isnan(action.floats[0, [1, 2, 11]]).all()


@pytest.mark.parametrize("place", range(11))
def test_infinity_in_a_target_is_dropped(received, place):
    controls = [0.0] * 11
    controls[place] = -INF
    assert received("inHILCMDData", target(ONLY_POSITION, *controls)).is_dropped("not_finite")


def test_a_restart_is_for_the_vehicle_of_the_port(received):
    action = received("reboot", struct.pack("<2i", 987654321, -1), ids=[4]).only
    assert isinstance(action, Reset)
    assert action.ids.tolist() == [4]
