"""Layouts of RflySim's packets as NumPy structured dtypes: `LAYOUTS`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

__all__ = ["LAYOUTS", "NOTICES", "Layout", "dtype", "layout_of"]

_HEAD = "i4 checksum CopterID; "
_SIL = _HEAD + "i4 inSILInts[8]; f4 inSILFLoats[20]"
_TRUTH = (
    "i4 checksum copterID vehicleType reserve; f4 VelE[3] AngEuler[3] AngQuatern[4] MotorRPMS[8] "
    "AccB[3] RateB[3]; f8 runnedTime PosE[3] PosGPS[3]"
)


@dataclass(frozen=True)
class Layout:
    """Layout of a packet.

    Attributes
    ----------
    name : str
        RflySim's name.
    dtype : numpy.dtype
        Its fields; ``itemsize`` is the length of the packet [bytes].
    checksum : int or None
        Value of its first field; None for a packet with a header ``tg``, ``len``, or with neither.
    port_kind : str
        Kind of its destination port, see `pyrfly.wire`.
    more_checksums : tuple of int
        Further valid values of its first field.
    header : tuple of (int, int) or None
        ``tg`` and ``len`` of a packet without a collision.
    more_ports : tuple of str
        Further kinds of port that it may be sent to.
    """

    name: str
    dtype: np.dtype[np.void]
    checksum: int | None
    port_kind: str
    more_checksums: tuple[int, ...] = ()
    header: tuple[int, int] | None = None
    more_ports: tuple[str, ...] = ()


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
    more_ports: tuple[str, ...] = (),
) -> Layout:
    layout = Layout(name, _fields(fields), checksum, port_kind, more, header, more_ports)
    assert layout.dtype.itemsize == size, f"{name}: {layout.dtype.itemsize} bytes"
    return layout


def _extra_inputs() -> list[Layout]:
    """Return the five additional inputs of a model; checksums of +100: stored, not yet applied."""
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
        _layout("sil", "PX4SILIntFloat", 120, 1234567897, _SIL, more_ports=("scene",)),
        _layout("sil", "DllInDoubCtrls", 232, 1234567897, _HEAD + "f8 inDoubsCtrls[28]"),
        *_extra_inputs(),
        _layout(
            "sil", "PX4ModelInParams", 264, 1234567891, "i4 checksum; u4 Bitmask; f8 InParams[32]"
        ),
        _layout("sil", "InitInParams", 264, 1234567892, "i4 checksum; u4 Bitmask; f8 InParams[32]"),
        _layout("sil", "PX4DynModiParams", 528, 1234567893, _HEAD + "u8 Bitmask; f8 InParams[64]"),
        _layout("sil", "UEToCopterDataD", 264, 1234567899, _HEAD + "f8 inFromUE[32]"),
        _layout(
            "sil",
            "Ue4RayTraceDrone",
            60,
            1234567890,
            _HEAD + "f4 size VelE[3] ray[6] PosE[3]",
            more_ports=("scene",),
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
        _layout(
            "sil",
            "PX4UorbRflyCtrl",
            80,
            1234567896,
            _HEAD + "u4 modes flags; f4 data[16]",
            more_ports=("topic",),
        ),
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
            more=tuple(NOTICES.values()),
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
        *_to_autopilot(),
    ]


def _to_autopilot() -> list[Layout]:
    """Return the outputs of a model for an autopilot and the 3D view."""
    floats = (
        "xacc yacc zacc xgyro ygyro zgyro xmag ymag zmag abs_pressure diff_pressure pressure_alt "
        "temperature"
    )
    gps = "lat lon alt eph epv vel vn ve vd cog fix_type satellites_visible"
    return [
        _layout(
            "model",
            "MavHILSensor",
            64,
            None,
            f"u8 time_usec; f4 {floats}; u4 fields_updated",
        ),
        _layout(
            "model",
            "HILSensor30d",
            240,
            None,
            f"f8 time_usec {floats} fields_updated airspeed distance distance_valid reserve[12]",
        ),
        _layout(
            "model",
            "MavHILGPS",
            36,
            None,
            "u8 time_usec; i4 lat lon alt; u2 eph epv vel; i2 vn ve vd; u2 cog; "
            "u1 fix_type satellites_visible",
        ),
        _layout("model", "HILGPS30d", 240, None, f"f8 time_usec {gps} reports reserve[16]"),
        _layout("model", "ExtToUE4", 128, None, "f8 ExtToUE4[16]"),
        _layout("model", "ExtToPX4", 64, None, "f4 ExtToPX4[16]"),
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
            more_ports=("sil",),
        ),
        _layout(
            "config",
            "CptSimCMD",
            64,
            1234567895,
            "i4 checksum CopterID dllOrMap index; S48 name",
            more_ports=("sil",),
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


def _of_display() -> list[Layout]:
    """Return what a simulator sends to RflySim3D beside the true state, and what comes back."""
    pose, box, end = "f4 PosUE[3] angEuler[3]", "boxOrigin[3] BoxExtent[3]", "; f8 timestmp"
    vehicle, thing = "i4 checksum CopterID; ", "i4 checksum seqID; "
    camera = "i4 checksum SeqID TypeID DataHeight DataWidth; f4 CameraFOV; " + pose
    return [
        _layout("display", "Ue4ExtMsg", 144, 1234567894, _HEAD + "f8 runnedTime ActExt[16]"),
        _layout(
            "scene",
            "reqVeCrashData",
            160,
            1234567897,
            "i4 checksum copterID vehicleType CrashType; f8 runnedTime; f4 VelE[3] PosE[3] "
            "CrashPos[3] targetPos[3] AngEuler[3] MotorRPMS[8] ray[6]; S20 CrashedName",
        ),
        _reply("CoptReqData", 80, f"{vehicle}{pose} angQuat[4] {box}{end}"),
        _reply("CoptReqDataOld", 64, f"{vehicle}{pose} {box}{end}"),
        _reply("ObjReqData", 112, f"{thing}{pose} angQuat[4] {box}{end}; S32 ObjName"),
        _reply("ObjReqDataOld", 96, f"{thing}{pose} {box}{end}; S32 ObjName"),
        _reply("CameraData", 72, f"{camera} angQuat[4]{end}"),
        _reply("CameraDataOld", 56, f"{camera}{end}"),
    ]


def _reply(name: str, size: int, fields: str) -> Layout:
    """Return a reply of RflySim3D to a request; those of older versions have no quaternion."""
    return _layout("scene", name, size, 1234567891, fields)


NOTICES = {"ekf_fixed": 1234567891, "crash": 1234567892}

LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        layout.name: layout
        for rows in (_to_simulator(), _from_simulator(), _of_display(), _between_programs())
        for layout in rows
    }
)
"""All layouts by name."""


def layout_of(name: str) -> Layout:
    """Return a layout by name; the ValueError for an unknown name lists all names."""
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
    return layout_of(name).dtype
