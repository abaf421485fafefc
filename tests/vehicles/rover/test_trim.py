"""Equilibrium and linear model of rovers, and the hover that they do not have."""

import numpy as np
import pytest

from pyrfly import ParameterError, Sim


def test_a_rover_at_rest_is_in_equilibrium_on_its_ground() -> None:
    sim = Sim("husky_a200", 2)
    sim.terrain = -3
    sim.reset(pos=[0, 0, -3])
    point = sim.trim(yaw=[0, 1])
    np.testing.assert_array_equal(point.inputs["drive"], 0)
    np.testing.assert_array_equal(point.inputs["terrain"], -3)
    model = sim.linearize(2, point=sim.trim(2))
    assert model.inputs == ("drive[0]", "drive[1]")
    north, vel = model.states.index("pos[0]"), model.states.index("vel[0]")
    assert model.A[north, vel] == pytest.approx(1)
    wheel = model.states.index("wheel_speed[0]")
    assert model.A[wheel, wheel] < 0


def test_in_a_steady_turn_wheels_roll_without_slip() -> None:
    """Speeds of the sides, in reverse and turning, are those of the track [@siegwart-2011 3.2]."""
    sim = Sim("husky_a200", 3)
    speed, turn = np.array([0.5, -0.5, 0.7]), np.array([0.0, 0.3, -0.4])
    point = sim.trim(vel=np.stack([speed, 0 * speed, 0 * speed], axis=1), yaw_rate=turn)
    across = 0.5 * sim.track * turn
    expected = np.stack([speed + across, speed - across], axis=1) / sim.wheel_radius[:, None]
    np.testing.assert_allclose(point.state["wheel_speed"], expected, rtol=1e-6)
    commands = expected / sim.wheel_speed_max[:, None]
    np.testing.assert_allclose(point.inputs["drive"], commands, rtol=1e-6)


def test_slip_decays_along_the_slope() -> None:
    """The derivative of the velocity is -1 / t_s times its part along the ground."""
    sim = Sim("rover", 2)
    sim.set_ground_plane(gradient=[[0, 0], [0.2, 0]])
    sim.reset()
    model = sim.linearize()
    vel = [model.states.index(f"vel[{i}]") for i in range(3)]
    normals = np.array([[0, 0, 1], [-0.2, 0, 1] / np.sqrt(1.04)])
    along = np.eye(3) - np.einsum("ki,kj->kij", normals, normals)
    expected = -along / sim.slip_tau[:, None, None]
    np.testing.assert_allclose(model.A[:, vel][:, :, vel], expected, atol=1e-6)


def test_a_rover_does_not_hover() -> None:
    sim = Sim({"x450": 1, "husky_a200": 1})
    digest = sim.hash()
    with pytest.raises(
        ParameterError,
        match=r"hover: expected False for husky_a200 \(CopterID 2\), which does not hover,",
    ):
        sim.reset(pos=[0, 0, -1], hover=True)
    assert sim.hash() == digest
