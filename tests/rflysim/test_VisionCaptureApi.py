"""VisionCaptureApi says that there are no images; PX4MavCtrlV4ROS what to use."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import pytest

from pyrfly.ctrl import UnsupportedError
from pyrfly.rflysim import PX4MavCtrlV4ROS
from pyrfly.rflysim.VisionCaptureApi import VisionCaptureApi
from pyrfly.transport import Ports


@pytest.fixture
def vision(ports: Ports, capsys: pytest.CaptureFixture[str]) -> VisionCaptureApi:
    made = VisionCaptureApi(ports=ports)
    assert capsys.readouterr().err == (
        "pyrfly: VisionCaptureApi: there are no cameras, so no images\n"
    )
    return made


@pytest.mark.parametrize(
    "call",
    [
        lambda vision: vision.jsonLoad(),
        lambda vision: vision.addVisSensor(),
        lambda vision: vision.sendReqToUE4(),
        lambda vision: vision.sendUpdateUEImage(),
        lambda vision: vision.startImgCap(),
    ],
)
def test_what_needs_images_raises(
    vision: VisionCaptureApi, call: Callable[[VisionCaptureApi], None]
) -> None:
    assert (vision.VisSensor, vision.Img, vision.hasData) == ([], [], [])
    assert vision.ip == "127.0.0.1"
    with pytest.raises(UnsupportedError, match="no images"):
        call(vision)
    vision.stopRun()


def test_what_needs_none_is_sent(vision: VisionCaptureApi, inbox: Any) -> None:
    window, simulator = inbox(vision.ports.display), inbox(vision.ports.model)
    vision.sendUE4Cmd("RflyChangeMapbyName City", 0)
    assert window.get() == struct.pack("<i52s", 1234567890, b"RflyChangeMapbyName City")
    vision.sendImuReqCopterSim(1, "127.0.0.1", 250)
    expected = struct.pack("<4H4B6f", 12345, 0, 250, 31000, 127, 0, 0, 1, *[0.0] * 6)
    assert len(expected) == 36
    assert simulator.get() == expected


def test_ros_says_what_to_use_instead() -> None:
    with pytest.raises(UnsupportedError, match=r"use PX4MavCtrlV4\.PX4MavCtrler"):
        PX4MavCtrlV4ROS.PX4MavCtrler(1, "127.0.0.1")
