"""Methods in MAVLink's terms: set-points with a mask, flight modes, commands by number."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.ctrl.vendor_types import PX4_CUSTOM_MAIN_MODE as MAIN
from pyrfly.ctrl.vendor_types import PX4_CUSTOM_SUB_MODE_AUTO as AUTO
from pyrfly.ctrl.vendor_types import AttTypeMask, PosTypeMask
from pyrfly.errors import CommandWarning
from pyrfly.protocol.synthesis import Mode
from pyrfly.sim import Sim

AUTO_MODE = MAIN.PX4_CUSTOM_MAIN_MODE_AUTO


def mode(sim: Sim) -> Mode:
    return Mode(int(sim.navigator_mode[0]))


class TestFreeForms:
    """SendOffAll, SendAttAll, sendMavOffboardCmd and sendMavOffboardAPI."""

    def test_default_mask_is_velocity_and_yaw_rate(self, offboard: Any) -> None:
        sim, mav = offboard()
        mav.SendOffAll(PosTypeMask(), 1, (50, 50, 50), (1, -1, 0), (9, 9, 9), 2.0, 0.2)
        sim.sleep(4)
        assert mav.uavVelNED == pytest.approx([1.0, -1.0, 0.0], abs=0.03)
        assert mav.uavAngRate[2] == pytest.approx(0.2, abs=0.02)

    def test_axes_can_be_mixed(self, offboard: Any) -> None:
        mask = PosTypeMask(ignore_all=True)
        mask.enVel_x = mask.enVel_y = mask.enPos_z = mask.enYaw = True
        sim, mav = offboard()
        mav.SendOffAll(mask, 1, (50, 50, -12), (1.5, 0.5, 7), yaw=0.3)
        sim.sleep(6)
        assert mav.uavVelNED == pytest.approx([1.5, 0.5, 0.0], abs=0.05)
        assert mav.uavPosNED[2] == pytest.approx(-12.0, abs=0.03)
        assert mav.uavAngEular[2] == pytest.approx(0.3, abs=0.02)

    def test_attitude_or_rates_by_mask(self, offboard: Any) -> None:
        sim, mav = offboard()
        share = float(sim.mass[0] * sim.gravity[0] / sim.thrust_limit[0, 1])
        half = math.radians(5.0) / 2
        mav.SendAttAll(AttTypeMask(), [math.cos(half), math.sin(half), 0, 0], thrust=share)
        sim.sleep(1.5)
        assert math.degrees(mav.uavAngEular[0]) == pytest.approx(5.0, abs=0.5)
        mask = AttTypeMask(ignore_all=True)
        mask.enYawRate = mask.enThrottle = True
        mav.SendAttAll(mask, (1, 0, 0, 0), (1, 1, 0.5), share)
        sim.sleep(2)
        assert mav.uavAngRate == pytest.approx([0.0, 0.0, 0.5], abs=0.03)

    def test_low_level_set_points_act_outside_offboard_too(self, offboard: Any) -> None:
        sim, mav = offboard()
        mav.endOffboard()
        ignored = 0b110111111000
        mav.sendMavOffboardCmd(ignored, 1, 2, 1, -9, 0, 0, 0, 0, 0, 0, 0, 0)
        sim.sleep(5)
        assert mav.uavPosNED == pytest.approx([2.0, 1.0, -9.0], abs=0.02)
        mav.sendMavOffboardAPI(ignored, 1, [0, 0, -10])
        sim.sleep(5)
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -10.0], abs=0.02)

    def test_frames_that_px4_does_not_take_are_refused(self, offboard: Any) -> None:
        _, mav = offboard(2.0)
        with pytest.raises(ValueError, match="coordinate_frame: expected"):
            mav.sendMavOffboardAPI(0, 0)


class TestModes:
    """SendSetMode."""

    @pytest.mark.parametrize(
        ("main", "sub"),
        [
            (MAIN.PX4_CUSTOM_MAIN_MODE_OFFBOARD, 0),
            (MAIN.PX4_CUSTOM_MAIN_MODE_POSCTL, 0),
            (AUTO_MODE, AUTO.PX4_CUSTOM_SUB_MODE_AUTO_LOITER),
        ],
    )
    def test_another_mode_ends_a_take_off(self, main: int, sub: int, controlled: Any) -> None:
        sim, mav = controlled()
        mav.SendMavArm(1)
        mav.sendMavTakeOff(0, 0, -20)
        sim.sleep(4)
        height = mav.uavPosNED[2]
        mav.SendSetMode(main, sub)
        sim.sleep(5)
        assert height - 1 < mav.uavPosNED[2] < height

    def test_take_off(self, controlled: Any) -> None:
        sim, mav = controlled()
        mav.SendMavArm(1)
        mav.SendSetMode(AUTO_MODE, AUTO.PX4_CUSTOM_SUB_MODE_AUTO_TAKEOFF)
        sim.sleep(11)
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -10.0], abs=0.02)

    def test_land(self, offboard: Any) -> None:
        sim, mav = offboard(3.0)
        mav.SendPosNED(5, 0, -3)
        sim.sleep(5)
        mav.SendSetMode(AUTO_MODE, AUTO.PX4_CUSTOM_SUB_MODE_AUTO_LAND)
        sim.sleep(7)
        assert not mav.isArmed
        assert mav.uavPosNED == pytest.approx([5.0, 0.0, 0.0], abs=0.03)

    def test_return_stays_above_home(self, offboard: Any) -> None:
        sim, mav = offboard(4.0)
        mav.SendPosNED(6, 2, -7)
        sim.sleep(6)
        mav.SendSetMode(AUTO_MODE, AUTO.PX4_CUSTOM_SUB_MODE_AUTO_RTL)
        sim.sleep(8)
        assert mode(sim) is Mode.RETURN
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -7.0], abs=0.03)

    @pytest.mark.parametrize(("main", "sub"), [(4, 3), (3, 0)])
    def test_hold_leaves_offboard(self, offboard: Any, main: int, sub: int) -> None:
        sim, mav = offboard()
        mav.SendSetMode(main, sub)
        assert not mav.isInOffboard
        with pytest.warns(CommandWarning, match="before initOffboard"):
            mav.SendPosNED(9, 9, -9)
        sim.sleep(4)
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -10.0], abs=0.01)
        mav.SendSetMode(MAIN.PX4_CUSTOM_MAIN_MODE_OFFBOARD)
        assert mav.isInOffboard
        sim.sleep(9)
        assert mav.uavPosNED == pytest.approx([9.0, 9.0, -9.0], abs=0.02)

    @pytest.mark.parametrize(("main", "sub"), [(1, 0), (5, 0), (4, 4), (4, 0), (99, 0)])
    def test_others_are_refused(self, controlled: Any, main: int, sub: int) -> None:
        _, mav = controlled()
        with pytest.raises(UnsupportedError, match=r"SendSetMode: .* does not exist here; there"):
            mav.SendSetMode(main, sub)


@pytest.mark.parametrize("kind", [0, 1])
def test_change_of_speed(kind: int) -> None:
    mav = PX4MavCtrler(1, sim=Sim("x450"))
    mav.InitMavLoop()
    mav.SendMavCmdLong(178, kind, 0.4, -1)
    assert mav.MaxSpeed == 0.4
    mav.SendMavCmdLong(178, kind, -1, 50)  # the throttle alone
    assert mav.MaxSpeed == 0.4
    with pytest.raises(ValueError, match=r"param2: .*got 0"):
        mav.SendMavCmdLong(178, kind, 0)
    with pytest.raises(UnsupportedError, match=r"178: expected speed type 0 .* got 2"):
        mav.SendMavCmdLong(178, 2, 1)


class TestMavlinkCommands:
    """SendMavCmdLong and SendQgcCmdLong."""

    def test_a_flight_of_nothing_else(self, controlled: Any) -> None:
        sim, mav = controlled()
        mav.SendMavCmdLong(400, 1)
        assert mav.isArmed
        mav.SendMavCmdLong(24, 0, 0, 0, 0.5, 2, 1, -4)  # y before x
        sim.sleep(8)
        assert mav.uavPosNED == pytest.approx([1.0, 2.0, -4.0], abs=0.02)
        lat, lon, alt = sim.local_frame.to_lla((0.0, 0.0, -6.0))
        mav.SendQgcCmdLong(22, 0, 0, 0, 90, lat, lon, alt)
        sim.sleep(6)
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -6.0], abs=0.02)
        mav.SendMavCmdLong(178, 1, 3.5)
        assert mav.MaxSpeed == 3.5
        mav.SendMavCmdLong(20)
        assert mode(sim) is Mode.RETURN
        mav.SendMavCmdLong(17)
        sim.sleep(0.1)
        assert mode(sim) is Mode.POSITION
        mav.SendMavCmdLong(92, 1)
        assert mav.isInOffboard
        mav.SendMavCmdLong(92, 0)
        assert not mav.isInOffboard
        mav.SendMavCmdLong(21)
        sim.sleep(12)
        assert not mav.isArmed
        mav.SendMavCmdLong(400, 1)
        mav.SendMavCmdLong(400, 0, 21196)
        assert not mav.isArmed

    def test_others_are_refused(self, controlled: Any) -> None:
        _, mav = controlled()
        with pytest.raises(UnsupportedError, match="MAV_CMD 512 has no effect here; there are 17"):
            mav.SendMavCmdLong(512)


def test_the_mark_of_a_fault_is_taken_and_other_servos_are_not() -> None:
    mav = PX4MavCtrler(1, sim=Sim("x450"))
    mav.InitMavLoop()
    mav.SendMavCmdLong(183, *[999] * 7)
    with pytest.raises(UnsupportedError):
        mav.SendMavCmdLong(183, 1, 1500)
