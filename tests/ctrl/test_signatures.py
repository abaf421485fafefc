"""RflySim's methods and attributes: all are there, with its names, order and defaults."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import pytest

from pyrfly.ctrl import PX4MavCtrler, Swarm
from pyrfly.sim import Sim

NAN = math.nan
NEEDED = object()
EIGHT, SIXTEEN, TWENTY = (0,) * 8, (0,) * 16, (0,) * 20
COMMAND = {"command": NEEDED} | {f"param{i}": 0 for i in range(1, 8)}
XYZ = {"x": NAN, "y": NAN, "z": NAN}
VXYZ = {"vx": NAN, "vy": NAN, "vz": NAN}
SYN_PLACE = {"x": NEEDED, "y": NEEDED, "z": NEEDED}
SYN_VEL = {"vx": NEEDED, "vy": NEEDED, "vz": NEEDED}
SYN_ACC = {"ax": NEEDED, "ay": NEEDED, "az": NEEDED}
SYN_ATT = {"roll": NEEDED, "pitch": NEEDED, "yaw": NEEDED}
SYN_FULL = {**SYN_PLACE, **SYN_VEL, **SYN_ACC, "yawRate": NEEDED}

# Names, order and defaults of [@rfly-sdk ctrl/PX4MavCtrlV4.py], and of an older one for ...Syn.
SIGNATURES: dict[str, dict[str, Any]] = {
    "InitMavLoop": {"UDPMode": 2},
    "endMavLoop": {},
    "stopRun": {},
    "InitTrueDataLoop": {},
    "EndTrueDataLoop": {},
    "initOffboard": {},
    "initOffboardAcc": {},
    "initOffboardAtt": {},
    "initOffboard2": {},
    "endOffboard": {},
    "SendVelNED": {**VXYZ, "yawrate": NAN},
    "SendVelNEDNoYaw": {"vx": NEEDED, "vy": NEEDED, "vz": NEEDED},
    "SendVelFRD": {**VXYZ, "yawrate": NAN},
    "SendVelNoYaw": VXYZ,
    "SendPosNED": {**XYZ, "yaw": NAN},
    "SendPosNEDNoYaw": XYZ,
    "SendPosFRD": {**XYZ, "yaw": NAN},
    "SendPosFRDNoYaw": XYZ,
    "SendPosNEDExt": {**XYZ, "mode": 3, "isNED": True},
    "SendPosGlobal": {"lat": 0, "lon": 0, "alt": 0, "yawValue": 0, "yawType": 0},
    "SendVelYawAlt": {"vel": 10, "yaw": 6.28, "alt": -100},
    "SendAccPX4": {
        "afx": NAN, "afy": NAN, "afz": NAN, "yawValue": NAN, "yawType": 0, "frameType": 0
    },
    "SendAttPX4": {"att": (0,) * 4, "thrust": 0.5, "CtrlFlag": 0, "AltFlg": 0},
    "SendOffAll": {
        "type_mask": None, "coordinate_frame": 1, "pos": (0,) * 3, "vel": (0,) * 3,
        "acc": (0,) * 3, "yaw": 0, "yawrate": 0,
    },
    "SendAttAll": {"type_mask": None, "q": (1, 0, 0, 0), "body_rate": (0,) * 3, "thrust": 0},
    "sendMavOffboardCmd": dict.fromkeys(
        "type_mask coordinate_frame x y z vx vy vz afx afy afz yaw yaw_rate".split(), NEEDED
    ),
    "sendMavOffboardAPI": {
        "type_mask": 0, "coordinate_frame": 0, "pos": (0,) * 3, "vel": (0,) * 3, "acc": (0,) * 3,
        "yaw": 0, "yawrate": 0,
    },
    "sendUDPSimpData": {"ctrlMode": NEEDED, "ctrls": NEEDED},
    "SendMavArm": {"isArm": 1},
    "sendMavTakeOff": {"xM": 0, "yM": 0, "zM": 0, "YawRad": 0, "PitchRad": 0},
    "sendMavTakeOffLocal": {
        "xM": 0, "yM": 0, "zM": 0, "YawRad": 0, "PitchRad": 0, "AscendRate": 2
    },
    "sendMavTakeOffGPS": {"lat": NEEDED, "lon": NEEDED, "alt": NEEDED, "yawDeg": 0, "pitchDeg": 15},
    "sendMavLand": {"xM": NEEDED, "yM": NEEDED, "zM": NEEDED},
    "sendMavLandGPS": {"lat": NEEDED, "lon": NEEDED, "alt": NEEDED},
    "SendSetMode": {"mainmode": NEEDED, "cusmode": 0},
    "sendTakeoffMode": {"alt": 0},
    "enFixedWRWTO": {},
    "SendCruiseSpeed": {"Speed": 0},
    "SendCruiseRadius": {"rad": 0},
    "SendCopterSpeed": {"Speed": 0},
    "SendGroundSpeed": {"Speed": 0},
    "sendMavSetParam": {"param_id": NEEDED, "param_value": NEEDED, "param_type": NEEDED},
    "SendMavCmdLong": COMMAND,
    "SendQgcCmdLong": COMMAND,
    "SendHILCtrlMsg": {"ctrls": SIXTEEN, "idx": 0, "flags": 1},
    "SendHILCtrlMsg1": {},
    "sendPX4UorbRflyCtrl": {"data": SIXTEEN, "modes": 1, "flags": 1},
    "SendVisionPosition": {"x": NEEDED, "y": NEEDED, "z": NEEDED, "yaw": NEEDED},
    "SendHILGps": {
        "lat": 40.1540302, "lon": 116.2593683, "alt": 50, "vel": 0, "vn": 0, "ve": 0, "vd": 0,
        "cog": 0, "time_usec": -1, "eph": 0.3, "epv": 0.4, "fix_type": 3, "satellites_visible": 15,
    },
    "initRCSendLoop": {"Hz": 30},
    "endRCSendLoop": {},
    "SendRCPwms": {"Pwms": NEEDED},
    "SendRcOverride": {
        "ch1": 1500, "ch2": 1500, "ch3": 1100, "ch4": 1500, "ch5": 1100, "ch6": 1100, "ch7": 1500,
        "ch8": 1500,
    },
    "sendMavManualCtrl": {"x": 0, "y": 0, "z": 0, "r": 0},
    "sendRebootPix": {"copterID": NEEDED, "delay": -1},
    "sendStartMsg": {"copterID": -1},
    "waitForStartMsg": {},
    "sendCustomData": {
        "CopterID": NEEDED, "data": SIXTEEN, "checksum": 123456, "port": 50000, "IP": "127.0.0.1"
    },
    "sendSILIntFloat": {"inSILInts": EIGHT, "inSILFLoats": TWENTY, "copterID": -1},
    "setGPSOriLLA": {"LonLatAlt": NEEDED},
    "sendUE4PosNew": {
        "copterID": 1, "vehicleType": 3, "PosE": (0,) * 3, "AngEuler": (0,) * 3, "VelE": (0,) * 3,
        "PWMs": EIGHT, "runnedTime": -1, "windowID": -1,
    },
    "initPointMassModel": {"intAlt": 0, "intState": (0, 0, 0)},
    "EndPointMassModel": {},
    "fillList": {"data": NEEDED, "inLen": NEEDED, "fill": 0},
    "yawSat": {"yaw": NEEDED},
    "sat": {"inPwm": 0, "thres": 1},
    "EulerToQuat": {"Euler": NEEDED},
    "TypeMask": {"EnList": NEEDED},
    "SendBuf": {"buf": NEEDED},
    "SendBufTrue": {"buf": NEEDED, "port": None},
    "setMsgDict": {"stName": NEEDED},
    "netForwardData": {},
    "GetUDPRedisBuf": {"sock": NEEDED},
    "ResetSynCmd": {},
    "SendSynPos": {**SYN_PLACE, "yaw": NEEDED},
    "SendSynVel": {**SYN_VEL, "yawRate": NEEDED},
    "SendSynAcc": SYN_ACC,
    "SendSynFull": SYN_FULL,
    "SendSynAttThrust": {**SYN_ATT, "thrust": NEEDED},
    "SendSynAtt": SYN_ATT,
    "TakeoffSyn": {"height": NEEDED},
    "ReturnHomeSyn": {"height": NEEDED},
    "LandSyn": {"height": 0},
    "SendPosSpeedFWSyn": {**SYN_PLACE, "speed": NEEDED},
}  # fmt: skip

# Lengths of the vectors; 0 for a number, None for anything else.
ATTRIBUTES: dict[str, int | None] = {
    "uavTimeStmp": 0, "uavAngEular": 3, "uavAngRate": 3, "uavPosNED": 3, "uavVelNED": 3,
    "uavPosGPS": 9, "uavPosGPSHome": 3, "uavGlobalPos": 3, "uavAngQuatern": 4, "uavMotorRPMS": 8,
    "uavAccB": 3, "uavGyro": 3, "uavMag": 3, "uavVibr": 3, "uavThrust": 0, "batInfo": 2,
    "system_status": None, "isArmed": None, "isPX4Ekf3DFixed": None, "isFailsafeEn": None,
    "FailsafeInfo": None, "isVehicleCrash": None, "isVehicleCrashID": None, "trueTimeStmp": 0,
    "trueAngEular": 3, "trueAngRate": 3, "truePosNED": 3, "trueVelNED": 3, "trueAngQuatern": 4,
    "trueMotorRPMS": 8, "trueAccB": 3, "truePosGPS": 3, "trueSimulinkData": 32, "out3Ddata": None,
    "trueGpsUeCenter": 3, "px4ext": None, "hasMsgDict": None, "trigMsgVect": None,
    "hasMsgEvent": None, "trueMsgEvent": None, "netEvent": None, "uavEvent": None, "uavMsg": None,
    "MaxSpeed": 0, "isInOffboard": None, "UDPMode": None, "CopterID": None, "port": None,
    "ip": None, "startTime": 0, "truegyro": None, "truemag": None, "connected": None, "nId": None,
    "hasTrueDataRec": None, "maxVelXy": 0, "maxVelZ": 0, "maxAccXy": 0, "maxAccZ": 0,
    "GpsOriOffset": 3,
}  # fmt: skip


def same(value: Any, expected: Any) -> bool:
    """Compare defaults; a list of RflySim may be a tuple here."""
    if expected is NEEDED:
        return value is inspect.Parameter.empty
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(value, float) and math.isnan(value)
    return bool(value == expected)


@pytest.mark.parametrize("method", SIGNATURES)
def test_methods_are_called_as_rflysims(method: str) -> None:
    parameters = inspect.signature(getattr(PX4MavCtrler, method)).parameters.values()
    ours = [p for p in parameters if p.name != "self"]
    expected = SIGNATURES[method]
    assert [p.name for p in ours] == list(expected)
    for parameter in ours:
        assert same(parameter.default, expected[parameter.name]), parameter
        assert parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD


def test_the_class_is_made_as_rflysims() -> None:
    parameters = list(inspect.signature(PX4MavCtrler).parameters.values())
    assert [(p.name, p.default) for p in parameters[:5]] == [
        ("ID", 1), ("ip", "127.0.0.1"), ("Com", "udp"), ("port", 0), ("simulinkDLL", False)
    ]  # fmt: skip
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in parameters[5:])


def test_there_are_no_other_public_methods() -> None:
    methods = inspect.getmembers(PX4MavCtrler, callable)
    assert {name for name, _ in methods if name[0] != "_"} == set(SIGNATURES)


def test_the_swarm_has_the_verbs_of_one_vehicle() -> None:
    of_messages = {
        "InitTrueDataLoop", "EndTrueDataLoop", "sendUDPSimpData", "SendHILCtrlMsg",
        "SendHILCtrlMsg1", "sendPX4UorbRflyCtrl", "SendVisionPosition", "SendHILGps",
        "sendRebootPix", "sendStartMsg", "waitForStartMsg", "sendCustomData", "sendSILIntFloat",
        "sendUE4PosNew", "initPointMassModel", "EndPointMassModel", "fillList", "yawSat", "sat",
        "EulerToQuat", "TypeMask", "SendBuf", "SendBufTrue", "setMsgDict", "netForwardData",
        "GetUDPRedisBuf",
    }  # fmt: skip
    verbs = {name for name, _ in inspect.getmembers(Swarm, callable) if name[0] != "_"}
    assert verbs == set(SIGNATURES) - of_messages
    for verb in verbs:
        assert inspect.signature(getattr(Swarm, verb)).parameters.keys() == (
            inspect.signature(getattr(PX4MavCtrler, verb)).parameters.keys()
        )


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attributes_have_rflysims_form(name: str) -> None:
    mav = PX4MavCtrler(1, sim=Sim("x450"))
    mav.InitMavLoop()
    value, size = getattr(mav, name), ATTRIBUTES[name]
    if size == 0:
        assert type(value) is float
    elif size is not None:
        assert isinstance(value, list)
        assert [type(v) for v in value] == [float] * size


def test_attributes_of_a_swarm_have_a_row_for_each_vehicle() -> None:
    swarm = Swarm(Sim({"x450": 2, "hex_x": 1}))
    swarm.InitMavLoop()
    for name, size in ATTRIBUTES.items():
        if name.startswith(("uav", "true")) and size is not None and hasattr(swarm, name):
            shape = (3, size) if size else (3,)
            if name != "trueGpsUeCenter":
                assert getattr(swarm, name).shape == shape, name
    assert swarm.isArmed.dtype == np.bool_


def test_quantities_without_a_model_have_rflysims_first_value() -> None:
    mav = PX4MavCtrler(1, sim=Sim("x450"))
    assert (mav.isVehicleCrash, mav.isVehicleCrashID) == (False, -10)
    assert (mav.isFailsafeEn, mav.FailsafeInfo) == (False, None)
    assert mav.batInfo == [0, 0]
    assert mav.uavMag == mav.uavVibr == [0, 0, 0]
    assert mav.trueSimulinkData == [0.0] * 32
    assert mav.px4ext.checksum == 0
    assert mav.px4ext.controls == [0.0] * 8
    assert (mav.nId, mav.truegyro, mav.truemag, mav.hasTrueDataRec) == (0, 0, 0, False)
