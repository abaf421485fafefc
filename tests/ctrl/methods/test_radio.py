"""The remote control: it moves the vehicle where nothing else does."""

from __future__ import annotations

import math
from typing import Any

import pytest


def in_the_air(offboard: Any, yaw: float = 0.0) -> Any:
    sim, mav = offboard(yaw=yaw)
    mav.endOffboard()
    return sim, mav


class TestOverride:
    """SendRcOverride."""

    def test_pitch_forward_flies_along_the_heading(self, offboard: Any) -> None:
        sim, mav = in_the_air(offboard, math.pi / 2)
        mav.SendRcOverride(ch2=1700)
        sim.sleep(5)
        assert mav.uavVelNED[1] == pytest.approx(0.4 * mav.MaxSpeed, rel=0.05)
        assert mav.uavPosNED[2] == pytest.approx(-10.0, abs=0.2)

    def test_roll_flies_sideways_and_yaw_turns(self, offboard: Any) -> None:
        sim, mav = in_the_air(offboard)
        mav.SendRcOverride(ch1=1400)
        sim.sleep(4)
        assert mav.uavVelNED[1] < -0.5
        mav.SendRcOverride(ch4=1600)
        sim.sleep(2)
        assert mav.uavAngRate[2] > 0.1

    def test_centred_the_place_is_held(self, offboard: Any) -> None:
        sim, mav = in_the_air(offboard)
        mav.SendRcOverride(ch1=1800)
        sim.sleep(3)
        mav.SendRcOverride()
        sim.sleep(6)
        here = mav.uavPosNED
        sim.sleep(2)
        assert mav.uavPosNED == pytest.approx(here, abs=0.01)

    def test_without_effect_in_offboard(self, offboard: Any) -> None:
        sim, mav = offboard()
        mav.SendPosNED(1, 0, -10)
        mav.SendRcOverride(ch1=2000)
        sim.sleep(5)
        assert mav.uavPosNED == pytest.approx([1.0, 0.0, -10.0], abs=0.02)


def test_manual_control_is_the_same_in_thousandths(offboard: Any) -> None:
    ends = []
    for call in ("override", "manual"):
        sim, mav = in_the_air(offboard)
        if call == "override":
            mav.SendRcOverride(1600, 1750, 1500, 1450)
        else:
            mav.sendMavManualCtrl(x=500, y=200, z=0, r=-100)
        sim.sleep(3)
        ends.append(mav.uavPosNED)
    assert ends[0] == ends[1]


def test_loop_takes_what_was_set(offboard: Any) -> None:
    sim, mav = in_the_air(offboard)
    mav.SendRCPwms([1500, 1600])
    sim.sleep(2)
    assert abs(mav.uavVelNED[0]) < 0.01
    mav.initRCSendLoop()
    assert mav.isRCLoop
    sim.sleep(3)
    assert mav.uavVelNED[0] > 0.5
    mav.SendRCPwms([1500, 1400])
    sim.sleep(4)
    assert mav.uavVelNED[0] < -0.5
    mav.endRCSendLoop()
    sim.sleep(5)
    assert abs(mav.uavVelNED[0]) < 0.05


@pytest.mark.parametrize(
    ("method", "arguments", "message"),
    [
        ("SendRcOverride", {"ch3": math.nan}, r"ch3: expected a finite number \[us\]"),
        ("SendRCPwms", {"Pwms": [1500] * 9}, r"Pwms: expected .* numbers \[us\]"),
        ("SendRCPwms", {"Pwms": 1500}, r"Pwms: expected .* numbers \[us\]"),
        ("sendMavManualCtrl", {"r": "x"}, r"r: expected a number \[1/1000\]"),
        ("initRCSendLoop", {"Hz": 0}, r"Hz: expected a rate above 0 \[1/s\]"),
    ],
)
def test_bad_arguments_are_named(
    controlled: Any, method: str, arguments: dict[str, Any], message: str
) -> None:
    _, mav = controlled()
    with pytest.raises((TypeError, ValueError), match=message):
        getattr(mav, method)(**arguments)
