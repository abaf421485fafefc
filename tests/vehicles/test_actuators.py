"""What families say of their actuators, against what their models do."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.columns import fields_of_type
from pyrfly.vehicles import FAMILIES

BODY = {"pos", "vel", "att", "rate"}
SETS = [pyrfly.names(family)[k] for family in FAMILIES for k in (0, -1)]
TOLD = [
    *(name for name in SETS if any(a.moves for a in pyrfly.Sim(name).groups[0].ranges)),
    *("hex_x", "mixed"),
]


def rises(sim: pyrfly.Sim) -> dict[tuple[str, int], np.ndarray]:
    """Return how far vehicles are from the first in each actuator's state."""
    group = sim.groups[0]
    fields = fields_of_type(group.parameters.c_type)
    found = {}
    for field in fields:
        if field.role == "state" and field.name not in BODY:
            columns = group.view(field.name).reshape(sim.n, -1)
            for k, column in enumerate(columns.T):
                found[field.name, k] = np.abs(column - column[0])
    return found


@pytest.mark.parametrize("name", TOLD)
def test_a_command_moves_what_its_actuator_says(name: str) -> None:
    count = pyrfly.Sim(name).groups[0].parameters.actuator_count
    sim = pyrfly.Sim(name, 1 + count, integrator="euler", dt=2e-4)
    sim.controllers = False
    group = sim.groups[0]
    sim.reset(pos=[0, 0, -50] if group.flies else None)
    sim.arm()
    assert len(group.ranges) >= count
    starts = np.cumsum([0, *(group.view(column)[0].size for column in group.actuators)])
    for column, start in zip(group.actuators, starts, strict=False):
        view = group.view(column).reshape(1 + count, -1)
        for k in range(min(view.shape[1], count - start)):
            view[1 + start + k, k] = group.ranges[start + k].high
    drives = group.abilities.kind.on_surface  # where a wheel turns the other one, too, at first
    sim.step(2500 if drives else 1)
    found = rises(sim)
    for row, actuator in enumerate(group.ranges[:count], start=1):
        moved = {place: rise[row] for place, rise in found.items() if place in actuator.moves}
        others = [rise[row] for place, rise in found.items() if place not in actuator.moves]
        assert moved.keys() == set(actuator.moves)
        assert min(moved.values(), default=np.inf) > max(others), actuator
        assert bool(moved) == (actuator.high > actuator.low)
