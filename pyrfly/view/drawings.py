"""Meshes of vehicles: `drawing_of`, `group_of`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.sim.appearance import Appearance, appearance_of
from pyrfly.vehicles import VehicleParameters, load
from pyrfly.vehicles.drawing import Drawing, Joint, Part
from pyrfly.view.few import few_triangles
from pyrfly.view.solids import Surface, surface_of
from pyrfly.view.world import Group, Mesh, Piece

__all__ = ["drawing_of", "group_of", "group_that_looks", "pieces_of"]

Array = NDArray[np.float64]
Drawn = tuple[Part, Surface]


def drawing_of(vehicle: str | os.PathLike[str] | VehicleParameters) -> tuple[Piece, ...]:
    """Return what a vehicle looks like, as triangles.

    Parameters
    ----------
    vehicle : str, path-like or VehicleParameters
        A parameter set, or a name or file as `pyrfly.vehicles.load` takes it.

    Returns
    -------
    tuple of Piece
        First what is fixed to the vehicle, then what moves, FRD from its origin: the centre of
        mass, or of vehicles with wheels the point below it on the ground.

    Raises
    ------
    ParameterError
        There is no such set.
    SceneError
        The mesh of the set cannot be read.
    """
    parameters = vehicle if isinstance(vehicle, VehicleParameters) else load(vehicle)
    looks = appearance_of(parameters)
    return pieces_of(looks.drawing, (0.0, 0.0, -looks.lift))


def group_of(parameters: VehicleParameters, ids: ArrayLike) -> Group:
    """Return vehicles of a parameter set as they are drawn.

    Parameters
    ----------
    parameters : VehicleParameters
        The set.
    ids : array_like of int, shape (n,)
        Their CopterIDs.
    """
    return group_that_looks(parameters.name, parameters.family, ids, appearance_of(parameters))


def group_that_looks(name: str, family: str, ids: ArrayLike, looks: Appearance) -> Group:
    """Return vehicles that look so.

    Parameters
    ----------
    name, family : str
        Of their set.
    ids : array_like of int, shape (n,)
        Their CopterIDs.
    looks : Appearance
        What they look like.
    """
    pieces = pieces_of(looks.drawing, (0.0, 0.0, -looks.lift))
    corners = np.concatenate([piece.mesh.vertices for piece in pieces])
    radius = float(exact.norm(corners).max(initial=0.0))
    return Group(name, family, np.array(ids, np.int64), pieces, radius, looks.rise)


def pieces_of(drawing: Drawing, shift: Sequence[float] = (0.0, 0.0, 0.0)) -> tuple[Piece, ...]:
    """Return the parts of a drawing as triangles, those that move as one together.

    Parameters
    ----------
    drawing : Drawing
        What is drawn.
    shift : sequence of float
        What is added to all positions [m, FRD].
    """
    full = [(part, _placed(part, surface_of(part.solid), shift)) for part in drawing.parts]
    few = [(part, _placed(part, surface, shift)) for part, surface in few_triangles(drawing.parts)]
    found: dict[tuple[Joint, ...], list[str]] = {(): []}
    for part in drawing.parts:
        found.setdefault(part.joints, []).append(part.name)
    return tuple(
        Piece(
            names[0] if joints else "body",
            _joined(drawn for drawn in full if drawn[0].joints == joints),
            _joined(drawn for drawn in few if drawn[0].joints == joints),
            tuple(_shifted(joint, shift) for joint in joints),
        )
        for joints, names in found.items()
        if names
    )


def _placed(part: Part, surface: Surface, shift: Sequence[float]) -> Surface:
    """Return a surface in the axes of the vehicle."""
    axes = np.array(part.axes, np.float64)
    x, y, z = surface.vertices.T[:, :, None]  # not a product of matrices, whose last bits differ
    return surface._replace(vertices=x * axes[0] + y * axes[1] + z * axes[2] + part.at + shift)


def _shifted(joint: Joint, shift: Sequence[float]) -> Joint:
    x, y, z = (float(a + b) for a, b in zip(joint.at, shift, strict=True))
    return joint._replace(at=(x, y, z))


def _joined(drawn: Iterable[Drawn]) -> Mesh:
    """Return surfaces of parts as one mesh in their colours."""
    vertices, triangles, colours, count = [np.empty((0, 3))], [np.empty((0, 3), np.int64)], [], 0
    for part, surface in drawn:
        vertices.append(surface.vertices)
        triangles.append(surface.triangles + count)
        own = np.full((len(surface.triangles), 3), part.colour, np.uint8)
        colours.append(own if surface.colours is None else surface.colours)
        count += len(surface.vertices)
    return Mesh(
        np.concatenate(vertices).astype(np.float32),
        np.concatenate(triangles).astype(np.uint32),
        np.concatenate([np.empty((0, 3), np.uint8), *colours]),
    )
