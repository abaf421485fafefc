"""Motors and propellers in terms of a datasheet."""

from __future__ import annotations

from math import atan, pi
from pathlib import Path

import numpy as np
import pytest

from pyrfly import ParameterError, ParameterWarning, Sim, load

# A DJI-F450-like quadrotor: 920 rpm/V, 10 x 4.5 inch, 3 cells, 8.3 N measured for each rotor.
FILE = """
name = "mine"
layout = "quad_x"
mass = { value = 1.5, unit = "kg" }
inertia = { value = [0.021, 0.022, 0.037, 0, 0, 0], unit = "kg m^2" }
arm_length = { value = 0.225, unit = "m" }
motor_tau = { value = [0.03, 0.03], unit = "s" }
drag_quadratic = { value = [0.05, 0.05, 0.08], unit = "N s^2/m^2" }

[motor]
kv = { value = 920, unit = "rpm/V", source = "label" }
cells = { value = 3, unit = "1" }
propeller_diameter = { value = 10, unit = "inch" }
propeller_pitch = { value = 4.5, unit = "inch" }
thrust = { value = 8.3, unit = "N", source = "stand" }
"""


def written(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    text = FILE
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return path


def test_full_throttle_gives_the_measured_thrust_in_flight(tmp_path: Path) -> None:
    sim = Sim(written(tmp_path))
    sim.controllers = False
    sim.reset(pos=[0, 0, -10])
    sim.throttle = 1.0
    sim.step(1000)
    sim.vel = 0
    assert -sim.specific_force[0, 2] * 1.5 == pytest.approx(4 * 8.3, rel=1e-6)


def test_speed_and_torque_are_those_of_the_published_model(tmp_path: Path) -> None:
    """The formulas of the docstring, written out again with the numbers of the paper."""
    params = load(written(tmp_path))
    angle = 0.85 * atan(4.5 / (pi * 10))
    c_t = 0.25 * pi**3 * 0.75 * 0.25 * 2 * 6.11 * angle / (5 * pi + 6.11)
    c_d = 0.015 + pi * 5 * 6.11**2 / 0.83 * angle**2 / (5 * pi + 6.11) ** 2
    c_m = pi**2 * c_d * 0.25 * 0.75 * 4 / 40
    revolutions = (8.3 / (c_t * 1.225 * 0.254**4)) ** 0.5
    speed = 2 * pi * revolutions
    assert params.columns["motor_curve"] == pytest.approx([0, speed, 0, 0])
    assert params.columns["thrust_coef"] == pytest.approx([0, 8.3 / speed**2])
    torque = c_m * 1.225 * revolutions**2 * 0.254**5
    assert params.columns["torque_coef"] == pytest.approx([0, torque / speed**2])
    assert "kv: label" in params.sources["motor_curve"]


def test_rotors_are_as_large_as_its_propellers(tmp_path: Path) -> None:
    rotor = load(written(tmp_path)).hull.shapes[1]
    assert rotor.high[0] - rotor.low[0] == pytest.approx(0.254)


def test_the_model_is_near_a_measured_propeller(tmp_path: Path) -> None:
    """RflySim's SDK quadrotor: 1.681e-5 N s^2 and 2.783e-7 N m s^2, a 10 inch propeller.

    The mean coefficients are within a fifth for the ratio of torque to thrust, which does not
    depend on the speed.
    """
    ratio = {}
    for params in (load(written(tmp_path)), load("sdk")):
        columns = params.columns
        ratio[params.name] = columns["torque_coef"][1] / columns["thrust_coef"][1]
    assert ratio["mine"] == pytest.approx(ratio["sdk"], rel=0.2)


@pytest.mark.parametrize(
    "changes",
    [
        [('8.3, unit = "N"', f'{8.3 / 9.80665e-3}, unit = "g"')],
        [('10, unit = "inch"', '0.254, unit = "m"'), ('4.5, unit = "inch"', '0.1143, unit = "m"')],
    ],
)
def test_units_of_a_datasheet_are_equal_to_si(
    tmp_path: Path, changes: list[tuple[str, str]]
) -> None:
    expected = load(written(tmp_path)).columns
    got = load(written(tmp_path, *changes)).columns
    for name in ("thrust_coef", "torque_coef", "motor_curve"):
        np.testing.assert_allclose(got[name], expected[name], rtol=1e-12)


def test_three_blades_turn_slower_for_the_same_thrust(tmp_path: Path) -> None:
    three = written(tmp_path, ("[motor]", '[motor]\nblades = { value = 3, unit = "1" }'))
    assert (
        load(three).columns["motor_curve"][1]
        < 0.9 * load(written(tmp_path)).columns["motor_curve"][1]
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kv = ", "kw = ", "motor: unknown key 'kw'; try kv"),
        ("8.3", "0", "motor: thrust: value: expected more than 0, got 0"),
        ('"rpm/V"', '"rad/s"', "motor: kv: unit: expected 'rpm/V', got 'rad/s'"),
        ('4.5, unit = "inch"', '4.5, unit = "cm"', "unit: expected 'inch or m', got 'cm'"),
        ("value = 920", "value = 300", r"needs \d+ rpm for its thrust, the motor has 3330 rpm"),
        ("[motor]", '[thrust_coef]\nvalue=[0, 1]\nunit="N s^k"\n[motor]', "either thrust_coef or"),
        ('cells = { value = 3, unit = "1" }', "", "motor: cells: missing"),
        (FILE.split("[motor]")[1].split("propeller")[0], "\n", "motor: kv, cells: missing"),
    ],
)
def test_wrong_tables_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        load(written(tmp_path, (old, new)))


def test_a_motor_that_the_propeller_hardly_loads_warns(tmp_path: Path) -> None:
    with pytest.warns(ParameterWarning, match=r"speed at full throttle over no-load speed 0\.\d+"):
        load(written(tmp_path, ("value = 920", "value = 2300")))
