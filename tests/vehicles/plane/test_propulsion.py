"""Propeller, motor and servos of a plane by hand."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import load, names
from pyrfly.vehicles.plane.performance import Performance

from .steady import inertia_of, moments, remove_wing


def thrusting() -> pyrfly.Sim:
    """Return an aircraft without wing forces and weight, with the propeller at 600 rad/s."""
    sim = pyrfly.Sim("aerosonde")
    sim.controllers = False
    sim.reset(pos=[0, 0, -500])
    remove_wing(sim)
    sim.gravity[:] = 0.0
    sim.propeller_speed[:] = 600.0
    sim.motor_resistance[:] = 0.0
    sim.motor_speed_range[:] = [0.0, 600.0]
    sim.propeller_throttle[:] = 1.0
    return sim


def test_the_static_law_loses_thrust_with_the_airspeed() -> None:
    """C_T rho (N / 60)^2 D^4, less K V / sqrt(T): 5.0988 N, and 4.4345 N at 15 m/s."""
    sim = thrusting()
    sim.reference_density[:], sim.propeller_diameter[:], sim.propeller_loss[:] = 1.225, 0.254, 0.1
    sim.propeller_thrust[:] = [0.1, 0, 0]
    sim.propeller_speed[:] = 6000 * 2 * np.pi / 60
    assert sim.mass[0] * sim.accel[0, 0] == pytest.approx(5.0988, abs=5e-5)
    sim.vel[0] = [15, 0, 0]
    assert sim.mass[0] * sim.accel[0, 0] == pytest.approx(4.4345, abs=5e-5)


@pytest.mark.parametrize("name", names("plane"))
def test_a_propeller_at_rest_drives_in_no_flow(name: str) -> None:
    angle = np.deg2rad(np.arange(-180.0, 180.0, 10.0))
    sim = pyrfly.Sim(name, len(angle))
    sim.controllers = False
    sim.reset(pos=[0, 0, -500])
    remove_wing(sim)
    sim.gravity[:] = 0.0
    sim.vel[:] = 25.0 * np.stack([np.cos(angle), 0.0 * angle, np.sin(angle)], axis=1)
    along = sim.accel[:, 0] * sim.vel[:, 0]
    assert (along < 1e-9).all()
    assert along[0] == pytest.approx(along[18])  # as much from behind as from ahead


@pytest.mark.parametrize("brake", [0.0, 1.0])
@pytest.mark.parametrize("name", names("plane"))
def test_without_throttle_a_propeller_turns_along_or_stands(name: str, brake: float) -> None:
    """Freely at the speed without torque; braked it stands, with the drag of its blades alone."""
    sim = pyrfly.Sim(name)
    sim.controllers = False
    sim.reset(pos=[0, 0, -500])
    remove_wing(sim)
    sim.gravity[:], sim.mass[:], sim.motor_brake[:] = 0.0, 1e9, brake
    sim.propeller_direction[:] = 0.0
    sim.propeller_inertia[:] *= 0.1  # it is there sooner
    sim.vel[:] = [20.0, 0.0, 0.0]
    sim.sleep(2)
    columns = {**sim.groups[0].parameters.columns, "motor_brake": np.array([brake])}
    of = Performance(columns)
    drag = float(-sim.mass[0] * sim.accel[0, 0])
    blades = 0.5 * float(sim.reference_density[0]) * 400.0 * float(sim.propeller_drag_area[0])
    assert sim.propeller_speed[0] == pytest.approx(of.propeller_speed(0.0, 20.0), rel=2e-3, abs=0.1)
    assert drag == pytest.approx(-of.thrust(0.0, 20.0), rel=5e-3)
    if brake:
        assert drag == pytest.approx(blades, rel=1e-3)
    else:
        turns = 20.0 / (float(sim.propeller_advance_limit[0] * sim.propeller_diameter[0]))
        assert 0.5 * turns < sim.propeller_speed[0] / (2 * np.pi) < turns
        assert 0.0 < drag < 0.7 * blades


@pytest.mark.parametrize("name", names("plane"))
def test_a_glide_without_power_is_near_that_without_a_propeller(name: str) -> None:
    """Stopped, it has the drag of blades: a fraction of that of the aircraft, not a multiple."""
    of = Performance(load(name).columns)
    cruise = of.number("rated_airspeed")
    clean = of.level(cruise).drag
    assert 0.7 < clean / (clean - of.thrust(0.0, cruise)) < 1.0


@pytest.mark.parametrize("direction", [1.0, -1.0, 0.0])
def test_reaction_and_gyroscopic_moment(direction: float) -> None:
    """The air turns the propeller back, so the aircraft rolls against it; h = d J w."""
    sim = thrusting()
    sim.propeller_direction[:] = direction
    torque = 1.2682 * (600 / (2 * np.pi)) ** 2 * 0.508**5 * float(sim.propeller_torque[0, 0])
    np.testing.assert_allclose(moments(sim)[0], [-direction * torque, 0, 0], atol=1e-12)
    rate = np.array([0.5, 0.8, -0.6])
    sim.rate[0] = rate
    momentum = direction * float(sim.propeller_inertia[0]) * 600 * np.array([1.0, 0, 0])
    expected = [-direction * torque, 0, 0] - np.cross(rate, momentum)
    np.testing.assert_allclose(moments(sim)[0], expected, atol=1e-12)


def test_a_nose_that_comes_up_yaws_to_the_right_of_a_clockwise_propeller() -> None:
    sim = thrusting()
    sim.rate[0] = [0, 1, 0]
    assert sim.angular_accel[0, 2] > 0


def test_a_propeller_that_speeds_up_turns_the_aircraft_the_other_way() -> None:
    """Without air and weight the angular momentum of aircraft and propeller stays 0."""
    sim = thrusting()
    sim.propeller_torque[:] = sim.propeller_thrust[:] = 0.0
    sim.propeller_speed[:] = 0.0
    sim.sleep(1.0)
    total = inertia_of(sim) @ sim.rate[0]
    total[0] += float(sim.propeller_inertia[0] * sim.propeller_speed[0])
    assert sim.propeller_speed[0] > 590
    np.testing.assert_allclose(total, 0.0, atol=1e-9)


def test_thrust_beside_the_centre_of_mass_turns_the_aircraft() -> None:
    sim = thrusting()
    sim.propeller_direction[:] = 0.0
    sim.propeller_position[0] = [-0.8, 0.1, -0.2]  # above and to the right
    thrust = float(sim.mass[0] * sim.accel[0, 0])
    np.testing.assert_allclose(moments(sim)[0], [0, -0.2 * thrust, -0.1 * thrust], atol=1e-9)


def test_the_speed_lags_behind_the_throttle_without_a_resistance() -> None:
    sim = thrusting()
    sim.propeller_speed[:] = 0.0
    sim.sleep(0.2)
    assert sim.propeller_speed[0] == pytest.approx(600 * (1 - np.exp(-2)), rel=1e-6)


def test_a_motor_turns_up_to_where_its_torque_is_that_of_the_air() -> None:
    sim = thrusting()
    sim.motor_resistance[:] = 0.042
    sim.propeller_torque[0] = [0.00523, 0, 0]
    sim.sleep(3)
    speed = float(sim.propeller_speed[0])
    constant = float(sim.motor_constant[0])
    current = (44.4 - constant * speed) / 0.042
    torque = 1.2682 * (speed / (2 * np.pi)) ** 2 * 0.508**5 * 0.00523
    assert constant * (current - 1.5) == pytest.approx(torque, rel=1e-6)


@pytest.mark.parametrize(("command", "angle"), [(0.5, 0.3), (-0.5, -0.1), (9.0, 0.5), (-9.0, -0.3)])
def test_a_command_moves_a_servo_by_the_travel_of_its_side(command: float, angle: float) -> None:
    sim = thrusting()
    sim.surface_centre[:] = 0.1
    sim.surface_travel[:, :4], sim.surface_travel[:, 4:] = 0.4, 0.4
    sim.surface_command[:] = command
    sim.sleep(1)
    np.testing.assert_allclose(sim.surface_angle[0], angle, atol=1e-9)


def test_a_servo_lags_and_has_a_rate_and_a_dead_zone() -> None:
    sim = pyrfly.Sim("aerosonde", 3)
    sim.controllers = False
    sim.reset(pos=[0, 0, -500])
    sim.servo_rate[:] = [1e3, 2.0, 1e3]
    sim.servo_dead_zone[2] = 0.02
    sim.surface_command[:, 0] = 1.0
    sim.sleep(0.05)
    travel, tau = float(sim.surface_travel[0, 0]), 0.025
    assert sim.surface_angle[0, 0] == pytest.approx(travel * (1 - np.exp(-2)), rel=1e-4)
    assert sim.surface_angle[1, 0] == pytest.approx(2.0 * 0.05, rel=1e-6)
    assert sim.surface_angle[2, 0] == pytest.approx((travel - 0.02) * (1 - np.exp(-2)), rel=1e-4)
    sim.sleep(1)
    np.testing.assert_allclose(sim.surface_angle[:, 0], [travel, travel, travel - 0.02], atol=1e-6)
    assert tau == sim.servo_tau[0]
