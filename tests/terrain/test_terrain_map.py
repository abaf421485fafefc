"""Heights between nodes against SciPy, their gradient against differences; what is no map."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import RegularGridInterpolator

from pyrfly import _core
from pyrfly.errors import MapError
from pyrfly.terrain import TerrainMap

SEED = 20260722
SPACING = (7.0, 3.0)
CORNER = (-40.0, 5.0)


@pytest.fixture
def rough() -> TerrainMap:
    heights = np.random.default_rng(SEED).normal(scale=50.0, size=(23, 31))
    return TerrainMap(heights, SPACING, corner=CORNER)


def places(rough: TerrainMap, count: int = 2000) -> NDArray[np.float64]:
    """Return random places on the map, among them its nodes' lines."""
    random = np.random.default_rng(SEED).uniform(rough.corner, rough.end, (count, 2))
    random[: count // 10, 0] = rough.corner[0] + 14 * SPACING[0]
    return random


def test_heights_are_bilinear(rough: TerrainMap) -> None:
    axes = [c + s * np.arange(k) for c, s, k in zip(CORNER, SPACING, rough.shape, strict=True)]
    reference = RegularGridInterpolator(tuple(axes), rough.heights)
    at = places(rough)
    np.testing.assert_allclose(rough.height(*at.T), reference(at), rtol=0, atol=1e-9)
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    np.testing.assert_array_equal(rough.height(*np.moveaxis(nodes, -1, 0)), rough.heights)


def test_the_gradient_is_the_difference_within_a_cell(rough: TerrainMap) -> None:
    middle = places(rough)[200:]
    fraction = (middle - CORNER) / SPACING % 1
    north, east = middle[((fraction > 0.1) & (fraction < 0.9)).all(axis=1)].T
    for axis, step in ((0, np.array([1e-3, 0])), (1, np.array([0, 1e-3]))):
        ahead = rough.height(north + step[0], east + step[1])
        behind = rough.height(north - step[0], east - step[1])
        gradient = rough.gradient(north, east)[:, axis]
        np.testing.assert_allclose(gradient, (ahead - behind) / 2e-3, rtol=0, atol=1e-7)


def test_heights_are_continuous_at_the_lines_of_the_grid(rough: TerrainMap) -> None:
    east = places(rough)[:, 1]
    line = CORNER[0] + 5 * SPACING[0]
    for other in (np.nextafter(line, -100), np.nextafter(line, 100)):
        np.testing.assert_allclose(
            rough.height(other, east), rough.height(line, east), rtol=0, atol=1e-11
        )


def test_outside_the_nearest_edge_counts(rough: TerrainMap) -> None:
    (south, west), (north, east) = rough.corner, rough.end
    assert rough.height(1e6, 20.0) == rough.height(north, 20.0)
    assert rough.height(-1e300, -1e300) == rough.heights[0, 0]
    assert rough.height(1e300, 1e300) == rough.heights[-1, -1]
    beside, edge = rough.gradient(1e6, 20.0), rough.gradient(north, 20.0)
    assert beside.tolist() == [0.0, edge[1]]
    inside = rough.contains([south, north, north + 1e-6, 0, 0], [west, east, 20, west - 1e-6, 20])
    assert inside.tolist() == [True, True, False, False, True]


def test_a_gap_in_the_coordinates_of_the_core_reads_no_other_memory(rough: TerrainMap) -> None:
    odd = [np.nan, np.inf, -np.inf, 1e308]
    heights = _core.terrain_at(rough.grid, odd, odd[::-1])[:, 0]
    corner = rough.heights[[0, -1], :][:, [0, -1]]
    assert np.isin(heights, corner).all()


def pickled(rough: TerrainMap) -> TerrainMap:
    again: TerrainMap = pickle.loads(pickle.dumps(rough))
    return again


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
def test_copies_are_the_same_map(rough: TerrainMap, again: Any) -> None:
    placed = TerrainMap(rough.heights, SPACING, corner=CORNER, origin=(40, 116, 30))
    other = again(placed)
    assert (other.checksum, other.origin, other.end) == (placed.checksum, (40, 116, 30), placed.end)
    np.testing.assert_array_equal(other.heights, placed.heights)
    assert placed.checksum != rough.checksum


def test_a_map_does_not_change() -> None:
    heights = np.zeros((3, 4))
    flat = TerrainMap(heights, 2)
    heights[:] = 5
    assert (flat.minimum, flat.maximum, flat.shape, flat.spacing) == (0, 0, (3, 4), (2, 2))
    assert (flat.corner, flat.end) == ((-2, -3), (2, 3))  # the middle is at 0, 0
    with pytest.raises(ValueError, match="read-only"):
        flat.heights[0, 0] = 1
    with pytest.raises(AttributeError):
        flat.spacing = (1.0, 1.0)  # type: ignore[misc]


def test_heights_can_be_made_relative_to_a_place() -> None:
    hill = TerrainMap([[10, 20], [10, 20]], 8, origin=(40, 116, 100))
    level = hill.relative_to(0, 0)
    assert level.height(0, 0) == 0
    assert level.origin == (40, 116, 115)
    assert level.height(4, 4) == 5


GOOD: dict[str, Any] = {"heights": [[0, 0], [0, 1]], "spacing": 1}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"heights": [1, 2]}, r"heights: .*got shape \(2,\)"),
        ({"heights": [[1, 2]]}, "at least 2 rows"),
        ({"heights": np.broadcast_to(np.float32(0), (2**13 + 1, 2**13))}, "at most 67108864"),
        ({"heights": [["a", "b"]] * 2}, "heights: expected numbers"),
        ({"heights": [[0, 1], [np.nan, 3]]}, "got nan at row 1, column 0, and 1 in all"),
        ({"heights": [[0, 1], [9301, 3]]}, "within 9300 m, got 9301.0 at row 1"),
        ({"spacing": 0}, r"spacing: .*got 0"),
        ({"spacing": -1}, "spacing"),
        ({"spacing": np.nan}, "spacing: expected finite"),
        ({"spacing": (1, 2, 3)}, "spacing: expected 2 numbers"),
        ({"corner": (1, "x")}, "corner"),
        ({"corner": (1e6, 0)}, "corner: expected"),
        ({"origin": (91, 0, 0)}, "origin: lat"),
        ({"origin": (40, 116)}, "origin: expected 3 numbers"),
        ({"origin": (40, 116, 1e6)}, "origin: expected a height within 9300 m"),
    ],
)
def test_what_is_no_map_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(MapError, match=message):
        TerrainMap(**{**GOOD, **changes})


def test_places_are_checked() -> None:
    flat = TerrainMap(**GOOD)
    with pytest.raises(ValueError, match="north: expected finite"):
        flat.height(np.nan, 0)
    with pytest.raises(ValueError, match="shapes that broadcast"):
        flat.height([0, 1, 2], [0, 1])
    assert flat.height([[0.0], [0.1]], [0, 0.1, 0.2]).shape == (2, 3)


@pytest.mark.parametrize(
    "grid",
    [
        (np.zeros((1, 5)), (0.0, 0.0), (1.0, 1.0)),
        (np.zeros((5, 5), np.float32), (0.0, 0.0), (1.0, 1.0)),
        (np.zeros((5, 5))[:, ::2], (0.0, 0.0), (1.0, 1.0)),
        (np.zeros((5, 5)), (np.nan, 0.0), (1.0, 1.0)),
        (np.zeros((5, 5)), (0.0, 0.0), (0.0, 1.0)),
        (np.zeros((5, 5)), (0.0, 0.0), (np.inf, 1.0)),
    ],
)
def test_the_core_takes_no_other_grid(grid: Any) -> None:
    batch = _core.Batch("quad_x", 1)
    with pytest.raises(ValueError, match="at least 2 rows"):
        batch.set_terrain_map(grid)
    with pytest.raises(ValueError, match="at least 2 rows"):
        _core.terrain_at(grid, [0.0], [0.0])


def test_the_memory_of_a_map_can_neither_be_resized_nor_written() -> None:
    hill = TerrainMap([[0, 1], [2, 3]], 10)
    for array in (hill.heights, hill.grid[0], hill.heights.base, hill.grid[0].base):
        assert isinstance(array, np.ndarray)
        with pytest.raises(ValueError, match="own"):
            array.resize((100, 100), refcheck=False)
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    assert hill.heights.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize("arguments", [([[1, 2], [3]], 1), ([[0, 0], [0, 0]], [[1, 2], [3]])])
def test_uneven_rows_are_refused(arguments: tuple[Any, Any]) -> None:
    with pytest.raises(MapError, match=r"^(heights|spacing): expected"):
        TerrainMap(*arguments)
