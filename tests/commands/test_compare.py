"""``pyrfly compare``."""

import json
from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.cli import main
from pyrfly.log import Recorder


@pytest.fixture(name="logs", scope="module")
def logs_fixture(tmp_path_factory) -> tuple[str, str]:
    """Return the files of two falls, the second in wind."""
    folder = tmp_path_factory.mktemp("logs")
    for name, wind in (("a", 0.0), ("b", 5.0)):
        sim = Sim("x450", 2)
        sim.reset(pos=[[0, 0, -50], [5, 0, -50]])
        sim.wind = [wind, 0, 0]
        recorder = Recorder(sim)
        sim.run(1.0, record=recorder)
        recorder.log().save(folder / f"{name}.npz")
    return str(folder / "a.npz"), str(folder / "b.npz")


def test_the_table_has_a_line_for_each_signal(logs, capsys):
    assert main(["compare", *logs, "--align", "off", "--signals", "pos_north,vel_down"]) == 0
    title, shift, head, north, down = capsys.readouterr().out.splitlines()
    assert title.startswith("A: a.npz, B: b.npz;")
    assert shift == "not shifted"
    assert head.split()[:6] == ["signal", "unit", "rms", "maximum", "mean", "r"]
    assert north.split()[:2] == ["pos_north", "m"]
    assert float(down.split()[2]) < 0.2


def test_json_has_the_figures(logs, capsys):
    assert main(["compare", *logs, "--json", "--shift", "0.1", "--to", "0.5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["a"], found["shift"], found["aligned_by"]) == ("a.npz", 0.1, None)
    one = found["signals"]["pos_down"]
    assert one["unit"] == "m"
    assert one["samples"] == 26
    assert one["r"] > 0.99


def test_vehicles_are_chosen(logs, capsys):
    options = ["--json", "--align", "off", "--signals", "pos_north", "--copter-id", "1"]
    assert main(["compare", logs[0], *logs[:1], *options, "--copter-id-b", "2"]) == 0
    found = json.loads(capsys.readouterr().out)["signals"]["pos_north"]
    assert found["rms"] == pytest.approx(5)
    options += ["--relative"]
    assert main(["compare", logs[0], *logs[:1], *options, "--copter-id-b", "2"]) == 0
    assert json.loads(capsys.readouterr().out)["signals"]["pos_north"]["rms"] == pytest.approx(0)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("no.npz", None, "no.npz: cannot be read: No such file or directory"),
        ("bad.npz", b"no log", "bad.npz: expected a"),
        ("bad.csv", b"x,y\n1,2\n", "bad.csv: expected a .csv table"),
        ("bad.ulg", b"ULog", "bad.ulg: expected a ULog file"),
    ],
)
def test_a_file_that_is_no_log_is_named(logs, name, content, words, tmp_path, capsys):
    path = Path(tmp_path, name)
    if content is not None:
        path.write_bytes(content)
    assert main(["compare", logs[0], str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("pyrfly compare: error: ")
    assert words in error


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--signals", "rol"], "--signals: expected some of both flights, got 'rol'"),
        (["--align", "rol"], "--signals: expected some of both flights, got 'rol'"),
        (["--copter-id", "7"], "expected one of [1 2], got 7"),
        (["--shift", "1000"], "align them by a signal, or give the shift"),
    ],
)
def test_what_cannot_be_compared_is_told(logs, options, words, capsys):
    assert main(["compare", *logs, *options]) == 2
    assert words in capsys.readouterr().err


def test_the_figures_are_those_of_the_logs(logs, capsys):
    assert main(["compare", *logs, "--align", "off", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["signals"]
    a, b = (np.load(path)["vel"][:, 0] for path in logs)
    for i, name in enumerate(("vel_north", "vel_east", "vel_down")):
        error = (b - a)[:, i]
        assert found[name]["rms"] == pytest.approx(np.sqrt(np.mean(error**2)), abs=1e-12)
        assert found[name]["maximum"] == pytest.approx(np.abs(error).max(), abs=1e-12)


@pytest.mark.slow
def test_a_report_is_written(logs, tmp_path, capsys):
    out = tmp_path / "new" / "report.html"
    options = ["--align", "off", "--signals", "vel_down", "-o", str(out)]
    assert main(["compare", *logs, *options]) == 0
    assert "vel_down" in capsys.readouterr().out
    assert "a.npz" in out.read_text()
    assert main(["compare", *logs, "-o", str(tmp_path / "a.txt")]) == 2
    assert "--out: expected a file with the suffix .html or .pdf" in capsys.readouterr().err


def test_a_table_of_another_program_is_mapped(logs, tmp_path, capsys):
    table, description = tmp_path / "other.txt", tmp_path / "other.toml"
    times = np.arange(51) / 50
    rows = "".join(f"{1000 * t:g} {9.8 * t**2 / 2:g}\n" for t in times)
    table.write_text("ms fallen\n" + rows)
    description.write_text(
        'delimiter = " "\n[time]\ncolumn = "ms"\nunit = "ms"\n'
        '[columns.pos]\ncolumns = ["fallen", "fallen", "fallen"]\n'
    )
    options = ["--align", "off", "--relative", "--json", "--signals", "pos_down"]
    assert main(["compare", logs[0], str(table), "--mapping-b", str(description), *options]) == 0
    found = json.loads(capsys.readouterr().out)["signals"]["pos_down"]
    assert found["maximum"] < 0.6  # of 5 m: the drag
    assert found["r"] > 0.999
    description.write_text("[columns]\n")
    assert main(["compare", logs[0], str(table), "--mapping-b", str(description)]) == 2
    assert "other.toml: columns: expected tables such as" in capsys.readouterr().err
