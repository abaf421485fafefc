"""What RflySim's modules of vehicles have besides the vehicle of `pyrfly.ctrl`."""

from __future__ import annotations

import inspect
import struct
import time
from typing import Any

import pytest

from pyrfly import Sim
from pyrfly.ctrl import earth_model
from pyrfly.errors import CommandWarning
from pyrfly.rflysim import PX4MavCtrlV4, PX4MavCtrlV4ROS, RflyRosStart
from pyrfly.rflysim.stepped import simulated_time
from pyrfly.rflysim.UE4CtrlAPI import UE4CtrlAPI
from pyrfly.transport import Ports


def test_the_vehicle_has_the_functions_of_the_display(inbox: Any, ports: Ports) -> None:
    """As before RflySim split its module; the packet is that of UE4CtrlAPI."""
    mav = PX4MavCtrlV4.PX4MavCtrler(1, sim=Sim("sdk"))
    window = inbox(ports.display)
    mav._display = UE4CtrlAPI(ports=ports)
    mav.sendUE4Cmd("RflyChangeMapbyName City", 0)  # type: ignore[attr-defined]
    assert window.get() == struct.pack("<i52s", 1234567890, b"RflyChangeMapbyName City")
    for name in ("sendUE4Pos", "sendUE4LabelID", "getUE4Data"):
        ours, theirs = (getattr(kind, name) for kind in (PX4MavCtrlV4.PX4MavCtrler, UE4CtrlAPI))
        assert inspect.signature(ours) == inspect.signature(theirs)


def test_the_module_has_the_class_of_conversions() -> None:
    assert PX4MavCtrlV4.EarthModel is earth_model.EarthModel


def test_the_heading_of_the_set_point_is_an_attribute() -> None:
    mav = PX4MavCtrlV4.PX4MavCtrler(1, sim=Sim("sdk"))
    mav.InitMavLoop()
    assert mav.yaw == 0
    mav.SendPosNED(0, 0, -2, 0.5)
    assert mav.yaw == 0.5
    mav.SendVelNED(1, 0, 0, 0.1)
    assert mav.yaw == 0
    assert mav.the_connection is None


def test_a_payload_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    mav = PX4MavCtrlV4.PX4MavCtrler(1, sim=Sim("sdk"))
    mav.InitMavLoop()
    with pytest.warns(CommandWarning, match="no actuators of a payload"):
        mav.SetServo(1, -1)


@pytest.mark.slow
def test_the_class_for_mavros_flies_without_ros() -> None:
    with simulated_time():
        mav = PX4MavCtrlV4ROS.PX4MavCtrler(CopterID=2)
        mav.InitMavLoop()
        mav.initOffboard()
        assert mav.arm()
        assert mav.offboard()
        mav.SendPosVelNED(PosE=[3, 0, -4], yaw=0.5)
        mav.sendMavSetParam("MPC_XY_VEL_MAX", 2.5, "FLOAT")
        mav.sendMavSetParam("NAV_RCL_ACT", 0, "INT")
        time.sleep(10)
        assert mav.uavPosNED == pytest.approx([3, 0, -4], abs=0.05)
        assert mav.uavAngEular[2] == pytest.approx(0.5, abs=0.02)
        assert mav.MaxSpeed == 2.5
        mav.SendPosVelNED(VelE=[1, 0, 0])
        time.sleep(3)
        assert mav.uavVelNED[0] == pytest.approx(1, abs=0.05)
        assert mav.land()
        time.sleep(15)
        assert not mav.isArmed


def test_the_class_for_mavros_is_connected_from_the_beginning() -> None:
    """Scripts for RflySim's never call InitMavLoop."""
    sim = Sim("sdk")
    mav = PX4MavCtrlV4ROS.PX4MavCtrler(1, sim=sim)
    assert mav.connected
    mav.initOffboard()
    mav.SendPosNED(0, 0, -2, 0)
    sim.sleep(6)
    assert mav.uavPosNED == pytest.approx([0, 0, -2], abs=0.05)


def test_mavros_is_not_started(capsys: pytest.CaptureFixture[str]) -> None:
    assert not RflyRosStart.isRosOk
    ros = RflyRosStart.RflyRosStart(1, "127.0.0.1")
    ros.InitRosLoop()
    ros.EndRosLoop()
    assert "MAVROS is not started" in capsys.readouterr().err
