"""Reports of a server, with a clock of their own."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
from collections.abc import Callable, Iterator

import pytest

from pyrfly import Sim
from pyrfly.server import Server
from pyrfly.server.link import Link
from pyrfly.server.link_stats import Count, LinkStats
from pyrfly.server.status import Status
from pyrfly.server.text_output import TextOutput


class Autopilot(Link):
    """A link that has counts of an autopilot, and is waited for."""

    name = "px4"

    def __init__(self, n: int) -> None:
        self.stats = LinkStats(n)
        self.ready = True

    def is_ready(self) -> bool:
        return self.ready


@pytest.fixture
def server() -> Iterator[Callable[..., Server]]:
    opened: list[Server] = []

    def make(links: list[Link]) -> Server:
        opened.append(Server(Sim("sdk", 2), mode=None, rate="max", links=links))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def reported(
    server: Server, link: Autopilot, **options: object
) -> tuple[Status, io.StringIO, list[float]]:
    """Return a status after its first look, at 10 s of its clock."""
    now, out = [10.0], io.StringIO()
    status = Status(TextOutput(out), clock=lambda: now[0], **options)
    link.stats.add(Count.SENT, [0, 1], 1000)
    status(server)
    return status, out, now


def test_rates_are_those_since_the_report_before(server) -> None:
    link = Autopilot(2)
    one = server([link])
    status, out, now = reported(one, link, as_json=True)
    one.run(0.5)
    link.stats.add(Count.SENT, [0, 1], 250)
    link.stats.add(Count.RECEIVED, [0, 1], 240)
    now[0] += 0.99
    status(one)
    assert out.getvalue() == ""  # not yet a second
    now[0] += 1.01
    status(one)
    found = json.loads(out.getvalue())
    assert (found["time"], found["rate"], found["sim_hz"]) == (0.5, 0.25, 250.0)
    assert (found["sensor_hz"], found["pwm_hz"]) == (125.0, 120.0)
    assert found["links"] == {"px4": {"received": 480, "sent": 2500}}
    assert found["waiting"] == []
    assert found["state"] == "running"


def test_a_pause_is_told(server) -> None:
    link = Autopilot(2)
    one = server([link])
    one.paused = True
    for as_json, words in ((True, '"state": "paused"'), (False, "paused")):
        status, out, now = reported(one, link, as_json=as_json)
        now[0] += 1.5
        status(one)
        assert words in out.getvalue()


def test_a_terminal_has_one_line_that_is_replaced(server) -> None:
    link = Autopilot(2)
    one = server([link])
    status, out, now = reported(one, link, copter_id=2)
    link.ready = False
    for _ in range(2):
        now[0] += 1
        status(one)
    text = out.getvalue()
    assert text.count("\n") == 0
    assert text.count("\r") == 2
    assert "waiting for px4" in text
    assert "paused" not in text
    assert "vehicle 2 in 0 out 1000" in text
    status.end()
    assert out.getvalue().endswith("\n")


def test_a_server_reports_at_the_end_of_every_tick(server) -> None:
    one = server([])
    times: list[float] = []
    one.report = lambda it: times.append(it.time)
    one.run(0.03)
    assert times == pytest.approx([0.01, 0.02, 0.03])


def test_a_server_reports_while_it_waits(server) -> None:
    link = Autopilot(2)
    link.ready = False
    one = server([link])
    out, now = io.StringIO(), [10.0]
    status = Status(TextOutput(out), as_json=True, clock=lambda: now[0])

    def report(it: Server) -> None:
        status(it)
        now[0] += 0.6
        link.ready = now[0] > 13.0

    one.report = report
    one.run(0.01)
    found = [json.loads(line) for line in out.getvalue().splitlines()]
    waiting = [(one["time"], one["waiting"]) for one in found]
    assert waiting == [(0, ["px4"]), (0, ["px4"]), (0.01, [])]
    assert one.time == pytest.approx(0.01)


def test_what_vehicles_say_is_in_the_next_object_even_for_a_late_reader(server) -> None:
    """Of reports that wait for a reader the newest is kept, and those with texts are."""
    link = Autopilot(1)
    one = server([link])
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b"\n" * 4096)
    now = [10.0]
    with os.fdopen(writer, "w") as file, os.fdopen(reader) as received:
        out = TextOutput(file)
        status = Status(out, as_json=True, clock=lambda: now[0])
        status(one)
        for text in ("PX4: Ready for takeoff!", None, "PX4: Takeoff detected", None, None):
            if text is not None:
                status.tell(3, text)
            now[0] += 1
            status(one)
        lines = iter(received.readline, "")
        found = [json.loads(line) for line in itertools.islice(filter(str.strip, lines), 4)]
        out.close()
    texts = [one["texts"] for one in found if "texts" in one]
    assert texts == [
        [{"copter_id": 3, "text": "PX4: Ready for takeoff!"}],
        [{"copter_id": 3, "text": "PX4: Takeoff detected"}],
    ]
