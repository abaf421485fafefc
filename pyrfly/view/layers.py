"""Layers of pictures as the core takes them: `mesh_layer`, `line_layer`, `water_layer`."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.view.world import Mesh

__all__ = ["UNMOVED", "Colour", "Layer", "line_layer", "mesh_layer", "water_layer"]

Layer: TypeAlias = tuple[Any, ...]
Colour: TypeAlias = tuple[int, int, int]
Array = NDArray[np.float64]

UNMOVED = np.array([[[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]])
"""The place of what is given in NED, shape (1, 3, 4)."""


def mesh_layer(
    mesh: Mesh,
    places: Array = UNMOVED,
    ids: ArrayLike = -1,
    colour: Colour | None = None,
    opacity: int = 255,
) -> Layer:
    """Return triangles that are drawn at places.

    Parameters
    ----------
    mesh : Mesh
        The triangles.
    places : ndarray, shape (n, 3, 4)
        Matrices from their axes to NED, and origins [m].
    ids : array_like of int, shape (n,) or ()
        What is in the picture's ids; -1: nothing.
    colour : tuple of int, optional
        Colour of all triangles instead of their own.
    opacity : int
        0 to 255.
    """
    colours = np.empty((len(mesh.triangles), 4), np.uint8)
    colours[:, :3] = mesh.colours if colour is None else colour
    colours[:, 3] = opacity
    return (
        np.ascontiguousarray(mesh.vertices, np.float32),
        np.ascontiguousarray(mesh.triangles.view(np.int32)),
        colours,
        np.ascontiguousarray(places.reshape(-1, 12)),
        np.ascontiguousarray(np.broadcast_to(np.asarray(ids, np.int32), len(places))),
    )


def line_layer(ends: ArrayLike, colours: ArrayLike, width: float) -> Layer:
    """Return lines between two points each.

    Parameters
    ----------
    ends : array_like, shape (m, 2, 3)
        Their ends [m, NED]; what is NaN is not drawn.
    colours : array_like of int, shape (m, 4) or (4,)
        Red, green, blue and opacity, 0 to 255.
    width : float
        Width [pixels].
    """
    lines = np.ascontiguousarray(ends, np.float64).reshape(-1, 6)
    shades = np.broadcast_to(np.asarray(colours).astype(np.uint8), (len(lines), 4))
    return lines, np.ascontiguousarray(shades), width


def water_layer(
    level: float, clear: float, deep: Colour, surface: Colour, opacity: int, opacity_flat: int
) -> Layer:
    """Return water to the horizon.

    Parameters
    ----------
    level : float
        Its surface [m, NED down].
    clear : float
        Way through it that leaves a fourth of a colour [m].
    deep, surface : tuple of int
        Colours of much of it and of its surface.
    opacity, opacity_flat : int
        Opacity of the surface, 0 to 255, seen at right angles and along it.
    """
    colours = np.array([(*deep, opacity_flat), (*surface, opacity)], np.uint8)
    return level, clear, colours
