"""Logs of every format that is written, and of PX4, are read."""

import json
import os
import struct
import sys
import time

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from pyrfly import MissingExtraError, Sim
from pyrfly.log import Log, Recorder, export_log

ORIGIN = (47.397742, 8.545594, 488.0)
COLUMNS = ("pos", "vel", "att", "rate", "euler", "throttle", "armed", "setpoint_mask", "wind")


@pytest.fixture(name="log", scope="module")
def log_fixture():
    """Return a log of two vehicles that fall, with different CopterIDs than rows."""
    sim = Sim("x450", 3)
    sim.origin = ORIGIN
    sim.reset(pos=[[0, 0, -50], [100, 2, -60], [1, 2, -3]], yaw=[0, 1, 2])
    sim.wind = [1, 2, 0]
    sim.arm(ids=2)
    recorder = Recorder(sim, COLUMNS, ids=[2, 3])
    sim.run(0.2, record=recorder)
    return recorder.log()


def saved(log, path):
    log.save(path)
    return Log.load(path)


def test_a_parquet_table_is_the_log(log, tmp_path):
    found = saved(log, tmp_path / "a.parquet")
    assert (found.fields, found.metadata) == (log.fields, log.metadata)
    for name, values in log.columns.items():
        np.testing.assert_array_equal(found[name], values)
        assert found[name].dtype == values.dtype
    np.testing.assert_array_equal(found.time, log.time)
    np.testing.assert_array_equal(found.copter_ids, [2, 3])


@pytest.mark.parametrize("write", [Log.save, export_log])
def test_a_table_as_text_has_the_numbers_of_the_log(write, log, tmp_path):
    write(log, tmp_path / "a.csv")
    found = Log.load(tmp_path / "a.csv")
    assert found.fields == log.fields
    for name, values in log.columns.items():
        np.testing.assert_array_equal(found[name], values)
    np.testing.assert_array_equal(found.time, log.time)
    np.testing.assert_array_equal(found.copter_ids, [2, 3])
    assert found["armed"].dtype == np.uint32


def test_a_table_that_a_spreadsheet_saved_is_read(log, tmp_path):
    log.save(tmp_path / "a.csv")
    table = (tmp_path / "a.csv").read_bytes()
    (tmp_path / "b.csv").write_bytes(b"\xef\xbb\xbf" + table.replace(b"\n", b"\r\n"))
    np.testing.assert_array_equal(Log.load(tmp_path / "b.csv")["pos"], log["pos"])


def test_an_exported_table_has_its_origin(log, tmp_path):
    export_log(log, tmp_path / "a.csv")
    origin = Log.load(tmp_path / "a.csv").metadata["origin"]
    np.testing.assert_allclose(origin, ORIGIN, rtol=0, atol=1e-9)


def test_a_ulog_has_the_numbers_of_its_vehicle_in_its_precision(log, tmp_path):
    export_log(log, tmp_path / "a.ulg", copter_id=3)
    found = Log.load(tmp_path / "a.ulg")
    assert found.fields == {name: log.fields[name] for name in found.fields}
    assert set(found.fields) == set(log.fields)
    for name, values in log.columns.items():
        np.testing.assert_allclose(found[name], values[:, 1:], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(found.time, log.time, rtol=0, atol=1e-6)
    assert found.copter_ids.tolist() == [3]
    np.testing.assert_allclose(found.metadata["origin"], ORIGIN)


def test_a_column_that_the_core_does_not_know_is_a_number(tmp_path):
    (tmp_path / "a.csv").write_text("time,copter_id,my_value,pos_north\n0,1,3,4\n1,1,nan,6\n")
    log = Log.load(tmp_path / "a.csv")
    np.testing.assert_array_equal(log["my_value"], [[3], [np.nan]])
    np.testing.assert_array_equal(log["pos_north"], [[4], [6]])  # of no whole position


def test_a_parquet_table_of_others_is_read_by_its_names(tmp_path):
    table = {"time": [0.0, 0.5], "copter_id": [7, 7], "wind_north": [1, 2]}
    table |= {"wind_east": [3, 4], "wind_down": [5.0, 6.0]}
    pyarrow.parquet.write_table(pyarrow.table(table), tmp_path / "a.parquet")
    np.testing.assert_array_equal(Log.load(tmp_path / "a.parquet")["wind"][1, 0], [2, 4, 6])


def message(kind, content):
    return struct.pack("<Hc", len(content), kind.encode()) + content


def px4_log(path):
    """Write a log as of PX4: topics at times of their own [@px4-guide "ULog File Format"]."""
    topics = {
        "vehicle_local_position": ("float x;float y;float z", "<3f"),
        "vehicle_attitude": ("float[4] q", "<4f"),
        "actuator_armed": ("bool armed", "<?"),
    }
    samples = [
        (0, 1.0, (1, 2, -3)),
        (1, 1.5, (0, 1, 0, 0)),
        (0, 2.0, (4, 5, -6)),
        (1, 2.5, (0, 0, 1, 0)),
        (2, 2.6, (True,)),
        (0, 3.0, (7, 8, -9)),
    ]
    with path.open("wb") as stream:
        stream.write(b"ULog\x01\x125\x01" + struct.pack("<Q", 0) + message("B", bytes(40)))
        for name, (fields, _) in topics.items():
            stream.write(message("F", f"{name}:uint64_t timestamp;{fields};".encode()))
        for number, name in enumerate(topics):
            stream.write(message("A", struct.pack("<BH", 0, number) + name.encode()))
        for number, time, values in samples:
            form = list(topics.values())[number][1]
            head = struct.pack("<HQ", number, round(time * 1e6))
            stream.write(message("D", head + struct.pack(form, *values)))


def test_topics_of_px4_have_the_last_value_at_the_times_of_the_position(tmp_path):
    px4_log(tmp_path / "a.ulg")
    log = Log.load(tmp_path / "a.ulg")
    np.testing.assert_array_equal(log.time, [1, 2, 3])
    np.testing.assert_array_equal(log["pos"][:, 0], [[1, 2, -3], [4, 5, -6], [7, 8, -9]])
    np.testing.assert_array_equal(log["att"][:, 0], [[np.nan] * 4, [0, 1, 0, 0], [0, 0, 1, 0]])
    np.testing.assert_array_equal(log["armed"][:, 0], [0, 0, 1])
    assert "origin" not in log.metadata
    with pytest.raises(ValueError, match=r"origin: .*which the log does not have"):
        export_log(log, tmp_path / "a.kml")


@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_ulog_that_is_cut_off_in_an_unknown_message_ends(tmp_path, left):
    path = tmp_path / "a.ulg"
    px4_log(path)
    head = path.read_bytes()[: 16 + 3 + 40]
    path.write_bytes(head + struct.pack("<HB", left + 1, 0) + bytes(left))
    with pytest.raises(ValueError, match="a file that is not damaged"):
        Log.load(path)


WIDE = b"time,copter_id," + b",".join(b"x%d" % i for i in range(20_000)) + b"\n"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", b"", "columns time, copter_id"),
        ("a.csv", b"x,y,z\n1,2,3\n", "columns time, copter_id"),
        ("a.csv", b"time,copter_id,x\n0,1\n", "3 numbers a row, got 2"),
        ("a.csv", b"time,copter_id,x\n0,1,a\n", "a .csv table of a Log"),
        ("a.csv", b"time,copter_id,x,x\n0,1,2,2\n", "each column once"),
        ("a.csv", b"time,copter_id,x\n0,1,2\n0,2,3\n1,1,2\n", "a row per time and CopterID"),
        ("a.csv", b"time,copter_id,x\n0,1,2\n1,2,3\n", "the same CopterIDs at each time"),
        ("a.csv", b"time,copter_id,x\n0,1,2\n0,1,3\n", "each once"),
        ("a.csv", b"time,copter_id,x\n1,1,2\n0,1,3\n", "increasing"),
        (
            "a.csv",
            b"time,copter_id,x\n0,nan,2\n",
            "copter_id: whole numbers below 2^32, got nan",
        ),
        ("a.csv", b"time,copter_id,x\n0,1,2\n1,1.5,2\n", "got 1.5 in row 2"),
        ("a.csv", b"time,copter_id,armed\n0,1,-1\n", "armed: whole numbers below 2^32, got -1 in"),
        ("a.csv", b"time,copter_id,armed\n0,1,0\n0,2,1e99\n", "got 1e+99 in row 2"),
        ("a.csv", WIDE, "at most 10000 columns, got 20000"),
        ("a.csv", b"time,copter_id,x\n0,2147483648,2\n", "CopterIDs 1 to 2147483647"),
        ("a.csv", b"\xff\xfe", "a .csv table of a Log"),
        ("a.parquet", b"PAR1", "a .parquet table of a Log"),
        ("a.ulg", b"ULog", "a ULog file"),
        ("a.ulg", b"no ULog at all, by far", "a ULog file"),
    ],
)
def test_what_is_no_log_is_refused(name, content, words, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"{name}: expected a ") as caught:
        Log.load(path)
    assert words in str(caught.value)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "ulg"])
def test_what_is_no_regular_file_is_refused(suffix, tmp_path):
    path = tmp_path / f"a.{suffix}"
    os.mkfifo(path)
    with pytest.raises(ValueError, match="a regular file"):
        Log.load(path)


def test_a_parquet_file_that_expands_to_very_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("pyrfly.log.untrusted._SMALL", 1000)
    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"x": np.zeros(1000)}), path)
    monkeypatch.setattr("pyrfly.log.untrusted._EXPANSION", 1)
    with pytest.raises(ValueError, match=r"arrays of at most \d+ MB"):
        Log.load(path)


AXES = {"time": [0.0, 1.0], "copter_id": [1, 1]}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["x" * 10**6] * 2, "string"),
        ([[1, 2], [3]], "list"),
        ([b"a", b"b"], "binary"),
        ([{"a": 1}, {"a": 2}], "struct"),
        (pyarrow.array([1, 2], pyarrow.timestamp("us")), "timestamp"),
        (pyarrow.array([1, 2], pyarrow.decimal128(5)), "decimal128"),
    ],
)
def test_a_column_that_is_no_number_is_not_decoded(values, kind, tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(pyarrow.table({**AXES, "a": values}), path)
    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "read", None)
    with pytest.raises(ValueError, match=rf"a\.parquet: .*'a': numbers, got '{kind}"):
        Log.load(path)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ([1], r"header: expected an object, got \[1\]"),
        ({"format": 1, "fields": 5, "metadata": {}}, "fields: expected rows of name"),
        ({"format": 1, "fields": [["a", 1]], "metadata": {}}, "fields: expected rows of name"),
        (
            {"format": 1, "fields": [["a", 10**12, "", "", "", ""]], "metadata": {}},
            "fields: expected at most 10000 components, got 1000000000000",
        ),
        (
            {"format": 1, "fields": [["a", 7, "", "", "", ""]], "metadata": {}},
            "fields: a width of 1, the columns, in all, got 7",
        ),
    ],
)
def test_a_header_that_does_not_fit_the_table_is_refused(header, words, tmp_path):
    path = tmp_path / "a.parquet"
    table = pyarrow.table({**AXES, "a": [1.0, 2.0]})
    table = table.replace_schema_metadata({b"pyrfly": json.dumps(header)})
    pyarrow.parquet.write_table(table, path)
    with pytest.raises(ValueError, match=rf"a\.parquet: .*{words}"):
        Log.load(path)


@pytest.mark.parametrize("stem", ["euler", "pos", "throttle"])
def test_thousands_of_numbered_columns_are_read_at_once(stem, tmp_path):
    numbers = dict.fromkeys((*range(1, 4000), *range(1, 9000, 2)))
    names = ",".join(f"{stem}_{number}" for number in numbers)
    (tmp_path / "a.csv").write_text(f"time,copter_id,{names}\n")
    begin = time.process_time()
    assert Log.load(tmp_path / "a.csv").columns
    assert time.process_time() - begin < 5.0


def test_damage_is_told_with_the_name_of_the_file(log, tmp_path):
    path = tmp_path / "a.parquet"
    log.save(path)
    data = bytearray(path.read_bytes())
    for at in range(4, len(data) // 3, 7):
        data[at] ^= 255
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"a\.parquet: expected a \.parquet table"):
        Log.load(path)


def test_pyulog_that_is_missing_is_named(log, tmp_path, monkeypatch):
    export_log(log, tmp_path / "a.ulg")
    monkeypatch.setitem(sys.modules, "pyulog", None)
    with pytest.raises(MissingExtraError, match=r"a \.ulg file needs pyulog.*pyrfly\[ulog\]"):
        Log.load(tmp_path / "a.ulg")
