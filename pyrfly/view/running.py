"""Pages that are served on this machine, for programs that look for one: `announced`, `running`."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

__all__ = ["announced", "running"]

PATIENCE = 0.5
"""Maximum time for the answer of a page [s]."""


def _folder() -> Path:
    """Return a folder that its user alone can read: addresses have tokens."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir(), f"pyrfly-view-{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    info = folder.lstat()
    if not folder.is_dir() or folder.is_symlink() or info.st_mode & 0o077:
        raise OSError(f"{folder}: expected a folder that its user alone can read")
    return folder


@contextmanager
def announced(url: str) -> Iterator[None]:
    """Let other programs of this user find a page while it is served."""
    path: Path | None = None
    with suppress(OSError):  # then nobody finds it
        path = _folder() / str(urlsplit(url).port)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(url)
    try:
        yield
    finally:
        if path is not None:
            path.unlink(missing_ok=True)


def running() -> list[str]:
    """Return the addresses of pages that this user serves on this machine, the newest first."""
    found: list[tuple[float, str]] = []
    with suppress(OSError):
        for path in _folder().iterdir():
            url = path.read_text("utf-8")
            if _answers(url):
                found.append((path.stat().st_mtime, url))
    return [url for _, url in sorted(found, reverse=True)]


def _answers(url: str) -> bool:
    address = urlsplit(url)
    with suppress(OSError, ValueError), socket.socket() as probe:
        probe.settimeout(PATIENCE)
        return probe.connect_ex((address.hostname or "", address.port or 0)) == 0
    return False
