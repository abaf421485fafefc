"""Changes of columns at simulated times over UDP."""

from __future__ import annotations

import io
import json
import random
import time
from typing import Any

import pytest

from pyrfly import Sim
from pyrfly.server.budget import Budget
from pyrfly.server.links import events
from pyrfly.server.links.events import LONGEST, EventLink
from pyrfly.server.notices import Notices
from pyrfly.server.starts import Starts


def message(**entry: Any) -> bytes:
    return json.dumps(entry).encode()


@pytest.fixture
def world(served):
    """Vehicles of CopterIDs 5 to 7 with an event port."""
    made = served(
        lambda sim, first_port, first_id: EventLink(sim, first_port - 90, first_id=first_id),
        n=3,
        first_id=5,
    )
    (use,) = made.link.port_uses()
    made.port = use.port
    return made


def counts(world) -> dict[str, int]:
    return {name: count for name, count in world.link.stats.items() if count}


def test_an_event_acts_at_its_time_on_its_vehicles(world):
    world.send(world.port, message(time=0.2, ids=[6], wind=[3, 0, 0]), message(time=0.1, mass=2.5))
    assert not world.sim.wind.any()
    world.server.run(0.06)
    assert world.sim.mass.tolist() == [2.5] * 3
    world.server.run(0.1)
    assert world.sim.wind[:, 0].tolist() == [0, 3, 0]
    assert counts(world) == {"received": 2, "accepted": 2}
    world.sim.reset()
    assert [event.next for event in world.sim.events] == [0.2, 0.1]


def test_without_a_time_it_acts_at_once(world):
    world.server.run(0.1)
    world.send(world.port, message(gravity=9.5), message(ramp=0.01, every=0.02, times=2, mass=3))
    assert world.sim.gravity.tolist() == [9.5] * 3
    assert world.sim.mass.tolist() == [3] * 3
    assert [event.over for event in world.sim.events] == [True, True]


def test_events_can_be_cancelled(world):
    world.send(world.port, message(time=9, mass=2), message(cancel=True, ids=[5, 7]))
    (event,) = world.sim.events
    assert event.ids.tolist() == [2]
    world.send(world.port, message(cancel=True))
    assert not world.sim.events


def test_time_stands_while_it_pauses(world):
    def until(condition):
        end = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.005)

    server = world.server
    with server:
        until(lambda: server.time > 0.02)
        world.out.sendto(message(pause=True), ("127.0.0.1", world.port))
        until(lambda: server.paused)
        time.sleep(0.05)  # of the tick in which it was read
        stood = server.time
        time.sleep(0.2)
        assert server.time == stood
        world.out.sendto(message(pause=False), ("127.0.0.1", world.port))
        until(lambda: server.time > stood + 0.05)
        server.paused = True
        assert server.paused


def starts_of(sim: Sim) -> Starts:
    sim.enable_synthesis()
    return Starts(sim)


def test_vehicles_are_put_back_to_their_start(served):
    made = served(
        lambda sim, first_port, first_id: EventLink(
            sim, first_port - 90, first_id=first_id, starts=starts_of(sim)
        ),
        n=2,
        first_id=5,
    )
    (use,) = made.link.port_uses()
    made.sim.reset(pos=[[1, 2, -30], [4, 5, -30]])
    made.server.run(0.05)
    made.send(use.port, message(restart=True, ids=[6]))
    assert made.sim.pos[0, 2] < -29
    assert made.sim.pos[1, 2] == pytest.approx(0, abs=0.01)
    made.send(use.port, message(restart=True))
    assert made.sim.pos[:, 2] == pytest.approx([0, 0], abs=0.01)
    assert made.link.stats["accepted"] == 2


NO_EVENTS = [
    (message(pause=1), "unknown"),
    (message(pause=True, ids=[5]), "unknown"),
    (message(restart=False), "unsupported"),
    (b"", "unknown"),
    (b"\xff\xfe", "unknown"),
    (b"[1, 2]", "unknown"),
    (b"[" * LONGEST, "unknown"),
    (b"9" * LONGEST, "unknown"),
    (message(mass=2) + b" " * LONGEST, "bad_length"),
    (message(time=1), "unknown"),
    (message(time="soon", mass=2), "unknown"),
    (message(self=1, mass=2), "unknown"),
    (message(mass={}), "unknown"),
    (message(ids=["5"], mass=2), "unknown"),
    (message(ids=[4], mass=2), "bad_id"),
    (message(ids=[8], mass=2), "bad_id"),
    (message(ids=10**30, mass=2), "bad_id"),
    (message(ids=[], mass=2), "bad_id"),
    (message(ids=[], nonsense=2), "bad_id"),
    (message(cancel=True, ids=[]), "bad_id"),
    (message(cancel=True, ids=[4]), "bad_id"),
    (message(ids=[5, 5], mass=2), "not_finite"),
    (message(time=-1, mass=2), "not_finite"),
    (message(mass=float("nan")), "not_finite"),
    (message(mass=10**400), "unknown"),
    (message(mass=-2), "not_finite"),
    (message(vel=[1e39, 0, 0]), "not_finite"),
    (message(rate=[1e308, 0, 0]), "not_finite"),
    (message(pos=[1e308] * 3), "not_finite"),
    (message(wind=[1, 2]), "not_finite"),
    (b'{"wind": ' + b"[" * 900 + b"]" * 900 + b"}", "unknown"),
    (message(time=1e300, mass=2), "not_finite"),
    (message(mass=2, every=0), "not_finite"),
    (message(masse=2), "unsupported"),
    (message(battery_voltage=2), "unsupported"),
    (message(euler=[0, 0, 0]), "unsupported"),
    (message(cancel=1), "unknown"),
    (message(cancel=True, mass=2), "unknown"),
]


@pytest.mark.parametrize(("data", "count"), NO_EVENTS, ids=range(len(NO_EVENTS)))
def test_what_is_no_event_is_dropped_and_counted(world, data, count):
    before = world.sim.mass.tolist()
    world.send(world.port, data, message(time=5, mass=2))
    assert counts(world) == {"received": 2, "accepted": 1, count: 1}
    assert world.sim.mass.tolist() == before
    assert len(world.sim.events) == 1


def test_a_flood_fills_no_memory(world, monkeypatch):
    monkeypatch.setattr(events, "MOST_VALUES", 20)
    world.send(world.port, *[message(time=9, wind=[1, 0, 0])] * 4)
    assert counts(world) == {"received": 4, "accepted": 4, "refused": 2}
    assert len(world.sim.events) == 2
    world.send(world.port, message(cancel=True, ids=[5]), *[message(time=9, mass=1)] * 3)
    assert len(world.sim.events) == 4
    assert counts(world)["refused"] == 3


def test_the_limit_counts_what_others_enter_and_cancel(world, monkeypatch):
    monkeypatch.setattr(events, "MOST_VALUES", 9)
    world.sim.at(9, wind=0)
    world.send(world.port, message(time=9, mass=1))
    assert counts(world) == {"received": 1, "accepted": 1, "refused": 1}
    world.sim.cancel_events()
    world.send(world.port, message(time=9, mass=1))
    assert len(world.sim.events) == 1


@pytest.mark.parametrize(
    ("entry", "entered"),
    [
        ({"mass": 1}, 5),  # once
        ({"mass": 1, "every": 0.1}, 3),  # 30 values in a second each
        ({"mass": 1, "every": 0.001}, 0),
        ({"mass": 1, "ramp": 0.01}, 0),  # one at every step
        ({"mass": 1, "ramp": 0.01, "ramp_rate": 10}, 3),
        ({"mass": 1, "ramp": 0.01, "ramp_rate": 1, "every": 0.1}, 3),
        ({"mass": 1, "ids": [6], "every": 0.1}, 5),
    ],
)
def test_values_in_a_second_are_limited(world, monkeypatch, entry, entered):
    monkeypatch.setattr(events, "MOST_PER_SECOND", 99)
    world.send(world.port, *[message(time=9, **entry)] * 5)
    assert len(world.sim.events) == entered
    assert counts(world).get("refused", 0) == 5 - entered
    world.send(world.port, message(cancel=True), message(time=9, ids=5, mass=1, every=0.02))
    assert len(world.sim.events) == 1


def test_without_memory_a_message_is_refused(world, monkeypatch):
    def at(*_, **__):
        raise MemoryError

    monkeypatch.setattr(Sim, "at", at)
    world.send(world.port, message(time=9, mass=1))
    assert counts(world) == {"received": 1, "accepted": 1, "refused": 1}


@pytest.mark.parametrize("cancels", [False, True])
def test_of_costly_messages_a_tick_takes_one(world, monkeypatch, cancels):
    monkeypatch.setattr(events, "_COSTLY", 3)
    world.sim.at(9, mass=2)
    data = message(cancel=True) if cancels else message(time=9, mass=1)
    for _ in range(3):
        world.out.sendto(data, ("127.0.0.1", world.port))
    budget = Budget(10)
    budget.begin(0)
    world.link.take(budget)
    assert counts(world) == {"received": 1, "accepted": 1}
    assert len(world.sim.events) == (0 if cancels else 2)


def test_an_unknown_vehicle_is_told_as_it_was_given(world):
    out = io.StringIO()
    world.link.notices = Notices(out, range(5, 8))
    world.send(world.port, message(ids=[6, 1], mass=2))
    assert "expected CopterIDs from 5 to 7, got 1" in out.getvalue()


def test_the_first_that_is_dropped_is_reported(world):
    out = io.StringIO()
    world.link.notices = Notices(out, range(5, 8))
    world.send(world.port, message(mass=-2), message(mass=-3), message(**{"\n" * 900: 1}))
    lines = out.getvalue().splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("pyrfly sim: vehicle 5: event: dropped: a non-finite number")
    assert "mass: expected more than 0" in lines[0]
    assert len(lines[1]) < 450


def test_random_changes_of_messages_do_no_harm(world):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    source = random.Random(seed)
    good = message(time=0.5, ids=[5, 6], wind=[[1, 2, 3], [4, 5, 6]], ramp=0.1, ramp_rate=50)
    for _ in range(300):
        data = bytearray(good)
        for _ in range(source.randrange(1, 4)):
            data[source.randrange(len(data))] = source.choice(b'[]{}",:0123456789-+.eE tn\xff')
        world.out.sendto(bytes(data), ("127.0.0.1", world.port))
        world.server.run(0.01)
    found = counts(world)
    assert found["received"] == 300 == sum(found.values()) - 300 - found.get("refused", 0)
