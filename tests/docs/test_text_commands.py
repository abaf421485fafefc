"""docs/text-commands.md: its programs run, with a state as they say."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from .conftest import page, programs

PAGE = page("text-commands.md")


@pytest.mark.realtime
def test_the_program_flies(first_port: Callable[[int], int], capsys: pytest.CaptureFixture) -> None:
    first = first_port(2)
    (program,) = programs(PAGE)
    program = program.replace("20180", str(first)).replace(
        "Server(sim,", f"Server(sim, first_port={first},"
    )
    exec(program, {})
    state = json.loads(capsys.readouterr().out)
    assert (state["CopterID"], state["isArmed"]) == (2, True)
