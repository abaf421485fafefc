"""Helicopters under control: hover, steps, wind, climbs, speed, faults, autorotation."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

import pyrfly
from pyrfly import vehicles
from pyrfly.vehicles import FAMILIES
from pyrfly.vehicles.trim import Trim

Array = NDArray[np.float64]
SETS = vehicles.names("helicopter")
each_set = pytest.mark.parametrize("name", SETS)
HEIGHT = 20.0


def hovering(name: str, n: int = 1, *, yaw: ArrayLike = 0.0) -> pyrfly.Sim:
    sim = pyrfly.Sim(name, n, dt=0.002)
    sim.reset(pos=[0, 0, -HEIGHT], yaw=yaw, hover=True)
    return sim


def flown(sim: pyrfly.Sim, seconds: float) -> Array:
    """Return positions and Euler angles every 50 ms, shape (samples, n, 6)."""
    samples = []
    for _ in range(round(seconds / 0.05)):
        sim.sleep(0.05)
        samples.append(np.concatenate([sim.pos, sim.euler], axis=1))
    assert sim.check().ok
    return np.array(samples)


def induced_velocity(sim: pyrfly.Sim) -> float:
    weight, radius = sim.mass[0] * sim.gravity[0], sim.main_rotor_radius[0]
    return float(np.sqrt(weight / (2 * 1.225 * np.pi * radius**2)))


@each_set
def test_a_settled_hover_has_no_transient(name: str) -> None:
    """In still air and in wind."""
    sim = pyrfly.Sim(name, 2, dt=0.002)
    sim.wind[1] = (-2.0, 3.0, 0.0)
    sim.reset(pos=[0, 0, -HEIGHT], yaw=0.7, hover=True)
    path = flown(sim, 5)
    np.testing.assert_allclose(path[..., :3] - [0, 0, -HEIGHT], 0, atol=1e-6)
    np.testing.assert_allclose(path[..., 5], 0.7, atol=1e-6)


@each_set
def test_a_step_of_the_position_overshoots_by_less_than_a_tenth(name: str) -> None:
    sim = hovering(name, 3)
    step = np.array([(5.0, 0.0, 0.0), (0.0, -5.0, 0.0), (0.0, 0.0, -5.0)])
    goal = np.array([0, 0, -HEIGHT]) + step
    sim.command_position(goal, yaw=0.0)
    path = flown(sim, 12)
    moved = path[..., :3] - [0, 0, -HEIGHT]
    along = np.sum(moved * step, axis=-1) / 25.0
    assert along.max() < 1.1
    assert np.abs(moved - along[..., None] * step).max() < 0.4
    assert np.abs(path[..., 5]).max() < 0.4  # blade_360 turns by its yaw per descent
    np.testing.assert_allclose(path[-1, :, :3], goal, atol=0.02)


@each_set
def test_a_sudden_wind_of_8_metres_a_second_is_held(name: str) -> None:
    """From all sides."""
    yaw = np.array([0.0, 1.6, 3.1, -1.6])
    sim = hovering(name, 4, yaw=yaw)
    sim.wind = (8.0, 0.0, 0.0)
    path = flown(sim, 15)
    assert np.linalg.norm(path[..., :3] - [0, 0, -HEIGHT], axis=-1).max() < 2.5
    np.testing.assert_allclose(path[-1, :, :3], [[0, 0, -HEIGHT]] * 4, atol=0.1)
    heading = np.angle(np.exp(1j * (path[..., 5] - yaw)))
    assert np.abs(heading).max() < 0.6
    assert np.abs(heading[-1]).max() < 0.02


@pytest.mark.parametrize(
    ("name", "wind"),
    [
        ("conventional_heli", (0.0, 0.0, 3.0)),
        ("conventional_heli", (0.0, 0.0, -3.0)),
        ("conventional_heli", (0.0, 8.0, 3.0)),
        ("conventional_heli", (10.0, 0.0, -5.0)),
        ("xcell_60", (10.0, 0.0, -4.0)),
        ("blade_360", (8.0, 0.0, -5.0)),
    ],
)
@pytest.mark.parametrize("settled", [True, False])
def test_height_is_held_in_air_that_rises_or_sinks(
    name: str, wind: tuple[float, ...], settled: bool
) -> None:
    """Within 0.5 m after 20 s; the wind is there from the start, or comes at once.

    The thrust that the velocity loop commands is what carries the weight.
    """
    sim = pyrfly.Sim(name, dt=0.002)
    if settled:
        sim.wind = wind
    sim.reset(pos=[0, 0, -200], hover=True)
    sim.wind = wind
    sim.command_position([0, 0, -200], yaw=0.0)
    sim.sleep(20)
    np.testing.assert_allclose(sim.pos[0], [0, 0, -200], atol=0.5)
    np.testing.assert_allclose(sim.vel[0], 0, atol=0.1)
    upright = np.cos(sim.euler[0, 0]) * np.cos(sim.euler[0, 1])
    assert sim.thrust[0] * upright == pytest.approx(sim.mass[0] * sim.gravity[0], rel=0.02)


@each_set
def test_turbulence_is_ridden_out(name: str) -> None:
    sim = hovering(name)
    sim.wind = (5.0, 0.0, 0.0)
    sim.environment.set_turbulence("light")
    path = flown(sim, 30)
    assert np.linalg.norm(path[200:, 0, :3] - [0, 0, -HEIGHT], axis=1).max() < 2.0


@each_set
def test_speed_and_climb_limits_are_flown(name: str) -> None:
    sim = hovering(name)
    speed, climb, descent = (
        float(getattr(sim, f"{limit}_limit")[0]) for limit in ("speed", "climb", "descent")
    )
    sim.command_velocity([100, 0, 0], yaw=0.0)
    sim.sleep(12)
    np.testing.assert_allclose(sim.vel[0], [speed, 0, 0], atol=0.05 * speed)
    sim.command_velocity([0, 0, -100])
    sim.sleep(8)
    np.testing.assert_allclose(sim.vel[0], [0, 0, -climb], atol=0.05 * climb)
    assert sim.main_rotor_speed[0] > 0.98 * sim.main_rotor_nominal[0]
    sim.command_velocity([0, 0, 100])
    sim.sleep(6)
    np.testing.assert_allclose(sim.vel[0], [0, 0, descent], atol=0.05 * descent)
    assert sim.check().ok


@each_set
def test_height_is_kept_up_to_full_speed_and_back(name: str) -> None:
    """Though translational lift comes and goes, and braking turns the rotor into the wind.

    The limit is reached in any direction: its tilt is below ``tilt_limit``.
    """
    sim = hovering(name, 4)
    ways = np.array([(1.0, 0, 0), (-1.0, 0, 0), (0, 1.0, 0), (0, -1.0, 0)])
    for speed in (100.0, 0.0):
        sim.command_velocity(speed * ways, yaw=0.0)
        start = sim.pos[:, 2].copy()
        path = flown(sim, 8)
        assert np.abs(path[..., 2] - start).max() < 0.6
        reached = min(speed, float(sim.speed_limit[0]))
        np.testing.assert_allclose(sim.vel, reached * ways, atol=0.1)


@each_set
def test_attitude_and_rate_commands_are_followed(name: str) -> None:
    sim = hovering(name)
    thrust = float(sim.mass[0] * sim.gravity[0] / sim.thrust_limit[0, 1])
    sim.helicopter.command_attitude([np.cos(0.1), 0, np.sin(0.1), 0], thrust)
    sim.sleep(1.5)
    assert sim.euler[0, 1] == pytest.approx(0.2, abs=0.03)
    sim = hovering(name)
    sim.helicopter.command_rate([0, 0, 0.5], thrust)
    sim.sleep(2)
    assert sim.rate[0, 2] == pytest.approx(0.5, abs=0.1)


@each_set
def test_it_lands_by_the_synthesis_model_and_stands(name: str) -> None:
    sim = pyrfly.Sim(name, dt=0.002)
    sim.arm()
    sim.command_position([0, 0, -2], yaw=0.3)
    sim.sleep(12)
    assert sim.pos[0, 2] == pytest.approx(-2, abs=0.1)
    sim.command_velocity([0, 0, 0.5])
    sim.sleep(8)
    assert sim.pos[0, 2] > -0.01
    assert np.linalg.norm(sim.vel[0]) < 0.02
    assert np.abs(sim.euler[0, :2]).max() < 0.02


@each_set
@pytest.mark.parametrize("rates", [(50, 100, 250), (20, 50, 100)])
def test_slower_loops_hold_a_position(name: str, rates: tuple[int, ...]) -> None:
    sim = pyrfly.Sim(name, dt=0.002, control_rates=rates)
    sim.reset(pos=[0, 0, -HEIGHT], hover=True)
    sim.command_position([3, 2, -HEIGHT - 2], yaw=1.0)
    path = flown(sim, 15)
    np.testing.assert_allclose(path[-1, 0, :3], [3, 2, -HEIGHT - 2], atol=0.03)


def test_it_stands_on_slopes_and_on_a_deck() -> None:
    """Aligned with the slope, at rest also with its rotor turning; with the deck at its speed."""
    sim = pyrfly.Sim("blade_360", 3)
    sim.reset(pos=[[0, 0, 0], [3, 0, 0], [6, 0, 0]])
    sim.set_ground_plane(gradient=[[0.2, 0.0], [0.1, -0.1], [0.0, 0.0]])
    sim.terrain_velocity[2] = [1.0, 0.0, 0.0]
    sim.sleep(4)
    np.testing.assert_allclose(sim.euler[:2, 1], -np.arctan([0.2, 0.1]), atol=2e-3)
    sim.arm()
    sim.sleep(4)
    assert (sim.main_rotor_speed > 0.95 * sim.main_rotor_nominal).all()
    np.testing.assert_allclose(sim.pos[:2, :2], [[0, 0], [3, 0]], atol=0.01)
    np.testing.assert_allclose(sim.vel, [[0, 0, 0], [0, 0, 0], [1, 0, 0]], atol=0.01)


def test_it_hovers_over_an_earth_that_turns() -> None:
    sim = hovering("blade_360")
    sim.environment.set_earth("ellipsoid")
    path = flown(sim, 20)
    np.testing.assert_allclose(path[-1, 0, :3], [0, 0, -HEIGHT], atol=0.02)


# --- faults


def test_a_plate_on_four_servos_holds_with_one_that_is_stuck() -> None:
    """Its servo hardly moves; the other three hold the hover."""
    sim = hovering("xcell_60")
    sim.swash_tau[:] = 0.03
    stuck = float(sim.swash_position[0, 3])
    sim.command_position([2, 1, -HEIGHT], yaw=0.0)
    for _ in range(2000):
        sim.step(2)
        sim.swash_position[0, 3] = stuck
    np.testing.assert_allclose(sim.pos[0], [2, 1, -HEIGHT], atol=0.3)


@each_set
def test_without_engine_it_autorotates(name: str) -> None:
    """At 1.7 to 2.2 of the induced velocity of hover: momentum theory has 1.77 without profile."""
    sim = hovering(name)
    sim.pos[0, 2] = sim.pos_sp[0, 2] = sim.held_pos[0, 2] = -300.0
    velocity = induced_velocity(sim)
    nominal = float(sim.main_rotor_nominal[0])
    sim.engine_torque[:] = 0
    speeds = []
    for _ in range(150):
        sim.sleep(0.1)
        speeds.append(float(sim.main_rotor_speed[0]) / nominal)
        assert sim.check().ok
        assert np.isfinite(sim.vel).all()
    assert min(speeds) > 0.65
    assert max(speeds) < 1.1
    np.testing.assert_allclose(sim.vel[0, :2], 0, atol=0.3)
    assert 1.7 < sim.vel[0, 2] / velocity < 2.2
    assert 0.65 < speeds[-1] < 1.0


@each_set
def test_an_autorotation_ends_on_the_ground(name: str) -> None:
    sim = hovering(name)
    sim.engine_torque[:] = 0
    sim.sleep(30)
    assert sim.check().ok
    assert abs(sim.pos[0, 2]) < 0.3
    assert np.linalg.norm(sim.vel[0]) < 0.1


def test_any_collective_without_engine_keeps_the_rotor_in_bounds() -> None:
    plate = np.array([-1.0, -0.3, 0.0, 0.2, 1.0])
    sim = pyrfly.Sim("blade_360", len(plate), dt=0.002)
    sim.controllers = False
    sim.reset(pos=[0, 0, -3000], hover=True)
    sim.engine_throttle[:] = 0
    sim.tail_command[:] = 0
    sim.swash_command[:] = plate[:, None]
    for _ in range(100):
        sim.sleep(0.2)
        assert sim.check().ok
        speed = sim.main_rotor_speed
        assert ((speed >= 0) & (speed < 4 * sim.main_rotor_nominal)).all()


@each_set
def test_the_tail_rotor_lost_it_spins_and_stays_finite(name: str) -> None:
    sim = hovering(name)
    sim.tail_authority[:] = 1e-9
    sim.sleep(5)
    assert sim.check().ok
    assert sim.rate[0, 2] < -1


# --- numbers


def test_a_rotor_speeds_up_before_it_lifts_off() -> None:
    sim = pyrfly.Sim("blade_360")
    sim.arm()
    sim.command_position([0, 0, -3], yaw=0.0)
    sim.sleep(1.5)
    assert abs(sim.pos[0, 2]) < 0.01
    assert abs(sim.euler[0, 2]) < 0.3
    sim.sleep(10)
    np.testing.assert_allclose(sim.pos[0], [0, 0, -3], atol=0.1)


@each_set
@pytest.mark.parametrize("spun_up", [0.0, 5.0])
def test_a_low_take_off_does_not_overshoot(name: str, spun_up: float) -> None:
    """Commanded while the rotor speeds up, and after; by less than a tenth of its height."""
    sim = pyrfly.Sim(name, dt=0.002)
    sim.arm()
    sim.sleep(spun_up)
    sim.command_position([0, 0, -0.5], yaw=0.0)
    path = flown(sim, 8)
    assert path[:, 0, 2].min() > -0.55
    assert path[-1, 0, 2] == pytest.approx(-0.5, abs=0.02)


@each_set
def test_the_hover_of_the_tuning_is_that_of_the_model(name: str) -> None:
    family, vehicle = FAMILIES["helicopter"], vehicles.load(name)
    point, expected = pyrfly.Sim(name).trim(), family.trim(vehicle)
    assert isinstance(expected, Trim)
    commands = expected.commands
    assert point.inputs["swash_command"][0, 0] == pytest.approx(commands[2], rel=5e-3)
    assert point.inputs["tail_command"][0] == pytest.approx(commands[1], rel=5e-3)
    nominal = vehicle.columns["main_rotor_nominal"]
    np.testing.assert_allclose(point.state["main_rotor_speed"][0], nominal)


@pytest.mark.slow
@each_set
def test_the_heading_is_held_as_a_climb_starts_and_ends(name: str) -> None:
    sim = hovering(name)
    for speed in (3.0, 0.0):
        sim.command_velocity([0, 0, -speed], yaw=0.0)
        assert np.abs(np.degrees(flown(sim, 4)[..., 5])).max() < 5.0
