"""Marine craft to autopilots: PX4's channels and types, ArduPilot's outputs, RflySim's inputs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.protocol.px4_channels import VERSIONS, channels_of
from pyrfly.protocol.synthesis import BASE, POS, VEL, Command, Offboard, inputs
from pyrfly.server.ardupilot_vehicle import ArduPilotVehicle
from pyrfly.sim.px4_identity import px4_type
from pyrfly.vehicles import FAMILIES, Kind, names

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
    sim = pyrfly.Sim("otter")
    sim.enable_synthesis()
    vehicle = ArduPilotVehicle(sim.groups[0], 0)
    pulses = np.array([1000 + 100 * k for k in range(16)], np.uint16)
    np.testing.assert_allclose(vehicle.commands(pulses)[:3], [-1, -0.6, 0])
    rov = pyrfly.Sim("bluerov2_heavy")
    rov.enable_synthesis()
    with pytest.raises(ValueError, match="outputs of ArduPilot"):
        ArduPilotVehicle(rov.groups[0], 0)


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
