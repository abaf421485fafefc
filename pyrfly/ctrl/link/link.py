"""What verbs need of a world: `Link`.

The navigator of the vehicles (``csrc/control/navigator.h``) does what is asked through RflySim's
ports inSILInts and inSILFloats. A link hands over two kinds of things: a command, which acts once
and at once; and a standing `pyrfly.ctrl.targets.Target`, which RflySim's client repeats at 100 Hz.
In process nothing gets lost, so a target is handed over when it is new, and again after a command
for the navigator, which consumes what the ports hold: so a target of before a take-off holds after
it. What a link remembers is no part of a snapshot of the `pyrfly.Sim`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.link.state import State
from pyrfly.ctrl.targets import Target
from pyrfly.frames import LocalFrame
from pyrfly.protocol.synthesis import Words
from pyrfly.vehicles import Family
from pyrfly.wire import Parsed

__all__ = ["FAST_RATE", "SLOW_MODES", "SLOW_RATE", "Link"]

FAST_RATE = 100.0
"""Set-points a second (RflySim's SDK)."""

SLOW_RATE = 30.0
"""Set-points a second in `SLOW_MODES`."""

SLOW_MODES = (1, 3, 4)
"""UDPModes that spare the network: UDP_Simple, MAVLink_Simple and MAVLink_NoSend."""


class Link(Protocol):
    """Reaches k vehicles."""

    @property
    def k(self) -> int:
        """Number of vehicles."""

    @property
    def estimate(self) -> State:
        """State as the autopilot knows it."""

    @property
    def truth(self) -> State:
        """State as the simulator knows it."""

    @property
    def origin(self) -> LocalFrame:
        """The local frame at the map centre."""

    @property
    def families(self) -> Collection[Family[Any]]:
        """Families of the vehicles; empty where they are not known."""

    @property
    def has_columns(self) -> bool:
        """Whether parameters of the vehicles can be read and written."""

    @property
    def free_outputs(self) -> list[float]:
        """The 32 outputs of a user's own (outCopterData); zeros without."""

    @property
    def px4ext(self) -> Parsed | None:
        """The last message of a user's own module in PX4, if any."""

    @property
    def fixed(self) -> bool:
        """Whether the autopilot knows its place."""

    @property
    def crash_id(self) -> int:
        """CopterID of the vehicle that was collided with; -10 for none."""

    def listen_to_truth(self, on: bool) -> None:
        """Begin or end to fill `truth`."""

    def reboot(self, copter_id: int, delay: int) -> None:
        """Put a vehicle back to its take-off point, at rest."""

    def send_cruise(self, speed: float, radius: float) -> None:
        """Send RflySim's message of a cruise speed [m/s] and radius [m], 0 for none."""

    def send_raw(self, packet: bytes, offset: int) -> None:
        """Send bytes to the vehicle's port plus ``offset``."""

    def set_origin(self, lla: Sequence[float]) -> None:
        """Move the map centre to a latitude [deg], longitude [deg] and height [m]."""

    def open(self, mode: int, arrived: Callable[[], object] | None) -> None:
        """Take control; ``arrived`` is called whenever a new state is there."""

    def close(self) -> None:
        """Give up control."""

    def aim(self, target: Target | None) -> None:
        """Replace the standing set-point; None: hold the place."""

    def give(self, target: Target) -> None:
        """Hand over a set-point at once, whether or not targets are obeyed."""

    def obey(self, on: bool) -> None:
        """Hand over standing set-points from now on, or stop doing so."""

    def command(self, words: Words) -> None:
        """Give a command for the navigator, at once; the ports' set-points are consumed."""

    def command_bits(self, bits: ArrayLike) -> None:
        """Give command words, () or (k,), that leave the ports' set-points alone."""

    def send_words(self, words: Words, copter_id: int | None) -> None:
        """Write the ports of one vehicle, by default of this link's, command included."""

    def write(self, column: str, value: ArrayLike, component: int | None) -> None:
        """Write a parameter column of the vehicles, or one component of it."""

    def read(self, column: str) -> NDArray[np.float64]:
        """Return a parameter column of the vehicles, shape (k,) or (k, width)."""
