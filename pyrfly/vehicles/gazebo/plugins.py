"""Plug-ins of an SDF model by what they are: motors, surfaces, thrusters, wheels, others.

Of Gazebo Classic, by PX4's and RotorS's names of files, and of Gazebo (``gz-sim``), by those of its
systems.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from pyrfly.errors import brief
from pyrfly.vehicles.gazebo.body import Body
from pyrfly.vehicles.gazebo.elements import WIND, without_forces
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.source import Source

__all__ = ["Plugins", "Table", "is_classic"]

Table = dict[str, Any]

_FILES = {
    "gazebomotormodel": "motor",
    "genericmotormodel": "motor",
    "multicoptermotormodel": "motor",
    "advancedliftdrag": "aero",
    "gazeboadvancedliftdrag": "aero",
    "liftdrag": "surface",
    "gazeboliftdrag": "surface",
    "gazebomavlinkinterface": "interface",
    "jointpositioncontroller": "controller",
    "jointcontroller": "wheel",
    "ackermannsteering": "ackermann",
    "diffdrive": "differential",
    "thruster": "thruster",
    "hydrodynamics": "hydrodynamics",
    "buoyancy": "buoyancy",
    "gazebousvdynamics": "usv",
    "usvdynamics": "usv",
    "gazebouuv": "uuv",
    "gazebowind": "wind",
}
"""Kinds by the letters of the file or the system, without what `_AROUND` is."""

_AROUND = re.compile(r"^(lib)?(rotors_|gz-sim\d*-|ignition-gazebo\d*-)?|(-system)?(\.so)?$")
_SYSTEM = re.compile(r"(?:gz::sim|ignition::gazebo)(?:::v\d+)?::systems::(\w+)")
_HARMLESS_PARENTS = ("sensor", "visual", "collision", "include", "model", "light")
"""Elements whose plug-ins act on no body of the model, or that are left out as a whole."""


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
    """Plug-ins of a model by kind, and what they name."""

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

    def of(self, kinds: Collection[str]) -> list[Node]:
        """Return the plug-ins of some kinds."""
        return [plugin for kind in kinds for plugin in self[kind]]

    def leave_out_all_but(self, kinds: Collection[str]) -> None:
        """Record the plug-ins of other kinds, which a vehicle has not."""
        for kind, plugins in self._found.items():
            for plugin in plugins if kind not in (*kinds, "wind") else ():
                self.source.leave_out(plugin, f"{plugin.path}: not of such a vehicle")

    def require_at_most(self, kind: str, most: int) -> None:
        """Refuse more plug-ins of a kind than a vehicle has."""
        if len(self[kind]) > most:
            raise self.source.error(
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

    def joint_of_body(self, plugin: Node, name: str) -> str:
        """Return the joint that a plug-in names, which has to be one of the body."""
        joint = self.joint(plugin, name)
        if joint not in self.body.joints:
            raise self.source.error(plugin, f"<{name}>: no joint {joint!r:.60} of the body")
        return joint

    def choice(self, plugin: Node, name: str, known: tuple[str, ...], default: str | None) -> str:
        """Return the text of an element that is one of some."""
        text = self.source.text(plugin, name, default)
        if text not in known:
            raise self.source.error(
                plugin, f"<{name}>: expected {' or '.join(known)}, got {brief(text)}"
            )
        return text
