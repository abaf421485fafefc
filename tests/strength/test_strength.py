"""Rotors that have lost thrust and torque, of all multirotors, and what does not depend on them."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import DEFAULT_FAMILY, FAMILIES, load, names

SETS = names("multirotor")
HOME = [0.0, 0.0, -50.0]


def spinning(name: str, strengths: list[list[float]]) -> pyrfly.Sim:
    """Return vehicles at rest in the air whose rotors have one speed."""
    sim = pyrfly.Sim(name, len(strengths))
    sim.controllers = False
    sim.reset(pos=HOME)
    sim.rotor_speed[:, : load(name).actuator_count] = 400.0
    sim.set_strength(strengths)
    return sim


@pytest.mark.parametrize("name", SETS)
def test_any_set_can_lose_any_rotor(name: str) -> None:
    """Forces and moments are sums over the rotors, and what is left without any."""
    count = load(name).actuator_count
    lost = 1.0 - np.eye(count)
    given = [[1.0] * count, [0.0] * count, *lost.tolist(), *(1.0 - lost).tolist()]
    sim = spinning(name, given)
    for column in ("specific_force", "angular_accel"):
        whole, none, without, alone = np.split(getattr(sim, column), [1, 2, 2 + count])
        expected = np.tile(whole + none, (count, 1))
        np.testing.assert_allclose(without + alone, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_less(0.0, -sim.specific_force[2 + count :, 2])
    np.testing.assert_allclose(sim.specific_force[1], 0.0, atol=1e-12)


def test_a_weak_rotor_of_a_quadrotor_gives_its_share() -> None:
    sim = spinning("x450", [[1, 1, 1, 1], [0.25, 1, 1, 1]])
    linear, quadratic = sim.thrust_coef[0]
    lost = 0.75 * (400.0 * linear + 400.0**2 * quadratic)  # of the first, front right
    change = sim.specific_force[1] - sim.specific_force[0]
    np.testing.assert_allclose(change, [0, 0, lost / sim.mass[0]], atol=1e-12)
    arm = sim.arm_length[0] / np.sqrt(2)
    turned = sim.inertia[0, :3] * (sim.angular_accel[1] - sim.angular_accel[0])
    np.testing.assert_allclose(turned[:2], [lost * arm, -lost * arm], rtol=1e-9)
    linear, quadratic = sim.torque_coef[0]  # it turns counter-clockwise, its torque clockwise
    np.testing.assert_allclose(turned[2], -0.75 * (400.0 * linear + 400.0**2 * quadratic))


def test_a_strength_acts_as_smaller_coefficients_do() -> None:
    sim = pyrfly.Sim("hex_x", 2)
    sim.reset(pos=HOME, hover=True)
    sim.set_strength([1, 1, 0.6, 1, 1, 1], ids=1)
    for name in ("rotor_thrust_coef", "rotor_torque_coef"):
        sim.groups[0].view(name).reshape(2, 2, -1)[1, :, 2] *= 0.6
    sim.step(2000)
    assert np.linalg.norm(sim.pos[0] - HOME) > 1e-3
    np.testing.assert_allclose(sim.pos[0], sim.pos[1], atol=1e-6)
    np.testing.assert_allclose(sim.att[0], sim.att[1], atol=1e-6)


def test_strengths_stay_and_are_copied() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.set_strength([1, 0.5, 1, 1], ids=2)
    other = pyrfly.Sim("x450", 2)
    other.restore(sim.snapshot())
    sim.reset()
    for one in (sim, other):
        assert one.actuator_strength[:, :4].tolist() == [[1, 1, 1, 1], [1, 0.5, 1, 1]]


@pytest.mark.parametrize(
    ("vehicles", "strength", "error", "message"),
    [
        ("x450", [1, 1, 1], pyrfly.ShapeError, "strength: expected shape"),
        ("x450", [1, 1, 1, 1.5], ValueError, "strength: expected 0 to 1"),
        ("x450", [1, 1, 1, np.nan], ValueError, "strength"),
        ({"x450": 1, "hex_x": 1}, [1, 1, 1, 1], pyrfly.ShapeError, "one number of rotors"),
    ],
)
def test_refused_strengths_change_nothing(
    vehicles: object, strength: list[float], error: type[Exception], message: str
) -> None:
    sim = pyrfly.Sim(vehicles)
    before = sim.snapshot()
    with pytest.raises(error, match=message):
        sim.set_strength(strength)
    assert sim.snapshot() == before


OTHERS = [family for family in FAMILIES if family != DEFAULT_FAMILY]


@pytest.mark.parametrize("family", OTHERS)
def test_other_families_have_no_strengths(family: str) -> None:
    name = names(family)[0]
    with pytest.raises(pyrfly.ParameterError, match=f"set_strength: '{name}'"):
        pyrfly.Sim(name).set_strength(1.0)
