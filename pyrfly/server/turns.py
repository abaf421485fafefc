"""The order in which packets are executed: `in_turns`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pyrfly import wire
from pyrfly.server.decode import stream
from pyrfly.server.link_stats import Count
from pyrfly.transport import Packet

__all__ = ["Turns", "in_turns"]

_REASONS = {"length": Count.BAD_LENGTH, "checksum": Count.BAD_CHECKSUM}

Kinds = dict[str, tuple[list[int], list[bytes]]]


class Turns(NamedTuple):
    """Packets in the order in which they are executed.

    Attributes
    ----------
    turns : list of dict
        In each turn, by kind of message: the rows of the vehicles (CopterID - 1), and the bytes.
    rejected_rows, rejected_counts : list of int
        Of each packet that is no message of its port: the row, and the reason as `Count`.
    """

    turns: list[Kinds]
    rejected_rows: list[int]
    rejected_counts: list[Count]


def in_turns(packets: Sequence[Packet]) -> Turns:
    """Sort packets into turns, so that those of a vehicle are executed in their order.

    A later packet of a vehicle is in a later turn; only packets of one stream in a row share one.
    """
    found = Turns([], [], [])
    latest: dict[int, tuple[int, object]] = {}
    for row, port, data in packets:
        try:
            name = wire.identify(port, data)
        except wire.Rejected as rejected:
            found.rejected_rows.append(row)
            found.rejected_counts.append(_REASONS[rejected.reason])
            continue
        turn, before = latest.get(row, (-1, None))
        of = stream(name, data)
        if of is None or of != before:
            turn += 1
        latest[row] = turn, of
        if turn == len(found.turns):
            found.turns.append({})
        rows, datas = found.turns[turn].setdefault(name, ([], []))
        rows.append(row)
        datas.append(data)
    return found
