"""Parameter sets of marine craft: what is published, and what is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pyrfly
from pyrfly import ParameterError
from pyrfly.vehicles import FAMILIES, load, names
from pyrfly.vehicles.marine.floating import Floating

from .conftest import Document, document_of

FAMILY = FAMILIES["marine"]


def entries_of(document: Document) -> list[dict[str, Any]]:
    """Return the tables of value, unit and source, those of thrusters and fins, too."""
    tables = [value for value in document.values() if isinstance(value, dict)]
    rows = [row for key in ("thruster", "fin") for row in document.get(key, [])]
    return tables + [value for row in rows for value in row.values()]


@pytest.mark.parametrize("name", names("marine"))
def test_every_number_has_a_source(name: str) -> None:
    tables = entries_of(document_of(name))
    assert len(tables) > 40
    assert all(table.keys() == {"value", "unit", "source"} for table in tables)
    assert all(len(table["source"]) > 3 for table in tables)


def test_thrusters_and_fins_are_columns_in_their_order() -> None:
    columns = load("bluerov2_heavy").columns
    assert columns["thruster_axis"].reshape(3, 8)[2].tolist() == [0, 0, 0, 0, -1, 1, 1, -1]
    assert columns["fin_coef"].tolist() == [0, 0, 0, 0]
    assert load("remus100").columns["fin_normal"].reshape(3, 4)[:, 0].tolist() == [0, -1, 0]
    assert load("remus100").actuator_count == 12


def test_the_otter_floats_as_published() -> None:
    """GM_T and GM_L of otter.py [@pvs], computed there from KB, BM and KG."""
    of = Floating.of(load("otter").columns)
    assert of.metacentric_heights == pytest.approx((1.2325, 3.1113), abs=2e-3)
    assert of.rest_height == pytest.approx(0.246875, abs=1e-6)


def change(key: str, value: object) -> Callable[[Document], None]:
    return lambda document: document[key].update(value=value)


def drop(key: str) -> Callable[[Document], None]:
    return lambda document: document.pop(key)


def change_row(table: str, key: str, value: object) -> Callable[[Document], None]:
    return lambda document: document[table][0][key].update(value=value)


def point_down(document: Document) -> None:
    for row in document["thruster"]:
        row["axis"]["value"] = [0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (drop("mass"), "mass: missing"),
        (change("mass", 0.0), "mass: value: expected more than 0"),
        (change("mass", 500.0), "mass: expected a hull that floats, of at most 269.062 kg"),
        (change("buoyancy_position", [0.0, 0.0, 2.0]), "metacentric height of"),
        (change("buoyancy_position", [0.1, 0.0, 0.3]), "buoyancy_position: expected a middle"),
        (change("inertia", [1.0, 1.0, 5.0, 0.0, 0.0, 0.0]), "inertia: expected a tensor"),
        (change("mass", math.nan), "mass: value: expected"),
        (change("drag_linear", [77.0, math.inf, 1.0]), "drag_linear: value: expected"),
        (change("added_mass", [-5.0, 82.0, 55.0]), "added_mass: value: expected at least 0"),
        (change("inertia", [-1.0, 8.0, 8.0, 0.0, 0.0, 0.0]), "inertia: expected a tensor"),
        (change("water_density", 0.0), "water_density: value: expected more than 0"),
        (change("buoyancy_spread", [0.0, 0.4]), "buoyancy_position: expected a hull that floats"),
        (change("thruster_ahead", [0.0, -5.0, 0.0, 0.0, 0.0]), "thruster_ahead: expected thrust"),
        (change("thruster_ahead", [0.0] * 5), "thruster_ahead: expected thrust to its side"),
        (change("thruster_ahead", [-90.0, 99.0, 0.0, 0.0, 0.0]), "thruster_ahead: expected thrust"),
        (change("thruster_astern", [0.0, -5.0, 0.0, 0.0, 0.0]), "thruster_astern: expected thrust"),
        (point_down, "thruster: expected one whose axis points ahead or astern, got none"),
        (drop("thruster"), "thruster: expected at least one table"),
        (change_row("thruster", "axis", [0.0, 0.0, 0.0]), "thruster 1: axis: expected a direction"),
        (change_row("thruster", "axis", [1.0, 1.0, 0.0]), "thruster 1: axis: expected a direction"),
        (lambda d: d["thruster"][1].pop("position"), "thruster 2: position: missing"),
        (lambda d: d.update(thruster=d["thruster"] * 5), "thruster: expected up to 8 tables"),
        (lambda d: d.update(fin=3), "fin: expected up to 4 tables"),
        (lambda d: d.update(thruster_position=d["mass"]), "unknown key 'thruster_position'"),
        (lambda d: d.update(rest_height=d["mass"]), "unknown key 'rest_height'"),
    ],
)
def test_impossible_sets_name_the_entry(spoil: Callable[[Document], None], message: str) -> None:
    document = document_of("otter")
    spoil(document)
    with pytest.raises(ParameterError, match=re.escape(message)):
        FAMILY.build("my_boat.toml", document, lambda name: (name, {}))


def test_a_hull_that_turns_over_under_water_is_refused() -> None:
    """It floats upright by its water plane, but there is next to none of it."""
    document = document_of("bluerov2_heavy")
    document["buoyancy_position"]["value"][2] = 0.02
    with pytest.raises(ParameterError, match="buoyancy_position: expected a hull that is upright"):
        FAMILY.build("my_rov.toml", document, lambda name: (name, {}))


def test_thrusters_that_do_not_reverse_are_no_error() -> None:
    document = document_of("otter")
    document["thruster_astern"]["value"] = [0.0] * 5
    boat = FAMILY.build("my_boat.toml", document, lambda name: (name, {}))
    sim = pyrfly.Sim(boat, dt=0.0025)
    sim.controllers = False
    sim.thruster_command[0, :2] = 0.5
    sim.sleep(5)
    assert sim.vel_body[0, 0] > 0.5


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (drop("ship_wake"), "ship_wake: missing"),
        (change("ship_size", [7.0, 0.0]), "ship_size: expected a length and a draught above 0"),
        (change("ship_rudder_deduction", 1.5), "ship_rudder_deduction: value: expected"),
        (drop("fin"), "fin: expected one table [[fin]] of a ship, got 0"),
        (lambda d: d.update(thruster=d["thruster"] * 2), "thruster: expected one table"),
    ],
)
def test_impossible_ships_name_the_entry(spoil: Callable[[Document], None], message: str) -> None:
    document = document_of("kvlcc2")
    spoil(document)
    with pytest.raises(ParameterError, match=re.escape(message)):
        FAMILY.build("my_ship.toml", document, lambda name: (name, {}))


def test_a_file_of_ones_own_is_read(tmp_path: Path) -> None:
    path = tmp_path / "my_boat.toml"
    text = (FAMILY.sets / "otter.toml").read_text("utf-8")
    path.write_text(text.replace('name = "otter"', 'name = "my_boat"'), "utf-8")
    assert load(path).name == "my_boat"
