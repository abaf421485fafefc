"""What stands around the vehicles of a simulation, and rays: `SimScene`."""

from __future__ import annotations

import math
import os
from enum import IntEnum
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.arrays import finite_array, numeric_array, true_or_false
from pyrfly.errors import brief
from pyrfly.scene import Scene, read_scene
from pyrfly.scene.rays import MAXIMUM_RAYS, Rays
from pyrfly.sim.collisions import forget_shapes
from pyrfly.sim.hulls import seen_hulls
from pyrfly.sim.interface import PartInterface
from pyrfly.sim.lidar import Lidar, Scan, turned
from pyrfly.sim.selection import Selection
from pyrfly.vehicles.commands import Ids

__all__ = ["Seen", "Sights", "SimScene"]

Array = NDArray[np.float64]
_Around: TypeAlias = "tuple[_core.Scene | None, _core.Movers | None]"
_Ground: TypeAlias = "tuple[_core.Relief | None, Array]"

_RAYS_AT_ONCE = 1 << 20  # of a scan, which bounds its memory


class Seen(IntEnum):
    """What a ray meets, in the order of the core."""

    NOTHING = 0
    SHAPE = 1
    GROUND = 2
    VEHICLE = 3


class Sights(NamedTuple):
    """What rays meet, with the common shape of origins and directions.

    Attributes
    ----------
    distance : ndarray of float32
        To the first surface [m]; infinite where none is within reach.
    kind : ndarray of uint8
        What has it, a `Seen`.
    number : ndarray of int32
        Number of the shape in ``sim.scene.current.shapes``, the CopterID of a vehicle; -1 of the
        ground and of nothing.
    """

    distance: NDArray[np.float32]
    kind: NDArray[np.uint8]
    number: NDArray[np.int32]


class SimScene(PartInterface):
    """What stands around the vehicles, and rays: `Sim.scene`.

    Examples
    --------
    >>> import pyrfly
    >>> from pyrfly.scene import Box, Scene
    >>> sim = pyrfly.Sim("x450", 2)
    >>> sim.scene.set(Scene([Box((2, 2, 6), (10, 0, -3), name="house")]))
    >>> sim.reset(pos=[[0, 0, -2], [0, 5, -4]])
    >>> ways = [[1, 0, 0], [0, 0, 1]]
    >>> sights = sim.scene.raycast(sim.pos[:, None], ways, ignore=[[1], [2]])
    >>> sights.distance.tolist()
    [[9.0, 2.0], [inf, 4.0]]
    """

    @property
    def current(self) -> Scene | None:
        """The scene that was `set`."""
        return self._access.scene()

    @property
    def enabled(self) -> bool:
        """Whether there is a scene."""
        return self.current is not None

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.current or 'nothing'}>"

    def set(self, scene: Scene | str | os.PathLike[str] | None) -> None:
        """Put a scene around the vehicles, in place of the one that is there.

        A reset keeps it, copies of the `Sim` share it.

        Parameters
        ----------
        scene : Scene, str, path-like or None
            The scene, or its file, which `pyrfly.scene.read_scene` reads; None: nothing.

        Raises
        ------
        SceneError
            The file is missing or invalid.
        TypeError
            ``scene`` is none of these.
        """
        if isinstance(scene, (str, os.PathLike)):
            scene = read_scene(scene)
        if not (scene is None or isinstance(scene, Scene)):
            raise TypeError(
                f"scene: expected a Scene, the path of its file or None, got {brief(scene)}"
            )
        if scene is not None:
            _ = scene.core  # made here, where it may fail
        found = scene

        def write() -> None:
            if _checksum(found) != _checksum(self.current):
                forget_shapes(self._select(None))
            self._access.use_scene(found)

        self._change(write)

    def let_range_see(self, on: bool = True, ids: Ids = None) -> None:
        """Let range finders see the scene and the slopes of the terrain map, or not.

        At first they measure the height above ``terrain`` over the cosine of the tilt. Then it is
        the ray along the vehicle's down axis from its centre of mass, which ends at the scene or
        the ground, at each of their samples. They do not see vehicles.

        Parameters
        ----------
        on : bool
            Whether they do: the column ``range_sees``, which a reset keeps.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Examples
        --------
        >>> import pyrfly
        >>> from pyrfly.scene import Box, Scene
        >>> sim = pyrfly.Sim("x450", 2)
        >>> sim.sensors.enable("range", profile="ideal")
        >>> sim.scene.set(Scene([Box((8, 8, 3), (0, 0, -1.5), name="house")]))
        >>> sim.scene.let_range_see(ids=1)
        >>> sim.reset(pos=[[0, 0, -10], [0, 2, -10]], hover=True)
        >>> sim.step()
        >>> sim.range_distance.round(2).tolist()
        [7.0, 10.0]
        """
        sees, chosen = true_or_false("on", on), self._distinct(ids)

        def write() -> None:
            chosen.write("range_sees", int(sees))
            self._access.show_relief()

        self._change(write, "sight")

    def raycast(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        reach: float = np.inf,
        terrain: bool | ArrayLike = True,
        vehicles: bool = True,
        ignore: ArrayLike = 0,
        threads: int = _core.threads,
    ) -> Sights:
        """Return the first surfaces that rays meet, of scene, ground and vehicles.

        Surfaces count from both sides. The ground is the `TerrainMap` of the `Sim`, to 1 um, and
        also where no vehicle is on it; without one it is level. What the scene has is computed as
        by `Scene.raycast`. The same bits on all processors, for any number of rays and threads.

        Parameters
        ----------
        origins : array_like, shape (..., 3)
            Where rays begin [m, NED].
        directions : array_like, shape (..., 3)
            Where they go, NED, of any length from 1e-9 to 1e9. The shapes broadcast: origins
            (n, 1, 3) and directions (k, 3) are k rays of each origin.
        reach : float
            Distance up to which surfaces are met [m].
        terrain : bool or array_like
            Whether there is ground; or the z of level ground [m, NED], in place of any map, for
            all origins or for each. By default, without a map, that of the vehicles' ``terrain``.
        vehicles : bool
            Whether rays meet vehicles: the shapes of their hulls (docs/collisions.md).
        ignore : array_like of int
            CopterID of a vehicle that is not met, for all origins or for each; 0: none. What looks
            out of a vehicle gives its own.
        threads : int
            Maximum number of threads.

        Raises
        ------
        ValueError, TypeError
            A number is non-finite, a direction has no length, the shapes do not broadcast; or the
            vehicles have different ground, and ``terrain`` is True.
        """
        rays = Rays(origins, directions, reach, threads)
        around = self._around(true_or_false("vehicles", vehicles))
        return _cast(rays, around, self._ground(terrain), _ids(ignore))

    def scan(self, lidar: Lidar, ids: Ids = None, *, threads: int = _core.threads) -> Scan:
        """Return what lidars of vehicles measure now; they do not see their own vehicle.

        A lidar is not part of the vehicles: call this when it is to measure, from a listener
        (`Sim.add_listener`) for one with a rate. The ground is the map, or level at the ``terrain``
        of each vehicle. Noise depends on the seed and the number of a vehicle and on the time.

        Parameters
        ----------
        lidar : Lidar
            The lidar, the same one on all of the vehicles.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        threads : int
            Maximum number of threads.

        Raises
        ------
        TypeError, ValueError
            ``lidar`` is none, or there is no such vehicle.

        Examples
        --------
        >>> import pyrfly
        >>> sim = pyrfly.Sim("x450")
        >>> sim.reset(pos=[0, 0, -3])
        >>> scan = sim.scene.scan(Lidar([[0, 0, 1], [1, 0, 1], [1, 0, 0]], position=(0, 0, 0.1)))
        >>> scan.distance.round(2).tolist()
        [[2.9000000953674316, 4.099999904632568, inf]]
        """
        if not isinstance(lidar, Lidar):
            raise TypeError(f"lidar: expected a Lidar, got {brief(lidar)}")
        chosen = self._select(ids)
        rays = math.prod(lidar.shape)
        if len(chosen) * rays > MAXIMUM_RAYS:
            raise ValueError(
                f"ids: expected up to {MAXIMUM_RAYS // rays} vehicles with {rays} rays each, "
                f"got {len(chosen)}"
            )
        positions, attitudes = _centres(chosen), np.asarray(chosen.read("att"), np.float64)
        distance, kind, number = self._scanned(lidar, chosen, positions, attitudes, threads)
        time = self._access.time()
        measured = lidar.measured(distance, round(time / self._access.dt), _seeds(chosen))
        lost = np.isinf(measured)
        kind[lost], number[lost] = Seen.NOTHING, -1
        return Scan(lidar, time, measured, kind, number, positions, attitudes)

    def _scanned(
        self, lidar: Lidar, chosen: Selection, positions: Array, attitudes: Array, threads: int
    ) -> Sights:
        """Return what the rays of lidars meet, shape (k, *lidar.shape): some vehicles at a time."""
        ways = turned(lidar.attitude, lidar.directions.reshape(-1, 3))
        around, reach = self._around(True), lidar.maximum + 4 * lidar.noise
        origins = (positions + turned(attitudes, lidar.position))[:, None]
        levels, ids = chosen.read("terrain")[:, None], chosen.read("random_vehicle")[:, None]
        terrain_map = self._access.terrain_map()
        relief = None if terrain_map is None else terrain_map.relief
        each = max(1, _RAYS_AT_ONCE // len(ways))
        sights = [
            _cast(
                Rays(origins[rows], turned(attitudes[rows, None], ways), reach, threads),
                around,
                (relief, np.asarray(levels[rows], np.float64)),
                np.asarray(ids[rows], np.int32),
            )
            for rows in (slice(k, k + each) for k in range(0, len(chosen), each))
        ]
        shape = (len(chosen), *lidar.shape)
        fields = zip(*sights, strict=True)
        return Sights(*(np.concatenate(some).reshape(shape) for some in fields))

    def _around(self, vehicles: bool) -> _Around:
        """Return the scene and the vehicles as they are now."""
        scene = self.current
        return None if scene is None else scene.core, self._movers() if vehicles else None

    def _ground(self, terrain: bool | ArrayLike) -> _Ground:
        """Return the map of the ground, if it has one, and z of level ground, NaN for none."""
        none = np.full((), np.nan)
        if isinstance(terrain, (bool, np.bool_)):
            if not terrain:
                return None, none
            terrain_map = self._access.terrain_map()
            return (None, self._level()) if terrain_map is None else (terrain_map.relief, none)
        return None, finite_array("terrain", terrain, "m, NED")

    def _movers(self) -> _core.Movers:
        """Return the vehicles as rays see them, where they are now."""
        everything = self._select(None)
        numbers = np.empty(len(everything), np.int32)
        counts, shapes = np.empty(0, np.intp), np.empty((0, 7))
        for group, _, indices in everything:
            seen = seen_hulls(group)
            numbers[indices] = len(counts) + seen.number
            counts = np.concatenate([counts, seen.counts])
            shapes = np.concatenate([shapes, seen.shapes])
        firsts = np.cumsum([0, *counts], dtype=np.int32)
        attitudes = np.ascontiguousarray(everything.read("att"), np.float64)
        ids = np.arange(1, len(everything) + 1, dtype=np.int32)
        return _centres(everything), attitudes, numbers, ids, firsts, shapes

    def _level(self) -> NDArray[np.float64]:
        """Return z of the level ground of all vehicles."""
        levels = np.unique(self._select(None).read("terrain"))
        if len(levels) > 1:
            raise ValueError(
                "terrain: expected z of the level ground at each origin, as the vehicles have "
                f"different ground, {levels[0]:g} to {levels[-1]:g} m; got True"
            )
        return np.asarray(levels[0] if len(levels) else 0.0, np.float64)


def _centres(chosen: Selection) -> Array:
    """Return where the axes of vehicles begin [m, NED], shape (k, 3): at ``pos``, or above."""
    places = chosen.read("pos").astype(np.float64)
    for group, rows, indices in chosen:
        places[indices, 2] -= group.rise[rows]
    return places


def _checksum(scene: Scene | None) -> int:
    return 0 if scene is None else scene.checksum


def _cast(rays: Rays, around: _Around, ground: _Ground, ignored: NDArray[np.int32]) -> Sights:
    """Return what rays meet of a scene, vehicles but the ignored ones, and the ground."""
    (scene, movers), (relief, levels), shape = around, ground, rays.shape
    distances, kinds, numbers = _core.sight(
        scene,
        relief,
        rays.per_origin("terrain", levels),
        movers,
        rays.per_origin("ignore", ignored),
        rays.starts,
        rays.ways,
        rays.each,
        rays.reach,
        rays.threads,
    )
    return Sights(rays.checked(distances), kinds.reshape(shape), numbers.reshape(shape))


def _ids(ignore: ArrayLike) -> NDArray[np.int32]:
    """Return CopterIDs that are ignored."""
    ids = numeric_array("ignore", ignore, "CopterID", "iu")
    if ids.size and not (ids.min() >= 0 and ids.max() <= np.iinfo(np.int32).max):
        raise ValueError(f"ignore: expected CopterIDs, or 0 for none, got {brief(ignore)}")
    return np.asarray(ids, np.int32)


def _seeds(chosen: Selection) -> list[tuple[int, int]]:
    """Return seed and number of each vehicle, of which its random numbers are made."""
    low, high = np.asarray(chosen.read("random_seed"), np.uint64).T
    seeds = (low | high << np.uint64(32)).tolist()
    return list(zip(seeds, chosen.read("random_vehicle").tolist(), strict=True))
