"""Where a search for an equilibrium begins: `Trim`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Trim"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Trim:
    """Begin of the search for an equilibrium of a vehicle whose states have to be told.

    Those of other vehicles begin where they tend to under the commands.

    Attributes
    ----------
    commands : tuple of float
        Commands of all actuators.
    states : mapping of str to ndarray
        All states after those of the body, by column.
    """

    commands: tuple[float, ...]
    states: Mapping[str, Array]
