"""ArduPilot's SITL with the "JSON" physics backend: its servo packets, and the answers to them.

ArduPilot drives, the physics answers: each UDP datagram with servo outputs, to port 9002 of the
physics, is answered by one line of JSON with the state, to the address that it came from
[@ardupilot SIM_JSON.cpp, examples/JSON/readme.md]. ArduPilot's time follows the time stamps of the
answers. `parse_servos` reads a packet, a `FrameCounter` says whether the physics is to step,
`throttles` and `deflections` convert pulse widths, `answer` writes the line. Which output is which
actuator: `pyrfly.protocol.ardupilot_frames`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import brief

__all__ = [
    "PORT",
    "BadServoPacket",
    "FrameCounter",
    "Servos",
    "State",
    "Turn",
    "answer",
    "deflections",
    "parse_servos",
    "throttles",
]

PORT = 9002
"""UDP port of the physics."""

_MAGIC = {16: 18458, 32: 29569}
"""Magic numbers by the number of outputs."""

_COUNTS = 2**32
"""Number of frame counts: after the last one they begin at 0."""


def _layout(outputs: int) -> np.dtype[np.void]:
    head = [("magic", "<u2"), ("frame_rate", "<u2"), ("frame_count", "<u4")]
    return np.dtype([*head, ("pwm", "<u2", (outputs,))])


_LAYOUTS = {layout.itemsize: layout for layout in map(_layout, _MAGIC)}
"""Layouts by their length."""


class BadServoPacket(ValueError):
    """A datagram is no servo packet.

    Attributes
    ----------
    reason : str
        ``"length"``, ``"magic"``, or ``"rate"`` if its frame rate is 0.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, eq=False)
class Servos:
    """A servo packet.

    Attributes
    ----------
    frame_rate : int
        Rate [Hz] at which ArduPilot would have the physics step, at least 1.
    frame_count : int
        Number of the frame; see `FrameCounter`.
    pwm : ndarray of uint16, shape (16,) or (32,)
        Pulse widths [us]; 0 is no pulse.
    """

    frame_rate: int
    frame_count: int
    pwm: NDArray[np.uint16]


def parse_servos(data: bytes | bytearray | memoryview) -> Servos:
    """Return the contents of a servo packet: 40 bytes, or 72 with 32 outputs.

    Parameters
    ----------
    data : bytes-like
        The datagram.

    Returns
    -------
    Servos
        A copy.

    Raises
    ------
    BadServoPacket
        The length or the magic number is wrong, or the frame rate is 0.

    Examples
    --------
    >>> import struct
    >>> servos = parse_servos(struct.pack("<HHI16H", 18458, 400, 7, *[1500] * 16))
    >>> servos.frame_rate, servos.frame_count, servos.pwm[:4].tolist()
    (400, 7, [1500, 1500, 1500, 1500])
    """
    packet = bytes(data)
    layout = _LAYOUTS.get(len(packet))
    if layout is None:
        raise BadServoPacket("length", f"data: expected 40 or 72 bytes, got {len(packet)}")
    record = np.frombuffer(packet, layout)[0]
    magic = _MAGIC[len(record["pwm"])]
    if record["magic"] != magic:
        raise BadServoPacket("magic", f"data: expected magic {magic}, got {record['magic']}")
    if record["frame_rate"] == 0:
        raise BadServoPacket("rate", "data: expected a frame rate of at least 1 Hz, got 0")
    pwm = record["pwm"].astype(np.uint16)
    return Servos(int(record["frame_rate"]), int(record["frame_count"]), pwm)


class Turn(IntEnum):
    """What a servo packet asks of the physics."""

    STEP = 0
    """Step, then answer."""
    REPEAT = 1
    """Answer again with the state as it is: ArduPilot has not received the last answer."""
    RESET = 2
    """ArduPilot has restarted: reset the vehicle, then step and answer."""


class FrameCounter:
    """Follows the numbers of ArduPilot's frames.

    They grow by one with each answer that ArduPilot receives. It sends a frame again when no answer
    comes, which is not to be stepped twice, and counts from 0 again when it restarts. The first
    frame may have any number: the physics may have been started later.

    Attributes
    ----------
    steps, repeats, restarts : int
        Number of frames of each `Turn`.
    missed : int
        Number of frames that were never received.

    Examples
    --------
    >>> counter = FrameCounter()
    >>> [counter.accept(count).name for count in (5, 6, 6, 9, 0)]
    ['STEP', 'STEP', 'REPEAT', 'STEP', 'RESET']
    >>> counter.missed
    2
    """

    def __init__(self) -> None:
        self.steps = self.repeats = self.restarts = self.missed = 0
        self._last: int | None = None

    def accept(self, frame_count: int) -> Turn:
        """Return what to do with a frame of a number from 0 to 2^32 - 1.

        The number after the last one is 0; otherwise a lower one is that of a restart.
        """
        last, self._last = self._last, frame_count
        if frame_count == last:
            self.repeats += 1
            return Turn.REPEAT
        if last is not None and frame_count < last and frame_count != (last + 1) % _COUNTS:
            self.restarts += 1
            return Turn.RESET
        self.steps += 1
        if last is not None:
            self.missed += (frame_count - last) % _COUNTS - 1
        return Turn.STEP


def throttles(pwm: ArrayLike, low: float = 1000.0, high: float = 2000.0) -> NDArray[np.float64]:
    """Return the commands, 0 to 1, of motors that turn in one direction.

    Parameters
    ----------
    pwm : array_like
        Pulse widths [us]; 0, no pulse, is a motor at rest.
    low, high : float
        Pulse widths [us] of 0 and of 1: ArduCopter's MOT_PWM_MIN and MOT_PWM_MAX.

    Returns
    -------
    ndarray
        As ``pwm`` in shape; pulses outside of the range count as its ends.
    """
    _check_range(low, high)
    return np.clip((np.asarray(pwm, np.float64) - low) / (high - low), 0.0, 1.0)


def deflections(pwm: ArrayLike, low: float = 1000.0, high: float = 2000.0) -> NDArray[np.float64]:
    """Return the commands, -1 to 1, of control surfaces and of motors that reverse.

    Parameters
    ----------
    pwm : array_like
        Pulse widths [us]; 0, no pulse, is the neutral position.
    low, high : float
        Pulse widths [us] of -1 and of 1: ArduPilot's SERVOn_MIN and SERVOn_MAX.

    Returns
    -------
    ndarray
        As ``pwm`` in shape; pulses outside of the range count as its ends.
    """
    _check_range(low, high)
    width = np.asarray(pwm, np.float64)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    return np.where(width == 0.0, 0.0, np.clip((width - middle) / half, -1.0, 1.0))


def _check_range(low: float, high: float) -> None:
    if not (0.0 < low < high and math.isfinite(high)):
        raise ValueError(f"low, high: expected 0 < low < high [us], got {low!r}, {high!r}")


@dataclass(frozen=True, eq=False)
class State:
    """What the physics answers.

    Attributes
    ----------
    timestamp : float
        Simulated time [s]. ArduPilot takes a lower one than before for a reset of the physics, and
        advances its own time by the difference otherwise, best less than 0.1 s.
    gyro : sequence of 3 float
        Angular velocity [rad/s, FRD].
    accel_body : sequence of 3 float
        Specific force [m/s^2, FRD].
    position : sequence of 3 float
        Position from ArduPilot's home [m, NED].
    attitude : sequence of 3 or 4 float
        Roll, pitch and yaw [rad], or a quaternion, scalar first, FRD to NED.
    velocity : sequence of 3 float
        Ground velocity [m/s, NED].
    rng_1 : float, optional
        Distance of a range finder [m].
    airspeed : float, optional
        Airspeed [m/s].
    velocity_wind : sequence of 3 float, optional
        Wind velocity [m/s, NED].
    battery : (float, float), optional
        Voltage [V] and current [A].
    rpm : sequence of float, optional
        Speeds of the motors [1/min]; at least one.
    """

    timestamp: float
    gyro: Sequence[float]
    accel_body: Sequence[float]
    position: Sequence[float]
    attitude: Sequence[float]
    velocity: Sequence[float]
    rng_1: float | None = None
    airspeed: float | None = None
    velocity_wind: Sequence[float] | None = None
    battery: tuple[float, float] | None = None
    rpm: Sequence[float] | None = None


def answer(state: State) -> bytes:
    r"""Return the line that answers a servo packet.

    ArduPilot searches the text for names and reads what follows, from the second character after
    the name; it takes the first that it finds. So there are no spaces, no name stands in another
    before it, and ``velocity`` comes before ``velocity_wind``. Numbers are the shortest decimals
    that mean the same double, so that equal states give equal bytes.

    Parameters
    ----------
    state : State
        The state.

    Returns
    -------
    bytes
        The datagram: the line between two newlines.

    Raises
    ------
    ValueError
        A number is not finite, or a vector has a wrong length.

    Examples
    --------
    >>> still = (0, 0, 0)
    >>> line = answer(State(2.5, still, (0, 0, -9.8), still, (0.1, 0, 0), still))
    >>> line[:50]
    b'\n{"timestamp":2.5,"imu":{"gyro":[0.0,0.0,0.0],"acc'
    >>> import json
    >>> json.loads(line)["attitude"]
    [0.1, 0.0, 0.0]
    """
    attitude = "quaternion" if len(state.attitude) == 4 else "attitude"
    fields = [
        _pair("timestamp", _number("timestamp", state.timestamp)),
        _section(
            "imu",
            _pair("gyro", _vector("gyro", state.gyro, 3)),
            _pair("accel_body", _vector("accel_body", state.accel_body, 3)),
        ),
        _pair("position", _vector("position", state.position, 3)),
        _pair(attitude, _vector("attitude", state.attitude, 4 if attitude[0] == "q" else 3)),
        _pair("velocity", _vector("velocity", state.velocity, 3)),
        *_optional(state),
    ]
    return ("\n{" + ",".join(fields) + "}\n").encode("ascii")


def _optional(state: State) -> list[str]:
    fields = []
    if state.rng_1 is not None:
        fields.append(_pair("rng_1", _number("rng_1", state.rng_1)))
    if state.velocity_wind is not None:
        fields.append(_pair("velocity_wind", _vector("velocity_wind", state.velocity_wind, 3)))
    if state.airspeed is not None:
        fields.append(_pair("airspeed", _number("airspeed", state.airspeed)))
    if state.battery is not None:
        voltage, current = (_number("battery", value) for value in state.battery)
        fields.append(_section("battery", _pair("voltage", voltage), _pair("current", current)))
    if state.rpm is not None:
        rpm = _vector("rpm", state.rpm, max(len(state.rpm), 1))  # at least one
        fields.append(_section("motor", _pair("rpm", rpm)))
    return fields


def _pair(name: str, value: str) -> str:
    return f'"{name}":{value}'


def _section(name: str, *pairs: str) -> str:
    return _pair(name, "{" + ",".join(pairs) + "}")


def _number(name: str, value: Any) -> str:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name}: expected a finite number, got {brief(value)}")
    return repr(number)


def _vector(name: str, values: Sequence[float], length: int) -> str:
    if len(values) != length:
        raise ValueError(f"{name}: expected {length} numbers, got {brief(list(values))}")
    return "[" + ",".join(_number(name, value) for value in values) + "]"
