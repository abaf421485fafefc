"""Entries of parameter files with the numbers of an SDF file: `column_entries`, `hull_entries`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyrfly.columns import fields_of_type
from pyrfly.vehicles.gazebo.source import Source

__all__ = ["GRAVITY", "column_entries", "hull_entries"]

GRAVITY = 9.8
"""That of the worlds of Gazebo [m/s^2]."""


def column_entries(
    source: Source, c_type: str, values: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return an entry for each value, by the column of a type of the core that it is."""
    units = {field.name: field.unit for field in fields_of_type(c_type)}
    return {
        name: {"value": value, "unit": units[name], "source": source.label}
        for name, value in values.items()
    }


def hull_entries(source: Source, sizes: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the table ``[hull]`` with sizes [m] by the collision shapes."""
    said = f"{source.label}, its collision shapes"
    return {key: {"value": value, "unit": "m", "source": said} for key, value in sizes.items()}
