"""`Sim.at`: changes of columns at simulated times."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import ShapeError, Sim
from pyrfly.sim.events import _bytes_of, _parsed, enter_events, without_events


def history(sim: Sim, column: str, steps: int) -> NDArray[Any]:
    """Return a column of the first vehicle after each of some steps."""
    found = []
    for _ in range(steps):
        sim.step()
        found.append(np.array(sim.select(1).read(column)[0]))
    return np.array(found)


class TestTime:
    def test_a_time_is_rounded_up_to_the_next_step(self) -> None:
        for time, before in ((0.003, 3), (0.0031, 4), (0.0039, 4), (0.3, 300), (1.1, 1100)):
            sim = Sim("sdk")
            sim.at(time, mass=2.5)
            first = int(np.argmax(history(sim, "mass", before + 2) == 2.5))
            assert first == before, time

    def test_an_event_acts_before_the_step_that_begins_at_its_time(self) -> None:
        sim, by_hand = Sim("x450"), Sim("x450")
        sim.at(0.05, vel=[1, 2, -3], wind=[4, 0, 0])
        sim.step(120)
        by_hand.step(50)
        by_hand.vel = [1, 2, -3]
        by_hand.wind = [4, 0, 0]
        by_hand.step(70)
        assert sim.hash() == by_hand.hash()

    def test_the_present_is_allowed_and_the_past_is_not(self) -> None:
        sim = Sim("sdk")
        sim.step(30)
        with pytest.raises(ValueError, match=r"^time: expected at least 0.03 s.* got 0.0295"):
            sim.at(0.0295, mass=2)
        assert not sim.events
        sim.at(0.03, mass=2)
        assert sim.mass != 2
        sim.step()
        assert sim.mass == 2

    def test_at_equal_times_the_last_entered_acts_last(self) -> None:
        sim = Sim("sdk", 3)
        sim.at(0.01, mass=2)
        sim.at(0.0095, [3, 1], mass=[3, 4])
        sim.at(0.01, 1, mass=5)
        sim.step(11)
        assert sim.mass.tolist() == [5, 2, 3]

    def test_each_vehicle_may_have_its_own_time(self) -> None:
        sim = Sim({"x450": 2, "octo_x": 1})
        sim.at([0.03, 0.01, 0.02], [3, 1, 2], wind=[[1, 0, 0], [2, 0, 0], [3, 0, 0]])
        seen = []
        for steps in (10, 10, 10, 1):
            sim.step(steps)
            seen.append(sim.wind[:, 0].tolist())
        assert seen == [[0, 0, 0], [2, 0, 0], [2, 3, 0], [2, 3, 1]]


class TestRamp:
    def test_is_linear_from_the_present_value_to_the_new_one(self) -> None:
        sim = Sim("sdk")
        sim.wind = [1, 0, 0]
        sim.at(0.004, ramp=0.02, wind=[5, -2, 0])
        seen = history(sim, "wind", 30)
        share = np.clip((np.arange(30) - 4) / 20, 0, 1)[:, None]
        np.testing.assert_allclose(seen, [1, 0, 0] + share * [4, -2, 0], atol=1e-15)
        assert seen[-1].tolist() == [5, -2, 0]

    def test_at_a_rate_is_a_staircase(self) -> None:
        sim = Sim("sdk")
        sim.at(0, ramp=0.01, ramp_rate=250, mass=3)
        before = float(sim.mass[0])
        share = np.array([0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 10, 10]) / 10
        np.testing.assert_allclose(history(sim, "mass", 12), before + share * (3 - before))

    @pytest.mark.parametrize("precision", ["float64", "float32"])
    def test_is_finite_between_the_largest_values(self, precision: str) -> None:
        largest = float(np.finfo(np.float32).max) * 0.9
        sim = Sim("sdk", precision=precision)
        sim.wind = [-largest, largest, 3]
        sim.at(0.001, ramp=0.01, wind=[largest, -largest, 3])
        seen = history(sim, "wind", 13)
        assert (np.diff(seen[:12, 0]) > 0).sum() == 10
        np.testing.assert_array_equal(seen[:, 1], -seen[:, 0])
        assert seen[[1, 11], 0].tolist() == pytest.approx([-largest, largest])
        assert (seen[:, 2] == 3).all()


class TestRepeats:
    def test_make_a_square_gust(self) -> None:
        sim = Sim("sdk")
        sim.at(0.002, wind=[6, 0, 0], every=0.01)
        sim.at(0.005, wind=0, every=0.01)
        expected = [6.0 * (2 <= k % 10 < 5) for k in range(60)]
        assert history(sim, "wind", 60)[:, 0].tolist() == expected

    def test_have_their_number_and_no_drift(self) -> None:
        """Each time is rounded up by itself: 0.0333 s is 33.3 steps."""
        sim = Sim("sdk")
        sim.at(0, every=0.0333, times=7, gravity=1)
        acted = []
        for tick in range(300):
            sim.gravity = 9.8
            sim.step()
            acted += [tick] * int(sim.gravity[0] == 1)
        assert acted == [0, 34, 67, 100, 134, 167, 200]
        assert sim.events[0].over

    def test_of_a_ramp_begin_at_the_value_of_then(self) -> None:
        sim = Sim("sdk")
        sim.at(0, every=0.01, ramp=0.01, wind=[4, 0, 0])
        sim.at(0, every=0.01, wind=0)
        seen = history(sim, "wind", 25)[:, 0]
        np.testing.assert_allclose(seen[1:10], 0.4 * np.arange(1, 10))
        np.testing.assert_allclose(seen[11:20], seen[1:10])


def windy(n: int = 40, precision: str = "float64", threads: int = 1) -> Sim:
    """Return vehicles of three groups in flight, with events of all kinds."""
    sim = Sim({"x450": n, "octo_x": 3, "hex_x": 1}, precision=precision, threads=threads, dt=0.002)
    sim.reset(pos=[0, 0, -20], seed=3)
    sim.arm()
    sim.command_position([1, 2, -21], ids=range(1, n + 1))
    sim.environment.enable("downwash")
    ids = np.arange(1, sim.n + 1)
    sim.at(0.01 + 0.001 * (ids % 7), wind=np.outer(ids, [0.1, -0.02, 0]), every=0.05)
    sim.at(0.03, ramp=0.11, mass=1.9, gravity=9.7)
    sim.at(0.05, [2, 1], vel=[[0, 0, -1], [1, 0, 0]])
    sim.at(0.15, ids[::2], armed=0)
    return sim


@pytest.mark.parametrize("precision", ["float64", "float32"])
class TestDeterminism:
    def test_bits_do_not_depend_on_calls_or_threads(self, precision: str) -> None:
        whole, pieces = windy(150, precision, 2), windy(150, precision)
        whole.step(120)
        for steps in (1, 7, 24, 30, 58):
            pieces.step(steps)
        assert whole.hash() == pieces.hash()

    def test_bits_do_not_depend_on_other_vehicles(self, precision: str) -> None:
        many, few = windy(60, precision), windy(3, precision)
        many.step(60)
        few.step(60)
        np.testing.assert_array_equal(many.wind[:3], few.wind[:3])
        np.testing.assert_array_equal(many.mass[:3], few.mass[:3])

    @pytest.mark.parametrize(
        "copied",
        [
            copy.deepcopy,
            lambda sim: pickle.loads(pickle.dumps(sim)),
            lambda sim: restored(sim),
        ],
    )
    def test_a_copy_amid_a_ramp_has_the_same_future(
        self, copied: Callable[[Sim], Sim], precision: str
    ) -> None:
        sim = windy(precision=precision)
        sim.step(31)
        other = copied(sim)
        assert repr(other.events) == repr(sim.events)
        for each in (sim, other):
            each.step(90)
        assert other.hash() == sim.hash()
        assert other.at(9, mass=2) == sim.at(9, mass=2)


def restored(sim: Sim) -> Sim:
    other = windy(precision=sim.groups[0].batch.precision)
    other.cancel_events()
    other.at(0.001, mass=9)
    other.restore(sim.snapshot())
    return other


def test_world_stages_see_what_events_change() -> None:
    """The downwash of a vehicle that an event puts above another one acts from that time on."""
    sims = [Sim("x450", 2, dt=0.002) for _ in range(2)]
    for sim in sims:
        sim.environment.enable("downwash")
        sim.reset(pos=[[0, 0, -10], [50, 0, -11]], hover=True)
    sims[0].at(0.02, 2, pos=[0.1, 0, -11])
    sims[0].step(11)
    sims[1].step(10)
    sims[1].pos[1] = [0.1, 0, -11]
    sims[1].step()
    assert sims[0].hash() == sims[1].hash()


class TestReset:
    def test_of_all_lets_events_act_as_they_were_entered(self) -> None:
        sim = Sim("sdk", 20)
        sim.at(0.01, every=0.02, times=2, gravity=5)
        sim.step(5)
        sim.at(0.02, ramp=0.01, mass=3)
        entered = repr(sim.events)
        flights = []
        for _ in range(2):
            sim.reset()
            sim.mass, sim.gravity = 2, 9.8
            assert repr(sim.events) == entered
            flights.append(history(sim, "mass", 35))
            assert sim.gravity[0] == 5
        np.testing.assert_array_equal(*flights)
        assert flights[0][[15, 25, 34]].tolist() == pytest.approx([2, 2.5, 3])

    def test_of_one_vehicle_lets_its_events_count_from_there(self) -> None:
        sim = Sim("sdk", 20)
        sim.at(0.01, wind=[1, 0, 0])
        sim.step(20)
        sim.wind = 0
        sim.reset(ids=18)
        assert sim.events[0].next == pytest.approx(0.03)
        sim.step(10)
        assert not sim.wind.any()
        sim.step()
        assert np.flatnonzero(sim.wind[:, 0]).tolist() == [17]


class TestList:
    def test_says_what_is_entered_and_what_is_over(self) -> None:
        sim = Sim("x450", 4)
        assert repr(sim.events) == "no events"
        numbers = [
            sim.at(0.01, ramp=0.002, mass=2, wind=[1, 0, 0]),
            sim.at(0.02, [4, 2], every=0.1, times=3, mass=[3, 4]),
        ]
        sim.step(15)
        ramp, repeat = sim.events
        assert [ramp.number, repeat.number] == numbers == [1, 2]
        assert ramp.over
        assert not repeat.over
        assert (ramp.time, ramp.ramp, ramp.every, ramp.times, ramp.next) == (
            pytest.approx(0.01), pytest.approx(0.002), None, 1, None,
        )  # fmt: skip
        assert ramp.columns["mass"] == 2
        np.testing.assert_array_equal(ramp.columns["wind"], [1, 0, 0])
        assert repeat.ids.tolist() == [2, 4]
        np.testing.assert_array_equal(repeat.columns["mass"], [4, 3])
        assert (repeat.every, repeat.times) == (pytest.approx(0.1), 3)
        assert repeat.next == pytest.approx(0.02)
        assert len(repr(sim.events).splitlines()) == 2

    def test_an_event_is_one_for_all_parameter_sets(self) -> None:
        sim = Sim({"x450": 2, "octo_x": 1})
        sim.at([3, 1], [3, 1], mass=[4, 2], wind=[1, 0, 0])
        sim.controllers = False
        sim.at(2, throttle=0.25)
        some, every = sim.events
        assert some.ids.tolist() == [1, 3]
        np.testing.assert_allclose(some.time, [1, 3])
        np.testing.assert_array_equal(some.columns["mass"], [2, 4])
        np.testing.assert_array_equal(some.columns["wind"], [1, 0, 0])
        assert some.next == pytest.approx(1)
        assert every.ids.tolist() == [1, 2, 3]
        assert every.columns == {"throttle": 0.25}

    def test_cancelled_events_do_not_act(self) -> None:
        sim = Sim({"x450": 2, "octo_x": 1})
        one, two = sim.at(0.01, mass=2.1), sim.at(0.01, gravity=9)
        other = sim.at(0.02, wind=[1, 0, 0])
        sim.cancel_events(two)
        sim.cancel_events([one], ids=[1, 3])
        sim.step(25)
        assert (sim.mass == 2.1).tolist() == [False, True, False]
        assert not (sim.gravity == 9).any()
        assert (sim.wind[:, 0] == 1).all()
        assert {event.number for event in sim.events} == {one, other}
        sim.cancel_events()
        assert not sim.events
        assert sim.at(1, mass=2) == other + 1

    def test_amid_a_ramp_the_value_stays(self) -> None:
        sim = Sim("sdk")
        ramp = sim.at(0, ramp=0.01, gravity=0)
        sim.step(5)
        sim.cancel_events(ramp)
        gravity = float(sim.gravity[0])
        sim.step(20)
        assert 0 < gravity == sim.gravity[0] < 9.8

    def test_to_cancel_nothing_leaves_the_core_alone(self) -> None:
        sim = Sim("x450", 2)
        number = sim.at(1, 2, mass=2)
        for ids in ([], [1]):
            for numbers in (None, number):
                assert without_events(sim.select(ids), sim.groups, numbers) == []

    @pytest.mark.parametrize("numbers", [7, [1, 7], "1", 1.5, [[1]]])
    def test_an_unknown_number_is_an_error(self, numbers: Any) -> None:
        sim = Sim("sdk")
        sim.at(1, mass=2)
        with pytest.raises((TypeError, ValueError), match=r"^numbers: "):
            sim.cancel_events(numbers)
        assert len(sim.events) == 1


BAD: list[tuple[str, type[Exception], dict[str, Any]]] = [
    ("time", ValueError, {"time": np.nan}),
    ("time", ValueError, {"time": -1}),
    ("time", ValueError, {"time": 1e300}),
    ("time", TypeError, {"time": "soon"}),
    ("time", ShapeError, {"time": [1, 2, 3]}),
    ("ids", ValueError, {"ids": 9}),
    ("ids", ValueError, {"ids": [1, 1]}),
    ("ids", TypeError, {"ids": 1.5}),
    ("columns", TypeError, {"mass": None}),
    ("vehicles", AttributeError, {"masse": 1}),
    ("accel", AttributeError, {"accel": 0}),
    ("battery_voltage", AttributeError, {"battery_voltage": 3}),
    ("vehicles", AttributeError, {"ids": [], "masse": 1}),
    ("accel", AttributeError, {"ids": [], "accel": 0}),
    ("wind", TypeError, {"ids": [], "wind": "x"}),
    ("wind", ValueError, {"ids": [], "wind": np.nan}),
    ("wind", ShapeError, {"wind": [1, 2]}),
    ("wind", ValueError, {"wind": np.nan}),
    ("wind", ValueError, {"wind": [np.inf, 0, 0]}),
    ("mass", ValueError, {"mass": -1}),
    ("armed", ValueError, {"armed": 2}),
    ("mass", TypeError, {"mass": "heavy"}),
    ("ramp", ValueError, {"ramp": -1}),
    ("ramp", ValueError, {"ramp": np.inf}),
    ("ramp", ValueError, {"ramp": 1, "armed": 1}),
    ("ramp_rate", ValueError, {"ramp_rate": 10}),
    ("ramp_rate", ValueError, {"ramp": 1, "ramp_rate": 0}),
    ("every", ValueError, {"every": 0}),
    ("every", ValueError, {"every": -1}),
    ("every", ValueError, {"every": 0.1, "ramp": 0.2}),
    ("every", ValueError, {"every": np.nan}),
    ("times", ValueError, {"times": 2}),
    ("times", ValueError, {"every": 1, "times": 0}),
    ("times", TypeError, {"every": 1, "times": 1.5}),
]


@pytest.mark.parametrize(
    ("name", "largest"),
    [("pos", 1e6), ("vel", 1e3), ("rate", 1e3), ("rotor_speed", 1e5), ("mass", 3.4e38)],
)
def test_values_are_within_the_envelope_and_what_packets_hold(name: str, largest: float) -> None:
    sim = Sim("x450")
    sim.at(1.0, **{name: largest})
    for bad in (largest * 1.01, 1e39, 1e308):
        with pytest.raises(ValueError, match=rf"^{name}: expected finite values up to"):
            sim.at(1.0, **{name: bad})
    assert len(sim.events) == 1


@pytest.mark.parametrize(("name", "error", "arguments"), BAD)
def test_a_bad_argument_is_named_and_nothing_is_stored(
    name: str, error: type[Exception], arguments: dict[str, Any]
) -> None:
    sim = Sim("x450", 2)
    whole = {"time": 1.0, "mass": 2.0, **arguments}
    columns = {key: value for key, value in whole.items() if value is not None}
    before = sim.snapshot()
    with pytest.raises(error, match=rf"^{name}\b"):
        sim.at(**columns)
    assert sim.snapshot() == before


def test_no_vehicles_have_no_events() -> None:
    sim = Sim({"x450": 1, "octo_x": 1})
    sim.at(1, [], wind=[1, 0, 0])
    assert not sim.events


@pytest.mark.parametrize(
    ("ids", "arguments", "message"),
    [
        (9, {"mass": 2}, r"^ids: expected CopterIDs from 1 to 2, got 9$"),
        ([1, 0], {"mass": 2}, r"^ids: expected CopterIDs from 1 to 2, got 0$"),
        (None, {"wnd": 2}, r"no column 'wnd'; near: .*\bwind\b"),
    ],
)
def test_an_error_tells_what_was_wrong(ids: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((AttributeError, ValueError), match=message):
        Sim("x450", 2).at(1, ids, **arguments)


@pytest.mark.slow
def test_threads_enter_and_cancel_whole_events() -> None:
    """What is refused is a documented RuntimeError; what is accepted is there."""
    sim = Sim("x450", 4)
    accepted: list[int] = []
    errors: list[Exception] = []

    def attempt(act: Callable[[int], object], k: int) -> None:
        try:
            act(k)
        except RuntimeError:
            pass
        except Exception as error:
            errors.append(error)

    def repeat(act: Callable[[int], object]) -> None:
        for k in range(150):
            attempt(act, k)

    def run(*acts: Callable[[int], object]) -> None:
        threads = [threading.Thread(target=repeat, args=(act,)) for act in acts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        run(*[lambda k: accepted.append(sim.at(1, gravity=k))] * 3)
        assert [event.number for event in sim.events] == sorted(accepted)
        run(lambda k: sim.at(1, gravity=k), lambda _: sim.cancel_events(), lambda _: sim.events)
    finally:
        sys.setswitchinterval(interval)
    assert not errors


def test_a_number_is_above_those_that_are_there() -> None:
    """Also after a snapshot whose counter is too low."""
    sim = Sim("x450", 2)
    sim.at(1, mass=2)
    sim.at(1, mass=3)
    sim._last_event = 0
    sim.restore(sim.snapshot())
    assert sim.at(1, mass=4) == 3
    assert len(sim.events) == 3


@pytest.mark.slow
def test_many_repeats_cost_no_square_of_their_number() -> None:
    """A quarter of a million values that act anew at every step or every second one."""
    sim = Sim("x450", 16)
    columns = {
        field.name: np.array(sim.groups[0].view(field.name))
        for field in sim.fields()
        if field.role in ("param", "gain")
    }
    begin = process_time()
    while sim.groups[0].batch.event_load()[0] < 250_000:
        sim.at(0.001, every=0.001, **columns)
        sim.at(0.001, every=0.002, **columns)
    sim.step(8)
    sim.restore(sim.snapshot())
    assert process_time() - begin < 10  # it was a minute


def test_a_column_of_a_disabled_part_says_what_enables_it() -> None:
    sim = Sim("x450")
    with pytest.raises(AttributeError, match=r"power\.enable"):
        sim.at(1, battery_resistance=1)
    sim.power.enable()
    sim.at(0.01, battery_resistance=1)
    sim.step(11)
    assert sim.battery_resistance == 1


def test_damaged_events_of_a_snapshot_are_refused() -> None:
    sim = Sim("sdk")
    sim.at(0.01, every=1, mass=2)
    sim.step(5)
    batch = sim.groups[0].batch
    good = batch.snapshot()
    size = len(batch.events())
    rng = np.random.default_rng(5)
    for place in range(len(good) - size, len(good)):
        bad = bytearray(good)
        bad[place] ^= int(rng.integers(1, 256))
        try:
            batch.restore(bad)
        except ValueError:
            assert batch.snapshot() == good, place
        else:
            sim.step(3)
            batch.restore(good)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda rows: rows[:2], id="the last component is missing"),
        pytest.param(lambda rows: rows[[0, 1, 3]], id="that amid others"),
        pytest.param(lambda rows: rows[1:], id="the first is missing"),
        pytest.param(lambda rows: rows[[0, 1, 1, 3]], id="one is there twice"),
        pytest.param(lambda rows: rows[[0, 2, 1, 3]], id="another order"),
        pytest.param(lambda rows: np.tile(rows, 2), id="all are there twice"),
    ],
)
def test_rows_that_are_no_whole_columns_are_refused(wrong: Callable[[Any], Any]) -> None:
    sim = Sim("sdk")
    sim.at(1, mass=2, wind=[1, 2, 3])
    batch = sim.groups[0].batch
    good = batch.events()
    events, rows = _parsed(batch)
    with pytest.raises(ValueError, match="events"):
        batch.set_events(_bytes_of(events, wrong(rows)))
    assert batch.events() == good


def test_many_events_change_nothing_of_a_step_without_them() -> None:
    """The kernel is interrupted where an event is due, which does not change its bits."""
    sims = [Sim("x450", 30) for _ in range(2)]
    for sim in sims:
        sim.reset(pos=[0, 0, -9], hover=True)
    rng = np.random.default_rng(1)
    for time in rng.uniform(0, 0.3, 50):
        sims[0].at(time, ids=rng.integers(1, 31), wind=0)
    for sim in sims:
        sim.step(300)
    assert sims[0].hash() == sims[1].hash()


class TestTables:
    """Events that are given as data, as files have them."""

    def test_are_arguments_of_at(self) -> None:
        sim, other = Sim("x450", 3), Sim("x450", 3)
        table = {"time": 1, "ids": [12, 11], "ramp": 2, "every": 5.0, "mass": [2, 3]}
        enter_events(sim.at, sim.n, [table, {"time": 2.5, "wind": [1, 0, 0]}], first_id=10)
        other.at(1, [3, 2], ramp=2, every=5.0, mass=[2, 3])
        other.at(2.5, wind=[1, 0, 0])
        assert repr(sim.events) == repr(other.events)

    @pytest.mark.parametrize(
        "entry", [7, {}, {"wind": 1}, {"time": 1, "wind": "x"}, {"time": 1, 2: 3}, {"time": 1}]
    )
    def test_of_what_is_none_the_number_is_told(self, entry: Any) -> None:
        with pytest.raises(ValueError, match=r"^events: entry 2: "):
            enter_events(Sim("sdk").at, 1, [{"time": 1, "mass": 2}, entry])

    @pytest.mark.parametrize(("ids", "got"), [([1], 1), (7, 7), ([5, 10**30], 10**30)])
    def test_their_ids_are_told_as_they_were_given(self, ids: Any, got: int) -> None:
        expected = rf"^events: entry 1: ids: expected CopterIDs from 5 to 6, got {got}$"
        with pytest.raises(ValueError, match=expected):
            enter_events(Sim("x450", 2).at, 2, [{"time": 1, "ids": ids, "mass": 2}], first_id=5)

    def test_are_not_too_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pyrfly.sim.events.MOST_ENTRIES", 2)
        sim = Sim("sdk")
        with pytest.raises(ValueError, match=r"^events: expected at most 2, got 3$"):
            enter_events(sim.at, sim.n, [{"time": 1, "mass": 2}] * 3)
        assert not sim.events

    @pytest.mark.parametrize("entries", ["time", {"time": 1}, None])
    def test_are_a_list(self, entries: Any) -> None:
        with pytest.raises(TypeError, match=r"^events: "):
            enter_events(Sim("sdk").at, 1, entries)


def test_an_entry_for_no_vehicles_is_refused() -> None:
    sim = Sim("sdk")
    with pytest.raises(ValueError, match="events: entry 1: ids: expected at least one CopterID"):
        enter_events(sim.at, sim.n, [{"time": 1, "ids": [], "mass": 2}])
