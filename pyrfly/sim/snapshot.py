"""Format of a snapshot: the state of the simulation, then the snapshot of each batch."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

__all__ = ["SimState", "pack", "unpack"]

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
    return b"".join([_head(sizes), struct.pack(_STATE, *state), *parts])


def unpack(snapshot: bytes, count: int) -> tuple[list[memoryview], SimState]:
    """Return the snapshots of ``count`` batches and the state of the simulation.

    Raises
    ------
    ValueError
        The bytes are not a snapshot of ``count`` batches.
    """
    data = memoryview(snapshot)
    head = len(_head([0] * count))
    rest = struct.calcsize(_STATE)
    if len(data) >= head + rest:
        found, *sizes = struct.unpack_from(f"<I{count}Q", data)
        starts = list(accumulate(sizes, initial=head + rest))
        if found == count and starts[-1] == len(data):
            parts = [data[a:b] for a, b in pairwise(starts)]
            return parts, SimState(*struct.unpack_from(_STATE, data, head))
    raise ValueError("snapshot: expected that of a Sim of the same vehicles and settings")
