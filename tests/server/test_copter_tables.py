"""CopterSim<ID>.csv: whose it is written, and what reads it."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.cli import main
from pyrfly.log import Log
from pyrfly.server import Server
from pyrfly.server.copter_tables import COLUMNS, copter_tables
from pyrfly.transport import OptionError


def served(folder: Path | None, seconds: float = 0.1, first_id: int = 1) -> Sim:
    """Let two vehicles fall for a time, from 100 m."""
    sim = Sim("x450", 2)
    sim.reset(pos=[[0, 0, -100], [1, 2, -100]], yaw=[0.0, 1.0])
    server = Server(sim, None, rate="max", first_id=first_id)
    with contextlib.closing(server), copter_tables(server, folder):
        server.run(seconds)
    return sim


def test_those_are_written_that_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    served(None)
    assert list(tmp_path.iterdir()) == []
    path = tmp_path / "CopterSim6.csv"
    path.touch()
    (tmp_path / "CopterSim7.csv").touch()  # of no vehicle
    served(None, first_id=5)
    assert (tmp_path / "CopterSim7.csv").read_text() == ""
    log = Log.load(path)
    np.testing.assert_allclose(log.time, np.arange(5) * 0.02, atol=1e-12)
    assert log.copter_ids.tolist() == [6]
    assert {name: field.width for name, field in log.fields.items()} == COLUMNS
    fallen = 0.5 * 9.8 * log.time**2
    np.testing.assert_allclose(log["pos"][:, 0, :2], [[1, 2]] * 5, atol=1e-6)
    np.testing.assert_allclose(log["pos"][:, 0, 2] + 100, fallen, atol=2e-3)
    np.testing.assert_allclose(log["att"][0, 0], [np.cos(0.5), 0, 0, np.sin(0.5)], atol=1e-8)


def test_a_second_run_replaces_the_first(tmp_path: Path) -> None:
    served(tmp_path / "new", 0.2)
    served(tmp_path / "new", 0.1)
    for copter_id in (1, 2):
        assert len(Log.load(tmp_path / "new" / f"CopterSim{copter_id}.csv").time) == 5


def test_free_outputs_are_the_models(tmp_path: Path) -> None:
    sim = Sim("x450")
    sim.enable_part("free_outputs")
    sim.free_outputs[:] = np.arange(32)
    server = Server(sim, None, rate="max")
    with contextlib.closing(server), copter_tables(server, tmp_path):
        server.run(0.02)
    assert Log.load(tmp_path / "CopterSim1.csv")["free_outputs"][0, 0].tolist() == list(range(32))


def test_other_files_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "CopterSim1.csv"
    path.write_text("t,x\n1,2\n")
    served(None)
    assert path.read_text() == "t,x\n1,2\n"
    assert "CopterSim1.csv is not written: expected an empty file" in capsys.readouterr().err
    with pytest.raises(OptionError, match=r"CopterSim1\.csv: expected an empty file"):
        served(tmp_path)


@pytest.mark.slow
def test_programs_write_and_plot_them(
    tmp_path: Path, first_port, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--first-port", str(first_port(2)), "--rate", "max", "--seconds", "0.1"]
    assert main(["sim", *arguments, "--copter-tables", str(tmp_path)]) == 0
    picture = tmp_path / "flight.png"
    pytest.importorskip("matplotlib")
    assert main(["plot", str(tmp_path / "CopterSim1.csv"), "--out", str(picture)]) == 0
    assert picture.stat().st_size > 1000
