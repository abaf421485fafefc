"""What a server sends: measurements of the IMU on request, and the true state of older versions."""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.server import Server
from pyrfly.server.outputs import Measurements, old_truth
from pyrfly.transport import FIRST_PORT, RFLYSIM_PORTS


def request(rate: int, kind: int = 0, port: int = 9) -> bytes:
    """Return a request that names an address and a port which are not the client's."""
    return struct.pack("<4H4B6f", 12345, kind, rate, port, 10, 0, 0, 7, *[0.0] * 6)


class Client:
    """Requests measurements of vehicles from a server, and receives those of one."""

    def __init__(self, server: Server, copter_id: int = 1) -> None:
        self._first = server.rflysim.sockets.port("command", 0)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        port = RFLYSIM_PORTS.of_imu(copter_id) + self._first - FIRST_PORT
        self._socket.bind(("127.0.0.1", port))
        self._socket.setblocking(False)

    def request(self, packet: bytes, copter_id: int = 1) -> None:
        port = self._first + 10_000 + 2 * (copter_id - 1)
        self._socket.sendto(packet, ("127.0.0.1", port))

    def received(self) -> list[tuple[float, ...]]:
        """Return the packets that have arrived, as numbers."""
        found = []
        with contextlib.suppress(BlockingIOError):
            while True:
                found.append(struct.unpack("<2i1d6f", self._socket.recv(2048)))
        return found

    def close(self) -> None:
        self._socket.close()


Serve = Callable[..., tuple[Server, Client]]


@pytest.fixture
def served(first_port: Callable[[int], int]) -> Iterator[Serve]:
    """Return a function that makes a server as fast as possible and a client of a vehicle."""
    opened: list[Server | Client] = []

    def make(sim: Sim, copter_id: int = 1) -> tuple[Server, Client]:
        server = Server(sim, rate="max", first_port=first_port(sim.n))
        opened.append(server)
        client = Client(server, copter_id)
        opened.append(client)
        return server, client

    yield make
    for thing in opened:
        thing.close()


@pytest.mark.parametrize("rate", [1, 30, 100, 144, 200, 250])
def test_measurements_are_due_at_the_steps_nearest_to_multiples_of_the_period(rate: int) -> None:
    due = Measurements(3, 1e-3, 250)
    due.request(np.array([2]), np.array([float(rate)]))
    steps = []
    now = 0
    while now < 2000:
        now = due.due(now, now - now % 10 + 10)
        rows = due.rows(now)
        if len(rows):
            assert rows.tolist() == [1]
            steps.append(now)
    expected = [round(1000 * k / rate) for k in range(1, 2 * rate + 1)]
    assert len(steps) == 2 * rate
    assert np.abs(np.array(steps) - expected).max() <= 1


def test_a_request_is_limited_replaced_and_ended() -> None:
    due = Measurements(2, 1e-3, 250)
    one = np.array([1])

    def count() -> int:
        return sum(len(due.rows(step)) for step in range(1, 1001))

    assert count() == 0
    due.request(one, np.array([65535.0]))
    assert count() == 250
    due.request(one, np.array([10.0]))
    due.request(np.array([2]), np.array([5.0]))
    assert count() == 15
    due.request(one, np.array([0.0]))
    assert count() == 5


def test_a_client_gets_the_imu_of_its_vehicle_at_the_rate_that_it_requests(served: Serve) -> None:
    sim = Sim("sdk", 2)
    sim.sensors.enable("imu", profile="px4")
    server, client = served(sim, 2)
    client.request(request(200), 2)
    server.run(0.5)
    packets = client.received()
    assert len(packets) == 100
    assert {packet[0] for packet in packets} == {1234567898}
    times = [packet[2] for packet in packets]
    np.testing.assert_allclose(times, np.arange(1, 101) * 0.005, atol=0.0051)
    assert packets[-1][3:] == tuple(np.float32([*sim.imu_accel[1], *sim.imu_gyro[1]]))
    assert len({packet[3] for packet in packets}) > 90  # noise: measured anew
    # beside them what finds out, five times a second of real time, whether somebody listens
    assert server.stats.vehicle(2)["sent"] >= 100 > server.stats.vehicle(1)["sent"]
    client.request(request(0), 2)
    server.run(0.5)
    assert len(client.received()) == 0


def test_without_an_imu_the_packets_are_true(served: Serve) -> None:
    sim = Sim("sdk", 1)
    sim.enable_synthesis()
    sim.reset(pos=(0, 0, -100))
    server, client = served(sim)
    client.request(request(100))
    server.run(0.1)
    packets = client.received()
    assert [packet[1] for packet in packets] == list(range(10, 110, 10))  # steps
    np.testing.assert_allclose([packet[2] for packet in packets], np.arange(1, 11) * 0.01)
    assert packets[-1][3:6] == tuple(np.float32(sim.specific_force[0]))
    assert packets[-1][6:] == tuple(np.float32(sim.rate[0]))
    assert abs(packets[-1][5]) < 0.1  # it falls


def test_requests_change_no_bit_of_a_flight(served: Serve) -> None:
    sims = [Sim("sdk", 3) for _ in range(2)]
    for sim in sims:
        sim.enable_synthesis()
        sim.reset(pos=[(0, 2 * row, -5) for row in range(3)])
        sim.arm()
        sim.command_position([(5, 2 * row, -8) for row in range(3)])
    server, client = served(sims[0])
    client.request(request(144), 1)
    client.request(request(250), 3)
    server.run(1)
    sims[1].step(1000)
    assert len(client.received()) == 144
    assert sims[0].hash() == sims[1].hash()


def test_every_request_counts_and_a_flood_of_them_is_one(served: Serve) -> None:
    sim = Sim("sdk", 2)
    server, client = served(sim)
    for rate in [*range(1, 51), 100]:
        client.request(request(rate))
    client.request(request(100, kind=3))
    server.run(0.2)
    counts = server.stats.vehicle(1)
    assert (counts["received"], counts["accepted"], counts["unsupported"]) == (52, 51, 1)
    assert len(client.received()) == pytest.approx(20, abs=1)


def test_numbers_of_the_3d_view_are_kept_per_vehicle(served: Serve) -> None:
    sim = Sim({"sdk": 1, "x450": 2})
    server, client = served(sim)
    client.request(struct.pack("<2i32d", 1234567899, 3, *range(32)), 3)
    client.request(struct.pack("<2i32d", 1234567899, 2, *[np.nan] * 32), 2)
    server.run(0.01)
    assert sim.scene_inputs.tolist() == [[0] * 32, [0] * 32, list(range(32))]
    assert server.stats["not_finite"] == 1


# --- the message of 200 bytes ---------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")
def test_bytes_of_the_old_message() -> None:
    sim = Sim("sdk", 2)
    sim.reset(pos=[[1, 2, -3], [4, 5, -6]], yaw=[0.1, 0.2])
    sim.multirotor.command_attitude(att=[1, 0, 0, 0], thrust=10.0)
    sim.step(200)
    packet = old_truth(sim)[1].tobytes()
    assert len(packet) == 200
    tg, length, copter_id, kind, time = struct.unpack_from("<4id", packet)
    assert (tg, length, copter_id, kind, time) == (-1, 152, 2, 3, pytest.approx(sim.time))
    floats = struct.unpack_from("<27f", packet, 24)
    expected = [sim.vel, sim.pos, sim.euler, sim.att]
    np.testing.assert_allclose(
        floats[:13], np.concatenate([column[1] for column in expected]), rtol=1e-6
    )
    np.testing.assert_allclose(floats[13:21], sim.displayed_actuators[1], rtol=1e-6)
    np.testing.assert_allclose(floats[21:27], [*sim.accel[1], *sim.rate[1]], rtol=1e-5)
    np.testing.assert_allclose(
        struct.unpack_from("<3d", packet, 136), sim.local_frame.to_lla(sim.pos[1]), atol=1e-6
    )
    assert packet[160:] == bytes(40)


@pytest.mark.parametrize("mode", ["udp_full", "udp_simple"])
def test_older_clients_get_the_old_message_in_place_of_the_new_one(
    first_port: Callable[..., int], mode: str
) -> None:
    first = first_port()
    lengths = {}
    for suffix in ("", "_old"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as box:
            box.bind(("127.0.0.1", first + 10001))
            box.settimeout(20)
            server = Server(Sim("sdk"), mode=mode + suffix, rate="max", first_port=first)
            server.run(0.5)
            server.close()
            found = set()
            while len(found) < 2:
                found.add(len(box.recv(2048)))
        lengths[suffix] = found
    assert lengths == {"": {168, 264}, "_old": {200, 264}}
