"""Received packets: `identify`, `parse`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pyrfly.errors import brief
from pyrfly.wire.layouts import LAYOUTS, Layout

__all__ = ["Parsed", "Rejected", "identify", "parse"]


class Parsed(NamedTuple):
    """Result of `parse`.

    Attributes
    ----------
    name : str
        Name of the structure, a key of `LAYOUTS`.
    record : numpy.void
        Its fields by name, such as ``record["ctrls"]``. A read-only copy of the packet.
    """

    name: str
    record: np.void


class Rejected(ValueError):
    """A packet is none of the structures of its port.

    Attributes
    ----------
    reason : str
        ``"length"`` if no structure has its length, else ``"checksum"``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _signatures(layout: Layout) -> tuple[slice, list[bytes]]:
    """Return the bytes of a packet that identify the structure, and their valid values."""
    if layout.header is not None:
        tg, length = (value.to_bytes(4, "little", signed=True) for value in layout.header)
        # in packets from a simulator tg is the CopterID of a collision
        return (slice(8), [tg + length]) if layout.header[0] >= 0 else (slice(4, 8), [length])
    assert layout.checksum is not None
    width = layout.dtype["checksum"].itemsize
    sums = (layout.checksum, *layout.more_checksums)
    return slice(width), [value.to_bytes(width, "little") for value in sums]


def _by_port() -> dict[str, dict[int, tuple[slice, dict[bytes, Layout]]]]:
    """Return, by kind of port and length, the identifying bytes and the layouts by their values."""
    found: dict[str, dict[int, tuple[slice, dict[bytes, Layout]]]] = {}
    for layout in LAYOUTS.values():
        if layout.port_kind == "model":
            continue
        signature, values = _signatures(layout)
        for kind in (layout.port_kind, *layout.more_ports):
            lengths = found.setdefault(kind, {})
            first, known = lengths.setdefault(layout.dtype.itemsize, (signature, {}))
            assert first == signature
            assert known.keys().isdisjoint(values)
            known.update(dict.fromkeys(values, layout))
    return found


_BY_PORT = _by_port()


def parse(port: str, data: bytes | bytearray | memoryview) -> Parsed:
    """Return the structure of a packet, identified by port, length and checksum.

    Parameters
    ----------
    port : str
        Kind of the port that received it, such as ``"command"`` or ``"sil"``; see `pyrfly.wire`.
    data : bytes-like
        The packet.

    Returns
    -------
    Parsed
        Name and record. The values are not checked to be finite or in range.

    Raises
    ------
    Rejected
        The packet is none of the structures of this port.
    ValueError
        The kind of port is unknown.

    Examples
    --------
    >>> import struct
    >>> name, record = parse("command", struct.pack("<2i4f", 1234567890, 2, 1, 2, -3, 0))
    >>> name, int(record["ctrlMode"]), record["ctrls"].tolist()
    ('inOffboardShortData', 2, [1.0, 2.0, -3.0, 0.0])
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"data: expected bytes, got {brief(data)}")
    packet = bytes(data)
    name = identify(port, packet)
    return Parsed(name, np.frombuffer(packet, LAYOUTS[name].dtype)[0])


def identify(port: str, packet: bytes) -> str:
    """Return the name of the structure of a packet; arguments and exceptions as for `parse`."""
    lengths = _BY_PORT.get(port) if isinstance(port, str) else None
    if lengths is None:
        raise ValueError(f"port: expected one of {', '.join(_BY_PORT)}, got {brief(port)}")
    found = lengths.get(len(packet))
    if found is None:
        raise Rejected("length")
    signature, known = found
    layout = known.get(packet[signature])
    if layout is None:
        raise Rejected("checksum")
    return layout.name
