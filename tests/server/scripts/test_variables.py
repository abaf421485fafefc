"""Whole-number expressions against Bash; variables that are known, given or in doubt."""

import random
import shutil
import subprocess

import pytest

from pyrfly.server.scripts.variables import (
    LONGEST_TEXT,
    UnknownValueError,
    Variable,
    Variables,
    evaluate,
    starts_coptersim,
    wrapped,
)

BASH = shutil.which("bash")


def expression(choose: random.Random, depth: int) -> str:
    """Return a random expression without names."""
    if depth == 0 or choose.random() < 0.2:
        return choose.choice(["0", "7", "12", "0x1F", "017", "65536", "2147483647", "-3", "+4"])
    if choose.random() < 0.3:
        return f"{choose.choice(['', '-'])}({expression(choose, depth - 1)})"
    operator = choose.choice(["+", "-", "*", "/", "%", " + ", " * "])
    left, right = (expression(choose, depth - 1) for _ in range(2))
    return f"{left}{operator}({right})" if right[0] in "+-" else f"{left}{operator}{right}"


@pytest.mark.skipif(BASH is None, reason="compares with Bash")
def test_expressions_have_the_values_that_bash_computes():
    seed = random.randrange(2**32)
    print("seed", seed)
    choose = random.Random(seed)
    texts = [expression(choose, 4) for _ in range(300)]
    lines = "".join(f"(echo $(({text}))) 2>/dev/null || echo error\n" for text in texts)
    printed = subprocess.run([BASH, "-c", lines], capture_output=True, text=True, check=False)
    expected = printed.stdout.split("\n")[:-1]
    assert len(expected) == len(texts)
    for text, value in zip(texts, expected, strict=True):
        if value == "error":
            with pytest.raises(ValueError, match="division by zero"):
                evaluate(text, {}.__getitem__, 64)
        else:
            assert evaluate(text, {}.__getitem__, 64) == int(value), text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2147483647 + 1", -(2**31)),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("((cntr-1) / side)*2 + 10", 14),
        ("((cntr-1) % side)*2", 2),
        (" 5 ", 5),
    ],
)
def test_numbers_are_those_of_32_bits_as_in_batch_files(text, value):
    assert evaluate(text, {"cntr": 8, "side": 3}.__getitem__, 32) == value


@pytest.mark.parametrize(
    "text", ["", "1 +", "(1", "1)", "1 2", "85.5", "08", "1 / 0", "1 % (2 - 2)", "a b", "$", "1**2"]
)
def test_what_is_no_expression_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"."):
        evaluate(text, lambda name: 1, 32)


def test_depth_and_length_are_limited():
    assert evaluate("(" * 40 + "1" + ")" * 40, {}.__getitem__, 32) == 1
    for text in ("(" * 400, "(" * 60 + "1" + ")" * 60, "1+" * 400 + "1", "9" * 400):
        with pytest.raises(ValueError, match="no expression"):
            evaluate(text, {}.__getitem__, 32)


def test_wrapped():
    assert [wrapped(n, 32) for n in (2**31, -(2**31) - 1, 5)] == [-(2**31), 2**31 - 1, 5]


def test_given_values_are_not_assigned():
    variables = Variables({"A": "1"}, fold=True)
    variables.assign("a", "2", 3)
    assert variables.find("A") == Variable("1", 0)
    assert variables.names("a")
    assert not variables.names("b")


def test_case_of_names():
    for fold, text in ((True, "2"), (False, "1")):
        variables = Variables({}, fold=fold)
        variables.assign("name", "1", 1)
        variables.assign("NAME", "2", 2)
        assert variables.text("name") == text


def test_doubt_is_passed_on_and_an_empty_text_removes():
    variables = Variables({})
    with pytest.raises(UnknownValueError, match="follows from A, which the script does not set"):
        variables.text("A")
    variables.assign("A", "5", 1)
    assert variables.number("A") == 5
    variables.doubt("A", 2, "is asked for", keep=True)
    assert variables.find("A") == Variable("5", 2, "is asked for")
    with pytest.raises(UnknownValueError, match="which is asked for"):
        variables.number("A")
    variables.assign("A", "", 3)
    assert variables.find("A") is None
    variables.assign("A", "x" * (LONGEST_TEXT + 1), 4)
    assert variables.find("A").text is None


def test_a_chain_of_doubts_names_the_first():
    variables = Variables({})
    variables.doubt("A", 1, "is asked for", keep=False)
    for number in range(3):
        with pytest.raises(UnknownValueError) as reason:
            variables.text("A" * (number + 1))
        assert str(reason.value) == "follows from A, which is asked for"
        variables.doubt("A" * (number + 2), 2, str(reason.value), keep=False)


@pytest.mark.parametrize(("text", "number"), [("12", 12), ('"-3"', -3), ("0x10", 16), ("abc", 0)])
def test_numbers_of_texts(text, number):
    variables = Variables({})
    variables.assign("A", text, 1)
    assert variables.number("A") == number


@pytest.mark.parametrize(
    ("command", "starts"),
    [
        ("start /realtime CopterSim.exe 1 %cntr%", True),
        ('start "" "D:\\CopterSim\\CopterSim.exe" 1', True),
        ("./CopterSim 1 $id", True),
        ("nohup ./CopterSim 1 $id", True),
        ("cd /d %PSP_PATH%\\CopterSim", False),
        ("cd CopterSim", False),
        ('taskkill /f /im "CopterSim.exe"', False),
        ("pkill -x CopterSim", False),
        ("start %PSP_PATH%\\RflySim3D\\RflySim3D.exe", False),
        ("echo start CopterSim now", False),
        ("", False),
    ],
)
def test_commands_that_start_coptersim(command, starts):
    assert starts_coptersim(command.split()) == starts
