"""docs/events.md: its programs run."""

import re
from pathlib import Path

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "events.md").read_text("utf-8")


def test_the_programs_run_one_after_another() -> None:
    names: dict[str, object] = {}
    programs = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(programs) == 4
    for program in programs:
        exec(program, names)
