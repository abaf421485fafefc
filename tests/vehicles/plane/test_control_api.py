"""RflySim's control API on planes in this process: each command by its effect in flight."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly.ctrl import PX4MavCtrler, Swarm, UnsupportedError
from pyrfly.protocol.synthesis import Mode
from pyrfly.rflysim.api import Ctrl

from .aloft import (
    CRUISE,
    NAME,
    airspeed,
    airspeeds,
    controlled,
    course,
    fly,
    is_circled,
    offboard,
)

RADIUS = float(pyrfly.Sim(NAME).groups[0].loiter_radius[0])


# --- positions ------------------------------------------------------------------------------------

CENTRE = (300.0, 100.0, -120.0)


def global_position(mav: PX4MavCtrler) -> None:
    mav.SendPosGlobal(*mav._link.origin.to_lla(np.array(CENTRE)).tolist())


POSITIONS: dict[str, Callable[[Any], object]] = {
    "SendPosNED": lambda c: c.SendPosNED(*CENTRE, 1.0),
    "SendPosNEDNoYaw": lambda c: c.SendPosNEDNoYaw(*CENTRE),
    "SendPosNEDExt": lambda c: c.SendPosNEDExt(*CENTRE),
    "SendPosFRD": lambda c: c.SendPosFRD(300, 100, -20, 0.5),
    "SendPosNEDExt FRD": lambda c: c.SendPosNEDExt(300, 100, -20, 3, False),
    "SendPosGlobal": global_position,
    "SendSynPos": lambda c: c.SendSynPos(*CENTRE, 0),
    "SendOffAll": lambda c: c.SendOffAll(0xFF8, 1, CENTRE),
    "sendMavOffboardCmd": lambda c: c.sendMavOffboardCmd(0xFF8, 1, *CENTRE, *[0] * 8),
    "sendUDPSimpData": lambda c: c.sendUDPSimpData(2, [*CENTRE, 0.0]),
}


@pytest.mark.slow
def test_positions_are_circled_at_their_height_with_cruise_speed_and_radius() -> None:
    """By each command, in wind, and after a change of the cruise."""
    sim, controllers = offboard(n=len(POSITIONS) + 3)
    for mav, command in zip(controllers, POSITIONS.values(), strict=False):
        command(mav)
    *_, blown, fast, slow = controllers
    sim.wind[-3] = (6, -8, 0)
    blown.SendPosNED(*CENTRE)
    for mav in (fast, slow):
        mav.SendCruiseSpeed(28)
        mav.SendCruiseRadius(170)
        mav.SendPosNED(*CENTRE)
    slow.SendMavCmdLong(178, 0, 24, -1)
    sim.sleep(55)
    radii, speeds = np.full(sim.n, RADIUS), np.full(sim.n, CRUISE)
    radii[-2:], speeds[-2:] = 170, (28, 24)
    is_circled(sim, CENTRE, radii, speeds, slice(None))
    assert not (sim.sil_refused | sim.sil_bad | sim.sil_unknown).any()
    assert slow.MaxSpeed == pytest.approx(sim.groups[0].speed_limit[-1])  # unchanged


@pytest.mark.parametrize("command", ["SendCruiseSpeed", "SendVelYawAlt"])
def test_an_airspeed_out_of_range_is_limited_with_a_warning(command: str) -> None:
    sim, controllers = offboard(n=2)
    for mav, asked in zip(controllers, (90.0, 3.0), strict=True):
        expected = f"an airspeed of 15.9 to 30.8 m/s, got {asked:g}"
        with pytest.warns(pyrfly.CommandWarning, match=expected):
            getattr(mav, command)(asked)
        if command == "SendCruiseSpeed":
            mav.SendVelYawAlt(0, 0, -100)  # at the cruise airspeed
    sim.sleep(30)
    limits = sim.speed_limit[0], sim.minimum_airspeed[1]
    np.testing.assert_allclose(airspeeds(sim), limits, atol=0.5)


def test_a_radius_out_of_range_is_refused() -> None:
    sim, mav = offboard()
    for radius in (0, 4.9, 1001, -50):
        with pytest.raises(ValueError, match="rad: expected"):
            mav.SendCruiseRadius(radius)
    assert sim.groups[0].loiter_radius[0] == RADIUS


@pytest.mark.slow
def test_a_position_with_a_speed() -> None:
    ctrl = Ctrl(sim=pyrfly.Sim(NAME, dt=0.002))
    ctrl.init_loop(0, offboard=True)
    fly(ctrl._link.sim)  # type: ignore[attr-defined]
    ctrl.send_cruise_radius_fw(200)
    ctrl.send_pos_speed_fw(CENTRE, 27)
    sim = ctrl._link.sim  # type: ignore[attr-defined]
    sim.sleep(60)
    is_circled(sim, CENTRE, 200, 27)


def test_without_a_set_point_it_circles_where_it_is() -> None:
    sim, mav = offboard()
    mav.SendVelNED(0, 25, 0, 0)
    sim.sleep(15)
    mav.endOffboard()
    sim.sleep(0.02)
    place = sim.pos[0].copy()
    sim.sleep(45)
    is_circled(sim, place, RADIUS)


# --- courses --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_speed_course_and_height() -> None:
    """In still air and in wind."""
    courses = [1.0, -2.5, 6.28] * 2
    sim, controllers = offboard(n=len(courses))
    sim.wind[3:] = (5, -5, 0)
    for mav, yaw in zip(controllers, courses, strict=True):
        mav.SendVelYawAlt(27, yaw, -120)
    sim.sleep(40)
    for row, yaw in enumerate(courses):
        assert abs(math.remainder(course(sim, row) - yaw, math.tau)) < math.radians(1)
    np.testing.assert_allclose(sim.pos[:, 2], -120, atol=2)
    np.testing.assert_allclose(airspeeds(sim), 27, atol=1)


def test_a_velocity_is_course_airspeed_and_climb_rate() -> None:
    sim, mav = offboard()
    mav.SendVelNED(15, -20, -1.5, 0)
    sim.sleep(25)
    assert course(sim) == pytest.approx(math.atan2(-20, 15), abs=0.02)
    assert airspeed(sim) == pytest.approx(25, abs=1)
    assert sim.vel[0, 2] == pytest.approx(-1.5, abs=0.15)
    mav.SendVelNEDNoYaw(0, 26, 2)
    sim.sleep(15)
    assert course(sim) == pytest.approx(math.pi / 2, abs=0.02)
    assert sim.vel[0, 2] == pytest.approx(2, abs=0.4)


def test_a_velocity_of_the_body_is_airspeed_and_turn() -> None:
    sim, mav = offboard()
    mav.SendVelFRD(27, 0, 0, 0.1)
    sim.sleep(25)
    before = course(sim)
    sim.sleep(5)
    assert math.remainder(course(sim) - before, math.tau) == pytest.approx(0.5, abs=0.05)
    assert airspeed(sim) == pytest.approx(27, abs=1)
    mav.SendVelNoYaw(25, 0, 0)
    sim.sleep(4)
    before = course(sim)
    sim.sleep(10)
    assert course(sim) == pytest.approx(before, abs=0.02)


# --- attitude -------------------------------------------------------------------------------------


def test_an_attitude_with_a_throttle() -> None:
    sim, mav = offboard()
    mav.SendAttPX4([15, 4, 0, 0], 0.9)
    sim.sleep(5)
    np.testing.assert_allclose(np.degrees(sim.euler[0, :2]), [15, 4], atol=1)
    assert sim.propeller_throttle[0] == pytest.approx(0.9)
    mav.SendAttPX4([0.0, -0.1, 0.0], 0.3, 1)
    sim.sleep(5)
    np.testing.assert_allclose(sim.euler[0, :2], [0, -0.1], atol=0.02)
    assert sim.propeller_throttle[0] == pytest.approx(0.3)
    assert mav.uavThrust == pytest.approx(0.3)


def test_an_angular_velocity() -> None:
    sim, mav = offboard()
    mav.SendAttPX4([0.3, 0, 0], 0.8, 3)
    sim.sleep(0.7)
    assert sim.rate[0, 0] == pytest.approx(0.3, abs=0.05)
    mav.SendAttPX4([-20, 0, 0], 0.8, 4)
    sim.sleep(0.7)
    assert sim.rate[0, 0] == pytest.approx(math.radians(-20), abs=0.05)


def test_an_attitude_with_a_height_is_held_by_the_throttle() -> None:
    sim, mav = offboard()
    mav.SendAttPX4([0, 4, 0, 0], 110, 0, 1)
    sim.sleep(60)
    assert sim.pos[0, 2] == pytest.approx(-110, abs=2)
    np.testing.assert_allclose(np.degrees(sim.euler[0, :2]), [0, 4], atol=1)


# --- kinds of position set-points -----------------------------------------------------------------


def test_a_glide_keeps_the_airspeed_without_thrust() -> None:
    sim, mav = offboard(400)
    mav.SendPosNEDExt(300, 0, -20, 0)
    sim.sleep(20)
    for _ in range(10):
        sim.sleep(1)
        assert sim.propeller_throttle[0] == 0
        assert airspeed(sim) == pytest.approx(CRUISE, abs=1)
    assert sim.vel[0, 2] > 3
    assert np.hypot(*(sim.pos[0, :2] - (300, 0))) < RADIUS + 100  # around the position


def test_idle_is_level_without_thrust() -> None:
    sim, mav = offboard(300)
    mav.SendPosNEDExt(0, 0, 0, 4)
    sim.sleep(5)
    np.testing.assert_allclose(np.degrees(sim.euler[0, :2]), 0, atol=1)
    assert sim.propeller_throttle[0] == 0


# --- take-off and landing -------------------------------------------------------------------------

TAKE_OFFS: dict[str, tuple[Callable[[Any], object], float, float]] = {
    "sendMavTakeOff": (lambda c: c.sendMavTakeOff(500, 90, -50), 15, 50),
    "with a pitch angle": (lambda c: c.sendMavTakeOff(0, 0, -50, 1.0, math.radians(10)), 10, 50),
    "steeper than 25 degrees": (lambda c: c.sendMavTakeOff(0, 0, -50, 0, 1.0), 25, 50),
    "sendMavTakeOffLocal": (lambda c: c.sendMavTakeOffLocal(0, 0, -40, 0, 0.2, 5), 11.459, 40),
    "sendMavTakeOffGPS": (lambda c: c.sendMavTakeOffGPS(40.154, 116.26, 95, 0, 12), 12, 45),
    "sendTakeoffMode": (lambda c: c.sendTakeoffMode(-35), 15, 35),
    "without a height": (lambda c: c.sendMavTakeOff(), 15, 30),
    "TakeoffSyn": (lambda c: c.TakeoffSyn(-45), 15, 45),
    "SendSetMode": (lambda c: c.SendSetMode(4, 2), 15, 30),
    "SendPosNEDExt": (lambda c: c.SendPosNEDExt(0, 0, -40, 1), 15, 40),
    "SendMavCmdLong": (lambda c: c.SendMavCmdLong(24, 0, 0, 0, 0, 0, 0, -42), 15, 42),
}


@pytest.mark.slow
def test_a_take_off_climbs_with_its_pitch_angle_and_goes_on_straight() -> None:
    sim, controllers = controlled(len(TAKE_OFFS))
    sim.reset(yaw=0.7)
    for mav in controllers:
        mav.SendMavArm(1)
    for mav, (command, _, _) in zip(controllers, TAKE_OFFS.values(), strict=True):
        command(mav)
    pitches, heights = np.array([row[1:] for row in TAKE_OFFS.values()]).T
    climbing = np.zeros(sim.n, np.intp)
    while (takes_off := sim.navigator_mode == Mode.TAKEOFF).any():
        climbs = takes_off & (sim.pos[:, 2] < -15)
        held = climbs & (pitches < 25)  # it has not the power for more
        np.testing.assert_allclose(np.degrees(sim.euler[held, 1]), pitches[held], atol=1)
        assert (sim.propeller_throttle[climbs] == 1).all()
        climbing += climbs
        sim.sleep(0.2)
        assert sim.time < 40
    assert (climbing > 3).all()
    sim.sleep(15)
    np.testing.assert_allclose(sim.pos[:, 2], -heights, atol=2)
    np.testing.assert_allclose(airspeeds(sim), CRUISE, atol=1)
    np.testing.assert_allclose(np.arctan2(sim.vel[:, 1], sim.vel[:, 0]), 0.7, atol=0.03)
    np.testing.assert_allclose(sim.euler[:, 0], 0, atol=0.02)
    assert not (sim.sil_refused | sim.sil_unknown | sim.sil_bad).any()


@pytest.mark.slow
def test_a_take_off_waits_for_arming_and_set_points_wait_for_its_height() -> None:
    sim, (mav,) = controlled()
    mav.initOffboard2()
    mav.SendMavArm(0)
    mav.sendMavTakeOff(0, 0, -60)
    mav.SendPosNED(*CENTRE)
    sim.sleep(3)
    np.testing.assert_allclose(sim.pos[0], 0, atol=0.01)
    mav.SendMavArm(1)
    sim.sleep(12)
    assert sim.navigator_mode[0] == Mode.TAKEOFF
    sim.sleep(70)
    is_circled(sim, CENTRE, RADIUS)


def test_armed_on_the_ground_it_idles() -> None:
    sim, (mav,) = controlled()
    sim.sleep(15)
    assert mav.isArmed
    assert sim.propeller_speed[0] == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(sim.pos[0], 0, atol=0.01)


@pytest.mark.slow
def test_it_may_start_at_rest_in_the_air() -> None:
    sim = pyrfly.Sim(NAME, dt=0.002)
    sim.reset(pos=[0, 0, -150])
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    mav.SendMavArm(1)
    mav.initOffboard()
    mav.SendPosNED(0, 0, 0)  # of where it started
    lost = 0.0
    while sim.time < 60:
        sim.sleep(0.5)
        lost = max(lost, float(sim.pos[0, 2]) + 150)
    assert lost < 60
    is_circled(sim, (0, 0, -150), RADIUS)


def test_disarming_in_the_air_stops_the_motor() -> None:
    sim, mav = offboard()
    sim.sleep(1)
    mav.SendMavArm(0)
    sim.sleep(0.1)
    assert sim.propeller_throttle[0] == 0
    assert sim.navigator_mode[0] == Mode.STANDBY


LANDINGS: dict[str, Callable[[Any], object]] = {
    "sendMavLand": lambda c: c.sendMavLand(200, 100, 0),
    "sendMavLandGPS": lambda c: c.sendMavLandGPS(*landing_place(c)),
    "SendPosNEDExt": lambda c: c.SendPosNEDExt(200, 100, 0, 2),
}


def landing_place(mav: Any) -> list[float]:
    lla: list[float] = mav._link.origin.to_lla(np.array([200.0, 100.0, 0.0])).tolist()
    return [*lla[:2], 0.0]


@pytest.mark.slow
def test_a_landing_touches_down_at_its_place_and_disarms() -> None:
    sim, controllers = offboard(n=len(LANDINGS))
    sim.wind[:] = (-3, 2, 0)
    for mav, command in zip(controllers, LANDINGS.values(), strict=True):
        command(mav)
    against, lands = math.atan2(-2, 3), np.ones(sim.n, bool)
    while lands.any():
        sim.sleep(0.1)
        assert sim.time < 200
        for row in np.flatnonzero(lands & (sim.pos[:, 2] >= -0.2)):
            assert np.hypot(*(sim.pos[row, :2] - (200, 100))) < 30
            assert math.remainder(course(sim, row) - against, math.tau) == pytest.approx(0, abs=0.1)
            lands[row] = False
    while any(mav.isArmed for mav in controllers):
        sim.sleep(0.5)
        assert sim.time < 300
    np.testing.assert_allclose(sim.pos[:, 2], 0, atol=0.02)
    assert not sim.status.any()
    assert (airspeeds(sim) < 5).all()


@pytest.mark.slow
def test_while_it_returns_only_a_landing_is_accepted() -> None:
    sim, mav = offboard()
    mav.SendVelNED(0, 25, 0, 0)
    sim.sleep(20)
    mav.SendSetMode(4, 5)
    mav.SendPosNED(2000, 2000, -300)
    mav.initOffboard()
    sim.sleep(60)
    is_circled(sim, (0, 0, -100), RADIUS)
    assert sim.navigator_mode[0] == Mode.RETURN
    assert sim.sil_refused[0] > 0
    mav.sendMavLand(0, 0, 0)
    assert sim.navigator_mode[0] == Mode.APPROACH


# --- parameters, and other vehicles ---------------------------------------------------------------


def test_parameters_of_px4_are_columns() -> None:
    sim, mav = offboard()
    for name, column, component, value, si in (
        ("FW_AIRSPD_TRIM", "cruise_airspeed", 0, 23.0, 23.0),
        ("FW_AIRSPD_MIN", "minimum_airspeed", 0, 19.0, 19.0),
        ("FW_AIRSPD_MAX", "speed_limit", 0, 29.0, 29.0),
        ("NAV_LOITER_RAD", "loiter_radius", 0, 100.0, 100.0),
        ("FW_R_LIM", "tilt_limit", 0, 40.0, math.radians(40)),
        ("FW_P_LIM_MAX", "pitch_limit", 1, 20.0, math.radians(20)),
        ("FW_T_CLMB_MAX", "climb_limit", 0, 4.0, 4.0),
        ("FW_T_SINK_MAX", "descent_limit", 0, 3.0, 3.0),
        ("FW_T_SINK_MIN", "gliding_sink", 0, 2.0, 2.0),
        ("NPFG_PERIOD", "path_period", 0, 15.0, 15.0),
        ("NPFG_DAMPING", "path_damping", 0, 0.7, 0.7),
        ("MIS_TAKEOFF_ALT", "takeoff_height", 0, 44.0, 44.0),
    ):
        mav.sendMavSetParam(name.encode(), value, 9)
        assert getattr(sim, column)[0].reshape(-1)[component] == pytest.approx(si), name


def test_what_is_for_planes_is_refused_by_name_of_others() -> None:
    sim = pyrfly.Sim({"x450": 1, NAME: 1})
    swarm = Swarm(sim)
    swarm.InitMavLoop()
    before = sim.hash()
    with pytest.raises(UnsupportedError, match=r"SendPosNEDExt: mode 0 is for planes, got 'x450'"):
        swarm.SendPosNEDExt(0, 0, -5, 0)
    with pytest.raises(UnsupportedError, match=r"SendPosSpeedFWSyn: .* planes, got 'x450' \("):
        swarm.SendPosSpeedFWSyn(0, 0, -5, 20)
    with pytest.raises(UnsupportedError, match=r"enFixedWRWTO: .* planes, got 'x450'"):
        swarm.enFixedWRWTO()
    assert sim.hash() == before
    plane = PX4MavCtrler(2, sim=sim)
    plane.InitMavLoop()
    plane.enFixedWRWTO()


def test_a_fleet_has_the_speeds_and_radii_that_each_can_have() -> None:
    sim = pyrfly.Sim({"x450": 1, NAME: 2})
    swarm = Swarm(sim)
    swarm.InitMavLoop()
    swarm.SendCruiseSpeed([4, 24, 26])
    swarm.SendCruiseRadius([30, 150, 160])
    copter, planes = sim.groups
    assert copter.speed_limit[0] == 4
    assert planes.cruise_airspeed.tolist() == [24, 26]
    assert planes.loiter_radius.tolist() == [150, 160]


def test_set_points_that_planes_do_not_have_are_refused() -> None:
    _, mav = offboard()
    for command, numbers in (("SendAccPX4", 3), ("SendSynAcc", 3), ("SendSynFull", 10)):
        with pytest.raises(UnsupportedError, match=r"^acceleration: .* CopterID 1, a plane"):
            getattr(mav, command)(*[0] * numbers)
    with pytest.raises(UnsupportedError, match="maxAccZ: expected"):
        _ = mav.maxAccZ


def test_the_ground_speed_is_that_of_its_cruise() -> None:
    """Without wind its airspeed is its speed over ground."""
    sim, (mav,) = controlled()
    mav.SendGroundSpeed(22)
    assert float(sim.groups[0].view(sim.groups[0].abilities.cruise_speed)[0]) == 22
    with pytest.warns(pyrfly.CommandWarning, match="Speed: expected an airspeed of"):
        mav.SendGroundSpeed(2)
