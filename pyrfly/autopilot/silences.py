"""How long nothing was heard of those who control the vehicles: `Silences`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.clock import Clock
from pyrfly.autopilot.parameters import Parameters

__all__ = ["Silences"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]

_FOR_EVER = 1e300
"""Patience of a simulation without pacing."""


class Silences:
    """Times since the last messages to n vehicles.

    Parameters
    ----------
    n : int
        Number of vehicles.
    parameters : Parameters
        Their PX4 parameters.
    clock : Clock
        Time.
    patience : float
        Factor of the times after which a link counts as lost: simulated seconds per real one, where
        that is above 1, as PX4_SIM_SPEED_FACTOR [@px4 rcS].
    """

    def __init__(self, n: int, parameters: Parameters, clock: Clock, patience: float) -> None:
        self._parameters = parameters
        self._clock = clock
        self._patience = min(patience, _FOR_EVER)
        self._set_points_at = np.full(n, math.inf)
        self._station_at = np.full(n, math.inf)
        self._sticks_at = np.full(n, math.inf)

    def hear_set_points(self, rows: NDArray[np.intp]) -> None:
        """Note set-points of vehicles."""
        self._set_points_at[rows] = self._clock.now

    def hear_station(self, row: int) -> None:
        """Note the heartbeat of a ground station."""
        self._station_at[row] = self._clock.now

    def hear_sticks(self, row: int) -> None:
        """Note a message of a remote control."""
        self._sticks_at[row] = self._clock.now

    @property
    def set_points(self) -> Array:
        """Time since the last set-point [s], below 0 before the first, shape (n,)."""
        return self._since(self._set_points_at)

    @property
    def station(self) -> Array:
        """Time since the last heartbeat of a ground station [s], likewise."""
        return self._since(self._station_at)

    @property
    def sticks(self) -> Array:
        """Time since the last message of a remote control [s], likewise."""
        return self._since(self._sticks_at)

    @property
    def has_set_points(self) -> Bools:
        """Whether each vehicle has set-points of a program, shape (n,)."""
        return self._within(self.set_points, "COM_OF_LOSS_T")

    @property
    def has_sticks(self) -> Bools:
        """Whether each vehicle has a remote control, shape (n,)."""
        return self._within(self.sticks, "COM_RC_LOSS_T")

    def _since(self, times: Array) -> Array:
        return np.asarray((self._clock.now - times) / self._patience)

    def _within(self, silence: Array, name: str) -> Bools:
        """Return where a silence is no longer than a parameter says."""
        return (silence >= 0) & (silence <= self._parameters.column(name))
