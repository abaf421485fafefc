"""RflySim's packets: layouts as NumPy structured dtypes, packing in C, parsing of what arrives.

Every structure that RflySim's programs exchange over UDP, except those of its 3D view, is a row of
`LAYOUTS`. All are little-endian and without gaps. Names of structures and fields are RflySim's.

`pack` fills a structure about every vehicle of a `pyrfly.Sim` at once; `.tobytes()` of a row is the
packet. `parse` turns a received packet into a record, or raises `Rejected`; `blank` starts a packet
that is to be sent. What a port is for:

=============  ==============  ===============================================================
port kind      port            packets
=============  ==============  ===============================================================
``command``    20100 + 2(n-1)  to the simulator: set-points for vehicle n
``state``      20101 + 2(n-1)  from it: estimated state
``sil``        30100 + 2(n-1)  to it: synthesis commands, faults, parameters, collisions
``truth``      30101 + 2(n-1)  from it: true state
``px4ext``     40101 + 2(n-1)  from it: extra topic of PX4
``config``     20002           to it: settings
``heartbeat``  20005           from it: who runs where
``start``      20007           from it: start of a simulation
``imu``        31000 + (n-1)   from it: IMU
``custom``     50000           free
``cluster``    (any)           between the computers of a cluster
``model``      none            vector of doubles inside a program
=============  ==============  ===============================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core

if TYPE_CHECKING:
    from pyrfly.sim import Ids, Sim

__all__ = ["LAYOUTS", "Layout", "Parsed", "Rejected", "blank", "dtype", "notice", "pack", "parse"]

_CUSTOM_TYPE = 12  # RflySim's uavType of rotors that no layout describes
_HEAD = "i4 checksum CopterID; "
_SIL = _HEAD + "i4 inSILInts[8]; f4 inSILFLoats[20]"
_TRUTH = (
    "i4 checksum copterID vehicleType reserve; f4 VelE[3] AngEuler[3] AngQuatern[4] MotorRPMS[8] "
    "AccB[3] RateB[3]; f8 runnedTime PosE[3] PosGPS[3]"
)


@dataclass(frozen=True)
class Layout:
    """A structure on the wire.

    Attributes
    ----------
    name : str
        RflySim's name.
    dtype : numpy.dtype
        Its fields; ``itemsize`` is the length of the packet [bytes].
    checksum : int or None
        What its first field holds; None when it has a header ``tg``, ``len`` instead, or neither.
    port_kind : str
        Where it is sent to, see the head of this module.
    more_checksums : tuple of int
        Others that its first field may hold.
    header : tuple of (int, int) or None
        ``tg`` and ``len`` of a packet without news of a collision.
    """

    name: str
    dtype: np.dtype[np.void]
    checksum: int | None
    port_kind: str
    more_checksums: tuple[int, ...] = ()
    header: tuple[int, int] | None = None


class Parsed(NamedTuple):
    """What `parse` found.

    Attributes
    ----------
    name : str
        Name of the structure, a key of `LAYOUTS`.
    record : numpy.void
        Its fields by name, such as ``record["ctrls"]``. Read-only; keeps nothing of the buffer
        that came.
    """

    name: str
    record: np.void


class Rejected(ValueError):
    """A packet is none of the structures that its port takes.

    Attributes
    ----------
    reason : str
        ``"length"`` when no structure is so long, else ``"checksum"``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


# --- the table ------------------------------------------------------------------------------------


def _field(kind: str, text: str) -> tuple[str, str, tuple[int, ...]]:
    """Return the name, type and shape of ``name`` or ``name[count]``."""
    name, _, count = text.rstrip("]").partition("[")
    return name, kind if kind[0] == "S" else "<" + kind, (int(count),) if count else ()


def _fields(text: str) -> np.dtype[np.void]:
    """Return the dtype of declarations such as ``"i4 checksum ID; f4 pos[3] vel[3]"``."""
    fields = []
    for declaration in text.split("; "):
        kind, *names = declaration.split()
        fields += [_field(kind, name) for name in names]
    return np.dtype(fields)


def _layout(
    port_kind: str,
    name: str,
    size: int,
    checksum: int | None,
    fields: str,
    more: tuple[int, ...] = (),
    header: tuple[int, int] | None = None,
) -> Layout:
    layout = Layout(name, _fields(fields), checksum, port_kind, more, header)
    assert layout.dtype.itemsize == size, f"{name}: {layout.dtype.itemsize} bytes"
    return layout


def _extra_inputs() -> list[Layout]:
    """Return the five further inputs of a model; checksums of +100 are stored, not yet applied."""
    doubles = _HEAD + "f8 inDoubsCtrls[28]"
    found = []
    for n in range(1, 6):
        now, later = 1234567800 + n, (1234567900 + n,)
        found.append(_layout("sil", f"inCtrlExt{n}", 120, now, _SIL, later))
        found.append(_layout("sil", f"inCtrlExtDoub{n}", 232, now, doubles, later))
    return found


def _to_simulator() -> list[Layout]:
    return [
        _layout(
            "command", "inOffboardShortData", 24, 1234567890, "i4 checksum ctrlMode; f4 ctrls[4]"
        ),
        _layout(
            "command",
            "inHILCMDData",
            120,
            None,
            "i4 tg len; u4 time_boot_ms copterID modes flags; f4 ctrls[16]; u1 reserve[32]",
            header=(3, 80),
        ),
        _layout("command", "reboot", 8, 987654321, "i4 checksum delay"),
        _layout("sil", "PX4SILIntFloat", 120, 1234567897, _SIL),
        _layout("sil", "DllInDoubCtrls", 232, 1234567897, _HEAD + "f8 inDoubsCtrls[28]"),
        *_extra_inputs(),
        _layout(
            "sil", "PX4ModelInParams", 264, 1234567891, "i4 checksum; u4 Bitmask; f8 InParams[32]"
        ),
        _layout("sil", "InitInParams", 264, 1234567892, "i4 checksum; u4 Bitmask; f8 InParams[32]"),
        _layout("sil", "PX4DynModiParams", 528, 1234567893, _HEAD + "u8 Bitmask; f8 InParams[64]"),
        _layout("sil", "UEToCopterDataD", 264, 1234567899, _HEAD + "f8 inFromUE[32]"),
        _layout(
            "sil", "Ue4RayTraceDrone", 60, 1234567890, _HEAD + "f4 size VelE[3] ray[6] PosE[3]"
        ),
        _layout("sil", "Ue4Coll20d", 88, 1234567880, _HEAD + "f4 inCollision20d[20]"),
        _layout("sil", "TerrainIn15d", 88, 1234567881, _HEAD + "f4 TerrainIn15d[15] reserve[5]"),
        _layout(
            "sil",
            "imuReqCopterSim",
            36,
            12345,
            "u2 checksum type freq port; u1 IP[4]; f4 params[6]",
        ),
        _layout("sil", "PX4UorbRflyCtrl", 80, 1234567896, _HEAD + "u4 modes flags; f4 data[16]"),
        _layout("sil", "Ue4Req", 8, 123450, "i4 checksum request"),
    ]


def _from_simulator() -> list[Layout]:
    return [
        _layout(
            "state",
            "outHILStateData",
            120,
            None,
            "i4 tg len; u4 time_boot_ms copterID; i4 GpsPos[3] GpsVel[3] gpsHome[3] relative_alt "
            "hdg satellites_visible fix_type reserve; f4 AngEular[3] localPos[3] localVel[3] "
            "pos_horiz_accuracy pos_vert_accuracy ekf_3d_fixed",
            header=(-1, 112),
        ),
        _layout(
            "state",
            "outHILStateShort",
            52,
            1234567890,
            "i4 checksum gpsHome[3]; f4 AngEular[3] localPos[3] localVel[3]",
            more=tuple(_NOTICES.values()),
        ),
        _layout("truth", "SOut2Simulator", 168, 123456789, _TRUTH),
        _layout(
            "truth",
            "SOut2SimulatorSimpleTime",
            112,
            1234567891,
            "i4 checksum copterID vehicleType PosGpsInt[3]; f4 MotorRPMS[8] VelE[3] AngEuler[3]; "
            "f8 PosE[3] runnedTime",
        ),
        _layout(
            "truth",
            "netDataShort",
            200,
            None,
            "i4 tg len copterID vehicleType; f8 runnedTime; f4 VelE[3] PosE[3] AngEuler[3] "
            "AngQuatern[4] MotorRPMS[8] AccB[3] RateB[3] gap; f8 PosGPS[3]; u1 reserve[40]",
            header=(-1, 152),
        ),
        _layout("truth", "outCopterStruct", 264, 1234567890, _HEAD + "f8 outCopterData[32]"),
        _layout("truth", "Ue4CMDGPS", 32, 1234567890, _HEAD + "f8 GPS[3]"),
        _layout("truth", "CopterSimCrash", 12, 1234567890, _HEAD + "i4 TargetID"),
        _layout("px4ext", "PX4ExtMsg", 48, 1234567898, _HEAD + "f8 runnedTime; f4 controls[8]"),
        _layout(
            "imu", "imuDataCopter", 40, 1234567898, "i4 checksum seq; f8 time; f4 acc[3] gyro[3]"
        ),
        _layout(
            "model",
            "VehileInfo60d",
            480,
            None,
            "f8 copterID vehicleType runnedTime VelE[3] PosE[3] AngEuler[3] AngQuatern[4] "
            "MotorRPMS[8] AccB[3] RateB[3] PosGPS[3] reserve[27]",
        ),
    ]


def _between_programs() -> list[Layout]:
    return [
        _layout(
            "heartbeat",
            "RflyTimeStmp",
            32,
            123456789,
            "i4 checksum copterID; i8 SysStartTime SysCurrentTime HeartCount",
        ),
        _layout("start", "startSignal", 12, 1234567890, "i4 checksum isStart copterID"),
        _layout(
            "config",
            "reCopterSimMsg",
            48,
            1234567,
            "i4 checksum CopterID; i1 isReqIP isXyYaw isZRP UDP_mode; u1 reserve[4]; "
            "f4 zRollPitchYaw[4]; f8 xy[2]",
        ),
        _layout(
            "config", "CptSimCMD", 64, 1234567895, "i4 checksum CopterID dllOrMap index; S48 name"
        ),
        _layout("custom", "CustomData", 136, 123456, _HEAD + "f8 data[16]"),
        _layout(
            "cluster",
            "distSimNode",
            72,
            12345678,
            "i4 checksum NodeID; u2 ClassID SeqID; u1 WinOrLinux CmdExeState reserve[6]; "
            "i4 StartUavIdx; u8 UavListMask timeStmp; S32 hostname",
        ),
    ]


_NOTICES = {"ekf_fixed": 1234567891, "crash": 1234567892}

LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        layout.name: layout
        for rows in (_to_simulator(), _from_simulator(), _between_programs())
        for layout in rows
    }
)
"""All structures by name."""


def _layout_of(name: str) -> Layout:
    try:
        return LAYOUTS[name]
    except KeyError:
        raise ValueError(f"name: expected one of {', '.join(LAYOUTS)}, got {name!r}") from None


def dtype(name: str) -> np.dtype[np.void]:
    """Return the structured dtype of a structure.

    Parameters
    ----------
    name : str
        A key of `LAYOUTS`.

    Raises
    ------
    ValueError
        There is no such structure.

    Examples
    --------
    >>> dtype("SOut2Simulator").itemsize
    168
    """
    return _layout_of(name).dtype


# --- packing --------------------------------------------------------------------------------------


def blank(name: str, n: int = 1) -> NDArray[np.void]:
    """Return packets that are zero but for checksum or header, to be filled in and sent.

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
    layout = _layout_of(name)
    packets = np.zeros(n, layout.dtype)
    if layout.checksum is not None:
        packets["checksum"] = layout.checksum
    if layout.header is not None:
        packets["tg"], packets["len"] = layout.header
    return packets


def pack(sim: Sim, name: str, ids: Ids = None) -> NDArray[np.void]:
    """Return packets about vehicles.

    Parameters
    ----------
    sim : pyrfly.Sim
        The world.
    name : {'outHILStateData', 'outHILStateShort', 'SOut2Simulator', 'outCopterStruct', \
'VehileInfo60d'}
        The structure.
    ids : int or sequence of int, optional
        The k CopterIDs, in any order; all vehicles by default.

    Returns
    -------
    ndarray, shape (k,), of ``dtype(name)``
        ``.tobytes()`` of a row is a packet. ``outHILState...`` are relative to the column ``home``
        (the centre of the map without one) and claim a 3D fix of 10 satellites and no collision;
        ``hdg`` is in 1e-3 deg. ``PosGPS`` is latitude [deg], longitude [deg], height [m].
        ``AccB`` is the acceleration over ground [m/s^2, FRD]. ``outCopterData`` has the throttles
        of up to 16 rotors, then the collective thrust [N], ``armed`` and ``status``.

    Raises
    ------
    ValueError, TypeError
        The structure is not about vehicles, or an ID is none of a vehicle.
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
    layout = _layout_of(name)
    origin = sim.origin
    packets = np.empty(sim._count(ids), layout.dtype)
    for group, rows, target in sim._rows(ids):
        uav_type = group.parameters.uav_type or _CUSTOM_TYPE
        whole = packets[target] if ids is None else np.empty(group.n, layout.dtype)
        _core.wire_pack(group.batch, name, group.first_id, uav_type, origin, whole)
        if ids is not None:
            packets[target] = whole[rows]
    return packets


def notice(kind: str, ids: ArrayLike) -> NDArray[np.void]:
    """Return notices of the simple UDP mode, which have the form of ``outHILStateShort``.

    Parameters
    ----------
    kind : {'ekf_fixed', 'crash'}
        The estimator is ready, or the vehicle ran into something.
    ids : array_like of int, shape (k,) or ()
        One per packet. For a crash: what the vehicle ran into, a CopterID or 0; else without
        effect.

    Returns
    -------
    ndarray, shape (k,), of ``dtype("outHILStateShort")``
        The notices; zero but for the checksum and, of a crash, ``gpsHome[1]``.
    """
    if kind not in _NOTICES:
        raise ValueError(f"kind: expected one of {', '.join(_NOTICES)}, got {kind!r}")
    hit = np.atleast_1d(np.asarray(ids, dtype=np.int32))
    packets = blank("outHILStateShort", len(hit))
    packets["checksum"] = _NOTICES[kind]
    if kind == "crash":
        packets["gpsHome"][:, 1] = hit
    return packets


# --- parsing --------------------------------------------------------------------------------------


def _signatures(layout: Layout) -> tuple[slice, list[bytes]]:
    """Return which bytes of a packet tell the structure, and what they may be."""
    if layout.header is not None:
        tg, length = (value.to_bytes(4, "little", signed=True) for value in layout.header)
        # tg is a collision's in what comes from a simulator
        return (slice(8), [tg + length]) if layout.header[0] >= 0 else (slice(4, 8), [length])
    assert layout.checksum is not None
    width = layout.dtype["checksum"].itemsize
    sums = (layout.checksum, *layout.more_checksums)
    return slice(width), [value.to_bytes(width, "little") for value in sums]


def _by_port() -> dict[str, dict[int, tuple[slice, dict[bytes, Layout]]]]:
    """Return, for every kind of port and length, where to look and what is found there."""
    found: dict[str, dict[int, tuple[slice, dict[bytes, Layout]]]] = {}
    for layout in LAYOUTS.values():
        if layout.port_kind == "model":
            continue
        where, values = _signatures(layout)
        lengths = found.setdefault(layout.port_kind, {})
        place, known = lengths.setdefault(layout.dtype.itemsize, (where, {}))
        assert place == where
        assert known.keys().isdisjoint(values)
        known.update(dict.fromkeys(values, layout))
    return found


_BY_PORT = _by_port()


def parse(port: str, data: bytes | bytearray | memoryview) -> Parsed:
    """Return the structure that a packet holds, told by port, length and checksum.

    Parameters
    ----------
    port : str
        Kind of the port it came to, such as ``"command"`` or ``"sil"``; see the head of this
        module.
    data : bytes-like
        The packet.

    Returns
    -------
    Parsed
        Name and record. Its numbers are as they came: not checked to be finite or in range.

    Raises
    ------
    Rejected
        The packet is none of the structures of this port.
    ValueError
        There is no such kind of port.

    Examples
    --------
    >>> import struct
    >>> name, record = parse("command", struct.pack("<2i4f", 1234567890, 2, 1, 2, -3, 0))
    >>> name, int(record["ctrlMode"]), record["ctrls"].tolist()
    ('inOffboardShortData', 2, [1.0, 2.0, -3.0, 0.0])
    """
    lengths = _BY_PORT.get(port)
    if lengths is None:
        raise ValueError(f"port: expected one of {', '.join(_BY_PORT)}, got {port!r}")
    packet = bytes(data)
    found = lengths.get(len(packet))
    if found is None:
        raise Rejected("length")
    where, known = found
    layout = known.get(packet[where])
    if layout is None:
        raise Rejected("checksum")
    return Parsed(layout.name, np.frombuffer(packet, layout.dtype)[0])
