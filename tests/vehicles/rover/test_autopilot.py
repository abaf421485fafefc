"""Rovers as PX4s, that talk to a station over MAVLink."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

import pyrfly
from pyrfly.autopilot.flights import Flights
from pyrfly.autopilot.parameter_table import PARAMETERS
from pyrfly.autopilot.routes import go_to
from pyrfly.mavlink import MESSAGES
from pyrfly.vehicles import FAMILIES

Make = Callable[..., Any]
NAN = math.nan


# --- identity and parameters


def test_its_type_is_a_ground_rover(station: Make) -> None:
    s = station("rover_differential", rates={"HEARTBEAT": 1.0})
    s.run(0.02)
    assert s.all("HEARTBEAT")[0].type == common.MAV_TYPE_GROUND_ROVER
    assert s.parameters.get(0, "MAV_TYPE") == common.MAV_TYPE_GROUND_ROVER
    assert s.parameters.get(0, "NAV_ACC_RAD") == 0.5


def test_every_parameter_of_vehicles_in_the_table_is_one_of_a_family() -> None:
    effective = {row.name for row in PARAMETERS.values() if row.effect == "vehicle"}
    assert effective <= {name for family in FAMILIES.values() for name in family.abilities.px4}


def test_parameters_are_at_first_what_the_vehicles_have(station: Make) -> None:
    s = station({"x450": 1, "rover_differential": 1}, pos=[(0, 0), (0, 9)])
    copter, rover = s.sim.groups
    assert s.parameters.get(1, "GND_SPEED_TRIM") == pytest.approx(rover.speed_limit[0])
    assert s.parameters.get(1, "RO_SPEED_LIM") == pytest.approx(rover.speed_limit[0])
    rate = math.degrees(rover.yaw_rate_limit[0])
    assert s.parameters.get(1, "RO_YAW_RATE_LIM") == pytest.approx(rate)
    assert s.parameters.get(1, "PP_LOOKAHD_MAX") == pytest.approx(rover.look_ahead_limit[0, 1])
    assert s.parameters.get(0, "MPC_XY_VEL_MAX") == pytest.approx(copter.speed_limit[0])
    assert (s.parameters.get(0, "MAV_TYPE"), s.parameters.get(1, "MAV_TYPE")) == (2, 10)


def test_a_speed_limit_by_mavlink_is_driven(station: Make) -> None:
    s = station("rover_differential")
    s.send("PARAM_SET", 1, 1, b"RO_SPEED_LIM", 0.5, common.MAV_PARAM_TYPE_REAL32)
    s.command(400, 1)
    s.set_point(0, 0, 0, 1.5, 0, 0, mask=0b110111000111)
    s.run(0.1)
    assert s.command(176, 1, 6) == 0
    s.run(3)
    assert s.sim.vel[0, 0] == pytest.approx(0.5, abs=0.05)


def test_its_throttle_is_that_of_both_sides(station: Make) -> None:
    s = station("rover_differential", rates={"VFR_HUD": 10.0})
    s.sim.controllers = False
    for drive, throttle in (((0.9, 0.9), 90), ((-0.4, -0.4), 40), ((0.5, -0.5), 0)):
        s.command(400, 1)
        s.sim.drive = drive
        s.run(0.2)
        assert s.all("VFR_HUD")[-1].throttle == throttle


def test_each_family_lists_its_own_parameters(station: Make) -> None:
    s = station({"x450": 1, "rover_differential": 1}, pos=[(0, 0), (0, 9)])
    for row, own, other in ((0, "MC_YAWRATE_MAX", "RO_YAW_P"), (1, "RO_YAW_P", "MC_YAWRATE_MAX")):
        s.send("PARAM_REQUEST_LIST", row + 1, 1, row=row)
        s.run(1)
        values = {m.param_id: m for m in s.all("PARAM_VALUE", row)}
        assert own in values
        assert other not in values
        assert {m.param_count for m in values.values()} == {len(values) - 1}  # _HASH_CHECK
        before = len(s.all("PARAM_VALUE", row))
        s.send("PARAM_REQUEST_READ", row + 1, 1, other.encode(), -1, row=row)
        s.run(0.1)
        assert len(s.all("PARAM_VALUE", row)) == before


def test_what_a_family_does_not_have_is_stored_only(station: Make) -> None:
    s = station("rover_differential")
    s.send("PARAM_SET", 1, 1, b"MPC_XY_VEL_MAX", 3.0, common.MAV_PARAM_TYPE_REAL32)
    s.run(0.1)
    assert s.all("PARAM_VALUE")[-1].param_value == 3.0


def test_vehicles_that_drive_have_no_set_point_of_the_attitude(station: Make) -> None:
    s = station("husky_a200")
    s.run(0.1)
    s.command(512, MESSAGES["ATTITUDE_TARGET"].id)
    s.collect()
    (m,) = s.all("ATTITUDE_TARGET")
    assert (m.type_mask, m.q) == (0xC7, [1, 0, 0, 0])


def test_outputs_are_pulses_around_the_middle(station: Make) -> None:
    s = station({"x450": 1, "rover_differential": 1}, rates={"SERVO_OUTPUT_RAW": 50.0})

    def pulses(*drive: float) -> list[int]:
        s.sim.groups[1].drive[:] = [drive]
        s.run(0.02)
        m = s.all("SERVO_OUTPUT_RAW", 1)[-1]
        return [m.servo1_raw, m.servo2_raw, m.servo3_raw]

    s.sim.controllers = False
    assert pulses(-1.0, 0.5) == [1000, 1750, 0]
    assert pulses(0.5, 1.0) == [1750, 2000, 0]  # forward alone: the middle stays where it is


# --- driving


def test_sticks_drive(station: Make) -> None:
    s = station("rover_differential")
    s.steer(0, 0, 500, 0)
    s.run(0.1)
    assert s.command(176, 1, 2) == 1  # there is no altitude mode
    assert s.command(176, 1, 3) == 0
    assert s.command(400, 1) == 0
    s.parameters.set(0, "RO_SPEED_LIM", 1.5)
    s.steer(400, 0, 500, 0)
    s.run(3)
    assert s.sim.vel[0, 0] == pytest.approx(0.6, abs=0.05)
    s.steer(0, 0, 500, 300)
    s.run(2)
    assert s.sim.rate[0, 2] == pytest.approx(0.3 * s.sim.yaw_rate_limit[0], rel=0.1)
    assert s.sim.sil_refused[0] == 0


def test_velocities_are_followed_until_they_are_lost(station: Make) -> None:
    s = station("rover_differential")
    s.command(400, 1)
    s.set_point(0, 0, 0, 1.5, 0, 0, mask=0b110111000111)
    s.run(0.1)
    assert s.command(176, 1, 6) == 0
    s.run(4)
    assert s.sim.vel[0, 0] == pytest.approx(1.5, abs=0.1)
    s.release()
    s.run(5)
    assert (s.mode(), s.commander.failsafe[0]) == ("POSITION", True)
    assert np.linalg.norm(s.sim.vel[0]) < 0.05


def test_a_rover_takes_off_without_moving_and_lands_where_it_stops(station: Make) -> None:
    s = station("rover_differential")
    assert s.command(22, -1, 0, 0, NAN, NAN, NAN, NAN) == 0
    assert s.command(400, 1) == 0
    s.run(1)
    assert (s.mode(), s.sim.armed[0]) == ("HOLD", 1)
    np.testing.assert_allclose(s.sim.pos[0, :2], [0, 0], atol=0.01)
    s.command(21)
    s.until(lambda: not s.sim.armed[0], 10)
    assert s.sim.sil_refused[0] == 0


def test_flights_end_at_rest_in_their_last_place() -> None:
    sim = pyrfly.Sim({"x450": 1, "rover_differential": 1}, dt=0.002)
    sim.reset(pos=[(0, 0), (0, 10)])
    sim.enable_synthesis()
    sim.arm()
    flights = Flights(sim)
    goals = np.array([(6.0, 0, -4), (4, 10, 0)])
    for row, goal in enumerate(goals):
        flights.begin(row, lambda vehicle, goal=goal: go_to(vehicle, goal, math.nan, 3.0))
    over: dict[int, str] = {}
    for _ in range(600):
        sim.step(10)
        over |= flights.follow()
    assert over == {0: "", 1: ""}
    np.testing.assert_allclose(sim.pos, goals, atol=0.3)


def mission(s: Any, row: int, *items: tuple[int, tuple[float, float, float]]) -> None:
    """Upload commands at places above home, and start."""
    s.send("MISSION_COUNT", s.system(row), 1, len(items), 0, row=row)
    for seq, (command, (north, east, up)) in enumerate(items):
        x, y, _ = s.place_int(north, east, up)
        fields = (s.system(row), 1, seq, 6, command, 0, 1, 0, 0, 0, NAN, x, y, up, 0)
        s.send("MISSION_ITEM_INT", *fields, row=row)
    s.collect()
    assert s.all("MISSION_ACK", row)[-1].type == 0
    s.run(0.04)
    assert s.command(176, 1, 4, 4, row=row) == 0
    assert s.command(400, 1, row=row) == 0


@pytest.mark.slow
def test_missions_of_both_families_at_once(station: Make) -> None:
    s = station({"x450": 1, "rover_differential": 1}, pos=[(0, 0), (0, 20)])
    for row, east in enumerate((0, 20)):
        mission(s, row, (22, (0, east, 4)), (16, (6, east, 4)), (16, (6, east + 3, 4)))
    s.until(lambda: all(s.mode(row) == "HOLD" for row in range(2)), 90)
    s.run(3)
    np.testing.assert_allclose(s.sim.pos[:, :2], [[6, 3], [6, 23]], atol=0.6)
    np.testing.assert_allclose(s.sim.pos[:, 2], [-4, 0], atol=0.3)


@pytest.mark.slow
def test_a_fleet_of_both_families_returns(station: Make) -> None:
    s = station({"x450": 1, "rover_differential": 1}, pos=[(0, 0), (0, 8)])
    s.in_air(4.0)
    np.testing.assert_allclose(s.sim.pos[:, 2], [-4, 0], atol=0.1)
    s.until(lambda: s.sim.time > 12, 12)  # longer than what disarms one that does not take off
    assert s.sim.armed.all()
    for row in range(2):
        assert s.command_int(192, -1, 1, 0, NAN, place=s.place_int(3, 8 * row, 4), row=row) == 0
    s.run(8)
    np.testing.assert_allclose(s.sim.pos[:, 0], 3, atol=0.5)
    for row in range(2):
        assert s.command(20, row=row) == 0
    s.until(lambda: not s.sim.armed.any(), 90)
    np.testing.assert_allclose(s.sim.pos[:, :2], [[0, 0], [0, 8]], atol=0.5)
