"""VehicleApi.Vehicle: its links, byte by byte, and its real-time thread."""

from __future__ import annotations

import math
import socket
import struct
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from pyrfly.rflysim.EarthModel import EarthModel
from pyrfly.rflysim.stepped import simulated_time
from pyrfly.rflysim.VehicleApi import Vehicle
from pyrfly.transport import Ports


def command(mode: int, *controls: float, checksum: int = 1234567890) -> bytes:
    return struct.pack("2i4f", checksum, mode, *controls, *[0.0] * (4 - len(controls)))


@pytest.fixture
def vehicle(ports: Ports) -> Iterator[Vehicle]:
    vehicle = Vehicle(1, updatefreq=0, ports=ports)
    yield vehicle
    vehicle.EndSimpleModel()
    vehicle.udp_socket.close()


def test_the_state_goes_out_as_52_bytes(vehicle: Vehicle, inbox: Any) -> None:
    box = inbox(vehicle.ports.control + 1)
    vehicle.initSimpleModel([0, 0, 90], GPSOrigin=[40.5, 116.25, 33.0])
    vehicle.SendMavArm(1)
    vehicle.SendVelNED(1, 2, -3)
    vehicle.ModelStep(100.0)  # starts the clock
    vehicle.ModelStep(101.0)
    expected = struct.pack(
        "4i9f",
        1234567890,
        405000000,
        1162500000,
        33000,
        *vehicle.uavAngEular,
        *vehicle.uavPosNED,
        *vehicle.uavVelNED,
    )
    assert box.get() == expected
    assert vehicle.uavVelNED[0] == pytest.approx(1 - 0.97**100)


def test_home_is_where_it_starts(vehicle: Vehicle, inbox: Any) -> None:
    box = inbox(vehicle.ports.control + 1)
    vehicle.initSimpleModel([1000, 0, 0], GPSOrigin=[0, 0, 0])
    vehicle.SendUavState(0)
    _, lat, lon, alt = struct.unpack_from("4i", box.get())
    # meridian radius at the equator: a (1 - e^2) = 6335439.327 m
    assert lat == pytest.approx(math.degrees(1000 / 6335439.327) * 1e7, abs=1)
    assert lon == 0
    assert alt == pytest.approx(1000**2 / 2 / 6335439, abs=0.1 * 1e3)


def test_the_pose_goes_to_the_display(vehicle: Vehicle, inbox: Any) -> None:
    box = inbox(vehicle.ports.display)
    vehicle.initSimpleModel([10, 20, 0], GPSOrigin=[40.5, 116.25, 33.0])
    assert box.get() == struct.pack("i52s", 1234567890, b"RflyChangeMapbyName Grasslands")
    vehicle.SendVelYawAlt(10, -10, 0)
    vehicle.ModelStep(50.0)
    vehicle.ModelStep(50.5)
    pose = struct.unpack("6i14f4d", box.get())
    assert pose[:3] == (1234567891, 1, 3)
    assert pose[3:6] == tuple(
        round(v * k) for v, k in zip(vehicle.uavPosGPS, (1e7, 1e7, 1e3), strict=False)
    )
    assert pose[6:14] == pytest.approx(vehicle.MotorRPMS)
    assert pose[14:17] == pytest.approx(vehicle.uavVelNED)
    assert pose[17:20] == pytest.approx(vehicle.trueAngEular)
    x, y, z = vehicle.uavPosNED
    assert vehicle.uavPosGPS[:3] == pytest.approx(
        EarthModel().ned2lla([10 + x, 20 + y, z], [40.5, 116.25, 33.0])
    )
    assert pose[20:23] == pytest.approx((10 + x, 20 + y, z))
    assert pose[23] == pytest.approx(0.5)
    assert vehicle.uavTimeStmp == 50.5
    assert vehicle.uavPosGPS[4] == pytest.approx(-z)


def test_the_true_state_is_of_the_map(vehicle: Vehicle) -> None:
    vehicle.initSimpleModel([100, -50, 0])
    vehicle.SendMavArm(1)
    vehicle.MaxSpeed = 2.0
    vehicle.SendPosNED(0, 40, -5, 0)
    for i in range(301):
        vehicle.ModelStep(50.0 + 0.01 * i)
    assert vehicle.trueTimeStmp == vehicle.uavTimeStmp == pytest.approx(53.0)
    assert vehicle.trueVelNED == vehicle.uavVelNED
    assert vehicle.uavVelNED[1] == pytest.approx(2.0, abs=0.01)  # 20 without the limit
    assert vehicle.trueAngRate == vehicle.uavAngRate
    place = [100 + vehicle.uavPosNED[0], -50 + vehicle.uavPosNED[1], vehicle.truePosNED[2]]
    assert vehicle.uavGlobalPos == vehicle.truePosNED == pytest.approx(place)


def test_bytes_go_to_the_display(vehicle: Vehicle, inbox: Any) -> None:
    box = inbox(vehicle.ports.display)
    vehicle.sendBuf(b"abc", 0)
    assert box.get() == b"abc"


@pytest.mark.slow
def test_it_moves_by_itself_in_simulated_time(ports: Ports) -> None:
    with simulated_time():
        wing = Vehicle(1, 100, ports=ports)
        wing.initSimpleModel()
        wing.SendMavArm(1)
        wing.sendMavTakeOff(300, 0, -30)
        time.sleep(12)
        assert wing.uavVelNED[0] == pytest.approx(11, abs=2)  # 10 s at 1 m/s^2, then the climb
        wing.EndSimpleModel()
        wing.udp_socket.close()


def test_the_loop_of_a_script_moves_it(vehicle: Vehicle, eventually: Any) -> None:
    vehicle.updatefreq = 100
    vehicle.SendMavArm(1)
    vehicle.SendVelNED(0, 0, -3)
    thread = threading.Thread(target=vehicle.SimpleModelLoop)
    thread.start()
    eventually(lambda: vehicle.uavPosNED[2] < -0.01)
    vehicle.EndSimpleModel()
    thread.join(20)
    assert not thread.is_alive()


def test_console_commands(vehicle: Vehicle, inbox: Any) -> None:
    box = inbox(vehicle.ports.display)
    for length, layout in ((51, "i52s"), (52, "i252s"), (249, "i252s")):
        vehicle.sendUE4Cmd(b"x" * length, 0)
        assert box.get() == struct.pack(layout, 1234567890, b"x" * length)
    with pytest.raises(ValueError, match="249 bytes, got 250"):
        vehicle.sendUE4Cmd(b"x" * 250)


def test_commands_come_in(vehicle: Vehicle, inbox: Any, eventually: Any) -> None:
    box = inbox()
    vehicle.initSimpleModel()
    port = vehicle.ports.control
    box.send(command(9, 1), port)
    eventually(lambda: vehicle.isArmed)
    box.send(command(9, 0), port)
    eventually(lambda: not vehicle.isArmed)
    box.send(command(2, 1, 2, -3, 0.5), port)
    eventually(lambda: vehicle.CurFlag == 2)
    assert (vehicle.pos, vehicle.yaw, vehicle.isArmed) == ([1, 2, -3], 0.5, True)
    box.send(command(10, 3, 33), port)
    eventually(lambda: vehicle.CircleRadius == 33)
    assert vehicle.FwSpeedTrim == 5  # at least
    box.send(command(10, 0, 44), port)  # 0: not given
    eventually(lambda: vehicle.CircleRadius == 44)
    box.send(command(10, 9, 0), port)
    eventually(lambda: vehicle.FwSpeedTrim == 9)
    assert vehicle.CircleRadius == 44
    vehicle.SendCruiseSpeed(5)
    box.send(command(13, 12, -40, 1.5), port)  # speed, height, yaw
    eventually(lambda: vehicle.CurFlag == 13)
    assert (vehicle.vel, vehicle.pos) == ([1.5, 12, 0], [0, 0, -40])
    box.send(command(0, 1, 2, 3, 4), port)
    eventually(lambda: vehicle.CurFlag == 0)
    assert (vehicle.vel, vehicle.yawrate, vehicle.coordinate_frame) == ([1, 2, 3], 4, 1)
    box.send(command(1, 1, 2, 3, 4), port)
    eventually(lambda: vehicle.coordinate_frame == 8)


def test_a_repeated_take_off_is_one(vehicle: Vehicle, inbox: Any, eventually: Any) -> None:
    box = inbox()
    vehicle.initSimpleModel()
    port = vehicle.ports.control
    box.send(command(11, 300, 0, -50), port)
    eventually(lambda: vehicle.CurFlag == 10)
    vehicle.Step(40)
    assert vehicle.CurFlag == 121
    box.send(command(11, 300, 0, -50), port)
    box.send(command(12, 300, 0, -50), port)
    box.send(command(10, 20, 21), port)
    eventually(lambda: vehicle.CircleRadius == 21)
    assert vehicle.CurFlag == 121


def test_a_take_off_on_the_earth_comes_in(vehicle: Vehicle, inbox: Any, eventually: Any) -> None:
    box = inbox()
    vehicle.initSimpleModel(GPSOrigin=[0, 0, 0])
    box.send(command(12, 0, 0.01, 50), vehicle.ports.control)
    eventually(lambda: vehicle.CurFlag == 10)
    # a parallel at the equator: 1 deg is a pi / 180
    assert vehicle.CirclePosXYZ[1] == pytest.approx(6378137 * math.radians(0.01), rel=1e-4)
    assert vehicle.ClimbSlope == pytest.approx(math.radians(15))


def test_bad_bytes_change_nothing(vehicle: Vehicle, inbox: Any, eventually: Any) -> None:
    box = inbox()
    vehicle.initSimpleModel()
    port = vehicle.ports.control
    before = dict(vehicle.__dict__)
    bad = [
        b"",
        b"\xff" * 24,
        command(9, 1)[:-1],
        command(9, 1, checksum=1),
        command(2, math.nan),
        command(13, math.inf),
        command(77, 1),
    ]
    for data in bad:
        box.send(data, port)
    box.send(command(-1, 1), port)  # no command: accepted, ignored
    box.send(b"last", port)
    listener = vehicle._listener
    assert listener is not None
    eventually(lambda: listener.rejected == len(bad) + 1)
    assert vehicle.CurFlag == before["CurFlag"]
    assert not vehicle.isArmed
    box.send(command(9, 1), port)
    eventually(lambda: vehicle.isArmed)


def test_it_moves_in_real_time_and_stops_clean(ports: Ports, inbox: Any, eventually: Any) -> None:
    box = inbox(ports.control + 1)
    vehicle = Vehicle(1, 100, ports=ports)
    before = set(threading.enumerate())
    for _ in range(2):
        vehicle.initSimpleModel()
        vehicle.SendVelYawAlt(20, -20, 0)
        eventually(lambda: vehicle.uavPosNED[0] > 0.05)
        assert len(box.get()) == 52
        vehicle.EndSimpleModel()
        vehicle.EndSimpleModel()
        assert set(threading.enumerate()) <= before
    vehicle.udp_socket.close()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", ports.control))


def test_steps_without_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    vehicle = Vehicle()
    vehicle.udp_socket.close()
    vehicle.SendVelYawAlt(10, -10, 0)
    vehicle.Step(20)
    assert vehicle.uavVelNED == pytest.approx([10, 0, 0], abs=1e-6)


def test_a_long_pause_is_not_made_up_for(vehicle: Vehicle) -> None:
    vehicle.initSimpleModel()
    vehicle.SendVelYawAlt(10, -10, 0)
    vehicle.ModelStep(0.0)
    vehicle.ModelStep(1e9)
    assert 0 < vehicle.uavPosNED[0] < 10


def test_helpers(vehicle: Vehicle) -> None:
    assert vehicle.yawSat(4.0) == pytest.approx(4 - math.tau)
    assert (vehicle.sat(3, 2), vehicle.sat(-3, 2), vehicle.sat(0.5)) == (2, -2, 0.5)
    assert vehicle.fixedPitchFromVel(20) == pytest.approx(math.radians(2))
