"""``pyrfly fly``: what is flown and written."""

import json
import re
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import rasterio
from PIL import Image
from rasterio.transform import from_origin

import pyrfly
from pyrfly.cli import main
from pyrfly.log import Log
from pyrfly.terrain import read_terrain

from .fly_files import last_log, plan_with
from .test_progress import Terminal


def test_fly_takes_any_vehicle(tmp_path):
    arguments = ["--vehicle", "cf2x_t350", "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", plan_with(tmp_path), *arguments]) == 0
    assert last_log(tmp_path).metadata["vehicles"][0]["name"] == "cf2x_t350"


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_fly_writes_the_format_asked_for(suffix, tmp_path):
    arguments = ["--format", suffix, "--out", str(tmp_path / "out"), "--no-plot"]
    assert main(["fly", plan_with(tmp_path), *arguments]) == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == [f"short-x450.{suffix}"]


def test_what_a_flight_replaces_is_said(tmp_path, capsys):
    flight = ["fly", plan_with(tmp_path), "--no-plot", "--out", str(tmp_path)]
    (tmp_path / "short-x450-imu.npz").touch()
    (tmp_path / "short-rover.npz").touch()
    for replaced in ("", "pyrfly fly: 1 file of an earlier flight was replaced"):
        assert main(flight) == 0
        error = capsys.readouterr().err
        assert error.startswith(replaced)
        assert ("replaced" in error) == bool(replaced)
        left = f"pyrfly fly: still of an earlier flight: {tmp_path / 'short-x450-imu.npz'}\n"
        assert error.endswith(left)


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
        (["--terrain-picture", "a.jpg"], "--terrain-picture: expected none without --terrain"),
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


def test_a_payload_is_dropped_by_the_mission(tmp_path, capsys):
    def open_gripper(plan):
        for number, (command, parameter) in enumerate([(211, 1), (93, 2)], start=2):
            item = {"command": command, "frame": 2, "params": [parameter, *[0] * 6]}
            item |= {"type": "SimpleItem", "autoContinue": True, "doJumpId": number}
            plan["mission"]["items"].append(item)

    flight = ["fly", plan_with(tmp_path, open_gripper), "--payload", "0.1,2", "--no-plot"]
    assert main([*flight, "--out", str(tmp_path)]) == 0
    assert "drop the payload" in capsys.readouterr().out
    log = last_log(tmp_path)
    assert (log["payload_dropped"][0, 0], log["payload_dropped"][-1, 0]) == (0, 1)
    assert log["payload_pos"][-1, 0, 2] > -3


@pytest.mark.slow
def test_a_flight_ends_at_a_wall_of_the_scene(tmp_path, capsys):
    scene = tmp_path / "wall.toml"
    scene.write_text('[[box]]\nname = "wall"\nsize = [1, 40, 40]\nposition = [6, 0, -20]\n')
    flight = ["fly", "--scene", str(scene), "--out", str(tmp_path), "--no-plot"]
    assert main(flight) == 0  # without collisions it is flown through
    assert main([*flight, "--collisions"]) == 1
    assert "destroyed in a collision" in capsys.readouterr().out
    log = last_log(tmp_path)
    assert (log["crashed"][0, 0], log["crashed_with"][-1, 0]) == (0, 0x80000000)
    assert log["pos"][:, 0, 0].max() < 5.5


def test_an_unknown_scene_is_refused(tmp_path, capsys):
    with suppress(SystemExit):
        assert main(["fly", "--scene", str(tmp_path / "no.toml")]) == 2
    assert "--scene: " in capsys.readouterr().err


@pytest.mark.parametrize("text", ["0", "-1", "nan", "1,2,3", "1,-2", "heavy", "1e9"])
def test_odd_payloads_are_refused(capsys, text):
    with suppress(SystemExit):
        assert main(["fly", f"--payload={text}"]) == 2
    assert "argument --payload: expected a mass above 0" in capsys.readouterr().err


def test_a_battery_that_runs_low_ends_the_mission(tmp_path, capsys):
    options = ["--battery", "0.2", "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", *options]) == 1
    assert "battery below" in capsys.readouterr().out


def test_what_low_batteries_do_is_an_option(tmp_path, capsys):
    flight = ["fly", plan_with(tmp_path), "--battery", "0.4", "--out", str(tmp_path), "--no-plot"]
    assert main([*flight, "--battery-actions", "0.9=warn"]) == 0
    assert "below 90 %, warn" in capsys.readouterr().out
    assert main([*flight, "--battery-actions", "0.95=land"]) == 1
    assert "battery below 95 %; action: land" in capsys.readouterr().out
    assert main([*flight, "--battery-actions", "none"]) == 0
    assert "low battery" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ("0.3=hold", "argument --battery-actions: expected some of warn, return, land, got 'hold'"),
        ("low=land", "argument --battery-actions: expected 0 to 1 before each =, got 'low'"),
        ("0.3=land", "--battery-actions: expected --battery MIN with it"),
    ],
)
def test_what_is_no_action_of_a_battery_is_said(actions, message, capsys):
    with suppress(SystemExit):
        assert main(["fly", "--battery-actions", actions]) == 2
    assert message in capsys.readouterr().err


def test_boundaries_of_a_file_end_a_mission(tmp_path, capsys):
    file = tmp_path / "limits.toml"
    file.write_text("[[boundaries]]\nboundary = 'height'\nmaximum = 2\naction = 'terminate'\n")
    flight = ["fly", plan_with(tmp_path), "--no-plot", "--out", str(tmp_path)]
    assert main([*flight, "--boundaries", str(file)]) == 1
    assert "height 2" in capsys.readouterr().out
    file.write_text("[[boundaries]]\nboundary = 'hight'\n")
    assert main([*flight, "--boundaries", str(file)]) == 2
    assert "boundaries: entry 1: boundary: expected one" in capsys.readouterr().err


def test_a_mission_is_flown_on_an_estimate(tmp_path, capsys):
    flight = ["fly", plan_with(tmp_path), "--no-plot", "--estimator"]
    assert main([*flight, "--sensors", "px4", "--out", str(tmp_path)]) == 0
    log = Log.load(tmp_path / "short-x450.npz")
    assert 0.05 < np.abs(log["pos"][-1, :2]).max() < 5  # it lands where it takes home for
    assert main(flight) == 2
    assert "--estimator: expected vehicles with sensors" in capsys.readouterr().err


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


def test_progress_is_shown_on_a_terminal_and_erased(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    assert main(["fly", plan_with(tmp_path), "--out", str(tmp_path), "--no-plot"]) == 0
    text = terminal.getvalue()
    assert re.search(r"\d+ s flown, .* times real time", text)
    assert text.endswith("\r\x1b[K")


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
