"""Test cases of rovers."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyrfly import Sim
from pyrfly.cases import fly_cases, read_case


def test_commands_drive_a_rover(tmp_path: Path) -> None:
    path = tmp_path / "own.case"
    path.write_text("2,1;2,5,2;2,3,20,0,0;1,2,20,0,0")
    result = fly_cases(Sim("rover", threads=1), {1: read_case(path)})[1]
    assert result.passed
    assert result.measures["speed"] == pytest.approx(2, abs=0.1)
