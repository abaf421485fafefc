"""Datagrams of the vendor-named classes, to and from plain numbers; layouts are `pyrfly.wire`'s."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import cache
from math import prod
from typing import Any

from numpy.typing import NDArray

from pyrfly import wire

__all__ = ["Numbers", "console", "pack", "parse", "struct_of"]

_CODES = {
    "i1": "b", "i2": "h", "i4": "i", "i8": "q",
    "u1": "B", "u2": "H", "u4": "I", "u8": "Q",
    "f4": "f", "f8": "d",
}  # fmt: skip
"""Letters of `struct` by the kind and size of a number."""

Numbers = float | Sequence[float] | NDArray[Any]
"""Vectors that RflySim's methods accept."""

_CONSOLE = 1234567890
_CONSOLE_WIDTHS = (52, 252)  # of a command to RflySim3D, which ends with a zero byte


@cache
def struct_of(name: str) -> struct.Struct:
    """Return a structure as a format that refuses what does not fit, unlike an array."""
    text = "<"
    for field in wire.dtype(name).names or ():
        kind = wire.dtype(name)[field]
        base = kind.base.str[1:]
        text += f"{base[1:]}s" if base[0] == "S" else f"{prod(kind.shape)}{_CODES[base]}"
    return struct.Struct(text)


def _flat(values: Iterable[Any]) -> list[Any]:
    """Return values with the lists among them flattened."""
    flat: list[Any] = []
    for value in values:
        if isinstance(value, (list, tuple)):
            flat.extend(value)
        else:
            flat.append(value)
    return flat


def pack(name: str, *fields: Any, checksum: int | None = None) -> bytes:
    """Return the datagram of a structure.

    Parameters
    ----------
    name : str
        Which structure, a key of `pyrfly.wire.LAYOUTS` that has a checksum.
    *fields : int, float, bytes, or list of such
        Its fields after the checksum.
    checksum : int, optional
        Another checksum than its own.

    Raises
    ------
    ValueError
        When a number does not fit its field.
    """
    first = wire.LAYOUTS[name].checksum if checksum is None else checksum
    try:
        return struct_of(name).pack(first, *_flat(fields))
    except (struct.error, OverflowError) as error:
        raise ValueError(f"{name}: expected numbers that fit its fields: {error}") from None


def parse(port: str, data: bytes) -> tuple[str, tuple[Any, ...]]:
    """Return the name of a datagram's structure, and its numbers sequentially.

    Parameters
    ----------
    port : str
        Kind of port that received it, as for `pyrfly.wire.parse`.
    data : bytes
        The datagram.

    Raises
    ------
    pyrfly.wire.Rejected
        When it is no datagram of such a port; a ValueError.
    """
    name = wire.parse(port, data).name
    return name, struct_of(name).unpack(data)


def console(command: bytes) -> bytes:
    """Return the datagram of a console command for RflySim3D.

    Raises
    ------
    ValueError
        When the command has more than 249 bytes.
    """
    if len(command) > 249:
        raise ValueError(f"cmd: expected at most 249 bytes, got {len(command)}")
    width = next(w for w in _CONSOLE_WIDTHS if len(command) < w)
    return struct.pack(f"<i{width}s", _CONSOLE, command)
