"""Models in processes of their own: `open_isolated`."""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import subprocess
import sys
from pathlib import Path

from pyrfly import _core
from pyrfly.errors import ParameterError, brief
from pyrfly.files import printable
from pyrfly.plugins.printed import Hear, Printed

__all__ = ["Process", "open_isolated"]

_MEMORY = 16384  # bytes, at least rf_shared of csrc/libraries/isolated.h
_END = 0.2  # s, in which a process whose pipe has ended ends

# Without site packages and NumPy, which would take ten times as long to start.
_PROGRAM = (
    "import ctypes, sys; core, path, *numbers = sys.argv[1:]; "
    "sys.exit(ctypes.CDLL(core).rf_isolated_serve(path.encode('utf-8', 'surrogateescape'), "
    "*map(int, numbers)))"
)


def _memory() -> int:
    """Return a file in memory, which two processes can map."""
    descriptor = os.memfd_create("pyrfly-model")
    os.ftruncate(descriptor, _MEMORY)
    return descriptor


class Process:
    """The process of a model.

    Parameters
    ----------
    path : Path
        The library.
    limit : float
        Time [s] that a call may last.
    hear : callable, optional
        Is called with each line that the model prints.
    """

    def __init__(self, path: Path, limit: float, hear: Hear | None) -> None:
        self.limit = limit
        self._owner = os.getpid()
        memory = _memory()
        self.memory = mmap.mmap(memory, _MEMORY)
        theirs, self.to_model = os.pipe()
        self.from_model, answers = os.pipe()
        self._printed = Printed(hear)
        printed = self._printed.to_model
        numbers = [str(end) for end in (memory, theirs, answers)]
        library = os.fspath(path.absolute())
        program = [sys.executable, "-I", "-S", "-c", _PROGRAM, _core.__file__, library]
        try:
            self._process = subprocess.Popen(
                [*program, *numbers],
                stdin=subprocess.PIPE,
                stdout=printed,
                stderr=printed,
                pass_fds=(memory, theirs, answers),
                start_new_session=True,
            )
        finally:
            for end in (memory, theirs, answers, printed):
                os.close(end)

    def hear(self) -> None:
        """Give the lines away that the model has printed since the last call."""
        self._printed.hear()

    def reason(self, failure: str) -> str:
        """Return how the model has failed, in words, with what it printed last."""
        if failure == "forked":
            return "its process is that of the program that this one is a fork of"
        late = f"it did not return within {self.limit:g} s"
        words = late if failure == "late" else self._end()
        self.kill()
        self.hear()
        last = self._printed.last
        return f"{words}; it printed {brief(last)}" if last else words

    def _end(self) -> str:
        """Return how the process has ended."""
        try:
            status = self._process.wait(_END)
        except subprocess.TimeoutExpired:
            return "it closed its pipes"
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"its process ended by {signal.Signals(-status).name}"
        return f"its process ended with status {status}"

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def kill(self) -> None:
        """End the process, and those that it has started; a fork of this program ends none."""
        if os.getpid() != self._owner:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """End the process, and close what leads to it."""
        if self._process.stdin is None:
            return
        self.kill()
        self._process.stdin.close()
        self._process.stdin = None
        self._printed.close()
        for end in (self.to_model, self.from_model):
            os.close(end)

    def __del__(self) -> None:
        """End the process."""
        if "_process" in self.__dict__:
            self.close()


def open_isolated(path: Path, limit: float, hear: Hear | None = None) -> _core.Library:
    """Return a model of one vehicle in a process of its own, whose calls last ``limit`` [s].

    Each line that it prints is given to ``hear``.

    Raises
    ------
    ParameterError
        It cannot be loaded, or fails while it is.
    """
    process = Process(path, limit, hear)
    limit_ms = max(1, round(limit * 1e3))
    ends = (process.to_model, process.from_model)
    model = _core.Library.isolated(process.memory, *ends, limit_ms, process.pid, process)
    if model.error or model.failure:
        why = model.error.replace(os.fspath(path.absolute()), path.name) or process.reason(
            model.failure
        )
        process.close()
        raise ParameterError(f"{printable(path)}: cannot be loaded: {why}")
    return model
