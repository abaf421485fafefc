"""``pyrfly case``: verdicts, files, and what is wrong."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from pyrfly.cli import main
from pyrfly.log import Log

Captured = pytest.CaptureFixture[str]
LOST = "2,6,123450,123450,0,1,1,1;1,1,9"
UP = "2,1;2,3,0,0,-9;1,1,5;"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    cases = [
        {"CaseID": 1, "FaultMode": "weak", "ControlSequence": UP + "2,6,123450,123450,1,1,0.95,1"},
        {
            "CaseID": 2,
            "FaultMode": "lost",
            "ControlSequence": UP + LOST,
        },
        {"CaseID": 3, "FaultMode": "noise", "ControlSequence": UP + "2,6,123544,9;1,1,1"},
    ]
    path = tmp_path / "db.json"
    path.write_text(json.dumps({"FAULT_CASE": cases, "TEST_CASE": "1;3"}))
    return path


def test_cases_that_pass(database: Path, capsys: Captured) -> None:
    assert main(["case", str(database)]) == 0
    heading, *rows = capsys.readouterr().out.splitlines()
    assert heading.split()[:2] == ["case", "result"]
    assert [row.split()[:2] for row in rows] == [["1", "pass"], ["3", "pass"]]


def test_a_case_that_fails_and_its_files(database: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "out"
    arguments = ["case", str(database), "--case", "2", "--case", "1", "--out", str(out)]
    assert main(arguments) == 1
    assert "FAIL" in capsys.readouterr().out
    with (out / "results.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["case"], row["passed"]) for row in rows] == [("2", "0"), ("1", "1")]
    assert float(rows[0]["fall_speed"]) > 3.5
    log = Log.load(out / "db-2.npz")
    assert [text[3] for text in log.metadata["texts"]][-1] == "case 2: 1,1,9"
    assert any("MAV_CMD 183" in text[3] for text in log.metadata["texts"])


def test_a_limit_is_a_boundary(database: Path) -> None:
    assert main(["case", str(database), "--limit", "height=1"]) == 1


def test_parameters_of_a_file_hold(database: Path, tmp_path: Path) -> None:
    file = tmp_path / "heavy.csv"
    file.write_text("interface,number,value\nInitInParams,1,9.0\n")
    assert main(["case", str(database), "--case", "1", "--params", str(file)]) == 0
    assert (
        main(["case", str(database), "--case", "1", "--params", str(file), "--limit", "height=1"])
        == 0
    )  # too heavy to take off


def test_faults_of_batteries_act_on_those_of_the_option(tmp_path: Path, capsys: Captured) -> None:
    case = tmp_path / "empty.case"
    case.write_text("2,1;2,3,0,0,-5;1,1,5;2,6,123455,0;1,1,8")
    assert main(["case", str(case)]) == 1
    assert "power.enable()" in capsys.readouterr().out
    assert main(["case", str(case), "--battery", "10"]) == 1
    assert "crash at" in capsys.readouterr().out


def test_faults_of_sensors_change_what_flies_unless_it_knows_the_truth(tmp_path: Path) -> None:
    case = tmp_path / "noise.case"
    case.write_text("2,1;2,3,0,0,-5;1,1,6;2,6,123545,900;1,1,6;2,5")
    assert main(["case", str(case), "--limit", "distance=1"]) == 1
    assert main(["case", str(case), "--limit", "distance=1", "--no-estimator"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--case", "9"], "db.json: expected a CaseID of 1, 2, 3, got 9"),
        (["--vehicle", "no_such"], "no_such"),
        (["--params", "none.csv"], "--params: none.csv: cannot be read"),
    ],
)
def test_what_is_wrong_is_said(
    database: Path, arguments: list[str], message: str, capsys: Captured
) -> None:
    assert main(["case", str(database), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_limit_of_no_measure_is_an_error(database: Path, capsys: Captured) -> None:
    with pytest.raises(SystemExit):
        main(["case", str(database), "--limit", "weight=1"])
    assert "expected one of speed, tilt" in capsys.readouterr().err
