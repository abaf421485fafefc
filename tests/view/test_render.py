"""Pictures of the core: their bits, and what is no picture."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import _core

SIZE = (160, 120)
# 10 m above the ground, looking north and down by a slope of 3 to 4
CAMERA = np.array([[0, 1, 0], [-0.6, 0, 0.8], [0.8, 0, 0.6], [-8, 0.5, -10]])
SUN = np.array([0.48, 0.36, -0.8])
SKY = np.array([[90, 140, 210], [215, 228, 240]], np.uint8)


def boxes(n: int, opacity: int = 255) -> tuple[NDArray[Any], ...]:
    """Return at most five boxes that stand beside each other, turned by numbers that are exact."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [[(a, b, c), (a, c, d)] for a, b, c, d in faces]
    colours = np.array([[20 * k, 250 - 20 * k, 120, opacity] for k in range(12)], np.uint8)
    turns = [(1, 0), (0.8, 0.6), (0.6, 0.8), (0, 1), (-0.6, 0.8)]
    places = np.zeros((n, 3, 4))
    for k, (cosine, sine) in enumerate(turns[:n]):
        places[k, :, :3] = [(cosine, -sine, 0), (sine, cosine, 0), (0, 0, 1)]
        places[k, :, 3] = [3 * k, 4 - 2 * k, -1]
    ids = np.arange(n, dtype=np.int32)
    halves = np.array(triangles, np.int32).reshape(-1, 3)
    return corners, halves, colours, places.reshape(n, 12), ids


def grid(opacity: int = 160) -> tuple[NDArray[Any], NDArray[Any], float]:
    lines = [[(x, -50, 0), (x, 50, 0)] for x in range(-50, 51, 2)]
    lines += [[(-50, x, 0), (50, x, 0)] for x in range(-50, 51, 2)]
    ends = np.array(lines, float).reshape(-1, 6)
    return ends, np.full((len(ends), 4), (255, 255, 255, opacity), np.uint8), 1.5


def panes() -> tuple[NDArray[Any], ...]:
    return boxes(5, 90)


def water(level: float = -1.0) -> tuple[Any, ...]:
    return level, 6.0, np.array([(30, 80, 120, 180), (90, 150, 190, 30)], np.uint8)


def rendered(*layers: Any, samples: int = 1, haze: float = 0.0, **changes: Any) -> Any:
    given = {"size": SIZE, "camera": CAMERA, "focal": 130.0, "sun": SUN, "sky": SKY, **changes}
    size, camera, focal, sun, sky = given.values()
    return _core.render(size, samples, camera, focal, sun, sky, haze, layers)


DIGESTS = {
    "sky": (lambda: rendered(), "7718df7dc1f3b8a6"),
    "boxes": (lambda: rendered(boxes(5)), "5ef8bdfda7b89855"),
    "samples": (lambda: rendered(boxes(5), grid(), samples=2), "0d1915372397a1c5"),
    "haze": (
        lambda: rendered(grid(255), boxes(4), panes(), samples=2, haze=30.0),
        "595453762341ca73",
    ),
    "water": (lambda: rendered(boxes(5), water(), samples=2, haze=30.0), "b26be4668dfa0193"),
}


@pytest.mark.parametrize(("picture", "digest"), DIGESTS.values(), ids=DIGESTS)
def test_pictures_have_the_recorded_bits(picture: Callable[[], Any], digest: str) -> None:
    made = b"".join(array.tobytes() for array in picture())
    assert hashlib.sha256(made).hexdigest()[:16] == digest


def test_water_hides_more_the_longer_the_way_through_it_is() -> None:
    bare, wet = rendered(boxes(5), haze=0.0), rendered(boxes(5), water())
    right, down = np.meshgrid(np.arange(160) - 79.5, np.arange(120) - 59.5)
    falls = 0.8 * down / 130.0 + 0.6  # of sight lines [m for each metre ahead]
    length = np.sqrt(1.0 + (right / 130.0) ** 2 + (down / 130.0) ** 2)
    surface = 9.0 / falls  # the eye is so far above it
    way = np.where(surface < bare[1], (bare[1] - surface) * length, np.nan)
    deep = np.linalg.norm(wet[0] - np.array([30.0, 80, 120]), axis=2)
    body = (bare[2] == 0) & (way > 0)
    assert np.corrcoef(way[body], deep[body])[0, 1] < -0.5
    np.testing.assert_array_equal(wet[2], bare[2])
    np.testing.assert_allclose(wet[1], np.fmin(surface, bare[1]), rtol=1e-5)


def test_water_over_the_eye_is_a_ceiling_to_the_horizon() -> None:
    low = np.array([*CAMERA[:3], [-8, 0.5, 3]])
    colours, distances, _ = rendered(water(), camera=low)
    sky = rendered(camera=low)[0]
    rises = -0.8 * (np.arange(120) - 59.5) / 130.0 - 0.6 > 0
    assert np.isfinite(distances[rises]).all()
    assert np.isinf(distances[~rises]).all()
    np.testing.assert_array_equal(colours[~rises], sky[~rises])


def test_ids_are_where_the_bodies_are() -> None:
    corners, triangles, colours, places, ids = boxes(4)
    colour, distance, seen = rendered((corners, triangles, colours, places, ids))
    assert colour.shape == (120, 160, 3)
    for k in ids:
        right, down, ahead = CAMERA[:3] @ (places[k, 3::4] - CAMERA[3])
        rows, columns = np.nonzero(seen == k)
        assert abs(columns.mean() + 0.5 - 80 - 130 * right / ahead) < 2
        assert abs(rows.mean() + 0.5 - 60 - 130 * down / ahead) < 2
        assert np.all(np.abs(distance[seen == k] - ahead) < 2)
    assert np.all(np.isinf(distance[seen == -1]))


ROWS = np.zeros((2, 6)), np.zeros((2, 4), np.uint8)
WRONG: dict[str, tuple[Any, ...]] = {
    "triangles of other corners": (boxes(1)[0][:7], *boxes(1)[1:]),
    "doubles": (boxes(1)[0].astype(float), *boxes(1)[1:]),
    "not contiguous": (boxes(1)[0][:, ::-1], *boxes(1)[1:]),
    "fewer colours": (*boxes(1)[:2], boxes(1)[2][:-1], *boxes(1)[3:]),
    "fewer ids": (*boxes(2)[:4], boxes(1)[4]),
    "a number": (*boxes(2)[:4], 1),
    "four members": boxes(1)[:4],
    "no width": (*ROWS, 0.0),
    "an endless width": (*ROWS, float("nan")),
    "water without a way": (0.0, 0.0, np.zeros((2, 4), np.uint8)),
    "water of one colour": (0.0, 1.0, np.zeros((1, 4), np.uint8)),
    "fewer colours of lines": (ROWS[0], ROWS[1][:1], 1.0),
    "an array without axes": (np.array(1.0), ROWS[1], 1.0),
}


@pytest.mark.parametrize("layer", WRONG.values(), ids=WRONG)
def test_wrong_layers_are_named(layer: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=r"render: layers\[1\]: "):
        rendered(boxes(1), layer)


@pytest.mark.parametrize(
    "changes",
    [
        {"size": (0, 10)},
        {"size": (8193, 10)},
        {"samples": 3},
        {"samples": 2, "size": (5000, 10)},
        {"focal": float("nan")},
        {"haze": -1.0},
        {"camera": CAMERA[:3]},
        {"camera": np.full((4, 3), np.nan)},
        {"sun": SUN * 2},
        {"sky": SKY.astype(float)},
    ],
    ids=str,
)
def test_wrong_settings_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="render: expected"):
        rendered(**changes)


def test_memory_that_is_kept_does_not_change_pictures():
    kept = np.full((4 * SIZE[0] * SIZE[1], 3), 77, np.uint32)
    look = SIZE, 2, CAMERA, 130.0, SUN, SKY, 40.0
    for layers in ((boxes(5), grid(), water()), (), (boxes(2), panes())):
        for one, other in zip(
            _core.render(*look, layers), _core.render(*look, layers, kept), strict=True
        ):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "kept",
    [
        np.zeros((10, 3), np.uint32),
        np.zeros((4 * SIZE[0] * SIZE[1], 3), np.int64),
        np.zeros((3, 4 * SIZE[0] * SIZE[1]), np.uint32).T,
        b"",
    ],
)
def test_memory_of_another_size_is_refused(kept):
    with pytest.raises(ValueError, match=r"render: expected kept memory uint32 \(76800, 3\)"):
        _core.render(SIZE, 2, CAMERA, 130.0, SUN, SKY, 0.0, (), kept)
