"""The present day and time of the module ``datetime``, in simulated time: `dates`.

Functions of ``datetime.datetime`` and ``datetime.date`` are replaced, the types stay: extensions
such as pandas bind the types, their sizes and the layout of their instances when they are imported.
"""

from __future__ import annotations

import ctypes
import datetime
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pyrfly.rflysim.simulated_clocks import EPOCH, is_ours
from pyrfly.rflysim.stepped_world import SteppedWorld

__all__ = ["dates"]


@contextmanager
def dates(world: SteppedWorld) -> Iterator[None]:
    """Let ``datetime.now``, ``utcnow``, ``today`` show the time of those who take part in it.

    Parameters
    ----------
    world : SteppedWorld
        The simulated time.
    """
    ours: dict[str, Callable[..., Any]] = {
        "now": lambda cls, tz=None: cls.fromtimestamp(EPOCH + world.look(), tz),
        "utcnow": lambda cls: _utc(cls, EPOCH + world.look()),
        "today": lambda cls: cls.fromtimestamp(EPOCH + world.look()),
    }
    replaced = []
    for kind, names in ((datetime.datetime, ("now", "utcnow")), (datetime.date, ("today",))):
        attributes = _attributes(kind)
        for name in names:
            replaced.append((kind, name, attributes[name]))
            _set(kind, name, _choice(world, ours[name], attributes[name]))
    try:
        yield
    finally:
        for kind, name, real in replaced:
            _set(kind, name, real)


def _utc(cls: Any, timestamp: float) -> datetime.datetime:
    shown: datetime.datetime = cls.fromtimestamp(timestamp, datetime.timezone.utc)
    return shown.replace(tzinfo=None)


def _choice(world: SteppedWorld, ours: Callable[..., Any], real: Any) -> Any:
    """Return a class method in simulated time for those who take part, the real one for others."""

    def shown(cls: type, *arguments: Any, **named: Any) -> Any:
        if is_ours(world):
            return ours(cls, *arguments, **named)
        return real.__get__(None, cls)(*arguments, **named)

    return classmethod(shown)


def _attributes(kind: type) -> dict[str, Any]:
    """Return the dictionary behind ``__dict__`` of a type, which shows it to be read only."""
    attributes: dict[str, Any] = gc.get_referents(kind.__dict__)[0]
    return attributes


def _set(kind: type, name: str, value: Any) -> None:
    """Set an attribute of a type of C, which Python itself allows for its own types only."""
    _attributes(kind)[name] = value
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))  # forget what look-ups have found
