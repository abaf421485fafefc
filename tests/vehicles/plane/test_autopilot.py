"""Planes as PX4s, that talk to a station over MAVLink."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

import pyrfly

from .aloft import CRUISE, NAME, airspeed, course, is_circled

pytestmark = pytest.mark.slow

Make = Callable[..., Any]
NAN = math.nan
RADIUS = float(pyrfly.Sim(NAME).groups[0].loiter_radius[0])
POSITION, VELOCITY = 0b111111111000, 0b110111000111


def up(station: Make, rates: Any = None) -> Any:
    """Return a plane that has taken off, and holds."""
    s = station(NAME, rates=rates)
    assert s.command(22, -1, 0, 0, NAN, NAN, NAN, NAN) == 0
    assert s.command(400, 1) == 0
    s.until(lambda: s.mode() == "HOLD", 40)
    return s


def offboard(s: Any) -> None:
    s.run(0.1)
    assert s.command(176, 1, 6) == 0


# --- identity, telemetry --------------------------------------------------------------------------


def test_it_is_a_fixed_wing(station: Make) -> None:
    s = station(NAME, rates={"HEARTBEAT": 1.0})
    s.run(0.02)
    assert s.all("HEARTBEAT")[0].type == common.MAV_TYPE_FIXED_WING
    assert s.parameters.get(0, "MAV_TYPE") == common.MAV_TYPE_FIXED_WING
    assert s.parameters.get(0, "FW_AIRSPD_TRIM") == CRUISE
    assert s.parameters.get(0, "NAV_LOITER_RAD") == pytest.approx(RADIUS)
    assert s.parameters.get(0, "RTL_LAND_DELAY") == -1


STREAMS = dict.fromkeys(
    "VFR_HUD NAV_CONTROLLER_OUTPUT ATTITUDE_TARGET SERVO_OUTPUT_RAW EXTENDED_SYS_STATE "
    "ORBIT_EXECUTION_STATUS ATTITUDE".split(),
    10.0,
)


def test_telemetry_of_a_circle(station: Make) -> None:
    s = up(station, STREAMS)
    assert s.command_int(192, -1, 1, 0, NAN, place=s.place_int(300, 0, 60)) == 0
    s.run(45)

    def last(name: str) -> Any:
        return s.all(name)[-1]

    sim, hud, nav = s.sim, last("VFR_HUD"), last("NAV_CONTROLLER_OUTPUT")
    assert hud.airspeed == pytest.approx(airspeed(sim), rel=0.02)
    assert hud.throttle == pytest.approx(100 * sim.propeller_throttle[0], abs=2)
    assert 50 < hud.throttle < 100
    way = np.array((300.0, 0.0, -60.0)) - sim.pos[0]
    assert nav.wp_dist == pytest.approx(np.hypot(way[0], way[1]), abs=2)
    bearing = math.degrees(math.atan2(way[1], way[0]))
    assert math.remainder(nav.target_bearing - bearing, 360) == pytest.approx(0, abs=3)
    assert math.remainder(nav.nav_bearing - math.degrees(course(sim)), 360) == pytest.approx(
        0, abs=3
    )
    assert abs(nav.xtrack_error) < 3
    assert nav.alt_error == pytest.approx(-way[2], abs=0.5)
    assert nav.aspd_error == pytest.approx(CRUISE - hud.airspeed, abs=0.3)
    attitude = last("ATTITUDE")
    assert nav.nav_roll == pytest.approx(math.degrees(attitude.roll), abs=2)
    target = last("ATTITUDE_TARGET")
    assert target.type_mask == 0
    assert target.thrust == pytest.approx(float(sim.propeller_throttle[0]), abs=0.03)
    w, x, y, z = target.q
    assert math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) == pytest.approx(
        attitude.roll, abs=0.05
    )
    servo = last("SERVO_OUTPUT_RAW")
    assert servo.servo5_raw == pytest.approx(1000 + 1000 * sim.propeller_throttle[0], abs=20)
    assert servo.servo2_raw == pytest.approx(1500 + 500 * sim.surface_command[0, 1], abs=20)
    orbit = last("ORBIT_EXECUTION_STATUS")
    assert orbit.radius == pytest.approx(RADIUS)
    assert (orbit.x, orbit.y) == s.place_int(300, 0, 60)[:2]
    assert last("EXTENDED_SYS_STATE").landed_state == common.MAV_LANDED_STATE_IN_AIR


def test_outputs_of_motors_are_that_of_the_propeller(station: Make) -> None:
    s = up(station)
    records = {}
    for name in ("ESC_INFO", "ESC_STATUS"):
        from pyrfly.autopilot.telemetry import STREAMS as made

        records[name] = made[name](s.autopilots.moment())
    rpm = float(s.sim.propeller_speed[0]) * 60 / math.tau
    assert records["ESC_STATUS"]["rpm"][0].tolist() == [pytest.approx(rpm, abs=1), 0, 0, 0]
    assert (records["ESC_INFO"]["count"][0], records["ESC_INFO"]["info"][0]) == (1, 1)


def test_vehicles_that_hover_send_no_nav_controller_output(station: Make) -> None:
    s = station({"x450": 1, NAME: 1}, pos=[(0, 0), (0, 50)], rates={"NAV_CONTROLLER_OUTPUT": 5.0})
    s.run(1)
    assert not s.all("NAV_CONTROLLER_OUTPUT", 0)
    assert s.all("NAV_CONTROLLER_OUTPUT", 1)


# --- modes ----------------------------------------------------------------------------------------


def test_it_takes_off_and_circles(station: Make) -> None:
    s = station(NAME, rates={"EXTENDED_SYS_STATE": 50.0})
    assert s.command(22, -1, 0, 0, NAN, NAN, NAN, NAN) == 0
    assert s.command(400, 1) == 0
    s.until(lambda: s.height() > 20, 30)
    assert math.degrees(s.sim.euler[0, 1]) == pytest.approx(15, abs=1)
    s.until(lambda: s.mode() == "HOLD", 30)
    place = s.sim.pos[0].copy()
    assert -place[2] == pytest.approx(30, abs=4)  # MIS_TAKEOFF_ALT
    s.run(45)
    is_circled(s.sim, place, RADIUS)
    states = [m.landed_state for m in s.all("EXTENDED_SYS_STATE")]
    order = [a for a, b in zip(states, [None, *states], strict=False) if a != b]
    assert order == [
        common.MAV_LANDED_STATE_ON_GROUND,
        common.MAV_LANDED_STATE_TAKEOFF,
        common.MAV_LANDED_STATE_IN_AIR,
    ]


def test_armed_on_the_ground_it_stands(station: Make) -> None:
    s = station(NAME)
    assert s.command(400, 1) == 0
    s.run(15)  # COM_DISARM_PRFLT is -1
    assert (s.mode(), s.sim.armed[0]) == ("HOLD", 1)
    np.testing.assert_allclose(s.sim.pos[0], 0, atol=0.01)
    assert s.sim.propeller_throttle[0] == 0


@pytest.mark.parametrize("radius", [0, 120, -150])
def test_reposition_circles(station: Make, radius: float) -> None:
    s = up(station)
    assert s.command_int(192, 27, 1, radius, NAN, place=s.place_int(300, 100, 70)) == 0
    s.run(55)
    assert s.mode() == "HOLD"
    is_circled(s.sim, (300, 100, -70), radius or RADIUS, 27)


def test_a_change_of_the_airspeed_keeps_the_circle(station: Make) -> None:
    s = up(station)
    assert s.command_int(192, -1, 1, 200, NAN, place=s.place_int(300, 100, 70)) == 0
    s.run(40)
    assert s.command(178, 0, 28, -1) == 0
    s.run(30)
    is_circled(s.sim, (300, 100, -70), 200, 28)
    assert s.command(178, 0, -1, -1) == 0
    s.run(40)
    is_circled(s.sim, (300, 100, -70), 200)


def test_an_orbit_is_a_hold_with_a_radius(station: Make) -> None:
    s = up(station)
    assert s.command(34, -160, 0, 0, 0, *s.place(250, 0, 80)) == 0
    s.run(50)
    assert s.mode() == "HOLD"
    is_circled(s.sim, (250, 0, -80), -160)


def test_a_change_of_the_altitude(station: Make) -> None:
    s = up(station)
    s.run(10)
    _, _, alt = s.place(0, 0, 75)
    assert s.command(186, alt) == 0
    s.run(50)
    assert s.height() == pytest.approx(75, abs=2)


def test_parameters_have_an_effect_at_once(station: Make) -> None:
    s = up(station)
    for name, value in ((b"NAV_LOITER_RAD", 220.0), (b"FW_AIRSPD_TRIM", 27.0)):
        s.send("PARAM_SET", 1, 1, name, value, common.MAV_PARAM_TYPE_REAL32)
    s.run(0.1)
    assert s.command_int(192, -1, 1, 0, NAN, place=s.place_int(300, 100, 70)) == 0
    s.run(60)
    is_circled(s.sim, (300, 100, -70), 220, 27)


def test_the_ground_speed_that_rflysims_scripts_send_is_that_of_the_cruise(station: Make) -> None:
    """SendGroundSpeed in MAVLink modes is a PARAM_SET of GND_SPEED_TRIM."""
    s = up(station)
    s.send("PARAM_SET", 1, 1, b"GND_SPEED_TRIM", 22.0, common.MAV_PARAM_TYPE_REAL32)
    s.run(0.1)
    assert s.sim.cruise_airspeed[0] == 22
    assert s.parameters.get(0, "FW_AIRSPD_TRIM") == 22
    s.send("PARAM_SET", 1, 1, b"FW_AIRSPD_TRIM", 60.0, common.MAV_PARAM_TYPE_REAL32)
    s.run(0.1)
    assert s.sim.cruise_airspeed[0] == 60
    assert s.parameters.get(0, "GND_SPEED_TRIM") == 60


def test_a_return_circles_home_at_its_altitude(station: Make) -> None:
    s = up(station)
    assert s.command_int(192, -1, 1, 0, NAN, place=s.place_int(700, 0, 60)) == 0
    s.run(30)
    assert s.command(20) == 0
    s.run(80)
    assert s.mode() == "RETURN"
    is_circled(s.sim, (0, 0, -100), RADIUS)  # RTL_RETURN_ALT, RTL_LAND_DELAY -1
    assert s.command(176, 1, 4, 3) == 0  # a return of PX4 can be left
    assert s.mode() == "HOLD"


def test_a_return_with_a_landing(station: Make) -> None:
    s = up(station)
    s.parameters.set(0, "RTL_LAND_DELAY", 0.0)
    s.parameters.set(0, "RTL_DESCEND_ALT", 50.0)
    assert s.command(20) == 0
    s.until(lambda: not s.sim.armed[0], 250)
    assert "Disarmed by landing" in s.texts()
    assert np.hypot(*s.sim.pos[0, :2]) < 350  # it rolls out
    assert s.sim.pos[0, 2] == pytest.approx(0, abs=0.05)
    s.run(0.1)
    assert s.mode() == "HOLD"


@pytest.mark.slow
@pytest.mark.parametrize("radius", [10.0, 1000.0])
def test_a_return_ends_with_any_radius_of_circles(station: Make, radius: float) -> None:
    s = up(station)
    s.parameters.set(0, "NAV_LOITER_RAD", radius)
    s.parameters.set(0, "RTL_LAND_DELAY", 0.0)
    assert s.command(20) == 0
    s.until(lambda: not s.sim.armed[0], 900)


def test_it_lands_and_is_disarmed(station: Make) -> None:
    s = up(station, {"EXTENDED_SYS_STATE": 10.0})
    place = s.sim.pos[0, :2].copy()
    assert s.command(21) == 0
    touched = s.until(lambda: s.height() < 0.1, 200)
    assert touched > 5
    assert np.hypot(*(s.sim.pos[0, :2] - place)) < 60
    assert s.all("EXTENDED_SYS_STATE")[-1].landed_state == common.MAV_LANDED_STATE_LANDING
    assert s.sim.armed[0]  # it rolls
    assert s.command(400, 0) == 1  # not landed
    s.until(lambda: not s.sim.armed[0], 60)
    assert np.linalg.norm(s.sim.vel[0]) < 5
    assert s.all("EXTENDED_SYS_STATE")[-1].landed_state == common.MAV_LANDED_STATE_ON_GROUND


# --- Offboard -------------------------------------------------------------------------------------


def test_offboard_position(station: Make) -> None:
    s = up(station)
    s.set_point(300, 50, -80, mask=POSITION)
    offboard(s)
    s.run(50)
    is_circled(s.sim, (300, 50, -80), RADIUS)
    assert s.mode() == "OFFBOARD"


def test_offboard_velocity(station: Make) -> None:
    s = up(station)
    s.set_point(0, 0, 0, 0, 27, -1.5, mask=VELOCITY)
    offboard(s)
    s.run(25)
    assert course(s.sim) == pytest.approx(math.pi / 2, abs=0.02)
    assert airspeed(s.sim) == pytest.approx(27, abs=1)
    assert s.sim.vel[0, 2] == pytest.approx(-1.5, abs=0.2)


def test_offboard_attitude(station: Make) -> None:
    s = up(station)
    half = math.radians(10)
    q = [math.cos(half), math.sin(half), 0.0, 0.0]  # 20 degrees of bank
    s.each_tick.append(lambda: s.send("SET_ATTITUDE_TARGET", 0, 1, 1, 0b00000111, q, 0, 0, 0, 0.8))
    offboard(s)
    s.run(4)
    np.testing.assert_allclose(np.degrees(s.sim.euler[0, :2]), [20, 0], atol=1)
    assert s.sim.propeller_throttle[0] == pytest.approx(0.8, abs=1e-6)


def test_offboard_kinds_of_position_set_points(station: Make) -> None:
    s = station(NAME)
    s.set_point(0, 0, -40, mask=4096)  # take-off
    offboard(s)
    assert s.command(400, 1) == 0
    s.run(25)
    assert s.height() == pytest.approx(40, abs=2)
    assert abs(course(s.sim)) < 0.03  # straight on
    s.set_point(500, 0, -90, mask=12288)  # loiter
    s.run(60)
    is_circled(s.sim, (500, 0, -90), RADIUS)
    s.set_point(500, 0, 0, mask=292)  # glide
    s.run(4)
    assert s.sim.propeller_throttle[0] == 0
    assert airspeed(s.sim) == pytest.approx(CRUISE, abs=2)
    s.set_point(0, 0, 0, mask=16384)  # idle
    s.run(2)
    np.testing.assert_allclose(np.degrees(s.sim.euler[0, :2]), 0, atol=2)
    s.set_point(300, 0, 0, mask=8192)  # landing
    s.until(lambda: not s.sim.armed[0], 200)
    assert s.sim.pos[0, 2] == pytest.approx(0, abs=0.05)


def test_a_take_off_by_set_points_does_not_arm(station: Make) -> None:
    s = station(NAME)
    s.command(400, 1)
    s.set_point(0, 0, -40, mask=4096)
    offboard(s)
    assert s.command(400, 0) == 0
    s.run(1)
    assert not s.sim.armed[0]


def test_rflysims_coding_of_speed_course_and_height(station: Make) -> None:
    s = up(station)
    s.set_point(0, 0, -70, 1.0, 27, 0, 0, 0, 0, 1.0, 0, mask=448)
    offboard(s)
    s.run(40)
    assert course(s.sim) == pytest.approx(1.0, abs=0.02)
    assert s.height() == pytest.approx(70, abs=2)
    assert airspeed(s.sim) == pytest.approx(27, abs=1)


def test_after_the_loss_of_offboard_it_circles(station: Make) -> None:
    s = up(station)
    s.set_point(0, 0, 0, 25, 0, 0, mask=VELOCITY)
    offboard(s)
    s.run(5)
    s.release()
    s.until(lambda: s.mode() != "OFFBOARD", 5)
    place = s.sim.pos[0].copy()
    s.run(50)
    assert s.mode() == "POSITION"
    is_circled(s.sim, place, RADIUS)


# --- sticks ---------------------------------------------------------------------------------------


def stick_mode(s: Any, mode: int, *xyzr: int) -> None:
    s.steer(*xyzr)
    s.run(0.1)
    assert s.command(176, 1, mode) == 0


@pytest.mark.parametrize("mode", [2, 3], ids=["altitude", "position"])
def test_sticks_in_position(station: Make, mode: int) -> None:
    s = up(station)
    stick_mode(s, mode, 0, 0, 500, 0)
    s.run(10)
    height, held = s.height(), course(s.sim)
    s.run(5)
    assert s.height() == pytest.approx(height, abs=1)
    assert course(s.sim) == pytest.approx(held, abs=0.02)
    assert airspeed(s.sim) == pytest.approx(CRUISE, abs=1)
    s.steer(0, 500, 1000, 0)  # right, fast
    s.run(20)
    assert math.degrees(s.sim.euler[0, 0]) == pytest.approx(22.5, abs=3)
    assert airspeed(s.sim) > CRUISE + 3
    s.steer(-500, 0, 500, 0)  # pull
    s.run(8)
    assert s.sim.vel[0, 2] < -1.5


def test_sticks_that_are_angles_and_rates(station: Make) -> None:
    s = up(station)
    stick_mode(s, 7, -200, 400, 800, 0)
    s.run(4)
    limit = s.parameters.get(0, "FW_R_LIM"), s.parameters.get(0, "FW_P_LIM_MAX")
    expected = 0.4 * limit[0], 0.2 * limit[1]
    np.testing.assert_allclose(np.degrees(s.sim.euler[0, :2]), expected, atol=1.5)
    assert s.sim.propeller_throttle[0] == pytest.approx(0.8)
    stick_mode(s, 5, 0, -300, 800, 0)  # acro
    s.run(0.6)
    assert math.degrees(s.sim.rate[0, 0]) == pytest.approx(-27, abs=6)


# --- with other vehicles --------------------------------------------------------------------------


def test_a_fleet_takes_off_and_returns(station: Make) -> None:
    s = station({"x450": 1, NAME: 1}, pos=[(0, 0), (0, 60)])
    for row in (0, 1):
        assert s.command(22, -1, 0, 0, NAN, NAN, NAN, NAN, row=row) == 0
        assert s.command(400, 1, row=row) == 0
    s.until(lambda: s.mode(0) == s.mode(1) == "HOLD", 60)
    s.run(30)
    np.testing.assert_allclose(s.sim.pos[0], (0, 0, -2.5), atol=0.3)
    assert s.height(1) == pytest.approx(30, abs=4)
    for row in (0, 1):
        s.parameters.set(row, "RTL_LAND_DELAY", 0.0)
        assert s.command(20, row=row) == 0
    s.until(lambda: not s.sim.armed.any(), 300)
    assert s.sim.status.tolist() == [0, 0]


def test_without_a_position_it_glides_down_in_a_turn(station: Make) -> None:
    s = station(NAME)
    s.sim.sensors.enable("imu", "magnetometer", "barometer", "gps", "airspeed")
    s.sim.estimator.enable(fly=True)
    s.run(1.2)
    s.set("MIS_TAKEOFF_ALT", 60.0)
    s.each(22, -1, 0, 0, NAN, NAN, NAN, NAN)
    s.each(400, 1)
    s.until(lambda: s.mode() == "HOLD", 60)
    s.sim.faults.add("sensor_dropout", sensor="gps")
    s.until(lambda: s.mode() == "LAND", 8)
    assert s.commander.failsafe[0]
    height, heading = s.height(), float(s.sim.euler[0, 2])
    s.run(8)
    assert 3 < height - s.height() < 50
    assert abs(math.degrees(float(s.sim.euler[0, 0]))) < 50
    assert abs(math.remainder(float(s.sim.euler[0, 2]) - heading, math.tau)) > 0.3
