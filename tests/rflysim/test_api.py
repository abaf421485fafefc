"""api: the methods of Ctrl on a vehicle, the modes, and PID by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pyrfly.ctrl import UnsupportedError
from pyrfly.rflysim.api import PID, CtMode, Ctrl
from pyrfly.sim import Sim

KINDS = pytest.mark.parametrize("synthesis", [False, True])
START = (20.0, -10.0, 0.0)


def flying(synthesis: bool) -> tuple[Sim, Ctrl]:
    """Return a world whose vehicle hovers 10 m above its start, in offboard."""
    sim = Sim("x450")
    sim.reset(pos=START)
    ctrl = Ctrl(simulink_dll=synthesis, sim=sim)
    ctrl.init_loop(offboard=True)
    ctrl.send_pos_ned(np.add(START, [0, 0, -10]) if synthesis else [0, 0, -10], 0)
    sim.sleep(8)
    return sim, ctrl


@KINDS
def test_positions_are_of_the_map_for_a_synthesis_model_else_of_the_start(synthesis: bool) -> None:
    sim, ctrl = flying(synthesis)
    assert sim.pos[0] == pytest.approx([20, -10, -10], abs=0.02)
    expected = [20, -10, -10] if synthesis else [0, 0, -10]
    assert ctrl.get_pos_ned() == pytest.approx(expected, abs=0.02)
    assert ctrl.get_pos_ned_global() == pytest.approx([20, -10, -10], abs=0.02)


@KINDS
def test_the_kind_of_vehicle_and_its_command_word_are_kept(synthesis: bool) -> None:
    ctrl = Ctrl(simulink_dll=synthesis, sim=Sim("x450"))
    assert ctrl.simulinkDLL is synthesis
    assert ctrl.rflysim_cmd == 0b111  # enabled, for the synthesis model, armed


@KINDS
def test_velocities(synthesis: bool) -> None:
    sim, ctrl = flying(synthesis)
    ctrl.send_vel_ned([1, -1, 0.5], 0)
    sim.sleep(4)
    assert ctrl.get_vel_ned() == pytest.approx([1, -1, 0.5], abs=0.05)
    ctrl.send_vel_ned([0, 0, 0], 0.5)
    sim.sleep(4)
    assert ctrl.get_angular_rate()[2] == pytest.approx(0.5, abs=0.02)
    ctrl.send_vel_body([1, 0, 0], 0)
    sim.sleep(4)
    yaw = ctrl.get_euler()[2]
    expected = [math.cos(yaw), math.sin(yaw), 0]
    assert ctrl.get_vel_ned() == pytest.approx(expected, abs=0.05)


@KINDS
def test_accelerations(synthesis: bool) -> None:
    sim, ctrl = flying(synthesis)
    before = ctrl.get_vel_ned()[0]
    ctrl.send_acc([1, 0, 0])
    sim.sleep(2)
    assert ctrl.get_vel_ned()[0] - before == pytest.approx(2, rel=0.25)


@KINDS
def test_attitudes(synthesis: bool) -> None:
    sim, ctrl = flying(synthesis)
    ctrl.send_att([0.1, -0.05, 0.3])
    sim.sleep(2)
    assert ctrl.get_euler() == pytest.approx([0.1, -0.05, 0.3], abs=0.02)
    assert sim.pos[0, 2] == pytest.approx(-10, abs=0.3)
    ctrl.send_att_thrust([0, 0, 0], 0.9)
    sim.sleep(1)
    assert ctrl.get_vel_ned()[2] < -1


@KINDS
def test_a_place_on_the_earth(synthesis: bool) -> None:
    sim, ctrl = flying(synthesis)
    ctrl.send_pos_global(sim.local_frame.to_lla([25, -5, -12]).tolist(), 1.0)
    sim.sleep(8)
    assert sim.pos[0] == pytest.approx([25, -5, -12], abs=0.05)
    assert ctrl.get_euler()[2] == pytest.approx(1, abs=0.02)


@KINDS
def test_home_and_landing(synthesis: bool) -> None:
    sim, ctrl = flying(synthesis)
    ctrl.send_vel_ned([2, 0, 0], 0)
    sim.sleep(4)
    ctrl.return_home()
    sim.sleep(12)
    assert sim.pos[0] == pytest.approx([20, -10, -10], abs=0.3)
    ctrl.land()
    sim.sleep(30)
    assert not ctrl.isArmed
    assert sim.pos[0] == pytest.approx([20, -10, 0], abs=0.3)


@KINDS
def test_a_take_off_waits_for_arming(synthesis: bool) -> None:
    sim = Sim("x450")
    sim.reset(pos=START)
    ctrl = Ctrl(simulink_dll=synthesis, sim=sim)
    ctrl.init_loop()
    ctrl.takeoff(-6, 3, 2)
    sim.sleep(1)
    assert sim.pos[0, 2] == pytest.approx(0, abs=0.01)
    ctrl.SendMavArm(1)
    sim.sleep(12)
    offset = [0, 0, -6] if synthesis else [3, 2, -6]
    assert sim.pos[0] == pytest.approx(np.add(START, offset), abs=0.3)


@KINDS
def test_state(synthesis: bool) -> None:
    sim, ctrl = flying(synthesis)
    assert ctrl.get_vehicle_id() == 1
    assert ctrl.get_time_s() == pytest.approx(sim.time, abs=0.02)
    assert ctrl.get_quaternion() == pytest.approx(sim.att[0], abs=1e-6)
    speeds = sim.rotor_speed[0] * 60 / math.tau
    assert ctrl.get_actuator_speed()[:4] == pytest.approx(speeds, rel=1e-6)
    lla = sim.local_frame.to_lla(sim.pos[0])
    assert ctrl.get_pos_global()[:3] == pytest.approx(lla, abs=1e-4)
    assert ctrl.get_home_pos() == pytest.approx(sim.local_frame.to_lla(START), abs=1e-4)
    # an accelerometer feels the lift, the true acceleration is none
    assert ctrl.get_acc()[2] == pytest.approx(0 if synthesis else -sim.gravity[0], abs=0.1)
    assert ctrl.get_max_vel_xy() == ctrl.maxVelXy
    assert ctrl.get_max_vel_z() == ctrl.maxVelZ
    assert ctrl.get_max_acc_xy() == ctrl.maxAccXy
    assert ctrl.get_max_acc_z() == ctrl.maxAccZ
    ctrl.send_cruise_speed_fw(7)
    assert ctrl.get_max_vel_xy() == 7
    ctrl.send_cruise_radius_fw(30)


@KINDS
def test_what_is_for_planes_is_refused(synthesis: bool) -> None:
    _, ctrl = flying(synthesis)
    with pytest.raises(UnsupportedError, match="is for planes, got 'x450'"):
        ctrl.send_pos_speed_fw([1, 2, -3], 10)


@pytest.mark.parametrize(
    ("mode", "full"), [(0, True), (1, False), (2, True), (3, True), (4, False), (6, True)]
)
def test_full_modes(mode: int, full: bool) -> None:
    ctrl = Ctrl(sim=Sim("x450"))
    ctrl.init_loop(mode)
    assert ctrl.is_full_send() == full


def test_the_modes() -> None:
    # [@rfly-sdk ctrl/api.py], class CtMode
    names = "UDP_Full UDP_Simple MAVLink_Full MAVLink_Simple MAVLink_NoSend MAVLink_NoGPS"
    names += " Mavlink_Vision Redis_Full Redis_Simple"
    assert [getattr(CtMode, name) for name in names.split()] == list(range(9))


# mode: the questions that are answered with yes
YES = {
    0: "is_udp_full is_udp is_full", 1: "is_udp_simple is_udp", 2: "is_mav_full is_mav is_full",
    3: "is_mav_simple is_mav", 4: "is_mav_no_send", 5: "is_mav_no_gps", 6: "",
    7: "is_redis_full is_redis is_full", 8: "is_redis_simple is_redis",
}  # fmt: skip


@pytest.mark.parametrize("mode", range(9))
def test_questions_about_a_mode(mode: int) -> None:
    chosen = CtMode()
    assert chosen.mode == 2
    chosen.set(mode)
    questions = [name for name in dir(CtMode) if name.startswith("is_")]
    assert len(questions) == 12
    answers = {name for name in questions if getattr(chosen, name)()}
    assert answers == set(YES[mode].split())


@pytest.mark.parametrize("mode", [-1, 9, "x", None])
def test_there_is_no_other_mode(mode: Any) -> None:
    chosen = CtMode()
    with pytest.raises(ValueError, match="mode: expected 0 to 8"):
        chosen.set(mode)
    assert chosen.mode == 2


def test_pid_by_hand() -> None:
    pid = PID(2, 0.5, 3)
    assert pid.pid(1) == 2 * 1 + 0.5 * 1 + 3 * (1 - 0)
    assert pid.pid(4) == 2 * 4 + 0.5 * 5 + 3 * (4 - 1)
    assert pid.pid(4) == 2 * 4 + 0.5 * 9  # no change: the vendor's term would be 3 * (9 - 4)
    assert (pid.sum_err, pid.last_err) == (9, 4)
    pid.reset()
    assert (pid.sum_err, pid.last_err) == (0, 0)
    assert pid.pid(1) == 2 * 1 + 0.5 * 1 + 3 * 1


def test_the_sum_of_errors_is_limited() -> None:
    pid = PID(0, 1, 0)
    assert [pid.pid(60), pid.pid(60), pid.pid(-300)] == [60, 100, -100]
    pid.sum_limit = 5
    assert pid.pid(1000) == 5
