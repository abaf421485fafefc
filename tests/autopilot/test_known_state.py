"""The autopilot decides by what vehicles know of their motion: home, commands without a place."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any

import numpy as np
import pytest

Make = Callable[..., Any]
BIAS = np.array((0.0, -8.0, 0.0))  # m, of the estimate


def misled(s: Any) -> Any:
    """Let the vehicle fly on an estimate that is 8 m too far west."""
    s.sim.sensors.enable("imu", "magnetometer", "barometer", "gps")
    s.sim.estimator.enable(fly=True)
    s.sim.faults.add("estimator_position", bias=BIAS)
    s.run(1.0)
    return s


def test_home_is_where_the_vehicle_believes_to_be(station: Make) -> None:
    s = misled(station())
    s.in_air(4.0)
    np.testing.assert_allclose(s.commander.homes.pos[0], s.sim.home[0] + BIAS, atol=3.0)


def test_a_return_ends_at_the_believed_home(station: Make) -> None:
    """Home is set before the estimate is wrong: the vehicle lands as far east as that is west."""
    s = station()
    s.sim.sensors.enable("imu", "magnetometer", "barometer", "gps")
    s.sim.estimator.enable(fly=True)
    s.in_air(4.0)
    s.set("RTL_RETURN_ALT", 4.0)
    s.sim.faults.add("estimator_position", bias=BIAS)
    s.run(4.0)
    assert s.command(20) == 0
    s.until(lambda: s.mode() == "RETURN" and not s.commander.armed[0], 90.0)
    np.testing.assert_allclose(s.sim.pos[0, :2], (s.sim.home[0] - BIAS)[:2], atol=3.0)


def test_a_command_without_a_place_means_the_believed_one(station: Make) -> None:
    s = misled(station())
    s.in_air(4.0)
    assert s.command(34, 3.0, 1.0, nan, 0.0, nan, nan, nan) == 0
    circle = s.commander.requests.circles()[0]
    np.testing.assert_allclose(circle.centre[:2], s.sim.known.pos[0, :2], atol=0.5)
    assert abs(circle.centre[1] - s.sim.pos[0, 1]) == pytest.approx(8.0, abs=2.0)
