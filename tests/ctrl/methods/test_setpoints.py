"""Set-points beyond position and velocity: offsets, geodetic positions, acceleration."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pyrfly.ctrl import UnsupportedError
from pyrfly.errors import CommandWarning, ParameterWarning
from pyrfly.frames import LocalFrame


class TestOffsets:
    """SendPosFRD and SendPosFRDNoYaw."""

    def test_count_from_the_place_and_the_heading(self, offboard: Any) -> None:
        sim, mav = offboard(yaw=math.pi / 2)
        mav.SendPosFRD(4, 1, -2, math.pi / 2)
        sim.sleep(7)
        assert mav.uavPosNED == pytest.approx([-1.0, 4.0, -12.0], abs=0.05)

    def test_the_same_offset_again_flies_on(self, offboard: Any) -> None:
        sim, mav = offboard()
        for _ in range(3):
            mav.SendPosFRDNoYaw(2, 0, 0)
            sim.sleep(5)
        assert mav.uavPosNED == pytest.approx([6.0, 0.0, -10.0], abs=0.05)


class TestExtended:
    """SendPosNEDExt."""

    def test_mode_3_is_a_position(self, offboard: Any) -> None:
        sim, mav = offboard()
        mav.SendPosNEDExt(2, -1, -9)
        sim.sleep(5)
        assert mav.uavPosNED == pytest.approx([2.0, -1.0, -9.0], abs=0.02)
        mav.SendPosNEDExt(1, 0, 0, 3, False)
        sim.sleep(5)
        assert mav.uavPosNED == pytest.approx([3.0, -1.0, -9.0], abs=0.05)

    @pytest.mark.parametrize("mode", [0, 1, 2, 4])
    def test_modes_of_fixed_wings_are_refused(self, offboard: Any, mode: int) -> None:
        _, mav = offboard(2.0)
        with pytest.raises(UnsupportedError, match=r"SendPosNEDExt: mode . is for planes, got 'x"):
            mav.SendPosNEDExt(0, 0, -5, mode)


class TestGlobal:
    """SendPosGlobal."""

    @pytest.mark.parametrize("home", [(0.0, 0.0, 0.0), (300.0, -200.0, 0.0)])
    def test_is_the_place_on_earth_to_the_centimetre(self, offboard: Any, home: Any) -> None:
        sim, mav = offboard(pos=home)
        goal = np.add(home, (12.0, -7.0, -15.0))
        lat, lon, alt = LocalFrame(40.1540302, 116.2593683, 50.0).to_lla(goal)
        mav.SendPosGlobal(lat, lon, alt, 0.5, 1)
        sim.sleep(10)
        # an integer of 1e-7 deg is 1.1 cm
        np.testing.assert_allclose(mav.truePosNED, goal, atol=0.02)
        assert mav.uavAngEular[2] == pytest.approx(0.5, abs=0.02)

    def test_heading_may_be_a_rate_or_nothing(self, offboard: Any) -> None:
        sim, mav = offboard(yaw=1.0)
        lla = mav.uavPosGPS[:3]
        mav.SendPosGlobal(*lla, 9.0, 0)
        sim.sleep(2)
        assert mav.uavAngEular[2] == pytest.approx(1.0, abs=0.02)
        mav.SendPosGlobal(*lla, 0.3, 2)
        sim.sleep(4)
        assert mav.uavAngRate[2] == pytest.approx(0.3, abs=0.02)

    def test_counts_from_an_origin_that_was_moved(self, offboard: Any) -> None:
        sim, mav = offboard()
        mav.setGPSOriLLA([10.0, 20.0, 100.0])
        assert mav.trueGpsUeCenter == [10.0, 20.0, 100.0]
        mav.SendPosGlobal(*LocalFrame(10.0, 20.0, 100.0).to_lla((3.0, 2.0, -8.0)))
        sim.sleep(6)
        assert mav.truePosNED == pytest.approx([3.0, 2.0, -8.0], abs=0.02)


class TestSpeedHeadingHeight:
    """SendVelYawAlt, RflySim's set-point for fixed wings."""

    def test_flies_along_the_heading_at_the_height(self, offboard: Any) -> None:
        sim, mav = offboard()
        mav.SendVelYawAlt(3.0, math.pi / 4, -13.0)
        sim.sleep(8)
        assert mav.uavVelNED == pytest.approx([3 / math.sqrt(2), 3 / math.sqrt(2), 0.0], abs=0.1)
        assert mav.uavPosNED[2] == pytest.approx(-13.0, abs=0.05)
        assert mav.uavAngEular[2] == pytest.approx(math.pi / 4, abs=0.03)


class TestAcceleration:
    """SendAccPX4."""

    @pytest.mark.parametrize(("frame", "axis"), [(0, 0), (1, 1)])
    def test_is_the_change_of_velocity(self, offboard: Any, frame: int, axis: int) -> None:
        sim, mav = offboard(yaw=math.pi / 2)
        sim.drag_linear[:] = sim.drag_quadratic[:] = 0.0
        mav.SendAccPX4(0.8, 0, 0, frameType=frame)
        sim.sleep(1.5)
        before = mav.uavVelNED[axis]
        sim.sleep(1.5)
        assert mav.uavVelNED[axis] - before == pytest.approx(1.2, rel=0.03)
        assert abs(mav.uavVelNED[1 - axis]) < 0.05

    def test_comes_with_a_heading_or_a_rate(self, offboard: Any) -> None:
        sim, mav = offboard()
        mav.SendAccPX4(0, 0, 0, 0.7, 1)
        sim.sleep(2.5)
        assert mav.uavAngEular[2] == pytest.approx(0.7, abs=0.02)
        mav.SendAccPX4(0, 0, 0, 0.4, 2)
        sim.sleep(2.5)
        assert mav.uavAngRate[2] == pytest.approx(0.4, abs=0.02)


@pytest.mark.parametrize(
    ("method", "arguments", "message"),
    [
        ("SendPosGlobal", {"lat": math.nan}, r"lat: expected a finite number \[deg\]"),
        ("SendPosGlobal", {"yawType": 3}, r"yawType: expected 0, 1 or 2, got 3"),
        ("SendPosGlobal", {"yawType": 1, "yawValue": "n"}, r"yawValue: expected a number \[rad\]"),
        ("SendAccPX4", {"afx": math.inf}, "afx: expected"),
        ("SendAccPX4", {"frameType": 2}, r"frameType: expected 0 or 1, got 2"),
        ("SendVelYawAlt", {"vel": math.nan}, r"vel: expected a finite number \[m/s\]"),
        ("SendOffAll", {"pos": [1, 2]}, r"pos: expected 3 numbers \[m\]"),
        ("SendOffAll", {"type_mask": 1.5}, r"type_mask: expected an integer"),
        ("SendAttAll", {"q": [0, 0, 0, 0]}, r"q: expected a quaternion"),
        ("SendAttAll", {"body_rate": 1}, r"body_rate: expected 3 numbers \[rad/s\]"),
        ("SendPosFRD", {"x": math.inf}, r"x: expected a finite number \[m\] or NaN"),
        ("SendPosNEDExt", {"mode": 9}, r"mode: expected 0 to 4, got 9"),
    ],
)
def test_bad_arguments_are_named(
    controlled: Any, method: str, arguments: dict[str, Any], message: str
) -> None:
    sim, mav = controlled()
    mav.initOffboard()
    before = sim.hash()
    with pytest.raises((TypeError, ValueError), match=message):
        getattr(mav, method)(**arguments)
    assert sim.hash() == before


@pytest.mark.parametrize("name", ["SendPosGlobal", "sendMavTakeOffGPS", "sendMavLandGPS"])
def test_positions_on_the_other_side_of_the_earth_are_refused(name: str, controlled: Any) -> None:
    sim, mav = controlled()
    lat, lon, alt = sim.origin
    getattr(mav, name)(lat + 8.9, lon, alt)  # 990 km
    before = sim.hash()
    with pytest.raises(
        ValueError,
        match=r"lat lon alt: .*got one at 1010",
    ):
        getattr(mav, name)(lat + 9.1, lon, alt)
    assert sim.hash() == before


@pytest.mark.parametrize(
    ("name", "arguments", "named"),
    [
        ("SendAttPX4", ([0, 0, 0], 1.5), "thrust"),
        ("SendAttPX4", ([0, 0, 0], 1.5, 3), "thrust"),
        ("SendAttAll", (7, [1, 0, 0, 0], [0, 0, 0], 1.5), "thrust"),
        ("SendSynAttThrust", (0, 0, 0, 1.5), "thrust"),
        ("sendUDPSimpData", (4, [0, 0, 0, 1.5]), r"ctrls\[3\]"),
    ],
)
def test_thrust_beyond_its_range_is_limited_with_a_warning(
    name: str, arguments: tuple[Any, ...], named: str, offboard: Any
) -> None:
    sim, mav = offboard(5.0)
    with pytest.warns(CommandWarning, match=f"{named}: expected 0 to 1, got 1.5; it is limited"):
        getattr(mav, name)(*arguments)
    sim.sleep(0.1)
    assert sim.thrust_sp[0] == 1


def test_a_height_in_place_of_a_thrust_is_not_limited(offboard: Any) -> None:
    sim, mav = offboard(5.0)
    mav.SendAttPX4([0, 0, 0], 7.0, 0, 1)
    sim.sleep(6)
    assert mav.uavPosNED[2] == pytest.approx(-7, abs=0.1)


@pytest.mark.parametrize(
    ("method", "values", "name"),
    [
        ("SendPosNED", (0, 0, -5, 90), "yaw"),
        ("SendPosFRD", (0, 0, 0, -90), "yaw"),
        ("SendVelYawAlt", (2, 90, -5), "yaw"),
    ],
)
def test_degrees_for_radians_are_told_once(
    offboard: Any, method: str, values: tuple[float, ...], name: str
) -> None:
    _, mav = offboard()
    with pytest.warns(ParameterWarning, match=f"{name}: expected radians, got 90"):
        getattr(mav, method)(*values)
    getattr(mav, method)(*values)
