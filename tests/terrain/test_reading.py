"""Files of terrain maps: RflySim's rules by numbers worked out by hand, arrays, and bad files."""

from __future__ import annotations

import os
import struct
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pyrfly.errors import MapError, MissingExtraError
from pyrfly.rflysim.UEMapServe import UEMapServe
from pyrfly.terrain import read_terrain

# Columns are x (north), rows y (east): 3 x 10 m from x = -10 m, 2 x 20 m from y = 0; 1 cm a level.
LEVELS = [[32768, 32868, 32968], [33068, 33168, 33768]]
NUMBERS = [1000, 2000, 1000, -1000, 0, 0, 0, 0, 100]


def write_map(folder: Path, numbers: Any = NUMBERS, levels: Any = LEVELS) -> Path:
    Image.fromarray(np.asarray(levels, np.uint16)).save(folder / "hill.png")
    (folder / "hill.txt").write_text(",".join(map(str, numbers)))
    return folder / "hill.png"


def test_a_picture_lies_with_its_columns_to_the_north(tmp_path: Path) -> None:
    hill = read_terrain(write_map(tmp_path))
    assert (hill.shape, hill.spacing, hill.corner) == ((3, 2), (10, 20), (-10, 0))
    assert hill.origin is None
    np.testing.assert_allclose(hill.heights, [[0, 3], [1, 4], [2, 10]])
    assert hill.height(-5, 10) == pytest.approx((0 + 1 + 3 + 4) / 4)


def test_pixels_may_run_south_and_west(tmp_path: Path) -> None:
    # first pixel at x = 10 m, y = 20 m, last at x = -10 m, y = 0
    numbers = [-1000, 0, 1000, 1000, 2000, 0, 0, 2000, 100]
    hill = read_terrain(write_map(tmp_path, numbers))
    assert (hill.spacing, hill.corner, hill.end) == ((10, 20), (-10, 0), (10, 20))
    np.testing.assert_allclose(hill.heights, [[10, 2], [4, 1], [3, 0]])


def test_the_third_point_scales_the_levels(tmp_path: Path) -> None:
    # the middle pixel of the first row has 100 levels, the last 1000: 900 levels are 1800 cm
    hill = read_terrain(write_map(tmp_path, [1000, 2000, 2300, -1000, 0, 500, 0, 0, 500]))
    assert hill.height(-10, 0) == pytest.approx(5)
    assert hill.height(10, 20) == pytest.approx(5 + 1000 * 2 / 100)


def test_both_readers_are_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for numbers in (NUMBERS, [-1000, 0, 1000, 1000, 2000, 0, 0, 2000, 100]):
        write_map(tmp_path, numbers)
        hill, served = read_terrain("hill"), UEMapServe("hill")
        for north, east in [(-10, 0), (3, 7), (9.9, 20), (50, -3)]:
            height = -served.getTerrainAltData(north, east)
            assert hill.height(north, east) == pytest.approx(height, abs=1e-12)


def test_twelve_numbers_are_the_origin_of_the_map(tmp_path: Path) -> None:
    path = write_map(tmp_path, [*NUMBERS, 30.5, 120.5, 12.0])
    assert read_terrain(path).origin == (30.5, 120.5, 12.0)
    with pytest.raises(MapError, match="origin: expected"):
        read_terrain(path, origin=(1, 2, 3))
    assert read_terrain(write_map(tmp_path), origin=(1, 2, 3)).origin == (1, 2, 3)


def test_an_array_has_rows_to_the_north(tmp_path: Path) -> None:
    heights = np.arange(6, dtype=np.int16).reshape(2, 3)
    np.save(tmp_path / "hill.npy", heights)
    hill = read_terrain(tmp_path / "hill.npy", spacing=(5, 2), corner=(1, 2), origin=(1, 2, 3))
    assert (hill.spacing, hill.corner, hill.origin) == ((5, 2), (1, 2), (1, 2, 3))
    np.testing.assert_array_equal(hill.heights, heights)
    assert hill.height(6, 6) == 5


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def huge_picture(side: int) -> bytes:
    """Return a PNG whose header claims a size, with little data."""
    header = chunk(b"IHDR", struct.pack(">2I5B", side, side, 16, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 100))


def two_headers(side: int, other: int) -> bytes:
    """Return a PNG with a second header of another size."""
    first, second = huge_picture(side), huge_picture(other)
    return first[:33] + second[8:]


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        (b"", r"hill\.png: not a readable PNG"),
        (b"not a picture" * 5, r"hill\.png: not a readable PNG"),
        (huge_picture(2**31 - 1), r"hill\.png: heights: .* at most 67108864 nodes, got shape"),
        (huge_picture(1), r"hill\.png: heights: expected"),
        (huge_picture(100), r"hill\.png: not a readable PNG"),
        (two_headers(10, 9000), r"expected one size, got \(10, 10\) and \(9000, 9000\)"),
    ],
)
def test_bad_pictures(tmp_path: Path, picture: bytes, message: str) -> None:
    path = write_map(tmp_path)
    path.write_bytes(picture)
    with pytest.raises(MapError, match=message):
        read_terrain(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"1,2,3", r"hill\.txt: .*got 3"),
        (b"\xff\xfe\0", r"hill\.txt: expected"),
        (b"1,2,3,4,5,6,7,8,inf", r"hill\.txt: expected finite numbers"),
        (b"1," * 600_000, r"hill\.txt: expected at most 1 MB"),
        (b"1000,2000,1e9,-1000,0,0,0,0,100", "heights: expected"),
        (b"1e12,2000,10,-1000,0,0,0,0,100", "spacing: expected"),
        (b"1000,2000,10,-1000,0,0,0,0,100,95,0,0", "origin: lat"),
        (b"1e-320,900,0,0,0,0,900,0,0", "expected the third point on the map"),
    ],
)
def test_bad_texts(tmp_path: Path, text: bytes, message: str) -> None:
    path = write_map(tmp_path)
    path.with_suffix(".txt").write_bytes(text)
    with pytest.raises(MapError, match=message):
        read_terrain(path)


def npy(header: str) -> bytes:
    text = header.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + bytes(64)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "cannot be read as .npy"),
        (b"PK\x03\x04 zip", "cannot be read as .npy"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000)}"), "npy"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (9, 9)}"), "npy"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (8,)}"), r"got shape \(8,\)"),
        (npy("{'descr': '|O', 'fortran_order': False, 'shape': (2, 2)}"), "npy"),
        (npy("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 2)}"), "type complex64"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape'"), "npy"),
        (npy("os.abort()"), "npy"),
    ],
)
def test_bad_arrays(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "hill.npy"
    path.write_bytes(data)
    with pytest.raises(MapError, match=message) as caught:
        read_terrain(path, spacing=1)
    assert "hill.npy" in str(caught.value)


@pytest.mark.parametrize("ending", ["", ".png", ".npy", ".tif"])
@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_names_that_no_file_can_have(name: str, ending: str) -> None:
    with pytest.raises(MapError):
        read_terrain(name + ending, spacing=1 if ending == ".npy" else None)


@pytest.mark.parametrize("path", [None, 5, b"a.npy"])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(TypeError, match="path: expected a str or a path, got"):
        read_terrain(path)


@pytest.mark.parametrize("origin", [5, (40, 116), 10**400, (1, 2, 10**400), object()])
def test_an_origin_of_an_array_is_three_numbers(tmp_path: Path, origin: Any) -> None:
    np.save(tmp_path / "hill.npy", np.zeros((2, 2)))
    with pytest.raises(MapError, match="origin: expected"):
        read_terrain(tmp_path / "hill.npy", spacing=1, origin=origin)


def test_what_is_no_file_or_lacks_an_argument(tmp_path: Path) -> None:
    for name in ("nowhere.npy", "nowhere.png", "nowhere.txt", "nowhere", "nowhere.asc"):
        with pytest.raises(MapError, match="nowhere"):
            read_terrain(tmp_path / name, spacing=1 if name.endswith("npy") else None)
    os.mkfifo(tmp_path / "pipe.npy")
    with pytest.raises(MapError, match="regular file"):
        read_terrain(tmp_path / "pipe.npy", spacing=1)
    np.save(tmp_path / "hill.npy", np.zeros((2, 2)))
    with pytest.raises(MapError, match="spacing: expected"):
        read_terrain(tmp_path / "hill.npy")
    with pytest.raises(MapError, match="spacing: expected None for"):
        read_terrain(write_map(tmp_path), spacing=1)


def test_a_library_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(MissingExtraError, match=r"pyrfly\[maps\]"):
        read_terrain(write_map_without_picture(tmp_path))


def write_map_without_picture(folder: Path) -> Path:
    (folder / "hill.txt").write_text(",".join(map(str, NUMBERS)))
    (folder / "hill.png").write_bytes(b"")
    return folder / "hill.png"
