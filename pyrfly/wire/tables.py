"""Packets that the core does not write: `TABLES`.

A packet begins with its name and the kinds of port that it is sent to. Indented lines are its
fields: a type of NumPy, then the names that have it; ``name[4]`` is an array; ``= 3`` is the
constant by which the packet is known, ``or`` another one. After ``: `` comes the meaning with its
unit; a field without has that of an earlier field of its name, see `pyrfly.wire.layouts`.
"""

__all__ = ["TABLES"]

_COMMANDS = """
inOffboardShortData command
    i4 checksum = 1234567890
    i4 ctrlMode: what the numbers are, see Messages
    f4 ctrls[4]: numbers, see Messages
inHILCMDData command
    i4 tg = 3
    i4 len = 80
    u4 time_boot_ms copterID
    u4 modes: mask of what is ignored, see Messages
    u4 flags: frame, see Messages
    f4 ctrls[16]
    u1 reserve[32]
reboot command
    i4 checksum = 987654321
    i4 delay: not used
"""

_SYNTHESIS = """
PX4SILIntFloat sil scene
    i4 checksum = 1234567897
    i4 CopterID
    i4 inSILInts[8]: words, see inSILInts
    f4 inSILFLoats[20]: numbers, see inSILFloats
DllInDoubCtrls sil
    i4 checksum = 1234567897
    i4 CopterID
    f8 inDoubsCtrls[28]: the 8 words and the 20 numbers
"""

_EXTRA_INPUT = """
inCtrlExt{n} sil
    i4 checksum = 123456780{n} or 123456790{n}
    i4 CopterID inSILInts[8]
    f4 inSILFLoats[20]
inCtrlExtDoub{n} sil
    i4 checksum = 123456780{n} or 123456790{n}
    i4 CopterID
    f8 inDoubsCtrls[28]
"""
"""An additional input of a model; the other checksum: stored, not yet applied."""

_INPUTS = """
PX4ModelInParams sil
    i4 checksum = 1234567891
    u4 Bitmask: bit i: parameter i is set
    f8 InParams[32]: parameters of the model
InitInParams sil
    i4 checksum = 1234567892
    u4 Bitmask
    f8 InParams[32]
PX4DynModiParams sil
    i4 checksum = 1234567893
    i4 CopterID
    u8 Bitmask
    f8 InParams[64]
UEToCopterDataD sil
    i4 checksum = 1234567899
    i4 CopterID
    f8 inFromUE[32]: from the 3D view, no fixed meaning
Ue4RayTraceDrone sil scene
    i4 checksum = 1234567890
    i4 CopterID: what was hit, see inFloatsCollision; 0, -1 or the vehicle n: nothing
    f4 size: above 0: what was hit moves, and has size^2 times the mass
    f4 VelE[3]: velocity of what was hit [m/s, NED]
    f4 ray[6]: distances north, south, west, east, up, down [m]; below 0: overlap
    f4 PosE[3]
Ue4Coll20d sil
    i4 checksum = 1234567880
    i4 CopterID
    f4 inCollision20d[20]: numbers, see inFloatsCollision
TerrainIn15d sil
    i4 checksum = 1234567881
    i4 CopterID
    f4 TerrainIn15d[15]: ground below the vehicle, see Messages
    f4 reserve[5]
imuReqCopterSim sil
    u2 checksum = 12345
    u2 type: type of the sensor
    u2 freq: rate [Hz]
    u2 port: port of the reply
    u1 IP[4]: address of the reply
    f4 params[6]: parameters of the sensor
PX4UorbRflyCtrl sil topic
    i4 checksum = 1234567896
    i4 CopterID
    u4 modes: mode of a user's module in PX4
    u4 flags: flags of a user's module in PX4
    f4 data[16]: numbers of the user
Ue4Req sil
    i4 checksum = 123450
    i4 request: 90 or 91: asks for the heartbeat or the origin
"""

_OUTPUTS = """
SOut2SimulatorSimpleTime truth display
    i4 checksum = 1234567891
    i4 copterID vehicleType
    i4 PosGpsInt[3]: latitude, longitude [1e-7 deg], height [mm, up]
    f4 MotorRPMS[8] VelE[3] AngEuler[3]
    f8 PosE[3] runnedTime
netDataShort truth
    i4 tg = -1
    i4 len = 152
    i4 copterID vehicleType
    f8 runnedTime
    f4 VelE[3] PosE[3] AngEuler[3] AngQuatern[4] MotorRPMS[8] AccB[3] RateB[3]
    f4 gap: not used
    f8 PosGPS[3]
    u1 reserve[40]
Ue4CMDGPS truth
    i4 checksum = 1234567890
    i4 CopterID
    f8 GPS[3]: latitude, longitude [deg], height [m, up] of the map centre
CopterSimCrash truth
    i4 checksum = 1234567890
    i4 CopterID
    i4 TargetID: CopterID of the other vehicle
PX4ExtMsg px4ext
    i4 checksum = 1234567898
    i4 CopterID
    f8 runnedTime
    f4 controls[8]: numbers of a user's module in PX4
"""

_DISPLAY = """
Ue4CMD display
    i4 checksum = 1234567890
    S52 command: a command of RflySim3D's console
Ue4CMDLong display
    i4 checksum = 1234567890
    S252 command
Ue4ExtMsg display
    i4 checksum = 1234567894
    i4 CopterID
    f8 runnedTime
    f8 ActExt[16]: actuators 9 to 24 of the 3D view
reqVeCrashData scene
    i4 checksum = 1234567897
    i4 copterID vehicleType
    i4 CrashType: CopterID of the vehicle that was hit, 0: none, -1: an object, -2: the ground
    f8 runnedTime
    f4 VelE[3] PosE[3]
    f4 CrashPos[3]: position of the collision [m, NED]
    f4 targetPos[3]: position of what was hit [m, NED]
    f4 AngEuler[3] MotorRPMS[8] ray[6]
    S20 CrashedName: name of what was hit
CoptReqData scene
    i4 checksum = 1234567891
    i4 CopterID
    f4 PosUE[3]: position [m, NED]
    f4 angEuler[3]: roll, pitch, yaw [rad]
    f4 angQuat[4]: attitude quaternion, scalar first
    f4 boxOrigin[3]: middle of the box around it [m, NED]
    f4 BoxExtent[3]: half the size of the box [m]
    f8 timestmp: time [s]
CoptReqDataOld scene
    i4 checksum = 1234567891
    i4 CopterID
    f4 PosUE[3] angEuler[3] boxOrigin[3] BoxExtent[3]
    f8 timestmp
ObjReqData scene
    i4 checksum = 1234567891
    i4 seqID: number of the object
    f4 PosUE[3] angEuler[3] angQuat[4] boxOrigin[3] BoxExtent[3]
    f8 timestmp
    S32 ObjName: name of the object
ObjReqDataOld scene
    i4 checksum = 1234567891
    i4 seqID
    f4 PosUE[3] angEuler[3] boxOrigin[3] BoxExtent[3]
    f8 timestmp
    S32 ObjName
CameraData scene
    i4 checksum = 1234567891
    i4 SeqID: number of the camera
    i4 TypeID: type of the camera
    i4 DataHeight: height of the image [pixels]
    i4 DataWidth: width of the image [pixels]
    f4 CameraFOV: horizontal field of view [deg]
    f4 PosUE[3] angEuler[3] angQuat[4]
    f8 timestmp
CameraDataOld scene
    i4 checksum = 1234567891
    i4 SeqID TypeID DataHeight DataWidth
    f4 CameraFOV PosUE[3] angEuler[3]
    f8 timestmp
"""
"""What a simulator sends to RflySim3D beside the true state, and what comes back.

Replies of older versions have no quaternion.
"""

_PROGRAMS = """
RflyTimeStmp heartbeat
    i4 checksum = 123456789
    i4 copterID
    i8 SysStartTime: time of the start [ms]
    i8 SysCurrentTime: time now [ms]
    i8 HeartCount: count
startSignal start
    i4 checksum = 1234567890
    i4 isStart: 1: start
    i4 copterID: the vehicle n; -1: all
reCopterSimMsg config sil
    i4 checksum = 1234567
    i4 CopterID
    i1 isReqIP: whether a reply is wanted
    i1 isXyYaw: what xy is, see Settings
    i1 isZRP: above 0: z, roll and pitch are given
    i1 UDP_mode: mode of the link; below 0: as it is
    u1 reserve[4]
    f4 zRollPitchYaw[4]: z [m, NED], roll, pitch, yaw [deg]
    f8 xy[2]: x, y [m, NED], or latitude, longitude [deg]
CptSimCMD config sil
    i4 checksum = 1234567895
    i4 CopterID
    i4 dllOrMap: 1: model, 2: map
    i4 index: number in the list
    S48 name: name
CustomData custom
    i4 checksum = 123456
    i4 CopterID
    f8 data[16]
distSimNode cluster
    i4 checksum = 12345678
    i4 NodeID: the computer
    u2 ClassID: class of the packet
    u2 SeqID: count
    u1 WinOrLinux: operating system
    u1 CmdExeState: state of the command
    u1 reserve[6]
    i4 StartUavIdx: first vehicle
    u8 UavListMask: bit i: vehicle i
    u8 timeStmp: time
    S32 hostname: name of the computer
"""

TABLES = (
    _COMMANDS,
    _SYNTHESIS,
    *(_EXTRA_INPUT.format(n=n) for n in range(1, 6)),
    _INPUTS,
    _OUTPUTS,
    _DISPLAY,
    _PROGRAMS,
)
