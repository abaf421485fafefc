"""Datagrams of several vehicles, handled frame by frame in turns."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from pyrfly.server.backlog import MOST_DATAGRAMS, Backlog

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
