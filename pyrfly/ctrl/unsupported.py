"""What a control method raises that has nothing to act on here."""

from __future__ import annotations

from pyrfly.errors import Error

__all__ = ["UnsupportedError"]


class UnsupportedError(Error, NotImplementedError):
    """A method of RflySim's interface that the model or the link in use cannot carry out."""
