"""VTOLs, tailsitters and planes of blocks with a battery: power of the motors, speed by voltage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import load

NAMES = ("gz_standard_vtol", "gz_quadtailsitter", "gz_plane", "derivative_vtol")


@pytest.mark.parametrize("name", NAMES)
def test_load_is_the_power_of_the_motors_over_the_efficiency(name: str) -> None:
    """k_M k_T w^2 |w|, which air along the axis does not change in Gazebo's law."""
    sim = pyrfly.Sim(name)
    sim.controllers = False
    sim.motor_lags[:] = 1e30
    sim.power.enable(efficiency=0.8, avionics=3, resistance=0)
    sim.reset(pos=[0, 0, -50])
    sim.vel[:] = [12, 0, 0]
    speed = np.array([300, 400, 500, 600, 700, 0, 0, 0.0])
    sim.motor_speed[:] = speed
    sim.step()
    shaft = float((sim.motor_moment * sim.motor_thrust * speed**3).sum())
    power = float(sim.battery_voltage[0] * sim.battery_current[0])
    assert shaft > 1
    assert power == pytest.approx(shaft / 0.8 + 3, rel=1e-9)


@pytest.mark.parametrize("name", ["gz_standard_vtol", "gz_quadtailsitter"])
def test_hover_takes_the_nominal_power(name: str) -> None:
    """1 / 1.4 of the charge in the endurance."""
    sim = pyrfly.Sim(name)
    sim.power.enable(endurance=900, resistance=0)
    sim.reset(pos=[0, 0, -30], hover=True)
    sim.step(4000)
    nominal = 3.9 * sim.battery_full_voltage / 4.2 * sim.battery_capacity / (1.4 * 900)
    found = sim.battery_voltage * sim.battery_current
    np.testing.assert_allclose(found, nominal, rtol=0.03)
    assert abs(sim.pos[0, 2] + 30) < 0.3


def test_motor_speeds_follow_the_voltage_down_to_standstill() -> None:
    sim = pyrfly.Sim("gz_standard_vtol", 3)
    sim.controllers = False
    sim.power.enable(resistance=0)
    sim.battery_capacity[:] = 1e12
    sim.gravity[:] = 0
    sim.reset(pos=[0, 0, -50])
    sim.arm()
    sim.state_of_charge[:] = [1, 0.5, 0]
    sim.channel[:, :5] = 0.5
    sim.step(3000)
    ratio = np.array([[1], [3.793 / 4.2], [0]])
    np.testing.assert_allclose(
        sim.motor_speed[:, :5], ratio * sim.motor_speed[0, :5], rtol=1e-6, atol=1e-6
    )
    assert sim.motor_speed[0, 0] > 100


@pytest.mark.parametrize("name", ["gz_plane", "gz_advanced_plane"])
def test_a_plane_cruises_on_its_nominal_power_at_any_charge(name: str) -> None:
    """Nominal is that of the throttle which its controllers take for level."""
    sim = pyrfly.Sim(name, 2, dt=0.002)
    sim.power.enable(endurance=900, resistance=0)
    nominal = 3.9 * sim.battery_full_voltage / 4.2 * sim.battery_capacity / (1.4 * 900)
    airspeed = float(sim.wing_cruise_airspeed[0])
    sim.reset(pos=[[0, 0, -60], [0, 50, -60]])
    sim.vel = [airspeed, 0, 0]
    sim.arm()
    sim.command_velocity([airspeed, 0, 0])
    sim.battery_capacity[:] = 1e12
    sim.state_of_charge[:] = [1, 0.5]
    sim.step(20_000)
    np.testing.assert_allclose(sim.vel[:, 0], airspeed, rtol=0.02)
    np.testing.assert_allclose(sim.pos[:, 2], -60, atol=1)
    np.testing.assert_allclose(sim.battery_voltage * sim.battery_current, nominal, rtol=0.03)
    throttle = sim.channel.max(axis=1)
    assert throttle[0] < throttle[1] < 1


def test_motors_without_torque_have_no_battery() -> None:
    found = load("gz_plane")
    still = np.zeros_like(found.columns["motor_moment"])
    sim = pyrfly.Sim(replace(found, columns={**found.columns, "motor_moment": still}))
    with pytest.raises(pyrfly.ParameterError, match="no drives that a battery feeds"):
        sim.power.enable()
    assert not sim.power.enabled


def test_a_part_that_is_off_changes_no_bit() -> None:
    sims = [pyrfly.Sim("gz_standard_vtol", 2) for _ in range(3)]
    sims[1].enable_part("power")
    sims[2].power.enable()
    sims[2].power.disable()
    for sim in sims:
        sim.arm()
        sim.command_position((1, 2, -10))
        sim.step(1500)
    for column in ("pos", "vel", "att", "motor_speed"):
        for sim in sims[1:]:
            np.testing.assert_array_equal(getattr(sim, column), getattr(sims[0], column))
