"""A vehicle that is reached by MAVLink: `MavlinkLink`."""

from __future__ import annotations

import atexit
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.link.height_loop import HeightLoop
from pyrfly.ctrl.link.mavlink_messages import (
    VELOCITY_0,
    Cmd,
    Message,
    arm,
    attitude_target,
    command_long,
    heartbeat,
    parameter_set,
    position_target,
    reposition,
)
from pyrfly.ctrl.link.mavlink_receiver import SILENCE, MavlinkReceiver
from pyrfly.ctrl.link.mavlink_sender import MavlinkSender
from pyrfly.ctrl.link.mavlink_state import MavlinkState
from pyrfly.ctrl.link.mavlink_transports import Transport
from pyrfly.ctrl.link.protocols import FAST_RATE, SLOW_MODES, SLOW_RATE
from pyrfly.ctrl.link.remote import RemoteLink, Repeater
from pyrfly.ctrl.link.state import ReceivedState
from pyrfly.ctrl.link.targets import (
    AttitudeTarget,
    MaskedTarget,
    PositionTarget,
    RateTarget,
    TakeOff,
    Target,
)
from pyrfly.errors import UnsupportedError
from pyrfly.frames import LocalFrame
from pyrfly.protocol.synthesis import Inputs

__all__ = ["MavlinkLink"]

HEARTBEAT_RATE = 1.0  # 1/s, by which PX4 knows that its data link is not lost
APPROACH_RATE = 5.0  # 1/s, of looks whether a vehicle is where it is to land
ARRIVED, STANDING = 0.5, 0.3  # m and m/s, within which it is
HEIGHT_AGE = 0.5  # s after which the height counts as unknown


class MavlinkLink(RemoteLink):
    """One vehicle by MAVLink.

    Parameters
    ----------
    transport : Transport
        Takes frames to the vehicle and back.
    copter_id : int
        Its CopterID, and its system in MAVLink until its HEARTBEAT says another.
    where : str
        Address or serial port, for reports.

    Raises
    ------
    MissingExtraError
        pymavlink is not installed.

    Notes
    -----
    Set-points are repeated by one thread, heartbeats by another, and the transport receives in a
    third. Nothing waits for a COMMAND_ACK, as in RflySim.
    """

    def __init__(self, transport: Transport, copter_id: int, where: str) -> None:
        self._transport = transport
        self._where = where
        self._out = MavlinkSender(transport.write, copter_id)
        self._in = MavlinkReceiver(copter_id, transport.in_datagrams, ReceivedState())
        super().__init__(self._in)
        self._in.on_vehicle = self._address
        self._rate = FAST_RATE
        self._target: Target | Message = position_target(VELOCITY_0)
        self._sending = threading.Lock()  # of set-points: none follows the end of their repetition
        self._height: tuple[HeightLoop, float] | None = None  # and when it was asked last
        self._beats: Repeater | None = None
        self._set_points: Repeater | None = None
        self._radio: Repeater | None = None
        self._approach: Repeater | None = None

    # --- begin and end

    def open(self, mode: int, arrived: Callable[[], object] | None) -> None:
        """See `Commands.open`; ``arrived`` is called for what is no message of MAVLink.

        A vehicle that is no simulator's is waited for, up to 3 s, and disarmed only as far as it
        lets itself be, which PX4 does on the ground.
        """
        self._end()
        self._target, self._height = position_target(VELOCITY_0), None
        self._rate = SLOW_RATE if mode in SLOW_MODES else FAST_RATE
        self._transport.open(self._in.take)
        atexit.register(self.close)
        self._beats = Repeater(HEARTBEAT_RATE, self._beat, "MAVLink heartbeats")
        if self._transport.is_direct:
            end = time.monotonic() + SILENCE
            while not self._in.is_there and time.monotonic() < end:
                time.sleep(0.01)
        self.send_message(arm(False, forced=not self._transport.is_direct))

    def close(self) -> None:
        """See `Commands.close`."""
        self._end()
        atexit.unregister(self.close)

    def _end(self) -> None:
        """Stop all threads."""
        self.track(False)
        self.stop_radio()
        self._end_approach()
        if self._beats is not None:
            self._beats.close()
            self._beats = None
        self._transport.close()

    def _beat(self) -> None:
        self._in.check_silence(self._where)
        self._out.send(heartbeat())

    def _address(self, system: int, component: int) -> None:
        self._out.system, self._out.component = system, component

    # --- set-points

    def require_supported(self, target: Target) -> None:
        """See `Commands.require_supported`."""
        if not isinstance(target, (PositionTarget, MaskedTarget, AttitudeTarget, RateTarget)):
            raise _no_simulator("this set-point")

    def set_target(self, target: Target | None) -> None:
        """See `Commands.set_target`; None is velocity 0, as RflySim's client has it."""
        self._stand(self._ready(VELOCITY_0 if target is None else target))

    def repeat_message(self, message: Message) -> None:
        """See `MavlinkMessages.repeat_message`."""
        self._out.check(message)
        self._stand(message)

    def _stand(self, target: Target | Message) -> None:
        with self._sending:
            self._target = target
            if not _holds_height(target):
                self._height = None

    def track(self, on: bool) -> None:
        """See `Commands.track`; set-points begin at once, and end without another message."""
        if not on:
            if self._set_points is not None:
                self._set_points.close()
                self._set_points = None
        elif self._set_points is None:
            self._set_points = Repeater(self._rate, self._repeat, "MAVLink set-points")

    def send(self, target: Target) -> None:
        """See `Commands.send`; once."""
        with self._sending:
            self._send_target(self._ready(target))

    def _repeat(self) -> None:
        with self._sending:
            self._send_target(self._target)

    def _ready(self, target: Target) -> Target | Message:
        """Return a set-point as a checked message, where that does not follow from the state."""
        match target:
            case PositionTarget() | MaskedTarget():
                message = position_target(target.masked())
            case AttitudeTarget(thrust=thrust) | RateTarget(thrust=thrust) if thrust is not None:
                message = attitude_target(target, float(thrust[0]))
            case _:
                return target
        self._out.check(message)
        return message

    def _send_target(self, target: Target | Message) -> None:
        if isinstance(target, Message):
            self._out.send(target)
        elif isinstance(target, (AttitudeTarget, RateTarget)):
            thrust = self._thrust(target)
            if thrust is not None:
                self._out.send(attitude_target(target, thrust))

    def _thrust(self, target: AttitudeTarget | RateTarget) -> float | None:
        """Return the thrust that holds a height; None while the height is not known.

        Without set-points a vehicle follows its rule for their loss, which is safer than a guess.
        """
        state, now = self._in.state, time.monotonic()
        if now - state.local_time > HEIGHT_AGE:
            self._height = None
            return None
        loop, before = self._height or (HeightLoop(float(state.thrust[0])), now)
        self._height = loop, now
        down = 0.0 if target.down is None else float(target.down[0])
        roll, pitch, _ = state.euler[0].tolist()
        cosine = math.cos(roll) * math.cos(pitch)
        error, climb = float(state.local[0, 2]) - down, -float(state.vel[0, 2])
        return loop.thrust(error, climb, cosine, now - before)

    # --- commands

    def arm(self, on: NDArray[np.bool_]) -> None:
        """See `Commands.arm`; whether it is armed, the vehicle says itself."""
        self.send_message(arm(bool(on.all())))

    def command(self, command: Inputs | TakeOff) -> None:
        """See `Commands.command`: for the synthesis model of a simulator."""
        raise _no_simulator("this command")

    def command_word(self, words: ArrayLike) -> None:
        """See `Commands.command_word`: for the synthesis model of a simulator."""
        raise _no_simulator("this command")

    def write_inputs(self, inputs: Inputs, copter_id: int | None) -> None:
        """See `Commands.write_inputs`: for the synthesis model of a simulator."""
        raise _no_simulator("inSILInts and inSILFloats")

    def reboot(self, copter_id: int, delay: int) -> None:
        """See `Commands.reboot`: for a simulator."""
        raise _no_simulator("sendRebootPix")

    def limit_speed(self, speed: NDArray[np.float64]) -> None:
        """See `SpeedLimit.limit_speed`: sets PX4's MPC_XY_VEL_MAX."""
        self._speed_limit = float(speed[0])
        self.send_message(parameter_set(b"MPC_XY_VEL_MAX", self._speed_limit))

    def set_cruise_speed(self, speed: NDArray[np.float64]) -> None:
        """See `SpeedLimit.set_cruise_speed`: sets PX4's FW_AIRSPD_TRIM."""
        self.send_message(parameter_set(b"FW_AIRSPD_TRIM", float(speed[0])))

    # --- messages

    def send_message(self, message: Message) -> None:
        """See `MavlinkMessages.send_message`; a command ends the approach of a landing."""
        if message.name in ("COMMAND_LONG", "COMMAND_INT"):
            self._end_approach()
        self._out.send(message)

    def land_at(self, lat: float, lon: float, alt: float) -> None:
        """See `MavlinkMessages.land_at`."""
        landing = command_long(Cmd.LAND, 0, 0, 0, 0, lat, lon, alt)
        state = self._in.state
        if not (state.hovers and state.lla.any()) or self._is_at(lat, lon):
            self.send_message(landing)
            return

        def approach() -> None:
            if self._is_at(lat, lon):
                self._out.send(landing)
                self._end_approach()

        self.send_message(reposition(lat, lon, float(state.lla[0, 2])))
        self._approach = Repeater(APPROACH_RATE, approach, "MAVLink landing")

    def _is_at(self, lat: float, lon: float) -> bool:
        """Return whether the vehicle stands above a place."""
        state = self._in.state
        place = LocalFrame(lat, lon, 0.0).to_ned(state.lla)[0, :2]
        return bool(np.hypot(*place) < ARRIVED and np.hypot(*state.vel[0, :2]) < STANDING)

    def _end_approach(self) -> None:
        if self._approach is not None:
            self._approach.close()
            self._approach = None

    def send_to_ground_station_port(self, message: Message) -> None:
        """See `MavlinkMessages.send_to_ground_station_port`: there is this link only."""
        self._out.send(message)

    def start_radio(self, rate: float, messages: Callable[[], Sequence[Message]]) -> None:
        """See `MavlinkMessages.start_radio`."""

        def send() -> None:
            for message in messages():
                self._out.send(message)

        self.stop_radio()
        self._radio = Repeater(rate, send, "MAVLink radio")

    def stop_radio(self) -> None:
        """See `MavlinkMessages.stop_radio`."""
        if self._radio is not None:
            self._radio.close()
            self._radio = None

    def on_message(self, take: Callable[[str, Any], object]) -> None:
        """See `MavlinkMessages.on_message`."""
        self._in.on_message = take

    @property
    def connection(self) -> MavlinkSender:
        """See `MavlinkMessages.connection`."""
        return self._out

    @property
    def counts(self) -> Mapping[str, int]:
        """See `MavlinkMessages.counts`."""
        return dict(self._in.counts)

    # --- state

    @property
    def instruments(self) -> MavlinkState:
        """See `MavlinkMessages.instruments`."""
        return self._in.state


def _holds_height(target: Target | Message) -> bool:
    return isinstance(target, (AttitudeTarget, RateTarget)) and target.thrust is None


def _no_simulator(what: str) -> UnsupportedError:
    return UnsupportedError(
        f"{what}: expected a simulator, got a vehicle that is reached by MAVLink alone"
    )
