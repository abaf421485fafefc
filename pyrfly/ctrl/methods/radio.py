"""Methods of the remote control: sticks, which have an effect while no set-point is tracked.

In MAVLink modes they are messages for PX4, whose parameters say whether and when it follows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.ctrl.link.mavlink_messages import Message, manual_control, rc_override
from pyrfly.ctrl.link.protocols import MavlinkMessages
from pyrfly.ctrl.link.targets import CENTRE, StickTarget
from pyrfly.ctrl.methods.controller import Controller

__all__ = ["RadioMethods"]

CHANNELS = 8
_ROLL, _PITCH, _THROTTLE, _YAW = 0, 1, 2, 3  # channels of RflySim
_THROTTLE_DOWN = 1000.0  # us
_LARGEST_PULSE = 10000.0  # us, far above all that exist and within 16 bits of each message
_FIRST_PULSES = (1500.0, 1500.0, 1100.0, 1500.0, 1100.0, 1100.0, 1500.0, 1500.0)  # us


class RadioMethods(Controller):
    """RflySim's remote control.

    A stick forward flies forward, to the right flies right, and the yaw stick turns; centred, the
    vehicle holds its position. The throttle has no effect but on what dives and stays: at 1500 us
    it holds its depth, with more it rises, with less it sinks. In offboard no stick has an effect.
    """

    def __init__(self) -> None:
        super().__init__()
        self.isRCLoop = False
        self._pulses = np.array([_FIRST_PULSES])

    def initRCSendLoop(self, Hz: float = 30) -> None:
        """Apply the channels of `SendRCPwms` from now on.

        In MAVLink modes RC_CHANNELS_OVERRIDE and MANUAL_CONTROL are repeated, at first with
        centred sticks and the throttle down.

        Parameters
        ----------
        Hz : float
            How often they are repeated [1/s] in MAVLink modes; else they take effect at once.
        """
        rate = self._one("Hz", Hz, "1/s")
        if rate <= 0:
            raise ValueError(f"Hz: expected a rate above 0 [1/s], got {Hz!r}")
        if (link := self._mavlink()) is not None:
            _check_range("Pwms", self._pulses)
            link.start_radio(rate, self._messages)
        else:
            self._deflect(self._pulses)
        self.isRCLoop = True

    def endRCSendLoop(self) -> None:
        """Centre the sticks; in MAVLink modes stop to repeat them."""
        self.isRCLoop = False
        if (link := self._mavlink()) is not None:
            link.stop_radio()
        else:
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
        if isinstance(self._link, MavlinkMessages):
            _check_range("Pwms", pulses)
        self._pulses = pulses
        if self.isRCLoop and self._mavlink() is None:
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
            Roll, pitch, throttle, yaw, and four more without effect. What dives sinks by the
            throttle of 1100 us.
        """
        given: tuple[Any, ...] = (ch1, ch2, ch3, ch4, ch5, ch6, ch7, ch8)
        columns = [self._finite(f"ch{i}", value, "us") for i, value in enumerate(given, 1)]
        pulses = np.stack(columns, axis=-1)
        if (link := self._mavlink()) is not None:
            link.send_message(rc_override(pulses[0]))
        else:
            self._deflect(pulses)

    def sendMavManualCtrl(
        self, x: ArrayLike = 0, y: ArrayLike = 0, z: ArrayLike = 0, r: ArrayLike = 0
    ) -> None:
        """Set the sticks as MAVLink's MANUAL_CONTROL does; they take effect at once and hold.

        Parameters
        ----------
        x, y, z, r : float or array_like of shape (k,)
            Pitch, roll, throttle and yaw stick, -1000 to 1000 [1/1000]. The throttle is 500 at its
            centre, and has an effect in MAVLink modes and on what dives.
        """
        given = (("x", x), ("y", y), ("z", z), ("r", r))
        sticks = [self._finite(name, value, "1/1000") for name, value in given]
        if (link := self._mavlink()) is not None:
            link.send_message(manual_control(*(float(stick[0]) for stick in sticks)))
            return
        pitch, roll, throttle, yaw = sticks
        pulses = np.full((len(pitch), CHANNELS), CENTRE)
        pulses[:, _THROTTLE] = _THROTTLE_DOWN + throttle
        for channel, stick in ((_ROLL, roll), (_PITCH, pitch), (_YAW, yaw)):
            pulses[:, channel] += stick / 2
        self._deflect(pulses)

    def _messages(self) -> list[Message]:
        """Return what is repeated in MAVLink modes: the channels, and the sticks as RflySim."""
        pulses = self._pulses[0]
        sticks = (pulses - CENTRE) * 2
        throttle = pulses[_THROTTLE] - _THROTTLE_DOWN
        control = manual_control(sticks[_PITCH], sticks[_ROLL], throttle, sticks[_YAW])
        return [rc_override(pulses), control]

    def _deflect(self, pulses: Any) -> None:
        link = self._ready()
        if not self._offboard:
            rows = np.broadcast_to(pulses, (link.k, CHANNELS))
            link.send(StickTarget(rows[:, [_PITCH, _ROLL, _YAW, _THROTTLE]]))


def _check_range(name: str, pulses: Any) -> None:
    outside = pulses[(pulses < 0) | (pulses > _LARGEST_PULSE)]
    if len(outside):
        raise ValueError(f"{name}: expected 0 to {_LARGEST_PULSE:g} [us], got {outside[0]:g}")
