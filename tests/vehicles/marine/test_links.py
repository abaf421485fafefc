"""Marine craft to autopilots: PX4's channels and types, ArduPilot's outputs, RflySim's inputs."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.protocol.px4_channels import VERSIONS, channels_of
from pyrfly.protocol.synthesis import (
    BASE,
    COMMAND,
    POS,
    VEL,
    Command,
    Offboard,
    attitude_target,
    inputs,
)
from pyrfly.server.actuators import Actuators
from pyrfly.server.ardupilot_vehicle import ArduPilotVehicle
from pyrfly.server.orders import SetInputs, apply
from pyrfly.sim.px4_identity import px4_type
from pyrfly.vehicles import FAMILIES, Kind, names

from ..conftest import commands_of_ardupilot

FAMILY = FAMILIES["marine"]


@pytest.mark.parametrize("version", VERSIONS)
def test_px4s_channels_are_the_thrusters_in_their_order(version: str) -> None:
    """Airframes 1070 and 60002 have motors 1 to 2 and 1 to 8 there."""
    assert channels_of(FAMILY.px4_airframe, 12, version)[:8] == tuple(range(8))


@pytest.mark.parametrize("name", names("marine"))
def test_it_is_a_boat_or_a_submarine(name: str) -> None:
    sim = pyrfly.Sim(name)
    (group,) = sim.groups
    dives = Kind.DIVES in group.abilities.kind
    assert px4_type(group) == (12 if dives else 11)
    assert group.abilities.px4_defaults["SYS_AUTOSTART"] == (60002 if dives else 1070)


def test_sides_of_a_boat_are_outputs_1_and_3_of_ardupilot() -> None:
    np.testing.assert_allclose(commands_of_ardupilot("otter")[:3], [-1, -0.6, 0])
    torpedo = pyrfly.Sim("remus100")
    torpedo.enable_synthesis()
    with pytest.raises(ValueError, match="outputs of ArduPilot"):
        ArduPilotVehicle(torpedo.groups[0], 0)


def test_a_ship_is_steered_by_output_1_and_driven_by_output_3_of_ardurover() -> None:
    """Hard to starboard and to port at half throttle, and straight astern."""
    sim = pyrfly.Sim("kvlcc2", 3, dt=0.005)
    sim.controllers = False
    sim.enable_synthesis()
    for row, (steering, throttle) in enumerate([(2000, 1750), (1000, 1750), (1500, 1250)]):
        pulses = np.full(16, 1500, np.uint16)
        pulses[[0, 2, 3]] = steering, throttle, 1900
        commands = ArduPilotVehicle(sim.groups[0], row).commands(pulses)
        sim.thruster_command[row], sim.fin_command[row] = commands[:8], commands[8:12]
    assert np.count_nonzero(sim.thruster_command) == 3
    sim.sleep(40)
    angles = np.degrees(sim.fin_angle[:, 0])
    np.testing.assert_allclose(angles, [35, -35, 0], atol=0.1)
    turned = np.degrees(sim.euler[:, 2])
    assert turned[0] > 5.0
    assert turned[1] < -5.0
    assert abs(turned[2]) < 0.01
    assert (sim.vel_body[:2, 0] > 0.05).all()
    assert sim.vel_body[2, 0] < -0.05


SUB_AXES = ("roll", "pitch", "yaw", "throttle", "forward", "lateral")
SUB_MOTORS = {
    "bluerov2_heavy": [
        *((0, 0, 1, 0, -1, 1), (0, 0, -1, 0, -1, -1), (0, 0, -1, 0, 1, 1), (0, 0, 1, 0, 1, -1)),
        *((1, -1, 0, -1, 0, 0), (-1, -1, 0, -1, 0, 0), (1, 1, 0, -1, 0, 0), (-1, 1, 0, -1, 0, 0)),
    ],
    "bluerov2": [
        *((0, 0, 1, 0, -1, 1), (0, 0, -1, 0, -1, -1), (0, 0, -1, 0, 1, 1), (0, 0, 1, 0, 1, -1)),
        *((1, 0, 0, -1, 0, 0), (-1, 0, 0, -1, 0, 0)),
    ],
}
"""Factors of motors 1 to 8 of SUB_FRAME_VECTORED_6DOF, and of SUB_FRAME_VECTORED
[@ardupilot AP_Motors6DOF.cpp]."""


@pytest.mark.parametrize("name", SUB_MOTORS)
@pytest.mark.parametrize("axis", SUB_AXES)
@pytest.mark.parametrize("sense", [-1, 1])
def test_each_axis_of_ardusub_moves_an_rov_along_it(name: str, axis: str, sense: int) -> None:
    """Throttle is up, lateral to the right; lights and a gripper at 9 to 11 do nothing."""
    factors = np.array(SUB_MOTORS[name], float)[:, SUB_AXES.index(axis)]
    if not factors.any():
        return  # nothing pitches the smaller frame
    sim = pyrfly.Sim(name, dt=0.002)
    sim.controllers = False
    sim.reset(pos=[0, 0, 10])
    sim.enable_synthesis()
    pulses = np.full(16, 1500, np.uint16)
    pulses[: len(factors)] = 1500 + 100 * sense * factors
    pulses[8:11] = 1900, 1100, 1700
    commands = ArduPilotVehicle(sim.groups[0], 0).commands(pulses)
    assert np.abs(commands).max() == pytest.approx(0.25)
    sim.thruster_command[:] = commands[:8]
    sim.sleep(0.3)
    forward, right, down = sim.vel_body[0]
    roll, pitch, yaw = sim.rate[0]
    moved = {"forward": forward, "lateral": right, "throttle": -down}
    turned = {"roll": roll, "pitch": pitch, "yaw": yaw}
    own = moved if axis in moved else turned
    assert max(own, key=lambda one: abs(own[one])) == axis
    assert sense * own[axis] > 0.05


def test_full_pulses_of_ardusub_are_400_us() -> None:
    sim = pyrfly.Sim("bluerov2_heavy")
    sim.enable_synthesis()
    pulses = np.array([1900, 1100, 1900, 1100, 1500, 2000, 0, 1300, *[1500] * 8], np.uint16)
    commands = ArduPilotVehicle(sim.groups[0], 0).commands(pulses)
    np.testing.assert_allclose(commands[:8], [-1, 1, 1, -1, 0, 1, 0, 0.5])


PX4_ROTORS = {
    "bluerov2_heavy": {  # CA_ROTORn_AX, AY, AZ and PX, PY of airframe 60002
        "axis": [
            *([1, -1, 0], [1, 1, 0], [1, 1, 0], [1, -1, 0]),
            *([0, 0, -1], [0, 0, 1], [0, 0, 1], [0, 0, -1]),
        ],
        "position": [
            *([0.14, 0.1], [0.14, -0.1], [-0.14, 0.1], [-0.14, -0.1]),
            *([0.12, 0.22], [0.12, -0.22], [-0.12, 0.22], [-0.12, -0.22]),
        ],
    },
    "gz_boat": {"axis": [[1, 0, 0]] * 2, "position": [[-2, -1], [-2, 1]]},  # of 1070
}
"""[@px4 ROMFS/px4fmu_common/init.d-posix/airframes]"""


@pytest.mark.parametrize("name", PX4_ROTORS)
def test_channels_of_px4_push_as_its_airframe_says(name: str) -> None:
    """Force and yaw moment of each channel alone, by the first tenth of a second."""
    rotors = PX4_ROTORS[name]
    axes, places = (np.array(rotors[key], float) for key in ("axis", "position"))
    sim = pyrfly.Sim(name, len(axes), dt=0.002)
    sim.controllers = False
    if Kind.DIVES in sim.groups[0].abilities.kind:
        sim.reset(pos=np.tile([0.0, 0.0, 10.0], (len(axes), 1)))
    sim.enable_synthesis()
    actuators = Actuators(sim, channels_of, mixed=True)
    for row in range(len(axes)):
        values = np.zeros(16)
        values[row] = 0.5
        actuators.set(row, values, True)
    actuators.write()
    sim.sleep(0.1)
    pushed = np.einsum("ij,ij->i", sim.vel_body, axes)
    assert (pushed > 0).all()
    turning = places[:, 0] * axes[:, 1] - places[:, 1] * axes[:, 0]
    assert (np.sign(sim.rate[turning != 0, 2]) == np.sign(turning[turning != 0])).all()


def test_rflysims_input_pwms_are_thrusters_then_fins() -> None:
    """Left and right propeller of a boat; propeller, then rudder and stern planes of a torpedo."""
    sim = pyrfly.Sim({"otter": 1, "remus100": 2}, dt=0.002)
    sim.reset(pos=[[0, 0, 0], [0, 9, 10], [0, 18, 10]])
    sim.enable_synthesis()
    sim.command_sil(command=int(Command.ENABLE | Command.ARMED))  # without SIL: inPWMs
    boat, torpedoes = sim.groups
    assert boat.actuators == ("thruster_command", "fin_command")
    boat.thruster_command[:, :2] = [0.5, 0.2]
    torpedoes.thruster_command[:, 0] = 0.8
    torpedoes.fin_command[:, :2] = [[0.5, 0], [0, -0.5]]
    sim.sleep(8)
    assert sim.rate[0, 2] > 0.05
    assert (sim.vel_body[:, 0] > 0.3).all()
    assert sim.rate[1, 2] > 0.01 > abs(sim.rate[2, 2])
    assert sim.euler[2, 1] > 0.1 > abs(sim.euler[1, 1])
    assert sim.pos[2, 2] < 10 - 0.2  # bow up: it rises


def test_packets_for_the_3d_view_have_propellers_and_fins() -> None:
    sim = pyrfly.Sim({"otter": 1, "remus100": 1}, dt=0.002)
    sim.reset(pos=[[0, 0, 0], [0, 9, 10]])
    sim.arm()
    sim.marine.command_speed([1.0, 1.5], yaw_rate=[0.1, 0.05], depth=[0.0, 11.0])
    sim.sleep(5)
    assert [group.uav_type for group in sim.groups] == [140, 150]
    boat, torpedo = sim.displayed_actuators
    per_minute = 60 / math.tau
    np.testing.assert_allclose(boat[:2], per_minute * sim.groups[0].thruster_speed[0, :2])
    assert boat[0] > boat[1] > 0 == np.abs(boat[2:]).max()
    assert torpedo[0] == pytest.approx(per_minute * sim.groups[1].thruster_speed[0, 0])
    np.testing.assert_array_equal(torpedo[4:], sim.groups[1].fin_angle[0])
    assert np.abs(torpedo[4:6]).min() > 0


def test_rflysims_inputs_move_an_rov_to_a_depth() -> None:
    sim = pyrfly.Sim("bluerov2_heavy", dt=0.002)
    sim.enable_synthesis()
    ints, floats = inputs(1)

    def command(bits: int, offboard: int, seconds: float) -> None:
        ints[0, :2] = BASE | Command.ARMED | bits, offboard
        sim.command_sil(ints, floats)
        sim.sleep(seconds)

    floats[0, POS] = 2.0, -1.0, 4.0
    command(Command.POSITION, Offboard.POSITION, 30)
    np.testing.assert_allclose(sim.pos[0], [2, -1, 4], atol=0.1)
    floats[0, VEL] = 0.0, 0.0, -0.3
    command(Command.POSITION, Offboard.VELOCITY, 4)
    assert sim.vel[0, 2] == pytest.approx(-0.3, abs=0.03)
    assert sim.sil_refused[0] == 0
    command(Command.LAND, 0, 30)
    assert sim.armed[0] == 0
    assert abs(sim.pos[0, 2]) < 0.5  # it came up before


@pytest.mark.slow
def test_a_torpedo_lands_on_the_surface_where_it_circles() -> None:
    sim = pyrfly.Sim("remus100", dt=0.004)
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    mav.initOffboard()
    mav.SendPosNED(30, 0, 5, 0)
    sim.sleep(60)
    assert sim.pos[0, 2] == pytest.approx(5, abs=0.3)
    mav.sendMavLand(60, 0, 0)
    sim.sleep(100)
    assert (abs(sim.pos[0, 2]) < 0.5, sim.armed[0], sim.sil_refused[0]) == (True, 0, 0)


@pytest.mark.parametrize("height", [4.0, -4.0])
def test_a_height_beside_an_attitude_is_a_depth_here_and_from_a_client(height: float) -> None:
    """A client of the network does not know that its vehicle dives: the height has either sign."""
    sims = [pyrfly.Sim("bluerov2_heavy", dt=0.0025) for _ in range(2)]
    for sim in sims:
        sim.enable_synthesis()
        sim.arm()
    mav = PX4MavCtrler(1, sim=sims[0])
    mav.InitMavLoop()
    mav.initOffboard()
    mav.SendMavArm(1)
    mav.SendAttPX4([0, 0, 30], height, 0, 1)
    sent = attitude_target([(0.0, 0.0, math.radians(30))], down=[height])
    sent.ints[:, COMMAND] = BASE | Command.ARMED
    apply(sims[1], SetInputs.of(np.array([1]), *sent))
    for sim in sims:
        sim.sleep(20)
        assert sim.pos[0, 2] == pytest.approx(4, abs=0.2)
        assert sim.euler[0, 2] == pytest.approx(math.radians(30), abs=0.05)


@pytest.mark.parametrize(
    ("channel", "velocity"), [(0, (0, 0.5, 0)), (1, (0.5, 0, 0)), (2, (0, 0, -0.5))]
)
def test_sticks_move_an_rov_to_all_sides(channel: int, velocity: tuple[float, ...]) -> None:
    """At half deflection: with half of its speeds to the right, ahead and up."""
    sim = pyrfly.Sim("bluerov2_heavy", dt=0.0025)
    sim.reset(pos=(0, 0, 8))
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    mav.SendMavArm(1)
    mav.initRCSendLoop()
    mav.SendRCPwms([1750 if k == channel else 1500 for k in range(4)])
    sim.sleep(6)
    limits = sim.speed_limit[0], sim.speed_limit[0], sim.climb_limit[0]
    np.testing.assert_allclose(sim.vel_body[0], np.multiply(velocity, limits), atol=0.1)
    mav.endRCSendLoop()
    sim.sleep(6)
    np.testing.assert_allclose(sim.vel_body[0], 0, atol=0.05)


def test_attitudes_of_boats_are_refused() -> None:
    sim = pyrfly.Sim("otter")
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    mav.initOffboard()
    with pytest.raises(UnsupportedError, match=r"attitude, thrust: .* supports: position"):
        mav.SendAttPX4([0, 0, 90, 0], 0.5, 0)
    ints, floats = inputs(1)
    ints[0, :2] = BASE | Command.ARMED, Offboard.ATTITUDE | Offboard.THRUST
    sim.command_sil(ints, floats)
    sim.sleep(0.1)
    assert sim.sil_refused[0] == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bluerov2_heavy", "remus100"])
def test_a_script_for_underwater_vehicles_of_rflysim_runs(name: str, tmp_path: Path) -> None:
    """A depth, attitudes with and without one, a path, a landing; in simulated time."""
    script = Path(__file__).parent / "scripts" / "depth_and_attitude.py"
    command = [sys.executable, "-m", "pyrfly.rflysim.stepped", "--vehicles", name, script, "250"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    depth, heading, deeper, end, last = lines
    assert float(depth.split()[-1]) == pytest.approx(5.0, abs=0.3)
    assert float(heading.split()[1]) == pytest.approx(90, abs=4)
    assert float(heading.split()[-1]) > 0.8
    assert float(deeper.split()[-1]) == pytest.approx(8.0, abs=0.3)
    assert float(end.split()[-1]) == pytest.approx(10.0, abs=0.3)
    assert last == "surfaced True armed False"


def test_a_full_battery_is_chosen_for_its_thrusters() -> None:
    sim = pyrfly.Sim("bluerov2_heavy", dt=0.002)
    sim.power.enable()
    sim.reset(pos=[0, 0, 5])
    sim.arm()
    sim.command_velocity([0.5, 0, 0])
    sim.sleep(10)
    assert sim.battery_current[0] > 0.1


def test_faults_are_of_the_propeller_and_the_rudder_that_a_ship_has() -> None:
    sim = pyrfly.Sim("kvlcc2", dt=0.005)
    with pytest.raises(pyrfly.ParameterError, match=r"1 \(thruster_command\), 9 \(fin_command\)"):
        sim.faults.add("actuator_stuck", actuator=2, value=1.0)
    ints, floats = np.full((1, 8), 123450, np.int32), np.zeros((1, 20))
    assert sim.faults.inject(ints, floats) == ()
    (lost,) = sim.faults.list()
    assert lost.items == (1,)
    sim.faults.clear()
    sim.faults.add("actuator_stuck", actuator=9, value=1.0)
    sim.thruster_command[0, 0] = 0.5
    sim.controllers = False
    sim.arm()
    sim.sleep(20)
    assert sim.fin_angle[0, 0] == pytest.approx(math.radians(35), abs=1e-3)
