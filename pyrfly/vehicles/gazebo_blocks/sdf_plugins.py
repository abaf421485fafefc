"""Plug-ins of an SDF model by what they are: motors, surfaces, control channels, others.

Of Gazebo Classic, by PX4's and RotorS's names of files, and of Gazebo (``gz-sim``), by those of its
systems.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pyrfly import exact
from pyrfly.errors import brief
from pyrfly.vehicles.entries import Rule, check_number
from pyrfly.vehicles.gazebo_blocks.rules import CAPACITY, KINDS
from pyrfly.vehicles.gazebo_blocks.sdf_elements import WIND, without_forces
from pyrfly.vehicles.gazebo_blocks.sdf_model import Body
from pyrfly.vehicles.gazebo_blocks.sdf_node import Node
from pyrfly.vehicles.gazebo_blocks.sdf_source import Source

__all__ = ["Plugins", "Table", "is_classic"]

Table = dict[str, Any]

_FILES = {
    "gazebomotormodel": "motor",
    "multicoptermotormodel": "motor",
    "advancedliftdrag": "aero",
    "gazeboadvancedliftdrag": "aero",
    "liftdrag": "surface",
    "gazeboliftdrag": "surface",
    "gazebomavlinkinterface": "interface",
    "jointpositioncontroller": "controller",
    "gazebowind": "wind",
}
"""Kinds by the letters of the file or the system, without what `_AROUND` is."""

_AROUND = re.compile(r"^(lib)?(rotors_|gz-sim\d*-|ignition-gazebo\d*-)?|(-system)?(\.so)?$")
_SYSTEM = re.compile(r"(?:gz::sim|ignition::gazebo)(?:::v\d+)?::systems::(\w+)")
_HARMLESS_PARENTS = ("sensor", "visual", "collision", "include", "model", "light")
"""Elements whose plug-ins act on no body of the model, or that are left out as a whole."""

_DIRECTIONS = {"forward": np.array([1.0, 0.0, 0.0]), "upward": np.array([0.0, 0.0, 1.0])}
_SQUARE = 1e-3  # maximum cosine between forward and upward


def _kind(plugin: Node) -> str | None:
    """Return the kind of a plug-in, an empty text for one without forces, None for others."""
    file, name = plugin.get("filename", ""), plugin.get("name", "")
    system = _SYSTEM.fullmatch(name)
    for text in (_AROUND.sub("", file), system[1] if system else ""):
        letters = "".join(filter(str.isalnum, text)).lower().removesuffix("plugin")
        if letters in _FILES:
            return _FILES[letters]
    return "" if without_forces(file) else None


def is_classic(plugin: Node) -> bool:
    """Return whether a plug-in has a law of PX4's for Gazebo Classic.

    The motor of Gazebo is that of RotorS [@rotors]: its thrust is the same at any airspeed and has
    the sign of its speed, its rolling moment has no direction.
    """
    file = plugin.get("filename", "")
    return file.endswith(".so") and not any(
        word in file for word in ("gz-sim", "ignition-", "rotors_")
    )


def _walk(node: Node) -> Iterator[Node]:
    """Yield the plug-ins of a model and of its links and joints."""
    for child in node:
        assert isinstance(child, Node)
        if child.tag == "plugin":
            yield child
        elif child.tag not in _HARMLESS_PARENTS:
            yield from _walk(child)


class Plugins:
    """Plug-ins of a model by kind, and their entries for the tables of a parameter file."""

    def __init__(self, source: Source, model: Node, body: Body) -> None:
        self.source, self.body = source, body
        self._scope = f"{model.get('name')}::"
        self._found: dict[str, list[Node]] = {}
        for plugin in _walk(model):
            kind = _kind(plugin)
            if kind is None:
                file, name = plugin.get("filename", ""), plugin.get("name", "")
                source.leave_out(plugin, f"plugin {file!r:.80} ({name!r:.60}): unknown")
            elif kind:
                self._found.setdefault(kind, []).append(plugin)
        for plugin in self["wind"]:
            self._review_wind(plugin)
        for kind, most in CAPACITY.items():
            if len(self[kind]) > most:
                raise source.error(
                    self[kind][most],
                    f"expected up to {most} plug-ins of its kind, got {len(self[kind])}",
                )

    def _review_wind(self, plugin: Node) -> None:
        """Record the wind of a plug-in, which is one of a simulation and not of a vehicle."""
        blows = [name for name in WIND if self.source.number(plugin, name, 0.0) != 0.0]
        if blows:
            named = ", ".join(f"<{name}>" for name in blows)
            self.source.leave_out(
                plugin, f"{plugin.path}: {named}: Sim.wind is the wind, a load its force"
            )

    def __getitem__(self, kind: str) -> list[Node]:
        """Return the plug-ins of a kind."""
        return self._found.get(kind, [])

    def link(self, plugin: Node, name: str) -> str:
        """Return the link that a plug-in names."""
        link = self.source.text(plugin, name).removeprefix(self._scope)
        if link not in self.body.links:
            raise self.source.error(
                plugin, f"<{name}>: no link {link!r:.60} of the body of the model"
            )
        return link

    def joint(self, plugin: Node, name: str) -> str:
        """Return the joint that a plug-in names, in its model; without one an empty text."""
        return self.source.text(plugin, name, " ").strip().removeprefix(self._scope)

    def entry(self, plugin: Node, name: str, kind: str, key: str, value: Any) -> Table:
        """Return an entry of a table in the unit of its column, after a check of its range.

        ``name`` is the element that the value follows from.
        """
        rule = KINDS[kind][key]
        where = f"{self.source.where(plugin)}: <{name}>"
        for number in value if isinstance(value, list) else [value]:
            check_number(where, number, rule)
        return {"value": value, "unit": rule.unit}

    def numbers(self, plugin: Node, kind: str, which: Mapping[str, Any]) -> Table:
        """Return entries that are one number each: by key an element and a default, or None."""
        return {
            key: {
                "value": self.source.number(plugin, name, default, _of_one(KINDS[kind][key])),
                "unit": KINDS[kind][key].unit,
            }
            for key, (name, default) in which.items()
        }

    def place(self, plugin: Node, name: str, kind: str, link: str) -> Table:
        """Return the entry ``position`` of a place in a link."""
        place = self.source.numbers(plugin, name, 3, np.zeros(3))
        return self.entry(plugin, name, kind, "position", self.body.place(link, place))

    def directions(self, plugin: Node, kind: str, link: str) -> Table:
        """Return the entries ``forward`` and ``upward``, which are square to each other."""
        found = {
            name: self.source.numbers(plugin, name, 3, usual) for name, usual in _DIRECTIONS.items()
        }
        for name, vector in found.items():
            length = float(exact.norm(vector))
            if not length > 0.0:
                raise self.source.error(plugin, f"<{name}>: expected a direction, got 0 0 0")
            found[name] = vector / length
        if abs(exact.dot(found["forward"], found["upward"])) > _SQUARE:
            raise self.source.error(plugin, "<upward>: expected a direction square to <forward>")
        return {
            name: self.entry(plugin, name, kind, name, self.body.direction(link, vector))
            for name, vector in found.items()
        }

    def refuse_radial(self, plugin: Node) -> None:
        """Refuse bodies of revolution, which no block is."""
        if self.source.flag(plugin, "radial_symmetry"):
            raise self.source.error(
                plugin, "<radial_symmetry>: expected false; there is no such surface"
            )

    def choice(self, plugin: Node, name: str, known: tuple[str, ...], default: str | None) -> str:
        """Return the text of an element that is one of some."""
        text = self.source.text(plugin, name, default)
        if text not in known:
            raise self.source.error(
                plugin, f"<{name}>: expected {' or '.join(known)}, got {brief(text)}"
            )
        return text


def _of_one(rule: Rule) -> Rule:
    return Rule(1, rule.unit, rule.minimum, rule.maximum)
