"""All methods and attributes of k vehicles together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from pyrfly.ctrl import ending
from pyrfly.ctrl.arguments import integer
from pyrfly.ctrl.link.protocols import Link
from pyrfly.ctrl.methods.attributes import Attributes, Flag, Scalar, Vector
from pyrfly.ctrl.methods.mavlink import MavlinkMethods
from pyrfly.ctrl.methods.radio import RadioMethods
from pyrfly.ctrl.methods.synthesis import SynMethods

__all__ = ["UDP_MODES", "Methods"]

UDP_MODES = range(9)
"""RflySim's CtMode: 0 UDP_Full to 6 MAVLink_Vision, 7 and 8 by Redis."""


class Methods(
    MavlinkMethods,
    RadioMethods,
    SynMethods,
    Attributes[Vector, Scalar, Flag],
    Generic[Vector, Scalar, Flag],
):
    """What `pyrfly.ctrl.PX4MavCtrler` and `pyrfly.ctrl.Swarm` have in common."""

    def InitMavLoop(self, UDPMode: int = 2) -> None:
        """Take control: the vehicle is disarmed, and its position becomes the take-off point.

        Call it again after ``sim.reset``, to start over.

        Parameters
        ----------
        UDPMode : int
            RflySim's number of the link, 0 to 8; False and True are 0 and 1. In process they differ
            in the rate at which set-points are passed on: 30 Hz with 1, 3 and 4, 100 Hz otherwise.
            Over UDP 0 is UDP_Full, 1 UDP_Simple, and 2 to 6 are MAVLink, all alike but for the
            rate; on a serial port and by ``Com='Direct'`` there are these only.

        Raises
        ------
        UnsupportedError
            The vehicle cannot be reached in that mode.
        MissingExtraError
            A MAVLink mode needs ``pip install 'pyrfly[mavlink]'``.
        PortError
            A port cannot be opened.
        """
        mode = int(UDPMode) if isinstance(UDPMode, bool) else integer("UDPMode", UDPMode)
        if mode not in UDP_MODES:
            raise ValueError(f"UDPMode: expected 0 to {UDP_MODES[-1]}, got {UDPMode!r}")
        link, before = self._link_of(mode), self._link
        self.UDPMode = mode
        link.open(mode, self._on_arrival(link))
        if link is not before:
            self._link = link
            before.close()
        self._connected = True
        self._offboard = self._has_target = self.isRCLoop = False
        self._opened()

    def endMavLoop(self) -> None:
        """Release control; an armed vehicle is disarmed, also in the air."""
        if self._connected:
            try:
                if self._mavlink() is None or self._link.estimate.armed.any():
                    self.SendMavArm(0)
            finally:
                self._link.close()
                self._connected = self._offboard = self.isRCLoop = False
                ending.forget(self._link)

    def stopRun(self) -> None:
        """Do the same as `endMavLoop`."""
        self.endMavLoop()

    def _opened(self) -> None:
        """Do what is to be done when control was taken; nothing here."""

    def _link_of(self, mode: int) -> Link:
        """Return the link for RflySim's number of a mode; here there is one only."""
        return self._link

    def _on_arrival(self, link: Link) -> Callable[[], object] | None:
        """Return what a link calls whenever there is a new state."""
        return None
