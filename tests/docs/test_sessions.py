"""Pages whose programs are one session: they run from top to bottom, with the names before."""

from __future__ import annotations

import pytest

from .conftest import page, programs

PAGES = ("simulation.md",)


@pytest.mark.parametrize("name", PAGES)
def test_the_programs_of_a_page_run(name: str) -> None:
    names: dict[str, object] = {}
    found = programs(page(name))
    assert len(found) > 1
    for program in found:
        exec(compile(program, name, "exec"), names)
