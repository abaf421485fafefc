"""Commands of the program in the pages and the examples are such."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pyrfly import cli
from pyrfly.server import command_line

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^(?: {4}|.*&& )?(pyrfly .*)$", re.MULTILINE)
SCRIPTS = ROOT / "tests" / "server" / "data"


def commands() -> list[str]:
    """Return the lines that run the program, in blocks of shell of the pages and in examples."""
    found = []
    for page in PAGES:
        for language, block in BLOCK.findall(page.read_text()):
            if language in ("", "sh"):
                found += COMMAND.findall(block.replace("\\\n", " "))
    for example in EXAMPLES:
        found += COMMAND.findall(example.read_text())
    return sorted(set(found))


def arguments(command: str) -> list[str]:
    return shlex.split(re.sub(r"&\s*$", "", command), comments=True)[1:]


class _Made(Exception):
    """Ends the program where the server begins."""


@pytest.mark.parametrize("command", commands())
def test_a_command_can_be_parsed(command: str) -> None:
    assert cli._parsed(arguments(command)).run


@pytest.mark.parametrize("command", [one for one in commands() if one.startswith("pyrfly sim ")])
def test_a_server_is_made_of_its_command(command, tmp_path, monkeypatch) -> None:
    """With RflySim's scripts in the folder; no port is opened."""

    def made(*_: object, **__: object) -> None:
        raise _Made

    for name in ("sitl", "hitl"):
        script = (SCRIPTS / f"{name}.bat").read_text()
        (tmp_path / f"{name.upper()}Run.bat").write_text(script)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command_line, "further_links", lambda *_: [])
    monkeypatch.setattr(command_line, "Server", made)
    with pytest.raises(_Made):
        cli.main(arguments(command))
