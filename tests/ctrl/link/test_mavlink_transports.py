"""A vehicle that is reached directly by UDP (RflySim's ``Com='Direct'``)."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from pymavlink.dialects.v20 import common

from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.ctrl.link import mavlink

from ...waiting import until


class Vehicle:
    """A vehicle that listens on a port, and answers to where frames come from."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(0.05)
        self.port: int = self.socket.getsockname()[1]
        self.came: list[Any] = []
        self.client: tuple[str, int] | None = None
        self._packer, self._parser = common.MAVLink(None, 4, 1), common.MAVLink(None)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            with contextlib.suppress(TimeoutError):
                data, self.client = self.socket.recvfrom(2000)
                self.came += self._parser.parse_buffer(data) or ()
                beat = common.MAVLink_heartbeat_message(2, 12, 29, 4 << 16, 3, 3)
                self.say(beat)

    def say(self, message: Any) -> None:
        assert self.client is not None
        self.socket.sendto(bytes(message.pack(self._packer)), self.client)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.socket.close()


@pytest.fixture
def direct() -> Iterator[Vehicle]:
    ours = Vehicle()
    yield ours
    ours.close()


@pytest.mark.parametrize("in_com", [False, True])
def test_a_vehicle_is_reached_directly(direct: Vehicle, in_com: bool) -> None:
    before = set(threading.enumerate())
    if in_com:
        mav = PX4MavCtrler(1, Com=f"Direct:{direct.port}")
    else:
        mav = PX4MavCtrler(1, "127.0.0.1", "Direct", direct.port)
    assert mav.port == direct.port
    mav.InitMavLoop()
    assert mav.system_status == 3  # the first heartbeat is answered
    mav.SendMavArm()
    commands = [m for m in direct.came if m.get_type() == "COMMAND_LONG"]
    until(lambda: len([m for m in direct.came if m.get_type() == "COMMAND_LONG"]) == 2)
    commands = [m for m in direct.came if m.get_type() == "COMMAND_LONG"]
    assert [(m.command, m.param1, m.param2) for m in commands] == [(400, 0, 0), (400, 1, 0)]
    assert {m.target_system for m in commands} == {4}
    direct.say(common.MAVLink_local_position_ned_message(1, 1.0, 2.0, -3.0, 0, 0, 0))
    until(lambda: mav.uavPosNED == [1, 2, -3])
    mav.SendQgcCmdLong(512, 242)
    until(lambda: any(getattr(m, "command", 0) == 512 for m in list(direct.came)))
    mav.endMavLoop()
    assert set(threading.enumerate()) <= before


def test_frames_of_other_machines_do_not_count(direct: Vehicle) -> None:
    mav = PX4MavCtrler(1, Com="Direct", port=direct.port)
    mav.InitMavLoop()
    assert direct.client is not None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.2", 0))
        packer = common.MAVLink(None, 4, 1)
        message = common.MAVLink_local_position_ned_message(1, 9.0, 9.0, -9.0, 0, 0, 0)
        other.sendto(bytes(message.pack(packer)), direct.client)
    direct.say(common.MAVLink_local_position_ned_message(1, 1.0, 2.0, -3.0, 0, 0, 0))
    until(lambda: mav.uavPosNED == [1, 2, -3])
    mav.endMavLoop()


def test_a_vehicle_that_is_not_there_is_waited_for_and_then_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mavlink, "SILENCE", 0.1)
    mav = PX4MavCtrler(3, Com="Direct", first_port=4000)
    assert mav.port == 4004
    begin = time.monotonic()
    mav.InitMavLoop()
    assert time.monotonic() - begin >= 0.1
    assert mav.system_status == 0
    with pytest.raises(UnsupportedError, match="there are 2 to 6"):
        mav.InitMavLoop(1)
    with pytest.raises(UnsupportedError, match="expected a simulator"):
        mav.sendSILIntFloat()
    mav.endMavLoop()
