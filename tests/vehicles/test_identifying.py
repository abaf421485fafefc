"""What can be identified of every set of the families that say how."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly.columns import command_columns, fields_of_type
from pyrfly.identify.parameters import with_values
from pyrfly.vehicles import FAMILIES, Family, VehicleParameters

from .conftest import SETS

SIGNALS = frozenset({"force", "rate", "vel", "att", "rotor_speed"})
IDENTIFIED = [family for family in FAMILIES.values() if family.recipe is not None]


def sets_of(family: Family[Any]) -> list[VehicleParameters]:
    of = [one for one in SETS.values() if one.family == family.name and not one.airframes]
    return [family.recipe().prepare(one) for one in of]


@pytest.mark.parametrize("family", IDENTIFIED, ids=str)
def test_parameters_begin_with_the_set_and_move_their_columns(family: Family[Any]) -> None:
    recipe = family.recipe()
    for base in sets_of(family):
        table = recipe.parameters(base, SIGNALS)
        names = [one.name for one in table]
        assert len(set(names)) == len(names)
        assert set(recipe.usual(tuple(names), SIGNALS)) <= set(names)
        for one in table:
            assert one.size > 0, one.name
            for value in (one.start, one.start + one.size):
                found = with_values(base, table, {one.name: value}).columns
                moved = {k for k, v in base.columns.items() if not np.array_equal(found[k], v)}
                expected = {one.column} & base.columns.keys() if value != one.start else set()
                assert moved == expected, one.name


@pytest.mark.parametrize("family", IDENTIFIED, ids=str)
def test_commands_and_actuators_of_a_recipe_are_those_of_its_sets(family: Family[Any]) -> None:
    recipe = family.recipe()
    for base in sets_of(family):
        widths = {field.name: field.width for field in fields_of_type(base.c_type)}
        commands = command_columns(base.c_type)
        assert set(recipe.powered) <= set(commands)
        assert set(recipe.actuators) <= set(widths)
        if recipe.deflections is not None:
            found = recipe.deflections(base)
            assert found.shape == (4, sum(widths[name] for name in commands))
            assert np.isfinite(found).all()
