"""The UDP link: bytes that go out, state that comes in, and flights against a server."""

from __future__ import annotations

import contextlib
import math
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.ctrl.link import receiver
from pyrfly.frames import LocalFrame
from pyrfly.rflysim.dll_senders import DllSimCtrlAPI
from pyrfly.rflysim.stepped import simulated_time
from pyrfly.server import Server
from pyrfly.sim import Sim
from pyrfly.transport import Ports

from ...waiting import until
from .conftest import free_port

NAN = math.nan
ORIGIN = LocalFrame(40.1540302, 116.2593683, 50.0)
SIL_SERIES = 10000
RATE = 20.0  # simulated seconds per second of the servers
LONGEST = 60.0  # s that anything is waited for

# Struct formats [@rfly-sdk].
SHORT, FULL, SIL = "<2i4f", "<2i4I16f32x", "<10i20f"
UORB = "<2i2I16f"
STATE_FULL, STATE_SHORT, TRUTH = "<2i2I14i12f", "<4i9f", "<4i24f7d"


def bound(port: int) -> socket.socket:
    heard = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    heard.bind(("127.0.0.1", port))
    heard.settimeout(5.0)
    return heard


def all_of(heard: socket.socket) -> list[bytes]:
    """Return the packets that have come."""
    packets = []
    heard.settimeout(0.001)
    with contextlib.suppress(TimeoutError):
        while True:
            packets.append(heard.recv(2000))
    heard.settimeout(5)
    return packets


class Simulator:
    """A stand-in for the simulator's end: what came, and a way to say something."""

    def __init__(self) -> None:
        self.port = free_port()
        self.command, self.sil = bound(self.port), bound(self.port + SIL_SERIES)

    def close(self) -> None:
        self.command.close()
        self.sil.close()

    def next(self, form: str, accept: Callable[[tuple[float, ...]], bool]) -> tuple[float, ...]:
        """Return the fields of the next packet of a form that is as wanted."""
        heard = self.sil if form in (SIL, UORB) else self.command
        while True:
            packet = heard.recv(2000)
            if len(packet) == struct.calcsize(form):
                fields = struct.unpack(form, packet)
                if accept(fields):
                    return fields

    def drain(self) -> int:
        """Take everything that came; return how many packets."""
        return len(all_of(self.command))

    def say(self, packet: bytes, offset: int = 1) -> None:
        self.command.sendto(packet, ("127.0.0.1", self.port + offset))


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    ours = Simulator()
    yield ours
    ours.close()


@pytest.fixture
def linked(simulator: Simulator) -> Iterator[Callable[[int], PX4MavCtrler]]:
    """Make a controller of the stand-in's vehicle, in a UDP mode."""
    made: list[PX4MavCtrler] = []

    def make(mode: int) -> PX4MavCtrler:
        mav = PX4MavCtrler(1, first_port=simulator.port)
        mav.InitMavLoop(mode)
        made.append(mav)
        return mav

    yield make
    for mav in made:
        mav.endMavLoop()


def full_state(local: tuple[float, ...], vel: tuple[float, ...] = (0, 0, 0), tg: int = -1) -> bytes:
    lat, lon, alt = ORIGIN.to_lla((10.0, 20.0, 0.0))
    home = (round(lat * 1e7), round(lon * 1e7), round(alt * 1e3))
    ints = (*home, 0, 0, 0, *home, 0, 0, 10, 3, 0)
    floats = (0.1, -0.2, 0.3, *local, *vel, 0, 0, 1.0)
    return struct.pack(STATE_FULL, tg, 112, 12500, 1, *ints, *floats)


class TestBytes:
    """What goes out."""

    def test_init_disarms(self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]) -> None:
        linked(0)
        assert simulator.next(SHORT, lambda f: True) == (1234567890, 9, 0, 0, 0, 0)

    def test_full_mode_has_the_long_message(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]
    ) -> None:
        mav = linked(0)
        mav.initOffboard()
        mav.SendVelNED(1, 2, -3, 0.5)
        fields = simulator.next(FULL, lambda f: f[4] != 0xFFF)
        tg, size, _, copter_id, mask, frame, *controls = fields
        assert (tg, size, copter_id, mask, frame) == (3, 80, 1, 0b011111000111, 1)
        assert controls == [0, 0, 0, 1, 2, -3, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0]
        mav.SendPosFRD(1, NAN, -3, NAN)
        fields = simulator.next(FULL, lambda f: f[5] == 8)
        assert fields[4] == 0b101111111000
        assert fields[6] == 1
        assert math.isnan(fields[7])

    @pytest.mark.parametrize(
        ("method", "arguments", "mode", "controls"),
        [
            ("SendVelNED", (1, 2, 3, 0.5), 0, (1, 2, 3, 0.5)),
            ("SendVelNED", (1, NAN, 3, NAN), 0, (1, NAN, 3, NAN)),
            ("SendVelFRD", (1, 2, 3, 0.5), 1, (1, 2, 3, 0.5)),
            ("SendPosNED", (1, 2, 3, 0.5), 2, (1, 2, 3, 0.5)),
            ("SendPosNED", (NAN, 2, NAN, 0.5), 2, (NAN, 2, NAN, 0.5)),
            ("SendPosNEDNoYaw", (1, 2, 3), 2, (1, 2, 3, NAN)),
            ("SendPosFRD", (NAN, 2, 3, 0.5), 3, (NAN, 2, 3, 0.5)),
            ("SendAccPX4", (1, 2, 3), 6, (1, 2, 3, 0)),
            ("SendAttPX4", ([0.1, 0.2, 0.3], 0.5, 1), 4, (0.1, 0.2, 0.3, 0.5)),
            ("SendAccPX4", (1, 2, 3, 0.5, 2), 7, (1, 2, 3, 0.5)),
            ("SendAccPX4", (1, 2, 3, 0.5, 1), 8, (1, 2, 3, 0.5)),
        ],
    )
    def test_simple_mode_has_the_short_message(
        self,
        simulator: Simulator,
        linked: Callable[..., PX4MavCtrler],
        method: str,
        arguments: tuple[float, ...],
        mode: int,
        controls: tuple[float, ...],
    ) -> None:
        mav = linked(1)
        mav.initOffboard()
        getattr(mav, method)(*arguments)
        fields = simulator.next(SHORT, lambda f: f[1] < 9)
        assert fields == pytest.approx((1234567890, mode, *controls), nan_ok=True)

    @pytest.mark.parametrize(
        ("mode", "rate"), [(0, 100.0), pytest.param(1, 30.0, marks=pytest.mark.realtime)]
    )
    def test_set_points_are_repeated(
        self,
        simulator: Simulator,
        linked: Callable[..., PX4MavCtrler],
        mode: int,
        rate: float,
    ) -> None:
        mav = linked(mode)
        mav.initOffboard()
        mav.SendVelNED(1, 0, 0, 0)
        form = SHORT if mode else FULL
        simulator.next(form, lambda f: f[1] != 9)
        begin = time.perf_counter()
        for _ in range(20):
            simulator.next(form, lambda f: True)
        # never faster; slower where the machine is busy
        assert time.perf_counter() - begin > 0.9 * 19 / rate

    def test_offboard_without_a_set_point_is_a_stream_until_something_else_is_sent(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]
    ) -> None:
        mav = linked(0)
        mav.initOffboard()
        for _ in range(5):
            simulator.next(FULL, lambda fields: fields[4] == 4095)
        mav.sendSILIntFloat([0, 1] + [0] * 6, [0.0, 0.0, -3.0] + [0.0] * 17)
        simulator.drain()
        time.sleep(0.05)
        assert simulator.drain() == 0

    @pytest.mark.parametrize("mode", [0, 1])
    def test_deflected_sticks_are_repeated_until_they_are_centred(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler], mode: int
    ) -> None:
        mav = linked(mode)
        mav.initRCSendLoop()
        mav.SendRCPwms([1500, 1700, 1500, 1400])
        for _ in range(5):
            fields = simulator.next(SIL, lambda f: f[13] not in (0, 1500))
            assert fields[13:16] == (1700, 1500, 1400)
        mav.endRCSendLoop()
        simulator.next(SIL, lambda f: f[13:16] == (1500, 1500, 1500))
        time.sleep(0.1)
        assert not all_of(simulator.sil)

    def test_what_has_no_message_is_sent_as_inputs(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]
    ) -> None:
        mav = linked(1)
        mav.sendMavLand(1, 2, 0)
        fields = simulator.next(SIL, lambda f: f[2] & 1 << 10)
        assert fields[:2] == (1234567897, 1)
        assert fields[2] & 0b111 == 0b111
        assert fields[3] == 1 | 1 << 13
        assert fields[10:13] == (1, 2, 0)
        mav.initOffboard()
        mav.SendPosGlobal(40.1540302, 116.2593683, 60.0)
        fields = simulator.next(SIL, lambda f: f[3] & 1 << 17)
        assert fields[3] == 1 | 1 << 17 | 1 << 24
        assert fields[8:10] == (401540302, 1162593683)
        assert fields[12] == 60.0
        mav.SendAttPX4([0.1, 0.2, 0.3], -5, 1, 1)  # with a height
        fields = simulator.next(SIL, lambda f: f[3] & 1 << 8)
        assert fields[19:22] == pytest.approx((0.1, 0.2, 0.3))
        assert fields[12] == -5
        assert fields[2] & 1 == 0

    @pytest.mark.parametrize(
        ("attitude", "flag", "mask", "quaternion", "rate"),
        [
            ([0.98, 0.1, -0.05, 0.15], 2, 7, (0.98, 0.1, -0.05, 0.15), (0, 0, 0)),
            ([0.1, 0.2, 0.3], 3, 128, (1, 0, 0, 0), (0.1, 0.2, 0.3)),
        ],
    )
    def test_full_mode_has_attitudes_as_rflysims_client_sends_them(
        self,
        simulator: Simulator,
        linked: Callable[..., PX4MavCtrler],
        attitude: list[float],
        flag: int,
        mask: int,
        quaternion: tuple[float, ...],
        rate: tuple[float, ...],
    ) -> None:
        mav = linked(0)
        mav.initOffboard()
        mav.SendAttPX4(attitude, 0.5, flag)
        controls = simulator.next(FULL, lambda f: f[4] == mask)[6:]
        sent = np.array([controls[10], *controls[:3]])
        np.testing.assert_allclose(
            sent, np.array(quaternion) / np.linalg.norm(quaternion), atol=1e-6
        )
        assert controls[3:6] == pytest.approx(rate)
        assert controls[6:9] == (0, 0, 0)
        assert controls[9] == 0.5

    @pytest.mark.parametrize("mask", [7, 128, 448])
    def test_no_position_set_point_is_taken_for_an_attitude(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler], mask: int
    ) -> None:
        """The force, which has no effect, makes its mask another one."""
        mav = linked(0)
        mav.initOffboard()
        mav.SendOffAll(mask, 1, [0, 0, -5], [1, 1, 0], [0, 0, 0], 1, 0)
        assert simulator.next(FULL, lambda f: f[4] != 0xFFF)[4] == mask | 512

    @pytest.mark.parametrize("mode", [0, 1])
    def test_nothing_follows_the_end_of_offboard(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler], mode: int
    ) -> None:
        """The last packet of both ports says that no set-point counts."""
        mav = linked(mode)
        mav.initOffboard()
        mav.SendVelNED(1, 0, 0, 0)
        simulator.next(SHORT if mode else FULL, lambda f: f[1] == 0 or f[4] == 0x5C7 | 512)
        mav.endOffboard()
        time.sleep(0.1)
        for heard, form in ((simulator.command, FULL), (simulator.sil, SIL)):
            last = all_of(heard)[-1]
            assert len(last) == struct.calcsize(form)
            fields = struct.unpack(form, last)
            assert fields[4] == 0xFFF if form == FULL else not any(fields[2:])

    def test_commands_have_rflysims_modes(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]
    ) -> None:
        mav = linked(0)
        mav.SendMavArm(1)
        assert simulator.next(SHORT, lambda f: f[2] == 1) == (1234567890, 9, 1, 0, 0, 0)
        assert mav.isArmed
        mav.sendMavTakeOff(1, 2, -5)
        assert simulator.next(SHORT, lambda f: f[1] == 11) == (1234567890, 11, 1, 2, -5, 0)
        mav.SendCruiseSpeed(4)
        assert simulator.next(SHORT, lambda f: f[1] == 10) == (1234567890, 10, 4, 0, 0, 0)
        mav.SendCopterSpeed(6)
        assert simulator.next(SHORT, lambda f: f[1] == 10) == (1234567890, 10, 6, 0, 0, 0)
        mav.SendCruiseRadius(30)
        assert simulator.next(SHORT, lambda f: f[1] == 10) == (1234567890, 10, 0, 30, 0, 0)
        mav.MaxSpeed = 3.0
        assert simulator.next(SHORT, lambda f: f[1] == 10) == (1234567890, 10, 3, 0, 0, 0)
        assert mav.MaxSpeed == 3.0
        mav.sendRebootPix(1, 2)
        assert simulator.next("<2i", lambda f: True) == (987654321, 2)
        mav.sendSILIntFloat(range(8), range(20))
        words = (1234567897, 1, *range(8), *range(20))
        assert simulator.next(SIL, lambda f: f[3] == 1) == words
        mav.sendPX4UorbRflyCtrl(range(16), 101, 7)
        assert simulator.next(UORB, lambda f: True) == (1234567896, 1, 101, 7, *range(16))
        mav.SendBuf(b"12345678")
        mav.SendBufTrue(b"abc")
        assert struct.pack("<2i", *simulator.next("<2i", lambda f: True)) == b"12345678"
        assert simulator.sil.recv(100) == b"abc"

    @pytest.mark.parametrize("udp_mode", [0, 1])
    def test_a_short_message_of_a_set_point_is_sent_as_it_is(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler], udp_mode: int
    ) -> None:
        mav = linked(udp_mode)
        mav.sendUDPSimpData(4, [0.5, 0.25, 1, 0.75])
        assert simulator.next(SHORT, lambda f: f[1] == 4) == (1234567890, 4, 0.5, 0.25, 1, 0.75)
        mav.sendUDPSimpData(13, [2, -6, 0.5])
        assert simulator.next(SHORT, lambda f: f[1] == 13) == (1234567890, 13, 2, -6, 0.5, 0)
        mav.sendUDPSimpData(9, [1])
        assert simulator.next(SHORT, lambda f: f[1] == 9 and f[2]) == (1234567890, 9, 1, 0, 0, 0)
        assert mav.isArmed


class TestState:
    """What comes in."""

    def test_full_state(self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]) -> None:
        mav = linked(0)
        assert not mav.isPX4Ekf3DFixed
        mav.trigMsgVect.append("HILStateData")
        mav.netEvent.clear()
        simulator.say(full_state((1, 2, -3), (4, 5, 6)))
        assert mav.netEvent.wait(LONGEST)
        assert mav.hasMsgEvent.wait(LONGEST)
        assert mav.uavTimeStmp == 12.5
        assert mav.uavAngEular == pytest.approx([0.1, -0.2, 0.3])
        assert mav.uavPosNED == [1, 2, -3]
        assert mav.uavVelNED == [4, 5, 6]
        assert mav.uavGlobalPos == pytest.approx([11, 22, -3], abs=0.02)
        assert mav.GpsOriOffset == pytest.approx([10, 20, 0], abs=0.02)
        assert mav.isPX4Ekf3DFixed
        assert (mav.isVehicleCrash, mav.isVehicleCrashID) == (False, -10)
        simulator.say(full_state((0, 0, 0), tg=3))
        until(lambda: mav.isVehicleCrash)
        assert mav.isVehicleCrashID == 3

    def test_short_state_and_notices(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]
    ) -> None:
        mav = linked(1)
        lat, lon, alt = ORIGIN.to_lla((10.0, 20.0, 0.0))
        home = (round(lat * 1e7), round(lon * 1e7), round(alt * 1e3))
        simulator.say(struct.pack(STATE_SHORT, 1234567890, *home, 1, 2, 3, 4, 5, -6, 7, 8, 9))
        until(lambda: mav.uavVelNED == [7, 8, 9])
        assert mav.uavGlobalPos == pytest.approx([14, 25, -6], abs=0.02)
        assert not mav.isPX4Ekf3DFixed
        simulator.say(struct.pack(STATE_SHORT, 1234567891, *[0] * 12))
        until(lambda: mav.isPX4Ekf3DFixed)
        simulator.say(struct.pack(STATE_SHORT, 1234567892, 0, 5, *[0] * 10))
        until(lambda: mav.isVehicleCrashID == 5)
        assert mav.uavVelNED == [7, 8, 9]

    def test_truth(self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]) -> None:
        mav = linked(0)
        mav.InitTrueDataLoop()
        floats = [float(i) for i in range(24)]
        doubles = [3.5, 1.0, 2.0, -3.0, 40.0, 116.0, 50.0]
        packet = struct.pack(TRUTH, 123456789, 1, 50, 0, *floats, *doubles)
        simulator.say(packet, SIL_SERIES + 1)
        until(lambda: mav.trueTimeStmp == 3.5)
        assert mav.trueVelNED == [0, 1, 2]
        assert mav.trueAngEular == [3, 4, 5]
        assert mav.trueAngQuatern == [6, 7, 8, 9]
        assert mav.trueMotorRPMS == [10, 11, 12, 13, 14, 15, 16, 17]
        assert mav.trueAccB == [18, 19, 20]
        assert mav.trueAngRate == [21, 22, 23]
        assert mav.truePosNED == [1, 2, -3]
        assert mav.truePosGPS == [40, 116, 50]
        assert mav.out3Ddata.vehicleType == 50
        simulator.say(struct.pack("<2i32d", 1234567890, 1, *range(32)), SIL_SERIES + 1)
        until(lambda: mav.trueSimulinkData == list(range(32)))
        packet = struct.pack("<2id8f", 1234567898, 1, 7.5, *range(8))
        simulator.say(packet, 2 * SIL_SERIES + 1)
        until(lambda: mav.px4ext.runnedTime == 7.5)
        assert mav.px4ext.controls == list(range(8))
        mav.InitMavLoop(0)  # goes on listening to the truth
        simulator.say(struct.pack("<2i32d", 1234567890, 1, *range(1, 33)), SIL_SERIES + 1)
        until(lambda: mav.trueSimulinkData[0] == 1)
        mav.EndTrueDataLoop()

    def test_what_is_no_state_is_dropped(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]
    ) -> None:
        mav = linked(0)
        for packet in (b"", b"x" * 120, b"y" * 52, full_state((9, 9, 9))[:-1]):
            simulator.say(packet)
        simulator.say(full_state((1, 2, 3)))
        until(lambda: mav.uavPosNED == [1, 2, 3])


class TestLink:
    """Which link it is, and its end."""

    @pytest.mark.parametrize("mode", [7, 8])
    def test_redis_modes_are_refused(self, simulator: Simulator, mode: int) -> None:
        mav = PX4MavCtrler(1, first_port=simulator.port)
        with pytest.raises(
            UnsupportedError, match=r"UDPMode: .*0 \(UDP_Full\), 1 \(UDP_Simple\) and"
        ):
            mav.InitMavLoop(mode)
        assert not mav.connected

    def test_a_refused_mode_leaves_a_link_as_it_was(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]
    ) -> None:
        mav = linked(0)
        with pytest.raises(UnsupportedError, match="UDPMode"):
            mav.InitMavLoop(7)
        mav.initOffboard()
        mav.SendVelNED(1, 2, -3, 0.5)
        assert simulator.next(FULL, lambda f: f[9:12] == (1, 2, -3))

    def test_names_that_are_none_are_refused(self) -> None:
        mav = PX4MavCtrler(1, "no such machine")
        with pytest.raises(ValueError, match="ip: expected an address"):
            mav.InitMavLoop(0)
        assert not mav.connected

    def test_set_points_end_with_a_landing(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]
    ) -> None:
        mav = linked(0)
        mav.initOffboard()
        mav.SendPosNED(0, 0, -2, 0)
        simulator.next(FULL, lambda f: f[4] != 0xFFF)
        mav.sendMavLand(0, 0, 0)
        simulator.next(SIL, lambda f: bool(int(f[2]) & 1 << 10))
        time.sleep(0.05)
        simulator.drain()
        time.sleep(0.1)
        assert simulator.drain() == 0

    def test_other_machines_are_reached_by_udp(self) -> None:
        assert PX4MavCtrler(1, "192.0.2.7").sim is None

    def test_a_world_that_was_chosen_comes_before_servers(self, simulator: Simulator) -> None:
        with simulated_time():
            assert PX4MavCtrler(1, first_port=simulator.port).sim is not None
        assert PX4MavCtrler(1, first_port=simulator.port).sim is None

    def test_parameters_need_the_process(self, linked: Callable[..., PX4MavCtrler]) -> None:
        mav = linked(0)
        with pytest.raises(UnsupportedError, match="MPC_TILTMAX_AIR: RflySim's UDP modes carry no"):
            mav.sendMavSetParam(b"MPC_TILTMAX_AIR", 30, 9)
        with pytest.raises(
            UnsupportedError, match="maxVelZ: RflySim's UDP modes carry no parameters"
        ):
            _ = mav.maxVelZ
        with pytest.raises(
            UnsupportedError, match="initPointMassModel: needs the vehicle in this process"
        ):
            mav.initPointMassModel()

    def test_a_port_in_use_is_named(self, simulator: Simulator) -> None:
        mav = PX4MavCtrler(1, first_port=simulator.port)
        with (
            bound(simulator.port + 1),
            pytest.raises(OSError, match=f"{simulator.port + 1}.* in use"),
        ):
            mav.InitMavLoop(0)

    def test_several_objects_of_a_script_listen_to_one_vehicle(
        self, simulator: Simulator, linked: Callable[..., PX4MavCtrler]
    ) -> None:
        """Their sockets would otherwise exclude each other; RflySim's share ports."""
        first, second = linked(0), linked(0)
        dll = DllSimCtrlAPI(1, ports=Ports(model=simulator.port + SIL_SERIES))
        for listener in (first, second, dll, first):
            listener.InitTrueDataLoop()
        truth = struct.pack(
            TRUTH, 123456789, 1, 3, 0, *[0.0] * 24, 2.5, 1, 2, -3, 40.0, 116.0, 50.0
        )
        simulator.say(truth, SIL_SERIES + 1)
        until(lambda: first.truePosNED == second.truePosNED == dll.out3Ddata.PosE == [1, 2, -3])
        first.EndTrueDataLoop()
        simulator.say(truth.replace(struct.pack("d", -3.0), struct.pack("d", -4.0)), SIL_SERIES + 1)
        until(lambda: second.truePosNED == dll.out3Ddata.PosE == [1, 2, -4])
        assert first.truePosNED == [1, 2, -3]
        second.EndTrueDataLoop()
        dll.EndTrueDataLoop()
        dll.udp_socket.close()
        bound(simulator.port + SIL_SERIES + 1).close()

    def test_no_thread_is_left(self, simulator: Simulator) -> None:
        before = set(threading.enumerate())
        mav = PX4MavCtrler(1, first_port=simulator.port)
        mav.InitMavLoop(0)
        mav.InitTrueDataLoop()
        assert len(set(threading.enumerate()) - before) == 4
        mav.InitMavLoop(1)
        mav.stopRun()
        assert set(threading.enumerate()) <= before
        bound(simulator.port + 1).close()


@pytest.mark.slow
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("takes_off_last", [False, True])
def test_the_last_of_offboard_and_take_off_counts(mode: int, takes_off_last: bool) -> None:
    first_port = free_port()
    sim = Sim("x450")
    with Server(sim, ("udp_full", "udp_simple")[mode], RATE, first_port=first_port) as server:
        mav = PX4MavCtrler(1, first_port=first_port)
        mav.InitMavLoop(mode)
        until(lambda: mav.isPX4Ekf3DFixed)
        if takes_off_last:
            mav.initOffboard()
            until(lambda: server.stats["received"] > 10)
        mav.SendMavArm(1)
        mav.sendMavTakeOff(0, 0, -15)
        until(lambda: mav.uavPosNED[2] < -2)
        if not takes_off_last:
            mav.initOffboard()
            until(lambda: mav.uavPosNED[2] < -2 and abs(mav.uavVelNED[2]) < 0.05)
            assert mav.uavPosNED[2] > -14
        mav.SendPosNED(4, 0, -3, 0)
        heights = []

        def arrived() -> bool:
            heights.append(-mav.uavPosNED[2])
            return math.dist(mav.uavPosNED, (4, 0, -3)) < 0.1

        until(arrived)
        assert (max(heights) > 14) is takes_off_last
        mav.endMavLoop()


@pytest.mark.slow
@pytest.mark.parametrize("mode", [0, 1])
def test_the_height_of_a_take_off_is_kept(mode: int) -> None:
    """Though a set-point stood before it, as by PX4."""
    first_port = free_port()
    sim = Sim("x450")
    with Server(sim, ("udp_full", "udp_simple")[mode], RATE, first_port=first_port):
        mav = PX4MavCtrler(1, first_port=first_port)
        mav.InitMavLoop(mode)
        until(lambda: mav.isPX4Ekf3DFixed)
        mav.initOffboard()
        mav.SendPosNED(0, 0, -3, 0)
        until(lambda: abs(mav.uavPosNED[2] + 3) < 0.1)
        mav.sendMavTakeOff(0, 0, -6)
        begin = mav.uavTimeStmp
        until(lambda: mav.uavTimeStmp > begin + 12)
        assert mav.uavPosNED[2] == pytest.approx(-6, abs=0.1)
        mav.SendPosNED(0, 0, -4, 0)
        until(lambda: abs(mav.uavPosNED[2] + 4) < 0.1)
        mav.endMavLoop()


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.slow
def test_a_flight_against_the_server(mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiver, "STILL_TIME", 2.0 / RATE)  # so long in simulated time
    first_port = free_port()
    sim = Sim("x450", 2)
    sim.reset(pos=[[0, 0, 0], [5, 6, 0]])
    with Server(sim, ("udp_full", "udp_simple")[mode], RATE, first_port=first_port):
        mav = PX4MavCtrler(2, first_port=first_port)
        mav.InitMavLoop(mode)
        mav.InitTrueDataLoop()
        until(lambda: mav.isPX4Ekf3DFixed)
        mav.SendMavArm(1)
        mav.sendMavTakeOff(0, 0, -4)
        until(lambda: mav.uavPosNED[2] < -3.7)
        mav.initOffboard()
        mav.SendPosNED(3, -2, -5, 0.5)
        until(lambda: math.dist(mav.uavPosNED, (3, -2, -5)) < 0.1)
        until(lambda: math.dist(mav.truePosNED, (8, 4, -5)) < 0.1)
        assert mav.uavGlobalPos == pytest.approx([8, 4, -5], abs=0.2)
        mav.SendVelFRD(1, 0, 0, 0)
        until(lambda: abs(math.hypot(*mav.uavVelNED) - 1.0) < 0.1)
        mav.SendPosGlobal(*ORIGIN.to_lla((6.0, 6.0, -3.0)))
        until(lambda: math.dist(mav.truePosNED, (6, 6, -3)) < 0.15)
        mav.SendAttPX4([0, 0, 90], -3.0, 0, 1)
        until(lambda: abs(mav.uavAngEular[2] - math.pi / 2) < 0.1)
        mav.endOffboard()
        mav.sendMavLand(0, 0, 0)
        until(lambda: not mav.isArmed)
        assert mav.truePosNED == pytest.approx([5.0, 6.0, 0.0], abs=0.1)
        mav.endMavLoop()
    assert sim.armed.tolist() == [0, 0]
    np.testing.assert_allclose(sim.pos[0], 0.0, atol=0.01)
