"""Linear models of steering, as Nomoto's equations [@fossen 7.2], and what they foretell."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm

import pyrfly

from .test_ship import linear_ship
from .truth import SPEED, at_speed

Array = NDArray[np.float64]
PLANE = ("vel[1]", "rate[2]")


def steering(model: pyrfly.LinearModel, speed: float, column: str) -> tuple[Array, Array]:
    """Return A and B of (v, r)' = A (v, r) + B u, v to the side of a heading of 0.

    The velocity east is v + speed times the heading.
    """
    at = [model.states.index(name) for name in PLANE]
    turned = model.states.index("att[2]")
    a, b = model.A[np.ix_(at, at)], model.A[at, model.states.index(column)]
    a[0, 1] -= speed
    assert model.A[at[0], turned] + a[0, 0] * speed == pytest.approx(0.0, abs=1e-4)
    return a, b


def test_that_of_a_ship_is_that_of_its_derivatives() -> None:
    """K and the time constants of the second order, of a ship that is not stable."""
    sim = at_speed()
    sim.ship_wake[:, 1] = 0.0
    sim.ship_rudder_straightening[:] = 0.5
    point = sim.trim(vel=[SPEED, 0.0, 0.0])
    a, b = steering(sim.linearize(1, point=point), SPEED, "fin_angle[0]")
    expected, by = linear_ship(sim)  # at midship, 0.25 m behind the centre of mass
    moved = np.array([[1.0, 0.25], [0.0, 1.0]])
    np.testing.assert_allclose(a, moved @ expected @ np.linalg.inv(moved), rtol=0.01)
    np.testing.assert_allclose(b, moved @ by, rtol=0.01)
    times, of = (np.sort(-1.0 / np.linalg.eigvals(m)) for m in (a, expected))
    np.testing.assert_allclose(times, of, rtol=0.05)


def test_a_boat_without_coupling_is_of_the_first_order() -> None:
    """r' = (M - N_r r) / I, with the numbers of PX4's boat."""
    sim = pyrfly.Sim("gz_boat")
    model = sim.linearize(1, point=sim.trim(vel=[1.5, 0.0, 0.0]))
    a, _ = steering(model, 1.5, "thruster_speed[0]")
    inertia = float(sim.inertia[0, 2] + sim.added_inertia[0, 2])
    assert -1.0 / a[1, 1] == pytest.approx(inertia / float(sim.damping_linear[0, 2]), rel=0.01)


@pytest.mark.parametrize(("name", "speed"), [("otter", 1.5), ("wam_v", 1.0), ("gz_boat", 1.5)])
def test_a_small_step_of_a_thruster_turns_a_boat_as_foretold(name: str, speed: float) -> None:
    sim = pyrfly.Sim(name, dt=0.0025)
    point = sim.trim(vel=[speed, 0.0, 0.0])
    model = sim.linearize(1, point=point, inputs=["thruster_command"])
    turn = model.states.index("rate[2]")
    sim.controllers = False
    step = 2e-5 * np.array([1.0, -1.0])
    sim.select().write_all({**point.inputs, **point.state})
    sim.thruster_command[0, :2] += step
    push = model.B[:, :2] @ step
    size = len(push)
    grown = np.zeros((size + 1, size + 1))
    grown[:size, :size], grown[:size, size] = model.A, push
    for seconds in (1.0, 3.0, 5.0):
        sim.sleep(seconds - sim.time)
        expected = expm(seconds * grown)[turn, size]
        assert sim.rate[0, 2] == pytest.approx(expected, rel=0.02)
