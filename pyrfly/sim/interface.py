"""Interfaces of a simulation to one of its parts, such as `Sim.environment`: `PartInterface`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyrfly.columns import column_names
from pyrfly.errors import near_names

__all__ = ["PartInterface"]


class PartInterface:
    """Base of the attributes of a `Sim` that are made anew at each access.

    So what is set on them would be lost. Settings and results of the part are columns of the `Sim`,
    to which the errors point.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        known = getattr(type(self), name, None)
        if not name.startswith("_") and getattr(known, "fset", None) is None:
            raise AttributeError(self._advice(name, "this attribute cannot be set"))
        object.__setattr__(self, name, value)

    if not TYPE_CHECKING:  # a type checker should find what does not exist

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or hasattr(type(self), name):  # or the property raised
                return object.__getattribute__(self, name)
            raise AttributeError(self._advice(name, ""))

    def _advice(self, name: str, fixed: str) -> str:
        """Return what to use instead of an attribute; ``fixed`` is said of one that exists."""
        if name in column_names():
            return f"{name}: this is a column of the Sim; use sim.{name}"
        own = [known for known in dir(type(self)) if not known.startswith("_")]
        if name in own:
            return f"{name}: {fixed}"
        near = near_names(name, [*own, *column_names()], ", ".join(own))
        kind = type(self).__name__
        return f"{name}: expected an attribute of the {kind} or a column, such as {near}"
