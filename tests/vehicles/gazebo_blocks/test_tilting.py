"""Motors that joints tilt: their axes, servos, and tricopters whose tail rotor is tilted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.mission import fly_mission, read_mission
from pyrfly.mixers import MixedActuators, Mixer, parse

PLAN = Path(__file__).parents[3] / "examples" / "missions" / "square.csv"
SETS = ("tri_y_servo_plus", "tri_y_servo_minus")
TAIL = 2
ARM, THRUST, TORQUE = 0.225, 1.681e-5, 2.783e-7  # m, N s^2, N m s^2: of the SDK set
LIMIT, LAG, RATE = 0.5236, 0.03, 10.5  # rad, s, rad/s
AT_REST = np.arctan(3 * TORQUE / THRUST / ARM)

both = pytest.mark.parametrize("name", SETS)


def turning(name: str, speed: float, command: float, n: int = 1, **options: object) -> pyrfly.Sim:
    """Return tricopters in the air at rest, with their rotors at a speed and their servo there."""
    sim = pyrfly.Sim(name, n, **options)
    sim.reset(pos=[0, 0, -100])
    sim.arm()
    channels = [(speed - 22.83) / 842.1] * 3 + [command] + [0.0] * 12
    sim.gazebo_blocks.command_channels(channels)
    sim.motor_speed[:, :3] = speed
    sim.joint_angle[:, 0] = command * sim.joint_scaling[:, 0]
    return sim


def accelerations(sim: pyrfly.Sim) -> NDArray[np.float64]:
    """Return angular accelerations [rad/s^2] of vehicles at rest."""
    sim.step(1)
    return np.asarray(sim.rate, np.float64) / sim.dt


@both
@pytest.mark.parametrize("command", [-1.0, -0.3, 0.0, 0.5, 1.0])
def test_the_yaw_moment_is_that_of_the_tilted_thrust(name: str, command: float) -> None:
    """L T sin x of the tail rotor against the reaction torques, of it the part along down."""
    speed, turn = 470.0, 1.0 if name == "tri_y_servo_plus" else -1.0
    sim = turning(name, speed, command)
    tilt = AT_REST - command * LIMIT  # to the side that holds the torques
    thrust, torque = THRUST * speed**2, TORQUE * speed**2
    moment = turn * (torque * (2 + np.cos(tilt)) - ARM * thrust * np.sin(tilt))
    assert accelerations(sim)[0, 2] == pytest.approx(moment / sim.inertia[0, 2], abs=0.01)
    assert sim.vel[0, 1] / sim.dt == pytest.approx(
        turn * thrust * np.sin(tilt) / sim.mass[0], abs=0.01
    )


@pytest.mark.parametrize(("name", "gain"), [(SETS[0], 10000), (SETS[1], -10000)])
@pytest.mark.parametrize("axis", range(3))
def test_it_turns_as_the_mixers_of_px4_want_it(name: str, gain: int, axis: int) -> None:
    """Of tri_y_yaw+ and tri_y_yaw- [@px4], where a positive output turns right, and left."""
    text = f"R: 3y\nM: 1\nS: 0 2 {gain} {gain} 0 -10000 10000\n"
    sim = pyrfly.Sim(name, 2)
    sim.reset(pos=[0, 0, -100])
    sim.arm()
    sim.controllers = False
    actuators = MixedActuators(sim, Mixer(parse(text.encode(), "mine.main.mix")))
    actuators.command(thrust=0.5, **{("roll", "pitch", "yaw")[axis]: [0.1, -0.1]})
    sim.sleep(0.1)
    between = np.asarray(sim.rate[0] - sim.rate[1])
    assert between[axis] > 0.1
    assert np.abs(np.delete(between, axis)).max() < 0.3 * between[axis]


def test_a_joint_turns_an_axis_about_any_other() -> None:
    random = np.random.default_rng(17)
    n = 16
    sim = turning("tri_y_servo_plus", 500.0, 0.4, n)
    about = random.normal(size=(n, 3))
    about /= np.linalg.norm(about, axis=1)[:, None]
    columns = sim.motor_tilt_axis.reshape(n, 3, 8)
    columns[:, :, TAIL] = about
    axis = np.array(sim.motor_axis.reshape(n, 3, 8)[:, :, TAIL])
    angle = np.array(sim.joint_angle[:, :1])
    tilted = Rotation.from_rotvec(angle * about).apply(axis)
    sim.motor_thrust[:, :TAIL] = 0.0
    sim.step(1)
    force = sim.mass[:, None] * (sim.vel / sim.dt - [0, 0, 9.8])
    np.testing.assert_allclose(force, THRUST * 500.0**2 * tilted, atol=0.02)


@both
def test_the_servo_turns_at_its_rate_and_then_with_its_lag(name: str) -> None:
    """At the rate while it is farther than the rate times the lag from its target."""
    sim = turning(name, 470.0, 0.0)
    sim.gazebo_blocks.command_channels([0.5] * 3 + [1.0] + [0.0] * 12)
    moved = [0.0]
    for _ in range(200):
        sim.step(1)
        moved.append(abs(float(sim.joint_angle[0, 0])))
    begins = (LIMIT - RATE * LAG) / RATE  # s: from here on with the lag
    time = np.arange(len(moved)) * 1e-3
    near = LIMIT - RATE * LAG * np.exp(-(time - begins) / LAG)
    expected = np.where(time < begins, RATE * time, near)
    np.testing.assert_allclose(moved, expected, atol=2e-3)


def test_a_weak_servo_tilts_less() -> None:
    whole, weak = turning("tri_y_servo_plus", 470.0, 1.0), turning("tri_y_servo_plus", 470.0, 0.5)
    whole.set_strength([1.0, 1.0, 1.0, 0.5])
    np.testing.assert_allclose(accelerations(whole), accelerations(weak), atol=1e-9)


@both
def test_it_takes_off_and_hovers_without_a_spin(name: str) -> None:
    """It banks by what balances the tail rotor's push: tan b = T sin x / (3 T)."""
    sim = pyrfly.Sim(name)
    sim.arm()
    sim.command_position([0, 0, -5])
    fastest = 0.0
    for _ in range(100):
        sim.sleep(0.1)
        fastest = max(fastest, abs(float(sim.rate[0, 2])))
    assert fastest < 0.1
    np.testing.assert_allclose(sim.pos[0], [0, 0, -5], atol=0.01)
    np.testing.assert_allclose(sim.rate[0], 0.0, atol=2e-3)
    assert abs(sim.euler[0, 2]) < 2e-3
    bank = np.arctan(np.tan(AT_REST) / 3)
    assert abs(float(sim.euler[0, 0])) == pytest.approx(bank, abs=2e-3)


@both
def test_it_turns_to_a_heading_while_it_flies_to_a_position(name: str) -> None:
    sim = pyrfly.Sim(name, dt=0.002)
    sim.reset(pos=[0, 0, -10], hover=True)
    sim.arm()
    sim.command_position([5, 3, -10], yaw=2.0)
    largest = 0.0
    for _ in range(80):
        sim.sleep(0.1)
        largest = max(largest, float(sim.euler[0, 2]))
    assert largest < 2.05
    assert sim.euler[0, 2] == pytest.approx(2.0, abs=0.01)
    np.testing.assert_allclose(sim.pos[0], [5, 3, -10], atol=0.02)


def test_the_two_fly_mirrored() -> None:
    plus, minus = (pyrfly.Sim(name) for name in SETS)
    for sim, side in ((plus, 1), (minus, -1)):
        sim.arm()
        sim.command_position([4, side * 3, -5], yaw=side * 1.0)
        sim.sleep(3)
    np.testing.assert_allclose(plus.pos[0], minus.pos[0] * [1, -1, 1], atol=1e-6)
    np.testing.assert_allclose(plus.euler[0], minus.euler[0] * [-1, 1, -1], atol=1e-6)


@both
def test_a_gust_does_not_turn_it(name: str) -> None:
    sim = pyrfly.Sim(name, dt=0.002)
    sim.reset(pos=[0, 0, -10], hover=True)
    sim.arm()
    sim.command_position([0, 0, -10])
    sim.wind[:] = [4, 3, 0]
    sim.sleep(8)
    np.testing.assert_allclose(sim.pos[0], [0, 0, -10], atol=0.05)
    assert abs(sim.euler[0, 2]) < 0.02


@both
@pytest.mark.slow
def test_it_flies_a_mission(name: str) -> None:
    result = fly_mission(pyrfly.Sim(name), read_mission(PLAN))
    assert result.completed
    assert result.cross_track_max is not None
    assert result.cross_track_max < 0.3
    assert result.landing_error is not None
    assert result.landing_error < 0.1
