"""The vehicles of a `pyrfly.Sim` in this process: `InProcessLink`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.link.protocols import FAST_RATE, SLOW_MODES, SLOW_RATE
from pyrfly.ctrl.link.state import LiveInstruments, LiveState, Lock, State
from pyrfly.ctrl.link.targets import TakeOff, Target
from pyrfly.ctrl.parameters import Vehicles
from pyrfly.errors import UnsupportedError
from pyrfly.frames import LocalFrame
from pyrfly.protocol import synthesis
from pyrfly.protocol.bits import Boundary, FaultyLink, VtolState
from pyrfly.protocol.synthesis import OFFBOARD, Inputs, Offboard
from pyrfly.sim import Sim
from pyrfly.sim.crashes import NewCrashes
from pyrfly.sim.depths import with_depths
from pyrfly.sim.link_faults import Fate, LinkFaults
from pyrfly.vehicles import Abilities

__all__ = ["InProcessLink"]


class _Packet(NamedTuple):
    """What is sent to vehicles: inputs, or a command word alone.

    A ``target`` is a new set-point, from which offsets to the present position count.
    """

    inputs: Inputs | int
    target: bool = False

    def of(self, k: int) -> _Packet:
        """Return what the k-th vehicle gets."""
        if isinstance(self.inputs, int):
            return self
        ints, floats = self.inputs
        return self._replace(inputs=Inputs(ints[k : k + 1], floats[k : k + 1]))


_FRAMES = (
    Offboard.FRD
    | Offboard.LOCAL
    | Offboard.FULL
    | Offboard.NED
    | Offboard.GLOBAL
    | Offboard.INTEGER_POSITION
)
"""Bits that are no set-points, but say how one is given."""


def _names(bits: int) -> str:
    """Return the names of bits of inSILInts[1], for messages."""
    return ", ".join(str(bit.name).lower() for bit in Offboard if bit & bits)


class InProcessLink:
    """Vehicles of a `pyrfly.Sim` in this process.

    Parameters
    ----------
    sim : Sim
        The simulation.
    ids : sequence of int
        CopterIDs of the vehicles.
    lock : context manager, optional
        Held while the simulation is read or written, where another thread steps it.
    find : callable, optional
        Returns the Sim of a CopterID, and the vehicle's CopterID there; by default all are in
        ``sim``.
    """

    fixed = True

    def __init__(
        self,
        sim: Sim,
        ids: Sequence[int],
        lock: Lock | None = None,
        find: Callable[[int], tuple[Sim, int]] | None = None,
    ) -> None:
        self.sim = sim
        self.k = len(ids)
        self._find = find if find is not None else self._find_here
        self._lock: Lock = contextlib.nullcontext() if lock is None else lock
        with self._lock:
            sim.enable_synthesis()
        self._id_array = np.array(ids, dtype=np.intp)
        self._ids: Any = int(ids[0]) if self.k == 1 else self._id_array
        self._vehicles = sim.select(self._ids)
        self._supports_all = all(bit & p.group.offboard for p in self._vehicles for bit in Offboard)
        self._pitches = np.zeros(self.k, np.bool_)  # who climbs with a pitch angle
        for group, _, indices in self._vehicles:
            self._pitches[indices] = group.abilities.kind.circles
        self.vehicles = tuple(
            Vehicles(group.name, group.family, group.abilities, self._id_array[indices].tolist())
            for group, _, indices in self._vehicles
        )
        self.truth: State = LiveState(sim, self._vehicles, self._lock)
        self.estimate: State = LiveState(sim, self._vehicles, self._lock, estimated=True)
        self.instruments = LiveInstruments(self._vehicles, self._lock)
        self._target: Target | None = None
        self._due = False  # whether the target is to be written
        self._tracks = False
        self.crash_id = -10
        self._link_faults: LinkFaults[_Packet] = LinkFaults(sim)
        self._new_crashes = NewCrashes(sim)
        self._met = np.zeros(self.k)  # crossings of the boundary of the separation
        self._listening = False
        self._arrived: Callable[[], object] | None = None

    # --- begin and end

    def open(self, mode: int, arrived: Callable[[], object] | None) -> None:
        """Take control and disarm; where the vehicles are becomes their take-off point."""
        with self._lock:
            self._stop_listening()
            self._target, self._due, self._tracks = None, False, False
            self._arrived = arrived
            for group, rows, _ in self._vehicles:
                group.reset_part("navigator", rows)
            self.sim.command_sil(command=int(synthesis.BASE), ids=self._ids)
            rate = SLOW_RATE if mode in SLOW_MODES else FAST_RATE
            self.sim.add_listener(self._update, 1.0 / rate)
            self._listening = True
        if arrived is not None:
            arrived()

    def close(self) -> None:
        """See `Commands.close`."""
        with self._lock:
            self._stop_listening()
            self._tracks = False

    def _stop_listening(self) -> None:
        if self._listening:
            self.sim.remove_listener(self._update)
            self._listening = False

    # --- set-points

    def set_target(self, target: Target | None) -> None:
        """See `Commands.set_target`."""
        self._target, self._due = target, True

    def track(self, on: bool) -> None:
        """See `Commands.track`; when it ends, the position is held."""
        with self._lock:
            self._tracks = on
            self._due = on and self._target is not None
            self._send(_Packet(synthesis.inputs(self.k)))

    def send(self, target: Target) -> None:
        """See `Commands.send`."""
        with self._lock:
            self._write_target(target)

    def require_supported(self, target: Target) -> None:
        """See `Commands.require_supported`."""
        if self._supports_all:
            return
        bits = int(np.bitwise_or.reduce(target.inputs().ints[:, OFFBOARD]))
        for group, _, indices in self._vehicles:
            unsupported = bits & ~group.offboard
            if unsupported:
                raise UnsupportedError(
                    f"{_names(unsupported)}: expected set-points that CopterID "
                    f"{self._id_array[indices][0]}, a {group.family.name}, supports: "
                    f"{_names(group.offboard & ~_FRAMES) or 'none'}"
                )

    def _update(self) -> None:
        """Write the target if it is new, and what is late; called at regular simulated times.

        Over a link with a fault it is written again and again, as by a client of the network.
        """
        for row, packet in self._link_faults.arrived():
            self._write_packet(packet, row + 1)
        if self._tracks and self._due:
            self._due = self._link_faults.act
            if self._target is None:
                self._send(_Packet(synthesis.inputs(self.k)))
            else:
                self._write_target(self._target)
        if self.sim.safety.enabled:
            self._note_collisions()
        self._note_crashes()
        if self._arrived is not None:
            self._arrived()

    def _note_crashes(self) -> None:
        """Note what a vehicle has hit since the last time."""
        rows, hit = self._new_crashes.take()
        own = np.isin(rows, self._id_array - 1)
        if own.any():
            self.crash_id = int(hit[own][0])

    def _note_collisions(self) -> None:
        """Note whom a vehicle meets that crosses its boundary of the separation."""
        before, self._met = self._met, self._vehicles.read("crossings")[:, Boundary.SEPARATION]
        if (self._met > before).any():
            row = int(self._id_array[int(np.argmax(self._met > before))]) - 1
            distances = np.linalg.norm(self.sim.pos - self.sim.pos[row], axis=1)
            distances[row] = np.inf
            self.crash_id = int(np.argmin(distances)) + 1

    def _write_target(self, target: Target) -> None:
        self._send(_Packet(target.inputs(), target=True))

    def _send(self, packet: _Packet, ids: NDArray[np.intp] | None = None) -> None:
        """Command vehicles, by default all, as far as faults of their links let it through."""
        if not self._link_faults.act:
            self._write_packet(packet, self._ids if ids is None else ids)
            return
        for k, copter_id in enumerate((self._id_array if ids is None else ids).tolist()):
            own = packet.of(k)
            if self._link_faults.send(copter_id - 1, FaultyLink.SETPOINTS, own) is Fate.PASSES:
                self._write_packet(own, copter_id)

    def _write_packet(self, packet: _Packet, ids: Any) -> None:
        inputs, is_target = packet
        if is_target:
            vehicles = self._vehicles if ids is self._ids else self.sim.select(ids)
            for group, rows, _ in vehicles:
                group.restart_offset(rows)
        if isinstance(inputs, int):
            self.sim.command_sil(command=inputs, ids=ids)
        else:
            self.sim.command_sil(*with_depths(self.sim, inputs, ids), ids=ids)

    # --- commands

    def arm(self, on: NDArray[np.bool_]) -> None:
        """See `Commands.arm`."""
        words = synthesis.command_word(on)
        words[on & self.estimate.armed] = 0
        self.command_word(words)

    def command(self, command: Inputs | TakeOff) -> None:
        """See `Commands.command`."""
        ends = isinstance(command, TakeOff)  # the set-point: its height is kept, as by PX4
        if isinstance(command, TakeOff):
            command = command.inputs(self.estimate.armed, self._pitches)
        with self._lock:
            self._send(_Packet(command))
            if ends:
                self._target = None
            self._due = self._target is not None

    def command_word(self, words: ArrayLike) -> None:
        """See `Commands.command_word`."""
        rows = np.broadcast_to(np.asarray(words, np.int64), (self.k,))
        with self._lock:
            for word in np.unique(rows).tolist():
                self._send(_Packet(word), self._id_array[rows == word])

    def write_inputs(self, inputs: Inputs, copter_id: int | None) -> None:
        """See `Commands.write_inputs`."""
        sim, ids = (self.sim, self._ids) if copter_id is None else self._find(copter_id)
        with self._lock:
            sim.enable_synthesis()
            if sim is self.sim:
                self._send(_Packet(inputs), np.atleast_1d(ids))
            else:
                sim.command_sil(*with_depths(sim, inputs, ids), ids=ids)

    def reboot(self, copter_id: int, delay: int) -> None:
        """See `Commands.reboot`."""
        sim, number = self._find(copter_id)
        with self._lock:
            vehicle = sim.select(number)
            north, east, _ = vehicle.read("home")[0]
            sim.reset(pos=(north, east), ids=number)

    def _find_here(self, copter_id: int) -> tuple[Sim, int]:
        if not 1 <= copter_id <= self.sim.n:
            raise ValueError(f"copterID: expected 1 to {self.sim.n}, got {copter_id}")
        return self.sim, copter_id

    # --- columns and positions

    @property
    def speed_limit(self) -> NDArray[np.float64]:
        """See `SpeedLimit.speed_limit`."""
        self.require("speed_limit", "speed_limit")
        return self.read("speed_limit")

    def limit_speed(self, speed: NDArray[np.float64]) -> None:
        """See `SpeedLimit.limit_speed`."""
        self.require("speed_limit", "speed_limit")
        self.write("speed_limit", speed)

    def set_cruise_speed(self, speed: NDArray[np.float64]) -> None:
        """See `SpeedLimit.set_cruise_speed`."""
        self.write_where(lambda able: able.cruise_speed, speed)

    def airspeed_range(self, now: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """See `AirspeedRange.airspeed_range`."""
        low, high = np.full(self.k, -np.inf), np.full(self.k, np.inf)
        with self._lock:
            for group, rows, indices in self._vehicles:
                able = group.abilities
                if able.wings is not None:
                    names = able.wings.minimum_airspeed, able.wings.limits.speed
                    changes = able.transition
                    state = VtolState.FW if changes is None else group.view(changes.state)[rows]
                    counts = np.logical_or(not now, state == VtolState.FW)
                    for ends, name in zip((low, high), names, strict=True):
                        limit = group.view(name)[rows]
                        ends[indices] = np.where(counts, limit, ends[indices])
        return low, high

    def require(self, caller: str, column: str) -> None:
        """See `ParameterAccess.require`."""
        for some, (group, _, _) in zip(self.vehicles, self._vehicles, strict=True):
            if column not in {field.name for field in group.fields}:
                raise UnsupportedError(
                    f"{caller}: expected vehicles with a {column}, got {some}, "
                    f"a {some.family.name} without"
                )

    def read(self, column: str) -> NDArray[np.float64]:
        """See `ParameterAccess.read`."""
        with self._lock:
            return self._vehicles.read(column).astype(np.float64, copy=False)

    def write(self, column: str, value: ArrayLike, component: int | None = None) -> None:
        """See `ParameterAccess.write`."""
        with self._lock:
            self._vehicles.write(column, value, component)

    def read_where(
        self, column_of: Callable[[Abilities], tuple[str, int | None] | None]
    ) -> NDArray[np.float64]:
        """See `ParameterAccess.read_where`."""
        found = np.full(self.k, np.nan)
        with self._lock:
            for group, rows, indices in self._vehicles:
                known = column_of(group.abilities)
                if known is not None:
                    values = group.view(known[0])[rows]
                    found[indices] = values if known[1] is None else values[:, known[1]]
        return found

    def write_where(
        self,
        column_of: Callable[[Abilities], str | None],
        values: NDArray[np.float64],
        component: int | None = None,
    ) -> None:
        """See `ParameterAccess.write_where`; on an error nothing is written."""
        with self._lock:
            writes = []
            for group, rows, indices in self._vehicles:
                column = column_of(group.abilities)
                if column is not None:
                    group.check_values(column, values[indices])
                    view = group.writable(column)
                    view = view if component is None else view[:, component]
                    writes.append((view, rows, values[indices]))
            for view, rows, chosen in writes:
                view[rows] = chosen

    def place(self, pos: tuple[float, float, float], yaw: float) -> None:
        """See `Placement.place`."""
        with self._lock:
            self._vehicles.write("terrain", pos[2])
            self.sim.reset(pos=pos[:2], yaw=yaw, ids=self._ids)

    @property
    def origin(self) -> LocalFrame:
        """See `Telemetry.origin`: that of the `pyrfly.Sim`, and so of all its vehicles."""
        return self.sim.local_frame

    def set_origin(self, lla: Sequence[float]) -> None:
        """See `Telemetry.set_origin`."""
        with self._lock:
            self.sim.origin = (float(lla[0]), float(lla[1]), float(lla[2]))
