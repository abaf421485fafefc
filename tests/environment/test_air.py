"""csrc/models/atmosphere.h: hydrostatics, limits, forces by density."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly

from .truth import US76_TABLE, air_at, geometric

Hanging = Callable[..., pyrfly.Sim]
Array = NDArray[np.float64]


def test_air_in_float32_is_that_of_float64(hanging: Hanging) -> None:
    sims = [air_at(US76_TABLE[:, 0], precision=kind) for kind in ("float64", "float32")]
    for sim in sims:
        sim.step()
    for name in ("air_temperature", "air_pressure", "air_density", "sound_speed"):
        np.testing.assert_allclose(getattr(sims[1], name), getattr(sims[0], name), rtol=2e-6)


@pytest.mark.parametrize("offset", [-110.0, -15.0, 0.0, 25.0])
def test_column_of_air_with_an_offset_is_in_equilibrium(hanging: Hanging, offset: float) -> None:
    """dP/dH = -rho g at any height, P = rho R T / M, and the pressure of sea level at sea level."""
    heights = np.array([0, 2000, 9000, 10_900, 12_000, 18_000.0])
    near = geometric(np.concatenate([heights, heights - 5, heights + 5]))
    sim = air_at(near)
    sim.temperature_offset[:] = offset
    sim.sea_level_pressure[:] = 98_000
    sim.step()
    pressure, below, above = np.split(sim.air_pressure, 3)
    density, temperature = sim.air_density[:6], sim.air_temperature[:6]
    np.testing.assert_allclose((above - below) / 10, -9.80665 * density, rtol=1e-6)
    np.testing.assert_allclose(pressure, density * 8314.32 / 28.9644 * temperature, rtol=1e-12)
    np.testing.assert_allclose(temperature[0], 288.15 + offset, atol=1e-9)
    np.testing.assert_allclose(pressure[0], 98_000, rtol=1e-9)


def test_heights_outside_count_as_the_nearest_end_and_are_flagged(hanging: Hanging) -> None:
    ends = geometric(np.array([-5000.0, 20_000.0]))
    sim = air_at(ends)
    sim.step()
    at_ends = sim.air_density.copy()
    sim.pos[:, 2] -= [-800, 800]
    sim.step(4)
    np.testing.assert_allclose(sim.air_density, at_ends, rtol=1e-9)
    assert sim.environment_limits.tolist() == [1, 1]


def test_density_scales_thrust_and_drag(hanging: Hanging) -> None:
    """Equal rotor speed and airspeed: forces are in proportion to the density, where it is on."""
    sim = hanging(3, (0, 0, -5000))
    sim.origin = (45, 7, 0)
    sim.drag_quadratic[:] = 0.3
    sim.drag_linear[:] = 0.2
    sim.motor_tau[:] = 1e30
    sim.environment.enable("density", ids=[1])
    sim.environment.enable("atmosphere", ids=2)
    sim.step()
    sim.vel[:] = (7, 3, -2)
    sim.rotor_speed[:] = 500
    force = sim.specific_force
    assert (abs(force[2]) > 0.1).all()
    np.testing.assert_allclose(force[0] / force[2], 0.736115 / 1.225, rtol=2e-3)
    np.testing.assert_allclose(force[0] / force[2], sim.air_density[0] / 1.225, rtol=1e-12)
    np.testing.assert_array_equal(force[1], force[2])
    np.testing.assert_allclose(sim.air_density, [sim.air_density[1]] * 2 + [1.225], rtol=1e-12)


def test_hover_throttle_rises_with_height() -> None:
    """Rotors with quadratic thrust hold the height with a speed in proportion to 1/sqrt(rho)."""
    speeds = []
    for height in (0.0, 4000.0):
        sim = pyrfly.Sim("sdk")
        sim.origin = (45, 7, height)
        sim.environment.enable("density")
        sim.reset(pos=(0, 0, -20))
        sim.arm()
        sim.command_position((0, 0, -20))
        sim.step(15_000)
        assert abs(sim.pos[0, 2] + 20) < 0.05
        speeds.append((sim.rotor_speed.mean(), sim.air_density[0]))
    (low, dense), (high, thin) = speeds
    assert high / low == pytest.approx(np.sqrt(dense / thin), rel=2e-3)
