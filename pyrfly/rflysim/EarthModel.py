"""RflySim's module ``EarthModel``: its classes, here of `pyrfly.ctrl`."""

from pyrfly.ctrl.earth_model import Coordinate, EarthModel

__all__ = ["Coordinate", "EarthModel"]
