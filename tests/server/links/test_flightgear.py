"""FlightGear as a live view: what a stand-in reads, how often, and what is not sent."""

from __future__ import annotations

import math
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.server import OptionError, PortError, Server
from pyrfly.server.links.flightgear import FlightGearLink

Ears = Callable[[], tuple[int, Callable[[], list[bytes]]]]


@pytest.fixture
def ears() -> Iterator[Ears]:
    """Return a function that opens a port, and returns it and what reads its packets."""
    with ExitStack() as opened:

        def listen() -> tuple[int, Callable[[], list[bytes]]]:
            sock = opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            sock.bind(("127.0.0.1", 0))

            def packets() -> list[bytes]:
                found = []
                while select.select([sock], [], [], 0)[0]:
                    found.append(sock.recv(2048))
                return found

            return sock.getsockname()[1], packets

        yield listen


def in_flight(vehicles: str = "x450", n: int = 2) -> Sim:
    sim = Sim(vehicles, n)
    sim.reset(pos=[(10 * row, -5, -30 - row) for row in range(n)], hover=True)
    return sim


def test_a_vehicle_is_where_it_is(ears: Ears, standin) -> None:
    sim = in_flight()
    port, packets = ears()
    with Server(
        sim, mode=None, rate="max", links=[FlightGearLink(sim, port=port, copter_id=2)]
    ) as s:
        s.stop()
        sim.command_velocity([3, 1, -1])
        s.run(0.5)
        sent = packets()
        fields = standin("flightgear").read(sent[0])
    assert fields is not None
    lat, lon, height = sim.local_frame.to_lla(np.array([10.0, -5.0, -31.0]))
    assert math.degrees(fields["latitude"]) == pytest.approx(lat, abs=1e-6)
    assert math.degrees(fields["longitude"]) == pytest.approx(lon, abs=1e-6)
    assert fields["altitude"] == pytest.approx(height, abs=0.1)
    assert fields["num_engines"] == 4
    assert fields["eng_state"] == [2] * 4


@pytest.mark.parametrize(
    ("rate", "speed", "expected"),
    [
        (30, 1, 60),  # packets in 2 s of simulated time at this speed
        (7, 1, 14),
        (30, 10, 6),
        (30, 0.5, 120),
        (1000, 1, 200),  # once per tick
    ],
)
def test_the_rate_is_that_of_real_time(ears: Ears, rate, speed, expected) -> None:
    sim = in_flight(n=1)
    port, packets = ears()
    link = FlightGearLink(sim, port=port, rate=rate, clock=lambda: sim.time / speed)
    with Server(sim, mode=None, rate="max", links=[link]) as server:
        server.stop()
        packets()
        before = link.stats["sent"]
        received = 0
        for _ in range(20):
            server.run(0.1)
            received += len(packets())
    assert received == link.stats["sent"] - before == pytest.approx(expected, abs=1)


def test_several_vehicles_are_shown_each_by_its_own(ears: Ears, standin) -> None:
    sim = in_flight("x450", 3)
    (first, of_first), (third, of_third) = ears(), ears()
    link = FlightGearLink(sim, port=first, others=[(3, third)], clock=lambda: sim.time)
    with Server(sim, mode=None, rate="max", links=[link]) as server:
        server.stop()
        server.run(0.3)
    assert [use.port for use in link.port_uses()] == [first, third]
    read = standin("flightgear").read
    heights = [read(packets()[-1])["agl"] for packets in (of_first, of_third)]
    assert heights == [pytest.approx(30, abs=0.1), pytest.approx(32, abs=0.1)]
    assert link.stats.per_vehicle("sent")[1] == 0
    assert (link.stats.per_vehicle("sent")[[0, 2]] > 5).all()


def test_what_cannot_be_sent_counts(ears: Ears) -> None:
    sim = in_flight(n=1)
    link = FlightGearLink(sim, clock=lambda: sim.time)
    with Server(sim, mode=None, rate="max", links=[link]) as server:
        server.stop()
        link._socket.close()
        before = link.stats["send_errors"]
        server.run(1)
        assert link.stats["send_errors"] - before == pytest.approx(30, abs=1)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"copter_id": 3}, OptionError, "copter_id: expected 1 to 2, got 3"),
        ({"others": [(0, 5501)]}, OptionError, "copter_id: expected 1 to 2, got 0"),
        ({"port": 0}, OptionError, "port: expected 1 to 65535, got 0"),
        ({"others": [(2, 70000)]}, OptionError, "port: expected 1 to 65535, got 70000"),
        ({"rate": math.nan}, OptionError, "rate: expected 0.1 to 1000 Hz, got nan"),
        ({"rate": 0}, OptionError, "rate: expected 0.1 to 1000 Hz, got 0"),
        ({"address": ""}, OptionError, "address: expected"),
        ({"address": "a" * 300}, PortError, "address: no address for"),
    ],
)
def test_an_option_that_is_not_valid_is_an_error(options, error, message: str) -> None:
    with pytest.raises(error, match=message):
        FlightGearLink(Sim("x450", 2), **options)
