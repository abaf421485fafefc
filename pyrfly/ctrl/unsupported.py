"""The exception of control methods that have no effect here."""

from __future__ import annotations

from pyrfly.errors import Error

__all__ = ["UnsupportedError"]


class UnsupportedError(Error, NotImplementedError):
    """A method of RflySim's interface that the vehicle or the link in use cannot execute."""
