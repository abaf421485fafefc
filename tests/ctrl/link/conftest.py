"""A stand-in for a vehicle that speaks MAVLink, made with pymavlink."""

from __future__ import annotations

import contextlib
import random
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pymavlink.dialects.v20 import common

from pyrfly.ctrl import PX4MavCtrler
from pyrfly.ctrl.methods import commands, offboard

LONGEST = 30.0  # s that anything is waited for
SERIES = (0, 10000, 20000)
HOME = {"latitude": 401540302, "longitude": 1162593683, "altitude": 50000}


def bound(port: int) -> socket.socket:
    heard = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    heard.bind(("127.0.0.1", port))
    heard.settimeout(0.1)
    return heard


def free_port() -> int:
    """Return a first port whose series are free, none that the system gives out by itself."""
    for _ in range(100):
        first = 2 * random.randrange(2500, 6000)
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            for series in SERIES:
                stack.enter_context(bound(first + series))
                stack.enter_context(bound(first + series + 1))
            return first
    raise RuntimeError("no free ports")


def plain(message: Any) -> dict[str, Any]:
    """Return the fields of a message of pymavlink."""
    return {name: getattr(message, name) for name in message.get_fieldnames()}


class StandIn:
    """The vehicle's end of a link: says messages, and keeps those that came.

    Attributes
    ----------
    port : int
        The vehicle's port; what it says goes to the one above.
    came : list of message
        All messages that came, and when [s], in their order.
    """

    def __init__(self, system: int = 1) -> None:
        self.port = free_port()
        self.socket = bound(self.port)
        self.came: list[tuple[float, Any]] = []
        self.sender = common.MAVLink(None, system, 1)
        self._parser = common.MAVLink(None)

    def close(self) -> None:
        self.socket.close()

    def frame(self, name: str, *, system: int | None = None, **fields: Any) -> bytes:
        """Return the frame of a message; fields that are not given are 0."""
        kind = getattr(common, f"MAVLink_{name.lower()}_message")
        whole: dict[str, Any] = {}
        for field, form, count in zip(kind.fieldnames, kind.fieldtypes, _counts(kind), strict=True):
            zero: Any = b"" if form == "char" else [0] * count if count else 0
            whole[field] = fields.pop(field, zero)
        assert not fields
        packer = self.sender if system is None else common.MAVLink(None, system, 1)
        return bytes(kind(**whole).pack(packer))

    def say(self, name: str, *, system: int | None = None, **fields: Any) -> None:
        self.say_raw(self.frame(name, system=system, **fields))

    def say_raw(self, data: bytes) -> None:
        self.socket.sendto(data, ("127.0.0.1", self.port + 1))

    def beat(self, **fields: Any) -> None:
        """Say a HEARTBEAT of a PX4 on standby."""
        standby = {"type": 2, "autopilot": 12, "base_mode": 29, "system_status": 3}
        self.say("HEARTBEAT", **{**standby, "custom_mode": (4 << 16) + (3 << 24), **fields})

    def hear(self) -> None:
        """Take what has come."""
        self.socket.settimeout(0.001)
        with contextlib.suppress(TimeoutError):
            while True:
                self._take()

    def next(self, name: str, accept: Callable[[dict[str, Any]], bool] = lambda m: True) -> Any:
        """Wait for a message of a name whose fields are as wanted, and drop what came before."""
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            while self.came:
                _, message = self.came.pop(0)
                if message.get_type() == name and accept(plain(message)):
                    return message
            self.socket.settimeout(0.1)
            with contextlib.suppress(TimeoutError):
                self._take()
        raise AssertionError(f"no such {name}")

    def drain(self) -> None:
        """Drop what has come."""
        self.hear()
        self.came.clear()

    def _take(self) -> None:
        data = self.socket.recv(2000)
        now = time.monotonic()
        self.came += [(now, m) for m in self._parser.parse_buffer(data) or ()]

    @staticmethod
    def until(reached: Callable[[], bool]) -> None:
        """Wait for something that another thread brings about."""
        end = time.monotonic() + LONGEST
        while not reached():
            assert time.monotonic() < end
            time.sleep(0.002)

    def introduce(self, mav: PX4MavCtrler) -> None:
        """Let a controller know its vehicle and its take-off point."""
        self.beat()
        self.say("HOME_POSITION", **HOME)
        self.until(lambda: mav.uavPosGPSHome[2] == 50.0 and mav.system_status == 3)


def _counts(kind: Any) -> list[int]:
    """Return the lengths of a message's arrays in the order of its fields, 0 for a number."""
    ordered = dict(zip(kind.ordered_fieldnames, kind.array_lengths, strict=True))
    return [ordered[name] for name in kind.fieldnames]


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pauses of sequences, which a PX4 needs and the stand-in does not."""
    for module, name in (
        *((offboard, name) for name in ("SETTLED", "STREAM", "PAUSE")),
        *((commands, name) for name in ("PARAMETER_TIME", "MODE_TIME")),
    ):
        monkeypatch.setattr(module, name, 0.03)


@pytest.fixture(scope="session")
def stand_in() -> type[StandIn]:
    return StandIn


@pytest.fixture
def vehicle() -> Iterator[StandIn]:
    """Return a stand-in of CopterID 1."""
    ours = StandIn()
    yield ours
    ours.close()


@pytest.fixture
def linked(vehicle: StandIn) -> Iterator[Callable[..., PX4MavCtrler]]:
    """Make a controller of the stand-in, which knows it and its take-off point."""
    made: list[PX4MavCtrler] = []

    def make(mode: int = 2) -> PX4MavCtrler:
        mav = PX4MavCtrler(1, first_port=vehicle.port)
        mav.InitMavLoop(mode)
        made.append(mav)
        vehicle.introduce(mav)
        return mav

    yield make
    for mav in made:
        mav.endMavLoop()


@pytest.fixture
def bound_port() -> Iterator[Callable[[int], socket.socket]]:
    """Bind UDP ports of this machine."""
    opened: list[socket.socket] = []

    def bind(port: int) -> socket.socket:
        opened.append(bound(port))
        opened[-1].settimeout(5.0)
        return opened[-1]

    yield bind
    for one in opened:
        one.close()
