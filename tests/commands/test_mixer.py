"""``pyrfly mixer``: outputs of files and airframes, and what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyrfly.cli import main

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.main.mix"
    path.write_text("Z:\nM: 1\nS: 0 3 0 20000 -10000 -10000 10000\n")
    return path


def test_outputs_are_printed(file: Path, capsys: Captured) -> None:
    assert main(["mixer", str(file), str(file), "--controls", "roll=-0.1, thrust=0.6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["output", "value", "PWM", "[us]", "made", "of"]
    assert [line.split() for line in lines[3:]] == [
        ["2", "0.0000", "900", "nothing"],
        ["3", "0.2000", "1600", "(0", "or", "2)", "thrust", "-", "1"],
    ]


def test_files_of_an_airframe_are_named(tmp_path: Path, file: Path, capsys: Captured) -> None:
    scripts, mixers = tmp_path / "etc" / "init.d" / "airframes", tmp_path / "etc" / "mixers"
    for folder in (scripts, mixers):
        folder.mkdir(parents=True)
    (scripts / "3999_mine").write_text("set MIXER mine\nset MIXER_AUX other\n")
    file.rename(mixers / file.name)
    assert main(["mixer", "--px4-dir", str(tmp_path), "--airframe", "3999"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("airframe 3999_mine: ")
    assert "\nmissing: MIXER_AUX: there is no mixers/other.aux.mix\n" in printed
    assert "-1.0000      1000" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "mixer: expected either files, or --px4-dir and --airframe"),
        (["--airframe", "1"], "mixer: expected either files"),
        (["none.mix"], "none.mix: cannot be read"),
        (["--px4-dir", "nowhere", "--airframe", "1"], "folder: expected PX4's sources"),
    ],
)
def test_bad_input_is_said(arguments: list[str], message: str, capsys: Captured) -> None:
    assert main(["mixer", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("controls", ["roll", "roll=x", "roll=2", "roll=nan", "rol=0.1", ""])
def test_bad_controls_are_said(controls: str, file: Path, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as end:
        main(["mixer", str(file), "--controls", controls])
    assert end.value.code == 2
    assert "--controls: expected" in capsys.readouterr().err
