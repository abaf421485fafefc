"""Format of a snapshot: checksum, state of the simulation, snapshot of each batch."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

__all__ = ["SimState", "pack", "unpack"]

_CHECKSUM = struct.Struct("<I")  # CRC-32 of the bytes after it
_STATE = "<2Q3d"


class SimState(NamedTuple):
    """State of a simulation that is not in its batches.

    Attributes
    ----------
    seed, draws : int
        Of `Sim.randomize`: the seed, and the number of draws since it was set.
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


def pack(parts: Sequence[bytes], state: SimState) -> bytes:
    """Return the bytes of a snapshot."""
    sizes = [len(part) for part in parts]
    body = b"".join([_head(sizes), struct.pack(_STATE, *state), *parts])
    return _CHECKSUM.pack(zlib.crc32(body)) + body


def unpack(snapshot: bytes, count: int) -> tuple[list[memoryview], SimState]:
    """Return the snapshots of ``count`` batches and the state of the simulation.

    Raises
    ------
    ValueError
        The bytes are not a snapshot of ``count`` batches, or damaged.
    """
    data = memoryview(snapshot)
    checksum, data = data[: _CHECKSUM.size], data[_CHECKSUM.size :]
    head = len(_head([0] * count))
    rest = struct.calcsize(_STATE)
    if len(data) >= head + rest:
        found, *sizes = struct.unpack_from(f"<I{count}Q", data)
        starts = list(accumulate(sizes, initial=head + rest))
        if found == count and starts[-1] == len(data):
            if checksum != _CHECKSUM.pack(zlib.crc32(data)):
                raise ValueError("snapshot: expected its checksum to match, got damaged bytes")
            parts = [data[a:b] for a, b in pairwise(starts)]
            return parts, SimState(*struct.unpack_from(_STATE, data, head))
    raise ValueError("snapshot: expected that of a Sim of the same vehicles and settings")
