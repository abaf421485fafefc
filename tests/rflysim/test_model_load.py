"""ModelLoad: a vehicle stepped from Python, its packets byte by byte, and its threads."""

from __future__ import annotations

import math
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pyrfly.rflysim.DllSimCtrlAPI import DllSimCtrlAPI, ModelLoad, MultiCopterDll
from pyrfly.rflysim.EarthModel import EarthModel
from pyrfly.transport import Ports


def command(mode: int, *controls: float) -> bytes:
    return struct.pack("2i4f", 1234567890, mode, *controls, *[0.0] * (4 - len(controls)))


@pytest.fixture
def model(ports: Ports) -> Iterator[ModelLoad]:
    model = MultiCopterDll(ports=ports)
    yield model
    model.DllDestroyModel()


@pytest.fixture
def driven(model: ModelLoad, inbox: Any) -> Callable[[bytes, int], None]:
    """Give a function that has the model take a datagram at one of its ports."""
    box = inbox()

    def drive(data: bytes, port: int) -> None:
        taken: list[int] = []
        listener = next(one for one in model._listeners if one.port == port)
        inner = listener._take

        def take(got: bytes, origin: Any) -> object:
            try:
                return inner(got, origin)
            finally:
                taken.append(1)

        listener._take = take
        box.send(data, port)
        for _ in range(500):
            if taken:
                break
            threading.Event().wait(0.01)
        listener._take = inner
        assert taken

    return drive


# --- stepping ---


def test_it_flies_to_a_target_from_its_start(ports: Ports) -> None:
    model = ModelLoad("x450", 3, LocX=10, LocY=-5, Yaw=90, ports=ports)
    assert model.InitPos == [10, -5, 0]
    assert model.InitAng == pytest.approx([0, 0, math.pi / 2])
    assert model.out3Ddata.AngEuler[2] == pytest.approx(math.pi / 2)
    model.SendPosNED(2, 3, -4, 0)
    model.ModelUpdate(8)
    assert model.out3Ddata.CopterID == 3
    assert model.out3Ddata.runnedTime == pytest.approx(8.001)
    assert model.out3Ddata.PosE == pytest.approx([12, -2, -4], abs=0.02)
    assert model.outHilData.localPos == pytest.approx([2, 3, -4], abs=0.02)
    assert model.outHilData.AngEular[2] == pytest.approx(0, abs=0.02)
    model.SendPosLocal(0, 0, -2, 0)
    model.ModelUpdate(8)
    assert model.outHilData.localPos == pytest.approx([0, 0, -2], abs=0.02)
    model.DllDestroyModel()


def test_velocities(model: ModelLoad) -> None:
    model.SendVelNED(0, 0, -2, 0.5)
    model.ModelUpdate(4)
    assert model.outHilData.localVel == pytest.approx([0, 0, -2], abs=0.05)
    yaw = model.outHilData.AngEular[2]
    model.SendVelFRD(1, 0, 0, 0)
    model.ModelUpdate(4)
    yaw = model.outHilData.AngEular[2]
    north, east, _ = model.outHilData.localVel
    assert math.atan2(east, north) == pytest.approx(yaw, abs=0.05)
    model.SendVelNEDNoYaw(0, -1, 0)
    model.ModelUpdate(4)
    assert model.outHilData.localVel == pytest.approx([0, -1, 0], abs=0.05)
    assert model.outHilData.AngEular[2] == pytest.approx(yaw, abs=0.05)


def test_no_time_is_lost_between_updates(model: ModelLoad) -> None:
    start = model.sim.time
    for _ in range(30):
        model.ModelUpdate(1 / 30)  # 33.3 steps
    assert model.sim.time - start == pytest.approx(1)
    model.ModelUpdate(0.29)  # 289.99999999999994 steps
    assert model.sim.time - start == pytest.approx(1.29)
    for bad in (-1, math.nan, math.inf):
        with pytest.raises(ValueError, match="step_time"):
            model.ModelUpdate(bad)


def test_outputs_are_the_same_objects(model: ModelLoad) -> None:
    vector, state, hil = model.out3Dvect, model.out3Ddata, model.outHilData
    model.SendVelNED(0, 0, -1)
    model.ModelUpdate(1)
    assert (model.out3Dvect, model.out3Ddata, model.outHilData) == (vector, state, hil)
    assert vector[6:9] == state.PosE
    assert model.outCopterVect[17] == 1


def test_the_place_on_the_earth(ports: Ports) -> None:
    model = MultiCopterDll(GpsOrin=[40.5, 116.25, 33.0], ports=ports)
    assert model.out3Ddata.PosGPS[:2] == pytest.approx([40.5, 116.25])
    assert model.outHilData.gpsHome == [405000000, 1162500000, 33000]
    lla = EarthModel().ned2lla([30, -40, 0], [40.5, 116.25, 33.0])
    model.CreateVehicle(LocX=lla[0], LocY=lla[1], useGPS=True, GpsOrin=[40.5, 116.25, 33.0])
    assert model.InitPos == pytest.approx([30, -40, 0], abs=1e-3)
    model.CreateVehicle(GpsOrin=[0, 116, 5])  # not given, as in RflySim
    assert model.GpsOrin == [40.1540302, 116.2593683, 50.0]
    model.DllDestroyModel()


def test_a_map_gives_ground_and_origin(
    ports: Ports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a slope to the north, 10 m on 100 m; a level is 1 cm
    Image.fromarray(np.array([[31768, 33768]] * 2, dtype=np.uint16)).save(tmp_path / "Slope.png")
    (tmp_path / "Slope.txt").write_text(
        "10000,10000,1000,-10000,-10000,-1000,10000,10000,1000,40.5,116.25,33"
    )
    monkeypatch.chdir(tmp_path)
    model = MultiCopterDll(MapName="Slope", LocX=20, ports=ports)
    assert model.InitPos == pytest.approx([20, 0, -2])
    assert model.GpsOrin == [40.5, 116.25, 33]
    model.ModelUpdate(1)
    assert model.out3Ddata.PosE[2] == pytest.approx(-2, abs=0.02)
    model.SendPosNED(30, 0, -10, 0)
    model.ModelUpdate(10)
    assert model.sim.terrain[0] == pytest.approx(-5, abs=0.01)
    model.DllDestroyModel()


def test_ground_of_ones_own_holds_until_a_model_update_ends(ports: Ports) -> None:
    model = ModelLoad("x450", ports=ports)
    ground = [-0.05, *[0.0] * 14]
    model.DllTerrainIn15d(ground)
    model.ModelUpdate(1)
    assert model.out3Ddata.PosE[2] == pytest.approx(-0.05, abs=0.03)
    assert model.sim.terrain[0] == 0
    model.ModelUpdate(1)
    assert model.out3Ddata.PosE[2] == pytest.approx(0, abs=0.01)
    model.DllTerrainIn15d(ground)
    for _ in range(1500):
        model.Dllstep()
    assert model.sim.pos[0, 2] == pytest.approx(-0.05, abs=0.03)
    model.DllDestroyModel()


# --- outputs ---


def test_the_state_of_168_bytes(model: ModelLoad, inbox: Any) -> None:
    display, truth = inbox(model.ports.display), inbox(model.ports.model + 1)
    model.SendVelNED(1, 0, -1)
    model.ModelUpdate(2)
    v = model.out3Dvect
    expected = struct.pack(
        "4i24f7d", 123456789, 1, 3, 0, *v[3:6], *v[9:30], v[2], *v[6:9], *v[30:33]
    )
    model.Send3DData()
    model.SendSimData()
    assert display.get() == expected
    assert truth.get() == expected
    assert model.port2 == truth.port


def test_outputs_can_be_updated_by_themselves(model: ModelLoad) -> None:
    model.SendVelNED(1, 0, -1)
    for _ in range(1000):
        model.Dllstep()
    model.Updata3Doutput()
    assert model.out3Ddata.runnedTime == pytest.approx(1.001)
    assert model.out3Ddata.VelE == model.out3Dvect[3:6]
    assert model.out3Ddata.VelE[2] < -0.5


def test_commands_can_be_refused_again(
    model: ModelLoad, driven: Callable[[bytes, int], None]
) -> None:
    model.StartExtCtrl()
    driven(command(9, 1), model.ports.control)
    model.StopExtCtrl()
    for port in (model.ports.control, model.ports.model):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.bind(("127.0.0.1", port))


def test_the_class_is_how_it_is_shown(ports: Ports, inbox: Any) -> None:
    display = inbox(ports.display)
    model = MultiCopterDll(1, 100, ports=ports)
    model.Send3DData()
    assert struct.unpack_from("3i", display.get(168)) == (123456789, 1, 100)
    model.DllDestroyModel()


def test_the_state_of_52_bytes(model: ModelLoad, inbox: Any) -> None:
    box = inbox(model.ports.control + 1)
    model.SendVelNED(1, 0, -1)
    model.ModelUpdate(2)
    model.SendHILData()
    hil = model.outHilData
    numbers = [*hil.AngEular, *hil.localPos, *hil.localVel]
    home = (401540302, 1162593683, 50000)
    assert box.get() == struct.pack("4i9f", 1234567890, *home, *numbers)


def test_its_own_outputs(model: ModelLoad, inbox: Any) -> None:
    box = inbox(model.ports.model + 1)
    model.ModelUpdate(0.1)
    assert model.SendOutCopter()
    assert box.get() == struct.pack("ii32d", 1234567890, 1, *model.outCopterVect)


def test_its_outputs_for_the_display_are_sent(
    model: ModelLoad, inbox: Any, eventually: Any
) -> None:
    display = inbox(model.ports.display)
    model.sim.enable_part("free_outputs")
    model.sim.display_outputs[:] = np.arange(16) + 0.5
    model.StartAutUpdate(100)
    packet = struct.unpack("<2id16d", display.get(144))
    assert packet[:2] == (1234567894, 1)
    assert packet[3:] == tuple(np.arange(16) + 0.5)


def test_the_display_is_told_map_and_speed(model: ModelLoad, inbox: Any) -> None:
    box = inbox(model.ports.display)
    model.simSpeed = 2.5
    model.SendUpdate3DMap(True)
    assert box.get() == struct.pack("i52s", 1234567890, b"RflyChangeMapbyName Grasslands")
    assert box.get() == struct.pack("i52s", 1234567890, b"RflySetSimSpeed 2.5")


# --- real time ---


def test_real_time(model: ModelLoad, inbox: Any, eventually: Any) -> None:
    truth, state = inbox(model.ports.model + 1), inbox(model.ports.control + 1)
    model.StartExtCtrl()
    model.SendVelNED(0, 0, -2)
    model.StartAutUpdate(100)
    assert model.isAutoUpdate
    eventually(lambda: model.outHilData.localPos[2] < -0.1)
    assert {len(truth.get(168)), len(truth.get(264)), len(state.get())} == {168, 264, 52}
    model.StopAutUpdate()
    assert not model.isAutoUpdate
    time = model.sim.time
    model.StopAutUpdate()
    assert model.sim.time == time


def test_faster_than_real_time(model: ModelLoad, eventually: Any) -> None:
    model.StartAutUpdate(50, 30)
    eventually(lambda: model.sim.time > 5)
    model.StopAutUpdate()
    with pytest.raises(ValueError, match="UpdateFreq"):
        model.StartAutUpdate(0)
    with pytest.raises(ValueError, match="speed"):
        model.StartAutUpdate(30, math.nan)


def test_threads_and_ports_are_given_back(ports: Ports) -> None:
    before = set(threading.enumerate())
    for _ in range(2):
        model = MultiCopterDll(ports=ports)
        model.StartExtCtrl()
        model.StartExtCtrl()
        model.StartAutUpdate()
        model.StartAutUpdate()
        model.DllDestroyModel()
        model.DllDestroyModel()
        assert set(threading.enumerate()) <= before
    for port in (ports.control, ports.model):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.bind(("127.0.0.1", port))


def test_a_taken_port_leaves_nothing_open(model: ModelLoad, inbox: Any) -> None:
    inbox(model.ports.model)
    with pytest.raises(OSError, match=str(model.ports.model)):
        model.StartExtCtrl()
    inbox(model.ports.control)
    assert not model.isSendExtData


# --- commands from outside ---


def test_set_points_of_24_bytes_arm_and_fly(
    model: ModelLoad, driven: Callable[[bytes, int], None]
) -> None:
    model.StartExtCtrl()
    port = model.ports.control
    driven(command(2, 2, 1, -5, 0.5), port)
    model.ModelUpdate(8)
    assert model.outHilData.localPos == pytest.approx([2, 1, -5], abs=0.02)
    driven(command(0, 1, 0, 0, 0), port)
    model.ModelUpdate(4)
    assert model.outHilData.localVel == pytest.approx([1, 0, 0], abs=0.05)
    driven(command(1, 0, 1, 0, 0), port)
    model.ModelUpdate(4)
    yaw = model.outHilData.AngEular[2]
    assert model.outHilData.localVel == pytest.approx([-math.sin(yaw), math.cos(yaw), 0], abs=0.05)


def test_further_commands_of_24_bytes(
    model: ModelLoad, driven: Callable[[bytes, int], None]
) -> None:
    model.StartExtCtrl()
    port = model.ports.control
    driven(command(11, 0, 0, -6), port)
    model.ModelUpdate(2)
    assert not model.sim.armed[0]
    driven(command(9, 1), port)
    model.ModelUpdate(10)
    assert model.outHilData.localPos[2] == pytest.approx(-6, abs=0.1)
    driven(command(3, 4, 0, 0, 0), port)
    model.ModelUpdate(8)
    assert model.outHilData.localPos[0] == pytest.approx(4, abs=0.1)
    driven(command(9, 0), port)
    model.ModelUpdate(0.1)
    assert not model.sim.armed[0]


def test_speed_limit_global_take_off_and_speed_with_height(model: ModelLoad) -> None:
    here = ("127.0.0.1", 9)
    model._take_command(command(10, 3.5), here)
    assert model.sim.speed_limit[0] == 3.5
    model._take_command(command(9, 1), here)
    model._take_command(command(12, 40.1540302, 116.2593683, 60), here)
    model.ModelUpdate(12)
    assert model.outHilData.localPos[2] == pytest.approx(-10, abs=0.1)
    model._take_command(command(13, 2, -10, math.pi / 2), here)
    model.ModelUpdate(6)
    assert model.outHilData.localVel == pytest.approx([0, 2, 0], abs=0.05)


def test_the_full_message_of_120_bytes(
    model: ModelLoad, driven: Callable[[bytes, int], None]
) -> None:
    model.StartExtCtrl()
    driven(command(9, 1), model.ports.control)
    mask = 7 << 3 | 7 << 6 | 1 << 9 | 1 << 11  # position and yaw hold
    controls = [3, 0, -4, *[0] * 6, 1.0, *[0] * 6]
    data = struct.pack("2i4I16f32x", 3, 80, 0, 1, mask, 1, *controls)
    driven(data, model.ports.control)
    model.ModelUpdate(10)
    assert model.outHilData.localPos == pytest.approx([3, 0, -4], abs=0.05)
    assert model.outHilData.AngEular[2] == pytest.approx(1, abs=0.02)


def test_model_inputs_from_the_senders(model: ModelLoad, inbox: Any, eventually: Any) -> None:
    model.StartExtCtrl()
    dll = DllSimCtrlAPI(ports=model.ports)
    dll.sendSILIntFloat([7, 2], [0, 0, 0, 0, 0, -1])
    eventually(lambda: model.sim.armed[0])
    dll.sendInDoubCtrls([7, 2, *[0] * 6, 0, 0, 0, 0, 0, -2])
    eventually(lambda: model.sim.sil_floats[0, 5] == -2)
    dll.sendFloatsColl(0.5, [1, 2, 3], [4, 5, 6, 7, 8, 9], [10, 11, 12], 1)
    eventually(lambda: model.inFloatsCollision[0])
    expected = [12345, 0, 0.5, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9, *[0] * 5]
    assert model.inFloatsCollision == expected
    dll.sendColl20d([12345, 7, 1])
    eventually(lambda: model.inFloatsCollision[1] == 7)
    model.ModelUpdate(0.01)
    assert model.sim.crash_id[0] == 7
    dll.sendSILIntFloat([123450], [0.5, 1, 1, 1])
    eventually(lambda: model.sim.faults.enabled)
    dll.sendSILIntFloat([3, 2], [0] * 20)
    eventually(lambda: not model.sim.armed[0])
    dll.udp_socket.close()


def test_bad_bytes_change_nothing(model: ModelLoad, inbox: Any, eventually: Any) -> None:
    box = inbox()
    model.StartExtCtrl()
    before = model.sim.hash()
    nan = [math.nan] * 28
    bad = {
        model.ports.control: [
            *(b"", b"x" * 24, b"\xff" * 120, command(5), command(99)),
            command(0, math.nan, math.inf, -1),
        ],
        model.ports.model: [
            b"",
            b"x" * 120,
            b"\xff" * 232,
            struct.pack("2i28d", 1234567897, 1, *nan),
            struct.pack("2i28d", 1234567897, 1, 1e300, *nan[1:]),
            struct.pack("2i28d", 1234567897, 1, math.inf, *nan[1:]),
        ],
    }
    for listener in model._listeners:
        for data in bad[listener.port]:
            box.send(data, listener.port)
        eventually(lambda listener=listener: listener.rejected == 6)
    assert model.sim.hash() == before


@pytest.mark.parametrize(
    ("take", "data"),
    [
        ("_take_command", struct.pack("2i4I16f32x", 3, 80, 0, 2, 0, 1, *[1.0] * 16)),
        ("_take_input", struct.pack("2i28d", 1234567897, 2, 7, 1, *[0] * 26)),
    ],
)
def test_packets_for_other_vehicles_are_dropped(model: ModelLoad, take: str, data: bytes) -> None:
    before = model.sim.hash()
    with pytest.raises(ValueError, match="bad_id"):
        getattr(model, take)(data, ("127.0.0.1", 9))
    assert model.sim.hash() == before


def test_another_computer_does_not_command(
    model: ModelLoad, other_computer: str, eventually: Any
) -> None:
    model.StartExtCtrl()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.bind((other_computer, 0))
        out.sendto(command(2, 2, 1, -5, 0.5), ("127.0.0.1", model.ports.control))
        out.sendto(b"?", ("127.0.0.1", model.ports.model))
    eventually(lambda: [one.rejected for one in model._listeners] == [1, 1])
    model.ModelUpdate(2)
    assert model.outHilData.localPos == pytest.approx([0, 0, 0], abs=0.02)
