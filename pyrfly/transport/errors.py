"""The exceptions of a server."""

from __future__ import annotations

from pyrfly.errors import Error

__all__ = ["OptionError", "PortError"]


class OptionError(Error, ValueError):
    """An option of a server cannot be."""


class PortError(Error, OSError):
    """A port cannot be opened, or an address is not known."""
