"""The clock that calls listeners, and the tasks of the navigator."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from pyrfly.ctrl.navigator import PERIOD, Navigator, Target, Task
from pyrfly.ctrl.vehicle import Vehicle, quaternion_of_euler
from pyrfly.sim import Setpoint, Sim


def navigated(vehicle: str = "x450") -> tuple[Sim, Navigator]:
    """Return a world of one vehicle at rest, and its navigator."""
    sim = Sim(vehicle)
    navigator = Navigator(Vehicle(sim, 1))
    sim.add_listener(navigator.update, PERIOD)
    return sim, navigator


def flying(height: float = 10.0) -> tuple[Sim, Navigator]:
    """Return a world whose vehicle has taken off."""
    sim, navigator = navigated()
    navigator.arm(True)
    navigator.take_off((0.0, 0.0, -height), math.nan)
    sim.sleep(math.ceil(height / 1.5) + 4)
    assert navigator.task is Task.HOLD
    return sim, navigator


def position(target: tuple[float, float, float]) -> Target:
    return Target(Setpoint.POSITION, pos=target)


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
            sim, navigator = navigated()
            navigator.arm(True)
            navigator.take_off((1.0, 2.0, -5.0), 1.0)
            for _ in range(2800 // n):
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

    @pytest.mark.parametrize("n", [-1, 1.5])
    def test_do_not_change_what_step_refuses(self, n: float) -> None:
        sim = Sim("x450")
        sim.add_listener(lambda: None, 0.02)
        with pytest.raises((ValueError, TypeError)):
            sim.step(n)  # type: ignore[arg-type]

    @pytest.mark.parametrize("period", [0.0, -1.0, math.nan])
    def test_period_is_a_time(self, period: float) -> None:
        with pytest.raises(ValueError, match=r"period: expected .*\[s\]"):
            Sim("x450").add_listener(lambda: None, period)

    @pytest.mark.parametrize(("seconds", "ticks"), [(0, 0), (0.02, 20), (1e-6, 1), (1 / 30, 33)])
    def test_sleep_takes_whole_steps(self, seconds: float, ticks: int) -> None:
        sim = Sim("x450")
        sim.sleep(seconds)
        assert sim.time == pytest.approx(ticks * sim.dt)

    @pytest.mark.parametrize("seconds", [-0.1, math.nan, math.inf])
    def test_sleep_refuses_what_is_no_duration(self, seconds: float) -> None:
        with pytest.raises(ValueError, match=r"seconds: expected .*\[s\]"):
            Sim("x450").sleep(seconds)


class TestTakeOff:
    """The climb."""

    def test_rises_at_the_take_off_speed(self) -> None:
        sim, navigator = navigated()
        navigator.arm(True)
        navigator.take_off((0.0, 0.0, -10.0), math.nan)
        sim.sleep(3.0)
        middle = sim.pos[0, 2]
        sim.sleep(2.0)
        assert sim.pos[0, 2] - middle == pytest.approx(-2.0 * 1.5, abs=0.05)

    def test_ends_within_half_a_metre_of_the_height_and_holds_it(self) -> None:
        sim, navigator = navigated()
        navigator.arm(True)
        navigator.take_off((0.0, 0.0, -10.0), math.nan)
        while navigator.task is Task.CLIMB:
            sim.sleep(PERIOD)
        assert -10.0 - sim.pos[0, 2] == pytest.approx(-0.5, abs=0.05)
        assert sim.time == pytest.approx(9.5 / 1.5, abs=0.5)
        sim.sleep(5.0)
        np.testing.assert_allclose(sim.pos[0], (0.0, 0.0, -10.0), atol=0.01)

    def test_does_not_slide_over_the_ground(self) -> None:
        sim, navigator = navigated()
        navigator.arm(True)
        navigator.take_off((8.0, 0.0, -6.0), 2.0)
        yaw = math.nan
        while sim.pos[0, 2] > -0.4:
            sim.sleep(PERIOD)
            yaw = sim.euler[0, 2]
        assert abs(sim.pos[0, 0]) < 0.01
        assert abs(yaw) < 0.01
        sim.sleep(10.0)
        np.testing.assert_allclose(sim.pos[0], (8.0, 0.0, -6.0), atol=0.02)
        assert sim.euler[0, 2] == pytest.approx(2.0, abs=0.02)

    def test_waits_for_arming(self) -> None:
        sim, navigator = navigated()
        navigator.take_off((0.0, 0.0, -3.0), math.nan)
        sim.sleep(5.0)
        assert sim.pos[0, 2] == pytest.approx(0.0, abs=0.01)
        navigator.arm(True)
        sim.sleep(6.0)
        assert sim.pos[0, 2] == pytest.approx(-3.0, abs=0.01)

    def test_from_above_comes_down(self) -> None:
        sim, navigator = flying(10.0)
        navigator.take_off((0.0, 0.0, -4.0), math.nan)
        sim.sleep(2.0)
        assert sim.vel[0, 2] == pytest.approx(1.5, abs=0.05)
        sim.sleep(6.0)
        np.testing.assert_allclose(sim.pos[0], (0.0, 0.0, -4.0), atol=0.01)

    def test_is_slower_where_the_vehicle_is(self) -> None:
        sim, navigator = navigated()
        sim.climb_limit[:] = 1.0
        navigator.arm(True)
        navigator.take_off((0.0, 0.0, -10.0), math.nan)
        sim.sleep(4.0)
        assert sim.vel[0, 2] == pytest.approx(-0.9, abs=0.03)


class TestLanding:
    """The way down."""

    def test_flies_level_to_the_place_before_it_descends(self) -> None:
        sim, navigator = flying(10.0)
        navigator.land(20.0, 0.0)
        while navigator.task is Task.APPROACH:
            sim.sleep(PERIOD)
            assert sim.pos[0, 2] == pytest.approx(-10.0, abs=0.25)
        assert sim.pos[0, 0] == pytest.approx(20.0, abs=0.5)

    def test_descends_at_the_landing_speed(self) -> None:
        sim, navigator = flying(10.0)
        navigator.land(0.0, 0.0)
        sim.sleep(3.0)
        top = sim.pos[0, 2]
        sim.sleep(5.0)
        assert sim.pos[0, 2] - top == pytest.approx(5.0 * 0.7, abs=0.05)

    def test_ends_on_the_ground_with_the_rotors_off(self) -> None:
        sim, navigator = flying(5.0)
        begin = sim.time
        navigator.land(0.0, 0.0)
        while sim.groups[0].armed[0]:
            sim.sleep(PERIOD)
        # 5 m at 0.7 m/s, half a second on the ground, and what the settling takes
        assert 5.0 / 0.7 + 0.5 < sim.time - begin < 5.0 / 0.7 + 2.0
        assert navigator.task is Task.NONE
        sim.sleep(3.0)
        assert abs(sim.pos[0]).max() < 0.01
        assert sim.rotor_speed.max() < 1.0

    def test_meets_the_ground_where_it_is(self) -> None:
        sim, navigator = flying(10.0)
        sim.terrain[:] = -4.0
        navigator.land(0.0, 0.0)
        sim.sleep(6.0 / 0.7 + 3.0)
        assert navigator.task is Task.NONE
        assert sim.pos[0, 2] == pytest.approx(-4.0, abs=0.02)

    def test_on_the_ground_disarms_on_the_spot(self) -> None:
        sim, navigator = navigated()
        navigator.arm(True)
        sim.sleep(1.0)
        navigator.land(30.0, 0.0)
        sim.sleep(1.0)
        assert navigator.task is Task.NONE
        assert not sim.groups[0].armed[0]
        assert abs(sim.pos[0, 0]) < 0.01

    def test_drops_a_target_that_came_meanwhile(self) -> None:
        sim, navigator = flying(3.0)
        navigator.begin_offboard()
        navigator.land(0.0, 0.0)
        sim.sleep(1.0)
        navigator.aim(position((20.0, 0.0, -10.0)))
        sim.sleep(8.0)
        assert navigator.task is Task.NONE
        navigator.arm(True)
        sim.sleep(3.0)
        assert abs(sim.pos[0]).max() < 0.02

    def test_gives_way_to_a_take_off(self) -> None:
        sim, navigator = flying(6.0)
        navigator.land(0.0, 0.0)
        sim.sleep(3.0)
        navigator.take_off((0.0, 0.0, -6.0), math.nan)
        sim.sleep(8.0)
        np.testing.assert_allclose(sim.pos[0], (0.0, 0.0, -6.0), atol=0.02)


class TestStaying:
    """Idling, holding, and leaving alone."""

    def test_armed_on_the_ground_idles_there(self) -> None:
        sim, navigator = navigated()
        navigator.arm(True)
        sim.sleep(10.0)
        assert navigator.task is Task.IDLE
        assert abs(sim.pos).max() < 1e-3

    def test_armed_in_the_air_holds_the_place(self) -> None:
        sim, navigator = navigated()
        sim.reset(pos=(1.0, 2.0, -20.0))
        navigator.arm(True)
        sim.sleep(8.0)
        assert navigator.task is Task.HOLD
        np.testing.assert_allclose(sim.pos[0], (1.0, 2.0, -20.0), atol=0.05)

    def test_leaves_a_vehicle_alone_that_it_was_not_asked_to_fly(self) -> None:
        sim, _ = navigated()
        sim.arm()
        sim.command_position((0.0, 0.0, -5.0))
        sim.sleep(6.0)
        assert sim.pos[0, 2] == pytest.approx(-5.0, abs=0.02)

    def test_forgets_its_task_when_others_disarm_the_vehicle(self) -> None:
        sim, navigator = flying(5.0)
        navigator.begin_offboard()
        navigator.aim(position((5.0, 0.0, -5.0)))
        sim.sleep(1.0)
        sim.reset()
        sim.sleep(0.1)
        assert navigator.task is Task.NONE
        navigator.arm(True)
        sim.sleep(3.0)
        assert abs(sim.pos).max() < 1e-3

    def test_restart_makes_a_new_home(self) -> None:
        sim, navigator = flying(5.0)
        sim.reset(pos=(3.0, 4.0, 0.0))
        navigator.restart()
        assert navigator.home == (3.0, 4.0, 0.0)


class TestTargets:
    """Offboard targets."""

    def test_do_nothing_outside_offboard(self) -> None:
        sim, navigator = flying(5.0)
        navigator.aim(position((5.0, 0.0, -5.0)))
        sim.sleep(4.0)
        assert abs(sim.pos[0, 0]) < 0.01

    def test_of_before_offboard_are_forgotten(self) -> None:
        sim, navigator = flying(5.0)
        navigator.aim(position((5.0, 0.0, -5.0)))
        navigator.begin_offboard()
        sim.sleep(4.0)
        assert abs(sim.pos[0, 0]) < 0.01

    def test_take_effect_at_the_next_update(self) -> None:
        sim, navigator = flying(5.0)
        navigator.begin_offboard()
        sim.sleep(PERIOD / 2)
        navigator.aim(position((5.0, 0.0, -5.0)))
        sim.sleep(PERIOD / 2)
        assert sim.pos_sp[0, 0] == pytest.approx(0.0, abs=0.01)
        sim.step()
        assert sim.pos_sp[0, 0] == 5.0

    def test_wait_for_the_end_of_a_take_off(self) -> None:
        sim, navigator = navigated()
        navigator.arm(True)
        navigator.begin_offboard()
        navigator.take_off((0.0, 0.0, -8.0), math.nan)
        sim.sleep(2.0)
        navigator.aim(position((5.0, 0.0, -3.0)))
        while navigator.task is Task.CLIMB:
            sim.sleep(PERIOD)
            assert abs(sim.pos[0, 0]) < 0.01
        assert sim.pos[0, 2] < -7.4
        sim.sleep(6.0)
        np.testing.assert_allclose(sim.pos[0], (5.0, 0.0, -3.0), atol=0.02)

    def test_end_of_offboard_holds_the_place(self) -> None:
        sim, navigator = flying(5.0)
        navigator.begin_offboard()
        navigator.aim(Target(Setpoint.VELOCITY, vel=(2.0, 0.0, 0.0)))
        sim.sleep(4.0)
        navigator.end_offboard()
        place = sim.pos[0].copy()
        sim.sleep(6.0)
        np.testing.assert_allclose(sim.pos[0], place, atol=0.01)

    @pytest.mark.parametrize("bits", [Setpoint.ATTITUDE, Setpoint.BODY_RATE])
    def test_by_hand_with_a_height_hold_it(self, bits: int) -> None:
        sim, navigator = flying(10.0)
        sim.drag_linear[:] = sim.drag_quadratic[:] = 0.0
        tilt = quaternion_of_euler(0.0, math.radians(-20.0), 0.0)
        navigator.begin_offboard()
        navigator.aim(Target(Setpoint.ATTITUDE, down=-10.0, others={"att_sp": tilt}))
        sim.sleep(2.0)
        if bits == Setpoint.BODY_RATE:
            navigator.aim(Target(bits, down=-10.0, others={"rate_sp": (0.0, 0.0, 0.0)}))
        before = sim.vel[0, 0]
        sim.sleep(1.0)
        assert sim.pos[0, 2] == pytest.approx(-10.0, abs=0.1)
        # level flight without drag: the thrust's horizontal part is m g tan(tilt)
        gained = sim.vel[0, 0] - before
        assert gained == pytest.approx(9.8 * math.tan(math.radians(20.0)), rel=0.03)


def test_quaternion_of_euler_is_the_attitude_with_these_angles() -> None:
    for angles in ((0.3, -0.2, 2.0), (-1.0, 1.2, -3.0), (0.0, 0.0, 0.5)):
        sim = Sim("x450")
        sim.att[0] = quaternion_of_euler(*angles)
        np.testing.assert_allclose(sim.euler[0], angles, atol=1e-12)


def test_fleets_are_navigated_by_copter_id() -> None:
    sim = Sim({"x450": 2, "cf2x_l250": 2})
    vehicles = [Vehicle(sim, copter_id) for copter_id in (1, 2, 3, 4)]
    assert [v.group.name for v in vehicles] == ["x450", "x450", "cf2x_l250", "cf2x_l250"]
    assert [v.row for v in vehicles] == [0, 1, 0, 1]
