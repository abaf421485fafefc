"""Text for a reader that may stop reading, which nothing waits for: `TextOutput`."""

from __future__ import annotations

import io
import os
import threading
import time
from typing import TextIO

__all__ = ["TextOutput"]

LIMIT = 2**20
"""Number of characters that may wait for a reader; further text is dropped."""

_RETRY = 0.05  # seconds between two attempts at a file that does not block


class TextOutput(io.TextIOBase):
    r"""Writes to a file of the system by a thread, so that a reader that stops reading is harmless.

    A full pipe, or a terminal that Ctrl-S has stopped, blocks the thread alone. What the file does
    not take waits, up to a limit; what it cannot hold, as on a full disk, is lost. The thread
    writes past the buffers of the file object, which would be locked meanwhile, also for the
    interpreter at its end.

    Parameters
    ----------
    file : text file or None
        Where to write. One that is no file of the system, such as ``io.StringIO``, is written to
        at once. None, which ``sys.stdout`` is when the standard output is closed: nowhere.

    Examples
    --------
    >>> import io
    >>> from pyrfly.server.text_output import TextOutput
    >>> kept = io.StringIO()
    >>> print("SimHz 1000", file=TextOutput(kept))
    >>> kept.getvalue()
    'SimHz 1000\n'
    """

    def __init__(self, file: TextIO | None) -> None:
        super().__init__()
        self._file = file
        self._descriptor = _descriptor(file)
        self._encoding = getattr(file, "encoding", None) or "utf-8"
        self._changed = threading.Condition()
        self._texts: list[str] = []
        self._is_replaceable = False  # the last of them
        self._is_writing = self._is_closed = False
        self._error: BrokenPipeError | None = None
        if self._descriptor is not None:
            threading.Thread(target=self._run, name="pyrfly output", daemon=True).start()

    def isatty(self) -> bool:
        """Return whether the file is a terminal."""
        return self._file is not None and self._file.isatty()

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, text: str) -> int:
        """Write a text, without waiting; return its length.

        Raises
        ------
        BrokenPipeError
            The reader has ended.
        """
        self._add(text, False)
        return len(text)

    def replace(self, text: str) -> None:
        """Write a text as `write` does, instead of one given here before that still waits."""
        self._add(text, True)

    def settle(self, seconds: float) -> bool:
        """Wait until everything is written, at most for this time [s]; return whether it is.

        Raises
        ------
        BrokenPipeError
            The reader has ended.
        """
        with self._changed:
            self._changed.wait_for(lambda: not (self._texts or self._is_writing), seconds)
            if self._error is not None:
                raise self._error
            return not (self._texts or self._is_writing)

    def close(self) -> None:
        """End the thread, after what it is writing; further calls have no effect."""
        super().close()
        with self._changed:
            self._texts, self._is_closed = [], True
            self._changed.notify_all()

    def _add(self, text: str, replaceable: bool) -> None:
        if self._descriptor is None:
            if self._file is not None:
                self._file.write(text)
                self._file.flush()
            return
        with self._changed:
            if self._error is not None:
                raise self._error
            if replaceable and self._is_replaceable:
                self._texts.pop()
                self._is_replaceable = False
            if sum(map(len, self._texts)) + len(text) <= LIMIT:
                self._texts.append(text)
                self._is_replaceable = replaceable
                self._changed.notify_all()

    def _run(self) -> None:
        """Write what waits, in the thread, until the file takes no more."""
        assert self._descriptor is not None
        while text := self._next():
            data = text.encode(self._encoding, "backslashreplace")
            reader_has_ended = _write(self._descriptor, data)
            with self._changed:
                self._error, self._is_writing = reader_has_ended, False
                if reader_has_ended is not None:
                    self._texts = []
                self._changed.notify_all()

    def _next(self) -> str:
        """Return what waits as soon as there is some; nothing where no more is to be written."""
        with self._changed:
            self._changed.wait_for(lambda: self._texts or self._is_closed or self._error)
            text = "".join(self._texts)
            self._texts, self._is_replaceable, self._is_writing = [], False, bool(text)
            return text


def _descriptor(file: TextIO | None) -> int | None:
    """Return the number that the system has for a file; None: it has none."""
    if file is None:
        return None
    try:
        return file.fileno()
    except (OSError, ValueError):  # as io.UnsupportedOperation, and of a closed file
        return None


def _write(descriptor: int, data: bytes) -> BrokenPipeError | None:
    """Write all of it, however long that takes; return the error of a reader that has ended."""
    try:
        while data:
            data = data[_written(descriptor, data) :]
    except BrokenPipeError as error:
        return error
    except OSError:  # of a full disk, or a terminal that is gone; later texts may be written
        pass
    return None


def _written(descriptor: int, data: bytes) -> int:
    """Write what the file takes; return how many bytes that is."""
    try:
        return os.write(descriptor, data)
    except BlockingIOError:  # its reader made it so
        time.sleep(_RETRY)
        return 0
