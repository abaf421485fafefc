"""docs/events.md: its programs run."""

import re
from collections.abc import Callable
from pathlib import Path

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "events.md").read_text("utf-8")


def test_the_programs_run_one_after_another(first_port: Callable[[int], int]) -> None:
    names: dict[str, object] = {}
    port = str(first_port(1))
    programs = re.findall(r"```python\n(.*?)```", PAGE.replace("20090", port), re.DOTALL)
    assert len(programs) == 6
    for program in programs:
        exec(program, names)
