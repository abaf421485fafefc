"""The package for ROS 2, of which these tests need no ROS."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

PACKAGE = Path(__file__).resolve().parents[2] / "ros" / "pyrfly_ros"
sys.path.insert(0, str(PACKAGE))


def message(**fields: Any) -> SimpleNamespace:
    """Return a message of fields; a dictionary is a part, of numbers x, y, z, w if a tuple."""
    return SimpleNamespace(**{name: _part(value) for name, value in fields.items()})


def _part(value: Any) -> Any:
    if isinstance(value, dict):
        return message(**value)
    if isinstance(value, tuple):
        return SimpleNamespace(**dict(zip("xyzw", value, strict=False)))
    return value
