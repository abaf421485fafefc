"""Commands in process: offboard, take-off, landing, conflicts."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly.errors import CommandWarning
from pyrfly.protocol.synthesis import Mode
from pyrfly.sim import Sim


def mode(sim: Sim) -> Mode:
    return Mode(int(sim.navigator_mode[0]))


class TestOffboard:
    """initOffboard and its kin, and endOffboard."""

    def test_begins_without_the_set_points_of_before(self, offboard: Any) -> None:
        sim, mav = offboard(5.0)
        mav.endOffboard()
        with pytest.warns(CommandWarning, match="before initOffboard"):
            mav.SendPosNED(5, 0, -5, 0)
        mav.initOffboard()
        sim.sleep(4)
        assert abs(mav.uavPosNED[0]) < 0.01

    def test_begins_with_the_set_point_of_before_in_the_second_kind(self, offboard: Any) -> None:
        sim, mav = offboard(5.0)
        mav.endOffboard()
        with pytest.warns(CommandWarning, match="before initOffboard"):
            mav.SendPosNED(5, 0, -5, 0)
        sim.sleep(2)
        assert abs(mav.uavPosNED[0]) < 0.01
        mav.initOffboard2()
        sim.sleep(5)
        assert mav.uavPosNED[0] == pytest.approx(5.0, abs=0.02)

    def test_acceleration_kind_stays_until_a_set_point(self, offboard: Any) -> None:
        sim, mav = offboard(5.0)
        mav.initOffboardAcc()
        sim.sleep(3)
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -5.0], abs=0.01)

    def test_attitude_kind_has_little_thrust(self, controlled: Any) -> None:
        sim, mav = controlled()
        mav.initOffboardAtt()
        sim.sleep(1)
        assert mav.isArmed
        assert mav.uavThrust == pytest.approx(0.11)

    def test_set_points_wait_for_the_next_hundredth_of_a_second(self, offboard: Any) -> None:
        sim, mav = offboard(5.0)
        sim.sleep(0.005)
        mav.SendPosNED(5, 0, -5)
        sim.sleep(0.005)
        assert sim.sil_floats[0, 0] == 0.0
        sim.step()
        assert sim.sil_floats[0, 0] == 5.0

    @pytest.mark.parametrize(("udp_mode", "steps"), [(0, 10), (1, 33), (2, 10), (3, 33), (4, 33)])
    def test_rate_is_that_of_the_udp_mode(self, udp_mode: int, steps: int, controlled: Any) -> None:
        sim, mav = controlled()
        mav.InitMavLoop(udp_mode)
        mav.initOffboard()
        sim.step(1)
        mav.SendVelNED(1, 0, -1, 0)
        sim.step(steps - 1)
        assert sim.sil_floats[0, 3] == 0.0
        sim.step(1)
        assert sim.sil_floats[0, 3] == 1.0

    @pytest.mark.parametrize("name", ["initOffboard", "initOffboardAcc", "initOffboard2"])
    def test_ends_a_take_off_at_once(self, name: str, controlled: Any) -> None:
        sim, mav = controlled()
        mav.SendMavArm(1)
        mav.sendMavTakeOff(0, 0, -20)
        sim.sleep(3)
        getattr(mav, name)()
        mav.SendPosNED(5, 0, -3, 0)
        sim.sleep(7)
        assert mav.uavPosNED == pytest.approx([5.0, 0.0, -3.0], abs=0.02)

    def test_without_a_set_point_a_take_off_ends_where_the_vehicle_is(
        self, controlled: Any
    ) -> None:
        sim, mav = controlled()
        mav.SendMavArm(1)
        mav.sendMavTakeOff(0, 0, -20)
        sim.sleep(4)
        height = mav.uavPosNED[2]
        mav.initOffboard()
        sim.sleep(5)
        assert height - 1 < mav.uavPosNED[2] < height
        assert mav.uavVelNED == pytest.approx([0.0, 0.0, 0.0], abs=0.01)

    def test_ends_where_the_vehicle_comes_to_rest(self, offboard: Any) -> None:
        sim, mav = offboard()
        mav.SendVelNED(2, 0, 0, 0)
        sim.sleep(4)
        mav.endOffboard()
        x = mav.uavPosNED[0]
        sim.sleep(6)
        assert x < mav.uavPosNED[0] < x + 2.5
        here = mav.uavPosNED
        sim.sleep(3)
        assert mav.uavPosNED == pytest.approx(here, abs=0.01)


class TestTakeOff:
    """sendMavTakeOff, -Local, -GPS and sendTakeoffMode."""

    def test_rises_at_the_take_off_speed(self, controlled: Any) -> None:
        sim, mav = controlled()
        mav.SendMavArm(1)
        mav.sendMavTakeOff(0, 0, -10)
        sim.sleep(3)
        middle = mav.uavPosNED[2]
        sim.sleep(2)
        assert mav.uavPosNED[2] - middle == pytest.approx(-2 * 1.5, abs=0.05)

    def test_waits_for_arming(self, controlled: Any) -> None:
        sim, mav = controlled()
        mav.sendMavTakeOff(0, 0, -3)
        sim.sleep(3)
        assert mav.uavPosNED[2] == pytest.approx(0.0, abs=0.01)
        mav.SendMavArm(1)
        sim.sleep(6)
        assert mav.uavPosNED[2] == pytest.approx(-3.0, abs=0.02)

    def test_does_not_slide_over_the_ground(self, controlled: Any) -> None:
        sim, mav = controlled()
        mav.SendMavArm(1)
        mav.sendMavTakeOff(8, 0, -6, 2.0)
        while mav.uavPosNED[2] > -0.4:
            sim.sleep(0.02)
            assert abs(mav.uavPosNED[0]) < 0.01
        sim.sleep(10)
        assert mav.uavPosNED == pytest.approx([8.0, 0.0, -6.0], abs=0.02)

    def test_from_above_comes_down(self, offboard: Any) -> None:
        sim, mav = offboard(10.0)
        mav.sendMavTakeOff(0, 0, -4)
        sim.sleep(8)
        assert mav.uavPosNED[2] == pytest.approx(-4.0, abs=0.02)

    def test_local_one_has_a_speed(self, controlled: Any) -> None:
        sim, mav = controlled()
        mav.SendMavArm(1)
        mav.sendMavTakeOffLocal(0, 0, -10, 0, 0, 2.5)
        sim.sleep(3)
        assert mav.uavVelNED[2] == pytest.approx(-2.5, abs=0.1)
        with pytest.raises(ValueError, match="AscendRate: expected"):
            mav.sendMavTakeOffLocal(AscendRate=0)

    def test_gps_one_goes_to_the_position(self, controlled: Any) -> None:
        sim, mav = controlled(pos=(40.0, 50.0, 0.0))
        mav.SendMavArm(1)
        lla = sim.local_frame.to_lla((44.0, 47.0, -6.0))
        mav.sendMavTakeOffGPS(*lla, yawDeg=90)
        sim.sleep(11)
        assert mav.truePosNED == pytest.approx([44.0, 47.0, -6.0], abs=0.03)
        assert math.degrees(mav.uavAngEular[2]) == pytest.approx(90, abs=1)

    @pytest.mark.parametrize(("alt", "height"), [(-4.0, 4.0), (0.0, 10.0)])
    def test_mode_arms_and_takes_off(self, controlled: Any, alt: float, height: float) -> None:
        sim, mav = controlled()
        mav.sendTakeoffMode(alt)
        sim.sleep(height / 1.5 + 4)
        assert mav.isArmed
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -height], abs=0.02)

    def test_its_height_is_kept_until_another_set_point(self, controlled: Any) -> None:
        """PX4 ends in AUTO.LOITER at the height, whatever is streamed."""
        sim, mav = controlled()
        mav.initOffboard()
        mav.SendPosNED(4, 0, -3, 0)
        mav.sendMavTakeOff(0, 0, -6)
        sim.sleep(2)
        assert mode(sim) is Mode.TAKEOFF
        sim.sleep(10)
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -6.0], abs=0.05)
        mav.SendPosNED(4, 0, -3, 0)
        sim.sleep(8)
        assert mav.uavPosNED == pytest.approx([4.0, 0.0, -3.0], abs=0.05)


class TestWithoutEffect:
    """What a CommandWarning says of commands that do nothing, once for each kind."""

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("TakeoffSyn", (-5,)),
            ("ReturnHomeSyn", (-5,)),
            ("SendSynPos", (0, 0, -5, 0)),
            ("SendSynVel", (0, 0, -1, 0)),
        ],
    )
    def test_syn_methods_of_a_vehicle_that_is_not_armed(
        self, name: str, arguments: tuple[float, ...], controlled: Any
    ) -> None:
        _, mav = controlled()
        with pytest.warns(CommandWarning, match="initOffboard") as told:
            getattr(mav, name)(*arguments)
        assert len(told) == 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            getattr(mav, name)(*arguments)

    def test_syn_set_points_after_a_disarming(self, controlled: Any) -> None:
        _, mav = controlled()
        mav.initOffboard()
        mav.SendMavArm(0)
        with pytest.warns(CommandWarning, match="before the vehicle is armed"):
            mav.SendSynPos(0, 0, -5, 0)

    def test_set_points_without_offboard(self, controlled: Any) -> None:
        _, mav = controlled()
        mav.SendPosNED(0, 0, -3, 0)
        with pytest.warns(CommandWarning, match="set-point: no effect before initOffboard"):
            mav.SendMavArm(True)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            mav.SendVelNED(0, 0, -1, 0)

    @pytest.mark.parametrize(
        "name", ["initOffboard", "initOffboardAcc", "initOffboardAtt", "initOffboard2"]
    )
    def test_nothing_is_told_of_set_points_that_are_followed(
        self, name: str, controlled: Any
    ) -> None:
        _, mav = controlled()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            mav.SendMavArm(1)
            getattr(mav, name)()
            mav.SendPosNED(0, 0, -3, 0)
            mav.SendSynVel(0, 0, -1, 0)
            mav.SendMavArm(1)


class TestLanding:
    """sendMavLand and sendMavLandGPS."""

    def test_flies_level_to_the_place_before_it_descends(self, offboard: Any) -> None:
        sim, mav = offboard()
        mav.sendMavLand(12, 0, 0)
        sim.sleep(0.05)
        assert mode(sim) is Mode.APPROACH
        while mode(sim) is Mode.APPROACH:
            sim.sleep(0.02)
            assert mav.uavPosNED[2] == pytest.approx(-10.0, abs=0.25)
        assert mav.uavPosNED[0] == pytest.approx(12.0, abs=0.6)

    def test_descends_at_the_landing_speed(self, offboard: Any) -> None:
        sim, mav = offboard()
        mav.sendMavLand(0, 0, 0)
        sim.sleep(3)
        top = mav.uavPosNED[2]
        sim.sleep(5)
        assert mav.uavPosNED[2] - top == pytest.approx(5 * 0.7, abs=0.05)

    def test_gps_one_lands_at_the_position(self, offboard: Any) -> None:
        sim, mav = offboard(4.0)
        mav.sendMavLandGPS(*sim.local_frame.to_lla((3.0, -2.0, 0.0)))
        sim.sleep(4 + 4 / 0.7 + 3)
        assert not mav.isArmed
        assert mav.truePosNED == pytest.approx([3.0, -2.0, 0.0], abs=0.03)

    def test_drops_set_points_that_come_meanwhile(self, offboard: Any) -> None:
        sim, mav = offboard(3.0)
        mav.sendMavLand(0, 0, 0)
        sim.sleep(1)
        mav.SendPosNED(20, 0, -10)
        sim.sleep(8)
        assert not mav.isArmed
        mav.SendMavArm(1)
        sim.sleep(3)
        assert abs(np.array(mav.uavPosNED)).max() < 0.02

    def test_goes_on_when_an_armed_vehicle_is_armed(self, offboard: Any) -> None:
        sim, mav = offboard(3.0)
        mav.sendMavLand(0, 0, 0)
        sim.sleep(2)
        mav.SendMavArm(1)
        sim.sleep(5)
        assert not mav.isArmed
        assert mav.uavPosNED[2] == pytest.approx(0.0, abs=0.02)

    def test_gives_way_to_a_take_off_and_to_offboard(self, offboard: Any) -> None:
        sim, mav = offboard(6.0)
        mav.sendMavLand(0, 0, 0)
        sim.sleep(3)
        mav.sendMavTakeOff(0, 0, -6)
        sim.sleep(8)
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -6.0], abs=0.02)
        mav.sendMavLand(0, 0, 0)
        sim.sleep(3)
        mav.initOffboard()
        mav.SendPosNED(0, 0, -5)
        sim.sleep(5)
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -5.0], abs=0.02)


class TestConflicts:
    """What others do to the vehicle meanwhile."""

    def test_a_vehicle_without_a_command_is_left_alone(self, controlled: Any) -> None:
        sim, _ = controlled()
        sim.arm()
        sim.command_position((0, 0, -5))
        sim.sleep(6)
        assert sim.pos[0, 2] == pytest.approx(-5.0, abs=0.02)

    def test_the_task_is_forgotten_when_others_disarm(self, offboard: Any) -> None:
        sim, mav = offboard(5.0)
        mav.SendPosNED(5, 0, -5)
        sim.sleep(1)
        sim.reset()
        sim.sleep(0.1)
        mav.SendMavArm(1)
        sim.sleep(3)
        assert abs(np.array(mav.truePosNED)).max() < 1e-3

    def test_two_controllers_of_one_vehicle_take_turns(self, controlled: Any) -> None:
        sim, first = controlled()
        from pyrfly.ctrl import PX4MavCtrler

        second = PX4MavCtrler(1, sim=sim)
        second.InitMavLoop()
        first.initOffboard()
        second.initOffboard()
        first.SendPosNED(0, 0, -4)
        sim.sleep(6)
        second.SendPosNED(3, 0, -4)
        sim.sleep(6)
        assert first.uavPosNED == pytest.approx([3.0, 0.0, -4.0], abs=0.02)
        first.SendPosNED(0, 0, -4)
        sim.sleep(6)
        assert second.uavPosNED == pytest.approx([0.0, 0.0, -4.0], abs=0.02)


@pytest.mark.parametrize(
    "land",
    [
        lambda mav: mav.sendMavLand(2, -1, -3),
        lambda mav: mav.sendMavLandGPS(*mav.sim.local_frame.to_lla((9.0, 7.0, -3.0))),
    ],
)
def test_a_landing_with_a_height_ends_there_as_that_of_the_synthesis_model(
    offboard: Any, land: Callable[[Any], object]
) -> None:
    sim, mav = offboard(8.0, pos=(7.0, 8.0, 0.0))
    land(mav)
    sim.sleep(20)
    np.testing.assert_allclose(mav.uavPosNED, (2, -1, -3), atol=0.6)
    assert mav.uavPosNED[2] == pytest.approx(-3, abs=0.02)
    assert mav.isArmed
    mav.sendMavLand(2, -1, -0.9)  # nearer to 0 than 1 m: the ground
    sim.sleep(10)
    assert mav.uavPosNED[2] == pytest.approx(0, abs=0.02)
    assert not mav.isArmed


def test_speeds_are_those_of_the_docs(offboard: Any) -> None:
    """Up and down to a position; other tests have take-off and landing."""
    sim, mav = offboard(10.0)
    largest = {}
    for name, act, seconds in (
        ("climb", lambda: mav.SendPosNED(0, 0, -60), 14),
        ("descent", lambda: mav.SendPosNED(0, 0, -20), 18),
    ):
        act()
        speeds = []
        for _ in range(10 * seconds):
            sim.sleep(0.1)
            speeds.append(abs(sim.vel[0, 2]))
        largest[name] = max(speeds)
    assert largest["climb"] == pytest.approx(5.0, rel=0.03)
    assert largest["descent"] == pytest.approx(3.0, rel=0.03)
