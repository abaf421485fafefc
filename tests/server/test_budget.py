"""How much of a tick packets may take; datagrams that wait, handled frame by frame in turns."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly.server.budget import (
    KEPT,
    MINIMUM,
    MOST_DATAGRAMS,
    READING,
    RESERVE,
    SHARE,
    UNPACED,
    Backlog,
    Budget,
)

TICK = 0.01


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def allowed(budget: Budget, clock: Clock, behind: float = 0.0) -> tuple[float, float]:
    """Return how long packets may be read and requests be executed [s], to 10 us."""
    budget.begin(behind)
    begin, ends = clock.now, []
    for is_over in (budget.reading_is_over, budget.is_over):
        while not is_over():
            clock.now += 1e-5
        ends.append(clock.now - begin)
    return ends[0], ends[1]


def simulated(budget: Budget, clock: Clock, seconds: float, ticks: int = 200) -> None:
    for _ in range(ticks):
        budget.simulate()
        clock.now += seconds
        budget.end()


@pytest.mark.parametrize(
    ("simulation", "behind", "expected"),
    [
        pytest.param(0.0, 0.0, SHARE, id="of an idle simulation the maximum"),
        pytest.param(0.4, 0.0, 0.6 - RESERVE, id="what the simulation leaves"),
        pytest.param(0.4, 0.2, 0.4 - RESERVE, id="less what the server is behind"),
        pytest.param(1.5, 0.0, MINIMUM, id="a minimum if it leaves nothing"),
        pytest.param(0.0, 50.0, MINIMUM, id="a minimum far behind"),
    ],
)
def test_packets_get(simulation: float, behind: float, expected: float) -> None:
    """All in shares of a tick."""
    clock = Clock()
    budget = Budget(TICK, clock)
    simulated(budget, clock, simulation * TICK)
    reading, all_together = allowed(budget, clock, behind * TICK)
    assert all_together == pytest.approx(expected * TICK, abs=2.1e-5)
    assert reading == pytest.approx(READING * expected * TICK, abs=2.1e-5)


def test_one_slow_tick_of_the_simulation_does_not_shut_packets_out() -> None:
    clock = Clock()
    budget = Budget(TICK, clock)
    simulated(budget, clock, 0.1 * TICK)
    simulated(budget, clock, 3 * TICK, ticks=1)
    assert allowed(budget, clock)[1] > 1.5 * MINIMUM * TICK


def test_the_time_that_the_simulation_waits_for_others_is_not_its_own() -> None:
    clock = Clock()
    budget = Budget(TICK, clock)
    for _ in range(200):
        budget.simulate()
        for seconds in (0.2 * TICK, 0.1 * TICK):
            budget.wait()
            clock.now += 0.5 * TICK
            budget.go_on()
            clock.now += seconds
        budget.end()
    assert allowed(budget, clock)[1] == pytest.approx((1 - 0.3 - RESERVE) * TICK, abs=2.1e-5)


def test_without_pacing_a_tick_has_its_own_length() -> None:
    clock = Clock()
    _, all_together = allowed(Budget(0.0, clock), clock)
    assert all_together == pytest.approx(SHARE * UNPACED, abs=2.1e-5)


def test_no_link_takes_the_time_of_those_after_it() -> None:
    clock = Clock()
    budget = Budget(TICK, clock)
    budget.begin(0.0)
    ends = []
    for later in (2, 1, 0):
        budget.turn(later, 3)
        while not budget.is_over():
            clock.now += 1e-5
        ends.append(clock.now / (SHARE * TICK))
    assert ends == pytest.approx([1 - KEPT, 1 - KEPT / 2, 1], abs=0.01)


def test_a_link_has_the_time_that_those_before_it_left() -> None:
    clock = Clock()
    budget = Budget(TICK, clock)
    budget.begin(0.0)
    budget.turn(1, 2)
    budget.turn(0, 2)
    while not budget.reading_is_over():
        clock.now += 1e-5
    assert clock.now == pytest.approx(READING * SHARE * TICK, abs=2.1e-5)


Done = list[tuple[int, int, int]]


def frames(done: Done, row: int, datagram: int, count: int) -> Iterator[None]:
    for frame in range(count):
        done.append((row, datagram, frame))
        yield


@given(
    counts=st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=4),
    steps=st.lists(st.integers(1, 7), min_size=1, max_size=9),
)
def test_all_is_done_in_order_whenever_it_is_interrupted(
    counts: list[list[int]], steps: list[int]
) -> None:
    done: Done = []
    backlog = Backlog()
    expected = {}
    for row, datagrams in enumerate(counts):
        expected[row] = [(row, d, f) for d, count in enumerate(datagrams) for f in range(count)]
        for datagram, count in enumerate(datagrams):
            backlog.add(row, frames(done, row, datagram, count))
    total = sum(map(len, expected.values()))
    for number in range(100):
        left = iter(range(steps[number % len(steps)] - 1))
        backlog.work(lambda left=left: next(left, None) is None)
    assert len(done) == total
    for row, own in expected.items():
        assert [some for some in done if some[0] == row] == own


def test_a_vehicle_with_many_frames_delays_the_others_by_one_each() -> None:
    done: Done = []
    backlog = Backlog()
    for datagram in range(3):
        backlog.add(0, frames(done, 0, datagram, 100))
    backlog.work(lambda: len(done) == 7)
    backlog.add(1, frames(done, 1, 0, 2))
    backlog.work(lambda: len(done) == 11)
    assert [row for row, _, _ in done[7:]] == [0, 1, 0, 1]


def test_a_vehicle_is_full_for_itself() -> None:
    backlog = Backlog()
    for datagram in range(MOST_DATAGRAMS):
        assert not backlog.is_full(0)
        backlog.add(0, frames([], 0, datagram, 1))
    assert backlog.is_full(0)
    assert not backlog.is_full(1)
    backlog.work(lambda: False)
    assert not backlog.is_full(0)
