"""Ground, water and grid as layers of pictures: `Landscape`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.view.camera import Viewpoint
from pyrfly.view.layers import Colour, Layer, line_layer, mesh_layer, water_layer
from pyrfly.view.world import Ground, Mesh, World

__all__ = [
    *("CLEAR", "DEEP", "HAZE", "HEIGHTS", "LEAST_HAZE", "MURK", "SHADES", "SKY"),
    *("Landscape", "relief"),
]

Array = NDArray[np.float64]

SKY = np.array([(104, 156, 214), (223, 232, 240)], np.uint8)
"""Colours of zenith and horizon."""

DEEP = np.array([(92, 156, 190), (38, 92, 132)], np.uint8)
"""The same under water."""

HAZE = 12.0
"""Distance at which a fourth of a colour is that of the horizon, over that of what is looked at."""

LEAST_HAZE = 250.0
"""The least such distance [m]."""

CLEAR = 25.0
"""Way through water that leaves a fourth of a colour [m]."""

MURK = 40.0
"""Distance at which a fourth of a colour is that of the water [m]."""

PLAIN: Colour = (168, 182, 150)
SEA: Colour = (31, 84, 122)
SURFACE: Colour = (92, 153, 189)
SURFACE_OPACITY = (28, 180)
"""Of the surface, seen at right angles and along it."""

CEILING: Colour = (140, 199, 222)
CEILING_OPACITY = (140, 140)
"""Of the surface from below."""

FAR = 2e5
"""Half the side of ground that has no end [m]: its horizon is level from any height."""

HEIGHTS = (-30.0, -4.0, 0.0, 1.5, 12.0, 60.0, 200.0)
"""Heights above water [m], or above the lowest ground, with the colours below."""
SHADES = (
    *((96, 120, 128), (170, 168, 138), (214, 202, 160), (158, 172, 118)),
    *((128, 154, 100), (142, 138, 110), (186, 184, 180)),
)

CELLS, LARGE_CELLS = 16, 10
"""Cells of the grid from its middle to its edge, and of one ten times as large: far lines are short
dashes, which flicker."""

ON_WATER = 0.3
"""Opacity of lines of the grid on water, over that on ground, which is brighter."""

PIECES = 48
"""Pieces of a line of the grid, which fades towards its edge, and lies on the ground."""


class Landscape:
    """What is below vehicles.

    Parameters
    ----------
    world : World
        What is drawn.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._ground = world.ground
        self._below = []
        if world.ground is not None:
            self._below.append(mesh_layer(relief(world.ground, world.water, FAR)))
        elif world.water is None:
            self._below.append(mesh_layer(_plain()))
        if world.scene is not None:
            self._below.append(mesh_layer(world.scene))

    def below(self) -> list[Layer]:
        """Return ground and scene."""
        return self._below

    def above(self, eye: Array) -> list[Layer]:
        """Return the water, through which the ground is seen."""
        level = self._world.water
        if level is None:
            return []
        under = self.is_under_water(eye)
        surface, opacity = (CEILING, CEILING_OPACITY) if under else (SURFACE, SURFACE_OPACITY)
        return [water_layer(level, CLEAR, SEA, surface, *opacity)]

    def height(self, pos: ArrayLike) -> Array:
        """Return z of what is seen below positions, shape (n, 3), of the ground or the water."""
        north, east, _ = np.nan_to_num(np.asarray(pos, np.float64)).T
        z = np.zeros(len(north)) if self._ground is None else self._ground.level_at(north, east)
        return z if self._world.water is None else np.minimum(z, self._world.water)

    def is_under_water(self, eye: Array) -> bool:
        """Return whether an eye is in the water."""
        level = self._world.water
        return level is not None and bool(level < eye[2])

    def cell(self, view: Viewpoint) -> float:
        """Return the length of the cells of the grid [m]."""
        height = abs(float(self.height(view.eye[None])[0]) - float(view.eye[2]))
        return _round(max(view.distance, height) / 6)

    def grid(self, view: Viewpoint) -> list[Layer]:
        """Return lines of a grid around what is looked at, on ground and water."""
        cell, middle = self.cell(view), view.middle
        sizes = [(cell, CELLS, 90, 1.0), (10 * cell, LARGE_CELLS, 120, 1.5)]
        if self._ground is not None or self._world.water is not None:
            del sizes[1]  # long lines would not lie on it
        layers = []
        for length, cells, opacity, width in sizes:
            ends, share = _lines(middle, length, cells)
            ends[..., 2] = self.height(ends.reshape(-1, 3)).reshape(-1, 2)
            shade = np.empty((len(ends), 4))
            shade[:, :3] = 250
            wet = ends[:, 0, 2] == self._world.water
            shade[:, 3] = opacity * share * np.where(wet, ON_WATER, 1.0)
            layers.append(line_layer(ends, shade, width))
        return layers


def _round(length: float) -> float:
    """Return 1, 2 or 5 times a power of ten that is not above a length."""
    power = 10.0 ** np.floor(np.log10(max(length, 1e-3)))
    return float(max(step * power for step in (1, 2, 5) if step * power <= length * 1.0001))


def _lines(middle: Array, cell: float, cells: int) -> tuple[Array, Array]:
    """Return pieces of lines around a place, shape (m, 2, 3), and how well each is seen, 0 to 1."""
    along = np.linspace(-cells, cells, PIECES + 1) * cell
    across = np.arange(-cells, cells + 1) * cell
    start, end = np.meshgrid(across, along[:-1]), np.meshgrid(across, along[1:])
    zero = np.zeros(start[0].size)
    fixed, low, high = start[0].ravel(), start[1].ravel(), end[1].ravel()
    begin = np.round(np.nan_to_num(middle[:2]) / cell) * cell
    parts = []
    for order in ((0, 1), (1, 0)):
        pairs = [
            np.stack([(fixed, part)[order[0]], (fixed, part)[order[1]], zero], 1)
            for part in (low, high)
        ]
        parts.append(np.stack(pairs, 1) + np.array([begin[0], begin[1], 0.0]))
    far = np.hypot(fixed, (low + high) / 2) / (cells * cell)
    return np.concatenate(parts), np.tile(np.clip(1.0 - far, 0.0, 1.0), 2)


def _square(z: float, colour: Colour) -> Mesh:
    corners = np.array([[-FAR, -FAR, z], [-FAR, FAR, z], [FAR, FAR, z], [FAR, -FAR, z]], np.float32)
    triangles = np.array([[0, 1, 2], [0, 2, 3]], np.uint32)
    return Mesh(corners, triangles, np.tile(np.array(colour, np.uint8), (2, 1)))


def _plain() -> Mesh:
    return _square(0.0, PLAIN)


def _coordinates(ground: Ground) -> tuple[Array, Array]:
    rows, columns = ground.z.shape
    north = ground.first[0] + ground.spacing[0] * np.arange(rows)
    east = ground.first[1] + ground.spacing[1] * np.arange(columns)
    return np.asarray(north), np.asarray(east)


def relief(ground: Ground, water: float | None, far: float = 0.0) -> Mesh:
    """Return the triangles of a terrain; the heights of its edge go on to a distance, if given."""
    north, east = _coordinates(ground)
    z = ground.z.astype(np.float64)
    colours: NDArray[Any] = _shades(z, water) if ground.colours is None else ground.colours
    if far:
        north, east = (np.concatenate([[-far], axis, [far]]) for axis in (north, east))
        z, colours = np.pad(z, 1, "edge"), np.pad(colours, ((1, 1), (1, 1), (0, 0)), "edge")
    grid = np.broadcast_arrays(north[:, None], east, z)
    vertices = np.stack(grid, -1).reshape(-1, 3).astype(np.float32)
    columns = len(east)
    first = (np.arange(len(north) - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    a, b, c, d = first, first + 1, first + columns + 1, first + columns
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.uint32)
    mean = colours.reshape(-1, 3).astype(np.float64)[triangles].mean(axis=1)
    return Mesh(vertices, triangles, mean.astype(np.uint8))


def _shades(z: Array, water: float | None) -> Array:
    """Return colours of ground by its height."""
    base = float(z.max()) - HEIGHTS[3] if water is None else water
    height = base - z
    return np.stack(
        [np.interp(height, HEIGHTS, channel) for channel in zip(*SHADES, strict=True)], -1
    )
