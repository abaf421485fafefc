"""A vehicle behind RflySim's UDP ports, of a server or of CopterSim: `UdpLink`.

Commands go to port 20100 + 2 (CopterID - 1) and, where RflySim's UDP modes have no message for
them, as inputs of the synthesis model to 30100 + 2 (CopterID - 1). The vehicle's state is received
on the ports one above. One thread repeats the standing set-point in real time, one receives.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.link.packets import PacketSender
from pyrfly.ctrl.link.protocols import FAST_RATE, SLOW_MODES, SLOW_RATE
from pyrfly.ctrl.link.receiver import Receiver
from pyrfly.ctrl.link.remote import RemoteLink, Repeater, address_of
from pyrfly.ctrl.link.targets import (
    AttitudeTarget,
    MaskedTarget,
    PositionTarget,
    RateTarget,
    StickTarget,
    TakeOff,
    Target,
)
from pyrfly.protocol import full_message, short_message
from pyrfly.protocol.masks import GLOBAL_FRAMES, MavFrame
from pyrfly.protocol.short_message import Arm, Cruise, SetPoint, ShortMode, SpeedHeight
from pyrfly.protocol.synthesis import COMMAND, DOWN, Command, Inputs
from pyrfly.wire import Parsed

__all__ = ["UDP_FULL", "UDP_SIMPLE", "UdpLink"]

UDP_FULL, UDP_SIMPLE = 0, 1
MIN_HEIGHT = 1.0  # m: nearer to 0, the height of a landing counts as not given


class UdpLink(RemoteLink):
    """One vehicle on the network.

    Parameters
    ----------
    ip : str
        Address of its simulator.
    port : int
        Port that it receives commands on; its state is received one above.
    copter_id : int
        Its CopterID.

    Notes
    -----
    RflySim's UDP modes do not say whether the vehicle is armed. ``estimate.armed`` is what was
    commanded, until a vehicle that was to land has not moved for 2 s.
    """

    def __init__(self, ip: str, port: int, copter_id: int) -> None:
        self._ip = ip
        self._copter_id = copter_id
        self._out = PacketSender(ip, port, copter_id)
        self._in = Receiver(ip, port, copter_id)
        super().__init__(self._in)
        self._mode = UDP_FULL
        self._target: Target | None = None
        self._tracks = False
        self._holds = False  # whether offboard goes on without a set-point
        self._sticks: StickTarget | None = None  # those that are deflected, outside offboard
        self._sending = threading.Lock()  # of set-points: none follows the end of their repetition
        self._repeater: Repeater | None = None

    # --- begin and end

    def open(self, mode: int, arrived: Callable[[], object] | None) -> None:
        """See `Commands.open`."""
        address = address_of(self._ip)
        self._end()
        self._out.ip = self._in.ip = address
        self._mode = mode
        self._target, self._tracks, self._holds, self._sticks = None, False, False, None
        self._in.open(arrived)
        rate = SLOW_RATE if mode in SLOW_MODES else FAST_RATE
        self._repeater = Repeater(rate, self._repeat, "pyrfly link")
        atexit.register(self.close)
        self.command_word(int(Command.ENABLE))

    def close(self) -> None:
        """See `Commands.close`."""
        self._end()
        self.listen_to_truth(False)
        atexit.unregister(self.close)
        self._out.close()

    def _end(self) -> None:
        """Stop to receive the state and to repeat the set-point."""
        self._in.close()
        if self._repeater is not None:
            self._repeater.close()
            self._repeater = None

    # --- set-points

    def require_supported(self, target: Target) -> None:
        """See `Commands.require_supported`: which set-points the vehicle supports is not known."""

    def set_target(self, target: Target | None) -> None:
        """See `Commands.set_target`."""
        with self._sending:
            self._target = target
            self._holds = target is None and self._tracks
            if self._holds:
                self._out.hold()

    def track(self, on: bool) -> None:
        """See `Commands.track`; when it ends, no repetition follows and the vehicle holds.

        Without a set-point, messages with none are repeated: the stream of an offboard begins with
        it, as that of RflySim's client does with velocity 0, and not with the first set-point.
        """
        with self._sending:
            self._tracks, self._sticks = on, None
            self._holds = on and self._target is None
            if not on or self._holds:
                self._out.hold()

    def send(self, target: Target) -> None:
        """See `Commands.send`; sticks that are not centred are repeated, as a radio does."""
        with self._sending:
            self._holds = False
            self._sticks = target if isinstance(target, StickTarget) and target.deflected else None
            self._send_target(target)

    def _send_target(self, target: Target) -> None:
        """Send a set-point in RflySim's message for it, or as inputs of the synthesis model."""
        simple = self._mode == UDP_SIMPLE
        match target:
            case SetPoint() | SpeedHeight():
                self._out.short(target)
            case PositionTarget(short=mode) if mode is not None and simple:
                self._out.short(_short_of(target, mode))
            case PositionTarget() | MaskedTarget() if target.frame not in GLOBAL_FRAMES:
                self._out.position(target.masked())
            case AttitudeTarget(euler, thrust) if thrust is not None and simple:
                self._out.short(SetPoint(ShortMode.ATTITUDE, euler, thrust))
            case AttitudeTarget(euler, thrust) if thrust is not None:
                mask, numbers = full_message.attitude_numbers(euler, thrust)
                self._out.long(mask, MavFrame.LOCAL_NED, numbers)
            case RateTarget(rate, thrust) if thrust is not None:
                mask, numbers = full_message.rate_numbers(rate, thrust)
                self._out.long(mask, MavFrame.LOCAL_NED, numbers)
            case _:
                self._out.inputs(target.inputs())

    def _repeat(self) -> None:
        """Send the standing set-point, or the sticks."""
        self._in.check_silence()
        with self._sending:
            standing = self._target if self._tracks else self._sticks
            if standing is not None:
                self._send_target(standing)
            elif self._holds:
                self._out.no_set_point()

    # --- commands

    def arm(self, on: NDArray[np.bool_]) -> None:
        """See `Commands.arm`; sent even if the vehicle is armed, as that is not certain here."""
        self._in.landing = None
        if not on.all():
            self._target = self._sticks = None
        self._in.estimate.armed = on.copy()
        self._out.short(Arm(on))

    def command(self, command: Inputs | TakeOff) -> None:
        """See `Commands.command`; a take-off is sent as RflySim's client does."""
        if isinstance(command, TakeOff):
            with self._sending:  # the height is kept, as by PX4, until another set-point
                self._target, self._holds = None, self._tracks
                self._out.short(short_message.TakeOff(command.pos, command.yaw))
            return
        self._in.landing = None
        if command.ints[0, COMMAND] & Command.LAND:
            on_ground = abs(command.floats[0, DOWN]) < MIN_HEIGHT  # else it stays in the air
            self._in.landing = time.monotonic() if on_ground else None
            self._target = self._sticks = None  # to be set anew afterwards
        self._out.inputs(command)

    def command_word(self, words: ArrayLike) -> None:
        """See `Commands.command_word`: RflySim's client can only arm and disarm."""
        self.arm(np.atleast_1d(np.asarray(words, np.int64)) & int(Command.ARMED) != 0)

    def write_inputs(self, inputs: Inputs, copter_id: int | None) -> None:
        """See `Commands.write_inputs`."""
        with self._sending:
            self._holds = False
            self._out.inputs(inputs, copter_id)

    def reboot(self, copter_id: int, delay: int) -> None:
        """See `Commands.reboot`."""
        self._out.reboot(copter_id, delay)

    def limit_speed(self, speed: NDArray[np.float64]) -> None:
        """See `SpeedLimit.limit_speed`; it is sent as a cruise speed."""
        self._speed_limit = float(speed[0])
        self._out.short(Cruise(np.asarray(speed, np.float64), np.zeros(1)))

    def set_cruise_speed(self, speed: NDArray[np.float64]) -> None:
        """See `SpeedLimit.set_cruise_speed`: RflySim has one message for both."""
        self.limit_speed(speed)

    def send_short(self, message: short_message.Message) -> None:
        """See `Datagrams.send_short`."""
        self._out.short(message)

    def send_raw(self, packet: bytes, offset: int) -> None:
        """See `Datagrams.send_raw`."""
        self._out.raw(packet, offset)

    # --- state

    def listen_to_truth(self, on: bool) -> None:
        """See `RemoteTelemetry.listen_to_truth`."""
        self._in.listen_to_truth(on)

    @property
    def free_outputs(self) -> list[float]:
        """See `RemoteTelemetry.free_outputs`."""
        return self._in.free_outputs

    @property
    def px4ext(self) -> Parsed | None:
        """See `RemoteTelemetry.px4ext`."""
        return self._in.px4ext


def _short_of(target: PositionTarget, mode: ShortMode) -> SetPoint:
    """Return the short message of a set-point; a heading or its rate that does not count is NaN."""
    free = np.full(1, np.nan)
    return SetPoint.of(mode, **({"yaw": free, "yaw_rate": free} | target.fields()))
