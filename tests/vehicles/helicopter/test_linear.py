"""Linear models about hover, against the published derivatives: poles and DC gains.

The published models are level; these are the same derivatives about the bank that a hover has
against the side force of the tail rotor, by the equations of motion.
"""

from __future__ import annotations

from collections.abc import Callable
from math import asin, cos, pi, sin, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly

Array = NDArray[np.float64]
G = 9.80665

BLADE = {
    "Lb": 5115.2, "Ma": 796.7, "Mu": 2.7501, "Mv": -2.3039, "Lu": -28.7796, "Lv": -5.5376,
    "Xu": -0.2270, "Yv": -0.1852, "Yp": 0.2303, "Zw": -0.5910, "Nr": -2.0131, "Nw": 5.7574,
    "Nv": 1.7258, "Ncol": -32.4616, "Nped": 63.0040, "Zcol": -22.3239, "Yped": 0.0,
    "tau": 0.0353, "Lfa": 1.0477, "Mfb": -1.0057,
    "Lfx": 0.2375, "Lfy": -0.0286, "Mfx": 0.0344, "Mfy": 0.2292,
}  # fmt: skip
"""VFS Forum 77, by ArduPilot's SIM_Helicopter.cpp: collective 0 to 1, pedal -1.45 to 1.45."""

CONVENTIONAL = {
    "Lb": 3588.6, "Ma": 617.5, "Mu": 0.003, "Mv": 0.0, "Lu": 0.0, "Lv": -0.006,
    "Xu": -0.125, "Yv": -0.375, "Yp": 0.0, "Zw": -2.25, "Nr": -2.96, "Nv": 0.0,
    "Nped": 21.6 * 2.96, "Zcol": -G / 5.0, "Yped": -21.6 * 2.96 * 0.2 / (4.54 * 0.85),
    "tau": 0.068232, "Lfa": 1.2963, "Mfb": -1.3402,
    "Lfx": 1.7635, "Lfy": -0.61171, "Mfx": 0.52454, "Mfy": 1.9432,
}  # fmt: skip
"""Of the same file; collective in degrees, cyclic in rad."""

STATES = "u v w p q r b a phi theta".split()
CONTROLS = "x y col ped".split()
PEDAL = {"blade_360": 1.45, "conventional_heli": 1.0}
COLLECTIVE = {"blade_360": 3.51 / 2, "conventional_heli": 25.0}
CYCLIC = {
    name: (1.283 * sqrt(3) / 2 * scale, 1.48 * 0.75 * scale)
    for name, scale in (("blade_360", 1.0), ("conventional_heli", 1 / 7.2))
}
"""Controls per height and tilt of a plate on servos at -60, 60 and 180 degrees."""


def published(d: dict[str, float], bank: float) -> tuple[Array, Array]:
    """Return A and B of the published derivatives about a hover with a bank [rad]."""
    i = {name: k for k, name in enumerate(STATES)}
    a = np.zeros((len(STATES), len(STATES)))
    down, side = G * cos(bank), G * sin(bank)

    def row(name: str, **slopes: float) -> None:
        for other, slope in slopes.items():
            a[i[name], i[other]] = slope

    row("u", u=d["Xu"], a=-down, theta=-down)
    row("v", v=d["Yv"], p=d["Yp"], b=down, phi=down)
    row("w", w=d["Zw"], phi=-side)
    row("p", u=d["Lu"], v=d["Lv"], b=d["Lb"])
    row("q", u=d["Mu"], v=d["Mv"], a=d["Ma"])
    row("r", v=d["Nv"], w=d["Nw"], r=d["Nr"])
    row("b", p=-1.0, b=-1 / d["tau"], a=d["Lfa"] / d["tau"])
    row("a", q=-1.0, a=-1 / d["tau"], b=d["Mfb"] / d["tau"])
    row("phi", p=1.0)
    row("theta", q=1.0)
    b = np.zeros((len(STATES), len(CONTROLS)))
    b[i["b"], :2] = d["Lfx"] / d["tau"], d["Lfy"] / d["tau"]
    b[i["a"], :2] = d["Mfx"] / d["tau"], d["Mfy"] / d["tau"]
    b[i["w"], 2], b[i["r"], 2] = d["Zcol"], d["Ncol"]
    b[i["v"], 3], b[i["r"], 3] = d["Yped"], d["Nped"]
    return a, b


def plate_to_servos(height: float, pitch: float, roll: float) -> list[float]:
    """Return the servos of a plate, those of the fourth that there is not included."""
    angles = (-pi / 3, pi / 3, pi)
    return [*(height + pitch * cos(x) - roll * sin(x) for x in angles), 0.0]


def own(name: str) -> tuple[Array, Array, Array, float]:
    """Return A and B of a set in the states and controls above, all its poles, and its bank [rad].

    Servos, tail and rotor speed are held: the controls act on what they move.
    """
    sim = pyrfly.Sim(name)
    model = sim.linearize(point=sim.trim())
    index = {label: k for k, label in enumerate(model.states)}
    full = model.A[0]
    bank = float(2 * asin(model.point.state["att"][0, 1]))

    to_body = np.array([[1, 0, 0], [0, cos(bank), sin(bank)], [0, -sin(bank), cos(bank)]])
    labels = [f"vel[{k}]" for k in range(3)] + [f"rate[{k}]" for k in range(3)]
    labels += ["tip_path[0]", "tip_path[1]", "att[0]", "att[1]"]
    rows = [index[label] for label in labels]
    turn = np.eye(len(STATES))
    turn[:3, :3] = to_body
    a = turn @ full[np.ix_(rows, rows)] @ turn.T

    servos = [index[f"swash_position[{k}]"] for k in range(4)]
    right, back = CYCLIC[name]
    moved = np.array(
        [
            plate_to_servos(0, 0, 1 / right),
            plate_to_servos(0, 1 / back, 0),
            plate_to_servos(1 / COLLECTIVE[name], 0, 0),
        ]
    )
    tail = full[np.ix_(rows, [index["tail_position[0]"]])] / PEDAL[name]
    b = turn @ np.hstack([full[np.ix_(rows, servos)] @ moved.T, tail])
    return a, b, np.linalg.eigvals(full), bank


def momentum_slopes(mass: float, area: float, factor: float) -> Callable[[float, float], float]:
    """Return a function of the change of rotor power per collective or descent speed [W].

    P = k T v + T V with the induced velocity v of momentum theory, dv/dV = -1/2 in hover.
    """
    weight = mass * G
    induced = sqrt(weight / (2 * 1.225 * area))

    def slope(thrust_slope: float, climb_slope: float) -> float:
        by_thrust = 1.5 * factor * induced * thrust_slope
        return by_thrust + weight * (1 - factor / 2) * climb_slope

    return slope


def with_engine(d: dict[str, float]) -> dict[str, float]:
    """Return the conventional derivatives with those of the engine's reaction, of its torques."""
    mass, speed, inertia = 4.54, 1500 * pi / 30, 0.2
    hover, profile = mass * G * sin(3.2 * pi / 180) * 0.85, 1.08
    area = pi * 0.775**2
    ideal = mass * G * sqrt(mass * G / (2 * 1.225 * area))
    slope = momentum_slopes(mass, area, (hover - profile) * speed / ideal)
    per = -1 / (speed * inertia)
    return {
        **d,
        "Ncol": per * slope(-mass * d["Zcol"], 0.0),
        "Nw": per * slope(-mass * d["Zw"], -1.0),
    }


SETS = {"blade_360": BLADE, "conventional_heli": with_engine(CONVENTIONAL)}
each_set = pytest.mark.parametrize("name", SETS)


@each_set
def test_every_derivative_is_the_published_one(name: str) -> None:
    """To rounding; of yaw what the engine gives of a weight, as banked the rotor carries less."""
    a, b, _, bank = own(name)
    expected_a, expected_b = published(SETS[name], bank)
    yaw, down, collective = STATES.index("r"), STATES.index("w"), CONTROLS.index("col")
    assert a[yaw, down] == pytest.approx(expected_a[yaw, down], rel=1e-3)
    assert b[yaw, collective] == pytest.approx(expected_b[yaw, collective], rel=1e-3)
    a[yaw, down], b[yaw, collective] = expected_a[yaw, down], expected_b[yaw, collective]
    np.testing.assert_allclose(a, expected_a, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(b, expected_b, rtol=1e-6, atol=1e-6)


@each_set
def test_poles_are_the_published_ones_and_those_of_servos_and_governor(name: str) -> None:
    """The published derivatives with the heading, as a yaw in a bank also pitches."""
    sim, (_, _, poles, bank) = pyrfly.Sim(name), own(name)
    a, _ = published(SETS[name], bank)
    with_heading = np.pad(a, (0, 1))
    with_heading[0, -1] = G * sin(bank)
    with_heading[-1, STATES.index("r")] = 1.0
    lags = [-1 / getattr(sim, name)[0] for name in ("swash_tau", "tail_tau", "governor_tau")]
    for pole in (*np.linalg.eigvals(with_heading), *lags):
        assert np.abs(poles - pole).min() < 2e-4 * abs(pole) + 1e-6, pole


@each_set
def test_fast_poles_are_those_of_the_level_model(name: str) -> None:
    """Of the rotor and the body, which the bank hardly changes."""
    _, _, poles, _ = own(name)
    expected = np.linalg.eigvals(published(SETS[name], 0.0)[0])
    fast = expected[np.abs(expected) > 10]
    assert len(fast) == 4
    for pole in fast:
        assert np.abs(poles - pole).min() < 1e-3 * abs(pole), pole


@each_set
def test_dc_gains_are_those_of_the_published_model(name: str) -> None:
    """Of the states that do not vanish in a steady motion."""
    a, b, _, bank = own(name)
    expected_a, expected_b = published(SETS[name], bank)
    steady = [k for k, state in enumerate(STATES) if state not in ("p", "q")]
    gain = -np.linalg.solve(a, b)[steady]
    expected = -np.linalg.solve(expected_a, expected_b)[steady]
    scale = np.abs(expected).max(axis=1, keepdims=True)
    np.testing.assert_allclose(gain / scale, expected / scale, atol=5e-4)


def test_rates_of_a_fixed_speed_follow_the_cyclic_as_published() -> None:
    """DC gains of roll and pitch rate with the body at rest: the inverse of the coupled plane."""
    d = BLADE
    a, b, _, _ = own("blade_360")
    fast = [STATES.index(name) for name in ("p", "q", "b", "a")]
    gain = -np.linalg.solve(a[np.ix_(fast, fast)], b[fast, :2])[:2]
    expected = np.array([[d["Lfx"], d["Lfy"]], [d["Mfx"], d["Mfy"]]]) / d["tau"]
    np.testing.assert_allclose(gain, expected, rtol=1e-5)


def test_the_bank_in_hover_is_that_against_the_tail_rotor() -> None:
    assert own("blade_360")[3] == pytest.approx(asin(3.2 * 0.01745), rel=1e-6)
    assert own("conventional_heli")[3] == pytest.approx(3.2 * pi / 180, rel=2e-3)
