"""Where a search for an equilibrium begins: `Trim`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Trim", "Underway"]

Array = NDArray[np.float64]
Underway = Callable[[Mapping[str, Array], Array, Array], dict[str, Array]]


@dataclass(frozen=True)
class Trim:
    """Begin of the search for an equilibrium of a vehicle that is not at rest or level there.

    Attributes
    ----------
    commands : tuple of float
        Commands of all actuators.
    states : mapping of str to ndarray
        All states after those of the body, by column; without them they begin where they tend to
        under the commands.
    airspeed : float
        Airspeed [m/s], level along the heading.
    pitch : float
        Pitch angle [rad].
    fixed : tuple of int
        Numbers of the commands that stay as they are.
    slips : bool
        Whether its heading may leave the given one, as it has nothing else that yaws it, or that
        pushes it to the side in a turn.
    underway : callable, optional
        Of a vehicle for which a search that begins with commands of 0 finds nothing: returns
        commands and further states near those wanted; other states begin at 0. Arguments: state
        and parameter columns, shape (k, width); speeds ahead, shape (k,) [m/s]; accelerations that
        lack without commands, shape (k, 6) [m/s^2, ahead, to the right, down; rad/s^2, FRD].
    held : tuple of int
        Which of roll (0) and pitch (1) its actuators hold at 0, unless they are too weak.
    lies : bool
        Whether roll and pitch are those of the ground, as of what has no springs.
    fastest : str
        Parameter column of the speeds ahead and back [m/s] above which nothing drives it.
    hint : str
        What may be why none is found, for messages.
    """

    commands: tuple[float, ...]
    states: Mapping[str, Array] = field(default_factory=dict)
    airspeed: float = 0.0
    pitch: float = 0.0
    fixed: tuple[int, ...] = ()
    slips: bool = False
    underway: Underway | None = None
    held: tuple[int, ...] = ()
    lies: bool = False
    fastest: str = ""
    hint: str = ""
