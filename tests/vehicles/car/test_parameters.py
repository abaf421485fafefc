"""Parameter sets of cars that cannot be: the message names the entry."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pyrfly import ParameterError
from pyrfly.vehicles import FAMILIES
from pyrfly.vehicles.entries import parse_toml

FAMILY = FAMILIES["car"]
SETS = {
    "single_track": "bmw_320i",
    "single_track_slip": "bmw_320i_slip",
    "car": "bmw_320i_detailed",
}


def build(name: str, changes: dict[str, dict[int, float]]) -> None:
    """Build a packaged set with other numbers, by entry and index."""

    def document(name: str) -> dict[str, Any]:
        return parse_toml(name, (FAMILY.sets / f"{name}.toml").read_bytes())

    changed = document(name)
    for entry, numbers in changes.items():
        value = changed[entry]["value"]
        values = list(value) if isinstance(value, list) else [value]
        for index, number in numbers.items():
            values[index] = number
        changed[entry]["value"] = values if isinstance(value, list) else values[0]
    FAMILY.build("my_car.toml", changed, document)


def refuses(name: str, entry: str, index: int, value: float, message: str) -> None:
    with pytest.raises(ParameterError, match=rf"my_car\.toml: {entry}: .*{message}"):
        build(name, {entry: {index: value}})


@pytest.mark.parametrize("name", SETS.values())
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e16])
@pytest.mark.parametrize(
    "entry", ["mass", "gravity", "axle_distance", "wheel_radius", "steering_max", "steering_tau"]
)
def test_numbers_that_are_none_are_refused_everywhere(name: str, entry: str, value: float) -> None:
    refuses(name, entry, 0, value, "value: expected")


@pytest.mark.parametrize("name", SETS.values())
@pytest.mark.parametrize("value", [0.0, -1.0])
@pytest.mark.parametrize(
    ("entry", "index"),
    [("mass", 0), ("gravity", 0), ("axle_distance", 0), ("axle_distance", 1), ("wheel_radius", 0)],
)
def test_no_mass_and_no_wheel_base_are_refused(
    name: str, entry: str, index: int, value: float
) -> None:
    refuses(name, entry, index, value, "expected more than 0")


@pytest.mark.parametrize(
    ("model", "entry", "index", "value", "message"),
    [
        ("single_track", "yaw_inertia", 0, 0.0, "expected more than 0"),
        ("single_track", "yaw_inertia", 0, -1.0, "expected more than 0"),
        ("single_track", "mass_height", 0, 9.0, "the front axle has load at accel_max"),
        ("single_track", "cornering_stiffness", 1, 0.0, "expected more than 0"),
        ("single_track", "friction", 0, -0.1, "expected"),
        ("single_track_slip", "tyre_longitudinal", 0, 0.0, "expected a positive value at index 0"),
        ("single_track_slip", "tyre_lateral", 3, 5.0, "expected a negative value at index 3"),
        ("single_track_slip", "axle_inertia", 0, 0.0, "expected more than 0"),
        ("car", "inertia", 0, 0.0, "expected positive principal moments, got 0"),
        ("car", "inertia", 1, -5.0, "expected positive principal moments, got -5"),
        ("car", "inertia", 2, 0.0, "expected positive principal moments, got 0"),
        ("car", "inertia", 3, 1e6, "expected positive principal moments"),
        ("car", "magic_longitudinal", 0, 0.0, "expected a positive shape factor at index 0"),
        ("car", "magic_longitudinal", 1, -1e6, "at the load of"),
        ("car", "magic_lateral", 0, -1.3, "expected a positive shape factor at index 0"),
        ("car", "magic_lateral", 3, 0.0, "at the load of"),
        ("car", "magic_lateral", 4, 0.0, "expected a positive load of the largest stiffness"),
        ("car", "magic_aligning", 2, 1.0, "expected a positive shape factor at index 0"),
        ("car", "tyre_load_range", 1, 1.0, "expected the smaller load first"),
        ("car", "wheel_inertia", 0, 0.0, "expected more than 0"),
        ("car", "spring_stiffness", 1, 0.0, "expected more than 0"),
    ],
)
def test_a_car_that_cannot_be_is_refused_by_its_entry(
    model: str, entry: str, index: int, value: float, message: str
) -> None:
    refuses(SETS[model], entry, index, value, message)


def test_brakes_that_lift_an_axle_are_refused_by_the_height_of_the_mass() -> None:
    with pytest.raises(
        ParameterError, match=r"my_car\.toml: mass_height: .*has load at brake_accel"
    ):
        build(SETS["single_track"], {"brake_accel": {0: 90.0}})


def test_an_aligning_moment_keeps_its_sign_over_all_loads() -> None:
    with pytest.raises(ParameterError, match=r"magic_aligning: .* moment of one sign from"):
        build(SETS["car"], {"magic_aligning": {0: 2.4, 1: -1.0, 2: 4.0}})


@pytest.mark.parametrize("model", [None, 3, "hovercraft"])
def test_a_model_that_there_is_not_is_refused(model: object) -> None:
    document = parse_toml("x", (FAMILY.sets / "bmw_320i.toml").read_bytes()) | {"model": model}
    with pytest.raises(ParameterError, match=r"my_car\.toml: model: expected one of"):
        FAMILY.build("my_car.toml", document, lambda name: {})
