"""The MAVLink link itself: whose frames count, vehicles that go and come, beginning and end."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.ctrl.link import mavlink, mavlink_receiver
from pyrfly.ctrl.link.height_loop import HeightLoop
from pyrfly.ctrl.link.mavlink_receiver import MavlinkReceiver
from pyrfly.ctrl.link.state import ReceivedState
from pyrfly.errors import MissingExtraError

Linked = Callable[..., PX4MavCtrler]


class TestBeginning:
    def test_init_disarms_and_beats(self, vehicle: Any) -> None:
        mav = PX4MavCtrler(1, first_port=vehicle.port)
        mav.InitMavLoop()
        message = vehicle.next("COMMAND_LONG")
        assert (message.command, message.param1, message.param2) == (400, 0, 21196)
        assert message.get_header().incompat_flags == 0
        mav.endMavLoop()

    def test_heartbeats_are_a_ground_stations_once_a_second(
        self, vehicle: Any, linked: Linked
    ) -> None:
        """PX4 takes its data link for lost without them (COM_DL_LOSS_T)."""
        linked()
        beat = vehicle.next("HEARTBEAT")
        begin = time.monotonic()
        assert (beat.type, beat.autopilot, beat.custom_mode, beat.base_mode) == (6, 8, 0, 0)
        assert (beat.get_srcSystem(), beat.get_srcComponent()) == (255, 0)
        vehicle.next("HEARTBEAT")
        assert time.monotonic() - begin == pytest.approx(1.0, abs=0.6)

    def test_scripts_send_by_pymavlinks_own_methods(self, vehicle: Any, linked: Linked) -> None:
        mav = linked()
        connection = mav.the_connection
        target = connection.target_system, connection.target_component
        assert target == (1, 1)
        connection.mav.command_long_send(*target, 511, 0, 32, 1e5, 0, 0, 0, 0, 0)
        message = vehicle.next("COMMAND_LONG", lambda m: m["command"] == 511)
        assert (message.param1, message.get_srcSystem()) == (32, 255)
        mav.SetServo(1, -1)
        message = vehicle.next("COMMAND_LONG", lambda m: m["command"] == 187)
        assert (message.param1, message.param2, message.param3) == (0, 1, -1)

    @pytest.mark.parametrize("mode", [2, 3, 4, 5, 6])
    def test_all_mavlink_modes_are_mavlink(self, vehicle: Any, linked: Linked, mode: int) -> None:
        mav = linked(mode)
        assert mav.UDPMode == mode
        mav.SendMavArm()
        assert vehicle.next("COMMAND_LONG", lambda m: m["param1"] == 1).command == 400

    def test_the_mode_may_change(self, vehicle: Any, linked: Linked) -> None:
        """UDP modes and MAVLink modes are different links."""
        mav = PX4MavCtrler(1, first_port=vehicle.port)
        mav.setGPSOriLLA([1.0, 2.0, 3.0])
        threads = set(threading.enumerate())
        for mode in (0, 2, 1, 6, 3):
            mav.InitMavLoop(mode)
            assert mav.connected
            assert mav.trueGpsUeCenter == [1.0, 2.0, 3.0]
        vehicle.introduce(mav)
        mav.endMavLoop()
        assert set(threading.enumerate()) <= threads

    def test_without_pymavlink_the_extra_is_named(
        self, vehicle: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mav = PX4MavCtrler(1, first_port=vehicle.port)
        monkeypatch.setitem(sys.modules, "pymavlink.dialects.v20.common", None)
        with pytest.raises(MissingExtraError, match=r"InitMavLoop.*pip install 'pyrfly\[mavlink\]"):
            mav.InitMavLoop()
        assert not mav.connected
        mav.InitMavLoop(0)  # needs none
        mav.endMavLoop()

    def test_a_port_in_use_is_named_and_nothing_is_left(
        self, vehicle: Any, bound_port: Any
    ) -> None:
        before = set(threading.enumerate())
        mav = PX4MavCtrler(1, first_port=vehicle.port)
        taken = bound_port(vehicle.port + 1)
        with pytest.raises(OSError, match=f"{vehicle.port + 1}.* in use"):
            mav.InitMavLoop()
        assert not mav.connected
        assert set(threading.enumerate()) <= before
        taken.close()
        mav.InitMavLoop()
        vehicle.introduce(mav)
        mav.endMavLoop()

    def test_unknown_machines_are_named(self) -> None:
        mav = PX4MavCtrler(1, "no such machine")
        with pytest.raises(ValueError, match="ip: expected an address"):
            mav.InitMavLoop()
        assert not mav.connected

    @pytest.mark.parametrize("mode", [7, 8])
    def test_redis_is_refused(self, vehicle: Any, linked: Linked, mode: int) -> None:
        mav = linked()
        with pytest.raises(UnsupportedError, match=r"UDPMode: .* 2 to 6 \(MAVLink\), got"):
            mav.InitMavLoop(mode)
        mav.SendMavArm()  # the link is as it was
        vehicle.next("COMMAND_LONG", lambda m: m["param1"] == 1)


class TestEnd:
    def test_no_thread_and_no_port_is_left(self, vehicle: Any, bound_port: Any) -> None:
        before = set(threading.enumerate())
        mav = PX4MavCtrler(1, first_port=vehicle.port)
        mav.InitMavLoop()
        mav.InitTrueDataLoop()
        vehicle.introduce(mav)
        mav.initRCSendLoop()
        mav.initOffboard2()
        # heartbeats, set-points, radio, and three ports
        assert len(set(threading.enumerate()) - before) == 6
        mav.endMavLoop()
        assert set(threading.enumerate()) <= before
        for offset in (1, 10001, 20001):
            bound_port(vehicle.port + offset)
        assert (mav.connected, mav.isInOffboard, mav.isRCLoop) == (False, False, False)
        mav.endMavLoop()  # does nothing
        with pytest.raises(RuntimeError, match="call InitMavLoop"):
            mav.SendMavArm()

    @pytest.mark.parametrize("armed", [False, True])
    def test_an_armed_vehicle_is_disarmed(self, vehicle: Any, armed: bool) -> None:
        mav = PX4MavCtrler(1, first_port=vehicle.port)
        mav.InitMavLoop()
        vehicle.introduce(mav)
        vehicle.beat(base_mode=29 + 128 * armed)
        vehicle.until(lambda: mav.isArmed is armed and mav.link_counts["received"] == 3)
        vehicle.drain()
        mav.stopRun()
        vehicle.hear()
        commands = [m for _, m in vehicle.came if m.get_type() == "COMMAND_LONG"]
        assert [(m.command, m.param1, m.param2) for m in commands] == [(400, 0, 21196)] * armed

    def test_it_begins_again(self, vehicle: Any, linked: Linked) -> None:
        mav = linked()
        for _ in range(3):
            mav.endMavLoop()
            mav.InitMavLoop()
            vehicle.say("LOCAL_POSITION_NED", x=1.0)
            vehicle.until(lambda: mav.uavPosNED[0] == 1.0)
            vehicle.say("LOCAL_POSITION_NED", x=2.0)
            vehicle.until(lambda: mav.uavPosNED[0] == 2.0)


class TestWhoseFrames:
    def test_garbage_is_counted(self, vehicle: Any, linked: Linked) -> None:
        mav = linked()
        frame = vehicle.frame("LOCAL_POSITION_NED", x=9.0)
        wrong_crc = bytes([*frame[:-1], frame[-1] ^ 1])
        other = b"\x01\x02\x03"
        for number, packet in enumerate((wrong_crc, frame[:-1], frame[:5], other, b"\xfd"), 1):
            vehicle.say_raw(packet)
            vehicle.until(lambda n=number: mav.link_counts["malformed"] == n)
        vehicle.say_raw(b"")
        assert mav.uavPosNED == [0, 0, 0]
        vehicle.say("LOCAL_POSITION_NED", x=3.0)  # nothing of a cut frame is left
        vehicle.until(lambda: mav.uavPosNED[0] == 3.0)
        vehicle.say_raw(other + frame + wrong_crc)
        vehicle.until(lambda: mav.uavPosNED[0] == 9.0)
        vehicle.until(lambda: mav.link_counts["malformed"] == 7)

    def test_frames_of_others_are_counted(self, vehicle: Any, linked: Linked) -> None:
        mav = linked()
        for system in (2, 255):
            vehicle.say("LOCAL_POSITION_NED", system=system, x=9.0)
            vehicle.beat(system=system, base_mode=128)
        vehicle.until(lambda: mav.link_counts["foreign"] == 4)
        assert not mav.isArmed
        assert mav.uavPosNED[0] == 0.0

    def test_heartbeats_without_a_mode_are_no_px4s(self, vehicle: Any, linked: Linked) -> None:
        """So a ground station on the same link does not disturb."""
        mav = linked()
        vehicle.beat(custom_mode=0, base_mode=128)
        vehicle.until(lambda: mav.link_counts["foreign"] == 1)
        assert not mav.isArmed

    def test_messages_of_other_sets_are_ignored(self, vehicle: Any, linked: Linked) -> None:
        mav = linked()
        counts = mav.link_counts
        unknown = bytes([0xFD, 1, 0, 0, 0, 1, 1, 0x40, 0xE2, 0x01, 0, 0, 0])  # 123456
        vehicle.say_raw(unknown)
        vehicle.say("VIBRATION", vibration_x=1.0)
        vehicle.until(lambda: mav.uavVibr[0] == 1.0)
        assert mav.link_counts == {**counts, "received": counts["received"] + 1}

    def test_the_system_is_learnt_from_the_heartbeat(self, vehicle: Any) -> None:
        mav = PX4MavCtrler(1, first_port=vehicle.port)
        mav.InitMavLoop()
        assert vehicle.next("COMMAND_LONG").target_system == 1  # the CopterID
        vehicle.say("LOCAL_POSITION_NED", system=7, x=1.0)
        vehicle.until(lambda: mav.link_counts["foreign"] == 1)
        vehicle.beat(system=7)
        vehicle.until(lambda: mav.system_status == 3)
        mav.SendMavArm()
        message = vehicle.next("COMMAND_LONG")
        assert (message.target_system, message.target_component) == (7, 1)
        vehicle.say("LOCAL_POSITION_NED", system=7, x=1.0)
        vehicle.until(lambda: mav.uavPosNED[0] == 1.0)
        vehicle.beat(system=1)  # whose number is the CopterID precedes
        vehicle.until(lambda: mav.link_counts["received"] == 3)
        vehicle.say("LOCAL_POSITION_NED", system=1, x=2.0)
        vehicle.until(lambda: mav.uavPosNED[0] == 2.0)
        vehicle.beat(system=7)
        vehicle.until(lambda: mav.link_counts["foreign"] == 2)
        mav.SendMavArm()
        vehicle.next("COMMAND_LONG", lambda m: m["target_system"] == 1)
        mav.endMavLoop()

    def test_copter_ids_above_255_are_no_systems(self, stand_in: Any) -> None:
        vehicle = stand_in(1)
        mav = PX4MavCtrler(300, port=vehicle.port)
        mav.InitMavLoop()
        assert vehicle.next("COMMAND_LONG").target_system == 0  # all
        vehicle.beat()
        vehicle.until(lambda: mav.system_status == 3)
        mav.SendMavArm()
        vehicle.next("COMMAND_LONG", lambda m: m["target_system"] == 1)
        mav.endMavLoop()
        vehicle.close()

    def test_refused_commands_are_counted(self, vehicle: Any, linked: Linked) -> None:
        mav = linked()
        for result in (0, 5, 4):
            vehicle.say("COMMAND_ACK", command=400, result=result)
        vehicle.until(lambda: mav.link_counts["received"] == 5)
        assert mav.link_counts["refused"] == 1
        assert mav.uavMsg.get_type() == "COMMAND_ACK"

    def test_frames_of_version_1_are_read(self, vehicle: Any, linked: Linked) -> None:
        mav = linked()
        from pymavlink.dialects.v10 import common

        packer = common.MAVLink(None, 1, 1)
        message = common.MAVLink_local_position_ned_message(0, 5.0, 0, 0, 0, 0, 0)
        vehicle.say_raw(bytes(message.pack(packer)))
        vehicle.until(lambda: mav.uavPosNED[0] == 5.0)

    @given(data=st.lists(st.binary(max_size=300), max_size=4), cut=st.booleans())
    def test_any_bytes_are_survived(self, data: list[bytes], cut: bool) -> None:
        receiver = MavlinkReceiver(1, cut, ReceivedState())
        for piece in data:
            receiver.take(piece)
        assert receiver.counts["received"] == 0

    @given(where=st.integers(0, 59), bit=st.integers(0, 7), cut=st.booleans())
    def test_a_changed_bit_is_found(self, stand_in: Any, where: int, bit: int, cut: bool) -> None:
        from pymavlink.dialects.v20 import common

        packer = common.MAVLink(None, 1, 1)
        message = common.MAVLink_highres_imu_message(1, *[0.5] * 13, 0)
        frame = bytearray(message.pack(packer))
        receiver = MavlinkReceiver(1, cut, ReceivedState())
        receiver.take(bytes(frame))
        frame[where] ^= 1 << bit
        receiver.take(bytes(frame))
        assert receiver.counts["received"] == 1


class TestSilence:
    @pytest.fixture(autouse=True)
    def _soon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(mavlink_receiver, "SILENCE", 0.2)
        monkeypatch.setattr(mavlink, "HEARTBEAT_RATE", 20.0)

    def test_a_vehicle_that_vanishes_and_comes_back_is_reported_once(
        self, vehicle: Any, linked: Linked, capfd: pytest.CaptureFixture[str]
    ) -> None:
        mav = linked()
        errors = ""

        def reported(text: str) -> bool:
            nonlocal errors
            errors += capfd.readouterr().err
            return text in errors

        vehicle.until(lambda: reported("has fallen silent"))
        time.sleep(0.3)
        errors += capfd.readouterr().err
        assert errors.count("fallen silent") == 1
        while not reported("sends again"):
            vehicle.beat(system=9)  # started again, with another number
            time.sleep(0.05)
        mav.SendMavArm()
        vehicle.next("COMMAND_LONG", lambda m: m["target_system"] == 9)
        vehicle.say("LOCAL_POSITION_NED", system=9, x=4.0)
        vehicle.until(lambda: mav.uavPosNED[0] == 4.0)

    @pytest.mark.parametrize("sends_udp_full", [False, True])
    def test_nothing_at_all_is_reported(
        self, vehicle: Any, sends_udp_full: bool, capfd: pytest.CaptureFixture[str]
    ) -> None:
        mav = PX4MavCtrler(1, first_port=vehicle.port)
        mav.InitMavLoop()
        if sends_udp_full:
            vehicle.say_raw(b"\xff\xff\xff\xffp\0\0\0" + bytes(112))
        expected = "no MAVLink.*UDP mode" if sends_udp_full else "no HEARTBEAT from CopterID 1 at"
        errors = ""

        def reported() -> bool:
            nonlocal errors
            errors += capfd.readouterr().err
            return expected.split(".*")[0] in errors and expected.split(".*")[-1] in errors

        vehicle.until(reported)
        mav.endMavLoop()


class TestHeightLoop:
    @pytest.mark.parametrize("hover", [0.3, 0.5, 0.7])
    @pytest.mark.parametrize("height", [2.0, 30.0])
    def test_a_point_mass_reaches_and_holds_a_height(self, hover: float, height: float) -> None:
        loop, dt = HeightLoop(), 0.01
        up, climb, highest = 0.0, 0.0, 0.0
        for _ in range(4000):
            thrust = loop.thrust(height - up, climb, 1.0, dt)
            assert 0 <= thrust <= 1
            climb += 9.81 * (thrust / hover - 1) * dt
            up += climb * dt
            if up < 0:
                up = climb = 0.0
            highest = max(highest, up)
        assert up == pytest.approx(height, abs=0.05)
        assert highest < height + 1.0

    def test_tilt_takes_more_thrust(self) -> None:
        level = HeightLoop().thrust(0.0, 0.0, 1.0, 0.01)
        tilted = HeightLoop().thrust(0.0, 0.0, math.cos(0.5), 0.01)
        assert level == pytest.approx(0.5)
        assert tilted == pytest.approx(0.5 / math.cos(0.5))

    def test_it_begins_with_the_present_thrust(self) -> None:
        assert HeightLoop(0.7).thrust(0.0, 0.0, 1.0, 0.0) == pytest.approx(0.7)
        assert HeightLoop(0.1).thrust(0.0, 0.0, 1.0, 0.0) == pytest.approx(0.5)

    def test_it_does_not_wind_up(self) -> None:
        loop = HeightLoop()
        for _ in range(10000):
            loop.thrust(100.0, 0.0, 1.0, 0.01)  # held on the ground
        assert loop.thrust(0.0, 0.0, 1.0, 0.01) < 1.0
