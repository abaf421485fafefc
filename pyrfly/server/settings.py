"""Settings from the network: places of vehicles, the origin, the map; `Settings`."""

from __future__ import annotations

import logging

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import MapError, MissingExtraError, brief
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.orders import Ids, MapChange, Origin, Place
from pyrfly.server.scripts.values import FARTHEST
from pyrfly.server.starts import Starts
from pyrfly.sim import Sim
from pyrfly.terrain import TerrainMap
from pyrfly.terrain.rflysim_map import find_map, read_rflysim_map

__all__ = ["MOST_MAPS", "Settings"]

_LOG = logging.getLogger("pyrfly.server")

MOST_MAPS = 8
"""Number of maps that are read for programs on the network, so that they cannot fill the memory."""


class Settings:
    """Changes what other programs may set of a simulation, and refuses what cannot be changed now.

    A vehicle is placed at any time: that is a reset. Origin and map are those of all vehicles, and
    change only while none is armed.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    starts : Starts
        Where they start; learns new places.
    stats : LinkStats
        Where refusals are counted.
    """

    def __init__(self, sim: Sim, starts: Starts, stats: LinkStats) -> None:
        self._sim = sim
        self._starts = starts
        self._stats = stats
        self._maps: dict[str, TerrainMap] = {}
        self._map = ""
        self._reported: set[str] = set()

    def place(self, action: Place) -> Ids:
        """Reset vehicles to another start; return those that were."""
        ids, pos, yaw, on_globe = action
        pos = pos.copy()
        if on_globe.any():
            degrees = np.column_stack([pos[on_globe, :2], np.full(on_globe.sum(), 0.0)])
            pos[on_globe, :2] = self._sim.local_frame.to_ned(degrees)[:, :2]
        near = ~(np.abs(pos[:, :2]) > FARTHEST).any(axis=1)
        if not near.all():
            self.refuse("place", ids[~near], f"a place farther than {FARTHEST:g} m from the origin")
        self._starts.place(ids[near], pos[near], yaw[near])
        return ids[near]

    def move_origin(self, action: Origin) -> None:
        """Put the origin of the map at another place on the earth, that of the last vehicle."""
        lla = tuple(action.lla[-1].tolist())
        if lla == self._sim.origin:
            return
        if self._sim.armed.any():
            self.refuse("origin", action.ids, "another origin while a vehicle is armed")
        else:
            self._sim.origin = lla

    def change_map(self, action: MapChange) -> None:
        """Put all vehicles on a map of RflySim by its name, that of the last vehicle."""
        name = action.names[-1].decode()
        if name == self._map:
            return
        if self._sim.armed.any():
            self.refuse("map", action.ids, "another map while a vehicle is armed")
            return
        try:
            self._sim.environment.set_terrain(self._map_of(name))
        except (MapError, MissingExtraError) as error:
            self.refuse("map", action.ids, f"the map {brief(name)}: {error}")
            return
        self._map = name

    def _map_of(self, name: str) -> TerrainMap:
        if name not in self._maps:
            if len(self._maps) == MOST_MAPS:
                raise MapError(f"expected at most {MOST_MAPS} maps")
            path = find_map(name)
            if path is None:
                raise MapError("expected a map of RflySim; PYRFLY_MAPS names folders of them")
            self._maps[name] = read_rflysim_map(path).terrain_map()
        return self._maps[name]

    def refuse(self, kind: str, ids: NDArray[np.intp], what: str) -> None:
        """Count what was asked for and is not done; log the first of a kind."""
        self._stats.add(Count.REFUSED, ids - 1)
        if kind not in self._reported:
            self._reported.add(kind)
            _LOG.warning("a program asks for %s: refused", what)
