"""PX4's parameters by name, and the methods that set some of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pyrfly.ctrl import UnsupportedError
from pyrfly.ctrl.parameters import STORED
from pyrfly.vehicles.hovering import PX4_PARAMETERS

# Column, component, a value in PX4's unit, and the same in SI.
EFFECTS = [
    ("MPC_XY_VEL_MAX", "speed_limit", None, 3.0, 3.0),
    ("MPC_Z_VEL_MAX_DN", "descent_limit", None, 1.2, 1.2),
    ("MPC_Z_VEL_MAX_UP", "climb_limit", None, 2.0, 2.0),
    ("MPC_ACC_HOR_MAX", "accel_limit", None, 4.0, 4.0),
    ("MPC_TILTMAX_AIR", "tilt_limit", None, 30.0, math.pi / 6),
    ("MC_ROLLRATE_MAX", "rate_limit", 0, 180.0, math.pi),
    ("MC_PITCHRATE_MAX", "rate_limit", 0, 90.0, math.pi / 2),
    ("MC_YAWRATE_MAX", "rate_limit", 1, 45.0, math.pi / 4),
    ("MC_ROLL_P", "attitude_p", 0, 6.5, 6.5),
    ("MC_PITCH_P", "attitude_p", 0, 5.0, 5.0),
    ("MC_YAW_P", "attitude_p", 1, 2.8, 2.8),
    ("MPC_XY_P", "position_p", 0, 0.8, 0.8),
    ("MPC_Z_P", "position_p", 1, 0.9, 0.9),
    ("MIS_TAKEOFF_ALT", "takeoff_height", None, 7.0, 7.0),
    ("MPC_TKO_SPEED", "takeoff_speed", None, 2.0, 2.0),
    ("MPC_LAND_SPEED", "landing_speed", None, 1.0, 1.0),
]


@pytest.mark.parametrize(("name", "column", "component", "value", "si"), EFFECTS)
def test_parameter_is_a_column_of_the_vehicle(
    controlled: Any, name: str, column: str, component: int | None, value: float, si: float
) -> None:
    sim, mav = controlled()
    mav.sendMavSetParam(name.encode(), value, 9)
    row = getattr(sim, column)[0]
    assert (row if component is None else row[component]) == pytest.approx(si)


def test_all_parameters_are_tested() -> None:
    assert {row[0] for row in EFFECTS} == set(PX4_PARAMETERS)


def test_name_may_be_padded_or_text(controlled: Any) -> None:
    sim, mav = controlled()
    mav.sendMavSetParam(b"MPC_XY_VEL_MAX\0\0", 2.0, 9)
    assert sim.speed_limit[0] == 2.0
    mav.sendMavSetParam("MPC_XY_VEL_MAX", 4.0, 9)
    assert sim.speed_limit[0] == 4.0


@pytest.mark.parametrize("name", STORED)
def test_parameters_without_effect_are_taken(controlled: Any, name: str) -> None:
    sim, mav = controlled()
    before = sim.hash()
    mav.sendMavSetParam(name.encode(), 4 / 7.13622e44, 6)
    assert sim.hash() == before


@pytest.mark.parametrize("name", ["FW_AIRSPD_TRIM", "RWTO_TKOFF", "MPC_XY_VEL"])
def test_others_are_refused_with_the_names_there_are(controlled: Any, name: str) -> None:
    _, mav = controlled()
    message = rf"^param_id: .* 'x450' \(CopterID 1\), such as .*MPC_XY_VEL_MAX.*, got '{name}'$"
    with pytest.raises(UnsupportedError, match=message):
        mav.sendMavSetParam(name.encode(), 1.0, 9)


def test_values_out_of_range_are_refused(controlled: Any) -> None:
    _, mav = controlled()
    with pytest.raises(
        ValueError, match=r"param_value: .*MPC_TILTMAX_AIR from 20 to 89 \[deg\], got 95"
    ):
        mav.sendMavSetParam(b"MPC_TILTMAX_AIR", 95, 9)
    with pytest.raises(ValueError, match=r"Speed: .*got 0"):
        mav.SendCopterSpeed()
    with pytest.raises(TypeError, match="param_id: expected a name"):
        mav.sendMavSetParam(7, 95, 9)


def test_copter_speed_limits_the_flight(offboard: Any) -> None:
    sim, mav = offboard()
    mav.SendCopterSpeed(2.0)
    assert mav.MaxSpeed == mav.maxVelXy == 2.0
    mav.SendPosNED(40, 0, -10)
    sim.sleep(6)
    assert mav.uavVelNED[0] == pytest.approx(2.0, abs=0.02)
    mav.SendCruiseSpeed(1.0)
    sim.sleep(4)
    assert mav.uavVelNED[0] == pytest.approx(1.0, abs=0.02)
    mav.SendCruiseRadius(30.0)


def test_take_off_and_landing_speeds_have_effect(controlled: Any) -> None:
    sim, mav = controlled()
    for name, value in ((b"MPC_TKO_SPEED", 2.5), (b"MIS_TAKEOFF_ALT", 6.0), (b"MPC_LAND_SPEED", 1)):
        mav.sendMavSetParam(name, value, 9)
    mav.SendMavArm(1)
    mav.sendMavTakeOff()
    sim.sleep(6)
    assert mav.uavPosNED[2] == pytest.approx(-6.0, abs=0.02)
    mav.sendMavLand(0, 0, 0)
    sim.sleep(3)
    assert mav.uavVelNED[2] == pytest.approx(1.0, abs=0.05)


def test_what_is_for_planes_is_refused(controlled: Any) -> None:
    _, mav = controlled()
    with pytest.raises(UnsupportedError, match="enFixedWRWTO: RWTO_TKOFF is for planes, got"):
        mav.enFixedWRWTO()


def test_limits_have_the_older_names_too(controlled: Any) -> None:
    sim, mav = controlled()
    mav.maxVelXy, mav.maxVelZ, mav.maxAccXy = 2.0, 1.5, 3.0
    assert (sim.speed_limit[0], sim.climb_limit[0], sim.accel_limit[0]) == (2.0, 1.5, 3.0)
    assert (mav.maxVelXy, mav.maxVelZ, mav.maxAccXy) == (2.0, 1.5, 3.0)
    lift = sim.thrust_limit[0, 1] / sim.mass[0] - sim.gravity[0]
    np.testing.assert_allclose(mav.maxAccZ, lift)
    with pytest.raises(ValueError, match="maxVelXy: expected"):
        mav.maxVelXy = -1
