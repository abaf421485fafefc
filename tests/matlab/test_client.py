"""pyrfly/matlab sends what the Python client sends for the same methods, and flies vehicles."""

from __future__ import annotations

import re
import select
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly import wire
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.rflysim.DllSimCtrlAPI import DllSimCtrlAPI
from pyrfly.server import Server

from .conftest import FOLDER

SET_POINTS = (
    "SendVelNED(1, 2, -3, 0.5)",
    "SendVelNED(1, 2)",
    "SendVelNEDNoYaw(1, 2, -3)",
    "SendVelFRD(1, 0, 0.5, 0.1)",
    "SendVelNoYaw(1, 2, 3)",
    "SendPosNED(1, 2, -3, 0.5)",
    "SendPosNED(1, 2, -3)",
    "SendPosNEDNoYaw(1, 2, -3)",
    "SendPosFRD(1, 2, -3, 0.5)",
    "SendPosFRDNoYaw(1, 2, -3)",
    "SendAccPX4(1, 2, -3)",
    "SendAccPX4(1, 2, -3, 0.5, 1)",
    "SendAccPX4(1, 2, -3, 0.5, 2, 1)",
    "SendAttPX4([10, -5, 30], 0.6, 0)",
    "SendAttPX4([0.1, -0.2, 2], 0.6, 1)",
    "SendAttPX4([0.1, 0.2, -0.3], 0.6, 3)",
    "SendVelYawAlt(10, 0.5, -20)",
)
COMMANDS = (
    "SendMavArm(1)",
    "sendMavTakeOff(1, 2, -5, 0.5)",
    "sendMavLand(1, 2, 0)",
    "SendMavArm(0)",
    "ReturnHomeSyn(-5)",
    "LandSyn()",
    "SendCruiseSpeed(4)",
    "SendCruiseRadius(30)",
    "sendUDPSimpData(2, [1, 2, -3, 0.5])",
    "sendSILIntFloat([123450, 0, 0, 0, 0, 0, 0, 0], [0.5, 1, 1, 1" + ", 0" * 16 + "])",
)
PATIENCE = 3.0  # s that a packet is waited for

Heard = list[tuple[str, list[float]]]


class Simulator:
    """The ports of a vehicle, which keep what comes."""

    def __init__(self, port: int) -> None:
        self.ears = {}
        for kind, number in (("command", port), ("sil", port + 10000)):
            ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            ear.bind(("127.0.0.1", number))
            self.ears[ear] = kind

    def heard(self) -> Heard:
        """Return what has come: name and values without the time."""
        found: Heard = []
        while ready := select.select(list(self.ears), [], [], 0.01)[0]:
            for ear in ready:
                name, record = wire.parse(self.ears[ear], ear.recv(2000))
                fields = [field for field in record.dtype.names if field != "time_boot_ms"]
                values = np.concatenate([np.ravel(record[field]) for field in fields]).tolist()
                found.append((name, values))
        return found

    def close(self) -> None:
        for ear in self.ears:
            ear.close()


@pytest.fixture
def simulator(first_port: Callable[..., int]) -> Iterator[tuple[Simulator, int]]:
    port = first_port(2)
    ears = Simulator(port + 2)
    yield ears, port
    ears.close()


def is_sent_by_python(
    simulator: Simulator, port: int, mode: int, expected: dict[str, tuple[str, list[float]]]
) -> Iterator[tuple[str, bool]]:
    """Yield for each method whether it sends what is expected, within a time."""
    mav = PX4MavCtrler(2, first_port=port)
    mav.InitMavLoop(mode)
    mav.initOffboard()
    for call, (name, values) in expected.items():
        eval(f"mav.{call}", {"mav": mav})
        end, found = time.monotonic() + PATIENCE, False
        while not found and time.monotonic() < end:
            found = any(
                name == other and np.allclose(values, numbers, atol=1e-6, equal_nan=True)
                for other, numbers in simulator.heard()
            )
        yield call, found
    mav.endMavLoop()


def sent_by_octave(
    simulator: Simulator, port: int, mode: int, command: list[str]
) -> dict[str, Heard]:
    lines = [
        f"mav = pyrfly_client(2, '127.0.0.1', {port});",
        f"mav.InitMavLoop({mode}); mav.initOffboard(); fflush(stdout);",
        *(
            f"input(''); mav.{call}; disp('sent'); fflush(stdout);"
            for call in SET_POINTS + COMMANDS
        ),
    ]
    found = {}
    with subprocess.Popen(
        [*command, "\n".join(lines)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        for call in (*SET_POINTS, *COMMANDS):
            program.stdin.write("0\n")
            program.stdin.flush()
            line = program.stdout.readline()
            assert line.strip() == "sent", line
            found[call] = simulator.heard()
    return found


def test_methods_of_the_page_are_those_of_the_client_and_of_python() -> None:
    page = (Path(__file__).parents[2] / "docs" / "matlab.md").read_text("utf-8")
    table = page.split("<!-- methods -->")[1].split("<!-- end -->")[0]
    named = {*re.findall(r"`(\w+)`", table)}
    code = (FOLDER / "pyrfly_client.m").read_text("utf-8")
    public = code.split("methods (Access = private)")[0]
    methods = {*re.findall(r"function (\w+)\(obj", public)}
    assert named == methods - {"delete"}
    assert not [
        one
        for one in named - {"update"}
        if not hasattr(PX4MavCtrler, one) | hasattr(DllSimCtrlAPI, one)
    ]


@pytest.mark.realtime
@pytest.mark.parametrize("mode", [0, 1])
def test_packets_are_those_of_the_python_client(mode, simulator, octave_sockets) -> None:
    ears, port = simulator
    ours = sent_by_octave(ears, port, mode, octave_sockets)
    assert all(ours.values())
    last = {call: packets[-1] for call, packets in ours.items()}
    for call, found in is_sent_by_python(ears, port, mode, last):
        assert found, (call, last[call])


def fly(example: str, port: int, count: int, command: list[str], more: str = "") -> str:
    """Run an example beside a server."""
    sim = pyrfly.Sim("x450", count)
    sim.reset(pos=[[0, 2 * i, 0] for i in range(count)])
    program = f"first_port = {port}; {more} run('{FOLDER / 'examples' / example}')"
    with Server(sim, first_port=port):
        done = subprocess.run(
            [*command, program], capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.realtime
def test_example_flies_to_its_positions(first_port, octave_sockets) -> None:
    printed = fly("position.m", first_port(1), 1, octave_sockets)
    reached = np.array(re.findall(r"at (\S+) (\S+) (\S+)", printed), float)
    np.testing.assert_allclose(reached, [[0, 0, -3], [4, 0, -3], [4, 4, -5]], atol=0.25)


@pytest.mark.realtime
def test_example_of_a_swarm_keeps_heights(first_port, octave_sockets) -> None:
    printed = fly("swarm.m", first_port(4), 4, octave_sockets, "seconds = 3;")
    places = np.array(re.findall(r"at (\S+) (\S+) (\S+)", printed), float)
    np.testing.assert_allclose(places[:, 2], [-4, -5, -6, -7], atol=0.25)
    assert np.hypot(*places[:, :2].T).min() > 0.1
