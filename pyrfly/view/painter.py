"""Pictures of a world, frame after frame, without a browser: `Painter`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.arrays import one_number
from pyrfly.errors import brief
from pyrfly.view.camera import Camera, Viewpoint
from pyrfly.view.captions import Caption, captioned
from pyrfly.view.fleet import LEAST, SUN, Fleet
from pyrfly.view.landscape import DEEP, HAZE, LEAST_HAZE, MURK, SKY, Landscape
from pyrfly.view.marks import COLOURS, TRAIL, Marks
from pyrfly.view.poses import origins, radii
from pyrfly.view.world import ARMED, BITS, Frame, Line, World

__all__ = ["Painter", "Shot", "size_of"]

Array = NDArray[np.float64]

LOST = [(bit, word) for word, bit in BITS.items() if bit != ARMED]
"""What is written beside vehicles with a bit of `Frame.flags`."""

ALARM = (190, 20, 20)

SMOOTHING = 0.8
"""Time constant of the movements of an overview [s]."""


class Shot(NamedTuple):
    """A picture with what it shows.

    Attributes
    ----------
    colours : ndarray of uint8, shape (height, width, 3)
        Red, green and blue.
    distances : ndarray of float32, shape (height, width)
        Distance ahead of the eye [m]; infinite: nothing.
    ids : ndarray of int32, shape (height, width)
        CopterIDs; -1: no vehicle.
    view : Viewpoint
        Where it was taken from.
    """

    colours: NDArray[np.uint8]
    distances: NDArray[np.float32]
    ids: NDArray[np.int32]
    view: Viewpoint


class Painter:
    """Draws frames of a world.

    Parameters
    ----------
    world : World
        What does not change.
    size : (int, int)
        Width and height of the pictures [pixels].
    camera : str or Camera
        Where they are taken from: ``overview``, ``follow:ID``, ``nose:ID``, or a `Camera`.
    trail : float
        How long the way behind vehicles is seen [s]; 0: it is not.
    labels : str, optional
        What is written beside vehicles: ``'ids'``, ``'names'`` or ``''``; by default CopterIDs of
        several vehicles, up to 30.
    least : float
        Radius that a vehicle has at least [pixels]: smaller ones are enlarged.
    samples : int
        2: edges are smooth; 1: they are not, which takes a third of the time.
    step : float
        Time from picture to picture [s], by which rotors have turned before the first one.

    Raises
    ------
    ValueError
        An argument is out of range.
    """

    def __init__(
        self,
        world: World,
        size: tuple[int, int] = (640, 480),
        camera: str | Camera = "overview",
        *,
        trail: float = TRAIL,
        labels: str | None = None,
        least: float = LEAST,
        samples: int = 2,
        step: float = 0.0,
    ) -> None:
        self.world, self.size = world, size_of(size)
        self.camera = Camera.of(camera)
        if labels not in (None, "", "ids", "names"):
            raise ValueError(f"labels: expected ids, names or nothing, got {brief(labels)}")
        for name, value, unit in (("trail", trail, "s"), ("least", least, "pixels")):
            if one_number(name, value, unit) < 0:
                raise ValueError(f"{name}: expected a number of at least 0 [{unit}], got {value}")
        self._labels = ("ids" if 1 < world.count <= 30 else "") if labels is None else labels
        self._samples, self._least = samples, least
        width, height = self.size
        self._kept = np.empty((samples * width * samples * height, 3), np.uint32)
        self._landscape, self._fleet = Landscape(world), Fleet(world, least, step)
        self._marks = Marks(world, trail)
        self._view: Viewpoint | None = None
        self._time = np.inf

    def remember(self, frame: Frame) -> None:
        """Let a frame be a part of the trails of later ones."""
        self._marks.remember(frame)

    def draw(self, frame: Frame, lines: Sequence[Line] = ()) -> NDArray[np.uint8]:
        """Return the picture of a frame, with labels, shape (height, width, 3).

        Parameters
        ----------
        frame : Frame
            Where the vehicles are.
        lines : sequence of Line
            Lines of this picture alone.
        """
        shot = self.shoot(frame, lines)
        return captioned(
            shot.colours, [*self._corners(frame, shot.view), *self._names(frame, shot)]
        )

    def shoot(self, frame: Frame, lines: Sequence[Line] = ()) -> Shot:
        """Return the picture of `draw` without labels, and what its pixels show."""
        self._marks.remember(frame)
        view = self._looked(frame)
        focal = view.focal(self.size)
        fleet = self._fleet.layers(frame, view, focal, self._landscape.height(frame.pos))
        layers = [
            *self._landscape.below(),
            *fleet.shadows,
            *fleet.bodies,
            *self._marks.layers(frame, lines),
            *self._landscape.above(view.eye),
            *self._landscape.grid(view),
            *fleet.discs,
        ]
        camera = np.concatenate([view.axes, view.eye[None]])
        sky, haze = SKY, max(HAZE * view.distance, LEAST_HAZE)
        if self._landscape.is_under_water(view.eye):
            sky, haze = DEEP, MURK
        look = self.size, self._samples, camera, focal, SUN, sky, haze
        drawn = _core.render(*look, tuple(layers), self._kept)
        return Shot(*drawn, view)

    def _looked(self, frame: Frame) -> Viewpoint:
        """Return where the frame is seen from, an overview without jerks."""
        passed = frame.time - self._time
        share = 1.0 - float(np.exp(-max(passed, 0.0) / SMOOTHING))
        before = self._view if passed > 0 else None
        aspect = self.size[0] / self.size[1]
        self._view = self.camera.view(self.world, frame, aspect, before, share)
        self._time = frame.time
        return self._view

    def _corners(self, frame: Frame, view: Viewpoint) -> Iterator[Caption]:
        """Yield the time, and the cells of the grid."""
        width, height = self.size
        yield Caption(8, height - 8, f"{frame.time:.1f} s", anchor="ld")
        cell = self._landscape.cell(view)
        yield Caption(width - 8, height - 8, f"grid {cell:g} m", anchor="rd")

    def _names(self, frame: Frame, shot: Shot) -> Iterator[Caption]:
        """Yield what is written beside vehicles that are seen: of those that are lost, always."""
        lost = [next((text for bit, text in LOST if bits & bit), "") for bits in frame.flags]
        if not self._labels and not any(lost):
            return
        spots = shot.view.project(origins(self.world, frame), self.size)
        sizes = shot.view.focal(self.size) * radii(self.world) / spots[:, 2]
        sizes = np.maximum(sizes, self._least)
        groups = self.world.groups
        ids = [int(number) for group in groups for number in group.ids]
        names = [group.name for group in groups for _ in group.ids]
        labels = {"names": names, "ids": [str(number) for number in ids]}
        texts = labels.get(self._labels, [""] * len(ids))
        seen = {*np.unique(shot.ids[shot.ids >= 0]).tolist()}
        for k, (x, y, _) in enumerate(spots.tolist()):
            if ids[k] in seen and 0 <= x < self.size[0] and 0 <= y < self.size[1]:
                beside = x + min(0.7 * max(float(sizes[k]), 8.0), 60.0)
                red, green, blue = COLOURS[k % len(COLOURS)]
                dark = int(0.7 * red), int(0.7 * green), int(0.7 * blue)
                if text := f"{texts[k]} {lost[k]}".strip():
                    yield Caption(beside, y, text, ALARM if lost[k] else dark)


def size_of(size: tuple[int, int]) -> tuple[int, int]:
    """Return the checked size of a picture [pixels]."""
    try:
        width, height = size
        whole = int(width), int(height)
        fits = whole == (width, height) and all(16 <= side <= 4096 for side in whole)
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise ValueError(f"size: expected width and height, 16 to 4096 pixels, got {brief(size)}")
    return whole
