"""Exceptions of sockets and servers."""

from __future__ import annotations

from pyrfly.errors import Error

__all__ = ["OptionError", "PortError"]


class OptionError(Error, ValueError):
    """An option of a server is invalid."""


class PortError(Error, OSError):
    """A port cannot be opened, or an address cannot be resolved.

    Attributes
    ----------
    port : int or None
        The UDP port, if there is one.
    """

    port: int | None = None
