"""How vehicles move: `Kind`."""

from __future__ import annotations

from enum import Flag, auto

__all__ = ["Kind"]


class Kind(Flag):
    """How vehicles move; a vehicle that changes from one to the other has both.

    Generic code asks this, not which columns there are. What "landed" means follows from it:
    vehicles on a surface have landed where they stop, those that circle where they touch the ground
    and do not roll either, all others where they touch it and do not climb or descend.
    """

    HOVERS = auto()
    """They stay at a position in the air."""

    WINGED = auto()
    """Wings carry them, so that they pass positions or circle around them."""

    DRIVES = auto()
    """They stay on the ground."""

    FLOATS = auto()
    """They stay on the surface of the water."""

    @property
    def on_surface(self) -> bool:
        """Whether they never leave the surface, so that heights and climbs are none of theirs."""
        return bool(self & (Kind.DRIVES | Kind.FLOATS))

    @property
    def circles(self) -> bool:
        """Whether they cannot stay at a position."""
        return self is Kind.WINGED

    @property
    def transitions(self) -> bool:
        """Whether they change between hover and winged flight."""
        return Kind.HOVERS | Kind.WINGED in self
