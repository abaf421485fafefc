"""Begins and ends of faults in logs, and their columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import Log, Recorder, SensorRecorder, export_log
from pyrfly.log.columns import FAULT_COLUMNS
from pyrfly.log.flight_notes import texts_of

HALF: dict[str, Any] = {"kind": "motor", "actuator": 1, "effectiveness": 0.5}


def hovering(n: int = 1) -> Sim:
    """Return vehicles in hover."""
    sim = Sim("hex_x", n)
    sim.reset(pos=[[0, 9 * k, -20] for k in range(n)], hover=True)
    return sim


def events(recorder: Recorder) -> list[tuple[Any, ...]]:
    """Return what the log says of faults."""
    entries = recorder.log().metadata.get("faults", [])
    return [
        (pytest.approx(row["time"], abs=1e-6), row["copter_id"], row["event"], row["kind"])
        for row in entries
    ]


def test_times_are_those_of_faults_and_not_of_samples() -> None:
    sim = hovering(2)
    sim.faults.add(**HALF, ids=2, at=0.1003, duration=0.2)
    sim.faults.add("wind", ids=1, wind=[1, 2, 3], at=0.2051, duration=0.0032)  # between samples
    recorder = Recorder(sim, every=20)
    sim.run(0.5, record=recorder)
    assert events(recorder) == [
        (0.1003, 2, "begin", "motor"),
        (0.2051, 1, "begin", "wind"),
        (0.2083, 1, "end", "wind"),
        (0.3003, 2, "end", "motor"),
    ]
    first, second, *_ = recorder.log().metadata["faults"]
    assert (first["items"], first["values"]) == ([1], {"effectiveness": 0.5})
    assert (second["items"], second["values"]) == ([], {"wind": [1.0, 2.0, 3.0]})


def test_random_onsets_are_noted() -> None:
    sim = hovering(8)
    sim.faults.add(**HALF, rate=4.0)
    recorder = Recorder(sim, every=50)
    sim.run(1.0, record=recorder)
    drawn = {fault.copter_id: fault.onset for fault in sim.faults.list() if fault.onset <= 1}
    assert 2 <= len(drawn) <= 8
    found = {row["copter_id"]: row["time"] for row in recorder.log().metadata["faults"]}
    assert found == pytest.approx(drawn)


def test_a_reset_ends_faults_and_lets_them_begin_anew() -> None:
    sim = hovering(2)
    sim.faults.add(**HALF, at=0.1)
    recorder = Recorder(sim, every=20)
    sim.run(0.3, record=recorder)
    sim.reset(ids=2, pos=[0, 9, -20], hover=True)
    sim.run(0.3, record=recorder)
    ones = [event for event in events(recorder) if event[1] == 1]
    twos = [event for event in events(recorder) if event[1] == 2]
    assert ones == [(0.1, 1, "begin", "motor")]
    assert twos == [
        *((0.1, 2, "begin", "motor"), (0.3, 2, "end", "motor")),
        (0.4, 2, "begin", "motor"),
    ]


def test_what_began_before_a_reset_between_samples_is_noted() -> None:
    sim = hovering()
    sim.faults.add(**HALF, at=0.03, duration=0.03)
    recorder = Recorder(sim)
    sim.step(20)
    recorder.sample()
    sim.step(20)
    sim.reset(ids=1, pos=[0, 0, -20])
    sim.step(15)
    recorder.sample()
    assert events(recorder) == [(0.03, 1, "begin", "motor"), (0.04, 1, "end", "motor")]


def test_removed_and_replaced_faults_end() -> None:
    sim = hovering()
    sim.faults.add(**HALF)
    recorder = Recorder(sim)
    sim.run(0.1, record=recorder)
    sim.faults.clear()
    sim.faults.add("gusts", wind=[1, 0, 0], period=1.0)
    sim.run(0.1, record=recorder)
    expected = [(0.0, "begin", "motor"), (0.1, "end", "motor"), (0.1, "begin", "gusts")]
    assert [(time, what, kind) for time, _, what, kind in events(recorder)] == expected


def test_what_acts_already_is_noted_with_its_onset() -> None:
    sim = hovering()
    sim.faults.add(**HALF, at=0.1)
    sim.faults.add("wind", wind=[1, 0, 0], at=0.05, duration=0.05)
    sim.step(200)
    recorder = Recorder(sim)
    sim.run(0.1, record=recorder)
    assert events(recorder) == [(0.1, 1, "begin", "motor")]


def test_columns_label_every_sample() -> None:
    sim = hovering(2)
    sim.faults.add(**HALF, ids=2, at=0.1, ramp=0.2, duration=0.3)
    recorder = Recorder(sim, every=20)
    sim.run(0.5, record=recorder)
    log = recorder.log()
    updated = log.time - sim.faults.period  # the last update before a sample
    ramp = np.where(updated < 0.4 - 1e-9, np.clip((updated - 0.1) / 0.2, 0, 1), 0)
    share = log["fault_share"]
    np.testing.assert_allclose(share[:, 1, 0], ramp, atol=1e-9)
    assert not share[:, 0].any()
    assert not share[:, 1, 1:].any()
    assert (log["fault_kind"][:, 1, 0] == 1).all()
    np.testing.assert_allclose(log["fault_onset"][1:, 1, 0], 0.1)


def test_vehicles_without_faults_have_no_such_columns() -> None:
    sim = hovering()
    recorder = Recorder(sim)
    sim.run(0.02, record=recorder)
    assert not set(FAULT_COLUMNS) & set(recorder.log().columns)
    assert "faults" not in recorder.log().metadata


@pytest.mark.parametrize("name", ["", "folder"])
@pytest.mark.parametrize("steps", [1, 4, 100])
def test_columns_are_zero_before_the_first_fault(name: str, steps: int, tmp_path: Path) -> None:
    sim = hovering()
    folder = tmp_path / name if name else None
    recorder = Recorder(sim, every=20, folder=folder, chunk_samples=steps)
    sim.run(0.1, record=recorder)
    sim.faults.add(**HALF)
    sim.run(0.1, record=recorder)
    log = recorder.log()
    assert (log["fault_share"][:6, 0, 0] == 0).all()
    assert (log["fault_share"][7:, 0, 0] == 1).all()
    if folder is not None:
        recorder.close()
        read = Log.load(folder)
        np.testing.assert_array_equal(read["fault_share"], log["fault_share"])
        np.testing.assert_array_equal(read["fault_kind"], log["fault_kind"])
        assert [row["event"] for row in read.metadata["faults"]] == ["begin"]


@pytest.mark.parametrize(
    ("columns", "faults", "has"),
    [(["pos"], None, False), (None, False, False), (["pos"], True, True)],
)
def test_who_names_columns_gets_those(columns: Any, faults: Any, has: bool) -> None:
    sim = hovering()
    recorder = Recorder(sim, columns, faults=faults)
    sim.faults.add(**HALF)
    recorder.sample()
    assert ("fault_share" in recorder.log().columns) == has


def test_samples_of_sensors_have_labels() -> None:
    sim = hovering()
    sim.sensors.enable("imu", profile="px4")
    recorder = SensorRecorder(sim)
    sim.faults.add("sensor_noise", sensor="gyroscope", factor=50.0, at=0.5)
    sim.step(1000)
    log = recorder.logs()["imu"]
    share = log["fault_share"][:, 0, 0]
    assert log.time[share > 0].min() == pytest.approx(0.5, abs=1 / sim.sensors.rate)
    gyroscope = log["imu_gyro"][:, 0]
    assert gyroscope[share > 0].std() > 20 * gyroscope[share == 0].std()


def test_a_header_ahead_of_its_chunks_is_read(tmp_path: Path) -> None:
    sim = hovering()
    recorder = Recorder(sim, every=20, folder=tmp_path / "log", chunk_samples=2)
    sim.run(0.04, record=recorder)
    sim.faults.add(**HALF)
    sim.run(0.1, record=recorder)
    recorder.close()
    chunks = sorted((tmp_path / "log").glob("chunk-*"))
    for chunk in chunks[1:]:
        chunk.unlink()
    log = Log.load(tmp_path / "log")
    assert len(log) == 2
    assert not set(FAULT_COLUMNS) & set(log.columns)


def test_a_chunk_without_another_column_is_damaged(tmp_path: Path) -> None:
    sim = hovering()
    with Recorder(sim, folder=tmp_path / "log") as recorder:
        recorder.sample()
    chunk = tmp_path / "log" / "chunk-000000.npz"
    arrays = dict(np.load(chunk))
    del arrays["vel"]
    np.savez(chunk, **arrays)
    with pytest.raises(ValueError, match="damaged chunk"):
        Log.load(tmp_path / "log")


@pytest.mark.parametrize("name", ["log.npz", "log.parquet", "log.ulg", "log.csv", "folder"])
def test_files_keep_columns_and_events(name: str, tmp_path: Path) -> None:
    if name.endswith(("parquet", "csv")):
        pytest.importorskip("pyarrow")
    if name.endswith("ulg"):
        pytest.importorskip("pyulog")
    sim = hovering()
    sim.faults.add(**HALF, at=0.1)
    path = tmp_path / name
    recorder = Recorder(sim, every=20, folder=path if name == "folder" else None)
    with recorder:
        sim.run(0.2, record=recorder)
    log = recorder.log()
    if name.endswith("ulg"):
        export_log(log, path)
    elif name != "folder":
        log.save(path)
    read = Log.load(path)
    np.testing.assert_array_equal(read["fault_share"], log["fault_share"])
    np.testing.assert_array_equal(read["fault_kind"], log["fault_kind"])
    if not name.endswith(("ulg", "csv")):
        assert read.metadata["faults"] == log.metadata["faults"]


def test_ulog_files_have_them_as_messages(tmp_path: Path) -> None:
    pyulog = pytest.importorskip("pyulog")
    sim = hovering(2)
    sim.sensors.enable("imu")
    sim.faults.add(**HALF, ids=2, at=0.1, duration=0.05)
    sim.faults.add("sensor_bias", ids=2, sensor="gyroscope", bias=[0, 0, 1], at=0.12)
    recorder = Recorder(sim)
    sim.run(0.3, record=recorder)
    export_log(recorder.log(), tmp_path / "log.ulg", copter_id=2)
    messages = pyulog.ULog(str(tmp_path / "log.ulg")).logged_messages
    assert [(m.timestamp, m.message) for m in messages] == [
        (100_000, "Fault begins: motor 1, effectiveness 0.5"),
        (120_000, "Fault begins: sensor_bias gyroscope, bias 0 0 1"),
        (150_000, "Fault ends: motor 1, effectiveness 0.5"),
    ]


ENTRY = {
    "time": 0.1,
    "event": "begin",
    "copter_id": 1,
    "kind": "motor",
    "items": [1],
    "values": {"effectiveness": 0.5},
}


@pytest.mark.parametrize(
    "entries",
    [
        *(3, [3], [{"copter_id": 1, "time": 0.1}], [{**ENTRY, "time": "x"}]),
        *([{**ENTRY, "items": None}], [{**ENTRY, "values": 3}]),
        [{**ENTRY, "values": {"effectiveness": "x"}}],
    ],
)
def test_damaged_entries_are_refused(entries: Any) -> None:
    recorder = Recorder(hovering())
    recorder.sample()
    log = recorder.log()
    log.metadata["faults"] = entries
    with pytest.raises(ValueError, match="faults: expected"):
        texts_of(log, 1)


def test_faults_that_are_renewed_between_samples_are_noted() -> None:
    """As by a script that injects at every packet, before each sample."""
    sim = Sim("x450")
    recorder = Recorder(sim)
    for k in range(50):
        sim.faults.clear()
        sim.faults.add("wind", wind=[1 + k, 0, 0])
        recorder.sample()
        sim.step(20)
    entries = recorder.log().metadata["faults"]
    assert [row["event"] for row in entries] == ["begin", *["end", "begin"] * 49]
    assert [row["values"]["wind"][0] for row in entries[::2]] == list(range(1, 51))
    times = [row["time"] for row in entries]
    np.testing.assert_allclose(times[::2], 0.02 * np.arange(50), atol=1e-9)
    np.testing.assert_allclose(times[1::2], times[2::2], atol=1e-9)
