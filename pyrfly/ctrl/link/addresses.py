"""Addresses of machines."""

from __future__ import annotations

import socket

__all__ = ["address_of"]


def address_of(ip: str) -> str:
    """Return the numeric address of a machine; a ValueError names ``ip`` when there is none."""
    try:
        return socket.gethostbyname(ip)
    except OSError as error:
        reason = error.strerror or error
        raise ValueError(
            f"ip: expected an address or the name of a machine, got {ip!r}: {reason}"
        ) from None
