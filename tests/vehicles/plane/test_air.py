"""Planes in wind and in thin air, with loads, and in both precisions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.vehicles import names

from .steady import airspeeds, cruising, flow_angles

every_set = pytest.mark.parametrize("name", names("plane"))


@every_set
def test_in_a_steady_wind_a_plane_flies_as_in_still_air(name: str) -> None:
    """Without controllers, which know the ground: the wind only displaces it."""
    wind = np.array([-6.0, 4.0, 0.0])
    still, blown = cruising(name), cruising(name, wind=wind)
    for sim in (still, blown):
        sim.controllers = False
        sim.surface_command[:, 1] += 0.05
        sim.surface_command[:, 0] += 0.02
        sim.sleep(8)
    np.testing.assert_allclose(blown.pos[0] - 8 * wind, still.pos[0], atol=1e-6)
    np.testing.assert_allclose(blown.euler[0], still.euler[0], atol=1e-8)


@every_set
def test_the_same_lift_takes_more_airspeed_in_thin_air(name: str) -> None:
    """Level flight at the same angle of attack: true airspeeds are as sqrt(rho_0 / rho)."""
    found = []
    for height in (0.0, 3000.0):
        sim = pyrfly.Sim(name)
        sim.origin = (47.0, 8.0, height)
        sim.environment.enable("atmosphere", "density")
        sim.reset(pos=[0, 0, -100])
        density = float(sim.air_density[0])
        speed = float(sim.cruise_airspeed[0]) / np.sqrt(density / 1.225)
        sim.vel[:], sim.att[:] = [speed * np.cos(0.06), 0, speed * np.sin(0.06)], [1, 0, 0, 0]
        sim.controllers = False
        found.append((float(sim.specific_force[0, 2]), density))
    (low, dense), (high, thin) = found
    assert thin / dense == pytest.approx(0.909121 / 1.225, abs=0.02)
    assert high == pytest.approx(low, rel=1e-6)


def test_the_minimum_airspeed_grows_in_thin_air() -> None:
    """A plane that is told to fly too slowly does not stall at 3000 m."""
    angles = []
    for height in (0.0, 3000.0):
        sim = pyrfly.Sim("aerosonde", dt=0.002)
        sim.origin = (47.0, 8.0, height)
        sim.environment.enable("atmosphere", "density")
        sim.reset(pos=[0, 0, -100])
        sim.vel[:] = [25.0 / np.sqrt(sim.air_density[0] / 1.225), 0, 0]
        sim.arm()
        sim.plane.command_course(0.0, 100.0, airspeed=5.0)
        sim.sleep(60)
        ratio = float(sim.air_density[0]) / 1.225
        slowest = float(sim.minimum_airspeed[0]) / np.sqrt(ratio)
        assert airspeeds(sim)[0] == pytest.approx(slowest, abs=0.5)
        angles.append(float(flow_angles(sim)[0][0]))
    assert angles[1] == pytest.approx(angles[0], abs=0.01)


def test_a_plane_flies_along_a_circle_in_wind() -> None:
    """Bank and heading change around the circle, the distance from its centre does not."""
    sim = cruising(wind=[0.0, -8.0, 0.0])
    sim.plane.command_circle([0.0, 250.0, -300.0], 250.0)
    sim.sleep(90)
    distances = []
    for _ in range(90):
        sim.sleep(1)
        distances.append(np.hypot(sim.pos[0, 0], sim.pos[0, 1] - 250))
    np.testing.assert_allclose(distances, 250.0, atol=3.0)
    assert abs(sim.pos[0, 2] + 300) < 2
    assert airspeeds(sim)[0] == pytest.approx(25.0, abs=1.0)


def test_a_line_is_kept_in_wind() -> None:
    sim = cruising(n=4, course=1.0)
    sim.wind[:] = [[8.0, 0, 0], [-8.0, 0, 0], [0, 8.0, 0], [5.0, -6.0, 0]]
    sim.plane.command_line([0, 30, -300], [1, 0, 0])
    sim.sleep(60)
    np.testing.assert_allclose(sim.pos[:, 1], 30.0, atol=0.5)
    np.testing.assert_allclose(sim.pos[:, 2], -300.0, atol=1.0)
    np.testing.assert_allclose(airspeeds(sim), 25.0, atol=0.3)
    assert (sim.vel[:, 0] > 0).all()


def test_a_wind_that_is_too_strong_blows_a_plane_away_but_not_about() -> None:
    sim = cruising(wind=[-35.0, 0.0, 0.0])
    sim.plane.command_circle([0, 0, -300])
    sim.sleep(60)
    assert sim.check().ok
    assert sim.vel[0, 0] < -3
    assert abs(sim.euler[0, 2]) < 0.3  # into the wind
    assert airspeeds(sim)[0] == pytest.approx(sim.speed_limit[0], abs=1.5)


def test_an_external_force_accelerates_by_the_mass() -> None:
    sim = cruising()
    sim.controllers = False
    before, turning = sim.accel[0].copy(), sim.angular_accel[0].copy()
    sim.set_load(force=[0.0, 22.0, 0.0], torque=[0.0, 1.135, 0.0])
    w, x, y, z = sim.att[0]
    change = Rotation.from_quat([x, y, z, w]).apply(sim.accel[0] - before)
    np.testing.assert_allclose(change, [0, 2.0, 0], atol=1e-9)
    np.testing.assert_allclose(sim.angular_accel[0] - turning, [0, 1.0, 0], atol=1e-9)


def test_a_plane_that_tows_has_the_airspeed_and_the_height_of_its_command() -> None:
    sim = cruising()
    sim.set_load(force=[-4.0, 0.0, 5.0])
    sim.plane.command_course(0.0, 300.0)
    sim.sleep(90)
    assert airspeeds(sim)[0] == pytest.approx(25.0, abs=0.3)
    assert sim.pos[0, 2] == pytest.approx(-300.0, abs=1.0)


@every_set
@pytest.mark.parametrize("integrator", ["rk4", "euler"])
@pytest.mark.slow
def test_single_precision_flies_the_same_way(name: str, integrator: str) -> None:
    flown = []
    for precision in ("float64", "float32"):
        sim = cruising(name, precision=precision, integrator=integrator, dt=0.001)
        sim.plane.command_circle([0.0, 300.0, -330.0], 300.0)
        sim.sleep(30)
        flown.append(np.concatenate([sim.pos[0], sim.vel[0], airspeeds(sim)]))
    np.testing.assert_allclose(flown[1], flown[0], atol=0.2)


def test_turbulence_and_gusts_are_flown_through() -> None:
    sim = cruising(n=16)
    sim.environment.set_turbulence("severe")
    sim.set_seed(3)
    sim.plane.command_course(0.0, 300.0)
    for _ in range(30):
        sim.sleep(1)
        assert sim.check().ok
    assert np.abs(sim.pos[:, 2] + 300).max() < 15
    assert np.abs(sim.euler[:, 0]).max() < 0.8


GUSTS = (3.0, 0.3)  # m/s, Hz


@every_set
@pytest.mark.slow
def test_gusts_along_the_path_keep_the_height(name: str) -> None:
    """Their mean is 0, and so is what they give; answered by the throttle they lifted planes."""
    sim = cruising(name)
    sim.plane.command_line(sim.pos[0], [1, 0, 0])
    start = float(sim.pos[0, 2])
    for _ in range(600):
        sim.wind[0, 0] = GUSTS[0] * np.sin(2 * np.pi * GUSTS[1] * sim.time)
        sim.sleep(0.05)
        assert abs(sim.pos[0, 2] - start) < 1.0
