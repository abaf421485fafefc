"""Vehicles of other programs, seen as a window of RflySim3D does: `PacketSource`, `Window`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pyrfly import wire
from pyrfly.frames import quaternion_of_euler
from pyrfly.sim.group import uav_type_of
from pyrfly.transport import FIRST_PORT, THIS_MACHINE, PortError, Ports, Senders, SharedPorts
from pyrfly.vehicles import FAMILIES, load, names
from pyrfly.view.codec import encode_frame, encode_world
from pyrfly.view.drawings import group_of
from pyrfly.view.html import page
from pyrfly.view.replay import camera_entry
from pyrfly.view.world import ARMED, Frame, World

__all__ = ["PacketSource", "Window"]

WINDOWS = 3
"""Number of ports that RflySim's programs send to: the first is 20010 [@rfly-sdk]."""

USUAL = ("x450", "aerosonde", "otter", "bluerov2")
"""Sets that are drawn of types which several have, and the first of an unknown one."""

MOST = 1000
"""Maximum number of vehicles: their CopterIDs are those of untrusted packets."""

FARTHEST = 1e6
"""Largest position that is taken [m]."""

PATIENCE = 5.0
"""Silence after which a vehicle is not shown any more [s]."""

FORGOTTEN = 30.0
"""Silence after which a vehicle is taken off the list, if others are there [s]."""

LOOK = 0.5
"""Time between two looks for silent vehicles [s]."""

RESTART = 1.0
"""By how much the time of a vehicle goes back where its program has begun anew [s]: packets that
overtake each other are milliseconds apart."""

TURNING = 60.0
"""Speed of a rotor that tells that a vehicle is armed [1/min]: packets do not."""

_POSES = ("SOut2Simulator", "SOut2SimulatorSimpleTime")


class _Seen(NamedTuple):
    """The last packet of a vehicle, and when it came."""

    record: Any
    time: float


class PacketSource:
    """Vehicles of CopterSim, or of ``pyrfly sim --display``, as their packets tell.

    It is one more window of RflySim3D: it listens on the first of the ports 20010 to 20012 that is
    free, and to RflySim's group on port 20009. What a vehicle looks like is that of the first
    packaged set with its ``vehicleType``, unless ``vehicles`` names the sets.

    Parameters
    ----------
    vehicles : mapping of str to int, optional
        Numbers of vehicles by set, in the order of their CopterIDs from 1.
    host : str
        Address to listen on.
    allow : sequence of str
        Whose packets are taken, see `pyrfly.transport.Senders`.
    first_port : int
        As of `pyrfly.server.Server`: with another one the ports move by as much.
    clock : callable
        As ``time.monotonic``.
    surroundings : World, optional
        What is drawn besides: terrain, scene, lines; packets have none of them.

    Attributes
    ----------
    number : int
        A number that rises with each packet that is taken, and when a vehicle falls silent.
    worlds : int
        Number of times that the vehicles have become others.

    Raises
    ------
    PortError
        None of the ports is free.
    """

    def __init__(
        self,
        vehicles: Mapping[str, int] | None = None,
        host: str = THIS_MACHINE,
        allow: Sequence[str] = (),
        first_port: int = FIRST_PORT,
        clock: Callable[[], float] = time.monotonic,
        surroundings: World | None = None,
    ) -> None:
        self._named = [name for name, count in (vehicles or {}).items() for _ in range(count)]
        self._clock = clock
        self._surroundings = World(()) if surroundings is None else surroundings
        self._seen: dict[int, _Seen] = {}
        self._order: list[tuple[str, int]] = []
        self._silent: set[int] = set()
        self._look = -np.inf  # time of the next one
        self.number = 1  # the first frame has no vehicles
        self.worlds = 0
        ports = Ports.beginning_at(first_port)
        self._sockets = SharedPorts(host, Senders((THIS_MACHINE,), allow, host))
        self.port = self._listen(range(ports.display, ports.display + WINDOWS))
        self._sockets.listen("view", ports.display_group, unicast=False)

    def _listen(self, ports: Sequence[int]) -> int:
        first, *others = ports
        try:
            self._sockets.listen("view", first, group=False, option="first_port")
        except PortError:
            if others:
                return self._listen(others)
            self._sockets.close()
            raise
        return first

    def take(self) -> None:
        """Take the packets that have arrived."""
        end = self._clock() + 0.05
        for _, data, _ in self._sockets.receive(lambda: self._clock() > end):
            self._take(data)
        if self._clock() >= self._look:
            self._look = self._clock() + LOOK
            self._look_for_silent()

    def _look_for_silent(self) -> None:
        """Note who has fallen silent, and forget who has been for long while others are there."""
        now = self._clock()
        silences = {number: now - seen.time for number, seen in self._seen.items()}
        silent = {number for number, silence in silences.items() if silence > PATIENCE}
        if silent != self._silent:
            self._silent = silent
            self.number += 1
        gone = [number for number in silent if silences[number] > FORGOTTEN]
        if gone and len(silent) < len(self._seen):
            self._forget(gone)

    def _forget(self, gone: Iterable[int]) -> None:
        for number in list(gone):
            del self._seen[number]
            self._silent.discard(number)
        self._arrange()

    def _take(self, data: bytes) -> None:
        try:
            name, record = wire.parse("display", data)
        except wire.Rejected:
            return
        if name not in _POSES:
            return
        copter_id = int(record["copterID"])
        known = copter_id in self._seen
        numbers = np.concatenate(
            [record["PosE"], record["AngEuler"], record["MotorRPMS"], [record["runnedTime"]]]
        )
        room = known or len(self._seen) < MOST
        if copter_id < 1 or not room or not (np.abs(numbers) <= FARTHEST).all():
            return
        if known and record["runnedTime"] < self._seen[copter_id].record["runnedTime"] - RESTART:
            self._forget(self._seen)  # the program has begun anew: those that are there will tell
            known = False
        other = known and self._set_of(copter_id, record) != self._set_of(
            copter_id, self._seen[copter_id].record
        )
        self._seen[copter_id] = _Seen(record, self._clock())
        self.number += 1
        if not known or other:
            self._arrange()

    def _arrange(self) -> None:
        """Order the vehicles by their sets."""
        self.worlds += 1
        found = {number: self._set_of(number, seen.record) for number, seen in self._seen.items()}
        sets = [*dict.fromkeys(found[number] for number in sorted(found))]
        self._order = sorted(
            ((name, number) for number, name in found.items()),
            key=lambda one: (sets.index(one[0]), one[1]),
        )

    def _set_of(self, copter_id: int, record: Any) -> str:
        if copter_id <= len(self._named):
            return self._named[copter_id - 1]
        return _set_of_type(int(record["vehicleType"]))

    def world(self) -> World:
        """Return the vehicles that there are."""
        groups: dict[str, list[int]] = {}
        for name, number in self._order:
            groups.setdefault(name, []).append(number)
        vehicles = tuple(group_of(load(name), ids) for name, ids in groups.items())
        return replace(self._surroundings, groups=vehicles)

    def frame(self) -> Frame:
        """Return where they are, by their last packets."""
        seen = [self._seen[number] for _, number in self._order]
        last = self._clock() - PATIENCE
        there = [one for one in seen if one.time >= last] or seen
        rows = [one.record for one in seen]
        pos = np.array([row["PosE"] for row in rows], np.float64).reshape(-1, 3)
        pos[[one.time < last for one in seen]] = np.nan
        displayed = np.array([row["MotorRPMS"] for row in rows], np.float32).reshape(-1, 8)
        euler = np.array([row["AngEuler"] for row in rows], np.float64).reshape(-1, 3)
        turning = (np.abs(displayed) > TURNING).any(axis=1)
        return Frame(
            max((float(one.record["runnedTime"]) for one in there), default=0.0),
            pos,
            quaternion_of_euler(euler).astype(np.float32),
            displayed,
            np.where(turning, ARMED, 0).astype(np.uint8),
        )

    def close(self) -> None:
        """Close the ports."""
        self._sockets.close()


class Window:
    """Shows a `PacketSource` in pages: a `pyrfly.view.service.Shown`.

    Parameters
    ----------
    source : PacketSource
        The vehicles.

    Attributes
    ----------
    page, world, state
        As of `Shown`.
    """

    def __init__(self, source: PacketSource) -> None:
        self._source = source
        config = {"title": f"port {source.port}", "camera": camera_entry("overview", World(()))}
        self.page = page(config)
        self.world = 0, encode_world(source.world())  # what stands there is seen at once
        self.state: dict[str, Any] = {"paused": False, "speed": None, "commands": []}
        self._frame = 0, b""

    def take(self) -> None:
        """Take what has arrived."""
        source = self._source
        source.take()
        if self.world[0] != source.worlds:
            self.world = source.worlds, encode_world(source.world())

    def newest(self, after: int) -> tuple[int, bytes] | None:
        """See `Shown.newest`."""
        if self._source.number == after:
            return None
        if self._frame[0] != self._source.number:
            self._frame = self._source.number, encode_frame(self._source.frame())
        return self._frame

    def command(self, command: dict[str, Any]) -> None:
        """See `Shown.command`: the vehicles are those of others."""


def _set_of_type(uav_type: int) -> str:
    """Return the first packaged set of a ``vehicleType``, the usual ones first."""
    return _types_of(USUAL).get(uav_type) or _types_of(_packaged()).get(uav_type, USUAL[0])


@cache
def _packaged() -> tuple[str, ...]:
    return tuple(name for family in FAMILIES for name in names(family))


@cache
def _types_of(sets: tuple[str, ...]) -> dict[int, str]:
    """Return the first of some sets by their ``vehicleType``."""
    return {uav_type_of(load(name)): name for name in reversed(sets)}
