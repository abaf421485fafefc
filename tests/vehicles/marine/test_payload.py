"""Payloads of marine craft in their water: drag, buoyancy and current against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyrfly

from .conftest import under_way, without_resistance

MASS, AREA = 1.0, 0.01  # kg, m^2


def carrier(depth: float = 5.0, **payload: Any) -> pyrfly.Sim:
    """Return an underwater vehicle that weighs nothing in the water, with a payload."""
    sim = under_way("bluerov2_heavy", dt=0.002)
    sim.buoyancy_height[:] = sim.mass / sim.water_density / sim.buoyancy_area
    sim.payload.attach(**{"mass": MASS, "drag_area": AREA, **payload})
    sim.reset(pos=[0, 0, depth + sim.rest_height[0]])
    return sim


def densities(sim: pyrfly.Sim) -> tuple[float, float]:
    """Return the density of the water and the gravitational acceleration."""
    return float(sim.water_density[0]), float(sim.gravity[0])


@pytest.mark.parametrize("volume", [0.0, 4e-4])
def test_a_dropped_payload_sinks_at_its_terminal_speed(volume: float) -> None:
    sim = carrier(volume=volume)
    rho, g = densities(sim)
    sim.payload.drop()
    sim.sleep(2)
    terminal = np.sqrt(2 * (MASS - rho * volume) * g / (rho * AREA))
    np.testing.assert_allclose(sim.payload_vel[0], [0, 0, terminal], rtol=1e-6, atol=1e-9)


def test_a_dropped_payload_lies_on_the_bottom() -> None:
    sim = carrier()
    sim.environment.set_water(0.0, depth=7.0)
    sim.payload.drop()
    sim.sleep(4)
    assert sim.payload_pos[0, 2] == pytest.approx(7.0, abs=1e-3)
    np.testing.assert_allclose(sim.payload_vel[0], 0, atol=1e-9)


def test_a_payload_lighter_than_water_floats_in_it_to_its_share() -> None:
    """A sphere whose share in the water grows linearly over its diameter."""
    volume = 2e-3
    sim = carrier(volume=volume)
    rho, _ = densities(sim)
    sim.payload.drop()
    sim.sleep(20)
    diameter = (6 * volume / np.pi) ** (1 / 3)
    depth = diameter * (MASS / (rho * volume) - 0.5)
    assert sim.payload_pos[0, 2] == pytest.approx(depth, abs=2e-3)


def test_a_dropped_payload_goes_with_the_current() -> None:
    sim = carrier(depth=1.0, mass=1e-2)
    sim.environment.set_current([0.4, -0.2, 0.0])
    sim.payload.drop()
    sim.sleep(4)
    np.testing.assert_allclose(sim.payload_vel[0, :2], [0.4, -0.2], rtol=0.05)


@pytest.mark.parametrize("volume", [0.0, 5e-4])
def test_a_payload_hangs_by_its_weight_in_water(volume: float) -> None:
    sim = carrier(volume=volume, cable=3.0)
    rho, g = densities(sim)
    assert sim.payload_tension[0] == pytest.approx((MASS - rho * volume) * g, rel=1e-9)
    np.testing.assert_allclose(sim.payload_pos[0], [0, 0, 8.0], atol=1e-9)


def test_a_payload_on_a_cable_is_dragged_out_by_a_current() -> None:
    """Held in a current u: tan of the angle is rho c S u^2 / 2 over the weight."""
    speed, area, cable = 0.8, 0.03, 3.0
    sim = without_resistance(carrier(drag_area=area, cable=cable))
    rho, g = densities(sim)
    sim.mass[:], sim.buoyancy_area[:] = 1e6, 1e6 / rho / sim.buoyancy_height  # it stays
    sim.environment.set_current([speed, 0, 0])
    sim.sleep(60)
    drag = 0.5 * rho * area * speed**2
    assert sim.payload_tension[0] == pytest.approx(np.hypot(drag, MASS * g), rel=2e-3)
    away = sim.payload_pos[0] - sim.pos[0] + [0, 0, sim.rest_height[0]]
    assert away[0] / away[2] == pytest.approx(drag / (MASS * g), rel=5e-3)


def test_a_fixed_payload_has_the_drag_and_the_buoyancy_of_water_at_its_place() -> None:
    speed, volume, place = 0.6, 8e-4, np.array([0.1, 0.2, -0.1])
    sim = carrier(volume=volume, place=place)
    rho, g = densities(sim)
    sim.environment.set_current([0, speed, 0])
    sim.step(1)
    expected = np.array([0, 0.5 * rho * AREA * speed**2, -rho * volume * g])
    np.testing.assert_allclose(sim.payload_force[0], expected, rtol=1e-2, atol=1e-2)
    np.testing.assert_allclose(
        sim.payload_torque[0], np.cross(place, expected), rtol=0.02, atol=1e-2
    )


def test_a_payload_above_the_water_falls_as_in_air() -> None:
    sim = carrier(depth=-30.0, drag_area=0.0, volume=1e-3)
    _, g = densities(sim)
    sim.payload.drop()
    sim.sleep(1)
    np.testing.assert_allclose(sim.payload_vel[0], [0, 0, g], rtol=1e-9)


@pytest.mark.parametrize("cable", [0.0, 2.0])
def test_the_draught_of_a_trimmed_boat_is_that_of_its_payload(cable: float) -> None:
    """By the water plane; on a cable, and in the water, less its buoyancy."""
    sim = pyrfly.Sim("wam_v")
    volume = 0.01 if cable else 0.0
    sim.payload.attach(40.0, cable=cable, volume=volume)
    sim.reset()
    rho, _ = densities(sim)
    sunk = (40.0 - rho * volume) / (rho * float(sim.buoyancy_area[0]))
    point = sim.trim(1)
    assert point.state["pos"][0, 2] == pytest.approx(sunk, rel=1e-3)


@pytest.mark.parametrize("cable", [0.0, 2.0])
def test_a_trimmed_uuv_holds_its_payload_in_the_current_as_its_load(cable: float) -> None:
    speed, volume = 0.4, 4e-4
    sim = carrier(cable=cable, volume=volume)
    rho, g = densities(sim)
    sim.environment.set_current([0, speed, 0])
    held = sim.trim(1).inputs["thruster_command"]
    sim.payload.attach(0.0)
    sim.set_load(force=[0, 0.5 * rho * AREA * speed**2, (MASS - rho * volume) * g])
    np.testing.assert_allclose(held, sim.trim(1).inputs["thruster_command"], atol=2e-4)
    assert abs(held).max() > 0.05
