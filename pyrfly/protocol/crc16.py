"""Cyclic redundancy checks of 16 bits with the polynomial 0xA001: `Crc16`."""

from __future__ import annotations

from enum import Enum

__all__ = ["Crc16"]

_POLYNOMIAL = 0xA001


def _table(reflected: bool) -> tuple[int, ...]:
    """Return the remainder of each byte, shifted to the right if reflected, else to the left."""
    table = []
    for byte in range(256):
        crc = byte if reflected else byte << 8
        for _ in range(8):
            if reflected:
                crc = crc >> 1 ^ (_POLYNOMIAL if crc & 1 else 0)
            else:
                crc = (crc << 1 ^ (_POLYNOMIAL if crc & 0x8000 else 0)) & 0xFFFF
        table.append(crc)
    return tuple(table)


_TABLES = {reflected: _table(reflected) for reflected in (True, False)}


class Crc16(Enum):
    """Variants of the check: direction and initial value.

    Those that are not reflected take 0xA001, which is the reflected form of
    x^16 + x^15 + x^2 + 1, for a polynomial in normal form.

    Examples
    --------
    >>> [f"{variant.of(b'123456789'):04X}" for variant in Crc16]
    ['BB3D', '4B37', 'A47B', 'CF32']
    """

    REFLECTED_0000 = (True, 0x0000)
    """Known as CRC-16/ARC."""
    REFLECTED_FFFF = (True, 0xFFFF)
    """Known as CRC-16/MODBUS."""
    NORMAL_0000 = (False, 0x0000)
    NORMAL_FFFF = (False, 0xFFFF)

    def of(self, data: bytes | bytearray | memoryview) -> int:
        """Return the check of bytes, 0 to 65535."""
        reflected, crc = self.value
        table = _TABLES[reflected]
        if reflected:
            for byte in bytes(data):
                crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
        else:
            for byte in bytes(data):
                crc = (crc << 8 & 0xFF00) ^ table[crc >> 8 ^ byte]
        return int(crc)
