"""``pyrfly plot`` and ``pyrfly export``."""

from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly.cli import main
from pyrfly.log import Log, Recorder, export_log

from .fly_files import plan_with

COLUMNS = ("pos", "vel", "att")


@pytest.mark.slow
def test_plot_draws_a_saved_log(tmp_path, capsys):
    mission = plan_with(tmp_path)
    assert main(["fly", mission, "--vehicle", "x450:2", "--out", str(tmp_path), "--no-plot"]) == 0
    log = str(tmp_path / "short-x450.npz")
    picture = tmp_path / "a.svg"
    arguments = ["--mission", mission, "--copter-id", "2", "--out", str(picture)]
    assert main(["plot", log, *arguments]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == str(picture)
    assert picture.stat().st_size > 10_000


@pytest.mark.parametrize("command", ["plot", "export"])
def test_a_log_that_is_not_there_is_told(command, capsys):
    assert main([command, "nofile.npz"]) == 2
    message = "nofile.npz: cannot be read: No such file or directory\n"
    assert capsys.readouterr().err == f"pyrfly {command}: error: {message}"


@pytest.mark.slow
def test_the_log_of_a_sensor_is_plotted_and_exported(tmp_path, capsys):
    options = ["--sensors", "px4", "--out", str(tmp_path), "--no-plot"]
    table = tmp_path / "up.csv"
    table.write_text("x,y,z\n0,0,-2\n")
    assert main(["fly", str(table), *options]) == 0
    log = str(tmp_path / "up-x450-gps.npz")
    capsys.readouterr()
    for command, ending in (("plot", ".png"), ("export", ".csv")):
        assert main([command, log]) == 0
        assert capsys.readouterr().out.strip() == str(tmp_path / f"up-x450-gps{ending}")
    assert main(["export", log, "--format", "kml"]) == 2


def test_export_writes_all_formats(tmp_path, capsys):
    arguments = ["--vehicle", "x450:2", "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", plan_with(tmp_path), *arguments]) == 0
    log = str(tmp_path / "short-x450.npz")
    assert main(["export", log, "--out", str(tmp_path / "out")]) == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [f"short-x450{end}" for end in ("-1.ulg", "-2.ulg", ".csv", ".kml")]
    rest = (tmp_path / "out" / "short-x450.csv").read_text().splitlines()
    assert float(rest[1].split(",")[2]) == pytest.approx(40.1540302, abs=1e-7)
    assert main(["export", log, "--format", "ulg", "--copter-id", "2"]) == 0
    assert (tmp_path / "short-x450-2.ulg").exists()
    assert not (tmp_path / "short-x450.kml").exists()


@pytest.mark.parametrize("suffix", ["parquet", "csv", "ulg"])
def test_a_log_of_any_format_is_plotted_and_exported(suffix, tmp_path, capsys):
    recorder = Recorder(pyrfly.Sim("x450"), COLUMNS)
    recorder.sample()
    path = tmp_path / f"a.{suffix}"
    (export_log if suffix == "ulg" else Log.save)(recorder.log(), path)
    assert main(["plot", str(path), "--out", str(tmp_path / "a.png")]) == 0
    assert main(["export", str(path), "--origin", "47,8,488"]) == 0
    others = {
        ".parquet": [".csv", ".kml", ".ulg"],
        ".csv": [".kml", ".ulg"],
        ".ulg": [".csv", ".kml"],
    }
    written = [Path(line).suffix for line in capsys.readouterr().out.splitlines()]
    assert written == [".png", *others[path.suffix]]
    if suffix != "parquet":  # and it is not replaced by what is made of it
        assert main(["export", str(path), "--format", suffix, "--origin", "47,8,488"]) == 2
        assert "--out: expected another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["plot", "nowhere.npz"], "nowhere.npz"),
        (["export", "nowhere.npz"], "nowhere.npz"),
        (["identify", "nowhere.npz"], "nowhere.npz: cannot be read: No such file"),
        (["identify", "good.npz", "--battery", "3", "--out", "a.toml"], "--out: expected none"),
        (["plot", "broken.npz"], "broken.npz: expected an .npz file of Log.save"),
        (["export", "broken.npz"], "broken.npz: expected an .npz file of Log.save"),
        (
            ["plot", "foreign.npz"],
            "foreign.npz: expected an .npz file of Log.save, got one without 'header'",
        ),
        (
            ["plot", "good.npz", "--copter-id", "7"],
            "good.npz: copter_id: expected one of [1], got 7",
        ),
        (["export", "good.npz", "--copter-id", "7"], "good.npz: copter_id: expected one of [1]"),
        (["export", "good.npz", "--origin", "91,0,0"], "good.npz: origin: expected latitude"),
        (["plot", "good.npz", "--out", "good.xyz"], "good.npz: "),
    ],
)
def test_what_is_no_log_is_one_line_and_status_2(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("broken.npz").write_bytes(b"PK")
    np.savez("foreign.npz", a=1)
    recorder = Recorder(pyrfly.Sim("x450"), ("pos",) if len(arguments) == 2 else COLUMNS)
    recorder.sample()
    recorder.log().save("good.npz")
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"pyrfly {arguments[0]}: error: ")
    assert error.count("\n") == 1
    assert words in error


def log_of_two(tmp_path):
    recorder = Recorder(pyrfly.Sim("x450", 2), COLUMNS)
    recorder.sample()
    path = tmp_path / "a.npz"
    recorder.log().save(path)
    return path


def test_an_export_that_fails_writes_nothing(tmp_path, monkeypatch):
    path, out = log_of_two(tmp_path), tmp_path / "out"
    written = []

    def failing(log, file, **options):
        if len(written) == 2:
            raise ValueError("no more")
        written.append(file)
        file.touch()

    monkeypatch.setattr("pyrfly.commands.export.export_log", failing)
    assert main(["export", str(path), "--origin", "47,8,488", "--out", str(out)]) == 2
    assert len(written) == 2
    assert list(out.iterdir()) == []


@pytest.mark.parametrize("command", ["fly", "plot", "export"])
def test_a_file_in_place_of_the_folder_of_outputs_is_told_before(command, tmp_path, capsys):
    (tmp_path / "afile").touch()
    out = tmp_path / "afile" / ("p.png" if command == "plot" else "")
    log = [] if command == "fly" else [str(log_of_two(tmp_path))]
    assert main([command, *log, "--out", str(out)]) == 2
    assert f"--out: expected a folder, got {tmp_path / 'afile'}, a file" in capsys.readouterr().err


def test_the_folder_of_a_picture_is_created(tmp_path, capsys):
    picture = tmp_path / "new" / "p.png"
    assert main(["plot", str(log_of_two(tmp_path)), "--out", str(picture)]) == 0
    assert picture.stat().st_size > 1000
    assert main(["plot", str(tmp_path / "a.npz"), "--out", str(tmp_path)]) == 2
    assert f"--out: expected a file, got {tmp_path}, a folder" in capsys.readouterr().err
