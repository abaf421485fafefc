"""Steady motions and linear models of marine craft against closed forms [@fossen 4, 8]."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import LinearModel, ParameterError, Sim, names

from .conftest import without_resistance

HULLS = names("marine")


def frequencies(model: LinearModel) -> NDArray[np.float64]:
    """Return the natural frequencies of oscillations [rad/s]."""
    values = np.linalg.eigvals(model.A)
    found: NDArray[np.float64] = np.abs(values[np.abs(values.imag) > 1e-3])
    return found


@pytest.mark.parametrize("name", HULLS)
def test_at_rest_it_floats_and_is_in_equilibrium(name: str) -> None:
    sim = Sim(name)
    point = sim.trim()
    assert point.state["pos"][0, 2] == pytest.approx(0, abs=5e-3)
    np.testing.assert_allclose(point.state["att"], [[1, 0, 0, 0]], atol=1e-6)


@pytest.mark.parametrize("axis", ["heave", "roll", "pitch"])
def test_a_boat_at_rest_oscillates_as_its_water_plane_says(axis: str) -> None:
    """Of roll and pitch with the published metacentric heights 1.2325 and 3.1113 m [@pvs]."""
    sim = without_resistance(Sim("otter"))
    sim.flow_position[:] = 0.0
    sim.inertia[:, 3:] = 0.0
    found = frequencies(sim.linearize(1, point=sim.trim(1)))
    k = {"heave": 2, "roll": 0, "pitch": 1}[axis]
    if axis == "heave":
        inertia = float(sim.mass[0] + sim.added_mass[0, k])
        stiffness = float(sim.water_density[0] * sim.gravity[0] * sim.buoyancy_area[0])
    else:
        inertia = float(sim.inertia[0, k] + sim.added_inertia[0, k])
        stiffness = 80.0 * 9.81 * (1.2325, 3.1113)[k]
    expected = math.sqrt(stiffness / inertia)
    assert np.abs(found - expected).min() < 2e-3 * expected


def test_a_neutral_hull_under_water_swings_as_a_pendulum() -> None:
    sim = without_resistance(Sim("bluerov2_heavy"))
    sim.reset(pos=[0, 0, 20])
    sim.flow_position[:] = 0.0
    sim.mass[:] = 13.5
    found = frequencies(sim.linearize(1, point=sim.trim(1)))
    arm = -float(sim.buoyancy_position[0, 2])
    for axis in range(2):
        inertia = float(sim.inertia[0, axis] + sim.added_inertia[0, axis])
        expected = math.sqrt(13.5 * float(sim.gravity[0]) * arm / inertia)
        assert np.abs(found - expected).min() < 1e-3 * expected


def test_its_way_at_rest_decays_with_linear_damping_over_its_mass_with_water() -> None:
    sim = Sim("gz_boat")
    model = sim.linearize(1, point=sim.trim(1))
    surge = model.states.index("vel[0]")
    expected = -sim.drag_linear[0, 0] / (sim.mass[0] + sim.added_mass[0, 0])
    assert model.A[surge, surge] == pytest.approx(float(expected), rel=1e-3)


@pytest.mark.parametrize("speed", [0.5, 2.0, 4.0])
def test_a_boat_ahead_has_the_thrust_of_its_drag(speed: float) -> None:
    """Without air: 51.3 u + 72.4 u^2 [@vrx]."""
    sim = Sim("gz_boat")
    sim.wind_drag[:] = 0
    point = sim.trim(vel=[speed, 0, 0])
    share = point.state["thruster_speed"][0, :2] / sim.thruster_rated[0]
    linear, quadratic = (sim.thruster_ahead[0, k] for k in range(2))
    thrust = float(np.sum(linear * share + quadratic * share**2))
    assert thrust == pytest.approx(51.3 * speed + 72.4 * speed**2, rel=5e-3)


def test_an_rov_under_water_holds_its_depth_and_buoyancy() -> None:
    sim = Sim("bluerov2_heavy")
    sim.reset(pos=[0, 0, 20])
    point = sim.trim(vel=[0.5, 0.2, 0.1], yaw=0.4)
    assert point.state["pos"][0, 2] == pytest.approx(20, abs=1e-3)
    sim.controllers = False
    sim.select().write_all({**point.inputs, **point.state})
    sim.sleep(3)
    np.testing.assert_allclose(sim.vel[0], [0.5, 0.2, 0.1], atol=1e-4)
    assert float(sim.euler[0, 2]) == pytest.approx(0.4, abs=1e-3)


@pytest.mark.parametrize("name", HULLS)
def test_it_floats_at_rest_on_its_own_water(name: str) -> None:
    """Level, whether at rest or with the current."""
    sim = Sim(name, 2)
    sim.wind_drag[:] = 0
    sim.environment.set_water([12.0, -3.0], depth=60)
    sim.environment.set_current([[0, 0, 0], [0.5, 0.2, 0]])
    sim.reset(pos=[[0, 0], [9, 9]])
    point = sim.trim(vel=[[0, 0, 0], [0.5, 0.2, 0]])
    np.testing.assert_allclose(point.state["pos"][:, 2], [-12, 3], atol=5e-3)
    np.testing.assert_allclose(point.state["att"], [[1, 0, 0, 0]] * 2, atol=2e-3)


def test_a_boat_in_a_current_has_the_thrust_of_its_speed_through_the_water() -> None:
    sim = Sim("otter", 2)
    sim.wind_drag[:] = 0
    sim.environment.set_current([0.5, 0, 0], ids=2)
    point = sim.trim(vel=[[1.0, 0, 0], [1.5, 0, 0]])
    still, flowing = point.inputs["thruster_command"]
    assert still[0] > 0.5
    np.testing.assert_allclose(flowing, still, atol=1e-9)


def test_an_rov_at_rest_in_a_current_has_its_slope_of_drag() -> None:
    """-(d_1 + 2 d_2 u) / (m + a), whose thrusters stand still."""
    sim = Sim("bluerov2_heavy", 2)
    sim.environment.set_current([0.4, 0, 0], ids=2)
    sim.reset(pos=[[0, 0, 10.0], [9, 0, 10.0]])
    model = sim.linearize()
    surge = model.states.index("vel[0]")
    drag = sim.drag_linear[:, 0] + 2 * sim.drag_quadratic[:, 0] * [0.0, 0.4]
    expected = -drag / (sim.mass + sim.added_mass[:, 0])
    np.testing.assert_allclose(model.A[:, surge, surge], expected, rtol=1e-3)


def thrust(sim: Sim, speed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return thrusts [N] at speeds [rad/s], without the water through the propellers."""
    share = speed / float(sim.thruster_rated[0])
    curves = [getattr(sim, name)[0] for name in ("thruster_ahead", "thruster_astern")]
    ahead, astern = (sum(f * abs(share) ** (i + 1) for i, f in enumerate(c)) for c in curves)
    return np.asarray(np.where(share < 0, -astern, ahead))


@pytest.mark.parametrize("angle", [0.0, 0.7, np.pi / 2, np.pi])
def test_an_rov_in_a_current_is_held_level_by_the_thrust_of_its_drag(angle: float) -> None:
    """With d_1 u + d_2 u^2 of each axis, and four thrusters at 45 degrees."""
    sim = Sim("bluerov2_heavy")
    through = 0.3 * np.array([np.cos(angle), np.sin(angle)])
    sim.environment.set_current([*through, 0])
    sim.reset(pos=[0, 0, 10.0])
    point = sim.trim(1)
    np.testing.assert_allclose(point.state["att"], [[1, 0, 0, 0]], atol=1e-9)
    axes = sim.thruster_axis[0].reshape(3, -1)[:2]
    force = axes @ thrust(sim, point.state["thruster_speed"][0])
    drag = (sim.drag_linear[0, :2] + sim.drag_quadratic[0, :2] * abs(through)) * through
    np.testing.assert_allclose(force, -drag, rtol=1e-3, atol=1e-3)
    assert abs(point.inputs["thruster_command"]).max() < 0.3


def test_an_rov_that_is_pushed_to_the_side_is_held_level() -> None:
    sim = Sim("bluerov2")
    sim.reset(pos=[0, 0, 10.0])
    sim.set_load(force=[0, 20.0, 0])
    point = sim.trim(1)
    np.testing.assert_allclose(point.state["att"], [[1, 0, 0, 0]], atol=1e-3)
    side = sim.thruster_axis[0].reshape(3, -1)[1] @ thrust(sim, point.state["thruster_speed"][0])
    assert side == pytest.approx(-20.0, rel=1e-3)


def test_an_rov_in_a_current_has_its_slope_of_drag_with_the_thrust_against_it() -> None:
    """-(d_1 + 2 d_2 u) / (m + a)."""
    sim = Sim("bluerov2_heavy")
    sim.environment.set_current([0.4, 0, 0])
    sim.reset(pos=[0, 0, 10.0])
    model = sim.linearize(1, point=sim.trim(1))
    surge = model.states.index("vel[0]")
    drag = sim.drag_linear[0, 0] + 2 * sim.drag_quadratic[0, 0] * 0.4
    expected = -drag / (sim.mass[0] + sim.added_mass[0, 0])
    assert model.A[surge, surge] == pytest.approx(float(expected), rel=1e-3)


@pytest.mark.parametrize("name", ["otter", "wam_v", "gz_boat", "kvlcc2"])
def test_a_boat_stands_with_bow_or_stern_into_what_drives_it_away(name: str) -> None:
    """As on its way through still water, with the bow or the stern ahead, whatever the side."""
    sides = np.array([0.0, 1.18, np.pi / 2, np.pi, 4.3])
    count = len(sides)
    sim = Sim(name, count)
    sim.wind_drag[:] = 0
    current = 0.25 * np.column_stack([np.cos(sides), np.sin(sides), np.zeros(count)])
    sim.environment.set_current(current)
    sim.reset(pos=np.column_stack([50.0 * np.arange(count), np.zeros(count)]))
    point = sim.trim()
    w, _, _, z = point.state["att"].T
    along = np.cos(2 * np.arctan2(z, w) - sides)
    command = point.inputs["thruster_command"][:, 0]
    np.testing.assert_allclose(abs(along), 1, atol=2e-3)
    assert np.all(command * along < 0)
    still = Sim(name)
    still.wind_drag[:] = 0
    ahead = still.trim(vel=[0.25, 0, 0]).inputs["thruster_command"][0, 0]
    np.testing.assert_allclose(command[along < 0], ahead, rtol=1e-2)


def test_a_boat_in_the_wind_has_the_thrust_of_its_drag() -> None:
    sim = Sim("gz_boat", 2)
    sim.wind = [[-6, 0, 0], [0, 6, 0]]
    sim.reset(pos=[[0, 0], [50, 0]])
    point = sim.trim()
    command = abs(point.inputs["thruster_command"][:, :2])
    np.testing.assert_allclose(command, 0.103, atol=1e-3)
    np.testing.assert_allclose(point.state["att"][0], [1, 0, 0, 0], atol=1e-3)


def test_an_rov_that_is_trimmed_in_a_current_stays() -> None:
    sim = Sim("bluerov2_heavy", dt=0.002)
    sim.environment.set_current([0.4, 0, 0])
    sim.reset(pos=[0, 0, 10.0])
    point = sim.trim()
    sim.controllers = False
    sim.select().write_all({**point.inputs, **point.state})
    sim.step(1)
    np.testing.assert_allclose(sim.accel, 0, atol=1e-6)
    sim.sleep(3)
    np.testing.assert_allclose(sim.pos, [[0, 0, 10.0]], atol=1e-3)


def test_a_boat_is_trimmed_in_the_water_without_its_waves() -> None:
    sim = Sim("otter", 2)
    sim.environment.set_waves(1.0, 5.0, seed=1, ids=2)
    sim.reset(pos=[[0, 0], [9, 9]])
    sim.step(10)
    point = sim.trim()
    np.testing.assert_allclose(point.state["pos"][:, 2], 0, atol=5e-3)
    np.testing.assert_allclose(point.state["att"][1], point.state["att"][0], atol=1e-9)


def test_a_boat_in_a_turn_drifts_outward() -> None:
    sim = Sim("otter")
    point = sim.trim(vel=[2, 0, 0], yaw_rate=0.1)
    assert point.state["att"][0, 3] > 0  # its bow points into a turn to the right
    left, right = point.inputs["thruster_command"][0, :2]
    assert abs(left - right) > 0.01


def test_a_turn_in_a_current_is_one_through_the_water() -> None:
    sim = Sim("otter", 2, dt=0.002)
    sim.controllers = False
    current = np.array([0.1, 0.3, 0.0])
    sim.environment.set_current(current, ids=2)
    sim.reset(pos=[[0, 0], [50, 0]])
    sim.wind = [[0, 0, 0], current]
    point = sim.trim(vel=[[1.0, 0, 0], current + np.array([1.0, 0, 0])], yaw_rate=0.1)
    still, flowing = point.inputs["thruster_command"]
    np.testing.assert_allclose(flowing, still, atol=1e-9)
    sim.select().write_all({**point.inputs, **point.state})
    sim.sleep(5)
    through = sim.vel[1] - current
    np.testing.assert_allclose(through[:2], [np.cos(0.5), np.sin(0.5)], atol=2e-3)


@pytest.mark.parametrize("wind", [[0, 0, 0], [0, 6.0, 0]])
def test_a_turn_between_wind_and_current_is_none(wind: list[float]) -> None:
    sim = Sim("otter")
    sim.environment.set_current([0, 0.3, 0])
    sim.reset()
    with pytest.raises(ParameterError, match=r"yaw_rate: .*, got 0.1: no turn .* pushes.* wind="):
        sim.trim(vel=[1, 0, 0], wind=wind, yaw_rate=0.1)


def test_a_boat_that_rises_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"vel: expected 0 m/s down, along .*, got -1"):
        Sim("otter").trim(vel=[1, 0, -1])


@pytest.mark.slow
@pytest.mark.parametrize("name", HULLS)
def test_a_speed_beyond_its_thrust_has_no_equilibrium(name: str) -> None:
    with pytest.raises(ParameterError, match="no equilibrium found"):
        Sim(name).trim(vel=[10, 0, 0])
