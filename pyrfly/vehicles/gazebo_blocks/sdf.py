"""Vehicles from Gazebo's SDF files, and URDF files: `read_sdf`."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from pyrfly.errors import ParameterError, ParameterWarning, brief, warn
from pyrfly.vehicles.gazebo_blocks.parameters import build
from pyrfly.vehicles.gazebo_blocks.sdf_collisions import sizes_of
from pyrfly.vehicles.gazebo_blocks.sdf_elements import MODEL
from pyrfly.vehicles.gazebo_blocks.sdf_include import merge_includes
from pyrfly.vehicles.gazebo_blocks.sdf_model import rigid_body
from pyrfly.vehicles.gazebo_blocks.sdf_node import Node
from pyrfly.vehicles.gazebo_blocks.sdf_parts import tables_of
from pyrfly.vehicles.gazebo_blocks.sdf_source import Source
from pyrfly.vehicles.gazebo_blocks.sdf_xml import read_model
from pyrfly.vehicles.gazebo_blocks.tuning import why_grounded
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["read_sdf"]


def _check_model(source: Source, model: Node) -> None:
    """List what a model has beside links, joints and plug-ins; refuse one that stands still."""
    name = model.get("name", "")
    if not name.strip() or not name.isprintable():
        raise source.error(model, f"name: expected printable characters, got {brief(name)}")
    if source.flag(model, "static"):
        raise source.error(model, "<static>: expected false, a model that moves, got true")
    source.require_known(model, {*MODEL, "model"})
    for nested in source.children(model, "model"):
        source.leave_out(nested, f"model {nested.get('name', '')!r:.60} in the model")


def _check_includes(source: Source, model: Node, missing: str) -> None:
    """List the models that were not read; refuse references by a path out of the folder."""
    for include in model.iter("include"):
        assert isinstance(include, Node)
        uri = source.text(include, "uri")
        path = PurePosixPath(uri.removeprefix("file://"))
        by_scheme = re.match(r"[a-z]+://", uri) is not None and not uri.startswith("file://")
        if ".." in uri.split("/") or "\\" in uri or (path.is_absolute() and not by_scheme):
            raise source.error(include, f"<uri>: expected a model of its folder, got {brief(uri)}")
        source.leave_out(include, f"include {uri!r:.80}: {missing}")


def _document(path: Path, models: Path | None) -> tuple[Source, dict[str, Any]]:
    """Return the document of a parameter file with the numbers of an SDF file."""
    label, model = read_model(path)
    source = Source(label)
    if models is not None:
        merge_includes(source, model, models)
    _check_model(source, model)
    _check_includes(
        source, model, "expected models=, a folder" if models is None else "not in the folder"
    )
    body = rigid_body(source, model)
    said = f"{label}, its links, from the centre of mass, FRD"
    document: dict[str, Any] = {
        "family": "gazebo_blocks",
        "name": model.get("name"),
        "mass": {"value": body.mass, "unit": "kg", "source": said},
        "inertia": {"value": body.inertia, "unit": "kg m^2", "source": said},
        **{f"{kind}s": {"source": label} for kind in ("motor", "joint", "surface")},
    }
    tables = tables_of(source, model, body)
    for kind in ("motor", "joint", "surface"):
        for table in tables[kind]:
            table["source"] = label
    if "aero" in tables:
        tables["aero"]["source"] = label
    motors = {table["name"] for table in tables["motor"]}
    return source, document | tables | {"hull": sizes_of(source, model, body, motors)}


def _lists(source: Source, grounded: str) -> list[str]:
    """Return what was left out, was assumed, and why it is not flown, each with a heading."""
    flown = [f"it does not hover; by wings: {grounded}"] if grounded else []
    named = (("left out", source.left_out), ("assumed", source.assumed), ("not flown", flown))
    return ["\n  ".join([f"{name}:", *texts]) for name, texts in named if texts]


def _models(folder: str | os.PathLike[str] | None) -> Path | None:
    """Return the folder of models that a file may include, which has to be one."""
    if folder is None:
        return None
    if isinstance(folder, (str, os.PathLike)) and os.path.isdir(folder):  # noqa: PTH112
        return Path(folder)
    raise ParameterError(f"models: expected a folder of models, got {brief(folder)}")


def read_sdf(
    path: str | os.PathLike[str],
    *,
    models: str | os.PathLike[str] | None = None,
    strict: bool = False,
) -> VehicleParameters:
    """Return the vehicle of an SDF file; see `pyrfly.vehicles.from_sdf`."""
    if not isinstance(path, (str, os.PathLike)):
        raise ParameterError(f"path: expected the path of an SDF file, got {brief(path)}")
    with np.errstate(all="ignore"):  # numbers that become infinite are refused
        source, document = _document(Path(path), _models(models))
    vehicle = build(source.label, document)
    lists = _lists(source, why_grounded(vehicle.columns))
    vehicle = replace(vehicle, notes="\n".join(lists))
    if strict and source.left_out:
        raise ParameterError(f"{source.label}: {lists[0]}")
    if lists and not strict:
        warn(f"{source.label}: " + "\n".join(lists), ParameterWarning)
    return vehicle
