"""A method has the same effect in process and over the wire, as do packets of RflySim's client.

Every case begins in the same flight, with the vehicle moving and turning, and compares it 1.5 s
later, so that what is dropped, or taken for something else, shows.
"""

from __future__ import annotations

import math
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import ATT_RATE, BASE, VEL, Command, Offboard
from pyrfly.server import Server

from .packets import short

NAN = math.nan
SECONDS = 1.5
HEIGHT = 8.0
NO_SET_POINT = struct.pack("<I", 4095)  # mask of the message of 120 bytes
ORIGIN = (40.1540302, 116.2593683, 50.0)

Method = Callable[[PX4MavCtrler], Any]


class End:
    """A vehicle and its controller."""

    def __init__(self, sim: Sim, mav: PX4MavCtrler) -> None:
        self.sim, self.mav = sim, mav

    def advance(self, seconds: float) -> None:
        self.sim.sleep(seconds)

    def restore(self, start: bytes) -> None:
        self.sim.restore(start)

    def do(self, act: Callable[[End], object], ports: int) -> None:
        """Act, and wait until what it sends is there, to a number of ports."""
        act(self)


class FarEnd(End):
    """A vehicle behind a server, and its controller or a socket of one's own."""

    def __init__(self, sim: Sim, server: Server, mav: PX4MavCtrler) -> None:
        super().__init__(sim, mav)
        self.server = server
        self.port = server.rflysim.sockets.port("command", 0)
        self.out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.sent: list[int] = []  # offsets of ports, in order
        self.reached: set[int] = set()  # the same, but for messages without a set-point
        self.acting = False
        raw = mav._link._out.raw

        def noted(packet: bytes, offset: int) -> None:
            repeated = threading.current_thread().name == "pyrfly link"
            if self.acting and repeated and packet[16:20] == NO_SET_POINT:
                return  # between two ports there is no order: it might seem to follow the act
            raw(packet, offset)
            self.sent.append(offset)
            if packet[16:20] != NO_SET_POINT:
                self.reached.add(offset)

        mav._link._out.raw = noted

    def advance(self, seconds: float) -> None:
        self.server.run(seconds)

    def restore(self, start: bytes) -> None:
        self._until(self._all_is_received)  # of the flight before
        super().restore(start)
        before = len(self.sent)
        self._until(lambda: len(self.sent) > before)
        self._until(self._all_is_received)  # the stream without a set-point goes on before the act

    def do(self, act: Callable[[End], object], ports: int) -> None:
        self.acting = True
        self._until(self._all_is_received)
        self.reached.clear()
        act(self)
        self._until(lambda: len(self.reached) >= ports)
        self._until(self._all_is_received)
        self.acting = False

    def _all_is_received(self) -> bool:
        """Execute what is there; the system may deliver a datagram after it was sent."""
        sent = len(self.sent)
        self.server._take()
        return self.server.stats["received"] >= sent

    def _until(self, there: Callable[[], bool]) -> None:
        end = time.monotonic() + 20
        while not there():
            assert time.monotonic() < end
            time.sleep(0.002)

    def send(self, packet: bytes, series: int = 0) -> None:
        with self.mav._link._sending:
            self.mav._link._holds = False  # another client sends now
        self.out.sendto(packet, ("127.0.0.1", self.port + series))
        self.sent.append(series)
        self.reached.add(series)


def new_sim() -> Sim:
    sim = Sim("sdk", threads=1)
    sim.enable_synthesis()
    sim.reset(pos=(3, -2, 0))  # home is not the origin
    return sim


@pytest.fixture(scope="module")
def flying() -> bytes:
    """Snapshot of a vehicle that flies north-east and turns, since long."""
    sim = new_sim()
    inputs = synthesis.inputs(1)
    sim.command_sil(*synthesis.take_off(0, 0, -HEIGHT, armed=False))
    sim.command_sil(command=int(BASE | Command.ARMED | Command.TAKEOFF))
    sim.sleep(10)
    inputs.ints[0, :2] = BASE | Command.ARMED, Offboard.VELOCITY | Offboard.YAW_RATE
    inputs.floats[0, VEL], inputs.floats[0, ATT_RATE] = (1.0, 0.5, 0.0), (0, 0, 0.4)
    sim.command_sil(*inputs)
    sim.sleep(5)
    return sim.snapshot()


@pytest.fixture(scope="module")
def near_end() -> Iterator[End]:
    sim = new_sim()
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    yield End(sim, mav)
    mav.endMavLoop()


def far_end(mode: int) -> Iterator[FarEnd]:
    sim = new_sim()
    for first in range(5000, 9000, 4):
        try:
            server = Server(sim, rate="max", first_port=first)
        except OSError:
            continue
        break
    mav = PX4MavCtrler(1, first_port=first)
    mav.InitMavLoop(mode)
    end = FarEnd(sim, server, mav)
    yield end
    mav.endMavLoop()
    server.close()
    end.out.close()


@pytest.fixture(scope="module", params=[0, 1], ids=["udp_full", "udp_simple"])
def far(request: pytest.FixtureRequest) -> Iterator[FarEnd]:
    yield from far_end(request.param)


def flown(end: End, start: bytes, act: Callable[[End], object], ports: int = 1) -> Sim:
    """Return the simulation after an act, which sends to some ports, in the flight of ``start``."""
    end.mav.initOffboard()
    end.advance(0.1)
    end.restore(start)
    end.do(act, ports)
    end.advance(SECONDS)
    return end.sim


def assert_same(near: Sim, far: Sim, tolerance: float = 5e-3) -> None:
    for column in ("pos", "vel", "att", "rate"):
        np.testing.assert_allclose(
            getattr(far, column), getattr(near, column), atol=tolerance, err_msg=column
        )
    heading = int(Offboard.YAW | Offboard.YAW_RATE)
    assert int(far.setpoint_mask[0]) | heading == int(near.setpoint_mask[0]) | heading
    active = {"pos_sp": 1, "vel_sp": 2, "acc_sp": 4, "att_sp": 256, "rate_sp": 512}
    for column, bit in active.items():
        if near.setpoint_mask[0] & bit:
            np.testing.assert_allclose(
                getattr(far, column), getattr(near, column), atol=tolerance, err_msg=column
            )


PLACE = (5.0, 2.0, -6.0)


def method(name: str, *arguments: Any) -> Any:
    shown = ", ".join(map(str, arguments))
    return pytest.param(name, arguments, id=f"{name}({shown})")


def off_all(mask: int, frame: int = 1, yaw: float = 0.6, yaw_rate: float = -0.3) -> Any:
    fields = (mask, frame, [5, 2, -6], [0.8, -0.6, -0.5], [0.4, 0.3, -0.2], yaw, yaw_rate)
    return pytest.param("SendOffAll", fields, id=f"SendOffAll {mask:012b} frame {frame}")


COMMANDS = [
    method("SendVelNED", 1, -0.5, -0.3, 0.4),
    method("SendVelNED", 1, 0, 0),
    method("SendVelNED", NAN, 1, NAN, NAN),
    method("SendVelNEDNoYaw", 1, -1, 0.3),
    method("SendVelFRD", 1, -0.5, -0.3, -0.4),
    method("SendVelFRD", 1, NAN, NAN, NAN),
    method("SendVelNoYaw", 1, 0.5, 0),
    method("SendPosNED", *PLACE, 0.6),
    method("SendPosNED", NAN, 2, NAN, NAN),
    method("SendPosNED", NAN, NAN, -6, 0.3),
    method("SendPosNEDNoYaw", *PLACE),
    method("SendPosFRD", 2, -1, -1, 0.6),
    method("SendPosFRD", NAN, 2, NAN),
    method("SendPosFRDNoYaw", 2, -1, -1),
    method("SendPosNEDExt", *PLACE),
    method("SendPosNEDExt", 1, 1, -1, 3, False),
    method("SendPosGlobal", ORIGIN[0] + 1e-4, ORIGIN[1], 57, 0.5, 1),
    method("SendVelYawAlt", 2, 0.8, -7),
    method("SendAccPX4", 0.5, -0.3, 0.1),
    method("SendAccPX4", 0.5, NAN, NAN),
    method("SendAccPX4", 0.5, -0.3, 0, 0.7, 1),
    method("SendAccPX4", 0.5, -0.3, 0, 0.3, 2),
    method("SendAccPX4", 0.5, -0.3, 0, 0.7, 1, 1),
    method("SendAttPX4", [5, -4, 40], 0.62, 0),
    method("SendAttPX4", [0.1, -0.05, 0.7], 0.62, 1),
    method("SendAttPX4", [0.98, 0.1, -0.05, 0.15], 0.62, 2),
    method("SendAttPX4", [0.1, 0.1, 0.3], 0.62, 3),
    method("SendAttPX4", [5, -5, 20], 0.62, 4),
    method("SendAttPX4", [5, -4, 40], -6, 0, 1),
    method("SendAttAll", 7, [0.98, 0.1, -0.05, 0.15], [0, 0, 0], 0.62),
    method("SendAttAll", 128, [1, 0, 0, 0], [0.1, 0.1, 0.3], 0.62),
    method("SendAttAll", 128 | 2, [1, 0, 0, 0], [0.1, 0.1, 0.3], 0.62),
    off_all(0b110_111_111_000),  # position
    off_all(0b100_111_111_000),  # position, yaw
    off_all(0b010_111_000_111),  # velocity, yaw rate
    off_all(0b110_111_000_000),  # position, velocity
    off_all(0b100_000_000_000),  # position, velocity, acceleration, yaw
    off_all(0b110_100_011_111),  # z velocity; x, y acceleration
    off_all(0b110_111_100_011),  # z position; x, y velocity
    off_all(0b110_100_111_011),  # z position; x, y acceleration
    off_all(0b110_011_111_100),  # x, y position; z acceleration
    off_all(0b110_111_011_100),  # x, y position; z velocity
    off_all(0b110_101_010_110),  # x position; x and z velocity; y acceleration
    off_all(0b110_111_000_111, 8),  # velocity forward, right, down
    off_all(0b110_100_011_111, 8),  # z velocity; forward and right acceleration
    off_all(0b110_111_100_011, 8),  # height offset; forward and right velocity
    off_all(7), off_all(128), off_all(448),  # masks that other kinds of message have too
    pytest.param("sendMavOffboardCmd", (0xDC7, 1, 0, 0, 0, 1, -1, 0.2, 0, 0, 0, 0, 0), id="Cmd"),
    method("sendMavOffboardAPI", 0xDF8, 1, [5, 2, -6]),
    method("sendUDPSimpData", 0, [1, NAN, -0.3, NAN]),
    method("sendUDPSimpData", 1, [1, 0.5, NAN, 0.2]),
    method("sendUDPSimpData", 2, [5, 2, NAN, NAN]),
    method("sendUDPSimpData", 3, [2, NAN, -1, 0.4]),
    method("sendUDPSimpData", 4, [0.1, -0.05, 0.7, 0.62]),
    method("sendUDPSimpData", 6, [0.5, NAN, 0.1, NAN]),
    method("sendUDPSimpData", 7, [0.5, 0, 0, 0.3]),
    method("sendUDPSimpData", 8, [0.5, 0, 0, 0.8]),
    method("sendUDPSimpData", 13, [2, -7, 0.8]),
    method("SendSynPos", 5, 2, -6, 0.6),
    method("SendSynVel", 1, -0.5, 0.2, 0.3),
    method("SendSynAcc", 0.5, -0.3, 0),
    method("SendSynFull", 5, 2, -6, 0.5, 0, 0, 0.2, 0, 0, 0.3),
    method("SendSynAttThrust", 0.1, -0.05, 0.7, 0.62),
    method("SendSynAtt", 0.1, -0.05, 0.7),
    method("sendMavTakeOff", 1, 2, -12),
    method("sendMavLand", 3, -1, 0),
    method("sendMavLand", 3, -1, -3),
    method("LandSyn", -4),
    method("ReturnHomeSyn", -9),
    method("SendMavArm", 0),
    method("endOffboard"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "arguments"), COMMANDS)
def test_a_method(
    name: str, arguments: tuple[Any, ...], near_end: End, far: FarEnd, flying
) -> None:
    def act(end: End) -> None:
        getattr(end.mav, name)(*arguments)

    ports = 2 if name.startswith("SendSyn") else 1  # a command, and the set-point on the other port
    assert_same(flown(near_end, flying, act), flown(far, flying, act, ports))


def full(mask: int, frame: int, **fields: Any) -> bytes:
    """Return the message of 120 bytes as RflySim's client packs it."""
    names = {"pos": (0, 0, 0), "vel": (0, 0, 0), "acc": (0, 0, 0), "yaw": (0,), "yawrate": (0,)}
    names |= {name: tuple(np.atleast_1d(value)) for name, value in fields.items()}
    numbers = [number for values in names.values() for number in values]
    return struct.pack("<2i4I16f32x", 3, 80, 0, 1, mask, frame, *numbers, *[0.0] * 5)


LEVEL = {"pos": (0, 0, 0), "yawrate": 1.0}  # a quaternion without rotation
TILTED = {"pos": (0.1, -0.05, 0.15), "yawrate": math.sqrt(1 - 0.1**2 - 0.05**2 - 0.15**2)}
QUATERNION = [TILTED["yawrate"], *TILTED["pos"]]
PACKETS = [
    pytest.param(short(0, 1, 0, 0, NAN), "SendVelNED", (1, 0, 0), id="SendVelNED simple"),
    pytest.param(short(2, 5, NAN, -6, NAN), "SendPosNED", (5, NAN, -6), id="SendPosNED simple"),
    pytest.param(short(13, 2, -7, 0.8, 0), "SendVelYawAlt", (2, 0.8, -7), id="mode 13"),
    pytest.param(short(11, 1, 2, -12, 0), "sendMavTakeOff", (1, 2, -12), id="take-off"),
    pytest.param(
        full(0x7C7, 1, vel=(1, 0, 0), yawrate=NAN), "SendVelNED", (1, 0, 0), id="SendVelNED full"
    ),
    pytest.param(
        full(0b110_100_011_111, 1, vel=(9, 9, -0.5), acc=(0.4, 0.3, 9)),
        "SendOffAll",
        (0b110_100_011_111, 1, [0] * 3, [0, 0, -0.5], [0.4, 0.3, 0]),
        id="z velocity with x and y acceleration",
    ),
    pytest.param(
        full(448, 1, pos=(0, 0, -7), vel=(0.8, 2, 0), yaw=0.8),
        "SendVelYawAlt",
        (2, 0.8, -7),
        id="SendVelYawAlt full",
    ),
    pytest.param(full(7, 8, yaw=0.62, **TILTED), "SendAttPX4", (QUATERNION, 0.62, 2), id="mask 7"),
    pytest.param(
        full(128, 1, yaw=0.62, vel=(0.1, 0.1, 0.3), **LEVEL),
        "SendAttPX4",
        ([0.1, 0.1, 0.3], 0.62, 3),
        id="mask 128",
    ),
    pytest.param(
        full(7, 1, yaw=-6, **TILTED), "SendAttPX4", (QUATERNION, -6, 2, 1), id="mask 7, a height"
    ),
]


@pytest.mark.parametrize(("packet", "name", "arguments"), PACKETS)
def test_a_packet_of_rflysims_client(
    packet: bytes, name: str, arguments: tuple[Any, ...], near_end: End, far: FarEnd, flying: bytes
) -> None:
    near = flown(near_end, flying, lambda end: getattr(end.mav, name)(*arguments))
    assert_same(near, flown(far, flying, lambda end: end.send(packet)))


@pytest.mark.parametrize("controlled", ["z velocity, acceleration", "z, velocity"])
def test_axes_are_controlled_one_by_one(near_end: End, flying: bytes, controlled: str) -> None:
    """Against closed forms: what is not controlled along an axis has no effect there."""
    accelerates = controlled == "z velocity, acceleration"
    mask = 0b110_100_011_111 if accelerates else 0b110_111_100_011
    fields = ([0, 0, -9], [0, 0, -0.5], [0.4, -0.2, 0])
    sim = flown(near_end, flying, lambda end: end.mav.SendOffAll(mask, 1, *fields))
    if accelerates:  # since the first velocity, less the delay of the tilt
        expected = 1 + 0.4 * SECONDS, 0.5 - 0.2 * SECONDS, -0.5
        np.testing.assert_allclose(sim.vel[0], expected, atol=0.15)
    else:
        np.testing.assert_allclose(sim.vel[0, :2], 0, atol=0.1)
        assert sim.pos[0, 2] < -HEIGHT - 0.5
