"""Small classes of RflySim's module."""

from __future__ import annotations

from pyrfly.ctrl.vendor_types import AttTypeMask, PosTypeMask


def test_masks_have_mavlinks_bits() -> None:
    assert PosTypeMask().mask() == 0b010111000111
    assert PosTypeMask(ignore_all=True).mask() == 0b110111111111
    mask = PosTypeMask(ignore_all=True)
    mask.enForce = True
    assert mask.mask() == 0b111111111111
    assert AttTypeMask().mask() == 0b00000111
    assert AttTypeMask(True).mask() == 0b10000111
