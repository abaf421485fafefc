"""Parameter sets of rovers against what is published, and gains from numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterError, Sim
from pyrfly.vehicles import FAMILIES, load, names
from pyrfly.vehicles.entries import parse_toml

FAMILY = FAMILIES["rover"]
SETS = names("rover")
EXAMPLE = FAMILY.sets / "rover_differential.toml"

every_set = pytest.mark.parametrize("name", SETS)


def test_all_sets_are_packaged() -> None:
    assert {"husky_a200", "rover_differential", "turtlebot3_burger"} <= {*SETS}
    assert load("rover").name == "rover_differential"


@every_set
def test_every_number_has_a_source(name: str) -> None:
    document = parse_toml(name, (FAMILY.sets / f"{name}.toml").read_bytes())
    sizes = document.pop("hull")
    tables = [value for value in document.values() if isinstance(value, dict)]
    assert len(tables) == 12
    tables += sizes.values()
    assert all(table.keys() == {"value", "unit", "source"} for table in tables)
    assert all(len(table["source"]) > 10 for table in tables)


@every_set
def test_it_is_a_car_with_differential_drive_to_rflysim(name: str) -> None:
    vehicle = load(name)
    assert (vehicle.uav_type, vehicle.actuator_count) == (50, 2)


@pytest.mark.parametrize(
    ("name", "speed", "yaw_rate", "mass"),
    [
        ("rover_differential", 2.0, 2 * 2.0 / 0.6, 8.0),  # RO_MAX_THR_SPEED
        ("husky_a200", 1.0, 2.0, 50.0),  # max_velocity of control.yaml; "50 kg"
        ("turtlebot3_burger", 0.22, 2.84, 1.0),  # e-Manual
    ],
)
def test_top_speeds_are_the_published_ones(
    name: str, speed: float, yaw_rate: float, mass: float
) -> None:
    columns = load(name).columns
    top = columns["wheel_radius"][0] * columns["wheel_speed_max"][0]
    assert top == pytest.approx(speed, rel=1e-3)
    assert 2 * top / columns["track"][0] == pytest.approx(yaw_rate, rel=0.08)
    assert columns["mass"][0] == pytest.approx(mass, rel=0.15)


def test_masses_and_inertias_follow_from_the_parts() -> None:
    """Point masses at their places, and the inertias of base, wheels, casters, scanner."""
    gazebo = 0.130208333 + 2 * (0.5 * 0.3**2 + 0.000807) + (0.45**2 + 0.1**2 + 2 * 0.016)
    husky = 2.0296 + 4 * (2.637 * (0.256**2 + 0.2854**2) + 0.02467)
    burger = 2.0064e-3 + 2 * (0.0285 * 0.08**2 + 1.1e-5) + 0.005 * 0.081**2 + 0.114 * 0.032**2
    expected = {
        "rover_differential": (5 + 2 * 0.5 + 2 * 1.0, gazebo),
        "husky_a200": (46.034 + 4 * 2.637, husky),
        "turtlebot3_burger": (1.0, burger + 2 * 1e-3),
    }
    for name, (mass, inertia) in expected.items():
        columns = load(name).columns
        assert columns["mass"][0] == pytest.approx(mass, rel=1e-3)
        assert columns["yaw_inertia"][0] == pytest.approx(inertia, rel=2e-3)


def test_gains_are_those_of_px4_for_its_own_rover() -> None:
    """Airframe 50000_gz_rover_differential."""
    vehicle = load("rover_differential")
    gains = FAMILY.gains(vehicle.columns, vehicle.c_type)
    published = {
        "speed_limit": 1.8,
        "accel_limit": 4.0,
        "heading_p": 5.0,
        "look_ahead_time": 1.0,
        "yaw_rate_p": 0.25,
    }
    assert {name: gains[name][0] for name in published} == pytest.approx(published)
    assert gains["yaw_rate_limit"][0] == pytest.approx(math.radians(250), rel=0.01)
    assert gains["yaw_accel_limit"][0] == pytest.approx(math.radians(400), rel=0.15)
    assert gains["look_ahead_limit"].tolist() == pytest.approx([1.0, 10.0])


@every_set
def test_gains_ask_for_less_than_there_is(name: str) -> None:
    vehicle = load(name)
    numbers = {**vehicle.columns, **FAMILY.gains(vehicle.columns, vehicle.c_type)}
    radius, mass, friction, gravity = (
        numbers[key][0] for key in ("wheel_radius", "mass", "friction", "gravity")
    )
    drive = 2 * numbers["wheel_torque"][0] / (radius * mass)
    assert 0 < numbers["accel_limit"][0] < min(drive, friction * gravity)
    assert 0 < numbers["decel_limit"][0] < min(drive, friction * gravity)
    assert 0 < numbers["speed_limit"][0] < radius * numbers["wheel_speed_max"][0]


def changed(folder: Path, old: str, new: str) -> Path:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = folder / "changed.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("value = 0.6\n", "value = 0.0\n", "track: value: expected more than 0, got 0.0"),
        ("value = 8.0\n", "value = -8\n", "mass: value: expected more than 0"),
        ("value = 0.75\n", "value = -0.1\n", "friction: value: expected at least 0"),
        ("[slip_tau]", "[slip_time]", "unknown key 'slip_time'; try slip_tau"),
        ('unit = "N m"', 'unit = "Nm"', "wheel_torque: unit: expected 'N m', got 'Nm'"),
        ("value = [2.4, 4.8]", "value = 2.4", "wheel_torque: value: expected a list of 2 numbers"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=r"changed\.toml") as caught:
        load(changed(tmp_path, old, new))
    assert message in str(caught.value)


def test_there_is_one_model() -> None:
    with pytest.raises(ParameterError, match="effects: expected 'full' for the rover"):
        Sim("husky_a200", effects="plain")


def test_a_step_resolves_wheels_slip_and_suspension() -> None:
    assert FAMILY.fastest_rate(load("rover"), "full") == pytest.approx(50.0)
    Sim("rover", dt=0.049)
    with pytest.raises(ValueError, match=r"dt: expected at most 0\.05 s"):
        Sim("rover", dt=0.06)
    with pytest.raises(ValueError, match=r"dt: expected at most 0\.02 s"):
        Sim("rover", dt=0.05, integrator="euler")


def test_a_coarse_step_drives_as_a_fine_one() -> None:
    ends = []
    for dt in (1e-3, 0.02):
        sim = pyrfly.Sim("rover", dt=dt)
        sim.arm()
        sim.command_position([6, 4, 0])
        sim.sleep(12)
        ends.append(sim.pos[0].copy())
    np.testing.assert_allclose(ends[0], ends[1], atol=0.05)


@pytest.mark.parametrize(("column", "value"), [("wheel_radius", 1e308), ("track", 5e-324)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_parameters_without_finite_gains_are_refused(column: str, value: float) -> None:
    base = load("rover")
    columns = {**base.columns, column: np.full_like(base.columns[column], value)}
    with pytest.raises(ParameterError, match=r"rover_differential: .*(expected finite|no gains)"):
        Sim(replace(base, columns=columns))
