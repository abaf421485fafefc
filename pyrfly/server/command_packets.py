"""Decoders of the 20100 series: set-points, commands and restart."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol import short_message, synthesis
from pyrfly.protocol.masks import FRAMES, PositionIgnore
from pyrfly.protocol.short_message import MODES, Arm, Cruise, TakeOff, TakeOffGlobal
from pyrfly.server.link_stats import Count
from pyrfly.server.orders import (
    Action,
    Bools,
    CommandWord,
    Ids,
    Orders,
    Reset,
    SetInputs,
    SpeedLimit,
    orders,
    verdicts,
)

__all__ = ["position_target", "reboot", "short"]

Records = NDArray[Any]

MAX_SPEED_LIMIT = 100.0
"""A speed limit from the network is cut to this [m/s]."""


def position_target(records: Records, ids: Ids, armed: Bools) -> Orders:
    """Decode inHILCMDData: a set-point as in MAVLink's SET_POSITION_TARGET_LOCAL_NED."""
    mask = records["modes"].astype(np.int64)
    frame = records["flags"].astype(np.int64)
    controls = records["ctrls"].astype(np.float64)
    found = verdicts(
        len(ids),
        bad_id=np.not_equal(records["copterID"], ids),
        not_finite=np.asarray(np.isinf(controls).any(axis=1)),
        unknown=~np.isin(frame, list(FRAMES)),
    )
    good = found == Count.ACCEPTED
    if not good.any():
        return orders([], found)
    pos, vel, acc, rest = np.split(controls[good], (3, 6, 9), axis=1)
    inputs = synthesis.position_target(
        mask[good], frame[good], pos, vel, acc, rest[:, 0], rest[:, 1]
    )
    unknown_bits = mask & ~int(PositionIgnore.ALL) != 0
    return orders([SetInputs(ids[good], *inputs)], found, unknown_bits)


def short(records: Records, ids: Ids, armed: Bools) -> Orders:
    """Decode inOffboardShortData, the message of 24 bytes."""
    modes, controls = records["ctrlMode"], records["ctrls"].astype(np.float64)
    found = verdicts(
        len(ids),
        not_finite=short_message.not_finite(modes, controls),
        unknown=~(np.isin(modes, list(MODES)) | (modes < 0)),
    )
    actions: list[Action] = []
    for mode in np.unique(modes[found == Count.ACCEPTED]).tolist():
        rows = (modes == mode) & (found == Count.ACCEPTED)
        actions += _actions(mode, controls[rows], ids[rows], armed[rows])
    return orders(actions, found)


def _actions(mode: int, controls: NDArray[np.float64], ids: Ids, armed: Bools) -> list[Action]:
    """Return what a mode with its four numbers (k, 4) requests."""
    match short_message.decode(mode, controls):
        case None:
            return []
        case Arm(on):
            return [CommandWord(ids, synthesis.command_word(on))]
        case Cruise(speed):
            faster = speed > 0  # a radius alone comes with speed 0
            return [SpeedLimit(ids[faster], np.minimum(speed[faster], MAX_SPEED_LIMIT))]
        case (TakeOff() | TakeOffGlobal()) as take_off:
            return [SetInputs(ids, *take_off.inputs(armed))]
        case set_point:
            return [SetInputs(ids, *set_point.inputs())]


def reboot(records: Records, ids: Ids, armed: Bools) -> Orders:
    """Decode a restart."""
    return orders([Reset(ids)], verdicts(len(ids)))
