"""``pyrfly completion``: answers to shells."""

import os
import subprocess
import sys

import pytest

from pyrfly import cli, vehicles
from pyrfly.commands import completion

pytest.importorskip("argcomplete")


def completed(line, folder):
    """Return what a shell is offered after a line: argcomplete takes descriptors of the process."""
    answer = folder / "answer"
    asked = {
        completion.ASKED: "1",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
    }
    program = [sys.executable, "-m", "pyrfly"]
    subprocess.run(program, env={**os.environ, **asked}, cwd=folder, timeout=60, check=True)
    return answer.read_text().split("\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("pyrfly fly --speed", "--speed-up"),
        ("pyrfly sim --vehicles x450:2,hex", "x450:2,hex_x"),
        ("pyrfly plot o", "one.npz"),
    ],
)
def test_options_vehicles_and_files_are_offered(line, offered, tmp_path):
    (tmp_path / "one.npz").touch()
    assert offered in completed(line, tmp_path)


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_code_names_the_program(shell, capsys):
    assert cli.main(["completion", shell]) == 0
    assert "pyrfly" in capsys.readouterr().out


def test_all_arguments_named_as_vehicles_take_sets():
    assert set(vehicles.names()) <= set(completion.VEHICLES["sets"]())
