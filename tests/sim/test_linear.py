"""Linear models against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

from pyrfly import LinearModel, ShapeError, Sim

GRAVITY = 9.8


def block(model: LinearModel, rows: str, columns: str, matrix: str = "A") -> np.ndarray:
    """Return the part of a matrix for a state column and another state or input column."""
    left = model.outputs if matrix in "CD" else model.states
    right = model.inputs if matrix in "BD" else model.states
    i = [k for k, name in enumerate(left) if name.startswith(f"{rows}[")]
    j = [k for k, name in enumerate(right) if name.startswith(f"{columns}[")]
    return getattr(model, matrix)[np.ix_(i, j)]


@pytest.fixture
def hover() -> tuple[Sim, LinearModel]:
    sim = Sim("sdk")
    sim.drag_quadratic, sim.damping_quadratic, sim.drag_offset = 0, 0, 0
    sim.drag_linear, sim.damping_linear = [0.2, 0.3, 0.4], [0.01, 0.02, 0.03]
    return sim, sim.linearize(1, point=sim.trim(1))


class TestHover:
    """A quadrotor in hover with linear drag and damping."""

    def test_position_is_the_integral_of_velocity(self, hover: tuple[Sim, LinearModel]) -> None:
        _, model = hover
        np.testing.assert_allclose(block(model, "pos", "vel"), np.eye(3), atol=1e-9)
        others = [k for k, name in enumerate(model.states) if not name.startswith("vel")]
        np.testing.assert_allclose(model.A[:3, others], 0, atol=1e-9)
        np.testing.assert_allclose(model.B[:3], 0, atol=1e-9)

    def test_attitude_error_is_the_integral_of_angular_velocity(
        self, hover: tuple[Sim, LinearModel]
    ) -> None:
        _, model = hover
        np.testing.assert_allclose(block(model, "att", "rate"), np.eye(3), atol=1e-9)
        np.testing.assert_allclose(block(model, "att", "att"), 0, atol=1e-9)

    def test_tilt_accelerates_with_gravity(self, hover: tuple[Sim, LinearModel]) -> None:
        _, model = hover
        expected = [[0, -GRAVITY, 0], [GRAVITY, 0, 0], [0, 0, 0]]
        np.testing.assert_allclose(block(model, "vel", "att"), expected, atol=1e-7)

    def test_drag_and_damping_are_their_coefficients(self, hover: tuple[Sim, LinearModel]) -> None:
        sim, model = hover
        drag = -np.diag([0.2, 0.3, 0.4]) / sim.mass[0]
        np.testing.assert_allclose(block(model, "vel", "vel"), drag, atol=1e-8)
        damping = -np.diag([0.01, 0.02, 0.03] / sim.inertia[0, :3])
        np.testing.assert_allclose(
            np.diag(block(model, "rate", "rate")), np.diag(damping), atol=1e-7
        )

    def test_motors_are_lags(self, hover: tuple[Sim, LinearModel]) -> None:
        sim, model = hover
        rate = 1 / sim.motor_tau[0, 0]
        np.testing.assert_allclose(
            block(model, "rotor_speed", "rotor_speed"), -rate * np.eye(4), atol=1e-6
        )
        slope = rate * sim.motor_curve[0, 1]
        np.testing.assert_allclose(
            block(model, "rotor_speed", "throttle", "B"), slope * np.eye(4), rtol=1e-7, atol=1e-5
        )

    def test_rotors_lift_and_turn(self, hover: tuple[Sim, LinearModel]) -> None:
        sim, model = hover
        speed = model.point.state["rotor_speed"][0, 0]
        per_speed = 2 * sim.thrust_coef[0, 1] * speed
        down = block(model, "vel", "rotor_speed")[2]
        np.testing.assert_allclose(down, -per_speed / sim.mass[0], rtol=1e-6)
        arm = sim.arm_length[0] / np.sqrt(2)
        roll = block(model, "rate", "rotor_speed")[0]
        signs = np.array([-1, 1, 1, -1])  # front right, rear left, front left, rear right
        np.testing.assert_allclose(roll, signs * arm * per_speed / sim.inertia[0, 0], rtol=1e-6)

    def test_wind_is_an_input_opposite_to_velocity(self, hover: tuple[Sim, LinearModel]) -> None:
        sim, model = hover
        wind = sim.linearize(1, point=model.point, inputs=["wind"])
        np.testing.assert_allclose(wind.B[3:6], -block(model, "vel", "vel"), atol=1e-8)

    def test_outputs_are_columns(self, hover: tuple[Sim, LinearModel]) -> None:
        """An accelerometer in hover: no gravity of a tilt, the drag, and the thrust."""
        sim, model = hover
        np.testing.assert_array_equal(model.C, np.eye(len(model.states)))
        np.testing.assert_array_equal(model.D, 0)
        sensed = sim.linearize(1, point=model.point, outputs=["specific_force", "angular_accel"])
        np.testing.assert_allclose(block(sensed, "specific_force", "att", "C"), 0, atol=1e-7)
        np.testing.assert_allclose(
            block(sensed, "specific_force", "vel", "C"), block(model, "vel", "vel"), atol=1e-8
        )
        yaw = block(sensed, "angular_accel", "throttle", "D")[2]  # by the spin-up of the rotors
        per_throttle = sim.rotor_inertia[0] * sim.motor_curve[0, 1] / sim.motor_tau[0, 0]
        signs = np.array([1, 1, -1, -1])  # counter-clockwise rotors turn the body clockwise
        np.testing.assert_allclose(yaw, signs * per_throttle / sim.inertia[0, 2], rtol=1e-6)


def test_a_rotating_body_keeps_its_closed_form() -> None:
    """About a steady rotation w the attitude error turns with -w, and Euler's equations apply."""
    sim = Sim("sdk", effects="full")
    sim.reset(pos=[0, 0, -100])
    sim.damping_quadratic, sim.rotor_inertia = 0, 0
    w = np.array([0.7, -0.4, 1.1])
    sim.rate = w
    model = sim.linearize(1)
    cross = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    np.testing.assert_allclose(block(model, "att", "att"), -cross, atol=1e-7)
    j = sim.inertia[0, :3]
    expected = np.array(
        [
            [0, (j[1] - j[2]) * w[2] / j[0], (j[1] - j[2]) * w[1] / j[0]],
            [(j[2] - j[0]) * w[2] / j[1], 0, (j[2] - j[0]) * w[0] / j[1]],
            [(j[0] - j[1]) * w[1] / j[2], (j[0] - j[1]) * w[0] / j[2], 0],
        ]
    )
    np.testing.assert_allclose(block(model, "rate", "rate"), expected, atol=1e-6)


def test_a_small_motion_is_that_of_the_linear_model() -> None:
    """The matrix exponential against a flight of 0.2 s, in forward flight in wind."""
    sim = Sim("x450", 2)
    sim.controllers = False
    sim.reset(pos=[0, 0, -50])
    sim.motor_tau = 0.0214
    point = sim.trim(vel=[4, 1, -0.5], wind=[1, 2, 0], yaw=0.8)
    sim.select().write("wind", [1, 2, 0])
    model = sim.linearize(point=point)
    for name, values in {**point.state, "throttle": point.inputs["throttle"]}.items():
        sim.select().write(name, values)
    change = 1e-4 * np.array([1.0, -2.0, 0.5])
    sim.vel[1] += change
    sim.rate[1] += 3 * change
    sim.throttle[1] += 1e-4 * np.array([1, 0, -1, 2])
    x = np.zeros(len(model.states))
    x[3:6], x[9:12] = change, 3 * change
    nx, u = len(x), 1e-4 * np.array([1, 0, -1, 2])
    extended = np.zeros((nx + 4, nx + 4))
    extended[:nx, :nx], extended[:nx, nx:] = model.A[1], model.B[1]
    expected = (expm(0.2 * extended) @ np.concatenate([x, u]))[:nx]
    sim.step(200)
    got = np.concatenate([sim.pos[1] - sim.pos[0], sim.vel[1] - sim.vel[0]])
    np.testing.assert_allclose(got, expected[:6], atol=2e-7)
    np.testing.assert_allclose(sim.rate[1] - sim.rate[0], expected[9:12], atol=2e-6)


def test_the_ground_is_left_out() -> None:
    sim = Sim("x450", 2)
    sim.reset(pos=[[0, 0, 0], [0, 0, -50]])
    models = sim.linearize(point=sim.trim())
    np.testing.assert_array_equal(models.A[0], models.A[1])


def test_several_vehicles_are_several_models_and_the_sim_is_left_alone() -> None:
    sim = Sim("sdk", 3, precision="float32")
    sim.reset(pos=[0, 0, -5])
    sim.mass = [1, 2, 4]
    digest = sim.hash()
    models = sim.linearize([3, 1], point=sim.trim([3, 1]))
    assert models.A.shape == (2, 16, 16)
    assert models.B.shape == (2, 16, 4)
    lift = models.A[:, models.states.index("vel[2]"), models.states.index("rotor_speed[0]")]
    expected = 2 * sim.thrust_coef[0, 1] * models.point.state["rotor_speed"][:, 0] / [4, 1]
    np.testing.assert_allclose(-lift, expected, rtol=1e-6)
    assert sim.hash() == digest


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"inputs": ["mass"]}, ValueError, "inputs: no input column 'mass'"),
        ({"outputs": ["speed"]}, ValueError, "outputs: no output column 'speed'"),
        ({"ids": 3}, ValueError, "ids: expected CopterIDs"),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Sim("sdk", 2).linearize(**arguments)


def test_a_point_of_other_vehicles_is_refused() -> None:
    sim = Sim("sdk", 2)
    with pytest.raises(ShapeError, match=r"point: pos: .*got \(2, 3\)"):
        sim.linearize(1, point=sim.trim())
