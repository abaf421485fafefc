"""Exports for other programs: geodetic positions, KML, errors."""

import csv
import os
from xml.etree import ElementTree

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import EXPORTS, Log, Recorder, export_log

ORIGIN = (47.397742, 8.545594, 488.0)
RADIUS = 6_378_137.0  # m, equatorial, of WGS84


def fall(n=2, columns=("pos", "att", "armed")):
    sim = Sim("x450", n)
    sim.origin = ORIGIN
    sim.reset(pos=[[100, 200, -50]] * n)
    recorder = Recorder(sim, columns)
    sim.run(0.1, record=recorder)
    return recorder.log()


def test_a_table_has_geodetic_positions_before_the_columns(tmp_path):
    log = fall()
    export_log(log, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0])[:6] == ["time", "copter_id", "lat", "lon", "alt", "pos_north"]
    assert len(rows) == 2 * len(log)
    assert [row["copter_id"] for row in rows[:3]] == ["1", "2", "1"]
    np.testing.assert_allclose(
        [float(row["att_w"]) for row in rows[::2]], log["att"][:, 0, 0], rtol=0
    )
    # a small step on a sphere is within the ellipsoid's flattening of that on the ellipsoid
    north = np.radians(float(rows[0]["lat"]) - ORIGIN[0]) * RADIUS
    east = np.radians(float(rows[0]["lon"]) - ORIGIN[1]) * RADIUS * np.cos(np.radians(ORIGIN[0]))
    assert north == pytest.approx(100, rel=7e-3)
    assert east == pytest.approx(200, rel=7e-3)
    assert float(rows[0]["alt"]) == pytest.approx(538, abs=0.01)


def test_kml_has_a_track_per_vehicle(tmp_path):
    log = fall()
    export_log(log, tmp_path / "a.kml")
    space = {"k": "http://www.opengis.net/kml/2.2"}
    root = ElementTree.parse(tmp_path / "a.kml").getroot()
    names = [e.text for e in root.findall(".//k:Placemark/k:name", space)]
    assert names == ["vehicle 1", "vehicle 2"]
    line = root.find(".//k:LineString", space)
    assert line.find("k:altitudeMode", space).text == "absolute"
    points = [p.split(",") for p in line.find("k:coordinates", space).text.split()]
    assert len(points) == len(log)
    lon, lat, alt = map(float, points[-1])
    assert (lat, lon) == pytest.approx((47.398642, 8.548243), abs=2e-5)
    assert alt == pytest.approx(488 - log["pos"][-1, 0, 2], abs=0.01)


def test_another_origin_may_be_given(tmp_path):
    log = fall(1)
    del log.metadata["origin"]
    with pytest.raises(ValueError, match="origin: expected"):
        export_log(log, tmp_path / "a.csv")
    export_log(log, tmp_path / "a.csv", origin=(0, 0, 0))
    assert not (set(tmp_path.iterdir()) - {tmp_path / "a.csv"})


@pytest.mark.parametrize(
    ("name", "arguments", "error", "words"),
    [
        ("a.xls", {}, ValueError, "path: expected csv, kml, ulg as suffix"),
        ("a.ulg", {"copter_id": 7}, ValueError, "copter_id: expected one of"),
        ("a.kml", {"origin": (91, 0, 0)}, ValueError, "origin: expected latitude"),
        ("a.kml", {"origin": 7}, ValueError, "origin: expected latitude"),
    ],
)
def test_bad_arguments_are_named(name, arguments, error, words, tmp_path):
    with pytest.raises(error, match=words):
        export_log(fall(1), tmp_path / name, **arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", EXPORTS)
def test_a_log_without_samples_is_a_file_without_points(suffix, tmp_path):
    sim = Sim("x450")
    export_log(Recorder(sim, ("pos", "throttle")).log(), tmp_path / f"a.{suffix}")
    assert (tmp_path / f"a.{suffix}").stat().st_size > 10


def test_a_log_without_positions_is_refused(tmp_path):
    with pytest.raises(KeyError, match="no column 'pos'"):
        export_log(fall(1, ("att",)), tmp_path / "a.kml")


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble])
@pytest.mark.parametrize("suffix", EXPORTS)
def test_a_log_of_another_precision_is_exported(kind, suffix, tmp_path):
    log = fall(1)
    columns = {name: values.astype(kind) for name, values in log.columns.items()}
    export_log(
        Log(log.time, log.copter_ids, columns, log.fields, log.metadata), tmp_path / f"a.{suffix}"
    )
    assert (tmp_path / f"a.{suffix}").stat().st_size > 100


def test_a_kml_file_of_an_undecodable_name_is_valid(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.kml")
    export_log(fall(1), path)
    name = ElementTree.parse(path).getroot().find(".//{*}Document/{*}name")
    assert name.text == "caf\\udce9"


def test_a_table_without_positions_has_the_columns_alone(tmp_path):
    export_log(fall(1, ("att",)), tmp_path / "a.csv")
    head = (tmp_path / "a.csv").read_text().splitlines()[0]
    assert head == "time,copter_id,att_w,att_x,att_y,att_z"


@pytest.mark.parametrize("far", [1e300, np.inf, -2e9])
@pytest.mark.parametrize("suffix", EXPORTS)
def test_a_position_off_the_earth_is_refused(far, suffix, tmp_path):
    log = fall(1)
    log["pos"][1, 0, 2] = far
    with pytest.raises(ValueError, match=r"pos: expected positions up to 1e\+09 m, got"):
        export_log(log, tmp_path / f"a.{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("times", [(-1.0, 1.0), (0.0, 1e13)])
def test_times_that_ulog_cannot_count_are_refused(times, tmp_path):
    log = fall(1)
    log.time[:] = np.linspace(*times, len(log))
    export_log(log, tmp_path / "a.csv")
    with pytest.raises(ValueError, match=r"time: expected 0 to 1e\+12 s for ULog, got"):
        export_log(log, tmp_path / "a.ulg")


@pytest.mark.filterwarnings("error")
def test_what_is_too_large_for_the_types_of_px4_is_infinite(tmp_path):
    log = fall(1, ("pos", "vel", "att", "rate"))
    for name in ("vel", "att", "rate"):
        log[name][:] = 1e300
    export_log(log, tmp_path / "a.ulg")
    assert np.isinf(Log.load(tmp_path / "a.ulg")["vel"]).all()


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("suffix", EXPORTS)
def test_signaling_nan_of_a_file_is_nan(tmp_path, suffix):
    log = fall(n=1)
    pos = log["pos"].astype(np.float32)
    pos.view(np.uint32)[3] = 0x7FA00000
    arrays = {name: pos if name == "pos" else log[name] for name in log.columns}
    saved = Log(log.time, log.copter_ids, arrays, log.fields, log.metadata)
    saved.save(tmp_path / "a.npz")
    export_log(Log.load(tmp_path / "a.npz"), tmp_path / f"a.{suffix}")
    assert np.isnan(Log.load(tmp_path / "a.npz")["pos"][3]).all()
