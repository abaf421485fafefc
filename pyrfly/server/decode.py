"""From records of the wire to `Orders`, without sockets or a `Sim`: `decode`.

A decoder takes k records of one kind; a vehicle may occur several times.

No non-finite value gets through, but for NaN where it has a meaning: in set-points, where it is a
component that is not controlled, as with PX4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.server import command_packets, input_packets, setting_packets
from pyrfly.server.link_stats import Count
from pyrfly.server.orders import ID_FIELDS, Ids, Orders, orders

__all__ = ["DECODERS", "decode"]

Records = NDArray[Any]
_NOBODY = 2**31 - 1
"""A number that no vehicle has."""

_OF_OTHERS = ("Ue4RayTraceDrone",)
"""Messages whose CopterID is another's than the receiver's."""

Decoder = Callable[[Records, Ids], Orders]
"""From records (k,) and CopterIDs (k,)."""


def decode(name: str, records: Records, ids: Ids, first_id: int = 1) -> Orders:
    """Return what packets request.

    Parameters
    ----------
    name : str
        Kind of message, as `pyrfly.wire` names it.
    records : ndarray, shape (k,)
        Structured array of that kind.
    ids : ndarray of int, shape (k,)
        Numbers, from 1 on, of the vehicles on whose ports the packets arrived.
    first_id : int
        CopterID that packets give to the first of them.
    """
    if name in _OF_OTHERS:
        records = _without_self(records, ids + first_id - 1)
    elif first_id != 1:
        records = _renumbered(records, first_id)
    with np.errstate(invalid="ignore"):  # NumPy warns when it converts a signalling NaN
        return DECODERS.get(name, _unsupported)(records, ids)


def _renumbered(records: Records, first_id: int) -> Records:
    """Return records that name the vehicle of a CopterID by its number.

    What names none (0, -1) stays so, and vehicles before the first are no others' numbers.
    """
    names = ID_FIELDS & set(records.dtype.names or ())
    records = records.copy()
    for name in names:
        named = records[name].astype(np.int64)
        numbers = np.where(named >= first_id, named - first_id + 1, _NOBODY)
        records[name] = np.where(named <= 0, named, numbers)
    return records


def _without_self(records: Records, own: Ids) -> Records:
    """Return records in which 0 is in place of the vehicle's own CopterID.

    RflySim's senders fill in the receiver there, which cannot be what it has hit.
    """
    records = records.copy()
    records["CopterID"][records["CopterID"] == own] = 0
    return records


def _unsupported(records: Records, ids: Ids) -> Orders:
    return orders([], np.full(len(ids), Count.UNSUPPORTED, dtype=np.int8))


def _extensions() -> dict[str, Decoder]:
    decoders: dict[str, Decoder] = {}
    for number in range(1, 6):
        decoders[f"inCtrlExt{number}"] = partial(input_packets.extension_floats, number)
        decoders[f"inCtrlExtDoub{number}"] = partial(input_packets.extension_doubles, number)
    return decoders


DECODERS: Mapping[str, Decoder] = {
    "inOffboardShortData": command_packets.short,
    "inHILCMDData": command_packets.full,
    "reboot": command_packets.reboot,
    "PX4SILIntFloat": input_packets.sil_floats,
    "DllInDoubCtrls": input_packets.sil_doubles,
    "TerrainIn15d": input_packets.terrain,
    "UEToCopterDataD": input_packets.scene_inputs,
    "imuReqCopterSim": input_packets.measurement_request,
    "Ue4RayTraceDrone": input_packets.collision,
    "Ue4Coll20d": input_packets.collision_inputs,
    "PX4UorbRflyCtrl": input_packets.topic,
    "Ue4Req": input_packets.request,
    "PX4ModelInParams": partial(input_packets.model_params, "FaultInParams"),
    "InitInParams": partial(input_packets.model_params, "InitInParams"),
    "PX4DynModiParams": partial(input_packets.model_params, "DynModiParams"),
    "reCopterSimMsg": setting_packets.setting,
    "CptSimCMD": setting_packets.switch,
    "startSignal": setting_packets.start,
    "CustomData": setting_packets.custom,
    "reqVeCrashData": setting_packets.crash,
    **_extensions(),
}
"""What is understood; all else that `pyrfly.wire` knows counts as unsupported."""
