"""Vehicles from Gazebo's SDF files: `read_sdf`."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from pyrfly.errors import ParameterError, ParameterWarning, shown, warn
from pyrfly.vehicles.gazebo_blocks.parameters import build
from pyrfly.vehicles.gazebo_blocks.sdf_model import rigid_body
from pyrfly.vehicles.gazebo_blocks.sdf_plugins import tables_of
from pyrfly.vehicles.gazebo_blocks.sdf_xml import Source, read_model
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["read_sdf"]


def _check_includes(source: Source, model: Element) -> None:
    """List the models that a file includes; refuse references by a path out of its folder."""
    for include in model.iter("include"):
        uri = source.text(include, "uri", "<include>")
        path = PurePosixPath(uri.removeprefix("file://"))
        by_scheme = re.match(r"[a-z]+://", uri) is not None and not uri.startswith("file://")
        if ".." in uri.split("/") or "\\" in uri or (path.is_absolute() and not by_scheme):
            raise source.error(
                "<include>", f"<uri>: expected a model of its folder, got {shown(uri)}"
            )
        source.note(f"include {uri!r:.80}: included models are not read")
    for nested in model.findall("model"):
        source.note(f"model {nested.get('name', '')!r:.60} in the model")


def _document(path: Path) -> tuple[Source, dict[str, Any]]:
    """Return the document of a parameter file with the numbers of an SDF file."""
    source, model = read_model(path)
    _check_includes(source, model)
    body = rigid_body(source, model)
    said = f"{source.label}, its links, from the centre of mass, FRD"
    document: dict[str, Any] = {
        "family": "gazebo_blocks",
        "name": model.get("name") or path.stem,
        "mass": {"value": body.mass, "unit": "kg", "source": said},
        "inertia": {"value": body.inertia, "unit": "kg m^2", "source": said},
        **{f"{kind}s": {"source": source.label} for kind in ("motor", "joint", "surface")},
    }
    tables = tables_of(source, model, body)
    for kind in ("motor", "joint", "surface"):
        for table in tables[kind]:
            table["source"] = source.label
    if "aero" in tables:
        tables["aero"]["source"] = source.label
    return source, document | tables


def read_sdf(path: str | os.PathLike[str], *, strict: bool = False) -> VehicleParameters:
    """Return the vehicle of an SDF file; see `pyrfly.vehicles.from_sdf`."""
    if not isinstance(path, (str, os.PathLike)):
        raise ParameterError(f"path: expected the path of an SDF file, got {shown(path)}")
    with np.errstate(all="ignore"):  # numbers that become infinite are refused by `build`
        source, document = _document(Path(path))
    if source.left_out:
        listed = "\n  ".join(source.left_out)
        if strict:
            raise ParameterError(f"{source.label}: left out or assumed:\n  {listed}")
        warn(f"{source.label}: left out or assumed:\n  {listed}", ParameterWarning)
        document["notes"] = "Left out or assumed: " + "; ".join(source.left_out)
    return build(source.label, document)
