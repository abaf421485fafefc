"""Text for readers that stop reading."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

import pytest

from pyrfly.server import text_output
from pyrfly.server.text_output import TextOutput

TIMEOUT = 20


class Pipe(NamedTuple):
    output: TextOutput
    reader: int
    writer: TextIO


@pytest.fixture
def full(full_pipe: Callable[[], tuple[int, int]]) -> Iterator[Callable[[bool], Pipe]]:
    """Return a function that makes an output to a full pipe, which blocks or not."""
    made: list[Pipe] = []

    def make(blocks: bool = True) -> Pipe:
        reader, number = full_pipe()
        os.set_blocking(number, blocks)
        writer = os.fdopen(number, "w")
        made.append(Pipe(TextOutput(writer), reader, writer))
        return made[-1]

    yield make
    for pipe in made:
        os.close(pipe.reader)
        with contextlib.suppress(BrokenPipeError):  # the end of what is written
            pipe.output.settle(TIMEOUT)
        pipe.output.close()
        pipe.writer.close()


def received(pipe: Pipe) -> str:
    """Return what is read until everything is written."""
    os.set_blocking(pipe.reader, False)
    parts, end = [], time.monotonic() + TIMEOUT
    settled = False
    while time.monotonic() < end and not settled:
        settled = pipe.output.settle(0.01)
        with contextlib.suppress(BlockingIOError):
            while part := os.read(pipe.reader, 2**16):
                parts.append(part)
    return b"".join(parts).decode().lstrip("x")


def test_what_a_reader_leaves_waits_and_of_replaced_texts_the_newest(full) -> None:
    pipe = full()
    print("begin", file=pipe.output)
    assert not pipe.output.settle(0.02)
    for number in range(1000):
        pipe.output.replace(f"status {number}\n")
    print("end", file=pipe.output)
    assert received(pipe) == "begin\nstatus 999\nend\n"


def test_a_text_between_keeps_the_one_before_it(full) -> None:
    pipe = full()
    pipe.output.write("a")
    pipe.output.settle(0.02)
    for text in ("first ", "second "):
        pipe.output.replace(text)
    pipe.output.write("notice ")
    pipe.output.replace("third")
    assert received(pipe) == "asecond notice third"


def test_a_file_that_does_not_block_is_tried_again(full) -> None:
    pipe = full(False)
    pipe.output.write("late")
    assert not pipe.output.settle(0.02)
    assert received(pipe) == "late"


def test_no_more_waits_than_a_limit(full, monkeypatch) -> None:
    monkeypatch.setattr(text_output, "LIMIT", 100)
    pipe = full()
    pipe.output.write("a")
    pipe.output.settle(0.02)
    for _ in range(100):
        pipe.output.write("0123456789")
    assert received(pipe) == "a" + 10 * "0123456789"


def test_a_reader_that_has_ended_is_told_to_the_writer(full) -> None:
    pipe = full()
    pipe.output.write("a")
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, pipe.reader)  # the only end to read is closed
    os.close(nowhere)
    with pytest.raises(BrokenPipeError):
        pipe.output.settle(TIMEOUT)
    with pytest.raises(BrokenPipeError):
        pipe.output.write("b")
    assert os.read(pipe.reader, 1) == b""


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of this kind")
def test_a_terminal_is_one() -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal, TextOutput(terminal) as output:
        assert output.isatty()
        output.write("1 s\r")
        assert output.settle(TIMEOUT)
    os.close(ours)


def test_files_that_the_system_does_not_know_are_written_to_at_once() -> None:
    kept = io.StringIO()
    print("text", file=TextOutput(kept))
    assert kept.getvalue() == "text\n"
    nowhere = TextOutput(None)
    print("text", file=nowhere)
    nowhere.replace("status")
    assert not nowhere.isatty()
    assert nowhere.settle(0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such file")
def test_a_full_disk_loses_text_and_raises_nothing() -> None:
    with Path("/dev/full").open("w") as file, TextOutput(file) as output:
        for _ in range(2):
            output.write("text")
            assert output.settle(TIMEOUT)


def writers() -> set[threading.Thread]:
    """Return the threads of this class that run."""
    return {thread for thread in threading.enumerate() if thread.name == "pyrfly output"}


def test_its_thread_ends_with_it(tmp_path) -> None:
    before = writers()
    with (tmp_path / "out").open("w") as file, TextOutput(file) as output:
        print("text", file=output)
        assert output.settle(TIMEOUT)
        (thread,) = writers() - before
    thread.join(TIMEOUT)
    assert not thread.is_alive()
    assert (tmp_path / "out").read_text() == "text\n"
