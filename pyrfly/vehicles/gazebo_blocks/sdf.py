"""Vehicles of blocks from SDF files: motors, joints and lifting surfaces."""

from __future__ import annotations

from typing import Any

from pyrfly.vehicles.gazebo.collisions import sizes_of
from pyrfly.vehicles.gazebo.model import SdfModel, SdfReader
from pyrfly.vehicles.gazebo_blocks.parameters import build
from pyrfly.vehicles.gazebo_blocks.sdf_parts import tables_of
from pyrfly.vehicles.gazebo_blocks.tuning import why_grounded
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["READER"]

_FORCES = ("motor", "surface", "aero")
_NOT_FLOWN = "not flown:\n  it does not hover; by wings: "


def _document(model: SdfModel) -> dict[str, Any]:
    """Return the document of a parameter file with the numbers of an SDF file."""
    source, body = model.source, model.body
    said = f"{source.label}, its links, from the centre of mass, FRD"
    document: dict[str, Any] = {
        "family": "gazebo_blocks",
        "name": model.node.get("name"),
        "mass": {"value": body.mass, "unit": "kg", "source": said},
        "inertia": {"value": body.inertia, "unit": "kg m^2", "source": said},
        **{f"{kind}s": {"source": source.label} for kind in ("motor", "joint", "surface")},
    }
    tables = tables_of(model)
    for kind in ("motor", "joint", "surface"):
        for table in tables[kind]:
            table["source"] = source.label
    if "aero" in tables:
        tables["aero"]["source"] = source.label
    motors = {table["name"] for table in tables["motor"]}
    return document | tables | {"hull": sizes_of(source, model.node, body, motors)}


def _read(model: SdfModel) -> tuple[VehicleParameters, str]:
    """Return the vehicle of a model, and why it is not flown."""
    vehicle = build(model.source.label, _document(model))
    grounded = why_grounded(vehicle.columns)
    return vehicle, _NOT_FLOWN + grounded if grounded else ""


READER = SdfReader(
    plugins=(*_FORCES, "interface", "controller"),
    needs="motors or lift-drag",
    claims=lambda model: bool(model.plugins.of(_FORCES)),
    read=_read,
)
"""How vehicles of blocks are read."""
