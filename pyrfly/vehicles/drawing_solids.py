"""Solids that drawings of vehicles are made of, as plain numbers.

Each is in local axes of its own, of which `pyrfly.vehicles.drawing.Part` says where they are. Those
with an axis of symmetry have it along z.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

__all__ = [
    "AIRFOIL",
    "FLAP",
    "FRONT",
    "Box",
    "Cylinder",
    "Loft",
    "MeshFile",
    "Rotor",
    "Solid",
    "Vector",
    "Wheel",
    "Wing",
]

Vector = tuple[float, float, float]

Profile = tuple[tuple[float, float], ...]

AIRFOIL: Profile = ((0.0, 0.0), (0.07, 0.6), (0.3, 1.0), (1.0, 0.0))
"""Section of a wing: shares of the chord from its leading edge, and of half the thickness there."""

FRONT: Profile = ((0.0, 0.0), (0.1, 0.6), (0.4, 1.0), (1.0, 0.6))
"""Section of a wing before a surface that moves."""

FLAP: Profile = ((0.0, 1.0), (1.0, 0.0))
"""Section of a surface behind a wing."""


class Box(NamedTuple):
    """A box about the origin, with edges that are cut off.

    Attributes
    ----------
    size : tuple of float
        Sizes along x, y and z [m].
    bevel : float
        Width that is cut off its edges above and below [m].
    corner : float
        The same of its vertical edges [m].
    """

    size: Vector
    bevel: float = 0.0
    corner: float = 0.0


class Cylinder(NamedTuple):
    """A cylinder about the origin, or what tapers, down to a cone.

    Attributes
    ----------
    radius : float
        Radius where z is least [m].
    length : float
        Length along z [m].
    taper : float
        Radius where z is largest over that, 0 for a cone.
    sides : int
        Number of its sides.
    """

    radius: float
    length: float
    taper: float = 1.0
    sides: int = 10


class Wing(NamedTuple):
    """A panel of a wing, whose span is along y.

    Attributes
    ----------
    root, tip : tuple of float
        x of the leading and of the trailing edge, at y = 0 and at the tip [m].
    span : float
        y of the tip [m], below 0 to the left.
    rise : float
        z of the tip [m]; the root has 0.
    thickness : tuple of float
        Thickness at root and tip [m].
    profile : tuple
        Its section, such as `AIRFOIL`.
    """

    root: tuple[float, float]
    tip: tuple[float, float]
    span: float
    rise: float = 0.0
    thickness: tuple[float, float] = (0.0, 0.0)
    profile: Profile = AIRFOIL


class Rotor(NamedTuple):
    """Blades about z, along which they push themselves.

    Attributes
    ----------
    radius : float
        Radius [m].
    blades : int
        Number of blades.
    chord : float
        Chord of a blade over the radius.
    turns : int
        Direction: 1 by the right hand about z, -1 the other way.
    """

    radius: float
    blades: int = 2
    chord: float = 0.16
    turns: int = 1


class Wheel(NamedTuple):
    """A tyre about z.

    Attributes
    ----------
    radius, width : float
        Its sizes [m].
    """

    radius: float
    width: float


class Loft(NamedTuple):
    """What is between cross-sections, such as a fuselage or the hull of a ship.

    Attributes
    ----------
    rings : tuple
        Cross-sections in their order, each of as many corners [m], convex, in the same order around
        it. A ring may be a point.
    """

    rings: tuple[tuple[Vector, ...], ...]


class MeshFile(NamedTuple):
    """A mesh from a file, in the axes of the vehicle.

    Attributes
    ----------
    path : Path
        The file, see `pyrfly.scene.read_mesh`; its base colours are its own.
    scale : float
        Metres that 1 of its lengths is.
    axes : str or None
        What its axes are, as of `pyrfly.scene.read_mesh`.
    moving : bool
        Whether what the family draws of rotors, surfaces and wheels is seen beside it.
    """

    path: Path
    scale: float = 1.0
    axes: str | None = None
    moving: bool = False


Solid = Box | Cylinder | Wing | Rotor | Wheel | Loft | MeshFile
