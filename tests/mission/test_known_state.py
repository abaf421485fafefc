"""Pilots fly by what vehicles know of their motion, and are judged by what it is."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.mission import (
    Land,
    Mission,
    MissionItem,
    ReturnToLaunch,
    Waypoint,
    fly_mission,
)

from .point_masses import DOWN, UP, PointMasses, Probe

AWAY = np.array((0.0, 6.0, 0.0))  # m: where the vehicle is, of where it believes to be
THERE = Waypoint((12.0, 0.0, -4.0))


def on_estimate(*faults: dict[str, Any]) -> Sim:
    sim = Sim("x450")
    sim.sensors.enable("imu", "magnetometer", "barometer", "gps")
    sim.estimator.enable(fly=True)
    for fault in faults:
        sim.faults.add(**fault)
    return sim


def flown(sim: Sim, *items: MissionItem) -> tuple[Any, np.ndarray]:
    """Fly items; return the result and the true track."""
    track: list[np.ndarray] = []
    probe = Probe(lambda: track.append(sim.pos[0].copy()))
    return fly_mission(sim, Mission((UP, *items)), recorder=probe), np.array(track)


def test_a_waypoint_is_reached_where_the_vehicle_believes_to_be() -> None:
    """The estimate is 6 m too far west of the truth, so that the track is 6 m too far east."""
    sim = on_estimate({"kind": "estimator_position", "bias": -AWAY, "at": 0.5})
    result, track = flown(sim, THERE, Land((12.0, 0.0, 0.0)))
    assert result.completed
    np.testing.assert_allclose(track[-1, :2], (12.0, 6.0), atol=2.5)
    assert result.landing_error == pytest.approx(6.0, abs=2.5)  # the true one
    assert result.cross_track_max > 4.0


def test_a_return_leads_to_where_home_is_believed_to_be() -> None:
    sim = on_estimate(
        {"kind": "gps_spoof", "sensor": "gps", "velocity": (0.0, 1.0, 0.0), "at": 1.0}
    )
    result, track = flown(sim, THERE, ReturnToLaunch())
    assert result.completed
    led = sim.time - 1.0  # m: what the spoofed velocity makes of the time
    assert track[-1, 1] == pytest.approx(-led, abs=0.15 * led)
    assert result.landing_error == pytest.approx(abs(track[-1, 1]), abs=2.0)


@pytest.mark.slow
def test_a_frozen_estimate_reaches_no_waypoint() -> None:
    sim = on_estimate({"kind": "estimator_freeze", "at": 4.0})
    result, _ = flown(sim, Waypoint((30.0, 0.0, -4.0)))
    assert not result.completed
    assert "out of reach" in result.reason


class _Motion(NamedTuple):
    pos: np.ndarray
    vel: np.ndarray
    att: np.ndarray


class Misled(PointMasses):
    """Point masses that believe to be elsewhere; the loops of the simulation know no better."""

    @property
    def known(self) -> _Motion:
        return _Motion(self.pos - AWAY, self.vel, self.att)

    def command_position(self, pos: Any, *arguments: Any, **options: Any) -> None:
        super().command_position(np.asarray(pos) + AWAY, *arguments, **options)


class Frozen(PointMasses):
    """Point masses that fly by the truth, and believe from 3 s on that they stand still."""

    def __init__(self) -> None:
        super().__init__()
        self._last = self.pos.copy()

    @property
    def known(self) -> _Motion:
        if self.time < 3.0:
            self._last = self.pos.copy()
        return _Motion(self._last, self.vel, self.att)


def test_a_waypoint_that_is_reached_in_truth_alone_is_not_done() -> None:
    sim = Frozen()
    result = fly_mission(sim, Mission((UP, THERE, DOWN)))
    assert not result.completed
    np.testing.assert_allclose(sim.pos[0], THERE.pos, atol=0.5)


def test_a_simulation_of_ones_own_may_tell_what_its_vehicles_know() -> None:
    sim = Misled()
    sim.pos[0] = AWAY
    result = fly_mission(sim, Mission((UP, THERE, DOWN)))
    assert result.completed
    assert result.landing_error == pytest.approx(6.0, abs=0.5)
    np.testing.assert_allclose(sim.pos[0], AWAY, atol=0.5)
