"""Tables of other programs, whose columns a description maps."""

import math

import numpy as np
import pytest

from pyrfly.frames import LocalFrame, euler_of_quaternion, quaternion_of_euler
from pyrfly.log import read_flight_data

HOME = (47.0, 8.0, 400.0)
TIME = {"column": "t"}


def read(tmp_path, text, columns, copter_id=None, **more):
    path = tmp_path / "a.csv"
    path.write_text(text)
    return read_flight_data(path, copter_id, {"time": TIME, **more, "columns": columns})


@pytest.mark.parametrize(
    ("frame", "expected"),
    [("NED", (1, 2, 3)), ("ENU", (2, 1, -3)), ("NEU", (1, 2, -3)), ("NWU", (1, -2, -3))],
)
def test_vectors_come_from_their_frames(tmp_path, frame, expected):
    entry = {"columns": ["x", "y", "z"], "unit": "cm/s", "frame": frame}
    found = read(tmp_path, "t,x,y,z\n0,100,200,300\n1,100,200,300\n", {"vel": entry})
    np.testing.assert_allclose(found.columns["vel"].values[0], expected)


@pytest.mark.parametrize(("frame", "expected"), [("FLU", (1, -2, -3)), ("RFU", (2, 1, -3))])
def test_vectors_of_the_body_come_from_their_frames(tmp_path, frame, expected):
    entry = {"columns": [2, 3, 4], "unit": "g", "frame": frame}
    found = read(tmp_path, "t,x,y,z\n0,1,2,3\n", {"imu_accel": entry}).columns["imu_accel"]
    np.testing.assert_allclose(found.values[0], np.multiply(expected, 9.80665))


def test_attitudes_of_ros_are_those_of_the_simulation(tmp_path):
    """FLU to ENU, as of REP 103: level, the nose 30 degrees left of east."""
    yaw = math.radians(30)
    text = f"t,w,x,y,z\n0,{math.cos(yaw / 2)},0,0,{math.sin(yaw / 2)}\n"
    entry = {"columns": ["w", "x", "y", "z"], "frame": "FLU to ENU"}
    found = read(tmp_path, text, {"att": entry}).columns["att"].values
    np.testing.assert_allclose(np.degrees(euler_of_quaternion(found[0])), [0, 0, 60], atol=1e-12)


@pytest.mark.parametrize(("frame", "expected"), [("NED", (10, 20, 30)), ("ENU", (10, -20, 60))])
def test_euler_angles_are_attitudes(tmp_path, frame, expected):
    entry = {"columns": ["r", "p", "y"], "unit": "deg", "frame": frame}
    found = read(tmp_path, "t,r,p,y\n0,10,20,30\n", {"euler": entry}).columns["att"].values
    np.testing.assert_allclose(found[0], quaternion_of_euler(np.radians(expected)), atol=1e-12)


@pytest.mark.parametrize("origin", [HOME, None])
def test_places_are_local_positions(tmp_path, origin):
    lla = LocalFrame(*HOME).to_lla([[0.0, 0, 0], [100, -50, -20]])
    rows = "".join(
        f"{i},{a * 1e7:.3f},{o * 1e7:.3f},{h * 1e3}\n" for i, (a, o, h) in enumerate(lla)
    )
    entry = {"columns": ["a", "o", "h"], "unit": ["degE7", "degE7", "mm"], "frame": "geodetic"}
    more = {"origin": list(origin)} if origin else {}
    found = read(tmp_path, "t,a,o,h\n" + rows, {"gps_pos": entry}, **more)
    np.testing.assert_allclose(found.columns["gps_pos"].values[1], [100, -50, -20], atol=1e-4)
    assert found.origin == pytest.approx(HOME)


def test_times_increase_and_what_is_no_number_is_unknown(tmp_path):
    text = (
        "name;t;p\na;1000;5\nb;1000;6\nc;nan;9\nd;900;9\n\ne;1500;\nf;2000;none\ng;2500\nh;3000;7\n"
    )
    columns = {"barometer_pressure": {"column": "p", "unit": "hPa"}}
    time = {"column": "t", "unit": "ms"}
    found = read(tmp_path, text, columns, delimiter=";", time=time).columns["barometer_pressure"]
    np.testing.assert_array_equal(found.time, [1, 1.5, 2, 2.5, 3])
    np.testing.assert_array_equal(found.values, [600, np.nan, np.nan, np.nan, 700])


def test_vehicles_are_chosen_by_number(tmp_path):
    text = "t,id,x\n0,3,1\n0,4,2\n1,3,3\n1,4,4\n"
    columns, vehicle = {"my_value": {"column": "x"}}, {"column": "id"}
    found = read(tmp_path, text, columns, vehicle=vehicle)
    assert (found.copter_id, found.columns["my_value"].values.tolist()) == (3, [1, 3])
    assert read(tmp_path, text, columns, 4, vehicle=vehicle).columns["my_value"].values[0] == 2
    with pytest.raises(ValueError, match=r"a\.csv: .*vehicle: expected one of 3, 4, got 5"):
        read(tmp_path, text, columns, 5, vehicle=vehicle)


def test_a_folder_of_columns_without_names_as_of_rflysims_data_sets(tmp_path):
    """As RFlySimSafe has them: times in ms that repeat, angles in rad, a file each."""
    folder = tmp_path / "TrueData"
    folder.mkdir()
    (folder / "true_timestmp.csv").write_text("30274\n30274\n30290\n30304\n")
    (folder / "truedata_pos.csv").write_text("0,0,0\n1,2,-3\n4,5,-6\n7,8,-9\n1,1,1\n")
    (folder / "truedata_ang.csv").write_text("0,0,0\n0.1,0,0\n0.2,0,0\n0.3,0,0\n")
    description = tmp_path / "rflysim.toml"
    description.write_text(
        "header = false\n"
        '[time]\nfile = "true_timestmp.csv"\ncolumn = 1\nunit = "ms"\n'
        '[columns.pos]\nfile = "truedata_pos.csv"\ncolumns = [1, 2, 3]\n'
        '[columns.euler]\nfile = "truedata_ang.csv"\ncolumns = [1, 2, 3]\n'
    )
    found = read_flight_data(folder, mapping=description)
    np.testing.assert_allclose(found.columns["pos"].time, [30.274, 30.290, 30.304])
    np.testing.assert_array_equal(found.columns["pos"].values, [[1, 2, -3], [4, 5, -6], [7, 8, -9]])
    roll = euler_of_quaternion(found.columns["att"].values)[:, 0]
    np.testing.assert_allclose(roll, [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="a folder with 'true"):
        read_flight_data(folder / "truedata_pos.csv", mapping=description)


def test_rows_without_times_have_a_rate(tmp_path):
    found = read(tmp_path, "x\n1\n2\n3\n", {"my_value": {"column": "x"}}, time={"rate": 50})
    np.testing.assert_allclose(found.columns["my_value"].time, [0, 0.02, 0.04])


def test_names_in_quotes_may_have_blanks_and_delimiters(tmp_path):
    text = '"t", "current, total (mA)"\n0, 1500\n1, "2500"\n'
    columns = {"battery_current": {"column": "current, total (mA)", "unit": "mA"}}
    found = read(tmp_path, text, columns).columns["battery_current"]
    np.testing.assert_allclose(found.values, [1.5, 2.5])


def test_blanks_can_be_delimiters(tmp_path):
    text = "t  x\n0  1\n1  2\n"
    found = read(tmp_path, text, {"my_value": {"column": "x"}}, delimiter=" ")
    np.testing.assert_array_equal(found.columns["my_value"].values, [1, 2])


XYZ = {"columns": ["x", "y", "z"]}


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({"columns": {}}, "columns: expected tables such as"),
        ({"colums": {}}, "mapping: expected header, .*, got 'colums'"),
        ({"columns": {"pos": XYZ}}, "time: expected a column"),
        ({"time": TIME, "columns": {"pos": {"columns": ["x"]}}}, "columns.pos: expected 3 columns"),
        ({"time": TIME, "columns": {"position": XYZ}}, "such as pos"),
        ({"time": TIME, "columns": {"pos": {**XYZ, "frame": "XYZ"}}}, "frame: expected NED, ENU"),
        (
            {"time": TIME, "columns": {"pos": {**XYZ, "unit": "yd"}}},
            "unit: expected m, .* got 'yd'",
        ),
        ({"time": TIME, "columns": {"pos": {**XYZ, "unit": ["m"]}}}, "one for each column"),
        ({"time": TIME, "columns": {"pos": {**XYZ, "unit": 5}}}, "unit: expected a text"),
        (
            {"time": TIME, "columns": {"pos": {"columns": ["x", "y", 0]}}},
            "numbers from 1 on, got 0",
        ),
        (
            {"time": TIME, "columns": {"pos": {"columns": ["x", "y", 9]}}},
            "at least 9 columns, got 4",
        ),
        ({"time": TIME, "columns": {"pos": {"columns": ["x", "y", "q"]}}}, "one column named 'q'"),
        ({"time": TIME, "columns": {"pos": {**XYZ, "column": "x"}}}, "column, or columns"),
        ({"time": TIME, "columns": {"pos": {**XYZ, "file": "../a"}}}, "a name in the folder"),
        ({"time": TIME, "columns": {"pos": 5}}, "columns.pos: expected a table, got 5"),
        ({"time": {"column": "t", "unit": "h"}, "columns": {"pos": XYZ}}, "unit: expected s, ms"),
        ({"time": {"rate": 0}, "columns": {"pos": XYZ}}, "time.rate: expected rows a second"),
        ({"time": TIME, "origin": [1], "columns": {"pos": XYZ}}, "origin: expected latitude"),
        ({"time": TIME, "delimiter": "", "columns": {"pos": XYZ}}, "delimiter, skip: expected"),
        ({"time": TIME, "skip": 2**70, "columns": {"pos": XYZ}}, "a letter, and 0 to 10000"),
        ({"time": TIME, "header": 1, "columns": {"pos": XYZ}}, "header: expected true or false"),
    ],
)
def test_a_description_that_does_not_fit_is_refused(tmp_path, mapping, words):
    path = tmp_path / "a.csv"
    path.write_text("t,x,y,z\n0,1,2,3\n")
    with pytest.raises(ValueError, match=words):
        read_flight_data(path, mapping=mapping)


@pytest.mark.parametrize("text", ["", "t,x\n", "t,x\nnan,1\n", "\0\0\0", "t,t,x\n1,2,3\n"])
def test_a_table_without_times_is_refused(tmp_path, text):
    with pytest.raises(ValueError, match=r"a\.csv: expected a table as the mapping says"):
        read(tmp_path, text, {"my_value": {"column": "x"}})


def test_a_file_that_is_no_description_is_named(tmp_path):
    (tmp_path / "a.csv").write_text("t,x\n0,1\n")
    (tmp_path / "bad.toml").write_text("no toml")
    with pytest.raises(ValueError, match=r"bad\.toml: not a TOML file"):
        read_flight_data(tmp_path / "a.csv", mapping=tmp_path / "bad.toml")
    with pytest.raises(ValueError, match=r"none\.toml: cannot be read: No such file"):
        read_flight_data(tmp_path / "a.csv", mapping=tmp_path / "none.toml")
