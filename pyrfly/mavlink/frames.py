"""Frames to send: `FrameWriter`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.errors import brief
from pyrfly.mavlink.messages import Message, message_of
from pyrfly.mavlink.signing import checked_key, signature, timestamp_now

__all__ = ["DATAGRAM_LIMIT", "Datagrams", "FrameWriter"]

DATAGRAM_LIMIT = 1400
"""Length of a datagram, at most [bytes]: no network splits it."""

_OVERHEAD = 25  # header, checksum and signature of a frame [bytes]
_HASH = 6
_FIRST_SPACE = 4096


@dataclass(frozen=True)
class Datagrams:
    """Datagrams of whole frames, those of a sender in the order of its frames.

    Iteration yields the row and the bytes of each.

    Attributes
    ----------
    data : ndarray of uint8
        The bytes of all m datagrams.
    starts : ndarray of int64, shape (m,)
        Index in `data` of the first byte of each.
    lengths : ndarray of int32, shape (m,)
        Length of each [bytes], at most `DATAGRAM_LIMIT`.
    rows : ndarray of int32, shape (m,)
        Sender of each: an index into the system identifiers of the writer.
    """

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int32]
    rows: NDArray[np.int32]

    @classmethod
    def of(cls, datagrams: Sequence[tuple[int, bytes | memoryview]]) -> Datagrams:
        """Return datagrams of rows and bytes."""
        if not datagrams:
            return _NO_DATAGRAMS
        rows, datas = zip(*datagrams, strict=True)
        lengths = np.array([len(data) for data in datas], np.int32)
        starts = np.cumsum(lengths, dtype=np.int64) - lengths
        data = np.frombuffer(b"".join(datas), np.uint8)
        return cls(data, starts, lengths, np.array(rows, np.int32))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[int, memoryview]]:
        data = self.data.data
        ends = self.starts + self.lengths
        columns = (self.rows.tolist(), self.starts.tolist(), ends.tolist())
        return ((row, data[start:end]) for row, start, end in zip(*columns, strict=True))


_NO_DATAGRAMS = Datagrams(np.empty(0, np.uint8), np.empty(0, np.int64), *np.empty((2, 0), np.int32))


class FrameWriter:
    """MAVLink 2 frames of several senders over one link.

    Keeps the sequence number of every sender, and the frames that wait to be sent.

    Parameters
    ----------
    system_ids : array_like of int, shape (k,)
        System identifiers of the senders, 1 to 255. Senders with an identifier in common, as of
        more than 255 vehicles, need connections of their own.
    component_id : int, optional
        Component identifier of all senders; 1 is the autopilot.
    key : bytes, optional
        32 bytes to sign the frames with. By default they are not signed.
    link_id : int, optional
        Identifier of the link in signatures, 0 to 255.

    Raises
    ------
    ValueError
        An identifier is out of range, or the key has not 32 bytes.

    Examples
    --------
    >>> from pyrfly.mavlink import blank
    >>> writer = FrameWriter([1, 2])
    >>> heartbeats = blank("HEARTBEAT")
    >>> heartbeats["type"], heartbeats["autopilot"], heartbeats["mavlink_version"] = 2, 12, 3
    >>> writer.add("HEARTBEAT", heartbeats)
    >>> for row, datagram in writer.take():
    ...     print(row, datagram.hex(" "))
    0 fd 09 00 00 00 01 01 00 00 00 00 00 00 00 02 0c 00 00 03 d7 de
    1 fd 09 00 00 00 02 01 00 00 00 00 00 00 00 02 0c 00 00 03 a9 06
    """

    def __init__(
        self,
        system_ids: ArrayLike,
        component_id: int = 1,
        key: bytes | None = None,
        link_id: int = 0,
    ) -> None:
        self._ids = _identifiers(system_ids)
        self._component_id = _byte("component_id", component_id)
        self._link_id = _byte("link_id", link_id)
        self._key = checked_key(key)
        self._timestamp = 0
        self._sequences = np.zeros(self._ids.size, np.uint8)
        self._all = np.arange(self._ids.size, dtype=np.int32)
        self._space = np.empty(_FIRST_SPACE, np.uint8)
        self._forget()

    @property
    def waiting(self) -> int:
        """Length of the frames that wait to be sent [bytes]."""
        return self._used

    def add(self, name: str, records: ArrayLike, rows: ArrayLike | None = None) -> None:
        """Append frames of a message.

        Parameters
        ----------
        name : str
            A key of `MESSAGES`.
        records : array_like, shape (m,) or (1,) or ()
            The fields, of the dtype of ``blank(name)``; one record for all, or one for each.
        rows : array_like of int, shape (m,), optional
            The senders as indices into the system identifiers, in any order; one may occur several
            times. By default all, once each.

        Raises
        ------
        ValueError
            There is no such message, the records have another dtype or shape, or a row is out of
            range.
        """
        message = message_of(name)
        chosen = self._all if rows is None else self._rows_of(rows)
        packed = _records(message, records, chosen.size)
        size = message.dtype.itemsize
        space = self._reserve(chosen.size * (size + _OVERHEAD))
        lengths = np.empty(chosen.size, np.int32)
        written = _core.mavlink_pack(
            (message.id, message.crc_extra, size),
            self._ids,
            self._sequences,
            self._component_id,
            None if self._key is None else (self._link_id, self._next_timestamps(chosen.size)),
            packed,
            chosen,
            space,
            lengths,
        )
        if self._key is not None:
            _sign(self._key, space, lengths)
        self._used += written
        self._rows.append(chosen)
        self._lengths.append(lengths)

    def take(self) -> Datagrams:
        """Return what waits as datagrams and forget it.

        Returns
        -------
        Datagrams
            Each has frames of one sender only.
        """
        if not self._used:
            return _NO_DATAGRAMS
        rows, lengths = np.concatenate(self._rows), np.concatenate(self._lengths)
        order = np.argsort(rows, kind="stable").astype(np.int64, copy=False)
        starts = np.cumsum(lengths, dtype=np.int64) - lengths
        data = np.empty(self._used, np.uint8)
        begins = np.empty(rows.size, np.int64)
        sizes, senders = np.empty((2, rows.size), np.int32)
        count = _core.mavlink_collect(
            self._space[: self._used],
            starts,
            lengths,
            rows,
            order,
            DATAGRAM_LIMIT,
            (data, begins, sizes, senders),
        )
        self._forget()
        return Datagrams(data, begins[:count], sizes[:count], senders[:count])

    def _forget(self) -> None:
        self._used = 0
        self._rows: list[NDArray[np.int32]] = []
        self._lengths: list[NDArray[np.int32]] = []

    def _reserve(self, size: int) -> NDArray[np.uint8]:
        """Return free space behind what waits."""
        needed = self._used + size
        if needed > self._space.size:
            larger = np.empty(max(needed, 2 * self._space.size), np.uint8)
            larger[: self._used] = self._space[: self._used]
            self._space = larger
        return self._space[self._used : needed]

    def _rows_of(self, rows: ArrayLike) -> NDArray[np.int32]:
        chosen = np.asarray(rows)
        if chosen.size == 0:
            return np.empty(0, np.int32)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
            raise ValueError(f"rows: expected integers, shape (m,), got {brief(rows)}")
        lowest, highest, limit = int(chosen.min()), int(chosen.max()), self._ids.size - 1
        if lowest < 0 or highest > limit:
            wrong = lowest if lowest < 0 else highest
            raise ValueError(f"rows: expected indices from 0 to {limit}, got {wrong}")
        return chosen.astype(np.int32)

    def _next_timestamps(self, count: int) -> int:
        """Return the first of time-stamps that are all later than those before."""
        first = max(timestamp_now(), self._timestamp)
        self._timestamp = first + count
        return first


def _byte(name: str, value: int) -> int:
    if not isinstance(value, (int, np.integer)) or not 0 <= value <= 255:
        raise ValueError(f"{name}: expected an integer from 0 to 255, got {brief(value)}")
    return int(value)


def _identifiers(system_ids: ArrayLike) -> NDArray[np.uint8]:
    ids = np.asarray(system_ids)
    if ids.ndim != 1 or ids.dtype.kind not in "iu" or not ((ids >= 1) & (ids <= 255)).all():
        raise ValueError(
            f"system_ids: expected integers from 1 to 255, shape (k,), got {brief(system_ids)}"
        )
    return ids.astype(np.uint8)


def _records(message: Message, records: ArrayLike, count: int) -> NDArray[np.uint8]:
    """Return the bytes of one record for each of `count` frames."""
    given = np.asarray(records)
    if given.dtype != message.dtype:
        raise ValueError(
            f"records: expected the dtype of blank({message.name!r}), got {brief(given.dtype)}"
        )
    if given.shape not in ((), (1,), (count,)):
        raise ValueError(f"records: expected shape ({count},), got {given.shape}")
    return np.ascontiguousarray(np.broadcast_to(given, (count,))).view(np.uint8)


def _sign(key: bytes, frames: NDArray[np.uint8], lengths: NDArray[np.int32]) -> None:
    """Write the hashes at the ends of frames that follow one another."""
    view = frames.data
    start = 0
    for length in lengths.tolist():
        end = start + length
        view[end - _HASH : end] = signature(key, view[start : end - _HASH])
        start = end
