"""The vehicle of an SDF or URDF file, before a family reads its plug-ins: `SdfModel`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.gazebo.body import Body, rigid_body
from pyrfly.vehicles.gazebo.elements import MODEL
from pyrfly.vehicles.gazebo.include import merge_includes
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.plugins import Plugins
from pyrfly.vehicles.gazebo.source import Source
from pyrfly.vehicles.gazebo.xml import read_model
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["SdfModel", "SdfReader", "read_sdf_model"]


class SdfModel(NamedTuple):
    """A model: its file, its element, the rigid body of its links, and its plug-ins by kind."""

    source: Source
    node: Node
    body: Body
    plugins: Plugins


class SdfReader(NamedTuple):
    """How a family reads vehicles of SDF files.

    Attributes
    ----------
    plugins : tuple of str
        Kinds of plug-ins that it reads; see `pyrfly.vehicles.gazebo.plugins`. Of several families
        that claim a model the one that reads the most of its plug-ins has it.
    needs : str
        What a model must have for it, in words.
    claims : callable
        Returns whether a model is one of its vehicles.
    read : callable
        Returns the vehicle of a model, and what its notes say beside what was left out and
        assumed, with a heading, or an empty text.
    in_water : bool
        Whether the added mass of links is read, too.
    """

    plugins: tuple[str, ...]
    needs: str
    claims: Callable[[SdfModel], bool]
    read: Callable[[SdfModel], tuple[VehicleParameters, str]]
    in_water: bool = False


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


def _folder(folder: str | os.PathLike[str] | None) -> Path | None:
    """Return the folder of models that a file may include, which has to be one."""
    if folder is None:
        return None
    if isinstance(folder, (str, os.PathLike)) and os.path.isdir(folder):  # noqa: PTH112
        return Path(folder)
    raise ParameterError(f"models: expected a folder of models, got {brief(folder)}")


def read_sdf_model(
    path: str | os.PathLike[str], models: str | os.PathLike[str] | None = None
) -> SdfModel:
    """Return the model of a file, with those that it includes of a folder ``models``.

    Raises
    ------
    ParameterError
        The file cannot be read, or it has no model that moves, or no body.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ParameterError(f"path: expected the path of an SDF file, got {brief(path)}")
    folder = _folder(models)
    label, model = read_model(Path(path))
    source = Source(label)
    if folder is not None:
        merge_includes(source, model, folder)
    _check_model(source, model)
    _check_includes(
        source, model, "expected models=, a folder" if folder is None else "not in the folder"
    )
    body = rigid_body(source, model)
    return SdfModel(source, model, body, Plugins(source, model, body))
