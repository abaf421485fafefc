"""Drawings as what JSON can hold: `document_of`, `drawing_in`."""

from __future__ import annotations

import math
from typing import Any, get_args

from pyrfly.errors import brief
from pyrfly.vehicles.drawing import SPIN, TURN, Drawing, Joint, Part
from pyrfly.vehicles.drawing_solids import MeshFile, Solid

__all__ = ["document_of", "drawing_in"]

_SOLIDS = {kind.__name__.lower(): kind for kind in get_args(Solid) if kind is not MeshFile}
"""Those that are numbers alone: a log must not name files to read."""

_COUNTS = {"sides": 64, "blades": 64, "turns": 1}
"""Fields of solids that are whole numbers, and the maximum of each."""

MOST_NUMBERS = 50_000
"""Maximum number of numbers of a drawing: a file may have anything there."""

FARTHEST = 1e4  # m


def document_of(drawing: Drawing) -> list[dict[str, Any]]:
    """Return a drawing without meshes of files as lists and dictionaries of numbers and texts."""
    return [
        {
            "name": part.name,
            "solid": _document(part.solid),
            "at": part.at,
            "axes": part.axes,
            "colour": part.colour,
            "joints": [joint._asdict() for joint in part.joints],
            **({} if part.far is None else {"far": [_document(solid) for solid in part.far]}),
        }
        for part in drawing.parts
    ]


def _document(solid: Solid) -> dict[str, Any]:
    return {"kind": type(solid).__name__.lower(), **solid._asdict()}


def drawing_in(document: Any) -> Drawing:
    """Return the drawing of a document, which may be anything.

    Raises
    ------
    ValueError
        It is not one of `document_of`.
    """
    try:
        if _size_of(document) > MOST_NUMBERS:
            raise ValueError(f"more than {MOST_NUMBERS} numbers")
        return Drawing(tuple(_part(entry) for entry in document))
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise ValueError(f"drawing: expected parts, got {brief(document)} ({error})") from None


def _size_of(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_size_of, value.values()))
    return sum(map(_size_of, value)) if isinstance(value, (list, tuple)) else 1


def _part(entry: dict[str, Any]) -> Part:
    at, axes = _vector(entry["at"]), tuple(_vector(axis) for axis in entry["axes"])
    colour = tuple(_whole(part, 0, 255) for part in entry["colour"])
    if len(axes) != 3 or len(colour) != 3:
        raise ValueError("not three axes and three parts of a colour")
    joints = tuple(_joint(**joint) for joint in entry["joints"])
    far = tuple(map(_solid, entry["far"])) if "far" in entry else None
    return Part(str(entry["name"]), _solid(entry["solid"]), at, axes, colour, joints, far)


def _solid(entry: dict[str, Any]) -> Solid:
    fields = dict(entry)
    kind = _SOLIDS[fields.pop("kind")]
    numbers = {
        key: _whole(value, -1, _COUNTS[key]) if key in _COUNTS else _numbers(value)
        for key, value in fields.items()
    }
    solid: Solid = kind(**numbers)
    return solid


def _joint(kind: str, actuator: int, axis: Any, at: Any, gain: float) -> Joint:
    if kind not in (SPIN, TURN):
        raise ValueError(f"no joint {kind!r}")
    return Joint(kind, _whole(actuator, 0, 7), _vector(axis), _vector(at), _number(gain))


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"no number {brief(value)}")
    if not math.isfinite(value) or abs(value) > FARTHEST:
        raise ValueError(f"{value} not within {FARTHEST:g}")
    return float(value)


def _whole(value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{brief(value)} not within {low} to {high}")
    return value


def _numbers(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple(_numbers(part) for part in value)
    return _number(value)


def _vector(value: Any) -> tuple[float, float, float]:
    x, y, z = value
    return _number(x), _number(y), _number(z)
