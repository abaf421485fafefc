"""The programs of docs/identification.md run."""

import pytest

from .conftest import page, programs


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(programs(page("identification.md")))))
def test_program_runs(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(programs(page("identification.md"))[number], {})
