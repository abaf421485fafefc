"""Rovers with a battery: power of the drives, speed by voltage."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly


def driving(n: int = 1, **settings: float) -> pyrfly.Sim:
    sim = pyrfly.Sim("rover", n)
    sim.power.enable(resistance=0, avionics=0, **settings)
    sim.controllers = False
    sim.drive[:] = 1
    return sim


def test_kinetic_energy_comes_from_the_battery() -> None:
    """Without slope and losses: m v^2 / 2 of the vehicle, over the efficiency."""
    sim = driving(efficiency=0.8)
    sim.step(20_000)
    speed = sim.vel[0, 0]
    assert speed > 1
    kinetic = 0.5 * sim.mass[0] * speed**2
    assert 0.8 * sim.battery_energy[0] == pytest.approx(kinetic, rel=0.03)


def test_climbing_takes_the_gain_of_height() -> None:
    sim = driving(efficiency=1)
    sim.set_ground_plane(gradient=(-0.1, 0))
    sim.step(5000)
    before, height = float(sim.battery_energy[0]), float(sim.pos[0, 2])
    sim.step(10_000)
    gained = sim.mass[0] * sim.gravity[0] * (height - sim.pos[0, 2])
    assert sim.battery_energy[0] - before == pytest.approx(gained, rel=0.01)


def test_braking_takes_nothing() -> None:
    sim = driving()
    sim.step(5000)
    before = float(sim.battery_energy[0])
    sim.drive[:] = 0
    sim.step(20)
    sim.step(3000)
    assert sim.battery_energy[0] == pytest.approx(before, rel=1e-3)


def test_maximum_speed_follows_the_voltage_down_to_standstill() -> None:
    sim = driving(3)
    sim.state_of_charge[:] = [1, 0.5, 0]
    sim.battery_capacity[:] = 1e12
    sim.step(10_000)
    ratio = np.array([1, 3.793 / 4.2, 0])
    expected = sim.wheel_speed_max * sim.wheel_radius * ratio
    np.testing.assert_allclose(sim.vel[:, 0], expected, rtol=1e-6, atol=1e-9)


def test_a_part_that_is_off_changes_no_bit() -> None:
    sims = [pyrfly.Sim("rover", 2) for _ in range(2)]
    sims[1].power.enable()
    sims[1].power.disable()
    for sim in sims:
        sim.arm()
        sim.command_position((5, 3, 0))
        sim.step(3000)
    np.testing.assert_array_equal(sims[0].pos, sims[1].pos)
    np.testing.assert_array_equal(sims[0].att, sims[1].att)


def test_a_speed_is_reached_on_a_battery_that_is_nearly_empty() -> None:
    """The voltage and so the wheel speeds are down by a seventh, which the controllers find out."""
    sim = pyrfly.Sim("rover_differential", 3)
    sim.power.enable(battery_model="rflysim")
    sim.state_of_charge[:] = [1.0, 0.6, 0.4]
    sim.arm()
    sim.command_velocity([0.8, 0, 0])
    sim.step(20_000)
    np.testing.assert_allclose(sim.vel[:, 0], 0.8, rtol=1e-3)
