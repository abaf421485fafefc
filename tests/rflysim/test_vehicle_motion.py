"""Motion of the point-mass vehicles against closed forms."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm

from pyrfly.rflysim.vehicle_motion import (
    Flight,
    FlightCommand,
    fly,
    level_pitch,
    orbit,
    smooth,
    to_ned,
    wrap,
)

GAINS = (5.0, 10.0, 5.0, 12.0, 1.0)


def flown(state: Flight, command: FlightCommand, seconds: float, dt: float = 0.01) -> Flight:
    for _ in range(round(seconds / dt)):
        state = fly(state, command, GAINS, dt)
    return state


def test_the_set_point_filter_is_three_percent_every_10_ms() -> None:
    assert smooth(0.0, 1.0, 0.01) == pytest.approx(0.03)
    assert smooth(2.0, 1.0, 0.02) == pytest.approx(1 + 0.97**2)
    assert smooth(2.0, 1.0, 0.0) == 2


@given(st.floats(-10, 10), st.floats(-10, 10), st.floats(0, 1), st.floats(0, 1))
def test_the_filter_does_not_care_how_time_is_cut(
    value: float, target: float, one: float, two: float
) -> None:
    cut = smooth(smooth(value, target, one), target, two)
    assert cut == pytest.approx(smooth(value, target, one + two), abs=1e-9)


def test_forward_and_right_of_a_heading_to_the_east() -> None:
    # the vendor's rotation has the sign of the right part wrong
    assert to_ned(1, 0, math.pi / 2) == pytest.approx((0, 1))
    assert to_ned(0, 1, math.pi / 2) == pytest.approx((-1, 0))


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(-4, 4))
def test_the_rotation_keeps_lengths(forward: float, right: float, yaw: float) -> None:
    assert math.hypot(*to_ned(forward, right, yaw)) == pytest.approx(math.hypot(forward, right))


@pytest.mark.parametrize(("speed", "degrees"), [(0, 12), (5, 12), (12.5, 7), (20, 2), (50, 2)])
def test_pitch_of_level_flight(speed: float, degrees: float) -> None:
    assert level_pitch(speed) == pytest.approx(math.radians(degrees))


def test_speed_approaches_exponentially_and_distance_follows() -> None:
    state = flown(Flight(0, 0, 0, 0, 5, 0, 0), FlightCommand(15, 0, 0, 0), 2)
    assert state.speed == pytest.approx(15 - 10 * math.exp(-2))
    assert state.north == pytest.approx(15 * 2 - 10 * (1 - math.exp(-2)))


@pytest.mark.parametrize("seconds", [0.3, 1.0, 2.5])
def test_course_and_height_obey_their_second_order_laws(seconds: float) -> None:
    # errors small enough for no limit: x' = A x in (error, rate)
    state = flown(Flight(0, 0, 1, 0, 20, 0.2, 0), FlightCommand(20, 0, 0, 0), seconds)
    course, turn = expm([[0, seconds], [-10 * seconds, -5 * seconds]]) @ [0.2, 0.0]
    down, descent = expm([[0, seconds], [-12 * seconds, -5 * seconds]]) @ [1.0, 0.0]
    assert (state.course, state.turn) == pytest.approx((course, turn), abs=1e-6)
    assert (state.down, state.descent) == pytest.approx((down, descent), abs=1e-6)


def test_limits_of_descent_and_turn() -> None:
    state = flown(Flight(0, 0, 0, 0, 20, 0, 0), FlightCommand(20, 3.0, 0, -1000), 5)
    assert state.descent == pytest.approx(-10)
    state = Flight(0, 0, 0, 0, 2, 0, 0)
    for _ in range(100):
        state = fly(state, FlightCommand(2, state.course + 3, 0, 0), GAINS, 0.01)
        assert state.turn <= 1 + 1e-9  # speed / 5 m, of at least 5 m/s


def test_the_short_way_round() -> None:
    state = flown(Flight(0, 0, 0, 0, 20, 3.0, 0), FlightCommand(20, -3.0, 0, 0), 10)
    assert state.course == pytest.approx(math.tau - 3.0, abs=1e-6)


@pytest.mark.parametrize("clockwise", [True, False])
def test_tangents_of_a_circle(clockwise: bool) -> None:
    # east of the centre and clockwise from above: southwards
    course, turn = orbit(0, 20, 20, 10, clockwise)
    assert abs(wrap(course - (math.pi if clockwise else 0))) < 1e-12
    assert turn == pytest.approx(0.5 if clockwise else -0.5)


def test_far_from_a_circle_straight_to_it() -> None:
    course, _ = orbit(0, 1e9, 20, 10, True)
    assert course == pytest.approx(-math.pi / 2, abs=1e-6)


@given(st.floats(-1e6, 1e6))
def test_wrapped_angles(angle: float) -> None:
    wrapped = wrap(angle)
    assert -math.pi <= wrapped <= math.pi
    assert math.cos(wrapped) == pytest.approx(math.cos(angle), abs=1e-9)
