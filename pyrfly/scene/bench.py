"""How fast rays are: ``pyrfly bench scene``, beside Embree where embreex is installed."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.scene.scene import Scene
from pyrfly.scene.shapes import Box, Cylinder, Mesh, Shape

__all__ = ["SceneRow", "measure", "show"]

Array = NDArray[np.float64]
Cast = Callable[[Array, Array], Any]

SIZES = (64,)
FEWEST = 5
"""Measurements of a row, however long one takes."""

SECTIONS = 32
"""Sides of the prisms that are cylinders of Embree."""


class SceneRow(NamedTuple):
    """One measurement of rays from n places."""

    benchmark: str
    scene: str
    rays: str
    """Of each place: a lidar's, a ring's, or a single one to a random direction."""
    simd: str
    threads: int
    n: int
    rays_of_call: int
    rays_per_s: float
    """The best of several calls."""
    embree: float | None
    """Rays per second of trimesh's `intersects_first` with Embree, in turns with ours; of one
    thread alone."""


def _solids(count: int, rng: np.random.Generator) -> Scene:
    """Return boxes and cylinders, as many of both, on a square of 100 m."""
    shapes: list[Shape] = []
    for i in range(count):
        place = (*rng.uniform(-50, 50, 2), rng.uniform(-5, 0))
        if i % 2:
            shapes.append(Cylinder(rng.uniform(0.2, 1), rng.uniform(3, 12), place))
        else:
            shapes.append(Box(rng.uniform(1, 6, 3).tolist(), place, (0, 0, rng.uniform(0, 6))))
    return Scene(shapes)


def _relief(rng: np.random.Generator) -> Scene:
    """Return 100,352 triangles of hills on a square of 100 m."""
    side = np.linspace(-50, 50, 225)
    north, east = np.meshgrid(side, side, indexing="ij")
    down = 3 * np.sin(north / 5) * np.cos(east / 7) + rng.uniform(0, 0.1, north.shape)
    number = np.arange(225 * 225).reshape(225, 225)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    triangles = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    return Scene([Mesh(np.stack([north, east, down], -1).reshape(-1, 3), triangles)])


def _ways(turns: int, rises: Sequence[float]) -> Array:
    turn = np.linspace(0, 2 * np.pi, turns, endpoint=False)
    rings = [
        np.stack([np.cos(turn) * np.cos(r), np.sin(turn) * np.cos(r), turn * 0 - np.sin(r)], -1)
        for r in rises
    ]
    return np.concatenate(rings)


SCENES: dict[str, Callable[[np.random.Generator], Scene]] = {
    "20 solids": lambda rng: _solids(20, rng),
    "200 solids": lambda rng: _solids(200, rng),
    "100k triangles": _relief,
}

LIDAR = _ways(720, np.radians(np.linspace(-20, 10, 8)).tolist())
RING = _ways(72, [0.0])
"""What MAVLink's OBSTACLE_DISTANCE holds."""

RAYS = ("lidar", "ring", "random")


def _rays(name: str, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return origins and directions that broadcast to at least 50,000 rays."""
    ways = {"lidar": LIDAR, "ring": RING}.get(name)
    each = 1 if ways is None else len(ways)
    places = rng.uniform((-50, -50, -8), (50, 50, -4), (max(n, -(-50_000 // each)), 3))
    if ways is None:
        return places, rng.normal(size=places.shape)
    return places[:, None], ways


def _embree(scene: Scene) -> Cast | None:
    """Return trimesh's `intersects_first` for the same shapes, or None without Embree."""
    try:
        trimesh: Any = import_module("trimesh")
        with_embree: Any = import_module("trimesh.ray.ray_pyembree")
    except ImportError:
        return None
    parts = []
    for shape in scene.shapes:
        position, quaternion = shape.pose
        place = trimesh.transformations.quaternion_matrix(quaternion)
        place[:3, 3] = position
        if isinstance(shape, Box):
            parts.append(trimesh.creation.box(extents=shape.size, transform=place))
        elif isinstance(shape, Cylinder):
            size = {"radius": shape.radius, "height": shape.height, "sections": SECTIONS}
            parts.append(trimesh.creation.cylinder(**size, transform=place))
    corners = scene.arrays.triangles
    if len(corners):
        faces = np.arange(3 * len(corners)).reshape(-1, 3)
        parts.append(trimesh.Trimesh(corners.reshape(-1, 3), faces, process=False))
    mesh = trimesh.util.concatenate(parts)
    cast: Cast = with_embree.RayMeshIntersector(mesh).intersects_first
    return cast


def _timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _best(calls: Sequence[Callable[[], object]], seconds: float) -> list[float]:
    """Return the shortest time of each call [s], measured in turns."""
    for call in calls:
        call()
    end = time.perf_counter() + seconds
    times = [[_timed(call) for call in calls]]
    while len(times) < FEWEST or time.perf_counter() < end:
        times.append([_timed(call) for call in calls])
    return [min(column) for column in zip(*times, strict=True)]


def _row(
    scene: Scene, embree: Cast | None, rays: tuple[Array, Array], most: int, seconds: float
) -> tuple[int, float, float | None]:
    """Return the number of rays, and those per second: ours, and Embree's where it takes part."""
    rows = [np.ascontiguousarray(v).reshape(-1, 3) for v in np.broadcast_arrays(*rays)]
    count = len(rows[0])
    calls: list[Callable[[], object]] = [lambda: scene.raycast(*rays, threads=most)]
    if embree is not None and most == 1:
        calls.append(lambda: embree(*rows))
    rates = [count / t for t in _best(calls, seconds)]
    return count, rates[0], rates[1] if len(rates) > 1 else None


def measure(sizes: Sequence[int], threads: Sequence[int], seconds: float) -> Iterator[SceneRow]:
    """Measure rays from as many places as ``sizes`` tell."""
    simd = _core.simd_info()["simd"]
    for name, make in SCENES.items():
        scene = make(np.random.default_rng(1))
        embree = _embree(scene)
        for pattern, n, most in itertools.product(RAYS, sizes, threads):
            rays = _rays(pattern, n, np.random.default_rng(2))
            rates = _row(scene, embree, rays, most, seconds)
            yield SceneRow("scene", name, pattern, simd, most, n, *rates)


def show(rows: Iterator[SceneRow]) -> None:
    """Print a table of rows."""
    titles = f"{'scene':16}{'of each':8}{'simd':8}{'threads':>7}"
    print(titles + f"{'rays':>10}{'M rays/s':>10}{'/ Embree':>10}")
    for row in rows:
        ratio = "" if row.embree is None else f"{row.rays_per_s / row.embree:.1f}"
        print(
            f"{row.scene:16}{row.rays:8}{row.simd:8}{row.threads:>7}{row.rays_of_call:>10}"
            f"{row.rays_per_s / 1e6:>10.1f}{ratio:>10}",
            flush=True,
        )
