"""Recording a simulation, and logs in files."""

import json
import sys

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

from pyrfly import MissingExtraError, ShapeError, Sim, _core
from pyrfly.log import Log, Recorder, component_names


def flown(columns=("pos", "throttle", "armed"), seconds=0.1, every=20, ids=None) -> Log:
    """Return a log of two vehicles that fall."""
    sim = Sim("x450", 2)
    sim.reset(pos=[[0, 0, -50], [1, 2, -60]])
    recorder = Recorder(sim, columns, every, ids)
    sim.run(seconds, record=recorder)
    return recorder.log()


def test_samples_are_what_the_columns_held_at_those_times():
    sim = Sim("x450")
    sim.reset(pos=(0, 0, -50))
    recorder = Recorder(sim, ("pos", "vel"), every=10)
    sim.run(0.1, record=recorder)
    log = recorder.log()
    again = Sim("x450")
    again.reset(pos=(0, 0, -50))
    np.testing.assert_allclose(log.time, np.arange(11) * 0.01, atol=1e-12)
    for sample in range(11):
        np.testing.assert_array_equal(log["pos"][sample], again.pos)
        np.testing.assert_array_equal(log["vel"][sample], again.vel)
        again.step(10)


def test_shapes_follow_vehicles_and_width():
    log = flown()
    assert log["pos"].shape == (6, 2, 3)
    assert log["throttle"].shape == (6, 2, 4)
    assert log["armed"].shape == (6, 2)
    assert log.units == {"pos": "m", "throttle": "1", "armed": "bool"}


def test_the_last_sample_is_the_end_even_between_two():
    assert flown(seconds=0.05, every=20).time[-1] == pytest.approx(0.05)


def test_only_chosen_vehicles_are_recorded_in_the_order_asked_for():
    log = flown(ids=[2, 1])
    assert log.copter_ids.tolist() == [2, 1]
    np.testing.assert_array_equal(log["pos"][0], [[1, 2, -60], [0, 0, -50]])


def test_outputs_are_recorded_like_columns():
    log = flown(("specific_force", "euler"))
    assert np.abs(log["specific_force"][0]).max() < 0.1  # free fall, before drag


def test_a_mixed_fleet_is_recorded_together_where_widths_agree():
    sim = Sim({"x450": 1, "hex_x": 2})
    recorder = Recorder(sim, ("pos", "mass"))
    recorder.sample()
    np.testing.assert_array_equal(recorder.log()["mass"][0], sim.mass)
    with pytest.raises(ValueError, match="columns: rotor_speed has"):
        Recorder(sim, ("rotor_speed",))


def test_a_second_sample_of_a_moment_replaces_the_first():
    sim = Sim("x450")
    recorder = Recorder(sim, ("pos",))
    recorder.sample()
    sim.pos[:] = [1, 2, 3]
    recorder.sample()
    assert len(recorder) == 1
    np.testing.assert_array_equal(recorder.log()["pos"][0, 0], [1, 2, 3])


def test_many_samples_outgrow_a_chunk():
    sim = Sim("x450")
    recorder = Recorder(sim, ("pos",), every=1)
    sim.run(5.0, record=recorder)
    log = recorder.log()
    assert len(log) == 5001
    assert np.all(np.diff(log.time) > 0)


def test_time_that_goes_back_needs_a_new_recorder():
    sim = Sim("x450")
    recorder = Recorder(sim)
    sim.run(0.1, record=recorder)
    sim.reset()
    with pytest.raises(RuntimeError, match="time went back"):
        recorder.sample()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"columns": ("poss",)}, "no column 'poss'; try pos"),
        ({"columns": ()}, "columns: expected names"),
        ({"columns": ("pos", "pos")}, "columns: expected names, each once"),
        ({"every": 0}, "every: expected"),
        ({"every": 1.5}, "every: expected"),
        ({"ids": [3]}, "ids: expected CopterIDs from 1 to 2"),
        ({"ids": [1, 1]}, "ids: expected CopterIDs, each once"),
    ],
)
def test_bad_recorders_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Recorder(Sim("x450", 2), **arguments)


def test_run_refuses_a_foreign_recorder_and_bad_times():
    sim = Sim("x450")
    with pytest.raises(ValueError, match="record: expected"):
        sim.run(1, record=Recorder(Sim("x450")))
    for seconds in (-1, float("nan"), float("inf"), "1"):
        with pytest.raises(ValueError, match="seconds: expected"):
            sim.run(seconds)


def test_run_takes_whole_steps_for_the_time_asked():
    sim = Sim("x450", dt=2e-3)
    sim.run(0.5)
    assert sim.time == pytest.approx(0.5)
    assert sim.groups[0].batch.tick == 250


# --- files ---


def test_npz_brings_everything_back(tmp_path):
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
    for name in log.columns:
        np.testing.assert_array_equal(back[name], log[name])
        assert back[name].dtype == log[name].dtype


def check_table(table, log):
    assert table.column_names[:5] == ["time", "copter_id", "pos_north", "pos_east", "pos_down"]
    assert table.num_rows == len(log) * 2
    np.testing.assert_array_equal(table["copter_id"].to_numpy()[:4], [1, 2, 1, 2])
    np.testing.assert_array_equal(table["time"].to_numpy()[::2], log.time)
    np.testing.assert_array_equal(table["pos_down"].to_numpy()[1::2], log["pos"][:, 1, 2])
    np.testing.assert_array_equal(table["throttle_4"].to_numpy()[::2], log["throttle"][:, 0, 3])


def test_parquet_is_a_long_table_with_units(tmp_path):
    log = flown()
    log.save(tmp_path / "a.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "a.parquet")
    check_table(table, log)
    assert table.schema.field("pos_north").metadata[b"unit"] == b"m"
    assert table.schema.field("pos_north").metadata[b"frame"] == b"NED"


def test_csv_is_the_same_table_as_text(tmp_path):
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


def test_unknown_suffix_and_missing_folder_are_named(tmp_path):
    log = flown()
    with pytest.raises(ValueError, match=r"path: expected \.npz, \.parquet, \.csv as suffix"):
        log.save(tmp_path / "a.xls")
    with pytest.raises(FileNotFoundError, match="path: there is no folder"):
        log.save(tmp_path / "nowhere" / "a.npz")


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 broken"])
def test_what_is_no_log_is_refused(content, tmp_path):
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"expected a log that Log\.save wrote"):
        Log.load(path)


def test_another_npz_is_refused(tmp_path):
    np.savez(tmp_path / "a.npz", time=np.zeros(3))
    with pytest.raises(ValueError, match=r"expected a log that Log\.save wrote"):
        Log.load(tmp_path / "a.npz")


def test_another_format_version_is_refused_by_both_names(tmp_path):
    path = tmp_path / "a.npz"
    flown().save(path)
    arrays = dict(np.load(path))
    header = json.loads(str(arrays["header"]))
    arrays["header"] = np.array(json.dumps({**header, "format": 99}))
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=r"format version 1, got version 99"):
        Log.load(path)


def test_a_pickle_is_not_run(tmp_path):
    np.savez(tmp_path / "a.npz", header=np.array({"format": 1}, dtype=object))
    with pytest.raises(ValueError, match=r"expected a log that Log\.save wrote"):
        Log.load(tmp_path / "a.npz")


def test_arrays_that_do_not_fit_are_refused():
    log = flown()
    with pytest.raises(ShapeError, match=r"pos: expected shape \(6, 2, 3\), got \(5, 2, 3\)"):
        Log(log.time, log.copter_ids, {"pos": log["pos"][:5]}, {"pos": log.fields["pos"]})
    with pytest.raises(KeyError, match="no column 'poss'; try pos"):
        log["poss"]


@pytest.mark.parametrize(("suffix", "package"), [("parquet", "pyarrow"), ("csv", "pyarrow")])
def test_a_missing_extra_is_named(suffix, package, tmp_path, monkeypatch):
    for module in (package, f"{package}.parquet", f"{package}.csv"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pyrfly\[log\]'"):
        flown().save(tmp_path / f"a.{suffix}")


def test_a_missing_progress_bar_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(MissingExtraError, match=r"a progress bar needs tqdm.*pyrfly\[log\]"):
        Sim("x450").run(0.1, progress=True)


def test_the_progress_bar_counts_simulated_time(capsys):
    sim = Sim("x450")
    sim.run(0.3, progress=True)
    assert "0.3/0.3 s simulated" in capsys.readouterr().err
    assert sim.time == pytest.approx(0.3)
