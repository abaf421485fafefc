"""DllSimCtrlAPI with vehicles of this process: no packet is lost without a word."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator

import pytest

from pyrfly.ctrl import background
from pyrfly.ctrl.background import RealTimeWorld
from pyrfly.errors import CommandWarning
from pyrfly.protocol.synthesis import BASE, Command, Offboard
from pyrfly.rflysim.DllSimCtrlAPI import DllSimCtrlAPI
from pyrfly.rflysim.PX4MavCtrlV4 import PX4MavCtrler
from pyrfly.rflysim.stepped import simulated_time
from pyrfly.transport import Ports

FLY = [int(BASE | Command.ARMED | Command.POSITION), int(Offboard.POSITION)]


@pytest.fixture
def dll() -> Iterator[DllSimCtrlAPI]:
    with simulated_time():
        found = DllSimCtrlAPI(1)
        yield found
        found.EndTrueDataLoop()
        found.udp_socket.close()


@pytest.mark.parametrize(
    "send",
    [
        lambda dll: dll.sendSILIntFloat(FLY, [2, 1, -4], copterID=3),
        lambda dll: dll.sendSILIntDouble(FLY, [2, 1, -4], 3),
        lambda dll: dll.sendInDoubCtrls([*FLY, *[0] * 6, 2, 1, -4], 3),
    ],
    ids=["floats", "doubles", "28 doubles"],
)
def test_inputs_fly_a_vehicle(dll: DllSimCtrlAPI, send: Callable[[DllSimCtrlAPI], None]) -> None:
    mav = PX4MavCtrler(3)
    send(dll)
    time.sleep(8)
    assert mav.truePosNED == pytest.approx([2, 1, -4], abs=0.05)


def test_the_true_state_follows_the_vehicle_and_so_does_a_loop_that_waits_for_it(
    dll: DllSimCtrlAPI,
) -> None:
    dll.InitTrueDataLoop(2)
    assert dll.out3Ddata.CopterID == 2
    assert dll.out3Ddata.PosE == pytest.approx([0, 2, 0], abs=0.01)
    dll.sendSILIntFloat(FLY, [0, 2, -4], copterID=2)
    while dll.out3Ddata.PosE[2] > -3.9:
        pass
    time.sleep(2)
    assert dll.out3Ddata.PosE == pytest.approx([0, 2, -4], abs=0.1)
    assert dll.out3Ddata.runnedTime == pytest.approx(time.monotonic(), abs=0.011)
    assert dll.outCopterVect[17] == 1  # armed
    dll.EndTrueDataLoop()
    last = dll.out3Ddata.runnedTime
    time.sleep(1)
    assert dll.out3Ddata.runnedTime == last


def test_ground_below_a_vehicle_moves_it(dll: DllSimCtrlAPI) -> None:
    mav = PX4MavCtrler(1)
    dll.sendTerrIn15d([-3.0])
    time.sleep(0.1)
    assert mav.truePosNED[2] == pytest.approx(-3, abs=0.01)


def test_a_moving_object_below_a_vehicle_carries_it(dll: DllSimCtrlAPI) -> None:
    mav = PX4MavCtrler(1)
    before, _, _ = mav.truePosNED
    for k in range(10):
        dll.sendTerrIn15d([0.0] * 6 + [1.0, 1.0, 0.0, 0.05 * k])
        time.sleep(0.1)
    assert mav.truePosNED[0] - before > 0.3
    assert mav.trueAngEular[2] > 0.1


@pytest.mark.parametrize(
    ("send", "message"),
    [
        (lambda dll: dll.sendModelInParams(1, [1]), "FaultInParams 1: what has this noise is not"),
        (lambda dll: dll.sendInCtrlExt([1]), "inCtrlExt1: CopterID 1 is simulated in this process"),
        (
            lambda dll: dll.sendSILIntFloat([0, 123452]),
            r"123452 \(battery time\): .* has no battery",
        ),
        (lambda dll: dll.sendInCtrlExt([123452]), r"123452 \(battery time\): .* has no battery"),
    ],
)
def test_what_has_no_effect_warns(
    dll: DllSimCtrlAPI, send: Callable[[DllSimCtrlAPI], None], message: str
) -> None:
    with pytest.warns(CommandWarning, match=message) as said:
        send(dll)
    assert said[0].filename == __file__


@pytest.mark.parametrize("send", ["sendSILIntFloat", "sendInCtrlExt"])
def test_faults_act(dll: DllSimCtrlAPI, send: str) -> None:
    mav = PX4MavCtrler(1)
    getattr(dll, send)([123450, 123450], [1, 0.5, 1, 0.25])
    time.sleep(0.1)
    assert mav.sim.command_factor[0, :4].tolist() == [1, 0.5, 1, 0.25]


def test_parameters_by_number_act(dll: DllSimCtrlAPI) -> None:
    mav = PX4MavCtrler(1)
    before = mav.sim.mass[0]
    dll.sendInitInParams(1, [1.25 * before])
    dll.sendDynModiParams(1, [1.5 * before])
    time.sleep(0.1)
    assert mav.sim.mass[0] == 1.5 * before
    assert mav.sim.init_in_pending[0] == 1


def test_numbers_of_the_3d_view_reach_the_vehicle(dll: DllSimCtrlAPI) -> None:
    mav = PX4MavCtrler(2)
    dll.sendUE2Coptersim(list(range(32)), 2)
    assert mav.sim.scene_inputs[0].tolist() == list(range(32))


def test_numbers_that_are_not_finite_are_refused(dll: DllSimCtrlAPI) -> None:
    with pytest.raises(ValueError, match="PX4SILIntFloat: expected finite numbers"):
        dll.sendSILIntFloat(FLY, [float("inf"), 0, 0])


def test_without_a_server_the_vehicle_is_in_the_background(
    ports: Ports, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    world = RealTimeWorld()
    monkeypatch.setattr(background, "_real_time", world)
    dll = DllSimCtrlAPI(1, ports=ports)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dll.sendSILIntFloat(FLY, [0, 0, -4])
    assert "no server for CopterID 1" in capfd.readouterr().err
    dll.InitTrueDataLoop()
    end = time.monotonic() + 60
    while dll.out3Ddata.PosE[2] > -1:
        assert time.monotonic() < end
        time.sleep(0.02)
    dll.EndTrueDataLoop()
    dll.udp_socket.close()
    world.stop()


def test_what_is_stored_acts_with_the_last(dll: DllSimCtrlAPI) -> None:
    mav = PX4MavCtrler(1)
    dll.sendInCtrlExtDoub([123450, 123450, *[0] * 6, 1, 0.5, 1, 1], 1, update=False)
    assert mav.sim.faults.list(1) == ()
    dll.sendInCtrlExtDoub([123459, 123459, *[0] * 6, 3, 0, 0], 2)
    assert {fault.kind for fault in mav.sim.faults.list(1)} == {"motor", "wind"}
