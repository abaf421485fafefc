"""Vehicles that answer as PX4 does, on UDP ports: `MavlinkLink`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pyrfly import wire
from pyrfly.autopilot import RATES, Autopilots
from pyrfly.autopilot.autopilots import HIGHEST_SYSTEM
from pyrfly.autopilot.offboard import Verdict
from pyrfly.mavlink import Datagrams, Frame, FrameParser
from pyrfly.protocol.timeouts import NO_TIMEOUTS
from pyrfly.server.budget import Backlog, Budget
from pyrfly.server.link import Link
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.models import Models
from pyrfly.server.starts import Starts
from pyrfly.server.timeouts import checked_timeouts
from pyrfly.sim import Sim
from pyrfly.transport import (
    FIRST_PORT,
    FleetSockets,
    Further,
    OptionError,
    Packet,
    PortUse,
    Series,
    span,
)

__all__ = ["KINDS", "MavlinkLink", "port_notice"]

PERIOD = 0.01
"""Simulated time between two looks at what is to be sent [s]: PX4 sends ATTITUDE at 100 Hz."""


class _Ports(NamedTuple):
    """Ports of a kind of link: of the vehicles, and of the programs that they send to.

    The last two are those for the vehicles above 255, see `Further`; 0: each has a port of its own.
    """

    port: int
    step: int
    to: int
    to_step: int
    to_last: int | None
    further: int = 0
    further_step: int = 0


_RFLYSIM = _Ports(FIRST_PORT, 2, FIRST_PORT + 1, 2, None)
KINDS = {
    "ground_station": _Ports(18570, 1, 14550, 0, 14550, 14551, 1),
    "onboard": _Ports(14580, 1, 14540, 1, 14549, 14539, -1),
    **dict.fromkeys((mode for mode in RATES if mode.startswith("mavlink_")), _RFLYSIM),
}
"""Kinds of link with PX4's ports [@px4 px4-rc.mavlink]; the others are RflySim's modes."""

_COUNTS = {
    "accepted": [Count.ACCEPTED],
    "unsupported": [Count.UNSUPPORTED],
    "bad_id": [Count.BAD_ID],
    "late": [Count.ACCEPTED],
    "lost": [Count.LOST],
    "held": [],  # counted when it is used
    "replaced": [Count.ACCEPTED, Count.REPLACED],
}
"""What is counted of a frame, by the verdict of its channel."""

_SET_POINTS = {
    Verdict.USED: Count.ACCEPTED,
    Verdict.BAD_FRAME: Count.UNKNOWN,
    Verdict.FORCE: Count.UNSUPPORTED,
    Verdict.EMPTY: Count.UNSUPPORTED,
    Verdict.NOT_FINITE: Count.NOT_FINITE,
}
"""What is counted of a set-point that was used."""


def port_notice(series: Sequence[Series], n: int, first_id: int) -> str:
    """Return what is to be known of vehicles whose MAVLink identifiers repeat; empty if none does.

    Parameters
    ----------
    series : sequence of Series
        Kinds of links.
    n : int
        Number of vehicles.
    first_id : int
        CopterID of the first one.
    """
    ports = {one.name: one.further_ports(n) for one in series}
    told = [f"{span('port', numbers)} ({name})" for name, numbers in ports.items() if numbers]
    if not told:
        return ""
    return (
        f"{n} vehicles have {HIGHEST_SYSTEM} MAVLink identifiers, so that each further"
        f" {HIGHEST_SYSTEM} send to a port of their own: from CopterID {first_id + HIGHEST_SYSTEM}"
        f" on {', '.join(told)}"
    )


class MavlinkLink(Link):
    """The vehicles of a `Sim` as PX4 v1.16.1, for ground stations, SDKs and RflySim's clients.

    Vehicle n sends to a ground station on port 14550 from its port 18570 + n - 1, to an SDK on
    port 14540 + n - 1 (the tenth and all further ones: 14549) from 14580 + n - 1, and in one of
    RflySim's modes from 20100 + 2 (n - 1) to the port above. A program that sends to a port of a
    vehicle from another port of its own gets an answer there.

    Its MAVLink identifier is its CopterID, above 255 again from 1: each further 255 vehicles send
    to a ground station on a port of their own, 14551, 14552, ..., and to an SDK on 14539, 14538,
    ..., so that no program takes one for another. What a frame requests is done in
    the tick in which it arrives, or later if more arrive than there is time for: one frame of each
    vehicle in turn. Of the set-points of a vehicle in a tick the newest counts. Heartbeats and
    frames for others are passed on between the links of a vehicle, as PX4 does.

    In RflySim's modes the packet of `PX4MavCtrler.sendRebootPix` puts a vehicle back to its start,
    in the air too; with a key it is dropped, as nobody can sign it.

    Frames are untrusted: what has a wrong checksum, or is for another vehicle, is dropped and
    counted in ``stats``, where a frame is a packet.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns.
    kinds : sequence of str
        Keys of `KINDS`, at most one of RflySim's modes.
    host : str
        Address to listen on.
    peers : sequence of str
        Addresses to send to.
    first_port : int
        Instead of 20100; all ports are as much higher.
    first_id : int
        CopterID of the first vehicle.
    patience : float
        See `pyrfly.autopilot.Autopilots`.
    key : bytes, optional
        32 bytes: frames are signed with it, and others are dropped; a signed frame is accepted once
        by each vehicle, see `pyrfly.mavlink.signing.SignatureCheck`.
    starts : Starts, optional
        Where vehicles are put back to; by default where they are now.
    allow : sequence of str
        Who may command instead of the peers, see `pyrfly.transport.Senders`.
    timeouts : mapping
        As of `pyrfly.server.Server`; those of MAVLink count.

    Attributes
    ----------
    autopilots : Autopilots
        The vehicles as PX4s.
    sockets : FleetSockets
        The sockets.

    Raises
    ------
    PortError, OptionError
        A port cannot be opened, an argument is invalid.
    """

    name = "mavlink"

    def __init__(
        self,
        sim: Sim,
        kinds: Sequence[str] = ("ground_station", "onboard"),
        host: str = "127.0.0.1",
        peers: Sequence[str] = ("127.0.0.1",),
        first_port: int = FIRST_PORT,
        first_id: int = 1,
        patience: float = 1.0,
        key: bytes | None = None,
        starts: Starts | None = None,
        allow: Sequence[str] = (),
        timeouts: Mapping[str, float] = NO_TIMEOUTS,
    ) -> None:
        _check_kinds(kinds)
        given = checked_timeouts(timeouts)
        self.stats = LinkStats(sim.n, first_id)
        self._sim = sim
        self._starts = starts or Starts(sim)
        self._is_signed = key is not None
        self.autopilots = Autopilots(
            sim,
            first_id,
            patience,
            self._put_back,
            epoch=time.time(),
            timeouts=given,
        )
        self._channels = {kind: self.autopilots.open(RATES[kind], key) for kind in kinds}
        # of a vehicle: a signed frame must not be accepted again on another of its ports
        self._parsers = [FrameParser(key, datagrams=True) for _ in range(sim.n)]
        self._period = max(1, round(PERIOD / sim.dt))
        self._update = max(1, round(self.autopilots.period / sim.dt))
        self._backlog = Backlog()
        self._counts: list[tuple[Count, int]] = []  # of the frames of this tick, and their rows
        self._packed: list[tuple[str, Datagrams]] = []
        self._forwarded: dict[str, list[tuple[int, bytes]]] = {kind: [] for kind in kinds}
        series = [_series(kind, first_port - FIRST_PORT, first_id) for kind in kinds]
        self.sockets = FleetSockets(sim.n, series, host, peers, first_id, allow)

    def notice(self) -> str:
        """Return what is to be known of the ports of vehicles that share an identifier."""
        return port_notice(self.sockets.series, self._sim.n, self.sockets.first_id)

    def port_uses(self) -> list[PortUse]:
        """Return what the ports are for, as `pyrfly.transport.check_ports` takes it."""
        return self.sockets.uses()

    def join_models(self, models: Models) -> None:
        """See `Link.join_models`: these autopilots say what state their vehicles are in."""
        models.pilots = self.autopilots.commander

    def take(self, budget: Budget) -> None:
        """See `Link.take`."""
        for packets in self.sockets.receive(budget.reading_is_over, self._backlog.is_full):
            for packet in packets:
                self._backlog.add(packet.row, self._frames(packet))
        self._backlog.work(budget.is_over)
        for _, row, count in self.sockets.foreign():
            self.stats.add_foreign(row, count)
        for row, count in self.sockets.overflows():
            self.stats.add(Count.OVERFLOWED, row, count)
        self._count()
        rows, verdicts = self.autopilots.use_set_points()
        for verdict, count in _SET_POINTS.items():
            self.stats.add(count, rows[verdicts == verdict])

    def due(self, step: int) -> int:
        """See `Link.due`."""
        return step - step % self._period + self._period

    def give(self, step: int) -> None:
        """See `Link.give`."""
        if step % self._update == 0:
            self.autopilots.update()
        if step % self._period == 0:
            snapshot = self.autopilots.moment()
            for kind, channel in self._channels.items():
                self._packed.append((kind, channel.packed(snapshot)))

    def flush(self) -> None:
        """See `Link.flush`."""
        for kind, datagrams in self._packed:
            self._send(kind, datagrams)
        for kind, forwarded in self._forwarded.items():
            if forwarded:
                self._send(kind, Datagrams.of(forwarded))
                forwarded.clear()
        self._packed = []

    def close(self) -> None:
        """See `Link.close`."""
        self.sockets.close()

    def _frames(self, packet: Packet) -> Iterator[None]:
        """Do what the frames of a datagram request, one at each step."""
        row, kind, data, _ = packet
        parser = self._parsers[row]
        bad, unsigned = parser.counts.bad_checksums, _refused(parser)
        frames = parser.feed(data)
        if not frames:
            verdict = Count.BAD_LENGTH
            if kind.startswith("mavlink_") and _is_restart(data):
                verdict = self._restart(row)
            elif parser.counts.bad_checksums > bad:
                verdict = Count.BAD_CHECKSUM
            elif _refused(parser) > unsigned:
                verdict = Count.UNSIGNED
            self._counts += [(Count.RECEIVED, row), (verdict, row)]
        for frame in frames:
            taken = self._channels[kind].take(row, frame)
            counts = (Count.RECEIVED, *_COUNTS[taken.verdict])
            self._counts.extend((count, row) for count in counts)
            if taken.forward:
                self._forward(row, kind, frame)
            yield

    def _put_back(self, row: int) -> None:
        self._starts.restart(np.array([row + 1]))

    def _restart(self, row: int) -> Count:
        """Put a vehicle back by a packet of RflySim's clients, which nobody can sign."""
        if self._is_signed:
            return Count.UNSIGNED
        self._put_back(row)
        self.autopilots.commander.restart(row)
        return Count.ACCEPTED

    def _count(self) -> None:
        """Count what became of the frames of this tick, all at once, which is much quicker."""
        if self._counts:
            counts, rows = np.array(self._counts).T
            self.stats.add(counts, rows)
            self._counts.clear()

    def _forward(self, row: int, kind: str, frame: Frame) -> None:
        for other, forwarded in self._forwarded.items():
            if other != kind:
                forwarded.append((row, frame.raw))

    def _send(self, kind: str, datagrams: Datagrams) -> None:
        if len(datagrams):
            rows, lengths = datagrams.rows, datagrams.lengths
            sent = self.sockets.send_datagrams(
                *(kind, datagrams.data.data, datagrams.starts, lengths, rows)
            )
            self.stats.add(Count.SENT, rows, sent.packets)
            self.stats.add(Count.SEND_ERRORS, rows, sent.failures)


def _is_restart(data: bytes) -> bool:
    """Return whether a datagram is the packet of `PX4MavCtrler.sendRebootPix`."""
    try:
        return wire.parse("command", data).name == "reboot"
    except wire.Rejected:
        return False


def _refused(parser: FrameParser) -> int:
    return parser.counts.unsigned + parser.counts.bad_signatures


def _check_kinds(kinds: Sequence[str]) -> None:
    for kind in kinds:
        if kind not in KINDS:
            raise OptionError(f"kinds: expected some of {', '.join(KINDS)}, got {kind!r}")
    modes = [kind for kind in kinds if kind.startswith("mavlink_")]
    if len(modes) > 1 or len(set(kinds)) < len(kinds) or not kinds:
        raise OptionError(
            "kinds: expected different ones, at most one of RflySim's modes, got "
            + (", ".join(kinds) or "none")
        )


def _series(kind: str, offset: int, first_id: int) -> Series:
    """Return the ports of a kind of link; ``offset`` is added to all of them."""
    port, step, to, to_step, to_last, further, further_step = KINDS[kind]
    later = first_id - 1
    groups = Further(HIGHEST_SYSTEM, further + offset, further_step) if further else None
    return Series(
        kind,
        port + step * later + offset,
        step,
        (to + to_step * later if to_last is None else min(to + to_step * later, to_last)) + offset,
        to_step,
        None if to_last is None else to_last + offset,
        groups,
        learn=True,
        skip_refused=True,
        option="first_port",
    )
