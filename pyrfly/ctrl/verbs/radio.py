"""Verbs of the remote control: sticks, which have an effect while no set-point is tracked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.ctrl.link.targets import CENTRE, StickTarget
from pyrfly.ctrl.verbs.controller import Controller

__all__ = ["RadioVerbs"]

CHANNELS = 8
_ROLL, _PITCH, _YAW = 0, 1, 3  # channels of RflySim


class RadioVerbs(Controller):
    """RflySim's remote control.

    A stick forward flies forward, to the right flies right, and the yaw stick turns; centred, the
    vehicle holds its position. The throttle stick has no effect. In offboard no stick has one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.isRCLoop = False
        self._pulses = np.full((1, CHANNELS), CENTRE)

    def initRCSendLoop(self, Hz: float = 30) -> None:
        """Apply the channels of `SendRCPwms` from now on.

        Parameters
        ----------
        Hz : float
            How often RflySim repeats them [1/s]; here they take effect at once.
        """
        if self._one("Hz", Hz, "1/s") <= 0:
            raise ValueError(f"Hz: expected a rate above 0 [1/s], got {Hz!r}")
        self.isRCLoop = True
        self._deflect(self._pulses)

    def endRCSendLoop(self) -> None:
        """Centre the sticks."""
        self.isRCLoop = False
        self._deflect(np.full_like(self._pulses, CENTRE))

    def SendRCPwms(self, Pwms: Sequence[float] | ArrayLike) -> None:
        """Set channels, for `initRCSendLoop`.

        Parameters
        ----------
        Pwms : sequence of float or array_like, shape (c,) or (k, c), c up to 8
            Pulses [us], 1000 to 2000: roll, pitch, throttle, yaw, and four more without effect.
            Channels that are not given stay.
        """
        values = self._vector("Pwms", Pwms, "us", *range(1, CHANNELS + 1))
        pulses = np.array(np.broadcast_to(self._pulses, (len(values), CHANNELS)))
        pulses[:, : values.shape[1]] = values
        self._pulses = pulses
        if self.isRCLoop:
            self._deflect(pulses)

    def SendRcOverride(
        self,
        ch1: ArrayLike = 1500,
        ch2: ArrayLike = 1500,
        ch3: ArrayLike = 1100,
        ch4: ArrayLike = 1500,
        ch5: ArrayLike = 1100,
        ch6: ArrayLike = 1100,
        ch7: ArrayLike = 1500,
        ch8: ArrayLike = 1500,
    ) -> None:
        """Set all channels at once [us]; they take effect at once and hold.

        Parameters
        ----------
        ch1, ch2, ch3, ch4, ch5, ch6, ch7, ch8 : float or array_like of shape (k,)
            Roll, pitch, throttle, yaw, and four more without effect.
        """
        given: tuple[Any, ...] = (ch1, ch2, ch3, ch4, ch5, ch6, ch7, ch8)
        columns = [self._finite(f"ch{i}", value, "us") for i, value in enumerate(given, 1)]
        self._deflect(np.stack(columns, axis=-1))

    def sendMavManualCtrl(
        self, x: ArrayLike = 0, y: ArrayLike = 0, z: ArrayLike = 0, r: ArrayLike = 0
    ) -> None:
        """Set the sticks as MAVLink's MANUAL_CONTROL does; they take effect at once and hold.

        Parameters
        ----------
        x, y, z, r : float or array_like of shape (k,)
            Pitch, roll, throttle (without effect) and yaw stick, -1000 to 1000 [1/1000].
        """
        given = (("x", x), ("y", y), ("z", z), ("r", r))
        pitch, roll, _, yaw = (self._finite(name, value, "1/1000") for name, value in given)
        pulses = np.full((len(pitch), CHANNELS), CENTRE)
        for channel, stick in ((_ROLL, roll), (_PITCH, pitch), (_YAW, yaw)):
            pulses[:, channel] += stick / 2
        self._deflect(pulses)

    def _deflect(self, pulses: Any) -> None:
        link = self._ready()
        if not self._offboard:
            rows = np.broadcast_to(pulses, (link.k, CHANNELS))
            link.send(StickTarget(rows[:, [_PITCH, _ROLL, _YAW]]))
