"""The older methods, whose positions are relative to the map centre, and the words they become."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pyrfly.ctrl import UnsupportedError
from pyrfly.protocol.synthesis import Mode

HOME = (10.0, -5.0, 0.0)

# Bits of inSILInts[1] and slots of inSILFloats [@rfly-sdk].
POS, VEL, ACC, YAW, YAW_RATE, ATT, THRUST, FULL = (1 << b for b in (0, 1, 2, 3, 4, 8, 11, 15))


@pytest.mark.parametrize(
    ("method", "arguments", "bits", "floats"),
    [
        ("SendSynPos", (1, 2, -3, 0.5), POS | YAW, {0: 1, 1: 2, 2: -3, 11: 0.5}),
        ("SendSynVel", (1, 2, -3, 0.5), VEL | YAW_RATE, {3: 1, 4: 2, 5: -3, 14: 0.5}),
        ("SendSynAcc", (1, 2, -3), ACC, {6: 1, 7: 2, 8: -3}),
        (
            "SendSynAttThrust",
            (0.1, 0.2, 0.3, 0.4),
            ATT | THRUST,
            {9: 0.1, 10: 0.2, 11: 0.3, 15: 0.4},
        ),
        ("SendSynAtt", (0.1, 0.2, 0.3), ATT, {9: 0.1, 10: 0.2, 11: 0.3}),
        (
            "SendSynFull",
            tuple(range(1, 11)),
            POS | VEL | ACC | YAW_RATE | FULL,
            {**{i: i + 1 for i in range(9)}, 14: 10},
        ),
    ],
)
def test_inputs_are_rflysims(
    controlled: Any, method: str, arguments: Any, bits: int, floats: dict[int, float]
) -> None:
    sim, mav = controlled()
    mav.initOffboard()
    getattr(mav, method)(*arguments)
    sim.sleep(0.01)
    sim.step()
    expected = np.zeros(20)
    expected[list(floats)] = list(floats.values())
    assert sim.sil_ints[0, 1] == bits
    np.testing.assert_allclose(sim.sil_floats[0], expected, rtol=1e-6)


def test_positions_count_from_the_map_centre(offboard: Any) -> None:
    sim, mav = offboard(pos=HOME)
    mav.SendSynPos(12, -6, -8, 1.0)
    sim.sleep(7)
    assert mav.truePosNED == pytest.approx([12.0, -6.0, -8.0], abs=0.02)
    assert mav.uavPosNED == pytest.approx([2.0, -1.0, -8.0], abs=0.02)
    mav.SendSynVel(0, 1, 0, 0)
    sim.sleep(4)
    assert mav.uavVelNED == pytest.approx([0.0, 1.0, 0.0], abs=0.02)
    mav.ResetSynCmd()
    sim.sleep(5)
    assert max(map(abs, mav.uavVelNED)) < 0.01


def test_attitude_holds_the_height(offboard: Any) -> None:
    sim, mav = offboard()
    mav.SendSynAtt(math.radians(8), 0, 0)
    sim.sleep(3)
    assert mav.uavAngEular[0] == pytest.approx(math.radians(8), abs=0.01)
    assert mav.uavPosNED[2] == pytest.approx(-10.0, abs=0.15)


def test_full_follows_a_moving_position(offboard: Any) -> None:
    sim, mav = offboard()
    for k in range(100):
        t = 0.05 * k
        mav.SendSynFull(t, 0, -10, 1, 0, 0, 0, 0, 0, 0)
        sim.sleep(0.05)
    assert mav.truePosNED[0] == pytest.approx(4.95 + 0.05, abs=0.1)
    assert mav.uavVelNED[0] == pytest.approx(1.0, abs=0.05)


def test_commands_take_off_return_and_land(controlled: Any) -> None:
    sim, mav = controlled(pos=HOME)
    mav.SendMavArm(1)
    mav.TakeoffSyn(-6)
    sim.sleep(8)
    assert mav.truePosNED == pytest.approx([10.0, -5.0, -6.0], abs=0.02)
    mav.initOffboard()
    mav.SendSynPos(14, -5, -6, 0)
    sim.sleep(5)
    mav.ReturnHomeSyn(-8)
    sim.sleep(7)
    assert Mode(int(sim.navigator_mode[0])) is Mode.RETURN
    assert mav.truePosNED == pytest.approx([10.0, -5.0, -8.0], abs=0.05)
    mav.SendSynPos(12, -5, -4, 0)  # a set-point ends the return
    sim.sleep(6)
    assert mav.truePosNED == pytest.approx([12.0, -5.0, -4.0], abs=0.05)
    mav.LandSyn()
    sim.sleep(9)
    assert not mav.isArmed
    assert mav.truePosNED == pytest.approx([12.0, -5.0, 0.0], abs=0.05)


def test_default_take_off_is_ten_metres_high(controlled: Any) -> None:
    sim, mav = controlled()
    mav.SendMavArm(1)
    mav.TakeoffSyn(0)
    sim.sleep(11)
    assert mav.truePosNED[2] == pytest.approx(-10.0, abs=0.02)


def test_fixed_wing_one_is_refused(controlled: Any) -> None:
    _, mav = controlled()
    with pytest.raises(UnsupportedError, match=r"SendPosSpeedFWSyn: a speed .* is for planes, got"):
        mav.SendPosSpeedFWSyn(0, 0, -50, 15)
