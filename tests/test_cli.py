"""The command line: output, files and exit status."""

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import rasterio
from PIL import Image
from rasterio.transform import from_origin

import pyrfly
from pyrfly import vehicles
from pyrfly.cli import main
from pyrfly.commands.interruption import Interruption
from pyrfly.files import replacing
from pyrfly.log import Log, Recorder, export_log
from pyrfly.mission import DEMO
from pyrfly.protocol.bits import Sensor
from pyrfly.sim.interface import names_of
from pyrfly.terrain import read_terrain

COLUMNS = ("pos", "vel", "att")

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


def leg_of(north_deg):
    """Return a change of a plan that adds a waypoint to the north."""

    def change(plan):
        item = json.loads(json.dumps(plan["mission"]["items"][0]))
        item |= {"command": 16, "doJumpId": 2}
        item["params"][4] += north_deg
        plan["mission"]["items"].append(item)

    return change


def test_wind_home_and_seed_are_those_asked_for(tmp_path):
    home = "40.1540302,116.2594683,20"
    arguments = ["--wind", "3,-4,0", "--home", home, "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", plan_with(tmp_path), *arguments]) == 0
    log = last_log(tmp_path)
    assert log.metadata["origin"] == [40.1540302, 116.2594683, 20.0]
    # the plan's position is 8.5 m west of the home; the wind tilts the vehicle against it
    assert log["pos"][-1, 0, 1] == pytest.approx(-8.52, abs=0.1)
    _, tilt_x, tilt_y, _ = log["att"][-1, 0]
    assert max(abs(tilt_x), abs(tilt_y)) > 0.01


def write_picture(folder: Path, *origin: float) -> Path:
    """Write a map of RflySim: a slope of 0.1 to the north, 30 m high at its middle."""
    levels = np.tile(np.arange(61, dtype=np.uint16) * 100 + 32768, (61, 1))  # 61 x 10 m
    Image.fromarray(levels).save(folder / "slope.png")
    numbers = [30000, 30000, 6000, -30000, -30000, 0, 0, 0, 3000, *origin]
    (folder / "slope.txt").write_text(",".join(map(str, numbers)))
    return folder / "slope.png"


def write_array(folder: Path) -> Path:
    np.save(folder / "slope.npy", np.tile(np.arange(61.0)[:, None], 61))
    return folder / "slope.npy"


def write_geotiff(folder: Path, east: float = 0) -> Path:
    path = folder / "slope.tif"
    with rasterio.open(
        path, "w", driver="GTiff", height=61, width=61, count=1, dtype="float32", crs="EPSG:32650",
        transform=from_origin(436616.9 + east, 4445421.2, 10, 10),  # 0: home in the middle
    ) as file:  # fmt: skip
        file.write(np.tile(np.arange(60.0, -1, -1, dtype=np.float32)[:, None], 61), 1)
    return path


def climbing(plan):
    """Make the plan a flight to a place 50 m to the north, 15 m above home."""
    north = plan["mission"]["items"][0] | {"command": 16, "doJumpId": 2}
    lat = 40.1540302 + 50 / 111_038
    north["params"] = [0, 0, 0, None, lat, 116.2593683, 15]
    land = north | {"command": 21, "doJumpId": 3}
    plan["mission"]["items"] += [north, land]


@pytest.mark.parametrize(
    ("write", "options", "tolerance"),
    [
        (write_picture, [], 0.1),
        (write_array, ["--terrain-spacing", "10"], 0.1),
        (write_geotiff, [], 0.2),
    ],
)
@pytest.mark.slow
def test_a_flight_over_a_terrain_map(write, options, tolerance, tmp_path):
    """Heights are above home, which is on the map; the landing is on the hill."""
    arguments = ["--terrain", str(write(tmp_path)), "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", plan_with(tmp_path, climbing), *arguments, *options]) == 0
    log = last_log(tmp_path)
    assert log["pos"][0, 0] == pytest.approx((0, 0, 0), abs=tolerance)
    assert log["pos"][:, 0, 2].min() == pytest.approx(-15, abs=0.3)
    assert log["pos"][-1, 0] == pytest.approx((50, 0, -5), abs=0.3)
    assert log["terrain"][-1, 0] == pytest.approx(-5, abs=0.1)


def test_the_place_of_a_map_is_home(tmp_path):
    terrain = write_picture(tmp_path, 40.154, 116.2593683, 12)
    arguments = ["--terrain", str(terrain), "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", plan_with(tmp_path, climbing), *arguments]) == 0
    log = last_log(tmp_path)
    assert log.metadata["origin"] == pytest.approx((40.154, 116.2593683, 42))
    assert log["pos"][-1, 0, 0] == pytest.approx(50 + 3.35, abs=0.3)  # 3.0e-5 deg further


@pytest.mark.parametrize("mission", ["table", "demo"])
@pytest.mark.slow
def test_the_middle_of_a_geotiff_is_home_where_none_was_set(mission, tmp_path):
    table = tmp_path / "line.csv"
    table.write_text("x,y,z\n0,0,-5\n3,0,-5\n")
    terrain = write_geotiff(tmp_path, east=20_000)
    arguments = ["--terrain", str(terrain), "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", *([str(table)] if mission == "table" else []), *arguments]) == 0
    log = last_log(tmp_path)
    middle = read_terrain(terrain).relative_to(0, 0).origin
    assert log.metadata["origin"] == pytest.approx(middle)
    assert log["pos"][0, 0] == pytest.approx((0, 0, 0), abs=0.2)


def test_a_home_beside_the_map_is_named(tmp_path, capsys):
    terrain = write_geotiff(tmp_path)
    assert main(["fly", "--home", "-35,149,0", "--terrain", str(terrain)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "latitude -35" in line
    assert "it is home" in line
    assert main(["fly", "--home", "-35,149,0", "--terrain", "nowhere.tif"]) == 2
    assert "home" not in capsys.readouterr().err


def test_waypoints_and_negative_first_numbers_are_taken(tmp_path):
    table = tmp_path / "up.csv"
    table.write_text("x,y,z\n0,0,-3\n2,0,-3\n")
    options = ["--home", "-35,-149,0", "--wind", "-2,0,0", "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", str(table), *options]) == 0
    log = last_log(tmp_path)
    assert log.metadata["origin"] == [-35, -149, 0]
    np.testing.assert_allclose(log["pos"][-1, 0], [2, 0, 0], atol=0.3)
    assert log["pos"][:, 0, 2].min() == pytest.approx(-3, abs=0.3)


@pytest.mark.parametrize("command", ["fly", "sim"])
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--terrain", "nowhere.tif"], "nowhere.tif: expected a regular file"),
        (["--terrain", "nowhere"], "expected a .png, .npy or .tif"),
        (["--terrain", "nowhere.npy"], "nowhere.npy: expected a regular file"),
        (["--terrain", "flat.npy"], "--terrain-spacing: expected the distance of two nodes"),
        (["--terrain-spacing", "2"], "--terrain-spacing: expected none without --terrain"),
    ],
)
def test_a_bad_terrain_map_is_one_line_and_status_2(
    command, options, words, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    np.save("flat.npy", np.zeros((2, 2)))
    assert main([command, *options]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line


@pytest.mark.parametrize("command", ["fly", "sim"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[events]]\ntime = -1\nmass = 1", "entry 1: time"),
        ("[[events]]\ntime = 1\nids = [4]\nmass = 1", "entry 1: ids"),
        ("[[events]]\ntime = 1\nmasse = 1", "masse"),
        ("[[event]]\ntime = 1", "'event'"),
        ("events = 3", "events"),
        ("[[events", "TOML"),
    ],
)
def test_a_file_with_what_is_no_event_is_one_line_and_status_2(
    command, text, words, tmp_path, capsys
):
    file = tmp_path / "events.toml"
    file.write_text(text)
    assert main([command, "--events", str(file)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "error: --events: " in line
    assert words in line


def test_events_act_in_a_flight_and_are_in_its_log(tmp_path):
    file = tmp_path / "events.toml"
    file.write_text("[[events]]\ntime = 0.5\ngravity = 9.5\nwind = [0, 3, 0]\n")
    arguments = ["--events", str(file), "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", plan_with(tmp_path), *arguments]) == 0
    (event,) = last_log(tmp_path).metadata["events"]
    assert (event["time"], event["columns"]) == (0.5, {"gravity": 9.5, "wind": [0, 3, 0]})


def test_turbulence_and_sensors_are_flown_and_logged(tmp_path):
    wind = ["--wind", "6,0,0", "--seed", "4", "--no-plot"]
    ends, logs = [], []
    for number, arguments in enumerate([[], ["--turbulence", "severe", "--sensors", "px4"]]):
        out = tmp_path / str(number)
        assert main(["fly", plan_with(tmp_path), *wind, *arguments, "--out", str(out)]) == 0
        logs.append(Log.load(out / "short-x450.npz"))
        ends.append(logs[-1]["pos"][-1, 0])
    assert np.abs(ends[1] - ends[0]).max() > 1e-3
    for name, rate in (("imu", 250), ("gps", 5), ("barometer", 50)):
        path = tmp_path / "1" / f"short-x450-{name}.npz"
        assert np.diff(Log.load(path).time) == pytest.approx(1 / rate, abs=1e-9)


def test_several_vehicles_fly_side_by_side(tmp_path, capsys):
    arguments = ["--vehicle", "x450:2,iris", "--spacing", "4", "--no-plot", "--out", str(tmp_path)]
    assert main(["fly", plan_with(tmp_path, leg_of(4e-5)), *arguments]) == 0
    printed = capsys.readouterr().out
    assert "vehicle 1, x450" in printed
    assert "vehicle 3, iris" in printed
    assert printed.count("all items flown") == 3
    log = Log.load(tmp_path / "short-x450+iris.npz")
    np.testing.assert_allclose(log["pos"][0, :, 1], [0, 4, 8])
    np.testing.assert_allclose(log["pos"][-1, :, 1], [0, 4, 8], atol=0.3)
    np.testing.assert_allclose(log["pos"][-1, :, 0], 4.4, atol=0.6)


def test_speed_up_limits_the_speed(tmp_path):
    arguments = ["--speed-up", "8", "--out", str(tmp_path), "--no-plot"]
    begin = time.monotonic()
    assert main(["fly", plan_with(tmp_path), *arguments]) == 0
    assert time.monotonic() - begin > (last_log(tmp_path).time[-1] - 0.1) / 8


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--max-height", "3"], 1, "geofence breach: above 3 m; action: hold"),
        (["--max-height", "3", "--fence-action", "land"], 1, "action: land"),
        (["--max-height", "3", "--fence-action", "warn"], 0, "above 3 m"),
    ],
)
def test_a_breach_of_the_geofence_is_reported(arguments, status, words, tmp_path, capsys):
    arguments = [*arguments, "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", plan_with(tmp_path), *arguments]) == status
    assert words in capsys.readouterr().out


def test_skipped_items_are_one_line_of_warning(tmp_path, capsys):
    def with_camera(plan):
        item = plan["mission"]["items"][0]
        plan["mission"]["items"] += [{**item, "command": 2000, "doJumpId": n} for n in (2, 3)]

    arguments = ["--out", str(tmp_path), "--no-plot"]
    assert main(["fly", plan_with(tmp_path, with_camera), *arguments]) == 0
    error = capsys.readouterr().err
    assert error.startswith("pyrfly fly: warning: ")
    assert error.endswith("skipped: 2000 IMAGE_START_CAPTURE (items 2, 3)\n")
    assert error.count("\n") == 1


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
    out, savez = tmp_path / "out", np.savez

    def full(stream, **arrays):
        """There is room for parts of the recording, and not for all of it at once."""
        if ".recording" in stream.name:
            return savez(stream, **arrays)
        stream.write(b"a part")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(np, "savez", full)
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
    assert names == {"", *(f"-{name}" for name in names_of(Sensor))}


@pytest.mark.parametrize("length", [235, 250])
def test_a_long_name_of_a_mission_is_flown_or_refused_before(length, tmp_path, capsys):
    """Names of files have up to 255 bytes."""
    plan = Path(plan_with(tmp_path))
    plan = plan.rename(plan.with_name("x" * length + ".plan"))
    out = tmp_path / "out"
    status = main(["fly", str(plan), "--out", str(out), "--no-plot"])
    printed, error = capsys.readouterr()
    assert (status, len(list(out.iterdir()))) == ((0, 1) if length == 235 else (2, 0))
    assert bool(printed) == (length == 235)
    assert ("File name too long" in error) == (length == 250)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_table_of_a_mission_whose_name_is_not_utf8_is_written(suffix, tmp_path):
    plan = Path(plan_with(tmp_path))
    plan = plan.rename(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.plan")))
    out = tmp_path / "out"
    arguments = ["fly", plan, "--out", out, "--format", suffix]
    done = subprocess.run(
        [sys.executable, "-m", "pyrfly", *arguments], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {path.suffix for path in out.iterdir()} == {f".{suffix}", ".png"}


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


def test_an_interruption_of_another_command_is_one_line(monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pyrfly.cli.logs.plot", interrupted)
    assert main(["plot", "x.npz"]) == 130
    assert capsys.readouterr().err == "pyrfly plot: interrupted\n"


@pytest.mark.parametrize("suffix", ["plan", "csv"])
@pytest.mark.parametrize("name", [b"caf\xe9", b"\xff\xfe"])
def test_a_mission_path_that_is_not_utf8_is_one_line(name, suffix, tmp_path, capsys):
    """Neither a traceback nor undecodable bytes, whether the file is there or not."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name + b"." + suffix.encode()))
    for there in (False, True):
        if there:
            path.write_bytes(b"nonsense")
        assert main(["fly", str(path)]) == 2
        error = capsys.readouterr().err  # refuses what cannot be encoded, as streams do
        assert error.startswith("pyrfly fly: error: ")
        assert error.count("\n") == 1


@pytest.mark.slow
def test_a_mission_of_a_path_that_is_not_utf8_is_flown(tmp_path):
    plan = Path(plan_with(tmp_path))
    plan = plan.rename(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.plan")))
    out = tmp_path / "out"
    log = out / os.fsdecode(b"caf\xe9-x450.npz")
    for arguments in (["fly", plan, "--out", out, "--no-plot"], ["plot", log], ["export", log]):
        done = subprocess.run(
            [sys.executable, "-m", "pyrfly", *arguments], capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert b"\\udce9" in done.stdout
    assert {".npz", ".png", ".csv", ".kml", ".ulg"} == {path.suffix for path in out.iterdir()}


@pytest.mark.slow
def test_plot_draws_a_saved_log(tmp_path, capsys):
    mission = plan_with(tmp_path)
    assert main(["fly", mission, "--vehicle", "x450:2", "--out", str(tmp_path), "--no-plot"]) == 0
    log = str(tmp_path / "short-x450.npz")
    picture = tmp_path / "a.svg"
    arguments = ["--mission", mission, "--vehicle", "2", "--out", str(picture)]
    assert main(["plot", log, *arguments]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == str(picture)
    assert picture.stat().st_size > 10_000


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
    assert main(["export", log, "--format", "ulg", "--vehicle", "2"]) == 0
    assert (tmp_path / "short-x450-2.ulg").exists()
    assert not (tmp_path / "short-x450.kml").exists()


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal_and_erased(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    assert main(["fly", plan_with(tmp_path), "--out", str(tmp_path), "--no-plot"]) == 0
    text = terminal.getvalue()
    assert re.search(r"\d+ s flown, .* times real time", text)
    assert text.endswith("\r\x1b[K")


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
        (["plot", "broken.npz"], "broken.npz: expected an .npz file of Log.save"),
        (["export", "broken.npz"], "broken.npz: expected an .npz file of Log.save"),
        (
            ["plot", "foreign.npz"],
            "foreign.npz: expected an .npz file of Log.save, got one without 'header'",
        ),
        (["plot", "good.npz", "--vehicle", "7"], "good.npz: copter_id: expected one of [1], got 7"),
        (["export", "good.npz", "--vehicle", "7"], "good.npz: copter_id: expected one of [1]"),
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


@pytest.mark.slow
def test_a_flight_that_fails_is_status_1(tmp_path, capsys):
    """A vehicle that can hardly lift its weight does not reach its first item."""
    heavy = tmp_path / "heavy.toml"
    source = Path(pyrfly.__file__).parent / "vehicles" / "multirotor" / "sets" / "sdk.toml"
    text = source.read_text()
    assert "value = 1.515" in text
    heavy.write_text(text.replace("value = 1.515", "value = 4.6", 1))
    arguments = ["--vehicle", str(heavy), "--out", str(tmp_path / "out"), "--no-plot"]
    assert main(["fly", plan_with(tmp_path), *arguments]) == 1
    out, error = capsys.readouterr()
    assert "no" in out.split("completed", 1)[1].splitlines()[0]
    assert "warning: heavy.toml: thrust to weight 1.01, usual 1.5 to 10\n" in error


def without_home(plan):
    del plan["mission"]["plannedHomePosition"]


def absurd_home(plan):
    plan["mission"]["plannedHomePosition"] = [140.0, 116.0, 50]


def absurd_height(plan):
    plan["mission"]["items"][0]["params"][6] = 1e9


def unsupported(plan):
    plan["mission"]["items"].append({**plan["mission"]["items"][0], "command": 82, "doJumpId": 2})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (without_home, ["plannedHomePosition"]),
        (absurd_home, ["latitude", "140"]),
        (absurd_height, ["item 1"]),
        (unsupported, ["item 2", "82", "NAV_SPLINE_WAYPOINT"]),
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


def test_a_folder_that_cannot_be_made_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    arguments = ["--out", str(tmp_path / "file" / "out"), "--no-plot"]
    assert main(["fly", plan_with(tmp_path), *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "file" in error


def test_a_format_whose_extra_is_missing_is_named_before_the_flight(tmp_path, monkeypatch, capsys):
    for module in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    out = tmp_path / "out"
    assert main(["fly", plan_with(tmp_path), "--format", "parquet", "--out", str(out)]) == 2
    error = capsys.readouterr().err
    assert "a .parquet file needs pyarrow" in error
    assert "pyrfly[log]" in error
    assert not out.exists()


@pytest.mark.parametrize(
    "argv",
    [
        [],
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
            family = line
    assert sorted(listed) == [(name, vehicles.load(name).family) for name in pyrfly.names()]


def test_vehicles_checks_a_file(tmp_path, capsys):
    """The same table, and the numbers that tell whether it makes sense."""
    path = tmp_path / "mine.toml"
    source = Path(pyrfly.__file__).parent / "vehicles" / "multirotor" / "sets" / "sdk.toml"
    path.write_text(source.read_text().replace("value = 1.515", "value = 0.3", 1))
    assert main(["vehicles", str(path), "mixed"]) == 0
    captured = capsys.readouterr()
    head, family, *lines = captured.out.splitlines()
    assert head.split()[0] == "name"
    assert family == "multirotor"
    assert lines[0].split()[:2] == ["sdk", "4"]
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


def run_unread(arguments, folder, unbuffered=""):
    """Run the program with its output into a pipe that has no reader."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run(
            [sys.executable, "-m", "pyrfly", *arguments],
            cwd=folder,
            stdout=writer,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            text=True,
            check=False,
            timeout=60,
        )
    finally:
        os.close(writer)


@pytest.mark.slow
def test_a_flight_whose_output_nobody_reads_leaves_its_log_alone(tmp_path):
    """And no recording, of which there is one after 20 s."""
    out = tmp_path / "out"
    done = run_unread(["fly", "--out", str(out), "--no-plot"], tmp_path, unbuffered="1")
    assert (done.returncode, done.stderr) == (141, "")
    assert last_log(out).metadata["completed"]
    assert [path.name for path in out.iterdir()] == ["demo-x450.npz"]
