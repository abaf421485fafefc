"""The detailed car against closed forms of load transfer, braking, power, slopes and energy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly

SETS = ["bmw_320i_detailed", "f1tenth_detailed", "ford_escort_detailed"]
every_set = pytest.mark.parametrize("name", SETS)


def rolling(name: str, speed: float, **columns: float) -> pyrfly.Sim:
    """Return a car that rolls at a speed without drag and resistance."""
    sim = pyrfly.Sim(name, 1)
    sim.controllers = False
    sim.vel[:, 0] = speed
    sim.wheel_speed[:] = speed / sim.wheel_radius[0]
    for column, value in {
        "air_drag_area": 0,
        "tyre_rolling": 0,
        "camber_gain": 0,
        **columns,
    }.items():
        getattr(sim, column)[:] = value
    sim.tyre_side_stiffness[:] = 1e12
    return sim


def number(sim: pyrfly.Sim, name: str) -> float:
    return float(getattr(sim, name)[0])


def turning(name: str, speed: float, steering: float) -> pyrfly.Sim:
    """Return a car on a circle, which it keeps by a bit of traction."""
    sim = rolling(name, speed)
    sim.magic_lateral[:, 9:] = sim.magic_aligning[:, 1:3] = 0
    sim.steer[:] = steering / sim.steering_max
    sim.traction[:] = 0.002
    sim.sleep(2.5)
    return sim


def inertia_of_all(sim: pyrfly.Sim) -> float:
    """Return the mass with the spin of the wheels [kg]."""
    return number(sim, "mass") + 4 * number(sim, "wheel_inertia") / number(sim, "wheel_radius") ** 2


def test_the_roll_angle_in_a_turn_is_that_of_springs_and_wheels() -> None:
    """Springs against lateral force, the weight at their free end and the gyroscopic moment."""
    sim = turning("bmw_320i_detailed", 20, 0.01)
    mass, height = number(sim, "mass"), number(sim, "mass_height")
    springs, bars, track = sim.spring_stiffness[0], sim.anti_roll[0], sim.axle_track[0]
    stiffness = float(np.sum((0.5 * springs + bars) * track**2))
    weight = mass * number(sim, "gravity")
    deflection = weight / (2 * float(springs.sum()))
    rate, speed = float(sim.rate[0, 2]), float(sim.vel_body[0, 0])
    spin = number(sim, "wheel_inertia") * float(sim.wheel_speed[0].sum())
    moment = mass * height * speed * rate + spin * rate
    expected = -moment / (stiffness - weight * (height + deflection))
    assert float(sim.euler[0, 0]) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("name", "steering"), [(SETS[0], 0.005), (SETS[2], 0.003)])
def test_the_yaw_rate_follows_from_the_understeer_gradient(name: str, steering: float) -> None:
    """Of tyres without aligning moment, ply steer and conicity."""
    sim = turning(name, 20, steering)
    speed, base = float(sim.vel_body[0, 0]), float(sim.axle_distance[0].sum())
    gradient = float(sim.control_understeer[0])
    expected = speed * steering / (base + gradient * speed**2)
    assert float(sim.rate[0, 2]) == pytest.approx(expected, rel=0.02)


@every_set
def test_the_stopping_distance_is_that_of_the_brake_torque(name: str) -> None:
    sim = rolling(name, 10)
    sim.traction[:] = -0.4
    force = 0.4 * number(sim, "brake_torque") / number(sim, "wheel_radius")
    distance = 0.5 * inertia_of_all(sim) * 10**2 / force
    while sim.vel[0, 0] > 0.5:  # where it changes between brake and reverse
        sim.step(10)
    rest = 0.5 * inertia_of_all(sim) * float(sim.vel[0, 0]) ** 2 / force
    assert float(sim.pos[0, 0]) + rest == pytest.approx(distance, rel=0.02)


def test_locked_wheels_slide_with_the_force_of_the_formula_at_full_slip() -> None:
    sim = rolling("bmw_320i_detailed", 25)
    sim.brake_torque[:] *= 10
    sim.traction[:] = -1
    sim.sleep(1)
    before = float(sim.vel[0, 0])
    assert np.abs(sim.wheel_speed).max() < 1e-6
    sim.sleep(0.5)
    c, mu, stiffness, e = 1.6411, 1.1739, 22.303, 0.46403
    x = stiffness / (c * mu)
    share = mu * math.sin(c * math.atan(x - e * (x - math.atan(x))))
    deceleration = (before - float(sim.vel[0, 0])) / 0.5
    assert deceleration == pytest.approx(share * number(sim, "gravity"), rel=2e-3)


@every_set
def test_full_drive_gives_the_power_to_motion_and_slip(name: str) -> None:
    sim = rolling(name, 9 if name == "f1tenth_detailed" else 14)
    sim.traction[:] = 1
    sim.sleep(0.5)
    before, work = float(sim.vel[0, 0]), 0.0
    for _ in range(100):
        sim.step(10)
        slower = float(sim.vel[0, 0]) / (sim.wheel_radius[0] * sim.wheel_speed[0].max())
        work += 0.01 * number(sim, "drive_power") * slower
    gained = 0.5 * inertia_of_all(sim) * (float(sim.vel[0, 0]) ** 2 - before**2)
    assert gained == pytest.approx(work, rel=0.03)


@every_set
@pytest.mark.parametrize("yaw", [0.0, 0.5 * math.pi, math.pi])
def test_it_stands_on_a_slope_within_its_friction_without_creeping(name: str, yaw: float) -> None:
    sim = pyrfly.Sim(name, 1)
    sim.set_ground_plane(gradient=(0.55, 0.0))
    sim.reset(yaw=[yaw])
    sim.sleep(2)
    before = sim.pos.copy()
    sim.sleep(3)
    np.testing.assert_allclose(sim.pos, before, rtol=0, atol=1e-6)
    assert abs(float(before[0, 0])) < 1e-3


def test_it_slides_down_a_slope_beyond_its_friction() -> None:
    sim = pyrfly.Sim("f1tenth_detailed", 1)
    sim.set_ground_plane(gradient=(0.55, 0.0), friction_reduction=0.7)
    sim.reset()
    sim.sleep(1)
    assert float(sim.vel[0, 0]) > 1.0


@every_set
def test_the_skid_pad_takes_nearly_the_friction_of_the_tyres(name: str) -> None:
    """By a slow increase of the steering angle at a speed; loads are shared unequally."""
    limit = float(pyrfly.Sim(name, 1).lateral_accel_limit[0]) / 0.5
    base = float(pyrfly.Sim(name, 1).axle_distance[0].sum())
    speed, most = math.sqrt(limit * 6 * base), 0.0
    sim = rolling(name, speed)
    sim.shell_position[:, 2] -= 0.7 * sim.mass_height
    sim.mass_height[:] *= 0.3  # so that no wheel lifts off
    for steering in np.linspace(0.0, 0.3, 80):
        sim.steer[:] = steering / sim.steering_max
        sim.traction[:] = 0.002 + np.clip(0.3 * (speed - sim.vel_body[0, 0]), 0, 0.3)
        sim.step(100)
        most = max(most, float(sim.vel_body[0, 0] * sim.rate[0, 2]))
    assert 0.85 * limit < most < 1.02 * limit


def energy(sim: pyrfly.Sim) -> NDArray[np.float64]:
    """Return the energy [J] of motion, spin and height, without that of springs."""
    linear = 0.5 * sim.mass * np.sum(sim.vel**2, axis=1)
    turning = 0.5 * np.sum(sim.inertia[:, :3] * sim.rate**2, axis=1)
    spin = 0.5 * sim.wheel_inertia * np.sum(sim.wheel_speed**2, axis=1)
    result: NDArray[np.float64] = linear + turning + spin - sim.mass * sim.gravity * sim.pos[:, 2]
    return result


@every_set
def test_falls_in_any_attitude_lose_energy_and_come_to_rest(name: str) -> None:
    sim = pyrfly.Sim(name, 16)
    sim.controllers = False
    random = np.random.default_rng(7)
    att = random.normal(size=(16, 4))
    size = float(sim.shell_size[0, 0])
    sim.att[:] = att / np.linalg.norm(att, axis=1, keepdims=True)
    sim.pos[:, 2] = -1.2 * size
    sim.vel[:] = random.normal(size=(16, 3)) * math.sqrt(size)
    before = energy(sim)
    for _ in range(60):
        sim.step(100)
        assert (energy(sim) <= before * (1 + 1e-9) + 1e-9).all()
    assert sim.check().ok
    assert np.abs(sim.vel).max() < 0.1


def test_a_car_on_its_roof_stays_there() -> None:
    sim = pyrfly.Sim("bmw_320i_detailed", 1)
    sim.controllers = False
    sim.pos[:, 2] = -1.5
    sim.att[:] = [0, 1, 0, 0]
    sim.sleep(5)
    assert sim.check().ok
    assert abs(abs(float(sim.euler[0, 0])) - math.pi) < 0.1
    height = float(sim.mass_height[0] - sim.pos[0, 2])
    top = float(0.5 * sim.shell_size[0, 2] - sim.shell_position[0, 2])
    assert height == pytest.approx(top, abs=0.03)


def test_it_leaves_a_ramp_flies_and_lands_on_its_wheels() -> None:
    sim = rolling("f1tenth_detailed", 6)
    sim.set_ground_plane(gradient=(-0.2, 0.0))
    sim.reset()
    sim.vel[:] = [[6, 0, -1.2]]
    sim.wheel_speed[:] = 6 / sim.wheel_radius[0]
    sim.traction[:] = 0.05
    sim.sleep(0.1)
    sim.set_ground_plane(gradient=(0.0, 0.0))
    sim.terrain[:] = 0.2  # the end of the ramp
    sim.sleep(0.1)
    assert float(sim.specific_force[0, 2]) == pytest.approx(0.0, abs=0.1)
    sim.sleep(1.5)
    assert sim.check().ok
    assert float(sim.pos[0, 2]) == pytest.approx(0.2, abs=5e-3)
    assert float(sim.vel[0, 0]) > 4


def test_a_gentle_push_does_not_move_it_and_a_strong_one_does() -> None:
    sim = pyrfly.Sim("bmw_320i_detailed", 2)
    weight = number(sim, "mass") * number(sim, "gravity")
    sim.set_load(force=[[0, 0.6 * weight, 0], [0, 1.3 * weight, 0]])
    sim.sleep(1)
    assert abs(float(sim.pos[0, 1])) < 0.15  # it leans
    assert float(sim.pos[1, 1]) > 1
