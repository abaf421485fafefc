"""Test cases of planes."""

from __future__ import annotations

from pathlib import Path

from pyrfly import Sim
from pyrfly.cases import fly_cases, read_case


def test_commands_fly_a_plane(tmp_path: Path) -> None:
    path = tmp_path / "own.case"
    path.write_text("2,1;2,3,200,0,-30;1,1,20;2,4,300,0,-60;1,1,5")
    result = fly_cases(Sim("aerosonde", threads=1), {1: read_case(path)})[1]
    assert result.passed
    assert 20 < result.measures["height"] < 80
