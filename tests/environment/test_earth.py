"""csrc/models/earth.h: throws, plumb lines and flights over a round earth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import pyrfly
from pyrfly.frames import LocalFrame, lla_to_ecef

from .conftest import EARTH_RATE, body

Array = NDArray[np.float64]


def fall(time: Array, lla: tuple[float, float, float], velocity: Array) -> Array:
    """Return earth-centred positions [m] of a free fall, computed in axes that do not rotate."""
    gm, j2, a = 3.986004418e14, 1.082629821e-3, 6378137.0
    turn = np.array([0, 0, EARTH_RATE])
    start = lla_to_ecef(lla)
    frame = LocalFrame(*lla)
    ground = lla_to_ecef(frame.to_lla(velocity)) - start  # the frame is Cartesian

    def derivative(_: float, y: Array) -> Array:
        x, r = y[:3], float(np.linalg.norm(y[:3]))
        axial = 5 * (x[2] / r) ** 2 - np.array([1.0, 1.0, 3.0])
        return np.concatenate([y[3:], -gm / r**3 * x * (1 - 1.5 * j2 * (a / r) ** 2 * axial)])

    begin = np.concatenate([start, ground + np.cross(turn, start)])
    found = solve_ivp(
        derivative, (0, time[-1]), begin, t_eval=time, rtol=1e-12, atol=1e-6, method="DOP853"
    ).y[:3]
    c, s = np.cos(EARTH_RATE * time), np.sin(EARTH_RATE * time)
    return np.stack([c * found[0] + s * found[1], c * found[1] - s * found[0], found[2]], axis=1)


@pytest.mark.parametrize("velocity", [(0.0, 300.0, -200.0), (250.0, -100.0, -250.0)])
@pytest.mark.parametrize("latitude", [52.0, -10.0])
def test_a_throw_is_that_of_axes_that_do_not_rotate(
    latitude: float, velocity: tuple[float, float, float]
) -> None:
    """40 s and 12 km: the Coriolis acceleration alone moves it by some 20 m."""
    lla = (latitude, 7.0, 3000.0)
    sim = body("ellipsoid", lla)
    sim.vel[:] = velocity
    frame, time = LocalFrame(*lla), np.arange(0.0, 40.1, 5.0)
    for expected in fall(time, lla, np.array(velocity)):
        assert lla_to_ecef(frame.to_lla(sim.pos))[0] == pytest.approx(expected, abs=1e-4)
        sim.step(1000)


@pytest.mark.parametrize("latitude", [0.0, 45.0, -80.0, 90.0])
def test_a_plumb_line_and_a_gyroscope_on_the_ground(latitude: float) -> None:
    """Along the vertical of the ellipsoid to the harmonics that are left out; the day's turn."""
    sim = body("ellipsoid", (latitude, 0, 0))
    sim.sensors.enable("imu", profile="ideal")
    sim.environment.refresh()
    free_fall = -sim.specific_force[0] + sim.accel[0]
    assert free_fall[:2] == pytest.approx(0, abs=1e-4)
    assert free_fall[2] == pytest.approx(sim.normal_gravity[0], abs=1.3e-4)
    sim.step()
    turn = EARTH_RATE * np.array([np.cos(np.radians(latitude)), 0, -np.sin(np.radians(latitude))])
    assert sim.imu_gyro[0] - sim.rate[0] == pytest.approx(turn, abs=1e-8)


@pytest.mark.parametrize("integrator", ["rk4", "euler"])
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_flight_over_it_ends_where_one_over_a_flat_earth_does(
    precision: str, integrator: str
) -> None:
    """The controllers hold the position; a vehicle over a flat earth beside it is not changed."""
    sim = pyrfly.Sim("x450", 2, precision=precision, integrator=integrator)
    sim.environment.set_earth("ellipsoid", ids=1)
    sim.reset(pos=(0, 0, -10), hover=True)
    sim.arm()
    sim.command_position([[40, 20, -30]] * 2, yaw=0)
    sim.step(15_000)
    assert sim.pos == pytest.approx(np.array([[40, 20, -30]] * 2), abs=0.02)
    flat = pyrfly.Sim("x450", 2, precision=precision, integrator=integrator)
    flat.reset(pos=(0, 0, -10), hover=True)
    flat.arm()
    flat.command_position([[40, 20, -30]] * 2, yaw=0)
    flat.step(15_000)
    assert sim.pos[1] == pytest.approx(flat.pos[1], abs=1e-4)


@pytest.mark.parametrize(
    ("options", "shape", "error", "says"),
    [
        ({}, "round", ValueError, r"shape: .*got 'round'"),
        ({}, None, TypeError, "shape: expected"),
        ({"name": "sdk", "effects": "plain"}, "sphere", pyrfly.ParameterError, "set_earth: 'sdk'"),
    ],
)
def test_wrong_arguments_change_nothing(
    options: dict[str, Any], shape: Any, error: type[Exception], says: str
) -> None:
    sim = pyrfly.Sim(options.pop("name", "x450"), **options)
    with pytest.raises(error, match=says):
        sim.environment.set_earth(shape)
    assert not sim.environment.enabled
    assert "earth_shape" not in {field.name for field in sim.fields()}


def test_flat_needs_no_columns() -> None:
    sim = pyrfly.Sim("x450")
    sim.environment.set_earth("flat")
    assert "earth_shape" not in {field.name for field in sim.fields()}


def test_a_hover_far_from_the_origin_leans_to_the_vertical_there() -> None:
    """By the angle between the two places at the centre of the earth, and stays in balance."""
    sim = pyrfly.Sim("sdk")
    sim.environment.set_earth("sphere")
    sim.reset(pos=[100e3, 0.0, -800.0], hover=True)
    assert sim.euler[0, 1] == pytest.approx(-np.arctan2(100e3, 6371e3), rel=0.01)
    sim.step(1000)
    np.testing.assert_allclose(sim.vel, 0, atol=1e-9)
