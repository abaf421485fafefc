"""Mixers of files: `Mixer`, `load`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.errors import MixerError, assert_never, brief
from pyrfly.files import printable, read_regular
from pyrfly.mixers.arithmetic import helicopter_outputs, sum_output
from pyrfly.mixers.controls import Array, checked_controls, controls
from pyrfly.mixers.definitions import Definition, Helicopter, Multirotor, Null, Sum, lines_of
from pyrfly.mixers.desaturation import Airmode, multirotor_outputs
from pyrfly.mixers.descriptions import descriptions_of
from pyrfly.mixers.parsing import parse

__all__ = ["Mixer", "checked_airmode", "checked_factor", "load"]

MAXIMUM_SIZE = 65536
"""Maximum size of a file [bytes]; PX4 limits the definitions, not the comments."""


class Mixer:
    r"""Mixers of one or several files: from control groups to outputs.

    It has no memory; `FleetMixer` adds limits of the rate, arming and failsafe.

    Parameters
    ----------
    definitions : sequence of Definition
        As `parse` returns them; their order is that of the outputs.

    Attributes
    ----------
    definitions : tuple of Definition
        What the outputs are made of.
    count : int
        Number of outputs.

    Examples
    --------
    >>> from pyrfly.mixers import Mixer, parse
    >>> quad = Mixer(parse(b"R: 4x\n"))
    >>> quad.count
    4
    >>> quad(roll=0.2, thrust=0.5).round(3)
    array([-0.283,  0.283,  0.283, -0.283])
    """

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self.definitions = tuple(definitions)
        self.count = sum(definition.count for definition in self.definitions)

    def __repr__(self) -> str:
        kinds = ", ".join(type(definition).__name__ for definition in self.definitions)
        return f"<Mixer with {self.count} outputs: {kinds}>"

    def __call__(
        self,
        groups: ArrayLike | None = None,
        *,
        airmode: int = Airmode.DISABLED,
        thrust_factor: float = 0.0,
        **values: ArrayLike,
    ) -> Array:
        """Return the outputs of armed vehicles, without limits of their rates.

        Parameters
        ----------
        groups : array_like, shape (n, 4, 8) or (4, 8), optional
            Control groups; values beyond -1 to 1 are limited.
        airmode : int
            An `Airmode`.
        thrust_factor : float
            PX4's THR_MDL_FAC, 0 to 1: thrust is (1 - f) x + f x^2 of the throttle x.
        **values : array_like, shape () or (n,)
            Instead of ``groups``: controls by name, see `CONTROLS`; the others are 0.

        Returns
        -------
        ndarray, shape (n, count) or (count,)
            Outputs, -1 to 1, also those of motors; 0 of a `Null`.

        Raises
        ------
        ShapeError, TypeError, ValueError
            An argument has another shape, is unknown, out of range or non-finite, or controls are
            given in both ways.
        """
        if groups is not None and values:
            raise TypeError("controls: expected groups or controls by name, got both")
        array = controls(**values) if groups is None else np.asarray(groups)
        outputs = self.evaluate(
            checked_controls(array), checked_airmode(airmode), checked_factor(thrust_factor)
        )
        return outputs if array.ndim == 3 else outputs[0]

    def evaluate(self, groups: Array, airmode: Airmode, thrust_factor: float) -> Array:
        """Return the outputs for checked control groups (n, 4, 8), shape (n, count)."""
        parts = [np.zeros((len(groups), 0))]
        for definition in self.definitions:
            match definition:
                case Sum():
                    parts.append(sum_output(definition, groups))
                case Multirotor(key):
                    parts.append(multirotor_outputs(key, groups, airmode, thrust_factor))
                case Helicopter():
                    parts.append(helicopter_outputs(definition, groups))
                case Null():
                    parts.append(np.zeros((len(groups), 1)))
                case _:
                    assert_never(definition)
        return np.concatenate(parts, axis=1)

    def each(self) -> Iterator[Definition]:
        """Yield the definition that each output belongs to."""
        for definition in self.definitions:
            for _ in range(definition.count):
                yield definition

    def descriptions(self) -> list[str]:
        """Return what each output is made of, in one line each."""
        return [text for definition in self.definitions for text in descriptions_of(definition)]

    def text(self) -> str:
        """Return the text of a file that defines the same."""
        lines = [line for definition in self.definitions for line in lines_of(definition)]
        return "\n".join([*lines, ""])


def checked_airmode(value: int) -> Airmode:
    """Return an airmode; raise a ValueError for what is none."""
    try:
        return Airmode(value)
    except ValueError:
        expected = ", ".join(f"{mode.value} ({mode.name})" for mode in Airmode)
        raise ValueError(f"airmode: expected one of {expected}, got {brief(value)}") from None


def checked_factor(value: float) -> float:
    """Return a thrust factor; raise a ValueError for what is none."""
    if not isinstance(value, (int, float, np.number)) or not 0 <= value <= 1:
        raise ValueError(f"thrust_factor: expected 0 to 1, got {brief(value)}")
    return float(value)


def load(*paths: str | os.PathLike[str]) -> Mixer:
    """Return the mixer of one or several files.

    Parameters
    ----------
    *paths : str or path
        Mixer files, such as ``vtol.main.mix`` and ``vtol.aux.mix``; the outputs of a file follow
        those of the files before it, as where PX4 appends them.

    Raises
    ------
    MixerError
        A file cannot be read or is wrong, see `parse`.
    """
    if not paths:
        raise MixerError("paths: expected at least one mixer file, got none")
    definitions: list[Definition] = []
    for given in paths:
        if not isinstance(given, (str, os.PathLike)):
            raise MixerError(f"paths: expected the path of a mixer file, got {brief(given)}")
        path = Path(given)
        name = printable(path)
        try:
            data = read_regular(path, MAXIMUM_SIZE)
        except ValueError as error:
            raise MixerError(f"{name}: {error}") from None
        definitions.extend(parse(data, name))
    return Mixer(definitions)
