"""UEMapServe: heights of maps that the tests write, against heights worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pyrfly.rflysim.ground import FlatGround, ground_of
from pyrfly.rflysim.UEMapServe import MapError, UEMapServe

# 3 columns 10 m apart from x = -10 m, 2 rows 20 m apart from y = 0
LEVELS = [[32768, 32868, 32968], [33068, 33168, 33768]]
# last pixel, first pixel, third point; levels differ by more than 10 and 1 level is 1 cm
PLAIN = [1000, 2000, 1000, -1000, 0, 0, 0, 0, 100]


def write_map(
    folder: Path, levels: object = LEVELS, numbers: object = PLAIN, name: str = "Hill"
) -> None:
    Image.fromarray(np.asarray(levels, dtype=np.uint16)).save(folder / f"{name}.png")
    (folder / f"{name}.txt").write_text(",".join(str(v) for v in numbers) + "\n")  # type: ignore[attr-defined]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYRFLY_MAPS", raising=False)
    monkeypatch.delenv("PSP_PATH", raising=False)
    return tmp_path


def test_heights_at_the_pixels(folder: Path) -> None:
    write_map(folder)
    map_ = UEMapServe("Hill")
    assert (map_.rows, map_.columns) == (2, 3)
    assert (map_.PosOffsetX, map_.PosScaleX) == (-1000, 1000)
    assert (map_.PosOffsetY, map_.PosScaleY) == (0, 2000)
    assert (map_.xMax, map_.yMax) == (10, 20)
    # NED z = -(level - 32768) cm
    for x, y, z in [
        (-10, 0, 0),
        (0, 0, -1),
        (10, 0, -2),
        (-10, 20, -3),
        (0, 20, -4),
        (10, 20, -10),
    ]:
        assert map_.getTerrainAltData(x, y) == pytest.approx(z)


def test_between_the_pixels(folder: Path) -> None:
    write_map(folder)
    map_ = UEMapServe("Hill")
    assert map_.getTerrainAltData(-5, 0) == pytest.approx(-0.5)
    assert map_.getTerrainAltData(-10, 5) == pytest.approx(-0.75)
    # a quarter of the way in x, half in y, in the last cell: 3/4 (1 + 4)/2 + 1/4 (2 + 10)/2
    assert map_.getTerrainAltData(2.5, 10) == pytest.approx(-(0.75 * 2.5 + 0.25 * 6))


def test_outside_the_edge_holds(folder: Path) -> None:
    write_map(folder)
    map_ = UEMapServe("Hill")
    assert map_.getTerrainAltData(-1000, -1000) == pytest.approx(0)
    assert map_.getTerrainAltData(1e6, 1e6) == pytest.approx(-10)
    assert map_.getTerrainAltData(0, 1e6) == pytest.approx(-4)


@given(st.floats(-20, 20), st.floats(-20, 40))
def test_never_above_or_below_all_pixels(x: float, y: float) -> None:
    assert -10 <= HILL.getTerrainAltData(x, y) <= 0


HILL = UEMapServe()
HILL.binmap = -(np.array(LEVELS) - 32768) / 100.0
HILL.rows, HILL.columns = HILL.binmap.shape
HILL.PosOffsetX, HILL.PosScaleX, HILL.PosOffsetY, HILL.PosScaleY = -1000, 1000, 0, 2000


def test_the_third_point_scales_against_the_first_pixel(folder: Path) -> None:
    # third point on the last pixel: 1000 levels above the first, said to be 500 cm higher
    write_map(folder, numbers=[1000, 2000, 9999, -1000, 0, 0, 1000, 2000, 500])
    map_ = UEMapServe("Hill")
    assert map_.getTerrainAltData(10, 20) == pytest.approx(-5)
    assert map_.getTerrainAltData(0, 0) == pytest.approx(-0.5)


def test_the_third_point_scales_against_the_last_pixel(folder: Path) -> None:
    # third point at (0, 0) m, level 100: last pixel, level 1000, is further: 2 cm a level
    write_map(folder, numbers=[1000, 2000, 2300, -1000, 0, 500, 0, 0, 500])
    map_ = UEMapServe("Hill")
    assert map_.getTerrainAltData(-10, 0) == pytest.approx(-5)
    assert map_.getTerrainAltData(0, 0) == pytest.approx(-7)
    assert map_.getTerrainAltData(10, 20) == pytest.approx(-25)


@pytest.mark.parametrize(("difference", "top"), [(10, -0.1), (11, -0.22)])
def test_ten_levels_give_no_scale(folder: Path, difference: int, top: float) -> None:
    low = 32768
    write_map(
        folder,
        levels=[[low, low], [low, low + difference]],
        numbers=[100, 100, 0, 0, 0, 0, 100, 100, 2 * difference],
    )
    assert UEMapServe("Hill").getTerrainAltData(1, 1) == pytest.approx(top)


def test_a_third_point_between_pixels_takes_the_one_before(folder: Path) -> None:
    write_map(folder, numbers=[1000, 2000, 1000, -1000, 0, 0, 999.9, 1999.9, 200])
    # pixel (row 0, column 1): level 100, last is further: 900 levels are 800 cm
    assert UEMapServe("Hill").getTerrainAltData(0, 0) == pytest.approx(-100 * (8 / 9) / 100)


def test_twelve_numbers_place_the_map_on_the_earth(folder: Path) -> None:
    write_map(folder, numbers=[*PLAIN, 40.5, 116.5, 33.0])
    assert UEMapServe("Hill").GPS == [40.5, 116.5, 33.0]
    write_map(folder)
    assert UEMapServe("Hill").GPS is None


def test_points_row_by_row(folder: Path) -> None:
    write_map(folder)
    points = UEMapServe("Hill").outTerrainPoint()
    assert len(points) == 6
    assert points[0] == pytest.approx((-10, 0, 0))
    assert points[1] == pytest.approx((0, 0, -1))
    assert points[5] == pytest.approx((10, 20, -10))


def test_folders_in_order(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vendor = folder / "psp" / "CopterSim" / "external" / "map"
    own = folder / "own"
    for place, shift in ((vendor, 1), (own, 2)):
        place.mkdir(parents=True)
        write_map(place, numbers=[*PLAIN, shift, 0, 0])
    monkeypatch.setenv("PSP_PATH", str(folder / "psp"))
    assert UEMapServe("Hill").GPS == [1, 0, 0]
    monkeypatch.setenv("PYRFLY_MAPS", str(own))
    assert UEMapServe("Hill").GPS == [2, 0, 0]
    write_map(folder, numbers=[*PLAIN, 3, 0, 0])
    assert UEMapServe("Hill").GPS == [3, 0, 0]


def test_a_missing_map_says_where_it_was_looked_for(folder: Path) -> None:
    with pytest.raises(MapError, match=r"Nowhere\.txt"):
        UEMapServe("Nowhere")
    write_map(folder)
    (folder / "Hill.png").unlink()
    with pytest.raises(MapError, match=r"Hill\.png"):
        UEMapServe("Hill")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2,3", "9 or 12 numbers, got 3"),
        ("", "numbers separated by commas"),
        ("a,2,3,4,5,6,7,8,9", "numbers separated by commas"),
        ("nan,2,3,4,5,6,7,8,9", "finite"),
        ("5,2000,0,5,0,0,5,0,0", "differ"),
        ("1000,2000,0,-1000,0,0,5000,0,0", "third point"),
    ],
)
def test_bad_text(folder: Path, text: str, message: str) -> None:
    write_map(folder)
    (folder / "Hill.txt").write_text(text)
    with pytest.raises(MapError, match=message):
        UEMapServe("Hill")


def test_bad_pictures(folder: Path) -> None:
    write_map(folder)
    good = (folder / "Hill.png").read_bytes()
    for data in (b"", b"not a picture", good[: len(good) // 2]):
        (folder / "Hill.png").write_bytes(data)
        with pytest.raises(MapError, match=r"Hill\.png"):
            UEMapServe("Hill")
    Image.fromarray(np.zeros((2, 3), np.uint8)).save(folder / "Hill.png")
    with pytest.raises(MapError, match="16 bit grey"):
        UEMapServe("Hill")
    write_map(folder, levels=[[1, 2, 3]])
    with pytest.raises(MapError, match="2 rows"):
        UEMapServe("Hill")


def test_a_failed_load_keeps_the_map_before(folder: Path) -> None:
    write_map(folder)
    map_ = UEMapServe("Hill")
    with pytest.raises(MapError):
        map_.LoadPngData("Nowhere")
    assert map_.getTerrainAltData(10, 20) == pytest.approx(-10)


def test_heights_without_a_map(folder: Path) -> None:
    map_ = UEMapServe()
    assert (map_.PosOffsetX, map_.xMax, map_.GPS) == (0, 0, None)
    with pytest.raises(MapError, match="LoadPngData"):
        map_.getTerrainAltData(0, 0)
    assert map_.outTerrainPoint() == []


def test_a_place_that_is_not_finite(folder: Path) -> None:
    write_map(folder)
    with pytest.raises(ValueError, match="xin, yin"):
        UEMapServe("Hill").getTerrainAltData(math.nan, 0)


def test_ground_without_the_vendors_maps(folder: Path) -> None:
    assert isinstance(ground_of("Grasslands"), FlatGround)
    assert ground_of("").getTerrainAltData(5, 6) == 0
    with pytest.warns(UserWarning, match="OldFactory"):
        assert isinstance(ground_of("OldFactory"), FlatGround)
    write_map(folder)
    assert ground_of("Hill").getTerrainAltData(10, 20) == pytest.approx(-10)
    (folder / "Hill.txt").write_text("1")
    with pytest.raises(MapError):
        ground_of("Hill")
