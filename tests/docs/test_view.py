"""docs/view.md: its program runs."""

from pathlib import Path

from .conftest import page, programs


def test_replay_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(programs(page("view.md"))[0], {})
    assert Path("flight.html").stat().st_size < 400_000
