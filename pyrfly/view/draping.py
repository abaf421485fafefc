"""Lines that lie or stand on the ground: `with_lines`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pyrfly.view.world import Ground, Line, World

__all__ = ["with_lines"]

Array = NDArray[np.float64]

ABOVE = 0.5
"""Height of lines over the ground on which they lie [m]."""

MOST_PIECES = 400
"""Maximum number of pieces by which a line is lengthened, so that it follows the ground."""

MOST_OF_ALL = 50_000
"""The same of all lines together, which may come from a network."""

CHECKS = 4
"""Places along a piece where the ground must be below it."""


def with_lines(world: World, lines: Sequence[Line]) -> World:
    """Return a world with more lines; where it has a ground, some lie or stand on it.

    A line that lies follows the ground, or the water above it, at about the spacing of the
    ground's nodes. One that stands is moved up or down as it is, with its first point to there.
    """
    ground = world.ground
    if ground is not None:
        count = sum(line.posture == "lies" for line in lines)
        pieces = min(MOST_PIECES, MOST_OF_ALL // max(count, 1))
        lines = [_placed(line, ground, world.water, pieces) for line in lines]
    return replace(world, lines=(*world.lines, *lines))


def _placed(line: Line, ground: Ground, water: float | None, pieces: int) -> Line:
    if line.posture == "free" or not len(line.points):
        return line
    if line.posture == "lies":
        return replace(line, points=_draped(line.points, ground, water, pieces), posture="free")
    foot = line.points[0]
    shift = np.array([0.0, 0.0, _floor(ground, water, foot[None, :2])[0] - foot[2]])
    return replace(line, points=line.points + shift, posture="free")


def _floor(ground: Ground, water: float | None, plan: Array) -> Array:
    """Return z of what is seen of ground and water from above."""
    level = ground.level_at(plan[:, 0], plan[:, 1])
    return level if water is None else np.minimum(level, water)


def _draped(points: Array, ground: Ground, water: float | None, pieces: int) -> Array:
    """Return points along a line, between which straight pieces are above the ground."""
    plan = _divided(points[:, :2], min(map(abs, ground.spacing)), pieces)
    if len(plan) < 2:
        return np.column_stack([plan, _floor(ground, water, plan) - ABOVE])
    share = np.linspace(0.0, 1.0, CHECKS + 1)[:, None, None]
    between = plan[:-1] + share * (plan[1:] - plan[:-1])
    floor = _floor(ground, water, between.reshape(-1, 2)).reshape(CHECKS + 1, -1)
    z = np.append(floor[0], floor[-1, -1])
    chords = z[:-1] + share[..., 0] * (z[1:] - z[:-1])
    lift = np.maximum((chords - floor).max(axis=0), 0.0)  # what a piece would be below the ground
    z -= np.maximum(np.append(lift, 0.0), np.append(0.0, lift))
    return np.column_stack([plan, z - ABOVE])


def _divided(plan: Array, spacing: float, pieces: int) -> Array:
    """Return a line with points about so far from each other, at most so many more of them."""
    steps = np.diff(plan, axis=0)
    lengths = np.hypot(*steps.T)
    if pieces < 1 or not lengths.any():
        return plan
    counts = 1 + (lengths / max(spacing, lengths.sum() / pieces)).astype(int)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    share = (np.arange(counts.sum()) - first) / np.repeat(counts, counts)
    start = np.repeat(np.arange(len(steps)), counts)
    return np.concatenate([plan[start] + share[:, None] * steps[start], plan[-1:]])
