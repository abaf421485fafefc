"""What PX4s in software say and are told, at a port that nobody else uses: `Px4TextLink`."""

from __future__ import annotations

import selectors

from pyrfly.mavlink import FrameParser
from pyrfly.server.autopilot_ports import AutopilotPorts
from pyrfly.server.autopilot_texts import AutopilotTexts
from pyrfly.server.budget import Budget
from pyrfly.server.fault_forwarding import FaultForwarding
from pyrfly.server.link import Link
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.models import Models
from pyrfly.sim import Sim
from pyrfly.sim.copter_data import SimulationMode

__all__ = ["Px4TextLink"]

_PORT, _REMOTE = 14030, 14280
_PERIOD = 0.02  # s between two looks at the faults


class Px4TextLink(Link):
    """Listens to what PX4s say, so that it can be printed.

    PX4 SITL has a link for a camera: instance i sends from 14280 + i to 14030 + i
    [@px4 v1.16.1 px4-rc.mavlink]. It leaves those of stations and SDKs to others.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    host : str
        IPv4 address of the autopilots and to listen on.
    first_instance : int
        Number of the first PX4.
    first_id : int
        CopterID of the first vehicle.
    tell_faults : bool
        Whether the PX4s are told what fails on their vehicles, see `FaultForwarding`.

    Attributes
    ----------
    texts : AutopilotTexts
        Its ``tell`` gets what they say.

    Raises
    ------
    PortError
        A port is in use or cannot be opened.
    """

    name = "px4_texts"

    def __init__(
        self,
        sim: Sim,
        host: str = "127.0.0.1",
        first_instance: int = 0,
        first_id: int = 1,
        tell_faults: bool = False,
    ) -> None:
        self.stats = LinkStats(sim.n, first_id)
        first, remote = _PORT + first_instance, _REMOTE + first_instance
        self._ports = AutopilotPorts(sim.n, first, remote, None, host)
        self.texts = AutopilotTexts(sim.n, self._send, first_id)
        self._models: Models | None = None
        self._faults: FaultForwarding | None = None
        if tell_faults:
            self._faults = FaultForwarding(sim, self._send, first_instance + 1)
        self._period = max(1, round(_PERIOD / sim.dt))
        self._parsers = [FrameParser(datagrams=True) for _ in range(sim.n)]
        self._selector = selectors.DefaultSelector()
        for opened in self._ports.sockets:
            self._selector.register(opened, selectors.EVENT_READ, opened)

    def fileno(self) -> int | None:
        """See `Link.fileno`."""
        find = getattr(self._selector, "fileno", None)
        return None if find is None else int(find())

    def join_models(self, models: Models) -> None:
        """See `Link.join_models`: PX4s in software are reached here."""
        self._models = models
        models.connect(SimulationMode.SITL, self._send)

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        self.serve()

    def serve(self) -> None:
        """See `Link.serve`: a portion of what the autopilots have sent."""
        for key, _ in self._selector.select(0):
            for row, data in self._ports.receive(key.data):
                if row is None:
                    self.stats.add([Count.RECEIVED, Count.BAD_ID], 0)
                else:
                    self._read(row, data)

    def _read(self, row: int, data: bytes) -> None:
        frames = self._parsers[row].feed(data)
        self.stats.add([Count.RECEIVED, Count.ACCEPTED], row, len(frames))
        self.texts.take(row, frames)
        if self._models is not None:
            self._models.take(row, frames)
        if self._faults is not None:
            self._faults.take(row, frames)

    def due(self, step: int) -> int:
        """See `Link.due`: the next look at the faults."""
        return (
            super().due(step) if self._faults is None else step - step % self._period + self._period
        )

    def give(self, step: int) -> None:
        """See `Link.give`: what fails."""
        if self._faults is not None and step % self._period == 0:
            self._faults.tell()

    def _send(self, row: int, data: bytes) -> None:
        self.stats.add(Count.SENT if self._ports.send(row, data) else Count.SEND_ERRORS, row)

    def close(self) -> None:
        """See `Link.close`."""
        self._selector.close()
        self._ports.close()
