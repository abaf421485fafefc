"""Lines that lie or stand on the ground."""

import numpy as np
import pytest

from pyrfly.mission import Circle, Fence, Polygon
from pyrfly.terrain import TerrainMap
from pyrfly.view.draping import with_lines
from pyrfly.view.missions import fence_lines, rally_lines
from pyrfly.view.surroundings import ground_of_map
from pyrfly.view.world import World

NORTH, EAST = np.meshgrid(np.arange(-100, 101, 4.0), np.arange(-100, 101, 4.0), indexing="ij")
HILL = TerrainMap(25 * np.exp(-((NORTH - 20) ** 2 + EAST**2) / 900), 4.0, corner=(-100.0, -100.0))
FENCE = Fence((Polygon(((-60, -60), (70, -60), (20, 70))), Circle((15.0, 5.0), 9.0, False)))


def along(points):
    """Return many points of a line."""
    share = np.linspace(0, 1, 9)[:, None, None]
    return (points[:-1] + share * np.diff(points, axis=0)).reshape(-1, 3)


def test_fences_are_above_a_hill():
    lines = fence_lines(FENCE)
    world = with_lines(World((), ground_of_map(HILL)), lines)
    for before, line in zip(lines, world.lines, strict=True):
        assert len(line.points) <= len(before.points) + 400
        north, east, z = along(line.points).T
        height = -z - HILL.height(north, east)
        assert height.min() > 0.3
        assert height.max() < 1.5


def test_many_lines_have_few_points_and_are_above_the_hill():
    lines = fence_lines(FENCE) * 400
    world = with_lines(World((), ground_of_map(HILL)), lines)
    more = sum(len(line.points) for line in world.lines) - sum(len(k.points) for k in lines)
    assert more <= 50_000
    north, east, z = along(world.lines[0].points).T
    assert (-z > HILL.height(north, east)).all()


def test_flags_stand_on_the_hill():
    place = np.array([20.0, 0.0, -3.0])
    world = with_lines(World((), ground_of_map(HILL)), rally_lines([place]))
    (line,) = world.lines
    assert line.points[0] == pytest.approx([20, 0, -25])
    assert np.ptp(line.points[:, 2]) == pytest.approx(4)


def test_fences_lie_on_the_water_over_a_ground():
    world = with_lines(World((), ground_of_map(HILL), water=-10.0), fence_lines(FENCE))
    assert max(line.points[:, 2].max() for line in world.lines) < -10


def test_lines_stay_where_there_is_no_terrain():
    lines = [*fence_lines(FENCE), *rally_lines([np.zeros(3)])]
    assert list(with_lines(World(()), lines).lines) == lines


def test_a_ceiling_stays_at_its_height():
    lines = fence_lines(Fence(FENCE.areas, max_height=40.0))
    world = with_lines(World((), ground_of_map(HILL)), lines)
    tops = [line for line in world.lines if line.points[:, 2].max() < -39]
    assert len(tops) == len(FENCE.areas)
    assert all((line.points[:, 2] == -40).all() for line in tops)
