"""What families that fly by wings share: verbs."""

from pyrfly.vehicles.winged.verbs import WingedVerbs

__all__ = ["WingedVerbs"]
