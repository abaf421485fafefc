"""Models of one's own: vehicles whose equations are in a library, or in Python."""

from pyrfly.plugins.family_plugin import load_families, load_family
from pyrfly.plugins.loading import load
from pyrfly.plugins.own_model import OwnModel
from pyrfly.plugins.parameters import LibraryModel
from pyrfly.plugins.python_model import Call, Column, Values, from_functions
from pyrfly.plugins.workshop import build, new

__all__ = [
    "Call",
    "Column",
    "LibraryModel",
    "OwnModel",
    "Values",
    "build",
    "from_functions",
    "load",
    "load_families",
    "load_family",
    "new",
]
