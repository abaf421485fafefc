"""Files of cases: what they mean, and errors that name the case and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyrfly.cases import is_case_file, read_case, read_cases
from pyrfly.cases.steps import COMMANDS
from pyrfly.errors import CaseError

# The form of a data base of the safety platform, with sequences of our own.
DATABASE = {
    "FAULT_CASE": [
        {"CaseID": 1, "FaultMode": "loss", "ControlSequence": "2,1;1,1,5;2,3,0,0,-15;"},
        {"CaseID": 4, "FaultType": "noise", "ControlSequence": "2,6,123544,123544,1,2"},
        {"CaseID": 7, "ControlSequence": " 2,5 ; 1,2,50,-30,-15 "},
    ],
    "TEST_CASE": "7;1",
    "VISION": "off",
}

KNOWN = ", ".join(f"{kind},{number}" for kind, number in sorted(COMMANDS))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "db.json"
    path.write_text(json.dumps(DATABASE))
    return path


def test_a_data_base_has_the_cases_that_it_lists(database: Path) -> None:
    last, first = read_cases(database)
    assert (last.number, first.number, first.name) == (7, 1, "loss")
    assert [step.code for step in first.steps] == [(2, 1), (1, 1), (2, 3)]
    assert [step.params for step in first.steps] == [(), (5,), (0, 0, -15)]
    assert [step.text for step in last.steps] == ["2,5", "1,2,50,-30,-15"]


def test_others_are_chosen_by_number(database: Path) -> None:
    (case,) = read_cases(database, [4])
    assert case.name == "noise"
    assert read_case(f"{database}#4") == case
    with pytest.raises(CaseError, match=r"expected one case, such as db\.json#1"):
        read_case(database)
    with pytest.raises(CaseError, match=r"expected a CaseID of 1, 4, 7, got 2"):
        read_case(f"{database}#2")
    with pytest.raises(CaseError, match="expected a CaseID after #, got 'x'"):
        read_case(f"{database}#x")


def test_a_text_is_one_case(tmp_path: Path) -> None:
    path = tmp_path / "loss.case"
    path.write_text("# a note; 9,9\n2,1;\n2,3,0,0,-15;1,1,1e1\n")
    case = read_case(path)
    assert case.name == "loss"
    assert [step.text for step in case.steps] == ["2,1", "2,3,0,0,-15", "1,1,10"]


def test_what_is_a_case_file(database: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text('{"fileType": "Plan"}')
    assert is_case_file(database)
    assert is_case_file(f"{database}#4")
    assert is_case_file("any.case")
    assert not is_case_file(plan)
    assert not is_case_file("survey.plan")
    assert not is_case_file("none.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 1 to 10000 commands, got 0"),
        ("2,1;" * 10_001, "expected 1 to 10000 commands, got 10001"),
        ("2,1;3,1", f"command 2: expected one of {KNOWN}, got '3,1'"),
        ("2,1;2", "command 2: expected class,func,params, got '2'"),
        ("2,1.5", "command 1: expected class,func,params"),
        ("2,1;1,1", "command 2: expected 1 to 1 parameters, got '1,1'"),
        ("1,1,-1", "command 1: expected a wait of at least 0 s"),
        ("1,1,nan", "command 1: expected finite numbers, got 'nan'"),
        ("1,1,1_0", "command 1: expected finite numbers, got '1_0'"),
        ("1,1,\uff11", "command 1: expected finite numbers"),
        ("2,3,0,0,up", "command 1: expected finite numbers, got 'up'"),
        ("2,3,0,0,-1e9", r"expected parameters of up to 1e\+06"),
        ("2,6,1,2,3", "expected 1 to 8 numbers of faults"),
        ("2,6," + "123450," * 9, "expected 1 to 8 numbers of faults"),
        ("2,6,123450" + ",1" * 21, "expected 1 to 8 numbers of faults, then up to 20"),
        ("2,6,123450.5,1", "expected whole numbers of faults"),
        ("2,6,123450,1e300", "expected whole numbers of faults"),
        ('{"FAULT_CASE": []}', r"FAULT_CASE: expected a list of cases, got \[\]"),
        ('{"FAULT_CASE": [{"CaseID": 1,}]}', "line 1: "),
        ('{"FAULT_CASE": [7]}', "FAULT_CASE entry 1: expected an object, got 7"),
        ('{"FAULT_CASE": [{"CaseID": "1"}]}', "entry 1: CaseID: expected a whole number, got '1'"),
        ('{"FAULT_CASE": [{"CaseID": 1}]}', "entry 1: ControlSequence: expected a text"),
        (
            '{"FAULT_CASE": [{"CaseID": 3, "ControlSequence": "2,1;9,1"}]}',
            r"entry 1 \(CaseID 3\): command 2: expected one of",
        ),
        (json.dumps({**DATABASE, "TEST_CASE": "1,2"}), "TEST_CASE: expected CaseIDs such as"),
        (
            json.dumps({**DATABASE, "TEST_CASE": "1;" * 10_001}),
            "TEST_CASE: expected at most 10000 CaseIDs, got 10001",
        ),
        (json.dumps({**DATABASE, "TEST_CASE": "1;2"}), "expected a CaseID of 1, 4, 7, got 2"),
        (
            json.dumps({"FAULT_CASE": [{"CaseID": 1, "ControlSequence": "2,1"}] * 2}),
            "entry 2: CaseID 1 is there twice",
        ),
        ("[" * 100_000, "command 1: expected finite numbers"),
    ],
)
def test_an_error_names_the_case_and_the_command(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.case"
    path.write_text(text)
    with pytest.raises(CaseError, match=message) as raised:
        read_cases(path)
    assert "bad.case" in str(raised.value)
