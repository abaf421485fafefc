"""VisionCaptureApi has the IMU and cameras without images."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyrfly import Sim
from pyrfly.ctrl import UnsupportedError
from pyrfly.rflysim import cameras
from pyrfly.rflysim.stepped import simulated_time
from pyrfly.rflysim.VisionCaptureApi import VisionCaptureApi, VisionSensorReq
from pyrfly.server import Server
from pyrfly.transport import RFLYSIM_PORTS, Ports


@pytest.fixture
def vision(ports: Ports, capsys: pytest.CaptureFixture[str]) -> VisionCaptureApi:
    made = VisionCaptureApi(ports=ports)
    assert capsys.readouterr().err == (
        "pyrfly: VisionCaptureApi: there are no cameras, so no images\n"
    )
    return made


CONFIG = {
    "VisionSensors": [
        {"SeqID": 0, "TypeID": 1, "DataWidth": 640, "SendProtocol": [1, 127, 0, 0, 1, 9999]},
        {"SeqID": 1, "SensorPosXYZ": [0.3, -0.15, 0], "CameraFOV": "wide", "unknown": 1},
    ]
}


def test_sensors_are_described_and_never_have_an_image(
    vision: VisionCaptureApi, tmp_path: Path
) -> None:
    file = tmp_path / "Config.json"
    file.write_text(json.dumps(CONFIG))
    assert vision.jsonLoad(0, str(file))
    vision.addVisSensor()
    assert vision.sendReqToUE4()
    vision.startImgCap()
    vision.sendUpdateUEImage(vision.VisSensor[0])
    first, second, third = vision.VisSensor
    assert (first.DataWidth, first.SendProtocol) == (640, [0, 127, 0, 0, 1, 9999, 0, 0])
    assert (second.SensorPosXYZ, second.CameraFOV) == ([0.3, -0.15, 0], 90)
    assert third == VisionSensorReq()
    assert vision.hasData == [False] * 3
    assert [image.size for image in vision.Img] == [0] * 3
    assert vision.timeStmp == vision.imgStmp == [0] * 3
    with vision.Img_lock[2]:
        vision.stopRun()


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"VisionSensors": 7}', "[" * 10**5])
def test_a_file_without_sensors_is_told(
    vision: VisionCaptureApi, text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "Config.json"
    if text is not None:
        file.write_text(text)
    assert not vision.jsonLoad(jsonPath=str(file))
    assert not vision.sendReqToUE4()
    assert vision.hasData == []
    assert "Config.json" in capsys.readouterr().err


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
def test_what_needs_images_raises_where_that_is_chosen(
    vision: VisionCaptureApi, call: Callable[[VisionCaptureApi], None]
) -> None:
    with cameras.chosen("error"), pytest.raises(UnsupportedError, match="no images"):
        call(vision)
    vision.startImgCap()


def test_a_sensor_of_another_kind_is_refused(vision: VisionCaptureApi) -> None:
    with pytest.raises(TypeError, match="vsr: expected a VisionSensorReq, got 7"):
        vision.addVisSensor(7)  # type: ignore[arg-type]


def test_what_needs_none_is_sent(vision: VisionCaptureApi, inbox: Any) -> None:
    window, simulator = inbox(vision.ports.display), inbox(vision.ports.model)
    vision.sendUE4Cmd("RflyChangeMapbyName City", 0)
    assert window.get() == struct.pack("<i52s", 1234567890, b"RflyChangeMapbyName City")
    port = vision.ports.imu
    expected = struct.pack("<4H4B6f", 12345, 0, 250, port, 127, 0, 0, 1, *[0.0] * 6)
    assert len(expected) == 36
    vision.sendImuReqClient(1, "127.0.0.1", 250)
    assert simulator.get() == expected
    vision.RemotSendIP = "192.168.1.9"
    vision.sendImuReqClient(1, "127.0.0.1", 250)
    assert simulator.get()[8:12] == bytes([192, 168, 1, 9])


def imu_packet(seq: int, time: float, checksum: int = 1234567898) -> bytes:
    return struct.pack("<2i1d6f", checksum, seq, time, 1, 2, 3, 0.25, 0.5, 0.75)


def test_the_imu_of_another_simulator_is_received(
    vision: VisionCaptureApi, inbox: Any, eventually: Any
) -> None:
    simulator = inbox(vision.ports.model)
    assert not vision.hasIMUData
    vision.sendImuReqCopterSim()
    assert len(simulator.get()) == 36
    for bad in (b"", bytes(40), imu_packet(1, 1)[:-1], imu_packet(1, 1, 7)):
        simulator.send(bad, vision.ports.imu)
    simulator.send(imu_packet(7, 1.5), vision.ports.imu)
    eventually(lambda: vision.imu.seq == 7)
    assert vision.hasIMUData
    assert (vision.imu.acc, vision.imu.rate) == ([1, 2, 3], [0.25, 0.5, 0.75])
    assert vision.imu.timestmp == 1.5
    assert vision.imu.imuStmp == pytest.approx(time.time(), abs=30)
    simulator.send(imu_packet(8, 2.5), vision.ports.imu)
    eventually(lambda: vision.imu.seq == 8)
    assert vision.imu.imuStmp == pytest.approx(vision.imu.rflyStartStmp + 2.5)
    vision.stopRun()
    inbox(vision.ports.imu)  # free again


def test_its_reception_can_begin_by_itself(
    vision: VisionCaptureApi, inbox: Any, eventually: Any
) -> None:
    simulator = inbox()
    vision.sendImuReqServe(1)
    simulator.send(imu_packet(3, 0.5), vision.ports.imu)
    eventually(lambda: vision.imu.seq == 3)
    vision.stopRun()


def test_pyrfly_sim_answers_the_request(
    first_port: Callable[..., int], eventually: Callable[[Callable[[], object]], None]
) -> None:
    first = first_port(2)
    shift = first - RFLYSIM_PORTS.control
    ports = Ports(*(port + shift for port in RFLYSIM_PORTS))
    sim = Sim("sdk", 2)
    sim.sensors.enable("imu", profile="rflysim")
    with Server(sim, first_port=first) as server:
        vision = VisionCaptureApi(ports=ports)
        vision.sendImuReqCopterSim(2, freq=100)
        eventually(lambda: vision.imu.timestmp > 0.2)
        vision.stopRun()
        assert server.stats.vehicle(1)["accepted"] == 0
    assert vision.imu.acc == pytest.approx([0, 0, -9.8], abs=0.5)


def test_a_vehicle_of_this_process_has_an_imu() -> None:
    with simulated_time():
        vision = VisionCaptureApi()
        vision.sendImuReqCopterSim(3, freq=200)
        time.sleep(1)
        assert vision.imu.timestmp == pytest.approx(time.monotonic(), abs=0.0051)
        assert vision.imu.acc == pytest.approx([0, 0, -9.8], abs=0.1)
        last = vision.imu.seq
        time.sleep(0.01)
        assert vision.imu.seq == last + 10  # steps
        vision.stopRun()
        time.sleep(0.1)
        assert vision.imu.seq == last + 10


@pytest.mark.parametrize("freq", [0, -1, 65536, 1.5])
def test_frequencies_that_do_not_fit_are_refused(vision: VisionCaptureApi, freq: Any) -> None:
    with pytest.raises(ValueError, match="freq: expected 1 to 65535"):
        vision.sendImuReqClient(1, freq=freq)
