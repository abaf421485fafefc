"""UE4CtrlAPI: packets byte by byte [@rfly-sdk], replies, errors."""

from __future__ import annotations

import inspect
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from pyrfly.ctrl import UnsupportedError
from pyrfly.rflysim.UE4CtrlAPI import (
    CameraData,
    CoptReqData,
    ObjReqData,
    UE4CtrlAPI,
    reqVeCrashData,
)
from pyrfly.transport import Ports

Window = tuple[UE4CtrlAPI, Any]


@pytest.fixture
def ue(ports: Ports, inbox: Any) -> Iterator[Window]:
    """Give a sender, and window 0 of RflySim3D."""
    client = UE4CtrlAPI(ports=ports)
    yield client, inbox(ports.display)
    client.endUE4MsgRec()
    client.udp_socket.close()


P, A, S, V, R = [1.5, -2.5, -3.0], [0.1, 0.2, 0.3], [1, 2, 3], [4.0, 5.0, 6.0], [0.5, 0.6, 0.7]
RPM = [100.0 * i for i in range(1, 9)]
F3 = struct.pack("<3f", *P) + struct.pack("<3f", *A)

# Lengths: 3.5 of the facts on RflySim.
PACKETS: list[tuple[Callable[[UE4CtrlAPI], None], bytes, int]] = [
    (
        lambda ue: ue.sendUE4Cmd("RflyChangeMapbyName City", 0),
        struct.pack("<i52s", 1234567890, b"RflyChangeMapbyName City"),
        56,
    ),
    (
        lambda ue: ue.sendUE4Cmd(b"x" * 60, 0),
        struct.pack("<i252s", 1234567890, b"x" * 60),
        256,
    ),
    (
        lambda ue: ue.sendUE4LabelID(3, "hello", 20, [1, 2, 3], 0),
        struct.pack("<6i2f120s", 1234567899, 3, 0, 1, 2, 3, 1.0, 20.0, b"hello"),
        152,
    ),
    (
        lambda ue: ue.sendUE4LabelMsg(2, "Höhe", 30, (255, 0, 9), 5, -1, 0),
        struct.pack("<6i2f120s", 1234567899, 2, -1, 255, 0, 9, 5.0, 30.0, "Höhe".encode()),
        152,
    ),
    (
        lambda ue: ue.sendUE4Attatch([1, 2], [3, 4], 1, 0),
        struct.pack(
            "<76i", 1234567892, 1, 2, *[0] * 23, 3, 4, *[0] * 23, 1, *[0] * 24
        ),
        304,
    ),
    (
        lambda ue: ue.sendUE4Pos(7, 3, 500, P, A, 0),
        struct.pack("<6i", 1234567891, 7, 3, 0, 0, 0)
        + struct.pack("<8f3f3f", *[500.0] * 8, 0, 0, 0, *A)
        + struct.pack("<4d", *P, -1),
        112,
    ),
    (
        lambda ue: ue.sendUE4Pos2Ground(7, 3, 500, P, A, 0),
        struct.pack("<3if", 1234567891, 7, 3, 500) + F3,
        40,
    ),
    (
        lambda ue: ue.sendUE4PosScale(7, 3, 500, P, A, S, 0),
        struct.pack("<3if", 1234567890, 7, 3, 500) + F3 + struct.pack("<3f", *S),
        52,
    ),
    (
        lambda ue: ue.sendUE4PosScale2Ground(7, 3, 500, P, A, S, 0),
        struct.pack("<3if", 1234567891, 7, 3, 500) + F3 + struct.pack("<3f", *S),
        52,
    ),
    (
        lambda ue: ue.sendUE4PosFull(7, 3, RPM, V, P, R, A, 0),
        struct.pack("<4i", 123456789, 7, 3, 0)
        + struct.pack("<3f3f4f8f3f3f", *V, *A, *[0] * 4, *RPM, *[0] * 3, *R)
        + struct.pack("<7d", -1, *P, 0, 0, 0),
        168,
    ),
    (
        lambda ue: ue.sendUE4PosSimple(7, 3, RPM, V, P, A, 12.5, 0),
        struct.pack("<3i8f", 1234567890, 7, 3, *RPM)
        + struct.pack("<9f", *P, *V, *A)
        + struct.pack("<d", 12.5),
        88,
    ),
    (
        lambda ue: ue.sendUE4PosNew(7, 3, P, A, V, RPM, 12.5, 0),
        struct.pack("<6i8f", 1234567891, 7, 3, 0, 0, 0, *RPM)
        + struct.pack("<6f4d", *V, *A, *P, 12.5),
        112,
    ),
    (
        lambda ue: ue.sendUE4PosScale100([7, 8], [3, 5], P, A, [500], 100 * np.ones(300), True, 0),
        struct.pack("<i2H", 1234567891, 7, 8)
        + bytes(2 * 98)
        + struct.pack("<2H", 3, 5)
        + bytes(2 * 98)
        + struct.pack("<3f", *P)
        + bytes(4 * 297)
        + struct.pack("<3f", *A)
        + bytes(4 * 297)
        + struct.pack("<300H", *[100] * 300)
        + struct.pack("<f", 500)
        + bytes(4 * 99),
        3804,
    ),
    (
        lambda ue: ue.sendUE4PosScalePwm20([7], [3], P, A, S, RPM, False, 0),
        struct.pack("<iH", 1234567890, 7)
        + bytes(2 * 19)
        + struct.pack("<H", 3)
        + bytes(2 * 19)
        + b"".join(struct.pack("<3f", *vector) + bytes(4 * 57) for vector in (P, A))
        + struct.pack("<3H", *S)
        + bytes(2 * 57)
        + struct.pack("<8f", *RPM)
        + bytes(4 * 152),
        1324,
    ),
    (
        lambda ue: ue.sendUE4SetStencilValueByActorName("Tree.*", 5, True, 0),
        struct.pack("<i52s", 1234567890, b"RflySetStencilValueByActorName Tree.* 5 True"),
        56,
    ),
    (
        lambda ue: ue.sendUE4SetStencilValueByMeshComponentName("A", 5, windowID=0),
        struct.pack("<i52s", 1234567890, b"RflySetStencilValueByMeshComponentName A 5 False"),
        56,
    ),
    (
        lambda ue: ue.sendUE4SetStencilValueByCopterID(2, 5, 0),
        struct.pack("<i52s", 1234567890, b"RflySetStencilValueByCopterID 2 5"),
        56,
    ),
    (
        lambda ue: ue.reqCam([4]),
        struct.pack("<i52s", 1234567890, b"RflyReqObjData 0 4 0"),
        56,
    ),
    (
        lambda ue: ue.reqCopt(2),
        struct.pack("<i52s", 1234567890, b"RflyReqObjData 1 2 0"),
        56,
    ),
    (
        lambda ue: ue.reqObj("Door"),
        struct.pack("<i52s", 1234567890, b"RflyReqObjData 2 Door 0"),
        56,
    ),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(PACKETS)))
def test_bytes(ue: Window, number: int) -> None:
    send, expected, length = PACKETS[number]
    client, window = ue
    send(client)
    assert len(expected) == length
    assert window.get() == expected


def test_further_actuators_carry_the_time_since_the_beginning(ue: Window) -> None:
    client, window = ue
    client.sendUE4ExtAct(7, list(range(16)), 0)
    packet = window.get()
    assert len(packet) == 144
    checksum, copter_id, seconds, *values = struct.unpack("<2id16d", packet)
    assert (checksum, copter_id, values) == (1234567894, 7, list(range(16)))
    assert 0 <= seconds <= time.time() - client.startTime


def test_commands_to_all_computers_go_to_the_group(
    ue: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = ue
    sent: list[tuple[bytes, tuple[str, int]]] = []
    monkeypatch.setattr(client, "udp_socket", Recorded(sent))
    client.sendUE4CmdNet("RflyClearCapture")
    expected = struct.pack("<i92s", 1234567897, b"RflyClearCapture")
    assert sent == [(expected, ("224.0.0.10", client.ports.display_group))]
    assert len(expected) == 96
    assert Ports().display_group == 20009


class Recorded:
    """A socket that keeps what is sent."""

    def __init__(self, sent: list[tuple[bytes, tuple[str, int]]]) -> None:
        self.sent = sent

    def sendto(self, packet: bytes, to: tuple[str, int]) -> None:
        self.sent.append((packet, to))

    def close(self) -> None:
        pass


def test_without_a_window_the_first_three_get_it(
    ue: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = ue
    sent: list[tuple[bytes, tuple[str, int]]] = []
    monkeypatch.setattr(client, "udp_socket", Recorded(sent))
    client.sendUE4Pos()
    first = client.ports.display
    assert [to for _, to in sent] == [(client.ip, first + i) for i in range(3)]
    assert Ports().display == 20010


BODY = tuple(float(i) for i in range(16))
REPLIES = [
    (
        struct.pack(
            "<4id29f20s", 1234567897, 3, 30, -2, 1.5, *map(float, range(29)), b"Wall\0x"
        ),
        lambda ue: ue.getUE4Data(3),
        reqVeCrashData,
        {
            "vehicleType": 30, "CrashType": -2, "runnedTime": 1.5, "VelE": [0, 1, 2],
            "PosE": [3, 4, 5], "CrashPos": [6, 7, 8], "targetPos": [9, 10, 11],
            "AngEuler": [12, 13, 14], "MotorRPMS": list(range(15, 23)),
            "ray": list(range(23, 29)), "CrashedName": "Wall",
        },
    ),
    (
        struct.pack("<2i16fd", 1234567891, 3, *BODY, 2.5),
        lambda ue: ue.getCamCoptObj(1, 3),
        CoptReqData,
        {"PosUE": [0, 1, 2], "angQuat": [6, 7, 8, 9], "BoxExtent": [13, 14, 15], "timestmp": 2.5},
    ),
    (
        struct.pack("<2i12fd", 1234567891, 3, *BODY[:12], 2.5),
        lambda ue: ue.getCamCoptObj(1, 3),
        CoptReqData,
        {"angEuler": [3, 4, 5], "angQuat": [0] * 4, "BoxExtent": [9, 10, 11], "timestmp": 2.5},
    ),
    (
        struct.pack("<2i16fd32s", 1234567891, 9, *BODY, 2.5, b"Door"),
        lambda ue: ue.getCamCoptObj(2, "Door"),
        ObjReqData,
        {"seqID": 9, "boxOrigin": [10, 11, 12], "timestmp": 2.5},
    ),
    (
        struct.pack("<2i12fd32s", 1234567891, 9, *BODY[:12], 2.5, b"Door"),
        lambda ue: ue.getCamCoptObj(2, "Door"),
        ObjReqData,
        {"boxOrigin": [6, 7, 8], "angQuat": [0] * 4},
    ),
    (
        struct.pack("<5i11fd", 1234567891, 4, 1, 480, 640, 90.0, *BODY[:10], 2.5),
        lambda ue: ue.getCamCoptObj(0, 4),
        CameraData,
        {"TypeID": 1, "DataHeight": 480, "DataWidth": 640, "CameraFOV": 90, "PosUE": [0, 1, 2]},
    ),
    (
        struct.pack("<5i7fd", 1234567891, 4, 1, 480, 640, 90.0, *BODY[:6], 2.5),
        lambda ue: ue.getCamCoptObj(0, 4),
        CameraData,
        {"angEuler": [3, 4, 5], "angQuat": [0] * 4, "timestmp": 2.5},
    ),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REPLIES)))
def test_replies(ue: Window, eventually: Any, number: int) -> None:
    data, get, kind, fields = REPLIES[number]
    client, box = ue
    assert client.stopFlagUE4
    client.initUE4MsgRec()
    assert get(client) == 0
    for wrong in (b"", data[:-1], b"\1" + data[1:]):
        box.send(wrong, client.ports.display_reply)
    for _ in range(2):  # the second replaces the first
        box.send(data, client.ports.display_reply)
    assert client.trueMsgEvent.wait(20)
    eventually(lambda: get(client))
    found = get(client)
    assert type(found) is kind
    assert {name: getattr(found, name) for name in fields} == fields
    every = client.inReqVect + client.CoptDataVect + client.ObjDataVect + client.CamDataVect
    assert len(every) == 1


def test_the_position_of_a_vehicle_is_listened_for(
    ue: Window, eventually: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, box = ue
    monkeypatch.setattr("pyrfly.rflysim.UE4CtrlAPI._REPLY_TIME", 0.05)
    assert client.getUE4Pos(3) == [0, 0, 0, 0]
    assert not client.stopFlagUE4
    box.send(REPLIES[0][0], client.ports.display_reply)
    eventually(lambda: client.getUE4Pos(3) == [3, 4, 5, 1])


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda ue: ue.sendUE4Cmd("x" * 250), ValueError, "at most 249 bytes, got 250"),
        (lambda ue: ue.sendUE4CmdNet("x" * 92), ValueError, "cmd: expected at most 91 bytes"),
        (lambda ue: ue.sendUE4LabelID(1, "x" * 120), ValueError, "Txt: expected at most 119"),
        (lambda ue: ue.sendUE4PosScale100([70000], 3, 0, 0, 0, 0), ValueError, "Multi3DData100"),
        (lambda ue: ue.sendUE4Pos(2**31), ValueError, "SOut2SimulatorSimpleTime"),
        (lambda ue: ue.reqCamCoptObj(3, 1), ValueError, "type_id: expected 0, 1 or 2, got 3"),
        (lambda ue: ue.reqObj([1]), TypeError, r"objName: .*got 1"),
        (lambda ue: ue.getCamCoptObj(1, "a"), TypeError, "objName: expected int with type_id 1"),
        (lambda ue: ue.SetUE4RadianceValue("Tree"), UnsupportedError, "sendUE4SetStencilValue"),
    ],
)
def test_errors(
    ue: Window, call: Callable[[UE4CtrlAPI], None], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        call(ue[0])


def test_every_sender_is_tested() -> None:
    senders = {
        name
        for name, _ in inspect.getmembers(UE4CtrlAPI, inspect.isfunction)
        if name.startswith(("sendUE4", "req"))
    }
    source = inspect.getsource(inspect.getmodule(test_bytes) or inspect)
    assert {name for name in senders if f".{name}(" not in source} == set()


def test_what_has_no_packet_does_nothing(ue: Window) -> None:
    api = ue[0]
    api.sendUE4Destroy(7)
    assert api.waitForMapLoaded("Grasslands")


@pytest.mark.parametrize("data", [[1, 2], (1, 2, 0, 4), np.array([[1, 2]]), [1, 2, 0]])
def test_lists_are_filled_up_or_cut(ue: Window, data: Any) -> None:
    assert ue[0].fillList(data, 3) == [1, 2, 0]
