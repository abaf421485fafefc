"""What packets ask of vehicles: from records of the wire to orders, without sockets or a `Sim`.

A decoder takes k records of one kind, and returns `Orders`: what to do, and of each packet what
became of it. A vehicle may occur several times with packets of one stream (`stream`), of which the
last then counts; with others at most once.

Nothing that is not finite gets through, with one meaning left to it: in the 120-byte set-points,
and in a yaw, NaN says that this component is not controlled, as with PX4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import BASE, Command, Offboard
from pyrfly.protocol.terrain import Ground, ground_of
from pyrfly.server.link_stats import Count

__all__ = [
    "DECODERS",
    "Action",
    "CommandBits",
    "Extension",
    "Orders",
    "Reset",
    "Sil",
    "SpeedLimit",
    "Terrain",
    "decode",
    "stream",
]

Ids = NDArray[np.intp]
Bools = NDArray[np.bool_]
Records = NDArray[Any]


MOST_SPEED = 100.0
"""A speed limit from the network is cut to this [m/s]."""

FRAMES = (1, *synthesis.BODY_FRAMES, *synthesis.GLOBAL_FRAMES, *synthesis.RELATIVE_FRAMES)
"""MAVLink's MAV_FRAME values that a set-point may be in."""

MASK_BITS = 0xFFF
"""Bits of MAVLink's POSITION_TARGET_TYPEMASK; those above are for fixed wings."""

COMMAND_BITS, OFFBOARD_BITS = sum(Command), sum(Offboard)


class Sil(NamedTuple):
    """New values of the ports inSILInts (k, 8) and inSILFloats (k, 20)."""

    ids: Ids
    ints: NDArray[np.int32]
    floats: NDArray[np.float32]


class CommandBits(NamedTuple):
    """A command, ``inSILInts[0]``; the other inputs stay."""

    ids: Ids
    bits: int


class SpeedLimit(NamedTuple):
    """Most horizontal speeds (k,) [m/s]."""

    ids: Ids
    speed: NDArray[np.float64]


class Terrain(NamedTuple):
    """The ground below vehicles."""

    ids: Ids
    ground: Ground


class Extension(NamedTuple):
    """Values (k, 28) of the port inCtrlExt ``number``, 1 to 5."""

    ids: Ids
    number: int
    values: NDArray[np.float64]


class Reset(NamedTuple):
    """Vehicles to be put back to their places, at rest and disarmed."""

    ids: Ids


Action = Sil | CommandBits | SpeedLimit | Terrain | Extension | Reset


class Orders(NamedTuple):
    """What k packets of one kind come to.

    Attributes
    ----------
    actions : list of Action
        What to do.
    verdicts : numpy.ndarray of int, shape (k,)
        What became of each packet, as `Count`.
    odd : numpy.ndarray of bool, shape (k,)
        Which packets have bits that are not known, and were ignored.
    """

    actions: list[Action]
    verdicts: NDArray[np.int8]
    odd: Bools


Decoder = Callable[[Records, Ids, Bools], Orders]
"""From records (k,), CopterIDs (k,) and which of those vehicles are armed (k,)."""


def decode(name: str, records: Records, ids: Ids, armed: Bools) -> Orders:
    """Return what packets ask for.

    Parameters
    ----------
    name : str
        Kind of message, as `pyrfly.wire` names it.
    records : numpy.ndarray, shape (k,)
        Structured array of that kind.
    ids : numpy.ndarray of int, shape (k,)
        CopterIDs of the vehicles on whose ports the packets came.
    armed : numpy.ndarray of bool, shape (k,)
        Which of these vehicles are armed.
    """
    with np.errstate(invalid="ignore"):  # NumPy warns when it converts a signalling NaN
        return DECODERS.get(name, _unsupported)(records, ids, armed)


def stream(name: str, data: bytes) -> tuple[str, bytes] | None:
    """Return the stream that a packet belongs to: its next packet replaces it.

    None for one that asks for something once, such as arming.
    """
    if name == "inHILCMDData":
        return name, b""
    if name == "inOffboardShortData" and int.from_bytes(data[4:8], "little") < ARM:
        return name, data[4:8]
    return None


def _verdicts(
    k: int,
    *,
    bad_id: Bools | bool = False,
    not_finite: Bools | bool = False,
    unknown: Bools | bool = False,
) -> NDArray[np.int8]:
    verdicts = np.full(k, Count.ACCEPTED, dtype=np.int8)
    verdicts[np.broadcast_to(unknown, k)] = Count.UNKNOWN
    verdicts[np.broadcast_to(not_finite, k)] = Count.NOT_FINITE
    verdicts[np.broadcast_to(bad_id, k)] = Count.BAD_ID
    return verdicts


def _orders(actions: list[Action], verdicts: NDArray[np.int8], odd: Bools | None = None) -> Orders:
    """Return orders without actions for nobody; only an accepted packet can be odd."""
    if odd is None:
        odd = np.zeros(len(verdicts), dtype=np.bool_)
    return Orders(
        [action for action in actions if len(action.ids)],
        verdicts,
        odd & (verdicts == Count.ACCEPTED),
    )


def _unsupported(records: Records, ids: Ids, armed: Bools) -> Orders:
    return _orders([], np.full(len(ids), Count.UNSUPPORTED, dtype=np.int8))


def _any_in_row(wrong: Bools) -> Bools:
    return np.asarray(wrong.any(axis=1))


def _for_others(named: NDArray[Any], ids: Ids) -> Bools:
    """Return which packets of the 30100 series name another vehicle; 0 and -1 name none."""
    return np.asarray(~(np.equal(named, ids) | np.isin(named, (0, -1))))


# --- inputs of the model, 30100 series ---


USES = {
    Offboard.VELOCITY: synthesis.VEL,
    Offboard.ACCELERATION: synthesis.ACC,
    Offboard.ATTITUDE: synthesis.ATT,
    Offboard.ROLL_RATE: slice(12, 13),
    Offboard.PITCH_RATE: slice(13, 14),
    Offboard.YAW_RATE: slice(14, 15),
    Offboard.THRUST: slice(synthesis.THRUST, synthesis.THRUST + 1),
}
"""Which of the floats the bits of inSILInts[1] use, but for yaw and position."""

BY_ITSELF = Command.TAKEOFF | Command.LAND
ATTITUDES = Offboard.ATTITUDE | Offboard.ROLL_RATE | Offboard.PITCH_RATE
INTEGER_PLACE = Offboard.GLOBAL | Offboard.INTEGER_PLACE


def _needed(command: NDArray[np.int64], offboard: NDArray[np.int64]) -> Bools:
    """Return which of the floats (k, 20) must be numbers.

    A yaw need not. Nor need x and y of a position when they are in the integers, or when a
    position without them means something: a take-off or landing where the vehicle is, a height to
    hold beside an attitude.
    """
    needed = np.zeros((len(offboard), synthesis.FLOATS), dtype=np.bool_)
    for bit, columns in USES.items():
        needed[:, columns] |= (offboard & bit != 0)[:, None]
    position = offboard & Offboard.POSITION != 0
    free = (command & BY_ITSELF != 0) | (offboard & ATTITUDES != 0)
    free |= offboard & INTEGER_PLACE == INTEGER_PLACE
    needed[:, 0] = needed[:, 1] = position & ~free
    needed[:, 2] = position
    return needed


def _sil(
    named: NDArray[Any], ids: Ids, ints: NDArray[np.int32], floats: NDArray[np.float32], bad: Bools
) -> Orders:
    words = ints.astype(np.int64)
    not_finite = bad | _any_in_row(
        np.isinf(floats) | np.isnan(floats) & _needed(words[:, 0], words[:, 1])
    )
    verdicts = _verdicts(len(ids), bad_id=_for_others(named, ids), not_finite=not_finite)
    odd = (words[:, 0] & ~COMMAND_BITS != 0) | (words[:, 1] & ~OFFBOARD_BITS != 0)
    good = verdicts == Count.ACCEPTED
    return _orders([Sil(ids[good], ints[good], floats[good])], verdicts, odd)


def _sil_floats(records: Records, ids: Ids, armed: Bools) -> Orders:
    bad = np.zeros(len(ids), dtype=np.bool_)
    return _sil(records["CopterID"], ids, records["inSILInts"], records["inSILFLoats"], bad)


def _sil_doubles(records: Records, ids: Ids, armed: Bools) -> Orders:
    """Decode 28 doubles: the 8 integers, then the 20 floats."""
    numbers = records["inDoubsCtrls"]
    first = numbers[:, :8]
    too_large = ~((first >= -(2.0**31)) & (first < 2.0**32))  # NaN too
    ints = np.where(too_large, 0.0, first).astype(np.int64).astype(np.int32)
    with np.errstate(over="ignore"):
        floats = numbers[:, 8:].astype(np.float32)
    return _sil(records["CopterID"], ids, ints, floats, _any_in_row(too_large))


def _terrain(records: Records, ids: Ids, armed: Bools) -> Orders:
    ground = ground_of(records["TerrainIn15d"])
    finite = np.asarray(np.isfinite(np.column_stack(ground)).all(axis=1))
    bad_id = _for_others(records["CopterID"], ids)
    verdicts = _verdicts(len(ids), bad_id=bad_id, not_finite=~finite)
    good = verdicts == Count.ACCEPTED
    return _orders([Terrain(ids[good], Ground(*(column[good] for column in ground)))], verdicts)


def _extension(number: int, fields: tuple[str, ...]) -> Decoder:
    """Return the decoder of port inCtrlExt ``number``, whose 28 numbers are in these fields."""

    def decoder(records: Records, ids: Ids, armed: Bools) -> Orders:
        values = np.concatenate([records[f] for f in fields], axis=1).astype(np.float64)
        not_finite = _any_in_row(~np.isfinite(values))
        bad_id = _for_others(records["CopterID"], ids)
        verdicts = _verdicts(len(ids), bad_id=bad_id, not_finite=not_finite)
        good = verdicts == Count.ACCEPTED
        return _orders([Extension(ids[good], number, values[good])], verdicts)

    return decoder


# --- commands, 20100 series ---


def _position_target(records: Records, ids: Ids, armed: Bools) -> Orders:
    """Decode the 120-byte message: a set-point as in MAVLink's SET_POSITION_TARGET_LOCAL_NED."""
    mask = records["modes"].astype(np.int64)
    frame = records["flags"].astype(np.int64)
    controls = records["ctrls"].astype(np.float64)
    verdicts = _verdicts(
        len(ids),
        bad_id=np.not_equal(records["copterID"], ids),
        not_finite=_any_in_row(np.isinf(controls)),
        unknown=~np.isin(frame, FRAMES),
    )
    good = verdicts == Count.ACCEPTED
    if not good.any():
        return _orders([], verdicts)
    pos, vel, acc = controls[good, 0:3], controls[good, 3:6], controls[good, 6:9]
    ints, floats = synthesis.position_target(
        mask[good] & MASK_BITS, frame[good], pos, vel, acc, controls[good, 9], controls[good, 10]
    )
    return _orders([Sil(ids[good], ints, floats)], verdicts, mask & ~MASK_BITS != 0)


ARM, SPEED, TAKE_OFF, TAKE_OFF_GPS, FIXED_WING = 9, 10, 11, 12, 13
MODES = (*synthesis.SIMPLE_MODES, ARM, SPEED, TAKE_OFF, TAKE_OFF_GPS)
YAWS = {2: 3, 3: 3, 8: 3, TAKE_OFF: 3, TAKE_OFF_GPS: 3}
"""Where in the four numbers a mode has a yaw."""


def _short(records: Records, ids: Ids, armed: Bools) -> Orders:
    """Decode the 24-byte message: a mode and four numbers."""
    modes, controls = records["ctrlMode"], records["ctrls"].astype(np.float64)
    known = np.isin(modes, MODES) | (modes < 0)
    verdicts = _verdicts(len(ids), not_finite=_short_not_finite(modes, controls), unknown=~known)
    actions: list[Action] = []
    for mode in np.unique(modes[(verdicts == Count.ACCEPTED) & (modes >= 0)]).tolist():
        rows = (modes == mode) & (verdicts == Count.ACCEPTED)
        actions += _short_actions(mode, controls[rows], ids[rows], armed[rows])
    return _orders(actions, verdicts)


def _short_not_finite(modes: NDArray[np.int32], controls: NDArray[np.float64]) -> Bools:
    bad = ~np.isfinite(controls)
    for mode, column in YAWS.items():
        rows = modes == mode
        bad[rows, column] = np.isinf(controls[rows, column])
    return _any_in_row(bad)


def _short_actions(
    mode: int, controls: NDArray[np.float64], ids: Ids, armed: Bools
) -> list[Action]:
    """Return what a mode with its four numbers (k, 4) asks for."""
    if mode == ARM:
        on = controls[:, 0] != 0
        return [CommandBits(ids[on], BASE | Command.ARMED), CommandBits(ids[~on], BASE)]
    if mode == SPEED:
        faster = controls[:, 0] > 0  # a loiter radius alone comes with speed 0
        return [SpeedLimit(ids[faster], np.minimum(controls[faster, 0], MOST_SPEED))]
    if mode == TAKE_OFF:
        x, y, z = controls[:, :3].T
        return [Sil(ids, *synthesis.take_off(x, y, z, armed=armed))]
    if mode == TAKE_OFF_GPS:
        return [Sil(ids, *_take_off_gps(controls, armed))]
    words = synthesis.simple(mode, controls)
    assert words is not None  # only negative modes ask for nothing
    return [Sil(ids, *words)]


def _take_off_gps(controls: NDArray[np.float64], armed: Bools) -> synthesis.Words:
    """Return the words of a take-off to latitude, longitude [deg] and height [m, up]."""
    nowhere = np.zeros(len(controls))
    words = synthesis.take_off(nowhere, nowhere, nowhere, armed=armed)
    words.ints[:, synthesis.OFFBOARD] = Offboard.POSITION | Offboard.GLOBAL
    words.floats[:, synthesis.POS] = controls[:, :3]
    return words


def _reboot(records: Records, ids: Ids, armed: Bools) -> Orders:
    return _orders([Reset(ids)], _verdicts(len(ids)))


DECODERS: Mapping[str, Decoder] = {
    "inOffboardShortData": _short,
    "inHILCMDData": _position_target,
    "reboot": _reboot,
    "PX4SILIntFloat": _sil_floats,
    "DllInDoubCtrls": _sil_doubles,
    "TerrainIn15d": _terrain,
    **{f"inCtrlExt{i}": _extension(i, ("inSILInts", "inSILFLoats")) for i in range(1, 6)},
    **{f"inCtrlExtDoub{i}": _extension(i, ("inDoubsCtrls",)) for i in range(1, 6)},
}
"""What is understood; all else that `pyrfly.wire` knows counts as unsupported."""
