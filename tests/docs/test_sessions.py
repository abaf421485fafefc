"""Pages whose programs are one session: they run from top to bottom, with the names before."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import page, programs

PAGES = ("logs.md", "sensors.md", "simulation.md")


@pytest.mark.parametrize("name", PAGES)
def test_the_programs_of_a_page_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    found = programs(page(name))
    assert len(found) > 1
    for program in found:
        exec(compile(program, name, "exec"), names)
