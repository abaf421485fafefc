"""Texts of the core, and roles of columns that are treated alike."""

from __future__ import annotations

from pyrfly import _core

__all__ = ["HASHED_ROLES", "RESET_ROLES", "STATUS_TEXT"]

STATUS_TEXT = {value: text for _, value, _, text in _core.tables()["fault"]}
"""What the bits of the ``status`` column mean."""

HASHED_ROLES = ("state", "controller", "flag", "part", "part word")
"""Roles of columns that are part of `Sim.hash`."""

RESET_ROLES = ("state", "setpoint", "controller", "flag")
"""Roles of columns that are 0 after a reset; so are the actuator commands, the first inputs."""
