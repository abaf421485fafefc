"""`Sim.add_listener` and `Sim.sleep`, by which controllers follow simulated time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from pyrfly.ctrl import PX4MavCtrler
from pyrfly.sim import Sim


class TestListeners:
    """`Sim.add_listener` and `Sim.sleep`."""

    def test_are_called_at_the_multiples_of_their_period(self) -> None:
        sim = Sim("x450")
        ticks: list[int] = []
        sim.add_listener(lambda: ticks.append(round(sim.time / sim.dt)), 0.004)
        sim.step(13)
        assert ticks == [0, 4, 8, 12]

    def test_are_called_before_the_step_that_begins_then(self) -> None:
        sim = Sim("x450")
        ticks: list[int] = []
        sim.add_listener(lambda: ticks.append(round(sim.time / sim.dt)), 0.004)
        sim.step(4)
        assert ticks == [0]
        sim.step(1)
        assert ticks == [0, 4]

    @pytest.mark.parametrize("pieces", [[60], [1] * 60, [7, 13, 40], [20, 20, 20], [0, 59, 1]])
    def test_do_not_depend_on_how_steps_are_grouped(self, pieces: list[int]) -> None:
        sim = Sim("x450")
        calls: list[tuple[str, int]] = []

        def note(name: str) -> Callable[[], None]:
            return lambda: calls.append((name, round(sim.time / sim.dt)))

        sim.add_listener(note("slow"), 0.02)
        sim.add_listener(note("fast"), 0.015)
        for n in pieces:
            sim.step(n)
        expected = [(0, "slow"), (0, "fast"), (15, "fast"), (20, "slow"), (30, "fast")]
        expected += [(40, "slow"), (45, "fast")]
        assert calls == [(name, tick) for tick, name in expected]
        assert sim.time == pytest.approx(0.060)

    def test_a_flight_does_not_depend_on_how_steps_are_grouped(self) -> None:
        digests = set()
        for n in (1, 7, 20, 400):
            sim = Sim("x450")
            mav = PX4MavCtrler(1, sim=sim)
            mav.InitMavLoop()
            mav.initOffboard()
            mav.SendPosNED(3, 2, -5, 0.5)
            mav.sendMavTakeOff(1, 2, -3, 1)
            for _ in range(5600 // n):
                sim.step(n)
            digests.add(sim.hash())
        assert len(digests) == 1

    def test_can_be_removed_even_from_within(self) -> None:
        sim = Sim("x450")
        calls: list[float] = []

        def once() -> None:
            calls.append(sim.time)
            sim.remove_listener(once)

        sim.add_listener(once, 0.01)
        sim.step(100)
        assert calls == [0.0]
        assert sim.time == pytest.approx(0.1)

    def test_error_stops_the_step_where_it_was_raised(self) -> None:
        sim = Sim("x450")

        def fail() -> None:
            if sim.time > 0.015:
                raise RuntimeError("enough")

        sim.add_listener(fail, 0.01)
        with pytest.raises(RuntimeError, match="enough"):
            sim.step(100)
        assert sim.time == pytest.approx(0.02)

    @pytest.mark.parametrize("n", [-1, 25.5, "3", True, None, 2**31, 10**15])
    @pytest.mark.parametrize("listening", [False, True])
    def test_do_not_change_what_step_refuses(self, listening: bool, n: Any) -> None:
        sim = Sim("x450")
        if listening:
            sim.add_listener(lambda: None, 0.02)
        with pytest.raises((ValueError, TypeError), match="n: expected"):
            sim.step(n)
        assert sim.time == 0.0

    def test_may_not_step(self) -> None:
        sim = Sim("x450")
        sim.add_listener(sim.step, 0.02)
        with pytest.raises(RuntimeError, match="a listener of this Sim is running"):
            sim.step()
        sim.remove_listener(sim.step)
        sim.step()
        assert sim.time == sim.dt

    def test_may_reset_vehicles(self) -> None:
        sim = Sim("x450")
        sim.add_listener(lambda: sim.reset(pos=(1, 2, -3), ids=1), 0.02)
        sim.step(20)
        assert sim.pos[0, 0] == pytest.approx(1, abs=0.1)

    @pytest.mark.parametrize("listener", [3, None, "update"])
    def test_are_functions(self, listener: Any) -> None:
        with pytest.raises(TypeError, match="update: expected a function, got"):
            Sim("x450").add_listener(listener, 1)

    @pytest.mark.parametrize("period", [0.0, -1.0, math.nan, 1.7e308])
    def test_period_is_a_time(self, period: float) -> None:
        with pytest.raises(ValueError, match=r"period: expected .*\[s\]"):
            Sim("x450").add_listener(lambda: None, period)

    @pytest.mark.parametrize(("seconds", "ticks"), [(0, 0), (0.02, 20), (1e-6, 1), (1 / 30, 33)])
    def test_sleep_takes_whole_steps(self, seconds: float, ticks: int) -> None:
        sim = Sim("x450")
        sim.sleep(seconds)
        assert sim.time == pytest.approx(ticks * sim.dt)

    @pytest.mark.parametrize("seconds", [-0.1, math.nan, math.inf, 1e9, 1.7e308])
    def test_sleep_refuses_what_is_no_duration(self, seconds: float) -> None:
        with pytest.raises(ValueError, match=r"seconds: expected .*\[s\]"):
            Sim("x450").sleep(seconds)
