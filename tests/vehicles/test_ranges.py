"""Ranges of parameter columns of all families: what is drawn for vehicles keeps them."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.columns import fields_of_type
from pyrfly.sim.laws import draws
from pyrfly.vehicles import FAMILIES, load, names


def one_of_each_type() -> list[str]:
    """Return the first set of each type of the core, of families with ranges."""
    found: dict[str, str] = {}
    for family in FAMILIES.values():
        for name in names(family.name) if family.ranges or family.ranges_by_type else ():
            found.setdefault(load(name).c_type, name)
    return list(found.values())


SETS = one_of_each_type()

TENSORS = [
    name for name in SETS if "inertia" in {f.name for f in fields_of_type(load(name).c_type)}
]
"""Those with an inertia tensor."""


def outside(sim: Sim) -> list[tuple[str, float]]:
    """Return the parameters that have a range, with a number that is out of it."""
    group, found = sim.groups[0], []
    for field in group.fields:
        if field.role != "param":
            continue
        low, high = group.family.range_of(field.name, group.parameters.c_type, (-inf, inf))
        found += [(field.name, low - 1.0)] if low > -inf else []
        found += [(field.name, high + 1.0)] if high < inf else []
    return found


@pytest.mark.parametrize("name", SETS)
def test_no_column_is_drawn_out_of_its_range(name: str) -> None:
    sim = Sim(name)
    cases = outside(sim)
    assert len(cases) > 5
    for column, value in cases:
        before = sim.groups[0].view(column).copy()
        ends = np.stack([before[0], np.full_like(before[0], value)])
        for low, high in ((ends.min(axis=0), ends.max(axis=0)), (value, value)):
            with pytest.raises(ValueError, match=column):
                sim.randomize(column, low, high)
        with pytest.raises(ValueError, match=column):
            draws(sim, {column: ("uniform", value, value)}, 1, 4)
        np.testing.assert_array_equal(sim.groups[0].view(column), before)


@pytest.mark.filterwarnings("ignore::pyrfly.ParameterWarning")  # 5 kg m^2 seem another unit
@pytest.mark.parametrize("name", TENSORS)
def test_no_inertia_is_drawn_that_no_body_has(name: str) -> None:
    sim = Sim(name)
    own = sim.inertia[0].copy()
    negative = own.copy()
    negative[0] = -own[0]
    for low, high in ((-5.0, -1.0), (negative, own), (-np.abs(own), np.abs(own))):
        with pytest.raises(ValueError, match="inertia: expected"):
            sim.randomize("inertia", low, high)
    for law in (("uniform", -5.0, -1.0), ("scale", -1.0, 1.0), (("uniform", -1.0, 1.0), *own[1:])):
        with pytest.raises(ValueError, match="inertia: expected"):
            draws(sim, {"inertia": law}, 1, 4)
    with pytest.raises(ValueError, match="inertia: expected"):
        sim.inertia = -own
    ends = np.sort([0.95 * own, 1.05 * own], axis=0)
    sim.randomize("inertia", *ends)
    assert (np.abs(sim.inertia[0] / np.where(own, own, 1)) <= 1.05).all()
