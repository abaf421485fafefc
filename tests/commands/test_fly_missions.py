"""``pyrfly fly`` and files of missions: what is refused, and strange names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pyrfly.cli import main

from .fly_files import plan_with


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
