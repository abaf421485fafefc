"""docs/collisions.md: its programs run as written."""

import pytest

from .conftest import page, programs


@pytest.mark.parametrize("program", programs(page("collisions.md")))
def test_programs_of_the_page_run(program: str) -> None:
    exec(compile(program, "collisions.md", "exec"), {})
