"""Vehicles and their shadows as layers of pictures: `Fleet`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.drawing import SPIN, Joint
from pyrfly.view.camera import Viewpoint
from pyrfly.view.layers import Layer, mesh_layer
from pyrfly.view.poses import Motion, origins, rotations, rows_of
from pyrfly.view.world import Frame, Group, Mesh, Piece, World

__all__ = ["LEAST", "SUN", "Fleet"]

Array = NDArray[np.float64]

SUN = np.array([0.42, 0.28, -0.86]) / float(exact.norm([0.42, 0.28, -0.86]))
"""Unit vector to the sun [NED]."""

LEAST = 8.0
"""Radius that a vehicle has at least, by default [pixels]."""

SIMPLE_BELOW = 14.0
"""Radius below which a vehicle is drawn by few triangles [pixels]."""

SHADOW = (20, 24, 20)
SHADOW_OPACITY = 80
LIFT = 3e-4
"""Height of shadows over the ground, of that of the eye."""

DISC = (40, 44, 50)
DISC_OPACITY = 70
DISC_SHADOW_OPACITY = 40
DISC_CORNERS = 24


class Layers(NamedTuple):
    """Layers of vehicles, in the order of drawing."""

    shadows: list[Layer]
    bodies: list[Layer]
    discs: list[Layer]


class Fleet:
    """All vehicles, picture after picture.

    Parameters
    ----------
    world : World
        What is drawn.
    least : float
        Radius that a vehicle has at least in a picture [pixels]: smaller ones are enlarged.
    step : float
        Time that passed before the first picture [s].
    """

    def __init__(self, world: World, least: float, step: float = 0.0) -> None:
        self._world, self._least = world, least
        self._motion = Motion(world, step)
        self._discs = {
            piece.joints: _disc(piece)
            for group in world.groups
            for piece in group.pieces
            if _spins(piece)
        }

    def layers(self, frame: Frame, view: Viewpoint, focal: float, ground: Array) -> Layers:
        """Return the layers of a frame.

        Parameters
        ----------
        frame : Frame
            Where they are.
        view : Viewpoint
            Where they are seen from.
        focal : float
            Distance of the picture from the eye [pixels].
        ground : ndarray, shape (n,)
            z of what their shadows fall on [m].
        """
        self._motion.advance(frame)
        drawn = Layers([], [], [])
        places = origins(self._world, frame)
        ahead = (places - view.eye) @ view.axes[2]
        for number, (group, rows) in enumerate(rows_of(self._world)):
            with np.errstate(divide="ignore", invalid="ignore"):
                radius = focal * group.radius / np.maximum(ahead[rows], 1e-3)
                scale = np.where(ahead[rows] > 0, np.maximum(self._least / radius, 1.0), 1.0)
            turns = rotations(frame.att[rows]) * scale[:, None, None]
            bodies = np.concatenate([turns, places[rows][:, :, None]], -1)
            there = np.isfinite(bodies).all(axis=(1, 2))
            simple = radius * scale < SIMPLE_BELOW
            above = ground[rows] - frame.pos[rows, 2]
            shaded = there & (above > -0.5 * group.radius)
            falls = _falls(ground[rows] - LIFT * np.abs(view.eye[2] - ground[rows]))
            for piece in group.pieces:
                at = self._motion.places(number, piece.joints, bodies, frame)
                _add_piece(drawn, group, piece, at, there, simple)
                few = piece.simple if len(piece.simple.triangles) else piece.mesh
                if piece.joints not in self._discs:
                    _add_shadows(drawn, few, at, falls, shaded)
                    continue
                disc, fast = (
                    self._discs[piece.joints],
                    self._motion.blurred(number, _spin_of(piece)),
                )
                tilts = tuple(joint for joint in piece.joints if joint.kind != SPIN)
                still = self._motion.places(number, tilts, bodies, frame)
                seen = there & fast
                drawn.discs.append(
                    mesh_layer(disc, still[seen], group.ids[seen], opacity=DISC_OPACITY)
                )
                _add_shadows(drawn, disc, still, falls, shaded & fast, DISC_SHADOW_OPACITY)
                _add_shadows(drawn, piece.mesh, at, falls, shaded & ~fast & ~simple)
                _add_shadows(drawn, few, at, falls, shaded & ~fast & simple)
        return drawn


def _add_piece(
    drawn: Layers,
    group: Group,
    piece: Piece,
    at: Array,
    there: NDArray[np.bool_],
    simple: NDArray[np.bool_],
) -> None:
    for mesh, chosen in ((piece.mesh, there & ~simple), (piece.simple, there & simple)):
        if len(mesh.triangles) and chosen.any():
            drawn.bodies.append(mesh_layer(mesh, at[chosen], group.ids[chosen]))


def _add_shadows(
    drawn: Layers,
    mesh: Mesh,
    at: Array,
    falls: Array,
    chosen: NDArray[np.bool_],
    opacity: int = SHADOW_OPACITY,
) -> None:
    if chosen.any():
        shadows = _on_ground(falls[chosen], at[chosen])
        drawn.shadows.append(mesh_layer(mesh, shadows, -1, SHADOW, opacity))


def _spins(piece: Piece) -> bool:
    return any(joint.kind == SPIN for joint in piece.joints)


def _spin_of(piece: Piece) -> Joint:
    return next(joint for joint in piece.joints if joint.kind == SPIN)


def _disc(piece: Piece) -> Mesh:
    """Return what a piece that spins sweeps, as a disc."""
    joint = _spin_of(piece)
    axis, at = np.array(joint.axis), np.array(joint.at)
    arm = piece.mesh.vertices.astype(np.float64) - at
    along = arm @ axis
    out = arm - along[:, None] * axis
    radius = float(exact.norm(out).max(initial=0.0))
    side = np.cross(axis, (1.0, 0, 0) if abs(axis[0]) < 0.7 else (0, 1.0, 0))
    side /= float(exact.norm(side))
    sine, cosine = exact.sincos(np.arange(DISC_CORNERS) * (2 * np.pi / DISC_CORNERS))
    ring = radius * (cosine[:, None] * side + sine[:, None] * np.cross(axis, side))
    vertices = at + (along.max(initial=0.0) + along.min(initial=0.0)) / 2 * axis + ring
    corners = np.arange(1, DISC_CORNERS - 1)
    triangles = np.stack([0 * corners, corners, corners + 1], 1).astype(np.uint32)
    return Mesh(
        vertices.astype(np.float32),
        triangles,
        np.tile(np.array(DISC, np.uint8), (len(triangles), 1)),
    )


def _falls(z: Array) -> Array:
    """Return the matrices (3, 4) along the light onto levels z, shape (n, 3, 4)."""
    falls = np.zeros((len(z), 3, 4))
    falls[:, 0, 0] = falls[:, 1, 1] = 1.0
    slope = SUN / SUN[2]
    falls[:, 0, 2], falls[:, 1, 2] = -slope[0], -slope[1]
    falls[:, 0, 3], falls[:, 1, 3], falls[:, 2, 3] = slope[0] * z, slope[1] * z, z
    return falls


def _on_ground(falls: Array, places: Array) -> Array:
    both = falls[:, :, :3] @ places
    both[:, :, 3] += falls[:, :, 3]
    return both
