"""Format of a snapshot: the vehicles, the state of the simulation, the snapshot of each batch."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

__all__ = ["SimState", "pack", "unpack"]

_MAGIC = b"Sim\0"
_HEAD = "<4sI"  # magic, bytes of the names of the vehicles
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


def pack(parts: Sequence[bytes], state: SimState, vehicles: str) -> bytes:
    """Return the bytes of a snapshot; ``vehicles`` says of which vehicles it is."""
    names = vehicles.encode()
    sizes = struct.pack(f"<I{len(parts)}Q", len(parts), *map(len, parts))
    head = struct.pack(_HEAD, _MAGIC, len(names))
    return b"".join([head, names, sizes, struct.pack(_STATE, *state), *parts])


def _split(data: memoryview) -> tuple[str, memoryview]:
    """Return what a snapshot is of, for messages, and the bytes that follow."""
    first = struct.calcsize(_HEAD)
    magic, length = struct.unpack_from(_HEAD, data) if len(data) >= first else (b"", 0)
    if magic != _MAGIC:
        return "no Sim", data
    names = bytes(data[first : first + length]).decode(errors="replace")
    return f"a Sim of {names}", data[first + length :]


def unpack(snapshot: bytes, count: int, vehicles: str) -> tuple[list[memoryview], SimState]:
    """Return the snapshots of ``count`` batches and the state of the simulation.

    Raises
    ------
    ValueError
        The bytes are not a snapshot of ``count`` batches, or not of ``vehicles``.
    """
    data = memoryview(snapshot)
    of, rest = _split(data)
    if of != f"a Sim of {vehicles}":
        raise ValueError(f"snapshot: expected that of a Sim of {vehicles}, got that of {of}")
    begin = struct.calcsize(f"<I{count}Q") + struct.calcsize(_STATE)
    if len(rest) >= begin:
        found, *sizes, seed, draws, lat, lon, alt = struct.unpack_from(f"<I{count}Q2Q3d", rest)
        ends = list(accumulate(sizes, initial=begin))
        if found == count and ends[-1] == len(rest):
            parts = [rest[a:b] for a, b in pairwise(ends)]
            return parts, SimState(seed, draws, lat, lon, alt)
    raise ValueError(f"snapshot: expected a whole one of {count} groups, got {len(data)} bytes")
