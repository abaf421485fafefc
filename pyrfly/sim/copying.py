"""State of a `Sim` for ``pickle`` and ``copy``: what it was made of, and a snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pyrfly import _core
from pyrfly.columns import vehicle_types
from pyrfly.scene import Scene
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles import VehicleParameters

__all__ = ["Saved", "check_layouts", "layouts_of"]


class Saved(NamedTuple):
    """Saved state of a `Sim`.

    Attributes
    ----------
    layouts : dict of str to str
        Layout version by vehicle type of the core.
    groups : list of (VehicleParameters, int)
        Parameter sets and numbers of vehicles.
    options : dict
        Options of the batches, among them the step and the periods of the control loops.
    snapshot : bytes
        Everything that changes.
    attributes : dict
        Further attributes, of subclasses.
    terrain_map : TerrainMap or None
        The map that vehicles may be on.
    scene : Scene or None
        What stands in the world.
    """

    layouts: dict[str, str]
    groups: list[tuple[VehicleParameters, int]]
    options: dict[str, Any]
    snapshot: bytes
    attributes: dict[str, Any]
    terrain_map: TerrainMap | None = None  # pickles of older versions lack it
    scene: Scene | None = None  # likewise


def layouts_of(types: Iterable[str]) -> dict[str, str]:
    """Return the layout versions of vehicle types that this build has."""
    known = vehicle_types()
    return {name: _core.Batch(name, 1).layout_version for name in types if name in known}


def check_layouts(saved: Mapping[str, str]) -> None:
    """Raise a ValueError unless the columns of the types are those of this build."""
    own = layouts_of(saved)
    for name, version in saved.items():
        if name not in own:
            raise ValueError(
                f"pickled Sim: there is no type of vehicles {name!r} here: it is of another "
                "version of pyrfly, or of a family outside of the tree, which is loaded by "
                "pyrfly.plugins.load_family, or by PYRFLY_FAMILIES"
            )
        if own[name] != version:
            raise ValueError(
                f"pickled Sim: expected layout version {own[name]} of {name!r}, got {version}: it "
                "was pickled with other columns, by another version of pyrfly or of the family"
            )
