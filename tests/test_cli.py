"""The command line: output, files and exit status."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pyrfly
from pyrfly import vehicles
from pyrfly.cli import main
from pyrfly.mission import DEMO

from .commands.fly_files import last_log, run_unread


def test_without_arguments_names_commands_to_try(capsys):
    assert main([]) == 0
    printed = capsys.readouterr().out
    named = set(re.findall(r"^  pyrfly (\w+)", printed, re.MULTILINE))
    assert len(named) == 3
    for command in named:
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        assert ended.value.code == 0


@pytest.mark.slow
def test_fly_without_arguments_flies_the_demo(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["fly"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[-2:] == ["flights/demo-x450.npz", "flights/demo-x450.png"]
    assert all((tmp_path / path).stat().st_size > 10_000 for path in printed[-2:])
    for row in ("flight time", "distance", "cross-track error", "wall time", "real-time factor"):
        assert any(line.startswith(row) for line in printed)
    log = last_log(tmp_path / "flights")
    assert log.metadata["completed"]
    assert log["pos"][-1, 0, 2] == pytest.approx(0, abs=0.2)  # landed
    assert -log["pos"][:, 0, 2].min() > 9  # and had flown


def test_an_interruption_of_another_command_is_one_line(monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pyrfly.commands.plot.run", interrupted)
    assert main(["plot", "x.npz"]) == 130
    assert capsys.readouterr().err == "pyrfly plot: interrupted\n"


def test_a_command_waits_for_no_imports_of_others():
    code = "import sys; from pyrfly.cli import main; main(['matlab']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = {name.split(".")[1] for name in done.stdout.split() if name.startswith("pyrfly.")}
    assert "sim" in imported
    assert not imported & {"view", "server", "log", "campaign", "bench"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--vehicle", "x45"], ["unknown name 'x45'", "x450"]),
        (["--vehicle", "nowhere.toml"], ["nowhere.toml", "cannot be read"]),
        (["nowhere.plan"], ["nowhere.plan"]),
        (["--vehicle", "x450:0"], ["vehicles", "x450:0"]),
        (["--home", "95,0,0"], ["home latitude", "95"]),
        (
            ["copy.plan", "--home", "0,0,0"],
            ["home: expected", "--home", "moves the start, not the mission"],
        ),
    ],
)
def test_what_is_not_there_is_named(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("copy.plan").write_bytes(DEMO.read_bytes())  # the demo itself is flown at any home
    assert main(["fly", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    for word in words:
        assert word in error


@pytest.mark.parametrize(
    "argv",
    [
        ["swim"],
        ["fly", "--seed", "-1"],
        ["fly", "--seed", "x"],
        ["fly", "--format", "x"],
        ["fly", "--wind", "1,2"],
        ["fly", "--wind", "1,2,nan"],
        ["fly", "--home", "here"],
        ["fly", "--speed-up", "0"],
        ["fly", "--spacing", "nan"],
        ["fly", "--fence-action", "panic"],
        ["export", "x.npz", "--format", "xls"],
    ],
)
def test_bad_options_are_status_2(argv, capsys):
    with pytest.raises(SystemExit) as stop:
        main(argv)
    assert stop.value.code == 2
    assert "usage: pyrfly" in capsys.readouterr().err


def test_vehicles_lists_every_set_below_its_family(capsys):
    assert main(["vehicles"]) == 0
    listed, family = [], ""
    for line in capsys.readouterr().out.splitlines()[1:]:
        if line.startswith(" "):
            listed.append((line.split()[0], family))
        else:
            family = line.partition(":")[0]
    assert sorted(listed) == [(name, vehicles.load(name).family) for name in pyrfly.names()]


def test_vehicles_of_a_family_alone_are_listed_without_checks(capsys):
    assert main(["vehicles", "multirotor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "multirotor: hovers"
    assert [line.split()[0] for line in lines[2:]] == pyrfly.names("multirotor")


def test_a_title_that_is_too_long_for_the_terminal_is_cut(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["vehicles", "multirotor"]) == 0
    assert max(len(line) for line in capsys.readouterr().out.splitlines()) == 60


def test_vehicles_checks_a_file(tmp_path, capsys):
    """The same table, and the numbers that tell whether it makes sense."""
    path = tmp_path / "mine.toml"
    source = Path(pyrfly.__file__).parent / "vehicles" / "multirotor" / "sets" / "sdk.toml"
    path.write_text(source.read_text().replace("value = 1.515", "value = 0.3", 1))
    assert main(["vehicles", str(path), "mixed"]) == 0
    captured = capsys.readouterr()
    head, family, *lines = captured.out.splitlines()
    assert head.split()[0] == "name"
    assert family == "multirotor: hovers"
    assert lines[0].split()[:2] == ["sdk", "4"]
    assert "thrust to weight 15.48 usual 1.5 to 10 UNUSUAL" in " ".join(lines[1].split())
    assert "hover throttle" in lines[2]
    assert sum(line.startswith("  airframe") for line in lines) == 4
    assert captured.err == ""


def test_vehicles_draws_a_picture_of_a_set(tmp_path, capsys):
    path = tmp_path / "new" / "x450.png"
    assert main(["vehicles", "x450", "--picture", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == str(path)
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(SystemExit):
        main(["vehicles", "x450", "--picture", str(path.with_suffix(".txt"))])
    assert "expected a file that ends in .png" in capsys.readouterr().err


def test_vehicles_refuses_one_that_cannot_lift(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    source = Path(pyrfly.__file__).parent / "vehicles" / "multirotor" / "sets" / "sdk.toml"
    path.write_text(source.read_text().replace("value = 1.515", "value = 15.15", 1))
    assert main(["vehicles", str(path)]) == 2
    error = capsys.readouterr().err
    assert "mine.toml: cannot lift: the rotors have 45.52 N" in error
    assert error.count("\n") == 1


@pytest.mark.slow
def test_bench_prints_json(capsys):
    arguments = ["--sizes", "1", "--threads", "1", "--seconds", "0.001"]
    assert main(["bench", "physics", "--json", *arguments]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["benchmark"] for row in rows} == {"physics"}


def test_version_is_printed(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"pyrfly {pyrfly.__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["vehicles"],
        ["--help"],
        ["bench", "physics", "--sizes", "1", "--threads", "1", "--seconds", "0.001"],
    ],
    ids=" ".join,
)
@pytest.mark.slow
def test_output_that_nobody_reads_ends_the_program_silently(arguments, tmp_path):
    done = run_unread(arguments, tmp_path)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.slow
def test_a_server_whose_output_nobody_reads_ends_silently(first_port, tmp_path):
    done = run_unread(["sim", "--first-port", str(first_port())], tmp_path)
    assert (done.returncode, done.stderr) == (141, "")


def test_matlab_prints_the_folder_of_its_functions(capsys):
    assert main(["matlab"]) == 0
    folder = Path(capsys.readouterr().out.strip())
    assert (folder / "pyrfly_client.m").is_file()
