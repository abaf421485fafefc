"""Programs that are started together and ended together: `Processes`."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from pyrfly.errors import Error
from pyrfly.files import printable

__all__ = ["Process", "Processes"]

PATIENCE = (3.0, 2.0)
"""Time that a program has to end after SIGINT, and then after SIGTERM [s]."""

_STEP = 0.02
_TAIL = 8192
"""Bytes at the end of the output of a program in which its last lines are looked for."""


@dataclass
class Process:
    """A program that was started.

    Attributes
    ----------
    name : str
        For messages.
    output : Path
        File with what it prints.
    """

    name: str
    output: Path
    handle: subprocess.Popen[bytes]

    @property
    def status(self) -> int | None:
        """How it ended: its exit status, or minus the number of the signal; None: it has not."""
        return self.handle.poll()

    def last_lines(self, count: int = 10) -> list[str]:
        """Return the last lines that it printed, in characters that can be printed."""
        try:
            with self.output.open("rb") as file:
                file.seek(max(0, self.output.stat().st_size - _TAIL))
                text = file.read().decode("utf-8", "replace")
        except OSError:
            return []
        lines = ["".join(filter(str.isprintable, line)) for line in text.splitlines()]
        return [line for line in lines if line.strip()][-count:]

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to it and to what it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.handle.pid, number)


class Processes:
    """Context that leaves none of the programs behind that were started in it.

    Each is the first of a group of processes of its own, which a signal from the terminal does not
    reach. At the end all groups get SIGINT, then SIGTERM, then SIGKILL, with time in between.

    Parameters
    ----------
    is_urgent : callable
        Whether they get SIGKILL at once.
    """

    def __init__(self, is_urgent: Callable[[], bool] = lambda: False) -> None:
        self._is_urgent = is_urgent
        self._running: list[Process] = []

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    def start(
        self,
        name: str,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        output: Path,
    ) -> Process:
        """Start a program in a folder, which is made, with its output in a file.

        Raises
        ------
        Error
            It cannot be started.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with output.open("wb") as file:
                handle = subprocess.Popen(
                    arguments,
                    cwd=folder,
                    env=dict(environment),
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
        except OSError as error:
            raise Error(f"{name} cannot be started in {printable(folder)}: {error}") from None
        self._running.append(Process(name, output, handle))
        return self._running[-1]

    @property
    def running(self) -> int:
        """Number of programs that have not ended, as far as `ended` has told."""
        return len(self._running)

    def ended(self) -> Iterator[Process]:
        """Yield the programs that have ended, each once; what is left of their groups is killed."""
        for process in list(self._running):
            if process.status is not None:
                process.signal(signal.SIGKILL)
                self._running.remove(process)
                yield process

    def end(self) -> None:
        """End all programs; returns when they have, at once if it is interrupted."""
        try:
            self._ask_to_end()
        finally:
            for process in self._running:
                process.signal(signal.SIGKILL)
                process.handle.wait()
            self._running.clear()

    def _ask_to_end(self) -> None:
        for number, patience in zip((signal.SIGINT, signal.SIGTERM), PATIENCE, strict=True):
            for process in self._running:
                process.signal(number)
            until = time.monotonic() + patience
            while any(p.status is None for p in self._running) and time.monotonic() < until:
                if self._is_urgent():
                    return
                time.sleep(_STEP)
