"""Pictures of single vehicles at rest: `portrait`, `sheet`."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core, exact
from pyrfly.vehicles import VehicleParameters, load
from pyrfly.view.camera import Viewpoint, looking
from pyrfly.view.captions import Caption, captioned
from pyrfly.view.drawings import drawing_of
from pyrfly.view.fleet import SUN
from pyrfly.view.layers import mesh_layer
from pyrfly.view.painter import size_of

__all__ = ["portrait", "sheet"]

BACKGROUND = np.array([[233, 238, 243], [250, 251, 252]], np.uint8)
MARGIN = 1.1
"""How much farther the eye is than it has to be."""

FIELD_OF_VIEW = 0.4
"""Upright angle of what is seen [rad], that of a portrait lens."""

STEPS = 6
"""How often the middle of a picture is found anew."""


def portrait(
    vehicle: str | os.PathLike[str] | VehicleParameters,
    size: tuple[int, int] = (640, 480),
    *,
    azimuth: float = 2.5,
    elevation: float = 0.4,
) -> NDArray[np.uint8]:
    """Return a picture of a vehicle of a parameter set at rest, which fills it.

    Parameters
    ----------
    vehicle : str, path-like or VehicleParameters
        A parameter set, or a name or file as `pyrfly.vehicles.load` takes it.
    size : (int, int)
        Width and height [pixels], 16 to 4096.
    azimuth, elevation : float
        Direction that the eye looks in: from the nose to the right, and downwards [rad]. At first
        it sees the vehicle from ahead, from its left and above.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)
        Red, green and blue.

    Raises
    ------
    ParameterError
        There is no such set.
    ValueError
        The size is no such.
    """
    size = size_of(size)
    pieces = drawing_of(vehicle)
    view = _fitting(
        np.concatenate([piece.mesh.vertices for piece in pieces]), size, azimuth, elevation
    )
    layers = tuple(mesh_layer(piece.mesh) for piece in pieces)
    camera = np.concatenate([view.axes, view.eye[None]])
    drawn = _core.render(size, 2, camera, view.focal(size), SUN, BACKGROUND, 0.0, layers)
    colours: NDArray[np.uint8] = drawn[0]
    return colours


def _fitting(
    corners: NDArray[np.float32], size: tuple[int, int], azimuth: float, elevation: float
) -> Viewpoint:
    """Return from where corners are all seen, as near as can be."""
    (sin_a, sin_e), (cos_a, cos_e) = exact.sincos(np.array([azimuth, elevation]))
    axes = looking((cos_e * cos_a, cos_e * sin_a, sin_e))
    along = corners.astype(np.float64) @ axes.T
    middle = 0.5 * (along.min(axis=0) + along.max(axis=0))
    upright = exact.tan(FIELD_OF_VIEW / 2)
    room = np.array([upright * size[0] / size[1], upright])
    for _ in range(STEPS):  # what is near is larger, so that the middle of the picture moves
        across, ahead = (along - middle)[:, :2], along[:, 2] - middle[2]
        distance = MARGIN * float((np.abs(across) / room - ahead[:, None]).max())
        seen = across / (ahead + distance)[:, None]
        middle[:2] += 0.5 * distance * (seen.min(axis=0) + seen.max(axis=0))
    return Viewpoint(middle @ axes - distance * axes[2], axes, distance, FIELD_OF_VIEW)


def sheet(
    vehicles: Sequence[str | os.PathLike[str] | VehicleParameters],
    columns: int = 5,
    size: tuple[int, int] = (200, 150),
) -> NDArray[np.uint8]:
    """Return a page with a portrait of each vehicle and its name.

    Parameters
    ----------
    vehicles : sequence
        Vehicles as `portrait` takes them.
    columns : int
        How many are beside each other, at most.
    size : (int, int)
        Width and height of each portrait [pixels].
    """
    if columns < 1:
        raise ValueError(f"columns: expected a number from 1, got {columns}")
    found = [one if isinstance(one, VehicleParameters) else load(one) for one in vehicles]
    width, height = size_of(size)
    across, down = min(columns, len(found)), -(-len(found) // columns)
    page = np.full((down * height, across * width, 3), BACKGROUND[1], np.uint8)
    for i, one in enumerate(found):
        top, left = i // columns * height, i % columns * width
        tile = captioned(portrait(one, size), [Caption(6, 12, one.name)])
        page[top : top + height, left : left + width] = tile
    return page
