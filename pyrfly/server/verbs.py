"""RflySim's verbs as text: from names and arguments to packets of RflySim's ports, `VERBS`.

A verb is written as a method of `pyrfly.ctrl.PX4MavCtrler` is called, in the order of its
arguments; null is what is not controlled. Packets are those that the Python client sends over UDP,
so that one decoder says what is valid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.errors import brief
from pyrfly.protocol import short_message, synthesis
from pyrfly.protocol.masks import MavFrame, PositionIgnore
from pyrfly.protocol.short_message import ShortMode
from pyrfly.protocol.synthesis import Command, Inputs, command_word
from pyrfly.server.orders import ID_FIELDS

__all__ = ["VERBS", "Message", "Verb", "packets_of"]

Value = float | list[float]
"""An argument."""

_NAN = math.nan
_REQUIRED = None
_DEGREES, _RADIANS = 0, 1  # CtrlFlag of SendAttPX4
_INT32 = 2.0**31
_LARGEST = float(np.finfo(np.float32).max)


class Message(NamedTuple):
    """Series of ports of a packet, its bytes."""

    port: str
    data: bytes


Records = list[tuple[str, NDArray[np.void]]]
"""Series of ports and a record for each packet of a verb."""


class Verb(NamedTuple):
    """Arguments of a verb, each a name and a default or None, and what makes its records.

    A default that is a list is of an argument that is one, of any length up to its own.
    """

    arguments: Mapping[str, Value | None]
    records: Callable[..., Records]


def packets_of(name: str, given: object, copter_id: int = 1) -> list[Message]:
    """Return the packets of a verb.

    Parameters
    ----------
    name : str
        A key of `VERBS`.
    given : object
        Its arguments as JSON has them: a list of numbers, None for those that are not controlled,
        and lists of numbers.
    copter_id : int
        CopterID of the vehicle.

    Raises
    ------
    ValueError
        There is no such verb, or an argument is missing, too much, none or out of range.

    Examples
    --------
    >>> packets_of("SendPosNED", [0, 0, -5])[0].port
    'command'
    """
    verb = VERBS.get(name)
    if verb is None:
        raise ValueError(f"expected one of {', '.join(VERBS)}, got {brief(name)}")
    if not isinstance(given, list) or len(given) > len(verb.arguments):
        expected = ", ".join(verb.arguments)
        raise ValueError(f"{name}: expected a list of ({expected}), got {brief(given)}")
    values = [
        _value(f"{name}: {argument}", given[i] if i < len(given) else default, default)
        for i, (argument, default) in enumerate(verb.arguments.items())
    ]
    records = verb.records(*values)
    for _, record in records:
        for field in ID_FIELDS & set(record.dtype.names or ()):
            record[field] = copter_id
    return [Message(port, record.tobytes()) for port, record in records]


def _value(name: str, value: object, default: Value | None) -> Value:
    """Return an argument, which is a list if its default is one."""
    if not isinstance(default, list):
        return _NAN if value is None and default is not _REQUIRED else _number(name, value)
    if not isinstance(value, list) or len(value) > len(default):
        raise ValueError(f"{name}: expected a list of up to {len(default)}, got {brief(value)}")
    return [*(_number(name, one) for one in value), *default[len(value) :]]


def _number(name: str, value: object) -> float:
    """Return a number that float32 can hold; NaN may pass."""
    if isinstance(value, int | float) and not abs(value) > _LARGEST:
        return float(value)
    raise ValueError(f"{name}: expected a number, got {brief(value)}")


# --- packets


def _short(mode: float, numbers: Sequence[float]) -> Records:
    """Return the message of 24 bytes."""
    controls = np.array([numbers], np.float64)
    if not float(mode).is_integer() or abs(mode) >= _INT32:
        raise ValueError(f"ctrlMode: expected a whole number, got {mode:g}")
    if short_message.not_finite(np.array([int(mode)]), controls).any():
        raise ValueError(f"ctrlMode {mode:g}: expected numbers, got null where none may be")
    record = wire.blank("inOffboardShortData")
    record["ctrlMode"], record["ctrls"] = mode, controls
    return [("command", record)]


def _inputs(inputs: Inputs) -> Records:
    """Return inputs of the synthesis model."""
    record = wire.blank("PX4SILIntFloat")
    record["inSILInts"], record["inSILFLoats"] = inputs
    return [("sil", record)]


def _hold() -> Records:
    """Return that no set-point counts, for both ports, as the Python client says it."""
    record = wire.blank("inHILCMDData")
    record["modes"], record["flags"] = int(PositionIgnore.ALL), MavFrame.LOCAL_NED
    return [("command", record), *_inputs(synthesis.inputs(1))]


def _begin_offboard() -> Records:
    return [*_hold(), *_short(ShortMode.ARM, [1, 0, 0, 0])]


def _attitude(att: list[float], thrust: float, flag: float) -> Records:
    if flag not in (_DEGREES, _RADIANS):
        raise ValueError(f"CtrlFlag: expected 0 (deg) or 1 (rad), got {flag:g}")
    angles = np.radians(att) if flag == _DEGREES else np.asarray(att)
    return _short(ShortMode.ATTITUDE, [*angles.tolist(), thrust])


def _acceleration(x: float, y: float, z: float, yaw: float, kind: float) -> Records:
    modes = (
        ShortMode.ACCELERATION,
        ShortMode.ACCELERATION_YAW,
        ShortMode.ACCELERATION_YAW_RATE,
    )
    if kind not in (0, 1, 2):
        raise ValueError(f"yawType: expected 0, 1 or 2, got {kind:g}")
    return _short(modes[int(kind)], [x, y, z, yaw if kind else 0.0])


def _task(task: Command) -> Callable[[float], Records]:
    """Return what makes a command with a height."""

    def records(height: float) -> Records:
        if math.isnan(height):
            raise ValueError("height: expected a number, got null")
        inputs = synthesis.inputs(1)
        inputs.ints[:, synthesis.COMMAND] = command_word(True, task)
        inputs.floats[:, synthesis.DOWN] = height
        return _inputs(inputs)

    return records


def _sil(words: list[float], floats: list[float]) -> Records:
    if not all(word.is_integer() and abs(word) < _INT32 for word in words):
        raise ValueError("inSILInts: expected whole numbers of 32 bits")
    return _inputs(Inputs(np.array([words], np.int32), np.array([floats], np.float32)))


def _reboot() -> Records:
    return [("command", wire.blank("reboot"))]


# --- verbs


def _set_point(mode: ShortMode, names: str, default: float | None = _NAN) -> Verb:
    """Return a verb whose arguments are the four numbers of a short message, or fewer."""
    arguments = dict.fromkeys(names.split(), default)

    def records(*numbers: float) -> Records:
        return _short(mode, [*numbers, *[_NAN] * (4 - len(numbers))])

    return Verb(arguments, records)


def _command(mode: ShortMode, arguments: Mapping[str, float | None], place: int = 0) -> Verb:
    """Return a verb whose arguments are numbers of a short message from a place on, others 0."""

    def records(*numbers: float) -> Records:
        return _short(mode, [*[0.0] * place, *numbers, *[0.0] * (4 - place - len(numbers))])

    return Verb(arguments, records)


_MODE = ShortMode
_ZEROS: dict[str, float | None] = dict.fromkeys(("xM", "yM", "zM", "YawRad"), 0.0)

VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "initOffboard": Verb({}, _begin_offboard),
        "endOffboard": Verb({}, _hold),
        "SendVelNED": _set_point(_MODE.VELOCITY_NED, "vx vy vz yawrate"),
        "SendVelNEDNoYaw": _set_point(_MODE.VELOCITY_NED, "vx vy vz"),
        "SendVelFRD": _set_point(_MODE.VELOCITY_FRD, "vx vy vz yawrate"),
        "SendVelNoYaw": _set_point(_MODE.VELOCITY_FRD, "vx vy vz"),
        "SendPosNED": _set_point(_MODE.POSITION_NED, "x y z yaw"),
        "SendPosNEDNoYaw": _set_point(_MODE.POSITION_NED, "x y z"),
        "SendPosFRD": _set_point(_MODE.POSITION_FRD, "x y z yaw"),
        "SendPosFRDNoYaw": _set_point(_MODE.POSITION_FRD, "x y z"),
        "SendVelYawAlt": Verb(
            {"vel": 10.0, "yaw": 6.28, "alt": -100.0},
            lambda vel, yaw, alt: _short(_MODE.SPEED_HEIGHT, [vel, alt, yaw, 0.0]),
        ),
        "SendAccPX4": Verb(
            {**dict.fromkeys(("afx", "afy", "afz", "yawValue"), _NAN), "yawType": 0.0},
            _acceleration,
        ),
        "SendAttPX4": Verb({"att": [0.0] * 3, "thrust": 0.5, "CtrlFlag": 0.0}, _attitude),
        "SendMavArm": _command(_MODE.ARM, {"isArm": 1.0}),
        "sendMavTakeOff": _command(_MODE.TAKE_OFF, _ZEROS),
        "sendMavTakeOffGPS": _command(
            _MODE.TAKE_OFF_GLOBAL, dict.fromkeys(("lat", "lon", "alt"), _REQUIRED)
        ),
        "sendMavLand": Verb(
            dict.fromkeys(("xM", "yM", "zM"), _REQUIRED),
            lambda x, y, z: _inputs(synthesis.land(x, y, z)),
        ),
        "LandSyn": Verb({"height": 0.0}, _task(Command.LAND)),
        "ReturnHomeSyn": Verb({"height": _REQUIRED}, _task(Command.RETURN)),
        "SendCruiseSpeed": _command(_MODE.CRUISE, {"Speed": _REQUIRED}),
        "SendCruiseRadius": _command(_MODE.CRUISE, {"rad": _REQUIRED}, place=1),
        "sendUDPSimpData": Verb({"ctrlMode": _REQUIRED, "ctrls": [0.0] * 4}, _short),
        "sendSILIntFloat": Verb({"inSILInts": [0.0] * 8, "inSILFLoats": [0.0] * 20}, _sil),
        "sendRebootPix": Verb({}, _reboot),
    }
)
"""Verbs by RflySim's names."""
