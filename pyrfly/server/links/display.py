"""RflySim3D, RflySim's 3D view: `DisplayLink`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.errors import brief
from pyrfly.server.budget import Budget
from pyrfly.server.input_link import InputLink, named_row
from pyrfly.server.link import steps_at
from pyrfly.server.link_stats import Count
from pyrfly.server.orders import Action, Crash
from pyrfly.sim import Sim
from pyrfly.transport import (
    FIRST_PORT,
    FanOut,
    OptionError,
    Packet,
    Ports,
    PortUse,
    Senders,
    SharedPorts,
    is_loopback,
    is_port,
)

__all__ = ["FEW", "HIGH_RATE", "LOW_RATE", "WINDOWS", "DisplayLink"]

WINDOWS = 3
"""Number of windows of RflySim3D on a computer that its programs send to [@rfly-sdk]."""

MOST = 100
"""Maximum number of windows."""

HIGH_RATE, LOW_RATE, FEW = 100.0, 100.0 / 3, 4
"""Rate of a few vehicles, that of more, and how many are a few, as RflySim's point-mass model sends
its pose [@rfly-sdk]; CopterSim's rate is not published."""

REQUEST_PERIOD = 2.0
"""Real time between two requests for reports [s]: a window may be opened later."""

_INPUTS = ("PX4SILIntFloat", "Ue4RayTraceDrone")

Rows = NDArray[np.intp]


class DisplayLink(InputLink):
    """Shows all vehicles in RflySim3D, and takes what it sends back.

    Every vehicle's ``SOut2Simulator``, which RflySim's own model without PX4 sends too, goes to the
    windows of each peer, ports 20010 on, and to RflySim's group, port 20009. ``vehicleType`` is
    its 3D class. Where the part ``free_outputs`` is enabled, the actuators 9 to 24 of vehicles
    that have set some follow in ``Ue4ExtMsg``. The rate is of simulated time, but in real time
    there is at most one pose for each tick of the server, and twice the rate.

    On port 20006, and from the group, ``reqVeCrashData`` says what a vehicle has hit, which clients
    are told; ``PX4SILIntFloat`` and ``Ue4RayTraceDrone`` are inputs of the vehicle that they name.
    Replies to requests of programs are theirs, and count as unsupported.

    With ``reports`` the windows are asked for them by RflySim3D's command ``RflyReqVehicleData 1``,
    every 2 s of real time. That it watches for collisions at all is a switch of the user's, the key
    P in its window [@rfly-sdk].

    With another first port these ports move by as much.

    Parameters
    ----------
    sim : Sim
        The vehicles; gets the synthesis columns if it has none yet.
    host : str
        Address to listen on.
    peers : sequence of str
        Addresses of RflySim3D.
    first_port : int
        As of the server.
    first_id : int
        CopterID of the first vehicle.
    windows : int
        Number of windows of each peer, at most 100.
    multicast : bool, optional
        Whether the group is sent to; by default unless the host is on the loopback interface,
        where RflySim3D would get everything twice.
    rate : float, optional
        How often [Hz]; by default 100 Hz, or 33 Hz with more than four vehicles.
    clock : callable
        As ``time.monotonic``.
    allow : sequence of str
        Who may command instead of the peers, see `pyrfly.transport.Senders`.
    reports : bool
        Whether reports are asked for.

    Attributes
    ----------
    inbox, act
        See `InputLink`.
    hit : numpy.ndarray of int, shape (n,)
        What each vehicle touches by the last report: a CopterID, 0 an object, -1 nothing.
    crashes : int
        Number of collisions, of which each was reported once or for a while.

    Raises
    ------
    PortError
        When a port cannot be opened.
    OptionError, ValueError
        When an argument is not valid.
    """

    name = "display"

    def __init__(
        self,
        sim: Sim,
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_port: int = FIRST_PORT,
        first_id: int = 1,
        windows: int = WINDOWS,
        multicast: bool | None = None,
        rate: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        allow: Sequence[str] = (),
        reports: bool = False,
    ) -> None:
        super().__init__(sim, first_id)
        self.hit = np.full(sim.n, -1)
        self.crashes = 0
        self._sim, self._first_id, self._clock = sim, first_id, clock
        self._steps = steps_at(_rate_of(sim.n) if rate is None else rate, sim.dt)
        self._earliest, self._next_request = -math.inf, -math.inf if reports else math.inf
        self._has_actuators = np.zeros(sim.n, np.bool_)
        self._packed: list[tuple[Rows, NDArray[Any]]] = []
        if isinstance(windows, bool) or not isinstance(windows, int) or not 0 <= windows <= MOST:
            raise OptionError(f"windows: expected 0 to {MOST}, got {brief(windows)}")
        ports = Ports.beginning_at(first_port)
        group = not is_loopback(host) if multicast is None else multicast
        self._windows = [*filter(is_port, range(ports.display, ports.display + windows))]
        self._reports = ports.display_reply
        group_port = ports.display_group if group and is_port(ports.display_group) else None
        senders = Senders(peers, allow, host)
        self._out = FanOut(senders.peers, self._windows, host, group_port)
        self._sockets = SharedPorts(host, senders)
        try:
            self._sockets.listen("scene", self._reports, option="first_port")
        except BaseException:
            self.close()
            raise

    def port_uses(self) -> list[PortUse]:
        """See `Link.port_uses`."""
        uses = [PortUse(f"window {number}", port) for number, port in enumerate(self._windows)]
        if is_port(self._reports):
            uses.append(PortUse("reports", self._reports, listens=True))
        return uses

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        for _, data, _ in self._sockets.receive(budget.reading_is_over):
            row = named_row(data, 4, self._sim.n, self._first_id)
            if row is None and _is_input(data):
                self.stats.add([Count.RECEIVED, Count.BAD_ID], 0)
                continue
            self.inbox.put([Packet(row or 0, "scene", data)])
            if self.inbox.is_full(row or 0):
                break
        self.inbox.execute(self._act, budget.is_over)
        self.stats.add_foreign(0, self._sockets.foreign())
        if lost := self._sockets.overflows():
            self.stats.add(Count.OVERFLOWED, 0, lost)

    def _act(self, action: Action) -> None:
        match action:
            case Crash(ids, hit):
                new = (hit >= 0) & (hit != self.hit[ids - 1])
                self.hit[ids - 1] = hit
                self.crashes += int(np.count_nonzero(new))
                if new.any():
                    self.act(Crash(ids[new], hit[new]))
            case _:
                self.act(action)

    def due(self, step: int) -> int:
        """See `Link.due`."""
        return step - step % self._steps + self._steps

    def give(self, step: int) -> None:
        """See `Link.give`."""
        now = self._clock()
        if step % self._steps == 0 and now >= self._earliest:
            self._earliest = now + 0.5 * self._steps * self._sim.dt
            poses = wire.pack(self._sim, "SOut2Simulator", first_id=self._first_id)
            self._packed = [(np.arange(self._sim.n), poses), *self._actuators()]
        if now >= self._next_request:
            self._next_request = now + REQUEST_PERIOD
            request = wire.blank("Ue4CMD")
            request["command"] = b"RflyReqVehicleData 1"
            self._packed.append((np.zeros(1, np.intp), request))

    def _actuators(self) -> list[tuple[Rows, NDArray[Any]]]:
        if not any(group.batch.has("free_outputs") for group in self._sim.groups):
            return []
        values = wire.pack(self._sim, "ExtToUE4")["ExtToUE4"]
        self._has_actuators |= (values != 0).any(axis=1)
        rows = np.flatnonzero(self._has_actuators)
        messages = wire.blank("Ue4ExtMsg", len(rows))
        messages["CopterID"], messages["runnedTime"] = rows + self._first_id, self._sim.time
        messages["ActExt"] = values[rows]
        return [(rows, messages)] if len(rows) else []

    def flush(self) -> None:
        """See `Link.flush`."""
        for rows, messages in self._packed:
            sent = self._out.send(messages)
            self.stats.add(Count.SENT, rows, sent.packets)
            self.stats.add(Count.SEND_ERRORS, rows, sent.failures)
        self._packed = []

    def close(self) -> None:
        """See `Link.close`."""
        self._sockets.close()
        self._out.close()


def _rate_of(n: int) -> float:
    """Return the rate of some vehicles [Hz]."""
    return HIGH_RATE if n <= FEW else LOW_RATE


def _is_input(data: bytes) -> bool:
    """Return whether a packet is an input of a vehicle."""
    try:
        return wire.identify("scene", data) in _INPUTS
    except wire.Rejected:
        return False
