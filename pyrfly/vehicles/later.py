"""Functions that are imported when they are called first: `later`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["later"]


def later(module: str, name: str) -> Callable[..., Any]:
    """Return a function that stands for one of a module, which the first call imports.

    So what few programs need, such as drawings, takes no part in the import time of pyrfly.
    """

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), name)(*arguments)

    return call
