"""Packets of RflySim's clients, by their published formats [@rfly-sdk]."""

from __future__ import annotations

import struct
from collections.abc import Sequence

CHECKSUM = 1234567897


def short(mode: int, *controls: float) -> bytes:
    """Return a message of 24 bytes."""
    return struct.pack("<2i4f", 1234567890, mode, *controls)


def target(mask: int, *numbers: float, copter_id: int = 1, frame: int = 1) -> bytes:
    """Return a message of 120 bytes; numbers that are not given are 0."""
    whole = numbers + (0.0,) * (16 - len(numbers))
    return struct.pack("<2i4I16f32x", 3, 80, 12345, copter_id, mask, frame, *whole)


def sil(
    *ints: int, floats: Sequence[float] = (), copter_id: int = 1, checksum: int = CHECKSUM
) -> bytes:
    """Return inputs of the model: eight whole numbers and twenty others, 0 where not given."""
    ints, floats = ints + (0,) * (8 - len(ints)), (*floats, *[0.0] * (20 - len(floats)))
    return struct.pack("<10i20f", checksum, copter_id, *ints, *floats)


def restart(version: int = -1) -> bytes:
    """Return the packet that puts a vehicle back to its start."""
    return struct.pack("<2i", 987654321, version)
