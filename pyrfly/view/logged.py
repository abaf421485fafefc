"""What is seen of a log: `LogSource`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import Error, require_kind, warn
from pyrfly.frames import quaternion_of_euler
from pyrfly.log import Log
from pyrfly.log.fault_notes import fault_spans
from pyrfly.log.surroundings_notes import scene_in, terrain_in
from pyrfly.protocol.bits import Setpoint
from pyrfly.sim.appearance import Appearance
from pyrfly.vehicles import family_named, load
from pyrfly.vehicles.drawing import SPIN, Drawing, Part
from pyrfly.vehicles.drawing_document import drawing_in
from pyrfly.vehicles.drawing_solids import Box
from pyrfly.view.contacts import CONTACT_COLUMNS, recent_contacts
from pyrfly.view.drawings import group_of, group_that_looks
from pyrfly.view.poses import radii
from pyrfly.view.surroundings import ground_of_map, level_ground, mesh_of_scene
from pyrfly.view.world import FAULTY, FLAGS, Frame, Ground, Group, World, flagged

__all__ = ["LogSource"]

Array = NDArray[np.float64]
Noted = TypeVar("Noted")

GAP = 1.0
"""Time between samples that nothing is taken to be between [s]."""

UNKNOWN = Appearance(
    Drawing(
        (
            Part("body", Box((0.5, 0.3, 0.12))),
            Part("nose", Box((0.12, 0.1, 0.06)), (0.3, 0.0, 0.0), colour=(214, 112, 32)),
        )
    ),
    lift=0.0,
    rise=0.06,
)
"""What is drawn of vehicles that the log does not describe."""

TURNING = 3000.0
"""Speed of rotors of which the log says nothing while they are armed [1/min]: for the eye alone."""

TOLD_BY = {
    "armed": ("armed",),
    "att": ("att", "euler"),
    "displayed_actuators": ("displayed_actuators",),
}
"""Columns by which a log tells what frames have of each vehicle in any case."""

LEVEL_WITHIN = 0.5
"""Ground whose heights below all vehicles differ by no more than this is drawn, level [m]."""


class LogSource:
    """A log, at any time of it.

    Between samples vehicles are on the way from one to the next.

    Parameters
    ----------
    log : Log
        It has ``pos``, and more is seen with ``att`` or ``euler``, ``displayed_actuators``,
        ``armed``, ``pos_sp``, ``terrain``. Its metadata names the vehicles.
    world : World, optional
        What does not change, by default what the log says of it.

    Raises
    ------
    ValueError
        It has no samples, or no positions.
    """

    def __init__(self, log: Log, world: World | None = None) -> None:
        require_kind("log", log, Log)
        if "pos" not in log or not len(log):
            raise ValueError(f"log: expected samples of pos, got {log!r}")
        self.log = log
        self._world = world or _world(log)
        ids = np.concatenate([np.zeros(0, np.int64), *(group.ids for group in self._world.groups)])
        if set(ids.tolist()) != set(log.copter_ids.tolist()):
            raise ValueError(f"world: expected the vehicles {log.copter_ids}, got {ids}")
        order = np.argsort(log.copter_ids)
        self._rows = order[np.searchsorted(log.copter_ids, ids, sorter=order)]
        self._faults = _faults(log, ids)
        self._att = _attitudes(log)
        self._spins = _spinning(self._world) if "displayed_actuators" not in log else None

    @property
    def span(self) -> tuple[float, float]:
        """Time of the first and the last sample [s]."""
        return float(self.log.time[0]), float(self.log.time[-1])

    @property
    def untold(self) -> list[str]:
        """Columns that frames have and the log does not tell."""
        return [name for name, by in TOLD_BY.items() if not any(one in self.log for one in by)]

    def world(self) -> World:
        """Return what does not change."""
        return self._world

    def frame(self, time: float | None = None) -> Frame:
        """Return where all vehicles are at a time [s], by default that of the last sample."""
        begin, end = self.span
        now = float(np.clip(end if time is None else time, begin, end))
        first = int(np.searchsorted(self.log.time, now, side="right")) - 1
        last = min(first + 1, len(self.log) - 1)
        passed = float(self.log.time[last] - self.log.time[first])
        share = (now - float(self.log.time[first])) / passed if 0 < passed <= GAP else 0.0
        return Frame(
            now,
            _between(self._sample("pos", first), self._sample("pos", last), share),
            self._attitude(first, last, share).astype(np.float32),
            self._displayed(first, share),
            self._flags(first, now),
            self._setpoints(first),
            self._flow(first),
            self._contacts(first),
        )

    def _flow(self, row: int) -> NDArray[np.float32] | None:
        """Return velocities of the air, and at vehicles that are all below it of the water."""
        if "wind" not in self.log:
            return None
        found = self._sample("wind", row).astype(np.float32)
        if self._world.water is not None:
            dives = self._sample("pos", row)[:, 2] - self._world.water > radii(self._world)
            current = self._sample("water_velocity", row) if "water_velocity" in self.log else 0.0
            found = np.where(dives[:, None], current, found).astype(np.float32)
        return found

    def _sample(self, name: str, row: int) -> NDArray[Any]:
        return np.asarray(self.log[name][row][self._rows])

    def _attitude(self, first: int, last: int, share: float) -> Array:
        if self._att is None:
            return np.tile([1.0, 0, 0, 0], (len(self._rows), 1))
        a, b = (self._att[k][self._rows].astype(np.float64) for k in (first, last))
        b = np.where((a * b).sum(axis=1, keepdims=True) < 0, -b, b)
        mixed = _between(a, b, share)
        return np.asarray(mixed / exact.norm(mixed)[:, None])

    def _displayed(self, row: int, share: float) -> NDArray[np.float32]:
        if self._spins is None:
            return self._sample("displayed_actuators", row).astype(np.float32)
        turning = "armed" not in self.log or self._sample("armed", row) != 0
        return np.where(np.reshape(turning, (-1, 1)), self._spins, 0.0).astype(np.float32)

    def _flags(self, row: int, now: float) -> NDArray[np.uint8]:
        found = np.zeros(len(self._rows), np.uint8)
        for name, bit in FLAGS.items():
            if name in self.log:
                found |= flagged(self._sample(name, row), bit)
        rows, begin, end = self._faults
        found[rows[(begin <= now) & (now < end)]] |= FAULTY
        return found

    def _contacts(self, row: int) -> Array | None:
        step = self.log.metadata.get("dt")
        known = all(name in self.log for name in CONTACT_COLUMNS)
        if not known or not isinstance(step, float) or not step > 0:
            return None
        columns = (self._sample(name, row) for name in CONTACT_COLUMNS)
        return recent_contacts(float(self.log.time[row]), step, *columns)

    def _setpoints(self, row: int) -> Array | None:
        if "pos_sp" not in self.log or "setpoint_mask" not in self.log:
            return None
        active = self._sample("setpoint_mask", row).astype(np.int64) & int(Setpoint.POSITION) != 0
        return np.where(active[:, None], self._sample("pos_sp", row).astype(np.float64), np.nan)


def _between(a: NDArray[Any], b: NDArray[Any], share: float) -> Array:
    return np.asarray(a + share * (b - a) if share > 0 else a, np.float64)


def _attitudes(log: Log) -> NDArray[Any] | None:
    """Return quaternions, shape (T, n, 4)."""
    if "att" in log:
        return log["att"]
    if "euler" not in log:
        return None
    euler = np.nan_to_num(log["euler"].astype(np.float64))
    return quaternion_of_euler(euler.reshape(-1, 3)).reshape(*euler.shape[:2], 4)


def _faults(log: Log, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], Array, Array]:
    """Return rows of vehicles with faults, and begins and ends of these [s], shape (k,) each.

    There are none where ``fault_share`` tells them sample by sample.
    """
    row_of = {number: row for row, number in enumerate(ids.tolist())}
    spans = [] if "fault_share" in log else fault_spans(log.metadata)
    known = [(row_of[number], begin, end) for number, begin, end in spans if number in row_of]
    rows, begin, end = np.array(known, np.float64).reshape(-1, 3).T
    return rows.astype(np.int64), begin, end


def _spinning(world: World) -> Array:
    """Return numbers with which all rotors turn and nothing else moves, shape (n, 8)."""
    found = []
    for group in world.groups:
        joints = [joint for piece in group.pieces for joint in piece.joints]
        spins = {joint.actuator for joint in joints if joint.kind == SPIN}
        others = {joint.actuator for joint in joints if joint.kind != SPIN}
        row = np.where(np.isin(np.arange(8), [*(spins - others)]), TURNING, 0.0)
        found.append(np.tile(row, (len(group.ids), 1)))
    return np.concatenate([np.zeros((0, 8)), *found])


# --- what the log says of its world ---


def _world(log: Log) -> World:
    groups, left = [], set(log.copter_ids.tolist())
    afloat = []
    for entry in _entries(log.metadata):
        first, count = int(entry.get("first_id", 1)), int(entry.get("n", 0))
        ids = [number for number in log.copter_ids.tolist() if first <= number < first + count]
        if ids and left.issuperset(ids):
            left -= set(ids)
            groups.append(_group(entry, ids))
            afloat += ids if _floats(groups[-1].family) else []
    if left:
        groups.append(group_that_looks("vehicle", "", sorted(left), UNKNOWN))
    terrain, scene = _noted(terrain_in, log), _noted(scene_in, log)
    return World(
        tuple(groups),
        _ground(log) if terrain is None else ground_of_map(terrain),
        None if scene is None else mesh_of_scene(scene),
        water=0.0 if afloat and not left and len(afloat) == len(log.copter_ids) else None,
    )


def _noted(read: Callable[[Mapping[str, Any]], Noted | None], log: Log) -> Noted | None:
    """Return what the metadata says of surroundings; a damaged entry must not hide the flight."""
    try:
        return read(log.metadata)
    except ValueError as error:
        warn(f"log: {error}; it is not drawn", UserWarning)
        return None


def _entries(metadata: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """Return what the metadata says of groups: a file may have anything there."""
    vehicles = metadata.get("vehicles")
    listed = vehicles if isinstance(vehicles, list) else []
    return [
        entry
        for entry in listed
        if isinstance(entry, dict)
        and all(type(entry.get(key)) is int for key in ("first_id", "n"))
        and isinstance(entry.get("name"), str)
    ]


def _floats(family: str) -> bool:
    try:
        return family_named(family).afloat is not None
    except Error:
        return False


def _group(entry: Mapping[str, Any], ids: list[int]) -> Group:
    """Return vehicles as the log draws them, or else their set, if it is there."""
    name, family = entry["name"], str(entry.get("family", ""))
    try:
        if "drawing" in entry:
            return group_that_looks(name, family, ids, _appearance(entry["drawing"]))
        return group_of(load(name), ids)
    except (Error, OSError, ValueError, TypeError, KeyError, IndexError, ArithmeticError):
        return group_that_looks(name, family, ids, UNKNOWN)


def _appearance(note: Mapping[str, Any]) -> Appearance:
    drawing, lift, rise = drawing_in(note["parts"]), float(note["lift"]), float(note["rise"])
    if not (drawing.parts and np.isfinite([lift, rise]).all()):
        raise ValueError("drawing: expected parts and finite heights")
    return Appearance(drawing, lift, rise)


def _ground(log: Log) -> Ground | None:
    """Return the ground where it is level and not at z = 0."""
    if "terrain" not in log:
        return None
    z = log["terrain"][np.isfinite(log["terrain"])]
    if not z.size or np.ptp(z) > LEVEL_WITHIN or abs(float(np.mean(z))) < 1e-3:
        return None
    return level_ground(float(np.mean(z)))
