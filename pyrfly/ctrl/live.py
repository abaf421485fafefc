"""Lists that follow the state of a vehicle: `LiveList`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["LiveList"]


class LiveList(list[float]):
    """A list that is changed in place whenever a new state arrives, as RflySim's lists are.

    Copies of it, slices and what is pickled are plain lists, which stay as they are.

    Parameters
    ----------
    look : callable
        Called when an element is read: a script that only reads is waiting.
    """

    __slots__ = ("__weakref__", "_look")

    def __init__(self, look: Callable[[], object]) -> None:
        super().__init__()
        self._look = look

    def __getitem__(self, index: Any) -> Any:
        """Return an element, or some as a plain list."""
        self._look()
        return super().__getitem__(index)

    def __iter__(self) -> Iterator[float]:
        """Iterate over the elements."""
        self._look()
        return super().__iter__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Copy and pickle as a plain list."""
        return list, (list(self),)
