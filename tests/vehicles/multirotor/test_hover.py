"""The inverse of the motor curve."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly.vehicles import load
from pyrfly.vehicles.multirotor.hover import curve_throttle, steady_rotor_speed

CURVES = [(0, 900, 0, 0), (-141.4, 1148, 0, 0), (100, 800, 300, 0), (0, 1452.12, -458.98, -181.4)]


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("share", [0.01, 0.3, 0.77, 1])
def test_a_throttle_has_the_speed_that_it_was_found_for(curve, share: float) -> None:
    low, high = 0.15, 0.95
    ends = [np.polyval(curve[::-1], end) for end in (low, high)]
    speed = ends[0] + share * (ends[1] - ends[0])
    polynomial = np.subtract(curve[::-1], [0, 0, 0, speed])
    roots = np.roots(np.trim_zeros(polynomial, "f"))
    (expected,) = [r.real for r in roots if abs(r.imag) < 1e-9 and low <= r.real <= high + 1e-9]
    assert curve_throttle(np.array(curve), low, high, speed) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("curve", CURVES)
def test_speeds_beyond_the_range_have_the_throttle_of_its_ends(curve) -> None:
    slow, fast = (curve_throttle(np.array(curve), 0.2, 0.9, speed) for speed in (-10, 1e6))
    assert slow == pytest.approx(0.2)
    assert slow >= 0.2  # below it the motor stops
    assert fast == 0.9


def test_it_is_the_inverse_of_the_steady_speed() -> None:
    vehicle = load("x450")
    curve, high = vehicle.columns["motor_curve"], float(vehicle.columns["motor_max"][0])
    for throttle in (0.1, 0.4, 0.8):
        speed = steady_rotor_speed(vehicle, throttle)
        assert curve_throttle(curve, 0.0, high, speed) == pytest.approx(throttle)
