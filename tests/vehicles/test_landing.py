"""Landings of all sets that land by wings: how far from their place they touch down.

A touch-down is within 20 m of its place, along and across the final approach. What a plane rolls
after it does not count.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.mission import Land, Loiter, Mission, TakeOff, Waypoint, fly_missions
from pyrfly.mission.items import MissionItem
from pyrfly.protocol import synthesis
from pyrfly.vehicles.abilities import Wings
from pyrfly.vehicles.families import FAMILIES
from pyrfly.vehicles.parameters import VehicleParameters

from .conftest import SETS

WINDS = np.array([[0, 0, 0], [3, 0, 0], [-3, 0, 0], [0, 3, 0], [0, -3, 0]], dtype=float)
CLOSE = 20.0  # m
FINAL = 500.0  # m before the place: on it at the height of the approach
UP = 40.0  # m


def landing_by_wings() -> list[VehicleParameters]:
    """Return the sets whose navigators land them by wings."""
    abilities = {name: FAMILIES[one.family].abilities_of(one) for name, one in SETS.items()}
    return [SETS[name] for name, able in abilities.items() if able.kind.circles]


every_plane = pytest.mark.parametrize("vehicle", landing_by_wings(), ids=lambda one: one.name)


def wings_of(sim: pyrfly.Sim) -> Wings:
    found = sim.groups[0].abilities.wings
    assert found is not None
    return found


def touch_downs(sim: pyrfly.Sim) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fly on until all are down; return where they touch down, and with which descent rate."""
    where, rate = np.full((sim.n, 2), np.nan), np.full(sim.n, np.nan)
    before = np.array(sim.vel[:, 2])
    for _ in range(6000):
        sim.step(10)
        down = np.isnan(rate) & (sim.pos[:, 2] > -0.05)
        where[down], rate[down] = sim.pos[down, :2], before[down]
        if not np.isnan(rate).any():
            break
        before = np.array(sim.vel[:, 2])
    return where, rate


@every_plane
def test_the_navigator_lands_at_its_place(vehicle: VehicleParameters) -> None:
    """In any light wind, also with a tail wind, in which its glide is flatter over ground."""
    sim = pyrfly.Sim(vehicle, len(WINDS), dt=0.002)
    sim.wind[:] = WINDS
    sim.enable_synthesis()
    sim.arm()
    sim.step()
    sim.pos[:] = (-700.0, 0.0, -25.0)
    sim.vel[:] = WINDS
    sim.vel[:, 0] += float(sim.groups[0].view(wings_of(sim).cruise_airspeed)[0])
    origin = np.zeros(sim.n)
    sim.command_sil(*synthesis.land(origin, origin, yaw=origin))
    where, rate = touch_downs(sim)
    np.testing.assert_allclose(where[:, 0], 0.0, atol=15.0)
    np.testing.assert_allclose(where[:, 1], 0.0, atol=3.0)
    assert (rate < 0.6).all()


def turned(bearing: float, north: float, east: float, down: float) -> tuple[float, float, float]:
    """Return a place in front of the landing place on a final approach with a bearing [rad]."""
    sine, cosine = math.sin(bearing), math.cos(bearing)
    return north * cosine - east * sine, north * sine + east * cosine, down


def approach(kind: str, bearing: float) -> Mission:
    """Return a mission that ends in a landing on a final approach with a bearing [rad]."""

    def at(north: float, east: float, height: float) -> tuple[float, float, float]:
        return turned(bearing, north, east, -height)

    before: dict[str, tuple[MissionItem, ...]] = {
        "straight": (Waypoint(at(-FINAL - 400.0, 0.0, UP)), Waypoint(at(-FINAL, 0.0, UP))),
        "turn": (Waypoint(at(-FINAL, 500.0, UP)), Waypoint(at(-FINAL, 0.0, UP))),
        "circle": (TakeOff((300.0, 0.0, -UP)), Loiter(at(-FINAL, 0.0, UP), 0.0, climbs=True)),
    }
    land = Land((0.0, 0.0, 0.0), pattern=True)
    return Mission((*before[kind], land), cruise_speed=15.0)


def fly_to(sim: pyrfly.Sim, ids: list[int], mission: Mission, course: float) -> None:
    """Let planes fly on a course [rad], 150 m before the first place of a mission."""
    north, east = math.cos(course), math.sin(course)
    sim.reset(yaw=course, ids=ids)
    sim.arm(ids=ids)
    first, rows = mission.items[0], np.subtract(ids, 1)
    assert isinstance(first, Waypoint)
    sim.pos[rows] = np.array(first.pos) - np.multiply(150.0, (north, east, 0.0))
    airspeed = float(sim.groups[0].view(wings_of(sim).cruise_airspeed)[0])
    sim.vel[rows] = WINDS + np.multiply(airspeed, (north, east, 0.0))


APPROACHES = [("straight", 0), ("turn", 130), ("circle", 250)]
"""Kinds and bearings [deg]."""


@pytest.mark.slow
@every_plane
def test_missions_land_at_their_places(vehicle: VehicleParameters) -> None:
    """In head, cross and tail winds, on final approaches with several bearings.

    The first kinds begin in the air.
    """
    sim = pyrfly.Sim(vehicle, len(APPROACHES) * len(WINDS), dt=0.004)
    sim.wind[:] = np.tile(WINDS, (len(APPROACHES), 1))
    sim.enable_synthesis()
    missions: dict[int, Mission] = {}
    for kind, degrees in APPROACHES:
        bearing = math.radians(degrees)
        mission = approach(kind, bearing)
        ids = [len(missions) + row for row in range(1, len(WINDS) + 1)]
        if kind != "circle":  # which takes off
            fly_to(sim, ids, mission, bearing if kind == "straight" else bearing - 0.5 * math.pi)
        missions |= dict.fromkeys(ids, mission)
    for copter_id, result in fly_missions(sim, missions).items():
        flight = (*APPROACHES[(copter_id - 1) // len(WINDS)], *sim.wind[copter_id - 1])
        assert result.completed, (flight, result.reason)
        assert result.landing_error is not None
        assert result.landing_error < CLOSE, flight
