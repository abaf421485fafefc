"""Format of a snapshot: vehicles, checksum, state of the simulation, snapshot of each batch."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from pyrfly.errors import brief

__all__ = ["SimState", "pack", "unpack"]

_MAGIC = b"Sim\4"
_HEAD = "<4s2I"  # magic, CRC-32 of the bytes after it, bytes of the names of the vehicles
_STATE = "<3Q3d2Q"


class SimState(NamedTuple):
    """State of a simulation that is not in its batches.

    Attributes
    ----------
    seed, draws : int
        Of `Sim.randomize`: the seed, and the number of draws since it was set.
    events : int
        Number of the last event of `Sim.at`, 0 at first.
    lat, lon, alt : float
        Origin of the local frame [deg, deg, m].
    terrain_map : int
        Checksum of the terrain map, 0 without one.
    scene : int
        That of the scene, likewise.
    """

    seed: int
    draws: int
    events: int
    lat: float
    lon: float
    alt: float
    terrain_map: int
    scene: int


def pack(parts: Sequence[bytes], state: SimState, vehicles: str) -> bytes:
    """Return the bytes of a snapshot; ``vehicles`` says of which vehicles it is."""
    names = vehicles.encode()
    sizes = struct.pack(f"<I{len(parts)}Q", len(parts), *map(len, parts))
    body = b"".join([sizes, struct.pack(_STATE, *state), *parts])
    return b"".join([struct.pack(_HEAD, _MAGIC, zlib.crc32(body), len(names)), names, body])


def _split(data: memoryview) -> tuple[str, int, memoryview]:
    """Return what a snapshot is of, for messages, its checksum, and the bytes that follow."""
    first = struct.calcsize(_HEAD)
    magic, checksum, length = struct.unpack_from(_HEAD, data) if len(data) >= first else (b"", 0, 0)
    if magic != _MAGIC:
        return "no Sim of this version", 0, data
    names = bytes(data[first : first + length]).decode(errors="replace")
    return f"a Sim of {names}", checksum, data[first + length :]


def unpack(snapshot: bytes, count: int, vehicles: str) -> tuple[list[memoryview], SimState]:
    """Return the snapshots of ``count`` batches and the state of the simulation.

    Raises
    ------
    ValueError
        The bytes are not a snapshot of ``count`` batches, not of ``vehicles``, or damaged.
    """
    if not isinstance(snapshot, (bytes, bytearray, memoryview)):
        raise ValueError(f"snapshot: expected bytes, got {brief(snapshot)}")
    data = memoryview(snapshot)
    of, checksum, rest = _split(data)
    if of != f"a Sim of {vehicles}":
        raise ValueError(f"snapshot: expected that of a Sim of {vehicles}, got that of {of}")
    begin = struct.calcsize(f"<I{count}Q") + struct.calcsize(_STATE)
    if len(rest) >= begin:
        (found, *sizes) = struct.unpack_from(f"<I{count}Q", rest)
        ends = list(accumulate(sizes, initial=begin))
        if found == count and ends[-1] == len(rest):
            if checksum != zlib.crc32(rest):
                raise ValueError("snapshot: expected its checksum to match, got damaged bytes")
            parts = [rest[a:b] for a, b in pairwise(ends)]
            state = struct.unpack_from(_STATE, rest, begin - struct.calcsize(_STATE))
            return parts, SimState(*state)
    raise ValueError(f"snapshot: expected a whole one of {count} groups, got {len(data)} bytes")
