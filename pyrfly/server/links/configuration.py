"""Discovery and settings of RflySim's simulators, for all vehicles: `ConfigurationLink`."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.server.budget import Budget
from pyrfly.server.heartbeat import PERIOD, Heartbeats
from pyrfly.server.input_link import InputLink, named_row
from pyrfly.server.link_stats import Count
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.server.orders import Action, CustomNumbers, HeartbeatRequest, StartSignal
from pyrfly.server.starts import Starts
from pyrfly.sim import Sim
from pyrfly.transport import (
    FIRST_PORT,
    Datagram,
    Packet,
    Ports,
    PortUse,
    Senders,
    SharedPorts,
    is_own_address,
    is_port,
)

__all__ = ["ConfigurationLink"]

_ID = {"config": 4, "start": 8, "custom": 4}
"""Where packets have their CopterID, by kind of port [bytes]."""


class ConfigurationLink(InputLink):
    """Heartbeats of all vehicles, their settings, and what programs exchange.

    - A heartbeat of every vehicle goes out once a second of real time, between the ticks of the
      server, see `Heartbeats`.
    - Settings are received on port 20002 and from RflySim's group: places of vehicles, and origin
      and map of all. Models, and modes other than those of a link, are refused, and so is a
      recipient that is none of the peers.
    - Start signals are received from the group, port 20007, and numbers of users on port 50000 if
      ``custom_data`` is set, as RflySim's programs send them to each other: they have no effect but
      on ``started`` and ``custom``.

    With another first port these ports move by as much. Groups are those of the interface of
    ``host``; without multicast there are none.

    Parameters
    ----------
    sim : Sim
        The vehicles; gets the synthesis columns if it has none yet.
    host : str
        Address to listen on.
    peers : sequence of str
        Addresses to send heartbeats to.
    first_port : int
        As of the server.
    first_id : int
        CopterID of the first vehicle.
    period : float
        Real time between two heartbeats [s].
    custom_data : bool
        Whether to listen on port 50000, for which programs of a user may listen.
    starts : Starts, optional
        Where vehicles are put back to; by default where they are now.
    allow : sequence of str
        Who may command instead of the peers, see `pyrfly.transport.Senders`.

    Attributes
    ----------
    inbox, act
        See `InputLink`.
    heartbeats : Heartbeats
        The heartbeats.
    started : numpy.ndarray of bool, shape (n,)
        Whether a start signal for a vehicle has come.
    custom : numpy.ndarray, shape (n, 16)
        The last numbers of users for each vehicle; those without a CopterID are the first one's.

    Raises
    ------
    PortError
        When a port cannot be opened.
    OptionError
        When an argument is not valid.
    """

    name = "configuration"

    def __init__(
        self,
        sim: Sim,
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_port: int = FIRST_PORT,
        first_id: int = 1,
        period: float = PERIOD,
        custom_data: bool = False,
        starts: Starts | None = None,
        allow: Sequence[str] = (),
    ) -> None:
        super().__init__(sim, first_id, starts)
        self.started = np.zeros(sim.n, np.bool_)
        self.custom = np.zeros((sim.n, 16))
        self._n, self._first_id = sim.n, first_id
        senders = Senders(peers, allow, host)
        self._peers = frozenset(senders.peers)
        self.heartbeats = Heartbeats(sim.n, peers, host, first_port, first_id, period)
        self._sockets = SharedPorts(host, senders)
        self._ports = Ports.beginning_at(first_port)
        self._custom_data = custom_data
        try:
            self._sockets.listen("config", self._ports.configure, option="first_port")
            self._sockets.listen("start", self._ports.start, unicast=False)
            if custom_data:
                self._sockets.listen("custom", self._ports.custom, group=False, option="first_port")
        except BaseException:
            self.close()
            raise

    def join(self, link: RflySimLink) -> None:
        """See `InputLink.join`; requests to that link for heartbeats are answered, too."""
        super().join(link)
        link.heartbeats = self.heartbeats

    def port_uses(self) -> list[PortUse]:
        """See `Link.port_uses`; ports of groups alone can be shared with anybody."""
        uses = [
            PortUse("settings", self._ports.configure, listens=True),
            PortUse("heartbeats", self._ports.heartbeat),
        ]
        if self._custom_data:
            uses.append(PortUse("custom data", self._ports.custom, listens=True))
        return [use for use in uses if is_port(use.port)]

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        for datagram in self._sockets.receive(budget.reading_is_over):
            packet = self._packet(datagram)
            self.inbox.put([packet])
            if self.inbox.is_full(packet.row):
                break
        self.inbox.execute(self._act, budget.is_over)
        self.stats.add_foreign(0, self._sockets.foreign())
        if lost := self._sockets.overflows():
            self.stats.add(Count.OVERFLOWED, 0, lost)

    def _packet(self, datagram: Datagram) -> Packet:
        """Return a packet of the vehicle that it names, or else of the first one."""
        kind, data, (address, _) = datagram
        row = named_row(data, _ID[kind], self._n, self._first_id) or 0
        if _asks_for_state(kind, data) and not self._reaches(address):
            self.stats.add(Count.REFUSED, row)
        return Packet(row, kind, data)

    def _reaches(self, address: str) -> bool:
        """Return whether the state of vehicles is sent to an address."""
        return address in self._peers or is_own_address(address)

    def _act(self, action: Action) -> None:
        match action:
            case StartSignal(ids, everybody):
                self.started[slice(None) if everybody.any() else ids - 1] = True
            case CustomNumbers(ids, values):
                self.custom[ids - 1] = values
            case HeartbeatRequest(ids):
                self._beat(ids - 1)
            case _:
                self.act(action)

    def flush(self) -> None:
        """See `Link.flush`: the heartbeats that are due."""
        self._beat(self.heartbeats.due())

    def _beat(self, rows: NDArray[np.intp]) -> None:
        if len(rows):
            self.stats.add(Count.SENT, rows, self.heartbeats.send(rows))

    def close(self) -> None:
        """See `Link.close`."""
        self._sockets.close()
        self.heartbeats.close()


def _asks_for_state(kind: str, data: bytes) -> bool:
    """Return whether the sender of a packet wants the state of a vehicle."""
    with contextlib.suppress(wire.Rejected):
        name, record = wire.parse(kind, data)
        return name == "reCopterSimMsg" and bool(record["isReqIP"] > 0)
    return False
