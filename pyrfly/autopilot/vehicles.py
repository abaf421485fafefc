"""What the parts of an autopilot need of its vehicles: `Vehicles`."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.failsafe_findings import Say
from pyrfly.autopilot.failsafe_table import Action
from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.autopilot.flight_record import FlightRecord
from pyrfly.autopilot.geofence import Geofence
from pyrfly.autopilot.homes import Homes
from pyrfly.autopilot.silences import Silences
from pyrfly.mavlink.constants import Result

__all__ = ["Vehicles"]

Bools = NDArray[np.bool_]


class Vehicles(Protocol):
    """Vehicles that answer as PX4, `pyrfly.autopilot.commander.Commander`, which describes them."""

    mode: NDArray[np.int64]
    intended: NDArray[np.int64]
    hovers: Bools
    on_surface: Bools
    guided: Bools
    homes: Homes
    record: FlightRecord
    silences: Silences
    fence: Geofence
    say: Say

    @property
    def armed(self) -> Bools:
        """Whether each is armed."""

    @property
    def failsafe(self) -> Bools:
        """Whether a failsafe has the mode of each."""

    @property
    def holds_attitude(self) -> Bools:
        """Whether the attitude of each is controlled."""

    def circles_there(self, row: int) -> bool:
        """Return whether a vehicle holds a position by circling."""

    def flies(self, row: int) -> bool:
        """Return whether a vehicle is armed and off the ground."""

    def has_mission(self, row: int) -> bool:
        """Return whether a vehicle has a mission that can be flown."""

    def set_mode(self, row: int, mode: FlightMode) -> Result:
        """Switch the mode as a user does."""

    def act(self, row: int, action: Action) -> None:
        """Execute the action of a failsafe."""
