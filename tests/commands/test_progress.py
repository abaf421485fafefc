"""What commands show on a terminal while they work."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from pyrfly.cli import main
from pyrfly.commands.progress import doing


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_command_shows_what_it_does_and_erases_it(
    log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    assert main(["export", log, "--format", "csv", "--out", str(tmp_path / "out")]) == 0
    text = terminal.getvalue()
    assert 0 <= text.find("reads ") < text.find("writes ")
    assert text.endswith("\r\x1b[K")


def test_nothing_is_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with doing("thinks"):
        pass
    assert capsys.readouterr() == ("", "")
