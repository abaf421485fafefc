"""What the fields of RflySim's packets mean: `MEANINGS`, and where packets go: `PORTS`.

Both are for docs/protocol.md, whose tables `tools/generate.py` makes.
"""

from __future__ import annotations

from pyrfly.wire.layouts import Layout

__all__ = ["MEANINGS", "PORTS", "meaning"]

PORTS = {
    "command": "to 20100 + 2 (n - 1)",
    "state": "from the simulator to 20101 + 2 (n - 1)",
    "sil": "to 30100 + 2 (n - 1)",
    "truth": "from the simulator to 30101 + 2 (n - 1)",
    "px4ext": "from PX4 to 40101 + 2 (n - 1)",
    "config": "to 20002",
    "heartbeat": "from the simulator to 20005",
    "start": "from the simulator to 20007",
    "imu": "from the simulator to 31000 + n - 1",
    "custom": "to 50000",
    "cluster": "between computers",
    "model": "no packet: a vector of doubles inside a program",
}
"""Port of a packet for or from vehicle n, by kind of port."""

MEANINGS = {
    "checksum": "identifies the packet",
    "tg": "identifies the packet; from a simulator the CopterID of a collision, -1: none",
    "len": "identifies the packet",
    "CopterID": "the vehicle n; 0 or -1: that of the port",
    "copterID": "the vehicle n",
    "reserve": "not used",
    "gap": "not used",
    "ctrlMode": "what the numbers are, see Messages",
    "ctrls": "numbers, see Messages",
    "time_boot_ms": "time [ms]",
    "modes": "mode of a user's module in PX4",
    "inHILCMDData.modes": "mask of what is ignored, see Messages",
    "flags": "flags of a user's module in PX4",
    "inHILCMDData.flags": "frame, see Messages",
    "delay": "not used",
    "inSILInts": "words, see inSILInts",
    "inSILFLoats": "numbers, see inSILFloats",
    "inDoubsCtrls": "the 8 words and the 20 numbers",
    "Bitmask": "bit i: parameter i is set",
    "InParams": "parameters of the model",
    "inFromUE": "from the 3D view, no fixed meaning",
    "size": "size of the vehicle [m]",
    "ray": "distances in front, behind, left, right, above, below [m]",
    "inCollision20d": "collision, no fixed meaning",
    "TerrainIn15d": "ground below the vehicle, see Messages",
    "type": "type of the sensor",
    "freq": "rate [Hz]",
    "port": "port of the reply",
    "IP": "address of the reply",
    "params": "parameters of the sensor",
    "data": "numbers of the user",
    "request": "90 or 91: asks for the heartbeat or the origin",
    "GpsPos": "latitude, longitude [1e-7 deg], height [mm, up]",
    "GpsVel": "velocity [cm/s, NED]",
    "gpsHome": "latitude, longitude [1e-7 deg], height [mm, up] of home",
    "relative_alt": "height above home [mm, up]",
    "hdg": "heading, 0 to 360 deg [1e-3 deg]",
    "satellites_visible": "number of satellites",
    "fix_type": "3: 3D fix",
    "AngEular": "roll, pitch, yaw [rad]",
    "AngEuler": "roll, pitch, yaw [rad]",
    "AngQuatern": "attitude quaternion, scalar first, FRD to NED",
    "localPos": "position from home [m, NED]",
    "localVel": "velocity [m/s, NED]",
    "pos_horiz_accuracy": "0",
    "pos_vert_accuracy": "0",
    "ekf_3d_fixed": "above 0.5: the position is known",
    "vehicleType": "type, see Messages",
    "MotorRPMS": "speeds of the rotors or wheels [1/min]",
    "VelE": "velocity [m/s, NED]",
    "PosE": "position from the map centre [m, NED]",
    "AccB": "acceleration over ground [m/s^2, FRD]",
    "RateB": "angular velocity [rad/s, FRD]",
    "runnedTime": "simulated time [s]",
    "PosGPS": "latitude, longitude [deg], height [m, up]",
    "PosGpsInt": "latitude, longitude [1e-7 deg], height [mm, up]",
    "outCopterData": "free outputs, see Messages",
    "GPS": "latitude, longitude [deg], height [m, up] of the map centre",
    "TargetID": "CopterID of the other vehicle",
    "controls": "numbers of a user's module in PX4",
    "seq": "count",
    "time": "time [s]",
    "acc": "specific force [m/s^2, FRD]",
    "gyro": "angular velocity [rad/s, FRD]",
    "SysStartTime": "time of the start [ms]",
    "SysCurrentTime": "time now [ms]",
    "HeartCount": "count",
    "isStart": "1: start",
    "isReqIP": "whether a reply is wanted",
    "isXyYaw": "what xy is",
    "isZRP": "whether z, roll and pitch are given",
    "UDP_mode": "mode of the link",
    "zRollPitchYaw": "z [m, NED], roll, pitch, yaw [deg]",
    "xy": "x, y [m, NED], or latitude, longitude [deg]",
    "dllOrMap": "1: model, 2: map",
    "index": "number in the list",
    "name": "name",
    "NodeID": "the computer",
    "ClassID": "class of the packet",
    "SeqID": "count",
    "WinOrLinux": "operating system",
    "CmdExeState": "state of the command",
    "StartUavIdx": "first vehicle",
    "UavListMask": "bit i: vehicle i",
    "timeStmp": "time",
    "hostname": "name of the computer",
}
"""Meaning and unit by name of a field, or of a structure and a field."""


def meaning(layout: Layout, field: str) -> str:
    """Return the meaning of a field; raise a KeyError that says where to state a new one."""
    found = MEANINGS.get(f"{layout.name}.{field}") or MEANINGS.get(field)
    if found is None:
        raise KeyError(
            f"{layout.name}.{field}: expected its meaning in MEANINGS of pyrfly/wire/meanings.py, "
            "for docs/protocol.md"
        )
    return found
