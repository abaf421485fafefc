"""Point-mass vehicles: what each command makes them do, against closed forms."""

from __future__ import annotations

import inspect
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pyrfly.rflysim.EarthModel import EarthModel
from pyrfly.rflysim.point_mass import PointMass
from pyrfly.rflysim.vehicle_setpoints import CAR, FIXED_WING


def armed(kind: int = 3, start: tuple[float, float, float] = (0, 0, 0)) -> PointMass:
    vehicle = PointMass(kind)
    vehicle.restart(start)
    vehicle.SendMavArm(1)
    return vehicle


def until(vehicle: PointMass, flag: int, most: float = 100.0) -> float:
    """Step until a mode begins; return the time it took."""
    for i in range(round(most / 0.01)):
        if vehicle.CurFlag == flag:
            return i * 0.01
        vehicle.Step(0.01)
    raise AssertionError(f"mode {flag} did not begin")


# --- take-off ---


@pytest.mark.parametrize("yaw", [0.0, 2.0])
def test_the_runway_is_v_squared_over_twice_a(yaw: float) -> None:
    vehicle = PointMass()
    vehicle.sendMavTakeOff(500, 0, -50, yaw)
    seconds = until(vehicle, 11)
    assert seconds == pytest.approx(10, abs=0.02)  # v / a
    run = 10**2 / 2
    expected = [run * math.cos(yaw), run * math.sin(yaw), 0]
    assert vehicle.uavPosNED == pytest.approx(expected, abs=0.1)
    assert math.hypot(*vehicle.uavVelNED) == pytest.approx(10)
    assert vehicle.uavAngEular[2] == pytest.approx(yaw)


def test_the_climb_has_its_slope_and_ends_at_its_height() -> None:
    vehicle = PointMass()
    slope = math.radians(15)
    vehicle.sendMavTakeOff(1000, 0, -40, 0, slope)
    until(vehicle, 11)
    north = vehicle.uavPosNED[0]
    vehicle.Step(2)
    path = 10 * 2 + 2**2 / 2  # from 10 m/s with 1 m/s^2
    assert vehicle.uavPosNED[0] - north == pytest.approx(path * math.cos(slope), rel=0.01)
    assert -vehicle.uavPosNED[2] == pytest.approx(path * math.sin(slope), rel=0.01)
    until(vehicle, 12)
    assert vehicle.uavPosNED[2] == pytest.approx(-40, abs=0.1)


def test_the_climb_gets_no_faster_than_20() -> None:
    vehicle = PointMass()
    vehicle.sendMavTakeOff(5000, 0, -500)
    until(vehicle, 11)
    vehicle.Step(20)
    assert math.hypot(*vehicle.uavVelNED) == pytest.approx(20)


@pytest.mark.parametrize(("direction", "sense"), [(1, 1), (2, -1)])
def test_after_a_take_off_it_circles_the_position(direction: int, sense: int) -> None:
    vehicle = PointMass()
    vehicle.sendMavTakeOff(300, 40, -50)
    vehicle.CircleDir = direction
    until(vehicle, 12)
    until(vehicle, 121)
    vehicle.Step(20)
    angles = []
    for _ in range(200):
        vehicle.Step(0.01)
        offset = np.subtract(vehicle.uavPosNED, [300, 40, -50])
        assert np.hypot(*offset[:2]) == pytest.approx(20, abs=0.01)
        assert offset[2] == pytest.approx(0, abs=0.01)
        angles.append(math.atan2(offset[1], offset[0]))
    assert vehicle.uavVelAir == pytest.approx(20, abs=1e-3)
    # v / R = 1 rad/s, from north towards east when clockwise
    assert np.unwrap(angles)[-1] - angles[0] == pytest.approx(sense * 1.99, abs=0.01)


@pytest.mark.parametrize(("radius", "expected"), [(60, 60), (1, 5)])
def test_radius_and_speed_of_the_circle(radius: float, expected: float) -> None:
    vehicle = PointMass()
    vehicle.sendMavTakeOff(300, 0, -50)
    vehicle.SendCruiseSpeed(10)
    vehicle.SendCruiseRadius(radius)
    until(vehicle, 121)
    vehicle.Step(60)
    offset = np.subtract(vehicle.uavPosNED, [300, 0, -50])
    assert np.hypot(*offset[:2]) == pytest.approx(expected, abs=0.05)
    assert vehicle.uavVelAir == pytest.approx(10, abs=0.01)


def test_a_take_off_to_a_place_on_the_earth() -> None:
    vehicle = PointMass()
    vehicle.restart((100, -50, 0))
    lla = EarthModel().ned2lla([400, 20, -80], vehicle.GPSOrigin)
    vehicle.sendMavTakeOffGPS(*lla, yawDeg=90, pitchDeg=10)
    assert vehicle.CirclePosXYZ == pytest.approx([300, 70, -80], abs=1e-3)
    assert vehicle.TkOffYaw == pytest.approx(math.pi / 2)
    assert vehicle.ClimbSlope == pytest.approx(math.radians(10))


# --- speed, height, heading ---


def test_the_order_of_arguments_is_speed_height_yaw() -> None:
    names = list(inspect.signature(PointMass.SendVelYawAlt).parameters)
    assert names == ["self", "vel", "alt", "yaw"]
    vehicle = PointMass()
    vehicle.SendVelYawAlt(12, -30, 1.0)
    assert vehicle.isArmed
    vehicle.Step(30)
    assert vehicle.uavVelAir == pytest.approx(12, abs=1e-6)
    assert vehicle.uavPosNED[2] == pytest.approx(-30, abs=1e-6)
    assert vehicle.uavAngEular[2] == pytest.approx(1.0, abs=1e-6)
    assert vehicle.uavVelNED == pytest.approx([12 * math.cos(1), 12 * math.sin(1), 0], abs=1e-5)


def test_yaw_0_is_north() -> None:
    vehicle = PointMass()
    vehicle.SendVelYawAlt(10, -10, 0)
    vehicle.Step(20)
    assert vehicle.uavPosNED[1] == pytest.approx(0, abs=1e-9)


# --- positions and velocities of a multirotor ---


def test_a_velocity_builds_up_by_the_filter() -> None:
    vehicle = armed()
    vehicle.SendVelNED(3, -2, -1, 0.5)
    vehicle.Step(0.5)
    share = 1 - 0.97**50
    assert vehicle.uavVelNED == pytest.approx([3 * share, -2 * share, -share])
    assert vehicle.uavAngRate == pytest.approx([0, 0, 0.5 * share])
    vehicle.Step(10)
    assert vehicle.uavVelNED == pytest.approx([3, -2, -1], abs=1e-6)


def test_velocities_are_limited() -> None:
    vehicle = armed()
    vehicle.SendVelNED(100, -100, -100, 100)
    vehicle.Step(5)
    assert vehicle.uavVelNED == [15, -15, -10]
    assert vehicle.uavAngRate[2] == math.pi


def test_forward_is_where_it_points() -> None:
    vehicle = armed(start=(0, 0, 90))
    vehicle.SendVelFRD(4, 1, -1)
    vehicle.Step(10)
    assert vehicle.uavVelNED == pytest.approx([-1, 4, -1], abs=1e-6)
    # 20 deg at 5 m/s: body velocity / 15 * 60 deg
    assert vehicle.uavAngEular[0] == pytest.approx(math.radians(4))
    assert vehicle.uavAngEular[1] == pytest.approx(math.radians(-16))


def test_positions_are_reached_with_their_heading() -> None:
    vehicle = armed(start=(7, 8, 0))
    vehicle.SendPosNED(30, -10, -5, 1.5)
    vehicle.Step(30)
    assert vehicle.uavPosNED == pytest.approx([30, -10, -5], abs=1e-3)
    assert vehicle.truePosNED == pytest.approx([37, -2, -5], abs=1e-3)
    assert vehicle.uavAngEular == pytest.approx([0, 0, 1.5], abs=1e-3)
    assert vehicle.uavVelNED == pytest.approx([0, 0, 0], abs=1e-3)


def test_a_position_far_away_is_approached_with_the_speed_limit() -> None:
    vehicle = armed()
    vehicle.SendCopterSpeed(6)
    vehicle.SendPosNEDNoYaw(1000, -1000, -1000)
    vehicle.Step(5)
    assert vehicle.uavVelNED == pytest.approx([6, -6, -6], abs=1e-5)
    assert vehicle.uavAngEular[2] == 0


def test_a_body_position_is_an_offset_from_where_it_was_given() -> None:
    vehicle = armed(start=(0, 0, 90))
    vehicle.SendPosNED(0, 0, -5, math.pi / 2)
    vehicle.Step(20)
    vehicle.SendPosFRDNoYaw(10, 2, -1)
    vehicle.Step(30)
    assert vehicle.uavPosNED == pytest.approx([-2, 10, -6], abs=1e-3)
    vehicle.SendPosFRD(1, 0, 0, math.pi)
    vehicle.Step(30)
    assert vehicle.uavPosNED == pytest.approx([-2, 11, -6], abs=1e-3)
    assert abs(vehicle.uavAngEular[2]) == pytest.approx(math.pi, abs=1e-3)


def test_without_yaw_the_heading_stays() -> None:
    vehicle = armed(start=(0, 0, 30))
    for send in (vehicle.SendVelNEDNoYaw, vehicle.SendVelNoYaw, vehicle.SendPosNEDNoYaw):
        send(2, 1, -3)
        vehicle.Step(3)
        assert vehicle.uavAngEular[2] == pytest.approx(math.radians(30))


# --- other kinds, ground, arming ---


def test_a_fixed_wing_circles_a_position() -> None:
    wing = PointMass(FIXED_WING)
    wing.SendCruiseSpeed(14)
    for _ in range(600):  # as a sender that repeats itself
        wing.SendPosNED(200, 100, -60, 0)
        wing.Step(0.1)
    offset = np.subtract(wing.uavPosNED, [200, 100, -60])
    assert np.hypot(*offset[:2]) == pytest.approx(20, abs=0.1)
    assert wing.uavVelAir == pytest.approx(14, abs=0.01)


def test_a_car_follows_the_ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # a slope: 10 m higher every 100 m to the north, from -100 m to 300 m; a level is 1 cm
    levels = np.array([[31768, 35768]] * 2, dtype=np.uint16)
    Image.fromarray(levels).save(tmp_path / "Slope.png")
    (tmp_path / "Slope.txt").write_text("30000,10000,3000,-10000,-10000,-1000,30000,10000,3000")
    monkeypatch.chdir(tmp_path)
    for kind in (CAR, FIXED_WING):
        vehicle = PointMass(kind, "Slope")
        vehicle.restart((10, 0, 0))
        vehicle.SendMavArm(1)
        assert vehicle.intAlt == pytest.approx(-1)
        vehicle.SendVelNED(5, 0, 3)
        vehicle.Step(4)
        if kind == CAR:
            vehicle.Step(6)
            x = vehicle.truePosNED[0]
            assert x > 50
            assert vehicle.uavVelNED[0] == pytest.approx(5, abs=1e-6)
            assert vehicle.truePosNED[2] == pytest.approx(-x / 10)
        else:  # told to go down on the ground, it does not move
            assert vehicle.uavVelNED == [0, 0, 0]
            assert vehicle.truePosNED[2] == pytest.approx(-vehicle.truePosNED[0] / 10)


def driven(speed: float, rate: float, seconds: float = 4) -> PointMass:
    """Return a car that drives along its heading, at first 30 deg."""
    car = PointMass(CAR)
    car.restart((0, 0, 30))
    car.SendMavArm(1)
    car.SendVelFRD(speed, 0.7, 0, rate)
    car.Step(seconds)
    return car


@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_a_car_drives_forward_and_backward(speed: float) -> None:
    car = driven(speed, 0)
    heading = math.radians(30)
    assert car.uavAngEular == pytest.approx([0, 0, heading])
    expected = [speed * math.cos(heading), speed * math.sin(heading), 0]
    assert car.uavVelNED == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("rate", [0.5, -0.3])
def test_a_car_turns_at_the_heading_rate_without_slip(rate: float) -> None:
    car, later = driven(1, rate), driven(1, rate, 5)
    assert car.uavAngRate[2] == pytest.approx(rate, abs=1e-4)
    assert later.uavAngEular[2] - car.uavAngEular[2] == pytest.approx(rate, abs=1e-3)
    north, east, _ = car.uavVelNED
    assert math.atan2(east, north) == pytest.approx(car.uavAngEular[2])
    assert math.hypot(north, east) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("kind", [CAR, FIXED_WING])
def test_what_points_where_it_goes_has_no_heading_rate(kind: int) -> None:
    vehicle = PointMass(kind)
    vehicle.SendMavArm(1)
    vehicle.SendVelNED(1, 1, -1, 0.5)
    vehicle.Step(4)
    assert vehicle.uavAngEular[2] == pytest.approx(math.pi / 4)
    assert vehicle.uavAngRate == [0, 0, 0]


def test_a_landing_ends_on_the_ground() -> None:
    vehicle = armed()
    vehicle.SendVelNED(0, 0, -2)
    vehicle.Step(5)
    assert vehicle.MotorRPMS == [1000] * 8
    vehicle.SendVelNED(1, 0, 2)
    vehicle.Step(20)
    assert vehicle.uavPosNED[2] == 0
    assert vehicle.uavVelNED == [0, 0, 0]
    assert vehicle.MotorRPMS == [0] * 8


def test_a_vehicle_that_is_not_armed_ignores_commands() -> None:
    vehicle = PointMass()
    vehicle.SendVelNED(1, 1, -1)
    vehicle.Step(5)
    assert vehicle.uavPosNED == [0, 0, 0]
    vehicle.SendMavArm(True)
    vehicle.Step(5)
    assert vehicle.uavPosNED[0] > 4
    vehicle.SendMavArm(False)
    vehicle.Step(5)
    assert vehicle.uavVelNED == pytest.approx([0, 0, 0], abs=1e-6)


@given(st.lists(st.floats(0, 0.5), max_size=30), st.integers(0, 4))
def test_the_same_steps_give_the_same_motion(steps: list[float], which: int) -> None:
    one, two = armed(), armed()
    for vehicle in (one, two):
        commands: list[Any] = [
            lambda v: v.sendMavTakeOff(100, 0, -20),
            lambda v: v.SendVelYawAlt(20, -10, 2),
            lambda v: v.SendPosNED(1, 2, -3, 4),
            lambda v: v.SendVelFRD(1, 2, -3, 4),
            lambda v: v.SendPosFRDNoYaw(1, 2, -3),
        ]
        commands[which](vehicle)
        for dt in steps:
            vehicle.Step(dt)
            assert all(map(math.isfinite, [*vehicle.uavPosNED, *vehicle.uavAngEular]))
            assert vehicle.uavPosNED[2] <= 0
    assert one.uavPosNED == two.uavPosNED
    assert one.uavAngEular == two.uavAngEular


@pytest.mark.parametrize("dt", [-0.1, math.nan, math.inf])
def test_a_step_is_a_time(dt: float) -> None:
    with pytest.raises(ValueError, match="dt"):
        armed().Step(dt)


def test_set_points_that_are_non_finite_are_refused_and_change_nothing() -> None:
    vehicle = armed()
    vehicle.SendVelNED(1, 2, 3, 0)
    for bad in (
        lambda: vehicle.SendVelNED(math.nan),
        lambda: vehicle.SendPosNED(0, math.inf),
        lambda: vehicle.SendVelYawAlt(10, math.nan, 0),
        lambda: vehicle.sendMavTakeOff(0, 0, math.nan),
    ):
        with pytest.raises(ValueError, match="finite"):
            bad()
    assert vehicle.vel == [1, 2, 3]
    assert vehicle.CurFlag == 0


def test_mavlinks_mask() -> None:
    assert PointMass.TypeMask([1, 1, 1, 1, 1, 1]) == 0
    assert PointMass.TypeMask([0, 1, 0, 0, 0, 1]) == 7 | 7 << 6 | 1 << 9 | 1 << 10
    vehicle = armed()
    vehicle.SendVelFRD(1, 2, 3, 4)
    assert vehicle.EnList == [0, 1, 0, 0, 0, 1]
    assert vehicle.coordinate_frame == 8
    vehicle.SendPosNED(1, 2, 3, 4)
    assert vehicle.EnList == [1, 0, 0, 0, 1, 0]
    assert (vehicle.coordinate_frame, vehicle.pos, vehicle.yaw) == (1, [1, 2, 3], 4)
