"""What is seen of a running simulation: `SimSource`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import require_kind
from pyrfly.protocol.bits import Setpoint
from pyrfly.sim import Group as SimGroup
from pyrfly.sim import Ids, Sim
from pyrfly.sim.water import current_at
from pyrfly.view.contacts import CONTACT_COLUMNS, recent_contacts
from pyrfly.view.drawings import group_of
from pyrfly.view.surroundings import ground_of_map, level_ground, mesh_of_scene
from pyrfly.view.world import FLAGS, Frame, Ground, Group, World, flagged

__all__ = ["SimSource"]


class SimSource:
    """A simulation as it is.

    Parameters
    ----------
    sim : Sim
        The simulation.
    ids : int or sequence of int, optional
        CopterIDs of the vehicles that are seen; all by default.
    """

    def __init__(self, sim: Sim, ids: Ids = None) -> None:
        require_kind("sim", sim, Sim)
        self.sim = sim
        chosen = np.arange(1, sim.n + 1) if ids is None else np.unique(np.atleast_1d(ids))
        sim.select(chosen)  # raises for what is no vehicle
        self._rows = chosen - 1

    def world(self) -> World:
        """Return what does not change while the simulation is stepped."""
        sim = self.sim
        terrain = sim.environment.terrain_map
        water, bottom = _water(sim)
        return World(
            tuple(self._groups()),
            bottom if terrain is None else ground_of_map(terrain),
            None if sim.scene.current is None else mesh_of_scene(sim.scene.current),
            water,
        )

    def _groups(self) -> Iterator[Group]:
        for group in self.sim.groups:
            last = group.first_id + group.n
            ids = self._rows[(self._rows + 1 >= group.first_id) & (self._rows + 1 < last)] + 1
            if len(ids):
                yield group_of(group.parameters, ids)

    def _positions(self) -> NDArray[np.float64]:
        """Return where the vehicles are, of those on contact points without their height.

        Their ``pos`` is the centre of mass on the ground, too, over which no `Group` rises.
        """
        pos = self.sim.pos.astype(np.float64)
        pos[:, 2] += np.concatenate([_column(g, "contact_height") for g in self.sim.groups])
        return pos[self._rows]

    def frame(self) -> Frame:
        """Return where the vehicles are."""
        sim, rows = self.sim, self._rows
        return Frame(
            sim.time,
            self._positions(),
            sim.att[rows].astype(np.float32),
            sim.displayed_actuators[rows].astype(np.float32),
            _flags(sim)[rows],
            np.concatenate([_setpoints(group) for group in sim.groups])[rows],
            _flow(sim)[rows],
            self._contacts() if sim.collisions.present else None,
        )

    def _contacts(self) -> NDArray[np.float64]:
        """Return where the vehicles touch something, NaN: nowhere."""
        sim = self.sim
        places = np.full((sim.n, 3), np.nan)
        first = 0
        for group in sim.groups:
            if group.has(CONTACT_COLUMNS[0]):
                columns = map(group.view, CONTACT_COLUMNS)
                places[first : first + group.n] = recent_contacts(sim.time, sim.dt, *columns)
            first += group.n
        return places[self._rows]


def _column(group: SimGroup, name: str, default: float = 0.0) -> NDArray[Any]:
    """Return a column of a group, or numbers in its place where its vehicles have none."""
    return group.view(name) if group.has(name) else np.full(group.n, default)


def _flags(sim: Sim) -> NDArray[np.uint8]:
    found = np.zeros(sim.n, np.uint8)
    first = 0
    for group in sim.groups:
        for name, bit in FLAGS.items():
            found[first : first + group.n] |= flagged(_column(group, name), bit)
        first += group.n
    return found


def _flow(sim: Sim) -> NDArray[np.float32]:
    """Return velocities of the air at vehicles, of the water at those that are all below it."""
    found = sim.wind.astype(np.float32)
    for group in sim.groups:
        if group.is_afloat:
            depth = group.view("pos")[:, 2] - _column(group, "water_surface")
            dives = np.flatnonzero(depth > 0.5 * group.plan[0])
            current = np.zeros((len(dives), 3))
            if group.has("water_velocity"):
                velocity, ends = (_column(group, f"water_{k}") for k in ("velocity", "shear_depth"))
                current = current_at(depth[dives], velocity[dives], ends[dives])
            found[group.first_id - 1 + dives] = current
    return found


def _setpoints(group: SimGroup) -> NDArray[np.float64]:
    """Return where the vehicles of a group are to be, NaN: nowhere."""
    points = np.full((group.n, 3), np.nan)
    if group.has("pos_sp") and group.has("setpoint_mask"):
        active = (group.view("setpoint_mask") & int(Setpoint.POSITION)) != 0
        points[active] = group.view("pos_sp")[active]
    return points


def _water(sim: Sim) -> tuple[float | None, Ground | None]:
    """Return the surface of the water, and of the ground below it where nobody is on land."""
    afloat = [group for group in sim.groups if group.is_afloat]
    if not afloat:
        return None, None
    surface = float(np.mean([np.mean(_column(group, "water_surface")) for group in afloat]))
    if len(afloat) < len(sim.groups):
        return surface, None
    bottom = max(float(group.view("terrain").max()) for group in afloat)
    return surface, level_ground(bottom)
