"""Pictures of vehicles and their world, in a browser and in files."""

from pyrfly.view.drawings import drawing_of

__all__ = ["drawing_of"]
