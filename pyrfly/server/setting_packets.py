"""Decoders of settings, and of what programs exchange: ports 20002, 20006, 20007 and 50000."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.terrain import HIGHEST
from pyrfly.server.link_stats import Count
from pyrfly.server.orders import (
    Action,
    Bools,
    Crash,
    CustomNumbers,
    HeartbeatRequest,
    Ids,
    MapChange,
    ModeRequest,
    Orders,
    Origin,
    Place,
    StartSignal,
    for_others,
    orders,
    verdicts,
)
from pyrfly.server.scripts.values import FARTHEST

__all__ = ["crash", "custom", "setting", "start", "switch"]

Records = NDArray[Any]

_STAYS, _LOCAL, _ORIGIN, _GLOBAL, _GPS_MODE, _XY_MODE = range(6)  # values of isXyYaw
_MAP = 2  # value of dllOrMap
_GROUND, _OBJECT, _NOTHING = -2, -1, 0  # values of CrashType

_HIGHEST_ORIGIN = 1e4
"""Largest height of an origin [m], as that of the command line."""

_MAP_NAME = re.compile(r"\w[\w .-]*")
"""A name of a map, which is no path."""


def setting(records: Records, ids: Ids) -> Orders:
    """Decode reCopterSimMsg: the start of a vehicle, the origin of the map, the mode of the link.

    A start that is tilted is not supported.
    """
    xy, what = records["xy"].astype(np.float64), records["isXyYaw"]
    z, roll, pitch, last = records["zRollPitchYaw"].astype(np.float64).T
    has_height, is_local, is_global = records["isZRP"] > 0, what == _LOCAL, what == _GLOBAL
    is_origin = what == _ORIGIN
    local = ~is_local | _within(xy, FARTHEST) & (np.abs(last) <= 360)
    on_globe = ~(is_global | is_origin) | _within(xy, [90, 180])
    fits = local & on_globe & (~is_global | (np.abs(last) <= 360))
    fits &= ~is_origin | (np.abs(last) <= _HIGHEST_ORIGIN)
    fits &= ~has_height | (np.abs(z) <= HIGHEST)
    found = verdicts(
        len(ids),
        unknown=(what < _STAYS) | (what > _XY_MODE),
        not_finite=~fits,
        bad_id=np.not_equal(records["CopterID"], ids),
    )
    tilted = has_height & ~((roll == 0) & (pitch == 0))
    found[(found == Count.ACCEPTED) & tilted] = Count.UNSUPPORTED
    good = found == Count.ACCEPTED
    placed = good & (is_local | is_global | has_height)
    pos = np.full((len(ids), 3), np.nan)
    pos[is_local | is_global, :2] = xy[is_local | is_global]
    pos[has_height, 2] = z[has_height]
    yaw = np.where(is_local | is_global, np.deg2rad(last), np.nan)
    lla = np.column_stack([xy, last])
    modes, beats = records["UDP_mode"].astype(np.intp), good & (records["isReqIP"] > 0)
    moved, switched = good & is_origin, good & (modes >= 0)
    requested: list[tuple[Action, Bools]] = [
        (Origin(ids[moved], lla[moved]), moved),
        (Place(ids[placed], pos[placed], yaw[placed], is_global[placed]), placed),
        (ModeRequest(ids[switched], modes[switched]), switched),
        (HeartbeatRequest(ids[beats]), beats),
    ]
    return orders(requested, found)


def _within(values: NDArray[np.float64], limits: Any) -> Bools:
    """Return which rows of values have magnitudes within limits; NaN is not."""
    return np.asarray((np.abs(values) <= limits).all(axis=1))


def switch(records: Records, ids: Ids) -> Orders:
    """Decode CptSimCMD: another map, by its name; neither model nor map by a number.

    CopterID -1 is all vehicles, 0 none.
    """
    names = records["name"]
    is_map = (records["dllOrMap"] == _MAP) & (records["index"] < 0)
    named = np.array([_is_name(name) for name in names.tolist()], np.bool_)
    bad_id = for_others(records["CopterID"], ids) | (records["CopterID"] == 0)
    found = verdicts(len(ids), bad_id=bad_id)
    found[(found == Count.ACCEPTED) & ~(is_map & named)] = Count.UNSUPPORTED
    good = found == Count.ACCEPTED
    return orders([(MapChange(ids[good], names[good]), good)], found)


def _is_name(name: bytes) -> bool:
    try:
        return _MAP_NAME.fullmatch(name.decode()) is not None
    except UnicodeDecodeError:
        return False


def start(records: Records, ids: Ids) -> Orders:
    """Decode startSignal: the vehicles to start; -1 is all."""
    everybody = records["copterID"] < 0
    bad_id = ~everybody & np.not_equal(records["copterID"], ids)
    found = verdicts(len(ids), unknown=records["isStart"] == 0, bad_id=np.asarray(bad_id))
    good = found == Count.ACCEPTED
    return orders([(StartSignal(ids[good], everybody[good]), good)], found)


def custom(records: Records, ids: Ids) -> Orders:
    """Decode CustomData: 16 numbers of the user."""
    values = records["data"].astype(np.float64)
    found = verdicts(
        len(ids),
        not_finite=np.asarray(~np.isfinite(values).all(axis=1)),
        bad_id=for_others(records["CopterID"], ids),
    )
    good = found == Count.ACCEPTED
    return orders([(CustomNumbers(ids[good], values[good]), good)], found)


def crash(records: Records, ids: Ids) -> Orders:
    """Decode reqVeCrashData: what a vehicle has hit in RflySim3D; the ground is no crash."""
    kinds = records["CrashType"].astype(np.intp)
    found = verdicts(
        len(ids), unknown=kinds < _GROUND, bad_id=np.not_equal(records["copterID"], ids)
    )
    good = found == Count.ACCEPTED
    hit = np.where(kinds > _NOTHING, kinds, np.where(kinds == _OBJECT, 0, -1))
    return orders([(Crash(ids[good], hit[good]), good)], found)
