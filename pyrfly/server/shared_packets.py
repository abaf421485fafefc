"""Packets to ports that all vehicles share: `named_row`."""

from __future__ import annotations

__all__ = ["named_row"]


def named_row(data: bytes, at: int, n: int, first_id: int) -> int | None:
    """Return the row of the vehicle that a packet names; None: it is none of these.

    Parameters
    ----------
    data : bytes
        The packet.
    at : int
        Where its CopterID is, an int32 [bytes].
    n : int
        Number of vehicles.
    first_id : int
        CopterID of the first one.

    Examples
    --------
    >>> from pyrfly.server.shared_packets import named_row
    >>> named_row(bytes([0, 0, 0, 0, 7, 0, 0, 0]), 4, 3, first_id=5)
    2
    """
    row = int.from_bytes(data[at : at + 4], "little", signed=True) - first_id
    return row if 0 <= row < n else None
