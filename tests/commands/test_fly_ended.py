"""``pyrfly fly`` that is ended: by signals, full disks, readers that have gone."""

import errno
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from pyrfly.cli import main
from pyrfly.commands.interruption import Interruption
from pyrfly.files import replacing
from pyrfly.log import Log
from pyrfly.protocol.bits import Sensor
from pyrfly.sim.interface import names_of

from .fly_files import last_log, plan_with, run_unread


@pytest.mark.slow
@pytest.mark.parametrize(
    ("by", "options", "suffixes"),
    [(signal.SIGINT, [], [".npz", ".png"]), (signal.SIGTERM, ["--no-plot"], [".npz"])],
)
def test_an_interrupted_flight_is_written(by, options, suffixes, tmp_path):
    out = tmp_path / "out"
    arguments = [plan_with(tmp_path), "--speed-up", "0.05", "--out", str(out), *options]
    process = subprocess.Popen(
        [sys.executable, "-m", "pyrfly", "fly", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not out.exists() and time.monotonic() < deadline:  # created as the flight begins
        time.sleep(0.01)
    time.sleep(0.5)
    process.send_signal(by)
    printed, error = process.communicate(timeout=60)
    assert process.returncode == 128 + by, error
    assert f"interrupted by {by.name}; what was flown is in:" in printed
    assert f"completed               no: interrupted by {by.name}" in printed
    log = last_log(out)
    assert 0 < log.time[-1] < 4
    assert not log.metadata["completed"]
    assert sorted(path.suffix for path in out.iterdir()) == suffixes


@pytest.mark.slow
def test_a_full_disk_keeps_the_recording_and_the_result(tmp_path, monkeypatch, capsys):
    out = tmp_path / "out"

    def full(file, _):
        """There is room for parts of the recording, and not for all of it at once."""
        file.write_bytes(b"a part")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("pyrfly.log.log.write_arrays", full)
    monkeypatch.setattr("pyrfly.log.recorder._FOLDER_SAMPLES", 100)
    assert main(["fly", plan_with(tmp_path), "--out", str(out), "--no-plot"]) == 2
    printed, error = capsys.readouterr()
    assert "all items flown" in printed
    (folder,) = out.iterdir()
    assert error.splitlines() == [
        f"what was recorded is in {folder / 'flight'}",
        f"pyrfly fly: error: [Errno {errno.ENOSPC}] No space left on device: "
        f"'{out / 'short-x450.npz'}'",
    ]
    log = Log.load(folder / "flight")
    assert log.time[-1] == pytest.approx(0.02 * (len(log) - 1))
    assert f"flight time             {log.time[-1]:.2f} s" in printed


KILLED = """
import sys
from pyrfly.cli import main
from pyrfly.log import recorder
recorder._FOLDER_SAMPLES = 50
main(["fly", "--out", sys.argv[1], "--speed-up", "10"])
"""


@pytest.mark.slow
def test_a_flight_that_is_killed_is_there_but_for_its_last_chunk(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)])
    deadline = time.monotonic() + 60
    while len(list(tmp_path.glob("*/flight/chunk-*"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    process.wait(timeout=60)
    (folder,) = tmp_path.iterdir()
    assert folder.suffix == ".recording"
    log = Log.load(folder / "flight")
    np.testing.assert_allclose(log.time, 0.02 * np.arange(50 * (len(log) // 50)), atol=1e-9)
    assert len(log) >= 150
    assert main(["export", str(folder / "flight"), "--format", "csv", "--out", str(tmp_path)]) == 0


def test_a_plot_that_fails_loses_no_log(tmp_path, monkeypatch, capsys):
    def fail(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("pyrfly.commands.fly.plot_flight", fail)
    out = tmp_path / "out"
    assert main(["fly", plan_with(tmp_path), "--out", str(out), "--sensors", "ideal"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    names = {path.stem.removeprefix("short-x450") for path in out.iterdir()}
    in_water = {"water_pressure", "dvl", "acoustic"}
    assert names == {"", *(f"-{name}" for name in names_of(Sensor) if name not in in_water)}


@pytest.mark.parametrize(
    ("signals", "status"),
    [
        ((signal.SIGTERM, signal.SIGTERM), 128 + signal.SIGTERM),
        ((signal.SIGINT, signal.SIGTERM), 128 + signal.SIGTERM),
    ],
)
def test_a_second_signal_ends_by_an_exception(signals, status, tmp_path):
    def write_until_signalled():
        with Interruption() as interruption, replacing(tmp_path / "a.txt") as temporary:
            signal.raise_signal(signals[0])
            assert interruption.signal is signals[0]
            temporary.write_text("a part")
            signal.raise_signal(signals[1])

    with pytest.raises(SystemExit) as ended:
        write_until_signalled()
    assert ended.value.code == status
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signals[1]) is signal.SIG_DFL


def test_a_second_interrupt_is_one():
    def interrupt_twice():
        with Interruption():
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        interrupt_twice()


@pytest.mark.slow
def test_a_flight_whose_output_nobody_reads_leaves_its_log_alone(tmp_path):
    """And no recording, of which there is one after 20 s."""
    out = tmp_path / "out"
    done = run_unread(["fly", "--out", str(out), "--no-plot"], tmp_path, unbuffered="1")
    assert (done.returncode, done.stderr) == (141, "")
    assert last_log(out).metadata["completed"]
    assert [path.name for path in out.iterdir()] == ["demo-x450.npz"]
