"""Texts and sets of bits of the core."""

from __future__ import annotations

from pyrfly import _core
from pyrfly.protocol.bits import Command

__all__ = ["STATUS_TEXT", "TASKS"]

STATUS_TEXT = {value: text for _, value, _, text in _core.tables()["fault"]}
"""What the bits of the ``status`` column mean."""

TASKS = int(Command.TAKEOFF | Command.LAND | Command.RETURN)
