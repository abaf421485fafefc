"""Received packets on their way to execution: `Inbox`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import numpy as np

from pyrfly import wire
from pyrfly.server.decode import decode
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.notices import Notices
from pyrfly.server.orders import Action
from pyrfly.server.request_queue import RequestQueue
from pyrfly.transport import Packet

__all__ = ["Inbox"]

_LOG = logging.getLogger("pyrfly.server")
_REASONS = {"length": Count.BAD_LENGTH, "checksum": Count.BAD_CHECKSUM}

Kind = tuple[list[int], list[int], list[bytes]]
"""Packets of one kind: places among those put together, rows of vehicles, bytes."""


class Inbox:
    """Decodes packets, counts them, and keeps what they request until it is executed.

    Parameters
    ----------
    stats : LinkStats
        Where packets are counted.
    n : int
        Number of vehicles.
    first_id : int
        CopterID of the first vehicle.

    Attributes
    ----------
    notices : Notices or None
        Where the first packets that are dropped are reported; None, nowhere, at first.
    """

    def __init__(self, stats: LinkStats, n: int, first_id: int = 1) -> None:
        self.notices: Notices | None = None
        self._stats = stats
        self._first_id = first_id
        self._waiting = RequestQueue(n)
        self._count = 0  # packets so far

    def put(self, packets: Sequence[Packet]) -> None:
        """Decode packets, in the order of their arrival."""
        self._stats.add(Count.RECEIVED, [packet.row for packet in packets])
        kinds, rejected = _by_kind(packets)
        if rejected:
            self._reject(rejected)
        for name, (arrivals, rows, datas) in kinds.items():
            records = np.frombuffer(b"".join(datas), dtype=wire.dtype(name))
            vehicles = np.array(rows, dtype=np.intp)
            orders = decode(name, records, vehicles + 1, self._first_id)
            self._stats.add(orders.verdicts, vehicles)
            if self.notices is not None:
                self.notices.refused(name, records, orders.verdicts, vehicles)
            self._stats.add(Count.UNKNOWN_BITS, vehicles[orders.unknown_bits])
            arrival = self._count + np.array(arrivals, dtype=np.intp)
            for action, of in zip(orders.actions, orders.packets, strict=True):
                self._waiting.add(action, arrival[of])
        self._count += len(packets)

    def execute(self, act: Callable[[Action], None], expired: Callable[[], bool]) -> None:
        """Execute requests until none waits, or the time for them is over."""
        replaced = self._waiting.execute(act, expired)
        self._stats.add(Count.REPLACED, replaced - 1)

    def is_full(self, row: int) -> bool:
        """Return whether so many commands of a vehicle wait that its ports are not to be read."""
        return self._waiting.is_full(row + 1)

    def _reject(self, rejected: Sequence[tuple[Packet, str]]) -> None:
        """Count packets that are no messages of their port, and report the first."""
        counts = [_REASONS[reason] for _, reason in rejected]
        self._stats.add(counts, [packet.row for packet, _ in rejected])
        if self.notices is not None:
            self.notices.malformed(rejected)


def _by_kind(packets: Sequence[Packet]) -> tuple[dict[str, Kind], list[tuple[Packet, str]]]:
    """Return packets by kind of message, and those that are none of their port, with the reason."""
    kinds: dict[str, Kind] = {}
    rejected = []
    for arrival, packet in enumerate(packets):
        row, port, data, _ = packet
        try:
            name = wire.identify(port, data)
        except wire.Rejected as error:
            rejected.append((packet, error.reason))
            continue
        arrivals, rows, datas = kinds.setdefault(name, ([], [], []))
        arrivals.append(arrival)
        rows.append(row)
        datas.append(data)
    return kinds, rejected
