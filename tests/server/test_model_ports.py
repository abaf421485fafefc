"""What models know of autopilots, inCopterData, and what they tell them."""

from __future__ import annotations

import contextlib
import math
import random
import socket
from collections.abc import Iterator

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly.protocol.synthesis import Command
from pyrfly.server import Server
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.px4_hitl import Px4HitlLink
from pyrfly.server.links.px4_texts import Px4TextLink
from pyrfly.transport import PortError
from pyrfly.transport.byte_streams import UdpStream

ON_GROUND, IN_AIR, TAKEOFF, LANDING = 1, 2, 3, 4  # MAV_LANDED_STATE
HITL, SITL, WITHOUT = 0, 1, 2
CHANNELS = [1100 + 10 * k for k in range(16)]
EIGHT = [float(k) for k in range(1, 9)]
ARMED = 128 + 1
FLIES = Command.ENABLE | Command.SIL | Command.ARMED


def said_by_px4(channels: list[int] = CHANNELS, topic: list[float] = EIGHT) -> bytes:
    mav = common.MAVLink(None, srcSystem=1, srcComponent=1)
    messages = [
        common.MAVLink_home_position_message(*[0] * 6, [1, 0, 0, 0], 0, 0, 0),
        common.MAVLink_extended_sys_state_message(3, TAKEOFF),
        common.MAVLink_rc_channels_message(
            0, len(channels), *channels, *[65535] * (18 - len(channels)), 255
        ),
        common.MAVLink_actuator_control_target_message(5, 0, topic),
    ]
    return b"".join(message.pack(mav) for message in messages)


def controls(mode: int = ARMED) -> bytes:
    mav = common.MAVLink(None, srcSystem=1, srcComponent=1)
    return common.MAVLink_hil_actuator_controls_message(1, [0.0] * 16, mode, 0).pack(mav)


def of_kind(data: bytes, kind: str) -> list:
    mav = common.MAVLink(None)
    mav.robust_parsing = True
    return [m for m in mav.parse_buffer(data) or [] if m.get_type() == kind]


def landed(sim: Sim) -> float:
    return float(sim.autopilot_inputs[0, 5])


class Board:
    """A PX4 on hardware, which a socket is."""

    def __init__(self, mode: str | None = None, **options) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.sim = Sim("iris", 2)
        self.sim.enable_part("free_inputs")
        stream = UdpStream("127.0.0.1", self.socket.getsockname()[1])
        self.here = ("127.0.0.1", stream.port)
        link = Px4HitlLink(self.sim, [lambda: stream], clock=lambda: float(self.sim.time))
        self.server = Server(self.sim, mode, rate="max", links=[link], **options)

    def say(self, data: bytes) -> None:
        self.socket.sendto(data, self.here)
        self.server.run(0.02)

    def hear(self) -> bytes:
        self.socket.setblocking(False)
        heard = []
        with contextlib.suppress(BlockingIOError):
            while True:
                heard.append(self.socket.recv(65536))
        return b"".join(heard)

    def close(self) -> None:
        self.server.close()
        self.socket.close()


@pytest.fixture
def board() -> Iterator[Board]:
    made = Board()
    yield made
    made.close()


def test_vehicles_of_their_own_say_what_they_do() -> None:
    sim = Sim("x450")
    sim.enable_part("free_inputs")
    with contextlib.closing(Server(sim, None, rate="max")) as server:
        server.run(0.1)
        assert sim.autopilot_inputs[0].tolist() == [0, 0, WITHOUT, 1, 0, ON_GROUND, *[0] * 26]
        sim.takeoff_height = 2.0
        sim.command_sil(command=FLIES | Command.TAKEOFF)
        server.run(0.5)
        assert (sim.autopilot_inputs[0, 0], landed(sim)) == (1, TAKEOFF)
        server.run(4)
        assert landed(sim) == IN_AIR
        sim.command_sil(command=FLIES | Command.LAND)
        server.run(0.5)
        assert landed(sim) == LANDING
        server.run(6)
        assert (sim.autopilot_inputs[0, 0], landed(sim)) == (0, ON_GROUND)


def test_nothing_is_kept_where_no_model_wants_it() -> None:
    sim = Sim("x450")
    with contextlib.closing(Server(sim, None, rate="max")) as server:
        server.run(0.05)
    assert not sim.groups[0].batch.has("free_inputs")


def test_sticks_are_the_channels_of_vehicles_that_answer_as_px4(first_port) -> None:
    sim = Sim("x450")
    sim.enable_part("free_inputs")
    link = MavlinkLink(sim, ("ground_station",), first_port=first_port(2, mavlink=True))
    with contextlib.closing(Server(sim, None, rate="max", links=[link])) as server:
        server.run(0.1)
        assert sim.autopilot_inputs[0, 1:6].tolist() == [0, WITHOUT, 1, 0, ON_GROUND]
        port = link.port_uses()[0].ports[0]
        override = common.MAVLink_rc_channels_override_message(
            1, 1, *[1600, 1400, 1500, 1550], *[0] * 4
        )
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as station:
            station.sendto(override.pack(common.MAVLink(None, srcSystem=255)), ("127.0.0.1", port))
            server.run(0.3)
        assert sim.autopilot_inputs[0, 1] == 4
        assert sim.autopilot_inputs[0, 8:12].tolist() == pytest.approx([1600, 1400, 1500, 1550])


def test_a_px4_on_hardware_says_all(board: Board) -> None:
    board.say(controls() + said_by_px4())
    data = board.sim.autopilot_inputs
    assert data[0].tolist() == [1, 16, HITL, 1, 3, TAKEOFF, 0, 0, *CHANNELS, *EIGHT]
    assert data[1].tolist() == [0, 0, WITHOUT, 1, 0, ON_GROUND, *[0] * 26]


def test_channels_that_are_not_there_are_0_and_topics_are_finite(board: Board) -> None:
    board.say(controls() + said_by_px4(CHANNELS[:5], [math.nan] * 8))
    assert board.sim.autopilot_inputs[0, 1] == 5
    assert board.sim.autopilot_inputs[0, 8:].tolist() == [*CHANNELS[:5], *[0] * 19]


def test_a_px4_on_hardware_gets_what_the_model_has_for_it(board: Board) -> None:
    board.say(controls())
    board.hear()
    board.server.run(0.02)
    assert of_kind(board.hear(), "DEBUG_FLOAT_ARRAY") == []
    board.sim.enable_part("free_outputs")
    board.sim.autopilot_outputs[0] = np.arange(16) + 0.5
    board.server.run(0.1)
    told = of_kind(board.hear(), "DEBUG_FLOAT_ARRAY")
    assert len(told) == 10  # 100 Hz
    assert told[0].name == "rfly_ext"
    assert told[0].data == [*(np.arange(16) + 0.5), *[0] * 42]
    assert told[-1].time_usec - told[0].time_usec == 90_000
    assert told[0].get_srcSystem() == 1


@pytest.mark.parametrize("mode", [1, 101, 201])
def test_topics_go_to_the_px4_that_is_there(mode: int, first_port) -> None:
    first = first_port(3)
    board = Board("udp_full", first_port=first)
    with contextlib.closing(board):
        board.say(controls())
        board.hear()
        for copter_id in (1, 2):
            packet = np.zeros(1, "<i4,<i4,<u4,<u4,(16,)<f4")
            packet[0] = (1234567896, copter_id, mode, 1, np.arange(16))
            board.socket.sendto(
                packet.tobytes(), ("127.0.0.1", first + 10000 + 2 * (copter_id - 1))
            )
        board.server.run(0.05)
        (told,) = of_kind(board.hear(), "HIL_ACTUATOR_CONTROLS")
        assert (told.mode, told.controls) == (mode, list(range(16)))
        topic = board.sim.autopilot_inputs[:, 24:].tolist()
        assert topic == [[0] * 8, list(range(8)) if mode == 1 else [0] * 8]


def test_what_a_px4_said_ends_with_it() -> None:
    sim = Sim("iris")
    sim.enable_part("free_inputs")
    for _ in range(50):
        with contextlib.suppress(PortError):
            instance = random.randrange(20, 240)
            texts = Px4TextLink(sim, first_instance=instance)
            break
    link = Px4Link(sim, first_port=0, clock=lambda: math.inf)
    with (
        contextlib.closing(Server(sim, None, rate="max", links=[link, texts])) as server,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as camera,
    ):
        camera.bind(("127.0.0.1", 14280 + instance))
        with socket.create_connection(("127.0.0.1", link.ports[0])) as px4:
            px4.sendall(controls())
            server.run(0.02)
            camera.sendto(said_by_px4(), ("127.0.0.1", 14030 + instance))
            server.run(0.02)
            assert sim.autopilot_inputs[0, :6].tolist() == [1, 16, SITL, 1, 3, TAKEOFF]
        server.run(0.05)
        assert sim.autopilot_inputs[0, :6].tolist() == [0, 0, WITHOUT, 1, 3, ON_GROUND]
