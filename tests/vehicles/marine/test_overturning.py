"""Boats that turn over at their own full thrust, and what their sets are told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import FAMILIES, load
from pyrfly.vehicles.plausibility import Quantity

from .conftest import under_way

DEPTHS = (-2.0, 0.3, 0.7, 1.1, 1.8, 3.0, 4.6)
"""Places of the thrusters below the centre of mass [m]; the first is out of the water."""


def lowered(sim: pyrfly.Sim) -> None:
    """Put the thrusters of each boat at another of the depths."""
    places = sim.thruster_position.reshape(sim.n, 3, -1)
    used = sim.thruster_axis.reshape(sim.n, 3, -1)[:, 0] != 0
    places[:, 2] = np.where(used, np.array(DEPTHS)[:, None], places[:, 2])


def told(sim: pyrfly.Sim, row: int) -> Quantity:
    """Return what the set of a boat would be told of its thrust."""
    parameters = sim.groups[0].parameters
    columns = {**parameters.columns, "thruster_position": sim.thruster_position[row].copy()}
    quantities = FAMILIES["marine"].plausibility(replace(parameters, columns=columns))
    return next(one for one in quantities if one.name.startswith("moment of full thrust"))


@pytest.mark.parametrize("name", ["otter", "wam_v", "gz_boat"])
def test_boats_turn_over_where_their_thrust_takes_more_than_the_largest_righting_moment(
    name: str,
) -> None:
    sim = under_way(name, len(DEPTHS), dt=0.002)
    lowered(sim)
    sim.thruster_command[:, :2] = 1.0
    turned = np.zeros(sim.n, bool)
    for _ in range(60):
        sim.step(250)
        turned |= np.abs(sim.euler[:, 1]) > 0.7
        turned |= np.abs(sim.euler[:, 0]) > 0.7
    numbers = [told(sim, row) for row in range(sim.n)]
    assert numbers[0].value == 0.0
    assert turned.any()
    assert turned.tolist() == [number.value > 0.95 for number in numbers]
    assert [number.usual for number in numbers] == [number.value <= 0.8 for number in numbers]


def test_a_set_that_turns_over_is_warned_of(tmp_path: Path) -> None:
    text = (FAMILIES["marine"].sets / "otter.toml").read_text(encoding="utf-8")
    file = tmp_path / "deep.toml"
    file.write_text(text.replace("0.446875]", "2.5]"), encoding="utf-8")
    with pytest.warns(pyrfly.ParameterWarning, match="moment of full thrust over the largest"):
        load(str(file))
