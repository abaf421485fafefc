"""CRCs with the polynomial 0xA001, against division bit by bit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly.protocol.crc16 import Crc16

CHECKS = {
    Crc16.REFLECTED_0000: 0xBB3D,
    Crc16.REFLECTED_FFFF: 0x4B37,
    Crc16.NORMAL_0000: 0xA47B,
    Crc16.NORMAL_FFFF: 0xCF32,
}
"""Of the bytes "123456789"; the first two are those of CRC-16/ARC and CRC-16/MODBUS."""


def test_check_values() -> None:
    assert {variant: variant.of(b"123456789") for variant in Crc16} == CHECKS


@pytest.mark.parametrize("variant", Crc16)
@given(data=st.binary(max_size=300))
def test_is_the_remainder_bit_by_bit(standin, variant: Crc16, data: bytes) -> None:
    reflected, start = variant.value
    crc = standin("serial_controller").crc
    assert variant.of(data) == crc(data, start, reflected) <= 0xFFFF


def test_takes_any_bytes_like_object() -> None:
    assert {Crc16.REFLECTED_0000.of(kind(b"ab")) for kind in (bytes, bytearray, memoryview)} == {
        Crc16.REFLECTED_0000.of(b"ab")
    }
