"""What a user should know at once of the packets that a server receives: `Notices`."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.errors import brief
from pyrfly.server.link_stats import MEANING, Count
from pyrfly.server.orders import ID_FIELDS
from pyrfly.transport import Packet, span

__all__ = ["Notices", "is_mavlink"]

_MAVLINK_OVERHEAD = {0xFE: 8, 0xFD: 12}  # bytes besides the payload, by first byte
_SHOWN = 8  # bytes of a malformed packet
_LOOKS = 16  # packets of a call that are looked at when the common kinds were reported
_REASON = 300  # characters of a reason
_KINDS = ("command", "sil", "config")  # of ports of a simulator


def is_mavlink(data: bytes) -> bool:
    """Return whether a packet begins with a whole MAVLink frame, of version 1 or 2."""
    if len(data) < 2 or data[0] not in _MAVLINK_OVERHEAD:
        return False
    return len(data) >= data[1] + _MAVLINK_OVERHEAD[data[0]]


class Notices:
    """Reports the first MAVLink frame, the first malformed packet and the first refused of a kind.

    Parameters
    ----------
    out : text file
        Where to write; each notice is a line.
    ids : range
        CopterIDs of the vehicles.
    """

    def __init__(self, out: TextIO, ids: range = range(1, 2)) -> None:
        self._out = out
        self._ids = ids
        self._known: set[object] = set()

    def _say(self, key: object, row: int, text: str) -> None:
        if key not in self._known:
            self._known.add(key)
            print(f"pyrfly sim: vehicle {self._ids[row]}: {text}", file=self._out, flush=True)

    def malformed(self, rejected: Sequence[tuple[Packet, str]]) -> None:
        """Report the first of packets that are no messages of their port, each with the reason."""
        # Later on only messages of other ports may be new, which a flood must not pay for.
        most = _LOOKS if {"mavlink", "malformed"} <= self._known else len(rejected)
        for packet, reason in rejected[:most]:
            if is_mavlink(packet.data):
                text = (
                    "a MAVLink frame was dropped: this is not a MAVLink mode; start with --mode "
                    "mavlink_full, or call InitMavLoop(0)"
                )
                self._say("mavlink", packet.row, text)
            elif (name := _name_elsewhere(packet.data)) is not None:
                self._say(name, packet.row, f"{name}: dropped: not taken on this port")
            else:
                text = f"a packet of {len(packet.data)} bytes was dropped, wrong {reason}: "
                begin = packet.data[:_SHOWN].hex(" ") or "empty"
                self._say("malformed", packet.row, text + begin)

    def refused(
        self,
        name: str,
        records: NDArray[Any],
        verdicts: NDArray[np.integer[Any]],
        rows: NDArray[np.intp],
    ) -> None:
        """Report messages of a name that are not accepted, the first for each reason."""
        for index in np.flatnonzero(verdicts != Count.ACCEPTED)[:1]:
            count = Count(verdicts[index])
            text = f"{name}: {MEANING[count]}"
            if count == Count.BAD_ID:
                text += self._addressee(records[index], int(rows[index]))
            self._say((name, count), int(rows[index]), text)

    def _addressee(self, record: np.void, row: int) -> str:
        """Return for which vehicle a message was, and for which it might be."""
        (field,) = ID_FIELDS & set(record.dtype.names or ())
        named = int(record[field])
        if named in self._ids:
            return f", CopterID {named}, on a port of CopterID {self._ids[row]}"
        return f", CopterID {named}; served: {span('CopterID', self._ids)}"

    def dropped(self, name: str, count: Count, reason: str) -> None:
        """Report a message for all vehicles, the first of each count."""
        if not reason.isprintable():
            reason = brief(reason, _REASON)
        self._say((name, count), 0, f"{name}: {MEANING[count]}: {reason[:_REASON]}")


def _name_elsewhere(data: bytes) -> str | None:
    """Return the name of a message that belongs to another kind of port."""
    for kind in _KINDS:
        with contextlib.suppress(wire.Rejected):
            return wire.identify(kind, data)
    return None
