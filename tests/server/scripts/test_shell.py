"""What the reader of shell scripts makes of the language, against Bash itself."""

import shutil
import subprocess

import pytest

from pyrfly.server.scripts.shell import read_shell
from pyrfly.server.scripts.shell_words import commands_of
from pyrfly.server.scripts.variables import Variables

BASH = shutil.which("bash")


def read(text, **fixed):
    variables = Variables(fixed)
    read_shell(text, variables)
    return variables


SCRIPTS = [
    "A=1",
    "A='x y'",
    'A="x y"',
    "A=x\\ y",
    "A=1 # 2",
    "A=1#2",
    'A=it"\'"s',
    'A="don\'t"',
    "export A=1",
    "readonly A=1",
    "declare -x A=1",
    "A=1; A=2",
    "A=1\nA=",
    "A=1 true",
    "A=1\nA+=2",
    "B=5\nA=$B",
    "B=5\nA=${B}6",
    "B=5\nA=\"$B'6'\"",
    "B=5\nA='$B'",
    "A=${B:-7}",
    "A=${B-7}",
    "A=${1:-7}",
    "A=${10-7}",
    "A=${1:+set}",
    'A=${B:-"${C:-8 9}"}',
    "B=1\nA=${B:+set}",
    "A=${B+set}",
    "A=$((2 * (3 + 4)))",
    "B=4\nA=$((B * 2))",
    "B=4\nA=$(( $B / 3 ))x",
    "B=4\nA=$((${B}%3))",
    ": ${A:=5}",
    ': "${A:=5}"',
    "A=1\n: ${A:=5}",
    "A=1\nunset A",
    'if [ -z "$B" ]; then A=1; fi',
    'B=x\nif [ -n "$B" ]\nthen\nA=1\nelse\nA=2\nfi',
    "B=2\nif [ $B = 1 ]; then A=1; elif [ $B == 2 ]; then A=2; else A=3; fi",
    'B=3\nif [[ "$B" != 3 ]]; then A=1; else A=2; fi',
    "B=3\nif [ $B -gt 2 ]; then A=1; fi",
    "B=3\nif test $B -le 2; then A=1; fi",
    "B=3\nif ! [ $B -le 2 ]; then A=1; fi",
    '[ -z "$B" ] && A=1',
    'B=1\n[ -z "$B" ] && A=1',
    '[ -z "$B" ] || A=1',
    "{ A=1; }",
    "if [ 1 -eq 2 ]; then\nif [ 1 -eq 1 ]; then\nA=1\nfi\nA=2\nfi",
    "cat <<END >/dev/null\nA=1\nEND\nB=2",
    "cat <<'X' >/dev/null\nA=1 don't\nX\nA=3",
    "A=1 \\\n; B=2",
    "A=1\nexit 0\nA=2",
    "f() {\n:\n}\nA=1",
    "A=(1 2)\nA=3",
    "true 2>&1 >/dev/null; A=1",
    'A="a\nb"',
    "case x in y) B=1;; esac\nA=2",
]


@pytest.mark.skipif(BASH is None, reason="compares with Bash")
@pytest.mark.parametrize("text", SCRIPTS)
def test_values_are_those_of_bash(text):
    script = f"unset A B C\ntrap 'printf %s \"$A\"' EXIT\n{text}\n"
    run = subprocess.run([BASH, "-c", script], capture_output=True, text=True, check=False)
    found = read(text).find("A")
    assert found is None or not found.doubt
    assert (found.text if found else "") == run.stdout


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("read -r -p 'How many: ' A", "is asked for"),
        ("while true; do read A; done", "is asked for"),
        ("A=$(date)", "follows from $(date)"),
        ("A=`date`", "follows from `date`"),
        ("A=$HOME", "follows from HOME, which the script does not set"),
        ("A=${B##*/}", "follows from ${B##*/}"),
        ("A=$1", "follows from $1"),
        ("A=${1}", "follows from ${1}"),
        ("A=x$?", "follows from $?"),
        ("A=1\nfor i in 1 2; do A=2; done", "is set under a condition or in a loop"),
        ("A=1\nif [ -f x ]; then A=2; fi", "is set under a condition or in a loop"),
        ("A=1\nsomething && A=2", "is set under a condition or in a loop"),
        ("A=1\ncase $B in 1) A=2;; esac", "is set under a condition or in a loop"),
        ("A=1\nif [ -z x ] && [ -n y ]; then A=2; fi", "is set under a condition or in a loop"),
    ],
)
def test_what_cannot_be_told_is_a_doubt(text, expected):
    found = read(text).find("A")
    assert found is not None
    assert found.doubt == expected


def test_functions_and_what_follows_the_start_are_left_out():
    assert read("A=1\nf() {\nA=2\n}\nfunction g {\nA=3\n}\n").find("A").text == "1"
    assert read("A=1\n./CopterSim 1 2 &\nA=2").find("A").text == "1"
    assert read("f() {\n./CopterSim 1 2 &\n}\nA=2").find("A").text == "2"


def test_given_values_go_on_into_those_that_follow():
    variables = read("N=${X:-3}\nA=$((N + 1))", X="8")
    assert variables.find("A").text == "9"


def test_lines_of_commands():
    commands = list(commands_of("a 'b\nc' d # e\n\nf && g|h\n(i; j)\n"))
    assert [(c.line, c.words, c.before) for c in commands] == [
        (1, ["a", "'b\nc'", "d"], "\n"),
        (4, ["f"], "\n"),
        (4, ["g"], "&&"),
        (4, ["h"], "|"),
        (5, ["("], "\n"),
        (5, ["i"], "\n"),
        (5, ["j"], ";"),
        (5, [")"], "\n"),
    ]
