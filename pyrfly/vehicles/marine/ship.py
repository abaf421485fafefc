"""Entries of parameter files that only ships have: `other_craft`, `require_ship`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyrfly.columns import fields_of_type
from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.entries import FRACTION, NOT_NEGATIVE, Range
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["SHIP_RANGES", "other_craft", "require_ship"]

SHIP_RANGES: dict[str, Range] = {
    **dict.fromkeys(("ship_size", "ship_cross_flow", "ship_propeller_drag"), NOT_NEGATIVE),
    **dict.fromkeys(("ship_rudder_straightening", "ship_rudder_deduction"), FRACTION),
    "ship_propeller_place": (-1.0, 1.0),
}


def other_craft(entries: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what the columns ``ship_...`` are in a set that has none of them: 0."""
    fields = [field for field in fields_of_type("marine") if field.name.startswith("ship_")]
    if any(field.name in entries for field in fields):
        return {}
    return {
        field.name: {
            "value": 0.0 if field.width == 1 else [0.0] * field.width,
            "unit": field.unit,
            "source": "not a ship",
        }
        for field in fields
    }


def require_ship(origin: str, vehicle: VehicleParameters) -> None:
    """Refuse a ship without a size, or with other than one propeller and one rudder."""
    columns = vehicle.columns
    if not columns["ship_size"].all():
        raise ParameterError(
            f"{origin}: ship_size: expected a length and a draught above 0, got "
            f"{brief(columns['ship_size'].tolist())} m"
        )
    for name, part in (("thruster_axis", "thruster"), ("fin_normal", "fin")):
        count = int(columns[name].reshape(3, -1).any(axis=0).sum())
        if count != 1:
            raise ParameterError(
                f"{origin}: {part}: expected one table [[{part}]] of a ship, got {count}"
            )
