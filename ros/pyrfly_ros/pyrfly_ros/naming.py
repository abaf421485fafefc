"""Names of types, topics and frames: `Naming`, `message_type`, `new_message`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from pyrfly_ros.parameters import rate_name

__all__ = ["Naming", "message_type", "new_message"]


class Naming(NamedTuple):
    """What is called how.

    Attributes
    ----------
    settings : mapping
        Values of the parameters.
    first_id : int
        CopterID of the first vehicle, which is vehicle 1 here.
    """

    settings: Mapping[str, Any]
    first_id: int

    def space(self, vehicle: int) -> str:
        """Return the namespace of a vehicle."""
        return f"{self.settings['prefix']}{self.copter_id(vehicle)}"

    def copter_id(self, vehicle: int) -> int:
        """Return what a vehicle is called."""
        return vehicle + self.first_id - 1

    def frame(self, vehicle: int, frame: str) -> str:
        """Return a frame: ``'world'``, ``'body'``, or another one on a vehicle."""
        if frame == "world":
            return str(self.settings["world_frame"])
        name = self.settings["body_frame"] if frame == "body" else frame
        return f"{self.space(vehicle)}/{name}"

    def period(self, topic: str, dt: float) -> int:
        """Return the steps of dt [s] between two messages of a topic; 0: it is not published."""
        rate = self.settings[rate_name(topic)]
        return max(1, round(1 / (rate * dt))) if rate else 0


def message_type(name: str) -> Any:
    """Return a type of messages or services by its name, such as ``std_msgs/Bool``.

    Raises
    ------
    ImportError
        Its package is not installed.
    """
    package, _, kind = name.partition("/")
    folder = "srv" if package.endswith("_srvs") else "msg"
    return getattr(importlib.import_module(f"{package}.{folder}"), kind)


def new_message(name: str) -> Any:
    """Return an empty message of a type."""
    return message_type(name)()
