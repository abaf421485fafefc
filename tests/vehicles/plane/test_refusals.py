"""Sets that cannot fly, and commands with wrong arguments."""

from __future__ import annotations

import copy
import re
import secrets
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterError
from pyrfly.vehicles import FAMILIES, VehicleParameters, names
from pyrfly.vehicles.entries import parse_toml

from .steady import cruising

FAMILY = FAMILIES["plane"]
SETS = names("plane")


def document(name: str = "aerosonde") -> dict[str, Any]:
    return parse_toml(name, (FAMILY.sets / f"{name}.toml").read_bytes())


def changed(column: str, value: object) -> dict[str, Any]:
    """Return the set of the Aerosonde with another value of a column; (i, x): of an element."""
    numbers = document()
    if isinstance(value, tuple):
        numbers[column]["value"] = copy.copy(numbers[column]["value"])
        numbers[column]["value"][value[0]] = value[1]
    else:
        numbers[column]["value"] = value
    return numbers


def build(numbers: dict[str, Any]) -> tuple[VehicleParameters, dict[str, Any]]:
    """Return a set and the gains that follow from it."""
    vehicle = FAMILY.build("plane.toml", numbers, lambda _name: {})
    return vehicle, FAMILY.gains(vehicle.columns, vehicle.c_type)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("wing_area", 0.0, "more than 0, got 0"),
        ("wing_area", -0.5, "more than 0, got -0.5"),
        ("wing_span", 0.0, "more than 0, got 0"),
        ("wing_chord", 0.0, "more than 0, got 0"),
        ("mass", 0.0, "more than 0, got 0"),
        ("mass", -1.0, "more than 0, got -1"),
        ("stall_angle", 0.0, "more than 0, got 0"),
        ("stall_sharpness", 0.0, "more than 0, got 0"),
        ("servo_tau", 0.0, "more than 0, got 0"),
        ("servo_rate", -1.0, "more than 0, got -1"),
        ("propeller_diameter", 0.0, "more than 0, got 0"),
        ("propeller_direction", 2.0, "at least -1 and at most 1, got 2"),
        ("motor_resistance", -0.1, "at least 0, got -0.1"),
        ("induced_drag", -0.01, "at least 0, got -0.01"),
        ("gear_stiffness", 0.0, "more than 0, got 0"),
        ("inertia", [1.0, 1.0, 3.0, 0, 0, 0], "inertia"),
        ("inertia", [-1.0, 1.0, 1.0, 0, 0, 0], "inertia"),
        ("lift_coef", (1, 0.0), "lift_coef: expected a positive value for the angle of attack"),
        ("lift_coef", (1, -5.0), "a positive value for the angle of attack, got -5"),
        ("lift_coef", (0, -9.0), "lift_coef: expected lift at an angle of attack"),
        ("lift_coef", (3, 50.0), "lift_coef: expected an elevator that changes the lift"),
        ("drag_coef", (0, -0.1), "drag_coef: expected a positive value for no lift, got -0.1"),
        ("pitch_coef", (1, 0.3), "the centre of mass before the neutral point, got 0.3"),
        ("pitch_coef", (2, 4.0), "pitch_coef: expected a negative value for the pitch rate"),
        ("pitch_coef", (3, 0.99), "trailing edge down, got 0.99"),
        ("roll_coef", (2, 0.5), "roll_coef: expected a negative value for the roll rate"),
        ("roll_coef", (4, -0.17), "roll_coef: expected a positive value for the aileron"),
        ("yaw_coef", (1, -0.07), "yaw_coef: expected a positive value for the sideslip"),
        ("yaw_coef", (3, 0.09), "yaw_coef: expected a negative value for the yaw rate"),
        ("yaw_coef", (5, 0.07), "yaw_coef: expected a negative value for the rudder"),
        ("rated_airspeed", 12.0, "rated_airspeed: expected more than the stall airspeed, 1"),
        ("rated_airspeed", 60.0, "propeller that carries the plane at its rated airspeed of 60"),
        ("propeller_thrust", [0.0, 0.0, 0.0], "propeller that carries"),
        ("propeller_thrust", [-0.1, 0.0, 0.0], "propeller that carries"),
        ("motor_voltage", 1.0, "propeller that carries"),
        ("surface_mix", [0.0] * 16, "surface_mix"),
        ("surface_travel", [0.0] * 8, "surface_travel"),
        ("gear_position", (0, -0.5), "gear_position"),
        ("gear_position", [0.5, -0.15], "a list of 24 numbers"),
        ("mass", float("nan"), "finite"),
        ("mass", "heavy", "expected a number"),
    ],
)
def test_a_set_that_cannot_fly_is_refused(column: str, value: object, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)) as caught:
        build(changed(column, value))
    assert str(caught.value).startswith("plane.toml: ")


def test_a_missing_entry_is_named() -> None:
    numbers = document()
    del numbers["wing_chord"], numbers["servo_tau"]
    with pytest.raises(ParameterError, match="wing_chord, servo_tau: missing"):
        build(numbers)


def test_an_unknown_entry_is_named() -> None:
    numbers = document()
    numbers["wing_cord"] = numbers["wing_chord"]
    with pytest.raises(ParameterError, match=r"unknown key 'wing_cord'.*wing_chord"):
        build(numbers)


def test_random_sets_fly_or_are_refused() -> None:
    """Any number replaced by any other: a clear error, or finite gains."""
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    random = np.random.default_rng(seed)
    columns = [
        name for name, entry in document().items() if isinstance(entry, dict) and name != "hull"
    ]
    for _ in range(12):
        numbers = document(SETS[random.integers(len(SETS))])
        for column in random.choice(columns, 1 + random.integers(3), replace=False):
            entry = numbers[column]["value"]
            factor = random.choice([0.0, -1.0, 1e-6, 0.1, 10.0, 1e3, 1e6, 1e12])
            if isinstance(entry, list):
                index = random.integers(len(entry))
                numbers[column]["value"] = list(entry)
                numbers[column]["value"][index] = float(factor * (entry[index] or 1.0))
            else:
                numbers[column]["value"] = float(factor * (entry or 1.0))
        try:
            vehicle, gains = build(numbers)
        except ParameterError:
            continue
        assert all(np.isfinite(values).all() for values in gains.values())
        assert np.isfinite(FAMILY.fastest_rate(vehicle, "full"))
        assert np.isfinite(vehicle.hull.extent).all()
        assert np.isfinite(FAMILY.trim(vehicle).commands).all()


def test_there_is_one_model() -> None:
    with pytest.raises(ParameterError, match="expected 'full' for the plane 'aerosonde'"):
        pyrfly.Sim("aerosonde", effects="plain")


@pytest.fixture(scope="module")
def flying() -> pyrfly.Sim:
    """Return a plane that is commanded a course."""
    sim = cruising()
    sim.plane.command_course(0.0, 300.0)
    return sim


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        ("circle", {"centre": [0, 0, -100], "radius": 0}, "radius: expected numbers other than 0"),
        ("circle", {"centre": [0, 0, -100], "airspeed": 0}, "airspeed: expected more than 0"),
        ("circle", {"centre": [0, 0, -100], "airspeed": -20}, "airspeed: expected more than 0"),
        ("circle", {"centre": [0, 0]}, "centre"),
        ("circle", {"centre": [0, 0, np.nan]}, "centre"),
        ("circle", {"centre": [0, 0, -100], "radius": np.inf}, "radius"),
        ("line", {"point": [0, 0, -100], "direction": [0, 0, 1]}, "direction: expected a horiz"),
        ("line", {"point": [0, 0, -100], "direction": [0, 0, 0]}, "direction: expected a horiz"),
        ("line", {"point": [0, 0], "direction": [1, 0, 0]}, "point"),
        ("course", {"course": np.nan, "height": 100}, "course"),
        ("course", {"course": [0, 1], "height": 100}, "course"),
        ("course", {"course": 0, "height": "high"}, "height"),
        ("attitude", {"roll": np.nan, "pitch": 0}, "roll"),
        ("attitude", {"roll": 0, "pitch": 0, "thrust": np.nan}, "thrust"),
        ("rate", {"rate": [0, 0], "thrust": 0.5}, "rate"),
        ("rate", {"rate": [0, 0, np.inf], "thrust": 0.5}, "rate"),
    ],
)
def test_wrong_arguments_are_named_and_change_nothing(
    flying: pyrfly.Sim, command: str, arguments: dict[str, Any], message: str
) -> None:
    before = flying.hash()
    with pytest.raises((TypeError, ValueError), match=message):
        getattr(flying.plane, f"command_{command}")(**arguments)
    assert flying.hash() == before


def test_a_plane_does_not_hover() -> None:
    with pytest.raises(ParameterError):
        pyrfly.Sim("aerosonde").reset(pos=[0, 0, -100], hover=True)


def test_planes_have_no_commands_of_other_families() -> None:
    with pytest.raises(AttributeError, match="command_speed"):
        pyrfly.Sim("aerosonde").plane.command_speed(3.0)


@pytest.mark.slow
def test_a_trim_at_rest_tells_the_velocity_and_that_another_may_be_given() -> None:
    expected = r"at a velocity of 0, 0, 0 m/s remains .*; it flies at about \d+ m/s: vel= gives"
    with pytest.raises(ParameterError, match=expected):
        pyrfly.Sim("aerosonde").trim()
    with pytest.raises(ParameterError, match="at a velocity of 0, 0, 0 m/s in a wind of 0, 3, 0"):
        pyrfly.Sim("aerosonde").trim(wind=[0, 3, 0])


def test_a_start_in_hover_tells_how_a_flight_starts() -> None:
    with pytest.raises(ParameterError, match=r"not hover but starts in flight .*pos=.*sim\.vel"):
        pyrfly.Sim("aerosonde").reset(pos=[0, 0, -50], hover=True)
