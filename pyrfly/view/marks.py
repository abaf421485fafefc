"""Trails, set-points and lines as layers of pictures: `Marks`."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.view.layers import Layer, line_layer
from pyrfly.view.poses import origins, radii, raised
from pyrfly.view.world import Frame, Line, World

__all__ = ["COLOURS", "TRAIL", "Marks", "colours_of"]

Array = NDArray[np.float64]

# Colour-blind safe palette: M. Okabe, K. Ito, "Color Universal Design", 2008.
COLOURS = (
    *((213, 94, 0), (0, 114, 178), (204, 121, 167)),
    *((230, 159, 0), (0, 158, 115), (86, 180, 233)),
)
"""Colours of trails, set-points and labels, by row."""

TRAIL = 10.0
"""How long the way behind vehicles is seen, by default [s]."""

OPACITY = 230
FAINT = 90
LINE_OPACITY = 190

WIDTH, LINE_WIDTH, FAINT_WIDTH, CROSS_WIDTH = 2.2, 1.6, 1.2, 1.6  # pixels

CONTACT = (255, 210, 60, 255)
"""Colour of contacts, as of the page."""

CONTACT_WIDTH = 2.4  # pixels

CROSS = 0.6
"""Half the size of the cross at a set-point, in radii of the vehicle."""

MOST = 400
"""Maximum number of positions of a trail."""


def colours_of(count: int) -> Array:
    """Return a colour for each row, shape (count, 3)."""
    return np.array(COLOURS, float)[np.arange(count) % len(COLOURS)]


class Marks:
    """What is drawn besides vehicles and ground, frame after frame.

    Parameters
    ----------
    world : World
        What is drawn.
    trail : float
        How long the way behind vehicles is seen [s]; 0: it is not.
    """

    def __init__(self, world: World, trail: float) -> None:
        self._world, self._duration = world, trail
        self._trail: deque[tuple[float, Array]] = deque(maxlen=MOST)
        self._colours = colours_of(world.count)
        self._radii = radii(world)
        self._reach = CROSS * self._radii[:, None, None, None] * np.eye(3)[:, None]

    def remember(self, frame: Frame) -> None:
        """Let a frame be a part of the trails of later ones; those of an earlier flight end."""
        if self._trail and frame.time < self._trail[-1][0]:
            self._trail.clear()
        self._trail.append((frame.time, origins(self._world, frame)))
        while frame.time - self._trail[0][0] > self._duration:
            self._trail.popleft()

    def layers(self, frame: Frame, lines: Sequence[Line] = ()) -> list[Layer]:
        """Return the layers of a frame that is remembered, with lines of its own."""
        drawn = [_line(line) for line in (*self._world.lines, *lines)]
        return [
            *drawn,
            *self._trails(frame.time),
            *self._setpoints(frame),
            *self._contacts(frame),
        ]

    def _trails(self, now: float) -> list[Layer]:
        if len(self._trail) < 2:
            return []
        times = np.array([time for time, _ in self._trail])
        points = np.stack([pos for _, pos in self._trail])
        young = np.clip(1.0 - (now - times[1:]) / self._duration, 0.0, 1.0)
        colours = np.empty((len(young), points.shape[1], 4))
        colours[..., :3] = self._colours
        colours[..., 3] = (OPACITY * young)[:, None]
        ends = np.stack([points[:-1], points[1:]], 2)
        return [line_layer(ends.reshape(-1, 2, 3), colours.reshape(-1, 4), WIDTH)]

    def _setpoints(self, frame: Frame) -> list[Layer]:
        """Return crosses at set-points of vehicles that are not there, and lines to them."""
        if frame.pos_sp is None:
            return []
        points, places = raised(self._world, frame.pos_sp), origins(self._world, frame)
        with np.errstate(invalid="ignore"):
            points[exact.norm(points - places) < self._radii] = np.nan  # it is there
        to = np.stack([places, points], 1)
        return [
            line_layer(to, self._with(FAINT), FAINT_WIDTH),
            line_layer(self._crosses(points), np.repeat(self._with(255), 3, axis=0), CROSS_WIDTH),
        ]

    def _contacts(self, frame: Frame) -> list[Layer]:
        if frame.contacts is None or np.isnan(frame.contacts).all():
            return []
        return [line_layer(self._crosses(frame.contacts), CONTACT, CONTACT_WIDTH)]

    def _crosses(self, points: Array) -> Array:
        """Return lines through a point of each vehicle, shape (n, 3, 2, 3)."""
        return np.asarray(points[:, None, None] + self._reach * np.array([[-1.0], [1.0]]))

    def _with(self, opacity: int) -> Array:
        return np.concatenate([self._colours, np.full((len(self._colours), 1), opacity)], 1)


def _line(line: Line) -> Layer:
    ends = np.stack([line.points[:-1], line.points[1:]], 1)
    return line_layer(ends, (*line.colour, LINE_OPACITY), LINE_WIDTH)
