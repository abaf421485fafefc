"""The model against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pyrfly

from .conftest import through_water, under_way, without_resistance


def period_of(sim: pyrfly.Sim, read: str, component: int, seconds: float) -> float:
    """Return the time between upward crossings of zero of a column [s], interpolated."""
    values = []
    for _ in range(round(seconds / 0.01)):
        values.append(float(getattr(sim, read)[0, component]))
        sim.step(10)
    x = np.array(values)
    rises = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    times = 0.01 * (rises + x[rises] / (x[rises] - x[rises + 1]))
    assert len(times) > 2
    return float(np.diff(times).mean())


def test_a_neutral_sphere_accelerates_with_half_the_mass_it_displaces() -> None:
    sim = without_resistance(under_way("bluerov2_heavy", depth=20.0))
    sim.flow_position[:] = 0.0
    mass = 4 / 3 * math.pi * 0.1**3 * 1000.0
    sim.mass[:] = mass
    sim.buoyancy_height[:] = mass / (1000.0 * sim.buoyancy_area)
    sim.added_mass[:] = 0.5 * mass
    sim.set_load(force=[3.0, 0.0, -2.0])
    sim.step(1000)
    np.testing.assert_allclose(sim.vel[0], np.array([3.0, 0.0, -2.0]) / (1.5 * mass), atol=1e-9)


@pytest.mark.parametrize("share", [0.3, 1.0, -1.0])
def test_surge_settles_where_drag_is_thrust(share: float) -> None:
    sim = under_way("bluerov2_heavy", depth=20.0)
    sim.thruster_command[:, :4] = share
    sim.thruster_position[:, 16:20] = sim.flow_position[0, 2]  # in line with the drag
    sim.munk_share[:] = 0.0
    sim.sleep(20)
    coef = sim.thruster_ahead[0] if share > 0 else sim.thruster_astern[0]
    thrust = 4 * math.sqrt(0.5) * sum(c * abs(share) ** (k + 1) for k, c in enumerate(coef))
    linear, quadratic = sim.drag_linear[0, 0], sim.drag_quadratic[0, 0]
    speed = (math.sqrt(linear**2 + 4 * quadratic * thrust) - linear) / (2 * quadratic)
    assert through_water(sim)[0, 0] == pytest.approx(math.copysign(speed, share), rel=2e-3)


def test_pitch_of_a_neutral_hull_has_the_period_of_a_pendulum() -> None:
    sim = without_resistance(under_way("bluerov2_heavy", depth=20.0))
    sim.flow_position[:] = 0.0
    sim.mass[:] = 13.5  # neutral
    sim.att[0] = [math.cos(0.01), 0.0, math.sin(0.01), 0.0]
    arm = -float(sim.buoyancy_position[0, 2])
    inertia = float(sim.inertia[0, 1] + sim.added_inertia[0, 1])
    expected = 2 * math.pi * math.sqrt(inertia / (13.5 * float(sim.gravity[0]) * arm))
    assert period_of(sim, "euler", 1, 4.5 * expected) == pytest.approx(expected, rel=1e-3)


def test_heave_at_the_surface_has_the_period_of_its_water_plane() -> None:
    sim = without_resistance(under_way("otter"))
    sim.flow_position[:] = 0.0
    sim.pos[0, 2] = 0.01
    mass = float(sim.mass[0] + sim.added_mass[0, 2])
    stiffness = float(sim.water_density[0] * sim.gravity[0] * sim.buoyancy_area[0])
    expected = 2 * math.pi * math.sqrt(mass / stiffness)
    assert period_of(sim, "pos", 2, 5 * expected) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("axis", [0, 1], ids=["roll", "pitch"])
def test_roll_and_pitch_have_the_period_of_the_metacentric_height(axis: int) -> None:
    """Of roll a published one: GM_T is 1.2325 m, GM_L 3.1113 m from KB, BM and KG [@pvs]."""
    sim = without_resistance(under_way("otter"))
    sim.flow_position[:] = 0.0
    sim.inertia[:, 3:] = 0.0
    sim.att[0] = [math.cos(0.005), *(0.0 if i != axis else math.sin(0.005) for i in range(3))]
    height = (1.2325, 3.1113)[axis]
    inertia = float(sim.inertia[0, axis] + sim.added_inertia[0, axis])
    expected = 2 * math.pi * math.sqrt(inertia / (80.0 * 9.81 * height))
    assert period_of(sim, "euler", axis, 5 * expected) == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize(("name", "thrust"), [("gz_boat", 2 * 854.858), ("wam_v", 500.0)])
def test_a_wam_v_settles_where_its_drag_is_the_thrust(name: str, thrust: float) -> None:
    """51.3 u + 72.4 u^2 of [@gz-classic], less the wind of its way."""
    sim = under_way(name, dt=0.002)
    sim.wind_drag[:] = 0.0
    sim.thruster_command[:, :2] = 1.0
    sim.sleep(30)
    expected = (math.sqrt(51.3**2 + 4 * 72.4 * thrust) - 51.3) / (2 * 72.4)
    assert np.linalg.norm(sim.vel[0]) == pytest.approx(expected, rel=5e-3)
