"""Logs in memory and in files."""

import json
import os
import struct
import subprocess
import sys
import zipfile

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

from pyrfly import MissingExtraError, ShapeError, Sim, _core
from pyrfly.log import Log, component_names


def test_npz_brings_everything_back(flown, tmp_path):
    log = flown()
    log.metadata["note"] = "windy"
    log.save(tmp_path / "a.npz")
    back = Log.load(tmp_path / "a.npz")
    np.testing.assert_array_equal(back.time, log.time)
    np.testing.assert_array_equal(back.copter_ids, log.copter_ids)
    assert back.fields == log.fields
    assert back.metadata == log.metadata
    layout = _core.Batch("quad_x", 1).layout_version
    about = {"name": "x450", "family": "multirotor", "layout": layout, "first_id": 1, "n": 2}
    assert back.metadata["vehicles"] == [about]
    assert "nothing" not in back
    for name in log.columns:
        assert name in back
        np.testing.assert_array_equal(back[name], log[name])
        assert back[name].dtype == log[name].dtype


def check_table(table, log):
    assert table.column_names[:5] == ["time", "copter_id", "pos_north", "pos_east", "pos_down"]
    assert table.num_rows == len(log) * 2
    np.testing.assert_array_equal(table["copter_id"].to_numpy()[:4], [1, 2, 1, 2])
    np.testing.assert_array_equal(table["time"].to_numpy()[::2], log.time)
    np.testing.assert_array_equal(table["pos_down"].to_numpy()[1::2], log["pos"][:, 1, 2])
    np.testing.assert_array_equal(table["throttle_4"].to_numpy()[::2], log["throttle"][:, 0, 3])


def test_parquet_is_a_long_table_with_units(flown, tmp_path):
    log = flown()
    log.save(tmp_path / "a.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "a.parquet")
    check_table(table, log)
    assert table.schema.field("pos_north").metadata[b"unit"] == b"m"
    assert table.schema.field("pos_north").metadata[b"frame"] == b"NED"


def test_csv_is_the_same_table_as_text(flown, tmp_path):
    log = flown()
    log.save(tmp_path / "a.csv")
    check_table(pyarrow.csv.read_csv(tmp_path / "a.csv"), log)


def test_component_names_say_what_they_are():
    names = {f.name: component_names(f) for f in Sim("x450").fields()}
    assert names["pos"] == ("pos_north", "pos_east", "pos_down")
    assert names["rate"] == ("rate_x", "rate_y", "rate_z")
    assert names["att"] == ("att_w", "att_x", "att_y", "att_z")
    assert names["euler"] == ("euler_roll", "euler_pitch", "euler_yaw")
    assert names["inertia"][3] == "inertia_xy"
    assert names["throttle"] == ("throttle_1", "throttle_2", "throttle_3", "throttle_4")
    assert names["mass"] == ("mass",)


def test_unknown_suffix_and_missing_folder_are_named(flown, tmp_path):
    log = flown()
    with pytest.raises(ValueError, match="path: expected"):
        log.save(tmp_path / "a.xls")
    with pytest.raises(FileNotFoundError, match="path: expected an existing folder"):
        log.save(tmp_path / "nowhere" / "a.npz")


LIMITED = """
import resource, signal, sys
from pyrfly import Sim
from pyrfly.log import Recorder, export_log, plot_flight

sim = Sim("x450")
recorder = Recorder(sim, ("pos", "vel", "att"), every=1)
sim.run(0.5, record=recorder)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, 3_000))
name = sys.argv[1]
write = {"save": recorder.log().save, "export": lambda n: export_log(recorder.log(), n),
         "plot": lambda n: plot_flight(recorder.log(), None, n)}[sys.argv[2]]
try:
    write(name)
except OSError:
    print("refused")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "how"),
    [
        *((f"a.{suffix}", "save") for suffix in ("npz", "parquet", "csv")),
        *((f"a.{suffix}", "export") for suffix in ("csv", "kml", "ulg")),
        ("a.png", "plot"),
    ],
)
def test_a_write_that_fails_leaves_the_former_file(name, how, tmp_path):
    """The system refuses to write more than 3 kB to a file, as a full disk would."""
    (tmp_path / name).write_text("the former one")
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path / name), how],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("refused\n", 0), done.stderr
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [
        (name, "the former one")
    ]


def test_a_link_to_a_file_stays_one(flown, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "a.npz").symlink_to(tmp_path / "there" / "b.npz")
    flown().save(tmp_path / "a.npz")
    assert (tmp_path / "a.npz").is_symlink()
    assert len(Log.load(tmp_path / "there" / "b.npz")) == len(Log.load(tmp_path / "a.npz"))


def test_a_data_frame_is_the_long_table_with_units(flown):
    log = flown()
    frame = log.to_pandas()
    assert frame.index.names == ["time", "copter_id"]
    assert len(frame) == 2 * len(log)
    assert frame.loc[(log.time[3], 2), "pos_down"] == log["pos"][3, 1, 2]
    assert frame["armed"].dtype == log["armed"].dtype
    assert frame.attrs["units"]["pos_north"] == "m"


def test_pandas_that_is_missing_is_named(flown, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"a data frame needs pandas.*pyrfly\[pandas\]"):
        flown().to_pandas()


@pytest.mark.parametrize("content", [b"", b"hello", b'{"fileType": "Plan"}', b"\x93NUMPY"])
def test_what_is_no_log_is_refused(content, tmp_path):
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"expected an \.npz file of Log\.save, got") as caught:
        Log.load(path)
    assert str(caught.value).endswith("got another kind of file")  # and no advice to unpickle it


def test_another_npz_is_refused(tmp_path):
    np.savez(tmp_path / "a.npz", time=np.zeros(3))
    with pytest.raises(ValueError, match=r"expected an \.npz file of Log\.save"):
        Log.load(tmp_path / "a.npz")


def test_another_format_version_is_refused_by_both_names(flown, tmp_path):
    path = tmp_path / "a.npz"
    flown().save(path)
    arrays = dict(np.load(path))
    header = json.loads(str(arrays["header"]))
    arrays["header"] = np.array(json.dumps({**header, "format": 99}))
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=r"format version 1, got version 99"):
        Log.load(path)


FIELD = ["armed", 1, "flag", "1", "", "whether armed"]
TIMES = [0.0, 0.1, 0.2]


@pytest.mark.parametrize(
    "wrong",
    [
        {"format": True},
        {"metadata": 3},
        {"metadata": None},
        {"fields": [[]]},
        {"fields": [FIELD, FIELD]},
        {"fields": [["armed", 3.0, *FIELD[2:]]]},
        {"fields": [["armed", True, *FIELD[2:]]]},
        {"fields": [["armed", 0, *FIELD[2:]]]},
        {"fields": [[*FIELD[:3], None, "", ""]]},
        {"time": np.full(3, np.nan)},
        {"time": np.array([0.0, 0.2, 0.1])},
        {"time": np.array([0.0, 0.1, 0.1])},
        {"time": np.array(TIMES, complex)},
        {"copter_ids": np.array([1.5, np.nan])},
        {"copter_ids": np.array(["a", "b"])},
        {"copter_ids": np.array([-1, -1])},
        {"copter_ids": np.array([2, 2])},
        {"armed": np.full((3, 2), "text")},
    ],
    ids=repr,
)
def test_a_file_with_other_contents_is_refused(wrong, tmp_path):
    def save(changes):
        arrays = {
            "time": np.array(TIMES),
            "copter_ids": np.array([1, 2]),
            "armed": np.zeros((3, 2)),
        }
        header = {"format": 1, "fields": [FIELD], "metadata": {}}
        for name, value in changes.items():
            (arrays if name in arrays else header)[name] = value
        np.savez(tmp_path / "a.npz", header=np.array(json.dumps(header)), **arrays)

    save({})
    assert len(Log.load(tmp_path / "a.npz")) == 3
    save(wrong)
    with pytest.raises(ValueError, match=r"expected an \.npz file of Log\.save"):
        Log.load(tmp_path / "a.npz")


def npy(shape):
    """Return the bytes of an array file that claims a shape, without data."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param({"flags": 1}, id="encrypted"),
        pytest.param({"method": 99}, id="unknown compression"),
        pytest.param({"method": zipfile.ZIP_DEFLATED}, id="zlib"),
        pytest.param({"method": zipfile.ZIP_LZMA}, id="lzma"),
        pytest.param({"header": np.array("[" * 100_000)}, id="deep JSON"),
        pytest.param({"time": npy((10**13,))}, id="72 TiB"),
    ],
)
def test_a_damaged_file_is_refused(damage, flown, tmp_path):
    path = tmp_path / "a.npz"
    flown().save(path)
    content = dict(np.load(path)) | {k: v for k, v in damage.items() if isinstance(v, np.ndarray)}
    np.savez(path, **content)
    with zipfile.ZipFile(path) as old:
        files = {name: old.read(name) for name in old.namelist()}
    files |= {f"{k}.npy": v for k, v in damage.items() if isinstance(v, bytes)}
    with zipfile.ZipFile(path, "w") as new:
        for name, data in files.items():
            new.writestr(name, data)
    raw = bytearray(path.read_bytes())
    for signature, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = -1
        while (at := raw.find(signature, at + 1)) >= 0:
            raw[at + flags] |= damage.get("flags", 0)
            if "method" in damage:
                raw[at + flags + 2] = damage["method"]
    path.write_bytes(raw)
    with pytest.raises(ValueError, match=r"expected an \.npz file of Log\.save"):
        Log.load(path)


def test_what_the_header_does_not_name_is_not_read(flown, tmp_path):
    path = tmp_path / "a.npz"
    log = flown()
    log.save(path)
    np.savez(path, **np.load(path), more=np.array({}, dtype=object))
    assert Log.load(path).columns.keys() == log.columns.keys()


def test_what_expands_to_much_more_than_its_file_is_refused(flown, tmp_path, monkeypatch):
    monkeypatch.setattr("pyrfly.log.untrusted._SMALL", 1000)
    path = tmp_path / "a.npz"
    flown().save(path)
    np.savez_compressed(path, **np.load(path))
    Log.load(path)
    np.savez_compressed(path, **np.load(path), more=np.zeros(1_000_000))
    with pytest.raises(ValueError, match=r"a\.npz: .*: arrays of at most \d+ MB, got 8 MB"):
        Log.load(path)


def test_a_place_before_the_begin_of_a_file_is_told_as_damage(flown, tmp_path):
    path = tmp_path / "a.npz"
    flown().save(path)
    data = bytearray(path.read_bytes())
    at = data.rfind(b"PK\5\6")
    data[at + 16 : at + 20] = struct.pack("<I", len(data) + 2**20)  # begin of the directory
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"a\.npz: expected an \.npz file"):
        Log.load(path)


def test_a_pickle_is_not_run(tmp_path):
    np.savez(tmp_path / "a.npz", header=np.array({"format": 1}, dtype=object))
    words = (
        r"expected an \.npz file of Log\.save: header: an array that is damaged, or of Python ob"
    )
    with pytest.raises(ValueError, match=words):
        Log.load(tmp_path / "a.npz")


def test_arrays_that_do_not_fit_are_refused(flown):
    log = flown()
    with pytest.raises(ShapeError, match=r"pos: .*got \(5, 2, 3\)"):
        Log(log.time, log.copter_ids, {"pos": log["pos"][:5]}, {"pos": log.fields["pos"]})
    with pytest.raises(KeyError, match="no column 'poss'; try pos"):
        log["poss"]


@pytest.mark.parametrize(("suffix", "package"), [("parquet", "pyarrow"), ("csv", "pyarrow")])
def test_a_missing_extra_is_named(flown, suffix, package, tmp_path, monkeypatch):
    for module in (package, f"{package}.parquet", f"{package}.csv"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pyrfly\[log\]'"):
        flown().save(tmp_path / f"a.{suffix}")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
@pytest.mark.parametrize("kind", ["device", "fifo"])
def test_what_is_no_regular_file_is_not_read(kind, tmp_path):
    file = tmp_path / "a.npz"
    if kind == "fifo":
        os.mkfifo(file)
    else:
        file.symlink_to("/dev/zero")
    with pytest.raises(ValueError, match=r"an \.npz file of Log\.save: a regular file"):
        Log.load(file)


def test_a_header_without_columns_is_refused(flown, tmp_path):
    log = flown()
    header = {"format": 1, "fields": [], "metadata": {}}
    np.savez(
        tmp_path / "a.npz", header=json.dumps(header), time=log.time, copter_ids=log.copter_ids
    )
    with pytest.raises(ValueError, match="fields: expected at least one"):
        Log.load(tmp_path / "a.npz")


@pytest.mark.parametrize("copter_id", [0, 2**31, 2**62])
def test_a_copter_id_that_rflysim_cannot_have_is_refused(copter_id, flown):
    log = flown(ids=1)
    with pytest.raises(ValueError, match="copter_ids: expected CopterIDs 1 to 2147483647, got"):
        Log(log.time, np.array([copter_id]), log.columns, log.fields)


def test_times_that_are_whole_numbers_are_refused_for_their_type(flown):
    log = flown()
    with pytest.raises(ValueError, match=r"time: expected floating-point numbers .*, got int64"):
        Log(np.arange(len(log)), log.copter_ids, log.columns, log.fields)


@pytest.mark.parametrize("part", [12, -100])
def test_a_part_of_a_file_is_told_as_damaged(part, flown, tmp_path):
    path = tmp_path / "a.npz"
    flown().save(path)
    path.write_bytes(path.read_bytes()[:part])
    with pytest.raises(ValueError, match="a whole file, got a damaged one, or a part of one"):
        Log.load(path)
