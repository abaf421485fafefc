"""csrc/models/ground_effect.h: the factor of Cheeseman and Bennett, its range, what it lifts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly
from pyrfly.protocol.bits import Effect

Hanging = Callable[..., pyrfly.Sim]

RADIUS = 0.12


def near_ground(hanging: Hanging, heights: list[float]) -> pyrfly.Sim:
    """Return vehicles whose hubs are at heights in radii above the ground at z = 3 m."""
    sim = hanging(len(heights), [(0, 0, 3 - RADIUS * h) for h in heights], terrain=3.0)
    sim.environment.set_ground_effect(RADIUS, 0)
    sim.step()
    return sim


def test_thrust_grows_by_the_published_factor(hanging: Hanging) -> None:
    """T / T_inf = 1 / (1 - (R / 4 z)^2), 4/3 at z = R / 2."""
    heights = np.array([0.5, 1.0, 2.0, 4.0, 100.0])
    sim = near_ground(hanging, heights.tolist())
    np.testing.assert_allclose(sim.ground_effect, 1 / (1 - (0.25 / heights) ** 2), rtol=1e-6)
    assert sim.ground_effect[0] == pytest.approx(4 / 3)


def test_factor_is_that_of_half_a_radius_below_it(hanging: Hanging) -> None:
    sim = near_ground(hanging, [0.5, 0.25, 0.0])
    np.testing.assert_allclose(sim.ground_effect, 4 / 3, rtol=1e-9)


def test_effect_fades_with_the_cosine_of_the_tilt(hanging: Hanging) -> None:
    sim = hanging(3, (0, 0, -RADIUS))
    sim.environment.set_ground_effect(RADIUS, 0)
    half = np.deg2rad([0, 60, 120]) / 2
    sim.att[:, 0], sim.att[:, 1] = np.cos(half), np.sin(half)
    sim.step()
    np.testing.assert_allclose(sim.ground_effect, 1 + np.array([1, 0.5, 0]) / 15, rtol=1e-6)


@pytest.mark.parametrize("name", ["sdk", "iris"])
def test_thrust_scales_and_torque_does_not(name: str) -> None:
    sim = pyrfly.Sim(name, 2)
    sim.controllers = False
    sim.motor_tau[:] = 1e30
    sim.rotor_inertia[:] = 0
    sim.environment.set_ground_effect(0.2, 0.2, ids=2)
    sim.rotor_speed[:] = [500, 500, 500, 600]
    sim.pos[:, 2] = -1e-3
    sim.gravity[:] = 0
    sim.step()
    force, yaw = sim.specific_force, sim.angular_accel[:, 2]
    factor = sim.ground_effect[1]
    assert factor == pytest.approx(1 / (1 - (0.2 / (4 * 0.201)) ** 2), rel=1e-3)
    np.testing.assert_allclose(force[1, 2], factor * force[0, 2], rtol=1e-6)
    np.testing.assert_allclose(yaw[1], yaw[0], rtol=1e-3)
    assert sim.ground_effect[0] == 1


def test_hover_near_the_ground_takes_slower_rotors(hanging: Hanging) -> None:
    """w^2 falls by the factor, with thrust quadratic in speed."""
    del hanging
    speeds = []
    for height in (0.1, 20.0):
        sim = pyrfly.Sim("sdk")
        sim.environment.set_ground_effect(0.2, 0.1)
        sim.reset(pos=(0, 0, -height), hover=True)
        sim.step(8000)
        assert abs(sim.pos[0, 2] + height) < 0.01
        speeds.append((float(sim.rotor_speed.mean()), float(sim.ground_effect[0])))
    (near, factor), (far, one) = speeds
    assert one == pytest.approx(1, abs=1e-4)
    assert (far / near) ** 2 == pytest.approx(factor, rel=2e-3)


def test_defaults_follow_the_geometry_and_settings_are_kept() -> None:
    sim = pyrfly.Sim({"sdk": 1, "hex_x": 1, "iris": 1})
    sim.environment.set_ground_effect(0.3, ids=1)
    sim.environment.enable("ground_effect")
    expected = [0.3, 0.42 * 0.275, 0.128]  # estimated of a regular hexagon; published
    np.testing.assert_allclose(sim.rotor_radius, expected, rtol=5e-3)
    np.testing.assert_array_equal(sim.hub_height, sim.rotor_radius)
    assert sim.environment_effects.tolist() == [Effect.GROUND_EFFECT] * 3
    sim.environment.disable("ground_effect")
    sim.step(5)
    assert sim.ground_effect.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-0.1,), r"radius: .*got -0.1"),
        ((0.1, np.inf), "hub_height: expected finite"),
        (([0.1, 0.2, 0.3],), r"radius: expected shape \(2,\)"),
    ],
)
def test_wrong_arguments_are_named(arguments: tuple[float, ...], message: str) -> None:
    sim = pyrfly.Sim("x450", 2)
    with pytest.raises(ValueError, match=message):
        sim.environment.set_ground_effect(*arguments)
    assert not sim.environment.enabled
