"""docs/events.md: its programs run."""

from collections.abc import Callable

from .conftest import page, programs

PAGE = page("events.md")


def test_the_programs_run_one_after_another(first_port: Callable[[int], int]) -> None:
    names: dict[str, object] = {}
    port = str(first_port(1))
    found = programs(PAGE.replace("20090", port))
    assert len(found) == 6
    for program in found:
        exec(program, names)
