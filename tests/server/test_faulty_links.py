"""Faults of links of vehicles at RflySim's ports: set-points and states."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.protocol import synthesis
from pyrfly.server import Server, serve

from .packets import short

ARM, POSITION = 9, 2


class Client:
    """Commands vehicles, and counts the states that it gets."""

    def __init__(self, first_port: int, n: int) -> None:
        self.first_port = first_port
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.states = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(n)]
        for row, receiver in enumerate(self.states):
            receiver.bind(("127.0.0.1", first_port + 2 * row + 1))
            receiver.setblocking(False)

    def command(self, row: int, *fields: float) -> None:
        self.socket.sendto(short(*fields), ("127.0.0.1", self.first_port + 2 * row))

    def count(self, row: int) -> int:
        """Return how many states of a vehicle have arrived since the last call."""
        found = 0
        try:
            while self.states[row].recv(512):
                found += 1
        except BlockingIOError:
            return found
        return found

    def close(self) -> None:
        for one in (self.socket, *self.states):
            one.close()


@pytest.fixture
def world(first_port: Any) -> Iterator[tuple[Sim, Server, Client]]:
    sim = Sim("sdk", 2)
    sim.enable_synthesis()
    sim.reset(pos=[[0, 0, -5], [0, 9, -5]], hover=True)
    first = first_port(2)
    with (
        closing(Client(first, 2)) as client,
        closing(serve(sim, rate="max", first_port=first)) as server,
    ):
        yield sim, server, client


def test_set_points_of_a_vehicle_get_lost(world: tuple[Sim, Server, Client]) -> None:
    sim, server, client = world
    sim.command_sil(command=int(synthesis.command_word([True])[0]))
    sim.faults.add("link_loss", ids=2, link="setpoints", duration=2.0)
    server.run(0.05)
    for _ in range(10):
        for row in (0, 1):
            client.command(row, POSITION, 4, 0, -5, 0)
        server.run(0.2)
    np.testing.assert_allclose(sim.pos[:, 0], [4, 0], atol=0.8)
    assert server.stats.vehicle(1)["lost"] == 0
    lost = server.stats.vehicle(2)
    assert lost["lost"] == 10
    assert lost["received"] == 10
    for _ in range(10):
        client.command(1, POSITION, 4, 0, -5, 0)
        server.run(0.2)
    assert sim.pos[1, 0] == pytest.approx(4, abs=0.8)


def test_set_points_are_late(world: tuple[Sim, Server, Client]) -> None:
    sim, server, client = world
    sim.faults.add("link_delay", ids=2, link="setpoints", delay=0.5)
    server.run(0.1)
    for row in (0, 1):
        client.command(row, ARM, 0, 0, 0, 0)
    server.run(0.4)
    assert sim.armed.tolist() == [0, 1]
    server.run(0.2)
    assert sim.armed.tolist() == [0, 0]


def test_states_get_lost_and_are_late(world: tuple[Sim, Server, Client]) -> None:
    sim, server, client = world
    server.run(0.2)
    sim.faults.add("link_delay", ids=2, link="telemetry", delay=0.1)
    sim.faults.add("link_loss", ids=2, link="telemetry", at=0.5, duration=0.5)
    for row in (0, 1):
        client.count(row)
    server.run(0.6)
    everything, late = client.count(0), client.count(1)
    assert everything == pytest.approx(60, abs=2)
    assert late == pytest.approx(30, abs=3)  # sent until 0.5 s, arrived until 0.6 s
    server.run(0.25)
    assert client.count(1) == 0
