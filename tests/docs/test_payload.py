"""docs/payload.md: its programs run as written."""

from __future__ import annotations

import pytest

from .conftest import page, programs


@pytest.mark.parametrize("program", programs(page("payload.md")))
def test_programs_of_the_page_run(program: str) -> None:
    exec(compile(program, "payload.md", "exec"), {})
