"""csrc/models/earth.h: long falls over a round earth, against check cases [@nesc]."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.frames import LocalFrame, lla_to_ecef

Array = NDArray[np.float64]

NESC = Path(__file__).parents[1] / "data" / "nesc"
FOOT = 0.3048
SLUG = 14.59390293720636
START = 30000 * FOOT
RATE = 7.292115e-5  # rad/s
BALL_DRAG = 0.5 * 1.225 * 0.1 * 0.1963495 * FOOT**2  # N s^2/m^2 at the standard density
GROUND_WIND, TOP_WIND = -20 * FOOT, 70 * FOOT  # m/s to the east, of case 8

# Height [m] and velocity east, down [m/s] at 30 s of a second tool, sim_06.
SECOND_TOOL = {
    "01": (4754.546, 0.64039, 292.6973),
    "04": (4947.305, 0.0, 264.2932),
    "06": (4963.502, 0.56172, 263.3501),
    "08": (4965.499, 2.66132, 263.2536),
}


def nesc(case: str) -> tuple[Array, Array]:
    """Return heights [m] and velocities [m/s, NED] at 0, 0.1, ... 30 s."""
    rows = np.genfromtxt(NESC / f"Atmos_{case}_sim_04.csv", delimiter=",", names=True)
    velocity = np.stack([rows[f"feVelocity_ft_s_{axis}"] for axis in "XYZ"], axis=1)
    return FOOT * rows["altitudeMsl_ft"], FOOT * velocity


def body(shape: str, origin: tuple[float, float, float], **options: Any) -> pyrfly.Sim:
    """Return a body without drag and thrust at the origin of the local frame."""
    sim = pyrfly.Sim("x450", **{"dt": 0.005, **options})
    sim.controllers = False
    for name in ("drag_linear", "drag_quadratic", "damping_linear", "damping_quadratic"):
        getattr(sim, name)[:] = 0
    sim.terrain[:] = 20000
    sim.origin = origin
    sim.reset(pos=(0, 0, 0))
    sim.environment.set_earth(shape)
    return sim


def resist(sim: pyrfly.Sim, duration: float) -> None:
    """Give the body the drag of the ball, quadratic in its speed through the air, for a while.

    The speed is that in the middle of the duration.
    """
    accel = Rotation.from_quat(np.roll(sim.att, -1, axis=1)).apply(sim.accel)
    air_speed = np.linalg.norm(sim.vel + accel * (duration / 2) - sim.wind, axis=1)
    sim.drag_linear[:] = (BALL_DRAG * air_speed)[:, None]


@pytest.mark.parametrize(
    ("case", "shape"),
    [("01", "ellipsoid"), ("04", "sphere"), ("06", "ellipsoid"), ("08", "ellipsoid")],
)
@pytest.mark.slow
def test_a_ball_falls_as_in_the_check_case(case: str, shape: str) -> None:
    """A ball from 30,000 ft at the equator: without drag, with it, in wind that grows with height.

    Heights within 0.1 m and velocities within 1e-3 m/s of both tools.
    """
    heights, velocities = nesc(case)
    steps = 20
    sim = body(shape, (0, 0, START), dt=0.0005, environment_rate=2000)  # the density lags
    sim.mass[:] = SLUG
    sim.environment.enable("atmosphere", "density")
    frame = LocalFrame(0, 0, START)
    for i in range(301):
        height = float(frame.to_lla(sim.pos)[0, 2])
        assert height == pytest.approx(heights[i], abs=0.1), f"at {i / 10} s"
        assert sim.vel[0] == pytest.approx(velocities[i], abs=1e-3), f"at {i / 10} s"
        for _ in range(10):
            if case == "08":
                sim.wind[:, 1] = GROUND_WIND + (TOP_WIND - GROUND_WIND) * height / START
                height += -0.01 * sim.vel[0, 2]
            if case != "01":
                resist(sim, steps * sim.dt)
            sim.step(steps)
    height, *velocity = SECOND_TOOL[case]
    assert heights[-1] == pytest.approx(height, abs=0.01)
    assert velocities[-1, 1:] == pytest.approx(velocity, abs=1e-3)


def test_a_body_at_rest_among_the_stars_turns_as_in_the_check_case() -> None:
    rows = np.genfromtxt(NESC / "Atmos_01_sim_04.csv", delimiter=",", names=True)
    sim = body("ellipsoid", (0, 0, START))
    sim.rate[:] = (-RATE, 0, 0)  # nose to the north
    sim.sensors.enable("imu", profile="ideal")
    sim.step(6000)
    assert np.degrees(sim.euler[0]) == pytest.approx(
        [rows[f"eulerAngle_deg_{axis}"][-1] for axis in ("Roll", "Pitch", "Yaw")], abs=1e-4
    )
    assert sim.imu_gyro[0] == pytest.approx(0, abs=1e-9)
    assert sim.imu_accel[0] == pytest.approx(0, abs=1e-6)


def fall(time: Array, lla: tuple[float, float, float], velocity: Array) -> Array:
    """Return earth-centred positions [m] of a free fall, computed in axes that do not rotate."""
    gm, j2, a = 3.986004418e14, 1.082629821e-3, 6378137.0
    turn = np.array([0, 0, RATE])
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
    c, s = np.cos(RATE * time), np.sin(RATE * time)
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
    turn = RATE * np.array([np.cos(np.radians(latitude)), 0, -np.sin(np.radians(latitude))])
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
