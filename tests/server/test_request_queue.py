"""In which order requests are executed, and which are not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly.server.orders import Action, CommandWord, SetInputs
from pyrfly.server.request_queue import MOST_WAITING, RequestQueue


def never() -> bool:
    return False


def at_once() -> bool:
    return True


def commands(ids: list[int], numbers: list[int]) -> CommandWord:
    return CommandWord(np.array(ids), np.array(numbers, np.int32))


def set_points(ids: list[int], numbers: list[int]) -> SetInputs:
    ints = np.zeros((len(ids), 8), np.int32)
    ints[:, 1] = numbers
    return SetInputs.of(np.array(ids), ints, np.zeros((len(ids), 20), np.float32))


class Done:
    """What was executed: vehicles and numbers, in their order."""

    def __init__(self) -> None:
        self.calls: list[list[tuple[int, int]]] = []

    def act(self, action: Action) -> None:
        numbers = action.words if isinstance(action, CommandWord) else action.ints[:, 1]
        self.calls.append(list(zip(action.ids.tolist(), numbers.tolist(), strict=True)))

    def of(self, vehicle: int) -> list[int]:
        return [number for call in self.calls for i, number in call if i == vehicle]


def test_one_request_of_each_vehicle_is_one_call() -> None:
    waiting, done = RequestQueue(9), Done()
    waiting.add(set_points([1, 2, 3], [10, 20, 30]), np.arange(3))
    waiting.execute(done.act, never)
    assert done.calls == [[(1, 10), (2, 20), (3, 30)]]
    assert len(waiting) == 0


def test_of_a_stream_the_newest_is_executed_at_its_place_among_the_commands() -> None:
    waiting, done = RequestQueue(9), Done()
    waiting.add(set_points([1, 1, 1], [10, 11, 12]), np.array([0, 2, 4]))
    waiting.add(commands([1, 1, 1], [1, 2, 3]), np.array([1, 3, 5]))
    replaced = waiting.execute(done.act, never)
    assert done.of(1) == [1, 2, 12, 3]
    assert replaced.tolist() == [1, 1]


def test_when_the_time_is_over_the_rest_waits_and_the_last_served_comes_last() -> None:
    """With time for one action a call: after it, the vehicle of the other one has its turn."""
    waiting, done = RequestQueue(9), Done()
    waiting.add(commands([1, 1, 1], [1, 2, 3]), np.arange(3))
    waiting.add(set_points([2], [4]), np.array([3]))
    for _ in range(2):
        waiting.execute(done.act, at_once)
    assert sorted(done.calls) == [[(1, 1)], [(2, 4)]]
    waiting.add(set_points([2, 3], [5, 6]), np.array([4, 5]))
    waiting.execute(done.act, at_once)
    assert (3, 6) in done.calls[-1]  # the one that never had a turn
    waiting.execute(done.act, never)
    assert (done.of(1), done.of(2)) == ([1, 2, 3], [4, 5])


def test_requests_of_a_turn_that_came_in_parts_are_one_call() -> None:
    waiting, done = RequestQueue(9), Done()
    for vehicle in (1, 2, 3):
        waiting.add(commands([vehicle], [vehicle]), np.array([vehicle]))
    waiting.execute(done.act, at_once)
    assert done.calls == [[(1, 1), (2, 2), (3, 3)]]


def test_a_waiting_set_point_is_replaced_by_one_that_comes_later() -> None:
    waiting, done = RequestQueue(9), Done()
    waiting.add(commands([1], [1]), np.array([0]))
    waiting.add(set_points([1], [10]), np.array([1]))
    waiting.execute(done.act, at_once)
    waiting.add(set_points([1], [11]), np.array([2]))
    replaced = waiting.execute(done.act, never)
    assert done.of(1) == [1, 11]
    assert replaced.tolist() == [1]


def test_a_vehicle_with_many_waiting_commands_is_full_until_they_are_executed() -> None:
    waiting, done = RequestQueue(9), Done()
    waiting.add(commands([1] * (MOST_WAITING - 1) + [2], [0] * MOST_WAITING), np.arange(64))
    waiting.add(set_points([1], [1]), np.array([64]))
    assert not waiting.is_full(1)  # a set-point is replaced by the next one
    waiting.add(commands([1], [0]), np.array([65]))
    assert waiting.is_full(1)
    assert not waiting.is_full(2)
    waiting.execute(done.act, at_once)
    assert not waiting.is_full(1)
    assert len(waiting) == MOST_WAITING
    waiting.execute(done.act, never)
    assert len(done.of(1)) == MOST_WAITING + 1


def test_a_stream_behind_many_commands_is_executed_again_and_again() -> None:
    """Though a newer one comes before its turn, every time."""
    waiting, done = RequestQueue(9), Done()
    arrival = 0
    for number in range(60):
        waiting.add(set_points([1], [1000 + number]), np.array([arrival]))
        waiting.add(commands([1] * 5, [0] * 5), np.arange(arrival + 1, arrival + 6))
        answers = [False, False]
        waiting.execute(done.act, lambda answers=answers: not answers or answers.pop())
        arrival += 6
    executed = [n for n in done.of(1) if n >= 1000]
    assert len(executed) > 2
    assert executed == sorted(executed)
    while len(waiting):
        waiting.execute(done.act, never)
    assert [n for n in done.of(1) if n >= 1000][-1] == 1059


@given(
    st.lists(st.tuples(st.integers(1, 3), st.booleans()), max_size=40),
    st.integers(1, 40),
    st.integers(0, 5),
)
def test_commands_are_neither_lost_nor_reordered(requests, portion, turns) -> None:
    """However many arrive at once, and however many turns there is time for."""
    waiting, done = RequestQueue(9), Done()
    for begin in range(0, len(requests), portion):
        for number, (vehicle, is_command) in enumerate(requests[begin : begin + portion], begin):
            make = commands if is_command else set_points
            waiting.add(make([vehicle], [number]), np.array([number]))
        answers = [False] * turns
        waiting.execute(done.act, lambda answers=answers: not answers or answers.pop())
    while len(waiting):
        waiting.execute(done.act, never)
    for vehicle in (1, 2, 3):
        numbers = [n for n, (i, _) in enumerate(requests) if i == vehicle]
        expected = [n for n in numbers if requests[n][1]]
        found = done.of(vehicle)
        assert found == sorted(found)
        assert [n for n in found if requests[n][1]] == expected
        assert found[-1:] == numbers[-1:]


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_and_one_are_no_special_cases(count: int) -> None:
    waiting, done = RequestQueue(9), Done()
    if count:
        waiting.add(commands([5], [1]), np.array([0]))
    assert waiting.execute(done.act, at_once).size == 0
    assert len(done.calls) == count
