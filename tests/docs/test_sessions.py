"""Pages whose programs are one session: they run from top to bottom, with the names before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import page, programs

PAGES = (
    pytest.param("learning.md", marks=pytest.mark.slow),
    *("logs.md", "sensors.md", "simulation.md"),
)
NEEDS = {"learning.md": "gymnasium"}
LARGE = re.compile("stable_baselines3|torch")
"""Programs with these are left out: the extra `test` does not have them."""


@pytest.mark.parametrize("name", PAGES)
def test_the_programs_of_a_page_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    found = [program for program in programs(page(name)) if not LARGE.search(program)]
    assert len(found) > 1
    for program in found:
        exec(compile(program, name, "exec"), names)
