"""Texts of the fault flags, and groups of column roles."""

from __future__ import annotations

from pyrfly import _core

__all__ = ["HASHED_ROLES", "KEPT_BY_RESET", "RESET_ROLES", "STATUS_TEXT", "WORD_ROLES"]

STATUS_TEXT = {value: text for _, value, _, text in _core.tables()["fault"]}
"""Text of each fault flag of the ``status`` column."""

HASHED_ROLES = ("state", "controller", "flag", "part", "part word")
"""Roles of the columns in `Sim.hash`."""

RESET_ROLES = ("state", "setpoint", "controller", "flag")
"""Roles of the columns that a reset sets to 0, as it does the actuator commands."""

KEPT_BY_RESET = ("random_seed", "random_vehicle")
"""Columns of these roles that a reset keeps."""

WORD_ROLES = ("flag", "part word")
"""Roles of the columns of 32-bit words."""
