"""Models of one's own: vehicles whose equations are in a library."""

from pyrfly.plugins.loading import load
from pyrfly.plugins.parameters import LibraryModel

__all__ = ["LibraryModel", "load"]
