"""The newest message from one process to another: `Mailbox`."""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import zlib
from pathlib import Path

__all__ = ["Mailbox"]

_HEAD = struct.Struct("<QQQ")  # number of a message, its bytes, their checksum


class Mailbox:
    """Memory that two processes share, with the newest message of one of them.

    It has two slots, of which the writer fills the older one: it never waits. A reader finds by the
    checksum whether a message was changed while it was read.

    Parameters
    ----------
    capacity : int
        Bytes of the longest message.
    path : path-like, optional
        File of the memory, made by another process; by default it is made, and removed by `close`.

    Attributes
    ----------
    path : Path
        That file.
    """

    def __init__(self, capacity: int, path: str | os.PathLike[str] | None = None) -> None:
        self._slot = _HEAD.size + capacity
        self._written = 0
        self._made = path is None
        if path is None:
            handle, name = tempfile.mkstemp(prefix="pyrfly-view-")
            os.truncate(handle, 2 * self._slot)
        else:
            name = os.fspath(path)
            handle = os.open(name, os.O_RDWR)
        self.path = Path(name)
        try:
            self._memory = mmap.mmap(handle, 2 * self._slot)
        finally:
            os.close(handle)

    def put(self, message: bytes) -> bool:
        """Write a message; return whether there was room for it."""
        if len(message) > self._slot - _HEAD.size:
            return False
        self._written += 1
        begin = self._slot * (self._written % 2)
        self._memory[begin + _HEAD.size : begin + _HEAD.size + len(message)] = message
        head = _HEAD.pack(self._written, len(message), zlib.crc32(message))
        self._memory[begin : begin + _HEAD.size] = head
        return True

    @property
    def number(self) -> int:
        """Number of the newest message, from 1; 0: there is none yet."""
        return max(self._head(slot)[0] for slot in (0, 1))

    def newest(self) -> tuple[int, bytes] | None:
        """Return the newest message and its number; None: there is none that is complete."""
        for slot in sorted((0, 1), key=lambda one: -self._head(one)[0]):
            number, length, checksum = self._head(slot)
            begin = self._slot * slot + _HEAD.size
            message = self._memory[begin : begin + min(length, self._slot - _HEAD.size)]
            if number and zlib.crc32(message) == checksum:
                return number, message
        return None

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()
        if self._made:
            self.path.unlink(missing_ok=True)

    def _head(self, slot: int) -> tuple[int, int, int]:
        number, length, checksum = _HEAD.unpack_from(self._memory, self._slot * slot)
        return number, length, checksum
