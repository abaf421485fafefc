"""Models that an SDF file includes: `merge_includes`.

An element ``<include merge="true">`` stands for the children of another model, whose frame becomes
a frame of this one [@sdformat]. Other includes are nested models, of the same motion: their
children have names of the form ``MODEL::NAME`` outside.
"""

from __future__ import annotations

import re
from pathlib import Path

from pyrfly.errors import brief
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.source import Source
from pyrfly.vehicles.gazebo.xml import read_model

__all__ = ["merge_includes"]

_NAME = re.compile(r"(?:model://)?([A-Za-z0-9_][A-Za-z0-9_.+-]{0,80})")
_MAXIMUM_MODELS = 20
_OF_THE_MODEL = ("pose", "static", "self_collide", "allow_auto_disable")
"""Children of a model that merging drops: those of the outer model hold."""

_REFERENCES = ("name", "attached_to", "relative_to", "expressed_in", "frame")
"""Attributes that name an element of the model."""


def _merges(include: Node) -> bool:
    """Return whether an include stands for elements of the model that it is in."""
    return include.get("merge", "false").strip().lower() in ("true", "1")


def _place(node: Node, tag: str, text: str | None, attributes: dict[str, str]) -> Node:
    """Return a new element at the place of another one."""
    made = Node(tag, attributes)
    made.line, made.file, made.outer, made.text = node.line, node.file, node.outer, text
    return made


def _relate(element: Node, frame: str) -> None:
    """Have an element, whose pose is in the frame of its model, refer to the merged one."""
    pose = element.find("pose")
    if element.tag == "joint" or element.get("attached_to"):
        if isinstance(pose, Node) and pose.get("relative_to") == "__model__":
            pose.set("relative_to", frame)
        return
    if pose is None:
        pose = _place(element, "pose", "0 0 0 0 0 0", {})
        element.append(pose)
    if not pose.get("relative_to") or pose.get("relative_to") == "__model__":
        pose.set("relative_to", frame)


def _nest(model: Node, scope: str) -> None:
    """Give the elements of a model, and what refers to them, the names that they have outside."""
    named = [node for node in model if node.tag in ("link", "joint", "frame")]
    names = {node.get("name", "") for node in named}
    for element in model:
        for node in element.iter():
            if node is not element or element.tag != "plugin":
                for key in set(_REFERENCES) & node.attrib.keys():
                    if node.get(key) in names:
                        node.set(key, f"{scope}::{node.get(key)}")
            if node is not element and (text := (node.text or "").strip()) in names:
                node.text = f"{scope}::{text}"


def _merged(include: Node, model: Node) -> list[Node]:
    """Return the elements that stand for an include of a model."""
    name = (include.findtext("name") or "").strip() or model.get("name", "")
    frame = _place(include, "frame", None, {"name": f"_merged__{name}__model__"})
    if not _merges(include):
        _nest(model, name)
        frame.set("name", name)
    given = include.find("pose")
    pose = model.find("pose") if given is None else given
    if isinstance(pose, Node):
        frame.append(_place(pose, "pose", pose.text, dict(pose.attrib)))
    plugins = [node for node in include if node.tag == "plugin"]
    inner = [node for node in model if node.tag not in _OF_THE_MODEL]
    elements = [node for node in (*inner, *plugins) if isinstance(node, Node)]
    for element in elements:
        element.outer = include.outer
        if element.tag in ("link", "frame", "joint"):
            _relate(element, frame.get("name", ""))
    return [frame, *elements]


def _read(source: Source, include: Node, folder: Path, open_models: tuple[str, ...]) -> Node | None:
    """Return the model that an include names, of a folder of models.

    None for one that is nested, such as a sensor, and not there.
    """
    uri = source.text(include, "uri")
    named = _NAME.fullmatch(uri)
    path = folder / (named[1] if named else "") / "model.sdf"
    inside = path.resolve().is_relative_to(folder.resolve())
    if named is None or not inside:
        raise source.error(include, f"<uri>: expected a model of the folder, got {brief(uri)}")
    if named[1] in open_models:
        raise source.error(include, f"<uri>: {brief(uri)} includes itself")
    if include.find("placement_frame") is not None:
        raise source.error(include, "<placement_frame>: expected none, which is not read")
    if not _merges(include) and not path.is_file():
        return None
    return read_model(path, f"{named[1]}/model.sdf")[1]


def merge_includes(source: Source, model: Node, folder: Path) -> None:
    """Replace the includes of a model by what they stand for.

    Parameters
    ----------
    source : Source
        The file, for messages.
    model : Node
        Its model, which is changed.
    folder : Path
        The folder whose ``NAME/model.sdf`` is the model ``model://NAME``, also ``NAME`` alone.

    Raises
    ------
    ParameterError
        A model is not in the folder, cannot be read or includes itself, or there are too many.
    """
    _merge(source, model, folder, (), [])


def _merge(
    source: Source, model: Node, folder: Path, open_models: tuple[str, ...], read: list[str]
) -> None:
    merged: list[Node] = []
    for child in model:
        assert isinstance(child, Node)
        inner = None
        if child.tag == "include":
            inner = _read(source, child, folder, open_models)
        if inner is None:
            merged.append(child)
            continue
        read.append(source.text(child, "uri"))
        if len(read) > _MAXIMUM_MODELS:
            raise source.error(child, f"expected up to {_MAXIMUM_MODELS} included models, got more")
        _merge(source, inner, folder, (*open_models, read[-1].removeprefix("model://")), read)
        merged += _merged(child, inner)
    model[:] = merged
