"""Decoders of the 20100 series: set-points, commands and restart."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol import full_message, short_message, synthesis
from pyrfly.protocol.masks import FRAMES, PositionIgnore, position_kinds
from pyrfly.protocol.short_message import MODES, SET_POINTS, Arm
from pyrfly.server.link_stats import Count
from pyrfly.server.orders import (
    Action,
    Bools,
    CircleRadius,
    CommandWord,
    Ids,
    Orders,
    PositionKinds,
    Reset,
    SetPoints,
    SpeedLimit,
    TakeOff,
    orders,
    verdicts,
)

__all__ = ["full", "reboot", "short"]

Records = NDArray[Any]

MIN_SPEED_LIMIT, MAX_SPEED_LIMIT = 0.01, 100.0
"""A speed limit from the network below the first is dropped, above the second cut to it [m/s]."""


def full(records: Records, ids: Ids) -> Orders:
    """Decode inHILCMDData, the message of 120 bytes."""
    mask = records["modes"].astype(np.int64)
    frame = records["flags"].astype(np.int64)
    controls = records["ctrls"].astype(np.float64)
    attitude, rate, _ = full_message.kinds_of(mask, frame, controls)
    used = controls[:, : full_message.USED]
    open_ends = (attitude | rate) & np.isnan(used).any(axis=1)
    found = verdicts(
        len(ids),
        bad_id=np.not_equal(records["copterID"], ids),
        not_finite=np.isinf(controls).any(axis=1) | open_ends,
        unknown=~(np.isin(frame, list(FRAMES)) | attitude | rate),
    )
    good = found == Count.ACCEPTED
    if not good.any():
        return orders([], found)
    kinds = np.where(attitude | rate, 0, position_kinds(mask))
    unknown_bits = (mask & ~int(PositionIgnore.ALL) != 0) & (kinds == 0)
    ints, floats = full_message.inputs_of(mask, frame, controls)
    plain, special = good & (kinds == 0), good & (kinds != 0)
    requested: list[tuple[Action, Bools]] = [
        (SetPoints(ids[plain], ints[plain], floats[plain]), plain),
        (PositionKinds(ids[special], kinds[special], ints[special], floats[special]), special),
    ]
    return orders(requested, found, unknown_bits)


def short(records: Records, ids: Ids) -> Orders:
    """Decode inOffboardShortData, the message of 24 bytes."""
    modes, controls = records["ctrlMode"], records["ctrls"].astype(np.float64)
    speed = np.where(modes == short_message.ShortMode.CRUISE, controls[:, 0], 0)
    found = verdicts(
        len(ids),
        not_finite=short_message.not_finite(modes, controls)
        | ((speed > 0) & (speed < MIN_SPEED_LIMIT)),
        unknown=~(np.isin(modes, list(MODES)) | (modes < 0)),
    )
    good = found == Count.ACCEPTED
    requested: list[tuple[Action, Bools]] = []
    for mode in np.unique(modes[good & (modes >= 0)]).tolist():
        rows = (modes == mode) & good
        if mode == short_message.ShortMode.CRUISE:
            requested.extend(_cruise(controls, ids, rows))
        else:
            requested.append((_action(mode, controls[rows], ids[rows]), rows))
    return orders(requested, found)


def _cruise(controls: NDArray[np.float64], ids: Ids, rows: Bools) -> list[tuple[Action, Bools]]:
    """Return what messages of a cruise speed and a radius request; one that is 0 is not given."""
    speed, radius = controls[:, 0], controls[:, 1]
    fast, round_ = rows & (speed > 0), rows & (radius > 0)
    return [
        (SpeedLimit(ids[fast], np.minimum(speed[fast], MAX_SPEED_LIMIT)), fast),
        (CircleRadius(ids[round_], radius[round_]), round_),
    ]


def _action(mode: int, controls: NDArray[np.float64], ids: Ids) -> Action:
    """Return what a mode with its four numbers (k, 4) requests."""
    match short_message.decode(mode, controls):
        case Arm(on):
            return CommandWord(ids, synthesis.command_word(on))
        case (short_message.TakeOff() | short_message.TakeOffGlobal()) as take_off:
            return TakeOff(ids, *take_off.inputs(np.zeros(len(ids), np.bool_)))
        case set_point:
            assert mode in SET_POINTS
            return SetPoints(ids, *set_point.inputs())  # type: ignore[union-attr]


def reboot(records: Records, ids: Ids) -> Orders:
    """Decode a restart."""
    return orders([(Reset(ids), np.ones(len(ids), np.bool_))], verdicts(len(ids)))
