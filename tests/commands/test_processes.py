"""Processes that are started together leave nothing behind."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from pyrfly.commands import processes as module
from pyrfly.commands.processes import Process, Processes
from pyrfly.errors import Error

FAMILY = """
import os, signal, subprocess, sys, time
for number in {ignored}: signal.signal(number, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep({seconds})
"""


def until(condition) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def start(group: Processes, folder: Path, seconds: float = 600, ignored: str = "()") -> Process:
    code = FAMILY.format(ignored=ignored, seconds=seconds)
    output = folder / "output"
    process = group.start("one", [sys.executable, "-c", code], folder, os.environ, output)
    until(lambda: output.read_text().endswith("\n"))
    return process


@pytest.mark.parametrize("ignored", ["()", "(signal.SIGINT,)", "(signal.SIGINT, signal.SIGTERM)"])
def test_the_end_takes_whole_families(alive, tmp_path: Path, monkeypatch, ignored: str) -> None:
    monkeypatch.setattr(module, "PATIENCE", (0.3, 0.3))
    with Processes() as group:
        process = start(group, tmp_path / "one", ignored=ignored)
        pids = [process.handle.pid, int(process.output.read_text())]
        assert all(map(alive, pids))
    until(lambda: not any(map(alive, pids)))


def test_an_error_on_the_way_ends_those_that_were_started(alive, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    pids = []

    def start_two() -> None:
        with Processes() as group:
            pids.append(start(group, tmp_path / "one").handle.pid)
            group.start("two", ["/bin/true"], tmp_path / "file" / "x", {}, tmp_path / "out")

    with pytest.raises(Error, match=r"two cannot be started in .*file/x"):
        start_two()
    assert not alive(pids[0])


def test_a_program_that_is_none_is_an_error(tmp_path: Path) -> None:
    with Processes() as group, pytest.raises(Error, match="two cannot be started"):
        group.start("two", [str(tmp_path / "nothing")], tmp_path, {}, tmp_path / "out")


def test_a_second_interruption_of_the_end_kills_at_once(alive, tmp_path: Path, monkeypatch) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    group = Processes()
    process = start(group, tmp_path, ignored="(signal.SIGINT, signal.SIGTERM)")
    pids = [process.handle.pid, int(process.output.read_text())]
    monkeypatch.setattr(module.time, "sleep", interrupt)
    with pytest.raises(KeyboardInterrupt):
        group.end()
    monkeypatch.undo()
    until(lambda: not any(map(alive, pids)))


def test_one_that_ends_by_itself_is_told_once_and_takes_its_family(alive, tmp_path: Path) -> None:
    with Processes() as group:
        process = start(group, tmp_path, seconds=0)
        child = int(process.output.read_text())
        process.handle.wait()
        assert [one.status for one in group.ended()] == [0]
        assert list(group.ended()) == []
        assert group.running == 0
        until(lambda: not alive(child))


def test_the_last_lines_can_be_printed(tmp_path: Path) -> None:
    output = tmp_path / "out"
    code = r"printf 'x%.0s' $(seq 20000); printf '\na\033[1mb\n\n\377c\n'"
    with Processes() as group:
        process = group.start("one", ["/bin/sh", "-c", code], tmp_path, os.environ, output)
        process.handle.wait()
    lines = process.last_lines(2)
    assert lines == ["a[1mb", "\N{REPLACEMENT CHARACTER}c"]
    assert len(process.last_lines(100)[0]) < 8192
    output.unlink()
    assert process.last_lines() == []
