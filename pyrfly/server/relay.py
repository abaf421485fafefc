"""MAVLink between autopilots and stations, SDKs, RflySim's clients: `Relay`, `TruthCopy`."""

from __future__ import annotations

import selectors
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.autopilot.truth import carried_truth
from pyrfly.mavlink import DATAGRAM_LIMIT, Datagrams, Frame, FrameParser, FrameWriter
from pyrfly.server.autopilot_ports import AutopilotPorts
from pyrfly.server.autopilot_texts import AutopilotTexts
from pyrfly.server.budget import Budget
from pyrfly.server.link import NEVER, Link
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.sim import Sim
from pyrfly.transport import FIRST_PORT, FleetSockets, Packet, PortUse, Series

__all__ = ["AUTOPILOT", "RFLYSIM", "TRUTH_RATE", "Relay", "TruthCopy", "client_series"]

AUTOPILOT = "autopilot"
"""Name of the side of the autopilots in `Relay.sides`."""

RFLYSIM = "rflysim"
"""Name of the series that also gets the true state."""

TRUTH_RATE = 50.0
"""How often the true state is sent [Hz]; CopterSim's own rate is not published."""

_COMPONENT = 25
"""MAV_COMP_ID_USER1: the autopilot is another component, which numbers its own frames."""

_MAXIMUM_SYSTEM = 255
"""Highest identifier of a system; vehicles beyond it, which have ports of their own, begin anew."""

_HOME_POSITION = 242  # PX4 sends it as soon as it knows where it is

Send = Callable[[int, bytes], bool]
"""Sends bytes to the autopilot of a row; returns whether they were taken."""


def client_series(first_id: int = 1, first_port: int = FIRST_PORT) -> tuple[Series, ...]:
    """Return the ports of ground stations, of SDKs and of RflySim's clients.

    The first two are those of PX4 SITL [@px4 v1.16.1 px4-rc.mavlink]: vehicle n sends from
    18570 + n - 1 to 14550, and from 14580 + n - 1 to 14540 + n - 1, from the tenth on to 14549.
    RflySim's are 20100 + 2 (n - 1) and the port above.

    Parameters
    ----------
    first_id : int
        CopterID of the first vehicle.
    first_port : int
        Instead of 20100.

    Examples
    --------
    >>> from pyrfly.server.relay import client_series
    >>> [(series.name, series.port, series.to) for series in client_series()]
    [('ground_station', 18570, 14550), ('sdk', 14580, 14540), ('rflysim', 20100, 20101)]
    """
    i = first_id - 1
    port = first_port + 2 * i
    series = (
        Series("ground_station", 18570 + i, 1, 14550, 0),
        Series("sdk", 14580 + i, 1, min(14540 + i, 14549), 1, to_last=14549),
        Series(RFLYSIM, port, 2, port + 1, 2, option="first_port"),
    )
    return tuple(one._replace(learn=True, skip_refused=True) for one in series)


class Relay(Link):
    """Passes MAVLink on, whole frames, between the autopilot of each vehicle and its clients.

    What a client sends goes to the autopilot, what the autopilot sends to all clients: to the port
    that is theirs, and to the one that sent last. Nothing is sent but to the peers and to programs
    on this machine; what comes from elsewhere is dropped and counted.

    The autopilots are programs that send to ``autopilots``, or another link has them: that of
    hardware in the loop calls `connect`, `add` and `pass_on`.

    RflySim's clients also get the true state, 50 times per simulated second: `TruthCopy`.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    clients : sequence of Series
        Ports of the clients; those of `client_series` by default. A PX4 SITL sends to ground
        stations and SDKs itself, so that only the last of them is to be served.
    autopilots : AutopilotPorts, optional
        Ports of the autopilots, which this closes.
    host : str
        Address to listen on for clients: by default only programs on this machine can send.
    peers : sequence of str
        Addresses of the clients.
    first_id : int
        CopterID of the first vehicle.
    allow : sequence of str
        Who may command instead of the peers, see `pyrfly.transport.Senders`.

    Attributes
    ----------
    sides : dict of str to LinkStats
        Frames from the autopilots and packets to them, ``'autopilot'``; the same of each series of
        clients.
    sockets : FleetSockets
        The sockets of the clients.
    texts : AutopilotTexts or None
        What to make of what the autopilots of another link say; None at first.

    Raises
    ------
    PortError
        A port is in use or cannot be opened.
    OptionError
        A port is out of range, or two of them are the same.
    """

    name = "relay"

    def __init__(
        self,
        sim: Sim,
        clients: Sequence[Series] | None = None,
        autopilots: AutopilotPorts | None = None,
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_id: int = 1,
        allow: Sequence[str] = (),
    ) -> None:
        series = client_series(first_id) if clients is None else tuple(clients)
        self._first_id = first_id
        self.stats = LinkStats(sim.n, first_id)
        self.sides = {
            name: LinkStats(sim.n, first_id) for name in (AUTOPILOT, *(s.name for s in series))
        }
        self._parsers = {name: FrameParser(datagrams=True) for name in self.sides}
        self._autopilots = autopilots
        self._send: Send | None = None if autopilots is None else autopilots.send
        self.texts: AutopilotTexts | None = None
        self._waiting = _Waiting([], [])
        self._known = np.zeros(sim.n, np.bool_)
        self._truth = TruthCopy(sim, first_id) if RFLYSIM in self.sides else None
        self._period = max(1, round(1.0 / (TRUTH_RATE * sim.dt)))
        self._selector = selectors.DefaultSelector()
        try:
            self.sockets = FleetSockets(sim.n, series, host, peers, first_id, allow)
        except BaseException:
            self._close_autopilots()
            raise
        if (file := self.sockets.fileno()) is not None:
            self._selector.register(file, selectors.EVENT_READ)
        for opened in () if autopilots is None else autopilots.sockets:
            self._selector.register(opened, selectors.EVENT_READ, opened)

    # --- autopilots of another link ---

    def connect(self, send: Send) -> None:
        """Send what comes from clients by this function from now on."""
        self._send = send
        self.texts = AutopilotTexts(len(self._known), send, self._first_id)

    def add(self, row: int, frames: Sequence[Frame]) -> None:
        """Take frames of an autopilot; `pass_on` sends them to the clients."""
        self._waiting.rows.extend([row] * len(frames))
        self._waiting.frames.extend(frame.raw for frame in frames)
        self._known[row] |= any(frame.message_id == _HOME_POSITION for frame in frames)
        self._count(AUTOPILOT, [Count.RECEIVED, Count.ACCEPTED], row, len(frames))
        if self.texts is not None:
            self.texts.take(row, frames)

    def forget(self, row: int) -> None:
        """Note that an autopilot is gone: its position is not known any more."""
        self._known[row] = False
        if self.texts is not None:
            self.texts.forget(row)

    def pass_on(self) -> None:
        """Send the clients what `add` took."""
        if not self._waiting.rows:
            return
        rows, parts = zip(*_datagrams(self._waiting), strict=True)
        self._waiting = _Waiting([], [])
        for series in self.sockets.series:
            self._send_to(series.name, rows, parts)

    # --- link ---

    def fileno(self) -> int | None:
        """See `Link.fileno`."""
        find = getattr(self._selector, "fileno", None)
        return None if find is None else int(find())

    def port_uses(self) -> list[PortUse]:
        """See `Link.port_uses`: those of the clients."""
        return self.sockets.uses()

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        self._serve_autopilots()
        self._serve_clients(budget.reading_is_over)

    def serve(self) -> None:
        """See `Link.serve`: a portion of what has arrived, in both directions."""
        self._serve_autopilots()
        self._serve_clients(lambda: True)

    def due(self, step: int) -> int:
        """See `Link.due`: the next copy of the true state."""
        return NEVER if self._truth is None else step - step % self._period + self._period

    def give(self, step: int) -> None:
        """See `Link.give`."""
        if self._truth is not None and step % self._period == 0:
            packed = self._truth.packed(self._known)
            places = (packed.starts, packed.lengths, packed.rows)
            sent = self.sockets.send_datagrams(RFLYSIM, packed.data.data, *places)
            self._count(RFLYSIM, Count.SENT, packed.rows, sent.packets)
            self._count(RFLYSIM, Count.SEND_ERRORS, packed.rows, sent.failures)

    def close(self) -> None:
        """See `Link.close`."""
        self._selector.close()
        self.sockets.close()
        self._close_autopilots()

    def _close_autopilots(self) -> None:
        if self._autopilots is not None:
            self._autopilots.close()

    # --- from autopilots ---

    def _serve_autopilots(self) -> None:
        if self._autopilots is None:
            return
        for opened in self._autopilots.sockets:
            for row, data in self._autopilots.receive(opened):
                if row is None:
                    self._count(AUTOPILOT, [Count.RECEIVED, Count.BAD_ID], 0)
                else:
                    self.add(row, self._frames(AUTOPILOT, row, data))
        self.pass_on()

    # --- from clients ---

    def _serve_clients(self, expired: Callable[[], bool]) -> None:
        for packets in self.sockets.receive(expired, lambda row: False):
            for packet in packets:
                self._pass_back(packet)
        for side, row, count in self.sockets.foreign():
            for stats in (self.stats, self.sides[side]):
                stats.add_foreign(row, count)

    def _pass_back(self, packet: Packet) -> None:
        """Send an autopilot what a client has sent."""
        side, row = packet.port, packet.row
        frames = self._frames(side, row, packet.data)
        self._count(side, [Count.RECEIVED, Count.ACCEPTED], row, len(frames))
        if frames and self._send is not None:
            taken = self._send(row, b"".join(frame.raw for frame in frames))
            self._count(AUTOPILOT, Count.SENT if taken else Count.SEND_ERRORS, row)

    # --- both ---

    def _frames(self, side: str, row: int, data: bytes) -> list[Frame]:
        """Return the frames of a datagram; count it where there is something else in it."""
        parser = self._parsers[side]
        before = parser.counts.skipped_bytes
        frames = parser.feed(data)
        if parser.counts.skipped_bytes > before or not frames:
            self._count(side, [Count.RECEIVED, Count.BAD_CHECKSUM], row)
        return frames

    def _send_to(self, side: str, rows: Sequence[int], parts: Sequence[bytes]) -> None:
        lengths = [len(part) for part in parts]
        starts = [0, *accumulate(lengths)][:-1]
        sent = self.sockets.send_datagrams(side, b"".join(parts), starts, lengths, rows)
        self._count(side, Count.SENT, rows, sent.packets)
        self._count(side, Count.SEND_ERRORS, rows, sent.failures)

    def _count(self, side: str, count: ArrayLike, rows: ArrayLike, times: ArrayLike = 1) -> None:
        for stats in (self.stats, self.sides[side]):
            stats.add(count, rows, times)


class _Waiting(NamedTuple):
    """Frames to send, and the rows that they are of."""

    rows: list[int]
    frames: list[bytes]


def _datagrams(waiting: _Waiting) -> Iterator[tuple[int, bytes]]:
    """Yield rows and datagrams of whole frames, those of a row in their order."""
    together: dict[int, bytearray] = {}
    for row, frame in zip(waiting.rows, waiting.frames, strict=True):
        datagram = together.setdefault(row, bytearray())
        if len(datagram) + len(frame) > DATAGRAM_LIMIT:
            yield row, bytes(datagram)
            datagram.clear()
        datagram += frame
    for row, datagram in together.items():
        yield row, bytes(datagram)


class TruthCopy:
    """Packs the true state in HIL_ACTUATOR_CONTROLS: `pyrfly.autopilot.truth.carried_truth`.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    first_id : int
        CopterID of the first vehicle, which is its system.
    """

    def __init__(self, sim: Sim, first_id: int = 1) -> None:
        self._sim = sim
        systems = (first_id - 1 + np.arange(sim.n)) % _MAXIMUM_SYSTEM + 1
        self._writer = FrameWriter(systems, _COMPONENT)

    def packed(self, known: NDArray[np.bool_]) -> Datagrams:
        """Return a message of each vehicle.

        Parameters
        ----------
        known : ndarray of bool, shape (n,)
            Whose autopilot knows its position.
        """
        records = carried_truth(self._sim, round(self._sim.time * 1e3), known)
        self._writer.add("HIL_ACTUATOR_CONTROLS", records)
        return self._writer.take()
