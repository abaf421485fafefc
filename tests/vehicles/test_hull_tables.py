"""The table [hull] of parameter files of every family."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pyrfly import ParameterError
from pyrfly.vehicles import FAMILIES, VehicleParameters, load, names
from pyrfly.vehicles.sets import read

every_family = pytest.mark.parametrize("family", FAMILIES)

BODY: dict[str, Any] = {
    "name": "body",
    "position": {"value": [0.0, 0.0, 0.0], "unit": "m"},
    "radius": {"value": 0.01, "unit": "m"},
}


def built(family: str, hull: Any) -> VehicleParameters:
    """Return a set of a family with another table."""
    document = {**read(names(family)[0])[1], "hull": hull}
    return FAMILIES[family].build("mine.toml", document, read)


def number(value: Any, unit: str) -> dict[str, Any]:
    return {"value": value, "unit": unit}


@every_family
def test_a_file_says_what_its_vehicle_withstands(family: str) -> None:
    table = {
        "landing_speed": number(1.5, "m/s"),
        "friction": number(0.7, "1"),
        "restitution": number(0.3, "1"),
        "height": number(2.0, "m"),
        "body_strength": number(9.0, "m/s"),
        "part_strength": number(8.0, "m/s"),
    }
    usual, hull = built(family, {}).hull, built(family, table).hull
    assert (hull.landing_speed, hull.friction, hull.restitution) == (1.5, 0.7, 0.3)
    assert hull.height == 2.0
    assert [shape.name for shape in hull.shapes] == [shape.name for shape in usual.shapes]
    assert {shape.strength for shape in hull.shapes if not shape.actuators} == {9.0}
    assert {shape.strength for shape in hull.shapes if shape.actuators} <= {8.0}


@every_family
def test_a_file_may_have_shapes_of_its_own(family: str) -> None:
    lost = [1, 0][-load(names(family)[0]).actuator_count :]
    rod = {
        **BODY,
        "name": "rod",
        "half_size": number([0.0, 0.1, 0.0], "m"),
        "strength": number(2.0, "m/s"),
        "actuators": lost,
        "source": "ruler",
    }
    body, part = built(family, {"shape": [BODY, rod]}).hull.shapes
    assert (body.name, body.half_size, body.radius) == ("body", (0.0, 0.0, 0.0), 0.01)
    assert (part.half_size, part.strength, part.actuators) == ((0.0, 0.1, 0.0), 2.0, tuple(lost))


@every_family
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (3, "hull: expected a table, got 3"),
        ({"landing": 3}, "hull: unknown key 'landing'; try .*landing_speed"),
        ({"friction": number(-1.0, "1")}, "hull: friction: value: expected at least 0, got -1.0"),
        ({"height": number(1.0, "mm")}, "hull: height: unit: expected 'm', got 'mm'"),
        ({"restitution": number(2.0, "1")}, "hull: restitution: value: expected .* at most 1"),
        ({"friction": number(2e3, "1")}, "hull: friction: expected 0 to 1000, got 2000.0"),
        ({"shape": {}}, r"hull: shape: expected 1 to 12 \[\[hull.shape\]\] tables, got {}"),
        ({"shape": []}, "hull: shape: expected 1 to 12 .* tables, got 0"),
        ({"shape": [BODY] * 13}, "hull: shape: expected 1 to 12 .* tables, got 13"),
        ({"shape": [4]}, "hull: shape 1: expected a table, got 4"),
        ({"shape": [BODY, BODY]}, "hull: shapes: name: expected each once, got 'body' again"),
        ({"shape": [{"name": "body"}]}, "hull: shape 1: position, radius: missing"),
        ({"shape": [{**BODY, "size": 1}]}, "hull: shape 1: unknown key 'size'"),
        ({"shape": [{**BODY, "name": 7}]}, "hull: shape 1: name: expected a text"),
        ({"shape": [{**BODY, "name": "\n\0b"}]}, "hull: shape 1: name: expected printable"),
        (
            {"shape": [{**BODY, "radius": number(0.0, "m")}]},
            "hull: shape 1: radius: value: expected more than 0, got 0.0",
        ),
        (
            {"shape": [{**BODY, "half_size": number([0.1, -0.1, 0.0], "m")}]},
            "hull: shape 1: half_size: value: expected at least 0, got -0.1",
        ),
        (
            {"shape": [{**BODY, "position": number([0.0, 0.0, 7.0], "m")}]},
            "hull: body: expected a place above the ground, up to height .* got 7.01 m",
        ),
        *(
            (
                {"shape": [{**BODY, "actuators": lost}]},
                "hull: shape 1: actuators: expected a list of numbers from 0 to .*, each once, got",
            )
            for lost in (3, [99], [-1], [True], [0.0], [0, 0], ["motor"])
        ),
    ],
)
def test_a_wrong_table_is_refused(family: str, wrong: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=rf"^mine\.toml: {message}"):
        built(family, wrong)


@every_family
def test_sizes_of_packaged_sets_have_a_source(family: str) -> None:
    for name in names(family):
        for key, entry in read(name)[1].get("hull", {}).items():
            assert len(entry["source"]) > 8, (name, key)


@every_family
def test_a_file_is_read_with_its_hull(family: str, tmp_path: Path) -> None:
    text = (FAMILIES[family].sets / f"{names(family)[0]}.toml").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    if "[hull]" not in text:
        text += "\n[hull]\n"
    line = '[hull]\nlanding_speed = { value = 2.25, unit = "m/s", source = "guessed" }\n'
    path.write_text(text.replace("[hull]\n", line), encoding="utf-8")
    assert load(path).hull.landing_speed == 2.25
