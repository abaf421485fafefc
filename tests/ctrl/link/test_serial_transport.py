"""A vehicle on a serial port: a pair of pseudo terminals, one end of which is a stand-in."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pymavlink.dialects.v20 import common

from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.ctrl.link import mavlink, mavlink_receiver, serial_transport
from pyrfly.errors import MissingExtraError
from pyrfly.transport import PortError

from ...waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo terminals")


class Autopilot:
    """The stand-in: a HEARTBEAT ten times a second, and what has come."""

    def __init__(self, link: Path, system: int = 1) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.slave = slave  # kept open, so that a pair without a reader is not hung up
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(slave))
        self.came: list[Any] = []
        self._packer = common.MAVLink(None, system, 1)
        self._parser = common.MAVLink(None)
        self._parser.robust_parsing = True
        self._stop = threading.Event()
        os.set_blocking(self.master, False)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def say(self, message: Any, garbage: bytes = b"") -> None:
        """Say a message in pieces, after some bytes that are none."""
        frame = garbage + bytes(message.pack(self._packer))
        for i in range(0, len(frame), 7):
            os.write(self.master, frame[i : i + 7])

    def _run(self) -> None:
        while not self._stop.wait(0.05):
            beat = common.MAVLink_heartbeat_message(2, 12, 29, (4 << 16) + (3 << 24), 3, 3)
            with contextlib.suppress(BlockingIOError):
                self.say(beat)
            with contextlib.suppress(BlockingIOError, OSError):
                self.came += self._parser.parse_buffer(os.read(self.master, 65536)) or ()

    def commands(self) -> list[tuple[float, ...]]:
        found = [m for m in list(self.came) if m.get_type() == "COMMAND_LONG"]
        return [(m.command, m.param1, m.param2, m.target_system) for m in found]

    def close(self) -> None:
        """Hang up; a second call does nothing."""
        if self._stop.is_set():
            return
        self._stop.set()
        self._thread.join()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the name of a serial port of the stand-in."""
    monkeypatch.setattr(serial_transport, "_RETRY", 0.05)
    monkeypatch.setattr(mavlink, "SILENCE", 0.5)
    return tmp_path / "ttyAutopilot"


@pytest.fixture
def autopilot(device: Path) -> Iterator[Autopilot]:
    stand_in = Autopilot(device)
    yield stand_in
    stand_in.close()


def of_device(device: Path, monkeypatch: pytest.MonkeyPatch, **given: Any) -> PX4MavCtrler:
    """Make a controller of a port that is not in /dev."""
    from pyrfly.ctrl.link import com

    monkeypatch.setattr(com, "is_serial", lambda text: str(device) in text)
    return PX4MavCtrler(1, Com=given.pop("Com", str(device)), **given)


def test_a_vehicle_on_a_serial_port(
    device: Path, autopilot: Autopilot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(threading.enumerate())
    mav = of_device(device, monkeypatch)
    assert mav.sim is None
    mav.InitMavLoop()
    assert mav.system_status == 3  # InitMavLoop waits for it
    position = common.MAVLink_local_position_ned_message(1, 1.0, 2.0, -3.0, 0, 0, 0)
    autopilot.say(position, garbage=b"\x00\x01garbage")
    until(lambda: mav.uavPosNED == [1, 2, -3])
    assert mav.link_counts["malformed"] > 0
    mav.SendMavArm()
    until(lambda: (400, 1, 0, 1) in autopilot.commands())
    # A real vehicle is not disarmed in the air by who begins to listen to it.
    assert autopilot.commands()[0] == (400, 0, 0, 1)
    mav.SendQgcCmdLong(512, 242)
    until(lambda: (512, 242, 0, 1) in autopilot.commands())
    mav.initOffboard2()
    mav.SendVelNED(1, 0, 0, 0)
    until(lambda: any(getattr(m, "vx", 0) == 1 for m in list(autopilot.came)))
    mav.endMavLoop()
    assert set(threading.enumerate()) <= before


def test_what_only_a_simulator_has_says_so(
    device: Path, autopilot: Autopilot, monkeypatch: pytest.MonkeyPatch
) -> None:
    mav = of_device(device, monkeypatch)
    mav.InitMavLoop(3)
    for call in (
        lambda: mav.sendSILIntFloat(),
        lambda: mav.sendUDPSimpData(2, [0, 0, 0, 0]),
        lambda: mav.sendRebootPix(1),
        lambda: mav.sendPX4UorbRflyCtrl(),
        lambda: mav.SendBuf(b"x"),
        lambda: mav.TakeoffSyn(-5),
        lambda: mav.SendSynVel(0, 0, 0, 0),
    ):
        with pytest.raises(UnsupportedError):
            call()
    with pytest.raises(UnsupportedError, match="UDPMode: by Com='serial' there are 2 to 6"):
        mav.InitMavLoop(0)
    mav.InitTrueDataLoop()  # there is no port for it
    mav.endMavLoop()


def test_a_port_that_goes_and_comes_back(
    device: Path, autopilot: Autopilot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mavlink_receiver, "SILENCE", 0.3)
    mav = of_device(device, monkeypatch)
    mav.InitMavLoop()
    mav.initOffboard2()
    autopilot.close()
    time.sleep(0.4)
    mav.SendMavArm()  # is lost
    replacement = Autopilot(device, system=5)
    try:
        until(lambda: mav.uavMsg.get_srcSystem() == 5)
        mav.SendMavArm()
        until(lambda: (400, 1, 0, 5) in replacement.commands())
        names = "SET_POSITION_TARGET_LOCAL_NED"
        until(lambda: any(m.get_type() == names for m in list(replacement.came)))
    finally:
        mav.endMavLoop()
        replacement.close()


def test_a_port_that_cannot_be_opened_is_named(
    device: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(threading.enumerate())
    mav = of_device(device, monkeypatch, port=115200)
    with pytest.raises(PortError, match=r"Com: expected a serial port .* 115200 baud, got .*tty"):
        mav.InitMavLoop()
    assert not mav.connected
    assert set(threading.enumerate()) <= before


def test_without_pyserial_the_extra_is_named(
    device: Path, autopilot: Autopilot, monkeypatch: pytest.MonkeyPatch
) -> None:
    mav = of_device(device, monkeypatch)
    monkeypatch.setitem(sys.modules, "serial", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pyrfly\[serial\]'"):
        mav.InitMavLoop()


@pytest.mark.parametrize(
    ("suffix", "port", "baud"), [("", 0, 57600), ("", 921600, 921600), (":115200", 0, 115200)]
)
def test_the_rate_is_port_or_that_of_com(
    device: Path,
    autopilot: Autopilot,
    monkeypatch: pytest.MonkeyPatch,
    suffix: str,
    port: int,
    baud: int,
) -> None:
    import serial

    opened: list[int] = []

    class Spy(serial.Serial):
        def __init__(self, name: str, rate: int, **given: Any) -> None:
            opened.append(rate)
            super().__init__(name, rate, **given)

    monkeypatch.setattr(serial, "Serial", Spy)
    mav = of_device(device, monkeypatch, Com=f"{device}{suffix}", port=port)
    mav.InitMavLoop()
    mav.endMavLoop()
    assert opened == [baud]
