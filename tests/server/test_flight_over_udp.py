"""A client that has only the layouts of RflySim's packets flies against ``pyrfly sim``.

The client knows sockets and `struct`, and nothing of pyrfly.
"""

import math
import re
import resource
import selectors
import signal
import socket
import struct
import subprocess
import sys
import time

import pytest

TIMEOUT = 20.0  # of waits for what should come [s]


class Client:
    """One vehicle, as a program with its own socket code sees it."""

    def __init__(self, first_port: int, copter_id: int = 1) -> None:
        self.copter_id = copter_id
        self.commands = ("127.0.0.1", first_port + 2 * (copter_id - 1))
        self.inputs = ("127.0.0.1", first_port + 10000 + 2 * (copter_id - 1))
        self.out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.state = self._listen(self.commands[1] + 1)
        self.truth = self._listen(self.inputs[1] + 1)

    @staticmethod
    def _listen(port: int) -> socket.socket:
        ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        ear.bind(("127.0.0.1", port))
        ear.settimeout(TIMEOUT)
        return ear

    def close(self) -> None:
        for opened in (self.out, self.state, self.truth):
            opened.close()

    def newest(self, ear: socket.socket, size: int) -> bytes:
        """Return the newest packet of a size, waiting for one that is yet to come."""
        ear.setblocking(False)
        try:
            while True:
                ear.recv(1000)
        except BlockingIOError:
            ear.settimeout(TIMEOUT)
        while len(packet := ear.recv(1000)) != size:
            pass
        return packet

    def full_state(self) -> dict:
        packet = self.newest(self.state, 120)
        crash, length = struct.unpack_from("<2i", packet)
        values = struct.unpack_from("<2I14i12f", packet, 8)
        assert (crash, length) == (-1, 112)
        assert values[1] == self.copter_id
        return {
            "home": (values[8] / 1e7, values[9] / 1e7, values[10] / 1e3),
            "gps": (values[2] / 1e7, values[3] / 1e7, values[4] / 1e3),
            "euler": values[16:19],
            "pos": values[19:22],
            "vel": values[22:25],
            "fixed": values[27] > 0.5,
        }

    def short_state(self) -> dict:
        values = struct.unpack("<4i9f", self.newest(self.state, 52))
        return {"checksum": values[0], "pos": values[7:10], "vel": values[10:13]}

    def true_state(self) -> dict:
        values = struct.unpack("<4i24f7d", self.newest(self.truth, 168))
        assert values[0] == 123456789
        assert values[1] == self.copter_id
        return {"rpm": values[14:22], "time": values[28], "pos": values[29:32]}

    def simple(self, mode: int, *controls: float) -> None:
        self.out.sendto(struct.pack("<2i4f", 1234567890, mode, *controls), self.commands)

    def go_to(self, x: float, y: float, z: float, yaw: float) -> None:
        ignore = 7 << 3 | 7 << 6 | 1 << 9 | 1 << 11  # all but position and yaw
        controls = (x, y, z, *[0.0] * 6, yaw, *[0.0] * 6)
        packet = struct.pack("<2i4I16f32x", 3, 80, 0, self.copter_id, ignore, 1, *controls)
        assert len(packet) == 120
        self.out.sendto(packet, self.commands)

    def land(self) -> None:
        ints = (1 | 2 | 4 | 1 << 10, *[0] * 7)
        packet = struct.pack("<10i20f", 1234567897, self.copter_id, *ints, *[0.0] * 20)
        self.out.sendto(packet, self.inputs)


def until(happened, *, doing=lambda: None) -> None:
    """Wait until something has happened."""
    end = time.monotonic() + TIMEOUT
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        doing()


def near(point, target, distance: float) -> bool:
    return math.dist(point, target) < distance


@pytest.fixture
def connect():
    """Return a function that makes a client, as its class does; they are closed at the end."""
    opened = []

    def make(*arguments: int) -> Client:
        opened.append(Client(*arguments))
        return opened[-1]

    yield make
    for client in opened:
        client.close()


@pytest.fixture
def simulator(tmp_path):
    """Return a function that runs ``pyrfly sim`` and returns its process when it serves."""
    started = []

    def start(*arguments: str) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, "-m", "pyrfly", "sim", *arguments],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        line = ""
        while not line.startswith("serving"):
            line = process.stdout.readline()
            assert line, process.stderr.read()
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def stopped(process: subprocess.Popen) -> str:
    """Stop a simulator and return what it printed after it began to serve."""
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=TIMEOUT)
    assert errors == ""
    assert process.returncode == 0
    return printed


def counts_in(printed: str) -> dict[str, str]:
    """Return the counts of the link of RflySim's modes."""
    section = re.search(r"^rflysim: .*\n((?:  .*\n)*)", printed, re.MULTILINE)
    assert section is not None, printed
    return dict(re.findall(r"^  (\w+) +(\d+)", section[1], re.MULTILINE))


@pytest.mark.parametrize(
    "rate",
    [pytest.param("20", marks=pytest.mark.realtime), pytest.param("max", marks=pytest.mark.slow)],
)
def test_arm_take_off_square_and_land(rate, simulator, connect, first_port):
    first = first_port(1)
    client = connect(first)
    process = simulator("--rate", rate, "--first-port", str(first))
    until(lambda: client.full_state()["fixed"])
    assert near(client.full_state()["home"][:2], (40.1540302, 116.2593683), 1e-6)

    client.simple(9, 1, 0, 0, 0)
    client.simple(11, 0, 0, -5, 0)
    until(lambda: near(client.full_state()["pos"], (0, 0, -5), 0.1))

    for x, y, yaw in ((8, 0, 0), (8, 8, math.pi / 2), (0, 8, math.pi), (0, 0, -math.pi / 2)):
        there = (float(x), float(y), -5.0)
        until(
            lambda: near(client.full_state()["pos"], there, 0.1),  # noqa: B023
            doing=lambda: client.go_to(*there, yaw),  # noqa: B023
        )
        until(
            lambda: abs(math.remainder(client.full_state()["euler"][2] - yaw, math.tau)) < 0.05,  # noqa: B023
            doing=lambda: client.go_to(*there, yaw),  # noqa: B023
        )
        assert near(client.true_state()["pos"], there, 0.3)

    client.land()
    until(lambda: max(client.true_state()["rpm"]) < 1)
    assert near(client.true_state()["pos"], (0, 0, 0), 0.3)
    counts = counts_in(stopped(process))
    assert counts["received"] == counts["accepted"]
    assert not counts.keys() - {"received", "accepted", "replaced", "sent"}


@pytest.mark.realtime
def test_udp_simple_sends_short_states_and_the_notice(simulator, connect, first_port):
    first = first_port(2)
    client = connect(first, 2)
    simulator(
        *("--vehicles", "quad_x:2", "--mode", "udp_simple", "--rate", "5"),
        *("--first-port", str(first)),
    )
    client.short_state()
    packets = [client.state.recv(1000) for _ in range(62)]  # of two seconds
    assert {len(packet) for packet in packets} == {52}
    sums = [struct.unpack_from("<i", packet)[0] for packet in packets]
    assert sums.count(1234567890) == 60
    assert sums.count(1234567891) == 2
    client.simple(9, 1, 0, 0, 0)
    client.simple(2, 0, 0, -3, 0)
    until(lambda: near(client.short_state()["pos"], (0, 0, -3), 0.2))
    assert near(client.true_state()["pos"], (0, 2, -3), 0.3)  # the grid's second place


@pytest.mark.realtime
def test_100_vehicles_hold_real_time(simulator, connect, first_port):
    """With a client that sends set-points to all at 100 Hz and hears what all send.

    Whether the machine has time for us shows in the client's own delays, which are allowed for.
    """
    n, seconds = 100, 3.0
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    first = first_port(n)
    clients = [connect(first, copter_id) for copter_id in range(1, n + 1)]
    ears = selectors.DefaultSelector()
    for client in clients:
        client.state.setblocking(False)
        ears.register(client.state, selectors.EVENT_READ, client.copter_id)
    process = simulator(
        *("--vehicles", f"quad_x:{n}", "--seconds", str(seconds), "--first-port", str(first))
    )
    began = now = time.monotonic()
    sent, heard, delays = 0, set(), 0.0
    while process.poll() is None and now < began + TIMEOUT:
        for client in clients:
            client.go_to(0.0, 0.0, -3.0, 0.0)
        sent += n
        for key, _ in ears.select(0):
            key.fileobj.recv(1000)
            heard.add(key.data)
        due = now + 0.01
        time.sleep(max(0.0, due - time.monotonic()))
        now = time.monotonic()
        delays += max(0.0, now - due - 0.005)
    elapsed = now - began
    printed, errors = process.communicate()
    ears.close()
    assert errors == ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert busy < seconds  # one core is enough, start and end of the process included
    # a process takes a second to start, and two on a busy machine
    assert seconds - 0.2 < elapsed < seconds + 3.0 + 3 * delays
    assert heard == {client.copter_id for client in clients}
    counts = counts_in(printed)
    assert 0.8 * sent < int(counts["accepted"]) == int(counts["received"])
    assert int(counts["sent"]) == n * 210 * seconds
