"""Transfers of missions between a vehicle and a stand-in for a ground station."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pymavlink.dialects.v20 import common as mavlink

from pyrfly.autopilot.mission_store import LIMITS, MissionStore
from pyrfly.autopilot.mission_transfer import MOST_DOWNLOADS, MissionTransfer
from pyrfly.autopilot.raw_items import RawItem, are_equal
from pyrfly.mavlink.constants import MissionType

FENCE, MISSION, RALLY = MissionType.FENCE, MissionType.MISSION, MissionType.RALLY

Make = Callable[..., Any]
Item = dict[str, Any]
QGC, SDK = (255, 190), (245, 191)

WAYPOINT = RawItem(3, 16, 1, (0.0, 2.0, 0.0, math.nan), 40.1540302, 116.2593683, 10.0)
RALLY_POINT = RawItem(3, 5100, 1, (0.0, 0.0, 0.0, 0.0), 40.154, 116.259, 20.0)
CIRCLE = RawItem(0, 5003, 1, (100.0, 0.0, 0.0, 0.0), 40.154, 116.259, 0.0)
ITEMS = {MISSION: WAYPOINT, FENCE: CIRCLE, RALLY: RALLY_POINT}


def row(count: int, kind: int = MISSION) -> list[RawItem]:
    """Return different items of a list."""
    item = ITEMS[kind]
    return [item._replace(x=round(item.x + 1e-4 * n, 7), z=float(n + 1)) for n in range(count)]


@dataclass
class Station:
    """A station as MAVLink's mission protocol describes it: repeats what is not answered.

    Parameters
    ----------
    answers : str
        Items that it sends: ``"int"`` for any request, ``"same"`` as requested, ``"only int"``,
        which refuses requests of the other type.
    """

    sent: Make
    partner: tuple[int, int] = QGC
    answers: str = "int"
    kind: int = MISSION
    result: int | None = None
    items: list[RawItem] = field(default_factory=list)
    count: int = 0
    last: tuple[str, Item] = ("", {})
    waiting: float = math.inf
    tries: int = 0
    failed: bool = False

    def make(self, name: str, **fields: Any) -> Any:
        return self.sent(name, station=self.partner, mission_type=self.kind, **fields)

    def send(self, now: float, name: str, **fields: Any) -> list[Any]:
        self.last, self.waiting, self.tries = (name, fields), now + 0.5, 0
        return [self.make(name, **fields)]

    def upload(self, now: float, items: list[RawItem]) -> list[Any]:
        self.items, self.result, self.failed = items, None, False
        return self.send(now, "MISSION_COUNT", count=len(items))

    def download(self, now: float) -> list[Any]:
        self.items, self.result, self.failed = [], None, False
        return self.send(now, "MISSION_REQUEST_LIST")

    def done(self) -> bool:
        return self.failed or self.result is not None

    def tick(self, now: float) -> list[Any]:
        if self.done() or now < self.waiting:
            return []
        self.tries += 1
        self.failed = self.tries > 5
        self.waiting = now + 0.5
        return [] if self.failed else [self.make(self.last[0], **self.last[1])]

    def receive(self, now: float, message: Any) -> list[Any]:
        address = (message.target_system, message.target_component)
        if self.done() or address != self.partner or message.mission_type != self.kind:
            return []
        kind = message.get_type()
        if kind == "MISSION_ACK":
            self.result = message.type
            return []
        if kind in ("MISSION_REQUEST", "MISSION_REQUEST_INT"):
            return self.answer(now, kind, message.seq)
        return self.next(now, message)

    def answer(self, now: float, kind: str, seq: int) -> list[Any]:
        if kind == "MISSION_REQUEST" and self.answers == "only int":
            return [self.make("MISSION_ACK", type=mavlink.MAV_MISSION_UNSUPPORTED)]
        integer = kind == "MISSION_REQUEST_INT" or self.answers == "int"
        name = "MISSION_ITEM_INT" if integer else "MISSION_ITEM"
        fields = self.items[seq].fields(integer=integer)
        return self.send(now, name, seq=seq, current=0, **fields)

    def next(self, now: float, message: Any) -> list[Any]:
        """Take a count or an item of a download and request the next item."""
        if message.get_type() == "MISSION_COUNT":
            self.count = message.count
        elif message.seq == len(self.items):
            self.items.append(as_item(message))
        if len(self.items) < self.count:
            return self.send(now, "MISSION_REQUEST_INT", seq=len(self.items))
        self.result = mavlink.MAV_MISSION_ACCEPTED
        return [self.make("MISSION_ACK", type=self.result)]


def as_item(message: Any) -> RawItem:
    """Return the item of a MISSION_ITEM_INT with a global frame, as floats."""
    params = (message.param1, message.param2, message.param3, message.param4)
    frame = {6: 3, 5: 0, 2: 2}[message.frame]
    scale = 1.0 if frame == 2 else 1e7
    x, y = message.x / scale, message.y / scale
    return RawItem(frame, message.command, message.autocontinue, params, x, y, message.z)


@dataclass
class World:
    """A vehicle and stations, and messages between them, of which some get lost."""

    transfer: MissionTransfer
    decoded: Make
    lost: frozenset[int] = frozenset()
    now: float = 0.0
    number: int = 0
    texts: list[str] = field(default_factory=list)

    def arrives(self) -> bool:
        self.number += 1
        return self.number - 1 not in self.lost

    def to_vehicle(self, messages: list[Any]) -> Iterator[Any]:
        for message in messages:
            if self.arrives():
                yield from self.from_vehicle(self.transfer.handle(message, self.now))

    def from_vehicle(self, replies: list[Any]) -> Iterator[Any]:
        for message in map(self.decoded, replies):
            if message.get_type() == "STATUSTEXT":
                self.texts.append(message.text)
            elif self.arrives():
                yield message

    def run(self, seconds: float, *stations: Station, first: list[Any]) -> None:
        """Let all sides talk until the stations are done or some time has passed."""
        end, waiting = self.now + seconds, list(first)
        while self.now < end and not (waiting == [] and all(s.done() for s in stations)):
            received = [*self.to_vehicle(waiting), *self.from_vehicle(self.transfer.due(self.now))]
            waiting = [out for m in received for s in stations for out in s.receive(self.now, m)]
            waiting += [out for s in stations for out in s.tick(self.now)]
            self.now += 0.02


@pytest.fixture
def store() -> MissionStore:
    return MissionStore()


@pytest.fixture
def world(store: MissionStore, decoded: Make) -> World:
    return World(MissionTransfer(store, system=1), decoded)


# --- without losses ----------------------------------------------------------------------------


@pytest.mark.parametrize("answers", ["int", "same", "only int"])
@pytest.mark.parametrize("kind", [MISSION, FENCE, RALLY])
def test_what_is_uploaded_can_be_downloaded(
    world: World, store: MissionStore, sent: Make, kind: int, answers: str
) -> None:
    station = Station(sent, kind=kind, answers=answers)
    items = row(20, kind)
    world.run(5.0, station, first=station.upload(world.now, items))
    assert station.result == mavlink.MAV_MISSION_ACCEPTED
    assert store.changed == {kind}
    other = Station(sent, partner=SDK, kind=kind)
    world.run(5.0, other, first=other.download(world.now))
    if answers == "same":  # with floats, a degree of longitude is known to a metre
        assert len(other.items) == len(items)
        for got, expected in zip(other.items, items, strict=True):
            assert got.y == pytest.approx(expected.y, abs=1e-5)
    else:
        assert are_equal(other.items, items)
    assert world.texts == []


def test_items_are_requested_with_floats_until_a_station_sends_integers(
    world: World, sent: Make
) -> None:
    ask = world.transfer.handle
    (first,) = ask(sent("MISSION_COUNT", count=2), 0.0)
    item = WAYPOINT.fields(integer=True)
    (second,) = ask(sent("MISSION_ITEM_INT", seq=0, current=0, **item), 0.1)
    assert (first.name, second.name) == ("MISSION_REQUEST", "MISSION_REQUEST_INT")


def test_an_empty_list_is_downloaded_at_once(world: World, sent: Make) -> None:
    station = Station(sent)
    world.run(1.0, station, first=station.download(0.0))
    assert (station.result, station.items) == (mavlink.MAV_MISSION_ACCEPTED, [])


def test_two_stations_download_at_once(world: World, store: MissionStore, sent: Make) -> None:
    store.replace(MISSION, row(8))
    one, two = Station(sent), Station(sent, partner=SDK)
    world.run(5.0, one, two, first=[*one.download(0.0), *two.download(0.0)])
    assert are_equal(one.items, row(8))
    assert are_equal(two.items, row(8))


def test_one_download_too_many_ends_that_which_is_silent(store: MissionStore, sent: Make) -> None:
    """The first station goes on, and the second is silent."""
    store.replace(MISSION, row(8))
    transfer = MissionTransfer(store, 1)

    def ask(station: int, time: float, name: str, **fields: Any) -> list[Any]:
        return transfer.handle(sent(name, station=(station, 190), **fields), time)

    for station in range(1, MOST_DOWNLOADS + 1):
        assert ask(station, 0.01 * station, "MISSION_REQUEST_LIST")
    assert ask(1, 0.5, "MISSION_REQUEST_INT", seq=0)
    assert ask(200, 0.6, "MISSION_REQUEST_LIST")
    assert ask(1, 0.7, "MISSION_REQUEST_INT", seq=1)
    assert ask(2, 0.7, "MISSION_REQUEST_INT", seq=0) == []
    for station in (3, MOST_DOWNLOADS, 200):
        assert ask(station, 0.7, "MISSION_REQUEST_INT", seq=0)
    for number in range(1000):
        ask(1 + number % 250, 1.0, "MISSION_REQUEST_LIST")
    ended = transfer.due(7.0)
    assert len(ended) == MOST_DOWNLOADS


def test_a_download_keeps_its_items_during_an_upload(
    world: World, store: MissionStore, sent: Make
) -> None:
    store.replace(MISSION, row(8))
    one, two = Station(sent), Station(sent, partner=SDK)
    world.run(5.0, one, two, first=[*one.download(0.0), *two.upload(0.0, row(3))])
    assert are_equal(one.items, row(8))
    assert are_equal(store.items(MISSION), row(3))


@pytest.mark.parametrize(("integer", "frame"), [(True, 6), (False, 3)])
def test_the_current_item_is_marked(
    world: World, store: MissionStore, sent: Make, integer: bool, frame: int
) -> None:
    store.replace(MISSION, row(2), current=1)
    world.transfer.handle(sent("MISSION_REQUEST_LIST"), 0.0)
    name = "MISSION_REQUEST_INT" if integer else "MISSION_REQUEST"
    found = [world.transfer.handle(sent(name, seq=seq), 0.0)[0] for seq in range(2)]
    assert [reply.fields["current"] for reply in found] == [0, 1]
    assert {reply.fields["frame"] for reply in found} == {frame}
    assert {reply.name for reply in found} == {"MISSION_ITEM_INT" if integer else "MISSION_ITEM"}


@pytest.mark.parametrize("kind", [MISSION, FENCE, RALLY])
def test_a_list_is_cleared(world: World, store: MissionStore, sent: Make, kind: int) -> None:
    for some in LIMITS:
        store.replace(some, row(2, some))
    store.changed.clear()
    (answer,) = world.transfer.handle(sent("MISSION_CLEAR_ALL", mission_type=kind), 0.0)
    assert answer.fields["type"] == mavlink.MAV_MISSION_ACCEPTED
    assert store.changed == {kind}
    assert {some for some in LIMITS if not store.items(some)} == {kind}


def test_all_lists_are_cleared(world: World, store: MissionStore, sent: Make) -> None:
    for some in LIMITS:
        store.replace(some, row(2, some))
    clear = sent("MISSION_CLEAR_ALL", mission_type=mavlink.MAV_MISSION_TYPE_ALL)
    (answer,) = world.transfer.handle(clear, 0.0)
    assert answer.fields["mission_type"] == mavlink.MAV_MISSION_TYPE_ALL
    assert not any(store.items(some) for some in LIMITS)


def test_a_count_of_zero_clears(world: World, store: MissionStore, sent: Make) -> None:
    store.replace(RALLY, row(2, RALLY))
    (answer,) = world.transfer.handle(sent("MISSION_COUNT", count=0, mission_type=RALLY), 0.0)
    assert answer.fields["type"] == mavlink.MAV_MISSION_ACCEPTED
    assert store.items(RALLY) == ()


def test_the_same_mission_again_does_not_restart_it(
    world: World, store: MissionStore, sent: Make
) -> None:
    station = Station(sent)
    world.run(5.0, station, first=station.upload(world.now, row(5)))
    store.changed.clear()
    store.current = 3
    world.run(5.0, station, first=station.upload(world.now, row(5)))
    assert station.result == mavlink.MAV_MISSION_ACCEPTED
    assert (store.changed, store.current) == (set(), 3)


def test_a_station_selects_the_current_item(world: World, store: MissionStore, sent: Make) -> None:
    store.replace(MISSION, row(4))
    (answer,) = world.transfer.handle(sent("MISSION_SET_CURRENT", seq=2), 0.0)
    assert (answer.name, answer.fields["seq"], answer.fields["total"]) == ("MISSION_CURRENT", 2, 4)
    assert (store.current, store.selected) == (2, 2)
    (refused,) = world.transfer.handle(sent("MISSION_SET_CURRENT", seq=4), 0.0)
    assert refused.name == "STATUSTEXT"
    assert store.current == 2


# --- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LIMITS)
def test_too_many_items_are_refused(
    world: World, store: MissionStore, sent: Make, kind: int
) -> None:
    count = sent("MISSION_COUNT", count=LIMITS[kind] + 1, mission_type=kind)
    (answer,) = world.transfer.handle(count, 0.0)
    assert answer.fields["type"] == mavlink.MAV_MISSION_NO_SPACE
    fits = sent("MISSION_COUNT", count=LIMITS[kind], mission_type=kind)
    assert world.transfer.handle(fits, 0.0)[0].name == "MISSION_REQUEST"


@pytest.mark.parametrize(
    ("name", "fields"), [("MISSION_COUNT", {"count": 1}), ("MISSION_CLEAR_ALL", {})]
)
def test_an_unknown_kind_of_list_is_refused(
    world: World, sent: Make, name: str, fields: Item
) -> None:
    (answer,) = world.transfer.handle(sent(name, mission_type=77, **fields), 0.0)
    assert answer.fields["type"] == mavlink.MAV_MISSION_UNSUPPORTED


def test_an_invalid_item_ends_the_upload(world: World, store: MissionStore, sent: Make) -> None:
    store.replace(MISSION, row(2))
    station = Station(sent)
    items = [*row(2), WAYPOINT._replace(x=91.0), *row(2)]
    world.run(5.0, station, first=station.upload(world.now, items))
    assert station.result == mavlink.MAV_MISSION_INVALID_PARAM5_X
    assert are_equal(store.items(MISSION), row(2))
    again = station.make(station.last[0], **station.last[1])  # its answer was lost
    (answer,) = world.transfer.handle(again, world.now)
    assert answer.fields["type"] == mavlink.MAV_MISSION_INVALID_PARAM5_X
    world.run(5.0, station, first=station.upload(world.now, row(3)))
    assert are_equal(store.items(MISSION), row(3))


def test_one_station_uploads_at_a_time(
    world: World, store: MissionStore, decoded: Make, sent: Make
) -> None:
    beside = MissionTransfer(store, system=1)  # another link of the vehicle
    world.transfer.handle(sent("MISSION_COUNT", count=2), 0.0)
    for transfer in (world.transfer, beside):
        (busy,) = transfer.handle(sent("MISSION_COUNT", station=SDK, count=2), 4.9)
        assert (busy.name, busy.fields["type"]) == ("MISSION_ACK", mavlink.MAV_MISSION_ERROR)
        assert (busy.fields["target_system"], busy.fields["target_component"]) == SDK
    item = WAYPOINT.fields(integer=True)
    (strange,) = world.transfer.handle(
        sent("MISSION_ITEM_INT", station=SDK, seq=0, current=0, **item), 4.9
    )
    assert strange.fields["type"] == mavlink.MAV_MISSION_ERROR
    (free,) = beside.handle(sent("MISSION_COUNT", station=SDK, count=2), 5.1)
    assert free.name == "MISSION_REQUEST"


@pytest.mark.parametrize("name", ["MISSION_CLEAR_ALL", "MISSION_SET_CURRENT"])
def test_an_upload_is_not_interrupted(
    world: World, store: MissionStore, sent: Make, name: str
) -> None:
    store.replace(MISSION, row(2))
    world.transfer.handle(sent("MISSION_COUNT", count=2), 0.0)
    fields = {"seq": 1} if name == "MISSION_SET_CURRENT" else {}
    (answer,) = world.transfer.handle(sent(name, **fields), 0.1)
    assert answer.name == "STATUSTEXT"
    assert len(str(answer.fields["text"])) <= 50
    assert (len(store.items(MISSION)), store.current) == (2, 0)


def test_a_cancelled_upload_changes_nothing(world: World, store: MissionStore, sent: Make) -> None:
    world.transfer.handle(sent("MISSION_COUNT", count=2), 0.0)
    cancel = sent("MISSION_ACK", type=mavlink.MAV_MISSION_OPERATION_CANCELLED)
    assert world.transfer.handle(cancel, 0.1) == []
    assert world.transfer.due(1.0) == []
    assert store.changed == set()
    beside = MissionTransfer(store, system=1)
    assert beside.handle(sent("MISSION_COUNT", count=1), 1.0)[0].name == "MISSION_REQUEST"


def test_an_unexpected_request_ends_a_download(
    world: World, store: MissionStore, sent: Make
) -> None:
    store.replace(MISSION, row(5))
    world.transfer.handle(sent("MISSION_REQUEST_LIST"), 0.0)
    (answer,) = world.transfer.handle(sent("MISSION_REQUEST_INT", seq=3), 0.0)
    assert answer.fields["type"] == mavlink.MAV_MISSION_ERROR
    assert world.transfer.handle(sent("MISSION_REQUEST_INT", seq=0), 0.0) == []


@pytest.mark.parametrize(
    ("system", "component", "answered"),
    [(1, 1, True), (1, 0, True), (1, 190, True), (1, 2, False), (2, 1, False), (0, 1, False)],
)
def test_only_messages_to_the_vehicle_are_answered(
    world: World, sent: Make, system: int, component: int, answered: bool
) -> None:
    request = sent("MISSION_REQUEST_LIST", target_system=system, target_component=component)
    assert bool(world.transfer.handle(request, 0.0)) is answered


# --- losses ------------------------------------------------------------------------------------


def test_a_missing_item_is_requested_again_until_the_transfer_times_out(
    world: World, sent: Make
) -> None:
    world.transfer.handle(sent("MISSION_COUNT", count=2), 0.0)
    times = [0.01 * tick for tick in range(700)]
    replies = {time: world.transfer.due(time) for time in times}
    names = [reply.name for out in replies.values() for reply in out]
    assert names == ["MISSION_REQUEST"] * 19 + ["STATUSTEXT"]
    asked = [time for time, out in replies.items() if out]
    assert asked[0] == pytest.approx(0.26, abs=0.011)  # the first tick later than 250 ms
    assert asked[-1] == pytest.approx(5.01, abs=0.011)


def test_a_lost_last_acknowledgement_is_repeated(
    world: World, store: MissionStore, sent: Make
) -> None:
    world.transfer.handle(sent("MISSION_COUNT", count=1), 0.0)
    item = sent("MISSION_ITEM_INT", seq=0, current=0, **WAYPOINT.fields(integer=True))
    for time in (0.1, 1.6):
        (answer,) = world.transfer.handle(item, time)
        assert answer.fields["type"] == mavlink.MAV_MISSION_ACCEPTED
    assert store.changed == {MISSION}


LOSSES = st.frozensets(st.integers(0, 60), max_size=40)
# The fixtures only make messages.
SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)


@SHARED
@given(lost=LOSSES, answers=st.sampled_from(["int", "same", "only int"]))
def test_an_upload_over_a_bad_link_is_complete_or_without_effect(
    sent: Make, decoded: Make, lost: frozenset[int], answers: str
) -> None:
    store = MissionStore()
    old, new = row(3), row(7)[::-1]
    store.replace(MISSION, old)
    world = World(MissionTransfer(store, system=1), decoded, lost)
    station = Station(sent, answers=answers)
    world.run(60.0, station, first=station.upload(world.now, new))
    assert station.done()
    stored = store.items(MISSION)
    replaced = [item.z for item in stored] == [item.z for item in new]
    assert replaced or are_equal(stored, old)
    if station.result == mavlink.MAV_MISSION_ACCEPTED:
        assert replaced
    if not lost:
        assert replaced
    world.lost = frozenset()
    world.now += 6.0  # both sides have given up
    world.run(10.0, station, first=station.upload(world.now, row(5)))
    assert station.result == mavlink.MAV_MISSION_ACCEPTED
    assert len(store.items(MISSION)) == 5


@SHARED
@given(lost=LOSSES)
def test_a_download_over_a_bad_link_is_complete_or_fails(
    sent: Make, decoded: Make, lost: frozenset[int]
) -> None:
    store = MissionStore()
    store.replace(MISSION, row(7))
    world = World(MissionTransfer(store, system=1), decoded, lost)
    station = Station(sent)
    world.run(60.0, station, first=station.download(world.now))
    assert station.done()
    if station.result == mavlink.MAV_MISSION_ACCEPTED:
        assert are_equal(station.items, row(7))
    world.lost = frozenset()
    world.run(10.0, station, first=station.download(world.now + 6.0))
    assert are_equal(station.items, row(7))


@pytest.mark.parametrize("every", [3, 5, 7])
def test_a_steady_loss_is_overcome(sent: Make, decoded: Make, every: int) -> None:
    store = MissionStore()
    world = World(MissionTransfer(store, system=1), decoded, frozenset(range(0, 2000, every)))
    station = Station(sent)
    world.run(60.0, station, first=station.upload(world.now, row(30)))
    assert station.result == mavlink.MAV_MISSION_ACCEPTED
    assert are_equal(store.items(MISSION), row(30))
