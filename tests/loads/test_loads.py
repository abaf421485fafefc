"""External force and torque: Newton's and Euler's laws, off without a cost, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyrfly

SETS = ["sdk", "x450", "iris", "hex_x", "cf2x_l250"]


def drifting(name: str, n: int = 1, **options: Any) -> pyrfly.Sim:
    """Return vehicles in free fall without air forces, motors off."""
    sim = pyrfly.Sim(name, n, **options)
    sim.controllers = False
    for column in ("drag_linear", "drag_quadratic", "damping_linear", "damping_quadratic"):
        getattr(sim, column)[:] = 0
    sim.terrain[:] = 1e5
    sim.motor_curve[:, 0] = 0  # motors that stand still at throttle 0
    sim.reset(pos=np.broadcast_to((0, 0, -100), (n, 3)))
    return sim


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("integrator", ["rk4", "euler"])
def test_force_accelerates_the_mass_in_any_attitude(name: str, integrator: str) -> None:
    sim = drifting(name, 2, integrator=integrator)
    sim.att[1] = (0.5, 0.5, 0.5, 0.5)
    force = np.array([3.0, -2.0, 1.5]) * sim.mass[0]
    sim.set_load(force=force)
    np.testing.assert_allclose(sim.specific_force[0], [3, -2, 1.5], rtol=1e-9)
    sim.step(500)
    expected = 0.5 * np.array([3, -2, 1.5 + sim.gravity[0]])
    np.testing.assert_allclose(sim.vel, [expected, expected], rtol=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_torque_turns_the_inertia(name: str) -> None:
    sim = drifting(name)
    xx, yy, zz, xy, xz, yz = sim.inertia[0]
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    torque = np.array([0.2, -0.1, 0.3]) * xx
    sim.set_load(torque=torque)
    np.testing.assert_allclose(tensor @ sim.angular_accel[0], torque, rtol=1e-9)


def test_work_of_the_torque_is_the_energy_of_the_rotation() -> None:
    sim = drifting("x450")
    sim.set_load(torque=(0, 0, 0.01))
    sim.step(2000)
    spin = float(sim.rate[0, 2])
    assert spin == pytest.approx(0.01 * 2 / sim.inertia[0, 2], rel=1e-9)


def test_controllers_hold_against_a_force_and_trim_leans_into_it() -> None:
    """tan(tilt) = F / (m g), without drag."""
    sim = pyrfly.Sim("x450")
    sim.set_load(force=(3, 0, 0))
    w, _, y, _ = sim.trim().state["att"][0]
    weight = float(sim.mass[0] * sim.gravity[0])
    assert np.tan(2 * np.arctan2(y, w)) == pytest.approx(3 / weight, rel=1e-6)
    sim.reset(pos=(0, 0, -10), hover=True)
    sim.set_load(force=(3, 0, 0))
    sim.step(15_000)
    assert np.linalg.norm(sim.pos[0] - (0, 0, -10)) < 0.05


def test_a_load_of_one_vehicle_is_that_of_no_other() -> None:
    sim = drifting("x450", 3)
    free = drifting("x450", 1)
    sim.set_load(force=(0, 5, 0), ids=2)
    for world in (sim, free):
        world.step(100)
    np.testing.assert_array_equal(sim.pos[[0, 2]], free.pos[[0, 0]])
    assert sim.vel[1, 1] == pytest.approx(0.1 * 5 / sim.mass[1])


@pytest.mark.parametrize("name", SETS)
def test_enabled_without_a_load_a_flight_keeps_its_path(name: str) -> None:
    sims = [pyrfly.Sim(name, 2) for _ in range(2)]
    sims[1].set_load()
    for sim in sims:
        sim.wind[:] = (3, -2, 0.5)
        sim.arm()
        sim.command_position((1, 2, -10))
        sim.step(1500)
    for column in ("pos", "vel", "att", "rate", "rotor_speed"):
        np.testing.assert_allclose(
            getattr(sims[1], column), getattr(sims[0], column), rtol=1e-9, atol=1e-12
        )


def test_a_reset_ends_the_load_and_a_snapshot_holds_it() -> None:
    sim = drifting("x450")
    sim.set_load(force=(1, 0, 0))
    saved = sim.snapshot()
    sim.reset()
    assert not sim.external_force.any()
    sim.restore(saved)
    assert sim.external_force.tolist() == [[1, 0, 0]]


def test_results_do_not_depend_on_the_batch() -> None:
    many, one = drifting("iris", 70, threads=2), drifting("iris")
    for sim in (many, one):
        sim.set_load(force=(1, 2, 3), torque=(0.01, 0.02, 0))
        sim.step(300)
    np.testing.assert_array_equal(many.att[66], one.att[0])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"force": (1, 2)}, ValueError, r"force: expected shape"),
        ({"torque": (1, np.nan, 0)}, ValueError, r"torque: expected finite"),
        ({"torque": (1e300, 0, 0)}, ValueError, r"torque: expected finite values up to 1e\+15"),
        ({"force": (1, 2, 3), "ids": [1, 1]}, ValueError, "CopterID|twice|repeat"),
    ],
)
def test_wrong_arguments_change_nothing(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    sim = pyrfly.Sim("x450", 2)
    with pytest.raises(error, match=message):
        sim.set_load(**arguments)
    with pytest.raises(AttributeError, match="loads"):
        _ = sim.external_force


def test_the_plain_model_takes_none() -> None:
    sim = pyrfly.Sim("sdk", effects="plain")
    with pytest.raises(pyrfly.ParameterError, match=r"set_load: no external loads act on 'sdk'"):
        sim.set_load(force=(1, 0, 0))
