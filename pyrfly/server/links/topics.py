"""Topics of a module of the user's in PX4, ports 40100 and 40101: `TopicLink`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.mavlink import Frame, FrameParser
from pyrfly.server.budget import Backlog, Budget
from pyrfly.server.input_link import InputLink
from pyrfly.server.link import steps_at
from pyrfly.server.link_stats import Count
from pyrfly.server.notices import is_mavlink
from pyrfly.server.topics import read_topic, write_topic
from pyrfly.sim import Sim
from pyrfly.transport import FIRST_PORT, FleetSockets, Ports, PortUse, Series

__all__ = ["RATE", "TopicLink"]

RATE = 100.0
"""Rate of the topic [Hz], that at which RflySim's receiver reads it by default [@rfly-doc]."""


class TopicLink(InputLink):
    """RflySim's ports for messages to and from a module of the user's in PX4.

    There is no PX4 here; what is received is what such a module would publish as rfly_px4, and what
    a model of the user's reads as the last eight numbers of ``inCopterData``, column
    ``autopilot_inputs``. On port 40100 + 2 (n - 1) that is the first eight numbers of a
    ``PX4UorbRflyCtrl`` of mode 1, or those of MAVLink's ACTUATOR_CONTROL_TARGET, and to 40101 +
    2 (n - 1) of the peers go the numbers of the column, as ``PX4ExtMsg``, from when they first are
    not all 0.

    Parameters
    ----------
    sim : Sim
        The vehicles; gets the synthesis columns if it has none yet.
    host : str
        Address to listen on.
    peers : sequence of str
        Addresses to send to.
    first_port : int
        As of the server; the ports are 20000 above.
    first_id : int
        CopterID of the first vehicle.
    rate : float
        How often messages are sent [Hz of simulated time].
    allow : sequence of str
        Who may command instead of the peers, see `pyrfly.transport.Senders`.

    Attributes
    ----------
    inbox, act
        See `InputLink`.
    sockets : FleetSockets
        The sockets.

    Raises
    ------
    PortError
        When a port is in use or cannot be opened.
    OptionError, ValueError
        When an argument is not valid.
    """

    name = "topics"

    def __init__(
        self,
        sim: Sim,
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_port: int = FIRST_PORT,
        first_id: int = 1,
        rate: float = RATE,
        allow: Sequence[str] = (),
    ) -> None:
        super().__init__(sim, first_id)
        self._sim, self._first_id = sim, first_id
        self._steps = steps_at(rate, sim.dt)
        self._backlog = Backlog()
        self._parsers = [FrameParser() for _ in range(sim.n)]
        self._speaks = np.zeros(sim.n, np.bool_)
        self._packed: list[tuple[NDArray[np.intp], NDArray[Any]]] = []
        port = Ports.beginning_at(first_port).topic + 2 * (first_id - 1)
        series = Series("topic", port, 2, port + 1, 2, skip_refused=True, option="first_port")
        self.sockets = FleetSockets(sim.n, [series], host, peers, first_id, allow)

    def port_uses(self) -> list[PortUse]:
        """See `Link.port_uses`."""
        return self.sockets.uses()

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        for packets in self.sockets.receive(budget.reading_is_over, self._is_full):
            self.inbox.put([packet for packet in packets if not is_mavlink(packet.data)])
            for packet in packets:
                if is_mavlink(packet.data):
                    self._backlog.add(packet.row, self._frames(packet.row, packet.data))
        for _, row, count in self.sockets.foreign():
            self.stats.add_foreign(row, count)
        self._backlog.work(budget.is_over)
        self.inbox.execute(self.act, budget.is_over)

    def _is_full(self, row: int) -> bool:
        return self.inbox.is_full(row) or self._backlog.is_full(row)

    def _frames(self, row: int, data: bytes) -> Iterator[None]:
        """Take the frames of a packet, one at each step."""
        for frame in self._parsers[row].feed(data):
            self.stats.add([Count.RECEIVED, self._take_in(row, frame)], row)
            yield

    def _take_in(self, row: int, frame: Frame) -> Count:
        if frame.name != "ACTUATOR_CONTROL_TARGET":
            return Count.UNSUPPORTED
        values = frame.record()["controls"]
        if not np.isfinite(values).all():
            return Count.NOT_FINITE
        write_topic(self._sim, np.array([row + 1]), values.astype(np.float64)[None, :])
        return Count.ACCEPTED

    def due(self, step: int) -> int:
        """See `Link.due`."""
        return step - step % self._steps + self._steps

    def give(self, step: int) -> None:
        """See `Link.give`."""
        values = read_topic(self._sim) if step % self._steps == 0 else None
        if values is None:
            return
        self._speaks |= (values != 0).any(axis=1)
        rows = np.flatnonzero(self._speaks)
        messages = wire.blank("PX4ExtMsg", len(rows))
        messages["CopterID"], messages["runnedTime"] = rows + self._first_id, self._sim.time
        messages["controls"] = values[rows]
        self._packed.append((rows, messages))

    def flush(self) -> None:
        """See `Link.flush`."""
        for rows, messages in self._packed:
            sent = self.sockets.send("topic", messages, rows)
            self.stats.add(Count.SENT, rows, sent.packets)
            self.stats.add(Count.SEND_ERRORS, rows, sent.failures)
        self._packed = []

    def close(self) -> None:
        """See `Link.close`."""
        self.sockets.close()
