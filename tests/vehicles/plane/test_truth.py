"""The plane against the check values of Beard and McLain's Aerosonde [@mavsim].

They are computed without parasitic drag, with 9.81 m/s^2, and with a propeller whose speed is
steady: here without inertia. Its motor brakes, and its coefficients go on beyond zero thrust.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.vehicles import load
from pyrfly.vehicles.plane.performance import Performance

Array = NDArray[np.float64]

CHECK = json.loads(
    (Path(__file__).parents[2] / "data" / "mavsim_aerosonde" / "check.json").read_text()
)
LINEAR = CHECK["linear"]
INPUTS = ("elevator", "aileron", "rudder", "throttle")
STEP = 0.01  # of the published forward differences


@pytest.fixture
def sim() -> pyrfly.Sim:
    """Return the aircraft of the check values."""
    base = load("aerosonde")
    source = {"propeller_advance_limit": 2.0, "propeller_drag_area": 0.0, "motor_brake": 1.0}
    columns = {**base.columns, **{name: np.array([x]) for name, x in source.items()}}
    sim = pyrfly.Sim(replace(base, columns=columns))
    sim.controllers = False
    sim.reset(pos=[0, 0, -100])
    sim.gravity[:], sim.drag_coef[0, 0], sim.propeller_inertia[:] = 9.81, 0.0, 1e-12
    return sim


def place(sim: pyrfly.Sim, state: Array, surfaces: Mapping[str, float]) -> None:
    """Put the aircraft into a state: position, velocity [FRD], Euler angles, rates; 12 numbers."""
    rotation = Rotation.from_euler("ZYX", state[[8, 7, 6]])
    sim.pos[0], sim.rate[0] = state[:3], state[9:]
    sim.vel[0] = rotation.apply(state[3:6])
    x, y, z, w = rotation.as_quat()
    sim.att[0] = w, x, y, z
    sim.surface_angle[0, :3] = [surfaces[name] for name in ("aileron", "elevator", "rudder")]
    airspeed = float(np.linalg.norm(sim.vel[0] - sim.wind[0]))
    of = Performance(sim.groups[0].parameters.columns)
    sim.propeller_speed[0] = of.propeller_speed(surfaces["throttle"], airspeed)
    sim.propeller_throttle[0] = surfaces["throttle"]


def derivative(sim: pyrfly.Sim) -> Array:
    """Return the derivative of position, velocity [FRD], Euler angles and rates; 12 numbers."""
    roll, pitch, _ = sim.euler[0]
    p, q, r = sim.rate[0]
    turning = q * np.sin(roll) + r * np.cos(roll)
    angles = [
        p + np.tan(pitch) * turning,
        q * np.cos(roll) - r * np.sin(roll),
        turning / np.cos(pitch),
    ]
    accel = sim.accel[0] - np.cross(sim.rate[0], sim.vel_body[0])
    return np.concatenate([sim.vel[0], accel, angles, sim.angular_accel[0]])


def trimmed() -> tuple[Array, dict[str, float]]:
    return np.ravel(LINEAR["x_euler"]), dict(LINEAR["trim_input"])


@pytest.mark.parametrize(
    ("airspeed", "throttle", "thrust", "torque"),
    [
        (25.0, 0.5, -12.43072534597213, -0.49879620097737787),
        (25.0, 1.0, 37.7794805541605, 1.8098467397878482),
        (27.39323489287441, 1.0, 31.31315544701058, 1.58778287798956),
    ],
)
def test_propeller_and_motor(
    sim: pyrfly.Sim, airspeed: float, throttle: float, thrust: float, torque: float
) -> None:
    """The force and the moment that the propeller at its steady speed adds to the aircraft."""
    still = np.zeros(12)
    still[2], still[3] = -100.0, airspeed
    surfaces = dict.fromkeys(INPUTS, 0.0) | {"throttle": throttle}
    place(sim, still, surfaces)
    force, moment = sim.mass[0] * sim.accel[0, 0], inertial(sim)[0]
    sim.propeller_thrust[:] = sim.propeller_direction[:] = 0.0
    assert force - sim.mass[0] * sim.accel[0, 0] == pytest.approx(thrust, abs=1e-9)
    assert inertial(sim)[0] - moment == pytest.approx(torque, abs=1e-9)


def inertial(sim: pyrfly.Sim) -> Array:
    """Return the moment [N m, FRD] that accounts for the present angular acceleration."""
    xx, yy, zz, xy, xz, yz = sim.inertia[0]
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    rate = sim.rate[0]
    return np.asarray(tensor @ sim.angular_accel[0] + np.cross(rate, tensor @ rate))


@pytest.mark.parametrize("case", CHECK["forces"], ids=lambda case: case["case"])
def test_forces_and_moments(sim: pyrfly.Sim, case: dict[str, Any]) -> None:
    """Those that include the weight; one of the cases is in a gust.

    Its published sideslip is asin(v / sqrt(u^2 + w^2)) where the book, and the plane, have
    asin(v / V): 6e-6 rad more. The side force and moments of that are added here. Without
    parasitic drag an elevator would pull, which still air does not do: it is added, and taken away.
    """
    parasitic = sim.drag_coef[0, 0] = 0.1
    state = case["state"]
    euler = np.zeros(12)
    euler[2], euler[3] = -100.0, 25.0
    if not isinstance(state, str):
        w, x, y, z = state[6:10]
        angles = Rotation.from_quat([x, y, z, w]).as_euler("ZYX")[::-1]
        euler = np.concatenate([state[:6], angles, state[10:]])
        gust = Rotation.from_quat([x, y, z, w]).apply(case["wind_gust_body"])
        sim.wind[0] = gust
    d = case["delta"]
    surfaces = {"elevator": d["e"], "aileron": d["a"], "rudder": d["r"], "throttle": d["t"]}
    place(sim, euler, surfaces)
    air = sim.vel_body[0] - np.array(case.get("wind_gust_body", [0.0, 0.0, 0.0]))
    airspeed = np.linalg.norm(air)
    assert airspeed == pytest.approx(case["Va"], abs=1e-9)
    assert np.arctan2(air[2], air[0]) == pytest.approx(case["alpha"], abs=1e-9)
    published = np.arcsin(air[1] / np.hypot(air[0], air[2]))
    assert published == pytest.approx(case["beta"], abs=1e-9)
    more = 0.5 * 1.2682 * airspeed**2 * 0.55 * (published - np.arcsin(air[1] / airspeed))
    force = sim.mass[0] * sim.accel[0] + more * np.array([0.0, -0.98, 0.0])
    level = np.array([air[0], 0.0, air[2]]) / np.hypot(air[0], air[2])
    force += 0.5 * 1.2682 * airspeed**2 * 0.55 * parasitic * level
    moment = inertial(sim) + more * 2.8956 * np.array([-0.13, 0.0, 0.073])
    np.testing.assert_allclose(force, case["fm"][:3], atol=1e-8)
    np.testing.assert_allclose(moment, case["fm"][3:], atol=1e-8)


@pytest.mark.parametrize("case", CHECK["eom"], ids=["rolling", "yawing"])
def test_equations_of_motion(sim: pyrfly.Sim, case: dict[str, Any]) -> None:
    """Without air, gravity and motor; attitudes are not compared, one is no unit quaternion."""
    w, x, y, z = case["state"][6:10]
    angles = Rotation.from_quat([x, y, z, w]).as_euler("ZYX")[::-1]
    euler = np.concatenate([case["state"][:6], angles, case["state"][10:]])
    sim.gravity[:] = sim.reference_density[:] = sim.propeller_direction[:] = 0.0
    sim.set_load(force=[0.0, 0.0, 0.0], torque=case["fm"][3:])
    place(sim, euler, dict.fromkeys(INPUTS, 0.0))
    rotation = Rotation.from_quat([x, y, z, w])
    sim.set_load(force=rotation.apply(case["fm"][:3]), torque=case["fm"][3:])
    found = derivative(sim)
    np.testing.assert_allclose(found[3:6], case["xdot"][3:6], atol=1e-8)
    np.testing.assert_allclose(found[9:], case["xdot"][10:], atol=1e-8)


def test_trim_is_an_equilibrium_to_its_digits(sim: pyrfly.Sim) -> None:
    """The published residual, of the rounded state."""
    state, inputs = trimmed()
    place(sim, state, inputs)
    published = np.ravel(LINEAR["f_euler"])
    np.testing.assert_allclose(derivative(sim)[3:], published[3:], atol=3e-6)


def test_trim_finds_the_published_equilibrium(sim: pyrfly.Sim) -> None:
    """To the published residual, 0.01 m/s^2 down, over the 112 m/s^2 per rad of the pitch angle."""
    _, inputs = trimmed()
    sim.propeller_inertia[:] = 1e-3  # it must be above 0 for a speed to be found
    point = sim.trim(vel=[25.0, 0, 0])
    euler = Rotation.from_quat(np.roll(point.state["att"][0], -1)).as_euler("ZYX")[::-1]
    assert euler[1] == pytest.approx(LINEAR["theta_trim"], abs=1.2e-4)
    angles = point.state["surface_angle"][0]
    expected = [inputs[name] for name in ("aileron", "elevator", "rudder")]
    np.testing.assert_allclose(angles[:3], expected, atol=5e-4)
    assert point.inputs["propeller_throttle"][0, 0] == pytest.approx(inputs["throttle"], abs=1e-3)


def jacobians(sim: pyrfly.Sim) -> tuple[Array, Array]:
    """Return A, 12 by 12, and B, 12 by 4, by forward differences as published."""
    state, inputs = trimmed()
    place(sim, state, inputs)
    at = derivative(sim)
    a, b = np.empty((12, 12)), np.empty((12, 4))
    for i in range(12):
        moved = state.copy()
        moved[i] += STEP
        place(sim, moved, inputs)
        a[:, i] = (derivative(sim) - at) / STEP
    for i, name in enumerate(INPUTS):
        place(sim, state, inputs | {name: inputs[name] + STEP})
        b[:, i] = (derivative(sim) - at) / STEP
    return a, b


def test_linear_model(sim: pyrfly.Sim) -> None:
    """The rows of angles are published with an error of 1e-3."""
    a, b = jacobians(sim)
    dynamic = [3, 4, 5, 9, 10, 11]
    np.testing.assert_allclose(a[dynamic], np.array(LINEAR["A"])[dynamic], atol=1e-5)
    np.testing.assert_allclose(b[dynamic], np.array(LINEAR["B"])[dynamic], atol=1e-5)
    np.testing.assert_allclose(a[:3], np.array(LINEAR["A"])[:3], atol=1e-5)
    np.testing.assert_allclose(a[6:9], np.array(LINEAR["A"])[6:9], atol=2e-3)


def test_modes_of_the_linear_model_are_the_published_ones(sim: pyrfly.Sim) -> None:
    """Eigenvalues by central differences, with the propeller's speed and the servos in equilibrium.

    The published matrix has the truncation error of its forward differences.
    """
    sim.propeller_inertia[:] = 1e-3
    model = sim.linearize(1, point=sim.trim(1, vel=[25.0, 0, 0]))
    body = [name.split("[")[0] in ("vel", "att", "rate") for name in model.states]
    kept = np.flatnonzero(body)
    rest = [i for i, name in enumerate(model.states) if name[:3] in ("sur", "pro")]
    steady = np.linalg.solve(model.A[np.ix_(rest, rest)], model.A[np.ix_(rest, kept)])
    reduced = model.A[np.ix_(kept, kept)] - model.A[np.ix_(kept, rest)] @ steady
    found = np.sort_complex(np.linalg.eigvals(reduced))
    published = np.array(LINEAR["A"])[3:, 3:]
    expected = np.sort_complex(np.linalg.eigvals(published))
    np.testing.assert_allclose(found, expected, atol=0.02)
