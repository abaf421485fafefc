"""Models in libraries behind a server: their inputs and outputs over the network, autopilots."""

from __future__ import annotations

import logging
import math
import socket
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim, plugins
from pyrfly.autopilot import Autopilots, FlightMode
from pyrfly.cli import main
from pyrfly.log import flight_columns
from pyrfly.mavlink.constants import Result
from pyrfly.protocol.bits import Fault
from pyrfly.protocol.px4_channels import VERSIONS, channels_of, hitl_scales
from pyrfly.server import Server
from pyrfly.server.ardupilot_vehicle import ArduPilotVehicle
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.transport import Packet
from pyrfly.wire import flightgear

from ..waiting import until
from .packets import CHECKSUM, short, sil, target

Build = Callable[[str], Path]


class Served:
    """A server of models, whose packets are given to its link as if they had arrived."""

    def __init__(self, sim: Sim, first: int) -> None:
        self.sim, self.first = sim, first
        self.server = Server(sim, rate="max", first_port=first, timeouts={"setpoints": 0})

    @property
    def link(self) -> RflySimLink:
        assert self.server.rflysim is not None
        return self.server.rflysim

    def give(self, *packets: bytes, port: str = "sil", vehicle: int = 1) -> None:
        for data in packets:
            self.link.inbox.put([Packet(vehicle - 1, port, data, ("127.0.0.1", 1))])
            self.server.run(0.01)

    def told(self, vehicle: int = 1) -> list[float]:
        """Return what a model tells, of which the time has gone on since it was given."""
        self.server.run(0.01)
        values: list[float] = self.sim.select(vehicle).read("free_outputs")[0].tolist()
        return values


@pytest.fixture
def serve(build: Build, first_port: Callable[..., int]) -> Iterator[Callable[..., Served]]:
    """Return a function that serves vehicles of a model, and a quadrotor of the core."""
    made: list[Served] = []

    def make(name: str, *, isolate: bool = False) -> Served:
        sim = Sim({plugins.load(build(name), isolate=isolate): 1, "x450": 1})
        made.append(Served(sim, first_port(2)))
        return made[-1]

    yield make
    for served in made:
        served.server.close()


def doubles(values: list[float], checksum: int = CHECKSUM) -> bytes:
    return struct.pack("<2i28d", checksum, 1, *values, *[0.0] * (28 - len(values)))


@pytest.mark.parametrize("isolate", [False, True])
def test_doubles_reach_a_model_as_they_came_until_others_come(
    serve: Callable[..., Served], isolate: bool
) -> None:
    served = serve("doubles", isolate=isolate)
    numbers = [3.5, -0.25, 0, 0, 0, 0, 0, 0.1, 1 / 3, math.pi, 116.2593683]
    served.give(doubles(numbers))
    assert served.told()[:11] == numbers
    served.give(sil(1, 2, floats=[0.1]))
    assert served.told()[:9] == [1, 2, 0, 0, 0, 0, 0, 0, pytest.approx(0.1, rel=1e-7)]


def test_numbers_of_faults_are_those_of_the_model(serve: Callable[..., Served]) -> None:
    served = serve("doubles")
    served.give(sil(123450, 7, floats=[0.5]))
    served.give(sil(123450, 7, floats=[0.5], copter_id=2), vehicle=2)
    assert served.told()[:2] == [123450, 7]
    assert {fault.copter_id for fault in served.sim.faults.list()} == {2}


def test_further_inputs_reach_a_model_when_they_are_applied(serve: Callable[..., Served]) -> None:
    served = serve("doubles")
    served.give(doubles([123450.0], 1234567901))
    assert served.told()[28:30] == [0, 0]
    served.give(doubles([0.0] * 27 + [2.5], 1234567805))
    assert served.told()[28:30] == [123450, 2.5]
    assert not served.sim.faults.list()


def test_a_model_knows_of_its_autopilot_and_of_the_ground(serve: Callable[..., Served]) -> None:
    served = serve("doubles")
    served.give(sil(7), struct.pack("<2i20f", 1234567881, 1, -3.0, *[0.0] * 19))
    told = served.told()
    assert (told[30], told[31]) == (1, -3)


def test_what_a_model_tells_is_sent(serve: Callable[..., Served]) -> None:
    """Its free outputs by a packet of their own, and its type of the 3D view in the state."""
    served = serve("doubles")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as truth:
        truth.bind(("127.0.0.1", served.first + 10001))
        truth.settimeout(10)
        served.give(doubles([0.125] * 28))
        served.server.run(0.3)
        packets = [truth.recv(300) for _ in range(12)]
    free = [struct.unpack("<2i32d", packet) for packet in packets if len(packet) == 264]
    assert free[-1][:4] == (1234567890, 1, 0.125, 0.125)
    kinds = {struct.unpack_from("<i", packet, 8)[0] for packet in packets if len(packet) == 168}
    assert kinds == {60}


COMMANDS = {
    "a position": (target(0b100111111000, 1, 2, -3), "command"),
    "a velocity": (short(0, 1, 0, 0, 0), "command"),
    "a take-off": (short(11, 0, 0, -5, 0), "command"),
    "a speed": (short(10, 5, 0, 0, 0), "command"),
    "words": (sil(7, 0b11), "sil"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_model_without_a_controller_refuses_commands_that_need_one(
    serve: Callable[..., Served], name: str, caplog: pytest.LogCaptureFixture
) -> None:
    served = serve("quadrotor")
    data, port = COMMANDS[name]
    with caplog.at_level(logging.WARNING, "pyrfly.server"):
        served.give(data, data, port=port)
    (text,) = caplog.messages
    assert "'quadrotor', whose model has no controller" in text
    assert served.link.stats["refused"] == 2
    assert not served.sim.sil_ints[0, 1]


def test_a_model_without_a_controller_can_be_armed(serve: Callable[..., Served]) -> None:
    served = serve("quadrotor")
    served.give(short(9, 1, 0, 0, 0), port="command")
    assert served.sim.armed.tolist() == [1, 0]
    assert served.link.stats["refused"] == 0


def test_a_model_with_a_controller_gets_set_points(serve: Callable[..., Served]) -> None:
    served = serve("doubles")
    served.give(short(0, 1, 2, 3, 0.5), port="command")
    told = served.told()
    assert told[11:14] == [1, 2, 3]
    assert served.link.stats["refused"] == 0


def test_a_restart_begins_with_a_new_model_where_one_has_failed(
    serve: Callable[..., Served],
) -> None:
    served = serve("broken", isolate=True)
    served.sim.groups[0].view("command")[0, :2] = 1, 0.1
    served.server.run(0.02)
    assert served.sim.status.tolist() == [Fault.MODEL_FAILED, 0]
    served.give(struct.pack("<2i", 987654321, -1), port="command")
    served.server.run(0.02)
    assert served.sim.status.tolist() == [0, 0]


def test_a_model_whose_file_is_gone_stays_failed(build: Build, tmp_path: Path) -> None:
    copy = tmp_path / "copy.so"
    copy.write_bytes(build("broken").read_bytes())
    sim = Sim({plugins.load(copy, isolate=True): 1, "x450": 1})
    sim.groups[0].view("command")[0, :2] = 1, 0.1
    sim.step(10)
    copy.unlink()
    sim.reset()
    sim.step(10)
    assert sim.status.tolist() == [Fault.MODEL_FAILED, 0]


@pytest.mark.parametrize("force", [False, True])
def test_a_model_is_neither_armed_nor_flown_where_it_would_answer_as_px4(
    build: Build, force: bool
) -> None:
    sim = Sim({plugins.load(build("doubles")): 1, "x450": 1})
    sim.enable_synthesis()
    autopilots = Autopilots(sim)
    said: list[tuple[int, str]] = []
    autopilots.hearers.append(lambda row, _, text: said.append((row, text)))
    commander = autopilots.commander
    assert commander.arm(0, True, force) == Result.TEMPORARILY_REJECTED
    assert said[-1] == (0, "Arming denied: its model has no controllers here")
    sim.command_sil([7, 0, 0, 0, 0, 0, 0, 0], ids=1)  # its own controller is armed
    for mode in FlightMode:
        assert commander.set_mode(0, mode) == Result.TEMPORARILY_REJECTED
    assert commander.take_off(0, np.array([0, 0, -9.0]), 0.0) == Result.TEMPORARILY_REJECTED
    autopilots.update()
    assert commander.armed.tolist() == [False, False]
    assert sim.armed.tolist() == [1, 0]


@pytest.mark.slow
def test_px4_flies_a_model_by_the_sensors_of_that(build: Build, standin) -> None:
    sim = Sim({plugins.load(build("standing"), isolate=True): 1})
    sim.reset(pos=[[0, 0, 0]])
    link = Px4Link(sim, first_port=0)
    server = Server(sim, mode=None, rate="max", links=[link])
    module = standin("px4")
    with module.Px4(link.ports[0], arm_after=0.85, height=3) as px4:
        until(lambda: server.run(0.01) or link.connected == [1])
        server.run(3)
        assert 0.5 < -sim.pos[0, 2] < 3.5
        assert px4.estimate.height == pytest.approx(-sim.pos[0, 2], abs=0.2)
        assert set(np.diff(px4.times)) == {4000}
    until(lambda: server.run(0.01) or link.connected == [])
    server.run(0.01)
    assert not sim.groups[0].view("command").any()
    server.close()
    assert sim.check().ok


@pytest.mark.parametrize("version", VERSIONS)
def test_actuators_of_a_model_get_channels_of_autopilots_one_to_one(
    build: Build, version: str
) -> None:
    group = Sim({plugins.load(build("doubles")): 1}).groups[0]
    one_way = [actuator.one_way for actuator in group.ranges]
    airframe, mix = group.family.px4_outputs(group.parameters)
    assert mix is None
    assert channels_of(airframe, len(one_way), version) == tuple(range(16))
    assert set(hitl_scales(airframe, one_way, version)) == {(1, 0)}
    pulses = np.arange(1000, 2000, 62.5)
    commands = ArduPilotVehicle(group, 0).commands(pulses.astype(np.uint16))
    np.testing.assert_allclose(commands, np.arange(16) / 16, atol=1e-3)


FAILS = {
    "0.1": "its model failed: its process ended by SIGSEGV",
    "0.3": "its model failed: its process ended with status 3; it printed 'no more'",
    "0.7": "non-finite state",
}


@pytest.mark.parametrize("way", FAILS)
def test_a_model_that_fails_is_told_and_the_others_go_on(
    build: Build, first_port: Callable[..., int], tmp_path: Path, way: str, capsys
) -> None:
    events = tmp_path / "events.toml"
    events.write_text(
        f"[[events]]\ntime = 0.2\nids = [2]\ncommand = {[1, float(way), *[0] * 14]}\n"
    )
    options = ["--dll", f"{build('broken')}:2", "--vehicles", "x450", "--seconds", "0.5"]
    options += ["--rate", "max", "--first-port", str(first_port(3)), "--events", str(events)]
    assert main(["sim", *options, "--sensors", "none"]) == 0
    out = capsys.readouterr().out
    assert f"CopterID 2: {FAILS[way]}\n" in out
    assert out.count("CopterID") == 1 + (way == "0.3")
    assert "stopped after 0.50 s" in out


def test_models_are_recorded_and_shown_beside_other_vehicles(build: Build, tmp_path: Path) -> None:
    sim = Sim({plugins.load(build("doubles")): 1, "x450": 1})
    columns = flight_columns(sim)
    assert {"pos", "armed", "terrain"} <= set(columns)
    assert not {"pos_sp", "throttle"} & set(columns)
    sim.reset(pos=[[0, 0, -5], [3, 0, 0]])
    packets = flightgear.pack(sim)
    np.testing.assert_allclose(packets["agl"], [5, 0], atol=0.01)
    assert packets["wow"][:, 0].tolist() == [0, 1]
