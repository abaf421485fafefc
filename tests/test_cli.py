"""The command line: output, files and exit status."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly.cli import main
from pyrfly.log import Log

MISSIONS = Path(__file__).resolve().parents[1] / "examples" / "missions"

PLAN = {
    "fileType": "Plan",
    "version": 1,
    "groundStation": "QGroundControl",
    "geoFence": {"circles": [], "polygons": [], "version": 2},
    "rallyPoints": {"points": [], "version": 2},
    "mission": {
        "version": 2,
        "firmwareType": 12,
        "vehicleType": 2,
        "cruiseSpeed": 15,
        "hoverSpeed": 5,
        "plannedHomePosition": [40.1540302, 116.2593683, 50],
        "items": [
            {
                "type": "SimpleItem",
                "command": 22,
                "frame": 3,
                "params": [0, 0, 0, None, 40.1540302, 116.2593683, 5],
                "autoContinue": True,
                "doJumpId": 1,
            }
        ],
    },
}


def plan_with(tmp_path, change=lambda plan: None) -> str:
    """Write a short plan, changed as asked, and return its path."""
    plan = json.loads(json.dumps(PLAN))
    change(plan)
    path = tmp_path / "short.plan"
    path.write_text(json.dumps(plan))
    return str(path)


def last_log(out: Path) -> Log:
    """Return the one log in a folder."""
    (path,) = out.glob("*.npz")
    return Log.load(path)


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


@pytest.mark.parametrize("mission", ["square.csv", "loiter_rtl.plan"])
def test_fly_takes_plans_and_waypoints(mission, tmp_path):
    assert main(["fly", str(MISSIONS / mission), "--out", str(tmp_path), "--no-plot"]) == 0
    assert [path.suffix for path in tmp_path.iterdir()] == [".npz"]


def test_fly_takes_any_vehicle(tmp_path):
    arguments = ["--vehicle", "cf2x_t350", "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", plan_with(tmp_path), *arguments]) == 0
    assert last_log(tmp_path).metadata["vehicles"][0]["name"] == "cf2x_t350"


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_fly_writes_the_format_asked_for(suffix, tmp_path):
    arguments = ["--format", suffix, "--out", str(tmp_path / "out"), "--no-plot"]
    assert main(["fly", plan_with(tmp_path), *arguments]) == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == [f"short-x450.{suffix}"]


def test_a_seed_moves_the_start_and_repeats(tmp_path):
    starts = []
    for number, seed in enumerate(["1", "1", "2"]):
        out = tmp_path / str(number)
        arguments = ["--seed", seed, "--out", str(out), "--no-plot"]
        assert main(["fly", plan_with(tmp_path), *arguments]) == 0
        log = last_log(out)
        assert log.metadata["seed"] == int(seed)
        starts.append(log["pos"][0, 0])
    np.testing.assert_array_equal(starts[0], starts[1])
    assert np.abs(starts[0] - starts[2]).max() > 1e-3
    assert np.abs(starts).max() <= 0.5


def test_a_flight_that_fails_is_status_1(tmp_path, capsys):
    """A vehicle that can hardly lift its weight does not reach its first item."""
    heavy = tmp_path / "heavy.toml"
    source = Path(pyrfly.__file__).parent / "vehicles" / "multirotor" / "sets" / "sdk.toml"
    text = source.read_text()
    assert "value = 1.515" in text
    heavy.write_text(text.replace("value = 1.515", "value = 4.6", 1))
    arguments = ["--vehicle", str(heavy), "--out", str(tmp_path / "out"), "--no-plot"]
    with pytest.warns(pyrfly.ParameterWarning, match=r"thrust to weight 1\.01, usual 1\.5 to 10"):
        assert main(["fly", plan_with(tmp_path), *arguments]) == 1
    assert "no" in capsys.readouterr().out.split("completed", 1)[1].splitlines()[0]


def without_home(plan):
    del plan["mission"]["plannedHomePosition"]


def absurd_home(plan):
    plan["mission"]["plannedHomePosition"] = [140.0, 116.0, 50]


def absurd_height(plan):
    plan["mission"]["items"][0]["params"][6] = 1e9


def unsupported(plan):
    plan["mission"]["items"].append({**plan["mission"]["items"][0], "command": 84, "doJumpId": 2})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (without_home, ["plannedHomePosition"]),
        (absurd_home, ["latitude", "140"]),
        (absurd_height, ["item 1"]),
        (unsupported, ["item 2", "84", "NAV_VTOL_TAKEOFF"]),
    ],
)
def test_a_bad_plan_is_one_line_and_status_2(change, words, tmp_path, capsys):
    assert main(["fly", plan_with(tmp_path, change), "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("pyrfly fly: error: ")
    assert error.count("\n") == 1
    for word in words:
        assert word in error
    assert not (tmp_path / "out").exists()


def test_malformed_json_is_one_line_and_status_2(tmp_path, capsys):
    path = tmp_path / "broken.plan"
    path.write_text('{"fileType": "Plan",')
    assert main(["fly", str(path)]) == 2
    error = capsys.readouterr().err
    assert "broken.plan" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--vehicle", "x45"], ["unknown name 'x45'", "x450"]),
        (["--vehicle", "nowhere.toml"], ["nowhere.toml", "cannot be read"]),
        (["nowhere.plan"], ["nowhere.plan"]),
    ],
)
def test_what_is_not_there_is_named(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["fly", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    for word in words:
        assert word in error


def test_a_folder_that_cannot_be_made_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    arguments = ["--out", str(tmp_path / "file" / "out"), "--no-plot"]
    assert main(["fly", plan_with(tmp_path), *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "file" in error


@pytest.mark.parametrize(
    "argv",
    [[], ["swim"], ["fly", "--seed", "-1"], ["fly", "--seed", "x"], ["fly", "--format", "x"]],
)
def test_bad_options_are_status_2(argv, capsys):
    with pytest.raises(SystemExit) as stop:
        main(argv)
    assert stop.value.code == 2
    assert "usage: pyrfly" in capsys.readouterr().err


def test_vehicles_lists_every_set(capsys):
    assert main(["vehicles"]) == 0
    first_words = [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]]
    assert first_words == pyrfly.names()


def test_vehicles_checks_a_file(tmp_path, capsys):
    """The same table, and the numbers that tell whether it makes sense."""
    path = tmp_path / "mine.toml"
    source = Path(pyrfly.__file__).parent / "vehicles" / "multirotor" / "sets" / "sdk.toml"
    path.write_text(source.read_text().replace("value = 1.515", "value = 0.3", 1))
    assert main(["vehicles", str(path), "mixed"]) == 0
    captured = capsys.readouterr()
    head, *lines = captured.out.splitlines()
    assert head.split()[0] == "name"
    assert lines[0].split()[:3] == ["sdk", "multirotor", "4"]
    assert "thrust to weight 15.48 usual 1.5 to 10 UNUSUAL" in " ".join(lines[1].split())
    assert "hover throttle" in lines[2]
    assert sum(line.startswith("  airframe") for line in lines) == 4
    assert captured.err == ""


def test_vehicles_refuses_one_that_cannot_lift(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    source = Path(pyrfly.__file__).parent / "vehicles" / "multirotor" / "sets" / "sdk.toml"
    path.write_text(source.read_text().replace("value = 1.515", "value = 15.15", 1))
    assert main(["vehicles", str(path)]) == 2
    error = capsys.readouterr().err
    assert "mine.toml: cannot lift: the rotors have 45.52 N" in error
    assert error.count("\n") == 1


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


def test_the_package_runs_as_a_program(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "pyrfly", "vehicles"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "x450" in done.stdout
