"""RflySim3D's part in collisions, without pictures: `ViewLink`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.errors import require_kind
from pyrfly.scene import Scene
from pyrfly.server.budget import Budget
from pyrfly.server.link import Link, steps_at
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.view_rays import DEFAULT_SIZE, Bodies, Rays, bodies_of, rays_of, touched
from pyrfly.sim import Sim
from pyrfly.sim.rebound import INPUTS, LARGEST, MARKER
from pyrfly.transport import (
    FIRST_PORT,
    FanOut,
    Ports,
    PortUse,
    Senders,
    SharedPorts,
    is_loopback,
    is_port,
    sender,
)

__all__ = ["MOST", "RATE", "ViewLink"]

RATE = 30.0
"""How often distances are reported [Hz], estimated: RflySim3D's, of its pictures."""

MOST = 1000
"""Maximum number of vehicles of other programs."""

PATIENCE = 2.0
"""Real time after which a vehicle that no longer moves is forgotten [s], estimated."""

_GROUND, _OBJECT, _NOTHING = -2, -1, 0  # values of CrashType
_REQUEST = b"RflyReqVehicleData"
_POSES = ("SOut2Simulator", "SOut2SimulatorSimpleTime")


class _Guest(NamedTuple):
    """A vehicle of another program: its last pose, whose it is and when it came."""

    pose: np.void
    ip: str
    time: float


class ViewLink(Link):
    """Does for collisions what RflySim3D does: reports walls and hits to models.

    Every vehicle of the simulation gets distances to the walls of a scene and what it has hit, as
    the input inFloatsCollision. Vehicles of other programs that send their ``SOut2Simulator`` or
    ``SOut2SimulatorSimpleTime`` to port 20010, or to RflySim's group, as a CopterSim does, get them
    as ``Ue4RayTraceDrone`` on port 30100 + 2 (n - 1) of the computer that they are on. With the
    command ``RflyReqVehicleData 1`` all peers get ``reqVeCrashData`` of all vehicles on port 20006,
    until ``RflyReqVehicleData 0`` [@rfly-sdk].

    A vehicle is a sphere to others, and to walls a cross of six rays from its centre; thin poles
    between them are not seen. A hit is reported once when two vehicles begin to touch.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    scene : Scene
        What stands around.
    host, peers, first_port, first_id, multicast, clock, allow
        As of `pyrfly.server.links.display.DisplayLink`.
    rate : float
        How often [Hz], of simulated time.

    Raises
    ------
    PortError
        When a port cannot be opened.
    OptionError, ParameterError, ValueError, TypeError
        When an argument is not valid, or the effects of a vehicle are 'plain'.
    """

    name = "view"

    def __init__(
        self,
        sim: Sim,
        scene: Scene,
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_port: int = FIRST_PORT,
        first_id: int = 1,
        multicast: bool | None = None,
        rate: float = RATE,
        clock: Callable[[], float] = time.monotonic,
        allow: Sequence[str] = (),
    ) -> None:
        require_kind("scene", scene, Scene)
        sim.select().require_reached("scene: it pushes none")
        self.stats = LinkStats(sim.n, first_id)
        self._sim, self._scene, self._first_id, self._clock = sim, scene, first_id, clock
        self._steps = steps_at(rate, sim.dt)
        self._guests: dict[int, _Guest] = {}
        self._requested = False
        self._met: dict[int, int] = {}  # who touches whom, by CopterID
        self._replies: list[tuple[bytes, tuple[str, int]]] = []
        self._reports: NDArray[Any] | None = None
        self._ports = Ports.beginning_at(first_port)
        senders = Senders(peers, allow, host)
        back = self._ports.display_reply
        group = not is_loopback(host) if multicast is None else multicast
        ports = [back] if is_port(back) else []
        self._out = FanOut(senders.peers, ports, host, back if group and ports else None)
        self._box = sender()
        self._box.setblocking(False)
        self._sockets = SharedPorts(host, senders)
        try:
            self._sockets.listen("view", self._ports.display, group=False, option="first_port")
            self._sockets.listen("view", self._ports.display_group, unicast=False)
        except BaseException:
            self.close()
            raise

    def port_uses(self) -> list[PortUse]:
        """See `Link.port_uses`."""
        uses = [("poses", self._ports.display, True), ("reports", self._ports.display_reply, False)]
        return [PortUse(name, port, listens=own) for name, port, own in uses if is_port(port)]

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        for _, data, (ip, *_) in self._sockets.receive(budget.reading_is_over):
            self.stats.add([Count.RECEIVED, self._taken(data, ip)], 0)
        self.stats.add_foreign(0, self._sockets.foreign())
        if lost := self._sockets.overflows():
            self.stats.add(Count.OVERFLOWED, 0, lost)

    def _taken(self, data: bytes, ip: str) -> Count:
        """Take a packet in; return what became of it."""
        try:
            name, record = wire.parse("display", data)
        except wire.Rejected as error:
            return Count.BAD_LENGTH if error.reason == "length" else Count.BAD_CHECKSUM
        if name.startswith("Ue4CMD"):
            return self._commanded(bytes(record["command"]))
        if name not in _POSES:
            return Count.UNSUPPORTED
        copter_id = int(record["copterID"])
        if copter_id < 1 or self._is_own(copter_id) or not is_port(self._port_of(copter_id)):
            return Count.BAD_ID
        numbers = np.concatenate([record["PosE"], record["VelE"], record["AngEuler"]])
        if not (np.abs(numbers) <= LARGEST).all():
            return Count.NOT_FINITE
        if copter_id not in self._guests and len(self._guests) >= MOST:
            return Count.BAD_ID
        self._guests[copter_id] = _Guest(record, ip, self._clock())
        return Count.ACCEPTED

    def _port_of(self, copter_id: int) -> int:
        """Return the port of the model inputs of a vehicle, which may be beyond the last one."""
        return self._ports.model + 2 * (copter_id - 1)

    def _is_own(self, copter_id: int) -> bool:
        return self._first_id <= copter_id < self._first_id + self._sim.n

    def _commanded(self, command: bytes) -> Count:
        words = command.split()
        if len(words) < 2 or words[0] != _REQUEST or words[1] not in (b"0", b"1"):
            return Count.UNSUPPORTED
        self._requested = words[1] == b"1"
        return Count.ACCEPTED

    def due(self, step: int) -> int:
        """See `Link.due`."""
        return step - step % self._steps + self._steps

    def give(self, step: int) -> None:
        """See `Link.give`."""
        if step % self._steps:
            return
        last = self._clock() - PATIENCE
        self._guests = {k: guest for k, guest in self._guests.items() if guest.time >= last}
        ids = np.array([*range(self._first_id, self._first_id + self._sim.n), *self._guests])
        bodies = self._bodies()
        rays, other = rays_of(self._scene, bodies), touched(bodies)
        inputs = self._inputs(ids, bodies, rays, other)
        self._sim.rebound.put(inputs[: self._sim.n])
        self._reply(inputs[self._sim.n :])
        if self._requested:
            self._reports = self._report(ids, bodies, rays, other)

    def _bodies(self) -> Bodies:
        own, poses = bodies_of(self._sim), [guest.pose for guest in self._guests.values()]
        count = len(poses)
        pos, vel = (
            np.array([pose[name] for pose in poses], np.float64).reshape(count, 3)
            for name in ("PosE", "VelE")
        )
        size, mass = np.full((count, 2), DEFAULT_SIZE), np.full(count, np.nan)
        return Bodies(*map(np.concatenate, zip(own, (pos, vel, size, mass), strict=True)))

    def _inputs(
        self, ids: NDArray[np.intp], bodies: Bodies, rays: Rays, other: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Return inFloatsCollision of all vehicles."""
        meets = {int(ids[k]): int(ids[other[k]]) for k in np.flatnonzero(other >= 0).tolist()}
        begins = np.array([meets.get(k, 0) != self._met.get(k, 0) for k in ids.tolist()])
        self._met = meets
        hit = np.flatnonzero(begins & (other >= 0))
        values = np.zeros((len(ids), INPUTS))
        values[:, 0], values[:, 3:6], values[:, 9:15] = MARKER, bodies.pos, rays.distance
        values[hit, 1], values[hit, 6:9] = ids[other[hit]], bodies.vel[other[hit]]
        ratio = bodies.mass[other[hit]] / bodies.mass[hit]
        values[hit, 2] = np.sqrt(np.where(np.isfinite(ratio), ratio, 1.0))
        return values

    def _reply(self, inputs: NDArray[np.float64]) -> None:
        """Pack Ue4RayTraceDrone for the vehicles of other programs."""
        for values, (copter_id, guest) in zip(inputs, self._guests.items(), strict=True):
            packet = wire.blank("Ue4RayTraceDrone")
            packet["CopterID"], packet["size"] = values[1], values[2]
            packet["PosE"], packet["VelE"] = values[3:6], values[6:9]
            packet["ray"] = values[9:15]
            address = guest.ip, self._port_of(copter_id)
            self._replies.append((packet[0].tobytes(), address))

    def _report(
        self, ids: NDArray[np.intp], bodies: Bodies, rays: Rays, other: NDArray[np.intp]
    ) -> NDArray[Any]:
        """Return reqVeCrashData of all vehicles."""
        packets = wire.blank("reqVeCrashData", len(ids))
        own = wire.pack(self._sim, "SOut2Simulator", first_id=self._first_id)
        for name in ("vehicleType", "AngEuler", "MotorRPMS", "runnedTime"):
            packets[name][: len(own)] = own[name]
            for k, guest in enumerate(self._guests.values(), len(own)):
                packets[name][k] = guest.pose[name]
        packets["copterID"], packets["PosE"], packets["VelE"] = ids, bodies.pos, bodies.vel
        packets["ray"] = rays.distance
        nearest = rays.distance[:, :5].argmin(axis=1)
        overlap = rays.distance[np.arange(len(ids)), nearest] < 0
        low = rays.distance[:, 5] < bodies.half_size[:, 1]
        kinds = np.where(overlap, _OBJECT, np.where(low, _GROUND, _NOTHING))
        packets["CrashType"] = np.where(other >= 0, ids[other], kinds)
        packets["CrashPos"][other >= 0] = (
            bodies.pos[other >= 0] + bodies.pos[other[other >= 0]]
        ) / 2
        packets["targetPos"][other >= 0] = bodies.pos[other[other >= 0]]
        for k in np.flatnonzero(overlap & (other < 0)).tolist():
            shape = self._scene.shapes[rays.shape[k, nearest[k]]]
            packets["CrashPos"][k], packets["targetPos"][k] = bodies.pos[k], bodies.pos[k]
            packets["CrashedName"][k] = shape.name.encode()[:19]
        return packets

    def flush(self) -> None:
        """See `Link.flush`."""
        for reply in self._replies:
            self.stats.add(self._sent(*reply), 0)
        self._replies = []
        if self._reports is not None:
            sent = self._out.send(self._reports)
            self.stats.add(Count.SENT, 0, int(sent.packets.sum()))
            self.stats.add(Count.SEND_ERRORS, 0, int(sent.failures.sum()))
            self._reports = None

    def _sent(self, data: bytes, address: tuple[str, int]) -> Count:
        try:
            self._box.sendto(data, address)
        except OSError:
            return Count.SEND_ERRORS
        return Count.SENT

    def close(self) -> None:
        """See `Link.close`."""
        self._sockets.close()
        self._out.close()
        self._box.close()
