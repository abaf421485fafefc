"""Scenes as what JSON can hold, for files of others: `document_of`, `scene_in`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief
from pyrfly.scene.scene import Scene
from pyrfly.scene.shapes import SHAPES, Shape

__all__ = ["document_of", "given_fields", "scene_in"]

DIGITS = 7
"""Decimal digits of the largest number of a field."""


def given_fields(shape: Shape) -> dict[str, Any]:
    """Return the fields of a shape that are not as by default."""
    named = ((field, getattr(shape, field.name)) for field in fields(shape))
    return {
        field.name: value
        for field, value in named
        if isinstance(value, np.ndarray) or value != field.default
    }


def document_of(scene: Scene, most: int) -> list[list[Any]]:
    """Return the kind and the fields of each shape, in the order of their numbers.

    Parameters
    ----------
    scene : Scene
        The scene.
    most : int
        Maximum number of characters as JSON; a shape that has no room is None.
    """
    return [*_entries(scene, most)]


def _entries(scene: Scene, left: int) -> Iterator[Any]:
    for shape in scene.shapes:
        entry = [type(shape).__name__.lower(), _plain(given_fields(shape))]
        size = len(json.dumps(entry))
        left -= size if size <= left else 0
        yield entry if size <= left else None


def scene_in(document: Any) -> Scene:
    """Return the scene of a document, which may be anything; without shapes that had no room.

    Raises
    ------
    ValueError
        It is not one of `document_of`.
    """
    try:
        return Scene([SHAPES[kind](**given) for kind, given in filter(None, document)])
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise ValueError(f"scene: expected shapes, got {brief(document)} ({error})") from None


def _plain(given: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value if isinstance(value, str) else _rounded(np.asarray(value)).tolist()
        for name, value in given.items()
    }


def _rounded(values: NDArray[Any]) -> NDArray[Any]:
    """Return coordinates with `DIGITS`; whole numbers as they are."""
    if values.dtype.kind != "f":
        return values
    largest = max(float(np.abs(values).max()), 1e-12)
    return np.round(values, DIGITS - math.ceil(math.log10(largest)))
