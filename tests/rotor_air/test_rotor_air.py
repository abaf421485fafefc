"""csrc/models/rotor_air.h: forces at the hubs against their closed form, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly

Array = NDArray[np.float64]
DRAG, INFLOW = 1.19e-4, 2.32e-4  # [@rotorpy rotorpy/vehicles/hummingbird_params.py]
SETS = ["sdk", "iris", "hex_x", "cf2x_l250"]


def held(name: str, n: int = 1, **options: Any) -> pyrfly.Sim:
    """Return vehicles without fuselage drag and gravity, with rotors of constant speeds."""
    sim = pyrfly.Sim(name, n, **options)
    sim.controllers = False
    zeros = ("drag_linear", "drag_quadratic", "damping_linear", "damping_quadratic", "gravity")
    for column in (*zeros, "rotor_inertia"):
        getattr(sim, column)[:] = 0
    sim.motor_tau[:] = 1e30
    sim.terrain[:] = 1e5
    sim.reset(pos=np.broadcast_to((0, 0, -100), (n, 3)))
    sim.rotor_speed[:] = np.linspace(400, 700, sim.rotor_speed.shape[1])
    return sim


def hubs(sim: pyrfly.Sim) -> tuple[Array, Array]:
    """Return positions and thrust axes of the rotors, shape (rotors, 3) [m, FRD]."""
    if sim.groups[0].parameters.c_type == "quad_x":
        arm = float(sim.arm_length[0]) / np.sqrt(2)
        places = np.array([[1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0]]) * arm
        return places, np.tile([0.0, 0.0, -1.0], (4, 1))
    return sim.rotor_position[0].reshape(3, -1).T, sim.rotor_axis[0].reshape(3, -1).T


def expected(sim: pyrfly.Sim, velocity: Array, rate: Array) -> tuple[Array, Array]:
    """Return the sum of forces [N, FRD] and moments [N m, FRD] of the printed equations."""
    places, axes = hubs(sim)
    force, moment = np.zeros(3), np.zeros(3)
    for speed, place, axis in zip(sim.rotor_speed[0], places, axes, strict=True):
        local = velocity + np.cross(rate, place)
        along = (local @ axis) * axis
        at_hub = -speed * (DRAG * (local - along) + INFLOW * along)
        force += at_hub
        moment += np.cross(place, at_hub)
    return force, moment


def wrench(sim: pyrfly.Sim) -> tuple[Array, Array]:
    """Return force and moment on the vehicle, from its accelerations."""
    xx, yy, zz, xy, xz, yz = sim.inertia[0]
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    rate = sim.rate[0]
    return (
        sim.mass[0] * sim.specific_force[0],
        tensor @ sim.angular_accel[0] + np.cross(rate, tensor @ rate),
    )


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(
    ("velocity", "rate"),
    [
        ((0, 0, 0), (0, 0, 0)),
        ((8, -3, 0), (0, 0, 0)),
        ((0, 0, -4), (0, 0, 0)),
        ((0, 0, 0), (1.0, -2.0, 3.0)),
        ((5, 2, 3), (0.5, 1.0, -1.5)),
    ],
)
def test_forces_and_moments_are_those_at_the_hubs(
    name: str, velocity: tuple[float, ...], rate: tuple[float, ...]
) -> None:
    sims = [held(name), held(name)]
    sims[1].environment.set_rotor_air(DRAG, INFLOW)
    for sim in sims:
        sim.vel[:], sim.rate[:] = velocity, rate
    (force, moment), (more_force, more_moment) = map(wrench, sims)
    wanted = expected(sims[0], np.array(velocity, float), np.array(rate, float))
    np.testing.assert_allclose(more_force - force, wanted[0], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(more_moment - moment, wanted[1], rtol=1e-7, atol=1e-11)


def test_wind_is_air_speed_and_thin_air_pushes_less() -> None:
    sims = [held("sdk") for _ in range(3)]
    for sim in sims:
        sim.environment.set_rotor_air(DRAG, INFLOW)
    sims[0].vel[:] = (4, 1, 0)
    sims[1].wind[:] = (-4, -1, 0)
    sims[2].vel[:] = (4, 1, 0)
    sims[2].pos[:, 2] = -5000
    sims[2].environment.enable("density")
    sims[2].step()
    sims[2].vel[:] = (4, 1, 0)
    first, second, thin = (sim.specific_force[0, :2] for sim in sims)
    np.testing.assert_allclose(second, first, rtol=1e-12)
    np.testing.assert_allclose(thin, first * sims[2].air_density[0] / 1.225, rtol=1e-3)


def test_speed_decays_with_the_time_constant_of_the_drag() -> None:
    """m v' = -k_d W v, W the sum of the rotor speeds."""
    sim = held("sdk")
    sim.thrust_coef[:] = 0
    sim.torque_coef[:] = 0
    sim.rotor_speed[:] = 500
    sim.environment.set_rotor_air(DRAG, 0)
    sim.vel[:] = (10, 0, 0)
    sim.step(2000)
    decay = DRAG * 4 * 500 / sim.mass[0]
    assert sim.vel[0, 0] == pytest.approx(10 * np.exp(-decay * 2), rel=1e-9)


def test_drag_at_the_hubs_dampens_the_rotation() -> None:
    """About the yaw axis of a quadrotor: J r' = -k_d W l^2 r."""
    sim = held("sdk")
    sim.thrust_coef[:] = 0
    sim.torque_coef[:] = 0
    sim.rotor_speed[:] = 500
    sim.environment.set_rotor_air(DRAG, 0)
    sim.rate[:] = (0, 0, 2)
    sim.step(1000)
    decay = DRAG * 4 * 500 * sim.arm_length[0] ** 2 / sim.inertia[0, 2]
    assert sim.rate[0, 2] == pytest.approx(2 * np.exp(-decay), rel=1e-9)


def test_zeros_keep_the_flight_and_trim_takes_the_drag_along() -> None:
    sims = [pyrfly.Sim("x450", 2) for _ in range(2)]
    sims[1].environment.set_rotor_air(0, 0)
    for sim in sims:
        sim.arm()
        sim.command_position((3, 0, -5))
        sim.step(2000)
    np.testing.assert_allclose(sims[1].pos, sims[0].pos, atol=1e-9)
    sim = pyrfly.Sim("sdk")
    sim.drag_quadratic, sim.drag_linear, sim.drag_offset = 0, 0, 0
    sim.environment.set_rotor_air(DRAG, 0)
    point = sim.trim(vel=(5, 0, 0))
    w, _, y, _ = point.state["att"][0]
    tilt = -2 * np.arctan2(y, w)
    # the force across the axis balances the weight's component across it
    across = DRAG * point.state["rotor_speed"][0].sum() * 5 * np.cos(tilt)
    assert across == pytest.approx(sim.mass[0] * sim.gravity[0] * np.sin(tilt), rel=1e-6)


def test_controllers_fly_with_it() -> None:
    sim = pyrfly.Sim("iris")
    sim.drag_linear[:] = 0  # that of the rotors, in this set
    sim.environment.set_rotor_air(1.75e-4, 1e-4)
    sim.wind[:] = (6, 0, 0)
    sim.arm()
    sim.command_position((5, 5, -10))
    sim.step(20_000)
    assert np.linalg.norm(sim.pos[0] - (5, 5, -10)) < 0.05


@pytest.mark.parametrize(
    ("name", "options", "arguments", "message"),
    [
        ("sdk", {}, (-1e-4, 0), "drag: expected"),
        ("sdk", {}, (0, np.nan), r"inflow: expected finite"),
        ("sdk", {"effects": "plain"}, (1e-4, 0), r"set_rotor_air: 'sdk' .* 'plain'"),
    ],
)
def test_wrong_arguments_are_named(
    name: str, options: dict[str, str], arguments: tuple[float, float], message: str
) -> None:
    sim = pyrfly.Sim(name, **options)
    with pytest.raises(ValueError, match=message):
        sim.environment.set_rotor_air(*arguments)
    assert not sim.groups[0].batch.has("rotor_air")
