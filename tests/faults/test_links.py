"""Faults of links: what they are, and what becomes of packets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.protocol.bits import FaultyLink
from pyrfly.sim.link_faults import Fate, LinkFaults

RC, STATION, SETPOINTS, TELEMETRY = FaultyLink
PASSES, LATE, LOST = Fate


def faulty(*arguments: Any, n: int = 1, **options: Any) -> tuple[Sim, LinkFaults[int]]:
    """Return vehicles, of which the last one has a fault, and what becomes of packets to them."""
    sim = Sim("x450", n)
    sim.faults.add(*arguments, ids=n, **options)
    sim.sleep(0.01)
    return sim, LinkFaults(sim)


def test_faults_of_links_are_columns() -> None:
    sim = Sim("x450", 2)
    sim.faults.add("link_loss", ids=2, link=("rc", "telemetry"))
    sim.faults.add("link_delay", ids=2, link="station", delay=0.2)
    sim.faults.add("link_delay", ids=2, link=("station", "setpoints"), delay=0.3)
    sim.faults.add("packet_loss", ids=2, link="setpoints", share=0.5)
    sim.faults.add("packet_loss", ids=2, link="setpoints", share=0.2)
    sim.step(4)
    assert sim.links_lost.tolist() == [0, RC | TELEMETRY]
    np.testing.assert_allclose(sim.link_delay, np.array([[0, 0, 0, 0], [0, 0.5, 0.3, 0]]))
    np.testing.assert_allclose(sim.packet_loss, np.array([[0, 0, 0, 0], [0, 0, 1 - 0.5 * 0.8, 0]]))
    assert sim.faults.list()[0].items == ("rc", "telemetry")
    sim.faults.clear()
    sim.step(4)
    for column in (sim.links_lost, sim.link_delay, sim.packet_loss):
        assert not column.any()


def test_they_begin_end_and_grow_as_all_faults() -> None:
    sim = Sim("x450")
    sim.faults.add("packet_loss", link="rc", share=0.8, at=1.0, ramp=1.0, duration=3.0)
    found = []
    sim.sleep(0.01)
    for _ in range(9):
        found.append(float(sim.packet_loss[0, 0]))
        sim.sleep(0.5)
    np.testing.assert_allclose(found, [0, 0, 0, 0.4, 0.8, 0.8, 0.8, 0.8, 0], atol=0.01)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"kind": "link_loss"}, TypeError),
        ({"kind": "link_loss", "link": "wifi"}, ValueError),
        ({"kind": "link_loss", "link": ()}, ValueError),
        ({"kind": "link_loss", "link": 1}, TypeError),
        ({"kind": "motor", "link": "rc"}, ValueError),
        ({"kind": "link_delay", "link": "rc", "delay": -0.1}, ValueError),
        ({"kind": "link_delay", "link": "rc"}, TypeError),
        ({"kind": "packet_loss", "link": "rc", "share": 1.1}, ValueError),
    ],
)
def test_nonsense_is_an_error_that_names_the_argument(
    arguments: dict[str, Any], error: type[Exception]
) -> None:
    sim = Sim("x450")
    with pytest.raises(error, match=r"link|delay|share"):
        sim.faults.add(**arguments)
    assert not sim.faults.enabled


# --- packets -------------------------------------------------------------------------------------


def test_without_faults_all_packets_pass() -> None:
    sim = Sim("x450")
    links: LinkFaults[int] = LinkFaults(sim)
    assert links.send(0, RC, 1) is PASSES
    sim.faults.add("motor", actuator=1)
    sim.step(4)
    assert links.send(0, RC, 1) is PASSES
    assert not links.act


def test_a_lost_link_loses_all_packets_of_its_vehicle_until_it_is_back() -> None:
    sim, links = faulty("link_loss", link="rc", n=2, duration=1.0)
    assert [links.send(row, RC, 1) for row in (0, 1)] == [PASSES, LOST]
    assert links.send(1, STATION, 1) is PASSES
    sim.sleep(1.0)
    assert links.send(1, RC, 1) is PASSES


def test_late_packets_arrive_in_their_order_after_the_delay() -> None:
    sim, links = faulty("link_delay", link="telemetry", delay=0.1, duration=0.2)
    arrived: list[tuple[int, int]] = []  # ms, number
    for number in range(60):
        if links.send(0, TELEMETRY, number) is PASSES:
            arrived.append((round(1000 * sim.time), number))
        sim.sleep(0.01)
        arrived += [(round(1000 * sim.time), packet) for _, packet in links.arrived()]
    times, numbers = np.array(arrived).T
    assert numbers.tolist() == [*range(60)]
    sent = 10 * (numbers + 1)
    assert set((times - sent)[:15]) == {100}
    assert set((times - sent)[30:]) == {0}
    assert (np.diff(times) >= 0).all()


def test_a_share_of_the_packets_gets_lost_by_the_seed() -> None:
    def fates(seed: int, row: int, link: FaultyLink = RC) -> list[Fate]:
        sim = Sim("x450", 2)
        sim.reset(seed=seed)
        sim.faults.add("packet_loss", link=("rc", "station"), share=0.3)
        sim.sleep(0.01)
        links: LinkFaults[int] = LinkFaults(sim)
        return [links.send(row, link, 0) for _ in range(2000)]

    first = fates(1, 0)
    assert first.count(LOST) / 2000 == pytest.approx(0.3, abs=4 * (0.3 * 0.7 / 2000) ** 0.5)
    assert first == fates(1, 0)
    assert len({tuple(f) for f in (first, fates(2, 0), fates(1, 1), fates(1, 0, STATION))}) == 4


def test_a_reset_begins_anew() -> None:
    sim, links = faulty("packet_loss", link="rc", share=0.5)
    first = [links.send(0, RC, 0) for _ in range(50)]
    sim.faults.add("link_delay", link="rc", delay=1.0)
    sim.sleep(0.01)
    links.send(0, RC, 7)
    sim.faults.clear()
    sim.reset()
    sim.faults.add("packet_loss", link="rc", share=0.5)
    sim.sleep(0.005)
    assert [links.send(0, RC, 0) for _ in range(50)] == first
    sim.sleep(3.0)
    assert list(links.arrived()) == []


def test_a_flood_over_a_late_link_does_not_fill_the_memory() -> None:
    _, links = faulty("link_delay", link="rc", delay=60)
    fates = [links.send(0, RC, number) for number in range(3000)]
    assert (fates.count(LATE), fates.count(LOST)) == (1000, 2000)
