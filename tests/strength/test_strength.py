"""Actuators that have lost some of their effect, of all families, and rotors of all multirotors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly.sim import group
from pyrfly.vehicles import FAMILIES, load, names
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
SERVOS = [
    *(("aerosonde", servo) for servo in range(3)),
    *(("xcell_60", servo) for servo in range(1, 5)),
    *(("gz_plane", channel) for channel in (2, 5, 6, 7)),
    ("gz_advanced_plane", 5),
    ("sih_tailsitter", 5),
]
MOTORS = [("aerosonde", 4), ("gz_plane", 4), ("gz_standard_vtol", 1)]


def weakened(name: str, actuator: int, strengths: list[float]) -> tuple[pyrfly.Sim, list[Any]]:
    """Return vehicles with strengths of an actuator, and views of the states that it moves."""
    sim = pyrfly.Sim(name, len(strengths))
    sim.controllers = False
    group = sim.groups[0]
    shares = np.ones((len(strengths), group.parameters.actuator_count))
    shares[:, actuator] = strengths
    sim.set_strength(shares)
    sim.reset(pos=HOME)
    moves = group.ranges[actuator].moves
    assert moves
    return sim, [group.view(column).reshape(sim.n, -1)[:, k] for column, k in moves]


@pytest.mark.parametrize(("name", "actuator"), SERVOS)
def test_a_weak_servo_has_the_effect_of_a_smaller_deflection(name: str, actuator: int) -> None:
    sim, moved = weakened(name, actuator, [0.5, 1.0, 0.0, 1.0])
    sim.arm()
    sim.vel = [18.0, 0.0, 1.0]
    deflections = [0.2, 0.1, 0.2, 0.0]
    for state in moved:
        state[:] = deflections
    if name == "xcell_60":
        sim.main_rotor_speed = load(name).columns["main_rotor_nominal"][0]
    if load(name).family == "gazebo_blocks":  # of joints that follow at once
        sim.channel[:, actuator] = deflections
    for column in RESULTS:
        half, smaller, lost, none = getattr(sim, column)
        np.testing.assert_allclose(half, smaller, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(lost, none, rtol=1e-12, atol=1e-12)
    changes = [np.ptp(getattr(sim, column)[[1, 3]], axis=0) for column in RESULTS]
    assert np.max(changes) > 1e-3


@pytest.mark.parametrize(("name", "actuator"), MOTORS)
def test_a_weak_motor_has_its_share_of_the_force(name: str, actuator: int) -> None:
    sim, (speed, *_) = weakened(name, actuator, [1.0, 0.25, 0.0, 1.0])
    sim.vel = [12.0, 0.0, 0.0]
    speed[:3] = 300.0
    whole, weak, lost, _ = sim.specific_force
    np.testing.assert_allclose(weak - lost, 0.25 * (whole - lost), rtol=1e-9, atol=1e-12)
    assert np.linalg.norm(whole - lost) > 0.05
    sim.vel = [0.0, 0.0, 0.0]
    np.testing.assert_allclose(sim.specific_force[2], sim.specific_force[3], atol=1e-12)


def test_a_lost_engine_is_one_without_throttle() -> None:
    sim, (speed,) = weakened("xcell_60", 0, [0.0, 1.0, 1.0])
    speed[:] = load("xcell_60").columns["main_rotor_nominal"][0]
    sim.engine_throttle = [1.0, 0.0, 1.0]
    sim.step(500)
    assert speed[0] == speed[1] < 0.9 * speed[2]


def test_a_side_of_a_rover_loses_its_torque() -> None:
    sim = pyrfly.Sim("husky_a200", 4)
    sim.controllers = False
    sim.set_strength([[1, 1], [0.25, 0.25], [0, 1], [0, 0]])
    sim.drive = 1.0
    sim.step(50)  # while the torque is the limit
    whole, weak, turning, lost = sim.vel[:, 0]
    assert weak == pytest.approx(0.25 * whole, rel=0.01)
    assert lost == 0
    assert 0 < turning < whole
    assert sim.rate[:, 2].tolist() == [0, 0, pytest.approx(sim.rate[2, 2]), 0]
    assert sim.rate[2, 2] < -0.01  # to the left, where no wheel drives


@pytest.mark.parametrize("family", FAMILIES)
def test_whole_strengths_change_no_bit(family: str) -> None:
    name = names(family)[0]
    sims = [pyrfly.Sim(name), pyrfly.Sim(name)]
    sims[0].set_strength([1.0] * load(name).actuator_count)
    for sim in sims:
        sim.reset(pos=HOME if sim.groups[0].flies else None)
        sim.arm()
        sim.command_velocity([5.0, 0.0, 0.0])
        sim.step(300)
    for column in ("pos", "vel", "att", "rate"):
        assert getattr(sims[0], column).tolist() == getattr(sims[1], column).tolist()


def test_vehicles_without_strengths_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = replace(FAMILIES["multirotor"], actuators=lambda _: (MOTOR,) * 4)
    monkeypatch.setattr(group, "FAMILIES", {**FAMILIES, "multirotor": silent})
    with pytest.raises(pyrfly.ParameterError, match=r"set_strength: 'x450' \(CopterID 1\)"):
        pyrfly.Sim("x450", 2).set_strength([1.0] * 4)
    with pytest.raises(pyrfly.ParameterError, match=r"set_strength: .*'plain'"):
        pyrfly.Sim("sdk", effects="plain").set_strength([1.0] * 4)
