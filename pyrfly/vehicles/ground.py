"""Ranges of the columns of ``csrc/models/ground.h``, which several families have: `GROUND`."""

from __future__ import annotations

from pyrfly.vehicles.entries import FRACTION, NOT_NEGATIVE, Range

__all__ = ["GROUND"]

GROUND: dict[str, Range] = {
    "ground_stiffness": NOT_NEGATIVE,
    "ground_damping": NOT_NEGATIVE,
    "ground_hardening": FRACTION,
    "ground_preload": FRACTION,
    "ground_friction": NOT_NEGATIVE,
    "ground_grip": NOT_NEGATIVE,
    "ground_leveling": NOT_NEGATIVE,
    "ground_level_damping": NOT_NEGATIVE,
}
"""Closed range of the elements of a column."""
