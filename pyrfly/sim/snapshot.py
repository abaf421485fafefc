"""Bytes of a snapshot: a part for each batch, and what a simulation knows besides."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

__all__ = ["Besides", "pack", "unpack"]

_BESIDES = "<2Q3d"


class Besides(NamedTuple):
    """What a snapshot holds besides the batches.

    Attributes
    ----------
    seed, draws : int
        Of `Sim.randomize`: its seed, and how often it drew since.
    lat, lon, alt : float
        Origin of the local frame [deg, deg, m].
    """

    seed: int
    draws: int
    lat: float
    lon: float
    alt: float


def _head(sizes: Sequence[int]) -> bytes:
    return struct.pack(f"<I{len(sizes)}Q", len(sizes), *sizes)


def pack(parts: Sequence[bytes], besides: Besides) -> bytes:
    """Return the bytes of a snapshot."""
    sizes = [len(part) for part in parts]
    return b"".join([_head(sizes), struct.pack(_BESIDES, *besides), *parts])


def unpack(snapshot: bytes, count: int) -> tuple[list[memoryview], Besides]:
    """Return the parts of ``count`` batches, and what is besides them.

    Raises
    ------
    ValueError
        When the bytes are no snapshot of so many batches.
    """
    data = memoryview(snapshot)
    head = len(_head([0] * count))
    rest = struct.calcsize(_BESIDES)
    if len(data) >= head + rest:
        found, *sizes = struct.unpack_from(f"<I{count}Q", data)
        starts = list(accumulate(sizes, initial=head + rest))
        if found == count and starts[-1] == len(data):
            parts = [data[a:b] for a, b in pairwise(starts)]
            return parts, Besides(*struct.unpack_from(_BESIDES, data, head))
    raise ValueError("snapshot: expected one of a Sim of the same vehicles and settings")
