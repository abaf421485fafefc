"""The parts of the way of a set-point: legs and corners."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrfly.mission.leg import CUT, Corner, Leg

NORTH = np.array((1.0, 0.0, 0.0))


def heading(degrees: float) -> np.ndarray:
    angle = math.radians(degrees)
    return np.array((math.cos(angle), math.sin(angle), 0.0))


@pytest.mark.parametrize(
    ("first", "last", "length", "seconds"),
    [
        (0.0, 0.0, 30.0, 30 / 5 + 5 / 2),  # a trapezoid
        (0.0, 0.0, 2.0, 2 * math.sqrt(2 / 2)),  # a triangle
        (5.0, 5.0, 30.0, 30 / 5),
        (3.0, 4.0, 20.0, (2 / 2 + 1 / 2) + (20 - (3 + 5) / 2 * 1 - (5 + 4) / 2 * 0.5) / 5),
        (9.0, 5.0, 30.0, (9 - 5) / 2 + (30 - (9 + 5) / 2 * 2) / 5),  # begun too fast
        (9.0, 1.0, 30.0, (9 - 1) / 2 + (30 - (81 - 1) / 4) / 5),
        (4.0, 0.0, 2.0, 2 * 2 / 4),  # too short to brake with 2 m/s^2
    ],
)
def test_a_leg_takes_the_time_of_its_trapezoid(
    first: float, last: float, length: float, seconds: float
) -> None:
    leg = Leg(np.zeros(3), length * NORTH, 5.0, 2.0, 7.0, first, last)
    assert leg.ends == pytest.approx(7.0 + seconds)
    for time, place, speed in ((7.0, 0.0, first), (leg.ends, length, last)):
        pos, vel, _ = leg.motion(time)
        assert (pos[0], vel[0]) == pytest.approx((place, speed))


def motions(part: Leg | Corner, begins: float) -> tuple[np.ndarray, ...]:
    times = np.linspace(begins, part.ends - 1e-9, 201)
    pos, vel, acc = (np.array(column) for column in zip(*map(part.motion, times), strict=True))
    return times, pos, vel, acc


@pytest.mark.parametrize("turn", [0.0, 10.0, 90.0, 150.0, 180.0])
@pytest.mark.parametrize("room", [0.5, 3.0])
def test_a_corner_is_as_fast_as_its_angle_and_its_room_allow(turn: float, room: float) -> None:
    """With the constant acceleration a over a chord of the hodograph, 2 v sin(turn / 2) long."""
    corner = Corner(np.array((4.0, 0.0, -4.0)), NORTH, heading(turn), room, 2.0, 5.0)
    half = math.sin(math.radians(turn) / 2)
    assert corner.speed == pytest.approx(min(5.0, math.sqrt(2.0 * room / half) if half else 5.0))
    corner.begin(1.0)
    times, pos, vel, acc = motions(corner, 1.0)
    np.testing.assert_allclose(np.linalg.norm(acc, axis=1), np.linalg.norm(acc[0]), atol=1e-9)
    assert np.linalg.norm(acc[0]) <= 2.0 + 1e-9
    np.testing.assert_allclose(np.gradient(pos[:, 0], times)[1:-1], vel[1:-1, 0], atol=1e-6)
    np.testing.assert_allclose(vel[0], corner.speed * NORTH, atol=1e-6)
    np.testing.assert_allclose(vel[-1], corner.speed * heading(turn), atol=1e-6)
    np.testing.assert_allclose(pos[-1], corner.end, atol=1e-6)
    nearest = np.linalg.norm(pos - (4.0, 0.0, -4.0), axis=1).min()
    assert nearest <= room / 2


def test_a_slow_corner_is_cut_no_more_than_it_needs() -> None:
    """0.2 m/s is turned by 90 degrees with 2 m/s^2 within 1.4 cm: it may be cut by 5 cm."""
    corner = Corner(np.zeros(3), NORTH, heading(90.0), 3.0, 2.0, 0.2)
    corner.begin(0.0)
    _, pos, _, _ = motions(corner, 0.0)
    assert np.linalg.norm(pos, axis=1).min() == pytest.approx(CUT, abs=1e-3)
