"""Recordings on disk: complete chunks, whatever ends the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import Log, Recorder

RECORDING = """
import sys
from pyrfly import Sim
from pyrfly.log import Recorder

sim = Sim("x450", 2)
sim.reset(pos=(0, 0, -500))
sim.run(1e6, record=Recorder(sim, every=1, folder=sys.argv[1], chunk_samples=100))
"""


def recorded(folder: Path | None, seconds: float = 0.95, every: int = 10) -> Recorder:
    """Return the recorder of two vehicles that fall."""
    sim = Sim("x450", 2)
    sim.reset(pos=[[0, 0, -50], [1, 2, -60]])
    columns = ("pos", "throttle", "armed")
    recorder = Recorder(sim, columns, every, folder=folder, chunk_samples=16)
    sim.run(seconds, record=recorder)
    return recorder


def assert_equal(a: Log, b: Log) -> None:
    np.testing.assert_array_equal(a.time, b.time)
    np.testing.assert_array_equal(a.copter_ids, b.copter_ids)
    assert a.fields == b.fields
    assert a.metadata == b.metadata
    for name in a.columns:
        np.testing.assert_array_equal(a[name], b[name])
        assert a[name].dtype == b[name].dtype


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.15, 0.16, 0.95])
def test_a_recording_in_a_folder_is_the_one_in_memory(tmp_path: Path, seconds: float) -> None:
    with recorded(tmp_path / "flight", seconds) as recorder:
        in_memory = recorded(None, seconds).log()
        assert_equal(recorder.log(), in_memory)  # while it is being written
    assert_equal(Log.load(tmp_path / "flight"), in_memory)


def test_numpy_alone_reads_a_recording(tmp_path: Path) -> None:
    recorded(tmp_path / "flight").close()
    names = sorted(path.name for path in (tmp_path / "flight").iterdir())
    assert names == [*(f"chunk-{number:06d}.npz" for number in range(6)), "header.npz"]
    with np.load(tmp_path / "flight" / "chunk-000001.npz", allow_pickle=False) as chunk:
        assert set(chunk) == {"time", "pos", "throttle", "armed"}
        np.testing.assert_allclose(chunk["time"], 0.01 * np.arange(16, 32))


def test_no_more_than_a_chunk_is_kept_in_memory(tmp_path: Path) -> None:
    recorder = recorded(tmp_path / "flight")
    assert len(recorder) == 96
    assert len(Log.load(tmp_path / "flight")) == 80


@pytest.mark.slow
def test_what_was_killed_is_read_back_up_to_the_last_chunk(tmp_path: Path) -> None:
    folder = tmp_path / "flight"
    process = subprocess.Popen([sys.executable, "-c", RECORDING, str(folder)])
    deadline = time.monotonic() + 60
    while len(list(folder.glob("chunk-*"))) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait(timeout=60) == -signal.SIGKILL
    log = Log.load(folder)
    assert len(log) >= 500
    assert len(log) % 100 == 0
    np.testing.assert_allclose(log.time, 1e-3 * np.arange(len(log)))
    sim = Sim("x450", 2)
    sim.reset(pos=(0, 0, -500))
    sim.step(len(log) - 1)
    np.testing.assert_array_equal(log["pos"][-1], sim.pos)


def test_a_chunk_that_cannot_be_written_is_kept_and_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sim = Sim("x450")
    recorder = Recorder(sim, ("pos",), folder=tmp_path / "flight", chunk_samples=2)
    recorder.sample()
    sim.step()
    recorder.sample()
    sim.step()

    def full(stream, *_, **__):
        stream.write(b"a part")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np.lib.format, "write_array", full)
        with pytest.raises(OSError, match=r"No space left on device: '.*chunk-000000.npz'"):
            recorder.sample()
    assert [path.name for path in (tmp_path / "flight").iterdir()] == ["header.npz"]
    with pytest.raises(ValueError, match="it ended before the first"):
        Log.load(tmp_path / "flight")
    recorder.sample()
    recorder.close()
    for folder in (tmp_path / "flight", tmp_path):  # the folder around it is as good
        np.testing.assert_allclose(Log.load(folder).time, [0, 1e-3, 2e-3])
    (tmp_path / "other").mkdir()
    with pytest.raises(ValueError, match=r"header\.npz in .*other, or in one folder in it, got 0"):
        Log.load(tmp_path / "other")


def test_a_recording_that_cannot_be_written_ends_where_somebody_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sim, told = Sim("x450"), []
    recorder = Recorder(
        sim, ("pos",), every=1, folder=tmp_path / "flight", chunk_samples=2, failed=told.append
    )
    sim.run(3e-3, record=recorder)

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np.lib.format, "write_array", full)
        sim.run(3e-3, record=recorder)
    sim.run(3e-3, record=recorder)
    recorder.close()
    (error,) = told
    assert error.filename.endswith("chunk-000001.npz")
    np.testing.assert_allclose(Log.load(tmp_path / "flight").time, [0, 1e-3])
    np.testing.assert_allclose(recorder.log().time, [0, 1e-3, 2e-3, 3e-3])


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")
    with pytest.raises(FileExistsError, match="folder: expected a new or an empty one"):
        recorded(tmp_path)


def test_a_closed_recorder_takes_no_samples(tmp_path: Path) -> None:
    recorder = recorded(tmp_path / "flight")
    recorder.close()
    recorder.close()
    with pytest.raises(RuntimeError, match="closed"):
        recorder.sample()


def remove_a_chunk(folder: Path) -> None:
    (folder / "chunk-000002.npz").unlink()


def damage_a_chunk(folder: Path) -> None:
    file = folder / "chunk-000002.npz"
    file.write_bytes(file.read_bytes()[:-100])


def replace_a_chunk(folder: Path) -> None:
    np.savez(folder / "chunk-000002.npz", time=np.zeros(3))


def add_a_pickle(folder: Path) -> None:
    np.savez(folder / "chunk-000002.npz", time=np.array([object()]))


@pytest.mark.parametrize("damage", [remove_a_chunk, damage_a_chunk, replace_a_chunk, add_a_pickle])
def test_a_damaged_recording_is_refused(damage, tmp_path: Path) -> None:
    recorded(tmp_path / "flight").close()
    damage(tmp_path / "flight")
    name = "chunk-000002" if damage in (damage_a_chunk, add_a_pickle) else ""
    with pytest.raises(ValueError, match=f"expected a folder of a Recorder: .*{name}"):
        Log.load(tmp_path / "flight")


def test_temporary_files_of_a_killed_recording_are_ignored(tmp_path: Path) -> None:
    recorded(tmp_path / "flight").close()
    (tmp_path / "flight" / ".chunk-000006-0123abcd.npz").write_bytes(b"half a")
    assert len(Log.load(tmp_path / "flight")) == 96
