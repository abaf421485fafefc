"""Packets to send: `pack` of vehicle states, `blank` to be filled in, `notice` of an event."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.errors import brief, require_kind
from pyrfly.mavlink import MESSAGES
from pyrfly.sim import Ids, Sim
from pyrfly.wire.layouts import NOTICES, layout_of

__all__ = ["blank", "notice", "pack"]


def blank(name: str, n: int = 1) -> NDArray[np.void]:
    """Return packets with checksum or header, all other fields zero.

    Parameters
    ----------
    name : str
        A key of `LAYOUTS`.
    n : int
        Number of packets.

    Returns
    -------
    ndarray, shape (n,), of ``dtype(name)``
        ``.tobytes()`` of a row is a packet.

    Examples
    --------
    >>> packet = blank("inOffboardShortData")
    >>> packet["ctrlMode"], packet["ctrls"] = 2, (0, 0, -10, 0)
    >>> packet[0].tobytes().hex()
    'd2029649020000000000000000000000000020c100000000'
    """
    layout = layout_of(name)
    packets = np.zeros(n, layout.dtype)
    if layout.checksum is not None:
        packets["checksum"] = layout.checksum
    if layout.header is not None:
        packets["tg"], packets["len"] = layout.header
    return packets


def pack(
    sim: Sim,
    name: str,
    ids: Ids = None,
    first_id: int = 1,
    updated: NDArray[np.uint32] | None = None,
) -> NDArray[np.void]:
    """Return packets with the states of vehicles.

    Parameters
    ----------
    sim : pyrfly.Sim
        The simulation.
    name : {'outHILStateData', 'outHILStateShort', 'SOut2Simulator', 'outCopterStruct', \
'VehileInfo60d', 'MavHILSensor', 'HILSensor30d', 'MavHILGPS', 'HILGPS30d', 'imuDataCopter', \
'ExtToUE4', 'ExtToPX4', 'HIL_SENSOR', 'HIL_GPS'}
        The structure; the last two are payloads of MAVLink.
    ids : int or sequence of int, optional
        The k CopterIDs, in any order; all vehicles by default.
    first_id : int
        CopterID that the packets give to vehicle 1 of the simulation; the others follow.
    updated : ndarray of uint32, shape (k,), optional
        Bits of `Sensor` that ``fields_updated`` says are new; by default those that the last update
        of the sensors has measured. Bit 31, which says that the state was reset, is passed on.

    Returns
    -------
    ndarray, shape (k,), of ``dtype(name)``
        ``.tobytes()`` of a row is a packet. ``outHILState...`` are relative to the column ``home``
        (without it to the origin of the map) and report a 3D fix of 10 satellites and no
        collision; ``hdg`` is in 1e-3 deg. ``PosGPS`` is latitude [deg], longitude [deg], height
        [m]. ``AccB`` is the acceleration relative to the ground [m/s^2, FRD]. ``outCopterData`` is
        the column ``free_outputs``; without the part of that name it has up to 16 actuator
        commands, then the collective thrust [N], ``armed`` and ``status``. ``fields_updated`` says
        what was new at the last update of the sensors, at ``time_usec``; see `SensorReader` for
        what is new to one reader. ``imuDataCopter`` has true values where no IMU is on.

    Raises
    ------
    ValueError, TypeError
        The structure is not one of these, or an ID is not that of a vehicle.
    RuntimeError
        Another thread is stepping the `Sim`.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("sdk", 3)
    >>> packets = pack(sim, "SOut2Simulator")
    >>> [int(i) for i in packets["copterID"]], len(packets[0].tobytes())
    ([1, 2, 3], 168)
    """
    require_kind("sim", sim, Sim)
    is_message = isinstance(name, str) and name in MESSAGES
    dtype = MESSAGES[name].dtype if is_message else layout_of(name).dtype
    origin = sim.origin
    chosen = sim.select(ids)
    packets = np.empty(len(chosen), dtype)
    for group, rows, target in chosen:
        named = group.first_id + first_id - 1
        whole = packets[target] if ids is None else np.empty(group.n, dtype)
        words = None
        if updated is not None:
            words = np.zeros(group.n, np.uint32)
            words[rows] = updated[target]
        _core.wire_pack(group.batch, name, named, group.uav_type, origin, whole, words)
        if ids is not None:
            packets[target] = whole[rows]
    return packets


def notice(kind: str, ids: ArrayLike) -> NDArray[np.void]:
    """Return notices of the simple UDP mode, with the layout of ``outHILStateShort``.

    Parameters
    ----------
    kind : {'ekf_fixed', 'crash'}
        The estimator is ready, or the vehicle has collided.
    ids : array_like of int, shape (k,) or ()
        One per packet. For a crash: CopterID of the other vehicle, or 0; else without effect.

    Returns
    -------
    ndarray, shape (k,), of ``dtype("outHILStateShort")``
        The notices; zero but for the checksum and, of a crash, ``gpsHome[1]``.
    """
    if not isinstance(kind, str) or kind not in NOTICES:
        raise ValueError(f"kind: expected one of {', '.join(NOTICES)}, got {brief(kind)}")
    hit = np.atleast_1d(np.asarray(ids, dtype=np.int32))
    packets = blank("outHILStateShort", len(hit))
    packets["checksum"] = NOTICES[kind]
    if kind == "crash":
        packets["gpsHome"][:, 1] = hit
    return packets
