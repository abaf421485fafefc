"""RflySim's control class in process: what each command makes a vehicle do."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.frames import LocalFrame
from pyrfly.sim import Sim

NAN = math.nan

TYPES = {"x450": 3, "hex_x": 5, "hex_plus": 6}


def controlled(vehicle: str = "x450", **reset: Any) -> tuple[Sim, PX4MavCtrler]:
    """Return a world of one vehicle at rest, under control."""
    sim = Sim(vehicle)
    sim.reset(**reset)
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    return sim, mav


def offboard(height: float = 10.0, yaw: float = 0.0) -> tuple[Sim, PX4MavCtrler]:
    """Return a world whose vehicle hovers above the origin, in offboard."""
    sim, mav = controlled()
    mav.SendMavArm(True)
    mav.sendMavTakeOff(0, 0, -height, yaw)
    sim.sleep(math.ceil(height / 1.5) + 4)
    mav.initOffboard()
    return sim, mav


def lift_share(sim: Sim) -> float:
    """Return the share of the most thrust that carries the weight."""
    return float(sim.mass[0] * sim.gravity[0] / sim.thrust_limit[0, 1])


class TestConstruction:
    """Which vehicle, and the link that is not there."""

    def test_copter_ids_have_rflysims_ports(self) -> None:
        sim = Sim("x450", 5)
        mav = PX4MavCtrler(3, sim=sim)
        assert (mav.CopterID, mav.port, mav.ip, mav.Com) == (3, 20104, "127.0.0.1", "udp")

    @pytest.mark.parametrize(("number", "kind"), list(enumerate(TYPES.values(), 1)))
    def test_the_true_state_has_the_type_of_the_vehicle(self, number: int, kind: int) -> None:
        assert PX4MavCtrler(number, sim=Sim(dict.fromkeys(TYPES, 1))).out3Ddata.vehicleType == kind

    def test_large_numbers_are_ports(self) -> None:
        mav = PX4MavCtrler(20108, sim=Sim("x450", 5))
        assert (mav.CopterID, mav.port) == (5, 20108)

    def test_arguments_may_come_in_rflysims_order(self) -> None:
        mav = PX4MavCtrler(1, "10.0.0.2", "udp", 30000, sim=Sim("x450"))
        assert (mav.ip, mav.Com, mav.port) == ("10.0.0.2", "udp", 30000)

    def test_copter_id_is_a_keyword_too(self) -> None:
        assert PX4MavCtrler(CopterID=2, sim=Sim("x450", 2)).CopterID == 2

    @pytest.mark.parametrize("copter_id", [0, -1, 3, 20099, 20104])
    def test_unknown_vehicles_are_refused(self, copter_id: int) -> None:
        with pytest.raises(ValueError, match="CopterID: expected 1 to 2"):
            PX4MavCtrler(copter_id, sim=Sim("x450", 2))

    @pytest.mark.parametrize("copter_id", [1.0, "1", True, None])
    def test_copter_id_is_an_integer(self, copter_id: Any) -> None:
        with pytest.raises(TypeError, match="CopterID: expected an integer"):
            PX4MavCtrler(copter_id, sim=Sim("x450"))

    @pytest.mark.parametrize("com", ["redis", "Redis", "REDIS"])
    def test_links_that_do_not_exist_here_are_refused(self, com: str) -> None:
        with pytest.raises(UnsupportedError, match=r"Com: .* does not exist here"):
            PX4MavCtrler(1, "127.0.0.1", com, sim=Sim("x450"))

    @pytest.mark.parametrize("com", ["COM3", "Direct:15551"])
    def test_a_vehicle_is_in_one_place(self, com: str) -> None:
        with pytest.raises(ValueError, match="Com: expected"):
            PX4MavCtrler(1, "127.0.0.1", com, sim=Sim("x450"))

    def test_what_is_no_link_is_refused(self) -> None:
        with pytest.raises(ValueError, match="Com: expected 'udp'"):
            PX4MavCtrler(1, "127.0.0.1", "tcp", sim=Sim("x450"))

    @pytest.mark.parametrize("mode", [-1, 9])
    def test_udp_mode_is_one_of_rflysims(self, mode: int) -> None:
        mav = PX4MavCtrler(1, sim=Sim("x450"))
        with pytest.raises(ValueError, match="UDPMode: expected 0 to 8"):
            mav.InitMavLoop(mode)

    def test_commands_need_init_mav_loop(self) -> None:
        mav = PX4MavCtrler(1, sim=Sim("x450"))
        commands: list[Callable[[], None]] = [
            mav.initOffboard,
            mav.endOffboard,
            mav.SendMavArm,
            mav.sendMavTakeOff,
            lambda: mav.sendMavLand(0, 0, 0),
            lambda: mav.SendPosNED(0, 0, -1),
            lambda: mav.SendVelNED(1, 0, 0),
            mav.SendAttPX4,
        ]
        for command in commands:
            with pytest.raises(RuntimeError, match="call InitMavLoop of CopterID 1"):
                command()


class TestLoop:
    """InitMavLoop and endMavLoop."""

    def test_init_disarms(self) -> None:
        sim = Sim("x450")
        sim.arm()
        PX4MavCtrler(1, sim=sim).InitMavLoop()
        assert sim.groups[0].armed[0] == 0

    def test_init_makes_the_take_off_point(self) -> None:
        sim, mav = controlled(pos=(100.0, -50.0, 0.0))
        assert mav.uavPosNED == [0.0, 0.0, 0.0]
        sim.pos[0] = (10.0, 0.0, 0.0)
        assert mav.uavPosNED == [-90.0, 50.0, 0.0]
        mav.InitMavLoop(1)
        assert mav.uavPosNED == [0.0, 0.0, 0.0]
        assert mav.UDPMode == 1

    def test_end_disarms_and_lets_go(self) -> None:
        sim, mav = offboard(3.0)
        mav.endMavLoop()
        assert not mav.isArmed
        assert not mav.connected
        assert not mav.isInOffboard
        sim.reset()
        sim.arm()
        sim.command_position((0, 0, -2))
        sim.sleep(5)
        assert mav.truePosNED[2] == pytest.approx(-2.0, abs=0.02)
        mav.stopRun()

    def test_flags_follow(self) -> None:
        mav = PX4MavCtrler(1, sim=Sim("x450"))
        assert not mav.isPX4Ekf3DFixed
        mav.InitMavLoop()
        assert mav.isPX4Ekf3DFixed
        assert not mav.isInOffboard
        mav.initOffboard()
        assert mav.isInOffboard
        assert mav.isArmed
        mav.endOffboard()
        assert not mav.isInOffboard
        assert mav.isArmed


class TestTakeOffAndLanding:
    """Arming, sendMavTakeOff and sendMavLand."""

    @pytest.mark.parametrize(
        ("asked", "height"), [(0, 10), (-0.5, 10), (5, 10), (-1.5, 1.5), (-2.5, 2.5), (-12, 12)]
    )
    def test_height_below_a_metre_is_ten_metres(self, asked: float, height: float) -> None:
        sim, mav = controlled()
        mav.SendMavArm(True)
        mav.sendMavTakeOff(zM=asked)
        sim.sleep(math.ceil(height / 1.5) + 4)
        assert mav.uavPosNED[2] == pytest.approx(-height, abs=0.01)

    def test_takes_off_to_the_place_and_heading(self) -> None:
        sim, mav = controlled(pos=(7.0, 8.0, 0.0))
        mav.SendMavArm(1)
        mav.sendMavTakeOff(3, -2, -6, math.pi / 2)
        sim.sleep(12)
        assert mav.uavPosNED == pytest.approx([3.0, -2.0, -6.0], abs=0.01)
        assert mav.truePosNED == pytest.approx([10.0, 6.0, -6.0], abs=0.01)
        assert mav.uavAngEular[2] == pytest.approx(math.pi / 2, abs=0.02)

    def test_set_points_do_not_disturb_the_climb(self) -> None:
        sim, mav = controlled()
        mav.initOffboard()
        mav.sendMavTakeOff(0, 0, -9)
        for _ in range(8):
            mav.SendPosNED(30, 0, -2, 1)
            sim.sleep(0.5)
            assert abs(mav.uavPosNED[0]) < 0.01
        assert mav.uavVelNED[2] == pytest.approx(-1.5, abs=0.05)
        sim.sleep(14)
        assert mav.uavPosNED == pytest.approx([30.0, 0.0, -2.0], abs=0.02)

    def test_without_set_points_the_height_is_held_in_offboard_too(self) -> None:
        sim, mav = controlled()
        mav.initOffboard()
        mav.sendMavTakeOff(1, 2, -4)
        sim.sleep(9)
        assert mav.uavPosNED == pytest.approx([1.0, 2.0, -4.0], abs=0.01)

    def test_landing_ends_on_the_place_disarmed(self) -> None:
        sim, mav = offboard(5.0)
        mav.sendMavLand(4, -3, 0)
        sim.sleep(4 + 5 / 0.7 + 3)
        assert not mav.isArmed
        assert mav.uavPosNED == pytest.approx([4.0, -3.0, 0.0], abs=0.02)
        assert max(mav.uavMotorRPMS) < 10.0
        assert mav.uavThrust == 0.0

    def test_disarming_in_the_air_lets_it_fall(self) -> None:
        sim, mav = offboard(20.0)
        mav.SendMavArm(0)
        sim.sleep(1.0)
        # less than free fall for a second: drag, and rotors that take their time to stop
        assert -20.0 + 3.0 < mav.uavPosNED[2] < -20.0 + 0.5 * 9.81

    def test_arms_and_idles_on_the_ground(self) -> None:
        sim, mav = controlled()
        mav.SendMavArm(True)
        sim.sleep(5)
        assert mav.isArmed
        assert max(abs(p) for p in mav.uavPosNED) < 1e-3


class TestPosition:
    """SendPosNED and SendPosNEDNoYaw."""

    def test_is_relative_to_the_take_off_point(self) -> None:
        sim, mav = controlled(pos=(20.0, 30.0, 0.0))
        mav.initOffboard()
        mav.SendPosNED(3, -4, -5, 0.7)
        sim.sleep(9)
        assert mav.uavPosNED == pytest.approx([3.0, -4.0, -5.0], abs=0.01)
        assert mav.truePosNED == pytest.approx([23.0, 26.0, -5.0], abs=0.01)
        assert mav.uavGlobalPos == mav.truePosNED
        assert mav.uavAngEular[2] == pytest.approx(0.7, abs=0.02)

    def test_without_yaw_holds_the_heading(self) -> None:
        sim, mav = offboard(yaw=1.0)
        mav.SendPosNEDNoYaw(0, 4, -8)
        sim.sleep(6)
        assert mav.uavPosNED == pytest.approx([0.0, 4.0, -8.0], abs=0.01)
        assert mav.uavAngEular[2] == pytest.approx(1.0, abs=0.02)

    def test_yaw_that_is_nan_holds_the_heading(self) -> None:
        sim, mav = offboard(yaw=1.0)
        mav.SendPosNED(2, 0, -10)
        sim.sleep(5)
        assert mav.uavAngEular[2] == pytest.approx(1.0, abs=0.02)

    def test_axes_that_are_nan_come_to_rest(self) -> None:
        sim, mav = offboard()
        mav.SendVelNED(2, 0, 0, 0)
        sim.sleep(3)
        x = mav.uavPosNED[0]
        mav.SendPosNED(y=3, z=-12)
        sim.sleep(8)
        assert mav.uavPosNED[1:] == pytest.approx([3.0, -12.0], abs=0.01)
        assert x < mav.uavPosNED[0] < x + 2.0
        assert abs(mav.uavVelNED[0]) < 1e-3

    def test_stops_counting_after_offboard(self) -> None:
        sim, mav = offboard()
        mav.endOffboard()
        mav.SendPosNED(5, 5, -5, 0)
        sim.sleep(5)
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -10.0], abs=0.01)


class TestVelocity:
    """SendVelNED, SendVelNEDNoYaw, SendVelFRD and SendVelNoYaw."""

    def test_ned_goes_by_the_compass_whatever_the_heading(self) -> None:
        sim, mav = offboard(yaw=2.0)
        mav.SendVelNEDNoYaw(1.5, -2, -0.5)
        sim.sleep(4)
        start = np.array(mav.uavPosNED)
        sim.sleep(5)
        flown = np.array(mav.uavPosNED) - start
        np.testing.assert_allclose(flown, (7.5, -10.0, -2.5), atol=0.05)
        assert mav.uavAngEular[2] == pytest.approx(2.0, abs=0.02)

    def test_yaw_rate_turns_clockwise(self) -> None:
        sim, mav = offboard()
        mav.SendVelNED(0, 0, 0, 0.25)
        sim.sleep(2)
        start = mav.uavAngEular[2]
        sim.sleep(4)
        assert mav.uavAngEular[2] - start == pytest.approx(1.0, abs=0.02)

    def test_axes_that_are_nan_come_to_rest(self) -> None:
        sim, mav = offboard()
        mav.SendVelNED(2, 0, 0, 0)
        sim.sleep(3)
        mav.SendVelNED(vy=1)
        sim.sleep(4)
        assert mav.uavVelNED == pytest.approx([0.0, 1.0, 0.0], abs=0.01)

    def test_forward_is_east_after_a_quarter_turn(self) -> None:
        sim, mav = offboard()
        mav.SendPosNED(0, 0, -10, math.pi / 2)
        sim.sleep(4)
        mav.SendVelFRD(2, 0, 0, 0)
        sim.sleep(3)
        start = np.array(mav.uavPosNED)
        sim.sleep(4)
        np.testing.assert_allclose(np.array(mav.uavPosNED) - start, (0.0, 8.0, 0.0), atol=0.05)

    def test_right_and_down_turn_with_the_heading(self) -> None:
        sim, mav = offboard(yaw=math.pi)
        mav.SendVelNoYaw(0, 1, 0.5)
        sim.sleep(4)
        assert mav.uavVelNED == pytest.approx([0.0, -1.0, 0.5], abs=0.02)
        assert abs(mav.uavAngEular[2]) == pytest.approx(math.pi, abs=0.02)

    def test_forward_while_turning_is_a_circle(self) -> None:
        sim, mav = offboard()
        mav.SendVelFRD(1, 0, 0, 0.5)
        sim.sleep(6)
        here = np.array(mav.uavPosNED)
        sim.sleep(math.pi / 0.5)
        # half a circle of radius v / w later, the vehicle is a diameter away
        across = float(np.linalg.norm(np.array(mav.uavPosNED) - here))
        assert across == pytest.approx(2 * 1 / 0.5, rel=0.05)
        sim.sleep(math.pi / 0.5)
        np.testing.assert_allclose(mav.uavPosNED, here, atol=0.05)


class TestAttitude:
    """SendAttPX4."""

    ANGLES = (math.radians(6.0), math.radians(-4.0), math.radians(70.0))

    @pytest.mark.parametrize(
        ("flag", "att"),
        [
            (0, [6.0, -4.0, 70.0, 0.0]),
            (0, [6.0, -4.0, 70.0]),
            (1, np.radians([6.0, -4.0, 70.0])),
            # Z-Y-X: about z by 70 deg, then y by -4 deg, then x by 6 deg, by hand
            (2, [0.8159246, 0.0628189, 0.0014675, 0.5747413]),
            (2, [-1.6318492, -0.1256378, -0.002935, -1.1494826]),
        ],
    )
    def test_angles_come_in_three_forms(self, flag: int, att: Any) -> None:
        sim, mav = offboard(yaw=1.0)
        mav.SendAttPX4(att, lift_share(sim), flag)
        sim.sleep(2.5)
        assert mav.uavAngEular == pytest.approx(self.ANGLES, abs=0.02)

    @pytest.mark.parametrize(("flag", "rate"), [(3, 0.5), (4, math.degrees(0.5))])
    def test_rates_come_in_two_units(self, flag: int, rate: float) -> None:
        sim, mav = offboard()
        mav.SendAttPX4([0, 0, rate, 0], lift_share(sim), flag)
        sim.sleep(3)
        assert mav.uavAngRate == pytest.approx([0.0, 0.0, 0.5], abs=0.02)

    def test_thrust_is_a_share_of_the_most(self) -> None:
        sim, mav = offboard(30.0)
        sim.drag_linear[:] = sim.drag_quadratic[:] = 0.0
        share = 1.2 * lift_share(sim)
        mav.SendAttPX4([0, 0, 0, 0], share)
        sim.sleep(1.0)
        assert mav.uavThrust == pytest.approx(share)
        # 1.2 times the weight: upwards with 0.2 g
        assert mav.trueAccB[2] == pytest.approx(-0.2 * sim.gravity[0], abs=0.02)
        assert mav.uavAccB[2] == pytest.approx(-1.2 * sim.gravity[0], abs=0.02)

    def test_nose_down_is_forward(self) -> None:
        sim, mav = offboard(yaw=math.pi / 2)
        mav.SendAttPX4([0, -5, 90, 0], lift_share(sim))
        sim.sleep(1.5)
        assert mav.uavVelNED[1] > 0.8
        assert abs(mav.uavVelNED[0]) < 0.1

    @pytest.mark.parametrize("att", [[0, 0, 0, 0], [15, 0, 0, 0], [0, -25, 0, 0]])
    def test_with_alt_flag_thrust_is_a_height(self, att: list[float]) -> None:
        sim, mav = offboard()
        mav.SendAttPX4(att, 12.0, 0, 1)
        sim.sleep(5)
        assert -mav.uavPosNED[2] == pytest.approx(12.0, abs=0.05)
        assert np.degrees(mav.uavAngEular) == pytest.approx(att[:3], abs=0.5)

    def test_rates_with_alt_flag_hold_the_height(self) -> None:
        sim, mav = offboard()
        mav.SendAttPX4([0, 0, 1, 0], 10.0, 3, 1)
        sim.sleep(5)
        assert -mav.uavPosNED[2] == pytest.approx(10.0, abs=0.05)
        assert mav.uavAngRate[2] == pytest.approx(1.0, abs=0.02)


class TestAttributes:
    """What scripts read."""

    def test_are_lists_of_floats(self) -> None:
        sim, mav = offboard()
        mav.SendVelNED(1, 0, 0, 0.3)
        sim.sleep(2)
        sizes = {
            "uavAngEular": 3, "uavAngRate": 3, "uavPosNED": 3, "uavVelNED": 3, "uavPosGPS": 9,
            "uavPosGPSHome": 3, "uavGlobalPos": 3, "uavAngQuatern": 4, "uavMotorRPMS": 8,
            "uavAccB": 3, "uavGyro": 3, "trueAngEular": 3, "trueAngRate": 3, "truePosNED": 3,
            "trueVelNED": 3, "trueAngQuatern": 4, "trueMotorRPMS": 8, "trueAccB": 3,
            "truePosGPS": 3, "trueGpsUeCenter": 3,
        }  # fmt: skip
        for name, size in sizes.items():
            value = getattr(mav, name)
            assert isinstance(value, list), name
            assert [type(v) for v in value] == [float] * size, name
        for name in ("uavTimeStmp", "trueTimeStmp", "uavThrust", "MaxSpeed"):
            assert type(getattr(mav, name)) is float, name

    def test_agree_with_the_simulation(self) -> None:
        sim, mav = offboard()
        mav.SendVelFRD(2, 0, 0, 0.3)
        sim.sleep(3)
        assert mav.uavTimeStmp == mav.trueTimeStmp == sim.time
        for names, column in (
            ("uavAngEular trueAngEular", sim.euler),
            ("uavAngRate uavGyro trueAngRate", sim.rate),
            ("uavAngQuatern trueAngQuatern", sim.att),
            ("uavVelNED trueVelNED", sim.vel),
            ("uavAccB", sim.specific_force),
            ("trueAccB", sim.accel),
        ):
            for name in names.split():
                assert getattr(mav, name) == column[0].tolist()
        rpm = sim.rotor_speed[0] * 60 / (2 * math.pi)
        np.testing.assert_allclose(mav.uavMotorRPMS, [*rpm, 0, 0, 0, 0])
        assert mav.trueMotorRPMS == mav.uavMotorRPMS

    def test_uav_pos_gps_is_geodetic(self) -> None:
        sim, mav = controlled(pos=(10.0, 20.0, -1.0), yaw=-2.0)
        sim.pos[0] = (110.0, 20.0, -6.0)
        sim.vel[0] = (1.0, 2.0, -3.0)
        frame = LocalFrame(40.1540302, 116.2593683, 50.0)
        gps = mav.uavPosGPS
        assert gps[:3] == frame.to_lla((110.0, 20.0, -6.0)).tolist() == mav.truePosGPS
        assert gps[3:] == pytest.approx([0.0, 5.0, 1.0, 2.0, -3.0, -2.0])
        assert mav.uavPosGPSHome == frame.to_lla((10.0, 20.0, -1.0)).tolist()
        # 100 m north is 100 / 111.0 km of a degree at this latitude (WGS84)
        assert gps[0] - mav.uavPosGPSHome[0] == pytest.approx(100 / 111_035.0, rel=1e-3)

    def test_gps_origin_can_be_moved(self) -> None:
        _, mav = controlled()
        assert mav.trueGpsUeCenter == [40.1540302, 116.2593683, 50]
        mav.trueGpsUeCenter = [10.0, 20.0, 30.0]
        assert mav.truePosGPS == pytest.approx([10.0, 20.0, 30.0])

    def test_rotors_beyond_the_eighth_are_left_out(self) -> None:
        sim = Sim("octo_x")
        sim.rotor_speed[0] = math.pi / 30 * np.arange(1.0, sim.rotor_speed.shape[1] + 1.0)
        mav = PX4MavCtrler(1, sim=sim)
        assert mav.uavMotorRPMS == pytest.approx([1, 2, 3, 4, 5, 6, 7, 8])

    def test_max_speed_limits_the_flight(self) -> None:
        sim, mav = offboard()
        mav.MaxSpeed = 1.5
        assert mav.MaxSpeed == 1.5
        mav.SendPosNED(40, 0, -10, 0)
        sim.sleep(6)
        assert mav.uavVelNED[0] == pytest.approx(1.5, abs=0.02)
        with pytest.raises(ValueError, match="MaxSpeed: expected"):
            mav.MaxSpeed = 0


class TestBadArguments:
    """Errors that name the argument, what was expected, and the unit."""

    @pytest.mark.parametrize(
        ("method", "arguments", "message"),
        [
            ("SendPosNED", {"x": math.inf}, r"x: expected a finite number \[m\] or NaN"),
            ("SendPosNED", {"yaw": "north"}, r"yaw: expected a number \[rad\]"),
            ("SendPosNEDNoYaw", {"z": None}, r"z: expected a number \[m\]"),
            ("SendVelNED", {"vy": -math.inf}, "vy: expected"),
            ("SendVelNED", {"yawrate": [1]}, r"yawrate: expected a number \[rad/s\]"),
            ("SendVelFRD", {"vz": 1j}, r"vz: expected a number \[m/s\]"),
            ("SendVelNoYaw", {"vx": "1"}, r"vx: expected a number \[m/s\]"),
            ("SendVelNEDNoYaw", {"vx": "1", "vy": 0, "vz": 0}, r"vx: expected a number \[m/s\]"),
            ("sendMavTakeOff", {"xM": NAN}, r"xM: expected a finite number \[m\]"),
            ("sendMavTakeOff", {"zM": math.inf}, r"zM: expected a finite number \[m\]"),
            ("sendMavTakeOff", {"PitchRad": NAN}, "PitchRad: expected"),
            ("sendMavLand", {"xM": 0, "yM": NAN, "zM": 0}, r"yM: expected a finite number \[m\]"),
            ("SendAttPX4", {"CtrlFlag": 5}, r"CtrlFlag: .*got 5"),
            ("SendAttPX4", {"CtrlFlag": 0.0}, r"CtrlFlag: expected an integer"),
            ("SendAttPX4", {"att": [1, 2]}, r"att: expected 3 or 4 numbers \[deg\]"),
            ("SendAttPX4", {"att": 3.0}, r"att: expected 3 or 4 numbers \[deg\]"),
            ("SendAttPX4", {"att": [0, NAN, 0]}, r"att: expected a finite number \[deg\]"),
            ("SendAttPX4", {"att": [1, 0, 0], "CtrlFlag": 2}, r"att: expected 4 numbers \[1\]"),
            ("SendAttPX4", {"CtrlFlag": 2}, r"att: expected a quaternion, .* length 0"),
            ("SendAttPX4", {"thrust": NAN}, r"thrust: expected a finite number \[1\]"),
            ("SendAttPX4", {"thrust": NAN, "AltFlg": 1}, r"thrust: expected .* \[m\]"),
        ],
    )
    def test_are_named(self, method: str, arguments: dict[str, Any], message: str) -> None:
        sim, mav = controlled()
        mav.initOffboard()
        before = sim.hash()
        with pytest.raises((TypeError, ValueError), match=message):
            getattr(mav, method)(**arguments)
        assert sim.hash() == before

    def test_numpy_numbers_are_numbers(self) -> None:
        sim, mav = offboard()
        place: list[Any] = [np.float32(1), np.int64(2), np.float64(-9)]
        mav.SendPosNED(*place)
        sim.sleep(5)
        assert mav.uavPosNED == pytest.approx([1.0, 2.0, -9.0], abs=0.01)


def flight(sim: Sim, mav: PX4MavCtrler) -> str:
    """Fly every kind of command, and return the digest of the end."""
    mav.InitMavLoop()
    mav.SendMavArm(True)
    mav.sendMavTakeOff(0, 0, -4)
    sim.sleep(5)
    mav.initOffboard()
    mav.SendPosNED(3, 1, -5, 0.5)
    sim.sleep(2)
    mav.SendVelFRD(1, 0, 0.2, 0.4)
    sim.sleep(2)
    mav.SendAttPX4([5, 5, 0, 0], 5.0, 0, 1)
    sim.sleep(1)
    mav.endOffboard()
    sim.sleep(1)
    mav.sendMavLand(0, 0, 0)
    sim.sleep(12)
    return sim.hash()


@pytest.mark.parametrize("vehicle", ["x450", "cf2x_l250", "hex_x"])
def test_two_flights_are_alike_to_the_bit(vehicle: str) -> None:
    digests = set()
    for _ in range(2):
        sim = Sim(vehicle)
        mav = PX4MavCtrler(1, sim=sim)
        digests.add(flight(sim, mav))
        assert not mav.isArmed
    assert len(digests) == 1


def test_flight_after_a_reset_is_the_first_flight() -> None:
    sim = Sim("x450")
    mav = PX4MavCtrler(1, sim=sim)
    first = flight(sim, mav)
    sim.reset()
    assert flight(sim, mav) == first


@pytest.mark.slow
def test_vehicles_of_a_fleet_are_controlled_each_by_its_own() -> None:
    sim = Sim({"x450": 2, "cf2x_l250": 1, "hex_x": 1})
    for group in sim.groups:
        group.pos[:, 1] = 5.0 * np.arange(group.first_id, group.first_id + group.n)
    mavs = [PX4MavCtrler(copter_id, sim=sim) for copter_id in (1, 2, 3, 4)]
    for mav in mavs:
        mav.InitMavLoop()
        mav.initOffboard()
        mav.SendPosNED(mav.CopterID, 0, -2 - mav.CopterID, 0.1 * mav.CopterID)
    sim.sleep(9)
    for k, mav in enumerate(mavs, start=1):
        assert mav.uavPosNED == pytest.approx([k, 0.0, -2.0 - k], abs=0.02)
        assert mav.truePosNED == pytest.approx([k, 5.0 * k, -2.0 - k], abs=0.02)
        assert mav.uavAngEular[2] == pytest.approx(0.1 * k, abs=0.02)
    mavs[1].sendMavLand(0, 0, 0)
    mavs[2].SendVelNED(0, 0, -1, 0)
    sim.sleep(12)
    assert [mav.isArmed for mav in mavs] == [True, False, True, True]
    assert mavs[0].uavPosNED == pytest.approx([1.0, 0.0, -3.0], abs=0.01)
    assert mavs[2].uavVelNED == pytest.approx([0.0, 0.0, -1.0], abs=0.02)


def test_a_vehicle_flies_alike_alone_and_in_a_fleet() -> None:
    ends = []
    for n in (1, 5):
        sim = Sim("x450", n)
        mav = PX4MavCtrler(n, sim=sim)
        mav.InitMavLoop()
        mav.initOffboard()
        mav.SendVelFRD(1, 2, -1, 0.3)
        sim.sleep(5)
        ends.append(mav.uavPosNED)
    assert ends[0] == ends[1]


class TestMeasurements:
    """What an autopilot measures besides the state, as over MAVLink."""

    def test_without_a_model_the_battery_is_that_of_px4s_simulator(self) -> None:
        _, mav = controlled()
        assert mav.batInfo == [100, 16200]

    def test_a_battery_is_shown_as_it_discharges(self) -> None:
        sim = Sim("x450")
        sim.power.enable(cells=4, capacity=5)
        sim.groups[0].state_of_charge[:] = 0.834
        mav = PX4MavCtrler(1, sim=sim)
        mav.InitMavLoop()
        sim.step(100)
        charge, millivolts = mav.batInfo
        assert charge == pytest.approx(83.4, abs=0.1)
        assert millivolts == round(1e3 * float(sim.battery_voltage[0]))

    def test_the_magnetic_field_is_that_of_the_body(self) -> None:
        """With the nose east, forward is the east component and right is south."""
        sim, mav = controlled(yaw=math.pi / 2)
        assert mav.uavMag == [0, 0, 0]
        sim.environment.enable("magnetic")
        north, east, down = (1e4 * sim.magnetic_field[0]).tolist()
        assert mav.uavMag == pytest.approx([east, -north, down], abs=1e-9)
        assert 0.2 < north < 0.35  # gauss, near Beijing


def test_a_transition_is_for_vtols() -> None:
    _, mav = controlled()
    with pytest.raises(UnsupportedError, match="3000 is for VTOLs, got 'x450'"):
        mav.SendMavCmdLong(3000, 4)


def test_a_ground_speed_is_for_planes() -> None:
    _, mav = controlled()
    with pytest.raises(UnsupportedError, match="SendGroundSpeed"):
        mav.SendGroundSpeed(5)
