"""Small classes of RflySim's module."""

from __future__ import annotations

import pytest

from pyrfly.ctrl.vendor_types import (
    PX4_CUSTOM_MAIN_MODE,
    PX4_CUSTOM_SUB_MODE_AUTO,
    AttTypeMask,
    PosTypeMask,
    PX4ExtMsg,
    fifo,
)


def test_masks_have_mavlinks_bits() -> None:
    assert PosTypeMask().mask() == 0b010111000111
    assert PosTypeMask(ignore_all=True).mask() == 0b110111111111
    mask = PosTypeMask(ignore_all=True)
    mask.enForce = True
    assert mask.mask() == 0b111111111111
    assert AttTypeMask().mask() == 0b00000111
    assert AttTypeMask(True).mask() == 0b10000111


# Bits of MAVLink's POSITION_TARGET_TYPEMASK and ATTITUDE_TARGET_TYPEMASK.
POSITION = "enPos_x enPos_y enPos_z enVel_x enVel_y enVel_z enAcc_x enAcc_y enAcc_z".split()
BITS = {name: 1 << bit for bit, name in enumerate(POSITION)} | {
    "enYaw": 1 << 10,
    "enYawRate": 1 << 11,
}


@pytest.mark.parametrize("name", BITS)
def test_what_counts_is_not_ignored(name: str) -> None:
    mask = PosTypeMask(ignore_all=True)
    setattr(mask, name, True)
    assert mask.mask() == 0b110111111111 & ~BITS[name]


@pytest.mark.parametrize(
    ("name", "bit"), [("enRollRate", 1), ("enPitchRate", 2), ("enYawRate", 4), ("enAtt", 128)]
)
def test_what_counts_of_an_attitude_is_not_ignored(name: str, bit: int) -> None:
    mask = AttTypeMask(True)
    setattr(mask, name, True)
    assert mask.mask() == 0b10000111 & ~bit


def test_modes_have_px4s_numbers() -> None:
    mode = PX4_CUSTOM_MAIN_MODE
    assert mode.PX4_CUSTOM_MAIN_MODE_MANUAL == 1
    assert mode.PX4_CUSTOM_MAIN_MODE_ALTCTL == 2
    assert mode.PX4_CUSTOM_MAIN_MODE_POSCTL == 3
    assert mode.PX4_CUSTOM_MAIN_MODE_AUTO == 4
    assert mode.PX4_CUSTOM_MAIN_MODE_ACRO == 5
    assert mode.PX4_CUSTOM_MAIN_MODE_OFFBOARD == 6
    assert mode.PX4_CUSTOM_MAIN_MODE_STABILIZED == 7
    assert mode.PX4_CUSTOM_MAIN_MODE_RATTITUDE == 8
    assert mode.PX4_CUSTOM_MAIN_MODE_SIMPLE == 9


def test_sub_modes_have_px4s_numbers() -> None:
    auto = PX4_CUSTOM_SUB_MODE_AUTO
    assert auto.PX4_CUSTOM_SUB_MODE_AUTO_READY == 1
    assert auto.PX4_CUSTOM_SUB_MODE_AUTO_TAKEOFF == 2
    assert auto.PX4_CUSTOM_SUB_MODE_AUTO_LOITER == 3
    assert auto.PX4_CUSTOM_SUB_MODE_AUTO_MISSION == 4
    assert auto.PX4_CUSTOM_SUB_MODE_AUTO_RTL == 5
    assert auto.PX4_CUSTOM_SUB_MODE_AUTO_LAND == 6
    assert auto.PX4_CUSTOM_SUB_MODE_AUTO_RTGS == 7
    assert auto.PX4_CUSTOM_SUB_MODE_AUTO_FOLLOW_TARGET == 8
    assert auto.PX4_CUSTOM_SUB_MODE_AUTO_PRECLAND == 9


def test_a_message_of_px4_is_empty_at_first() -> None:
    message = PX4ExtMsg()
    assert (message.checksum, message.CopterID, message.runnedTime) == (0, 0, 0)
    assert message.controls == [0] * 8


def test_a_fifo_gives_bytes_in_their_order() -> None:
    queue = fifo()
    assert queue.write(b"ab") == 2
    assert queue.buf == [97, 98]
    assert [queue.read(), queue.read(), queue.buf] == [97, 98, []]
