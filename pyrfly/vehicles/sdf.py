"""Vehicles from Gazebo's SDF files, and URDF files: `from_sdf`."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np

from pyrfly.arrays import true_or_false
from pyrfly.errors import ParameterError, ParameterWarning, warn
from pyrfly.vehicles.families import FAMILIES
from pyrfly.vehicles.gazebo.model import SdfModel, SdfReader, read_sdf_model
from pyrfly.vehicles.gazebo.source import Source
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["from_sdf"]


def from_sdf(
    path: str | os.PathLike[str],
    *,
    models: str | os.PathLike[str] | None = None,
    strict: bool = False,
) -> VehicleParameters:
    """Read a vehicle from an SDF file of Gazebo Classic, RotorS or Gazebo, or from a URDF file.

    Links that joints connect to the base link become one rigid body. Plug-ins become its motors,
    surfaces, thrusters or buoyancy, and say of which family it is; see ``docs/sdf.md``. Of
    what the file refers to only models of the folder ``models`` are opened, by
    ``<include merge="true">``.

    Parameters
    ----------
    path : str or os.PathLike
        An ``.sdf`` file, or an ``.sdf.jinja`` file after rendering; or a ``.urdf`` file, of which
        links, joints and the plug-ins in ``<gazebo>`` are read. At most 4 MB.
    models : str or os.PathLike, optional
        A folder whose ``NAME/model.sdf`` is the model ``model://NAME``, such as that of
        PX4-gazebo-models. Without it no included model is read.
    strict : bool
        Raise an error if something that acts on the motion is left out, such as the mass of an
        included model, an unknown plug-in or element of one, or a joint that moves freely. What is
        only assumed, such as the channel of a motor for which the file names none, is no error.

    Returns
    -------
    VehicleParameters
        The vehicle, for a `pyrfly.Sim`. Its ``notes`` list what was left out and assumed, and say
        why its controllers do not fly one that neither hovers nor flies by wings.

    Raises
    ------
    ValueError
        ``strict`` is not true or false.
    ParameterError
        The file cannot be read, holds Jinja expressions or a document type, is malformed, includes
        a model by a path out of its folder, or itself, has no model that moves, or an element is
        missing, given twice, not finite, out of its range or not physical. The message has the line
        and the element.

    Warns
    -----
    ParameterWarning
        Something was left out or assumed, or the controllers do not fly it; with ``strict`` there
        is no warning.
    """
    refuses = true_or_false("strict", strict)
    with np.errstate(all="ignore"):  # numbers that become infinite are refused
        model = read_sdf_model(path, models)
        reader = _reader(model)
        model.plugins.leave_out_all_but(reader.plugins)
        if not reader.in_water:
            _leave_out_water(model)
        vehicle, still = reader.read(model)
    lists = _lists(model.source, still)
    vehicle = replace(vehicle, notes="\n".join(lists))
    if refuses and model.source.left_out:
        raise ParameterError(f"{model.source.label}: {lists[0]}")
    if lists and not refuses:
        warn(f"{model.source.label}: " + "\n".join(lists), ParameterWarning)
    return vehicle


def _reader(model: SdfModel) -> SdfReader:
    """Return how the family reads a model that reads the most of its plug-ins."""
    readers = [family.sdf for family in FAMILIES.values() if family.sdf is not None]
    if not readers:
        raise ParameterError("path: no family of vehicles reads SDF files")
    claiming = [reader for reader in readers if reader.claims(model)]
    if not claiming:
        needs = "; or of ".join(reader.needs for reader in readers)
        raise model.source.error(
            model.node, f"expected at least one plug-in of {needs}; got none of a vehicle"
        )
    return max(claiming, key=lambda reader: len(model.plugins.of(reader.plugins)))


def _leave_out_water(model: SdfModel) -> None:
    """Record the added mass of links, which vehicles out of the water have not."""
    for link in model.source.children(model.node, "link"):
        for inertial in model.source.children(link, "inertial"):
            for added in model.source.children(inertial, "fluid_added_mass"):
                model.source.leave_out(added, f"{added.path}: unknown")


def _lists(source: Source, still: str) -> list[str]:
    """Return what was left out, was assumed, and what the family says, each with a heading."""
    named = (("left out", source.left_out), ("assumed", source.assumed))
    found = ["\n  ".join([f"{name}:", *texts]) for name, texts in named if texts]
    return [*found, still] if still else found
