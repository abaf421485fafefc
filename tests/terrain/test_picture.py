"""Pictures of terrain maps."""

from __future__ import annotations

import io
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PIL")

from PIL import Image

from pyrfly.errors import MapError
from pyrfly.terrain import TerrainMap, read_terrain
from pyrfly.terrain.picture import LONGEST_SIDE, picture_in

RED, GREEN, BLUE, WHITE = (200, 30, 30), (30, 180, 30), (30, 30, 200), (240, 240, 240)
QUARTERS = np.kron(
    np.array([[RED, GREEN], [BLUE, WHITE]], np.uint8), np.ones((16, 16, 1), np.uint8)
)
"""Red in the north-west, green in the north-east, blue in the south-west."""


def saved(path: Path, pixels: np.ndarray = QUARTERS) -> Path:
    Image.fromarray(pixels).save(path, quality=95)
    return path


def corners(picture: np.ndarray | None) -> list[str]:
    """Return the colours of north-west, north-east, south-west, south-east."""
    assert picture is not None
    names = {"red": RED, "green": GREEN, "blue": BLUE, "white": WHITE}
    found = [picture[row, column].astype(int) for row in (2, -3) for column in (2, -3)]
    return [min(names, key=lambda name: np.abs(names[name] - at).sum()) for at in found]


def test_a_picture_beside_an_array_is_its_own(tmp_path):
    np.save(tmp_path / "hill.npy", np.zeros((3, 4)))
    assert read_terrain(tmp_path / "hill.npy", spacing=5).picture is None
    saved(tmp_path / "hill.jpg")
    found = read_terrain(tmp_path / "hill.npy", spacing=5)
    assert corners(found.picture) == ["red", "green", "blue", "white"]
    other = saved(tmp_path / "other.png", QUARTERS[::-1])
    found = read_terrain(tmp_path / "hill.npy", spacing=5, picture=other)
    assert corners(found.picture) == ["blue", "white", "red", "green"]


@pytest.mark.parametrize("falls", [False, True], ids=["x rises", "x falls"])
def test_the_picture_of_a_map_of_rflysim_lies_as_its_heights(tmp_path, falls):
    """Its columns run along x, north, and its rows along y, east."""
    Image.fromarray(np.full((4, 5), 32768, np.uint16)).save(tmp_path / "town.png")
    numbers = [-400 if falls else 400, 300, 0, 0, 0, 0, 0, 0, 0]
    (tmp_path / "town.txt").write_text(",".join(map(str, numbers)))
    saved(tmp_path / "town.jpg")
    found = read_terrain(tmp_path / "town.png").picture
    # of the file the left is x = 0, the right x = 4 m; the top y = 0
    expected = ["green", "white", "red", "blue"] if not falls else ["red", "blue", "green", "white"]
    assert corners(found) == expected


def test_what_is_made_of_a_map_keeps_its_picture():
    terrain = TerrainMap(np.eye(4), 2.0, picture=QUARTERS)
    for other in (
        pickle.loads(pickle.dumps(terrain)),
        terrain.relative_to(0, 0),
        terrain.resampled(7, 3),
    ):
        np.testing.assert_array_equal(other.picture, QUARTERS)
    assert terrain.checksum == TerrainMap(np.eye(4), 2.0).checksum
    assert terrain.with_picture(None).picture is None
    with pytest.raises(ValueError, match="read-only"):
        terrain.picture[:] = 0


def test_large_pictures_are_reduced():
    stream = io.BytesIO()
    wide = np.repeat(np.repeat(QUARTERS, 200, axis=1), 2, axis=0)
    Image.fromarray(wide).save(stream, "JPEG")
    found = picture_in(stream.getvalue())
    assert max(found.shape) <= LONGEST_SIDE
    assert corners(found[:, 10:-10]) == ["red", "green", "blue", "white"]


@pytest.mark.parametrize(
    "picture", [np.zeros((4, 4)), np.zeros((4, 4, 4), np.uint8), np.zeros((0, 4, 3), np.uint8), 3]
)
def test_what_is_no_picture_is_refused(picture):
    with pytest.raises(MapError, match="picture: expected red, green and blue of uint8"):
        TerrainMap(np.eye(4), 2.0, picture=picture)


def test_files_that_are_no_pictures_are_refused(tmp_path):
    terrain = TerrainMap(np.eye(4), 2.0)
    with pytest.raises(MapError, match=r"none\.jpg: cannot be read"):
        terrain.with_picture(tmp_path / "none.jpg")
    whole = saved(tmp_path / "whole.png").read_bytes()
    huge = whole[:16] + struct.pack(">II", 2**20, 2**20) + whole[24:]
    for data in (b"", b"text", whole[:60], huge):
        (tmp_path / "bad.png").write_bytes(data)
        with pytest.raises(MapError, match=r"bad\.png: not a readable picture"):
            terrain.with_picture(tmp_path / "bad.png")
