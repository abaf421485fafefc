"""Families of vehicles: the registry, commands of one family, simulations of several.

The second family is a multirotor with another name and other commands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterError, Sim
from pyrfly.columns import fields_of_type
from pyrfly.vehicles import (
    DEFAULT_FAMILY,
    FAMILIES,
    Setpoint,
    VehicleParameters,
    add_family,
    load,
)
from pyrfly.vehicles.actuators import MOTOR
from pyrfly.vehicles.build import build_from_columns
from pyrfly.vehicles.commands import FamilyCommands
from pyrfly.vehicles.family import CommandsOf, Family
from pyrfly.vehicles.multirotor import FAMILY, MultirotorCommands
from pyrfly.vehicles.trim import Trim


class GliderCommands(FamilyCommands):
    """Commands of the second family."""

    def command_descent(self, speed: float, ids: Any = None) -> None:
        chosen = self._select(ids)
        down = chosen.per_vehicle("speed", speed, "m/s")
        chosen.set_point(Setpoint.VELOCITY, vel_sp=down[:, None] * [0, 0, 1])


GLIDER: Family[GliderCommands] = replace(
    FAMILY,
    name="glider",
    abilities=FAMILY.abilities._replace(commands=frozenset({"command_velocity"})),
    commands=GliderCommands,
)


class GliderSim(Sim):
    """A simulation with the second family."""

    glider = CommandsOf(GLIDER)


@pytest.fixture
def mixed() -> GliderSim:
    """Two multirotors (CopterID 1, 2), three gliders (3 to 5), a multirotor (6)."""
    add_family(GLIDER)
    gliders = replace(load("x500"), name="kestrel", family="glider")
    return GliderSim({"x450": 2, gliders: 3, "hex_x": 1})


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
class TestEveryFamily:
    """Requirements of generic code on an entry of the registry."""

    def test_has_packaged_sets_of_its_own(self, family: Family[Any]) -> None:
        found = {path.stem for path in family.sets.glob("[!_]*.toml")}
        assert found
        assert found <= set(pyrfly.names())
        assert all(load(name).family == family.name for name in found)

    def test_gives_every_parameter_and_gain_of_its_c_type(self, family: Family[Any]) -> None:
        for path in family.sets.glob("[!_]*.toml"):
            vehicle = load(path.stem)
            given = {**vehicle.columns, **family.gains(vehicle.columns, vehicle.c_type)}
            expected = [f for f in fields_of_type(vehicle.c_type) if f.role in ("param", "gain")]
            assert {k: v.size for k, v in given.items()} == {f.name: f.width for f in expected}

    def test_has_a_trim_and_a_rate(self, family: Family[Any]) -> None:
        for path in family.sets.glob("[!_]*.toml"):
            vehicle = load(path.stem)
            begin = family.trim(vehicle)
            commands = np.atleast_1d(begin.commands if isinstance(begin, Trim) else begin)
            assert ((commands >= 0) & (commands <= 1)).all()
            rates = [family.fastest_rate(vehicle, effects) for effects in ("plain", "full")]
            assert 0 < rates[0] <= rates[1]

    def test_is_an_attribute_of_a_sim(self, family: Family[Any]) -> None:
        sim = Sim(next(family.sets.glob("[!_]*.toml")).stem)
        assert isinstance(getattr(sim, family.name), family.commands)
        assert sim.groups[0].family is family
        assert family.name in getattr(Sim, family.name).__doc__


def test_a_set_names_its_family(tmp_path: Path) -> None:
    text = (FAMILIES["multirotor"].sets / "sdk.toml").read_text()
    path = tmp_path / "mine.toml"
    path.write_text('family = "multirotor"\n' + text)
    assert load(path).family == load("sdk").family == DEFAULT_FAMILY == "multirotor"
    for wrong in ('"zeppelin"', "3", '["multirotor"]'):
        path.write_text(f"family = {wrong}\n" + text)
        message = rf"mine\.toml: family: expected one of {', '.join(FAMILIES)}"
        with pytest.raises(ParameterError, match=message):
            load(path)


@pytest.mark.parametrize(
    ("entry", "function", "message"),
    [
        ("build", lambda *_: None, "build: expected VehicleParameters, got None"),
        ("actuators", lambda _: (MOTOR,) * 3, "actuators: expected 4, those of .*, got 3"),
    ],
)
def test_a_set_that_does_not_fit_its_type(
    entry: str, function: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text((FAMILIES["multirotor"].sets / "sdk.toml").read_text())
    wrong = {"multirotor": replace(FAMILIES["multirotor"], **{entry: function})}
    monkeypatch.setattr("pyrfly.vehicles.sets.FAMILIES", wrong)
    with pytest.raises(ParameterError, match=f"mine.toml: <Family multirotor>: {message}"):
        load(path)


def test_a_set_of_a_type_that_there_is_not() -> None:
    with pytest.raises(ParameterError, match="mine: c_type: expected a type of new, got 'nope'"):
        build_from_columns("mine", {}, family="new", c_type="nope", ranges={})


@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")
@pytest.mark.parametrize("read", [lambda: load("x450"), lambda: load("mixed").airframes[1]])
def test_a_loaded_set_is_the_callers_own(read: Callable[[], VehicleParameters]) -> None:
    changed = read()
    mass, source = changed.columns.pop("mass"), changed.sources.pop("mass")
    assert (read().columns["mass"], read().sources["mass"]) == (mass, source)


def test_commands_of_a_family_command_all_its_vehicles_and_no_others(mixed: GliderSim) -> None:
    mixed.glider.command_descent(2.0)
    mixed.multirotor.command_rate([[i, 0, 0] for i in (1, 2, 6)], 0.5)
    assert mixed.vel_sp[:, 2].tolist() == [0, 0, 2, 2, 2, 0]
    assert mixed.rate_sp[:, 0].tolist() == [1, 2, 0, 0, 0, 6]
    rates = Setpoint.BODY_RATE | Setpoint.THRUST
    expected = [rates, rates, *[Setpoint.VELOCITY] * 3, rates]
    assert mixed.setpoint_mask.tolist() == expected


@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")
def test_commands_of_a_family_take_ids_of_its_vehicles(mixed: GliderSim) -> None:
    mixed.multirotor.command_attitude([[1, 0, 0, 0], [0, 1, 0, 0]], [0.2, 0.4], ids=[6, 1])
    assert mixed.thrust_sp.tolist() == [0.4, 0, 0, 0, 0, 0.2]
    before = mixed.snapshot()
    message = "ids: expected CopterIDs of the family multirotor, got 4, a glider"
    with pytest.raises(ValueError, match=message):
        mixed.multirotor.command_attitude([1, 0, 0, 0], 0.5, ids=[1, 4])
    assert mixed.snapshot() == before


@pytest.mark.parametrize(
    "command",
    [
        lambda sim: sim.command_position([1, 2, 3]),
        lambda sim: sim.command_position([1, 2, 3], ids=[1, 5]),
    ],
)
def test_a_command_that_a_family_lacks_reaches_no_vehicle(mixed: GliderSim, command: Any) -> None:
    before = mixed.snapshot()
    message = (
        r"command_position: 'kestrel' .* a glider, which has command_velocity, glider\.command_"
    )
    with pytest.raises(ValueError, match=message):
        command(mixed)
    assert mixed.snapshot() == before


@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")
def test_shared_commands_work_on_mixed_fleets(mixed: GliderSim) -> None:
    mixed.command_velocity(np.arange(18.0).reshape(6, 3))
    assert mixed.vel_sp.tolist() == np.arange(18.0).reshape(6, 3).tolist()
    mixed.command_position([1, 2, 3], ids=[6, 2])
    assert mixed.pos_sp[:, 0].tolist() == [0, 1, 0, 0, 0, 1]


def test_a_family_that_is_not_there_names_those_that_are() -> None:
    message = (
        r"glider: this Sim has no vehicles of this family; it has: multirotor "
        r"\(command_position, command_velocity, multirotor\.command_acceleration, "
    )
    with pytest.raises(AttributeError, match=message):
        _ = GliderSim("sdk").glider
    assert not hasattr(GliderSim("sdk"), "glider")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("command_position", "; there is sim.command_position"),
        ("arm", "; there is sim.arm"),
        ("command_speed", ""),
    ],
)
def test_a_command_that_a_family_lacks_names_those_it_has(
    mixed: GliderSim, name: str, hint: str
) -> None:
    message = f"^glider: expected one of glider.command_descent, got '{name}'{hint}$"
    with pytest.raises(AttributeError, match=message):
        getattr(mixed.glider, name)


def test_vehicles_of_a_family_can_be_selected(mixed: GliderSim) -> None:
    numbers = {name: len(mixed.select(family=name)) for name in (*FAMILIES, "glider")}
    assert numbers == {**dict.fromkeys(FAMILIES, 0), "multirotor": 3, "glider": 3}
    for unknown in ("Multirotor", "winged", 3, ["glider"]):
        known = ", ".join((*FAMILIES, "glider"))
        message = re.escape(f"family: expected one of {known}, got {unknown!r}")
        with pytest.raises(ValueError, match=message):
            mixed.select([1], family=unknown)
    mixed.select(family="glider").write("wind", [[1, 0, 0], [2, 0, 0], [3, 0, 0]])
    assert mixed.wind[:, 0].tolist() == [0, 0, 1, 2, 3, 0]


def test_an_attribute_has_the_name_of_its_family() -> None:
    # what a class body raises is wrapped by Python before 3.12
    with pytest.raises((TypeError, RuntimeError)) as caught:
        type("Wrong", (), {"drone": CommandsOf(FAMILY)})
    reason = caught.value if isinstance(caught.value, TypeError) else caught.value.__cause__
    assert str(reason) == "drone: expected the name of the family, multirotor"


def test_the_registry_is_the_class_of_attributes() -> None:
    assert isinstance(Sim("sdk").multirotor, MultirotorCommands)
    assert FAMILIES["multirotor"] is FAMILY
