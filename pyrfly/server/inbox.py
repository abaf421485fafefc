"""Received packets on their way to execution: `Inbox`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.protocol.faults import refusal
from pyrfly.server.decode import decode
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.notices import Notices
from pyrfly.server.orders import Action
from pyrfly.server.turns import Waiting
from pyrfly.transport import Packet

__all__ = ["Inbox"]

_LOG = logging.getLogger("pyrfly.server")
_REASONS = {"length": Count.BAD_LENGTH, "checksum": Count.BAD_CHECKSUM}

Kind = tuple[list[int], list[int], list[bytes]]
"""Packets of one kind: places among the packets of a tick, rows of vehicles, bytes."""


class Inbox:
    """Decodes packets, counts them, and keeps what they request until it is executed.

    Parameters
    ----------
    stats : LinkStats
        Where packets are counted.

    Attributes
    ----------
    notices : Notices or None
        Where the first packets that are dropped are reported; None, nowhere, at first.
    """

    def __init__(self, stats: LinkStats) -> None:
        self.notices: Notices | None = None
        self._stats = stats
        self._waiting = Waiting()
        self._count = 0  # packets so far
        self._reported: set[int] = set()  # faults

    def put(self, packets: Sequence[Packet]) -> None:
        """Decode packets, in the order of their arrival."""
        self._stats.add(Count.RECEIVED, [packet.row for packet in packets])
        for name, (arrivals, rows, datas) in self._by_kind(packets).items():
            records = np.frombuffer(b"".join(datas), dtype=wire.dtype(name))
            vehicles = np.array(rows, dtype=np.intp)
            orders = decode(name, records, vehicles + 1)
            self._stats.add(orders.verdicts, vehicles)
            if self.notices is not None:
                self.notices.refused(name, orders.verdicts, vehicles)
            self._stats.add(Count.UNKNOWN_BITS, vehicles[orders.unknown_bits])
            self._report(orders.faults)
            arrival = self._count + np.array(arrivals, dtype=np.intp)
            for action, of in zip(orders.actions, orders.packets, strict=True):
                self._waiting.add(action, arrival[of])
        self._count += len(packets)

    def execute(self, act: Callable[[Action], None], expired: Callable[[], bool]) -> None:
        """Execute requests until none waits, or the time for them has expired."""
        if len(self._waiting):
            left = self._waiting.execute(act, expired)
            self._stats.add(Count.REPLACED, left.replaced - 1)
            self._stats.add(Count.CROWDED_OUT, left.crowded_out - 1)

    def _by_kind(self, packets: Sequence[Packet]) -> dict[str, Kind]:
        """Return packets by kind of message; count those that are none of their port."""
        kinds: dict[str, Kind] = {}
        known = 0
        for arrival, (row, port, data) in enumerate(packets):
            try:
                name = wire.identify(port, data)
            except wire.Rejected as rejected:
                self._stats.add(_REASONS[rejected.reason], row)
                continue
            arrivals, rows, datas = kinds.setdefault(name, ([], [], []))
            arrivals.append(arrival)
            rows.append(row)
            datas.append(data)
            known += 1
        if self.notices is not None and known < len(packets):
            self.notices.malformed(packets)
        return kinds

    def _report(self, faults: NDArray[np.int64]) -> None:
        """Log refused faults, once for each kind."""
        for number in sorted(set(faults.tolist()) - {0} - self._reported):
            self._reported.add(number)
            _LOG.warning("%s", refusal(number))
