"""Scenes to begin with: `forest`, `city`, `gate`, `wall` and `room`.

Their sizes are estimated. The same arguments make the same scene.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyrfly import exact
from pyrfly.arrays import finite_array, true_or_false
from pyrfly.errors import SceneError, brief
from pyrfly.frames import quaternion_of_euler
from pyrfly.scene.scene import MAXIMUM_SHAPES, Scene
from pyrfly.scene.shapes import Box, Cylinder, Sphere
from pyrfly.terrain import TerrainMap

__all__ = ["city", "forest", "gate", "room", "wall"]

Pair = tuple[float, float]

_TRIES = 100  # of a tree: places drawn until one is free
_PACKED = 0.866  # area of a tree in the densest grid, of triangles, per square of the distance


def forest(
    count: int,
    area: ArrayLike,
    seed: int = 0,
    *,
    distance: float = 2.0,
    clear: float = 0.0,
    radius: ArrayLike = (0.1, 0.3),
    height: ArrayLike = (6.0, 15.0),
    terrain: TerrainMap | None = None,
) -> Scene:
    """Return a scene of trees: trunks, each with a crown, a sphere at its top.

    Parameters
    ----------
    count : int
        Number of trees, 1 to 500,000.
    area : (float, float)
        Extent north and east [m], about the origin.
    seed : int
        Of the places and sizes.
    distance : float
        Least distance of two axes [m].
    clear : float
        Radius about the origin without a trunk [m].
    radius, height : (float, float)
        Least and greatest radius of a trunk, and height of it [m]; the radius of a crown is a fifth
        of the height.
    terrain : TerrainMap, optional
        The ground; without it, it is at z = 0.

    Raises
    ------
    SceneError
        An argument is out of range, or there is no room for so many trees.
    """
    number = _count("count", count, MAXIMUM_SHAPES // 2)
    extent, radii, heights = _pair("area", area), _pair("radius", radius), _pair("height", height)
    least, free = _number("distance", distance), _number("clear", clear, 0.0)
    random = np.random.default_rng(seed)
    places = np.array(_scattered(random, number, extent, least, free))
    sizes = random.uniform((radii[0], heights[0]), (radii[1], heights[1]), (number, 2))
    ground = np.zeros(number) if terrain is None else -terrain.height(*places.T)
    return Scene(
        shape
        for (north, east), (r, h), z in zip(
            places.tolist(), sizes.tolist(), ground.tolist(), strict=True
        )
        for shape in (
            Cylinder(r, h, (north, east, z - h / 2), name="trunk"),
            Sphere(0.2 * h, (north, east, z - h), name="crown"),
        )
    )


def _scattered(
    random: np.random.Generator, count: int, area: Pair, distance: float, clear: float
) -> list[Pair]:
    """Return random places, no two of them nearer than a distance, none near the origin.

    A grid with cells of the distance tells which others may be near.
    """
    cells: dict[tuple[int, int], list[Pair]] = {}
    found: list[Pair] = []
    if count * _PACKED * distance**2 > (area[0] + distance) * (area[1] + distance):
        raise _no_room(count, area, distance)
    for draws in range(_TRIES * count):
        if draws % 1024 == 0:
            drawn = random.uniform(-0.5, 0.5, (1024, 2)).tolist()
        x, y = (side * part for side, part in zip(area, drawn[draws % 1024], strict=True))
        row, column = math.floor(x / distance), math.floor(y / distance)
        around = ((row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        near = (other for cell in around for other in cells.get(cell, ()))
        if math.hypot(x, y) < clear or any(math.dist((x, y), at) < distance for at in near):
            continue
        cells.setdefault((row, column), []).append((x, y))
        found.append((x, y))
        if len(found) == count:
            return found
    raise _no_room(count, area, distance)


def _no_room(count: int, area: Pair, distance: float) -> SceneError:
    return SceneError(
        f"count: expected as many trees as have room {distance:g} m apart on {area[0]:g} x "
        f"{area[1]:g} m, got {count}"
    )


def city(
    blocks: Sequence[int] = (5, 5),
    seed: int = 0,
    *,
    side: float = 30.0,
    street: float = 15.0,
    height: ArrayLike = (10.0, 60.0),
) -> Scene:
    """Return a scene of houses: boxes of random heights in rows, about the origin, on z = 0.

    Parameters
    ----------
    blocks : (int, int)
        Numbers of houses to the north and to the east, up to 1000 each. The origin is in a house
        where both are odd, at a crossing where both are even.
    seed : int
        Of the heights.
    side, street : float
        Side of a house, and width of a street [m].
    height : (float, float)
        Least and greatest height of a house [m].

    Raises
    ------
    SceneError
        An argument is out of range.
    """
    if not isinstance(blocks, Sequence) or len(blocks) != 2:
        raise SceneError(f"blocks: expected 2 whole numbers, got {brief(blocks)}")
    rows, columns = (_count("blocks", number, math.isqrt(MAXIMUM_SHAPES)) for number in blocks)
    length, low_high = _number("side", side), _pair("height", height)
    step = length + _number("street", street, 0.0)
    heights = np.random.default_rng(seed).uniform(*low_high, (rows, columns)).tolist()
    return Scene(
        Box(
            (length, length, heights[i][j]),
            ((i - (rows - 1) / 2) * step, (j - (columns - 1) / 2) * step, -heights[i][j] / 2),
            name="house",
        )
        for i in range(rows)
        for j in range(columns)
    )


def gate(
    position: ArrayLike,
    yaw: float = 0.0,
    *,
    opening: float = 1.5,
    thickness: float = 0.1,
    sides: int = 4,
    name: str = "gate",
) -> Scene:
    """Return the frame of a gate, as of a race: a regular polygon of boxes.

    Parameters
    ----------
    position : (float, float, float)
        Middle of the opening [m, NED].
    yaw : float
        Direction in which one flies through [rad].
    opening : float
        Width of the opening, between two opposite sides [m].
    thickness : float
        Of the frame, outwards and along [m].
    sides : int
        Number of sides, 3 to 64: 4 is a square that stands on one.
    name : str
        Of all sides, which tells gates of a course apart.

    Raises
    ------
    SceneError
        An argument is out of range.
    """
    number = _count("sides", sides, 64, 3)
    width, thick = _number("opening", opening), _number("thickness", thickness)
    angles = 2 * np.pi / number * np.arange(number)
    sine, cosine = exact.sincos(angles)
    half_sine, half_cosine = (float(value) for value in exact.sincos(math.pi / number))
    middle = width / 2 + thick / 2
    size = (thick, (width + 2 * thick) * half_sine / half_cosine, thick)
    none = np.zeros(number)
    centers = np.stack([none, -middle * sine, middle * cosine], axis=-1)
    attitudes = quaternion_of_euler(np.stack([angles, none, none], axis=-1))
    frame = Scene(
        Box(size, center, attitude, name=name)
        for center, attitude in zip(centers, attitudes, strict=True)
    )
    return frame.moved(position, (0.0, 0.0, yaw))


def wall(
    start: ArrayLike, end: ArrayLike, height: float = 2.5, *, thickness: float = 0.2, z: float = 0.0
) -> Scene:
    """Return a straight wall.

    Parameters
    ----------
    start, end : (float, float)
        North and east of its ends [m].
    height, thickness : float
        Its size [m].
    z : float
        Its foot [m, NED].

    Raises
    ------
    SceneError
        An argument is out of range.
    """
    (north, east), (to_north, to_east) = _pair("start", start, None), _pair("end", end, None)
    length = math.hypot(to_north - north, to_east - east)
    foot = float(_numbers("z", z, ()))
    yaw = float(exact.arctan2(to_east - east, to_north - north))
    size = (length, thickness, height)
    center = ((north + to_north) / 2, (east + to_east) / 2, foot - height / 2)
    return Scene([Box(size, center, (0.0, 0.0, yaw), name="wall")])


def room(
    size: Sequence[float],
    position: ArrayLike = (0, 0, 0),
    *,
    thickness: float = 0.2,
    ceiling: bool = True,
) -> Scene:
    """Return four walls, and a ceiling, around a room that stands on the ground.

    Parameters
    ----------
    size : (float, float, float)
        Inner length north and east, and height [m].
    position : (float, float, float)
        Middle of the floor [m, NED].
    thickness : float
        Of the walls and of the ceiling, outwards [m].
    ceiling : bool
        Whether there is one; there is no floor.

    Raises
    ------
    SceneError
        An argument is out of range.
    """
    length, width, height = Box(size).size
    thick = _number("thickness", thickness)
    north, east = (length + thick) / 2, (width + thick) / 2
    walls = [
        Box((thick, width + 2 * thick, height), (side * north, 0, -height / 2), name="wall")
        for side in (1, -1)
    ]
    walls += [
        Box((length, thick, height), (0, side * east, -height / 2), name="wall") for side in (1, -1)
    ]
    top = (0, 0, -height - thick / 2)
    above = [Box((length + 2 * thick, width + 2 * thick, thick), top, name="ceiling")]
    return Scene(walls + above * true_or_false("ceiling", ceiling)).moved(position)


def _numbers(name: str, value: Any, shape: tuple[int, ...]) -> Any:
    try:
        array = finite_array(name, value, "m")
    except (TypeError, ValueError) as error:
        raise SceneError(str(error)) from None
    if array.shape != shape:
        what = f"{shape[0]} numbers" if shape else "a number"
        raise SceneError(f"{name}: expected {what} [m], got {brief(value)}")
    return array


def _number(name: str, value: Any, minimum: float = 1e-3) -> float:
    number = float(_numbers(name, value, ()))
    if number < minimum:
        raise SceneError(f"{name}: expected at least {minimum:g} m, got {brief(value)}")
    return number


def _pair(name: str, value: Any, minimum: float | None = 1e-3) -> Pair:
    first, second = _numbers(name, value, (2,)).tolist()
    if minimum is not None and min(first, second) < minimum:
        raise SceneError(f"{name}: expected at least {minimum:g} m, got {brief(value)}")
    return first, second


def _count(name: str, value: Any, most: int, least: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise SceneError(f"{name}: expected a whole number, got {brief(value)}")
    if not least <= value <= most:
        raise SceneError(f"{name}: expected {least} to {most}, got {brief(value)}")
    return int(value)
