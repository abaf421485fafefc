"""DllSimCtrlAPI: its datagrams byte by byte, and its true-state loop."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from pyrfly.ctrl.data3d import Data3D
from pyrfly.rflysim.dll_senders import DllSimCtrlAPI
from pyrfly.transport import Ports

INTS = list(range(1, 9))
FLOATS = [0.5 * i for i in range(20)]


@pytest.fixture
def wired(ports: Ports, inbox: Any) -> Iterator[tuple[DllSimCtrlAPI, Any]]:
    box = inbox(ports.model)
    dll = DllSimCtrlAPI(1, ports=ports)
    yield dll, box
    dll.EndTrueDataLoop()
    dll.udp_socket.close()


# name, arguments, what struct makes of the published format (native alignment, as there)
PACKETS: list[tuple[str, tuple[Any, ...], bytes]] = [
    ("sendSILIntFloat", (INTS, FLOATS), struct.pack("10i20f", 1234567897, 1, *INTS, *FLOATS)),
    ("sendSILIntFloat", (), struct.pack("10i20f", 1234567897, 1, *[0] * 28)),
    ("sendSILIntDouble", (INTS, FLOATS), struct.pack("2i28d", 1234567897, 1, *INTS, *FLOATS)),
    ("sendInDoubCtrls", (range(28),), struct.pack("2i28d", 1234567897, 1, *range(28))),
    ("sendInCtrlExt", (INTS, FLOATS, 4), struct.pack("10i20f", 1234567804, 1, *INTS, *FLOATS)),
    ("sendInCtrlExtDoub", (range(28), 5), struct.pack("2i28d", 1234567805, 1, *range(28))),
    (
        "sendInCtrlExtDoub",
        (range(28), 2, -1, False),
        struct.pack("2i28d", 1234567902, 1, *range(28)),
    ),
    ("sendModelInParams", (5, range(32)), struct.pack("iI32d", 1234567891, 5, *range(32))),
    (
        "sendInitInParams",
        (1 << 31, range(32)),
        struct.pack("iI32d", 1234567892, 1 << 31, *range(32)),
    ),
    (
        "sendDynModiParams",
        (1 << 63, range(64)),
        struct.pack("iiQ64d", 1234567893, 1, 1 << 63, *range(64)),
    ),
    ("sendUE2Coptersim", (range(32),), struct.pack("ii32d", 1234567899, 1, *range(32))),
    (
        "sendFloatsColl",
        (0.5, [1, 2, 3], [4, 5, 6, 7, 8, 9], [10, 11, 12]),
        struct.pack("ii13f", 1234567890, 1, 0.5, *range(1, 13)),
    ),
    ("sendColl20d", (range(20),), struct.pack("ii20f", 1234567880, 1, *range(20))),
    ("sendTerrIn15d", (range(15),), struct.pack("ii20f", 1234567881, 1, *range(15), *[0] * 5)),
    ("sendTerrIn15d", (-3.5,), struct.pack("ii20f", 1234567881, 1, -3.5, *[0] * 19)),
]


@pytest.mark.parametrize(("method", "arguments", "expected"), PACKETS)
def test_bytes(
    wired: tuple[DllSimCtrlAPI, Any], method: str, arguments: tuple[Any, ...], expected: bytes
) -> None:
    dll, box = wired
    getattr(dll, method)(*arguments)
    assert box.get() == expected


def test_another_vehicle_by_port_and_by_id(ports: Ports, inbox: Any) -> None:
    box = inbox()
    # CopterID 3 has the port 4 above the first
    dll = DllSimCtrlAPI(7, ports=ports._replace(model=box.port - 4))
    for send in (dll.sendSILIntFloat, dll.sendColl20d, dll.sendTerrIn15d, dll.sendDynModiParams):
        send(copterID=3)
        assert struct.unpack_from("2i", box.get())[1] == 3
    dll.udp_socket.close()


def test_the_senders_where_the_vendor_packs_minus_one_send_their_own_id(
    ports: Ports, inbox: Any
) -> None:
    box = inbox()
    dll = DllSimCtrlAPI(2, ports=ports._replace(model=box.port - 2))
    for send in (dll.sendColl20d, dll.sendTerrIn15d, dll.sendDynModiParams):
        send()
        assert struct.unpack_from("2i", box.get())[1] == 2
    dll.udp_socket.close()


def test_all_five_extra_inputs_apply_with_the_last(wired: tuple[DllSimCtrlAPI, Any]) -> None:
    dll, box = wired
    dll.sendInCtrlExtAll(np.arange(140))
    for i in range(5):
        checksum = 1234567801 + i + (100 if i < 4 else 0)
        numbers = range(28 * i, 28 * (i + 1))
        assert box.get() == struct.pack("2i28d", checksum, 1, *numbers)


def test_a_short_vector_needs_fewer_extra_inputs(wired: tuple[DllSimCtrlAPI, Any]) -> None:
    dll, box = wired
    dll.sendInCtrlExtAll([1.0] * 29)
    assert struct.unpack_from("i", box.get())[0] == 1234567901
    assert box.get() == struct.pack("2i28d", 1234567802, 1, 1, *[0] * 27)


def test_custom_data(wired: tuple[DllSimCtrlAPI, Any], inbox: Any) -> None:
    dll, _ = wired
    box = inbox()
    dll.sendCustomData(4, np.arange(3), port=box.port)
    assert box.get() == struct.pack("ii16d", 123456, 4, 0, 1, 2, *[0] * 13)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([1, 2], [1, 2, 0]),
        ((1, 2, 3, 4), [1, 2, 3]),
        (5.5, [5.5, 0, 0]),
        (np.array([[1, 2], [3, 4]]), [1, 2, 3]),
        (np.float64(2), [2, 0, 0]),
        ([], [0, 0, 0]),
    ],
)
def test_lists_are_cut_or_filled(data: Any, expected: list[float]) -> None:
    dll = DllSimCtrlAPI()
    assert dll.fillList(data, 3) == expected
    dll.udp_socket.close()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: d.fillList([1], 65537), "inLen: expected 0 to 65536, got 65537"),
        (lambda d: d.fillList(np.ones(3), 10**30), "inLen: expected 0 to 65536"),
        (lambda d: d.sendSILIntFloat([0.5]), "PX4SILIntFloat"),
        (lambda d: d.sendSILIntFloat([1 << 40]), "PX4SILIntFloat"),
        (lambda d: d.sendSILIntFloat([0], [1e300]), "PX4SILIntFloat"),
        (lambda d: d.sendInDoubCtrls(["x"]), "DllInDoubCtrls"),
        (lambda d: d.sendInCtrlExt(iDxNum=6), r"iDxNum: expected 1 to 5, got 6"),
        (lambda d: d.sendInCtrlExtDoub(iDxNum=0), "iDxNum"),
        (lambda d: d.sendModelInParams(1 << 32, [0]), "Bitmask"),
        (lambda d: d.sendSILIntFloat(copterID=100_000), "CopterID"),
    ],
)
def test_bad_arguments(call: Callable[[DllSimCtrlAPI], None], message: str) -> None:
    dll = DllSimCtrlAPI()
    with pytest.raises(ValueError, match=message):
        call(dll)
    dll.udp_socket.close()


def test_a_copter_id_has_a_port() -> None:
    with pytest.raises(ValueError, match=r"CopterID: expected 1 to 17718, got 0"):
        DllSimCtrlAPI(0)


# --- true state ---

TRUTH = struct.pack(
    "4i24f7d", 123456789, 5, 3, 0, *range(1, 25), 2.5, 10.0, 20.0, -30.0, 40.25, 116.5, 60.0
)


def test_the_true_state_arrives(wired: tuple[DllSimCtrlAPI, Any], eventually: Any) -> None:
    dll, box = wired
    dll.InitTrueDataLoop()
    box.send(TRUTH, dll.ports.model + 1)
    eventually(lambda: dll.out3Ddata.runnedTime == 2.5)
    state = dll.out3Ddata
    assert (state.CopterID, state.vehicleType) == (5, 3)
    assert state.VelE == [1, 2, 3]
    assert state.AngEuler == [4, 5, 6]
    assert state.AngQuatern == [7, 8, 9, 10]
    assert state.MotorRPMS == list(range(11, 19))
    assert (state.AccB, state.RateB) == ([19, 20, 21], [22, 23, 24])
    assert (state.PosE, state.PosGPS) == ([10, 20, -30], [40.25, 116.5, 60])

    vect = dll.outCopterVect
    box.send(struct.pack("ii32d", 1234567890, 5, *range(32)), dll.ports.model + 1)
    eventually(lambda: dll.outCopterVect[31] == 31)
    assert dll.outCopterVect is vect  # a script may hold on to it


def test_bad_bytes_change_nothing_and_do_not_end_the_loop(
    wired: tuple[DllSimCtrlAPI, Any], eventually: Any
) -> None:
    dll, box = wired
    dll.InitTrueDataLoop()
    port = dll.ports.model + 1
    bad = [b"", b"x", TRUTH[:-1], TRUTH + b"x", b"\xff" * 168, b"\xff" * 264, bytes(168)]
    for data in bad:
        box.send(data, port)
    listener = dll._listener
    assert listener is not None
    eventually(lambda: listener.rejected == len(bad))
    assert dll.out3Ddata.runnedTime == 0
    box.send(TRUTH, port)
    eventually(lambda: dll.out3Ddata.runnedTime == 2.5)


def test_the_loop_ends_and_begins_again(wired: tuple[DllSimCtrlAPI, Any]) -> None:
    dll, _ = wired
    dll.EndTrueDataLoop()
    for _ in range(3):
        dll.InitTrueDataLoop()
        dll.InitTrueDataLoop()
        dll.EndTrueDataLoop()
        dll.EndTrueDataLoop()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", dll.ports.model + 1))


def test_a_taken_port_is_named(wired: tuple[DllSimCtrlAPI, Any], inbox: Any) -> None:
    dll, _ = wired
    inbox(dll.ports.model + 1)
    with pytest.raises(OSError, match=str(dll.ports.model + 1)):
        dll.InitTrueDataLoop()


def test_vehicle_info_of_60_numbers() -> None:
    state = Data3D(list(range(60)))
    assert (state.CopterID, state.vehicleType, state.runnedTime) == (0, 1, 2)
    assert (state.VelE, state.PosE, state.AngEuler) == ([3, 4, 5], [6, 7, 8], [9, 10, 11])
    assert state.AngQuatern == [12, 13, 14, 15]
    assert state.MotorRPMS == list(range(16, 24))
    assert (state.AccB, state.RateB) == ([24, 25, 26], [27, 28, 29])
    assert (state.PosGPS, state.reserved) == ([30, 31, 32], list(range(33, 60)))
    state.update([0.0] * 60, 7, 100)
    assert (state.CopterID, state.vehicleType) == (7, 100)
    assert Data3D().AngQuatern == [1, 0, 0, 0]
    with pytest.raises(ValueError, match="60 numbers"):
        Data3D([1, 2])
    with pytest.raises(ValueError, match="35 numbers"):
        state.updateUdp([1, 2])
