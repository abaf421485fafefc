"""Numbers of a parameter set that tell whether it makes sense, with their usual ranges."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Quantity"]


class Quantity(NamedTuple):
    """A number of a vehicle, and the range in which it is for nearly all vehicles.

    Attributes
    ----------
    name : str
        What it is, with the unit.
    value : float
        The number.
    low, high : float
        The usual range.
    """

    name: str
    value: float
    low: float
    high: float

    @property
    def usual(self) -> bool:
        """Whether it is in the usual range."""
        return self.low <= self.value <= self.high

    def __str__(self) -> str:
        return f"{self.name} {self.value:.3g}, usual {self.low:g} to {self.high:g}"
