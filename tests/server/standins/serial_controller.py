"""A flight controller on the serial link of a HIL simulation: frames with the header AA 55.

Written from the tables of the paper, without pyrfly. Sends motor speeds, reads what the model
sends: float32, little-endian, with the reflected CRC.
"""

from __future__ import annotations

import struct

SIZES = {1: 12, 2: 12, 3: 12, 4: 8}


def crc(data: bytes, start: int = 0, reflected: bool = True) -> int:
    """Return the check, bit by bit."""
    register = start
    for byte in data:
        register ^= byte if reflected else byte << 8
        for _ in range(8):
            if reflected:
                register = register >> 1 ^ 0xA001 * (register & 1)
            else:
                register = register << 1 ^ 0x1A001 * (register >> 15)
    return register


def frame(kind: int, parameters: bytes) -> bytes:
    body = struct.pack("BB", kind, len(parameters)) + parameters
    return b"\xaa\x55" + body + struct.pack("<H", crc(body))


def motor_frame(speeds: list[int]) -> bytes:
    """Return the frame of the speeds of four motors."""
    return frame(4, struct.pack("<4H", *speeds))


def frames_in(stream: bytes) -> list[tuple[int, bytes]]:
    """Return types and parameters of the valid frames in a complete stream."""
    found, at = [], 0
    while at + 4 <= len(stream):
        kind, length = stream[at + 2 : at + 4]
        end = at + 4 + length
        whole = stream[at : at + 2] == b"\xaa\x55" and SIZES.get(kind) == length
        if whole and stream[end : end + 2] == struct.pack("<H", crc(stream[at + 2 : end])):
            found.append((kind, stream[at + 4 : end]))
            at = end + 2
        else:
            at += 1
    return found
