"""Signatures of MAVLink 2 frames [@mavlink-guide message_signing]."""

from __future__ import annotations

import hashlib
import hmac
import time

__all__ = ["KEY_SIZE", "SignatureCheck", "checked_key", "is_signed", "signature", "timestamp_now"]

KEY_SIZE = 32
"""Length of a key [bytes]."""

_EPOCH = 1420070400  # Unix time of 2015-01-01 [s]
_TICKS = 100_000  # of a time-stamp in a second
_MINUTE = 60 * _TICKS
_HASH = 6  # last bytes of a frame
_STAMP = slice(-12, -6)
_LINK = -13


def timestamp_now() -> int:
    """Return the time-stamp of this moment [10 us since 2015]."""
    return int((time.time() - _EPOCH) * _TICKS)


def checked_key(key: bytes | None) -> bytes | None:
    """Return a key, or None where no frame is signed.

    Raises
    ------
    ValueError
        It has not 32 bytes.
    """
    if key is None:
        return None
    if not isinstance(key, (bytes, bytearray)) or len(key) != KEY_SIZE:
        got = f"{len(key)} bytes" if isinstance(key, (bytes, bytearray)) else type(key).__name__
        raise ValueError(f"key: expected {KEY_SIZE} bytes, got {got}")
    return bytes(key)


def signature(key: bytes, frame: bytes | memoryview) -> bytes:
    """Return the hash that ends a signed frame.

    Parameters
    ----------
    key : bytes
        The 32 bytes that both sides know.
    frame : bytes or memoryview
        The frame with the link and the time-stamp, without the hash.
    """
    digest = hashlib.sha256(key)
    digest.update(frame)
    return digest.digest()[:_HASH]


def is_signed(frame: bytes) -> bool:
    """Return whether a frame has a signature; a frame of MAVLink 1 has none."""
    return frame[0] == 0xFD and bool(frame[2] & 1)


class SignatureCheck:
    """Check of the signatures of received frames.

    A signature is right if the hash is, and if the time-stamp is newer than that of any frame
    before it from the same sender over the same link; that of the first must not be older than the
    newest one known, and than the clock here, by more than a minute. So a recorded frame is not
    accepted a second time.

    What is known is not kept on disk: after a restart of the program, frames that were recorded in
    the minute before it are accepted once more. Another check, such as of another vehicle, knows
    nothing of this one: it accepts the frame, too, once.

    Parameters
    ----------
    key : bytes
        The 32 bytes that both sides know.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._newest = 0
        self._last: dict[tuple[int, int, int], int] = {}

    def is_right(self, frame: bytes) -> bool:
        """Return whether the signature of a signed frame is right, and remember its time-stamp."""
        sender = (frame[_LINK], frame[5], frame[6])
        stamp = int.from_bytes(frame[_STAMP], "little")
        newest = max(self._newest, timestamp_now())
        if stamp <= self._last.get(sender, newest - _MINUTE - 1):
            return False
        if not hmac.compare_digest(signature(self._key, frame[:-_HASH]), frame[-_HASH:]):
            return False
        self._last[sender] = stamp
        self._newest = max(self._newest, stamp)
        return True
