"""Single tracks against closed forms [@gillespie 2, 6]."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.vehicles import load, names

from .tracks import command, in_state

LINEAR, SLIP = "bmw_320i", "bmw_320i_slip"
both = pytest.mark.parametrize("name", [LINEAR, SLIP])
every_set = pytest.mark.parametrize("name", names("car"))
every_track = pytest.mark.parametrize(
    "name", [name for name in names("car") if load(name).c_type != "car"]
)


def at_speed(name: str, speed: float, stiffness: tuple[float, float] | None = None) -> Sim:
    """Return a car that coasts straight on."""
    sim = in_state(name, [0.0, 0.0, 0.0, speed, 0.0, 0.0, 0.0])
    if stiffness is not None:
        sim.cornering_stiffness[:] = stiffness
    command(sim, 0.0, 0.0)
    return sim


def gradient(sim: Sim) -> float:
    """Return the understeer gradient [rad s^2/m]: angle per lateral acceleration."""
    front, rear = (float(one) for one in sim.cornering_stiffness[0])
    return (1 / front - 1 / rear) / float(sim.friction[0] * sim.gravity[0])


@pytest.mark.parametrize("stiffness", [(15.0, 25.0), (20.0, 20.0), (25.0, 20.0)])
@pytest.mark.parametrize("speed", [10.0, 20.0])
def test_a_steady_turn_has_the_understeer_gradient(
    stiffness: tuple[float, float], speed: float
) -> None:
    sim = at_speed(LINEAR, speed, stiffness)
    sim.steering[:] = 0.005
    sim.sleep(4)
    base = float(sim.axle_distance[0].sum())
    expected = speed * 0.005 / (base + gradient(sim) * speed**2)
    assert sim.rate[0, 2] == pytest.approx(expected, rel=1e-6)


def test_at_the_characteristic_speed_the_yaw_gain_is_greatest() -> None:
    """There it is half of that of a neutral car."""
    rates = []
    sim = at_speed(LINEAR, 20.0, (10.0, 25.0))
    base = float(sim.axle_distance[0].sum())
    characteristic = math.sqrt(base / gradient(sim))
    for share in (0.9, 1.0, 1.1):
        sim = at_speed(LINEAR, share * characteristic, (10.0, 25.0))
        sim.steering[:] = 0.003
        sim.sleep(4)
        rates.append(float(sim.rate[0, 2]))
    assert rates[1] == max(rates)
    assert rates[1] == pytest.approx(0.5 * characteristic * 0.003 / base, rel=1e-6)


@pytest.mark.parametrize(("share", "grows"), [(0.95, False), (1.05, True)])
def test_beyond_the_critical_speed_an_oversteering_car_spins(share: float, grows: bool) -> None:
    stiffness = (25.0, 18.0)
    sim = at_speed(LINEAR, 20.0, stiffness)
    critical = math.sqrt(-float(sim.axle_distance[0].sum()) / gradient(sim))
    sim = at_speed(LINEAR, share * critical, stiffness)
    sim.rate[0, 2] = 1e-5
    sim.sleep(0.5)
    before = abs(float(sim.rate[0, 2]))
    sim.sleep(1.5)
    assert (abs(float(sim.rate[0, 2])) > before) == grows


@every_track
def test_a_slow_car_drives_the_circle_of_its_geometry(name: str) -> None:
    sim = Sim(name)
    sim.controllers = False
    sim.arm()
    sim.steering[:] = 0.3
    sim.vel[0, 0] = 0.3
    command(sim, 0.0, 0.0)
    sim.sleep(1)
    front, rear = (float(one) for one in sim.axle_distance[0])
    radius = math.hypot((front + rear) / math.tan(0.3), rear)
    assert np.linalg.norm(sim.vel[0]) / sim.rate[0, 2] == pytest.approx(radius, rel=1e-6)


def test_a_car_stops_within_what_its_tyres_hold() -> None:
    sim = at_speed(LINEAR, 30.0)
    sim.brake_accel[:] = 11.5  # more than the tyres hold
    sim.traction[:] = 0.0
    sim.sleep(5)
    expected = 30.0**2 / (2 * float(sim.friction[0] * sim.gravity[0]))
    assert sim.pos[0, 0] == pytest.approx(expected, rel=2e-3)
    assert np.abs(sim.vel).max() < 1e-6


def test_locked_wheels_stop_later_than_wheels_at_the_peak_of_their_tyres() -> None:
    sim = at_speed(SLIP, 30.0)
    sim.brake_accel[:] = 11.5
    sim.traction[:] = 0.0
    sim.sleep(6)
    peak = 30.0**2 / (2 * float(sim.tyre_longitudinal[0, 1] * sim.gravity[0]))
    assert peak < sim.pos[0, 0] < 1.6 * peak
    assert np.abs(sim.vel).max() < 1e-6


def test_acceleration_is_limited_by_power() -> None:
    """v^2 = v_0^2 + 2 P t / m."""
    sim = at_speed(LINEAR, 10.0)
    command(sim, 0.0, 11.5)
    sim.sleep(4)
    power = float(sim.accel_max[0] * sim.switch_speed[0])  # per mass
    assert sim.vel[0, 0] == pytest.approx(math.sqrt(10.0**2 + 2 * power * 4), rel=1e-6)


def test_nothing_drives_beyond_the_maximum_speeds() -> None:
    sim = Sim(LINEAR, 2)
    sim.controllers = False
    sim.arm()
    sim.traction[:] = [1.0, -1.0]
    sim.sleep(40)
    np.testing.assert_allclose(sim.vel_body[:, 0], [50.8, -13.9], rtol=1e-6)


def steered(sim: Sim, seconds: float, seed: int) -> list[float]:
    """Turn the wheels anyhow, and return sizes of the velocity and sums of energy per mass."""
    random, energies = np.random.default_rng(seed), []
    mass = float(sim.mass[0])
    while sim.time < seconds:
        command(sim, float(random.uniform(-0.4, 0.4)), 0.0)
        sim.sleep(0.1)
        turning = float(sim.yaw_inertia[0]) * float(sim.rate[0, 2]) ** 2
        wheels = 0.0
        if "axle_inertia" in sim.groups[0].parameters.columns:
            wheels = float(sim.axle_inertia[0]) * float((sim.wheel_speed[0] ** 2).sum())
        energies.append(0.5 * (float((sim.vel[0] ** 2).sum()) + (turning + wheels) / mass))
    return energies


def test_a_linear_track_that_coasts_gets_no_faster() -> None:
    """What the rotation has besides is what the model gives it, at most that of its turns."""
    sim = at_speed(LINEAR, 20.0)
    steered(sim, 10, 4)
    assert 20.0 * (1 - 1e-9) < np.linalg.norm(sim.vel[0]) < 20.0 * (1 + 1e-9)


def test_a_track_with_slip_that_coasts_only_loses_energy() -> None:
    """To the offsets of its tyre, which gives 1e-4 of it within 0.1 s."""
    energies = steered(at_speed(SLIP, 25.0), 10, 5)
    assert np.diff(energies).max() < 1e-4 * energies[0]
    assert energies[-1] < 0.9 * energies[0]


@both
def test_it_stands_on_a_slope_and_slides_where_that_is_steeper_than_its_tyres_hold(
    name: str,
) -> None:
    sim = Sim(name, 2)
    sim.set_ground_plane(gradient=[[0.6, 0.0], [0.6, 0.0]])
    sim.friction_reduction[:] = [0.0, 0.6]
    sim.reset(pos=[[0, 0], [0, 30]], yaw=[0.5, 0.0])
    sim.sleep(1)
    assert np.abs(sim.vel[0]).max() < 1e-6
    slope = math.atan(0.6)
    mu = 0.4 * {LINEAR: 1.0489, SLIP: 1.1739}[name]
    expected = 9.81 * (math.sin(slope) - mu * math.cos(slope))
    assert np.linalg.norm(sim.vel[1]) == pytest.approx(expected, rel=0.05)


@every_set
def test_on_ice_a_car_turns_less(name: str) -> None:
    sim = Sim(name, 2)
    speed = 0.5 * float(sim.speed_limit[0])
    sim.set_ground_plane(gradient=(0, 0))
    sim.friction_reduction[:] = [0.0, 0.9]
    sim.reset(pos=[[0, 0], [0, 50]])
    sim.controllers = False
    sim.arm()
    sim.vel[:, 0] = speed
    sim.wheel_speed[:] = speed / float(sim.wheel_radius[0])
    sim.steer[:] = 0.5
    sim.traction[:] = 0.01
    sim.sleep(1)
    assert sim.euler[1, 2] < 0.7 * sim.euler[0, 2]


@pytest.mark.parametrize(
    ("name", "tolerance"), [("bmw_320i", 1e-3), ("bmw_320i_slip", 0.03), ("ford_escort", 1e-3)]
)
def test_a_load_takes_acceleration_and_not_power(name: str, tolerance: float) -> None:
    """Above the switch speed the tyres push with the power of the drive, at any mass."""
    sim = Sim(name, 2)
    sim.controllers = False
    sim.payload.attach(float(sim.mass[0]), ids=2)
    sim.arm()
    sim.vel[:, 0] = 15.0
    sim.wheel_speed[:] = 15.0 / sim.wheel_radius[0]
    sim.traction[:] = 1.0
    sim.step(100)
    mass = sim.mass[0] * np.array([1.0, 2.0])
    power = mass * sim.accel[:, 0] * sim.vel[:, 0]
    expected = float(sim.mass[0] * sim.accel_max[0] * sim.switch_speed[0])
    np.testing.assert_allclose(power, expected, rtol=tolerance)


@pytest.mark.parametrize("traction", [0.05, 1.0])
def test_above_its_maximum_speed_a_car_slows_down_by_its_losses(traction: float) -> None:
    sim = Sim("bmw_320i", dt=1e-3)
    sim.controllers = False
    sim.drive_damping[:] = 0.01
    sim.arm()
    sim.vel[:, 0], sim.traction[:] = 60.0, traction
    sim.step()
    assert float(sim.accel[0, 0]) == pytest.approx(-0.01 * 60.0, rel=1e-4)


@pytest.mark.parametrize("name", ["bmw_320i", "bmw_320i_slip"])
def test_at_a_steady_speed_the_battery_gives_what_the_drag_takes(name: str) -> None:
    """P = k m v^2: `drive_damping` stands for the drag of the air and the losses of rolling."""
    sim = Sim(name, dt=2e-3)
    sim.power.enable(cells=6, avionics=0.0, efficiency=1.0, resistance=1e-9)
    sim.drive_damping[:] = sim.control_damping[:] = 0.02
    sim.reset()
    sim.arm()
    sim.vel[:, 0] = 15.0
    sim.wheel_speed[:] = 15.0 / sim.wheel_radius[0]
    sim.car.command_speed(15.0)
    sim.sleep(5)
    given = sim.battery_voltage * sim.battery_current
    np.testing.assert_allclose(given, 0.02 * sim.mass * sim.vel[:, 0] ** 2, rtol=0.02)
