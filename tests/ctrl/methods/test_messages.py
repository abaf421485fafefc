"""Messages to and from one vehicle."""

from __future__ import annotations

import math
import socket
import struct
import threading
from typing import Any

import pytest

from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.ctrl.methods import messages
from pyrfly.sim import Sim


def bound() -> socket.socket:
    """Return a socket on a free port."""
    heard = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    heard.bind(("127.0.0.1", 0))
    heard.settimeout(5.0)
    return heard


class TestPorts:
    """sendSILIntFloat and sendUDPSimpData."""

    def test_inputs_fly_the_vehicle(self, controlled: Any) -> None:
        sim, mav = controlled(pos=(5.0, 0.0, 0.0))
        enable, sil, armed, position = 1, 2, 4, 1 << 9
        floats = [0.0] * 20
        floats[:3], floats[11] = [3.0, 1.0, -4.0], 0.5
        mav.sendSILIntFloat([enable | sil | armed | position, 1 | 8, *[0] * 6], floats)
        sim.sleep(7)
        assert mav.truePosNED == pytest.approx([3.0, 1.0, -4.0], abs=0.02)
        assert mav.uavAngEular[2] == pytest.approx(0.5, abs=0.02)

    def test_another_vehicle_can_be_meant(self) -> None:
        sim = Sim("x450", 3)
        mav = PX4MavCtrler(1, sim=sim)
        mav.InitMavLoop()
        mav.sendSILIntFloat([7, *[0] * 7], [0.0] * 20, 3)
        assert sim.armed.tolist() == [0, 0, 1]
        with pytest.raises(ValueError, match="copterID: expected 1 to 3, got 4"):
            mav.sendSILIntFloat(copterID=4)

    def test_integers_may_have_all_32_bits(self, controlled: Any) -> None:
        sim, mav = controlled()
        mav.sendSILIntFloat([0xFFFFFFFE, -1, *[0] * 6])
        assert sim.sil_ints[0, 1] == 0xFFFFFFFF

    @pytest.mark.parametrize(
        ("ints", "floats", "message"),
        [
            ([1] * 7, [0.0] * 20, "inSILInts: expected 8 integers"),
            ([1.5] * 8, [0.0] * 20, "inSILInts: expected 8 integers"),
            ([1] * 8, [0.0] * 19, "inSILFLoats: expected 20 numbers"),
            ([1] * 8, ["a"] * 20, "inSILFLoats: expected 20 numbers"),
        ],
    )
    def test_bad_inputs_are_refused(
        self, controlled: Any, ints: Any, floats: Any, message: str
    ) -> None:
        _, mav = controlled()
        with pytest.raises(TypeError, match=message):
            mav.sendSILIntFloat(ints, floats)

    def test_a_flight_by_short_messages(self, controlled: Any) -> None:
        sim, mav = controlled()
        mav.sendUDPSimpData(9, [1, 0, 0, 0])
        assert mav.isArmed
        mav.sendUDPSimpData(11, [1, 2, -4, 0])
        sim.sleep(8)
        assert mav.uavPosNED == pytest.approx([1.0, 2.0, -4.0], abs=0.02)
        mav.sendUDPSimpData(2, [0, 0, -5, 0.4])
        sim.sleep(6)
        assert mav.uavPosNED == pytest.approx([0.0, 0.0, -5.0], abs=0.02)
        mav.sendUDPSimpData(1, [1, 0, 0, 0])
        sim.sleep(4)
        assert mav.uavVelNED[0] == pytest.approx(math.cos(0.4), abs=0.03)
        mav.sendUDPSimpData(13, [2, -6, 0, 0])
        sim.sleep(5)
        assert mav.uavVelNED[0] == pytest.approx(2.0, abs=0.05)
        mav.sendUDPSimpData(10, [1.5, 0, 0, 0])
        mav.sendUDPSimpData(10, [0, 30, 0, 0])  # a radius alone
        assert mav.MaxSpeed == 1.5
        before = sim.hash()
        mav.sendUDPSimpData(-1, [1, 2, 3, 4])
        assert sim.hash() == before
        with pytest.raises(ValueError, match="ctrlMode: expected one of"):
            mav.sendUDPSimpData(77, [0] * 4)

    def test_a_heading_of_a_short_message_may_be_nan(self, offboard: Any) -> None:
        sim, mav = offboard(yaw=0.5)
        mav.sendUDPSimpData(2, [3, 0, -10, math.nan])
        sim.sleep(6)
        assert mav.uavPosNED == pytest.approx([3.0, 0.0, -10.0], abs=0.02)
        assert mav.uavAngEular[2] == pytest.approx(0.5, abs=0.02)
        with pytest.raises(ValueError, match="ctrls: expected finite numbers"):
            mav.sendUDPSimpData(4, [math.nan, 0, 0, 0.6])
        with pytest.raises(TypeError, match="ctrls"):
            mav.sendUDPSimpData(2, ["a", 0, 0, 0])


def test_reboot_puts_the_vehicle_back(offboard: Any) -> None:
    sim, mav = offboard(3.0, pos=(7.0, 8.0, 0.0))
    time = sim.time
    mav.sendRebootPix(1)
    assert mav.truePosNED == [7.0, 8.0, 0.0]
    assert not mav.isArmed
    assert sim.time == time


def test_point_mass_model_is_the_vehicle_at_its_position(controlled: Any) -> None:
    sim, mav = controlled()
    mav.initPointMassModel(-5.0, [3, 4, 90])
    assert mav.connected
    assert mav.truePosNED == [3.0, 4.0, -5.0]
    assert math.degrees(mav.trueAngEular[2]) == pytest.approx(90)
    mav.initOffboard()
    mav.SendVelNED(0, 0, -1, 0)
    sim.sleep(4)
    assert mav.uavPosNED[2] < -2.0
    mav.EndPointMassModel()
    assert not mav.connected


class TestSending:
    """Messages to other programs, byte by byte."""

    def test_custom_data(self) -> None:
        mav = PX4MavCtrler(1, sim=Sim("x450"))
        with bound() as heard:
            mav.sendCustomData(4, list(range(16)), port=heard.getsockname()[1])
            packet = heard.recv(1000)
        assert packet == struct.pack("<ii16d", 123456, 4, *range(16))

    def test_pose_for_the_view(self, monkeypatch: pytest.MonkeyPatch) -> None:
        mav = PX4MavCtrler(1, sim=Sim("x450"))
        sent: list[tuple[bytes, str, int]] = []
        monkeypatch.setattr(
            PX4MavCtrler, "_post", staticmethod(lambda *packet: sent.append(packet))
        )
        mav.sendUE4PosNew(2, 3, [1, 2, 3], [4, 5, 6], [7, 8, 9], [10] * 8, 11.0)
        head = (1234567891, 2, 3, 0, 0, 0, *[10] * 8, 7, 8, 9, 4, 5, 6, 1, 2, 3, 11.0)
        packet = struct.pack("<6i14f4d", *head)
        assert sent == [(packet, "127.0.0.1", 20010 + window) for window in range(3)]
        sent.clear()
        mav.sendUE4PosNew(windowID=1)
        assert [port for _, _, port in sent] == [20011]

    def test_start_signal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        mav = PX4MavCtrler(1, sim=Sim("x450"))
        sent: list[tuple[bytes, str, int]] = []
        monkeypatch.setattr(
            PX4MavCtrler, "_post", staticmethod(lambda *packet: sent.append(packet))
        )
        mav.sendStartMsg(5)
        assert sent == [(struct.pack("<3i", 1234567890, 1, 5), "224.0.0.10", 20007)]

    def test_start_signal_is_waited_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with bound() as probe:
            port = probe.getsockname()[1]
        monkeypatch.setattr(messages, "START_PORT", port)
        mav = PX4MavCtrler(2, sim=Sim("x450", 2))
        waiting = threading.Thread(target=mav.waitForStartMsg, daemon=True)
        waiting.start()
        signals = [(1234567890, 1, 1), (1234567890, 0, 2), (5, 1, 2), (1234567890, 1, 2)]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            for signal in signals[:-1] * 3:
                out.sendto(struct.pack("<3i", *signal), ("127.0.0.1", port))
                waiting.join(0.02)
                assert waiting.is_alive()
            while waiting.is_alive():
                out.sendto(struct.pack("<3i", *signals[-1]), ("127.0.0.1", port))
                waiting.join(0.02)

    def test_raw_bytes_need_a_network(self, controlled: Any) -> None:
        _, mav = controlled()
        for send in (mav.SendBuf, mav.SendBufTrue):
            with pytest.raises(UnsupportedError, match="messages are sent over UDP only"):
                send(b"abc")
        with bound() as heard:
            mav.SendBufTrue(b"abc", heard.getsockname()[1])
            assert heard.recv(100) == b"abc"


def test_true_state_as_data3d(offboard: Any) -> None:
    _, mav = offboard(3.0)
    data = mav.out3Ddata
    assert (data.CopterID, data.vehicleType) == (1, 3)
    assert data.runnedTime == mav.trueTimeStmp
    assert data.PosE == mav.truePosNED
    assert data.AngQuatern == mav.trueAngQuatern
    assert data.MotorRPMS == mav.trueMotorRPMS
    mav.InitTrueDataLoop()
    assert mav.hasTrueDataRec
    mav.EndTrueDataLoop()
    assert not mav.hasTrueDataRec


class TestReceived:
    """What is noted of messages that are received."""

    def test_messages_are_noted(self, controlled: Any) -> None:
        sim, mav = controlled()
        assert mav.hasMsgDict["LOCAL_POSITION_NED"]
        mav.trigMsgVect.append("ATTITUDE")
        assert not mav.hasMsgEvent.is_set()
        sim.sleep(0.02)
        assert mav.hasMsgEvent.is_set()
        assert mav.setMsgDict("ATTITUDE")
        assert not mav.setMsgDict("OTHER")

    def test_events_come_with_simulated_time(self, controlled: Any) -> None:
        sim, mav = controlled()
        for event in (mav.netEvent, mav.uavEvent, mav.trueMsgEvent):
            event.clear()
            sim.sleep(0.011)
            assert event.is_set()
        mav.netEvent.clear()
        mav.netForwardData()
        assert mav.netEvent.is_set()
