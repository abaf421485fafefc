"""From records of the wire to `Orders`, without sockets or a `Sim`: `decode`.

A decoder takes k records of one kind. A vehicle may occur several times with packets of one stream
(`stream`), of which the last then counts; with others at most once.

No non-finite value gets through, but for NaN where it has a meaning: in the 120-byte set-points,
and for a heading: a component that is not controlled, as with PX4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.short_message import SET_POINTS
from pyrfly.server import command_packets, input_packets
from pyrfly.server.link_stats import Count
from pyrfly.server.orders import Bools, Ids, Orders, orders

__all__ = ["DECODERS", "decode", "stream"]

Records = NDArray[Any]
Decoder = Callable[[Records, Ids, Bools], Orders]
"""From records (k,), CopterIDs (k,) and which of those vehicles are armed (k,)."""


def decode(name: str, records: Records, ids: Ids, armed: Bools) -> Orders:
    """Return what packets request.

    Parameters
    ----------
    name : str
        Kind of message, as `pyrfly.wire` names it.
    records : ndarray, shape (k,)
        Structured array of that kind.
    ids : ndarray of int, shape (k,)
        CopterIDs of the vehicles on whose ports the packets arrived.
    armed : ndarray of bool, shape (k,)
        Which of these vehicles are armed.
    """
    with np.errstate(invalid="ignore"):  # NumPy warns when it converts a signalling NaN
        return DECODERS.get(name, _unsupported)(records, ids, armed)


def stream(name: str, data: bytes) -> tuple[str, bytes] | None:
    """Return the stream that a packet belongs to: its next packet replaces it.

    None for one that requests something once, such as arming.
    """
    if name == "inHILCMDData":
        return name, b""
    mode = data[4:8]
    if name == "inOffboardShortData" and int.from_bytes(mode, "little", signed=True) in SET_POINTS:
        return name, mode
    return None


def _unsupported(records: Records, ids: Ids, armed: Bools) -> Orders:
    return orders([], np.full(len(ids), Count.UNSUPPORTED, dtype=np.int8))


def _extensions() -> dict[str, Decoder]:
    decoders: dict[str, Decoder] = {}
    for number in range(1, 6):
        decoders[f"inCtrlExt{number}"] = partial(input_packets.extension_floats, number)
        decoders[f"inCtrlExtDoub{number}"] = partial(input_packets.extension_doubles, number)
    return decoders


DECODERS: Mapping[str, Decoder] = {
    "inOffboardShortData": command_packets.short,
    "inHILCMDData": command_packets.position_target,
    "reboot": command_packets.reboot,
    "PX4SILIntFloat": input_packets.sil_floats,
    "DllInDoubCtrls": input_packets.sil_doubles,
    "TerrainIn15d": input_packets.terrain,
    **_extensions(),
}
"""What is understood; all else that `pyrfly.wire` knows counts as unsupported."""
