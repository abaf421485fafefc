"""RflySim's ``Com`` and ``port``."""

from __future__ import annotations

import pytest

from pyrfly.ctrl import PX4MavCtrler, UnsupportedError
from pyrfly.ctrl.link.com import Com, Kind, parsed_com


@pytest.mark.parametrize(
    ("com", "port", "expected"),
    [
        ("udp", 0, Com(Kind.UDP)),
        ("UDP", 20110, Com(Kind.UDP, number=20110)),
        ("COM3", 0, Com(Kind.SERIAL, "COM3", 57600)),
        ("COM3", 115200, Com(Kind.SERIAL, "COM3", 115200)),
        ("com12:921600", 57600, Com(Kind.SERIAL, "com12", 921600)),
        ("/dev/ttyUSB0", 0, Com(Kind.SERIAL, "/dev/ttyUSB0", 57600)),
        ("/dev/ttyAMA0:57600", 0, Com(Kind.SERIAL, "/dev/ttyAMA0", 57600)),
        ("/dev/serial/by-path/pci-0:0:1.0-port", 0,
         Com(Kind.SERIAL, "/dev/serial/by-path/pci-0:0:1.0-port", 57600)),
        ("Direct", 15551, Com(Kind.DIRECT, number=15551)),
        ("direct:15552", 15551, Com(Kind.DIRECT, number=15552)),
        ("Direct", 0, Com(Kind.DIRECT)),
    ],
)  # fmt: skip
def test_links_are_rflysims(com: str, port: int, expected: Com) -> None:
    assert parsed_com(com, port) == expected


def test_redis_does_not_exist_here() -> None:
    with pytest.raises(UnsupportedError, match="Com: RflySim's link 'redis' does not exist here"):
        parsed_com("redis", 6379)


@pytest.mark.parametrize("com", ["tcp", "", None, 3, "udpx"])
def test_other_links_are_refused(com: object) -> None:
    with pytest.raises(ValueError, match=r"Com: expected 'udp'.*serial port.*'Direct'; got"):
        parsed_com(com, 0)


@pytest.mark.parametrize(
    ("arguments", "copter_id", "port", "shown"),
    [
        ((2, "127.0.0.1", "COM3", 115200), 2, 20102, "on COM3"),
        (("COM3:115200",), 1, 20100, "on COM3"),
        (("/dev/ttyUSB0",), 1, 20100, "on /dev/ttyUSB0"),
        ((20104, "127.0.0.1", "Direct", 15551), 20104, 15551, "on UDP port 15551"),
        ((3, "192.0.2.1", "Direct:15551"), 3, 15551, "on UDP port 15551 of 192.0.2.1"),
        ((3, "192.0.2.1", "Direct"), 3, 20104, "on UDP port 20104 of 192.0.2.1"),
    ],
)
def test_a_controller_knows_its_link(
    arguments: tuple[object, ...], copter_id: int, port: int, shown: str
) -> None:
    mav = PX4MavCtrler(*arguments)  # type: ignore[arg-type]
    assert (mav.CopterID, mav.port, mav.sim) == (copter_id, port, None)
    assert shown in repr(mav)
