"""Counts of the packets of a server and of what became of them: `LinkStats`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Count", "LinkStats"]


class Count(IntEnum):
    """What is counted; the names in lower case are the keys of `LinkStats`."""

    RECEIVED = 0
    ACCEPTED = 1
    BAD_LENGTH = 2
    BAD_CHECKSUM = 3
    BAD_ID = 4
    NOT_FINITE = 5
    UNKNOWN = 6
    UNSUPPORTED = 7
    UNKNOWN_BITS = 8
    REPLACED = 9
    OVERFLOWED = 10
    LAPSED = 11
    SENT = 12
    SEND_ERRORS = 13
    LIMITED = 14
    UNSIGNED = 15
    BAD_SENDER = 16
    REFUSED = 17
    LOST = 18


MEANING = {
    Count.RECEIVED: "packets received",
    Count.ACCEPTED: "accepted",
    Count.BAD_LENGTH: "dropped: no message of this port is that long",
    Count.BAD_CHECKSUM: "dropped: wrong checksum",
    Count.BAD_ID: "dropped: for another vehicle",
    Count.BAD_SENDER: "dropped: from an address that may not command",
    Count.NOT_FINITE: "dropped: a non-finite number, or one that does not fit",
    Count.UNKNOWN: "dropped: unknown message, mode or frame",
    Count.UNSUPPORTED: "dropped: known, but without effect here",
    Count.UNSIGNED: "dropped: not signed with the key of the link",
    Count.LOST: "lost: by a fault of the link",
    Count.UNKNOWN_BITS: "of those accepted: with unknown bits, which are ignored",
    Count.LIMITED: "of those executed: with a thrust or position beyond its range, limited",
    Count.REFUSED: "of those executed: asked for what cannot be changed, or not now",
    Count.REPLACED: "of those accepted: a newer packet of the stream was there already",
    Count.OVERFLOWED: "never received: dropped by the system, as more came than could be read",
    Count.LAPSED: "streams of set-points that ended",
    Count.SENT: "packets sent",
    Count.SEND_ERRORS: "packets that could not be sent",
}
NAMES = {count.name.lower(): count for count in Count}
TROUBLES = tuple(set(Count) - {Count.RECEIVED, Count.ACCEPTED, Count.REPLACED, Count.SENT})


class LinkStats(Mapping[str, int]):
    """Counts per vehicle and in all; as a mapping, names to the sums over all vehicles.

    The names are those of `Count` in lower case. Every packet that is received counts once as
    ``received`` and once as what became of it: ``accepted``, ``bad_length``, ``bad_checksum``,
    ``bad_id``, ``bad_sender``, ``not_finite``, ``unknown``, ``unsupported``, ``unsigned`` or
    ``lost``. Of the accepted ones, ``unknown_bits`` counts those with bits that were ignored,
    ``limited`` those executed with a normalized thrust outside of 0 to 1 or a position beyond 1000
    km, ``refused`` those executed that asked for a mode, map, origin or recipient that cannot be
    had, or not now, and ``replaced`` those of streams that were out of date before they were
    executed. ``overflowed`` packets are those that the system dropped before they were received,
    where it tells (Linux).

    Parameters
    ----------
    n : int
        Number of vehicles.
    first_id : int
        CopterID of the first vehicle.

    Examples
    --------
    >>> from pyrfly.server import LinkStats
    >>> stats = LinkStats(2)
    >>> stats["bad_length"], stats.vehicle(2)["sent"]
    (0, 0)
    """

    def __init__(self, n: int, first_id: int = 1) -> None:
        self._first_id = first_id
        self._counts = np.zeros((len(Count), n), dtype=np.int64)

    @classmethod
    def total(cls, n: int, parts: Iterable[LinkStats], first_id: int = 1) -> LinkStats:
        """Return the sums of counts of the same ``n`` vehicles."""
        total = cls(n, first_id)
        for part in parts:
            total._counts += part._counts
        return total

    def __getitem__(self, name: str) -> int:
        return int(self._counts[NAMES[name]].sum())

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)

    def per_vehicle(self, name: str) -> NDArray[np.int64]:
        """Return a count of every vehicle, shape (n,), in the order of CopterIDs."""
        counts: NDArray[np.int64] = self._counts[NAMES[name]].copy()
        return counts

    def vehicle(self, copter_id: int) -> dict[str, int]:
        """Return the counts of one vehicle by name."""
        first, last = self._first_id, self._first_id + self._counts.shape[1] - 1
        if not first <= copter_id <= last:
            raise ValueError(f"copter_id: expected {first} to {last}, got {copter_id!r}")
        column = self._counts[:, copter_id - first].tolist()
        return dict(zip(NAMES, column, strict=True))

    def add(self, count: ArrayLike, rows: Any, times: ArrayLike = 1) -> None:
        """Count up for the vehicles at ``rows`` (from 0 on), each ``times`` times.

        Parameters
        ----------
        count : Count or array_like of it, shape (k,)
            What to count, for all or for each of the rows.
        rows : int, slice or array_like, shape (k,)
            Which vehicles; one may occur several times.
        times : array_like, shape () or (k,)
            How often.
        """
        np.add.at(self._counts, (np.asarray(count), rows), times)

    def add_foreign(self, rows: Any, times: ArrayLike = 1) -> None:
        """Count what came from those who may not command, as received and as dropped."""
        for count in (Count.RECEIVED, Count.BAD_SENDER):
            self.add(count, rows, times)

    def __str__(self) -> str:
        """One line per count that is not 0, with the vehicles it is about when it is a trouble."""
        n = self._counts.shape[1]
        lines = [f"links of {n} vehicle{'' if n == 1 else 's'}:"]
        for name, count in NAMES.items():
            total = self[name]
            if total or count in (Count.RECEIVED, Count.SENT):
                lines.append(f"  {name:13}{total:>10}  {MEANING[count]}{self._where(count)}")
        return "\n".join(lines)

    def _where(self, count: Count) -> str:
        """Return which vehicles a trouble is about."""
        if count not in TROUBLES or self._counts.shape[1] == 1:
            return ""
        ids = np.flatnonzero(self._counts[count]) + self._first_id
        more = ", ..." if len(ids) > 5 else ""
        return f" (vehicles {', '.join(map(str, ids[:5]))}{more})"
