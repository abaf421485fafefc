"""Keeping to real time, with a clock of our own."""

from math import inf

import pytest

from pyrfly.server.pacing import Pacer, rate_of


class Clock:
    """A clock that only sleeping and `now` move."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def paced(rate: float) -> tuple[Pacer, Clock]:
    clock = Clock()
    return Pacer(rate, clock=clock, sleep=clock.sleep), clock


def never() -> bool:
    return False


@pytest.mark.parametrize("rate", [0.1, 1.0, 4.0])
def test_moments_are_due_by_the_clock(rate):
    pacer, clock = paced(rate)
    pacer.begin(5.0)
    for tick in range(1, 101):
        clock.now += 0.001  # work
        pacer.wait(5.0 + tick * 0.01, never)
        assert clock.now == pytest.approx(1000.0 + tick * 0.01 / rate, abs=1e-9)
    assert pacer.late == 0


def test_a_short_delay_is_made_up_for():
    pacer, clock = paced(1.0)
    clock.now += 0.05
    pacer.wait(0.01, never)
    assert clock.slept == []
    pacer.wait(0.1, never)
    assert clock.now == pytest.approx(1000.1)
    assert pacer.late == 0


def test_a_long_delay_is_counted_and_not_made_up_for():
    pacer, clock = paced(1.0)
    clock.now += 3.0
    pacer.wait(0.01, never)
    assert pacer.late == 1
    pacer.wait(0.02, never)
    assert clock.now == pytest.approx(1003.01)
    assert pacer.late == 1


def test_as_fast_as_possible_never_sleeps_and_is_never_late():
    pacer, clock = paced(inf)
    clock.now += 3.0
    pacer.wait(0.01, never)
    pacer.wait(1e9, never)
    assert clock.slept == []
    assert pacer.late == 0


def test_it_does_not_sleep_long_past_a_stop():
    pacer, clock = paced(0.001)
    pacer.wait(0.01, lambda: clock.now > 1002.0)
    assert clock.now == pytest.approx(1002.0, abs=0.1)
    assert pacer.late == 0


@pytest.mark.parametrize(("given", "rate"), [("real", 1.0), ("max", inf), ("2.5", 2.5), (3, 3.0)])
def test_rates_are_words_or_numbers(given, rate):
    assert rate_of(given) == rate


@pytest.mark.parametrize("given", ["fast", 0, -1.0, "nan", None, []])
def test_other_rates_are_errors(given):
    with pytest.raises(ValueError, match="rate: expected"):
        rate_of(given)
