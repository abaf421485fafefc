"""The class, its swarm and its attributes have RflySim's form; of methods the page tells that.

tests/docs/test_rflysim_compat.py compares names, order and defaults with docs/rflysim-compat.md.
"""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from pyrfly.ctrl import PX4MavCtrler, Swarm
from pyrfly.sim import Sim

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


def test_the_class_is_made_as_rflysims() -> None:
    parameters = list(inspect.signature(PX4MavCtrler).parameters.values())
    assert [(p.name, p.default) for p in parameters[:5]] == [
        ("ID", 1), ("ip", "127.0.0.1"), ("Com", "udp"), ("port", 0), ("simulinkDLL", False)
    ]  # fmt: skip
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in parameters[5:])


def test_the_swarm_has_the_methods_of_one_vehicle() -> None:
    of_messages = {
        "InitTrueDataLoop", "EndTrueDataLoop", "sendUDPSimpData", "SendHILCtrlMsg",
        "SendHILCtrlMsg1", "sendPX4UorbRflyCtrl", "SendVisionPosition", "SendHILGps",
        "sendRebootPix", "sendStartMsg", "waitForStartMsg", "sendCustomData", "sendSILIntFloat",
        "sendUE4PosNew", "initPointMassModel", "EndPointMassModel", "fillList", "yawSat", "sat",
        "EulerToQuat", "TypeMask", "SendBuf", "SendBufTrue", "setMsgDict", "netForwardData",
        "GetUDPRedisBuf",
    }  # fmt: skip
    of_swarm, of_vehicle = (
        {name for name, _ in inspect.getmembers(owner, callable) if name[0] != "_"}
        for owner in (Swarm, PX4MavCtrler)
    )
    assert of_swarm == of_vehicle - of_messages
    for method in of_swarm:
        assert inspect.signature(getattr(Swarm, method)).parameters.keys() == (
            inspect.signature(getattr(PX4MavCtrler, method)).parameters.keys()
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
    assert mav.uavMag == mav.uavVibr == [0, 0, 0]
    assert mav.trueSimulinkData == [0.0] * 32
    assert mav.px4ext.checksum == 0
    assert mav.px4ext.controls == [0.0] * 8
    assert (mav.nId, mav.truegyro, mav.truemag, mav.hasTrueDataRec) == (0, 0, 0, False)
