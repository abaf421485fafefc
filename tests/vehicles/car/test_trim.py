"""Steady motions and linear models of cars against closed forms [@gillespie 6]."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import ParameterError, Sim
from pyrfly.vehicles import load, names

DETAILED = [name for name in names("car") if load(name).c_type == "car"]
TRACKS = sorted({*names("car")} - {*DETAILED})
LOSSES = 0.01  # 1/s


def losing(name: str) -> Sim:
    """Return a car that takes traction to keep its speed, if it is a track."""
    sim = Sim(name)
    if name in TRACKS:
        np.maximum(sim.drive_damping, LOSSES, out=sim.drive_damping)
    return sim


def axle_rates(sim: Sim) -> NDArray[np.float64]:
    """Return the lateral force of both axles per slip angle and mass [m/s^2], without traction."""
    front, rear = sim.axle_distance[0]
    loads = np.array([rear, front]) * sim.gravity[0] / (front + rear)
    rates: NDArray[np.float64] = sim.friction[0] * sim.cornering_stiffness[0] * loads
    return rates


def understeer(sim: Sim) -> float:
    """Return the understeer gradient [rad s^2/m] of linear tyres."""
    front, rear = (float(one) for one in sim.cornering_stiffness[0])
    return (1 / front - 1 / rear) / float(sim.friction[0] * sim.gravity[0])


@pytest.mark.parametrize("speed", [12.0, 30.0])
@pytest.mark.parametrize("stiffness", [(20.0, 20.0), (14.0, 22.0), (24.0, 20.0)])
def test_the_eigenvalues_are_those_of_the_linear_single_track(
    stiffness: tuple[float, float], speed: float
) -> None:
    """Of slip angle and yaw rate straight ahead, over- and understeering."""
    sim = losing("bmw_320i")
    sim.cornering_stiffness[:] = stiffness
    model = sim.linearize(1, point=sim.trim(1, vel=[speed, 0, 0]))
    front, rear = axle_rates(sim)
    ahead, behind = sim.axle_distance[0]
    turn = float(sim.mass[0] / sim.yaw_inertia[0])
    couple = front * ahead - rear * behind
    expected = np.linalg.eigvals(
        [
            [-(front + rear) / speed, -1 - couple / speed**2],
            [-turn * couple, -turn * (front * ahead**2 + rear * behind**2) / speed],
        ]
    )
    found = np.linalg.eigvals(model.A)
    for value in expected:
        # forces at unchanged loads; the losses' traction changes them by its acceleration
        assert np.abs(found - value).min() < 0.02 * abs(value)


@pytest.mark.parametrize("name", names("car"))
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_straight_ahead_traction_makes_up_for_the_losses(name: str, share: float) -> None:
    sim = losing(name)
    speed = share * float(sim.speed_limit[0])
    point = sim.trim(vel=[0, speed, 0], yaw=math.pi / 2)
    assert 0 < point.inputs["traction"][0, 0] < 1
    assert point.inputs["steer"][0, 0] == pytest.approx(0, abs=2e-4)
    wheels = point.state["wheel_speed"] * sim.wheel_radius[0]
    np.testing.assert_allclose(wheels, speed, rtol=0.01)
    if name in TRACKS:
        expected = float(sim.drive_damping[0] * speed / sim.accel_max[0])
        np.testing.assert_allclose(point.inputs["traction"], expected, rtol=0.01)


def test_without_losses_there_is_no_steady_speed_and_the_message_says_why() -> None:
    with pytest.raises(ParameterError, match=r"drive_damping of 0 .* as a traction of 0 brakes"):
        Sim("bmw_320i").trim(vel=[10, 0, 0])


@pytest.mark.parametrize(("speed", "turn"), [(10.0, 0.05), (20.0, -0.04), (30.0, 0.02)])
def test_a_steady_turn_takes_the_angle_of_the_understeer_gradient(
    speed: float, turn: float
) -> None:
    sim = losing("bmw_320i")
    sim.cornering_stiffness[:] = 16.0, 22.0
    point = sim.trim(vel=[speed, 0, 0], yaw_rate=turn)
    base = float(sim.axle_distance[0].sum())
    expected = turn * (base / speed + understeer(sim) * speed)
    assert point.state["steering"][0, 0] == pytest.approx(expected, rel=5e-3)
    # the rear axle's slip angle carries its share of the lateral acceleration
    _, rear = axle_rates(sim)
    front_arm, rear_arm = sim.axle_distance[0]
    slip = rear_arm * turn / speed - speed * turn * front_arm / base / rear
    heading = 2 * math.atan2(*point.state["att"][0, [3, 0]])
    assert heading == pytest.approx(-slip, rel=0.02, abs=1e-5)


@pytest.mark.parametrize("name", DETAILED)
def test_the_detailed_car_leans_out_of_a_steady_turn_and_stays_in_it(name: str) -> None:
    """Without controllers, from the state and the inputs of the trim."""
    sim = Sim(name)
    sim.controllers = False
    speed = 0.4 * float(sim.speed_limit[0])
    turn = 0.2 * float(sim.lateral_accel_limit[0]) / speed
    point = sim.trim(vel=[speed, 0, 0], yaw_rate=turn)
    sim.select().write_all({**point.inputs, **point.state})
    roll = float(sim.euler[0, 0])
    assert roll < 0  # the turn is to the right
    sim.sleep(2)
    assert float(sim.rate[0, 2]) == pytest.approx(turn, rel=1e-3)
    assert float(np.linalg.norm(sim.vel[0])) == pytest.approx(speed, rel=1e-4)
    assert float(sim.euler[0, 0]) == pytest.approx(roll, rel=1e-2)


SLOPES = [(-0.1, 0.0), (0.1, 0.0), (0.0, -0.1), (0.07, 0.07), (-0.2, 0.0)]


@pytest.mark.parametrize("name", names("car"))
@pytest.mark.parametrize("slope", SLOPES)
def test_it_stands_on_slopes_with_its_heading(name: str, slope: tuple[float, float]) -> None:
    sim = Sim(name)
    sim.set_ground_plane(gradient=slope)
    point = sim.trim(yaw=0.3)
    sim.reset(yaw=0.3)
    assert abs(point.inputs["traction"][0, 0]) < 1e-6
    np.testing.assert_allclose(point.state["att"], sim.att, atol=2e-5)
    np.testing.assert_allclose(point.state["pos"][:, 2], sim.pos[:, 2], atol=1e-5)


@pytest.mark.parametrize("name", DETAILED)
@pytest.mark.parametrize("slope", SLOPES)
def test_on_a_slope_traction_and_brakes_hold_its_weight(
    name: str, slope: tuple[float, float]
) -> None:
    """Beyond what it takes on level ground: the torque of the weight, whose wheels are braked."""
    level, sim = Sim(name), Sim(name)
    sim.set_ground_plane(gradient=slope)
    speed = 0.2 * float(sim.speed_limit[0])
    point = sim.trim(vel=[speed, 0, speed * slope[0]])
    torques = [one.state["drive_torque"][0, 0] for one in (point, level.trim(vel=[speed, 0, 0]))]
    weight = float(sim.mass[0] * sim.gravity[0]) * -slope[0] / math.hypot(1.0, *slope)
    if weight >= 0.0:
        expected = float(sim.wheel_radius[0]) * weight
        assert torques[0] - torques[1] == pytest.approx(expected, rel=0.05, abs=0.1 * torques[1])
    else:
        assert point.inputs["traction"][0, 0] < 0.0
    sim.reset(pos=[0, 0])
    sim.controllers = False
    sim.arm()
    sim.select().write_all({**point.inputs, **point.state})
    sim.sleep(1)
    np.testing.assert_allclose(sim.vel, [[speed, 0, speed * slope[0]]], atol=2e-3 * speed)


def test_on_a_slope_the_traction_is_that_to_which_its_speed_control_comes() -> None:
    sim = Sim("bmw_320i_detailed")
    sim.set_ground_plane(gradient=[-0.1, 0.0])
    sim.reset()
    sim.arm()
    sim.car.command_speed(10.0)
    sim.sleep(15)
    point = sim.trim(vel=sim.vel)
    np.testing.assert_allclose(point.inputs["traction"], sim.traction[:, None], rtol=5e-3)


@pytest.mark.parametrize("name", names("car"))
def test_a_velocity_off_the_ground_is_refused(name: str) -> None:
    sim = Sim(name)
    sim.set_ground_plane(gradient=[-0.1, 0.0])
    with pytest.raises(ParameterError, match=r"vel: expected -1 m/s down, along the surface .*t 0"):
        sim.trim(vel=[10, 0, 0])


@pytest.mark.parametrize("speed", [60.0, -20.0])
def test_a_speed_above_which_nothing_drives_is_refused(speed: float) -> None:
    expected = r"vel: expected at most 50.8 m/s ahead and 13.9 back, .* bmw_320i .*got "
    with pytest.raises(ParameterError, match=expected):
        losing("bmw_320i").trim(vel=[speed, 0, 0])
    with pytest.raises(ValueError, match=r"vel: expected finite values up to 1000"):
        losing("bmw_320i").trim(vel=[1e300, 0, 0])


@pytest.mark.parametrize("name", ["bmw_320i_slip", "bmw_320i_detailed"])
def test_a_turn_beyond_the_friction_has_no_equilibrium(name: str) -> None:
    with pytest.raises(ParameterError, match="no equilibrium found"):
        losing(name).trim(vel=[20, 0, 0], yaw_rate=0.9)


@pytest.mark.parametrize("name", ["ford_escort", "bmw_320i_detailed"])
def test_a_turn_on_a_slope_is_refused(name: str) -> None:
    sim = losing(name)
    sim.set_ground_plane(gradient=[0, 0.01])
    sim.reset()
    with pytest.raises(ParameterError, match=r"yaw_rate: expected 0 for .*, got 0.02: .* slope"):
        sim.trim(vel=[10, 0, 0], yaw_rate=0.02)


def test_a_turn_in_wind_is_refused() -> None:
    sim = losing("bmw_320i_detailed")
    with pytest.raises(ParameterError, match=r"yaw_rate: expected 0 for .*: no turn .* wind"):
        sim.trim(vel=[10, 0, 0], wind=[0, 10, 0], yaw_rate=0.1)
