"""Flight by sticks: MANUAL_CONTROL and RC_CHANNELS_OVERRIDE."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.autopilot.sticks import Limits, Sticks, drive_inputs, stick_inputs
from pyrfly.protocol.bits import Offboard

from .conftest import OWN

Make = Callable[..., Any]
NAN = math.nan
CENTRED = (0, 0, 500, 0)
NUMBER = {"MANUAL": 1, "ALTITUDE": 2, "POSITION": 3, "ACRO": 5, "STABILIZED": 7}


def manual(s: Any, *modes: str, height: float = 4.0) -> Any:
    s.steer(*CENTRED)
    s.run(0.1)
    s.in_air(height)
    for row, mode in enumerate(modes):
        assert s.command(176, 1, NUMBER[mode], row=row) == 0
    s.run(1)
    return s


# --- what sticks mean --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ((1000, -1000, 1000, 500), Sticks(1.0, -1.0, 1.0, 0.5)),
        ((0, 0, 500, 0), Sticks(0.0, 0.0, 0.5, 0.0)),
        ((1001, 500, 500, 0), Sticks(0.0, 0.5, 0.5, 0.0)),
        ((500, 32767, 500, 0), Sticks(0.5, 0.0, 0.5, 0.0)),  # INT16_MAX: not there
        ((500, 0, -1000, 0), Sticks(0.5, 0.0, 0.5, 0.0)),  # as programs for ArduPilot send it
        ((0, 500, 32767, 0), Sticks(0.0, 0.5, 0.5, 0.0)),
        ((0, 0, 1000, -1001), Sticks(0.0, 0.0, 1.0, 0.0)),
    ],
)
def test_a_stick_out_of_range_is_centred(fields: Any, expected: Sticks) -> None:
    assert Sticks.of(*fields) == expected


def test_sticks_without_an_axis_are_no_lost_link(station: Make) -> None:
    s = manual(station(), "POSITION", height=5.0)
    s.steer(0, 0, 500, 32767)
    s.run(4)
    assert s.mode() == "POSITION"
    assert s.height() == pytest.approx(5.0, abs=0.2)


ACRO = (1.5, 2.0, 1.0)
LIMITS = Limits(
    speed=10, climb=3, descent=1.5, yaw_rate=2.0, tilt=0.6, hover=0.4, acro=ACRO, ahead=0.5
)


def inputs(mode: FlightMode, sticks: Sticks) -> tuple[int, list[float]]:
    """Return bits and floats of the inputs."""
    found = stick_inputs(mode, sticks, LIMITS, heading=0.3, held_down=-7.0)
    return int(found.ints[0, 1]), found.floats[0].tolist()


def test_what_is_within_the_dead_zone_is_centred() -> None:
    bits, floats = inputs(FlightMode.POSITION, Sticks(0.09, -0.09, 0.54, 0.09))
    assert (bits, floats) == (0, [0.0] * 20)


@pytest.mark.parametrize(
    ("sticks", "velocity"),
    [
        (Sticks(1, 0, 0.5, 0), (10, 0, 0)),
        (Sticks(0, 1, 0.5, 0), (0, 10, 0)),
        (Sticks(-0.5, 0, 0.5, 0), (-5, 0, 0)),
        (Sticks(1, 1, 0.5, 0), (10 / 2**0.5, 10 / 2**0.5, 0)),
        (Sticks(0, 0, 1, 0), (0, 0, -3)),
        (Sticks(0, 0, 0, 0), (0, 0, 1.5)),
    ],
)
def test_position_mode_commands_velocities(
    sticks: Sticks, velocity: tuple[float, float, float]
) -> None:
    bits, floats = inputs(FlightMode.POSITION, sticks)
    assert bits == Offboard.VELOCITY | Offboard.YAW_RATE | Offboard.FRD
    assert floats[3:6] == pytest.approx(velocity)


def test_position_mode_turns_in_place() -> None:
    bits, floats = inputs(FlightMode.POSITION, Sticks(0, 0, 0.5, -0.5))
    assert bits == Offboard.YAW_RATE
    assert floats[14] == pytest.approx(-1.0)


@pytest.mark.parametrize("mode", [FlightMode.MANUAL, FlightMode.STABILIZED])
@pytest.mark.parametrize(
    ("throttle", "thrust"), [(0.5, 0.4), (1.0, 1.0), (0.0, 0.0), (0.75, 0.7), (0.25, 0.2)]
)
def test_attitude_modes_command_roll_pitch_heading_and_thrust(
    mode: FlightMode, throttle: float, thrust: float
) -> None:
    bits, floats = inputs(mode, Sticks(0.5, -1.0, throttle, 1.0))
    assert bits == Offboard.ATTITUDE | Offboard.THRUST
    assert floats[9:12] == pytest.approx((-0.6, -0.3, 0.3 + 2.0 * 0.5))
    assert floats[15] == pytest.approx(thrust)


def test_altitude_mode_commands_an_attitude_and_a_height() -> None:
    bits, floats = inputs(FlightMode.ALTITUDE, Sticks(0.5, 0, 0.9, 0))
    assert bits == Offboard.ATTITUDE | Offboard.POSITION | Offboard.LOCAL
    assert floats[9:11] == pytest.approx((0, -0.3))
    assert floats[2] == -7.0


def test_acro_commands_angular_velocities() -> None:
    bits, floats = inputs(FlightMode.ACRO, Sticks(1, -0.5, 0.5, 0.25))
    rates = Offboard.ROLL_RATE | Offboard.PITCH_RATE | Offboard.YAW_RATE
    assert bits == rates | Offboard.THRUST
    assert floats[12:15] == pytest.approx(np.array([-0.5, -1, 0.25]) * ACRO)


def test_vehicles_that_drive_have_speed_and_turn_rate_only() -> None:
    found = drive_inputs(Sticks(-0.5, 1.0, 1.0, 0.5), LIMITS)
    assert found.floats[0, 3:6].tolist() == [-5.0, 0.0, 0.0]
    assert found.floats[0, 14] == 1.0


def test_what_dives_has_all_four_sticks_in_any_mode() -> None:
    found = drive_inputs(Sticks(-0.5, 0.25, 1.0, 0.5), LIMITS, dives=True)
    assert found.ints[0, 1] == Offboard.VELOCITY | Offboard.YAW_RATE | Offboard.FRD
    assert found.floats[0, 3:6].tolist() == [-5.0, 2.5, -3.0]
    assert found.floats[0, 14] == 1.0


# --- the flight --------------------------------------------------------------------------------


@pytest.mark.slow
def test_position_mode_flies_forward_right_up_and_turns(station: Make) -> None:
    s = manual(station(), "POSITION")
    s.parameters.set(0, "MPC_VEL_MANUAL", 4.0)
    s.steer(1000, 0, 500, 0)
    s.run(4)
    np.testing.assert_allclose(s.sim.vel[0], [4, 0, 0], atol=0.2)
    s.steer(0, 0, 500, 300)  # a turn to the right, 0.3 * 150 deg/s
    s.run(2)
    before = float(s.sim.euler[0, 2])
    s.run(1)
    turned = math.remainder(float(s.sim.euler[0, 2]) - before, math.tau)
    assert turned == pytest.approx(math.radians(45), rel=0.1)
    s.steer(*CENTRED)
    s.run(3)
    heading = float(s.sim.euler[0, 2])
    s.steer(0, 1000, 500, 0)
    s.run(4)
    right = [-math.sin(heading), math.cos(heading)]
    np.testing.assert_allclose(s.sim.vel[0, :2], np.multiply(4, right), atol=0.3)
    s.steer(*CENTRED)
    s.run(5)
    place = s.sim.pos[0].copy()
    s.steer(0, 0, 1000, 0)
    s.run(3)
    assert s.parameters.get(0, "MPC_Z_VEL_MAX_UP") == s.sim.climb_limit[0] == 5
    assert s.sim.vel[0, 2] == pytest.approx(-5.0, abs=0.1)
    np.testing.assert_allclose(s.sim.pos[0, :2], place[:2], atol=0.3)


def test_altitude_mode_holds_the_height_and_tilts(station: Make) -> None:
    s = manual(station(), "ALTITUDE")
    height = s.height()
    s.steer(400, 0, 500, 0)
    s.run(2)
    assert s.sim.euler[0, 1] == pytest.approx(-math.radians(0.4 * 35), abs=0.03)
    assert s.sim.vel[0, 0] > 1
    assert s.height() == pytest.approx(height, abs=0.3)
    s.steer(0, 0, 750, 0)
    s.run(1)
    before = s.height()
    s.run(2)
    up = s.parameters.get(0, "MPC_Z_VEL_MAX_UP")
    assert (s.height() - before) / 2 == pytest.approx(0.5 * up, rel=0.1)


def test_the_centred_throttle_is_about_hover(station: Make) -> None:
    s = manual(station(n=2), "MANUAL", "STABILIZED")
    s.run(2)
    assert (abs(s.sim.vel[:, 2]) < 1.0).all()
    s.steer(0, 600, 500, 0)
    s.run(1)
    np.testing.assert_allclose(s.sim.euler[:, 0], 0.6 * math.radians(35), atol=0.03)


def test_acro_rotates_on(station: Make) -> None:
    s = manual(station(), "ACRO", height=8.0)
    assert s.parameters.get(0, "MC_ACRO_Y_MAX") == 100.0
    s.set("MC_ACRO_Y_MAX", 60.0)
    s.steer(0, 0, 700, 1000)
    s.run(1)
    np.testing.assert_allclose(s.sim.rate[0], [0, 0, math.radians(60)], atol=0.1)


def test_channels_of_a_radio_are_sticks(station: Make) -> None:
    s = manual(station(), "POSITION")
    s.always("RC_CHANNELS_OVERRIDE", OWN, 1, 1500, 2000, 1500, 1500, *[0] * 4)
    s.run(3)
    assert s.sim.vel[0, 0] > 5
    assert abs(s.sim.vel[0, 1]) < 0.2
    s.release()
    s.send("RC_CHANNELS_OVERRIDE", 1, 1, 1500, 2000, 65535, 1500, *[0] * 4)  # not there
    s.run(1)
    assert s.texts()[-1].startswith("Failsafe activated")  # lost


def test_sticks_for_other_vehicles_have_no_effect(station: Make) -> None:
    s = manual(station(), "POSITION")
    s.each_tick.append(lambda: s.send("MANUAL_CONTROL", 9, 1000, 0, 500, 0, 0))
    s.run(1.5)
    assert np.linalg.norm(s.sim.vel[0]) < 0.1


def test_sticks_have_no_effect_in_other_modes(station: Make) -> None:
    s = station()
    s.steer(1000, 1000, 1000, 1000)
    s.in_air(5.0)
    s.run(2)
    np.testing.assert_allclose(s.sim.pos[0], [0, 0, -5], atol=0.1)
