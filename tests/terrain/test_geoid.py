"""Heights of the geoid, by grids of PROJ."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from pyrfly.cli import main
from pyrfly.errors import MapError, MissingExtraError
from pyrfly.log import Log
from pyrfly.terrain import geoid_height

pytest.importorskip("rasterio")


@pytest.fixture
def grid(tmp_path):
    """Return a grid of the earth that rises by 1 m per 15 degrees of latitude, 0 at the equator.

    The format is PROJ's GTX: south-west corner and steps [deg, float64], rows, columns (int32), and
    heights [m, float32] from the south, big endian.
    """
    path = tmp_path / "tilted grid.gtx"
    heights = np.repeat(np.arange(-6.0, 7.0), 25).astype(">f4")
    path.write_bytes(struct.pack(">ddddii", -90.0, -180.0, 15.0, 15.0, 13, 25) + heights.tobytes())
    return path


def test_heights_are_those_of_the_grid_and_between_its_points(grid):
    found = geoid_height([[0.0, 15.0], [-30.0, 22.5]], 8.0, str(grid))
    np.testing.assert_allclose(found, [[0.0, 1.0], [-2.0, 1.5]], atol=1e-5)


def test_a_model_that_proj_does_not_have_is_named_with_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "pyrfly.terrain.geoid.GEOIDS", {"egm96": ("us_nga_no_such_grid.tif", "no_such.gtx")}
    )
    with pytest.raises(MapError, match=r"us_nga_no_such_grid\.tif, no_such\.gtx, .*proj_data|PROJ"):
        geoid_height(47.0, 8.0)


@pytest.mark.parametrize(
    ("name", "told"), [("egm97", "egm96"), ("no.gtx", "found none: no.gtx"), ("egm2009", "egm2008")]
)
def test_an_unknown_model_is_refused(name, told):
    with pytest.raises(MapError, match=f"geoid: expected .*{told}"):
        geoid_height(47.0, 8.0, name)


def test_rasterio_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rasterio", None)
    with pytest.raises(MissingExtraError, match=r"geoid needs rasterio.*pyrfly\[geotiff\]"):
        geoid_height(47.0, 8.0)


def test_a_flight_starts_as_high_above_the_ellipsoid_as_home_is_above_sea_level(grid, tmp_path):
    plan = tmp_path / "up.csv"
    plan.write_text("x,y,z\n0,0,-2\n")
    arguments = ["fly", str(plan), "--home", "30,8,100", "--no-plot", "--out", str(tmp_path)]
    assert main([*arguments, "--geoid", str(grid)]) == 0
    log = Log.load(tmp_path / "up-x450.npz")
    assert log.metadata["origin"] == pytest.approx([30.0, 8.0, 102.0])
    assert log["pos"][0, 0] == pytest.approx([0.0, 0.0, 0.0])


def test_tracks_for_maps_are_above_sea_level_again(grid, tmp_path):
    place = np.zeros((1, 1, 3))
    fields = {"pos": Log.load(_recorded(tmp_path)).fields["pos"]}
    log = Log(np.zeros(1), np.array([1]), {"pos": place}, fields, {"origin": [30.0, 8.0, 102.0]})
    log.save(tmp_path / "a.npz")
    arguments = ["export", str(tmp_path / "a.npz"), "--format", "kml", "--geoid", str(grid)]
    assert main(arguments) == 0
    assert "8.000000000,30.000000000,100.000" in (tmp_path / "a.kml").read_text()


def _recorded(folder):
    from pyrfly import Sim
    from pyrfly.log import Recorder

    recorder = Recorder(Sim("x450"))
    recorder.sample()
    recorder.log().save(folder / "b.npz")
    return folder / "b.npz"
