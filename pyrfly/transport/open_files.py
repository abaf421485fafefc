"""The number of open files of a process, sockets among them: `allow_open_files`."""

from __future__ import annotations

from pathlib import Path

from pyrfly.transport.ports import PortError

__all__ = ["RESERVE", "allow_open_files"]

RESERVE = 64
"""Files that are kept free for other things than sockets, where the system allows it."""


def allow_open_files(more: int) -> None:
    """Let this process open more files; raises its own limit of them up to that of the system.

    Parameters
    ----------
    more : int
        Number of files besides those that are open.

    Raises
    ------
    PortError
        The system does not allow as many.
    """
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    maximum = None if hard == resource.RLIM_INFINITY else hard
    needed = _open_files() + more
    if soft == resource.RLIM_INFINITY or needed + RESERVE <= soft:
        return
    wanted = needed + RESERVE if maximum is None else min(needed + RESERVE, maximum)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    except (OSError, ValueError):  # macOS has another limit besides
        maximum = soft
    if maximum is not None and needed > maximum:
        raise PortError(
            f"{more} more files have to be open, sockets among them, {needed} in all, and this "
            f"process may have {maximum}: raise the limit in the shell that starts it (ulimit -n "
            f"{needed + RESERVE}), for good in /etc/security/limits.conf (nofile), of a service "
            "by LimitNOFILE=, of a container by --ulimit nofile="
        )


def _open_files() -> int:
    """Return the number of open files; 0 where the system does not tell."""
    try:
        return sum(1 for _ in Path("/dev/fd").iterdir())
    except OSError:
        return 0
