"""Interfaces of a simulation to one of its parts, such as `Sim.environment`: `PartInterface`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntFlag
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from pyrfly.columns import column_names
from pyrfly.errors import brief, near_names, require_kind
from pyrfly.frames import LocalFrame
from pyrfly.scene import Scene
from pyrfly.sim.selection import Selection
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles.commands import Ids

__all__ = ["Access", "PartInterface", "bits_of", "names_of"]


def names_of(kind: type[IntFlag]) -> tuple[str, ...]:
    """Return the names of bits, in lower case, in their order."""
    return tuple(bit.name.lower() for bit in kind if bit.name)


def bits_of(argument: str, kind: type[IntFlag], names: Sequence[str]) -> int:
    """Return the bits of some names; raise a ValueError if one is unknown, or none is given."""
    known = names_of(kind)
    unknown = [name for name in names if not isinstance(name, str) or name not in known]
    if unknown or not names:
        got = brief(unknown[0]) if unknown else "none"
        raise ValueError(f"{argument}: expected some of {', '.join(known)}, got {got}")
    bits = 0
    for name in names:
        bits |= kind[name.upper()]
    return bits


class Access(NamedTuple):
    """What a `PartInterface` knows of its `Sim`, as it is at each call.

    Attributes
    ----------
    select : callable
        `Sim.select`.
    change : callable
        Enables parts and calls a function that writes their columns: both or none. The function
        must not raise, so arguments are checked before (`Clock.change`).
    time : callable
        Returns the simulated time [s].
    frame : callable
        Returns the local frame.
    terrain_map : callable
        Returns the terrain map of the vehicles that are on it, if there is one.
    use_terrain_map : callable
        Sets it, and the origin if it has one; within a change.
    scene : callable
        Returns what stands in the world, if there is something.
    use_scene : callable
        Sets it; within a change.
    show_relief : callable
        Lets sensors that see the ground have the terrain map; within a change.
    dt : float
        Integrator step [s].
    sensor_period : float
        Time between updates of the sensors [s].
    fault_period : float
        Time between updates of the faults [s].
    """

    select: Callable[[Ids], Selection]
    change: Callable[[Callable[[], object], Sequence[str]], None]
    time: Callable[[], float]
    frame: Callable[[], LocalFrame]
    terrain_map: Callable[[], TerrainMap | None]
    use_terrain_map: Callable[[TerrainMap | None], None]
    scene: Callable[[], Scene | None]
    use_scene: Callable[[Scene | None], None]
    show_relief: Callable[[], None]
    dt: float
    sensor_period: float
    fault_period: float


class PartInterface:
    """Base of the attributes of a `Sim` that are made anew at each access.

    So what is set on them would be lost. Settings and results of the part are columns of the `Sim`,
    to which the errors point; nothing is kept here, so that one may be kept.

    Attributes
    ----------
    part : str
        Name of its part; empty: it is of no vehicle.
    """

    part: ClassVar[str] = ""
    _access: Access
    _select: Callable[[Ids], Selection]

    def __init__(self, access: Access) -> None:
        require_kind("access", access, Access)
        write = object.__setattr__  # at once: one is made for each look whether its part is on
        write(self, "_access", access)
        write(self, "_select", access.select)

    def _distinct(self, ids: Ids) -> Selection:
        """Return vehicles to be changed; raise an error for a CopterID that is given twice."""
        chosen = self._select(ids)
        chosen.require_distinct()
        return chosen

    def _change(self, write: Callable[[], object], *parts: str) -> None:
        """Enable parts and call a function that writes their columns: both or none."""
        self._access.change(write, parts)

    @property
    def present(self) -> bool:
        """Whether all vehicles have the columns of the part."""
        return all(group.batch.has(self.part) for group, _, _ in self._select(None))

    @property
    def enabled(self) -> bool:
        """Whether the part is on; as `present` where nothing switches it off again."""
        return self.present

    def __repr__(self) -> str:
        n = len(self._select(None))
        on = self._on() if self.present else {}
        parts = [name if k == n else f"{name} ({k} of {n})" for name, k in on.items() if k]
        return f"<{type(self).__name__} of {n} vehicles: {', '.join(parts) or 'off'}>"

    def _on(self) -> dict[str, int]:
        """Return what may be on, with the number of vehicles of which it is."""
        raise NotImplementedError

    def _count(self, column: str, bit: int = 1) -> int:
        """Return the number of vehicles with some bit of a column."""
        return int(np.count_nonzero(self._select(None).read(column) & bit))

    def __setattr__(self, name: str, value: Any) -> None:
        known = getattr(type(self), name, None)
        if not name.startswith("_") and getattr(known, "fset", None) is None:
            raise AttributeError(self._advice(name, "this attribute cannot be set"))
        object.__setattr__(self, name, value)

    if not TYPE_CHECKING:  # a type checker should find what does not exist

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or hasattr(type(self), name):  # or the property raised
                return object.__getattribute__(self, name)
            raise AttributeError(self._advice(name, ""))

    def _advice(self, name: str, fixed: str) -> str:
        """Return what to use instead of an attribute; ``fixed`` is said of one that exists."""
        if name in column_names():
            return f"{name}: this is a column of the Sim; use sim.{name}"
        own = [known for known in dir(type(self)) if not known.startswith("_")]
        if name in own:
            return f"{name}: {fixed}"
        near = near_names(name, [*own, *column_names()], ", ".join(own))
        kind = type(self).__name__
        return f"{name}: expected an attribute of the {kind} or a column, such as {near}"
