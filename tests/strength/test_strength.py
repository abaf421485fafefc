"""Actuators that have lost some of their effect, of all families, and rotors of all multirotors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import FAMILIES, families, load, names
from pyrfly.vehicles.actuators import MOTOR

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
        ({"x450": 1, "hex_x": 1}, [1, 1, 1, 1], pyrfly.ShapeError, "one number of actuators"),
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


RESULTS = ("specific_force", "angular_accel")
TABLES = {
    name: FAMILIES[family].actuators(load(name))
    for family in FAMILIES
    for name in names(family)[:1]
}
TOLD = [name for name, table in TABLES.items() if any(actuator.moves for actuator in table)]
SERVOS = [
    (name, k)
    for name in TOLD
    for k, actuator in enumerate(TABLES[name])
    if actuator.moves and not actuator.is_motor
]
STEERED = [(name, k) for name, k in SERVOS if not pyrfly.Sim(name).groups[0].flies]


@pytest.mark.parametrize(("name", "servo"), STEERED)
def test_weak_steering_turns_by_a_smaller_command(name: str, servo: int) -> None:
    sim = pyrfly.Sim(name, 2)
    sim.controllers = False
    shares = np.ones((2, load(name).actuator_count))
    shares[0, servo] = 0.5
    sim.set_strength(shares)
    sim.reset()
    sim.arm()
    commands = np.full((2, load(name).actuator_count), 0.1)
    commands[:, servo] = [0.4, 0.2]
    for column in sim.groups[0].actuators:
        view = sim.groups[0].view(column).reshape(2, -1)
        own, commands = np.split(commands, [view.shape[1]], axis=1)
        view[:] = own
    sim.step(3000)
    np.testing.assert_allclose(sim.rate[0], sim.rate[1], rtol=1e-9, atol=1e-9)
    assert abs(sim.rate[0, 2]) > 1e-3


@pytest.mark.parametrize(("name", "servo"), [each for each in SERVOS if each not in STEERED])
def test_a_weak_servo_has_the_effect_of_a_smaller_deflection(name: str, servo: int) -> None:
    sim = pyrfly.Sim(name, 4)
    sim.controllers = False
    group, shares = sim.groups[0], np.ones((4, load(name).actuator_count))
    shares[:, servo] = [0.5, 1.0, 0.0, 1.0]
    sim.set_strength(shares)
    sim.reset(pos=HOME)
    sim.arm()
    sim.vel = [18.0, 0.0, 1.0]
    for actuator in TABLES[name]:
        for column, k in actuator.moves if actuator.is_motor else ():
            group.view(column).reshape(4, -1)[:, k] = 150.0
    deflections = [0.2, 0.1, 0.2, 0.0]
    for column, k in TABLES[name][servo].moves:
        group.view(column).reshape(4, -1)[:, k] = deflections
    starts = np.cumsum([0, *(group.view(column)[0].size for column in group.actuators)])
    at = int(np.searchsorted(starts, servo, "right")) - 1
    commands = group.view(group.actuators[at]).reshape(4, -1)
    commands[:, servo - starts[at]] = deflections  # of those that follow at once
    for column in RESULTS:
        half, smaller, lost, none = getattr(sim, column)
        np.testing.assert_allclose(half, smaller, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(lost, none, rtol=1e-12, atol=1e-12)
    assert max(np.ptp(getattr(sim, column)[[1, 3]], axis=0).max() for column in RESULTS) > 1e-3


@pytest.mark.parametrize("name", TOLD)
def test_whole_strengths_change_nothing(name: str) -> None:
    """But for rounding: the extended model is another compilation."""
    sims = [pyrfly.Sim(name), pyrfly.Sim(name)]
    sims[0].set_strength([1.0] * load(name).actuator_count)
    for sim in sims:
        sim.reset(pos=HOME if sim.groups[0].flies else None)
        sim.arm()
        sim.command_velocity([5.0, 0.0, 0.0])
        sim.step(300)
    for column in ("pos", "vel", "att", "rate"):
        np.testing.assert_allclose(
            getattr(sims[0], column), getattr(sims[1], column), rtol=1e-9, atol=1e-9
        )


def test_vehicles_without_strengths_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = replace(FAMILIES["multirotor"], actuators=lambda _: (MOTOR,) * 4)
    monkeypatch.setattr(families, "FAMILIES", {**FAMILIES, "multirotor": silent})
    with pytest.raises(pyrfly.ParameterError, match=r"set_strength: 'x450' \(CopterID 1\)"):
        pyrfly.Sim("x450", 2).set_strength([1.0] * 4)
    with pytest.raises(pyrfly.ParameterError, match=r"set_strength: .*'plain'"):
        pyrfly.Sim("sdk", effects="plain").set_strength([1.0] * 4)
