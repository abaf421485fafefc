"""Equilibria: forces and moments vanish, and numbers agree with closed forms."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import ParameterError, Sim, names
from pyrfly.vehicles import Kind
from pyrfly.vehicles.multirotor.hover import hover_throttle

NO_YAW_CONTROL = ["tri_y_minus", "tri_y_plus"]


@pytest.mark.parametrize("name", sorted({*names("multirotor")} - {*NO_YAW_CONTROL}))
def test_hover_is_the_hover_throttle(name: str) -> None:
    sim = Sim(name)
    point = sim.trim()
    rotors = sim.groups[0].parameters.actuator_count
    expected = hover_throttle(sim.groups[0].parameters)
    np.testing.assert_allclose(point.inputs["throttle"][0, :rotors], expected, rtol=1e-7)
    np.testing.assert_allclose(point.state["att"], [[1, 0, 0, 0]], atol=1e-9)


def test_a_steady_flight_stays_one() -> None:
    """Without controllers, from the state and the inputs of the trim, at 8 m/s in wind."""
    sim = Sim("sdk", 2)
    sim.controllers = False
    sim.reset(pos=[0, 0, -50])
    sim.select().write("wind", [1, -2, 0])
    velocities = np.array([[8.0, 0, -1], [-2.0, 3, 0.5]])
    point = sim.trim(vel=velocities, yaw=[0.5, -2])
    for name, values in {**point.state, "throttle": point.inputs["throttle"]}.items():
        sim.select().write(name, values)
    sim.step(200)
    np.testing.assert_allclose(sim.vel, velocities, atol=1e-6)
    np.testing.assert_allclose(sim.rate, 0, atol=1e-6)
    np.testing.assert_allclose(sim.euler[:, 2], [0.5, -2], atol=1e-6)


def test_all_of_an_operating_point_can_be_written_back() -> None:
    sim = Sim("x450", 2)
    sim.controllers = False
    point = sim.trim()
    written = {**point.inputs, **point.state}
    assert written["terrain"].shape == (2, 1)
    sim.select().write_all(written)
    for column, values in written.items():
        np.testing.assert_array_equal(sim.select().read(column).reshape(values.shape), values)


def test_the_tilt_in_wind_balances_drag_and_weight() -> None:
    """With linear drag c and offset 0 the lift is along the air force: tan(tilt) = c v / (m g)."""
    sim = Sim("sdk")
    sim.drag_quadratic, sim.drag_offset = 0, 0
    sim.drag_linear = 0.4
    point = sim.trim(wind=[5, 0, 0])
    w, _, y, _ = point.state["att"][0]
    tilt = 2 * np.arctan2(y, w)  # nose up: the wind blows north
    assert np.tan(tilt) == pytest.approx(0.4 * 5 / (sim.mass[0] * sim.gravity[0]), rel=1e-6)


def test_the_bank_in_a_steady_turn_balances_its_acceleration() -> None:
    """Without drag tan(bank) = v w / g, and the flight goes on as that circle."""
    sim = Sim("sdk")
    sim.drag_linear, sim.drag_quadratic, sim.drag_offset = 0, 0, 0
    sim.controllers = False
    sim.reset(pos=[0, 0, -50])
    speed, turn = 6.0, 0.5
    point = sim.trim(vel=[speed, 0, 0], yaw_rate=turn)
    sim.select().write_all({**point.state, **point.inputs})
    bank = speed * turn / float(sim.gravity[0])
    assert np.tan(sim.euler[0, 0]) == pytest.approx(bank, rel=1e-6)
    np.testing.assert_allclose(sim.euler[0, 1:], 0, atol=1e-9)
    sim.step(1000)
    expected = [speed * np.cos(turn), speed * np.sin(turn), 0]
    np.testing.assert_allclose(sim.vel[0], expected, atol=1e-4)
    assert sim.euler[0, 2] == pytest.approx(turn, abs=1e-4)


def test_a_steady_turn_in_wind_is_one_through_the_air() -> None:
    sim = Sim("sdk", 2)
    sim.reset(pos=[[0, 0, -50], [0, 50, -50]])
    turn, wind = 0.5, np.array([3.0, 2.0, 0.0])
    through = np.array([6.0, 0, 0])
    point = sim.trim(vel=[through, through + wind], wind=[[0, 0, 0], wind], yaw_rate=turn)
    for column in ("throttle", "wind"):
        sim.select().write(column, point.inputs[column])
    np.testing.assert_allclose(point.state["att"][1], point.state["att"][0], atol=1e-9)
    sim.controllers = False
    sim.select().write_all(point.state)
    sim.step(1000)
    still, blown = sim.vel
    np.testing.assert_allclose(blown - wind, still, atol=1e-6)
    assert sim.euler[1, 2] == pytest.approx(turn, abs=1e-4)


def test_the_air_is_that_of_the_vehicle() -> None:
    """Thrust is in proportion to the density, and the wind is steady wind and gust."""
    sim = Sim("sdk")
    sim.environment.enable("density", "gravity")
    sim.environment.set_gust([3, 0, 0], rise=0.01, hold=10)
    sim.reset(pos=[0, 0, -3000])
    sim.wind = [2, 0, 0]
    sim.step(100)
    sim.environment.refresh()
    point = sim.trim()
    np.testing.assert_allclose(point.inputs["wind"], [[5, 0, 0]])
    point = sim.trim(wind=[0, 0, 0])
    lift = sim.thrust_coef[0, 1] * (point.state["rotor_speed"] ** 2).sum() * sim.air_density / 1.225
    np.testing.assert_allclose(lift, sim.mass * sim.normal_gravity, rtol=1e-9)
    assert sim.air_density < 0.92
    assert sim.normal_gravity != sim.gravity


def test_the_ground_is_that_of_the_vehicle() -> None:
    sim = Sim("x450", 2)
    sim.terrain = [3, -4]
    assert sim.trim().inputs["terrain"].tolist() == [[3], [-4]]


def test_a_wind_by_faults_blows_as_the_vehicle_s_own() -> None:
    sim = Sim("sdk", 2)
    sim.reset(pos=[[0, 0, -50], [0, 99, -50]])
    sim.wind = [[5, 0, 0], [1, 0, 0]]
    sim.faults.add("wind", ids=2, wind=[4, 0, 0])
    sim.step(4)
    np.testing.assert_allclose(sim.environment.wind, [[5, 0, 0]] * 2)
    point = sim.trim()
    throttle, att = point.inputs["throttle"], point.state["att"]
    np.testing.assert_allclose(throttle[1], throttle[0], rtol=1e-9)
    np.testing.assert_allclose(att[1], att[0], atol=1e-9)


def test_what_faults_take_is_gone() -> None:
    """Of the hover a share of the mass, and of the thrust of a propeller."""
    sim = Sim("sdk", 3)
    sim.reset(pos=[[0, 0, -50], [0, 99, -50], [99, 0, -50]])
    sim.faults.add("load_fall", ids=2, share=0.3)
    sim.faults.add("propeller", ids=3, actuator=1, effectiveness=0.9)
    sim.step(4)
    thrust = np.square(sim.trim().state["rotor_speed"])[:, :4]
    np.testing.assert_allclose(thrust[1] / thrust[0], 0.7, rtol=1e-7)
    np.testing.assert_allclose(thrust[2] / thrust[0], [1 / 0.9, 1, 1, 1], rtol=1e-7)


def test_every_vehicle_has_its_own_parameters_and_the_sim_is_left_alone() -> None:
    sim = Sim("sdk", 3)
    sim.mass = [1.4, 1.5, 4.0]
    digest = sim.hash()
    point = sim.trim([3, 1])
    squares = (point.state["rotor_speed"] ** 2).sum(axis=1)
    coefficient = sim.thrust_coef[0, 1]
    np.testing.assert_allclose(coefficient * squares, np.array([4.0, 1.4]) * 9.8, rtol=1e-9)
    assert sim.hash() == digest


@pytest.mark.parametrize("name", NO_YAW_CONTROL)
def test_without_yaw_control_there_is_none(name: str) -> None:
    yaw = r"CopterID 1\): no equilibrium found: .* acceleration of -?3.32 rad/s\^2 in yaw;.* spins"
    with pytest.raises(ParameterError, match=yaw):
        Sim(name).trim()


def test_vehicles_of_several_sets_are_refused() -> None:
    with pytest.raises(ValueError, match=r"ids: .*got x450, sdk"):
        Sim({"x450": 1, "sdk": 1}).trim()


def _hovering_fliers_by_wings() -> list[str]:
    kinds = {name: Sim(name).groups[0].abilities.kind for name in names()}
    return sorted(
        name for name, kind in kinds.items() if Kind.HOVERS in kind and Kind.WINGED in kind
    )


def _winds(speed: float, *headings: float) -> NDArray[np.float64]:
    """Return winds [m/s, NED] to headings [deg]."""
    angles = np.radians(headings)
    return np.column_stack([speed * np.cos(angles), speed * np.sin(angles), 0 * angles])


@pytest.mark.slow
@pytest.mark.parametrize("name", _hovering_fliers_by_wings())
def test_those_that_hover_and_have_wings_hover_in_winds_from_all_sides(name: str) -> None:
    """Also exactly from the side, where the lift of stalled surfaces jumps with the heading."""
    sides = (0, 30, 90, 180, 225, 270)
    winds = np.concatenate([_winds(speed, *sides) for speed in (1.5, 2.5, 3, 5)])
    sim = Sim(name, len(winds))
    for row, wind in enumerate(winds):
        sim.select(row + 1).write("wind", wind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what their controllers can hold
        warnings.filterwarnings("error", "hover: the wind")
        sim.reset(pos=[0, 0, -40], hover=True)
    sim.controllers = False
    sim.step(1)
    np.testing.assert_allclose(sim.vel, 0, atol=1e-4)
