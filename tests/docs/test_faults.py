"""The programs of the pages of faults and safety, in their order."""

from pathlib import Path

import pytest

from .conftest import page, programs


@pytest.mark.parametrize(
    "name",
    ["faults.md", "fault-reference.md", "parameters-by-number.md", "test-cases.md", "safety.md"],
)
def test_the_programs_of_the_page_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    found = programs(page(name))
    assert found
    for program in found:
        exec(compile(program, name, "exec"), names)
