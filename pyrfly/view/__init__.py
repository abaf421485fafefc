"""Pictures of vehicles and their world, in a browser and in files."""

from pyrfly.view.animation import FORMATS, animate
from pyrfly.view.camera import Camera
from pyrfly.view.drawings import drawing_of
from pyrfly.view.pictures import picture
from pyrfly.view.portraits import portrait, sheet
from pyrfly.view.replay import Replay, replay
from pyrfly.view.viewer import View

__all__ = [
    "FORMATS",
    "Camera",
    "Replay",
    "View",
    "animate",
    "drawing_of",
    "picture",
    "portrait",
    "replay",
    "sheet",
]
