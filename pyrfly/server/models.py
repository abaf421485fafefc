"""What links need of that which joins models with autopilots: `Models`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pyrfly.mavlink import Frame
from pyrfly.sim.copter_data import SimulationMode

__all__ = ["Models", "PilotState", "Send"]

Send = Callable[[int, bytes], object]
"""Sends the autopilot of a row some bytes."""


class PilotState(Protocol):
    """What an autopilot of `pyrfly.autopilot` says of all vehicles."""

    def landed_state(self) -> NDArray[np.int8]:
        """Return the `LandedState` of each, shape (n,)."""

    def received_channels(self) -> NDArray[Any]:
        """Return the channels of its remote control [us], shape (n, k); 0: it has none."""


class Models(Protocol):
    """See `pyrfly.server.model_ports.ModelPorts`.

    Attributes
    ----------
    pilots : PilotState or None
        The autopilots of vehicles that answer as PX4, where there are any.
    """

    pilots: PilotState | None

    def connect(self, mode: SimulationMode, send: Send) -> None:
        """Reach the PX4s of a mode by a function from now on."""

    def take(self, row: int, frames: Sequence[Frame]) -> None:
        """Note what the PX4 of a vehicle says in frames."""

    def send_topics(
        self, ids: NDArray[np.intp], topics: NDArray[np.intp], values: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Send PX4s rfly_ctrl, rfly_ctrl1 or rfly_ctrl2; return which of the vehicles have one."""
