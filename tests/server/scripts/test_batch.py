"""What the reader of batch files makes of the language; expected values from cmd's rules."""

import pytest

from pyrfly.server.scripts.batch import read_batch
from pyrfly.server.scripts.variables import LONGEST_TEXT, Variables


def read(text, **fixed):
    """Return variables by name: texts, or texts and doubts where there is doubt."""
    variables = Variables(fixed, fold=True)
    read_batch(text, variables)
    return variables


def value(text, name="A", **fixed):
    found = read(text, **fixed).find(name)
    return None if found is None else found.text


def doubt(text, name="A"):
    found = read(text).find(name)
    assert found is not None
    return found.doubt


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SET A=1", "1"),
        ("set a=1", "1"),
        ("@set A=1", "1"),
        ('SET "A=1 2"', "1 2"),
        ('SET A="x y"', '"x y"'),
        ("SET  A = 1 ", "1"),
        ("SET A=", None),
        ("SET A=1\nSET A=", None),
        ("SET A=1\nSET A=2", "2"),
        ("SET A=x^&y", "x&y"),
        ('SET A="x&y"', '"x&y"'),
        ("SET A=1& SET B=2", "1"),
        ("SET B=1&SET A=2", "2"),
        ("SET A=one ^\ntwo", "one two"),
        ("SET /a A=(1+2)*3", "9"),
        ("SET/a A=7/2", "3"),
        ('set /a "A=7%%4"', "3"),
        ("set /a A = 2 * 3", "6"),
        ("set /a B=4, A=B-1", "3"),
        ("set /a A=1\nset /a A+=4", "5"),
        ("set /a A=0x10", "16"),
        ("set B=5\nset /a A=%B%*2", "10"),
        ("set B=5\nset /a A=B*2", "10"),
        ("set B=5\nset A=%b%6", "56"),
        ("set B=5\nset A=!B!6", "56"),
        ("set A=85%%", "85%"),
        ("set /a A=85.234", "85.234"),
        ("REM SET A=1", None),
        (":: SET A=1", None),
        (":SET A=1", None),
        ("ECHO SET A=1", None),
        ("setlocal A=1", None),
        ("setx A=1", None),
        ("SET A", None),
        ("set =1", None),
        ("tasklist|set A=1", ""),
    ],
)
def test_assignments(text, expected):
    assert value(text) == (expected or None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if not defined A set A=1", "1"),
        ("set A=0\nif not defined A set A=1", "0"),
        ("set A=0\nif defined A (\nset A=1\n)", "1"),
        ("if defined A (\nset A=1\n) else (\nset A=2\n)", "2"),
        ("set B=x\nif /i %B%==X (set A=1) else (set A=2)", "1"),
        ('set B=x\nif not "%B%"=="y" (set A=1) else (set A=2)', "1"),
        ("set B=10\nif %B% GTR 9 set A=1", "1"),
        ("set B=9\nif %B% GTR 10 set A=1", None),
        ("set B=9\nif %B% LEQ 9 if %B% GEQ 9 if %B% NEQ 8 set A=1", "1"),
        ("set B=2\nif %B%==1 (\nset A=1\n) else if %B%==2 (\nset A=2\n) else (\nset A=3\n)", "2"),
        ("if 1==1 (\nif 1==2 (\nset A=1\n)\nset A=2)\nset C=1", "2"),
        ("if 1==2 (\n(\nset A=1\n)\n)", None),
        ("goto Past\nset A=1\n:Past\nset A=2", "2"),
        ("set A=1\ngoto past\nset A=2\n:PAST", "1"),
        ("set A=1\ngoto :EOF\nset A=2", "1"),
        ("set A=1\nexit /b\nset A=2", "1"),
        ("set A=1\nif 1==1 goto On\nset A=2\n:On", "1"),
        (":Top\nset A=1\nif 1==2 goto Top\nset B=1", "1"),
        ("set A=1\nstart CopterSim.exe 1 %A%\nset A=2", "1"),
        ("set A=1\nif 1==2 start CopterSim.exe 1\nset A=2", "2"),
    ],
)
def test_what_runs_and_what_does_not(text, expected):
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SET /P A=How many:", "is asked for"),
        ("SET /P N=:\nSET /A A=%N%+1", "follows from N, which is asked for"),
        ("SET A=%COMPUTERNAME%", "follows from COMPUTERNAME, which the script does not set"),
        ("SET A=%~dp0", "follows from %~"),
        ("SET B=12\nSET A=%B:~0,1%", "follows from %B:~0,1%"),
        ("SET A=1\nif exist C:\\x SET A=2", "is set under a condition"),
        ("SET A=1\nif exist C:\\x (\nSET A=2\n)", "is set under a condition"),
        ("SET A=1\nfor %%i in (1,2) do SET A=2", "is set under a condition"),
        ("SET A=1\nsomething && SET A=2", "is set under a condition"),
        (":L\nset /a A=A+1\nif exist x goto L", "is counted in a loop"),
        ("SET /P N=:\nif %N%==1 (SET A=1) else (SET A=2)", "is set under a condition"),
    ],
)
def test_what_cannot_be_told_is_a_doubt(text, expected):
    assert doubt(text) == expected


def test_the_last_known_value_stays():
    found = read("SET A=1\nif exist x SET A=2\nSET /P A=Which:").find("A")
    assert (found.text, found.line, found.doubt) == ("1", 3, "is asked for")


def test_given_values_go_on_into_those_that_follow():
    text = "SET /P N=:\nSET /A A=N*2\nSET N=9"
    assert value(text, N="4") == "8"
    assert value(text, "N", N="4") == "4"


def test_values_do_not_explode():
    text = "SET A=0123456789\n" + "SET A=%A%%A%\n" * 5000
    found = read(text).find("A")
    assert found.text is None or len(found.text) <= LONGEST_TEXT
