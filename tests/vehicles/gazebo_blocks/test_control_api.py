"""Methods of RflySim's control API for VTOLs that fly by wings."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pyrfly
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.errors import CommandWarning

VTOLS = ["gz_standard_vtol", "derivative_vtol"]


def in_winged_flight(name: str) -> tuple[pyrfly.Sim, PX4MavCtrler]:
    sim = pyrfly.Sim(name, dt=0.002)
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    mav.initOffboard()
    mav.SendMavArm(True)
    mav.SendPosNED(0, 0, -40, 0)
    sim.sleep(15)
    sim.gazebo_blocks.command_transition("wings")
    sim.sleep(15)
    return sim, mav


def airspeed(sim: pyrfly.Sim) -> float:
    return float(np.linalg.norm(sim.vel[0] - sim.wind[0]))


@pytest.mark.slow
@pytest.mark.parametrize("name", VTOLS)
def test_a_position_without_a_heading_is_circled(name: str) -> None:
    sim, mav = in_winged_flight(name)
    mav.SendPosNEDNoYaw(300, 0, -60)
    sim.sleep(80)
    radius = float(sim.wing_loiter_radius[0])
    assert np.hypot(sim.pos[0, 0] - 300, sim.pos[0, 1]) == pytest.approx(radius, abs=3.0)
    assert sim.pos[0, 2] == pytest.approx(-60.0, abs=1.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", VTOLS)
def test_speed_course_and_height(name: str) -> None:
    sim, mav = in_winged_flight(name)
    sim.wind[:] = 0.0, 4.0, 0.0
    speed = float(sim.wing_cruise_airspeed[0]) + 3.0
    mav.SendVelYawAlt(speed, 2.0, -60)
    sim.sleep(60)
    assert airspeed(sim) == pytest.approx(speed, abs=0.3)
    course = math.atan2(sim.vel[0, 1], sim.vel[0, 0])
    assert course == pytest.approx(2.0, abs=math.radians(1))
    assert sim.pos[0, 2] == pytest.approx(-60.0, abs=1.0)
    mav.SendVelYawAlt(0, -1.0, -60)
    sim.sleep(60)
    assert airspeed(sim) == pytest.approx(speed - 3.0, abs=0.3)
    assert math.atan2(sim.vel[0, 1], sim.vel[0, 0]) == pytest.approx(-1.0, abs=math.radians(1))


@pytest.mark.slow
@pytest.mark.parametrize("name", VTOLS)
def test_the_cruise_speed_is_the_airspeed_by_wings(name: str) -> None:
    sim, mav = in_winged_flight(name)
    hover = sim.speed_limit.copy()
    speed = float(sim.wing_cruise_airspeed[0]) + 3.0
    mav.SendCruiseSpeed(speed)
    mav.SendPosNED(100, 0, -40)
    sim.sleep(50)
    assert airspeed(sim) == pytest.approx(speed, abs=0.5)
    np.testing.assert_array_equal(sim.speed_limit, hover)


def test_an_airspeed_out_of_range_warns_by_wings_alone() -> None:
    sim = pyrfly.Sim("gz_standard_vtol")
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    mav.initOffboard()
    mav.SendVelYawAlt(2, 0, -20)  # in hover, a speed over the ground
    with pytest.warns(pyrfly.CommandWarning, match=r"Speed: expected an airspeed of 12\.5 to"):
        mav.SendCruiseSpeed(2)
    sim.vtol_state[:] = 4
    with pytest.warns(pyrfly.CommandWarning, match=r"vel: expected an airspeed of 12\.5 to"):
        mav.SendVelYawAlt(2, 0, -20)


def on_the_ground() -> tuple[pyrfly.Sim, PX4MavCtrler]:
    sim = pyrfly.Sim(VTOLS[0])
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    return sim, mav


class TestTransition:
    """MAV_CMD_DO_VTOL_TRANSITION, as over MAVLink."""

    @pytest.mark.slow
    def test_a_vtol_changes_to_wings_and_back(self) -> None:
        sim, mav = on_the_ground()
        mav.SendMavArm(1)
        mav.sendMavTakeOff(0, 0, -40)
        sim.sleep(40)
        mav.initOffboard()
        mav.SendMavCmdLong(3000, 4)
        mav.SendVelYawAlt(15, 0, -50)
        sim.sleep(25)
        assert float(sim.vtol_state[0]) == 4
        assert mav.uavVelNED[0] == pytest.approx(15, abs=1)
        mav.SendMavCmdLong(3000, 3)
        mav.SendPosNED(mav.uavPosNED[0] + 50, 0, -50, 0)
        sim.sleep(25)
        assert float(sim.vtol_state[0]) == 3
        assert np.linalg.norm(mav.uavVelNED) < 0.1

    def test_on_the_ground_it_is_denied(self) -> None:
        sim, mav = on_the_ground()
        with pytest.warns(CommandWarning, match="Transition denied"):
            mav.SendMavCmdLong(3000, 4)
        sim.sleep(0.1)
        assert float(sim.vtol_state[0]) == 3

    def test_other_states_are_refused(self) -> None:
        _, mav = on_the_ground()
        with pytest.raises(ValueError, match="param1 of 3000: expected 3"):
            mav.SendMavCmdLong(3000, 1)
