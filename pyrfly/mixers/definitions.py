"""What a mixer file defines: `Sum`, `Multirotor`, `Helicopter`, `Null`.

The numbers are those of the file divided by 10000, except angles, groups and indices.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import NamedTuple, TypeAlias

from pyrfly.mixers.geometry import GEOMETRIES

__all__ = [
    "PLAIN",
    "SCALE",
    "Control",
    "Definition",
    "Helicopter",
    "Multirotor",
    "Null",
    "Scaler",
    "Sum",
    "SwashServo",
    "lines_of",
]

SCALE = 10000
"""The numbers of a file are multiples of 1/10000."""


class Scaler(NamedTuple):
    """A gain for each sign, an offset, and limits: the numbers of an ``O:`` line.

    Attributes
    ----------
    negative, positive : float
        Gains of values below 0, and of others.
    offset : float
        Added to the product.
    minimum, maximum : float
        Limits of the sum.
    """

    negative: float = 1.0
    positive: float = 1.0
    offset: float = 0.0
    minimum: float = -1.0
    maximum: float = 1.0


PLAIN = Scaler()
"""That of a sum without an ``O:`` line."""


@dataclass(frozen=True)
class Control:
    """A control that a `Sum` takes: an ``S:`` line after ``M:``.

    Attributes
    ----------
    group, index : int
        Which control, see `pyrfly.mixers.CONTROLS`.
    scaler : Scaler
        What is made of it.
    """

    group: int
    index: int
    scaler: Scaler


@dataclass(frozen=True)
class Sum:
    """Sum of scaled controls, scaled again: ``M:``.

    Attributes
    ----------
    controls : tuple of Control
        The summands; without any the output is constant.
    scaler : Scaler
        That of the sum.
    rise_time : float
        Minimum time from -1 to 1 [s]; 0 for no limit.
    """

    controls: tuple[Control, ...]
    scaler: Scaler = PLAIN
    rise_time: float = 0.0

    @property
    def count(self) -> int:
        """Number of outputs."""
        return 1


@dataclass(frozen=True)
class Multirotor:
    """Motors of a multirotor: ``R:``.

    Attributes
    ----------
    key : str
        One of `pyrfly.mixers.GEOMETRIES`.
    """

    key: str

    @property
    def count(self) -> int:
        """Number of outputs."""
        return len(GEOMETRIES[self.key])


@dataclass(frozen=True)
class SwashServo:
    """A servo of a swash plate: an ``S:`` line after ``H:``.

    Attributes
    ----------
    angle : int
        Where it holds the plate, clockwise from the nose [deg].
    arm : float
        By which the cyclic commands are multiplied.
    scale, offset : float
        Gain of the sum of collective and cyclic command, and what is added to the product.
    minimum, maximum : float
        Limits of the output.
    """

    angle: int
    arm: float
    scale: float
    offset: float
    minimum: float
    maximum: float


@dataclass(frozen=True)
class Helicopter:
    """Throttle of the main rotor, and the servos of its swash plate: ``H:``.

    Attributes
    ----------
    throttle : tuple of float
        Throttle, 0 to 1, at thrust commands of 0, 0.25, 0.5, 0.75 and 1.
    pitch : tuple of float
        Collective pitch at the same thrust commands.
    servos : tuple of SwashServo
        Three or four.
    """

    throttle: tuple[float, ...]
    pitch: tuple[float, ...]
    servos: tuple[SwashServo, ...]

    @property
    def count(self) -> int:
        """Number of outputs."""
        return 1 + len(self.servos)


@dataclass(frozen=True)
class Null:
    """An output without a control: ``Z:``."""

    @property
    def count(self) -> int:
        """Number of outputs."""
        return 1


Definition: TypeAlias = Sum | Multirotor | Helicopter | Null
"""One mixer of a file."""


def lines_of(definition: Definition) -> list[str]:
    """Return the lines of a file that define the same."""
    match definition:
        case Null():
            return ["Z:"]
        case Multirotor(key):
            return [f"R: {key}"]
        case Helicopter(throttle, pitch, servos):
            arms = [f"S: {servo.angle} {_numbers(astuple(servo)[1:])}" for servo in servos]
            curves = [f"T: {_numbers(throttle)}", f"P: {_numbers(pitch)}"]
            return [f"H: {len(servos)}", *curves, *arms]
        case Sum(controls, scaler, rise_time):
            rise = (rise_time,) if rise_time else ()
            output = [f"O: {_numbers((*scaler, *rise))}"] if rise or scaler != PLAIN else []
            inputs = [f"S: {c.group} {c.index} {_numbers(c.scaler)}" for c in controls]
            return [f"M: {len(controls)}", *output, *inputs]


def _numbers(values: Iterable[float]) -> str:
    return " ".join(str(round(value * SCALE)) for value in values)
