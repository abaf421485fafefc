"""Entries of tables of blocks from plug-ins of an SDF file, each in the range of its column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pyrfly import exact
from pyrfly.vehicles.entries import Rule, check_number
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.plugins import Plugins, Table
from pyrfly.vehicles.gazebo_blocks.rules import KINDS

__all__ = ["directions_of", "entry_of", "numbers_of", "position_of", "refuse_radial"]

_DIRECTIONS = {"forward": np.array([1.0, 0.0, 0.0]), "upward": np.array([0.0, 0.0, 1.0])}
_SQUARE = 1e-3  # maximum cosine between forward and upward


def entry_of(plugins: Plugins, plugin: Node, name: str, kind: str, key: str, value: Any) -> Table:
    """Return an entry of a table in the unit of its column, after a check of its range.

    ``name`` is the element that the value follows from.
    """
    rule = KINDS[kind][key]
    where = f"{plugins.source.where(plugin)}: <{name}>"
    for number in value if isinstance(value, list) else [value]:
        check_number(where, number, rule)
    return {"value": value, "unit": rule.unit}


def numbers_of(plugins: Plugins, plugin: Node, kind: str, which: Mapping[str, Any]) -> Table:
    """Return entries that are one number each: by key an element and a default, or None."""
    return {
        key: {
            "value": plugins.source.number(plugin, name, default, _of_one(KINDS[kind][key])),
            "unit": KINDS[kind][key].unit,
        }
        for key, (name, default) in which.items()
    }


def position_of(plugins: Plugins, plugin: Node, name: str, kind: str, link: str) -> Table:
    """Return the entry ``position`` of a place in a link."""
    place = plugins.source.numbers(plugin, name, 3, np.zeros(3))
    return entry_of(plugins, plugin, name, kind, "position", plugins.body.place(link, place))


def directions_of(plugins: Plugins, plugin: Node, kind: str, link: str) -> Table:
    """Return the entries ``forward`` and ``upward``, which are square to each other."""
    found = {
        name: plugins.source.direction(plugin, name, usual) for name, usual in _DIRECTIONS.items()
    }
    if abs(exact.dot(found["forward"], found["upward"])) > _SQUARE:
        raise plugins.source.error(plugin, "<upward>: expected a direction square to <forward>")
    return {
        name: entry_of(plugins, plugin, name, kind, name, plugins.body.direction(link, vector))
        for name, vector in found.items()
    }


def refuse_radial(plugins: Plugins, plugin: Node) -> None:
    """Refuse bodies of revolution, which no block is."""
    if plugins.source.flag(plugin, "radial_symmetry"):
        raise plugins.source.error(
            plugin, "<radial_symmetry>: expected false; there is no such surface"
        )


def _of_one(rule: Rule) -> Rule:
    return Rule(1, rule.unit, rule.minimum, rule.maximum)
